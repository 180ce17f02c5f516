"""Calls that are made from a tool's types: good ones fit, bad ones do not, and say why."""

from __future__ import annotations

import copy
from dataclasses import dataclass
from enum import Enum, Flag
from typing import Any

import pytest

from tests.runtime.calling import (
    ANY,
    BOOLEAN,
    INTEGER,
    NULL,
    NUMBER,
    STRING,
    array,
    bound,
    enum,
    field,
    injected,
    literal,
    mapping,
    name_of,
    nullable,
    object_,
    parameter,
    stdlib,
    union,
)
from toolcall import _samples
from toolcall.errors import Misuse
from toolcall.testing import bad_calls, good_calls, problems, told


class Colour(Enum):
    RED = "red"
    BLUE = "blue"


class Mode(Flag):
    READ = 1
    WRITE = 2


@dataclass
class Item:
    name: str
    count: int = 1


@dataclass
class Node:
    value: int
    next: Any = None


FOREST_REF = {"kind": "ref", "name": "F"}
TREE_REF = {"kind": "ref", "name": "N"}
ITEM = object_("dataclass", Item, field("name", STRING), field("count", INTEGER, False))
TREE = object_(
    "dataclass",
    Node,
    field("value", INTEGER),
    field("next", nullable(TREE_REF)),
)
FLAG = {
    "kind": "flag",
    "cls": name_of(Mode),
    "members": [{"name": "READ", "value": 1}, {"name": "WRITE", "value": 2}],
}
FOREST = object_("dataclass", Node, field("value", INTEGER), field("next", array(FOREST_REF)))
TYPES = {"N": TREE, "F": FOREST}

NODES: dict[str, dict[str, Any]] = {
    "text": STRING,
    "short text": {"kind": "string", "max_length": 2},
    "long text": {"kind": "string", "min_length": 30},
    "pattern": {"kind": "string", "pattern": "^[A-Z]{2,3}-[0-9]+$"},
    "integer": INTEGER,
    "positive": {"kind": "integer", "gt": 0},
    "negative": {"kind": "integer", "lt": 0},
    "between": {"kind": "integer", "ge": -3, "le": 7},
    "one number": {"kind": "integer", "ge": 5, "le": 5},
    "tens": {"kind": "integer", "ge": 1, "lt": 30, "multiple_of": 10},
    "big": {"kind": "integer", "wire": "string_integer", "ge": 1},
    "number": {**NUMBER, "gt": 0.5, "le": 1.5},
    "boolean": BOOLEAN,
    "null": NULL,
    "any": ANY,
    **{name: stdlib(name) for name in _samples.STDLIB if name != "ip"},
    "bounded bytes": stdlib("bytes", min_length=1, max_length=4),
    "bounded decimal": stdlib("decimal", ge=1, le=9),
    "ip": stdlib("ip", cls="ipaddress:IPv4Address"),
    "network": stdlib("ip", cls="ipaddress:IPv6Network"),
    "literal": literal("a", 1, True),
    "enum": enum(Colour),
    "flag": FLAG,
    "list": array(INTEGER),
    "some": array(BOOLEAN, min_items=2, max_items=3),
    "set": array(literal("a", "b"), "set", max_items=2),
    "none allowed": array(STRING, max_items=0),
    "pair": {"kind": "tuple", "prefix": [STRING, INTEGER]},
    "pair and more": {"kind": "tuple", "prefix": [STRING], "rest": INTEGER},
    "mapping": mapping(INTEGER),
    "numbered": mapping(STRING, INTEGER),
    "two": mapping(INTEGER, min_properties=2, max_properties=2),
    "object": ITEM,
    "objects": array(ITEM),
    "open": {**ITEM, "extra": INTEGER},
    "or null": nullable(ITEM),
    "union": union(INTEGER, array(STRING)),
    "many": literal(*range(20)),
    "many in a set": array(literal("a", "b"), "set", min_items=2),
    "half a step": {"kind": "integer", "ge": 1, "multiple_of": 5},
    "forest": {"kind": "ref", "name": "F"},
    "tree": {"kind": "ref", "name": "N"},
}
HAVE_NO_WRONG = {"any"}
"""What takes everything."""


