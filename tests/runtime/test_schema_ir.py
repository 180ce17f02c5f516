"""JSON Schema to IR: the decoders' verdict on it is that of an independent validator."""

from __future__ import annotations

import gzip
import json
import os
import warnings
from collections import Counter
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from toolcall._bind import BoundTool
from toolcall._coerce import decode
from toolcall._function import Function
from toolcall._schema_ir import MAX_DEPTH, convert, parameters
from toolcall._values import Context, Err
from toolcall.errors import ToolcallWarning

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolcall import ir

jsonschema = pytest.importorskip("jsonschema")

NEVER: ir.Type = {"kind": "literal", "values": []}
ANY: ir.Type = {"kind": "any"}


def accepts(schema: object, value: object) -> bool:
    """Whether our decoder takes a value for what became of a schema."""
    found = convert(schema)
    parameter: ir.Parameter = {
        "name": "v",
        "wire": "v",
        "kind": "keyword_only",
        "type": found.type,
        "required": True,
    }
    tool: ir.Tool = {
        "key": "t",
        "line": 0,
        "name": "t",
        "parameters": [parameter],
        "is_async": False,
        "binding": "function",
    }
    return not isinstance(decode(BoundTool(tool, found.types, None, "", ""), {"v": value}), list)


VALUES: list[Any] = [
    None, True, False, 0, 1, 2, 3, -1, 1.0, 1.5, 10, "", "a", "b", "abc", "1", "abcdef",
    [], [1], [1, 2], ["a"], ["a", 1], ["a", "b", "c"], [[1], [2]],
    {}, {"a": 1}, {"a": "x"}, {"b": 1}, {"a": 1, "b": 2}, {"a": {"a": 1}}, {"kind": "x", "n": 1},
    {"kind": "y", "n": "t"}, {"a": 1, "z": True},
]  # fmt: skip

