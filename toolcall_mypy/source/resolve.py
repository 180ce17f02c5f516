"""A dotted name → the statement that defines it, across modules.

It follows imports, re-exports, star imports and attribute access to the defining
statement. Names of the libraries whose meaning is known here by name alone
(`typing.Annotated`, `annotated_types.Ge`) are not opened: their full name is the answer.

A `Trail` records every module and top-level name that an answer depends on, because a
change of any of them may change the schema: they belong into its fingerprint.
"""

from __future__ import annotations

import ast
import builtins
import sys
from typing import TYPE_CHECKING

from toolcall_mypy.records import changing, field, record
from toolcall_mypy.source.index import AssignmentSource, ClassSource, FunctionSource, ModuleIndex

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolcall_mypy.source.files import SourceFiles
    from toolcall_mypy.source.index import Declaration, ImportSource


@changing
class Trail:
    """The modules and the top-level names in them that were read."""

    modules: dict[str, tuple[str, set[str]]] = field(default_factory=dict)

    def add(self, index: ModuleIndex, qualname: str) -> None:
        _, names = self.modules.setdefault(index.module, (index.path, set()))
        names.add(qualname.partition(".")[0])

    def join(self, other: Trail) -> None:
        """Add all that another one has."""
        for module, (path, names) in other.modules.items():
            self.modules.setdefault(module, (path, set()))[1].update(names)

    def parted(self) -> Trail:
        """All of it, which this one begins again without."""
        whole, self.modules = Trail(self.modules), {}
        return whole

    def __iter__(self) -> Iterator[tuple[str, str, tuple[str, ...]]]:
        """(module, path, names), sorted."""
        for module, (path, names) in sorted(self.modules.items()):
            yield module, path, tuple(sorted(names))


@record
class Definition:
    """What a name stands for.

    `node` is None for a module and for what is known by its full name alone; `index` is
    the module it stands in, where that was opened.
    """

    module: str
    qualname: str
    index: ModuleIndex | None = None
    node: Declaration | None = None

    @property
    def fullname(self) -> str:
        return f"{self.module}.{self.qualname}" if self.qualname else self.module

    @property
    def class_name(self) -> str:
        """As `module:qualname`."""
        return f"{self.module}:{self.qualname}"


_OPENED_BY_NAME_ALONE = frozenset(
    {
        "annotated_doc",
        "annotated_types",
        "attr",
        "attrs",
        "msgspec",
        "pydantic",
        "typing_extensions",
    }
)
_OWN_NAMES = frozenset({"Context", "Inject", "Param", "TypeProvider", "hidden", "tool", "use"})
_BUILTINS = frozenset(dir(builtins))


def resolve(
    name: str, index: ModuleIndex, scope: str, files: SourceFiles, trail: Trail | None = None
) -> Definition | None:
    """What a dotted name means in a scope of a module; None where that is unknown."""
    key = (index, scope, name)
    kept = files.resolved.get(key)
    if kept is None:
        steps = Trail()
        kept = files.resolved[key] = (_Search(files, steps).dotted(name, index, scope), steps)
    if trail is not None:
        trail.join(kept[1])
    return kept[0]


def stub_function(
    fullname: str, files: SourceFiles, trail: Trail | None = None
) -> tuple[FunctionSource, ModuleIndex] | None:
    """A function known from stubs alone (`statistics.fmean`), for its names and defaults.

    Also gives the module it stands in, in which its defaults are to be read. Of
    overloads the last one is given: typeshed puts the general one there.
    """
    parts = fullname.split(".")
    for size in range(len(parts) - 1, 0, -1):
        module = ".".join(parts[:size])
        if files.path(module) is None:
            continue
        search = _Search(files, trail if trail is not None else Trail(), by_name_alone=False)
        found: Definition | None = Definition(module, "")
        for attribute in parts[size:]:
            found = search.attribute(found, attribute) if found is not None else None
        match found:
            case Definition(index=ModuleIndex() as home, node=FunctionSource() as node):
                return node, home
        return None
    return None


def scopes(scope: str) -> Iterator[str]:
    """The scopes a name is looked up in, innermost first: a class is seen only from itself."""
    yield scope
    while scope:
        scope = scope.rpartition(".")[0]
        if not scope or scope.endswith("<locals>"):
            yield scope


