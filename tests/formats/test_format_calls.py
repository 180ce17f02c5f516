"""Reading calls from messages, as plain dicts and as objects, however odd they are."""

from __future__ import annotations

import random
from types import SimpleNamespace
from typing import Any

import pytest

from toolcall import formats
from toolcall._values import ToolCall

ARGUMENTS = {"city": "Oslo"}
TEXT = '{"city": "Oslo"}'

OPENAI_MESSAGE = {
    "role": "assistant",
    "content": None,
    "tool_calls": [
        {"id": "c1", "type": "function", "function": {"name": "f", "arguments": TEXT}},
        {"id": "c2", "type": "function", "function": {"name": "g", "arguments": ""}},
    ],
}
RESPONSE = {
    "output": [
        {"type": "reasoning", "summary": []},
        {"type": "function_call", "id": "x", "call_id": "c1", "name": "f", "arguments": TEXT},
        {"type": "message", "content": []},
        {"type": "custom_tool_call", "call_id": "c2", "name": "g", "input": "free text"},
    ]
}
ANTHROPIC_MESSAGE = {
    "role": "assistant",
    "content": [
        {"type": "text", "text": "Let me see."},
        {"type": "tool_use", "id": "c1", "name": "f", "input": ARGUMENTS},
        {"type": "server_tool_use", "id": "s", "name": "web_search", "input": {}},
        {"type": "tool_use", "id": "c2", "name": "g", "input": {}},
    ],
}
BEDROCK_MESSAGE = {
    "role": "assistant",
    "content": [
        {"text": "Let me see."},
        {"toolUse": {"toolUseId": "c1", "name": "f", "input": ARGUMENTS}},
        {"toolUse": {"toolUseId": "s", "name": "x", "input": {}, "type": "server_tool_use"}},
        {"toolUse": {"toolUseId": "c2", "name": "g", "input": {}}},
    ],
}
GEMINI_CONTENT = {
    "role": "model",
    "parts": [
        {"text": "Let me see."},
        {"functionCall": {"id": "c1", "name": "f", "args": ARGUMENTS}},
        {"functionCall": {"name": "g"}},
    ],
}
MCP_REQUEST = {
    "jsonrpc": "2.0",
    "id": 7,
    "method": "tools/call",
    "params": {"name": "f", "arguments": ARGUMENTS},
}


def as_object(value: Any) -> Any:
    """The same message with attributes instead of keys, as SDKs have it."""
    if isinstance(value, dict):
        return SimpleNamespace(**{key: as_object(inner) for key, inner in value.items()})
    return [as_object(inner) for inner in value] if isinstance(value, list) else value


class Struct:
    """Arguments as some SDKs have them: a mapping that is no dict."""

    def keys(self) -> Any:
        return ARGUMENTS.keys()

    def __getitem__(self, key: str) -> str:
        return ARGUMENTS[key]


CALLS = [
    ("openai", OPENAI_MESSAGE, [ToolCall("c1", "f", TEXT), ToolCall("c2", "g", "")]),
    ("openai_responses", RESPONSE, [ToolCall("c1", "f", TEXT), ToolCall("c2", "g", "free text")]),
    ("anthropic", ANTHROPIC_MESSAGE, [ToolCall("c1", "f", ARGUMENTS), ToolCall("c2", "g", {})]),
    ("bedrock", BEDROCK_MESSAGE, [ToolCall("c1", "f", ARGUMENTS), ToolCall("c2", "g", {})]),
    ("gemini", GEMINI_CONTENT, [ToolCall("c1", "f", ARGUMENTS), ToolCall(None, "g", None)]),
    ("gemini_parameters", GEMINI_CONTENT, [ToolCall("c1", "f", ARGUMENTS), ToolCall(None, "g")]),
    ("mcp", MCP_REQUEST, [ToolCall("7", "f", ARGUMENTS)]),
    ("mcp-2025-06-18", MCP_REQUEST, [ToolCall("7", "f", ARGUMENTS)]),
]


@pytest.mark.parametrize(("name", "message", "calls"), CALLS, ids=[c[0] for c in CALLS])
def test_calls_of_a_message(name: str, message: Any, calls: list[ToolCall]) -> None:
    """A message gives its calls in order; arguments stay text or values as they came."""
    assert formats.get(name).parse_calls(message) == calls


@pytest.mark.parametrize(("name", "message", "calls"), CALLS, ids=[c[0] for c in CALLS])
def test_calls_of_an_object(name: str, message: Any, calls: list[ToolCall]) -> None:
    """An SDK's object is read by its attributes, and its arguments become plain."""
    parsed = formats.get(name).parse_calls(as_object(message))
    assert [(call.id, call.name) for call in parsed] == [(call.id, call.name) for call in calls]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("openai", {"choices": [{"index": 0, "message": OPENAI_MESSAGE}, {"message": {}}]}),
        ("openai", {"message": OPENAI_MESSAGE}),
        ("openai_responses", RESPONSE["output"]),
        ("anthropic", ANTHROPIC_MESSAGE["content"]),
        ("bedrock", {"output": {"message": BEDROCK_MESSAGE}, "stopReason": "tool_use"}),
        ("bedrock", BEDROCK_MESSAGE["content"]),
        ("gemini", {"candidates": [{"content": GEMINI_CONTENT}]}),
        ("gemini", GEMINI_CONTENT["parts"]),
        ("mcp", [MCP_REQUEST, {"id": 8, "method": "tools/call", "params": {"name": "g"}}]),
    ],
)
def test_calls_of_a_whole_response(name: str, message: Any) -> None:
    """The whole response or a bare list is read as well as the message inside it."""
    assert [call.name for call in formats.get(name).parse_calls(message)] == ["f", "g"]


