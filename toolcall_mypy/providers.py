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
from toolcall_mypy.placeholders import NoSuchArgument, count, filled, marked
from toolcall_mypy.records import record
from toolcall_mypy.source.defaults import Known, evaluate
from toolcall_mypy.source.index import ClassSource, ModuleIndex
from toolcall_mypy.source.resolve import Definition, Trail, dotted_name, resolve

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from toolcall import ir
    from toolcall_mypy.source.files import SourceFiles

BASE: Final = "TypeProvider"
ATTRIBUTE: Final = "__toolcall_provider__"


@record
class Provider:
    """One provider: its name and that of the class it serves, and the type that travels.

    `served` is a full name. `wire` is None where the schema cannot be used, and has
    placeholders for the type arguments of a generic class. `problem` says what is lost.
    """

    name: ir.ClassName
    served: str
    served_name: ir.ClassName
    wire: ir.Type | None
    problem: str | None = None

    def node(self, args: Sequence[ir.Type] = ()) -> ir.Type:
        """The served class, with these type arguments, as a type of the IR."""
        wire: ir.Type = {"kind": "any"} if self.wire is None else filled(self.wire, args)
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
            name, arguments = _served(base.slice)
            served = resolve(name, home, cls.scope, self.files, self.trail)
            if served is not None:
                self.trail.add(home, cls.qualname)
                own = f"{home.module}:{cls.qualname}"
                wire, problem = _converted(self._schema(home, cls), arguments)
                return Provider(own, served.fullname, served.class_name, wire, problem)
        return None

    def _schema(self, home: ModuleIndex, cls: ClassSource) -> dict[Any, Any] | None:
        for field in cls.fields:
            if field.name == "schema" and field.value is not None:
                known = evaluate(field.value, home, cls.qualname, self.files, self.trail)
                if isinstance(known, Known) and isinstance(known.value, dict):
                    return known.value
        return None


def provider_names(module: str, files: SourceFiles) -> list[str]:
    """The names by which a module has type providers, imported ones included."""
    index = files.index(module)
    if index is None:
        return []
    providers = Providers(files, Trail())
    names = [*index.classes, *index.imports]
    return [name for name in names if providers.read(module, name) is not None]


def _served(expr: ast.expr) -> tuple[str, tuple[str, ...]]:
    """The name of the class in `TypeProvider[…]`, and those of its type arguments."""
    if isinstance(expr, ast.Constant):  # a class that comes later, in quotes
        try:
            expr = ast.parse(str(expr.value), mode="eval").body
        except SyntaxError:
            return "", ()
    if isinstance(expr, ast.Subscript):
        listed = expr.slice.elts if isinstance(expr.slice, ast.Tuple) else [expr.slice]
        return dotted_name(expr.value) or "", tuple(dotted_name(one) or "" for one in listed)
    return dotted_name(expr) or "", ()


def _converted(
    schema: dict[Any, Any] | None, arguments: Sequence[str]
) -> tuple[ir.Type | None, str | None]:
    """The type that a schema says, and what of it is lost."""
    if schema is None:
        return None, "is no literal, so any value is accepted"
    if _has_reference(schema):
        return None, "has a $ref, which is not followed, so any value is accepted"
    try:
        placed = marked(schema, arguments)
    except NoSuchArgument as error:
        return (
            None,
            f"has the placeholder {error}, which is no type argument of the class it serves",
        )
    found = convert(placed)
    if count(found.type) != count(placed):
        return None, "says more about a placeholder than one can, so any value is accepted"
    if found.unchecked:
        return found.type, f"is not enforced at {', '.join(found.unchecked)}"
    return found.type, None


def _has_reference(schema: object) -> bool:
    if isinstance(schema, dict):
        return "$ref" in schema or any(map(_has_reference, schema.values()))
    return isinstance(schema, list) and any(map(_has_reference, schema))