class _Search:
    """One look-up. It remembers the names it is at, so that import cycles end."""

    def __init__(self, files: SourceFiles, trail: Trail, *, by_name_alone: bool = True) -> None:
        self.files = files
        self.trail = trail
        self.by_name_alone = by_name_alone
        self.open: set[tuple[str, str]] = set()

    def name(self, name: str, index: ModuleIndex, scope: str) -> Definition | None:
        for one in scopes(scope):
            found = self.bound(index, f"{one}.{name}" if one else name)
            if found is not None:
                return found
            for star_scope, module in index.stars:
                if star_scope == one and (found := self.through_star(module, name)) is not None:
                    self.trail.add(index, name)
                    return found
        return Definition("builtins", name) if name in _BUILTINS else None

    def bound(self, index: ModuleIndex, qualname: str) -> Definition | None:
        """What a qualified name is bound to in this very module."""
        if not index.binds(qualname) or (index.module, qualname) in self.open:
            return None
        self.trail.add(index, qualname)
        self.open.add((index.module, qualname))
        try:
            # `try: from m import X / except ImportError: X = …`: the import, if there is one.
            imported = index.imports.get(qualname)
            found = self.imported(imported) if imported is not None else None
            node = index.declaration(qualname)
            if node is not None and (found is None or not self.exists(found)):
                return Definition(index.module, qualname, index, node)
            return found
        finally:
            self.open.discard((index.module, qualname))

    def exists(self, found: Definition) -> bool:
        return found.node is not None or self.files.path(found.module) is not None

    def imported(self, source: ImportSource) -> Definition | None:
        if source.name is None:
            return Definition(source.module, "")
        return self.member(source.module, source.name)

    def member(self, module: str, name: str) -> Definition | None:
        """A name in a module, wherever that module has it from."""
        if self.by_name_alone and _known_by_name(module, name):
            return Definition("toolcall" if module.startswith("toolcall.") else module, name)
        index = self.files.index(module)
        if index is not None:
            found = self.bound(index, name)
            if found is None:
                stars = (origin for scope, origin in index.stars if not scope)
                found = next(filter(None, (self.through_star(o, name) for o in stars)), None)
                if found is not None:
                    self.trail.add(index, name)
            if found is not None:
                return found
        if self.files.path(f"{module}.{name}") is not None:
            return Definition(f"{module}.{name}", "")
        # Not found, but the full name may mean something to who asks.
        return Definition(module, name) if index is None else None

    def through_star(self, module: str, name: str) -> Definition | None:
        """A name as `from module import *` brings it."""
        if (module, "*" + name) in self.open:
            return None
        index = self.files.index(module)
        if index is None:
            return None
        exported = index.exported
        if name.startswith("_") if exported is None else name not in exported:
            return None
        self.open.add((module, "*" + name))
        try:
            found = self.member(module, name)
            if found is not None and exported is not None:
                self.trail.add(index, "__all__")
            return found
        finally:
            self.open.discard((module, "*" + name))

    def attribute(self, owner: Definition, name: str) -> Definition | None:
        match owner:
            case Definition(module=module, qualname=""):
                return self.member(module, name)
            case Definition(index=ModuleIndex() as index, node=ClassSource() as node):
                return self.class_attribute(index, node, name)
            case Definition(index=ModuleIndex() as index, node=AssignmentSource() as node):
                return self.through_assignment(index, node, name)
            case Definition(module=module, qualname=qualname, node=None):
                return Definition(module, f"{qualname}.{name}")
        return None

    def class_attribute(
        self, index: ModuleIndex, node: ClassSource, name: str
    ) -> Definition | None:
        found = self.bound(index, f"{node.qualname}.{name}")
        key = (index.module, f"{node.qualname}()")
        if found is not None or key in self.open:
            return found
        self.open.add(key)
        try:
            for base in node.bases:
                dotted = dotted_name(base.value if isinstance(base, ast.Subscript) else base)
                above = self.dotted(dotted, index, node.scope) if dotted else None
                if above is not None and above.node is not None:
                    found = self.attribute(above, name)
                    if found is not None:
                        return found
            return None
        finally:
            self.open.discard(key)

    def through_assignment(
        self, index: ModuleIndex, node: AssignmentSource, name: str
    ) -> Definition | None:
        """`Short = pkg.Long`, then `Short.MEMBER`."""
        dotted = dotted_name(node.value)
        key = (index.module, f"{node.qualname}=")
        if dotted is None or key in self.open:
            return None
        self.open.add(key)
        try:
            meant = self.dotted(dotted, index, node.scope)
            return self.attribute(meant, name) if meant is not None else None
        finally:
            self.open.discard(key)

    def dotted(self, name: str, index: ModuleIndex, scope: str) -> Definition | None:
        first, *rest = name.split(".")
        found = self.name(first, index, scope)
        for attribute in rest:
            found = self.attribute(found, attribute) if found is not None else None
        return found


def dotted_name(expr: ast.expr | None) -> str | None:
    """`a.b.c` as text, None for any other expression."""
    parts: list[str] = []
    while isinstance(expr, ast.Attribute):
        parts.append(expr.attr)
        expr = expr.value
    if not isinstance(expr, ast.Name):
        return None
    return ".".join([expr.id, *reversed(parts)])


def _known_by_name(module: str, name: str) -> bool:
    """Whether the full name says everything, so that no file need be opened.

    The standard library's public names are classes, functions and modules; its aliases
    are private (`_typeshed.StrPath`) and are opened.
    """
    top = module.partition(".")[0]
    if top == "toolcall":
        return name in _OWN_NAMES
    if top in sys.stdlib_module_names:
        return not (top.startswith("_typeshed") or name.startswith("_"))
    return top in _OPENED_BY_NAME_ALONE