EXACT: list[Any] = [
    True,
    {},
    {"type": "string", "minLength": 1, "maxLength": 3, "pattern": "^a"},
    {"type": "integer", "minimum": 1, "exclusiveMaximum": 3},
    {"type": "number", "exclusiveMinimum": 0, "maximum": 2.0, "multipleOf": 0.5},
    {"type": ["integer", "null"]},
    {"type": ["number", "integer", "string"]},
    {"type": "array", "items": {"type": "integer"}, "minItems": 1, "maxItems": 2},
    {"type": "array", "items": False},
    {"type": "array", "prefixItems": [{"type": "string"}, {"type": "integer"}], "minItems": 2},
    {"type": "array", "prefixItems": [{"type": "string"}], "items": False, "minItems": 1},
    {"type": "array", "prefixItems": [{}], "items": {"type": "integer"}, "minItems": 1},
    {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]},
    {"type": "object", "properties": {"a": True}, "additionalProperties": False},
    {"type": "object", "properties": {"a": {}}, "additionalProperties": {"type": "integer"}},
    {"type": "object", "required": ["b"], "additionalProperties": {"type": "integer"}},
    {"type": "object", "additionalProperties": {"type": "integer"}, "maxProperties": 1},
    {"type": "object", "propertyNames": {"maxLength": 1}, "minProperties": 1},
    {"type": "object", "propertyNames": {"enum": ["a"]}},
    {"type": "object", "additionalProperties": False},
    {"enum": ["a", 1, None]},
    {"enum": [1.0]},
    {"const": True},
    {"enum": []},
    {"type": "string", "enum": ["a", 1]},
    {"type": "array", "enum": ["a"]},
    {"anyOf": [{"type": "string"}, {"type": "integer"}]},
    {"anyOf": [{"type": "string"}, {"type": "null"}]},
    {"anyOf": [{"anyOf": [{"type": "string"}]}, {"type": ["null", "boolean"]}, False]},
    {"anyOf": [False]},
    {"oneOf": [{"type": "string"}, {"type": "integer"}, {"type": "null"}, {"type": "object"}]},
    {
        "oneOf": [
            {"type": "object", "properties": {"kind": {"const": "x"}}, "required": ["kind"]},
            {"type": "object", "properties": {"kind": {"const": "y"}}, "required": ["kind"]},
        ]
    },
    {"oneOf": [{"type": "array", "prefixItems": [{}], "minItems": 1}, {"enum": ["a", 1]}]},
    {"oneOf": [{"type": "array"}, {"enum": [True, None]}]},
    {
        "oneOf": [{"$ref": "#/$defs/s"}, {"type": ["boolean", "null"]}],
        "$defs": {"s": {"type": "string"}},
    },
    {
        "oneOf": [{"$ref": "#/$defs/x"}, {"$ref": "#/$defs/y"}],
        "$defs": {
            "x": {"type": "object", "properties": {"kind": {"const": "x"}}, "required": ["kind"]},
            "y": {
                "type": "object",
                "properties": {"n": {"const": 1}, "kind": {"enum": ["y", "z"]}},
                "required": ["n", "kind"],
            },
        },
    },
    {"anyOf": [{"type": "string"}, {}]},
    {"anyOf": [{"type": "null"}, {"type": "null"}]},
    {"anyOf": [{"type": "string"}, {"type": "string"}]},
    {"$ref": "#/x-list/1", "x-list": [True, {"type": "string"}]},
    {"type": ["string", "null"], "enum": ["a", None, 1]},
    {"allOf": [{"type": "string", "minLength": 1}, {"type": "string", "maxLength": 2}]},
    {
        "oneOf": [
            {
                "type": "object",
                "properties": {"n": {"const": 1}, "kind": {"const": kind}},
                "required": ["n", "kind"],
            }
            for kind in "xy"
        ]
    },
    {"$ref": "#/$defs/x", "$defs": {"x": {"type": ["string", "null"]}}},
    {"const": None},
    False,
    {"minimum": 2},
    {"minLength": 2},
    {"properties": {"a": {"type": "integer"}}},
    {"items": {"type": "integer"}},
    {"required": ["a"]},
    {"allOf": [{"type": "integer"}, {"minimum": 2}]},
    {"allOf": [{"required": ["a"]}, {"required": ["b"]}], "type": "object"},
    {
        "type": "object",
        "allOf": [
            {"properties": {"a": {"type": "integer"}}},
            {"properties": {"b": {"type": "integer"}}, "required": ["b"]},
        ],
    },
    {"allOf": [{"$ref": "#/$defs/i"}], "$defs": {"i": {"type": "integer"}}},
    {"allOf": [{"$ref": "#/$defs/i"}, {"maximum": 2}], "$defs": {"i": {"type": "integer"}}},
    {"$ref": "#/$defs/i", "minimum": 2, "$defs": {"i": {"type": "integer"}}},
    {"$ref": "#/$defs/i", "description": "d", "$defs": {"i": {"$ref": "#/$defs/j"}, "j": True}},
    {
        "type": "object",
        "properties": {"a": {"anyOf": [{"$ref": "#"}, {"type": "integer"}]}},
        "additionalProperties": False,
    },
    {"then": {"type": "string"}, "minContains": 2},
    {"if": {"type": "string"}},
    {"x-order": 3, "format": "date", "title": "T", "deprecated": True, "type": "string"},
]


@pytest.mark.parametrize("schema", EXACT, ids=lambda schema: json.dumps(schema)[:60])
def test_verdicts(schema: Any) -> None:
    """For what the IR can say, nothing is unchecked and both agree on every value."""
    assert convert(schema).unchecked == ()
    validator = jsonschema.Draft202012Validator(schema)
    ours = [value for value in VALUES if accepts(schema, value)]
    theirs = [value for value in VALUES if validator.is_valid(value)]
    assert list(map(repr, ours)) == list(map(repr, theirs))


