"""JSON Schemas that the user gave, cut to what a dialect takes."""

from __future__ import annotations

import json
import warnings
from typing import Any

import pytest

from tests.formats.tool_definitions import tool
from toolcall import formats
from toolcall.errors import ToolcallWarning
from toolcall.formats._given import fit
from toolcall.formats._strict import strict_losses
from toolcall.formats._tables import (
    ANTHROPIC,
    BEDROCK,
    GEMINI,
    GEMINI_PARAMETERS,
    MCP,
    OPENAI,
)


def fitted(inner: Any, subset: Any) -> Any:
    """One property of a given schema under a subset, without losses."""
    schema, losses = fit({"type": "object", "properties": {"p": inner}, "required": ["p"]}, subset)
    assert losses == []
    return schema["properties"]["p"]


def codes(inner: Any, subset: Any) -> set[str]:
    schema = {"type": "object", "properties": {"p": inner}, "required": ["p"]}
    return {loss.code for loss in fit(schema, subset)[1]}


@pytest.mark.parametrize("dialect", [OPENAI, ANTHROPIC, MCP], ids=lambda d: d.format)
def test_plain_dialects_pass_it_on(dialect: Any) -> None:
    """Where the whole language is taken the schema stays as it is, as a copy."""
    schema: Any = {"type": "object", "properties": {"a": {"not": {"const": 1}}}, "x-own": [1]}
    result, losses = fit(schema, dialect.plain)
    assert result == schema
    assert losses == []
    result["x-own"].append(2)
    assert schema["x-own"] == [1]


def test_anthropic_wants_a_closed_object_at_the_root() -> None:
    """Type and closedness are added where the schema says nothing."""
    (rendered,) = formats.get("anthropic").render_tools([tool("f", schema={"properties": {}})])
    assert rendered["input_schema"] == {
        "type": "object",
        "additionalProperties": False,
        "properties": {},
    }
    given = {"type": "object", "additionalProperties": {"type": "string"}}
    (rendered,) = formats.get("anthropic").render_tools([tool("f", schema=given)])
    assert rendered["input_schema"] == given


@pytest.mark.parametrize(
    ("inner", "expected"),
    [
        ({"const": 1}, {"type": "integer", "enum": [1]}),
        ({"enum": ["a", None]}, {"type": ["string", "null"], "enum": ["a", None]}),
        (
            {"oneOf": [{"type": "string"}, {"type": "null"}]},
            {"anyOf": [{"type": "string"}, {"type": "null"}]},
        ),
        (
            {"allOf": [{"type": "string"}], "description": "D."},
            {"type": "string", "description": "D."},
        ),
        (
            {"type": "string", "format": "uri", "title": "T"},
            {"type": "string", "description": 'Constraints: format="uri"'},
        ),
        (
            {"type": "array", "prefixItems": [{"type": "string"}, {"type": "integer"}]},
            {
                "type": "array",
                "items": {"anyOf": [{"type": "string"}, {"type": "integer"}]},
                "description": 'Constraints: prefixItems=["string", "integer"]',
            },
        ),
        (
            {
                "type": "object",
                "properties": {
                    "x": {"type": "integer"},
                    "y": {"type": "array", "items": {"type": "string"}},
                },
            },
            {
                "type": "object",
                "properties": {
                    "x": {"type": ["integer", "null"]},
                    "y": {
                        "anyOf": [{"type": "array", "items": {"type": "string"}}, {"type": "null"}]
                    },
                },
                "additionalProperties": False,
                "required": ["x", "y"],
            },
        ),
        (
            {"$ref": "#/$defs/X", "description": "D."},
            {"description": "D.", "anyOf": [{"$ref": "#/$defs/X"}]},
        ),
        (
            {"type": "string", "examples": ["a"], "default": "a", "readOnly": True},
            {"type": "string"},
        ),
        (
            {
                "type": "object",
                "properties": {
                    "e": {"type": "string", "enum": ["a"]},
                    "u": {"anyOf": [{"type": "string"}, {"type": "integer"}]},
                    "n": {"anyOf": [{"type": "string"}, {"type": "null"}]},
                    "z": {"type": "null"},
                },
            },
            {
                "type": "object",
                "properties": {
                    "e": {"type": ["string", "null"], "enum": ["a", None]},
                    "u": {"anyOf": [{"type": "string"}, {"type": "integer"}, {"type": "null"}]},
                    "n": {"anyOf": [{"type": "string"}, {"type": "null"}]},
                    "z": {"type": "null"},
                },
                "additionalProperties": False,
                "required": ["e", "u", "n", "z"],
            },
        ),
    ],
)
def test_openai_strict(inner: Any, expected: Any) -> None:
    """Strict says the same in the words it has."""
    assert fitted(inner, OPENAI.strict) == expected


