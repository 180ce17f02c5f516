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

from toolcall.formats import _sharing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence
    from typing import Any, TypeAlias

    from typing_extensions import Never

    from toolcall import ir
    from toolcall.formats._dialect import Dialect, Subset

    Schema: TypeAlias = dict[str, Any]
    Notes: TypeAlias = list[tuple[str, object]]

CONSTRAINTS = "Constraints: "
"""How a description's line begins that lists constraints the dialect has no keyword for."""

_TEXT = (("min_length", "minLength"), ("max_length", "maxLength"), ("pattern", "pattern"))
_NUMBER = (
    ("ge", "minimum"),
    ("gt", "exclusiveMinimum"),
    ("le", "maximum"),
    ("lt", "exclusiveMaximum"),
    ("multiple_of", "multipleOf"),
)
_ITEMS = (("min_items", "minItems"), ("max_items", "maxItems"))
_PROPERTIES = (("min_properties", "minProperties"), ("max_properties", "maxProperties"))

JSON_TYPES: dict[type, str] = {
    bool: "boolean",
    int: "integer",
    float: "number",
    str: "string",
    list: "array",
    type(None): "null",
}

_INTEGER_TEXT = "^-?[0-9]+$"
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


class Loss:
    """Something the subset cannot say. `path` is a JSON Pointer of property names.

    `code` is the lint's: strict-open-object, strict-untyped, strict-tuple,
    strict-keyword, recursive-type, inlining-budget or format-limit.
    """

    __slots__ = ("code", "path", "reason")

    def __init__(self, path: str, code: str, reason: str) -> None:
        self.path = path
        self.code = code
        self.reason = reason

    @property
    def parameter(self) -> str:
        """The tool's parameter (its wire name) that is concerned; empty for the tool itself."""
        return self.path[1:].partition("/")[0].replace("~1", "/").replace("~0", "~")

    def __repr__(self) -> str:
        return f"Loss({self.path!r}, {self.code!r}, {self.reason!r})"


class Rendering:
    """One schema being written: the subset's rules, shared types, and what was lost."""

    __slots__ = (
        "closed",
        "cycles",
        "defs",
        "inlined",
        "keywords",
        "losses",
        "names",
        "null",
        "nullable_optional",
        "open",
        "path",
        "shared",
        "strict",
        "subset",
        "types",
    )

    def __init__(
        self, subset: Subset, types: Mapping[str, ir.Type], roots: Iterable[ir.Type]
    ) -> None:
        self.subset = subset
        self.keywords = subset.keywords
        self.null = subset.null
        self.closed = subset.closed
        self.nullable_optional = subset.optional == "null"
        self.strict = not subset.untyped
        self.types = types
        self.defs: Schema = {}
        self.names: dict[str, str] = {}
        self.path: list[str] = []
        self.losses: list[Loss] = []
        self.cycles = 0
        self.inlined = 0
        self.open: set[str] = set()
        self.shared: Collection[str] = _shared(subset, types, roots) if types else ()

    def lose(self, code: str, reason: str) -> None:
        self.losses.append(Loss(pointer(self.path), code, reason))


def render(definition: ir.Definition, dialect: Dialect, *, strict: bool = False) -> Schema:
    """The schema of a tool's parameters: always an object at the root.

    A schema that the user gave is not read here. With `strict`, what strict cannot say
    is `{}` or missing; `render_with_losses` tells what.
    """
    subset = dialect.strict if strict and dialect.strict is not None else dialect.plain
    return render_with_losses(definition, subset)[0]


def render_with_losses(definition: ir.Definition, subset: Subset) -> tuple[Schema, list[Loss]]:
    """The schema under one subset, and everything it could not say."""
    members = definition["tool"]["parameters"]
    r = Rendering(subset, definition["types"], (member["type"] for member in members))
    schema: Schema = {"type": "object"}
    if members and members[-1]["kind"] == "var_keyword":
        _members(r, schema, members[:-1], None)
        schema.pop("additionalProperties", None)
        r.path.append(members[-1]["wire"])
        _unknown_keys(r, schema, members[-1]["type"])
    else:
        _members(r, schema, members, None)
    if r.defs:
        schema["$defs"] = r.defs
    return schema, r.losses