UNCHECKED = [
    ({"not": {"type": "string"}}, ["/not"]),
    ({"if": {}, "then": False}, ["/if", "/then"]),
    ({"type": "array", "contains": {}, "minContains": 2}, ["/contains", "/minContains"]),
    ({"type": "array", "uniqueItems": True}, ["/uniqueItems"]),
    ({"type": "array", "prefixItems": [{}]}, ["/prefixItems"]),
    ({"type": "array", "prefixItems": [{}], "minItems": 1, "maxItems": 3}, ["/prefixItems"]),
    (
        {"type": "object", "patternProperties": {"^a": {}}, "additionalProperties": False},
        ["/additionalProperties", "/patternProperties"],
    ),
    ({"type": "object", "dependentRequired": {"a": ["b"]}}, ["/dependentRequired"]),
    ({"type": "object", "properties": {"a": {}}, "maxProperties": 1}, ["/maxProperties"]),
    ({"required": ["a"], "propertyNames": {"pattern": "a"}}, ["/propertyNames"]),
    ({"type": "object", "propertyNames": {"not": {}}}, ["/propertyNames/not"]),
    ({"type": "object", "propertyNames": {"type": "integer"}}, ["/propertyNames"]),
    ({"type": "object", "required": ["a"], "additionalProperties": False}, ["/required"]),
    ({"type": "object", "properties": [], "required": "a"}, ["/properties", "/required"]),
    ({"oneOf": [{"type": "integer"}, {"minimum": 2}]}, ["/oneOf"]),
    ({"oneOf": [{"type": "integer"}, {"type": "number"}]}, ["/oneOf"]),
    ({"oneOf": [{"type": "object"}, {"type": "object", "required": ["a"]}]}, ["/oneOf"]),
    ({"$ref": "#/x-list/7", "x-list": [True]}, ["/$ref"]),
    ({"$ref": "#/x-list/x", "x-list": [True]}, ["/$ref"]),
    ({"allOf": [{"$ref": "#/nowhere"}, {"type": "string"}]}, ["/allOf"]),
    ({"allOf": [{"allOf": 3}, {"type": "string"}]}, ["/allOf"]),
    ({"allOf": [{"type": "string", "$ref": "#"}, {"minLength": 1}]}, ["/allOf"]),
    ({"allOf": [{"properties": {"a": {}}}, {"properties": {"a": {"type": "string"}}}]}, ["/allOf"]),
    ({"anyOf": [{"required": ["a"]}], "type": "object"}, ["/anyOf"]),
    ({"anyOf": "x"}, ["/anyOf"]),
    ({"allOf": [{"minimum": 1}, {"minimum": 2}]}, ["/allOf"]),
    ({"allOf": [False]}, ["/allOf"]),
    (
        {"allOf": [{"properties": {"a": {}}}, {"additionalProperties": False}]},
        ["/allOf"],
    ),
    ({"enum": [[1], {}]}, ["/enum"]),
    ({"const": [1], "type": "array"}, ["/const"]),
    ({"enum": "abc"}, ["/enum"]),
    ({"enum": ["a"], "minLength": 3}, ["/minLength"]),
    ({"type": "text"}, ["/type"]),
    ({"type": []}, ["/type"]),
    ({"type": "string", "pattern": "\\p{Letter}"}, ["/pattern"]),
    ({"type": "string", "pattern": 3}, ["/pattern"]),
    ({"type": "string", "minLength": "3"}, ["/minLength"]),
    ({"type": "string", "maxLength": 2.5}, ["/maxLength"]),
    ({"type": "integer", "minimum": "3"}, ["/minimum"]),
    ({"type": "integer", "maximum": float("inf")}, ["/maximum"]),
    ({"minLenght": 3}, ["/minLenght"]),
    ({"$ref": "https://example.org/s"}, ["/$ref"]),
    ({"$ref": "#/nowhere"}, ["/$ref"]),
    ({"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/a"}}}, ["/$ref"]),
    ({"$ref": "#/$defs/a", "minimum": 1, "$defs": {"a": {"minimum": 2}}}, ["/$ref"]),
    ({"properties": {"a/b~c": {"not": {}}}}, ["/properties/a~1b~0c/not"]),
    ({"type": "array", "items": 3}, ["/items"]),
    (3, ["/"]),
]  # fmt: skip


