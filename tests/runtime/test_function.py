"""Tools built at run time: what makes a definition well-formed, and what a call does."""

from __future__ import annotations

import asyncio
import functools
import logging
from typing import Any

import pytest

from toolcall._dispatch import caller
from toolcall._emit import emit
from toolcall._function import Function, FunctionParam
from toolcall._suggest import jaro, similarity, suggest
from toolcall._values import Context, Err, Ok, ToolResult
from toolcall.errors import CallError, ToolcallWarning, ToolDefinitionError, ToolError

Errors = dict[str, tuple[str, ...]]


def echo(arguments: dict[str, Any]) -> dict[str, Any]:
    return arguments


def errors_of(**parts: Any) -> Errors:
    with pytest.raises(ToolDefinitionError) as caught:
        Function(**{"name": "f", "call": echo, **parts})
    return caught.value.errors


def param_errors(*args: Any, **parts: Any) -> Errors:
    with pytest.raises(ToolDefinitionError) as caught:
        FunctionParam(*args, **parts)
    return caught.value.errors


def call(function: Function, arguments: Any, context: object = None, **kw: Any) -> Any:
    """The body's answer, as the dispatcher gets it."""
    return function.__toolcall_call__(arguments, Context(context, None, function.name), **kw)


def text_of(answer: object) -> str:
    assert isinstance(answer, Err), answer
    return str(answer)


# Definitions


def test_all_errors_at_once() -> None:
    """Every broken rule is told in one error, by part, and the text joins them."""
    errors = errors_of(name=" ", params=[FunctionParam("x", "string")], schema={}, call=3)
    assert set(errors) == {"name", "params", "call"}
    with pytest.raises(ToolDefinitionError) as caught:
        Function(name="a b" * 30, call=None)
    parts = str(caught.value).split("; ")
    assert [part.split(": ")[0] for part in parts] == ["name", "call"]
    assert ", " in parts[0]


def test_unknown_parts_are_a_type_error() -> None:
    with pytest.raises(TypeError):
        Function("f", call=echo, function=echo)  # type: ignore[call-arg]


@pytest.mark.parametrize("name", [None, "", "  ", "x" * 65, "a b", "größe", "a.b", 3])
def test_names(name: Any) -> None:
    """Blank names, names over 64 characters, and characters that vendors refuse."""
    assert set(errors_of(name=name)) == {"name"}


def test_longest_name() -> None:
    assert Function("x" * 64, call=echo).name == "x" * 64


def test_params_or_schema() -> None:
    """Both are an error; an empty list beside a schema is none."""
    assert set(errors_of(params=[FunctionParam("x", "string")], schema={"type": "object"})) == {
        "params"
    }
    assert Function("f", params=[], schema={"type": "object"}, call=echo).schema is not None


def test_repeated_params() -> None:
    twice = [FunctionParam("x", "string"), FunctionParam("x", "integer")]
    assert errors_of(params=twice) == {"params": ("'x' is given more than once",)}
    assert param_errors("o", "object", properties=twice)["properties"]


@pytest.mark.parametrize(
    ("body", "word"),
    [
        (None, "must be given"),
        (3, "must be callable"),
        (lambda: None, "takes 0"),
        (lambda a, b, c: None, "takes 3"),
        (lambda a, *, key: None, "takes"),
    ],
)
def test_bodies(body: Any, word: str) -> None:
    """A body takes the arguments, or those and the context; the error says what it takes."""
    (reason,) = errors_of(call=body)["call"]
    assert word in reason


@pytest.mark.parametrize(
    ("body", "answer"),
    [
        (lambda a: ("one", a), ("one", {"x": 1})),
        (lambda a, c: ("two", c.value), ("two", "user")),
        (lambda a, context=None: ("named", context.value), ("named", "user")),
        (lambda a, flag=False: ("own default", flag), ("own default", False)),
        (lambda *args: ("star", len(args)), ("star", 2)),
        (functools.partial(lambda prefix, a: (prefix, a), "partial"), ("partial", {"x": 1})),
    ],
)
def test_what_bodies_get(body: Any, answer: object) -> None:
    """A second parameter with a default of its own stays the body's, unless it is the context."""
    assert call(Function("f", call=body), {"x": 1}, "user") == answer


