"""Parameters and results of everything callable."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    from derive_sample import Derived

STRING = {"kind": "string"}
INTEGER = {"kind": "integer"}
ANY = {"kind": "any"}

SOURCE = """
import contextlib, functools, asyncio, datetime
from dataclasses import dataclass, field
from toolcall._values import Context
P = te.ParamSpec("P")
R = TypeVar("R")
T = TypeVar("T")
B = TypeVar("B", bound=int)
C = TypeVar("C", int, str)

@mark
def kinds(
    a: int, b: str = "x", /, c: int = 1, *args: float, d: bool, e: int = 2, **kw: str
) -> None: ...
@mark
def old_style(__a: int, b: int) -> None: ...

class Paging(te.TypedDict, total=False):
    limit: int
    q: te.Required[str]
@mark
def unpacked(a: int, **kw: te.Unpack[Paging]) -> None: ...
@mark
def unpacked_args(*args: te.Unpack[Tuple[int, str]]) -> None: ...
@mark
def unpacked_many(*args: te.Unpack[Tuple[int, ...]]) -> None: ...

@mark
def untyped(a, b=1, *args, **kw): ...
@mark
def half(a, b: int, *, c=None) -> None: ...

class Methods:
    @mark
    def instance(self, a: int) -> te.Self: ...
    @classmethod
    @mark
    def of_class(cls, a: int) -> int: ...
    @staticmethod
    @mark
    def static(a: int) -> int: ...
    @mark
    def selfish(self, other: te.Self) -> None: ...
    @mark
    def positional(self, a: int, /) -> None: ...
    def plain(self, a: int, b: str = "") -> int: ...
    def __call__(self, z: int) -> int: ...
@dataclass
class Generic1(Generic[T]):
    x: T
    @mark
    def generic_self(self, other: T) -> None: ...

@mark
def variables(b: B, c: C, t: T, s: AnyStr, l: List[B]) -> None: ...

def preserving(f: Callable[P, R]) -> Callable[P, R]: ...
def to_async(f: Callable[P, R]) -> Callable[P, Awaitable[R]]: ...
def opaque(f: Callable[..., R]) -> Callable[..., R]: ...
def untyped_decorator(f): ...
def nameless(f: Callable[[int, str], R]) -> Callable[[int, str], R]: ...
def gives_first(f: Callable[[int, str], R]) -> Callable[[str], R]: ...
def concatenated(f: Callable[te.Concatenate[int, P], R]) -> Callable[P, R]: ...
def gives_nothing(f: Callable[..., R]) -> int: ...

@mark
@preserving
def through_preserving(a: int, *, b: str = "") -> int: ...
@mark
@to_async
def through_async(a: int) -> int: ...
@mark
@opaque
def through_opaque(a: int, *, b: str = "") -> int: ...
@mark
@untyped_decorator
def through_untyped(a: int) -> int: ...
@mark
@untyped_decorator
def through_untyped_untyped(a, b=1, /, *args, c): ...
@mark
@nameless
def through_nameless(a: int, b: str) -> int: ...
@mark
@gives_first
def through_gives_first(session: int, b: str) -> int: ...
@mark
@concatenated
def through_concatenated(session: int, b: str) -> int: ...
@mark
@functools.lru_cache(maxsize=None)
def through_cache(a: int) -> int: ...

@mark
def contextual(a: int, ctx: Context[int], b: Optional[Context[str]] = None, *, c: str) -> None: ...
@mark
def listed_context(a: List[Context[int]]) -> None: ...
@mark
def generic_args(*args: P.args, **kwargs: P.kwargs) -> None: ...  # type: ignore

partial = mark(functools.partial(Methods.static, a=1))
bound = mark(Methods().plain)
called = mark(Methods())
made = mark(Generic1[int])
mark(len)
mark(3)

@overload
def overloaded(a: int) -> int: ...
@overload
def overloaded(a: str) -> str: ...
@mark
def overloaded(a: Any) -> Any: ...
"""

SOURCE = SOURCE.replace(
    """@mark
def overloaded(a: Any) -> Any: ...
""",
    """def overloaded(a: Union[int, str]) -> Union[int, str]: ...
