"""Classes of every kind: fields, inheritance, generics, names, origins."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from derive_sample import IMPORTS, PRELUDE

from toolcall_mypy.derive.table import NoLookup

if TYPE_CHECKING:
    from collections.abc import Callable

    from derive_sample import Derived

STRING = {"kind": "string"}
INTEGER = {"kind": "integer"}


def ref(name: str) -> dict[str, str]:
    return {"kind": "ref", "name": name}


def fields(derived: Derived, name: str) -> list[tuple[str, Any, bool]]:
    """Name, type and required of each field; the type's kind where it is a scalar."""
    node = derived.entry(name)
    assert node["kind"] == "object"
    return [(each["name"], short(each["type"]), each["required"]) for each in node["fields"]]


def short(node: Any) -> Any:
    return node["kind"] if set(node) == {"kind"} else node


SOURCE = """
import dataclasses, collections
from dataclasses import dataclass, field, InitVar, KW_ONLY
import attrs, attr, msgspec
from pydantic import BaseModel, Field, RootModel
import pydantic
T = TypeVar("T")

class Parcel(te.TypedDict):
    weight: int
    label: te.NotRequired[str]
    seal: te.ReadOnly[bool]
class Loose(te.TypedDict, total=False):
    limit: int
    q: te.Required[str]
class Heavy(Parcel):
    tons: int
class Paged(te.TypedDict, Generic[T]):
    items: List[T]
Called = te.TypedDict("Called", {"class": int, "x-y": str})

@dataclass
class Base(Generic[T]):
    first: T
    second: int = 0
@dataclass
class Spot(Base[str]):
    third: List[int] = field(default_factory=list)
    hidden: int = field(default=1, init=False)
    word: InitVar[str] = "w"
    _: KW_ONLY
    key: bool
    shared: ClassVar[int] = 3
    def __post_init__(self, word: str) -> None: ...
class Undecorated(Spot):
    extra = 5
@dataclass(init=False)
class ByHand:
    x: int
    def __init__(self, y: str, z: int = 0) -> None: ...
@dataclass
class Node:
    value: int
    left: Optional[Node] = None
    others: List[Node] = field(default_factory=list)
@dataclass
class Growing(Generic[T]):
    inner: Optional[Growing[List[T]]] = None
@dataclass
class Empty: ...
@dataclass
class Outer:
    @dataclass
    class Inner:
        x: int
    inner: Inner
import abc
@dataclass
class Abstract(abc.ABC):
    x: int
    @abc.abstractmethod
    def f(self) -> None: ...
@dataclass
class Selfish:
    me: Optional[te.Self] = None

class Pair(NamedTuple):
    x: int
    y: str = "right"
class MorePair(Pair):
    def f(self) -> None: ...
class GenericPair(NamedTuple, Generic[T]):
    a: T
    b: T
Old = collections.namedtuple("Old", "a b", defaults=[1])

@attrs.define
class Ticket:
    x: int
    _secret: str = "s"
    renamed: int = attrs.field(alias="other", default=1)
    late: int = attrs.field(init=False, default=2)
    size: int = attrs.field(converter=int, default=3)
    only: int = attrs.field(kw_only=True)
@attr.s(auto_attribs=True)
class OldTicket(Generic[T]):
    a: T
@attrs.frozen
class SubTicket(Ticket):
    z: int = 0

class Stamp(msgspec.Struct, tag=True):
    x: int
    y: str = "airmail"
    z: Union[int, msgspec.UnsetType] = msgspec.UNSET
class Stamp2(Stamp, kw_only=True):
    w: List[int] = []
class EmptyStamp(msgspec.Struct): ...

class Order(BaseModel):
    count: int = Field(description="How many.", ge=0)
    note: Optional[str] = None
    aliased: int = Field(alias="theAlias")
    items: List[int] = Field(default_factory=list)
    _private: int = 3
    shared: ClassVar[int] = 2
class SubOrder(Order):
    model_config = pydantic.ConfigDict(extra="forbid")
    more: bool = False
class Box(BaseModel, Generic[T]):
    inside: T
class Branch(BaseModel):
    size: int
    twigs: List[Branch] = []
class Tags(RootModel[List[str]]): ...
class Tags2(RootModel):
    root: Dict[str, int]
@pydantic.dataclasses.dataclass
class PydanticData:
    x: int = 3

class Plain: ...
class Proto(Protocol):
    x: int
"""

NAMES = [
    "Parcel", "Loose", "Heavy", "Paged[int]", "Called", "Base[int]", "Spot", "Undecorated",
    "ByHand", "Node", "Growing[int]", "Empty", "Outer", "Outer.Inner", "Abstract", "Selfish",
    "Pair", "MorePair", "GenericPair[int]", "Old", "Ticket", "OldTicket[str]", "SubTicket",
    "Stamp", "Stamp2", "EmptyStamp", "Order", "SubOrder", "Box[int]", "Box[Node]", "Branch",
    "Tags", "Tags2", "RootModel[int]", "PydanticData", "Plain", "Proto", "BaseModel",
]  # fmt: skip


