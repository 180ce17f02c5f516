"""The IR as text: one fact a line, indented under what it is about.

What case files compare, `show` prints and internal errors quote. Stable: the same IR gives
the same text everywhere, and a fact that is not there leaves no trace. Unlike the JSON it
names no key that a reader would guess, so that a change shows where it was made.

A type is written on one line if nothing in it has a description of its own; named types
follow after the tools. Keys that only the loader needs (line, fingerprints, provenance)
are left out; `toolcall show` prints provenance itself.
"""

from __future__ import annotations

import json

from toolcall._grammar import CONSTRAINTS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from toolcall import ir

_SHORT_KINDS = {
    "positional_only": " positional-only",
    "keyword_only": " keyword-only",
    "var_positional": " *args",
    "var_keyword": " **kwargs",
}


def pretty(definition: ir.Sidecar | ir.Definition) -> str:
    """A sidecar or a definition as text."""
    whole: Any = definition
    tools = whole["tools"] if "tools" in whole else [whole["tool"]]
    blocks = [pretty_tool(tool) for tool in tools]
    blocks += [_named(name, node) for name, node in sorted(whole["types"].items())]
    return "\n".join(blocks)


def pretty_tool(tool: ir.Tool) -> str:
    """One tool as text, without the named types."""
    return "".join(f"{line}\n" for line in _tool(tool))


def pretty_type(node: ir.Type) -> str:
    """One type as text: what would stand behind a parameter's name."""
    first, *rest = _type(node)
    return "\n".join([first, *_indented(iter(rest))])


def _named(name: str, node: ir.Type) -> str:
    first, *rest = _type(node, with_doc=False)
    lines = [f"type {name} = {first}", *_doc(node), *(f"  {line}" for line in rest)]
    return "".join(f"{line}\n" for line in lines)


def _tool(tool: ir.Tool) -> Iterator[str]:
    facts = [
        {"function": "function", "static": "static method", "class": "class method"}.get(
            tool["binding"], "method"
        )
    ]
    facts += ["async"] if tool["is_async"] else []
    facts += [] if tool["key"] == tool["name"] else [f"key {tool['key']}"]
    yield f"tool {tool['name']} ({', '.join(facts)})"
    if "title" in tool:
        yield f"  title: {_text(tool['title'])}"
    yield from _doc(tool)
    for name, value in sorted(tool.get("hints", {}).items()):
        yield f"  hint: {name} {_json(value)}"
    for parameter in tool["parameters"]:
        yield from _indented(_given(parameter, _SHORT_KINDS.get(parameter["kind"], "")))
    for injected in tool.get("injected", ()):
        yield f"  {_injected(injected)}"
    if "returns" in tool:
        first, *rest = _type(tool["returns"])
        yield f"  returns: {first}"
        yield from _indented(_indented(iter(rest)))
    if "schema" in tool:
        yield f"  schema: {_json(tool['schema'])}"


def _injected(injected: ir.Injected) -> str:
    need = "required" if injected["required"] else "optional"
    kind = _SHORT_KINDS.get(injected["kind"], "")
    return f"{injected['name']}: injected {injected['how']}{kind}, {need}"


def _given(given: Any, kind: str = "") -> Iterator[str]:
    """A parameter or a field, its description first and then what its type says inside."""
    first, *rest = _type(given["type"])
    wire = "" if given["wire"] == given["name"] else f" (wire {_json(given['wire'])})"
    need = "required" if given["required"] else "optional"
    if "default" in given:
        need = f"default {_json(given['default'])}"
        need += ", required" if given["required"] else ""
    mark = ", tag" if "tag" in given else ", filled in" if "fill" in given else ""
    yield f"{_name(given['name'])}{wire}: {first}{kind}, {need}{mark}"
    yield from _doc(given)
    yield from _indented(iter(rest))


def _name(name: str) -> str:
    return name if name.isidentifier() else _json(name)


def _indented(lines: Iterator[str]) -> Iterator[str]:
    return (f"  {line}" for line in lines)


def _doc(node: Any) -> Iterator[str]:
    if "doc" in node:
        yield f"  doc: {_text(node['doc'])}"


def _text(text: str) -> str:
    """Text as it is if it fits on a line, else quoted."""
    plain = text.isprintable() and text == text.strip() and text != "" and text[0] not in "\"'"
    return text if plain else _json(text)


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False).encode(errors="backslashreplace").decode()


def _type(node: Any, with_doc: bool = True) -> Iterator[str]:
    """A type's one line, then what is inside it, line by line."""
    yield _line(node)
    if with_doc and "doc" in node:
        yield f"type doc: {_text(node['doc'])}"
    for field in node.get("fields", ()):
        yield from _given(field)
    for place, inner in _inside(node):
        # A type that says nothing but its line is on its parent's line already.
        more = list(_type(inner))[1:]
        if more:
            yield f"{place}: {_line(inner)}"
            yield from _indented(iter(more))


def _inside(node: Any) -> Iterator[tuple[str, Any]]:
    for key in ("items", "key", "value", "rest", "inner", "wire", "extra"):
        if isinstance(node.get(key), dict):
            yield key, node[key]
    for key, place in (("prefix", "item"), ("branches", "branch")):
        for at, inner in enumerate(node.get(key, ())):
            yield f"{place} {at}", inner


def _line(node: Any) -> str:
    return _described(node) + "".join(
        f" {key}={_json(node[key])}" for key in CONSTRAINTS if key in node
    )


def _described(node: Any) -> str:
    match node["kind"]:
        case "array":
            return f"{node['cls']} of {_grouped(node['items'])}"
        case "tuple":
            parts = [_line(inner) for inner in node["prefix"]]
            parts += [f"*{_grouped(node['rest'])}"] if "rest" in node else []
            return f"tuple [{', '.join(parts)}]"
        case "mapping":
            cls = "" if node["cls"] == "dict" else f"{node['cls']} "
            return f"{cls}mapping {_grouped(node['key'])} -> {_grouped(node['value'])}"
        case "nullable":
            return f"{_line(node['inner'])} | null"
        case "union":
            by = f" by {_json(node['discriminator'])}" if "discriminator" in node else ""
            return f"{' | '.join(_grouped(inner) for inner in node['branches'])}{by}"
        case "literal":
            return f"literal {', '.join(_choice(value) for value in node['values'])}"
        case "enum" | "flag":
            of = f" of {node['type']}" if "type" in node else ""
            return f"{node['kind']} {node['cls']}{of} {{{_members(node['members'])}}}"
        case "object":
            extra = f", extra {_line(node['extra'])}" if "extra" in node else ""
            return f"object {node['style']} {node['cls']}{extra}"
        case "root":
            return f"root {node['cls']} of {_grouped(node['inner'])}"
        case "custom":
            return f"custom {node['cls']} by {node['provider']} of {_grouped(node['wire'])}"
        case "stdlib":
            return f"{node['type']} {node['cls']}" if "cls" in node else str(node["type"])
        case "ref":
            return str(node["name"])
        case "integer" if "wire" in node:
            return "integer as text"
        case kind:
            return str(kind)


def _grouped(node: Any) -> str:
    """A type inside another's line, in brackets where it would run on."""
    line = _line(node)
    open_ended = ("nullable", "union", "mapping", "literal")
    return f"({line})" if node["kind"] in open_ended else line


def _choice(value: ir.LiteralValue) -> str:
    member = f" ({value.get('enum', '')}.{value['member']})" if "member" in value else ""
    return f"{_json(value['value'])}{member}"


def _members(members: list[ir.EnumMember]) -> str:
    return ", ".join(f"{member['name']}={_json(member['value'])}" for member in members)