def source(*parameters: dict[str, Any], **more: Any) -> Any:
    """A tool `f` with these parameters, that must not run."""

    def f(*args: Any, **keywords: Any) -> None:
        raise AssertionError("tests' calls are decoded and not run")

    bound(f, *parameters, types=copy.deepcopy(TYPES), **more)
    return f


@pytest.mark.parametrize("name", NODES)
def test_every_kind_has_good_and_bad_calls(name: str) -> None:
    """Good ones are taken, bad ones refused with problems where the change was made."""
    f = source(parameter("x", NODES[name]))
    calls = good_calls(f, "f")
    assert calls
    for call in calls:
        assert problems(f, "f", call) == ()
    bad = bad_calls(f, "f")
    places = [call for call in bad if call.change.startswith("/x") and "missing" not in call.change]
    assert bool(places) is (name not in HAVE_NO_WRONG)
    for call in bad:
        assert problems(f, "f", call.arguments) == call.problems
        assert call.text == told(f, "f", call.arguments) != ""


def test_the_fewest_arguments_come_first_and_all_are_tried() -> None:
    """The required ones; every one; and each choice in some call."""
    f = source(
        parameter("kind", literal("a", "b")),
        parameter("often", BOOLEAN, required=False, wire="howOften"),
        parameter("rest", INTEGER, required=False, kind="var_keyword"),
        injected=[injected("user")],
    )
    calls = good_calls(f, "f")
    assert calls[0] == {"kind": "a"}
    assert {"kind": "b", "howOften": True} in calls
    assert {call["kind"] for call in calls} == {"a", "b"}
    assert not any("nonsense" in call.change for call in bad_calls(f, "f"))


def test_changes_are_told_as_places() -> None:
    """What was done to a good call, down into objects and lists of them."""
    f = source(parameter("items", array(ITEM)))
    changes = {str(call): {p.code for p in call.problems} for call in bad_calls(f, "f")}
    assert changes["/items is missing"] == {"missing_argument"}
    assert changes["/items/0/name is missing"] == {"missing_argument"}
    assert changes["/items/0/name is 7"] == {"expected_string"}
    assert changes["/items/0/nonsense is unknown"] == {"unknown_argument"}
    assert changes["/nonsense is unknown"] == {"unknown_argument"}


def test_what_cannot_be_guessed_is_asked_for_and_can_be_given() -> None:
    """A rare pattern, a class with checks of its own, a type that never ends."""
    rare = parameter("code", {"kind": "string", "pattern": "^Q{7}$"})
    with pytest.raises(Misuse, match="values="):
        good_calls(source(rare), "f")
    assert good_calls(source(rare), "f", values={"code": "QQQQQQQ"}) == [{"code": "QQQQQQQ"}]
    with pytest.raises(Misuse, match="refused"):
        good_calls(source(rare), "f", values={"code": "q"})
    either = parameter("code", union({"kind": "string", "pattern": "^Q{7}$"}, INTEGER))
    assert {"code": 0} in good_calls(source(either), "f")
    with pytest.raises(Misuse, match="no value that fits"):
        good_calls(source(parameter("x", array(BOOLEAN, "set", min_items=3))), "f")
    endless = object_("dataclass", Node, field("next", {"kind": "ref", "name": "E"}))
    f = source(parameter("x", {"kind": "ref", "name": "E"}))
    f.__toolcall__.bound.types["E"] = endless
    with pytest.raises(Misuse, match="requires itself"):
        good_calls(f, "f")


def test_problems_and_texts_of_ones_own_arguments() -> None:
    """Arguments as `run` takes them, JSON text and lenient repair included."""
    f = source(parameter("n", INTEGER))
    assert told(f, "f", {"n": 1}) == ""
    assert 'expected integer, got "1"' in told(f, "f", '{"n": "1"}')
    assert problems(f, "f", '{"n": "1"}', lenient=True) == ()
    assert [problem.code for problem in problems(f, "f", "{")] == ["invalid_json"]


def test_tools_that_cannot_be_tested_this_way() -> None:
    """An unknown name, and a tool that decodes by itself, are misuse."""
    with pytest.raises(Misuse, match="there are f"):
        good_calls(source(), "g")
    with pytest.raises(Misuse, match="by itself"):
        told(source(options={"whole": True}), "f", {})