class Unsigned:
    """A callable whose signature nobody knows, as C functions may be."""

    __signature__ = 3

    def __call__(self, arguments: Any, context: Any) -> Any:
        return arguments, context.value


def test_bodies_without_signature() -> None:
    """They get both: nothing can be known before they are called."""
    assert call(Function("f", call=Unsigned()), {"x": 1}, "user") == ({"x": 1}, "user")


def test_builtin_bodies() -> None:
    assert call(Function("f", call=len), {"x": 1}) == 1


@pytest.mark.parametrize(
    ("parser", "word"),
    [(3, "must be callable"), (lambda: None, "takes 0"), (lambda a, b: None, "takes 2")],
)
def test_parsers(parser: Any, word: str) -> None:
    (reason,) = errors_of(parse_args=parser)["parse_args"]
    assert word in reason


def test_async_parser_is_refused() -> None:
    async def parse(arguments: dict[str, Any]) -> None: ...

    assert errors_of(parse_args=parse) == {"parse_args": ("must not be async",)}


@pytest.mark.parametrize(
    "schema", [[], "x", {"type": "array"}, {"default": object()}, {"default": float("nan")}]
)
def test_schemas(schema: Any) -> None:
    """A schema is JSON and describes an object."""
    assert set(errors_of(schema=schema)) == {"schema"}


def test_other_parts() -> None:
    errors = errors_of(description=3, title=3, display_text=3, timeout=0, options=[], params=3)
    assert set(errors) == {"description", "title", "display_text", "timeout", "options", "params"}


def test_schema_is_copied() -> None:
    """A change of the given schema does not change what the model is shown."""
    schema: dict[str, Any] = {"type": "object", "properties": {"x": {}}}
    function = Function("f", schema=schema, call=echo)
    schema["properties"]["y"] = {}
    assert function.__toolcall_definition__()["tool"]["schema"]["properties"] == {"x": {}}


# Parameters


def test_param_rules() -> None:
    """Which parts go together; distinct reasons for the three ways to get properties wrong."""
    x = FunctionParam("x", "string")
    assert set(param_errors("", "text")) == {"name", "type"}
    assert "not allowed for type 'boolean'" in param_errors("e", "boolean", enum=[True])["enum"][0]
    assert "not of type 'integer'" in param_errors("e", "integer", enum=[1, "a", True])["enum"][0]
    assert set(param_errors("e", "string", enum="abc")) == {"enum"}
    assert (
        "only allowed for arrays" in param_errors("e", "string", item_type="string")["item_type"][0]
    )
    assert set(param_errors("e", "array", item_type="text")) == {"item_type"}
    no_object = param_errors("e", "object")["properties"][0]
    no_items = param_errors("e", "array", item_type="object")["properties"][0]
    not_here = param_errors("e", "string", properties=[x])["properties"][0]
    assert len({no_object, no_items, not_here}) == 3
    assert set(param_errors("e", "object", properties=["x"])) == {"properties"}
    assert set(param_errors("e", "string", description=3)) == {"description"}


def test_param_schemas() -> None:
    """Nested objects are closed at every level, and `required` keeps declaration order."""
    point = [
        FunctionParam("y", "number", required=True),
        FunctionParam("x", "number", "Left to right", required=True),
    ]
    closed = {
        "type": "object",
        "properties": {
            "y": {"type": "number"},
            "x": {"type": "number", "description": "Left to right"},
        },
        "required": ["y", "x"],
        "additionalProperties": False,
    }
    described = {"description": "A place"}
    assert (
        FunctionParam("p", "object", "A place", properties=point).to_schema() == closed | described
    )
    assert FunctionParam("p", "array", item_type="object", properties=point).to_schema() == {
        "type": "array",
        "items": closed,
    }
    assert FunctionParam("p", "array").to_schema() == {"type": "array"}
    assert FunctionParam("p", "array", item_type="string").to_schema() == {
        "type": "array",
        "items": {"type": "string"},
    }
    assert FunctionParam("p", "string", enum=["a", "b"]).to_schema() == {
        "type": "string",
        "enum": ["a", "b"],
    }


