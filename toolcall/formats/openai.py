"""OpenAI Chat Completions, and the many servers that speak its protocol.

Tools are nested (`{"type": "function", "function": {...}}`), arguments come back as JSON
text and stay text, every result is a message of its own. `strict` is written only when
it is true, because not every server of this protocol knows it.

There is no error flag on a result, so an error is told by its text; there is no place
for anything but text in a result, so other parts are told in words.
"""

from __future__ import annotations

from toolcall.formats import _parts, _reading
from toolcall.formats._names import wire_names
from toolcall.formats._strict import Emission
from toolcall.formats._tables import OPENAI as DIALECT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from toolcall import ir
    from toolcall._values import ToolCall, ToolResult
    from toolcall.formats._strict import Strict

__all__ = ["DIALECT", "NAME_RULE", "parse_calls", "render_results", "render_tools"]

NAME_RULE = DIALECT.tool_name


def render_tools(tools: Iterable[ir.Definition], *, strict: Strict = False) -> list[dict[str, Any]]:
    """The value of a request's `tools`."""
    definitions = list(tools)
    names = wire_names([definition["tool"]["name"] for definition in definitions], DIALECT)
    emission = Emission(DIALECT, strict)
    return [
        {"type": "function", "function": _function(definition, name, emission)}
        for definition, name in zip(definitions, names, strict=True)
    ]


def _function(definition: ir.Definition, name: str, emission: Emission) -> dict[str, Any]:
    function: dict[str, Any] = {"name": name}
    doc = definition["tool"].get("doc")
    if doc:
        function["description"] = doc
    schema, is_strict = emission.schema(definition)
    if "schema" in definition["tool"]:
        # Error text "object schema missing properties" (observed 2026-11).
        schema.setdefault("properties", {})
    function["parameters"] = schema
    if is_strict:
        function["strict"] = True
    return function


def parse_calls(message: object) -> list[ToolCall]:
    """The calls in an assistant message, or in a whole response (its first choice)."""
    for choice in _reading.items(_reading.get(message, "choices"))[:1]:
        message = choice
    message = _reading.get(message, "message") or message
    return [_call(call) for call in _reading.items(_reading.get(message, "tool_calls"))]


def _call(call: object) -> ToolCall:
    custom = _reading.get(call, "custom")
    if custom is not None:
        # A free-text tool of the vendor's own kind; answering it keeps the conversation valid.
        arguments = _reading.get(custom, "input")
        return _reading.call(_reading.get(call, "id"), _reading.get(custom, "name"), arguments)
    function = _reading.get(call, "function")
    return _reading.call(
        _reading.get(call, "id"),
        _reading.get(function, "name"),
        _reading.get(function, "arguments"),
        _reading.get(call, "index"),
    )


def render_results(results: Iterable[ToolResult]) -> list[dict[str, Any]]:
    """One message of role `tool` per result."""
    return [
        {"role": "tool", "tool_call_id": result.id or "", "content": _content(result)}
        for result in results
    ]


def _content(result: ToolResult) -> str | list[dict[str, Any]]:
    texts = _parts.texts(result.content)
    if len(texts) <= 1:
        return "".join(texts)
    return [{"type": "text", "text": text} for text in texts]
