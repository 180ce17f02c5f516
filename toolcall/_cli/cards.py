"""What there is to show of tools: the facts, for whoever draws them.

A card is a tool as a model will see it, put into words: what each parameter takes, where
its description comes from, how large the definition is for each vendor.
"""

from __future__ import annotations

import json
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from toolcall import _sidecar, _words, formats, ir
from toolcall.errors import SidecarError, StaleSchema, ToolcallWarning

from . import discovery

if TYPE_CHECKING:
    from .provenance import FieldLines

SIZED = ("openai", "anthropic", "gemini", "mcp", "bedrock")
"""The formats whose sizes are told."""

LIMITS = ("min_length", "max_length", "pattern", "min_items", "max_items", "multiple_of")

WORDS = {"class": "class docstring", "field": "below the field", "decorator": "@tool"}
"""What the origins of descriptions are called, where their own names are not clear."""


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
    """One tool; `place` is where its description is. `trouble` says why it cannot be used."""

    name: str
    key: str
    doc: str
    place: str
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


@dataclass(frozen=True, slots=True)
class Shared:
    """What the tools of a module have in common: named types, and the lines of their fields."""

    types: dict[str, ir.Type]
    lines: FieldLines


def section(module: discovery.Module) -> Section:
    """A module's tools."""
    from .provenance import FieldLines  # the plugin brings mypy, which other commands do without

    try:
        loaded = discovery.readable(module)
        lines = FieldLines(loaded)
        return Section(module.name, tuple(_card(tool, loaded, lines) for tool in loaded.tools))
    except SidecarError as error:
        return Section(module.name, (), str(error))


def _card(tool: ir.Tool, loaded: _sidecar.Loaded, lines: FieldLines) -> Card:
    returns = tool.get("returns")
    origins = tool.get("provenance", {})
    return Card(
        name=tool["name"],
        key=tool["key"],
        doc=tool.get("doc", ""),
        place=_origin(origins.get("/doc", "")),
        rows=tuple(_rows(tool, Shared(loaded.types, lines))),
        result="" if returns is None else _words.described(returns, loaded.types),
        sizes=tuple(_sizes(tool, loaded.types)),
        trouble=_stale(tool, loaded) or "",
    )


def _rows(tool: ir.Tool, shared: Shared) -> Iterator[Row]:
    origins = tool.get("provenance", {})
    for index, parameter in enumerate(tool["parameters"]):
        place = _origin(origins.get(f"/parameters/{index}/doc", ""))
        yield _row(parameter, parameter["wire"], place, shared)
        yield from _inside(parameter["type"], parameter["wire"], shared, frozenset())


def _row(one: ir.Parameter | ir.Field, name: str, place: str, shared: Shared) -> Row:
    takes, doc = _kind(one["type"], shared.types), one.get("doc", "")
    if not doc:
        doc, place = _class_doc(one["type"], shared)
    return Row(name, takes, _presence(one), doc, place)


def _class_doc(node: Any, shared: Shared) -> tuple[str, str]:
    """What the class of a value says of itself, which a model sees as well, and where."""
    match node:
        case {"kind": "nullable", "inner": inner}:
            return _class_doc(inner, shared)
        case {"kind": "ref", "name": name}:
            return _class_doc(shared.types[name], shared)
        case {"doc": doc, "cls": cls} if ":" in cls:
            return doc, _origin(shared.lines.of_class(cls, doc))
        case _:
            return "", ""


def _inside(node: ir.Type, name: str, shared: Shared, above: frozenset[str]) -> Iterator[Row]:
    """The fields of objects within a value, by what leads to them.

    `name.field`, `name[].field` in the items of a list, `name{}.field` in the values of a
    mapping, and `name(Class).field` where a union has several classes.
    """
    match node["kind"]:
        case "nullable" | "root":
            yield from _inside(node["inner"], name, shared, above)
        case "array":
            yield from _part(node["items"], f"{name}[]", shared, above)
        case "tuple":
            for number, part in enumerate(node["prefix"]):
                yield from _part(part, f"{name}[{number}]", shared, above)
        case "mapping":
            yield from _part(node["value"], f"{name}{{}}", shared, above)
        case "union":
            for branch in node["branches"]:
                called = f"{name}({branch['name']})" if branch["kind"] == "ref" else name
                yield from _part(branch, called, shared, above)
        case "ref":
            if node["name"] not in above:
                named = shared.types[node["name"]]
                yield from _inside(named, name, shared, above | {node["name"]})
        case "object":
            for field in node["fields"]:
                below = f"{name}.{field['wire']}"
                yield _row(field, below, _origin(shared.lines.of(node, field)), shared)
                yield from _inside(field["type"], below, shared, above)
        case _:
            pass


def _part(node: ir.Type, name: str, shared: Shared, above: frozenset[str]) -> Iterator[Row]:
    """A part of a value: a row of its own if its class says something, then what is in it."""
    doc, place = _class_doc(node, shared)
    if doc:
        yield Row(name, _kind(node, shared.types), "", doc, place)
    yield from _inside(node, name, shared, above)


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
    if not line.isdecimal():
        return said
    word = WORDS.get(origin, origin)
    return f"{word}, line {line} of {module}" if module else f"{word}, line {line}"


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