def test_params_in_the_ir() -> None:
    """The same facts, in declaration order, as every other tool's."""
    function = Function(
        "f",
        "Does it.",
        params=[
            FunctionParam("mode", "string", "How", required=True, enum=["a", "b"]),
            FunctionParam("tags", "array", item_type="string"),
            FunctionParam("rows", "array", item_type="array"),
            FunctionParam("any", "array"),
            FunctionParam(
                "at",
                "object",
                properties=[FunctionParam("x", "number", "Left"), FunctionParam("y", "number")],
            ),
            FunctionParam(
                "all", "array", item_type="object", properties=[FunctionParam("x", "string")]
            ),
        ],
        title="F",
        hints={"read_only": True},
        options={"cache_control": {"type": "ephemeral"}},
        strict=True,
        call=echo,
    )
    definition = function.__toolcall_definition__()
    tool = definition["tool"]
    assert (tool["doc"], tool["title"], tool["hints"]) == ("Does it.", "F", {"read_only": True})
    assert definition["options"] == {"cache_control": {"type": "ephemeral"}, "strict": True}
    assert [(p["name"], p["required"], p["type"]["kind"]) for p in tool["parameters"]] == [
        ("mode", True, "literal"),
        ("tags", False, "array"),
        ("rows", False, "array"),
        ("any", False, "array"),
        ("at", False, "object"),
        ("all", False, "array"),
    ]
    assert tool["parameters"][0]["doc"] == "How"


def test_enum_of_numbers_has_one_kind_of_number() -> None:
    param = FunctionParam("x", "number", enum=[1, 1.0, 2.5])
    (made,) = Function("f", params=[param], call=echo).__toolcall_definition__()["tool"][
        "parameters"
    ]
    assert made["type"] == {"kind": "literal", "values": [{"value": 1}, {"value": 2.5}]}


# What vendors get


def test_strict_for_one_tool() -> None:
    """One tool may be strict in a request where the others are not."""
    source = [
        Function("f", params=PATHS, strict=True, call=echo),
        Function("g", params=PATHS, call=echo),
    ]
    strict, plain = emit(source, "openai")
    assert strict["function"]["strict"] is True
    assert strict["function"]["parameters"]["required"] == ["path", "limit"]
    assert plain["function"].get("strict", False) is False
    assert plain["function"]["parameters"]["required"] == ["path"]


def test_given_schemas_are_emitted_as_they_are() -> None:
    """Verbatim for OpenAI, closed at the root for Anthropic, cut to the subset for Gemini."""
    schema = {
        "type": "object",
        "properties": {"x": {"type": "string", "format": "email", "examples": ["a@b.c"]}},
        "required": ["x"],
    }
    function = Function("f", "Does it.", schema=schema, call=echo)
    (tool,) = emit(function, "openai")
    assert tool["function"]["parameters"] == schema
    (tool,) = emit(function, "anthropic")
    assert tool["input_schema"] == {**schema, "additionalProperties": False}
    assert "strict" not in tool
    emitted = str(
        emit(
            Function("f", schema={**schema, "additionalProperties": False}, call=echo),
            "gemini_parameters",
        )
    )
    assert "examples" not in emitted


def test_tools_without_parameters() -> None:
    """No description is no key, never null; no parameters are an empty object."""
    function = Function("f", call=echo)
    (tool,) = emit(function, "openai")
    assert "description" not in tool["function"]
    assert tool["function"]["parameters"]["properties"] == {}
    (tool,) = emit(function, "anthropic")
    assert tool["input_schema"]["additionalProperties"] is False
    assert "description" not in tool


