"""What there is to show of tools: the facts, for whoever draws them.

A card is a tool as a model will see it, put into words: what each parameter takes, where
its description comes from, how large the definition is for each vendor.
"""

from __future__ import annotations

import json
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from toolcall import _sidecar, _words, formats, ir
from toolcall.errors import SidecarError, StaleSchema, ToolcallWarning

from . import discovery

SIZED = ("openai", "anthropic", "gemini", "mcp", "bedrock")
"""The formats whose sizes are told."""

LIMITS = ("min_length", "max_length", "pattern", "min_items", "max_items", "multiple_of")


@dataclass(frozen=True, slots=True)
class Row:
    """One parameter: name, what it takes, whether it must be there, what it means, from where."""

    name: str
    takes: str
    presence: str
    doc: str
    place: str


@dataclass(frozen=True, slots=True)
class Card:
    """One tool. `trouble` says that it cannot be used, and why."""

    name: str
    key: str
    doc: str
    rows: tuple[Row, ...]
    result: str
    sizes: tuple[tuple[str, int], ...]
    trouble: str = ""


@dataclass(frozen=True, slots=True)
class Section:
    """One module with its tools, or what is wrong with its sidecar."""

    module: str
    cards: tuple[Card, ...]
    trouble: str = ""


def section(module: discovery.Module) -> Section:
    """A module's tools."""
    try:
        loaded = discovery.readable(module)
        return Section(module.name, tuple(_card(tool, loaded) for tool in loaded.tools))
    except SidecarError as error:
        return Section(module.name, (), str(error))


def _card(tool: ir.Tool, loaded: _sidecar.Loaded) -> Card:
    returns = tool.get("returns")
    return Card(
        name=tool["name"],
        key=tool["key"],
        doc=tool.get("doc", ""),
        rows=tuple(_rows(tool, loaded.types)),
        result="" if returns is None else _words.described(returns, loaded.types),
        sizes=tuple(_sizes(tool, loaded.types)),
        trouble=_stale(tool, loaded) or "",
    )


def _rows(tool: ir.Tool, types: dict[str, ir.Type]) -> Iterator[Row]:
    origins = tool.get("provenance", {})
    for index, parameter in enumerate(tool["parameters"]):
        place = _origin(origins.get(f"/parameters/{index}/doc", ""))
        yield _row(parameter, parameter["wire"], place, types)
        yield from _inside(parameter["type"], parameter["wire"], types, frozenset())


def _row(one: ir.Parameter | ir.Field, name: str, place: str, types: dict[str, ir.Type]) -> Row:
    takes = _kind(one["type"], types)
    return Row(name, takes, _presence(one), one.get("doc", ""), place)


def _inside(
    node: ir.Type, name: str, types: dict[str, ir.Type], above: frozenset[str]
) -> Iterator[Row]:
    """The fields of an object, `name.field`, and of the items of a list, `name[].field`."""
    match node["kind"]:
        case "nullable" | "root":
            yield from _inside(node["inner"], name, types, above)
        case "array":
            yield from _inside(node["items"], f"{name}[]", types, above)
        case "ref":
            if node["name"] not in above:
                yield from _inside(types[node["name"]], name, types, above | {node["name"]})
        case "object":
            for field in node["fields"]:
                below = f"{name}.{field['wire']}"
                yield _row(field, below, "", types)
                yield from _inside(field["type"], below, types, above)
        case _:
            pass


def _stale(tool: ir.Tool, loaded: _sidecar.Loaded) -> str | None:
    try:
        loaded.check(tool)
    except StaleSchema as error:
        return str(error)
    return None


def _origin(said: str) -> str:
    """`alias, line 12 of app.types`, for the sidecar's `alias app.types:12`."""
    origin, _, place = said.partition(" ")
    module, _, line = place.rpartition(":")
    if not place:
        return origin
    return f"{origin}, line {line} of {module}" if module else f"{origin}, line {line}"


def _kind(node: ir.Type, types: dict[str, ir.Type]) -> str:
    """What a type takes and within which limits, in a few words."""
    facts: Any = node["inner"] if node["kind"] == "nullable" else node
    words = [_words.described(node, types), _words.bounds(facts)]
    words += [f"{name.replace('_', ' ')} {facts[name]}" for name in LIMITS if name in facts]
    return ", ".join(word for word in words if word)


def _presence(parameter: ir.Parameter | ir.Field) -> str:
    if parameter["required"]:
        return "required"
    if "default" in parameter:
        return f"= {json.dumps(parameter['default'], ensure_ascii=False)}"
    return "optional"


def _sizes(tool: ir.Tool, types: dict[str, ir.Type]) -> Iterator[tuple[str, int]]:
    """Bytes of the definition as a request would carry it, by format."""
    definition: ir.Definition = {"tool": tool, "types": types}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ToolcallWarning)
        for name in SIZED:
            rendered = formats.get(name).render_tools([definition])
            text = json.dumps(rendered[0], ensure_ascii=False, separators=(",", ":"))
            yield name, len(text.encode())