mark(overloaded)
""",
)


@pytest.fixture(scope="module")
def signed(derive: Callable[..., Derived]) -> Derived:
    return derive(SOURCE)


def shape(derived: Derived, name: str) -> list[tuple[Any, ...]]:
    return [
        (
            each.name,
            each.kind,
            each.type if set(each.type) > {"kind"} else each.type["kind"],
            each.required,
        )
        for each in derived.signatures[name].parameters
    ]


def line(text: str) -> str:
    from derive_sample import PRELUDE

    lines = (PRELUDE + SOURCE).splitlines()
    return f"line {lines.index(text) + 1}"


def array(items: Any, **more: Any) -> dict[str, Any]:
    return {"kind": "array", "items": items, "cls": "tuple", **more}


ONE = [("a", "positional_or_keyword", "integer", True)]
POSITIONAL = "positional_only"
PLAIN = "positional_or_keyword"
NAMED = "keyword_only"

SHAPES: dict[str, list[tuple[Any, ...]]] = {
    "kinds": [
        ("a", POSITIONAL, "integer", True),
        ("b", POSITIONAL, "string", False),
        ("c", PLAIN, "integer", False),
        ("args", "var_positional", array({"kind": "number"}), False),
        ("d", NAMED, "boolean", True),
        ("e", NAMED, "integer", False),
        ("kw", "var_keyword", "string", False),
    ],
    "old_style": [("__a", POSITIONAL, "integer", True), ("b", PLAIN, "integer", True)],
    "unpacked": [*ONE, ("limit", NAMED, "integer", False), ("q", NAMED, "string", True)],
    "unpacked_args": [
        (
            "args",
            "var_positional",
            array({"kind": "union", "branches": [INTEGER, STRING]}, min_items=2, max_items=2),
            False,
        )
    ],
    "unpacked_many": [("args", "var_positional", array(INTEGER), False)],
    "untyped": [
        ("a", PLAIN, "any", True),
        ("b", PLAIN, "any", False),
        ("args", "var_positional", array(ANY), False),
        ("kw", "var_keyword", "any", False),
    ],
    "half": [("a", PLAIN, "any", True), ("b", PLAIN, "integer", True), ("c", NAMED, "any", False)],
    "instance": ONE,
    "of_class": ONE,
    "static": ONE,
    "selfish": [("other", PLAIN, "any", True)],
    "positional": [("a", POSITIONAL, "integer", True)],
    "through_preserving": [*ONE, ("b", NAMED, "string", False)],
    "through_async": ONE,
    "through_opaque": [*ONE, ("b", NAMED, "string", False)],
    "through_untyped": ONE,
    "through_untyped_untyped": [
        ("a", POSITIONAL, "any", True),
        ("b", POSITIONAL, "any", False),
        ("args", "var_positional", array(ANY), False),
        ("c", NAMED, "any", True),
    ],
    "through_nameless": [("a", POSITIONAL, "integer", True), ("b", POSITIONAL, "string", True)],
    "through_concatenated": [("b", PLAIN, "string", True)],
    "through_cache": ONE,
    line("partial = mark(functools.partial(Methods.static, a=1))"): [
        ("a", NAMED, "integer", False)
    ],
    line("bound = mark(Methods().plain)"): [*ONE, ("b", PLAIN, "string", False)],
    line("called = mark(Methods())"): [("z", PLAIN, "integer", True)],
    line("made = mark(Generic1[int])"): [("x", PLAIN, "integer", True)],
    line("mark(overloaded)"): [("a", PLAIN, "integer", True)],
}


@pytest.mark.parametrize("name", SHAPES)
def test_parameters(signed: Derived, name: str) -> None:
    """Name, kind, type and required of each."""
    assert shape(signed, name) == SHAPES[name]
    assert signed.signatures[name].lost is None


@pytest.mark.parametrize("name", ["through_gives_first", line("mark(3)")])
def test_unusable_parameters_say_why(signed: Derived, name: str) -> None:
    """A decorator that takes an argument away from a nameless list; no callable at all."""
    assert signed.signatures[name].parameters == ()
    assert signed.signatures[name].lost


@pytest.mark.parametrize(
    ("name", "hidden"),
    [("through_opaque", True), ("through_untyped", True), ("through_preserving", False)],
)
def test_hidden_signature_is_taken_as_written(signed: Derived, name: str, hidden: bool) -> None:
    """Where the outer type says nothing."""
    assert signed.signatures[name].as_written is hidden


def test_unannotated_parameters_are_flagged(signed: Derived) -> None:
    """They have no loss of their own: the lint is about the annotation."""
    flags = {each.name: each.unannotated for each in signed.signatures["half"].parameters}
    assert flags == {"a": True, "b": False, "c": True}
    assert all(each.unannotated for each in signed.signatures["untyped"].parameters)
    assert all(not each.losses for each in signed.signatures["untyped"].parameters)


def test_type_variables_are_what_they_stand_for(signed: Derived) -> None:
    """Bound, or constraints as a union; an unbound one is any object."""
    types = {each.name: each.type for each in signed.signatures["variables"].parameters}
    assert types == {
        "b": INTEGER,
        "c": {"kind": "union", "branches": [INTEGER, STRING]},
        "t": ANY,
        "s": {"kind": "union", "branches": [STRING, {"kind": "stdlib", "type": "bytes"}]},
        "l": {"kind": "array", "items": INTEGER, "cls": "list"},
    }
    assert signed.codes("variables", "t") == ["untyped-value"]


def test_context_is_injected(signed: Derived) -> None:
    """Also inside of a union; its place in the signature is kept."""
    found = {
        each.name: (each.injected, each.position, each.required)
        for each in signed.signatures["contextual"].parameters
    }
    assert found == {
        "a": (None, 0, True),
        "ctx": ("context", 1, True),
        "b": ("context", 2, False),
        "c": (None, 3, True),
    }
    assert signed.codes("listed_context", "a") == ["unsupported-type"]


def test_nodes_are_the_arguments_as_written(signed: Derived) -> None:
    """Findings are reported at them; foreign functions have none."""
    a, limit, q = signed.signatures["unpacked"].parameters
    assert a.node is not None
    assert a.node.line == int(
        line("def unpacked(a: int, **kw: te.Unpack[Paging]) -> None: ...")[5:]
    )
    assert limit.node is q.node is not None
    assert (limit.source, limit.unpacked) == ("kw", "sample.Paging")
    foreign = signed.signatures[line("bound = mark(Methods().plain)")]
    assert [each.node for each in foreign.parameters] == [None, None]


def test_builtin_from_stubs_keeps_its_place(signed: Derived) -> None:
    """mypy knows `len` from typeshed; the name of its positional-only parameter may be lost."""
    (only,) = signed.signatures[line("mark(len)")].parameters
    assert only.kind == "positional_only"
    assert only.name in {None, "obj"}


RESULTS = """
import contextlib, asyncio, datetime, enum
from dataclasses import dataclass, field
from toolcall._values import Ok, ToolResult
class Plain: ...
class MyStr(str): ...
@dataclass
class Point:
    x: int
    y: Optional[datetime.date] = None
