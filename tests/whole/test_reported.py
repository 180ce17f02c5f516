"""What was reported of other libraries, from the source to the value that the tool gets."""

from __future__ import annotations

import asyncio
import json
import threading
from types import ModuleType
from typing import Any

import pytest

from toolcall import Err, Ok, ToolCall, arespond, arun, emit, formats, run
from toolcall.errors import ToolcallWarning
from toolcall.loop import execute


def problems(answer: Any) -> list[tuple[str, str]]:
    assert isinstance(answer, Err), answer
    return [(one.code, one.path) for one in answer.problems]


@pytest.mark.parametrize(
    ("name", "sent", "value"),
    [
        ("find", {"queries": [{"first": "x", "tags": ["a"]}]}, ["x"]),
        ("info", {"cid": "1.2"}, "1.2"),
        ("info", {"cid": "null"}, "null"),
        ("info", {"cid": None}, None),
        ("echo", {"content": '{"x": 1}'}, '{"x": 1}'),
        ("assign_either", {"ids": '["a","b"]'}, '["a","b"]'),
        ("message", '{"id": 1234567890123456789}', 1234567890123456789),
        ("message_of_text", {"id": "1234567890123456789"}, 1234567890123456789),
        ("walk", {"depth": 3.0}, 3),
        ("power", {"base": 3}, 9),
        ("power", {"base": 3, "exponent": 3, "mod": 5}, 2),
        ("configured", {"a": 1, "name": "n"}, {"a": 1, "name": "n"}),
        ("configured", {"a": 1, "name": "n", "depth": 2}, {"a": 1, "name": "n", "depth": 2}),
        (
            "counted",
            {"counts": {"name": "n", "x": 1.0}, "name": "m", "y": 2.0},
            [{"name": "n", "x": 1}, {"name": "m", "y": 2}],
        ),
        (
            "reserved",
            {"model_config": 1, "_x": 2, "args": ["a"], "kwargs": {"b": 3}},
            [1, 2, ["a"], {"b": 3}],
        ),
        ("optional_keys", {"options": {"name": "n", "depth": None}, "at": None}, None),
        ("echo", '{"content": "line1\nline2\tend"}', "line1\nline2\tend"),
    ],
)
def test_taken_as_sent(reported: ModuleType, name: str, sent: Any, value: Any) -> None:
    """What is right already is handed over as it is, in its own Python type."""
    answer = run(reported, name, sent)
    if name == "optional_keys":
        value = [{"name": "n"}, 3]  # null stands for what may be left out
    assert answer == Ok(value)
    assert type(answer.value) is type(value)


@pytest.mark.parametrize(
    ("name", "sent", "value"),
    [
        ("assign", {"ids": '["a","b"]'}, ["a", "b"]),
        ("assign_either", {"ids": '["a","b"]'}, '["a","b"]'),
        ("message", {"id": "1234567890123456789"}, 1234567890123456789),
        ("walk", {"depth": "230.0"}, 230),
    ],
)
def test_repaired_only_where_asked(reported: ModuleType, name: str, sent: Any, value: Any) -> None:
    """And where the sent value cannot be what is declared."""
    assert run(reported, name, sent, lenient=True) == Ok(value)
    strictly = run(reported, name, sent)
    assert strictly == Ok(value) if name == "assign_either" else isinstance(strictly, Err)


@pytest.mark.parametrize(
    ("name", "sent", "expected"),
    [
        ("find", {"queries": [{"first": 1, "tags": ["c"]}]}, ["expected_string", "not_in_enum"]),
        ("mine", {"q": "x", "user_id": "admin"}, ["unknown_argument"]),
        ("walk", {"depth": 3.5}, ["expected_integer"]),
        ("walk", {"depth": True}, ["expected_integer"]),
        ("walk", [{"depth": 1}], ["invalid_arguments"]),
        ("walk", '[{"depth": 1}]', ["invalid_arguments"]),
        ("message_of_text", {"id": 1.2345678901234567e19}, ["invalid_string_integer"]),
        ("search", {"query": "x", "search_type": "k"}, ["unknown_argument"]),
        ("rdf", {"topology": "t"}, ["unknown_argument", "missing_argument"]),
        ("read", '{"path": "a", "range": \\n[1, 2]}', ["invalid_json"]),
        ("remove", '{"cmd": "rm', ["invalid_json"]),
        ("remove", '{"cmd": "rm"', ["invalid_json"]),
        ("echo", '{"content": "C:\\path"}', ["invalid_json"]),
    ],
)
def test_refused_with_the_reason(
    reported: ModuleType, name: str, sent: Any, expected: list[str]
) -> None:
    """Nothing runs; every problem of the call is told at once."""
    answer = run(reported, name, sent, context={"user_id": "me"})
    assert [code for code, _ in problems(answer)] == expected


