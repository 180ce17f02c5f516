"""Tools that hand back what they were given: one for each kind of class, and what they hold."""

from __future__ import annotations

import dataclasses
import enum
from datetime import date, datetime, timedelta
from decimal import Decimal
from pathlib import PurePosixPath
from typing import Annotated, Generic, Literal, NamedTuple, TypeVar, Union
from uuid import UUID

import attrs
import msgspec
import pydantic
import typing_extensions as te

from toolcall import tool


class Colour(enum.Enum):
    RED = "red"
    BLUE = "blue"


class Rank(enum.IntEnum):
    LOW = 1
    HIGH = 2


@dataclasses.dataclass
class Inner:
    day: date
    colour: Colour = Colour.RED


@dataclasses.dataclass(frozen=True)
class Outer:
    name: str
    inner: Inner
    many: list[Inner] = dataclasses.field(default_factory=list)
    by_name: dict[str, Inner] = dataclasses.field(default_factory=dict)
    price: Decimal | None = None
    pair: tuple[int, str] = (0, "")
    rank: Rank = Rank.LOW


@dataclasses.dataclass
class Base:
    first: int


@dataclasses.dataclass
class Derived(Base):
    second: str = "two"


@attrs.define
class Ticket:
    seat: int
    _hidden: str = "front"
    when: datetime = datetime(2020, 1, 1)
    tags: set[str] = attrs.field(factory=set)


class Point(NamedTuple):
    x: float
    y: float = 0.5


class Parcel(te.TypedDict):
    weight: float
    label: te.NotRequired[str]
    at: Point


class Stamp(msgspec.Struct):
    value: int
    country: str = "NO"
    issued: date | None = None
    path: list[Point] = []


class Renamed(msgspec.Struct, rename="camel"):
    first_name: str
    last_name: str = "?"


class Cat(msgspec.Struct, tag=True):
    lives: int = 9


class Dog(msgspec.Struct, tag=True):
    tricks: list[str] = []


class Line(pydantic.BaseModel):
    article: str
    pieces: int = pydantic.Field(default=1, ge=1)


class Order(pydantic.BaseModel):
    number: UUID
    lines: list[Line]
    wait: timedelta = timedelta(0)
    buyer_name: str = pydantic.Field(alias="buyerName")
    note: str | None = None


class Circle(pydantic.BaseModel):
    kind: Literal["circle"]
    radius: float


class Square(pydantic.BaseModel):
    kind: Literal["square"]
    side: float


class Shapes(pydantic.BaseModel):
    shape: Annotated[Union[Circle, Square], pydantic.Field(discriminator="kind")]


class Login(pydantic.BaseModel):
    user: pydantic.constr(min_length=2)  # type: ignore[valid-type]
    secret: pydantic.SecretStr
    pin: pydantic.Secret[int] | None = None
    most: pydantic.ByteSize | None = None
    parts: pydantic.conlist(pydantic.conint(ge=1), max_length=2) = []  # type: ignore[valid-type]


class Disc(pydantic.BaseModel):
    kind: Literal["disc"] = "disc"
    radius: int = 1


class Bar(pydantic.BaseModel):
    kind: Literal["bar"] = "bar"
    radius: float = 2.5


class Either(pydantic.BaseModel):
    one: Disc | Bar


class Numbers(pydantic.RootModel[list[int]]):
    pass


T = TypeVar("T")


@dataclasses.dataclass
class Box(Generic[T]):
    content: T


@dataclasses.dataclass
class Tree:
    value: int
    branches: list[Tree] = dataclasses.field(default_factory=list)


@tool
def outer(value: Outer) -> object:
    """Echo."""
    return value


@tool
def derived(value: Derived) -> object:
    """Echo."""
    return value


@tool
def ticket(value: Ticket) -> object:
    """Echo."""
    return value


@tool
def point(value: Point) -> object:
    """Echo."""
    return value


@tool
def parcel(value: Parcel) -> object:
    """Echo."""
    return value


@tool
def stamp(value: Stamp) -> object:
    """Echo."""
    return value


@tool
def renamed(value: Renamed) -> object:
    """Echo."""
    return value


@tool
def animal(value: Cat | Dog) -> object:
    """Echo."""
    return value


@tool
def order(value: Order) -> object:
    """Echo."""
    return value


@tool
def shapes(value: Shapes) -> object:
    """Echo."""
    return value


@tool
def numbers(value: Numbers) -> object:
    """Echo."""
    return value


@tool
def boxed(value: Box[PurePosixPath]) -> object:
    """Echo."""
    return value


@tool
def tree(value: Tree) -> object:
    """Echo."""
    return value


@tool
def login(value: Login) -> object:
    return value


@tool
def either(value: Either) -> object:
    return value