def render_type(
    node: ir.Type, types: Mapping[str, ir.Type], subset: Subset
) -> tuple[Schema, list[Loss]]:
    """The schema of one type by itself, its `$defs` at its root."""
    r = Rendering(subset, types, (node,))
    schema = _type(r, node, None)
    if r.defs:
        schema["$defs"] = r.defs
    return schema, r.losses


def pointer(path: Sequence[str]) -> str:
    """A JSON Pointer."""
    return "".join("/" + part.replace("~", "~0").replace("/", "~1") for part in path)


def copied(value: Any) -> Any:
    """A JSON value of one's own: what is rendered is for the caller to change."""
    if isinstance(value, dict):
        return {key: copied(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [copied(inner) for inner in value]
    return value


def _shared(
    subset: Subset, types: Mapping[str, ir.Type], roots: Iterable[ir.Type]
) -> Collection[str]:
    if subset.refs == "never":
        return ()
    plan = _sharing.plan(roots, types)
    recursive = plan.recursive if subset.recursion else frozenset()
    if subset.refs == "share" or plan.over_budget:
        return recursive | plan.repeated
    return recursive


def _type(r: Rendering, node: ir.Type, doc: str | None) -> Schema:
    """One node. `doc` is the description of this use; None leaves the node's own."""
    if doc is None:
        doc = node.get("doc")
    match node["kind"]:
        case "string":
            return _scalar(r, {"type": "string"}, node, doc, _TEXT)
        case "integer":
            return _integer(r, node, doc)
        case "number":
            return _scalar(r, {"type": "number"}, node, doc, _NUMBER)
        case "boolean":
            return _described({"type": "boolean"}, doc)
        case "ref":
            return _ref(r, node, doc)
        case "nullable":
            return _widened(r, node["inner"], doc)
        case "array":
            return _array(r, node, doc)
        case "literal":
            return _choice(r, [value["value"] for value in node["values"]], doc)
        case "enum":
            return _choice(r, [member["value"] for member in node["members"]], doc)
        case "object":
            schema = _described({"type": "object"}, doc)
            return _members(r, schema, node["fields"], node.get("extra"))
        case "mapping":
            return _mapping(r, node, doc)
        case "union":
            return _union(r, node, doc)
        case "stdlib":
            return _stdlib(r, node, doc)
        case "tuple":
            return _tuple(r, node, doc)
        case "flag":
            return _flag(r, node, doc)
        case "null":
            return _null(r, doc)
        case "any":
            return _any(r, doc)
        case "root":
            return _type(r, node["inner"], doc)
        case "custom":
            return _type(r, node["wire"], doc)
    return _unreachable(node)


def _unreachable(node: Never) -> Never:
    raise AssertionError(f"unknown kind of type node: {node!r}")


# Descriptions and constraints


def _described(schema: Schema, doc: str | None, notes: Notes | None = None) -> Schema:
    if notes:
        from json import dumps

        said = ", ".join(f"{name}={dumps(value, ensure_ascii=False)}" for name, value in notes)
        doc = f"{doc}\n{CONSTRAINTS}{said}" if doc else CONSTRAINTS + said
    if doc:
        schema["description"] = doc
    return schema


def _constrain(
    r: Rendering, schema: Schema, node: Mapping[str, Any], table: Iterable[tuple[str, str]]
) -> Notes:
    """Put the node's constraints into the schema; return those that have no keyword here."""
    notes: Notes = []
    for key, keyword in table:
        if key not in node:
            continue
        value = node[key]
        if keyword in r.keywords and _takes(r.subset, keyword, value):
            schema[keyword] = value
        elif not _weaken(r, schema, keyword, value):
            _note(r, notes, keyword, value)
    return notes


def _takes(subset: Subset, keyword: str, value: Any) -> bool:
    if keyword == "pattern":
        from toolcall.formats._patterns import portable

        return portable(value, lookaround=subset.lookaround)
    return keyword != "minItems" or subset.least_items is None or value <= subset.least_items


def _weaken(r: Rendering, schema: Schema, keyword: str, value: float) -> bool:
    """Say an exclusive bound as an inclusive one where only that exists; True if that is exact."""
    inclusive = {"exclusiveMinimum": "minimum", "exclusiveMaximum": "maximum"}.get(keyword)
    if inclusive is None or inclusive not in r.keywords or inclusive in schema:
        return False
    if schema["type"] != "integer" or value != int(value):
        schema[inclusive] = value
        return False
    schema[inclusive] = int(value) + (1 if inclusive == "minimum" else -1)
    return True


def _note(r: Rendering, notes: Notes, keyword: str, value: object) -> None:
    notes.append((keyword, value))
    if r.strict:
        r.lose("strict-keyword", f"{keyword} moves into the description")


# Scalars


def _scalar(
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
    notes = _constrain(r, limits, node, table)
    _described(schema, doc, notes)
    schema.update(limits)
    return schema


def _integer(r: Rendering, node: ir.Integer, doc: str | None) -> Schema:
    if "wire" not in node:
        return _scalar(r, {"type": "integer"}, node, doc, _NUMBER)
    return _number_text(r, node, doc, _INTEGER_TEXT)


def _number_text(
    r: Rendering, node: ir.Integer | ir.Stdlib, doc: str | None, pattern: str
) -> Schema:
    """A number that travels as text: bounds are no keywords of text, so they are described."""
    notes: Notes = [(keyword, node[key]) for key, keyword in _NUMBER if key in node]  # type: ignore[literal-required]
    schema: Schema = {"type": "string"}
    if "pattern" not in r.keywords:
        _note(r, notes, "pattern", pattern)
        return _described(schema, doc, notes)
    _described(schema, doc, notes)
    schema["pattern"] = pattern
    return schema


def _stdlib(r: Rendering, node: ir.Stdlib, doc: str | None) -> Schema:
    name = node["type"]
    if name == "decimal":
        return _number_text(r, node, doc, _DECIMAL_TEXT)
    if name == "bytes":
        return _bytes(r, node, doc)
    wanted = _format(node)
    schema: Schema = {"type": "string"}
    if wanted is None:
        return _described(schema, doc)
    if r.subset.formats is None or wanted in r.subset.formats:
        _described(schema, doc)
        schema["format"] = wanted
        return schema
    notes: Notes = []
    _note(r, notes, "format", wanted)
    return _described(schema, doc, notes)


def _format(node: ir.Stdlib) -> str | None:
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
        _note(r, notes, "contentEncoding", "base64")
    for key, keyword, words in (
        ("min_length", "minLength", "minBytes"),
        ("max_length", "maxLength", "maxBytes"),
    ):
        if key in node:
            length: int = node[key]  # type: ignore[literal-required]
            notes.append((words, length))
            if keyword in r.keywords:
                limits[keyword] = -(-length // 3) * 4
    _described(schema, doc, notes)
    schema.update(limits)
    return schema


def _flag(r: Rendering, node: ir.FlagChoice, doc: str | None) -> Schema:
    bits = ", ".join(f"{member['value']} {member['name']}" for member in node["members"])
    said = f"Sum of any of these bits: {bits}."
    schema = _described({"type": "integer"}, f"{doc}\n{said}" if doc else said)
    if "minimum" in r.keywords:
        schema["minimum"] = 0
        schema["maximum"] = _all_bits(node)
    return schema


def _all_bits(node: ir.FlagChoice) -> int:
    bits = 0
    for member in node["members"]:
        bits |= int(member["value"])
    return bits


def _null(r: Rendering, doc: str | None) -> Schema:
    if r.null == "keyword":
        return _described({"type": "string", "nullable": True}, doc, [("type", "null")])
    return _described({"type": "null"}, doc)


def _any(r: Rendering, doc: str | None) -> Schema:
    if r.strict:
        r.lose("strict-untyped", "a value of any type cannot be said")
    return _described({}, doc)


# Choices


def _choice(r: Rendering, values: list[Any], doc: str | None, *, null: bool = False) -> Schema:
    """An enum with its type; with `null`, null is one of the choices."""
    kinds = list(dict.fromkeys(JSON_TYPES[type(value)] for value in values))
    if _needs_branches(r.subset, kinds):
        return _choice_by_kind(r, kinds, values, doc, null=null)
    if null and not r.subset.enum_null:
        return _any_of([_choice(r, values, None), {"type": "null"}], doc)
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
    schema = _any_of(branches, doc)
    if null and r.null == "keyword":
        schema["nullable"] = True
    elif null:
        schema = _any_of([*branches, {"type": "null"}], doc)
    return schema


def _choice_of(r: Rendering, kind: str, values: list[Any]) -> Schema:
    if kind == "boolean":
        notes: Notes = [("enum", values)] if len(values) == 1 else []
        return _described({"type": kind}, None, notes)
    if kind != "string" and r.subset.enum == "string":
        # google-genai 3.6.1, Schema.enum: a number's choices are listed as text.
        return {"type": kind, "format": "enum", "enum": [str(value) for value in values]}
    return {"type": kind, "enum": values}


# Containers


def _array(r: Rendering, node: ir.Array, doc: str | None) -> Schema:
    limits: Schema = {}
    notes = _constrain(r, limits, node, _ITEMS)
    if node["cls"] in {"set", "frozenset"}:
        if "uniqueItems" in r.keywords:
            limits["uniqueItems"] = True
        else:
            _note(r, notes, "uniqueItems", True)
    schema = _described({"type": "array"}, doc, notes)
    schema["items"] = _type(r, node["items"], None)
    schema.update(limits)
    return schema


def _tuple(r: Rendering, node: ir.Tuple, doc: str | None) -> Schema:
    prefix = [_type(r, item, None) for item in node["prefix"]]
    rest = _type(r, node["rest"], None) if "rest" in node else None
    limits: Schema = {}
    notes = _constrain(r, limits, _tuple_size(node), _ITEMS)
    kinds = _distinct([*prefix, rest] if rest is not None else prefix)
    parts: Schema = {}
    if not prefix:
        parts["items"] = rest if rest is not None else {"type": "string"}
    elif "prefixItems" in r.keywords:
        parts["prefixItems"] = prefix
        if rest is not None:
            parts["items"] = rest
        elif r.subset.typed_items:
            parts["items"] = copied(_any_of(kinds, None))
    else:
        parts["items"] = _any_of(kinds, None)
        if len(kinds) > 1:
            notes.append(("prefixItems", [_named(item) for item in prefix]))
            if r.strict:
                r.lose("strict-tuple", "positions of a mixed tuple are only described")
    schema = _described({"type": "array"}, doc, notes)
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


def _mapping(r: Rendering, node: ir.Mapping, doc: str | None) -> Schema:
    if not r.subset.open:
        r.lose("strict-open-object", "an object with unknown keys cannot be said")
        return _described({"type": "object"}, doc)
    limits: Schema = {}
    notes = _constrain(r, limits, node, _PROPERTIES)
    keys = _key(r, node["key"])
    if keys and "propertyNames" in r.keywords:
        limits["propertyNames"] = keys
    elif keys:
        notes.append(("propertyNames", keys))
    values = _type(r, node["value"], None)
    if "additionalProperties" in r.keywords:
        limits["additionalProperties"] = values or True
    elif values:
        notes.append(("additionalProperties", values))
    schema = _described({"type": "object"}, doc, notes)
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
            return {"pattern": _INTEGER_TEXT}
        case "boolean":
            return {"enum": ["true", "false"]}
        case "literal":
            return {"enum": [_key_text(value["value"]) for value in node["values"]]}
        case "enum":
            return {"enum": [_key_text(member["value"]) for member in node["members"]]}
        case "string":
            return {keyword: node[key] for key, keyword in _TEXT if key in node}  # type: ignore[literal-required]
        case "stdlib":
            wanted = _format(node)
            return {"format": wanted} if wanted else {}
        case _:
            return {}


def _key_text(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


# Objects


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
        wire = member["wire"]
        r.path.append(wire)
        cycles = r.cycles
        properties[wire] = _member(r, member)
        r.path.pop()
        if (member["required"] or r.nullable_optional) and (
            r.cycles == cycles or r.subset.cycle_required
        ):
            required.append(wire)
    schema["properties"] = properties
    # OpenAI's SDK always writes `required` in strict schemas; elsewhere an empty one says nothing.
    if required or r.nullable_optional:
        schema["required"] = required
    if extra is not None:
        _unknown_keys(r, schema, extra)
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


def _unknown_keys(r: Rendering, schema: Schema, extra: ir.Type) -> None:
    if not r.subset.open:
        r.lose("strict-open-object", "an object with unknown keys cannot be said")
    elif "additionalProperties" in r.keywords:
        schema["additionalProperties"] = _type(r, extra, None) or True
    else:
        notes: Notes = [("additionalProperties", _type(r, extra, None) or True)]
        _described(schema, schema.get("description"), notes)


# Combinations


def _any_of(branches: list[Schema], doc: str | None) -> Schema:
    """anyOf without duplicates; one branch stands by itself unless both have a description."""
    branches = _distinct(branches)
    if len(branches) == 1 and not (doc and ("$ref" in branches[0] or "description" in branches[0])):
        return _described(branches[0], doc)
    schema = _described({}, doc)
    schema["anyOf"] = branches
    return schema


def _distinct(schemas: list[Schema]) -> list[Schema]:
    kept: list[Schema] = []
    for schema in schemas:
        if schema not in kept:
            kept.append(schema)
    return kept


def _union(r: Rendering, node: ir.AnyOf, doc: str | None) -> Schema:
    return _any_of([_type(r, branch, None) for branch in node["branches"]], doc)


def _widened(r: Rendering, node: ir.Type, doc: str | None) -> Schema:
    """The type or null. Widening twice changes nothing."""
    if _takes_null(r, node, set()):
        return _type(r, node, doc)
    if r.null == "keyword":
        schema = _type(r, node, doc)
        schema["nullable"] = True
        return schema
    match node["kind"]:
        case "literal":
            values = [value["value"] for value in node["values"]]
            return _choice(r, values, node.get("doc") if doc is None else doc, null=True)
        case "enum":
            values = [member["value"] for member in node["members"]]
            return _choice(r, values, node.get("doc") if doc is None else doc, null=True)
        case "union":
            branches = [_type(r, branch, None) for branch in node["branches"]]
            return _any_of([*branches, {"type": "null"}], node.get("doc") if doc is None else doc)
        case "custom":
            return _widened(r, node["wire"], node.get("doc") if doc is None else doc)
        case "root":
            return _widened(r, node["inner"], node.get("doc") if doc is None else doc)
        case "string" | "integer" | "number" | "boolean" | "stdlib" | "flag" if r.null == "type":
            schema = _type(r, node, doc)
            schema["type"] = [schema["type"], "null"]
            return schema
        case "ref" if node["name"] not in r.shared and node["name"] not in r.open:
            return _widened_ref(r, node, doc)
        case _:
            return _any_of([_type(r, node, None), {"type": "null"}], doc)


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
        return _described({}, doc)
    if not _enter(r, name):
        return _described({}, doc)
    schema = _type(r, r.types[name], doc)
    r.open.discard(name)
    return schema


def _widened_ref(r: Rendering, node: ir.Ref, doc: str | None) -> Schema:
    name = node["name"]
    if not _enter(r, name):
        return _described({}, doc)
    schema = _widened(r, r.types[name], node.get("doc") if doc is None else doc)
    r.open.discard(name)
    return schema


def _enter(r: Rendering, name: str) -> bool:
    """Begin to write a named type where it is used; False once the budget is spent."""
    r.inlined += 1
    if r.inlined > _sharing.INLINING_BUDGET and r.subset.refs == "never":
        r.lose("inlining-budget", f"more than {_sharing.INLINING_BUDGET} named types in one tool")
        return False
    r.open.add(name)
    return True


def _reference(r: Rendering, name: str, doc: str | None) -> Schema:
    if name not in r.names:
        key = r.names[name] = _definition_key(name, r.defs)
        r.defs[key] = None
        r.defs[key] = _type(r, r.types[name], None)
    elif r.defs[r.names[name]] is None:
        r.cycles += 1
    schema = {"$ref": "#/$defs/" + r.names[name]}
    if not doc:
        return schema
    if r.subset.ref_siblings:
        return _described(schema, doc)
    return _described({"anyOf": [schema]}, doc)


def _definition_key(name: str, taken: Collection[str]) -> str:
    """A name that stands in a URI fragment as it is."""
    key = plain = "".join(c if (c.isascii() and c.isalnum()) or c in "_.-" else "_" for c in name)
    number = 2
    while key in taken:
        key = f"{plain}_{number}"
        number += 1
    return key
