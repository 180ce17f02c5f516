"""The IR as JSON Schema: what the goldens do not say in one glance."""

from __future__ import annotations

import base64
import re
import typing
from typing import Any

import pytest

from tests.formats.tool_definitions import (
    ADDRESS,
    ANY,
    BIG,
    BOOLEAN,
    INTEGER,
    JSON,
    NULL,
    NUMBER,
    PRIORITY,
    STRING,
    TOOLS,
    TREE,
    array,
    enum,
    field,
    fixed,
    literal,
    mapping,
    nullable,
    obj,
    parameter,
    ref,
    stdlib,
    tool,
    union,
)
from toolcall import formats, ir
from toolcall.formats import _jsonschema
from toolcall.formats._patterns import portable
from toolcall.formats._sharing import INLINING_BUDGET, children
from toolcall.formats._tables import (
    ALL,
    ANTHROPIC,
    BEDROCK,
    GEMINI,
    GEMINI_PARAMETERS,
    MCP,
    OPENAI,
)


def schema(definition: Any, dialect: Any = OPENAI, *, strict: bool = False) -> Any:
    return _jsonschema.render(definition, dialect, strict=strict)


def of(type: Any, dialect: Any = OPENAI, *, strict: bool = False, **more: Any) -> Any:
    """The schema of one required parameter of a type."""
    types = more.pop("types", {})
    definition = tool("f", parameter("p", type, **more), types=types)
    return schema(definition, dialect, strict=strict)["properties"]["p"]


def test_every_kind_is_handled() -> None:
    """Each kind of the IR renders in every dialect; an unknown one is our own bug."""
    kinds = {
        re.search(r"Literal\[\W*(\w+)", str(node.__annotations__["kind"])).group(1)
        for node in typing.get_args(ir.Type)
    }
    assert kinds == seen_kinds()
    for dialect in ALL:
        for strict in (False, True):
            for definition in TOOLS:
                schema(definition, dialect, strict=strict)
    with pytest.raises(AssertionError, match="unknown kind"):
        of({"kind": "other"})


def seen_kinds() -> set[str]:
    """The kinds in the example tools."""
    seen: set[str] = set()

    def walk(node: Any) -> None:
        seen.add(node["kind"])
        for child in children(node):
            walk(child)

    for definition in TOOLS:
        for member in definition["tool"]["parameters"]:
            walk(member["type"])
        for named in definition["types"].values():
            walk(named)
    return seen


# Null


@pytest.mark.parametrize(
    ("type", "expected"),
    [
        (nullable(STRING), {"type": ["string", "null"]}),
        (nullable(PRIORITY), {"type": ["string", "null"], "enum": ["low", "high", None]}),
        (
            nullable(literal(1, "a")),
            {"type": ["integer", "string", "null"], "enum": [1, "a", None]},
        ),
        (nullable(array(STRING)), {"anyOf": [of(array(STRING)), {"type": "null"}]}),
        (
            nullable(union(STRING, INTEGER)),
            {"anyOf": [{"type": "string"}, {"type": "integer"}, {"type": "null"}]},
        ),
        (union(STRING, NULL), {"anyOf": [{"type": "string"}, {"type": "null"}]}),
    ],
)
def test_nullable(type: Any, expected: Any) -> None:
    """Null joins the type list of a scalar, the enum, or the branches; the key stays required."""
    assert of(type) == expected
    definition = tool("f", parameter("p", type))
    assert schema(definition)["required"] == ["p"]


@pytest.mark.parametrize(
    "type",
    [
        nullable(STRING),
        nullable(PRIORITY),
        nullable(union(STRING, INTEGER)),
        union(STRING, NULL),
        NULL,
        {"kind": "root", "cls": "m:R", "inner": nullable(INTEGER)},
        {"kind": "custom", "cls": "m:R", "provider": "m:P", "wire": nullable(INTEGER)},
        ref("Maybe"),
    ],
)
def test_widening_is_idempotent(type: Any) -> None:
    """Under strict an optional parameter that takes null already is not widened again."""
    types = {"Maybe": nullable(STRING)}
    required = of(type, strict=True, types=types)
    optional = of(type, strict=True, types=types, required=False)
    assert optional == required
    assert of(nullable(type), types=types) == of(type, types=types)


