"""Results as JSON, in the forms that arguments have."""

from __future__ import annotations

import collections
import dataclasses
import datetime
import decimal
import enum
import ipaddress
import pathlib
import re
import uuid
import zoneinfo
from types import MappingProxyType
from typing import Any, NamedTuple

import pytest

from tests.runtime.calling import label
from toolcall._encode import encode, text_of
from toolcall.errors import UnencodableResult
from toolcall.typeproviders import TypeProvider


class Color(enum.Enum):
    RED = "red"
    BLUE = "blue"


class Mixed(enum.Enum):
    ONE = 1
    TWO = "two"


class Level(enum.IntEnum):
    LOW = 1


class Access(enum.Flag):
    READ = 1
    WRITE = 2


class Row(NamedTuple):
    key: str
    value: int


@dataclasses.dataclass
class Item:
    name: str
    due: datetime.date


class Text(str):
    pass


UTC = datetime.timezone.utc


@pytest.mark.parametrize(
    ("value", "encoded"),
    [
        ({"a": [1, 0.5, True, None, "é"]}, {"a": [1, 0.5, True, None, "é"]}),
        ((1, (2,)), [1, [2]]),
        ({3, 1, 2}, [1, 2, 3]),
        (frozenset({"b", "a"}), ["a", "b"]),
        (collections.deque([1]), [1]),
        (collections.OrderedDict(a=1), {"a": 1}),
        (collections.ChainMap({"a": 1}, {"b": 2}), {"a": 1, "b": 2}),
        (collections.Counter("aab"), {"a": 2, "b": 1}),
        (MappingProxyType({"a": 1}), {"a": 1}),
        ({1: "a", 0.5: "b"}, {"1": "a", "0.5": "b"}),
        ({datetime.date(2024, 1, 2): 1, Color.RED: 2}, {"2024-01-02": 1, "red": 2}),
        ({False: 1}, {"false": 1}),
        (Color.RED, "red"),
        (Mixed.ONE, "ONE"),
        (Level.LOW, 1),
        (Access.READ | Access.WRITE, 3),
        (Row("k", 1), {"key": "k", "value": 1}),
        (Item("a", datetime.date(2024, 1, 2)), {"name": "a", "due": "2024-01-02"}),
        (datetime.datetime(2024, 1, 2, 3, 4, 5, 6, UTC), "2024-01-02T03:04:05.000006Z"),
        (datetime.time(1, 2), "01:02:00"),
        (datetime.timedelta(1, 3661, 500_000), "P1DT1H1M1.5S"),
        (datetime.timedelta(seconds=-1), "-PT1S"),
        (datetime.timedelta(0), "PT0S"),
        (datetime.timedelta(2), "P2D"),
        (decimal.Decimal("1.10"), "1.10"),
        (uuid.UUID(int=0), str(uuid.UUID(int=0))),
        (pathlib.PurePosixPath("a/b"), "a/b"),
        (ipaddress.ip_address("::1"), "::1"),
        (ipaddress.ip_network("10.0.0.0/8"), "10.0.0.0/8"),
        (re.compile("a+"), "a+"),
        (zoneinfo.ZoneInfo("UTC"), "UTC"),
        (b"a", "YQ=="),
        (bytearray(b"a"), "YQ=="),
        (Text("a"), "a"),
    ],
    ids=label,
)
def test_encoded(value: Any, encoded: Any) -> None:
    """Plain JSON data of plain types."""
    found = encode(value)
    assert found == encoded
    assert type(found) is type(encoded)


@pytest.mark.parametrize(
    ("value", "path"),
    [
        (object(), ""),
        ({"a": [1, object()]}, "/a/1"),
        ([float("nan")], "/0"),
        ({"a/b": decimal.Decimal("NaN")}, "/a~1b"),
        ({(1, 2): 3}, ""),
        ({None: 3}, ""),
        ({1: 2, "1": 3}, ""),
        (["\ud800"], "/0"),
        ([10**5000], "/0"),
        (len, ""),
        ((x for x in ()), ""),
    ],
)
def test_what_is_not_json_is_an_error_that_names_the_place(value: Any, path: str) -> None:
    """Never a repr, never a TypeError of the encoder."""
    with pytest.raises(UnencodableResult) as caught:
        encode(value)
    assert caught.value.path == path
    assert (path or "its top") in str(caught.value)


def test_what_contains_itself_ends() -> None:
    """As nested too deep."""
    value: list[Any] = []
    value.append(value)
    with pytest.raises(UnencodableResult, match="contains itself"):
        encode(value)


def test_text_stays_text_and_the_rest_becomes_compact_json() -> None:
    """What a model reads."""
    assert text_of("é\n") == "é\n"
    assert text_of(Color.RED) == "red"
    assert text_of({"a": ["é", 1.0]}) == '{"a":["é",1.0]}'
    assert text_of(None) == "null"


class Money:
    def __init__(self, amount: int) -> None:
        self.amount = amount


class MoneyProvider(TypeProvider[Money]):
    def encode(self, value: Money) -> Any:
        if value.amount < 0:
            raise ValueError("debt")
        return f"{value.amount} EUR"


class Mute(TypeProvider[Money]):
    pass


def test_a_type_provider_encodes_the_class_it_serves() -> None:
    """Registered with the tool, or an attribute of the class."""
    assert encode([Money(3)], [MoneyProvider]) == ["3 EUR"]
    assert encode([Money(3)], [MoneyProvider()]) == ["3 EUR"]
    with pytest.raises(UnencodableResult, match="debt"):
        encode(Money(-1), [MoneyProvider])
    with pytest.raises(UnencodableResult, match="does not say"):
        encode(Money(1), [Mute])

    class Own(Money):
        __toolcall_provider__ = MoneyProvider

    assert encode(Own(2)) == "2 EUR"


def test_objects_of_other_libraries_keep_their_wire_names() -> None:
    """attrs, msgspec, pydantic; a failing serializer is an error with a place."""
    attrs = pytest.importorskip("attrs")
    msgspec = pytest.importorskip("msgspec")
    pydantic = pytest.importorskip("pydantic")

    @attrs.define
    class A:
        _x: int = 1

    class S(msgspec.Struct, tag="s", rename="camel"):
        my_x: int = 1
        other: Any = msgspec.UNSET

    class P(pydantic.BaseModel):
        x: int = pydantic.Field(1, alias="X")

        @pydantic.field_serializer("x")
        def write(self, value: int) -> int:
            return 10 // value

    class R(pydantic.RootModel[list[int]]):
        pass

    assert encode([A(), S(), P(), R([1])]) == [
        {"x": 1},
        {"type": "s", "myX": 1},
        {"X": 10},
        [1],
    ]
    with pytest.raises(UnencodableResult, match="P refused"):
        encode([P(X=0)])


def test_addresses_that_pydantic_parsed() -> None:
    """Those of its core are text as well, which are of no class of pydantic's own."""
    core = pytest.importorskip("pydantic_core")
    several = core.MultiHostUrl("postgres://a:1,b:2/c")
    assert encode([core.Url("https://a.b/c"), several]) == ["https://a.b/c", "postgres://a:1,b:2/c"]
