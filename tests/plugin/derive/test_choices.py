"""Literals, the Enum family, unions, aliases."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from derive_sample import IMPORTS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from derive_sample import Derived

    from toolcall import ir

STRING = {"kind": "string"}
INTEGER = {"kind": "integer"}
ANY = {"kind": "any"}

# The classes stand below the functions: mypy has not inferred their members yet.
LATER = """
class Color(enum.Enum):
    RED = "red"
    BLUE = "blue"
    CRIMSON = RED
    SCARLET = "red"
class Level(enum.IntEnum):
    LOW = -1
    HIGH = 1 + 1
class Word(enum.StrEnum):
    First = enum.auto()
    count = "count"  # type: ignore[assignment]
class Number(enum.Enum):
    A = enum.auto()
    B = enum.auto()
    C = 10
    D = enum.auto()
class Ratio(float, enum.Enum):
    HALF = 0.5
    ONE = 1
class TextNumber(str, enum.Enum):
    A = enum.auto()
    B = "b"
class Mixed(enum.Enum):
    A = 1
    B = "b"
class Tuples(enum.Enum):
    A = (1, 2)
    B = (3, 4)
class Truth(enum.Enum):
    YES = True
    NO = False
class Constants(str, enum.Enum):
    A = CONST
    B = "b" + "c"
class Computed(enum.Enum):
    A = make()
    B = make()
class OwnNew(int, enum.Enum):
    A = 1
    def __new__(cls, v: int) -> OwnNew:
        o = int.__new__(cls, v)
        o._value_ = v * 10
        return o
class OwnAuto(str, enum.Enum):
    @staticmethod
    def _generate_next_value_(name: str, start: int, count: int, last_values: List[Any]) -> str:
        return name.lower()
    A = enum.auto()
class Wrapped(enum.Enum):
    A = enum.member(1)
    B = enum.nonmember(2)
    def f(self) -> None: ...
class Bits(enum.Flag):
    R = enum.auto()
    W = enum.auto()
    X = 16
    RW = R | W
    Z = enum.auto()
class IntBits(enum.IntFlag):
    R = 4
    W = 2
class UnknownBits(enum.Flag):
    R = make()
