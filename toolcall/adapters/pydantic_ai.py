"""Tools for pydantic-ai's agents: `Agent(model, tools=tools(my_module))`.

Arguments that a tool refuses ask the model to try again, as pydantic-ai's own validation
does, and count as its retries. What a tool answers with an error is a failed result.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from toolcall._values import AudioPart, FilePart, ImagePart, ResourcePart, TextPart
from toolcall.adapters._adapted import Adapted, adapted, missing, one

try:
    from pydantic_ai import (
        AudioUrl,
        BinaryContent,
        DocumentUrl,
        ImageUrl,
        ModelRetry,
        Tool,
        ToolFailed,
        ToolReturn,
    )
except ImportError as error:
    raise missing("pydantic-ai-slim", "pydantic-ai", error) from error

if TYPE_CHECKING:
    from pydantic_ai import RunContext

    from toolcall._source import Source
    from toolcall._values import Part, ToolResult

__all__ = ["tool", "tools"]


def tools(
    source: Source,
    *,
    context: object = None,
    lenient: bool | None = None,
    timeout: float | None = None,
) -> list[Tool[Any]]:
    """All tools of a source. `context` is by default what the agent has as `deps`."""
    found = adapted(source, context=context, lenient=lenient, timeout=timeout)
    return [_tool(each) for each in found]


def tool(source: Source, name: str, **options: Any) -> Tool[Any]:
    """One tool of a source; options as for `tools`. KeyError if there is none of that name."""
    return _tool(one(source, name, **options))


def _tool(each: Adapted) -> Tool[Any]:
    async def call(run: RunContext[Any], /, **arguments: Any) -> Any:
        answer = await each.arun(arguments, run.deps, run.tool_call_id)
        if answer.refused:
            raise ModelRetry(answer.result.text)
        if answer.result.is_error:
            raise ToolFailed(answer.result.text)
        return _returned(answer.result)

    return Tool.from_schema(
        call,
        name=each.wire_name,
        description=each.description,
        json_schema=each.schema,
        takes_ctx=True,
    )


def _returned(result: ToolResult) -> Any:
    """What the agent is given: the structured value, text, or the parts."""
    if result.structured is not None:
        value: Any = result.structured
    elif len(result.content) == 1:
        value = _part(result.content[0])
    else:
        value = [_part(part) for part in result.content]
    if result.processed is None:
        return value
    return ToolReturn(return_value=value, metadata=result.processed)


def _part(part: Part) -> Any:
    url: Any
    match part:
        case TextPart():
            return part.text
        case ResourcePart():
            return part.text if part.text is not None else part.uri
        case ImagePart():
            media_type, url = "image/png", ImageUrl
        case AudioPart():
            media_type, url = "audio/wav", AudioUrl
        case FilePart():
            media_type, url = "application/octet-stream", DocumentUrl
    if part.data is not None:
        return BinaryContent(data=part.data, media_type=part.media_type or media_type)
    return url(url=part.url or "")
