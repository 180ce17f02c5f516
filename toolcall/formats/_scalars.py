"""Scalars and choices as JSON Schema: text, numbers, values that travel as text, enums.

Each function gets a node and its description and returns a new schema.
"""

from __future__ import annotations

from toolcall.formats._rendering import JSON_TYPES, NUMBER, any_of, constrain, described, note

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from toolcall import ir
    from toolcall.formats._dialect import Subset
    from toolcall.formats._rendering import Notes, Rendering, Schema

INTEGER_TEXT = "^-?[0-9]+$"
# Exponents are short enough for whatever a grammar engine fills in to be decoded.
_DECIMAL_TEXT = r"^-?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]{1,3})?$"

_STDLIB_FORMATS = {
    "date": "date",
    "datetime": "date-time",
    "duration": "duration",
    "pattern": "regex",
    "time": "time",
    "uuid": "uuid",
}
_IP_FORMATS = {"ipaddress:IPv4Address": "ipv4", "ipaddress:IPv6Address": "ipv6"}


def scalar(
    r: Rendering,
    schema: Schema,
    node: ir.String | ir.Integer | ir.Number,
    doc: str | None,
    table: Iterable[tuple[str, str]],
) -> Schema:
    if len(node) == 1 or (len(node) == 2 and "doc" in node):
        if doc:
            schema["description"] = doc
        return schema
    limits: Schema = {"type": schema["type"]}
    notes = constrain(r, limits, node, table)
    described(schema, doc, notes)
    schema.update(limits)
    return schema


def integer(r: Rendering, node: ir.Integer, doc: str | None) -> Schema:
    if "wire" not in node:
        return scalar(r, {"type": "integer"}, node, doc, NUMBER)
    return _number_text(r, node, doc, INTEGER_TEXT)


def _number_text(
    r: Rendering, node: ir.Integer | ir.Stdlib, doc: str | None, pattern: str
) -> Schema:
    """A number that travels as text: bounds are no keywords of text, so they are described."""
    notes: Notes = [(keyword, node[key]) for key, keyword in NUMBER if key in node]  # type: ignore[literal-required]
    schema: Schema = {"type": "string"}
    if "pattern" not in r.keywords:
        note(r, notes, "pattern", pattern)
        return described(schema, doc, notes)
    described(schema, doc, notes)
    schema["pattern"] = pattern
    return schema


def stdlib(r: Rendering, node: ir.Stdlib, doc: str | None) -> Schema:
    name = node["type"]
    if name == "decimal":
        return _number_text(r, node, doc, _DECIMAL_TEXT)
    if name == "bytes":
        return _bytes(r, node, doc)
    wanted = text_format(node)
    schema: Schema = {"type": "string"}
    if wanted is None:
        return described(schema, doc)
    if r.subset.formats is None or wanted in r.subset.formats:
        described(schema, doc)
        schema["format"] = wanted
        return schema
    notes: Notes = []
    note(r, notes, "format", wanted)
    return described(schema, doc, notes)


def text_format(node: ir.Stdlib) -> str | None:
    """The `format` of a value that travels as text, where there is one."""
    if node["type"] == "ip":
        return _IP_FORMATS.get(node.get("cls", ""))
    return _STDLIB_FORMATS.get(node["type"])


def _bytes(r: Rendering, node: ir.Stdlib, doc: str | None) -> Schema:
    """Base64 text. Lengths count bytes: n bytes are 4 * ceil(n / 3) characters, exactly.

    Several lengths share one number of characters, so the description says the bytes too.
    """
    schema: Schema = {"type": "string"}
    notes: Notes = []
    limits: Schema = {}
    if "contentEncoding" in r.keywords:
        limits["contentEncoding"] = "base64"
    else:
        note(r, notes, "contentEncoding", "base64")
    for key, keyword, words in (
        ("min_length", "minLength", "minBytes"),
        ("max_length", "maxLength", "maxBytes"),
    ):
        if key in node:
            length: int = node[key]  # type: ignore[literal-required]
            notes.append((words, length))
            if keyword in r.keywords:
                limits[keyword] = -(-length // 3) * 4
    described(schema, doc, notes)
    schema.update(limits)
    return schema


def flag(r: Rendering, node: ir.FlagChoice, doc: str | None) -> Schema:
    bits = ", ".join(f"{member['value']} {member['name']}" for member in node["members"])
    said = f"Sum of any of these bits: {bits}."
    schema = described({"type": "integer"}, f"{doc}\n{said}" if doc else said)
    if "minimum" in r.keywords:
        schema["minimum"] = 0
        schema["maximum"] = _all_bits(node)
    return schema


def _all_bits(node: ir.FlagChoice) -> int:
    bits = 0
    for member in node["members"]:
        bits |= int(member["value"])
    return bits


def null(r: Rendering, doc: str | None) -> Schema:
    if r.null == "keyword":
        return described({"type": "string", "nullable": True}, doc, [("type", "null")])
    return described({"type": "null"}, doc)


def anything(r: Rendering, doc: str | None) -> Schema:
    if r.strict:
        r.lose("strict-untyped", "a value of any type cannot be said")
    return described({}, doc)


# Choices


def choice(r: Rendering, values: list[Any], doc: str | None, *, null: bool = False) -> Schema:
    """An enum with its type; with `null`, null is one of the choices."""
    kinds = list(dict.fromkeys([JSON_TYPES[type(value)] for value in values]))
    if _needs_branches(r.subset, kinds):
        return _choice_by_kind(r, kinds, values, doc, null=null)
    if null and not r.subset.enum_null:
        return any_of([choice(r, values, None), {"type": "null"}], doc)
    if null:
        kinds.append("null")
        values = [*values, None]
    schema: Schema = {}
    if r.subset.enum_type:
        schema["type"] = kinds[0] if len(kinds) == 1 else kinds
    if doc:
        schema["description"] = doc
    schema["enum"] = values
    return schema


def _needs_branches(subset: Subset, kinds: list[str]) -> bool:
    """Whether a choice of these types cannot be one enum, with a list of types beside it."""
    if len(kinds) > 1 and subset.enum_type and subset.null != "type":
        return True
    takes = subset.enum
    return takes != "any" and (len(kinds) > 1 or takes == "string" or "boolean" in kinds)


def _choice_by_kind(
    r: Rendering, kinds: list[str], values: list[Any], doc: str | None, *, null: bool
) -> Schema:
    """A choice for dialects that list only values of one kind, or only strings."""
    branches = [
        _choice_of(r, kind, [value for value in values if JSON_TYPES[type(value)] == kind])
        for kind in kinds
    ]
    if null:
        branches.append({"type": "null"})
    return any_of(branches, doc)


def _choice_of(r: Rendering, kind: str, values: list[Any]) -> Schema:
    if kind == "boolean":
        notes: Notes = [("enum", values)] if len(values) == 1 else []
        return described({"type": kind}, None, notes)
    if kind != "string" and r.subset.enum == "string":
        # google-genai 3.6.1, Schema.enum: a number's choices are listed as text.
        return {"type": kind, "format": "enum", "enum": [str(value) for value in values]}
    return {"type": kind, "enum": values}
