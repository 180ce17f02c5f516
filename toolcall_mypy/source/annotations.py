"""An annotation → its metadata tree: what is said at every depth of a type.

Type aliases are followed into their own module and read there, with their type
arguments put in; classes are not entered. The rules that are not plain from the
grammar:

1. A description inside an alias documents that alias, not the use. It is given apart,
   as `alias`, because a docstring's entry for the parameter is nearer to the use.
2. Documentation of an alias is, nearest first: the string under its assignment, its
   `#:` comment, `Doc(...)` inside it, the documentation of the alias that it stands for.
3. None is no branch. A union that has one branch besides it is that branch, so metadata
   means the same inside and outside of `Optional[...]`.
4. An injection marker counts wherever in a union it stands.
5. A fact given twice: the last one in source order counts, and differing ones are a
   conflict. A description of the use over one of an alias is no conflict, see 1.
6. Recursion ends where an alias is met inside itself.
"""

from __future__ import annotations

import ast
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, cast

from toolcall_mypy.records import record, replace
from toolcall_mypy.source.aliases import Names, Place
from toolcall_mypy.source.expressions import keyword_of, operands, parsed, type_arguments
from toolcall_mypy.source.index import AssignmentSource, ModuleIndex
from toolcall_mypy.source.items import Items
from toolcall_mypy.source.metadata import NOTHING, AliasDoc, At, Metadata
from toolcall_mypy.source.plain_types import nullable, plain_type
from toolcall_mypy.source.prose import prose
from toolcall_mypy.source.resolve import Definition, Trail
from toolcall_mypy.source.statements import Statements
from toolcall_mypy.source.unions import TRANSPARENT, Flattening
from toolcall_mypy.source.vocabulary import (
    FIELD_CALLS,
    FROM_TEXT,
    NAMED_TYPES,
    TYPE_CALLS,
    common_name,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from toolcall_mypy.source.files import SourceFiles
    from toolcall_mypy.source.metadata import Slot


def read(
    expr: ast.expr, index: ModuleIndex, scope: str, files: SourceFiles, trail: Trail | None = None
) -> Metadata:
    """The metadata of an annotation as seen from a scope of a module."""
    if isinstance(expr, ast.Name) and expr.id in _SCALARS and expr.id not in index.bound_names:
        return NOTHING
    names = Names(files, trail if trail is not None else Trail())
    return _Reader(names).type(expr, Place(index, scope))


def read_value(
    expr: ast.expr, index: ModuleIndex, scope: str, files: SourceFiles, trail: Trail | None = None
) -> Metadata | None:
    """What the value of a field says beside being its default.

    Reads `pydantic.Field(...)`, `dataclasses.field(...)`, `attrs.field(...)` and
    `msgspec.field(...)`; None for any other expression.
    """
    if not isinstance(expr, ast.Call):
        return None
    names = Names(files, trail if trail is not None else Trail())
    row = FIELD_CALLS.get(names.fullname(expr.func, Place(index, scope)) or "")
    if row is None:
        return None
    said = Statements()
    said.call(expr, row, index, scope, files, names.trail)
    return said.metadata({})


@record
class _Branch:
    metadata: Metadata
    is_literal: bool = False


_SCALARS = frozenset({"bool", "bytes", "dict", "float", "int", "list", "object", "str"})
"""Most annotations are one of these builtins, which say nothing by themselves."""

_TYPE_MODULES = frozenset(
    {"builtins", "collections", "collections.abc", "typing", "typing_extensions", "dataclasses"}
)
_OF_ITEMS = frozenset(
    {"list", "List", "set", "Set", "frozenset", "FrozenSet", "deque", "Deque", "Sequence"}
    | {"MutableSequence", "Iterable", "Iterator", "Collection", "AbstractSet", "MutableSet"}
    | {"Reversible", "Container"}
)
_OF_KEYS_AND_VALUES = frozenset(
    {"dict", "Dict", "Mapping", "MutableMapping", "defaultdict", "DefaultDict", "OrderedDict"}
    | {"ChainMap"}
)


class _Reader:
    """Reads one annotation. It remembers the aliases it is inside of, and those it has read."""

    def __init__(self, names: Names) -> None:
        self.names = names
        self.items = Items(names)
        self.flattening = Flattening(names)
        self.open: list[tuple[str, str]] = []
        self.cuts = 0
        self.done: dict[tuple[str, str], Metadata] = {}

    def type(self, expr: ast.expr, place: Place) -> Metadata:
        """What is said of the type that stands here."""
        match expr:
            case ast.Constant(value=str()):
                quoted = parsed(expr, place.index)
                return self.type(quoted, place) if quoted is not None else NOTHING
            case ast.Name() | ast.Attribute():
                return self.named(expr, (), place)
            case ast.Subscript(value=head, slice=inner):
                return self.subscript(head, type_arguments(inner), place)
            case ast.BinOp(op=ast.BitOr()):
                return self.union(operands(expr), place)
            case ast.Call():
                return self.type_call(expr, place)
            case ast.Starred(value=value):
                return self.type(value, place)
        return NOTHING

    def named(self, expr: ast.expr, arguments: Sequence[ast.expr], place: Place) -> Metadata:
        """A name in a type: a type parameter, an alias, or a type known by its name."""
        if isinstance(expr, ast.Name) and expr.id in place.bound:
            argument, its_place = place.bound[expr.id]
            return self.type(argument, its_place)
        meant = self.names.meaning(expr, place)
        match meant:
            case Definition(index=ModuleIndex() as home, node=AssignmentSource() as node):
                return self.alias(home, node, arguments, place)
            case Definition(node=None):
                return self.known(common_name(meant.fullname))
        return NOTHING

    def known(self, fullname: str) -> Metadata:
        if fullname == "toolcall.Context":
            return Metadata(inject="context")
        if fullname in FROM_TEXT:
            return Metadata(from_text=True)
        bound = NAMED_TYPES.get(fullname)
        return Metadata(constraints=(bound,)) if bound is not None else NOTHING

    def subscript(self, head: ast.expr, arguments: Sequence[ast.expr], place: Place) -> Metadata:
        fullname = self.names.fullname(head, place) or ""
        module, _, name = fullname.rpartition(".")
        if module == "annotated_types" and arguments:
            return self.predicate(head, arguments[0], place)
        if module not in _TYPE_MODULES:
            return self.named(head, arguments, place)
        if name == "Annotated" and arguments:
            return self.annotated(arguments[0], arguments[1:], place)
        if name == "Optional":
            return self.union([*arguments, ast.Constant(None)], place)
        if name == "Union":
            return self.union(arguments, place)
        if name in TRANSPARENT and arguments:
            return self.type(arguments[0], place)
        return self.parts(self.slots(name, arguments, place), place)

    def slots(
        self, name: str, arguments: Sequence[ast.expr], place: Place
    ) -> Iterator[tuple[Slot, ast.expr]]:
        """The parts of a container and where they stand in it."""
        if name in _OF_ITEMS and arguments:
            yield "items", arguments[0]
        elif name in _OF_KEYS_AND_VALUES and len(arguments) == 2:
            yield "key", arguments[0]
            yield "value", arguments[1]
        elif name in {"tuple", "Tuple"}:
            yield from self.positions(arguments, place)

    def positions(
        self, arguments: Sequence[ast.expr], place: Place
    ) -> Iterator[tuple[Slot, ast.expr]]:
        match arguments:
            case [one, ast.Constant(value=value)] if value is Ellipsis:
                yield "items", one
                return
        number = 0
        for argument in arguments:
            rest = self.unpacked(argument, place)
            if rest is None:
                yield ("prefix", number), argument
                number += 1
            elif number == 0 and len(arguments) == 1:
                yield "items", rest
            else:
                yield "rest", rest

    def unpacked(self, expr: ast.expr, place: Place) -> ast.expr | None:
        """The B of `*tuple[B, ...]` and `Unpack[tuple[B, ...]]`."""
        match expr:
            case ast.Starred(value=inner):
                pass
            case ast.Subscript(value=head, slice=inner) if (
                self.names.fullname(head, place) or ""
            ).endswith(".Unpack"):
                pass
            case _:
                return None
        match inner:
            case ast.Subscript(slice=ast.Tuple(elts=[one, ast.Constant(value=value)])) if (
                value is Ellipsis
            ):
                return one
        return None

    def parts(self, slots: Iterator[tuple[Slot, ast.expr]], place: Place) -> Metadata:
        children = {slot: self.type(expr, place) for slot, expr in slots}
        said = {slot: child for slot, child in children.items() if child != NOTHING}
        return Metadata(children=MappingProxyType(said)) if said else NOTHING

    def annotated(self, expr: ast.expr, items: Sequence[ast.expr], place: Place) -> Metadata:
        inner = self.type(expr, place)
        said = Statements.of(inner)
        for item in items:
            self.items.read(item, said, place, frozenset())
        return said.metadata(inner.children)

    def predicate(self, head: ast.expr, expr: ast.expr, place: Place) -> Metadata:
        """`annotated_types.LowerCase[str]`: a test that only Python code can make."""
        inner = self.type(expr, place)
        said = Statements.of(inner)
        said.cannot_read(head, place.index, "a predicate cannot be said in a schema")
        return said.metadata(inner.children)

    def type_call(self, call: ast.Call, place: Place) -> Metadata:
        """`conint(gt=0)` and its kind."""
        fullname = self.names.fullname(call.func, place) or ""
        row = TYPE_CALLS.get(fullname)
        if row is None:
            return NOTHING
        said = Statements()
        said.call(call, row, place.index, place.scope, self.names.files, self.names.trail)
        said.facts["type"] = row.type
        item = next(iter(call.args), None) or keyword_of(call, "item_type")
        if "item_type" not in row.silent or item is None:
            return said.metadata({})
        parts = self.parts(iter([("items", item)]), place).children
        items = plain_type(item, place, self.names)
        if items is not None:
            said.facts["type"] = {**cast("Any", row.type), "items": items}
        elif "items" not in parts or parts["items"].type is None:
            said.cannot_read(item, place.index, "only builtins are read here, not classes")
        return said.metadata(parts)

    def union(self, members: Sequence[ast.expr], place: Place) -> Metadata:
        present = [one for one in members if not self.flattening.is_none(one, place)]
        if len(present) == 1:
            only = self.type(present[0], place)
            if only.type is None or len(members) == 1:
                return only
            return replace(only, type=nullable(only.type))
        branches = _with_one_literal(
            [branch for one in present for branch in self.branches(one, place)]
        )
        if len(branches) == 1:
            return branches[0].metadata
        said: dict[Slot, Metadata] = {
            ("branch", number): branch.metadata
            for number, branch in enumerate(branches)
            if branch.metadata != NOTHING
        }
        return _union_of(said) if said else NOTHING

    def branches(self, expr: ast.expr, place: Place) -> list[_Branch]:
        """An operand as the branches it gives to the union around it."""
        if self.flattening.is_none(expr, place):
            return []
        kinds = self.flattening.kinds(expr, place)
        metadata = self.type(expr, place)
        if len(kinds) == 1:
            return [_Branch(metadata, is_literal=kinds[0])]
        outer = replace(metadata, alias=None, children=NOTHING.children)
        return [
            _Branch(_spread(outer, metadata.children.get(("branch", number), NOTHING)), literal)
            for number, literal in enumerate(kinds)
        ]

    def alias(
        self,
        home: ModuleIndex,
        node: AssignmentSource,
        arguments: Sequence[ast.expr],
        place: Place,
    ) -> Metadata:
        key = (home.module, node.qualname)
        if key in self.open:
            self.cuts += 1
            return NOTHING
        if not arguments and key in self.done:
            return self.done[key]
        body = self.names.body(home, node, arguments, place)
        if body is None:
            return NOTHING
        cuts = self.cuts
        self.open.append(key)
        inner = self.type(body.expr, body.place)
        self.open.pop()
        found = replace(
            inner,
            description=None,
            described_at=None,
            alias=_own_documentation(home, node, inner) or inner.alias,
        )
        # What was cut short by recursion may say more where it is met elsewhere.
        if not arguments and self.cuts == cuts:
            self.done[key] = found
        return found


def _own_documentation(
    home: ModuleIndex, node: AssignmentSource, inner: Metadata
) -> AliasDoc | None:
    if node.doc is not None:
        at = At(home.module, home.path, node.doc.line, node.col)
        return AliasDoc(prose(node.doc.text), node.qualname, at)
    if inner.description is not None and inner.described_at is not None:
        return AliasDoc(inner.description, node.qualname, inner.described_at)
    return None


def _with_one_literal(branches: list[_Branch]) -> list[_Branch]:
    """All `Literal[...]` of a union are one branch, at the place of the first."""
    found: list[_Branch] = []
    first: int | None = None
    for branch in branches:
        if not branch.is_literal:
            found.append(branch)
        elif first is None:
            first = len(found)
            found.append(branch)
        elif found[first].metadata == NOTHING:
            found[first] = branch
    return found


def _union_of(said: Mapping[Slot, Metadata]) -> Metadata:
    """A union's node. An injection marker on a branch is one of the whole."""
    injected = next((child.inject for child in said.values() if child.inject is not None), None)
    return Metadata(inject=injected, children=MappingProxyType(dict(said)))


def _spread(outer: Metadata, branch: Metadata) -> Metadata:
    """What was said of a whole union, said of one of its branches."""
    if outer == NOTHING:
        return branch
    said = Statements.of(outer)
    said.add(branch)
    return said.metadata(branch.children, branch.alias)