@pytest.mark.parametrize(
    ("inner", "code"),
    [
        ({}, "strict-untyped"),
        (True, "strict-untyped"),
        ({"description": "D."}, "strict-untyped"),
        ({"type": "array"}, "strict-untyped"),
        ({"type": "object"}, "strict-open-object"),
        ({"type": "object", "additionalProperties": True}, "strict-open-object"),
        ({"type": "object", "additionalProperties": {"type": "string"}}, "strict-open-object"),
        ({"type": "string", "not": {"const": "a"}}, "strict-untyped"),
        ({"allOf": [{"type": "string"}, {"minLength": 1}]}, "strict-untyped"),
        ({"type": "object", "patternProperties": {"^a": {}}, "properties": {}}, "strict-untyped"),
    ],
)
def test_what_strict_cannot_say_is_a_loss(inner: Any, code: str) -> None:
    """Nothing that changes the shape is dropped in silence."""
    assert code in codes(inner, OPENAI.strict)
    definition = tool("f", schema={"type": "object", "properties": {"p": inner}})
    assert code in {loss.code for loss in strict_losses(definition, OPENAI)}


def test_anthropic_strict() -> None:
    """No list of types, no type beside an enum, constraints in words."""
    assert fitted({"type": ["string", "null"], "maxLength": 3}, ANTHROPIC.strict) == {
        "description": "Constraints: maxLength=3",
        "anyOf": [{"type": "string"}, {"type": "null"}],
    }
    assert fitted({"type": "string", "enum": ["a"]}, ANTHROPIC.strict) == {"enum": ["a"]}


def test_references() -> None:
    """References stay where they are taken, and are written out elsewhere."""
    schema = {
        "type": "object",
        "properties": {"p": {"$ref": "#/$defs/X", "description": "D."}, "q": {"$ref": "#/$defs/Y"}},
        "$defs": {"X": {"type": "string"}, "Y": {"type": "array", "items": {"$ref": "#/$defs/X"}}},
    }
    assert fit(schema, OPENAI.strict)[0]["$defs"]["X"] == {"type": "string"}
    for subset in (BEDROCK.strict, GEMINI_PARAMETERS.plain):
        result, losses = fit(schema, subset)
        assert losses == []
        assert "$defs" not in result
        assert result["properties"] == {
            "p": {"type": "string", "description": "D."},
            "q": {"type": "array", "items": {"type": "string"}},
        }


NODE = {
    "type": "object",
    "properties": {"next": {"$ref": "#/$defs/Node"}},
    "required": ["next"],
}


@pytest.mark.parametrize("subset", [ANTHROPIC.strict, BEDROCK.strict, GEMINI_PARAMETERS.plain])
def test_recursion_is_a_loss(subset: Any) -> None:
    """A schema that contains itself cannot be said where recursion is refused."""
    for schema in (
        {"type": "object", "properties": {"p": NODE}, "$defs": {"Node": NODE}},
        {"$ref": "#/$defs/Node", "$defs": {"Node": NODE}},
        {"type": "object", "properties": {"p": {"$ref": "#"}}},
    ):
        assert "recursive-type" in {loss.code for loss in fit(schema, subset)[1]}
    assert fit({"$ref": "#/$defs/Node", "$defs": {"Node": NODE}}, OPENAI.strict)[1] == []


def test_a_reference_to_nothing_is_a_loss() -> None:
    """What is not in the schema, or elsewhere, is not followed."""
    for reference in ("#/$defs/no", "https://example.com/x", 5):
        inner = {"$ref": reference}
        assert "recursive-type" in codes(inner, GEMINI_PARAMETERS.plain)


def test_what_a_plain_schema_loses_is_told() -> None:
    """Conditions are described where there is no keyword; a cut recursion is a warning, once."""
    inner = {
        "type": "object",
        "patternProperties": {"^a": {"type": "string"}},
        "not": {"minProperties": 9},
    }
    for subset in (GEMINI.plain, GEMINI_PARAMETERS.plain):
        said = fitted(inner, subset)["description"]
        assert said.startswith("Constraints: patternProperties=")
        assert 'not={"minProperties": 9}' in said
    definition: Any = tool("f", schema={"properties": {"p": NODE}, "$defs": {"Node": NODE}})
    render = formats.get("gemini_parameters").render_tools
    with pytest.warns(ToolcallWarning, match="tool 'f' allows any value .* parameter 'p'"):
        render([definition])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        render([definition])