class Empty(enum.Enum): ...
class EmptyStr(enum.StrEnum): ...
class EmptyFlag(enum.Flag): ...
Called = enum.Enum("Called", "ONE TWO")
CalledPairs = enum.Enum("CalledPairs", {"ONE": "one", "TWO": "two"})
"""

HEAD = """
import enum
CONST: Final = "const"
def make() -> Any: ...
"""

MEMBERS: dict[str, list[tuple[str, Any]]] = {
    "Color": [("RED", "red"), ("BLUE", "blue")],
    "Level": [("LOW", -1), ("HIGH", 2)],
    "Word": [("First", "first"), ("count", "count")],
    "Number": [("A", 1), ("B", 2), ("C", 10), ("D", 11)],
    "Ratio": [("HALF", 0.5), ("ONE", 1.0)],
    "TextNumber": [("A", "1"), ("B", "b")],
    "Mixed": [("A", "A"), ("B", "B")],
    "Tuples": [("A", "A"), ("B", "B")],
    "Truth": [("YES", "YES"), ("NO", "NO")],
    "Constants": [("A", "const"), ("B", "bc")],
    "Computed": [("A", "A"), ("B", "B")],
    "OwnNew": [("A", "A")],
    "OwnAuto": [("A", "A")],
    "Wrapped": [("A", 1)],
    "Bits": [("R", 1), ("W", 2), ("X", 16), ("RW", 3), ("Z", 32)],
    "IntBits": [("R", 4), ("W", 2)],
    "Called": [("ONE", 1), ("TWO", 2)],
    "CalledPairs": [("ONE", "one"), ("TWO", "two")],
}
WRITTEN: dict[str, list[tuple[str, object]]] = {
    "Color": [("RED", "red"), ("BLUE", "blue"), ("CRIMSON", None), ("SCARLET", "red")],
    "Level": [("LOW", -1), ("HIGH", 2)],
    "Word": [("First", ...), ("count", "count")],
    "Wrapped": [("A", 1)],
    "Truth": [("YES", True), ("NO", False)],
    "Bits": [("R", ...), ("W", ...), ("X", 16), ("RW", ("R", "W")), ("Z", ...)],
    "IntBits": [("R", 4), ("W", 2)],
    "Called": [("ONE", ...), ("TWO", ...)],
    "CalledPairs": [("ONE", "one"), ("TWO", "two")],
}
FLAGS = {"Bits", "IntBits"}
BARE = {"Empty": "string", "EmptyStr": "string", "EmptyFlag": "integer", "enum.IntEnum": "integer"}


class Sources:
    """Stands for the reader of the sources; knows Enums in the order of the file."""

    def enum_values(self, fullname: str) -> Sequence[tuple[str, object]] | None:
        return WRITTEN.get(fullname.rpartition(".")[2])

    def keys(self, fullname: str) -> Sequence[str] | None:
        return None

    def provider(self, fullname: str, args: Sequence[ir.Type]) -> ir.Type | None:
        if fullname == "sample.Served":
            return {
                "kind": "custom",
                "cls": "sample:Served",
                "provider": "sample:Provider",
                "wire": args[0] if args else {"kind": "string"},
            }
        return None

    def qualname(self, module: str, name: str, line: int) -> str | None:
        return {"Hidden": "outer.<locals>.inner.<locals>.Hidden"}.get(name)


def functions(annotations: Sequence[str]) -> str:
    return "".join(
        f"@mark\ndef f{number}(p: {annotation}) -> None: ...\n"
        for number, annotation in enumerate(annotations)
    )


class Anywhere:
    """A class name in whichever module."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, str) and ":" in other

    def __hash__(self) -> int:
        return 0


ANYWHERE = Anywhere()

ENUMS = [*MEMBERS, *BARE, "UnknownBits"]


@pytest.fixture(scope="module", params=["below", "above", "cached"])
def enums(derive: Callable[..., Derived], request: pytest.FixtureRequest) -> Derived:
    """The classes below the tools, above them, in a module out of mypy's cache."""
    tools = functions(ENUMS)
    if request.param == "cached":
        other = {"declared": IMPORTS + HEAD + LATER}
        source = "import enum\nfrom declared import *\n" + tools
        derive(source, modules=other)
        return derive(source, modules=other, lookup=Sources())
    body = tools + LATER if request.param == "below" else LATER + tools
    return derive(HEAD + body, lookup=Sources())


@pytest.mark.parametrize("name", MEMBERS)
def test_enum_goes_by_value_or_by_name(enums: Derived, name: str) -> None:
    """By value when all are of one JSON kind and known, else by name; no aliases."""
    assert enums.type(f"f{ENUMS.index(name)}") == {"kind": "ref", "name": name}
    assert enums.entry(name) == {
        "kind": "flag" if name in FLAGS else "enum",
        "cls": ANYWHERE,
        "members": [{"name": member, "value": value} for member, value in MEMBERS[name]],
    }
    assert [type(each["value"]) for each in enums.entry(name)["members"]] == [
        type(value) for _, value in MEMBERS[name]
    ]


@pytest.mark.parametrize("name", BARE)
def test_enum_without_members_is_bare(enums: Derived, name: str) -> None:
    """There is nothing to choose from, so only the JSON type is known."""
    found = enums.type(f"f{ENUMS.index(name)}")
    assert found == {"kind": "enum", "cls": ANYWHERE, "members": [], "type": BARE[name]}
    assert enums.codes(f"f{ENUMS.index(name)}") == ["bare-enum"]


