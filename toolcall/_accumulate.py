"""Streamed tool calls: fragments in, calls out.

Owns the merging of fragments and the decision what is a call at the end. It must not
know how a vendor spells a fragment (`_deltas` does) nor what tools there are.

1. Nothing is stripped: a fragment of nothing but spaces is the indentation of code that
   a model is writing.
2. What is not whole at the end is a problem and never a call: running a tool on half of
   its arguments is worse than asking the model again.
3. Text that comes after the whole arguments is dropped: some hosts send an empty or a
   repeated fragment once a call is complete.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from toolcall._deltas import ToolCallDelta, read_event

if TYPE_CHECKING:
    from collections.abc import Mapping

    from toolcall._values import ToolCall
    from toolcall.errors import Problem

__all__ = ["Accumulated", "ToolCallAccumulator", "ToolCallDelta", "merge"]


@dataclass(frozen=True, slots=True)
class Accumulated:
    """What a finished stream amounts to.

    `calls` are the whole ones in the order of their index; `problems` say what was wrong
    with the others, with the path `/<index>`. A message with problems should be sent
    back to the model or asked for again, not run in part.
    """

    calls: tuple[ToolCall, ...]
    problems: tuple[Problem, ...]


class ToolCallAccumulator:
    """Collects the fragments of one assistant message.

    Args:
        format: the vendor's format that `add` reads events of.
    """

    __slots__ = ("_format", "_last", "_parts")

    def __init__(self, format: str = "openai") -> None:  # noqa: A002 -- the word of `emit`
        self._format = format
        self._parts: dict[int, ToolCallDelta] = {}
        self._last: int | None = None

    def add(self, event: object) -> tuple[ToolCallDelta, ...]:
        """Take one event of the vendor's stream, as a dict or as the SDK's object.

        Returns:
            The merged parts that the event touched; their names are known as soon as
            the vendor has sent them.

        Raises:
            UnknownFormat: the accumulator's format has no stream reader.
        """
        deltas = read_event(self._format, event)
        return tuple(self.merge(delta) for delta in deltas)

    def merge(self, delta: ToolCallDelta) -> ToolCallDelta:
        """Take one fragment that is already in our form, and return the merged part."""
        index = self._place(delta)
        self._last = index
        part = merge(self._parts.get(index), replace(delta, index=index))
        self._parts[index] = part
        return part

    @property
    def parts(self) -> tuple[ToolCallDelta, ...]:
        """The parts so far, in the order of their index."""
        return tuple(self._parts[index] for index in sorted(self._parts))

    def finish(self) -> Accumulated:
        """End the stream: whole calls, and a problem for everything else."""
        calls: list[ToolCall] = []
        problems: list[Problem] = []
        for part in self.parts:
            problem = _fault(part)
            if problem is None:
                calls.append(_call(part))
            else:
                problems.append(problem)
        return Accumulated(tuple(calls), tuple(problems))

    def _place(self, delta: ToolCallDelta) -> int:
        """Which call a fragment belongs to.

        Hosts that imitate OpenAI leave the index out, or send 0 for every parallel call;
        a new id together with a name then says that a new call begins.
        """
        known = {part.id: index for index, part in self._parts.items() if part.id}
        if delta.id and delta.id in known:
            return known[delta.id]
        if delta.index is not None and not self._begins_another(delta, delta.index):
            return delta.index
        if delta.id or delta.name or self._last is None:
            return max(self._parts, default=-1) + 1
        return self._last

    def _begins_another(self, delta: ToolCallDelta, index: int) -> bool:
        there = self._parts.get(index)
        return bool(there and there.id and there.name and delta.id and delta.name)


def merge(part: ToolCallDelta | None, delta: ToolCallDelta) -> ToolCallDelta:
    """One part for two: `delta` continues `part`.

    Raises:
        ValueError: the two belong to different calls.
    """
    if part is None:
        return delta
    if part.index is not None and delta.index is not None and part.index != delta.index:
        raise ValueError(f"fragments of calls {part.index} and {delta.index} cannot be merged")
    if part.complete and part == delta:
        return part
    return ToolCallDelta(
        index=part.index if delta.index is None else delta.index,
        id=delta.id or part.id,
        name=_appended_name(part.name, delta.name),
        arguments=_appended(part, delta),
        complete=part.complete or delta.complete,
        display_text=delta.display_text or part.display_text,
        metadata={**part.metadata, **delta.metadata},
    )


def _appended_name(old: str | None, new: str | None) -> str | None:
    if not old or not new or old == new:
        return new or old
    return old + new


def _appended(part: ToolCallDelta, delta: ToolCallDelta) -> str | Mapping[str, object] | None:
    """Text is appended to text; whole arguments replace text and ignore what follows."""
    match part.arguments, delta.arguments:
        case old, None:
            return old
        case None, new:
            return new
        case str(old), str(new):
            return (
                new if delta.complete and not part.complete and _is_whole(new, old) else old + new
            )
        case old, str():
            return old
        case _:
            return delta.arguments


def _is_whole(new: str, old: str) -> bool:
    """Whether a last fragment repeats all that came before it (a vendor's `done` event)."""
    return len(new) >= len(old) > 0 and new.startswith(old)


def _call(part: ToolCallDelta) -> ToolCall:
    from toolcall._values import ToolCall

    return ToolCall(part.id, part.name or "", part.arguments, index=part.index)


def _fault(part: ToolCallDelta) -> Problem | None:
    from toolcall.errors import Problem

    path = f"/{part.index}"
    if not part.name or not part.name.strip():
        return Problem("unknown_tool", path, message="the call has no tool name")
    match part.arguments:
        case str(text) if text.strip():
            return _text_fault(text, path, part.name)
        case None | str() | dict():
            return None
        case other:
            got = type(other).__name__
            return Problem(
                "invalid_arguments", path, message=f"the arguments are {got}, not an object"
            )


def _text_fault(text: str, path: str, name: str) -> Problem | None:
    import json

    from toolcall.errors import Problem

    try:
        value = json.loads(text, strict=False)
    except (ValueError, RecursionError) as error:
        reason = str(error) or type(error).__name__
        return Problem(
            "invalid_json",
            path,
            message=f"the arguments of {name} are incomplete or not JSON: {reason}",
        )
    if value is None or isinstance(value, dict):
        return None
    return Problem(
        "invalid_arguments", path, message=f"the arguments of {name} are not a JSON object"
    )
