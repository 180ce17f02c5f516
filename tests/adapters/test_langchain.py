"""The real langchain-core: its tool protocol, and its scripted chat model."""

from __future__ import annotations

import asyncio
from types import ModuleType
from typing import Any

import pytest

pytest.importorskip("langchain_core", reason="the extra langchain is not installed")

from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage
from langchain_core.utils.function_calling import convert_to_openai_tool

from toolcall.adapters.langchain import tool, tools


def message(desk: ModuleType, name: str, arguments: dict[str, Any], **options: Any) -> ToolMessage:
    """The tool message that a model's call leads to; the same from an event loop."""
    call = {"name": name, "args": arguments, "id": "c1", "type": "tool_call"}
    model = GenericFakeChatModel(messages=iter([AIMessage("", tool_calls=[call])]))
    (called,) = model.invoke([HumanMessage("go")]).tool_calls
    found = {one.name: one for one in tools(desk, **options)}[called["name"]]
    made: ToolMessage = found.invoke(called)
    awaited: ToolMessage = asyncio.run(found.ainvoke(called))
    assert (made.content, made.status) == (awaited.content, awaited.status)
    assert made.tool_call_id == "c1"
    return made


def test_definitions_are_the_checkers(desk: ModuleType) -> None:
    """What LangChain makes of a tool for a vendor has the checker's schema in it."""
    made = {one.name: convert_to_openai_tool(one)["function"] for one in tools(desk)}
    assert list(made) == ["order", "slowly", "refuse", "whose", "picture", "secret"]
    assert made["order"]["description"] == "Order tea."
    wanted = made["order"]["parameters"]["properties"]["wanted"]
    assert wanted["description"] == "What and how much."
    assert made["whose"]["parameters"]["properties"] == {}


def test_calls_are_decoded_here(desk: ModuleType) -> None:
    """Classes are built; an argument may be named like what LangChain passes itself."""
    call = {"wanted": {"kind": "oolong", "grams": 5}, "self": "a", "config": "b", "run": "c"}
    assert message(desk, "order", call).content == '{"kind":"oolong","rest":"abc"}'
    assert message(desk, "slowly", {"n": 4}).content == "4"


def test_errors_are_messages(desk: ModuleType) -> None:
    """With the status that says so."""
    wrong = message(desk, "order", {"wanted": {"kind": 1, "grams": 0}})
    assert wrong.status == "error"
    assert "2 problems" in wrong.content
    refused = message(desk, "refuse", {"why": "late"})
    assert (refused.status, refused.content) == ("error", "no: late")


def test_the_context_is_given(desk: ModuleType, town: dict[str, str]) -> None:
    """Injected values are read from it."""
    assert message(desk, "whose", {}, context=town).content == "Oslo"


def test_parts_and_hidden_values(desk: ModuleType) -> None:
    """An image is a content block; what the model must not see is the artifact."""
    (block,) = message(desk, "picture", {}).content
    assert (block["type"], block["mime_type"]) == ("image", "image/png")
    hidden = message(desk, "secret", {})
    assert (hidden.content, hidden.artifact) == ("shown", {"hidden": 1})


def test_one_tool(desk: ModuleType) -> None:
    """By its name; another name is an error."""
    assert tool(desk, "slowly").name == "slowly"
    with pytest.raises(KeyError, match="there are"):
        tool(desk, "nothing")