@pytest.mark.parametrize(("schema", "unchecked"), UNCHECKED, ids=lambda case: str(case)[:60])
def test_unchecked(schema: Any, unchecked: list[str]) -> None:
    """What is not enforced is named by its pointer, and makes nothing narrower."""
    assert sorted(convert(schema).unchecked) == unchecked
    try:
        validator = jsonschema.Draft202012Validator(schema)
        valid = [value for value in VALUES if validator.is_valid(value)]
    except Exception:  # not a schema: there is nothing to compare with
        return
    assert [value for value in valid if not accepts(schema, value)] == []


def test_older_drafts() -> None:
    """Boolean exclusive bounds, lists of items, and OpenAPI's nullable."""
    assert convert({"type": "integer", "minimum": 1, "exclusiveMinimum": True}).type == {
        "kind": "integer",
        "gt": 1,
    }
    listed = {"type": "array", "items": [{"type": "string"}], "minItems": 1}
    assert accepts(listed, ["a", 1])
    assert not accepts(listed, [1])
    assert accepts({**listed, "additionalItems": {"type": "integer"}}, ["a", 1])
    assert not accepts({**listed, "additionalItems": False}, ["a", 1])
    for schema in (
        {"type": "string", "nullable": True},
        {"enum": ["a"], "nullable": True},
        {"anyOf": [{"type": "string"}], "nullable": True},
        {"$ref": "#/$defs/s", "nullable": True, "$defs": {"s": {"type": "string"}}},
    ):
        assert accepts(schema, None), schema
        assert not accepts(schema, 1), schema
        assert convert(schema).unchecked == ()


def test_descriptions_and_defaults() -> None:
    """Descriptions stand on the parameter; a default is the model's business alone."""
    schema = {
        "type": "object",
        "description": "All",
        "properties": {"x": {"type": "integer", "description": "An x", "default": 3}},
    }
    (x, extra), _ = parameters(schema)
    assert x == {
        "name": "x",
        "wire": "x",
        "kind": "keyword_only",
        "type": {"kind": "integer"},
        "required": False,
        "doc": "An x",
    }
    assert (extra["kind"], extra["name"]) == ("var_keyword", "extra")


def test_names_of_extra_arguments() -> None:
    listed, _ = parameters({"properties": {"extra": {}, "extra_": {}}})
    assert [p["name"] for p in listed] == ["extra", "extra_", "extra__"]


@pytest.mark.parametrize(
    ("schema", "unchecked"),
    [
        ({}, ()),
        ({"additionalProperties": {"type": "integer"}}, ()),
        ({"maxProperties": 2}, ("/",)),
        ({"anyOf": [{"required": ["a"]}]}, ("/anyOf",)),
        ({"$ref": "#/$defs/a", "$defs": {"a": {"properties": {"x": {}}}}}, ()),
    ],
)
def test_roots(schema: dict[str, Any], unchecked: tuple[str, ...]) -> None:
    """A root that is not a plain object takes every argument, and says so."""
    listed, found = parameters(schema)
    assert found.unchecked == unchecked
    assert listed[-1]["kind"] == "var_keyword"


def test_names_of_definitions() -> None:
    """Named types have short names; two of one name, and recursion at the root, stay apart."""
    schema = {
        "title": "Tree of things",
        "type": "object",
        "properties": {"a": {"$ref": "#/$defs/x"}, "b": {"$ref": "#/other/x"}, "c": {"$ref": "#"}},
        "$defs": {"x": {"type": "string"}},
        "other": {"x": {"type": "integer"}},
    }
    assert set(convert(schema).types) == {"x", "x_2", "Tree_of_things"}