# The root


A = {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}
B = {"properties": {"b": {"type": "integer"}}, "required": ["b"]}
AB = {"a": {"type": "string"}, "b": {"type": "integer"}}
TAGGED = {
    "oneOf": [
        {**A, "properties": {"kind": {"const": "x"}}, "required": ["kind"]},
        {"$ref": "#/$defs/Y"},
    ],
    "$defs": {
        "Y": {
            "type": "object",
            "properties": {"kind": {"const": "y"}, "n": {"type": "integer"}},
            "required": ["kind", "n"],
        }
    },
}
ROOTS: list[tuple[Any, Any]] = [
    ({**A, "anyOf": [{"required": ["a"]}]}, {**A}),
    (
        {"type": ["object", "null"], "properties": AB, "anyOf": [A, {"required": ["b"]}]},
        {"type": "object", "properties": AB, "description": "Constraints: anyOf=…"},
    ),
    ({"allOf": [A, B]}, {"type": "object", "properties": AB, "required": ["a", "b"]}),
    (
        {"description": "D.", "oneOf": [A, B, {"type": "string"}, False]},
        {"type": "object", "properties": AB, "description": "D.\nConstraints: oneOf=…"},
    ),
    (
        TAGGED,
        {
            "type": "object",
            "properties": {"kind": {"enum": ["x", "y"]}, "n": {"type": "integer"}},
            "required": ["kind"],
            "$defs": TAGGED["$defs"],
            "description": "Constraints: oneOf=…",
        },
    ),
    (
        {"$ref": "#/$defs/A", "$defs": {"A": {"allOf": [A, {"$ref": "#/$defs/B"}]}, "B": B}},
        {
            "type": "object",
            "properties": AB,
            "required": ["a", "b"],
            "$defs": {"A": {"allOf": [A, {"$ref": "#/$defs/B"}]}, "B": B},
        },
    ),
    (
        {"allOf": [A, {"properties": {"a": {"maxLength": 3}}}]},
        {**A, "description": "Constraints: allOf=…"},
    ),
    (
        {"anyOf": [{**A, "additionalProperties": False}, {**B, "additionalProperties": False}]},
        {
            "type": "object",
            "properties": AB,
            "additionalProperties": False,
            "description": "Constraints: anyOf=…",
        },
    ),
    (
        {"anyOf": [A, {"properties": {"a": {"type": "integer"}}}]},
        {
            "type": "object",
            "properties": {"a": {"anyOf": [{"type": "string"}, {"type": "integer"}]}},
            "description": "Constraints: anyOf=…",
        },
    ),
    ({"anyOf": [{"type": "string"}]}, {"type": "object", "description": "Constraints: anyOf=…"}),
    (
        {"$ref": "https://example.com/x"},
        {"type": "object", "description": "Constraints: $ref=…"},
    ),
]


@pytest.mark.parametrize(("given", "expected"), ROOTS)
@pytest.mark.parametrize("dialect", [OPENAI, ANTHROPIC, BEDROCK], ids=lambda d: d.format)
def test_a_root_of_several_parts_becomes_one_object(
    given: Any, expected: Any, dialect: Any
) -> None:
    """The vendors refuse combinations at the root: they are put together, the rest described."""
    before = json.dumps(given)
    result, losses = fit(given, dialect.plain)
    assert losses == []
    assert not result.keys() & {"$ref", "allOf", "anyOf", "oneOf"}
    if "description" in expected:
        combined = {k: v for k, v in given.items() if k in {"$ref", "allOf", "anyOf", "oneOf"}}
        ((keyword, value),) = combined.items()
        said = json.dumps(value)
        expected = {
            **expected,
            "description": expected["description"].replace("…", said),
        }
        assert f"{keyword}={said}" in result["description"]
    assert result == expected
    assert json.dumps(given) == before


