"""From the answer of a call to the result that a vendor's format can write.

Owns what a tool's value looks like to a model: text stays text, content parts stay parts,
everything else becomes JSON. It must not know vendors, tools or how calls are run.

A value that cannot become JSON is an error result naming the place, never an exception:
every call of a message gets its answer.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from toolcall._values import (
    AudioPart,
    Err,
    FilePart,
    ImagePart,
    Ok,
    ResourcePart,
    TextPart,
    ToolResult,
)
from toolcall.errors import UnencodableResult

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from toolcall._values import Part, ToolCall

_PARTS = (TextPart, ImagePart, AudioPart, FilePart, ResourcePart)


def result_of(
    call: ToolCall,
    answer: Ok[Any] | Err,
    *,
    display_text: str | None = None,
    providers: Iterable[object] = (),
) -> ToolResult:
    """The result of one call. It always carries the call's id and the tool's name.

    Args:
        call: what was called.
        answer: what `run` said.
        display_text: what a user interface shows for the call.
        providers: the tool's own type providers, which know how to write their classes.
    """
    if isinstance(answer, Err):
        made = ToolResult(str(answer), is_error=True)
    elif isinstance(answer.value, ToolResult):
        made = answer.value
        if made.processed is None and answer.processed is not None:
            made = made.with_(processed=answer.processed)
    else:
        made = _of_value(answer, providers)
    return made.with_(
        id=call.id, name=made.name or call.name, display_text=made.display_text or display_text
    )


def _of_value(answer: Ok[Any], providers: Iterable[object]) -> ToolResult:
    value = answer.value
    parts = _parts(value)
    if parts is not None:
        return ToolResult(parts, processed=answer.processed)
    from toolcall._encode import encode

    try:
        encoded = encode(value, providers)
    except UnencodableResult as error:
        return ToolResult(str(error), is_error=True)
    if isinstance(encoded, str):
        return ToolResult(encoded, processed=answer.processed)
    return ToolResult(_json(encoded), processed=answer.processed, structured=encoded)


def _parts(value: object) -> Sequence[Part] | None:
    """Content parts, one or several, or None for anything else."""
    if isinstance(value, _PARTS):
        return [value]
    if isinstance(value, (list, tuple)) and value and all(isinstance(v, _PARTS) for v in value):
        return cast("Sequence[Part]", value)
    return None


def _json(encoded: object) -> str:
    import json

    return json.dumps(encoded, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
