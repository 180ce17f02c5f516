"""Messages that are not as they should be: every call is answered once, and nothing raises.

A `Vendor` writes a message with calls as that vendor does, and finds in the answers what
they answer; the tests then say the same thing of every vendor.
"""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from toolcall import Function, FunctionParam, formats, respond

ADD = Function(
    name="add",
    params=[
        FunctionParam("a", "integer", required=True),
        FunctionParam("b", "integer", required=True),
    ],
    call=lambda arguments: arguments["a"] + arguments["b"],
    validate=True,
)
ECHO = Function(
    name="echo",
    schema={"type": "object", "properties": {"$text": {"type": "string"}}},
    call=lambda arguments: arguments.get("$text", "nothing"),
)
TOOLS = [ADD, ECHO]
RIGHT = {"a": 1, "b": 2}

Call = tuple[Any, Any, Any]  # id, name, arguments


@dataclass(frozen=True)
class Vendor:
    """`write` makes a message of calls; `answers` gives (id, text, whether it is an error)."""

    name: str
    write: Callable[[list[Call]], Any]
    answers: Callable[[Any], list[tuple[str, str, bool | None]]]
    is_text: bool = False
    """Whether arguments travel as JSON text."""


def _without_none(value: dict[str, Any]) -> dict[str, Any]:
    return {key: inner for key, inner in value.items() if inner is not None}


def _openai(calls: list[Call]) -> Any:
    listed = [
        _without_none(
            {
                "id": call_id,
                "type": "function",
                "function": _without_none({"name": name, "arguments": arguments}),
            }
        )
        for call_id, name, arguments in calls
    ]
    return {"role": "assistant", "content": None, "tool_calls": listed}


def _responses(calls: list[Call]) -> Any:
    return {
        "output": [
            {"type": "reasoning", "id": "r", "summary": []},
            *(
                _without_none(
                    {
                        "type": "function_call",
                        "call_id": call_id,
                        "name": name,
                        "arguments": arguments,
                    }
                )
                for call_id, name, arguments in calls
            ),
        ]
    }


def _anthropic(calls: list[Call]) -> Any:
    uses = [
        _without_none({"type": "tool_use", "id": call_id, "name": name, "input": arguments})
        for call_id, name, arguments in calls
    ]
    return {"role": "assistant", "content": [{"type": "text", "text": "So."}, *uses]}


def _bedrock(calls: list[Call]) -> Any:
    uses = [
        {"toolUse": _without_none({"toolUseId": call_id, "name": name, "input": arguments})}
        for call_id, name, arguments in calls
    ]
    return {"output": {"message": {"role": "assistant", "content": [{"text": "So."}, *uses]}}}


def _gemini(calls: list[Call]) -> Any:
    parts = [
        {"functionCall": _without_none({"id": call_id, "name": name, "args": arguments})}
        for call_id, name, arguments in calls
    ]
    return {"candidates": [{"content": {"role": "model", "parts": [{"text": "So."}, *parts]}}]}


def _mcp(calls: list[Call]) -> Any:
    return [
        _without_none(
            {
                "jsonrpc": "2.0",
                "id": call_id,
                "method": "tools/call",
                "params": _without_none({"name": name, "arguments": arguments}),
            }
        )
        for call_id, name, arguments in calls
    ]


def _blocks(messages: Any, key: str) -> list[Any]:
    """The parts of the one message that holds all results, if there is any."""
    assert len(messages) <= 1
    return [block for message in messages for block in message[key]]


def _text_of(content: Any) -> str:
    if isinstance(content, str):
        return content
    return "\n".join(str(part.get("text", part.get("json"))) for part in content)


def _gemini_answers(messages: Any) -> list[tuple[str, str, bool | None]]:
    found = [part["functionResponse"] for part in _blocks(messages, "parts")]
    assert all(answer["name"] for answer in found)
    return [
        (
            answer.get("id", ""),
            str(answer["response"].get("output", answer["response"].get("error"))),
            "error" in answer["response"],
        )
        for answer in found
    ]


