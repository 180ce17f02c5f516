"""Names of properties that a vendor refuses: what they are sent as, and the way back."""

from __future__ import annotations

import copy
import json
import random
from typing import Any

import pytest

from tests.formats.tool_definitions import (
    INTEGER,
    STRING,
    array,
    field,
    fixed,
    literal,
    mapping,
    nullable,
    obj,
    parameter,
    ref,
    tool,
    union,
)
from toolcall import Function, Ok, formats, run
from toolcall._bind import BoundTool
from toolcall._coerce import decode
from toolcall._signature import _LONGEST, signature_of
from toolcall.formats._properties import SAFE, are_safe, is_safe, sent_names, spellings
from toolcall.formats._tables import ALL

RULES = [dialect.property_name for dialect in ALL if dialect.property_name is not None]


def typed(name: str, extra: Any = None, **fields: Any) -> Any:
    """A TypedDict of fields that are all required, by their wire names."""
    more = {} if extra is None else {"extra": extra}
    return obj(name, *(field(n, t) for n, t in fields.items()), style="typeddict", **more)


def bound(definition: Any) -> BoundTool:
    return BoundTool(definition["tool"], definition["types"], lambda **k: k, "app", "app")


def property_names(schema: Any) -> set[str]:
    """The names of properties anywhere in a schema."""
    if isinstance(schema, list):
        return set().union(*map(property_names, schema))
    if not isinstance(schema, dict):
        return set()
    found = set(schema.get("properties", {}))
    return found.union(*map(property_names, schema.values()))


def schema_of(name: str, definition: Any) -> Any:
    (rendered,) = formats.get(name).render_tools([definition])
    for key in ("function", "toolSpec"):
        rendered = rendered.get(key, rendered)
    if "functionDeclarations" in rendered:
        (rendered,) = rendered["functionDeclarations"]
        return rendered.get("parametersJsonSchema") or rendered["parameters"]
    for key in ("parameters", "input_schema", "inputSchema"):
        if key in rendered:
            return rendered[key].get("json", rendered[key])
    raise AssertionError(rendered)


QUERY = tool(
    "query",
    parameter("filter", STRING, wire="$filter"),
    parameter("dotted", INTEGER, wire="page.size", required=False, default=5),
    parameter("item", nullable(union(ref("A"), ref("B")))),
    parameter("items", array(ref("A"))),
    parameter("pair", fixed(ref("A"), STRING, rest=ref("B"))),
    parameter("by", mapping(STRING, ref("A"))),
    types={
        "A": typed("A", **{"@type": literal("a"), "x y": INTEGER}),
        "B": typed("B", **{"@type": literal("b"), "n": ref("C")}),
        "C": typed("C", größe=INTEGER),
    },
)
OWN = {
    "$filter": "x",
    "page.size": 7,
    "item": {"@type": "b", "n": {"größe": 1}},
    "items": [{"@type": "a", "x y": 1}],
    "pair": [{"@type": "a", "x y": 1}, "_type", {"@type": "b", "n": {"größe": 2}}],
    "by": {"_type": {"@type": "a", "x y": 1}},
}
SENT = {
    "_filter": "x",
    "page_size": 7,
    "item": {"_type": "b", "n": {"gr__e": 1}},
    "items": [{"_type": "a", "x_y": 1}],
    "pair": [{"_type": "a", "x_y": 1}, "_type", {"_type": "b", "n": {"gr__e": 2}}],
    "by": {"_type": {"_type": "a", "x_y": 1}},
}


@pytest.mark.parametrize("name", formats.NAMES)
def test_no_schema_has_a_name_that_its_vendor_refuses(name: str) -> None:
    """What a vendor takes stays; what it refuses is sent under a name that it takes."""
    schema = schema_of(name, QUERY)
    rule = formats.get(name).DIALECT.property_name
    names = property_names(schema)
    if rule is None:
        assert {"$filter", "page.size", "@type", "größe"} <= names
        return
    assert {"_filter", "_type", "gr__e"} <= names
    assert ("page.size" in names) is ("." in rule.extra)
    assert set(schema["required"]) <= set(schema["properties"])
    assert "_filter" in schema["required"]


@pytest.mark.parametrize("arguments", [OWN, SENT, {**SENT, "items": OWN["items"]}])
@pytest.mark.parametrize("as_text", [False, True])
def test_both_names_are_understood(arguments: Any, as_text: bool) -> None:
    """Arguments under either name are decoded alike, and are not changed themselves."""
    before = copy.deepcopy(arguments)
    made = bound(QUERY)
    found = decode(made, json.loads(json.dumps(arguments)) if as_text else arguments)
    assert not isinstance(found, list), found
    assert found == decode(bound(QUERY), OWN)
    assert arguments == before


def test_a_name_beside_its_own_is_unknown() -> None:
    """Under both names at once the second is an unknown one, not a second value."""
    found = decode(bound(QUERY), {**OWN, "_filter": "y"})
    assert isinstance(found, list)
    assert [(problem.code, problem.path) for problem in found] == [("unknown_argument", "/_filter")]


def test_keys_of_mappings_and_values_stay() -> None:
    """Only properties have other names: the keys of a mapping are data."""
    found = decode(bound(QUERY), SENT)
    assert not isinstance(found, list)
    assert list(found[1]["by"]) == ["_type"]
    assert found[1]["pair"][1] == "_type"


