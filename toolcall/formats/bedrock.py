"""Amazon Bedrock, Converse.

The value of `toolConfig["tools"]`; leave `toolConfig` out when there are no tools, since
the service refuses an empty list. A description is left out rather than empty, which the
service model refuses too. Bytes in results stay bytes, as boto3 takes them.
"""

from __future__ import annotations

from toolcall._values import FilePart, ImagePart, ResourcePart, TextPart
from toolcall.formats import _parts, _reading
from toolcall.formats._names import wire_names
from toolcall.formats._strict import Emission
from toolcall.formats._tables import BEDROCK as DIALECT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from toolcall import ir
    from toolcall._values import Part, ToolCall, ToolResult
    from toolcall.formats._strict import Strict

__all__ = ["DIALECT", "NAME_RULE", "parse_calls", "render_results", "render_tools"]

NAME_RULE = DIALECT.tool_name

# botocore 1.44.8 ImageFormat and DocumentFormat, 2026-11
_IMAGES = {"image/gif": "gif", "image/jpeg": "jpeg", "image/png": "png", "image/webp": "webp"}
_DOCUMENTS = {
    "application/msword": "doc",
    "application/pdf": "pdf",
    "application/vnd.ms-excel": "xls",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": "xlsx",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document": "docx",
    "text/csv": "csv",
    "text/html": "html",
    "text/markdown": "md",
    "text/plain": "txt",
}


def render_tools(tools: Iterable[ir.Definition], *, strict: Strict = False) -> list[dict[str, Any]]:
    """The value of `toolConfig["tools"]`."""
    definitions = list(tools)
    names = wire_names([definition["tool"]["name"] for definition in definitions], DIALECT)
    emission = Emission(DIALECT, strict)
    return [
        {"toolSpec": _specification(definition, name, emission)}
        for definition, name in zip(definitions, names, strict=True)
    ]


def _specification(definition: ir.Definition, name: str, emission: Emission) -> dict[str, Any]:
    specification: dict[str, Any] = {"name": name}
    doc = definition["tool"].get("doc")
    if doc:
        specification["description"] = doc
    schema, is_strict = emission.schema(definition)
    if "schema" in definition["tool"]:
        schema = {"type": "object", **schema}
    specification["inputSchema"] = {"json": schema}
    if is_strict:
        specification["strict"] = True
    return specification


def parse_calls(message: object) -> list[ToolCall]:
    """The `toolUse` blocks of a whole response, of a message, or of a list of blocks."""
    message = _reading.get(message, "output") or message
    message = _reading.get(message, "message") or message
    blocks = _reading.items(message) or _reading.items(_reading.get(message, "content"))
    uses = [_reading.get(block, "toolUse", "tool_use") for block in blocks]
    return [
        _reading.call(
            _reading.get(use, "toolUseId", "tool_use_id"),
            _reading.get(use, "name"),
            _reading.get(use, "input"),
        )
        for use in uses
        if use is not None and _reading.get(use, "type") != "server_tool_use"
    ]


def render_results(results: Iterable[ToolResult]) -> list[dict[str, Any]]:
    """One user message with a `toolResult` block per result; no message without results."""
    blocks = [{"toolResult": _result(result)} for result in results]
    return [{"role": "user", "content": blocks}] if blocks else []


def _result(result: ToolResult) -> dict[str, Any]:
    return {
        "toolUseId": result.id or "",
        "content": _content(result),
        "status": "error" if result.is_error else "success",
    }


def _content(result: ToolResult) -> list[dict[str, Any]]:
    if isinstance(result.structured, dict) and not result.is_error:
        only_text = all(isinstance(part, TextPart) for part in result.content)
        if only_text:
            return [{"json": result.structured}]
    used: set[str] = set()
    return [_part(part, used) for part in result.content]


def _part(part: Part, used: set[str]) -> dict[str, Any]:
    if isinstance(part, ImagePart) and part.data and part.media_type in _IMAGES:
        source = {"bytes": part.data}
        return {"image": {"format": _IMAGES[part.media_type], "source": source}}
    if isinstance(part, (FilePart, ResourcePart)) and part.data and part.media_type in _DOCUMENTS:
        name = _document_name(part.name, used)
        document = {"format": _DOCUMENTS[part.media_type], "name": name}
        return {"document": {**document, "source": {"bytes": part.data}}}
    return {"text": _parts.as_text(part)}


def _document_name(name: str | None, used: set[str]) -> str:
    """Letters, digits, single spaces, hyphens, brackets, at most 200, unique (guide, 2026-11)."""
    kept = "".join(c if (c.isascii() and c.isalnum()) or c in "-()[]" else " " for c in name or "")
    plain = unique = " ".join(kept.split())[:190] or "document"
    number = 2
    while unique in used:
        unique = f"{plain} {number}"
        number += 1
    used.add(unique)
    return unique