def test_options_are_for_the_vendor_that_knows_them() -> None:
    options = {"cache_control": {"type": "ephemeral"}, "other": 1}
    function = Function("f", options=options, call=echo)
    (tool,) = emit(function, "anthropic")
    assert tool["cache_control"] == {"type": "ephemeral"}
    assert "other" not in tool
    assert "cache_control" not in str(emit(function, "openai"))


# The presence of required names

PATHS = [
    FunctionParam("path", "string", required=True),
    FunctionParam("limit", "integer"),
]
SCHEMA = {
    "type": "object",
    "properties": {"path": {"type": "string"}, "limit": {"type": "integer"}},
    "required": ["path"],
}


@pytest.mark.parametrize("parts", [{"params": PATHS}, {"schema": SCHEMA}])
def test_missing_names(parts: dict[str, Any]) -> None:
    """The text names what is required, missing, not recognised and accepted, in this order."""
    answer = call(Function("f", call=echo, **parts), {"file_path": "a", "limit": 3, "zzz": 1})
    lines = text_of(answer).split("\n")
    assert lines[1] == lines[-2] == ""
    assert lines[2:-2] == [
        "Required arguments: path",
        "Missing arguments: path",
        "Unrecognised arguments: file_path (did you mean path?), zzz",
        "Accepted arguments: path, limit",
    ]
    assert [(p.code, p.path, p.suggestion) for p in answer.problems] == [
        ("missing_argument", "/path", None),
        ("unknown_argument", "/file_path", "path"),
        ("unknown_argument", "/zzz", None),
    ]
    with pytest.raises(CallError, match="Accepted arguments: path \\(required\\), limit"):
        caller(Function("f", call=echo, **parts), "f")({"file_path": "a"})


def test_suggestions_leave_out_what_was_given() -> None:
    """A name that is there already is no suggestion for another one."""
    params = [FunctionParam("path", "string"), FunctionParam("q", "string", required=True)]
    answer = call(Function("f", params=params, call=echo), {"path": "a", "file_path": "b"})
    assert "did you mean" not in text_of(answer)


def test_null_counts_as_given() -> None:
    """Presence is by name: an explicit null is there, and no value is looked at."""
    function = Function("f", params=PATHS, call=echo)
    assert call(function, {"path": None}) == {"path": None}
    assert call(function, {"path": 3, "limit": "x"}) == {"path": 3, "limit": "x"}


def test_unknown_names_alone_reach_the_body() -> None:
    assert call(Function("f", schema=SCHEMA, call=echo), {"path": "a", "x": 1}) == {
        "path": "a",
        "x": 1,
    }


def test_unknown_accepted_names() -> None:
    """Without `properties` nothing is known of names: those two lines vanish."""
    function = Function("f", schema={"required": ["path", 3, None]}, call=echo)
    text = text_of(call(function, {"file_path": "a"}))
    assert "Required arguments: path\n" in text
    assert "Accepted" not in text
    assert "Unrecognised" not in text


def test_odd_lists_of_names() -> None:
    """A `required` that is no list names nothing."""
    assert call(Function("f", schema={"required": True}, call=echo), {}) == {}


# Suggestions


@pytest.mark.parametrize(
    ("unknown", "candidate", "plain", "score"),
    [
        ("file_path", "path", 0.0, 0.8333),
        ("patern", "pattern", 0.9524, 0.9524),
        ("lim", "limit", 0.8667, 0.88),
        ("task_id", "device_task_id", 0.4365, 0.85),
        ("usr", "user", 0.9167, 0.9167),
        ("query", "path", 0.0, None),
        ("x", "max", 0.0, None),
        ("id", "record_id", 0.0, None),
        ("display_name", "record_id", 0.463, None),
    ],
)
def test_suggestion_table(unknown: str, candidate: str, plain: float, score: float | None) -> None:
    """The published scores, to four decimals."""
    assert round(jaro(unknown, candidate), 4) == plain
    assert round(similarity(unknown, candidate), 4) == (score or 0.0)
    assert suggest(unknown, [candidate]) == (candidate if score else None)


