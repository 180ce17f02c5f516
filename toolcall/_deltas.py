"""Fragments of streamed tool calls, read out of every vendor's stream events.

Owns the fragment record and one small reader a format. It must not know how fragments
are merged. Events are dicts as they travel, or the objects of the vendor's own SDK.

A reader answers for every event of its stream: one that says nothing about tool calls
gives no fragment.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

Event = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ToolCallDelta:
    """A part of a tool call.

    Args:
        index: which of a message's parallel calls it belongs to, if the vendor says.
        id: the vendor's id of the call.
        name: the tool's name, or a further piece of it.
        arguments: a piece of JSON text, or whole arguments already decoded.
        complete: nothing more will come.
        display_text: what a user interface may show for the call.
        metadata: whatever the program attaches to it.
    """

    index: int | None = None
    id: str | None = None
    name: str | None = None
    arguments: str | Mapping[str, object] | None = None
    complete: bool = False
    display_text: str | None = None
    metadata: Mapping[str, object] = field(default_factory=dict)


def read_event(vendor: str, event: object) -> tuple[ToolCallDelta, ...]:
    """The fragments in one event of a vendor's stream.

    Raises:
        UnknownFormat: no reader has that name.
    """
    reader = _READERS.get(vendor)
    if reader is None:
        from toolcall.errors import UnknownFormat

        raise UnknownFormat(
            f"no stream reader for the format {vendor!r}; there are: {', '.join(sorted(_READERS))}"
        )
    return tuple(reader(plain(event)))


def plain(value: object) -> Event:
    """An SDK's object as the dict that travelled; a dict stays itself."""
    if isinstance(value, Mapping):
        return value
    if hasattr(value, "model_dump"):
        # By alias, because the names on the wire are the ones that are read.
        made = value.model_dump(by_alias=True)
    else:
        made = value.to_dict() if hasattr(value, "to_dict") else None
    if isinstance(made, Mapping):
        return made
    raise TypeError(
        f"expected a mapping or an SDK object with model_dump(), not {type(value).__name__}"
    )


def _listed(value: object) -> list[Event]:
    return [item for item in value if isinstance(item, Mapping)] if isinstance(value, list) else []


def _inner(event: Event, *path: str) -> Event:
    place: object = event
    for step in path:
        place = place.get(step) if isinstance(place, Mapping) else None
    return place if isinstance(place, Mapping) else {}


def _openai(event: Event) -> list[ToolCallDelta]:
    """A chat completion chunk; only its first choice, as everywhere else."""
    choices = _listed(event.get("choices"))
    calls = _listed(_inner(choices[0], "delta").get("tool_calls")) if choices else []
    return [
        ToolCallDelta(
            index=call.get("index"),
            id=call.get("id"),
            name=_inner(call, "function").get("name"),
            arguments=_inner(call, "function").get("arguments"),
        )
        for call in calls
    ]


def _openai_responses(event: Event) -> list[ToolCallDelta]:
    index = event.get("output_index")
    match event.get("type"):
        case "response.output_item.added" | "response.output_item.done" as kind:
            item = _inner(event, "item")
            if item.get("type") != "function_call":
                return []
            done = kind.endswith("done")
            text = item.get("arguments")
            return [ToolCallDelta(index, item.get("call_id"), item.get("name"), text, done)]
        case "response.function_call_arguments.delta":
            return [ToolCallDelta(index, arguments=event.get("delta"))]
        case "response.function_call_arguments.done":
            return [ToolCallDelta(index, arguments=event.get("arguments"), complete=True)]
        case _:
            return []


def _anthropic(event: Event) -> list[ToolCallDelta]:
    index = event.get("index")
    match event.get("type"):
        case "content_block_start":
            block = _inner(event, "content_block")
            if block.get("type") != "tool_use":
                return []
            # The start carries an empty object that the deltas then spell out as text.
            return [
                ToolCallDelta(index, block.get("id"), block.get("name"), block.get("input") or None)
            ]
        case "content_block_delta" if _inner(event, "delta").get("type") == "input_json_delta":
            return [ToolCallDelta(index, arguments=_inner(event, "delta").get("partial_json"))]
        case _:
            return []


def _bedrock(event: Event) -> list[ToolCallDelta]:
    start = _inner(event, "contentBlockStart")
    use = _inner(start, "start", "toolUse")
    if use:
        return [
            ToolCallDelta(start.get("contentBlockIndex"), use.get("toolUseId"), use.get("name"))
        ]
    delta = _inner(event, "contentBlockDelta")
    text = _inner(delta, "delta", "toolUse").get("input")
    return [] if text is None else [ToolCallDelta(delta.get("contentBlockIndex"), arguments=text)]


def _gemini(event: Event) -> list[ToolCallDelta]:
    """Calls come whole, without an index; each part is a call of its own."""
    candidates = _listed(event.get("candidates"))
    parts = _listed(_inner(candidates[0], "content").get("parts")) if candidates else []
    calls = [_inner(part, "functionCall") or _inner(part, "function_call") for part in parts]
    return [
        ToolCallDelta(None, call.get("id"), call.get("name"), call.get("args") or {}, True)
        for call in calls
        if call
    ]


_READERS: dict[str, Callable[[Event], list[ToolCallDelta]]] = {
    "openai": _openai,
    "openai_responses": _openai_responses,
    "anthropic": _anthropic,
    "bedrock": _bedrock,
    "gemini": _gemini,
}
