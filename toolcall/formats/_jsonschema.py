"""The IR as JSON Schema, under one dialect's subset.

One small function per kind of type node; each gets the node and the description of
this very use, and returns a new schema. What the subset does not take is handled in
one of three ways, never silently:

1. A constraint moves into the description, always in the words of `CONSTRAINTS`; it is
   still enforced when the tool is called.
2. A shape is said in another way that allows the same values or more.
3. What cannot be said becomes `{}`, and a `Loss` says where and why. Whether a strict
   tool may have losses is for the caller to decide.

Key order is fixed (type, description, then the rest; properties in declaration order),
so equal IR gives equal bytes. Nothing here knows envelopes, names or vendors.
"""

from __future__ import annotations

from toolcall.formats._containers import array, fixed, mapping
from toolcall.formats._properties import are_safe
from toolcall.formats._rendering import NUMBER, TEXT, Rendering, any_of, copied, described
from toolcall.formats._scalars import anything, choice, flag, integer, null, scalar, stdlib
from toolcall.formats._sharing import INLINING_BUDGET, References

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from typing_extensions import Never

    from toolcall import ir
    from toolcall.formats._dialect import Dialect, Subset
    from toolcall.formats._rendering import Loss, Schema


def render(definition: ir.Definition, dialect: Dialect, *, strict: bool = False) -> Schema:
    """The schema of a tool's parameters: always an object at the root.

    A schema that the user gave is not read here. With `strict`, what strict cannot say
    is `{}` or missing; `render_with_losses` tells what.
    """
    subset = dialect.strict if strict and dialect.strict is not None else dialect.plain
    return render_with_losses(definition, subset)[0]


def render_with_losses(definition: ir.Definition, subset: Subset) -> tuple[Schema, list[Loss]]:
    """The schema under one subset, and everything it could not say."""
    schema, r = rendered(definition, subset)
    return schema, r.losses


def rendered(
    definition: ir.Definition, subset: Subset, known: References | None = None
) -> tuple[Schema, Rendering]:
    """The schema under one subset, and what was noticed while it was written.

    `known` is for the tools of one request.
    """
    members = definition["tool"]["parameters"]
    roots = [member["type"] for member in members]
    r = Rendering(subset, definition["types"], roots, _type, known or References())
    schema: Schema = {"type": "object"}
    if members and members[-1]["kind"] == "var_keyword":
        _members(r, schema, members[:-1], None)
        schema.pop("additionalProperties", None)
        r.path.append(members[-1]["wire"])
        _unknown_keys(r, schema, members[-1]["type"], members[-1].get("doc"))
    else:
        _members(r, schema, members, None)
    if r.defs:
        schema["$defs"] = r.defs
    return schema, r


def render_type(node: ir.Type, types: Mapping[str, ir.Type], subset: Subset) -> Schema:
    """The schema of one type by itself, its `$defs` at its root."""
    r = Rendering(subset, types, (node,), _type, References())
    schema = _type(r, node, None)
    if r.defs:
        schema["$defs"] = r.defs
    return schema


def _type(r: Rendering, node: ir.Type, doc: str | None) -> Schema:
    """One node. `doc` is the description of this use; None leaves the node's own."""
    if len(node) == 1 and node["kind"] in _ALWAYS:
        return described({"type": node["kind"]}, doc)
    if doc is None:
        doc = node.get("doc")
    match node["kind"]:
        case "string":
            return scalar(r, {"type": "string"}, node, doc, TEXT)
        case "integer":
            return integer(r, node, doc)
        case "number":
            return scalar(r, {"type": "number"}, node, doc, NUMBER)
        case "boolean":
            return described({"type": "boolean"}, doc)
        case "ref":
            return _ref(r, node, doc)
        case "nullable":
            return _widened(r, node["inner"], doc)
        case "array":
            return array(r, node, doc)
        case "literal":
            return choice(r, [value["value"] for value in node["values"]], doc)
        case "enum" if node["members"]:
            return choice(r, [member["value"] for member in node["members"]], doc)
        case "enum":
            return described({"type": node["type"]}, doc)
        case "object":
            schema = described({"type": "object"}, doc)
            return _members(r, schema, node["fields"], node.get("extra"))
        case "mapping":
            return mapping(r, node, doc)
        case "union":
            return _union(r, node, doc)
        case "stdlib":
            return stdlib(r, node, doc)
        case "tuple":
            return fixed(r, node, doc)
        case "flag":
            return flag(r, node, doc)
        case "null":
            return null(r, doc)
        case "any":
            return anything(r, doc)
        case "root":
            return _type(r, node["inner"], doc)
        case "custom":
            return _type(r, node["wire"], doc)
    return _unreachable(node)


def _unreachable(node: Never) -> Never:
    raise AssertionError(f"unknown kind of type node: {node!r}")


# Objects


_ALWAYS = frozenset(("boolean", "integer", "number", "string"))
"""The kinds that are called the same in every dialect, and of which nothing is ever lost."""


def _members(
    r: Rendering,
    schema: Schema,
    members: Sequence[ir.Parameter] | Sequence[ir.Field],
    extra: ir.Type | None,
) -> Schema:
    """Fill an object's properties; parameters and fields are written alike."""
    properties: Schema = {}
    required: list[str] = []
    for member in members:
        wire, node = member["wire"], member["type"]
        if len(node) == 1 and node["kind"] in _ALWAYS and member["required"]:
            written: Schema = {"type": node["kind"]}
            if member.get("doc"):
                written["description"] = member["doc"]
            properties[wire] = written
            required.append(wire)
            continue
        r.path.append(wire)
        cycles = r.cycles
        properties[wire] = _member(r, member)
        r.path.pop()
        if (member["required"] or r.nullable_optional) and (
            r.cycles == cycles or r.subset.cycle_required
        ):
            required.append(wire)
    schema["properties"] = properties
    r.names_are_safe = r.names_are_safe and are_safe(properties)
    # OpenAI's SDK always writes `required` in strict schemas; elsewhere an empty one says nothing.
    if required or r.nullable_optional:
        schema["required"] = required
    if extra is not None:
        _unknown_keys(r, schema, extra, None)
    elif r.closed:
        schema["additionalProperties"] = False
    return schema


