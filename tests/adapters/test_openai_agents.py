"""The real Agents SDK, with a scripted model in place of the network."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from types import ModuleType
from typing import Any

import pytest

pytest.importorskip("agents", reason="the extra openai-agents is not installed")

from agents import Agent, Model, ModelResponse, Runner, Usage, set_tracing_disabled
from openai.types.responses import (
    ResponseFunctionToolCall,
    ResponseOutputMessage,
    ResponseOutputText,
)

from toolcall.adapters.openai_agents import tool, tools

set_tracing_disabled(True)


class Scripted(Model):
    """Calls one tool, then says that it is done."""

    def __init__(self, name: str, arguments: str) -> None:
        self.call = (name, arguments)
        self.seen: list[Any] = []
        self.tools: list[Any] = []

    async def get_response(self, *args: Any, **request: Any) -> ModelResponse:
        self.seen.append(request["input"])
        self.tools = request["tools"]
        name, arguments = self.call
        part: Any
        if len(self.seen) == 1:
            part = ResponseFunctionToolCall(
                type="function_call", call_id="c1", name=name, arguments=arguments
            )
        else:
            text = ResponseOutputText(type="output_text", text="done", annotations=[])
            part = ResponseOutputMessage(
                id="m", type="message", role="assistant", status="completed", content=[text]
            )
        return ModelResponse(output=[part], usage=Usage(), response_id=None)

    def stream_response(self, *args: Any, **more: Any) -> AsyncIterator[Any]:
        raise NotImplementedError


def converse(desk: ModuleType, name: str, arguments: Any, context: Any = None) -> tuple[Any, Any]:
    """The output of one call, as the model gets it, and the tools it was shown."""
    text = arguments if isinstance(arguments, str) else json.dumps(arguments)
    model = Scripted(name, text)
    agent: Agent[Any] = Agent(name="clerk", model=model, tools=list(tools(desk)))
    asyncio.run(Runner.run(agent, "go", context=context))
    outputs = [one for one in model.seen[-1] if one.get("type") == "function_call_output"]
    return outputs[0]["output"], {one.name: one for one in model.tools}


@pytest.mark.filterwarnings("ignore::toolcall.ToolcallWarning")
class TestAgents:
    def test_definitions_are_strict(self, desk: ModuleType) -> None:
        """As the SDK wants them; the SDK's own rewriting finds nothing to change."""
        _, seen = converse(desk, "refuse", {"why": "x"})
        assert list(seen) == ["order", "slowly", "refuse", "whose", "picture", "secret"]
        assert seen["order"].strict_json_schema
        assert seen["order"].description == "Order tea."
        assert set(seen["order"].params_json_schema["required"]) >= {"wanted", "self"}
        assert seen["whose"].params_json_schema["properties"] == {}

    def test_calls_are_decoded_here(self, desk: ModuleType) -> None:
        """Classes are built; null stands for absent, as strict schemas make models write it."""
        call = {"wanted": {"kind": "oolong", "grams": 5}, "self": "a", "config": None, "run": None}
        assert json.loads(converse(desk, "order", call)[0]) == {"kind": "oolong", "rest": "a"}
        assert converse(desk, "slowly", {"n": 4})[0] == "4"

    @pytest.mark.parametrize(
        ("name", "arguments", "text"),
        [
            ("order", {"wanted": {"kind": 1, "grams": 0}}, "2 problems"),
            ("order", '{"wanted": ', "JSON"),
            ("refuse", {"why": "late"}, "no: late"),
        ],
    )
    def test_errors_are_texts(self, desk: ModuleType, name: str, arguments: Any, text: str) -> None:
        """Bad arguments with all problems, broken JSON, and what a tool answers."""
        assert text in converse(desk, name, arguments)[0]

    def test_the_runs_context_is_the_context(self, desk: ModuleType, town: dict[str, str]) -> None:
        """Injected values are read from it."""
        assert converse(desk, "whose", {}, town)[0] == "Oslo"

    def test_an_image_stays_one(self, desk: ModuleType) -> None:
        """It is sent as an input image."""
        (part,) = converse(desk, "picture", {})[0]
        assert part["type"] == "input_image"
        assert part["image_url"].startswith("data:image/png;base64,")

    def test_one_tool(self, desk: ModuleType) -> None:
        """By its name; another name is an error."""
        assert tool(desk, "slowly").name == "slowly"
        with pytest.raises(KeyError, match="there are"):
            tool(desk, "nothing")
