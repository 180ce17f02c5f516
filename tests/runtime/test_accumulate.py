"""Streamed tool calls: fragments of every vendor become whole calls or problems."""

from __future__ import annotations

from typing import Any

import pytest

from toolcall._accumulate import ToolCallAccumulator, ToolCallDelta, merge
from toolcall.errors import UnknownFormat


def finished(*deltas: ToolCallDelta) -> tuple[list[tuple[Any, ...]], list[str]]:
    accumulator = ToolCallAccumulator()
    for delta in deltas:
        accumulator.merge(delta)
    end = accumulator.finish()
    calls = [(call.id, call.name, call.arguments, call.index) for call in end.calls]
    return calls, [problem.code for problem in end.problems]


def chunk(index: int | None, **function: object) -> dict[str, Any]:
    call_id = function.pop("id", None)
    call = {"index": index, "id": call_id, "function": function}
    return {"choices": [{"delta": {"tool_calls": [call]}}]}


def test_fragments_are_merged_by_index() -> None:
    """Two parallel calls whose fragments are interleaved come out whole and in order."""
    accumulator = ToolCallAccumulator("openai")
    for event in (
        chunk(1, id="b", name="two", arguments=""),
        chunk(0, id="a", name="one", arguments='{"x"'),
        chunk(1, arguments='{"y": 2}'),
        chunk(0, arguments=": 1}"),
        {"choices": [{"delta": {"content": "some text"}}]},
        {"choices": []},
    ):
        accumulator.add(event)
    end = accumulator.finish()
    assert [(call.id, call.name, call.arguments, call.index) for call in end.calls] == [
        ("a", "one", '{"x": 1}', 0),
        ("b", "two", '{"y": 2}', 1),
    ]
    assert end.problems == ()


def test_whitespace_is_kept() -> None:
    """A fragment of spaces alone is the indentation of code that is being written."""
    calls, _ = finished(
        ToolCallDelta(0, "a", "write", '{"code": "if x:\\n'),
        ToolCallDelta(0, arguments="    "),
        ToolCallDelta(0, arguments="  "),
        ToolCallDelta(0, arguments='pass"}'),
    )
    assert calls[0][2] == '{"code": "if x:\\n      pass"}'


def test_equal_fragments_both_count() -> None:
    """Two fragments may be the same text; only a completed part ignores its repetition."""
    part = merge(ToolCallDelta(0, arguments="a"), ToolCallDelta(0, arguments="a"))
    assert part.arguments == "aa"
    whole = ToolCallDelta(0, "i", "f", {"x": 1}, complete=True)
    assert merge(whole, whole) == whole


def test_names_are_appended_unless_equal() -> None:
    assert merge(ToolCallDelta(0, name="get_"), ToolCallDelta(0, name="x")).name == "get_x"
    assert merge(ToolCallDelta(0, name="get_x"), ToolCallDelta(0, name="get_x")).name == "get_x"


def test_other_index_is_refused() -> None:
    """Fragments of different calls are never merged."""
    with pytest.raises(ValueError, match="calls 0 and 1"):
        merge(ToolCallDelta(0), ToolCallDelta(1))


def test_whole_arguments_replace_text() -> None:
    """A completed part with decoded arguments replaces the text that came before it."""
    part = merge(ToolCallDelta(0, arguments='{"x'), ToolCallDelta(0, arguments={"x": 1}))
    assert part.arguments == {"x": 1}


def test_text_after_whole_arguments_is_dropped() -> None:
    """A text fragment after a completed call crashed a merge once; it says nothing."""
    part = ToolCallDelta(0, "a", "f", {"x": 1}, complete=True)
    assert merge(part, ToolCallDelta(0, arguments="")).arguments == {"x": 1}
    assert merge(part, ToolCallDelta(0, arguments="}")).arguments == {"x": 1}


def test_status_only_moves_forward() -> None:
    part = merge(ToolCallDelta(0, complete=True), ToolCallDelta(0, arguments="", complete=False))
    assert part.complete


def test_ids_display_text_and_metadata() -> None:
    """Ids and display texts are overwritten when present, metadata is merged one level deep."""
    part = merge(
        ToolCallDelta(0, "a", display_text="Old", metadata={"x": 1, "y": 1}),
        ToolCallDelta(0, "b", display_text="New", metadata={"y": 2}),
    )
    assert (part.id, part.display_text, part.metadata) == ("b", "New", {"x": 1, "y": 2})
    kept = merge(part, ToolCallDelta(0))
    assert (kept.id, kept.display_text, kept.metadata) == ("b", "New", {"x": 1, "y": 2})