def test_unknown_names_tell_the_known_ones(reported: ModuleType) -> None:
    """So that the model needs one round trip, not three."""
    text = str(run(reported, "search", {"query": "x", "search_type": "k"}))
    assert "search_type" in text
    assert "query" in text
    assert "kind" in text
    answer = run(reported, "rdf", {"topology": "t"})
    assert isinstance(answer, Err)
    unknown = next(one for one in answer.problems if one.code == "unknown_argument")
    assert unknown.suggestion == "topology_id"
    text = str(answer)
    assert 'did you mean "topology_id"' in text
    assert "missing" in text


def test_broken_json_says_where(reported: ModuleType) -> None:
    """With its line and column; cut-off arguments are never run, repaired or not."""
    answer = run(reported, "read", '{"path": "a",\n "range": \\n[1, 2]}')
    assert problems(answer) == [("invalid_json", "")]
    assert "line 2" in str(answer)
    for lenient in (False, True):
        answer = run(reported, "remove", '{"cmd": "rm', lenient=lenient)
        assert problems(answer) == [("invalid_json", "")]


def test_injected_values_come_from_the_program(reported: ModuleType) -> None:
    """Never from the model."""
    assert run(reported, "mine", {"q": "x"}, context={"user_id": "me"}) == Ok("x of me")


def test_a_class_of_the_enclosing_function_is_built(reported: ModuleType) -> None:
    """The class is found in the frame that marked the tool."""
    where: Any = reported.local()
    assert run(where, "where", {"a": {"z": 3}}) == Ok("3")


def test_a_bare_tool_is_not_strict_but_says_so(reported: ModuleType) -> None:
    """A mapping cannot be strict; the others of the module still are."""
    with pytest.warns(ToolcallWarning) as told:
        emitted = emit(reported, "openai", strict=True)
    assert any("'reserved' cannot be strict" in str(one.message) for one in told)
    strict = {one["function"]["name"]: "strict" in one["function"] for one in emitted}
    assert strict["reserved"] is False
    assert strict["find"] is True


def test_errors_promise_no_structure(reported: ModuleType) -> None:
    """An error result of MCP has a text and no structured content."""
    results = execute(reported, [ToolCall("1", "failing", {}), ToolCall("2", "good", {})])
    failed, worked = formats.get("mcp").render_results(results)
    assert failed["isError"] is True
    assert "structuredContent" not in failed
    assert worked["structuredContent"] == {"n": 1}


def test_a_timeout_is_an_answer_and_cancels(reported: ModuleType) -> None:
    """The run goes on, and the coroutine was told."""

    async def talk() -> Any:
        calls = [ToolCall("1", "slow", {}), ToolCall("2", "walk", {"depth": 1})]
        message = {"role": "assistant", "tool_calls": [_openai(call) for call in calls]}
        return await arespond(reported, message, "openai")

    late, walked = asyncio.run(talk())
    assert "timed out after 0.05" in late["content"]
    assert walked["content"] == "1"
    assert reported.CANCELLED == ["slow"]


def test_sync_tools_overlap_and_see_context_variables(reported: ModuleType) -> None:
    """Each call waits for the other: only together can they finish."""

    async def talk() -> Any:
        reported.NAME.set("Ada")
        calls = [ToolCall(str(n), "busy", {"n": n}) for n in range(2)]
        message = {"role": "assistant", "tool_calls": [_openai(call) for call in calls]}
        return await arespond(reported, message, "openai")

    answers = asyncio.run(talk())
    assert [one["content"] for one in answers] == ["0 for Ada", "1 for Ada"]


def _openai(call: ToolCall) -> dict[str, Any]:
    function = {"name": call.name, "arguments": json.dumps(call.arguments)}
    return {"id": call.id, "type": "function", "function": function}


def test_thread_affine_tools_stay_on_the_loop(reported: ModuleType) -> None:
    """`thread=False` keeps a tool where its library lives."""

    async def talk() -> bool:
        return await arun(reported, "ui", {}) == Ok(threading.get_ident())

    assert asyncio.run(talk())
