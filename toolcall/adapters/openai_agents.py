"""Tools for the OpenAI Agents SDK: `Agent(name=…, tools=tools(my_module))`.

Errors are texts for the model, as its own function tools answer them. The SDK wants
strict schemas where they can be had, so that is asked for; a tool that strict mode cannot
express is given without, with a ToolcallWarning.
"""

from __future__ import annotations

from base64 import b64encode
from typing import TYPE_CHECKING, Any

from toolcall._values import FilePart, ImagePart, ResourcePart, TextPart
from toolcall.adapters._adapted import Adapted, adapted, missing, one

try:
    from agents import FunctionTool, ToolOutputFileContent, ToolOutputImage, ToolOutputText
except ImportError as error:
    raise missing("openai-agents", "openai-agents", error) from error

if TYPE_CHECKING:
    from agents.tool_context import ToolContext

    from toolcall._source import Source
    from toolcall._values import Part, ToolResult

__all__ = ["tool", "tools"]


def tools(
    source: Source,
    *,
    context: object = None,
    lenient: bool | None = None,
    timeout: float | None = None,
) -> list[FunctionTool]:
    """All tools of a source. `context` is by default what the run was given as its context."""
    found = adapted(source, strict=True, context=context, lenient=lenient, timeout=timeout)
    return [_tool(each) for each in found]


def tool(source: Source, name: str, **options: Any) -> FunctionTool:
    """One tool of a source; options as for `tools`. KeyError if there is none of that name."""
    return _tool(one(source, name, strict=True, **options))


def _tool(each: Adapted) -> FunctionTool:
    async def call(run: ToolContext[Any], arguments: str) -> Any:
        answer = await each.arun(arguments, run.context, run.tool_call_id)
        return _output(answer.result)

    return FunctionTool(
        name=each.wire_name,
        description=each.description,
        params_json_schema=each.schema,
        on_invoke_tool=call,
        strict_json_schema=each.strict,
    )


def _output(result: ToolResult) -> Any:
    if all(isinstance(part, TextPart) for part in result.content):
        return result.text
    return [_part(part) for part in result.content]


def _part(part: Part) -> Any:
    if isinstance(part, TextPart):
        return ToolOutputText(text=part.text)
    if isinstance(part, ResourcePart):
        return ToolOutputText(text=part.text if part.text is not None else part.uri)
    if isinstance(part, ImagePart):
        return ToolOutputImage(image_url=part.url or _data_url(part.data, part.media_type))
    name = part.name if isinstance(part, FilePart) else None
    if part.data is None:
        return ToolOutputFileContent(file_url=part.url)
    data = b64encode(part.data).decode()
    return ToolOutputFileContent(file_data=data, filename=name or "file")


def _data_url(data: bytes | None, media_type: str | None) -> str:
    return f"data:{media_type or 'image/png'};base64,{b64encode(data or b'').decode()}"