@pytest.mark.parametrize("text", ['{"x": 1', '{"x": "', '{"x": 1}}', "nonsense", '{"x": tru'])
def test_truncated_arguments_are_a_problem(text: str) -> None:
    """Half of the arguments is a problem and never a call."""
    assert finished(ToolCallDelta(0, "a", "f", text)) == ([], ["invalid_json"])


def test_json_that_is_no_object_is_another_problem() -> None:
    assert finished(ToolCallDelta(0, "a", "f", "[1]")) == ([], ["invalid_arguments"])
    accumulator = ToolCallAccumulator("anthropic")
    block = {"type": "tool_use", "id": "a", "name": "f", "input": [1]}
    accumulator.add({"type": "content_block_start", "index": 0, "content_block": block})
    assert [problem.code for problem in accumulator.finish().problems] == ["invalid_arguments"]


@pytest.mark.parametrize("text", [None, "", "  ", "null", "{}"])
def test_no_arguments_are_fine(text: str | None) -> None:
    """A tool without parameters is called with nothing at all by some models."""
    assert finished(ToolCallDelta(0, "a", "f", text)) == ([("a", "f", text, 0)], [])


def test_call_without_name_is_a_problem() -> None:
    assert finished(ToolCallDelta(0, "a", None, "{}")) == ([], ["unknown_tool"])
    assert finished(ToolCallDelta(0, "a", " ", "{}")) == ([], ["unknown_tool"])


def test_one_bad_call_leaves_the_others() -> None:
    """Every call is accounted for: as a call, or as a problem with its index as path."""
    accumulator = ToolCallAccumulator()
    accumulator.merge(ToolCallDelta(0, "a", "f", "{}"))
    accumulator.merge(ToolCallDelta(1, "b", "g", "{"))
    end = accumulator.finish()
    assert [call.name for call in end.calls] == ["f"]
    assert [problem.path for problem in end.problems] == ["/1"]


def test_hosts_without_index() -> None:
    """Fragments without an index belong to the last call, and a new id begins another."""
    calls, _ = finished(
        ToolCallDelta(None, "a", "f", '{"x"'),
        ToolCallDelta(None, arguments=": 1}"),
        ToolCallDelta(None, "b", "g", "{}"),
        ToolCallDelta(None, "a", arguments=""),
    )
    assert calls == [("a", "f", '{"x": 1}', 0), ("b", "g", "{}", 1)]


def test_hosts_that_number_everything_zero() -> None:
    """Whole parallel calls that all carry index 0 stay apart."""
    calls, _ = finished(
        ToolCallDelta(0, "a", "f", '{"x": 1}'),
        ToolCallDelta(0, "b", "f", '{"x": 2}'),
    )
    assert calls == [("a", "f", '{"x": 1}', 0), ("b", "f", '{"x": 2}', 1)]


def test_names_are_known_early() -> None:
    """`add` gives back the merged parts, so that a program can tell its user what is coming."""
    accumulator = ToolCallAccumulator("openai")
    (part,) = accumulator.add(chunk(0, id="a", name="get_weather", arguments=""))
    assert (part.name, part.complete) == ("get_weather", False)
    (part,) = accumulator.add(chunk(0, arguments="{"))
    assert (part.name, part.arguments) == ("get_weather", "{")
    assert accumulator.parts == (part,)


