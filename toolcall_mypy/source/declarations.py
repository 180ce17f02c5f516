"""The records of what a file declares, and the tables that hold them.

A table only notes places while the file is walked; a record is built when it is asked
for, because of a module of forty functions usually two or three are wanted.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import TYPE_CHECKING, Generic, Literal, NamedTuple, TypeVar, Union

from toolcall_mypy.records import record

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import TypeAlias

T = TypeVar("T")

ParameterKind: TypeAlias = Literal[
    "positional_only", "positional_or_keyword", "keyword_only", "var_positional", "var_keyword"
]


@record
class Text:
    """A documentation text and the line of the file where its first character stands."""

    text: str
    line: int


@record
class ParameterSource:
    """One parameter as written. `line` counts from 1, `col` from 0, in characters.

    `doc` is the `#:` comment beside it or above it.
    """

    name: str
    kind: ParameterKind
    annotation: ast.expr | None
    default: ast.expr | None
    line: int
    col: int
    doc: Text | None = None


@record
class FunctionSource:
    """A function. `line` is that of its first decorator, `def_line` that of its `def`.

    `scope` is where its annotations and defaults are looked up; `inner` is the scope of
    its body.
    """

    name: str
    qualname: str
    scope: str
    line: int
    def_line: int
    col: int
    is_async: bool
    parameters: tuple[ParameterSource, ...]
    returns: ast.expr | None
    decorators: tuple[ast.expr, ...]
    docstring: Text | None
    body: tuple[ast.stmt, ...]
    type_params: tuple[str, ...] = ()

    @property
    def inner(self) -> str:
        return f"{self.qualname}.<locals>"

    @property
    def is_overload(self) -> bool:
        return any(_last_name(decorator) == "overload" for decorator in self.decorators)


@record
class FieldSource:
    """An assignment in a class body. `doc` is the string beneath it or its `#:` comment."""

    name: str
    annotation: ast.expr | None
    value: ast.expr | None
    doc: Text | None
    line: int
    col: int


@record
class ClassSource:
    """A class. `qualname` is also the scope of its fields."""

    name: str
    qualname: str
    scope: str
    line: int
    def_line: int
    bases: tuple[ast.expr, ...]
    keywords: tuple[ast.keyword, ...]
    decorators: tuple[ast.expr, ...]
    docstring: Text | None
    fields: tuple[FieldSource, ...]
    body: tuple[ast.stmt, ...]
    type_params: tuple[str, ...] = ()


@record
class AssignmentSource:
    """A name that is given a value: constant, alias, `type X = …`, NewType, TypeVar."""

    name: str
    qualname: str
    scope: str
    value: ast.expr | None
    annotation: ast.expr | None
    doc: Text | None
    line: int
    col: int
    is_type_statement: bool = False
    type_params: tuple[str, ...] = ()


Declaration: TypeAlias = Union[FunctionSource, ClassSource, AssignmentSource]


class ImportSource(NamedTuple):
    """What an import binds: a module (`name` is None) or a name in a module."""

    module: str
    name: str | None
    line: int


class Declared(Mapping[str, T], Generic[T]):
    """Declarations by qualified name, built on demand. Indexing gives the last one."""

    __slots__ = ("_build", "_built", "_by_line", "_places")

    def __init__(self, build: Callable[[Place], T]) -> None:
        self._places: dict[str, list[Place]] = {}
        self._build = build
        self._built: dict[str, tuple[T, ...]] = {}
        self._by_line: dict[int, tuple[str, int]] = {}

    def clear(self) -> None:
        """Forget everything."""
        self._places.clear()
        self._by_line.clear()
        self._built.clear()

    def note(self, place: Place) -> None:
        places = self._places.setdefault(place.qualname, [])
        at = (place.qualname, len(places))
        self._by_line[first_line(place.node)] = self._by_line[place.node.lineno] = at
        places.append(place)

    def all(self, qualname: str) -> tuple[T, ...]:
        """Every declaration of this name, in source order."""
        built = self._built.get(qualname)
        if built is None:
            built = tuple(map(self._build, self._places.get(qualname, ())))
            self._built[qualname] = built
        return built

    def count(self, qualname: str) -> int:
        return len(self._places.get(qualname, ()))

    def statements(self) -> Iterator[ast.stmt]:
        """The statements of all declarations."""
        return (place.node for places in self._places.values() for place in places)

    def on(self, line: int) -> T | None:
        """The declaration whose statement or first decorator stands on this line."""
        at = self._by_line.get(line)
        return None if at is None else self.all(at[0])[at[1]]

    def at(self, qualname: str, line: int) -> T | None:
        """The declaration that covers this line, else the last one of this name."""
        places = self._places.get(qualname, ())
        for number, place in enumerate(places):
            if first_line(place.node) <= line <= (place.node.end_lineno or line):
                return self.all(qualname)[number]
        return self.all(qualname)[-1] if places else None

    def __getitem__(self, qualname: str) -> T:
        if qualname not in self._places:
            raise KeyError(qualname)
        return self.all(qualname)[-1]

    def __contains__(self, qualname: object) -> bool:
        return qualname in self._places

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)


class Place(NamedTuple):
    """Where a declaration stands: enough to build its record later.

    `under` is the statement after it when that is a bare string, `above` the last line
    that belongs to the statement before it.
    """

    qualname: str
    scope: str
    node: ast.stmt
    value: ast.expr | None = None
    under: ast.Constant | None = None
    above: int = 0


def first_line(node: ast.stmt) -> int:
    """The line of the first decorator, else of the statement itself."""
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    return decorators[0].lineno if decorators else node.lineno


def _last_name(expr: ast.expr) -> str | None:
    match expr:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case ast.Call(func=func):
            return _last_name(func)
    return None