def test_single_items() -> None:
    """One output item, and the parameters of an MCP request, are messages too."""
    assert formats.get("openai_responses").parse_calls(RESPONSE["output"][1])[0].name == "f"
    assert formats.get("mcp").parse_calls({"name": "f"}) == [ToolCall(None, "f", None)]
    assert formats.get("mcp").parse_calls({"method": "tools/list", "id": 1}) == []


def test_attributes_in_snake_case() -> None:
    """google-genai and others spell keys as attributes."""
    call = SimpleNamespace(id=None, name="f", args=Struct())
    content = SimpleNamespace(parts=[SimpleNamespace(function_call=call, text=None)])
    assert formats.get("gemini").parse_calls(content) == [ToolCall(None, "f", ARGUMENTS)]
    use = SimpleNamespace(tool_use_id="c", name="f", input={})
    message = SimpleNamespace(content=[SimpleNamespace(tool_use=use)])
    assert formats.get("bedrock").parse_calls(message) == [ToolCall("c", "f", {})]


def test_arguments_that_dump_themselves() -> None:
    """Arguments that are a model become a dict."""
    arguments = SimpleNamespace(model_dump=lambda: ARGUMENTS)
    block = {"type": "tool_use", "id": "c", "name": "f", "input": arguments}
    assert formats.get("anthropic").parse_calls([block]) == [ToolCall("c", "f", ARGUMENTS)]


def test_custom_calls_of_chat() -> None:
    """A free-text call is a call whose arguments are that text, so that it is answered."""
    message = {"tool_calls": [{"id": "c", "type": "custom", "custom": {"name": "f", "input": "x"}}]}
    assert formats.get("openai").parse_calls(message) == [ToolCall("c", "f", "x")]


@pytest.mark.parametrize(
    ("name", "message", "call"),
    [
        ("openai", {"tool_calls": [{}]}, ToolCall(None, "", None)),
        ("openai", {"tool_calls": [None]}, ToolCall(None, "", None)),
        (
            "openai",
            {"tool_calls": [{"id": 5, "function": {"name": "f", "arguments": {"a": 1}}}]},
            ToolCall("5", "f", {"a": 1}),
        ),
        ("openai_responses", [{"type": "function_call"}], ToolCall(None, "", None)),
        ("anthropic", [{"type": "tool_use", "input": TEXT}], ToolCall(None, "", TEXT)),
        ("anthropic", [{"type": "tool_use", "input": [1]}], ToolCall(None, "", [1])),  # type: ignore[arg-type]
        ("bedrock", [{"toolUse": {}}], ToolCall(None, "", None)),
        ("gemini", [{"functionCall": {}}], ToolCall(None, "", None)),
        ("mcp", {"method": "tools/call", "id": "x"}, ToolCall("x", "", None)),
    ],
)
def test_incomplete_calls_are_calls(name: str, message: Any, call: ToolCall) -> None:
    """What lacks an id, a name or fit arguments is a call all the same, and can be answered."""
    assert formats.get(name).parse_calls(message) == [call]


@pytest.mark.parametrize("name", formats.NAMES)
@pytest.mark.parametrize(
    "message",
    [None, "", "text", 5, [], {}, {"content": "No."}, {"content": None, "refusal": "No."},
     {"tool_calls": None}, {"output": "x"}, {"parts": 3}, {"choices": []}, {"candidates": [None]}],
)  # fmt: skip
def test_messages_without_calls(name: str, message: Any) -> None:
    """Refusals, texts and nonsense have no calls."""
    assert formats.get(name).parse_calls(message) == []


KEYS = ["choices", "message", "tool_calls", "function", "name", "id", "type", "content", "input",
        "output", "toolUse", "parts", "functionCall", "args", "candidates", "params", "method",
        "arguments", "custom", "call_id"]  # fmt: skip
LEAVES = [None, True, 3, 1.5, "", "tool_use", "function_call", "tools/call", b"x", (), object()]


def _anything(source: random.Random, depth: int) -> Any:
    choice = source.random()
    if depth == 0 or choice < 0.2:
        return source.choice(LEAVES)
    if choice < 0.45:
        return [_anything(source, depth - 1) for _ in range(source.randrange(3))]
    return {source.choice(KEYS): _anything(source, depth - 1) for _ in range(source.randrange(5))}


@pytest.mark.parametrize("name", formats.NAMES)
def test_parsing_never_raises(name: str) -> None:
    """No message, however wrong, is an exception."""
    source = random.Random(name)
    parse = formats.get(name).parse_calls
    for _ in range(3000):
        for call in parse(_anything(source, 6)):
            assert isinstance(call, ToolCall)
            assert isinstance(call.name, str)
            assert call.id is None or isinstance(call.id, str)
