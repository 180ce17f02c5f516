"""The real pydantic-ai, with its own scripted model."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import pytest

pytest.importorskip("pydantic_ai", reason="the extra pydantic-ai is not installed")

from pydantic_ai import Agent, BinaryContent
from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models.function import AgentInfo, FunctionModel

from toolcall.adapters.pydantic_ai import tool, tools


def converse(desk: ModuleType, name: str, *arguments: dict[str, Any], **run: Any) -> list[Any]:
    """What the model gets back for each call of one tool, and the definitions it saw."""
    waiting = list(arguments)
    seen: list[AgentInfo] = []

    def model(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        seen.append(info)
        if waiting:
            return ModelResponse(parts=[ToolCallPart(name, waiting.pop(0))])
        return ModelResponse(parts=[TextPart("done")])

    agent = Agent(FunctionModel(model), tools=tools(desk), retries=3, deps_type=dict)
    result = agent.run_sync("go", **run)
    parts = [part for message in result.all_messages() for part in message.parts]
    return [
        [part for part in parts if part.part_kind in ("tool-return", "retry-prompt")],
        {one.name: one for one in seen[0].function_tools},
    ]


def test_definitions_are_the_checkers(desk: ModuleType) -> None:
    """Names, descriptions and schemas; injected parameters are not there."""
    _, seen = converse(desk, "refuse", {"why": "x"})
    assert list(seen) == ["order", "slowly", "refuse", "whose", "picture", "secret"]
    assert seen["order"].description == "Order tea."
    schema = seen["order"].parameters_json_schema
    assert schema["properties"]["wanted"]["description"] == "What and how much."
    assert seen["whose"].parameters_json_schema["properties"] == {}


def test_calls_are_decoded_here(desk: ModuleType) -> None:
    """Classes are built; an argument may be named like anything."""
    call = {"wanted": {"kind": "oolong", "grams": 5}, "self": "a", "config": "b", "run": "c"}
    (returned,), _ = converse(desk, "order", call)
    assert returned.content == {"kind": "oolong", "rest": "abc"}
    (returned,), _ = converse(desk, "slowly", {"n": 4})
    assert returned.content == 4


def test_refused_arguments_are_tried_again(desk: ModuleType) -> None:
    """The model gets all problems in one text, and another go."""
    wrong = {"wanted": {"kind": 1, "grams": 0}}
    right = {"wanted": {"kind": "oolong", "grams": 5}}
    (retry, returned), _ = converse(desk, "order", wrong, right)
    assert retry.outcome == "retried"
    assert "2 problems" in retry.content
    assert returned.content["kind"] == "oolong"


def test_a_tools_own_error_is_a_failed_result(desk: ModuleType) -> None:
    """It is not asked for again."""
    (failed,), _ = converse(desk, "refuse", {"why": "late"})
    assert failed.part_kind == "tool-return"
    assert "no: late" in str(failed.content)


def test_the_agents_deps_are_the_context(desk: ModuleType, town: dict[str, str]) -> None:
    """Injected values are read from them, unless a context was given."""
    (returned,), _ = converse(desk, "whose", {}, deps=town)
    assert returned.content == "Oslo"
    one = tool(desk, "whose", context={"town": "Bergen"})
    assert one.name == "whose"


def test_parts_and_hidden_values(desk: ModuleType) -> None:
    """An image stays one; what the model must not see is metadata."""
    (returned,), _ = converse(desk, "picture", {})
    assert isinstance(returned.content, BinaryContent)
    (returned,), _ = converse(desk, "secret", {})
    assert (returned.content, returned.metadata) == ("shown", {"hidden": 1})


def test_a_tool_that_is_not_there(desk: ModuleType) -> None:
    """Its name and those that there are."""
    with pytest.raises(KeyError, match="there are order, slowly"):
        tool(desk, "odrer")