def test_flag_of_unknown_bits_is_any_value(enums: Derived) -> None:
    """Without the bits no number can be checked."""
    assert enums.type(f"f{ENUMS.index('UnknownBits')}") == ANY
    assert enums.codes(f"f{ENUMS.index('UnknownBits')}") == ["unsupported-type"]


def literal(*values: Any) -> dict[str, Any]:
    return {"kind": "literal", "values": [{"value": value} for value in values]}


def member(cls: str, name: str, value: Any) -> dict[str, Any]:
    return {"value": value, "enum": f"sample:{cls}", "member": name}


def nullable(inner: Any) -> dict[str, Any]:
    return {"kind": "nullable", "inner": inner}


def union(*branches: Any, **more: str) -> dict[str, Any]:
    return {"kind": "union", "branches": list(branches), **more}


def ref(name: str) -> dict[str, str]:
    return {"kind": "ref", "name": name}


UNIONS: dict[str, Any] = {
    "Literal['a', 'b']": literal("a", "b"),
    "Literal[1, True, '1']": literal(1, True, "1"),
    "Literal['a', 1, None]": nullable(literal("a", 1)),
    "Literal[None]": {"kind": "null"},
    "Literal[Color.RED, 'x']": {
        "kind": "literal",
        "values": [member("Color", "RED", "red"), {"value": "x"}],
    },
    "Literal[Color.CRIMSON]": {"kind": "literal", "values": [member("Color", "RED", "red")]},
    "Literal[Mixed.A]": {"kind": "literal", "values": [member("Mixed", "A", "A")]},
    "Literal['a'] | int | Literal['b']": union(literal("a", "b"), INTEGER),
    "int | str": union(INTEGER, STRING),
    "int | str | int": union(INTEGER, STRING),
    "int | UserId": INTEGER,
    "int | None": nullable(INTEGER),
    "None | int | None": nullable(INTEGER),
    "Optional[Union[int, Optional[str]]]": nullable(union(INTEGER, STRING)),
    "Number2 | None | bool": nullable(union(INTEGER, {"kind": "number"}, {"kind": "boolean"})),
    "list[int] | Sequence[int]": {"kind": "array", "items": INTEGER, "cls": "list"},
    "Cat | Dog": union(ref("Cat"), ref("Dog"), discriminator="kind"),
    "Cat | Dog | None": nullable(union(ref("Cat"), ref("Dog"), discriminator="kind")),
    "Cat | Cat2": union(ref("Cat"), ref("Cat2")),
    "Cat | Fish": union(ref("Cat"), ref("Fish"), discriminator="kind"),
    "Cat | int": union(ref("Cat"), INTEGER),
    "list[Cat | Dog]": {
        "kind": "array",
        "items": union(ref("Cat"), ref("Dog"), discriminator="kind"),
        "cls": "list",
    },
    "Json": ref("Json"),
    "list[Json]": {"kind": "array", "items": ref("Json"), "cls": "list"},
    "Nested[int]": ref("Nested_int"),
    "A1": ref("A1"),
    "Served": {
        "kind": "custom",
        "cls": "sample:Served",
        "provider": "sample:Provider",
        "wire": STRING,
    },
    "RecursiveDict": ref("RecursiveDict"),
    "RecursiveTuple": ref("RecursiveTuple"),
    "datetime.date | str": union({"kind": "stdlib", "type": "date"}, STRING),
}