@pytest.mark.parametrize(
    ("type", "expected"),
    [
        (STRING, {"type": ["string", "null"]}),
        (enum("E", A=1), {"type": ["integer", "null"], "enum": [1, None]}),
        (array(INTEGER), {"anyOf": [of(array(INTEGER)), {"type": "null"}]}),
        (union(STRING, BOOLEAN), {"anyOf": [*of(union(STRING, BOOLEAN))["anyOf"], of(NULL)]}),
        ({"kind": "root", "cls": "m:R", "inner": STRING}, {"type": ["string", "null"]}),
        (
            {"kind": "custom", "cls": "m:R", "provider": "m:P", "wire": INTEGER},
            {"type": ["integer", "null"]},
        ),
        (ref("Text"), {"type": ["string", "null"]}),
    ],
)
def test_strict_optional_is_required_and_nullable(type: Any, expected: Any) -> None:
    """OpenAI's strict mode wants every key: what may be left out may be null, without default."""
    definition = tool(
        "f",
        parameter("p", type, required=False, default="x"),
        types={"Text": STRING},
    )
    rendered = schema(definition, strict=True)
    assert rendered["required"] == ["p"]
    assert rendered["properties"]["p"] == expected


def test_strict_optional_is_absent_for_anthropic() -> None:
    """Anthropic's strict mode keeps optional keys optional."""
    definition = tool("f", parameter("p", STRING, required=False, default="x"))
    rendered = schema(definition, ANTHROPIC, strict=True)
    assert rendered == {
        "type": "object",
        "properties": {"p": {"type": "string"}},
        "additionalProperties": False,
    }


# Descriptions and constraints


def test_the_description_of_the_use_wins() -> None:
    """A parameter's description wins over the node's, the node's over the class's; "" clears."""
    types = {"Address": ADDRESS}
    assert of(ref("Address"), types=types)["description"] == "Where somebody lives."
    assert of(ref("Address", doc="Node."), types=types)["description"] == "Node."
    assert of(ref("Address", doc="Node."), types=types, doc="Use.")["description"] == "Use."
    assert "description" not in of(ref("Address"), types=types, doc="")
    inner = of(nullable(ref("Address")), types=types, doc="Use.")
    assert inner["description"] == "Use."
    assert inner["anyOf"][0]["description"] == "Where somebody lives."


def test_moved_constraints_have_one_wording() -> None:
    """What a dialect has no keyword for stands in the description, after what it said."""
    text = {"kind": "string", "min_length": 2, "pattern": 'a"ü'}
    assert of(text, ANTHROPIC, strict=True, doc="Text.") == {
        "type": "string",
        "description": 'Text.\nConstraints: minLength=2, pattern="a\\"ü"',
    }


def test_lengths_of_bytes_are_lengths_of_base64() -> None:
    """Schema lengths count characters: exactly four for every three bytes begun."""
    for count in range(12):
        rendered = of(stdlib("bytes", min_length=count, max_length=count))
        assert rendered["minLength"] == rendered["maxLength"] == len(base64.b64encode(b"x" * count))
        assert rendered["description"] == f"Constraints: minBytes={count}, maxBytes={count}"


def test_bounds_of_numbers_that_are_text_are_described() -> None:
    """minimum says nothing about text, so it is told in words."""
    for node in (stdlib("decimal", ge=1), {"kind": "integer", "wire": "string_integer", "ge": 1}):
        rendered = of(node)
        assert rendered["type"] == "string"
        assert "minimum" not in rendered
        assert rendered["description"] == "Constraints: minimum=1"


def test_exclusive_bounds_where_only_inclusive_ones_exist() -> None:
    """Gemini has no exclusive bounds: exact for integers, weaker and described for numbers."""
    assert of({"kind": "integer", "gt": 0, "lt": 9}, GEMINI) == {
        "type": "integer",
        "minimum": 1,
        "maximum": 8,
    }
    assert of({"kind": "number", "gt": 0}, GEMINI) == {
        "type": "number",
        "description": "Constraints: exclusiveMinimum=0",
        "minimum": 0,
    }
    assert of({"kind": "integer", "gt": 0.5}, GEMINI)["minimum"] == 0.5
    assert of({"kind": "integer", "ge": 2, "gt": 0}, GEMINI) == {
        "type": "integer",
        "description": "Constraints: exclusiveMinimum=0",
        "minimum": 2,
    }