def test_names_that_come_out_the_same_are_told_apart() -> None:
    """No two names of a tool have one other name, and none has that of another property."""
    sent = spellings(["a b", "a.b", "a_b", "$", "_"])
    assert sorted(sent) == ["$", "a b", "a.b"]
    assert len({*sent.values(), "a_b", "_"}) == 5
    assert all(text.startswith(("a_b_", "__")) for text in sent.values())


def test_beside_unknown_keys_a_name_is_not_guessed() -> None:
    """Where any key may come, another name is one that nobody sends by chance."""
    extra = parameter("kw", INTEGER, kind="var_keyword")
    (sent,) = sent_names(tool("f", parameter("a", STRING, wire="$a"), extra)).values()
    assert len(sent) == len("_a_") + 8
    types = {"A": typed("A", extra=INTEGER, **{"$a": STRING})}
    definition = tool("f", parameter("a", ref("A")), types=types)
    (sent,) = sent_names(definition).values()
    assert len(sent) == len("_a_") + 8


def test_whatever_the_names_nothing_is_lost() -> None:
    """Random names: legal everywhere, all different, and the same in any order."""
    source = random.Random(6)
    for _ in range(2000):
        texts = ("".join(source.choices("ab_.$ -ü9", k=source.randrange(4))) for _ in range(8))
        names = sorted({*texts, "x" * source.choice([64, 65, 80])})
        is_open = source.random() < 0.3
        sent = spellings(names, is_open=is_open)
        assert sent == spellings(source.sample(names, len(names)), is_open=is_open)
        assert set(sent) == {name for name in names if not is_safe(name)}
        assert are_safe(list(sent.values()))
        assert len({*names, *sent.values()}) == len(names) + len(sent)


def test_what_is_safe_is_taken_by_all() -> None:
    """A safe name obeys every rule of every dialect; one length is written in two places."""
    assert SAFE.longest == _LONGEST
    for rule in RULES:
        assert rule.head in {None, SAFE.head}
        assert set(SAFE.extra) <= set(rule.extra)
        assert rule.longest is None or rule.longest >= _LONGEST
    for name in ["a", "_", "a9", "9a", "", "ä", "a b", "x" * 64, "x" * 65, "class"]:
        assert are_safe([name]) is is_safe(name)


def test_tools_with_plain_names_pay_nothing() -> None:
    """Where every vendor takes every name there is nothing to do at a call."""
    assert signature_of(bound(tool("f", parameter("a", STRING)))).own_names is None
    assert signature_of(bound(QUERY)).own_names is not None


NODE = {"$ref": "#/$defs/Node"}
GIVEN: dict[str, Any] = {
    "type": "object",
    "properties": {
        "$filter": {"type": "string"},
        "node": NODE,
        "any": {"anyOf": [NODE, {"type": "array", "items": NODE}]},
        "free": {"type": "object"},
    },
    "required": ["$filter"],
    "$defs": {
        "Node": {
            "type": "object",
            "properties": {"@id": {"type": "string"}, "next": NODE},
            "required": ["@id"],
        }
    },
}
CONDITIONS: dict[str, Any] = {
    "dependentRequired": {"$filter": ["node"]},
    "if": {"properties": {"$filter": {"const": {"$filter": 1}}}},
    "then": {"required": ["$filter"]},
}


def as_given(arguments: dict[str, Any]) -> Any:
    """A body that answers its arguments."""
    return dict(arguments)


@pytest.mark.parametrize("validate", [False, True])
def test_given_schemas(validate: bool) -> None:
    """A schema of the user's is renamed as a whole, and the body gets the schema's own names."""
    function = Function(name="f", schema=GIVEN, call=as_given, validate=validate)
    definition = function.__toolcall_definition__()
    schema = schema_of("anthropic", definition)
    assert property_names(schema) == {"_filter", "node", "any", "free", "_id", "next"}
    assert schema["required"] == ["_filter"]
    assert schema["$defs"]["Node"]["required"] == ["_id"]
    assert schema_of("mcp", definition)["properties"] == GIVEN["properties"]
    sent = {
        "_filter": "x",
        "node": {"_id": "1", "next": {"_id": "2"}},
        "any": [{"_id": "3"}],
        "free": {"_id": 1},
    }
    own = {
        "$filter": "x",
        "node": {"@id": "1", "next": {"@id": "2"}},
        "any": [{"@id": "3"}],
        "free": {"_id": 1},
    }
    for arguments in (sent, own, json.dumps(sent)):
        assert run([function], "f", arguments) == Ok(own)


def test_conditions_of_given_schemas() -> None:
    """Conditions name properties too; values that look like schemas stay."""
    definition: Any = tool("f", schema={**GIVEN, **CONDITIONS})
    schema = schema_of("anthropic", definition)
    assert schema["dependentRequired"] == {"_filter": ["node"]}
    assert schema["if"] == {"properties": {"_filter": {"const": {"$filter": 1}}}}
    assert schema["then"] == {"required": ["_filter"]}


def test_values_that_contain_themselves_end() -> None:
    """Arguments made by a program may be cyclic; that is a problem of theirs."""
    cyclic: dict[str, Any] = {"_id": "1"}
    cyclic["next"] = cyclic
    function = Function(name="f", schema=GIVEN, call=as_given, validate=True)
    answer = run([function], "f", {"_filter": "x", "node": cyclic})
    assert not isinstance(answer, Ok)
