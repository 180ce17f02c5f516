"""Tools for LangChain: `model.bind_tools(tools(my_module))`, or for its agents.

Errors become tool messages with the status `error`. The artifact of a message is the
tool's native value (`Ok.processed`), or else the whole result.
"""

from __future__ import annotations

from base64 import b64encode
from typing import TYPE_CHECKING, Any

from toolcall._values import AudioPart, FilePart, ImagePart, ResourcePart, TextPart
from toolcall.adapters._adapted import Adapted, Answer, adapted, missing, one

try:
    from langchain_core.tools import BaseTool, ToolException
except ImportError as error:
    raise missing("langchain-core", "langchain", error) from error

if TYPE_CHECKING:
    from toolcall._source import Source
    from toolcall._values import Part

__all__ = ["tool", "tools"]


def tools(
    source: Source,
    *,
    context: object = None,
    lenient: bool | None = None,
    timeout: float | None = None,
) -> list[BaseTool]:
    """All tools of a source. LangChain has no context of its own for injected parameters."""
    found = adapted(source, context=context, lenient=lenient, timeout=timeout)
    return [_tool(each) for each in found]


def tool(source: Source, name: str, **options: Any) -> BaseTool:
    """One tool of a source; options as for `tools`. KeyError if there is none of that name."""
    return _tool(one(source, name, **options))


def _tool(each: Adapted) -> BaseTool:
    return _Tool(
        name=each.wire_name,
        description=each.description,
        args_schema=each.schema,
        adapted=each,
        response_format="content_and_artifact",
        handle_tool_error=True,
    )


class _Tool(BaseTool):
    """A tool that takes its arguments by any name; LangChain's own take some for themselves."""

    adapted: Any

    def _run(self, /, **arguments: Any) -> Any:
        return _returned(self.adapted.run(arguments))

    async def _arun(self, /, **arguments: Any) -> Any:
        return _returned(await self.adapted.arun(arguments))


def _returned(answer: Answer) -> tuple[Any, Any]:
    result = answer.result
    if result.is_error:
        raise ToolException(result.text)
    artifact = result if result.processed is None else result.processed
    if all(isinstance(part, TextPart) for part in result.content):
        return result.text, artifact
    return [_part(part) for part in result.content], artifact


def _part(part: Part) -> dict[str, Any]:
    if isinstance(part, TextPart):
        return {"type": "text", "text": part.text}
    if isinstance(part, ResourcePart):
        return {"type": "text", "text": part.text if part.text is not None else part.uri}
    kind = {ImagePart: "image", AudioPart: "audio", FilePart: "file"}[type(part)]
    if part.data is None:
        return {"type": kind, "url": part.url}
    default = {"image": "image/png", "audio": "audio/wav", "file": "application/octet-stream"}
    media_type = part.media_type or default[kind]
    return {"type": kind, "base64": b64encode(part.data).decode(), "mime_type": media_type}