VENDORS = [
    Vendor(
        "openai",
        _openai,
        lambda messages: [(m["tool_call_id"], _text_of(m["content"]), None) for m in messages],
        is_text=True,
    ),
    Vendor(
        "openai_responses",
        _responses,
        lambda messages: [(m["call_id"], _text_of(m["output"]), None) for m in messages],
        is_text=True,
    ),
    Vendor(
        "anthropic",
        _anthropic,
        lambda messages: [
            (block["tool_use_id"], _text_of(block.get("content", "")), block.get("is_error", False))
            for block in _blocks(messages, "content")
        ],
    ),
    Vendor(
        "bedrock",
        _bedrock,
        lambda messages: [
            (
                block["toolResult"]["toolUseId"],
                _text_of(block["toolResult"]["content"]),
                block["toolResult"]["status"] == "error",
            )
            for block in _blocks(messages, "content")
        ],
    ),
    Vendor("gemini", _gemini, _gemini_answers),
    Vendor("gemini_parameters", _gemini, _gemini_answers),
    *(
        Vendor(
            name,
            _mcp,
            lambda messages: [
                ("", _text_of(m["content"]), m.get("isError", False)) for m in messages
            ],
        )
        for name in formats.NAMES
        if name.startswith("mcp")
    ),
]
each = pytest.mark.parametrize("vendor", VENDORS, ids=lambda vendor: vendor.name)


def answered(vendor: Vendor, calls: list[Call]) -> list[tuple[str, str, bool | None]]:
    """The answers to a message with these calls; there is one for each, in order."""
    found = vendor.answers(respond(TOOLS, vendor.write(calls), vendor.name))
    assert len(found) == len(calls)
    if not vendor.name.startswith("mcp"):
        assert [answer[0] for answer in found] == [call[0] or "" for call in calls]
    return found


def said(vendor: Vendor, arguments: Any) -> Any:
    """Arguments as the vendor's messages have them."""
    return json.dumps(arguments) if vendor.is_text else arguments


@each
def test_every_vendor_is_written_as_it_writes(vendor: Vendor) -> None:
    """What is right is answered, so that the tests below are of what is wrong."""
    ((_, text, is_error),) = answered(vendor, [("c1", "add", said(vendor, RIGHT))])
    assert (text, is_error or False) == ("3", False)


def test_all_vendors_are_asked() -> None:
    """A new format comes with its messages here."""
    assert {vendor.name for vendor in VENDORS} == set(formats.NAMES)


@each
def test_missing_ids(vendor: Vendor) -> None:
    """A call without an id runs and is answered, beside one that has an id."""
    calls = [(None, "add", said(vendor, RIGHT)), ("c2", "add", said(vendor, RIGHT))]
    assert [text for _, text, _ in answered(vendor, calls)] == ["3", "3"]


@each
@pytest.mark.parametrize("name", ["subtract", "", None, "add\n", 5])
def test_unknown_tools(vendor: Vendor, name: Any) -> None:
    """A tool that is not there is an answer with the names there are."""
    calls = [("c1", name, said(vendor, RIGHT)), ("c2", "add", said(vendor, RIGHT))]
    wrong, right = answered(vendor, calls)
    assert "add" in wrong[1]
    assert wrong[2] in {None, True}
    assert right[1] == "3"


@each
def test_text_where_an_object_belongs_and_the_reverse(vendor: Vendor) -> None:
    """JSON text and decoded arguments are both read, wherever they come."""
    for arguments in (RIGHT, json.dumps(RIGHT)):
        ((_, text, _),) = answered(vendor, [("c1", "add", arguments)])
        assert text == "3"


@each
@pytest.mark.parametrize(
    "arguments",
    ["no JSON", "[1]", "3", "null", '{"a": 1', '"text"', [1], 3, True, {"a": {"b": 1}}, {}, ""],
    ids=repr,
)
def test_arguments_that_are_wrong(vendor: Vendor, arguments: Any) -> None:
    """What cannot be read is told, and the other call is not lost."""
    calls = [("c1", "add", arguments), ("c2", "add", said(vendor, RIGHT))]
    wrong, right = answered(vendor, calls)
    assert wrong[1]
    assert wrong[2] in {None, True}
    assert right[1] == "3"


