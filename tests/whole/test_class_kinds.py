"""The value that a tool is handed equals the one that the class's own library builds.

From the same JSON: pydantic for its models, msgspec for its Structs and for TypedDicts and
NamedTuples, cattrs for dataclasses and attrs classes. Also from the decoded arguments, by
both decoders: the first call of a tool is generated, a lenient one goes by the reference.
"""

from __future__ import annotations

import json
from types import ModuleType
from typing import Any

import cattrs.preconf.json
import msgspec
import pydantic
import pytest

from toolcall import Ok, run

DAY = {"day": "2026-02-28"}
CATTRS = cattrs.preconf.json.make_converter()


def by_pydantic(kind: Any, value: object) -> object:
    return pydantic.TypeAdapter(kind).validate_json(json.dumps(value))


def by_msgspec(kind: Any, value: object) -> object:
    return msgspec.json.decode(json.dumps(value), type=kind)


def by_cattrs(kind: Any, value: object) -> object:
    return CATTRS.structure(value, kind)


ORDER = {
    "number": "12345678-1234-5678-1234-567812345678",
    "lines": [{"article": "a"}, {"article": "b", "pieces": 3}],
    "wait": "PT90S",
    "buyerName": "Ada",
    "note": None,
}

CASES: list[tuple[str, str, Any, object]] = [
    ("outer", "Outer", by_msgspec, {"name": "a", "inner": DAY}),
    (
        "outer",
        "Outer",
        by_msgspec,
        {
            "name": "ø",
            "inner": {**DAY, "colour": "blue"},
            "many": [DAY, {**DAY, "colour": "blue"}],
            "by_name": {"x": DAY},
            "price": "1.50",
            "pair": [3, "c"],
            "rank": 2,
        },
    ),
    ("outer", "Outer", by_cattrs, {"name": "a", "inner": DAY, "many": [DAY]}),
    ("derived", "Derived", by_msgspec, {"first": 1}),
    ("derived", "Derived", by_cattrs, {"first": 1, "second": "x"}),
    ("ticket", "Ticket", by_cattrs, {"seat": 1}),
    ("ticket", "Ticket", by_cattrs, {"seat": 1, "when": "2026-02-28T10:00:00", "tags": ["a", "b"]}),
    ("point", "Point", by_pydantic, {"x": 1.5, "y": 2.0}),
    ("point", "Point", by_pydantic, {"x": 1.5}),
    ("stamp", "Stamp", by_msgspec, {"value": 1}),
    ("stamp", "Stamp", by_msgspec, {"value": 1, "country": "SE", "issued": "2026-02-28"}),
    ("renamed", "Renamed", by_msgspec, {"firstName": "Ada", "lastName": "L"}),
    ("order", "Order", by_pydantic, ORDER),
    ("tree", "Tree", by_msgspec, {"value": 1, "branches": [{"value": 2, "branches": []}]}),
    ("numbers", "Numbers", by_pydantic, [1, 2, 3]),
    ("shapes", "Shapes", by_pydantic, {"shape": {"kind": "square", "side": 2.5}}),
    ("login", "Login", by_pydantic, {"user": "ada", "secret": "x"}),
    (
        "login",
        "Login",
        by_pydantic,
        {"user": "ada", "secret": "x", "pin": 7, "most": 1024, "parts": [1, 2]},
    ),
    ("either", "Either", by_pydantic, {"one": {"kind": "bar", "radius": 3}}),
    ("either", "Either", by_pydantic, {"one": {"kind": "disc"}}),
    ("either", "Either", by_pydantic, {"one": {"radius": 0.5}}),
]


@pytest.mark.parametrize("lenient", [False, True], ids=["generated", "reference"])
@pytest.mark.parametrize("as_text", [False, True], ids=["decoded", "text"])
@pytest.mark.parametrize(("name", "kind", "build", "value"), CASES)
def test_equals_the_library(
    echoes: ModuleType,
    name: str,
    kind: str,
    build: Any,
    value: object,
    as_text: bool,
    lenient: bool,
) -> None:
    """Whatever way the call takes, the tool gets what the class's library would build."""
    arguments: Any = {"value": value}
    sent = json.dumps(arguments) if as_text else arguments
    answer = run(echoes, name, sent, lenient=lenient)
    assert isinstance(answer, Ok), str(answer)
    expected = build(getattr(echoes, kind), value)
    assert answer.value == expected
    assert type(answer.value) is type(expected)


def test_a_tag_picks_the_struct(echoes: ModuleType) -> None:
    """msgspec's tag is a property of the schema, and picks the class."""
    for value in ({"type": "Cat", "lives": 3}, {"type": "Dog", "tricks": ["sit"]}):
        answer = run(echoes, "animal", {"value": value})
        assert isinstance(answer, Ok), str(answer)
        assert answer.value == msgspec.convert(value, echoes.Cat | echoes.Dog)


def test_a_typed_dict_with_a_record(echoes: ModuleType) -> None:
    """A TypedDict stays a dict; what it holds is built."""
    answer = run(echoes, "parcel", {"value": {"weight": 2, "at": {"x": 1}}})
    assert isinstance(answer, Ok), str(answer)
    assert answer.value == {"weight": 2.0, "at": echoes.Point(1.0, 0.5)}
    assert type(answer.value["weight"]) is float


def test_a_generic_class(echoes: ModuleType) -> None:
    """The type argument reaches the field."""
    answer = run(echoes, "boxed", {"value": {"content": "a/b"}})
    assert isinstance(answer, Ok), str(answer)
    assert answer.value.content.parts == ("a", "b")