def _member(r: Rendering, member: ir.Parameter | ir.Field) -> Schema:
    doc = member.get("doc")
    if r.nullable_optional and not member["required"]:
        return _widened(r, member["type"], doc)
    schema = _type(r, member["type"], doc)
    if (
        "default" in member
        and "default" in r.keywords
        and (r.subset.ref_siblings or "$ref" not in schema)
    ):
        schema["default"] = copied(member["default"])
    return schema


def _unknown_keys(r: Rendering, schema: Schema, extra: ir.Type, doc: str | None) -> None:
    if not r.subset.open:
        r.lose("strict-open-object", "an object with unknown keys cannot be said")
        return
    values = _type(r, extra, doc) or True
    if "additionalProperties" in r.keywords:
        schema["additionalProperties"] = values
    else:
        described(schema, schema.get("description"), [("additionalProperties", values)])


# Combinations


def _union(r: Rendering, node: ir.AnyOf, doc: str | None) -> Schema:
    return any_of([_type(r, branch, None) for branch in node["branches"]], doc)


def _widened(r: Rendering, node: ir.Type, doc: str | None) -> Schema:
    """The type or null. Widening twice changes nothing."""
    if len(node) == 1 and node["kind"] in _ALWAYS and r.null == "type":
        return described({"type": [node["kind"], "null"]}, doc)
    if _takes_null(r, node, set()):
        return _type(r, node, doc)
    if r.null == "keyword":
        schema = _type(r, node, doc)
        schema["nullable"] = True
        return schema
    match node["kind"]:
        case "literal":
            values = [value["value"] for value in node["values"]]
            return choice(r, values, node.get("doc") if doc is None else doc, null=True)
        case "enum" if node["members"]:
            values = [member["value"] for member in node["members"]]
            return choice(r, values, node.get("doc") if doc is None else doc, null=True)
        case "union":
            branches = [_type(r, branch, None) for branch in node["branches"]]
            return any_of([*branches, {"type": "null"}], node.get("doc") if doc is None else doc)
        case "custom":
            return _widened(r, node["wire"], node.get("doc") if doc is None else doc)
        case "root":
            return _widened(r, node["inner"], node.get("doc") if doc is None else doc)
        case "string" | "integer" | "number" | "boolean" | "stdlib" | "flag" | "enum" if (
            r.null == "type"
        ):
            schema = _type(r, node, doc)
            schema["type"] = [schema["type"], "null"]
            return schema
        case "ref" if node["name"] not in r.shared and node["name"] not in r.open:
            return _widened_ref(r, node, doc)
        case _:
            return any_of([_type(r, node, None), {"type": "null"}], doc)


def _takes_null(r: Rendering, node: ir.Type, seen: set[str]) -> bool:
    match node["kind"]:
        case "nullable" | "null" | "any":
            return True
        case "union":
            return any(_takes_null(r, branch, seen) for branch in node["branches"])
        case "custom":
            return _takes_null(r, node["wire"], seen)
        case "root":
            return _takes_null(r, node["inner"], seen)
        case "ref":
            name = node["name"]
            if name in seen:
                return False
            return _takes_null(r, r.types[name], seen | {name})
        case _:
            return False


# Named types


def _ref(r: Rendering, node: ir.Ref, doc: str | None) -> Schema:
    name = node["name"]
    if name in r.shared:
        return _reference(r, name, doc)
    if name in r.open:
        r.lose("recursive-type", f"{name} contains itself")
        return described({}, doc)
    if not _enter(r, name):
        return described({}, doc)
    schema = _type(r, r.types[name], doc)
    r.open.discard(name)
    return schema


def _widened_ref(r: Rendering, node: ir.Ref, doc: str | None) -> Schema:
    name = node["name"]
    if not _enter(r, name):
        return described({}, doc)
    schema = _widened(r, r.types[name], node.get("doc") if doc is None else doc)
    r.open.discard(name)
    return schema


def _enter(r: Rendering, name: str) -> bool:
    """Begin to write a named type where it is used; False once the budget is spent."""
    r.inlined += 1
    if r.inlined > INLINING_BUDGET and r.subset.refs == "never":
        r.lose("inlining-budget", f"more than {INLINING_BUDGET} named types in one tool")
        return False
    r.open.add(name)
    return True


def _reference(r: Rendering, name: str, doc: str | None) -> Schema:
    if name not in r.names:
        key = r.names[name] = _definition_key(name, r.defs)
        r.defs[key] = None
        r.defs[key] = _type(r, r.types[name], None)
        r.cycles -= r.closing.pop(name, 0)
    elif r.defs[r.names[name]] is None:
        r.cycles += 1
        r.closing[name] = r.closing.get(name, 0) + 1
    schema = {"$ref": "#/$defs/" + r.names[name]}
    if not doc:
        return schema
    if r.subset.ref_siblings:
        return described(schema, doc)
    return described({"anyOf": [schema]}, doc)


def _definition_key(name: str, taken: Collection[str]) -> str:
    """A name that stands in a URI fragment as it is."""
    key = plain = "".join(c if (c.isascii() and c.isalnum()) or c in "_.-" else "_" for c in name)
    number = 2
    while key in taken:
        key = f"{plain}_{number}"
        number += 1
    return key