TOOLS = "".join(
    f"@mark\ndef f{number}(p: {name}) -> None: ...\n" for number, name in enumerate(NAMES)
)


@pytest.fixture(scope="module", params=[(), ("pydantic.mypy",)], ids=["plain", "pydantic-plugin"])
def classes(derive: Callable[..., Derived], request: pytest.FixtureRequest) -> Derived:
    return derive(SOURCE + TOOLS, plugins=request.param)


def use(derived: Derived, name: str) -> Any:
    return derived.type(f"f{NAMES.index(name)}")


LIST = {"kind": "array", "items": INTEGER, "cls": "list"}
SPOT = [
    ("first", "string", True),
    ("second", "integer", False),
    ("third", LIST, False),
    ("word", "string", False),
    ("key", "boolean", True),
]
TICKET = [
    ("x", "integer", True),
    ("secret", "string", False),
    ("other", "integer", False),
    ("size", "integer", False),
]
STAMP = [("x", "integer", True), ("y", "string", False), ("z", "integer", False)]
ORDER = [
    ("count", "integer", True),
    ("note", {"kind": "nullable", "inner": STRING}, False),
    ("aliased", "integer", True),
    ("items", LIST, False),
]
PARCEL = [("weight", "integer", True), ("label", "string", False), ("seal", "boolean", True)]

FIELDS: dict[str, tuple[str, str, list[tuple[str, Any, bool]]]] = {
    "Parcel": ("Parcel", "typeddict", PARCEL),
    "Loose": ("Loose", "typeddict", [("limit", "integer", False), ("q", "string", True)]),
    "Heavy": ("Heavy", "typeddict", [*PARCEL, ("tons", "integer", True)]),
    "Paged[int]": ("Paged_int", "typeddict", [("items", LIST, True)]),
    "Called": ("Called", "typeddict", [("class", "integer", True), ("x-y", "string", True)]),
    "Base[int]": (
        "Base_int",
        "dataclass",
        [("first", "integer", True), ("second", "integer", False)],
    ),
    "Spot": ("Spot", "dataclass", SPOT),
    "Undecorated": ("Undecorated", "dataclass", SPOT),
    "ByHand": ("ByHand", "dataclass", [("y", "string", True), ("z", "integer", False)]),
    "Node": (
        "Node",
        "dataclass",
        [
            ("value", "integer", True),
            ("left", {"kind": "nullable", "inner": ref("Node")}, False),
            ("others", {"kind": "array", "items": ref("Node"), "cls": "list"}, False),
        ],
    ),
    "Empty": ("Empty", "dataclass", []),
    "Outer": ("Outer", "dataclass", [("inner", ref("Outer_Inner"), True)]),
    "Outer.Inner": ("Outer_Inner", "dataclass", [("x", "integer", True)]),
    "Selfish": (
        "Selfish",
        "dataclass",
        [("me", {"kind": "nullable", "inner": ref("Selfish")}, False)],
    ),
    "Pair": ("Pair", "namedtuple", [("x", "integer", True), ("y", "string", False)]),
    "MorePair": ("MorePair", "namedtuple", [("x", "integer", True), ("y", "string", False)]),
    "GenericPair[int]": (
        "GenericPair_int",
        "namedtuple",
        [("a", "integer", True), ("b", "integer", True)],
    ),
    "Old": ("Old", "namedtuple", [("a", "any", True), ("b", "any", False)]),
    "Ticket": ("Ticket", "attrs", [*TICKET, ("only", "integer", True)]),
    "OldTicket[str]": ("OldTicket_str", "attrs", [("a", "string", True)]),
    "SubTicket": (
        "SubTicket",
        "attrs",
        [*TICKET, ("z", "integer", False), ("only", "integer", True)],
    ),
    "Stamp": ("Stamp", "msgspec", STAMP),
    "Stamp2": ("Stamp2", "msgspec", [*STAMP, ("w", LIST, False)]),
    "EmptyStamp": ("EmptyStamp", "msgspec", []),
    "Order": ("Order", "pydantic", ORDER),
    "SubOrder": ("SubOrder", "pydantic", [*ORDER, ("more", "boolean", False)]),
    "Box[int]": ("Box_int", "pydantic", [("inside", "integer", True)]),
    "Box[Node]": ("Box_Node", "pydantic", [("inside", ref("Node"), True)]),
    "Branch": (
        "Branch",
        "pydantic",
        [
            ("size", "integer", True),
            ("twigs", {"kind": "array", "items": ref("Branch"), "cls": "list"}, False),
        ],
    ),
    "PydanticData": ("PydanticData", "dataclass", [("x", "integer", False)]),
}


@pytest.mark.parametrize("annotation", FIELDS)
def test_fields_are_what_builds_the_class(classes: Derived, annotation: str) -> None:
    """Order, types and required of the fields of every kind of class."""
    name, style, expected = FIELDS[annotation]
    assert use(classes, annotation) == ref(name)
    assert classes.entry(name)["style"] == style
    assert fields(classes, name) == expected


