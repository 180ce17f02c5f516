"""One tool for every row of the page on types: what the plugin makes of it is `type_rows.json`.

The tools are built by a test and never called. A parameter is optional where a row says
something about defaults.
"""

from __future__ import annotations

import collections
import dataclasses
import datetime
import decimal
import enum
import ipaddress
import os
import pathlib
import re
import uuid
import zoneinfo
from collections.abc import (
    Callable,
    Collection,
    Iterable,
    Mapping,
    MutableMapping,
    MutableSequence,
    Sequence,
)
from collections.abc import Set as AbstractSet
from typing import Annotated, Any, Generic, Literal, NamedTuple, NewType, TypeVar, Union

import attrs
import msgspec
import pydantic
from typing_extensions import LiteralString, NotRequired, ReadOnly, TypedDict, Unpack

from toolcall import Context, Inject, Param, tool

UserId = NewType("UserId", int)
T = TypeVar("T")
Bound = TypeVar("Bound", bound=int)


class Color(enum.Enum):
    RED = "red"
    BLUE = "blue"
    ALSO_RED = "red"  # noqa: PIE796 - an alias is left out


class Shape(enum.Enum):
    ROUND = object()
    FLAT = object()  # noqa: PIE796 - these go by name


class Level(enum.IntEnum):
    LOW = 1
    HIGH = 2


class Access(enum.Flag):
    READ = 1
    WRITE = 2


class Total(TypedDict):
    """A period."""

    start: datetime.date
    days: NotRequired[int]
    fixed: ReadOnly[bool]


Called = TypedDict("Called", {"@type": Literal["x"], "in": int}, total=False)


@dataclasses.dataclass
class Point(Generic[T]):
    """A point.

    Attributes:
        x: To the right.
    """

    x: T
    y: float = 0.0
    names: list[str] = dataclasses.field(default_factory=list)


class Pair(NamedTuple):
    left: int
    right: str = "r"


@attrs.define
class Place:
    _street: str
    number: int = attrs.field(default=1, alias="no")


class Order(msgspec.Struct, rename="camel", tag="order"):
    order_id: int
    note_text: str = ""


class Address(pydantic.BaseModel):
    street_name: str = pydantic.Field(alias="streetName", max_length=40)
    lines: list[str] = []


class Ids(pydantic.RootModel[list[int]]):
    pass


class Tree(TypedDict):
    value: int
    children: NotRequired[list[Tree]]


Json = Union[None, bool, float, str, list["Json"], dict[str, "Json"]]


class Options(TypedDict, total=False):
    width: int
    label: str


class Cat(TypedDict):
    kind: Literal["cat"]
    lives: int


class Dog(TypedDict):
    kind: Literal["dog"]
    tricks: list[str]


@tool
def scalars(text: str, whole: int, real: float, yes: bool, nothing: None) -> None: ...


@tool
def digits(number: Annotated[int, Param(wire="string_integer", ge=0)]) -> None: ...


@tool
def stands_for(user: UserId, literal: LiteralString, bound: Bound) -> Bound:
    return bound


@tool
def anything(value: Any, thing: object = None) -> None: ...


@tool
def moments(
    day: datetime.date, at: datetime.datetime, clock: datetime.time, wait: datetime.timedelta
) -> None: ...


@tool
def texts(price: decimal.Decimal, key: uuid.UUID, data: bytes, zone: zoneinfo.ZoneInfo) -> None: ...


@tool
def paths(file: pathlib.Path, pure: pathlib.PurePosixPath, like: os.PathLike[str]) -> None: ...


@tool
def addresses(
    four: ipaddress.IPv4Address,
    six: ipaddress.IPv6Address,
    net: ipaddress.IPv4Network,
    face: ipaddress.IPv6Interface,
) -> None: ...


@tool
def patterns(match: re.Pattern[str]) -> None: ...


@tool
def literals(
    word: Literal["a", "b"],
    number: Literal[1, 2],
    mixed: Literal["a", 1, True],
    member: Literal[Color.RED],
    maybe: Literal["a"] | None = None,
) -> None: ...


@tool
def enums(
    color: Color, shape: Shape, level: Level, access: Access, maybe: Color | None = None
) -> None: ...


@tool
def bare_enums(any_member: enum.Enum, any_number: enum.IntEnum | None = None) -> None: ...


@tool
def lists(
    a: list[int], b: Sequence[str], c: Iterable[bool], d: Collection[int], e: MutableSequence[str]
) -> None: ...


@tool
def sets(
    a: collections.deque[int], b: set[int], c: frozenset[str], d: AbstractSet[str]
) -> None: ...


@tool
def tuples(
    mixed: tuple[int, str],
    same: tuple[int, int],
    many: tuple[int, ...],
    nothing: tuple[()] = (),
) -> None: ...


@tool
def mappings(
    a: dict[str, int],
    b: Mapping[str, str],
    c: MutableMapping[str, bool],
    d: collections.defaultdict[str, int],
    e: collections.OrderedDict[str, int],
    f: collections.ChainMap[str, int],
    g: collections.Counter[str],
) -> None: ...


@tool
def keys(
    a: dict[int, str], b: dict[Color, int], c: dict[datetime.date, int], d: dict[uuid.UUID, int]
) -> None: ...


@tool
def untyped_containers(a: list, b: dict) -> None: ...  # type: ignore[type-arg]  # the row


@tool
def typed_dicts(a: Total, b: Called) -> None: ...


@tool
def dataclass(a: Point[int], b: Point[str] | None = None) -> None: ...


@tool
def named_tuple(a: Pair) -> None: ...


@tool
def attrs_class(a: Place) -> None: ...


@tool
def struct(a: Order) -> None: ...


@tool
def models(a: Address, b: Ids) -> None: ...


@tool
def unsupported(a: Callable[[], int]) -> None: ...


@tool
def unions(
    a: int | str,
    b: str | None,
    c: list[int] | int | None,
    d: Cat | Dog,
    e: datetime.date | str = "today",
) -> None: ...


@tool
def recursion(a: Tree, b: Json = None) -> None: ...


@tool
def constraints(
    a: Annotated[int, Param(ge=1, lt=10, multiple_of=2)],
    b: Annotated[float, Param(gt=0, le=1)],
    c: Annotated[str, Param(min_length=1, max_length=9, pattern="^[a-z]+$")],
    d: Annotated[list[int], Param(min_items=1, max_items=3)],
    e: Annotated[dict[str, int], Param(min_properties=1, max_properties=3)],
) -> None: ...


@tool
def positions(first: int, /, *rest: int, last: bool = True) -> None: ...


@tool
def rest_of_keys(**labels: str) -> None: ...


@tool
def unpacked(**options: Unpack[Options]) -> None: ...


@tool
def injected(
    a: Annotated[str, Param(name="$a")], context: Context[Any], db: Annotated[str, Inject]
) -> int:
    """Only the first one is seen."""
    return len(a)


@tool(name="with.dots", title="A title", read_only=True)
def documented(a: int = 1, b: Color = Color.RED, c: str = "x") -> Total:
    """What it does.

    Args:
        a: The first.
        b: The second.
    """
    raise NotImplementedError(a, b, c)