UNION_HEAD = """
import datetime
T = TypeVar("T")
UserId = NewType("UserId", int)
Number2 = Union[int, float]
Json = Union[str, int, List["Json"], Dict[str, "Json"], None]
Nested = Union[T, List["Nested[T]"]]
A1 = List["A2"]
A2 = Dict[str, A1]
class Served: ...
class Cat(TypedDict):
    kind: Literal["cat"]
    age: int
class Dog(TypedDict):
    age: int
    kind: Literal["dog", "hound"]
class Cat2(TypedDict):
    kind: Literal["cat"]
class Fish(TypedDict, total=False):
    kind: Literal["fish"]
class Owner(TypedDict):
    pet: Union[Cat, Dog]
class RecursiveDict(TypedDict):
    inner: Optional[RecursiveDict]
class RecursiveTuple(NamedTuple):
    inner: Optional[RecursiveTuple]
@mark
def owner(p: Owner) -> None: ...
def outer() -> None:
    def inner() -> None:
        class Hidden(TypedDict):
            x: int
        @mark
        def hidden(p: Hidden) -> None: ...
"""


@pytest.fixture(scope="module")
def unions(derive: Callable[..., Derived]) -> Derived:
    return derive(HEAD + UNION_HEAD + functions(list(UNIONS)) + LATER, lookup=Sources())


@pytest.mark.parametrize("annotation", UNIONS)
def test_union_has_one_form(unions: Derived, annotation: str) -> None:
    """Flat, in source order, without duplicates, null apart, discriminated."""
    name = f"f{list(UNIONS).index(annotation)}"
    assert unions.type(name) == UNIONS[annotation]
    assert unions.losses(name) == []


def test_literal_keeps_true_apart_from_one(unions: Derived) -> None:
    """Python calls them equal."""
    node = unions.type(f"f{list(UNIONS).index(chr(76) + 'iteral[1, True, ' + repr('1') + ']')}")
    assert [type(each["value"]) for each in node["values"]] == [int, bool, str]


def test_recursive_alias_is_an_entry_of_its_own(unions: Derived) -> None:
    """By the alias's name, without a class."""
    entry = unions.table.entries["Json"]
    assert entry.cls is None
    assert entry.origin.qualname == "Json"
    assert entry.origin.module == "sample"
    assert entry.origin.line > 0
    json = ref("Json")
    assert entry.type == nullable(
        union(
            STRING,
            INTEGER,
            {"kind": "array", "items": json, "cls": "list"},
            {"kind": "mapping", "key": STRING, "value": json, "cls": "dict"},
        )
    )


def test_union_in_a_field_is_discriminated(unions: Derived) -> None:
    """Also inside of table entries."""
    (pet,) = unions.entry("Owner")["fields"]
    assert pet["type"]["discriminator"] == "kind"


def test_local_class_has_its_whole_qualname(unions: Derived) -> None:
    """mypy forgets the functions around it; the sources are asked."""
    assert unions.type("hidden") == ref("Hidden")
    assert unions.entry("Hidden")["cls"] == "sample:outer.<locals>.inner.<locals>.Hidden"


def test_names_do_not_clash(derive: Callable[..., Derived]) -> None:
    """The second class of a name has its module before it."""
    derived = derive(
        """
import other, third
class Same(TypedDict):
    x: int
@mark
def f(p: Same, q: other.Same, r: third.Same, s: other.Same) -> None: ...
""",
        modules={
            "other": "from typing import TypedDict\nclass Same(TypedDict):\n    y: int",
            "third": "from typing import TypedDict\nclass Same(TypedDict):\n    y: int",
        },
    )
    names = [derived.type("f", name)["name"] for name in "pqrs"]
    assert names == ["Same", "other_Same", "third_Same", "other_Same"]


def test_long_names_are_cut_to_unique_ones(derive: Callable[..., Derived]) -> None:
    """Names are paid for by the token."""
    derived = derive(
        """
T = TypeVar("T")
class Box(TypedDict, Generic[T]):
    x: T
@mark
def f(p: Box[Box[Dict[str, Dict[str, Dict[str, Dict[str, int]]]]]],
      q: Box[Box[Dict[str, Dict[str, Dict[str, Dict[str, str]]]]]]) -> None: ...
"""
    )
    names = [derived.type("f", name)["name"] for name in "pq"]
    assert names[0] != names[1]
    assert all(len(name) <= 48 for name in names)