# Misread arguments


def test_misread_name_is_told_apart_from_a_bug() -> None:
    """A body that asks for a name that is not there gets the model a line about names."""
    function = Function("f", params=PATHS, call=lambda a: a["paths"])
    answer = call(function, {"path": "a", "pat": 1})
    assert answer.problems[0].code == "unknown_argument"
    text = text_of(answer)
    assert "\n" not in text
    assert text.index("pat is not") < text.index("accepted: path, limit")
    assert text.index("accepted") < text.index("unrecognised") < text.index("received: pat, path")
    for word in ("KeyError", "MissingKey", ".py", "line"):
        assert word not in text


def test_needed_name() -> None:
    """Without an unrecognised name the line says which one the body needs."""
    answer = call(Function("f", params=PATHS, call=lambda a: a["limit"]), {"path": "a"})
    assert "needs limit" in text_of(answer)
    assert (answer.problems[0].code, answer.problems[0].path) == ("missing_argument", "/limit")
    popped = call(Function("f", params=PATHS, call=lambda a: a.pop("limit")), {"path": "a"})
    assert "needs limit" in text_of(popped)


def test_key_that_is_no_name() -> None:
    answer = call(Function("f", params=PATHS, call=lambda a: a[3]), {"path": "a"})
    assert "could not be read" in text_of(answer)


def test_pop_with_default_and_get() -> None:
    function = Function("f", params=PATHS, call=lambda a: (a.pop("limit", 7), a.get("limit", 8)))
    assert call(function, {"path": "a"}) == (7, 8)


def test_other_failures_stay_what_they_are() -> None:
    """A lookup in any other dict, and one with nothing known of names, is the body's own bug."""
    with pytest.raises(KeyError, match="paths"):
        call(Function("f", params=PATHS, call=lambda a: dict(a)["paths"]), {"path": "a"})
    with pytest.raises(KeyError, match="other"):
        call(Function("f", params=PATHS, call=lambda a: {}["other"]), {"path": "a"})
    with pytest.raises(KeyError, match="x"):
        call(Function("f", call=lambda a: a["x"]), {})
    with pytest.raises(ZeroDivisionError):
        call(Function("f", call=lambda a: 1 / 0), {})


def test_async_bodies() -> None:
    async def body(arguments: dict[str, Any]) -> Any:
        await asyncio.sleep(0)
        return arguments["limit"]

    function = Function("f", params=PATHS, call=body)
    assert function.__toolcall_definition__()["tool"]["is_async"]
    assert asyncio.run(call(function, {"path": "a", "limit": 3})) == 3
    assert "needs limit" in text_of(asyncio.run(call(function, {"path": "a"})))
    assert "missing" in text_of(asyncio.run(call(function, {})))


def test_async_callable_objects() -> None:
    class Body:
        async def __call__(self, arguments: dict[str, Any]) -> int:
            return len(arguments)

    for body in (Body(), functools.partial(Body())):
        assert asyncio.run(call(Function("f", call=body), {"x": 1})) == 1


# parse_args


class Parsed:
    def __init__(self, arguments: dict[str, Any]) -> None:
        self.arguments = dict(arguments)


@pytest.mark.parametrize(
    ("parser", "got"),
    [
        (lambda a: None, {"x": 1}),
        (lambda a: Ok(None), {"x": 1}),
        (lambda a: {3: "any key"}, {3: "any key"}),
        (lambda a: Ok({"y": 2}), {"y": 2}),
    ],
)
def test_parsed_arguments(parser: Any, got: object) -> None:
    """Nothing returned keeps the arguments; a mapping replaces them."""
    assert call(Function("f", parse_args=parser, call=echo), {"x": 1}) == got