@pytest.mark.parametrize(
    ("pattern", "anywhere", "without_lookaround"),
    [
        ("^a.b?$", True, True),
        ("^[a-z]+$", True, True),
        (r"^(?:a|b)\d{2,3}\.[^]]", False, False),
        (r"\bword\b\w\s\-", True, True),
        ("(?=a)b", True, False),
        ("(?<!a)b", True, False),
        (r"(a)\1", True, False),
        (r"[\1]", False, False),
        (r"\0", False, False),
        ("(?P<name>a)", False, False),
        ("(?i)a", False, False),
        ("(?>a)", False, False),
        (r"a\Z", False, False),
        (r"\Aa", False, False),
        ("a*+", False, False),
        ("[(?P]", True, True),
        ("[]a]", False, False),
        ("a\\", False, False),
    ],
)
def test_portable_patterns(pattern: str, anywhere: bool, without_lookaround: bool) -> None:
    """Only patterns that every reader compiles are emitted; the rest is described."""
    assert portable(pattern, lookaround=True) is anywhere
    assert portable(pattern, lookaround=False) is without_lookaround
    rendered = of({"kind": "string", "pattern": pattern})
    assert ("pattern" in rendered) is anywhere
    assert ("description" in rendered) is not anywhere


# Choices


def test_choices_always_have_a_type() -> None:
    """A literal or enum has its type beside it, a mixed one a list of types."""
    assert of(literal("a")) == {"type": "string", "enum": ["a"]}
    assert of(literal("a", 1, True)) == {
        "type": ["string", "integer", "boolean"],
        "enum": ["a", 1, True],
    }
    assert of(enum("E", A=1.5, B=2.5)) == {"type": "number", "enum": [1.5, 2.5]}


def test_gemini_choices() -> None:
    """Gemini lists strings and numbers; booleans, null and mixed kinds are said around it."""
    assert of(literal(1, 2), GEMINI) == {"type": "integer", "enum": [1, 2]}
    assert of(literal(1, 2), GEMINI_PARAMETERS) == {
        "type": "integer",
        "format": "enum",
        "enum": ["1", "2"],
    }
    assert of(literal(True, False), GEMINI) == {"type": "boolean"}
    assert of(nullable(PRIORITY), GEMINI) == {"anyOf": [of(PRIORITY), {"type": "null"}]}
    assert of(nullable(PRIORITY), GEMINI_PARAMETERS) == {**of(PRIORITY), "nullable": True}


# Objects, mappings, tuples


def test_objects_are_closed_in_declaration_order() -> None:
    """Objects of known fields are closed at every level; `required` is missing when empty."""
    rendered = of(obj("O", field("b", STRING, required=False), field("a", INTEGER, required=False)))
    assert list(rendered["properties"]) == ["b", "a"]
    assert "required" not in rendered
    assert rendered["additionalProperties"] is False


def test_defaults_are_copies() -> None:
    """A default is emitted at every depth, and belongs to the caller."""
    default = {"x": [1]}
    rendered = of(mapping(STRING, array(INTEGER)), required=False, default=default)
    assert rendered["default"] == default
    rendered["default"]["x"].append(2)
    assert default == {"x": [1]}


@pytest.mark.parametrize(
    ("key", "names"),
    [
        (STRING, None),
        ({"kind": "string", "min_length": 2}, {"minLength": 2}),
        (INTEGER, {"pattern": "^-?[0-9]+$"}),
        (BOOLEAN, {"enum": ["true", "false"]}),
        (literal(1, "a", True), {"enum": ["1", "a", "true"]}),
        (PRIORITY, {"enum": ["low", "high"]}),
        (stdlib("uuid"), {"format": "uuid"}),
        (stdlib("path"), None),
        (ref("Key"), {"format": "date"}),
        ({"kind": "root", "cls": "m:R", "inner": INTEGER}, {"pattern": "^-?[0-9]+$"}),
        (
            {"kind": "custom", "cls": "m:R", "provider": "m:P", "wire": INTEGER},
            {"pattern": "^-?[0-9]+$"},
        ),
        (union(STRING, INTEGER), None),
    ],
)
def test_keys_of_mappings(key: Any, names: Any) -> None:
    """A key that is restored from its text says what the text looks like."""
    types = {"Key": stdlib("date")}
    rendered = of(mapping(key, INTEGER), MCP, types=types)
    assert rendered.get("propertyNames") == names
    assert rendered["additionalProperties"] == {"type": "integer"}


def test_unknown_keys() -> None:
    """Open objects say what their unknown keys hold, with the description of `**kw`."""
    definition = tool("f", parameter("kw", STRING, kind="var_keyword", required=False, doc="More."))
    expected = {"type": "string", "description": "More."}
    assert schema(definition)["additionalProperties"] == expected
    anything = tool("f", parameter("kw", ANY, kind="var_keyword", required=False))
    assert schema(anything)["additionalProperties"] is True
    described = schema(definition, GEMINI_PARAMETERS)["description"]
    assert described.startswith("Constraints: additionalProperties=")


