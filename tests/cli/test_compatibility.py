"""What `toolcall diff` says of two schemas, and that it overlooks nothing that breaks."""

from __future__ import annotations

from typing import Any

import pytest

pytest.importorskip("typer")

import jsonschema
from hypothesis import given, settings
from hypothesis import strategies as st

from toolcall._cli.compatibility import Comparison

STRING, INTEGER, NUMBER = {"type": "string"}, {"type": "integer"}, {"type": "number"}


def closed(required: tuple[str, ...] = (), **properties: Any) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(required),
        "additionalProperties": False,
    }


def enum(*values: object) -> dict[str, Any]:
    return {"type": "string", "enum": list(values)}


BREAKING = [
    (closed(a=STRING), closed(), "/a: removed"),
    (closed(a=STRING), closed(b=STRING), "/a: removed (renamed to 'b'?)"),
    (closed(), closed(("a",), a=STRING), "/a: added, required"),
    (closed(a=STRING), closed(("a",), a=STRING), "/a: became required"),
    (closed(a=STRING), closed(a=INTEGER), "/a: does not accept string any more"),
    (closed(a=NUMBER), closed(a=INTEGER), "/a: does not accept number any more"),
    (closed(a=enum("x", "y")), closed(a=enum("y")), "/a: does not accept 'x' any more"),
    (closed(a=STRING), closed(a=enum("y")), "/a: accepts only 'y' now"),
    (closed(a={}), closed(a=STRING), "/a: accepted anything, now only string"),
    (closed(a=INTEGER), closed(a=INTEGER | {"minimum": 1}), "/a: minimum none → 1"),
    (
        closed(a=INTEGER | {"maximum": 9}),
        closed(a=INTEGER | {"maximum": 8}),
        "/a: maximum 9 → 8",
    ),
    (closed(a=STRING), closed(a=STRING | {"pattern": "^a"}), "/a: pattern none → ^a"),
    (
        closed(a={"type": "array", "items": STRING}),
        closed(a={"type": "array", "items": INTEGER}),
        "/a/*: does not accept string any more",
    ),
    (
        closed(a={"type": ["string", "null"]}),
        closed(a=STRING),
        "/a: does not accept null any more",
    ),
    (
        {"type": "object"},
        {"type": "object", "additionalProperties": False},
        ": does not accept unknown keys any more",
    ),
    (
        closed(a={"anyOf": [closed(x=STRING), closed(y=STRING)]}),
        closed(a={"anyOf": [closed(x=STRING), closed(z=STRING)]}),
        "/a: one kind of object is not accepted any more",
    ),
    (
        closed(a={"$ref": "#/$defs/t"}) | {"$defs": {"t": STRING}},
        closed(a={"$ref": "#/$defs/t"}) | {"$defs": {"t": INTEGER}},
        "/a: does not accept string any more",
    ),
]
SAFE = [
    (closed(), closed(a=STRING), "/a: added, optional"),
    (closed(("a",), a=STRING), closed(a=STRING), "/a: became optional"),
    (closed(a=INTEGER), closed(a=NUMBER), "/a: integer became number"),
    (closed(a=enum("x")), closed(a=enum("x", "y")), "/a: accepts 'y' now"),
    (closed(a=enum("x")), closed(a=STRING), "/a: accepts every string now"),
    (closed(a=STRING), closed(a={}), "/a: accepts anything now"),
    (closed(a=STRING), closed(a={"type": ["string", "null"]}), "/a: accepts null now"),
    (closed(a=STRING), closed(a=STRING | {"description": "d"}), "/a: description added"),
    (closed(a=STRING | {"default": "d"}), closed(a=STRING), "/a: default removed"),
    (closed(a=INTEGER | {"minimum": 1}), closed(a=INTEGER), "/a: minimum 1 → none"),
    (closed(a=STRING | {"nullable": True}), closed(a={"type": ["string", "null"]}), None),
    (closed(a={"const": "x"}), closed(a={"enum": ["x"]}), None),
]