def test_parsed_objects() -> None:
    """Whatever object the parser makes goes to the body."""
    function = Function("f", parse_args=Parsed, call=lambda p: p.arguments)
    assert call(function, {"x": 1}) == {"x": 1}


def test_parser_replaces_the_presence_check() -> None:
    """A parser may rename: no names are asked for, and a misread name stays plain."""
    function = Function("f", params=PATHS, parse_args=lambda a: None, call=lambda a: a["path"])
    with pytest.raises(KeyError, match="path"):
        call(function, {"file": "a"})


def refusing(error: BaseException) -> Any:
    def parse(arguments: dict[str, Any]) -> None:
        raise error

    return parse


@pytest.mark.parametrize(
    ("parser", "code", "text"),
    [
        (lambda a: Err("not today"), "tool_error", "not today"),
        (
            refusing(ValueError("path must be absolute")),
            "construction_failed",
            "path must be absolute",
        ),
        (refusing(ToolError("no")), "construction_failed", "no"),
        (refusing(ValueError()), "construction_failed", "ValueError"),
    ],
)
def test_refusing_parsers(parser: Any, code: str, text: str) -> None:
    """What a parser refuses goes to the model in its own words, and the body does not run."""
    ran: list[object] = []
    answer = call(Function("f", parse_args=parser, call=ran.append), {})
    assert ([p.code for p in answer.problems], text_of(answer), ran) == ([code], text, [])


def test_failing_parsers(caplog: pytest.LogCaptureFixture) -> None:
    """A bug in the parser is logged with its traceback; the model sees type and message."""
    function = Function("f", parse_args=refusing(ZeroDivisionError("oops")), call=echo)
    with caplog.at_level(logging.WARNING, "toolcall"):
        answer = call(function, {})
    assert [p.code for p in answer.problems] == ["raised"]
    assert text_of(answer) == "parse_args failed (ZeroDivisionError): oops"
    assert caplog.records[0].exc_info is not None


@pytest.mark.parametrize("value", ["ok", 3, True, [1], (1, 2), {1}, b"x"])
def test_unexpected_parser_answers(value: object, caplog: pytest.LogCaptureFixture) -> None:
    """A bare scalar or collection is no arguments: the body is not run on it."""
    with caplog.at_level(logging.WARNING, "toolcall"):
        answer = call(Function("f", parse_args=lambda a: Ok(value), call=echo), {})
    assert "unexpected value" in text_of(answer)
    assert len(caplog.records) == 1


def test_parsers_of_other_libraries() -> None:
    """pydantic, msgspec and cattrs: one expression each, and their refusals reach the model."""
    pydantic = pytest.importorskip("pydantic")
    msgspec = pytest.importorskip("msgspec")
    cattrs = pytest.importorskip("cattrs")
    attrs = pytest.importorskip("attrs")

    model = pydantic.create_model("Model", path=(str, ...), limit=(int, 10))
    struct = msgspec.defstruct("Struct", [("path", str), ("limit", int, 10)])
    cls = attrs.make_class(
        "Cls", {"path": attrs.field(type=str), "limit": attrs.field(type=int, default=10)}
    )
    for parse in (
        model.model_validate,
        lambda a: msgspec.convert(a, struct),
        lambda a: cattrs.structure(a, cls),
    ):
        function = Function("f", parse_args=parse, call=lambda p: (p.path, p.limit))
        assert call(function, {"path": "a"}) == ("a", 10)
        answer = call(function, {"limit": "many"})
        assert [p.code for p in answer.problems] == ["construction_failed"], answer
        assert text_of(answer)


# validate


def test_validate_uses_the_decoders() -> None:
    """Values are checked, and converted as for every tool; every problem has its path."""
    function = Function("f", params=PATHS, validate=True, call=echo)
    assert call(function, {"path": "a", "limit": 3.0}) == {"path": "a", "limit": 3}
    answer = call(function, {"path": 1, "limit": "x"})
    assert [(p.code, p.path) for p in answer.problems] == [
        ("expected_string", "/path"),
        ("expected_integer", "/limit"),
    ]
    assert "required arguments are missing" in text_of(call(function, {}))
    assert [p.code for p in call(function, {"path": "a", "x": 1}).problems] == ["unknown_argument"]