def test_tuples_have_items_for_openai() -> None:
    """OpenAI refuses an array without items, also beside prefixItems; others do not need it."""
    assert of(fixed(STRING, NUMBER))["items"] == {"anyOf": [{"type": "string"}, {"type": "number"}]}
    assert "items" not in of(fixed(STRING, NUMBER), MCP)
    assert of(fixed(STRING, rest=NUMBER), MCP) == {
        "type": "array",
        "prefixItems": [{"type": "string"}],
        "items": {"type": "number"},
        "minItems": 1,
    }


# Named types


def test_small_types_are_inlined() -> None:
    """A named type that is not recursive is written where it is used."""
    definition = tool("f", parameter("a", ref("Address")), types={"Address": ADDRESS})
    for dialect in ALL:
        for strict in (False, True):
            assert "$ref" not in str(schema(definition, dialect, strict=strict))


def test_large_repeated_types_are_shared() -> None:
    """A large type used again is written once where references are at home, else inlined."""
    definition = tool(
        "f",
        *(parameter(name, ref("Big"), doc=name) for name in "abcd"),
        types={"Big": BIG},
    )
    shared = schema(definition)
    assert shared["properties"]["b"] == {"$ref": "#/$defs/Big", "description": "b"}
    assert list(shared["$defs"]) == ["Big"]
    strict = schema(definition, strict=True)
    assert strict["properties"]["b"] == {"anyOf": [{"$ref": "#/$defs/Big"}], "description": "b"}
    for dialect in (BEDROCK, GEMINI, GEMINI_PARAMETERS):
        assert "$ref" not in str(schema(definition, dialect))


def test_types_inside_a_shared_type_are_inlined_in_it() -> None:
    """Sharing the outer type leaves one copy of the inner one, which need not be shared."""
    outer = obj("Outer", field("big", ref("Big")), *(field(f"n{n}", STRING) for n in range(30)))
    definition = tool(
        "f",
        parameter("a", ref("Outer")),
        parameter("b", ref("Outer")),
        types={"Outer": outer, "Big": BIG},
    )
    assert list(schema(definition)["$defs"]) == ["Outer"]


def test_recursive_types() -> None:
    """A type that contains itself is a definition where the dialect resolves it, else `{}`."""
    definition = tool("f", parameter("t", ref("Tree")), types={"Tree": TREE})
    assert schema(definition)["properties"]["t"] == {"$ref": "#/$defs/Tree"}
    inlined = schema(definition, GEMINI_PARAMETERS)["properties"]["t"]
    assert inlined["properties"]["children"]["items"] == {}
    value = schema(tool("f", parameter("v", ref("Json")), types={"Json": JSON}))
    assert value["properties"]["v"] == {"$ref": "#/$defs/Json"}


def test_mutually_recursive_types() -> None:
    """Every type of a circle is a definition, each written once."""
    types = {
        "A": obj("A", field("b", nullable(ref("B")), required=False)),
        "B": obj("B", field("a", ref("A"), required=False), field("c", ref("C"))),
        "C": obj("C", field("x", INTEGER)),
    }
    rendered = schema(tool("f", parameter("a", ref("A")), types=types))
    assert list(rendered["$defs"]) == ["A", "B"]
    assert rendered["$defs"]["B"]["properties"]["c"]["type"] == "object"


def test_a_nullable_recursive_alias() -> None:
    """Whether a recursive alias takes null is found out without end."""
    types = {"Loop": union(INTEGER, ref("Loop"))}
    rendered = of(nullable(ref("Loop")), types=types)
    assert rendered == {"anyOf": [{"$ref": "#/$defs/Loop"}, {"type": "null"}]}


def test_gemini_cycles_are_not_required() -> None:
    """Gemini takes a cycle only inside a property that is not required."""
    types = {"Node": obj("Node", field("value", INTEGER), field("next", nullable(ref("Node"))))}
    rendered = schema(tool("f", parameter("n", ref("Node")), types=types), GEMINI)
    assert rendered["required"] == ["n"]
    assert rendered["$defs"]["Node"]["required"] == ["value"]


def test_definition_names_stand_in_a_pointer() -> None:
    """Names of definitions are plain and never the same."""
    types = {
        "Box[int]": obj("Box", field("next", ref("Box[int]"), required=False)),
        "Box_int_": obj("Box2", field("next", ref("Box_int_"), required=False)),
    }
    definition = tool(
        "f", parameter("a", ref("Box[int]")), parameter("b", ref("Box_int_")), types=types
    )
    assert list(schema(definition)["$defs"]) == ["Box_int_", "Box_int__2"]


