"""The Model Context Protocol, for every revision that is served.

A `Revision` is a table of what differs; the modules `mcp*` bind one each. Results are
`tools/call` results, calls are its requests.

The output schema is derived from the return type. Up to 2025-11-25 its root must be an
object, so a value that is none travels as `{"result": value}`, and the schema says so
for every branch that is none; since 2026-07-28 any value travels as it is. No output
schema is written for a tool that may return text, null or anything: text is content
already, and a client refuses a result that lacks the structured value it was promised.
"""

from __future__ import annotations

from toolcall._values import AudioPart, FilePart, ImagePart, ResourcePart
from toolcall.formats import _jsonschema, _parts, _reading
from toolcall.formats._names import wire_names
from toolcall.formats._rendering import copied
from toolcall.formats._strict import Emission
from toolcall.formats._tables import OUTPUT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from toolcall import ir
    from toolcall._values import Part, ToolCall, ToolResult
    from toolcall.formats._dialect import Dialect
    from toolcall.formats._strict import Strict

_HINTS = (
    ("read_only", "readOnlyHint"),
    ("destructive", "destructiveHint"),
    ("idempotent", "idempotentHint"),
    ("open_world", "openWorldHint"),
)


class Revision:
    """What differs between revisions: wrapped results, per-tool options, a result's type."""

    __slots__ = ("any_output", "dialect", "options", "result_type")

    def __init__(
        self, dialect: Dialect, *, any_output: bool, options: tuple[str, ...], result_type: bool
    ) -> None:
        self.dialect = dialect
        self.any_output = any_output
        self.options = options
        self.result_type = result_type


def render_tools(
    tools: Iterable[ir.Definition], revision: Revision, strict: Strict
) -> list[dict[str, Any]]:
    """The `tools` of a `tools/list` result."""
    definitions = list(tools)
    dialect = revision.dialect
    names = wire_names([definition["tool"]["name"] for definition in definitions], dialect)
    emission = Emission(dialect, strict)
    return [
        _tool(definition, name, emission, revision)
        for definition, name in zip(definitions, names, strict=True)
    ]


def _tool(
    definition: ir.Definition, name: str, emission: Emission, revision: Revision
) -> dict[str, Any]:
    source = definition["tool"]
    tool: dict[str, Any] = {"name": name}
    if source.get("title"):
        tool["title"] = source["title"]
    if source.get("doc"):
        tool["description"] = source["doc"]
    schema = emission.schema(definition)[0]
    tool["inputSchema"] = {"type": "object", **schema} if "schema" in source else schema
    output = output_schema(definition, any_output=revision.any_output)
    if output is not None:
        tool["outputSchema"] = output
    hints: Mapping[str, Any] = source.get("hints", {})
    annotations = {wire: hints[key] for key, wire in _HINTS if key in hints}
    if annotations:
        tool["annotations"] = annotations
    options = definition.get("options")
    if options:
        tool.update({key: copied(options[key]) for key in revision.options if key in options})
    return tool


# Output


def output_schema(definition: ir.Definition, *, any_output: bool) -> dict[str, Any] | None:
    """The schema of a tool's structured results, or None where there are none to promise."""
    returns = definition["tool"].get("returns")
    if returns is None:
        return None
    types = definition["types"]
    branches = _branches(returns, types, frozenset())
    if branches is None:
        return None
    if any_output:
        return _jsonschema.render_type(returns, types, OUTPUT)
    return _object_output(branches, types)


def _branches(
    node: ir.Type, types: Mapping[str, ir.Type], seen: frozenset[str]
) -> list[ir.Type] | None:
    """What a return type may be, one node each; None when it may be text, null or anything."""
    match node["kind"]:
        case "any" | "null" | "nullable" | "string" | "stdlib":
            return None
        case "literal":
            return _unless_text(node, [value["value"] for value in node["values"]])
        case "enum":
            return _unless_text(node, [member["value"] for member in node["members"]])
        case "custom":
            return _branches(node["wire"], types, seen)
        case "root":
            return _branches(node["inner"], types, seen)
        case "ref":
            name = node["name"]
            inner = None if name in seen else _branches(types[name], types, seen | {name})
            # A class stays a reference, so that a recursive one can be said at all.
            return [node] if inner is not None and len(inner) == 1 else inner
        case "union":
            found = [_branches(branch, types, seen) for branch in node["branches"]]
            if any(branch is None for branch in found):
                return None
            return [branch for branches in found for branch in branches or ()]
        case _:
            return [node]


