"""`emit`, `describe`, `tool_names`: what a program hands to a vendor, or shows.

A definition is rendered once for a source, a format and a strictness, and kept with the
resolved source. What is handed out is a private copy: these dicts end up in request
bodies that people edit, and a shared one would carry an edit into every later request.
A copy of plain JSON costs little when nothing but dicts and lists is looked for.
"""

from __future__ import annotations

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
    if kept is None:
        from toolcall import formats

        definitions = [tool.definition() for tool in resolved.whole().values()]
        kept = formats.get(format).render_tools(definitions, strict=strict)
        resolved.kept[format, strict] = kept
    return [_copy_dict(tool) for tool in kept]


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


def _copy_dict(value: dict[str, Any]) -> dict[str, Any]:
    copy = value.copy()
    for key, item in value.items():
        kind = type(item)
        if kind is dict:
            copy[key] = _copy_dict(item)
        elif kind is list:
            copy[key] = _copy_list(item)
    return copy


def _copy_list(value: list[Any]) -> list[Any]:
    copy = value.copy()
    for at, item in enumerate(value):
        kind = type(item)
        if kind is dict:
            copy[at] = _copy_dict(item)
        elif kind is list:
            copy[at] = _copy_list(item)
    return copy
