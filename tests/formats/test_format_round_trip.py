"""A whole tool round trip with each vendor's real client, against a scripted local server.

The server answers the first request with two calls (one of them to a tool that is not
there) and the second with a text. What is checked is that the client sends our tools and
results as they are, that its objects are read back, and that every call is answered once.
"""

from __future__ import annotations

import importlib.util
import json
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import TYPE_CHECKING, Any

import pytest

from tests.formats.tool_definitions import INTEGER, STRING, nullable, parameter, tool
from toolcall import formats
from toolcall._values import ToolCall, ToolResult

if TYPE_CHECKING:
    from collections.abc import Iterator

FORECAST = tool(
    "weather.forecast",
    parameter("city", STRING, doc="A city."),
    parameter("days", nullable({**INTEGER, "ge": 1}), required=False, default=3),
)
ARGUMENTS = {"city": "Oslo", "days": None}
TEXT = json.dumps(ARGUMENTS)


def needs(name: str) -> Any:
    return pytest.mark.skipif(
        importlib.util.find_spec(name) is None, reason=f"{name} is not installed"
    )


@contextmanager
def scripted(*answers: Any) -> Iterator[tuple[str, list[Any]]]:
    """A server that gives these JSON answers in order; yields its URL and what it was sent."""
    sent: list[Any] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            length = int(self.headers["Content-Length"])
            sent.append(json.loads(self.rfile.read(length)))
            body = json.dumps(answers[len(sent) - 1]).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *args: Any) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", sent
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def answered(calls: list[ToolCall]) -> list[ToolResult]:
    """What a program answers: one result for each call, an error for the unknown tool."""
    results = []
    for call in calls:
        known = call.name == "weather_forecast"
        if known:
            given = call.arguments
            assert (json.loads(given) if isinstance(given, str) else given) == ARGUMENTS
        results.append(
            ToolResult(
                "18 degrees" if known else f"unknown tool {call.name}",
                id=call.id,
                name=call.name,
                is_error=not known,
            )
        )
    assert [(result.name, result.is_error) for result in results] == [
        ("weather_forecast", False),
        ("nothing", True),
    ]
    return results


@needs("openai")
def test_openai_chat() -> None:
    """Chat Completions."""
    from openai import OpenAI

    made = [("c1", "weather_forecast", TEXT), ("c2", "nothing", "{}")]
    calls = [
        {"id": made_id, "type": "function", "function": {"name": name, "arguments": arguments}}
        for made_id, name, arguments in made
    ]

    def answer(message: Any, reason: str) -> Any:
        choice = {"index": 0, "message": message, "finish_reason": reason}
        return {"id": "x", "object": "chat.completion", "created": 1, "model": "m",
                "choices": [choice]}  # fmt: skip

    openai = formats.get("openai")
    tools: Any = openai.render_tools([FORECAST], strict="require")
    messages: list[Any] = [{"role": "user", "content": "Weather?"}]
    with scripted(
        answer({"role": "assistant", "content": None, "tool_calls": calls}, "tool_calls"),
        answer({"role": "assistant", "content": "Fine."}, "stop"),
    ) as (url, sent):
        client = OpenAI(base_url=url, api_key="none", max_retries=0)
        first = client.chat.completions.create(model="m", messages=messages, tools=tools)
        message = first.choices[0].message
        results = answered(openai.parse_calls(message))
        assert openai.parse_calls(first) == openai.parse_calls(message.to_dict())
        messages += [message, *openai.render_results(results)]
        second = client.chat.completions.create(model="m", messages=messages, tools=tools)
        assert second.choices[0].message.content == "Fine."
    assert sent[0]["tools"] == tools
    assert sent[1]["messages"][1]["tool_calls"] == calls
    assert [m["tool_call_id"] for m in sent[1]["messages"][2:]] == ["c1", "c2"]