@dataclass
class Grown:
    x: int
    size: int = field(init=False)
@mark
def integer() -> int: ...
@mark
def nothing() -> None: ...
@mark
def untyped(): ...
@mark
def whatever() -> Any: ...
@mark
def table() -> Dict[str, object]: ...
@mark
def point() -> Point: ...
@mark
def grown() -> Grown: ...
@mark
def plain() -> Plain: ...
@mark
def plains() -> List[Plain]: ...
@mark
def function() -> Callable[[], int]: ...
@mark
def own_str() -> MyStr: ...
@mark
def never() -> NoReturn: ...
@mark
def own_result() -> ToolResult: ...
@mark
async def awaited() -> int: ...
@mark
def future() -> asyncio.Future[int]: ...
@mark
async def async_untyped(): ...
@mark
def generates() -> Iterator[int]:
    yield 1
@mark
def iterable() -> Iterable[int]: ...
@mark
async def agenerates() -> AsyncIterator[int]:
    yield 1
@mark
def generates_untyped():
    yield 1
@mark
@contextlib.contextmanager
def manager() -> Iterator[int]:
    yield 1
@mark
@contextlib.asynccontextmanager
async def amanager() -> AsyncIterator[int]:
    yield 1
"""

POINT = {"kind": "ref", "name": "Point"}

RESULT_ROWS: dict[str, tuple[Any, list[str], bool, str]] = {
    "integer": (INTEGER, [], False, "plain"),
    "nothing": ({"kind": "null"}, [], False, "plain"),
    "untyped": (None, [], False, "plain"),
    "whatever": (None, [], False, "plain"),
    "table": (
        {"kind": "mapping", "key": STRING, "value": ANY, "cls": "dict"},
        [],
        False,
        "plain",
    ),
    "point": (POINT, [], False, "plain"),
    "grown": (None, [], False, "plain"),
    "plain": (None, ["unencodable-result"], False, "plain"),
    "plains": (
        {"kind": "array", "items": ANY, "cls": "list"},
        ["unencodable-result"],
        False,
        "plain",
    ),
    "function": (None, ["unencodable-result"], False, "plain"),
    "own_str": (None, [], False, "plain"),
    "never": (None, [], False, "plain"),
    "own_result": (None, [], False, "plain"),
    "awaited": (INTEGER, [], True, "plain"),
    "future": (INTEGER, [], True, "plain"),
    "async_untyped": (None, [], True, "plain"),
    "generates": (None, [], False, "generator"),
    "iterable": ({"kind": "array", "items": INTEGER, "cls": "list"}, [], False, "plain"),
    "agenerates": (None, [], False, "async_generator"),
    "generates_untyped": (None, [], False, "generator"),
    "manager": (None, [], False, "context_manager"),
    "amanager": (None, [], False, "context_manager"),
}


@pytest.fixture(scope="module")
def results(derive: Callable[..., Derived]) -> Derived:
    return derive(RESULTS)


@pytest.mark.parametrize("name", RESULT_ROWS)
def test_result(results: Derived, name: str) -> None:
    """What comes out: its type where known, whether it is awaited, what is no result."""
    found = results.signatures[name]
    codes = [loss.code for loss in found.result_losses]
    assert (found.returns, codes, found.is_async, found.shape) == RESULT_ROWS[name]


def test_result_message_names_the_type(results: Derived) -> None:
    """One sentence about the type in question."""
    (loss,) = results.signatures["plain"].result_losses
    assert loss.message == 'A "Plain" in the result cannot become JSON.'