def test_validate_lenient() -> None:
    function = Function("f", params=PATHS, validate=True, call=echo)
    assert call(function, {"path": "a", "limit": "3"}, lenient=True) == {"path": "a", "limit": 3}


def test_validate_leaves_open_what_the_schema_leaves_open() -> None:
    function = Function("f", schema=SCHEMA, validate=True, call=echo)
    assert call(function, {"path": "a", "x": [1]}) == {"path": "a", "x": [1]}
    closed = Function(
        "f", schema={**SCHEMA, "additionalProperties": False}, validate=True, call=echo
    )
    assert [p.code for p in call(closed, {"path": "a", "x": 1}).problems] == ["unknown_argument"]


def test_validate_then_parse() -> None:
    function = Function(
        "f", schema=SCHEMA, validate=True, parse_args=Parsed, call=lambda p: p.arguments
    )
    assert call(function, {"path": "a"}) == {"path": "a"}
    assert [p.code for p in call(function, {"path": 1}).problems] == ["expected_string"]


def test_validate_reports_what_it_cannot() -> None:
    """Keywords that are not enforced are named, once, when the tool is made."""
    schema = {"type": "object", "properties": {"x": {"not": {"type": "string"}}}}
    with pytest.warns(ToolcallWarning, match="/properties/x/not"):
        function = Function("f", schema=schema, validate=True, call=echo)
    assert function.unchecked == ("/properties/x/not",)
    assert Function("f", schema=schema, call=echo).unchecked == ()


# From elsewhere


def test_from_json_schema() -> None:
    """Title and description name the tool unless something else does."""
    schema = {"title": "find", "description": "Finds it.", "type": "object"}
    function = Function.from_json_schema(schema, call=echo)
    assert (function.name, function.description) == ("find", "Finds it.")
    other = Function.from_json_schema(schema, name="g", description="G.", call=echo, strict=True)
    assert (other.name, other.description, other.strict) == ("g", "G.", True)
    with pytest.raises(ToolDefinitionError, match="name: can't be blank"):
        Function.from_json_schema({}, call=echo)


MCP_TOOL = {
    "name": "read_file",
    "title": "Read a file",
    "description": "Reads it.",
    "inputSchema": {"type": "object", "properties": {"path": {"type": "string"}}},
    "annotations": {"readOnlyHint": True, "destructiveHint": False, "title": "Other"},
}


def test_from_mcp() -> None:
    function = Function.from_mcp(MCP_TOOL, call=echo, validate=True)
    tool = function.__toolcall_definition__()["tool"]
    assert (tool["name"], tool["doc"], tool["title"]) == ("read_file", "Reads it.", "Read a file")
    assert tool["schema"] == MCP_TOOL["inputSchema"]
    assert tool["hints"] == {"read_only": True, "destructive": False}
    assert Function.from_mcp({"name": "a.b"}, name="a_b", call=echo).name == "a_b"
    with pytest.raises(ToolDefinitionError, match="name="):
        Function.from_mcp({"name": "a.b"}, call=echo)


def test_from_mcp_sdk() -> None:
    """The SDK's own `Tool` is taken as it is."""
    types = pytest.importorskip("mcp.types")
    function = Function.from_mcp(types.Tool.model_validate(MCP_TOOL), call=echo)
    tool = function.__toolcall_definition__()["tool"]
    assert tool["hints"] == {"read_only": True, "destructive": False}
    assert tool["schema"] == MCP_TOOL["inputSchema"]


def test_results_pass_through() -> None:
    """A body may answer with a whole result; nothing is wrapped twice."""
    result = ToolResult("text", is_error=True)
    assert call(Function("f", call=lambda a: result), {}) is result
    assert call(Function("f", call=lambda a: Ok(1, processed=2)), {}) == Ok(1, 2)