def test_references_that_are_true() -> None:
    """A target that says nothing is no name in the table."""
    nothing = {"$ref": "#/$defs/a", "$defs": {"a": True}}
    assert (convert(nothing).type, convert(nothing).types) == (ANY, {})
    both = {"allOf": [{"$ref": "#/$defs/a"}, {"type": "string"}], "$defs": {"a": True}}
    assert convert(both).type == {"kind": "string"}
    assert convert(False).type == NEVER


def test_long_chains_of_references_are_given_up() -> None:
    """Whoever nests conjunctions without end gets an answer, and it says what is missing."""
    chain = {str(n): {"allOf": [{"$ref": f"#/$defs/{n + 1}"}]} for n in range(60)}
    chain["60"] = {"type": "string"}  # type: ignore[dict-item]
    schema = {"allOf": [{"$ref": "#/$defs/0"}, {"minLength": 1}], "$defs": chain}
    assert convert(schema).unchecked
    inner: dict[str, Any] = {"type": "string"}
    for _ in range(60):
        inner = {"allOf": [inner]}
    assert convert(inner).type["kind"] in ("string", "any")


def test_hostile_schemas() -> None:
    """Depth, self-reference and repetition are bounded, and nothing is dropped silently."""
    deep: dict[str, Any] = {}
    for _ in range(5_000):
        deep = {"items": deep}
    assert len(convert(deep).unchecked) == 1
    left = {"$defs": {"a": {"anyOf": [{"$ref": "#/$defs/a"}, {"type": "string"}]}}}
    assert convert({"$ref": "#/$defs/a", **left}).unchecked == ("/a",)
    itself = {"$ref": "#/$defs/a"}
    twice = {"$ref": "#/$defs/a", "$defs": {"a": {"allOf": [itself, itself]}}}
    assert convert(twice).unchecked
    many = {"$ref": "#/$defs/a", "$defs": {"a": {"allOf": [itself] * 1_000}}}
    assert convert(many).unchecked
    assert MAX_DEPTH < 1_000


# Schemas that nobody wrote

SCALARS = [None, True, False, 0, 1, 1.5, -1, "", "a", "abc", 2**70, 1e300]
INNER = ("additionalProperties", "propertyNames", "items", "not", "if", "then", "contains")
LISTS = ("anyOf", "oneOf", "allOf", "prefixItems")
NUMBERS = ("minLength", "maxItems", "minItems", "minimum", "exclusiveMaximum", "minProperties")
TYPES = ["string", "integer", "number", "null", "boolean", "array", "object", ["string", "null"]]


def any_value(random: Random, depth: int) -> Any:
    if depth == 0 or random.random() < 0.5:
        return random.choice(SCALARS)
    if random.random() < 0.4:
        return [any_value(random, depth - 1) for _ in range(random.randrange(3))]
    return {random.choice("abc"): any_value(random, depth - 1) for _ in range(random.randrange(3))}


def any_schema(random: Random, depth: int) -> Any:
    if depth == 0:
        return random.choice([True, {}, *({"type": type_} for type_ in TYPES)])
    made: dict[str, Any] = {}
    for kind in random.sample(["type", "enum", "properties", "$ref", "list", "inner", "number"], 2):
        match kind:
            case "type":
                made["type"] = random.choice(TYPES)
            case "enum":
                made["enum"] = [any_value(random, 1) for _ in range(random.randrange(1, 4))]
            case "properties":
                made["properties"] = {random.choice("abc"): any_schema(random, depth - 1)}
                made["required"] = random.sample("abc", random.randrange(2))
            case "$ref":
                made["$ref"] = random.choice(["#", "#/$defs/a", "#/$defs/b"])
            case "list":
                listed = [any_schema(random, depth - 1) for _ in range(random.randrange(1, 4))]
                made[random.choice(LISTS)] = listed
            case "inner":
                made[random.choice(INNER)] = random.choice([False, any_schema(random, depth - 1)])
            case "number":
                made[random.choice(NUMBERS)] = random.randrange(3)
    return made