@needs("openai")
def test_openai_responses() -> None:
    """Responses."""
    from openai import OpenAI

    output = [
        {"type": "function_call", "id": "f1", "call_id": "c1", "name": "weather_forecast",
         "arguments": TEXT, "status": "completed"},
        {"type": "function_call", "id": "f2", "call_id": "c2", "name": "nothing",
         "arguments": "{}", "status": "completed"},
    ]  # fmt: skip
    text = {"type": "output_text", "text": "Fine.", "annotations": []}
    said = {"type": "message", "id": "m1", "role": "assistant", "status": "completed",
            "content": [text]}  # fmt: skip

    def answer(items: Any) -> Any:
        return {"id": "r", "object": "response", "created_at": 1, "model": "m", "output": items,
                "parallel_tool_calls": True, "tool_choice": "auto", "tools": []}  # fmt: skip

    responses = formats.get("openai_responses")
    tools: Any = responses.render_tools([FORECAST], strict="require")
    with scripted(answer(output), answer([said])) as (url, sent):
        client = OpenAI(base_url=url, api_key="none", max_retries=0)
        first = client.responses.create(model="m", input="Weather?", tools=tools)
        results: Any = responses.render_results(answered(responses.parse_calls(first)))
        second = client.responses.create(model="m", input=[*first.output, *results], tools=tools)
        assert second.output_text == "Fine."
    assert sent[0]["tools"] == tools
    assert sent[1]["input"][2:] == results


@needs("anthropic")
def test_anthropic() -> None:
    """Messages."""
    from anthropic import Anthropic

    def answer(content: Any, reason: str) -> Any:
        usage = {"input_tokens": 1, "output_tokens": 1}
        return {"id": "m", "type": "message", "role": "assistant", "model": "m",
                "content": content, "stop_reason": reason, "usage": usage}  # fmt: skip

    blocks = [
        {"type": "text", "text": "Let me see."},
        {"type": "tool_use", "id": "c1", "name": "weather_forecast", "input": ARGUMENTS},
        {"type": "tool_use", "id": "c2", "name": "nothing", "input": {}},
    ]
    anthropic = formats.get("anthropic")
    tools: Any = anthropic.render_tools([FORECAST], strict="require")
    messages: list[Any] = [{"role": "user", "content": "Weather?"}]
    with scripted(
        answer(blocks, "tool_use"), answer([{"type": "text", "text": "Fine."}], "end_turn")
    ) as (url, sent):
        client = Anthropic(base_url=url, api_key="none", max_retries=0)
        first = client.messages.create(model="m", max_tokens=9, messages=messages, tools=tools)
        results = anthropic.render_results(answered(anthropic.parse_calls(first)))
        messages += [{"role": "assistant", "content": first.content}, *results]
        second = client.messages.create(model="m", max_tokens=9, messages=messages, tools=tools)
        assert second.content[0].text == "Fine."
    assert sent[0]["tools"] == tools
    assert sent[1]["messages"][2:] == results


@needs("google")
@pytest.mark.parametrize("name", ["gemini", "gemini_parameters"])
def test_gemini(name: str) -> None:
    """generateContent."""
    genai = pytest.importorskip("google.genai")

    def answer(parts: Any) -> Any:
        content = {"role": "model", "parts": parts}
        return {"candidates": [{"index": 0, "content": content, "finishReason": "STOP"}]}

    parts = [
        {"functionCall": {"id": "c1", "name": "weather_forecast", "args": ARGUMENTS}},
        {"functionCall": {"name": "nothing", "args": {}}},
    ]
    module = formats.get(name)
    # Gemini takes dots, and the answer uses the name without: give it that name.
    definition = {**FORECAST, "tool": {**FORECAST["tool"], "name": "weather_forecast"}}
    tools = module.render_tools([definition])
    config: Any = {"tools": tools, "automatic_function_calling": {"disable": True}}
    contents: list[Any] = [{"role": "user", "parts": [{"text": "Weather?"}]}]
    with scripted(answer(parts), answer([{"text": "Fine."}])) as (url, sent):
        client = genai.Client(api_key="none", http_options={"base_url": url})
        first = client.models.generate_content(model="m", contents=contents, config=config)
        results = module.render_results(answered(module.parse_calls(first)))
        contents += [first.candidates[0].content, *results]
        second = client.models.generate_content(model="m", contents=contents, config=config)
        assert second.text == "Fine."
    # The client writes some keys in its own spelling; it reads both.
    spelled = [
        [genai.types.Tool.model_validate(t) for t in each] for each in (sent[0]["tools"], tools)
    ]
    assert spelled[0] == spelled[1]
    assert sent[1]["contents"][2:] == results


