"""OpenAI Responses.

Tools are flat, calls are items `function_call` of the output, results are items
`function_call_output`. `strict` is always written: left out, the API would try strict by
itself and reshape the schema.

Per-tool options `defer_loading`, `allowed_callers`, `output_schema` and `async` are
passed on.
"""

from __future__ import annotations

from toolcall._values import FilePart, ImagePart, TextPart
from toolcall.formats import _parts, _reading
from toolcall.formats._names import wire_names
from toolcall.formats._rendering import copied
from toolcall.formats._strict import Emission
from toolcall.formats._tables import OPENAI_RESPONSES as DIALECT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from toolcall import ir
    from toolcall._values import Part, ToolCall, ToolResult
    from toolcall.formats._strict import Strict

__all__ = ["DIALECT", "NAME_RULE", "parse_calls", "render_results", "render_tools"]

NAME_RULE = DIALECT.tool_name

_CALLS = ("function_call", "custom_tool_call")

# openai 3.57.0 responses.FunctionToolParam, 2026-11
_OPTIONS = ("defer_loading", "allowed_callers", "output_schema", "async")


def render_tools(tools: Iterable[ir.Definition], *, strict: Strict = False) -> list[dict[str, Any]]:
    """The value of a request's `tools`."""
    definitions = list(tools)
    names = wire_names([definition["tool"]["name"] for definition in definitions], DIALECT)
    emission = Emission(DIALECT, strict)
    return [
        _tool(definition, name, emission)
        for definition, name in zip(definitions, names, strict=True)
    ]


def _tool(definition: ir.Definition, name: str, emission: Emission) -> dict[str, Any]:
    tool: dict[str, Any] = {"type": "function", "name": name}
    doc = definition["tool"].get("doc")
    if doc:
        tool["description"] = doc
    schema, is_strict = emission.schema(definition)
    if "schema" in definition["tool"]:
        # Error text "object schema missing properties" (observed 2026-11).
        schema.setdefault("properties", {})
    tool["parameters"] = schema
    tool["strict"] = is_strict
    options = definition.get("options")
    if options:
        tool.update({key: copied(options[key]) for key in _OPTIONS if key in options})
    return tool


def parse_calls(message: object) -> list[ToolCall]:
    """The calls in a response, in a list of output items, or in one item."""
    found = _reading.items(message) or _reading.items(_reading.get(message, "output")) or [message]
    return [_call(item) for item in found if _reading.get(item, "type") in _CALLS]


def _call(item: object) -> ToolCall:
    return _reading.call(
        _reading.get(item, "call_id"),
        _reading.get(item, "name"),
        _reading.get(item, "arguments", "input"),
    )


def render_results(results: Iterable[ToolResult]) -> list[dict[str, Any]]:
    """One `function_call_output` item per result."""
    return [
        {
            "type": "function_call_output",
            "call_id": result.id or "",
            "output": _output(result),
        }
        for result in results
    ]


def _output(result: ToolResult) -> str | list[dict[str, Any]]:
    parts = [part for part in result.content if part != TextPart("")]
    if not parts:
        return ""
    if len(parts) == 1 and isinstance(parts[0], TextPart):
        return parts[0].text
    return [_part(part) for part in parts]


def _part(part: Part) -> dict[str, Any]:
    if isinstance(part, ImagePart):
        url = part.url or _parts.data_url(part.data or b"", part.media_type or "image/png")
        return {"type": "input_image", "image_url": url, "detail": "auto"}
    if isinstance(part, FilePart):
        return _file(part)
    return {"type": "input_text", "text": _parts.as_text(part)}


def _file(part: FilePart) -> dict[str, Any]:
    file: dict[str, Any] = {"type": "input_file"}
    if part.url is not None:
        file["file_url"] = part.url
        return file
    media_type = part.media_type or "application/octet-stream"
    file["file_data"] = _parts.data_url(part.data or b"", media_type)
    # The API wants a name beside data (error text, observed 2026-11).
    file["filename"] = part.name or "file"
    return file
