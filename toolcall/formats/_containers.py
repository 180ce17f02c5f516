"""Arrays, tuples and mappings as JSON Schema.

Each function gets a node and its description and returns a new schema.
"""

from __future__ import annotations

from toolcall.formats._rendering import TEXT, any_of, constrain, copied, described, distinct, note
from toolcall.formats._scalars import INTEGER_TEXT, text_format

TYPE_CHECKING = False
if TYPE_CHECKING:
    from toolcall import ir
    from toolcall.formats._rendering import Rendering, Schema

_ITEMS = (("min_items", "minItems"), ("max_items", "maxItems"))
_PROPERTIES = (("min_properties", "minProperties"), ("max_properties", "maxProperties"))


def array(r: Rendering, node: ir.Array, doc: str | None) -> Schema:
    if len(node) == 3 and node["cls"] == "list":
        schema = described({"type": "array"}, doc)
        schema["items"] = r.type(node["items"])
        return schema
    limits: Schema = {}
    notes = constrain(r, limits, node, _ITEMS)
    if node["cls"] in {"set", "frozenset"}:
        if "uniqueItems" in r.keywords:
            limits["uniqueItems"] = True
        else:
            note(r, notes, "uniqueItems", True)
    schema = described({"type": "array"}, doc, notes)
    schema["items"] = r.type(node["items"])
    schema.update(limits)
    return schema


def fixed(r: Rendering, node: ir.Tuple, doc: str | None) -> Schema:
    prefix = [r.type(item) for item in node["prefix"]]
    rest = r.type(node["rest"]) if "rest" in node else None
    limits: Schema = {}
    notes = constrain(r, limits, _tuple_size(node), _ITEMS)
    kinds = distinct([*prefix, rest] if rest is not None else prefix)
    parts: Schema = {}
    if not prefix:
        parts["items"] = rest if rest is not None else {"type": "string"}
    elif "prefixItems" in r.keywords:
        parts["prefixItems"] = prefix
        if rest is not None:
            parts["items"] = rest
        elif r.subset.typed_items:
            parts["items"] = copied(any_of(kinds, None))
    else:
        parts["items"] = any_of(kinds, None)
        if len(kinds) > 1:
            notes.append(("prefixItems", [_named(item) for item in prefix]))
            if r.strict:
                r.lose("strict-tuple", "positions of a mixed tuple are only described")
    schema = described({"type": "array"}, doc, notes)
    schema.update(parts)
    schema.update(limits)
    return schema


def _tuple_size(node: ir.Tuple) -> dict[str, int]:
    count = len(node["prefix"])
    size = {"min_items": count} if count else {}
    return size if "rest" in node else {**size, "max_items": count}


def _named(schema: Schema) -> object:
    """A short word for a schema in a description."""
    return schema.get("type") or schema.get("enum") or "one of several"


def mapping(r: Rendering, node: ir.Mapping, doc: str | None) -> Schema:
    if not r.subset.open:
        r.lose("strict-open-object", "an object with unknown keys cannot be said")
        return described({"type": "object"}, doc)
    limits: Schema = {}
    notes = constrain(r, limits, node, _PROPERTIES)
    keys = _key(r, node["key"])
    if keys and "propertyNames" in r.keywords:
        limits["propertyNames"] = keys
    elif keys:
        notes.append(("propertyNames", keys))
    values = r.type(node["value"])
    if "additionalProperties" in r.keywords:
        limits["additionalProperties"] = values or True
    elif values:
        notes.append(("additionalProperties", values))
    schema = described({"type": "object"}, doc, notes)
    schema.update(limits)
    return schema


def _key(r: Rendering, node: ir.Type) -> Schema:
    """What the text of a mapping's key must look like; empty when anything will do."""
    match node["kind"]:
        case "ref":
            return _key(r, r.types[node["name"]])
        case "custom":
            return _key(r, node["wire"])
        case "root":
            return _key(r, node["inner"])
        case "integer" | "flag":
            return {"pattern": INTEGER_TEXT}
        case "boolean":
            return {"enum": ["true", "false"]}
        case "literal":
            return {"enum": [_key_text(value["value"]) for value in node["values"]]}
        case "enum" if node["members"]:
            return {"enum": [_key_text(member["value"]) for member in node["members"]]}
        case "string":
            return {keyword: node[key] for key, keyword in TEXT if key in node}  # type: ignore[literal-required]
        case "stdlib":
            wanted = text_format(node)
            return {"format": wanted} if wanted else {}
        case _:
            return {}


def _key_text(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)