def _unless_text(node: ir.Type, values: Iterable[object]) -> list[ir.Type] | None:
    return None if any(isinstance(value, str) for value in values) else [node]


def _object_output(branches: list[ir.Type], types: Mapping[str, ir.Type]) -> dict[str, Any]:
    alternatives: list[dict[str, Any]] = []
    defs: dict[str, Any] = {}
    for branch in branches:
        schema = _jsonschema.render_type(branch, types, OUTPUT)
        defs.update(schema.pop("$defs", {}))
        if not _is_object(branch, types):
            schema = {"type": "object", "properties": {"result": schema}, "required": ["result"]}
        if schema not in alternatives:
            alternatives.append(schema)
    root = alternatives[0] if len(alternatives) == 1 else {"anyOf": alternatives}
    return {"type": "object", **root, **({"$defs": defs} if defs else {})}


def _is_object(node: ir.Type, types: Mapping[str, ir.Type]) -> bool:
    while node["kind"] == "ref":
        node = types[node["name"]]
    return node["kind"] in {"object", "mapping"}


# Calls and results


def parse_calls(message: object) -> list[ToolCall]:
    """The call in a `tools/call` request or its parameters; the calls in a list of them."""
    requests = _reading.items(message) or [message]
    return [_call(request) for request in requests if _is_call(request)]


def _is_call(request: object) -> bool:
    method = _reading.get(request, "method")
    if method is not None:
        return bool(method == "tools/call")
    return _reading.get(_reading.get(request, "params") or request, "name") is not None


def _call(request: object) -> ToolCall:
    params = _reading.get(request, "params") or request
    return _reading.call(
        _reading.get(request, "id"),
        _reading.get(params, "name"),
        _reading.get(params, "arguments"),
    )


def render_results(results: Iterable[ToolResult], revision: Revision) -> list[dict[str, Any]]:
    """One `tools/call` result per result."""
    return [_result(result, revision) for result in results]


def _result(result: ToolResult, revision: Revision) -> dict[str, Any]:
    rendered: dict[str, Any] = {"content": [_part(part) for part in result.content]}
    # An error keeps no promise about its structure.
    if result.structured is not None and not result.is_error:
        value = result.structured
        wrapped = not revision.any_output and not isinstance(value, dict)
        rendered["structuredContent"] = {"result": value} if wrapped else value
    if result.is_error:
        rendered["isError"] = True
    if revision.result_type:
        rendered["resultType"] = "complete"
    if result.options and "_meta" in result.options:
        rendered["_meta"] = result.options["_meta"]
    return rendered


def _part(part: Part) -> dict[str, Any]:
    if isinstance(part, (ImagePart, AudioPart)) and part.data is not None:
        is_image = isinstance(part, ImagePart)
        media_type = part.media_type or ("image/png" if is_image else "audio/wav")
        data = _parts.base64(part.data)
        return {"type": "image" if is_image else "audio", "data": data, "mimeType": media_type}
    if isinstance(part, ResourcePart):
        return _resource(part.uri, part.text, part.data, part.media_type, part.name)
    if isinstance(part, (FilePart, ImagePart, AudioPart)):
        name = part.name if isinstance(part, FilePart) else None
        uri = part.url or f"file:///{_path(name or 'file')}"
        return _resource(uri, None, part.data, part.media_type, name)
    return {"type": "text", "text": part.text}


def _resource(
    uri: str, text: str | None, data: bytes | None, media_type: str | None, name: str | None
) -> dict[str, Any]:
    """A resource with its contents, or a link to it."""
    kind = {"mimeType": media_type} if media_type else {}
    if text is not None:
        return {"type": "resource", "resource": {"uri": uri, **kind, "text": text}}
    if data is not None:
        blob = _parts.base64(data)
        return {"type": "resource", "resource": {"uri": uri, **kind, "blob": blob}}
    return {"type": "resource_link", "uri": uri, "name": name or uri, **kind}


def _path(name: str) -> str:
    return "".join(c if (c.isascii() and c.isalnum()) or c in "._-/" else "_" for c in name)