def test_any_schema() -> None:
    """Never narrower than a validator, and exact where nothing is unchecked."""
    random = Random(7)
    compared = 0
    for _ in range(200):
        schema = any_schema(random, 3)
        if isinstance(schema, dict):
            schema["$defs"] = {"a": any_schema(random, 2), "b": any_schema(random, 2)}
        exact = convert(schema).unchecked == ()
        validator = jsonschema.Draft202012Validator(schema)
        for value in (any_value(random, 3) for _ in range(3)):
            try:
                valid = validator.is_valid(value)
            except Exception:  # the validator follows references in circles
                continue
            taken = accepts(schema, value)
            null_left_out = taken and not valid and "null" in json.dumps(value)
            assert taken or not valid, (schema, value)
            assert not exact or taken is valid or null_left_out, (schema, value)
            compared += exact
    assert compared > 60


# The recorded calls and the standard's own tests


def corpus(name: str) -> Iterator[dict[str, Any]]:
    folder = os.environ.get("TOOLCALL_CORPORA")
    if not folder:
        pytest.skip("TOOLCALL_CORPORA does not name a folder with the corpora")
    with gzip.open(Path(folder) / name, "rt", encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def without_null_options(arguments: dict[str, Any], schema: dict[str, Any]) -> dict[str, Any]:
    """A null for what may be left out means the same as leaving it out, for every tool here."""
    required = schema.get("required", [])
    return {key: value for key, value in arguments.items() if value is not None or key in required}


def test_recorded_calls() -> None:
    """Thousands of recorded calls: nothing escapes, and the verdict is the validator's."""
    tools: dict[str, tuple[Function, Any]] = {}
    seen: Counter[str] = Counter()
    for row in corpus("calls.jsonl.gz"):
        schema = row["tool"]["parameters"]
        key = json.dumps(row["tool"])
        if key not in tools:
            function = Function.from_json_schema(
                schema, name="t", call=lambda arguments: arguments, validate=True
            )
            assert function.unchecked == ()
            tools[key] = function, jsonschema.Draft202012Validator(schema)
        function, validator = tools[key]
        answer = function.__toolcall_call__(row["arguments"], Context(None))
        refused = isinstance(answer, Err)
        strictly = validator.is_valid(row["arguments"])
        valid = strictly or validator.is_valid(without_null_options(row["arguments"], schema))
        assert refused is not valid, (row["id"], answer)
        if refused:
            assert all(problem.path or problem.message for problem in answer.problems)
        seen["refused" if refused else "null left out" if not strictly else "taken"] += 1
    assert seen == {"taken": 5_383, "null left out": 61, "refused": 44}


# Keywords whose rows are enforced at least in part; the others are named as unchecked.
KNOWN = {
    *["type", "properties", "required", "additionalProperties", "items", "enum", "const"],
    *["anyOf", "allOf", "ref", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"],
    *["multipleOf", "uniqueItems", "minProperties", "maxProperties", "propertyNames"],
    *["default", "boolean_schema", "not", "prefixItems"],
}


def test_standard_tests() -> None:
    """The standard's own rows: the same verdict, or the keyword is named as unchecked."""
    compared: Counter[str] = Counter()
    unchecked: Counter[str] = Counter()
    for row in corpus("schema_tests.jsonl.gz"):
        found = convert(row["schema"])
        taken = accepts(row["schema"], row["data"])
        if found.unchecked:
            unchecked[row["keyword"]] += 1
            assert taken or not row["valid"], row  # never narrower
        else:
            compared[row["keyword"]] += 1
            assert taken is row["valid"], row
    assert set(compared) >= KNOWN - {"not", "prefixItems"}
    assert set(unchecked) - KNOWN <= {
        *["oneOf", "if-then-else", "contains", "dependentRequired", "patternProperties"],
        *["pattern", "infinite-loop-detection"],
    }


def test_warning_is_told_once() -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        Function("f", schema={"not": {}}, validate=True, call=lambda arguments: None)
    assert [warning.category for warning in caught] == [ToolcallWarning]
    assert caught[0].filename == __file__