STREAMS = {
    "anthropic": [
        {"type": "message_start", "message": {}},
        {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "Hm"}},
        {
            "type": "content_block_start",
            "index": 1,
            "content_block": {"type": "tool_use", "id": "t1", "name": "f", "input": {}},
        },
        {
            "type": "content_block_delta",
            "index": 1,
            "delta": {"type": "input_json_delta", "partial_json": ""},
        },
        {
            "type": "content_block_delta",
            "index": 1,
            "delta": {"type": "input_json_delta", "partial_json": '{"x": '},
        },
        {
            "type": "content_block_delta",
            "index": 1,
            "delta": {"type": "input_json_delta", "partial_json": "1}"},
        },
        {"type": "content_block_stop", "index": 1},
    ],
    "openai_responses": [
        {"type": "response.created", "response": {}},
        {"type": "response.output_item.added", "output_index": 0, "item": {"type": "reasoning"}},
        {
            "type": "response.output_item.added",
            "output_index": 1,
            "item": {"type": "function_call", "call_id": "t1", "name": "f", "arguments": ""},
        },
        {"type": "response.function_call_arguments.delta", "output_index": 1, "delta": '{"x": '},
        {"type": "response.function_call_arguments.delta", "output_index": 1, "delta": "1}"},
        {
            "type": "response.function_call_arguments.done",
            "output_index": 1,
            "arguments": '{"x": 1}',
        },
        {
            "type": "response.output_item.done",
            "output_index": 1,
            "item": {
                "type": "function_call",
                "call_id": "t1",
                "name": "f",
                "arguments": '{"x": 1}',
            },
        },
    ],
    "bedrock": [
        {"messageStart": {"role": "assistant"}},
        {
            "contentBlockStart": {
                "contentBlockIndex": 1,
                "start": {"toolUse": {"toolUseId": "t1", "name": "f"}},
            }
        },
        {"contentBlockDelta": {"contentBlockIndex": 1, "delta": {"toolUse": {"input": '{"x": '}}}},
        {"contentBlockDelta": {"contentBlockIndex": 1, "delta": {"toolUse": {"input": "1}"}}}},
        {"contentBlockDelta": {"contentBlockIndex": 0, "delta": {"text": "Hm"}}},
        {"contentBlockStop": {"contentBlockIndex": 1}},
    ],
}


@pytest.mark.parametrize("vendor", sorted(STREAMS))
def test_streams_of_vendors(vendor: str) -> None:
    """Every vendor's stream of the same call, among events about other things."""
    accumulator = ToolCallAccumulator(vendor)
    for event in STREAMS[vendor]:
        accumulator.add(event)
    end = accumulator.finish()
    assert end.problems == ()
    assert [(call.id, call.name, call.arguments) for call in end.calls] == [("t1", "f", '{"x": 1}')]


def test_gemini_calls_come_whole() -> None:
    accumulator = ToolCallAccumulator("gemini")
    call = {"functionCall": {"name": "f", "args": {"x": 1}}}
    event = {"candidates": [{"content": {"parts": [{"text": "Hm"}, call, call]}}]}
    accumulator.add(event)
    end = accumulator.finish()
    assert [(call.name, call.arguments) for call in end.calls] == [("f", {"x": 1})] * 2


def test_sdk_objects_are_events_too() -> None:
    """An event may be the object that the vendor's SDK makes of it."""

    class Chunk:
        def model_dump(self, *, by_alias: bool) -> dict[str, object]:
            return chunk(0, id="a", name="f", arguments="{}")

    accumulator = ToolCallAccumulator("openai")
    accumulator.add(Chunk())
    assert [call.name for call in accumulator.finish().calls] == ["f"]
    with pytest.raises(TypeError, match="mapping or an SDK object"):
        accumulator.add(3)


def test_objects_of_the_vendors_sdks() -> None:
    """The same streams as the real clients give them out."""
    openai = pytest.importorskip("openai")
    anthropic = pytest.importorskip("anthropic")
    from pydantic import TypeAdapter

    chat = openai.types.chat.ChatCompletionChunk
    base = {"id": "c", "created": 1, "model": "m", "object": "chat.completion.chunk"}
    choice = {"index": 0, "finish_reason": None}
    chunks = [chunk(0, id="t1", name="f", arguments='{"x": '), chunk(0, arguments="1}")]
    made: dict[str, list[Any]] = {
        "openai": [
            chat.model_validate({**base, "choices": [{**choice, **each["choices"][0]}]})
            for each in chunks
        ]
    }
    responses = TypeAdapter(openai.types.responses.ResponseStreamEvent)
    made["openai_responses"] = [
        responses.validate_python({**event, "sequence_number": 1, "item_id": "i"})
        for event in STREAMS["openai_responses"]
        if "function_call" in str(event)
    ]
    raw = TypeAdapter(anthropic.types.RawMessageStreamEvent)
    made["anthropic"] = [raw.validate_python(event) for event in STREAMS["anthropic"][1:]]
    for vendor, events in made.items():
        accumulator = ToolCallAccumulator(vendor)
        for event in events:
            accumulator.add(event)
        end = accumulator.finish()
        assert [(call.id, call.name, call.arguments) for call in end.calls] == [
            ("t1", "f", '{"x": 1}')
        ], vendor


def test_format_without_stream() -> None:
    with pytest.raises(UnknownFormat, match="no stream reader"):
        ToolCallAccumulator("mcp").add({})