def said(old: dict[str, Any], new: dict[str, Any], *, breaking: bool) -> list[str]:
    changes = Comparison(old, new).changes()
    return [f"{each.path}: {each.message}" for each in changes if each.is_breaking is breaking]


@pytest.mark.parametrize(("old", "new", "message"), BREAKING)
def test_breaking_changes(old: dict[str, Any], new: dict[str, Any], message: str) -> None:
    """Each change that refuses a value accepted before is said to break, where it happened."""
    assert message in said(old, new, breaking=True)


@pytest.mark.parametrize(("old", "new", "message"), SAFE)
def test_safe_changes(old: dict[str, Any], new: dict[str, Any], message: str | None) -> None:
    """Each change that only widens is told, and breaks nothing."""
    assert said(old, new, breaking=True) == []
    assert said(old, new, breaking=False) == ([message] if message else [])


def test_recursive_types_end() -> None:
    """A type that contains itself is compared once."""
    node = closed(next={"anyOf": [{"$ref": "#/$defs/node"}, {"type": "null"}]}, value=STRING)
    old = closed(a={"$ref": "#/$defs/node"}) | {"$defs": {"node": node}}
    changed = node | {"properties": {**node["properties"], "value": INTEGER}}
    assert said(old, old, breaking=True) == []
    assert said(old, old | {"$defs": {"node": changed}}, breaking=True)[0].startswith("/a/")


SCALARS = st.one_of(
    st.sampled_from([STRING, INTEGER, NUMBER, {"type": "boolean"}, {"type": "null"}, {}]),
    st.sampled_from([enum("x"), enum("x", "y"), {"enum": [1, "x", None]}, {"const": 1}]),
    st.builds(lambda low: INTEGER | {"minimum": low}, st.integers(-1, 2)),
    st.builds(lambda high: NUMBER | {"exclusiveMaximum": high}, st.integers(-1, 2)),
    st.builds(lambda length: STRING | {"maxLength": length}, st.integers(0, 2)),
    st.just({"type": ["string", "null"]}),
)


def composed(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    names = st.sampled_from(["a", "b"])
    return st.one_of(
        st.builds(lambda items: {"type": "array", "items": items}, inner),
        st.builds(lambda prefix: {"type": "array", "prefixItems": prefix}, st.lists(inner)),
        st.builds(lambda branches: {"anyOf": branches}, st.lists(inner, min_size=1, max_size=3)),
        st.builds(
            lambda properties, required, extra: {
                "type": "object",
                "properties": properties,
                "required": sorted(required),
                "additionalProperties": extra,
            },
            st.dictionaries(names, inner),
            st.sets(names),
            st.booleans() | inner,
        ),
    )


SCHEMAS = st.recursive(SCALARS, composed, max_leaves=5)
VALUES = st.recursive(
    st.sampled_from([None, True, False, -1, 0, 1, 2, 0.5, "", "x", "y", "xyz"]),
    lambda inner: (
        st.lists(inner, max_size=2)
        | st.dictionaries(st.sampled_from(["a", "b", "c"]), inner, max_size=2)
    ),
    max_leaves=4,
)


@settings(max_examples=500, deadline=None)
@given(SCHEMAS, SCHEMAS, st.lists(VALUES, min_size=4, max_size=8))
def test_nothing_that_breaks_is_overlooked(old: Any, new: Any, values: list[Any]) -> None:
    """Where a value is accepted by the old schema and refused by the new, a change breaks."""
    before, after = (jsonschema.Draft202012Validator(each) for each in (old, new))
    if any(before.is_valid(value) and not after.is_valid(value) for value in values):
        assert any(change.is_breaking for change in Comparison(old, new).changes())


@given(SCHEMAS)
def test_a_schema_compared_with_itself_has_no_changes(schema: Any) -> None:
    """Nothing differs between a schema and itself, but for unions of one type."""
    breaking = [each for each in Comparison(schema, schema).changes() if each.is_breaking]
    assert breaking == []