@pytest.mark.parametrize(
    ("annotation", "name", "inner"),
    [
        ("Tags", "Tags", {"kind": "array", "items": STRING, "cls": "list"}),
        ("Tags2", "Tags2", {"kind": "mapping", "key": STRING, "value": INTEGER, "cls": "dict"}),
        ("RootModel[int]", "RootModel_int", INTEGER),
    ],
)
def test_root_model_is_its_one_value(
    classes: Derived, annotation: str, name: str, inner: object
) -> None:
    """A RootModel by subscript, by annotation, and without a subclass."""
    assert use(classes, annotation) == ref(name)
    assert classes.entry(name)["kind"] == "root"
    assert classes.entry(name)["inner"] == inner


@pytest.mark.parametrize("annotation", ["Plain", "Proto", "BaseModel", "Abstract"])
def test_class_without_known_fields_is_any_value(classes: Derived, annotation: str) -> None:
    """An ordinary class, a Protocol, a framework's base, a class that cannot be made."""
    assert use(classes, annotation) == {"kind": "any"}
    assert classes.codes(f"f{NAMES.index(annotation)}") == ["unsupported-type"]


def test_endless_generic_ends(classes: Derived) -> None:
    """A class that contains itself with ever new arguments is cut, with a loss."""
    assert classes.codes(f"f{NAMES.index('Growing[int]')}") == ["recursive-type"]
    assert "Growing_list_list_list_int" in classes.table.entries


def test_losses_of_a_class_are_told_to_every_user(classes: Derived) -> None:
    """Their place is the entry's name, then the field's."""
    losses = classes.losses(f"f{NAMES.index('Old')}")
    assert [loss.where for loss in losses] == [("Old", "a"), ("Old", "b")]


def test_wire_name_of_a_model_is_its_alias(classes: Derived) -> None:
    """The name is the field's, the property is the alias."""
    wires = {each["name"]: each["wire"] for each in classes.entry("Order")["fields"]}
    assert wires == {"count": "count", "note": "note", "aliased": "theAlias", "items": "items"}


def test_entry_says_where_each_field_stands(classes: Derived) -> None:
    """The declaring class of inherited fields, the attribute behind attrs' names."""
    spot = classes.table.entries["Spot"]
    owners = {each.name: (each.owner.qualname, each.attribute) for each in spot.fields}
    assert owners["first"] == ("Base", "first")
    assert owners["word"] == ("Spot", "word")
    assert [each.qualname for each in spot.mro] == ["Spot", "Base"]
    assert spot.cls == "sample:Spot"
    lines = (PRELUDE + SOURCE).splitlines()
    assert lines[spot.origin.line - 1] == "class Spot(Base[str]):"
    third = next(each for each in spot.fields if each.name == "third")
    assert lines[third.line - 1].strip().startswith("third:")
    attributes = {each.name: each.attribute for each in classes.table.entries["SubTicket"].fields}
    assert attributes["secret"] == "_secret"
    assert attributes["other"] == "renamed"
    by_hand = classes.table.entries["ByHand"]
    assert [each.declared for each in by_hand.fields] == [False, False]


@pytest.mark.parametrize(
    ("name", "one_way"),
    [("Spot", True), ("ByHand", True), ("Ticket", True), ("Node", False), ("Order", False)],
)
def test_entry_knows_when_objects_serialise_to_something_else(
    classes: Derived, name: str, one_way: bool
) -> None:
    """Init-only values and fields outside of `__init__`."""
    assert classes.table.entries[name].one_way is one_way


class Keys(NoLookup):
    """mypy's cache sorts the keys of a TypedDict; the sources have them in order."""

    def keys(self, fullname: str) -> list[str] | None:
        rows = FIELDS.get(fullname.rpartition(".")[2])
        return None if rows is None else [name for name, _, _ in rows[2]]


def test_classes_out_of_the_cache_are_the_same(
    derive: Callable[..., Derived], classes: Derived, request: pytest.FixtureRequest
) -> None:
    """mypy keeps less of a module that it did not parse in this run."""
    plugins = ("pydantic.mypy",) if "pydantic-plugin" in request.node.name else ()
    other = {"declared": IMPORTS + "\n\n" + SOURCE}
    tools = "from declared import *\nfrom declared import RootModel, BaseModel\n" + TOOLS
    derive(tools, plugins=plugins, modules=other)
    cached = derive(tools, plugins=plugins, modules=other, lookup=Keys())
    assert list(cached.table.entries) == list(classes.table.entries)
    renamed = str(classes.table.types).replace("sample:", "declared:")
    assert str(cached.table.types) == renamed
    for name, entry in cached.table.entries.items():
        fresh = classes.table.entries[name]
        if entry.type["kind"] == "object" and entry.type["style"] != "namedtuple":
            assert [each.line for each in entry.fields] == [each.line for each in fresh.fields]
        assert entry.origin.line == 0
        assert entry.one_way == fresh.one_way