@needs("boto3")
def test_bedrock(monkeypatch: pytest.MonkeyPatch) -> None:
    """Converse."""
    import boto3

    def answer(content: Any, reason: str) -> Any:
        usage = {"inputTokens": 1, "outputTokens": 1, "totalTokens": 2}
        return {"output": {"message": {"role": "assistant", "content": content}},
                "stopReason": reason, "usage": usage, "metrics": {"latencyMs": 1}}  # fmt: skip

    blocks = [
        {"toolUse": {"toolUseId": "c1", "name": "weather_forecast", "input": ARGUMENTS}},
        {"toolUse": {"toolUseId": "c2", "name": "nothing", "input": {}}},
    ]
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    bedrock = formats.get("bedrock")
    tools = bedrock.render_tools([FORECAST], strict="require")
    messages: list[Any] = [{"role": "user", "content": [{"text": "Weather?"}]}]
    with scripted(answer(blocks, "tool_use"), answer([{"text": "Fine."}], "end_turn")) as (
        url,
        sent,
    ):
        client = boto3.client(
            "bedrock-runtime",
            endpoint_url=url,
            region_name="eu-west-1",
            aws_access_key_id="none",
            aws_secret_access_key="none",
        )
        ask = {"modelId": "m", "toolConfig": {"tools": tools}}
        first = client.converse(messages=messages, **ask)
        results = bedrock.render_results(answered(bedrock.parse_calls(first)))
        messages += [first["output"]["message"], *results]
        second = client.converse(messages=messages, **ask)
        assert second["output"]["message"]["content"][0]["text"] == "Fine."
    assert sent[0]["toolConfig"]["tools"] == tools
    assert sent[1]["messages"][2:] == results


POINT = {
    "kind": "object",
    "style": "dataclass",
    "cls": "app:Point",
    "fields": [{"name": "x", "wire": "x", "type": INTEGER, "required": True}],
}
MCP_TOOLS = [
    tool("point.get", returns={"kind": "ref", "name": "Point"}, types={"Point": POINT}),
    tool("numbers", returns={"kind": "array", "items": INTEGER, "cls": "list"}),
    tool("either", returns={"kind": "union", "branches": [POINT, INTEGER]}),
    tool("text", parameter("city", STRING), returns=STRING),
]
MCP_VALUES = {"point.get": {"x": 1}, "numbers": [1, 2], "either": 7, "text": None}


@needs("mcp")
@pytest.mark.parametrize(
    ("name", "mode"),
    [("mcp-2025-06-18", "legacy"), ("mcp-2025-11-25", "legacy"), ("mcp", "2026-07-28")],
)
def test_mcp(name: str, mode: str) -> None:
    """The official client lists and calls the tools, and validates structured results."""
    import asyncio

    from mcp import Client
    from mcp.server.lowlevel import Server
    from mcp_types import CallToolResult, ListToolsResult

    module = formats.get(name)
    tools = module.render_tools(MCP_TOOLS)

    async def list_tools(context: Any, params: Any) -> Any:
        return ListToolsResult.model_validate({"tools": tools})

    async def call_tool(context: Any, params: Any) -> Any:
        (call,) = module.parse_calls(params)
        if call.name in MCP_VALUES:
            value = MCP_VALUES[call.name]
            result = ToolResult(json.dumps(value), id=call.id, structured=value)
        else:
            result = ToolResult("unknown tool", id=call.id, is_error=True)
        (rendered,) = module.render_results([result])
        return CallToolResult.model_validate(rendered)

    async def talk() -> None:
        server: Any = Server("test", on_list_tools=list_tools, on_call_tool=call_tool)
        async with Client(server, mode=mode) as client:
            listed = await client.list_tools()
            assert [t.name for t in listed.tools] == list(MCP_VALUES)
            for called, value in MCP_VALUES.items():
                result = await client.call_tool(called, {"city": "Oslo"})
                assert not result.is_error
                wrapped = mode == "legacy" and value is not None and not isinstance(value, dict)
                assert result.structured_content == ({"result": value} if wrapped else value)
            assert (await client.call_tool("nothing", {})).is_error

    asyncio.run(talk())
