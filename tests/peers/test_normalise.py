"""What the comparison takes for equal, and what it does not."""

from __future__ import annotations

from typing import Any

import pytest

from tests.peers.compare import ABSENT, differences
from tests.peers.normalise import key, normalise

TEXT = {"type": "string"}
NODE = {
    "type": "object",
    "properties": {"next": {"$ref": "#/$defs/N"}},
    "$defs": {"N": {"type": "object", "properties": {"next": {"$ref": "#/$defs/N"}}}},
}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"type": "string", "title": "X", "examples": ["a"]}, TEXT),
        ({"type": "string", "nullable": True}, {"anyOf": [TEXT, {"type": "null"}]}),
        ({"type": ["string", "null"]}, {"oneOf": [{"type": "null"}, TEXT]}),
        ({"const": "a"}, {"type": "string", "enum": ["a"]}),
        ({"enum": ["b", "a", None]}, {"anyOf": [{"enum": ["a", "b"]}, {"type": "null"}]}),
        (
            {"anyOf": [TEXT, {"anyOf": [TEXT, {"type": "integer"}]}]},
            {"type": ["integer", "string"]},
        ),
        ({"type": "array", "items": {}}, {"type": "array"}),
        ({"type": "object", "additionalProperties": True}, {"type": "object"}),
        ({"allOf": [{"$ref": "#/$defs/T"}], "$defs": {"T": TEXT}}, TEXT),
        ({"anyOf": [{}, {"type": "null"}]}, {}),
        ({"minimum": 1.0, "type": "number"}, {"minimum": 1, "type": "number"}),
        (
            {"type": "array", "prefixItems": [TEXT], "minItems": 1, "maxItems": 1},
            {"type": "array", "prefixItems": [TEXT], "items": False},
        ),
    ],
)
def test_spellings_of_one_schema_are_equal(one: Any, other: Any) -> None:
    """Each row is one thing, said in two ways."""
    assert key(normalise(one)) == key(normalise(other))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"type": "integer"}, {"type": "number"}),
        ({"enum": [1]}, {"enum": [True]}),
        (TEXT, {"type": ["string", "null"]}),
        ({"type": "array", "items": TEXT}, {"type": "array"}),
        ({"type": "object", "additionalProperties": TEXT}, {"type": "object"}),
        (
            {"type": "object", "properties": {"title": TEXT}},
            {"type": "object", "properties": {"other": TEXT}},
        ),
    ],
)
def test_different_schemas_are_told_apart(one: Any, other: Any) -> None:
    """A property called like a dropped keyword is a property."""
    assert key(normalise(one)) != key(normalise(other))


def test_recursion_ends_where_it_began() -> None:
    """The reference is followed once and then marked."""
    found = normalise(NODE)["properties"]["next"]["properties"]["next"]
    assert found == {"recursion": "N"}


def test_prose_is_kept_on_demand() -> None:
    """With single spaces, and never as a part of the type."""
    schema = {"type": "string", "description": "a\n  b", "default": "x"}
    assert normalise(schema, prose=True) == {**TEXT, "description": "a b", "default": "x"}
    assert normalise(schema) == TEXT


def _answer(**properties: Any) -> dict[str, Any]:
    return {"description": "D.", "parameters": {"type": "object", "properties": properties}}


def test_only_a_majority_is_differed_from() -> None:
    """One peer is none, and neither are two that disagree."""
    text, number = _answer(a=TEXT), _answer(a={"type": "integer"})
    assert differences(number, {"one": text})[0] == []
    assert differences(number, {"one": text, "two": number})[0] == []
    [found] = differences(number, {"one": text, "two": text, "three": number})[0]
    assert (found.level, found.where, found.agreeing, found.answered) == ("type", "a", 2, 3)


def test_what_is_missing_differs() -> None:
    """A parameter that most peers have, and a default that they tell."""
    theirs = _answer(a={"type": "string", "default": "x"})
    found, compared = differences(_answer(), {"one": theirs, "two": theirs})
    assert {"parameters", "type", "default"} <= {one.level for one in found}
    assert [one.ours for one in found if one.level == "default"] == [ABSENT]
    assert compared["type"] == 1