def test_past_the_budget_types_are_shared() -> None:
    """More inlinings than the budget: shared where references exist, `{}` with a loss elsewhere."""
    count = INLINING_BUDGET + 5
    definition = tool(
        "f",
        *(parameter(f"p{n}", ref("P")) for n in range(count)),
        types={"P": obj("P", field("x", NUMBER))},
    )
    assert "$defs" in schema(definition, BEDROCK)
    rendered, losses = _jsonschema.render_with_losses(definition, GEMINI_PARAMETERS.plain)
    assert [loss.code for loss in losses] == ["inlining-budget"] * 5
    assert rendered["properties"][f"p{count - 1}"] == {}
    strict = _jsonschema.render_with_losses(
        tool(
            "g",
            *(parameter(f"p{n}", ref("P"), required=False) for n in range(count)),
            types=definition["types"],
        ),
        GEMINI_PARAMETERS.plain.but(optional=OPENAI.strict.rows["optional"]),
    )
    assert len(strict[1]) == 5


def test_nullable_types_past_the_budget() -> None:
    """A nullable type past the budget is `{}`, too."""
    count = INLINING_BUDGET + 1
    definition = tool(
        "f",
        *(parameter(f"p{n}", nullable(ref("P"))) for n in range(count)),
        types={"P": obj("P", field("x", NUMBER))},
    )
    subset = MCP.plain.but(refs=GEMINI_PARAMETERS.plain.rows["refs"])
    rendered, losses = _jsonschema.render_with_losses(definition, subset)
    assert [loss.path for loss in losses] == [f"/p{count - 1}"]
    assert rendered["properties"][f"p{count - 1}"] == {}


def test_lengths_of_bytes_apart() -> None:
    """Only one of two lengths may be given; where there are no lengths they are described."""
    assert of(stdlib("bytes", max_length=3))["maxLength"] == 4
    assert of(stdlib("bytes", min_length=3), ANTHROPIC, strict=True) == {
        "type": "string",
        "description": 'Constraints: contentEncoding="base64", minBytes=3',
    }


def test_null_of_a_mixed_choice() -> None:
    """Null is one more branch where a mixed choice is written by kinds."""
    mixed = of(nullable(literal("a", 1)), GEMINI)
    assert mixed["anyOf"][-1] == {"type": "null"}
    assert of(nullable(literal("a", 1)), GEMINI_PARAMETERS)["nullable"] is True


def test_doubling_types_end() -> None:
    """Types that double at every level are shared, not written out a million times."""
    types = {
        f"T{n}": obj(f"T{n}", field("l", ref(f"T{n + 1}")), field("r", ref(f"T{n + 1}")))
        for n in range(30)
    }
    types["T30"] = obj("T30", field("x", INTEGER))
    definition = tool("f", parameter("t", ref("T0")), types=types)
    assert len(str(schema(definition))) < 20_000
    assert len(str(schema(definition, GEMINI_PARAMETERS))) < 200_000


def test_nothing_stands_beside_a_choice_in_the_openapi_subset() -> None:
    """Vertex refuses it: null, default and description are said in the branches."""
    choice = union(STRING, array(INTEGER), NUMBER)
    definition = tool(
        "f",
        parameter("a", nullable(choice), required=False, default=1.5, doc="D."),
        parameter("b", choice, required=False, default={"x": 1}),
    )
    (rendered,) = formats.get("gemini_parameters").render_tools([definition])
    properties = rendered["functionDeclarations"][0]["parameters"]["properties"]
    assert properties["a"] == {
        "anyOf": [
            {"type": "STRING", "nullable": True, "description": "D."},
            {"type": "ARRAY", "items": {"type": "INTEGER"}, "nullable": True},
            {"type": "NUMBER", "nullable": True, "default": 1.5},
        ]
    }
    first = properties["b"]["anyOf"][0]
    assert first == {"type": "STRING", "description": 'Constraints: default={"x": 1}'}
    inner = {**EITHER, "anyOf": [{"required": ["x"]}, {"required": ["y"]}]}
    given = tool("g", schema={"type": "object", "properties": {"p": inner}})
    (rendered,) = formats.get("gemini_parameters").render_tools([given])
    schema = rendered["functionDeclarations"][0]["parameters"]["properties"]["p"]
    assert "anyOf" not in schema
    assert schema["description"].startswith("Constraints: anyOf=")


EITHER = {
    "type": "object",
    "properties": {"x": {"type": "string"}, "y": {"type": "string"}},
}
