"""Anthropic Messages.

Arguments come back decoded, all results of one assistant message go into one user
message, errors have a flag. `strict` and `is_error` are written only when true: models
without strict support refuse even a false one.

Per-tool options `cache_control`, `defer_loading`, `input_examples`, `allowed_callers` and
`eager_input_streaming` are passed on, and a result's `cache_control`.
"""

from __future__ import annotations

from toolcall._values import FilePart, ImagePart, ResourcePart, TextPart
from toolcall.formats import _parts, _reading
from toolcall.formats._names import wire_names
from toolcall.formats._rendering import copied
from toolcall.formats._strict import Emission
from toolcall.formats._tables import ANTHROPIC as DIALECT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from toolcall import ir
    from toolcall._values import Part, ToolCall, ToolResult
    from toolcall.formats._strict import Strict

__all__ = ["DIALECT", "NAME_RULE", "parse_calls", "render_results", "render_tools"]

NAME_RULE = DIALECT.tool_name

# anthropic 2.14.0 ToolParam, 2026-11
_OPTIONS = (
    "cache_control",
    "defer_loading",
    "input_examples",
    "allowed_callers",
    "eager_input_streaming",
)

# anthropic 2.14.0 Base64ImageSourceParam.media_type, 2026-11
_IMAGES = frozenset({"image/gif", "image/jpeg", "image/png", "image/webp"})


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
    tool: dict[str, Any] = {"name": name}
    doc = definition["tool"].get("doc")
    if doc:
        tool["description"] = doc
    schema, is_strict = emission.schema(definition)
    if "schema" in definition["tool"]:
        schema = _given(schema)
    tool["input_schema"] = schema
    if is_strict:
        tool["strict"] = True
    options = definition.get("options")
    if options:
        tool.update({key: copied(options[key]) for key in _OPTIONS if key in options})
    return tool


def _given(schema: dict[str, Any]) -> dict[str, Any]:
    """The API wants an object at the root; a schema that leaves it open is closed there."""
    return {"type": "object", "additionalProperties": False, **schema}


def parse_calls(message: object) -> list[ToolCall]:
    """The `tool_use` blocks of an assistant message, or of a list of blocks."""
    blocks = _reading.items(message) or _reading.items(_reading.get(message, "content"))
    return [
        _reading.call(
            _reading.get(block, "id"), _reading.get(block, "name"), _reading.get(block, "input")
        )
        for block in blocks
        if _reading.get(block, "type") == "tool_use"
    ]


def render_results(results: Iterable[ToolResult]) -> list[dict[str, Any]]:
    """One user message with a `tool_result` block per result; no message without results."""
    blocks = [_result(result) for result in results]
    return [{"role": "user", "content": blocks}] if blocks else []


def _result(result: ToolResult) -> dict[str, Any]:
    block: dict[str, Any] = {"type": "tool_result", "tool_use_id": result.id or ""}
    content = [_part(part) for part in result.content if part != TextPart("")]
    if len(content) == 1 and content[0]["type"] == "text":
        block["content"] = content[0]["text"]
    elif content:
        block["content"] = content
    if result.is_error:
        # An error without content is refused by the API (error text, observed 2026-11).
        block.setdefault("content", "error")
        block["is_error"] = True
    if result.options and "cache_control" in result.options:
        block["cache_control"] = result.options["cache_control"]
    return block


def _part(part: Part) -> dict[str, Any]:
    if isinstance(part, ImagePart):
        source = _source(part, _IMAGES)
        if source:
            return {"type": "image", "source": source}
    if isinstance(part, FilePart):
        source = _source(part, frozenset({"application/pdf"})) or _plain_text(part)
        if source:
            title = {"title": part.name} if part.name else {}
            return {"type": "document", "source": source, **title}
    if isinstance(part, ResourcePart) and part.text:
        source = {"type": "text", "media_type": "text/plain", "data": part.text}
        return {"type": "document", "source": source, "title": part.name or part.uri}
    return {"type": "text", "text": _parts.as_text(part)}


def _source(part: ImagePart | FilePart, media_types: frozenset[str]) -> dict[str, Any] | None:
    if part.url is not None:
        is_fit = part.media_type is None or part.media_type in media_types
        return {"type": "url", "url": part.url} if is_fit else None
    if part.data is None or part.media_type not in media_types:
        return None
    data = _parts.base64(part.data)
    return {"type": "base64", "media_type": part.media_type, "data": data}


def _plain_text(part: FilePart) -> dict[str, Any] | None:
    if part.data is None or part.media_type != "text/plain":
        return None
    text = part.data.decode("utf-8", "replace")
    return {"type": "text", "media_type": "text/plain", "data": text}