@pytest.mark.parametrize("given", [given for given, _ in ROOTS])
def test_the_object_allows_what_the_parts_allow(given: Any) -> None:
    """What is valid under the given schema, its parts taken as closed, may be sent."""
    jsonschema = pytest.importorskip("jsonschema")
    if "https" in str(given):
        pytest.skip("the reference leads elsewhere")
    sent = jsonschema.Draft202012Validator(fit(given, OPENAI.plain)[0])
    asked = jsonschema.Draft202012Validator({**given, "unevaluatedProperties": False})
    values = [None, "x", 1, "y"]
    objects = [{}]
    for name in ("a", "b", "kind", "n"):
        objects += [{**one, name: value} for one in objects for value in values]
    valid = [one for one in objects if asked.is_valid(one)]
    assert valid or given == {"anyOf": [{"type": "string"}]}
    assert all(sent.is_valid(one) for one in valid)


def test_strict_roots() -> None:
    """A combined root can be strict, with what is only described; of nothing known it cannot."""
    schema, losses = fit({"anyOf": [A, B]}, OPENAI.strict)
    assert {loss.code for loss in losses} == {"strict-keyword"}
    assert schema["required"] == ["a", "b"]
    assert schema["additionalProperties"] is False
    losses = fit({"$ref": "https://example.com/x"}, OPENAI.strict)[1]
    assert "strict-open-object" in {loss.code for loss in losses}


def test_mcp_takes_any_root() -> None:
    """A protocol of JSON Schema gets the schema as it is."""
    for given, _ in ROOTS:
        assert fit(given, MCP.plain) == (given, [])


@pytest.mark.parametrize("name", ["openai", "openai_responses"])
def test_openai_wants_properties(name: str) -> None:
    """An object without any is refused, even if there are none."""
    (rendered,) = formats.get(name).render_tools([tool("f", schema={})])
    function = rendered.get("function", rendered)
    assert function["parameters"] == {"type": "object", "properties": {}}


def test_gemini() -> None:
    """Gemini keeps only what its subset knows."""
    inner = {"type": ["string", "integer", "null"], "maxLength": 3, "examples": ["a"]}
    assert fitted(inner, GEMINI.plain) == {
        "type": ["string", "integer", "null"],
        "description": "Constraints: maxLength=3",
    }
    assert fitted(inner, GEMINI_PARAMETERS.plain) == {
        "anyOf": [{"type": "string", "maxLength": 3}, {"type": "integer", "maxLength": 3}],
        "nullable": True,
    }
    assert fitted({"type": "object", "additionalProperties": {"type": "string"}}, GEMINI.plain) == {
        "type": "object",
        "additionalProperties": {"type": "string"},
    }
    assert fitted({}, GEMINI.plain) == {}
    assert fitted({"type": "string", "format": "date-time"}, GEMINI.plain) == {
        "type": "string",
        "format": "date-time",
    }
    assert fitted({"type": ["string", "integer"]}, GEMINI_PARAMETERS.plain) == {
        "anyOf": [{"type": "string"}, {"type": "integer"}]
    }
    assert fitted({"type": ["string", "integer"]}, ANTHROPIC.strict) == {
        "anyOf": [{"type": "string"}, {"type": "integer"}]
    }
    opened = {"type": "object", "additionalProperties": {"type": "string"}}
    assert fitted(opened, GEMINI_PARAMETERS.plain) == {
        "type": "object",
        "description": 'Constraints: additionalProperties={"type": "string"}',
    }
    assert fitted({**opened, "additionalProperties": False}, GEMINI_PARAMETERS.plain) == {
        "type": "object"
    }
    prefix = {"type": "array", "prefixItems": [{"type": "string"}], "items": {"type": "string"}}
    assert fitted(prefix, GEMINI.plain) == prefix
    union = {"anyOf": [{"type": "string"}, {"type": "integer"}, {"type": "null"}]}
    assert fitted(union, GEMINI_PARAMETERS.plain) == {
        "nullable": True,
        "anyOf": [{"type": "string"}, {"type": "integer"}],
    }


def test_odd_values_do_not_raise() -> None:
    """A schema that is none is passed through as far as it can be."""
    odd = {
        "required": 5,
        "properties": 1,
        "anyOf": 2,
        "items": True,
        "prefixItems": 3,
        "$defs": 4,
        "enum": [[1]],
    }
    for dialect in (OPENAI, ANTHROPIC, BEDROCK, GEMINI, GEMINI_PARAMETERS, MCP):
        for subset in (dialect.plain, dialect.strict):
            if subset is not None:
                json.dumps(fit(odd, subset)[0])
                json.dumps(fit({**odd, "type": "object", "prefixItems": []}, subset)[0])
