"""The vendors' own software accepts what is rendered: SDK types, service models, transformers.

Each part is skipped where its SDK is not installed; the environment `vendors` has all.
"""

from __future__ import annotations

import copy
import importlib.util
import warnings
from typing import Any

import pytest

from tests.formats.test_format_results import EMPTY, FAILED, LISTED, PARTS, STRUCTURED, TEXT
from tests.formats.tool_definitions import TOOLS
from toolcall import formats
from toolcall.errors import ToolcallWarning
from toolcall.formats._tables import ALL

RESULTS = [TEXT, FAILED, EMPTY, STRUCTURED, LISTED, PARTS]


def sdk(name: str) -> Any:
    return pytest.mark.skipif(
        importlib.util.find_spec(name) is None, reason=f"{name} is not installed"
    )


def tools(name: str, *, strict: bool) -> list[Any]:
    """Every example tool, each as a request of its own, strict where it can be."""
    rendered = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ToolcallWarning)
        for definition in TOOLS:
            rendered += formats.get(name).render_tools([definition], strict=strict)
    return rendered


def exactly(adapter: Any, value: Any) -> None:
    """The SDK's type takes a value and keeps all of it."""
    parsed = adapter.validate_python(copy.deepcopy(value))
    assert adapter.dump_python(parsed, mode="json", exclude_unset=True, by_alias=True) == value


both = pytest.mark.parametrize("strict", [False, True], ids=["plain", "strict"])


@sdk("jsonschema")
@both
@pytest.mark.parametrize("name", [n for n in formats.NAMES if n != "gemini_parameters"])
def test_schemas_are_json_schema(name: str, strict: bool) -> None:
    """Every schema is valid against the meta-schema of draft 2020-12."""
    from jsonschema import Draft202012Validator

    for tool in tools(name, strict=strict):
        schema = _schema(tool)
        if schema is not None:
            Draft202012Validator.check_schema(schema)
        if "outputSchema" in tool:
            Draft202012Validator.check_schema(tool["outputSchema"])


def _schema(tool: Any) -> Any:
    """The input schema in any vendor's envelope."""
    for key in ("function", "toolSpec"):
        tool = tool.get(key, tool)
    if "functionDeclarations" in tool:
        return tool["functionDeclarations"][0].get("parametersJsonSchema")
    for key in ("parameters", "input_schema", "inputSchema"):
        if key in tool:
            return tool[key].get("json", tool[key])
    raise AssertionError(f"no schema in {tool}")


@sdk("openai")
@both
def test_openai_types(strict: bool) -> None:
    """Chat's tools and messages are the SDK's types."""
    from openai.types import chat
    from pydantic import TypeAdapter

    adapter = TypeAdapter(chat.ChatCompletionFunctionToolParam)
    for tool in tools("openai", strict=strict):
        exactly(adapter, tool)
    message_type = TypeAdapter(chat.ChatCompletionToolMessageParam)
    for message in formats.get("openai").render_results(RESULTS):
        message_type.validate_python(message)


@sdk("openai")
@both
def test_openai_responses_types(strict: bool) -> None:
    """Responses' tools and items are the SDK's types."""
    from openai.types.responses import FunctionToolParam
    from openai.types.responses.response_input_item_param import FunctionCallOutput
    from pydantic import TypeAdapter

    adapter = TypeAdapter(FunctionToolParam)
    for tool in tools("openai_responses", strict=strict):
        exactly(adapter, tool)
    item_type = TypeAdapter(FunctionCallOutput)
    for item in formats.get("openai_responses").render_results(RESULTS):
        item_type.validate_python(item)


@sdk("openai")
@pytest.mark.parametrize("name", ["openai", "openai_responses", "mcp"])
def test_openai_leaves_strict_schemas_alone(name: str) -> None:
    """The SDK's own rewriting for strict mode finds nothing to do."""
    from openai.lib._pydantic import _ensure_strict_json_schema

    strict_ones = [t for t in tools(name, strict=True) if "'strict': True" in str(t)]
    assert name == "mcp" or len(strict_ones) > 15
    for tool in strict_ones:
        schema = _schema(tool)
        rewritten = copy.deepcopy(schema)
        assert _ensure_strict_json_schema(rewritten, path=(), root=rewritten) == schema


@sdk("anthropic")
@both
def test_anthropic_types(strict: bool) -> None:
    """Tools and results are the SDK's types."""
    from anthropic.types import MessageParam, ToolParam
    from pydantic import TypeAdapter

    adapter = TypeAdapter(ToolParam)
    for tool in tools("anthropic", strict=strict):
        exactly(adapter, tool)
    for message in formats.get("anthropic").render_results(RESULTS):
        TypeAdapter(MessageParam).validate_python(message)


@sdk("anthropic")
def test_anthropic_leaves_strict_schemas_alone() -> None:
    """`transform_schema` finds nothing to do."""
    from anthropic import transform_schema

    strict_ones = [tool for tool in tools("anthropic", strict=True) if tool.get("strict")]
    assert len(strict_ones) > 14
    for tool in strict_ones:
        schema = tool["input_schema"]
        assert transform_schema(copy.deepcopy(schema)) == schema


@sdk("google.genai") if importlib.util.find_spec("google") else sdk("google")
@both
@pytest.mark.parametrize("name", ["gemini", "gemini_parameters"])
def test_gemini_types(name: str, strict: bool) -> None:
    """Declarations and contents are the SDK's types, with nothing unknown to them."""
    from google.genai import types

    for tool in tools(name, strict=strict):
        parsed = types.Tool.model_validate(tool)
        dumped = parsed.model_dump(mode="json", by_alias=True, exclude_unset=True)
        assert dumped == tool
    for content in formats.get(name).render_results(RESULTS):
        types.Content.model_validate(content)


@sdk("botocore")
@both
def test_bedrock_service_model(strict: bool) -> None:
    """botocore's service model validates the whole request."""
    import botocore.session
    from botocore.validate import ParamValidator

    model = botocore.session.get_session().get_service_model("bedrock-runtime")
    shape = model.operation_model("Converse").input_shape
    names = [tool["toolSpec"]["name"] for tool in tools("bedrock", strict=strict)]
    assert len(names) == len(TOOLS)
    request = {
        "modelId": "m",
        "messages": formats.get("bedrock").render_results(RESULTS),
        "toolConfig": {"tools": tools("bedrock", strict=strict)},
    }
    report = ParamValidator().validate(request, shape)
    assert not report.has_errors(), report.generate_report()


@sdk("mcp_types")
@both
@pytest.mark.parametrize(
    ("name", "version"),
    [("mcp-2025-06-18", "2025-06-18"), ("mcp-2025-11-25", "2025-11-25"), ("mcp", "2026-07-28")],
)
def test_mcp_types(name: str, version: str, strict: bool) -> None:
    """Tools and results are the SDK's types of their revision, with nothing unknown to them."""
    from mcp_types import CallToolResult, Tool, _v2025_11_25, _v2026_07_28

    wire = _v2026_07_28 if version == "2026-07-28" else _v2025_11_25
    for tool in tools(name, strict=strict):
        for kind in (Tool, wire.Tool):
            dumped = kind.model_validate(tool).model_dump(
                mode="json", by_alias=True, exclude_unset=True
            )
            assert dumped == tool
    for result in formats.get(name).render_results(RESULTS):
        for kind in (CallToolResult, wire.CallToolResult):
            kind.model_validate(result)


def test_all_dialects_are_checked() -> None:
    """A new dialect must come with a test here."""
    assert {dialect.format for dialect in ALL} == {
        n for n in formats.NAMES if n != "mcp-2026-07-28"
    }
