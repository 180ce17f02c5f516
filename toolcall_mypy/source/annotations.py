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
import re
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import TYPE_CHECKING

from toolcall_mypy.source.docstrings import prose
from toolcall_mypy.source.index import AssignmentSource, ClassSource, ModuleIndex
from toolcall_mypy.source.metadata import NOTHING, AliasDoc, At, Metadata
from toolcall_mypy.source.resolve import Definition, Trail, dotted_name, resolve
from toolcall_mypy.source.statements import Statements
from toolcall_mypy.source.vocabulary import (
    FIELD_CALLS,
    METADATA,
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
    reader = _Reader(files, trail if trail is not None else Trail())
    return reader.type(expr, _Place(index, scope))


def read_value(
    expr: ast.expr, index: ModuleIndex, scope: str, files: SourceFiles, trail: Trail | None = None
) -> Metadata | None:
    """What the value of a field says beside being its default.

    Reads `pydantic.Field(...)`, `dataclasses.field(...)`, `attrs.field(...)` and
    `msgspec.field(...)`; None for any other expression.
    """
    reader = _Reader(files, trail if trail is not None else Trail())
    place = _Place(index, scope)
    if not isinstance(expr, ast.Call):
        return None
    row = FIELD_CALLS.get(reader.fullname(expr.func, place) or "")
    if row is None:
        return None
    said = Statements()
    said.call(expr, row, index, scope, files, reader.trail)
    return said.metadata({})


@dataclass(frozen=True, slots=True)
class _Place:
    """Where an expression is read, and what the type parameters there stand for."""

    index: ModuleIndex
    scope: str
    bound: Mapping[str, tuple[ast.expr, _Place]] = field(
        default_factory=lambda: MappingProxyType({})
    )

    def at(self, expr: ast.expr) -> At:
        col = self.index.column(expr.lineno, expr.col_offset)
        return At(self.index.module, self.index.path, expr.lineno, col)


@dataclass(frozen=True, slots=True)
class _Branch:
    metadata: Metadata
    is_literal: bool = False


_TYPE_MODULES = frozenset(
    {"builtins", "collections", "collections.abc", "typing", "typing_extensions", "dataclasses"}
)
_OF_ITEMS = frozenset(
    ["list", "List", "set", "Set", "frozenset", "FrozenSet", "deque", "Deque", "Sequence", "MutableSequence", "Iterable", "Iterator", "Collection", "AbstractSet", "MutableSet", "Reversible", "Container"]
)
_OF_KEYS_AND_VALUES = frozenset(
    ["dict", "Dict", "Mapping", "MutableMapping", "defaultdict", "DefaultDict", "OrderedDict", "ChainMap"]
)
_TRANSPARENT = frozenset(["Required", "NotRequired", "ReadOnly", "Final", "ClassVar", "InitVar", "Unpack"])
_MOST_BRANCHES = 1000
"""Aliases of unions of aliases grow exponentially; nobody describes the thousandth branch."""

_PREFIX = re.compile(r"[A-Za-z]*(\"\"\"|'''|\"|')")


class _Reader:
    """Reads one annotation. It remembers the aliases it is inside of, and those it has read."""

    def __init__(self, files: SourceFiles, trail: Trail) -> None:
        self.files = files
        self.trail = trail
        self.open: list[tuple[str, str]] = []
        self.cuts = 0
        self.done: dict[tuple[str, str], Metadata] = {}
        self.counted: dict[tuple[str, str], list[bool]] = {}

    def type(self, expr: ast.expr, place: _Place) -> Metadata:
        """What is said of the type that stands here."""
        match expr:
            case ast.Constant(value=str()):
                parsed = _parsed(expr, place.index)
                return self.type(parsed, place) if parsed is not None else NOTHING
            case ast.Name() | ast.Attribute():
                return self.named(expr, (), place)
            case ast.Subscript(value=head, slice=inner):
                return self.subscript(head, _arguments(inner), place)
            case ast.BinOp(op=ast.BitOr()):
                return self.union(_operands(expr), place)
            case ast.Call():
                return self.type_call(expr, place)
            case ast.Starred(value=value):
                return self.type(value, place)
        return NOTHING

    def meaning(self, expr: ast.expr, place: _Place) -> Definition | None:
        dotted = dotted_name(expr)
        if dotted is None:
            return None
        return resolve(dotted, place.index, place.scope, self.files, self.trail)

    def fullname(self, expr: ast.expr, place: _Place) -> str | None:
        meant = self.meaning(expr, place)
        return common_name(meant.fullname) if meant is not None else None

    def named(self, expr: ast.expr, arguments: Sequence[ast.expr], place: _Place) -> Metadata:
        """A name in a type: a type parameter, an alias, or a type known by its name."""
        if isinstance(expr, ast.Name) and expr.id in place.bound:
            argument, its_place = place.bound[expr.id]
            return self.type(argument, its_place)
        meant = self.meaning(expr, place)
        match meant:
            case Definition(index=ModuleIndex() as home, node=AssignmentSource() as node):
                return self.alias(home, node, arguments, place)
            case Definition(node=None):
                return self.known(common_name(meant.fullname))
        return NOTHING

    def known(self, fullname: str) -> Metadata:
        if fullname == "toolcall.Context":
            return Metadata(inject="context")
        bound = NAMED_TYPES.get(fullname)
        return Metadata(constraints=(bound,)) if bound is not None else NOTHING

    def subscript(self, head: ast.expr, arguments: Sequence[ast.expr], place: _Place) -> Metadata:
        fullname = self.fullname(head, place) or ""
        module, _, name = fullname.rpartition(".")
        if module == "annotated_types" and arguments:
            return self.predicate(head, arguments[0], place)
        if module not in _TYPE_MODULES:
            return self.named(head, arguments, place)
        if name == "Annotated" and arguments:
            return self.annotated(arguments[0], arguments[1:], place)
        if name == "Optional":
            return self.union(arguments, place)
        if name == "Union":
            return self.union(arguments, place)
        if name in _TRANSPARENT and arguments:
            return self.type(arguments[0], place)
        return self.parts(self.slots(name, arguments, place), place)

    def slots(
        self, name: str, arguments: Sequence[ast.expr], place: _Place
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
        self, arguments: Sequence[ast.expr], place: _Place
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

    def unpacked(self, expr: ast.expr, place: _Place) -> ast.expr | None:
        """The B of `*tuple[B, ...]` and `Unpack[tuple[B, ...]]`."""
        match expr:
            case ast.Starred(value=inner):
                pass
            case ast.Subscript(value=head, slice=inner) if (
                self.fullname(head, place) or ""
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

    def parts(self, slots: Iterator[tuple[Slot, ast.expr]], place: _Place) -> Metadata:
        children = {slot: self.type(expr, place) for slot, expr in slots}
        said = {slot: child for slot, child in children.items() if child != NOTHING}
        return Metadata(children=MappingProxyType(said)) if said else NOTHING

    def annotated(self, expr: ast.expr, items: Sequence[ast.expr], place: _Place) -> Metadata:
        inner = self.type(expr, place)
        said = Statements.of(inner)
        for item in items:
            self.item(item, said, place, frozenset())
        return said.metadata(inner.children)

    def predicate(self, head: ast.expr, expr: ast.expr, place: _Place) -> Metadata:
        """`annotated_types.LowerCase[str]`: a test that only Python code can make."""
        inner = self.type(expr, place)
        said = Statements.of(inner)
        said.cannot_read(head, place.index, "a predicate cannot be said in a schema")
        return said.metadata(inner.children)

    # Metadata items

    def item(
        self,
        expr: ast.expr,
        said: Statements,
        place: _Place,
        inside: frozenset[tuple[str, str]],
    ) -> None:
        """One metadata item; `inside` are the constants that led here."""
        index = place.index
        match expr:
            case ast.Constant(value=str() as text):
                said.describe(prose(text), place.at(expr))
            case ast.Constant():
                pass
            case ast.Name() | ast.Attribute():
                self.named_item(expr, said, place, inside)
            case ast.Call():
                self.called_item(expr, said, place)
            case ast.BinOp():
                said.description(expr, index, place.scope, self.files, self.trail)
            case _:
                said.cannot_read(expr, index, "not a literal")

    def named_item(
        self,
        expr: ast.expr,
        said: Statements,
        place: _Place,
        inside: frozenset[tuple[str, str]],
    ) -> None:
        meant = self.meaning(expr, place)
        match meant:
            case Definition(index=ModuleIndex() as home, node=AssignmentSource() as node):
                key = (home.module, node.qualname)
                if node.value is None or key in inside:
                    said.cannot_read(expr, place.index, "has no value that can be read")
                    return
                # Faults are told where the use is: the constant may be somebody else's.
                its = Statements()
                self.item(node.value, its, _Place(home, node.scope), inside | {key})
                said.adopt(its, expr, place.index)
            case Definition(index=ModuleIndex() as home, node=ClassSource() as node) if (
                self.is_provider(home, node)
            ):
                said.say("provider", meant.class_name, place.at(expr))
            case Definition() if meant.fullname == "toolcall.Inject":
                said.say("inject", "value", place.at(expr))
            case Definition():
                said.cannot_read(expr, place.index, f"{meant.fullname} is not known")
            case None:
                said.cannot_read(expr, place.index, "is not found")

    def called_item(self, call: ast.Call, said: Statements, place: _Place) -> None:
        meant = self.meaning(call.func, place)
        fullname = common_name(meant.fullname) if meant is not None else ""
        row = METADATA.get(fullname)
        match meant:
            case _ if row is not None:
                said.call(call, row, place.index, place.scope, self.files, self.trail)
            case Definition(index=ModuleIndex() as home, node=ClassSource() as node) if (
                self.is_provider(home, node)
            ):
                said.say("provider", meant.class_name, place.at(call))
            case Definition() if fullname == "toolcall.Inject":
                said.say("inject", "value", place.at(call))
            case _:
                name = fullname or place.index.segment(call.func)
                said.cannot_read(call, place.index, f"{name} is not known")

    def is_provider(self, home: ModuleIndex, node: ClassSource) -> bool:
        for base in node.bases:
            head = base.value if isinstance(base, ast.Subscript) else base
            if self.fullname(head, _Place(home, node.scope)) == "toolcall.TypeProvider":
                return True
        return False

    def type_call(self, call: ast.Call, place: _Place) -> Metadata:
        """`conint(gt=0)` and its kind."""
        fullname = self.fullname(call.func, place) or ""
        row = TYPE_CALLS.get(fullname)
        if row is None:
            return NOTHING
        said = Statements()
        said.call(call, row, place.index, place.scope, self.files, self.trail)
        item = next(iter(call.args), None) or _keyword(call, "item_type")
        if "item_type" not in row.silent or item is None:
            return said.metadata({})
        return said.metadata(self.parts(iter([("items", item)]), place).children)

    # Unions

    def union(self, operands: Sequence[ast.expr], place: _Place) -> Metadata:
        present = [one for one in operands if not self.is_none(one, place)]
        if len(present) == 1:
            return self.type(present[0], place)
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

    def branches(self, expr: ast.expr, place: _Place) -> list[_Branch]:
        """An operand as the branches it gives to the union around it."""
        if self.is_none(expr, place):
            return []
        count = self.count(expr, place)
        metadata = self.type(expr, place)
        if count.total == 1:
            return [_Branch(metadata, bool(count.literals))]
        outer = replace(metadata, alias=None, children=NOTHING.children)
        return [
            _Branch(_spread(outer, metadata.children.get(("branch", number), NOTHING)), literal)
            for number, literal in enumerate(count.kinds)
        ]

    def count(self, expr: ast.expr, place: _Place) -> _Count:
        """How many branches an expression has, and which are literals."""
        return _Count(tuple(self.kinds(expr, place, ())))

    def kinds(
        self, expr: ast.expr, place: _Place, inside: tuple[tuple[str, str], ...]
    ) -> list[bool]:
        if self.is_none(expr, place):
            return []
        match expr:
            case ast.Constant(value=str()):
                parsed = _parsed(expr, place.index)
                return self.kinds(parsed, place, inside) if parsed is not None else [False]
            case ast.BinOp(op=ast.BitOr()):
                return self.merged_kinds(_operands(expr), place, inside)
            case ast.Subscript(value=head, slice=inner):
                name = (self.fullname(head, place) or "").rpartition(".")[2]
                arguments = _arguments(inner)
                if name in {"Union", "Optional"}:
                    return self.merged_kinds(arguments, place, inside)
                if name == "Annotated" or name in _TRANSPARENT:
                    return self.kinds(arguments[0], place, inside) if arguments else [False]
                if name == "Literal":
                    return [True]
                return self.named_kinds(head, arguments, place, inside)
            case ast.Name() | ast.Attribute():
                return self.named_kinds(expr, (), place, inside)
        return [False]

    def merged_kinds(
        self,
        operands: Sequence[ast.expr],
        place: _Place,
        inside: tuple[tuple[str, str], ...],
    ) -> list[bool]:
        found: list[bool] = []
        for operand in operands:
            for literal in self.kinds(operand, place, inside):
                if not (literal and True in found):
                    found.append(literal)
        return found[:_MOST_BRANCHES]

    def named_kinds(
        self,
        expr: ast.expr,
        arguments: Sequence[ast.expr],
        place: _Place,
        inside: tuple[tuple[str, str], ...],
    ) -> list[bool]:
        if isinstance(expr, ast.Name) and expr.id in place.bound:
            argument, its_place = place.bound[expr.id]
            return self.kinds(argument, its_place, inside)
        match self.meaning(expr, place):
            case Definition(index=ModuleIndex() as home, node=AssignmentSource() as node):
                key = (home.module, node.qualname)
                body = self.body(home, node, arguments, place)
                # A NewType is one type, whatever it is made of.
                if body is None or body.is_new or key in inside:
                    return [False]
                if arguments or key not in self.counted:
                    self.counted[key] = self.kinds(body.expr, body.place, (*inside, key))
                return self.counted[key]
        return [False]

    def is_none(self, expr: ast.expr, place: _Place) -> bool:
        match expr:
            case ast.Constant(value=None) | ast.Constant(value="None"):
                return True
            case ast.Subscript(value=head, slice=ast.Constant(value=None)):
                return (self.fullname(head, place) or "").endswith(".Literal")
            case ast.Name(id="NoneType") | ast.Attribute(attr="NoneType"):
                return self.fullname(expr, place) == "types.NoneType"
        return False

    # Aliases

    def alias(
        self,
        home: ModuleIndex,
        node: AssignmentSource,
        arguments: Sequence[ast.expr],
        place: _Place,
    ) -> Metadata:
        key = (home.module, node.qualname)
        if key in self.open:
            self.cuts += 1
            return NOTHING
        if not arguments and key in self.done:
            return self.done[key]
        body = self.body(home, node, arguments, place)
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

    def body(
        self,
        home: ModuleIndex,
        node: AssignmentSource,
        arguments: Sequence[ast.expr],
        place: _Place,
    ) -> _Body | None:
        """The type that an assignment stands for, None where it is no alias."""
        inside = _Place(home, node.scope)
        match node.value:
            case None:
                return None
            case ast.Constant(value=str()) as value:
                declared = _last(node.annotation) == "TypeAlias" or node.is_type_statement
                return _Body(value, inside) if declared else None
            case ast.Call() as call:
                return self.call_body(call, arguments, inside, place)
            case value:
                names = node.type_params if node.is_type_statement else ()
                if arguments and not names:
                    names = tuple(self.type_variables(value, inside))
                return _Body(value, _binding(inside, names, arguments, place))

    def call_body(
        self, call: ast.Call, arguments: Sequence[ast.expr], inside: _Place, place: _Place
    ) -> _Body | None:
        name = (self.fullname(call.func, inside) or "").rpartition(".")[2]
        match name, call.args:
            case "NewType", [_, value, *_]:
                return _Body(value, inside, is_new=True)
            case "TypeAliasType", [_, value, *_]:
                params = _keyword(call, "type_params")
                elements = params.elts if isinstance(params, ast.Tuple) else []
                names = [one.id for one in elements if isinstance(one, ast.Name)]
                return _Body(value, _binding(inside, names, arguments, place))
            case "TypeVar", [_]:
                bound = _keyword(call, "bound")
                return _Body(bound, inside) if bound is not None else None
            case "TypeVar", [_, first, *others]:
                either = first
                for other in others:
                    either = ast.copy_location(ast.BinOp(either, ast.BitOr(), other), first)
                return _Body(either, inside)
        return _Body(call, inside) if f"pydantic.{name}" in TYPE_CALLS else None

    def type_variables(self, expr: ast.expr, place: _Place) -> list[str]:
        """The type variables of an old-style alias, in order of appearance."""
        found: dict[str, None] = {}
        for node in _depth_first(expr):
            if not isinstance(node, ast.Name) or node.id in found:
                continue
            match self.meaning(node, place):
                case Definition(
                    index=ModuleIndex() as home,
                    node=AssignmentSource(value=ast.Call(func=func), scope=scope),
                ) if (self.fullname(func, _Place(home, scope)) or "").endswith(".TypeVar"):
                    found[node.id] = None
        return list(found)


@dataclass(frozen=True, slots=True)
class _Body:
    """The expression that an alias stands for, and where it is read."""

    expr: ast.expr
    place: _Place
    is_new: bool = False


@dataclass(frozen=True, slots=True)
class _Count:
    kinds: tuple[bool, ...]

    @property
    def total(self) -> int:
        return len(self.kinds)

    @property
    def literals(self) -> int:
        return sum(self.kinds)


def _binding(
    inside: _Place, names: Sequence[str], arguments: Sequence[ast.expr], place: _Place
) -> _Place:
    if not names or not arguments:
        return inside
    bound = {name: (argument, place) for name, argument in zip(names, arguments)}
    return replace(inside, bound=MappingProxyType(bound))


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


def _arguments(expr: ast.expr) -> list[ast.expr]:
    return expr.elts if isinstance(expr, ast.Tuple) else [expr]


def _operands(expr: ast.expr) -> list[ast.expr]:
    """`A | B | C` as [A, B, C]; a long one must not recurse."""
    found: list[ast.expr] = []
    while isinstance(expr, ast.BinOp) and isinstance(expr.op, ast.BitOr):
        found.append(expr.right)
        expr = expr.left
    return [expr, *reversed(found)]


def _keyword(call: ast.Call, name: str) -> ast.expr | None:
    return next((keyword.value for keyword in call.keywords if keyword.arg == name), None)


def _last(expr: ast.expr | None) -> str | None:
    dotted = dotted_name(expr)
    return dotted.rpartition(".")[2] if dotted is not None else None


def _depth_first(node: ast.AST) -> Iterator[ast.AST]:
    yield node
    for child in ast.iter_child_nodes(node):
        yield from _depth_first(child)


def _parsed(constant: ast.Constant, index: ModuleIndex) -> ast.expr | None:
    """A quoted annotation as an expression whose places are those in the file."""
    text = str(constant.value)
    try:
        # The parentheses let it run over several lines, as the checker allows.
        tree = ast.parse(f"({text})", mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    line = index.lines[constant.lineno - 1].encode() if constant.lineno <= len(index.lines) else b""
    opening = _PREFIX.match(line[constant.col_offset :].decode(errors="ignore"))
    before = constant.col_offset + (opening.end() if opening else 1) - 1
    for node in ast.walk(tree):
        if not isinstance(node, ast.expr):
            continue
        node.col_offset += before if node.lineno == 1 else 0
        node.end_col_offset = (node.end_col_offset or 0) + (before if node.end_lineno == 1 else 0)
        node.lineno += constant.lineno - 1
        node.end_lineno = (node.end_lineno or 1) + constant.lineno - 1
    return tree
