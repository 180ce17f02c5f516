"""Type providers, read from the sources: which class one serves, and what travels.

A provider is a class whose base is `TypeProvider[Served]` with a literal `schema`. It is
offered for a tool (`types=[…]` of the decorator), for a module (`use(types=…)`), for the
project (`types` of the configuration) or by the class itself (`__toolcall_provider__`).
Nothing is imported: the classes are found as every other name is.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any, Final

from toolcall._schema_ir import convert
from toolcall_mypy.records import record
from toolcall_mypy.source.defaults import Known, evaluate
from toolcall_mypy.source.index import ClassSource, ModuleIndex
from toolcall_mypy.source.resolve import Definition, Trail, dotted_name, resolve

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from toolcall import ir
    from toolcall_mypy.source.files import SourceFiles

BASE: Final = "TypeProvider"
ATTRIBUTE: Final = "__toolcall_provider__"


@record
class Provider:
    """One provider: its name and that of the class it serves, and the type that travels.

    `served` is a full name; `wire` is None where the schema is no literal.
    """

    name: ir.ClassName
    served: str
    served_name: ir.ClassName
    wire: ir.Type | None

    def node(self) -> ir.Type:
        """The served class as a type of the IR."""
        wire: ir.Type = {"kind": "any"} if self.wire is None else self.wire
        return {"kind": "custom", "cls": self.served_name, "provider": self.name, "wire": wire}


class Providers:
    """Finds and reads providers."""

    def __init__(self, files: SourceFiles, trail: Trail) -> None:
        self.files = files
        self.trail = trail

    def offered(self, names: Iterable[tuple[str, str]]) -> dict[str, Provider]:
        """Providers by the full name of the class they serve; the first one wins.

        `names` are (module, qualified name) of the providers.
        """
        found: dict[str, Provider] = {}
        for module, qualname in names:
            provider = self.read(module, qualname)
            if provider is not None:
                found.setdefault(provider.served, provider)
        return found

    def read(self, module: str, qualname: str) -> Provider | None:
        """The provider of this name; None where it is none."""
        index = self.files.index(module)
        if index is None:
            return None
        match resolve(qualname, index, "", self.files, self.trail):
            case Definition(index=ModuleIndex() as home, node=ClassSource() as cls):
                return self._provider(home, cls)
        return None

    def of_class(self, module: str, qualname: str) -> Provider | None:
        """The provider that a class names itself, in an attribute."""
        index = self.files.index(module)
        if index is None or ATTRIBUTE not in index.text or qualname not in index.classes:
            return None
        for field in index.classes[qualname].fields:
            value = field.value.func if isinstance(field.value, ast.Call) else field.value
            name = dotted_name(value) if field.name == ATTRIBUTE and value is not None else None
            if name is not None:
                match resolve(name, index, qualname, self.files, self.trail):
                    case Definition(index=ModuleIndex() as home, node=ClassSource() as cls):
                        return self._provider(home, cls)
        return None

    def _provider(self, home: ModuleIndex, cls: ClassSource) -> Provider | None:
        for base in cls.bases:
            if not isinstance(base, ast.Subscript):
                continue
            if (dotted_name(base.value) or "").rpartition(".")[2] != BASE:
                continue
            name = _forward(base.slice) or dotted_name(base.slice)
            served = resolve(name or "", home, cls.scope, self.files, self.trail)
            if served is not None:
                self.trail.add(home, cls.qualname)
                own = f"{home.module}:{cls.qualname}"
                return Provider(own, served.fullname, served.class_name, self._wire(home, cls))
        return None

    def _wire(self, home: ModuleIndex, cls: ClassSource) -> ir.Type | None:
        for field in cls.fields:
            if field.name == "schema" and field.value is not None:
                known = evaluate(field.value, home, cls.qualname, self.files, self.trail)
                if isinstance(known, Known) and isinstance(known.value, dict):
                    return _converted(known.value)
        return None


def _forward(expr: ast.expr) -> str | None:
    """The name in a quoted reference to a class that comes later."""
    return str(expr.value) if isinstance(expr, ast.Constant) else None


def _converted(schema: Mapping[Any, Any]) -> ir.Type | None:
    found = convert(schema)
    return None if found.types else found.type
