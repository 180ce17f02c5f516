"""`emit`, `describe`, `tool_names`: what a program hands to a vendor, or shows.

A definition is rendered once for a source, a format and a strictness, and kept with the
resolved source. What is handed out is a private copy: these dicts end up in request
bodies that people edit, and a shared one would carry an edit into every later request.
The cheapest copy of plain JSON is to read it from `marshal` bytes, a third of the price
of a walk in Python.
"""

from __future__ import annotations

import marshal

from toolcall._source import resolve

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Literal, TypeAlias, Union

    from toolcall._source import Source

    Format: TypeAlias = Literal[
        "anthropic",
        "bedrock",
        "gemini",
        "gemini_parameters",
        "mcp",
        "mcp-2025-06-18",
        "mcp-2025-11-25",
        "mcp-2026-07-28",
        "openai",
        "openai_responses",
    ]
    Strict: TypeAlias = Union[bool, Literal["require"]]


def emit(
    source: Source,
    format: Format = "openai",  # noqa: A002 - the word of this library
    *,
    strict: Strict = False,
) -> list[dict[str, Any]]:
    """The tools of a source as a vendor wants them, each a plain dict of your own.

    `strict=True` asks for the vendor's strict mode; a tool that it cannot express is
    emitted without, with a ToolcallWarning. `strict="require"` raises StrictError instead.

    SchemaNotBuilt, StaleSchema or SidecarError naming every tool that cannot be emitted;
    UnknownFormat for a format there is not.
    """
    resolved = resolve(source)
    kept = resolved.kept.get((format, strict))
    tools: list[dict[str, Any]]
    if kept is None:
        from toolcall import formats

        definitions = [tool.definition() for tool in resolved.whole().values()]
        tools = formats.get(format).render_tools(definitions, strict=strict)
        if resolved.source is not None:  # else nobody will ask this one again
            resolved.kept[format, strict] = _keep(tools)
    else:
        tools = marshal.loads(kept) if type(kept) is bytes else _copy(kept)
    return tools


def _keep(rendered: list[dict[str, Any]]) -> bytes | list[dict[str, Any]]:
    """What copies can be made of: bytes, or a first copy of what is not plain JSON.

    marshal gives back as one what is one object in two places; renderers write every
    dict and list anew, so there is none.
    """
    try:
        return marshal.dumps(rendered)
    except ValueError:  # a vendor's option that is an object of its own
        own: list[dict[str, Any]] = _copy(rendered)
        return own


def describe(source: Source) -> list[dict[str, Any]]:
    """Each tool of a source without a vendor's envelope.

    Dicts with `module`, `name`, `description` (empty if there is none) and `parameters`,
    a JSON Schema.
    """
    tools = resolve(source).whole()
    plain = emit(source, "mcp")  # of all envelopes the one that asks least
    return [
        {
            "module": tool.owner,
            "name": name,
            "description": tool.tool.get("doc", ""),
            "parameters": rendered["inputSchema"],
        }
        for (name, tool), rendered in zip(tools.items(), plain, strict=True)
    ]


def tool_names(source: Source) -> list[str]:
    """The names of a source's tools, in declaration order."""
    return list(resolve(source).whole())


def _copy(value: Any) -> Any:
    if type(value) is dict:
        return {key: _copy(item) for key, item in value.items()}
    return [_copy(item) for item in value] if type(value) is list else value