@each
def test_several_calls_of_one_name(vendor: Vendor) -> None:
    """Each is answered by itself, in order."""
    calls = [(f"c{n}", "add", said(vendor, {"a": n, "b": 0})) for n in range(5)]
    assert [text for _, text, _ in answered(vendor, calls)] == ["0", "1", "2", "3", "4"]


@each
def test_no_calls(vendor: Vendor) -> None:
    """An empty list, a text and a refusal ask for nothing, and no message is made."""
    refusal: dict[str, Any] = {"role": "assistant", "content": None, "refusal": "No."}
    blocks = [{"type": "refusal", "refusal": "No."}, {"text": "No."}, {"type": "text"}]
    for message in (
        vendor.write([]),
        refusal,
        {**refusal, "tool_calls": []},
        {"role": "assistant", "content": blocks},
        {"output": [{"type": "message", "content": blocks}], "status": "incomplete"},
        {"content": {"role": "model", "parts": [{"text": "No."}]}},
        {"candidates": [{"finishReason": "MALFORMED_FUNCTION_CALL"}]},
        {"promptFeedback": {"blockReason": "SAFETY"}},
        {"stopReason": "guardrail_intervened", "output": {}},
        {"jsonrpc": "2.0", "id": 1, "method": "ping"},
    ):
        assert respond(TOOLS, message, vendor.name) == []


@each
def test_names_made_for_a_vendor(vendor: Vendor) -> None:
    """A property comes back under the name that the vendor was given for it."""
    for name in ("$text", "_text"):
        ((_, text, _),) = answered(vendor, [("c1", "echo", said(vendor, {name: "hi"}))])
        assert text == "hi"


# Mutated messages

_ODD: list[Any] = [None, True, 0, 1.5, "", "x", "tool_use", [], {}, [None], {"a": None}, "\ud800"]


def _places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Where something is inside a message."""
    keys: Any = ()
    if isinstance(value, dict):
        keys = list(value)
    elif isinstance(value, list):
        keys = range(len(value))
    found = [(*path, key) for key in keys]
    return found + [place for key in keys for place in _places(value[key], (*path, key))]


def _mutated(message: Any, source: random.Random) -> Any:
    """A message with a few things removed, replaced, doubled or renamed."""
    message = copy.deepcopy(message)
    for _ in range(source.randrange(1, 4)):
        places = _places(message)
        if not places:
            break
        *path, key = source.choice(places)
        holder = message
        for step in path:
            holder = holder[step]
        match source.randrange(4):
            case 0:
                del holder[key]
            case 1:
                holder[key] = copy.deepcopy(source.choice(_ODD))
            case 2 if isinstance(holder, list):
                holder.append(copy.deepcopy(holder[key]))
            case 2 | 3 if isinstance(holder, dict):
                holder[source.choice(["x", "type", "name", "id"])] = holder.pop(key)
            case _:
                holder[key] = [copy.deepcopy(holder[key])]
    return message


@each
def test_mutated_messages(vendor: Vendor) -> None:
    """Whatever became of a real message, each call that is still in it is answered once."""
    source = random.Random(vendor.name)
    whole = vendor.write(
        [
            ("c1", "add", said(vendor, RIGHT)),
            ("c2", "echo", said(vendor, {"$text": "hi"})),
            ("c3", "subtract", said(vendor, {})),
        ]
    )
    parse = formats.get(vendor.name).parse_calls
    counted = 0
    for _ in range(400):
        message = _mutated(whole, source)
        calls = parse(message)
        messages = respond(TOOLS, message, vendor.name)
        found = vendor.answers(messages)
        assert len(found) == len(calls), message
        if not vendor.name.startswith("mcp"):
            assert [answer[0] for answer in found] == [call.id or "" for call in calls]
        repr(messages)
        counted += len(calls)
    assert counted > 300
