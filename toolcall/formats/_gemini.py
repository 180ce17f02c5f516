"""What the two Gemini formats have in common: envelope, calls, results.

Both describe tools as function declarations inside one `tools` entry, because some
endpoints take only one. They differ in the field that holds the parameters, and in how a
schema is finished; a tool without parameters has no such field at all.
"""

from __future__ import annotations

from toolcall._values import FilePart, ImagePart
from toolcall.formats import _parts, _reading
from toolcall.formats._names import wire_names
from toolcall.formats._strict import Emission

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    from toolcall import ir
    from toolcall._values import Part, ToolCall, ToolResult
    from toolcall.formats._dialect import Dialect
    from toolcall.formats._strict import Strict

# Gemini guide 'Function calling', multimodal function responses, 2026-11
_MEDIA = frozenset({"application/pdf", "image/jpeg", "image/png", "image/webp", "text/plain"})


def declarations(
    tools: Iterable[ir.Definition],
    strict: Strict,
    dialect: Dialect,
    field: str,
    finish: Callable[[dict[str, Any]], dict[str, Any]],
) -> list[dict[str, Any]]:
    """One `tools` entry with all declarations; none without tools."""
    definitions = list(tools)
    names = wire_names([definition["tool"]["name"] for definition in definitions], dialect)
    emission = Emission(dialect, strict)
    declared = []
    for definition, name in zip(definitions, names, strict=True):
        declaration: dict[str, Any] = {"name": name}
        schema = emission.schema(definition)[0]
        has_parameters = bool(schema.get("properties") or schema.get("additionalProperties"))
        # What is described of parameters that have no field is told of the tool.
        unsaid = None if has_parameters else schema.get("description")
        doc = "\n".join(text for text in (definition["tool"].get("doc"), unsaid) if text)
        if doc:
            declaration["description"] = doc
        if has_parameters:
            declaration[field] = finish(schema)
        declared.append(declaration)
    return [{"functionDeclarations": declared}] if declared else []


def parse_calls(message: object) -> list[ToolCall]:
    """The calls in a whole response (its first candidate), in a content, or in a list of parts."""
    for candidate in _reading.items(_reading.get(message, "candidates"))[:1]:
        message = candidate
    message = _reading.get(message, "content") or message
    parts = _reading.items(message) or _reading.items(_reading.get(message, "parts"))
    calls = [_reading.get(part, "functionCall", "function_call") for part in parts]
    return [
        _reading.call(
            _reading.get(call, "id"), _reading.get(call, "name"), _reading.get(call, "args")
        )
        for call in calls
        if call is not None
    ]


def render_results(results: Iterable[ToolResult]) -> list[dict[str, Any]]:
    """One content of role `user` with a `functionResponse` part per result."""
    parts = [{"functionResponse": _response(result)} for result in results]
    return [{"role": "user", "parts": parts}] if parts else []


def _response(result: ToolResult) -> dict[str, Any]:
    response: dict[str, Any] = {"id": result.id} if result.id else {}
    response["name"] = result.name or "unknown"
    media = [part for part in map(_media, result.content) if part is not None]
    said = "\n".join(
        text
        for text in (_parts.as_text(part) for part in result.content if _media(part) is None)
        if text
    )
    key = "error" if result.is_error else "output"
    is_value = result.structured is not None and not result.is_error and not media
    value = result.structured if is_value and not _has_references(result.structured) else said
    response["response"] = {key: value}
    if media:
        response["parts"] = media
    return response


def _media(part: Part) -> dict[str, Any] | None:
    if not isinstance(part, (ImagePart, FilePart)) or part.media_type not in _MEDIA:
        return None
    if part.url is not None:
        return {"fileData": {"mimeType": part.media_type, "fileUri": part.url}}
    data = _parts.base64(part.data or b"")
    return {"inlineData": {"mimeType": part.media_type, "data": data}}


def _has_references(value: object) -> bool:
    """Whether a value has keys that the API reads as references to media (observed 2026-11)."""
    if isinstance(value, dict):
        return any(k in {"$ref", "$defs"} or _has_references(v) for k, v in value.items())
    return isinstance(value, list) and any(map(_has_references, value))


def ordered(schema: dict[str, Any]) -> dict[str, Any]:
    """The schema with `propertyOrdering` wherever there are several properties."""
    properties = schema.get("properties")
    if properties and len(properties) > 1:
        schema["propertyOrdering"] = list(properties)
    for child in inside(schema):
        ordered(child)
    return schema


def inside(schema: dict[str, Any]) -> list[dict[str, Any]]:
    """The schemas directly inside one."""
    children = [*schema.get("properties", {}).values(), *schema.get("$defs", {}).values()]
    children += [*schema.get("anyOf", ()), *schema.get("prefixItems", ())]
    children += [schema[key] for key in ("items", "additionalProperties") if key in schema]
    return [child for child in children if isinstance(child, dict)]
