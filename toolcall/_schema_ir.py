"""JSON Schema to IR, for tools that come with a schema instead of a signature.

Owns one question: which IR type accepts what this schema accepts? It must not know
tools, decoders or vendors. A schema is read the way the standard defines it: a
keyword constrains only the JSON types it speaks of, so a schema without `type` is a
union over the types that its keywords single out.

1. Never narrower than the schema. Where the IR has no word for a keyword, the type
   stays wider and the keyword is named in `unchecked`: a valid call is never refused
   because of a gap in the translation, and the gap is never silent.
2. Conjunctions (`allOf`, a `$ref` beside other keywords) are merged only where the
   merged schema means exactly the same.
3. `format` and unknown `x-` keywords are annotations and constrain nothing.
4. Every `$ref` target becomes an entry of the table of named types, so recursion
   needs no special case; a reference that leads only to references is unchecked.
5. A schema is data from elsewhere: its depth is bounded, nothing in it is trusted.
"""

from __future__ import annotations

from toolcall import _schema_kinds
from toolcall._schema_merge import Document, asserts, escape, unescape
from toolcall._schema_union import (
    exact,
    exclusive,
    is_scalar,
    kind_fits,
    never,
    reached,
    same,
    union_of,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from toolcall import ir

    Schema = Mapping[str, Any]

MAX_DEPTH = 40
"""Levels of nesting that are read, references not counted; what lies deeper is unchecked."""

_KINDS = ("string", "integer", "number", "boolean", "array", "object", "null")

_BY_KIND = {
    "string": ("minLength", "maxLength", "pattern"),
    "number": ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"),
    "array": ("items", "prefixItems", "additionalItems", "minItems", "maxItems", "uniqueItems"),
    "object": (
        "properties",
        "required",
        "additionalProperties",
        "propertyNames",
        "minProperties",
        "maxProperties",
    ),
}
_KNOWN = frozenset(word for words in _BY_KIND.values() for word in words)
_STRUCTURE = frozenset(["type", "enum", "const", "anyOf", "oneOf", "allOf", "$ref", "nullable"])


class Converted:
    """What became of a schema.

    `type` is the IR type (for a whole tool: of its arguments), `types` the named types
    it refers to, `unchecked` a JSON Pointer per keyword that the type does not enforce.
    """

    __slots__ = ("type", "types", "unchecked")

    def __init__(
        self, type_: ir.Type, types: dict[str, ir.Type], unchecked: tuple[str, ...]
    ) -> None:
        self.type = type_
        self.types = types
        self.unchecked = unchecked


def convert(schema: object) -> Converted:
    """Translate a schema for any JSON value.

    Args:
        schema: a JSON Schema (2020-12; what differs in draft 4 to 7 and in OpenAPI is
            understood too): a mapping or a boolean.
    """
    reader = _Reader(schema)
    type_ = reader.read(schema, "", 0)
    reader.finish()
    return Converted(type_, reader.types, tuple(dict.fromkeys(reader.unchecked)))


def parameters(schema: Schema) -> tuple[list[ir.Parameter], Converted]:
    """Translate a schema for a tool's arguments: one keyword-only parameter a property.

    Unknown arguments, where the schema allows them, are a `var_keyword` parameter. A
    root that is not a plain object has no properties and accepts every argument.
    """
    found = convert({"type": "object", **schema})
    root = found.type
    if root["kind"] == "object":
        listed = [_parameter(field) for field in root["fields"]]
        extra = root.get("extra")
        return listed + ([] if extra is None else [_rest(extra, listed)]), found
    unsaid = () if root["kind"] == "mapping" and _is_open(root) else ("/",)
    value: ir.Type = root["value"] if root["kind"] == "mapping" else {"kind": "any"}
    return [_rest(value, [])], Converted(root, found.types, found.unchecked + unsaid)


def _is_open(root: ir.Mapping) -> bool:
    """Whether a mapping says nothing but the type of its values."""
    return root["key"] == {"kind": "string"} and not {"min_properties", "max_properties"} & set(
        root
    )


def _parameter(field: ir.Field) -> ir.Parameter:
    made: ir.Parameter = {
        "name": field["name"],
        "wire": field["wire"],
        "kind": "keyword_only",
        "type": field["type"],
        "required": field["required"],
    }
    if "doc" in field:
        made["doc"] = field["doc"]
    return made


def _rest(value: ir.Type, taken: list[ir.Parameter]) -> ir.Parameter:
    name = "extra"
    while any(name in (other["name"], other["wire"]) for other in taken):
        name += "_"
    return {"name": name, "wire": name, "kind": "var_keyword", "type": value, "required": False}


class _Reader:
    """One pass over one document, with the table and the list of gaps it fills."""

    def __init__(self, document: object) -> None:
        self.document = Document(document)
        self.types: dict[str, ir.Type] = {}
        self.unchecked: list[str] = []
        self.named: dict[str, str] = {}
        self.unread: list[tuple[str, str, Schema]] = []
        self.exactly_one: list[tuple[str, list[ir.Type]]] = []

    def finish(self) -> None:
        """Read what was referred to, one after the other, then look at what needs all of it."""
        while self.unread:
            name, ref, target = self.unread.pop()
            self.types[name] = self.read(target, ref[1:], 0)
        self.cut_loops()
        for at, branches in self.exactly_one:
            if not exclusive(branches, self.types):
                self.skip(at, "oneOf")

    def skip(self, at: str, keyword: str) -> None:
        self.unchecked.append(f"{at}/{escape(keyword)}")

    def read(self, schema: object, at: str, depth: int) -> ir.Type:
        if depth > MAX_DEPTH or not isinstance(schema, (dict, bool)):
            self.unchecked.append(at or "/")
            return {"kind": "any"}
        if schema is False:
            return never()
        if schema is True:
            return {"kind": "any"}
        flat, lost = self.document.flatten(schema)
        for word in lost:
            self.skip(at, word)
        made = self.resolve(flat, at, depth)
        doc = schema.get("description")
        if isinstance(doc, str) and doc.strip() and "doc" not in made:
            made["doc"] = doc
        return made

    # References

    def reference(self, ref: object, at: str) -> ir.Type:
        ref, target = self.document.end_of_chain(ref)
        if target is True or target == {}:
            return {"kind": "any"}
        if not isinstance(ref, str) or not isinstance(target, dict):
            self.skip(at, "$ref")
            return {"kind": "any"}
        name = self.named.get(ref)
        if name is None:
            name = self.named[ref] = self.fresh_name(ref, target)
            self.types[name] = {"kind": "any"}
            self.unread.append((name, ref, target))
        return {"kind": "ref", "name": name}

    def cut_loops(self) -> None:
        """Open what stands for itself: no value ends such a definition."""
        for name, type_ in self.types.items():
            if name in reached(type_, self.types):
                self.types[name] = {"kind": "any"}
                self.unchecked.append("/" + name)

    def fresh_name(self, ref: str, target: Schema) -> str:
        title = target.get("title")
        last = unescape(ref.rsplit("/", 1)[-1])
        wanted = title if last in ("#", "") and isinstance(title, str) else last
        base = "".join(char if char.isalnum() or char in "_-." else "_" for char in wanted)
        base = base.strip("_") or "Root"
        name, count = base, 1
        while name in self.types:
            count += 1
            name = f"{base}_{count}"
        return name

    # One schema without conjunctions

    def resolve(self, schema: Schema, at: str, depth: int) -> ir.Type:
        words = asserts(schema)
        for word in sorted(words - _KNOWN - _STRUCTURE):
            if not word.startswith("x-"):
                self.skip(at, word)
        words &= _KNOWN | _STRUCTURE
        if words <= {"$ref", "nullable"} and "$ref" in words:
            return _or_null(schema, self.reference(schema["$ref"], at))
        if "enum" in words or "const" in words:
            return self.choice(schema, words, at, depth)
        for word in ("anyOf", "oneOf"):
            if word in words:
                return self.alternatives(schema, word, words, at, depth)
        kinds = self.kinds(schema, words, at)
        if kinds is None:
            return {"kind": "any"}
        return _or_null(schema, union_of([self.by_kind(kind, schema, at, depth) for kind in kinds]))

    def kinds(self, schema: Schema, words: set[str], at: str) -> list[str] | None:
        """The JSON types a schema accepts; None for a schema that says nothing."""
        given = schema.get("type")
        if given is None:
            return [kind for kind in _KINDS if kind != "integer"] if words & _KNOWN else None
        listed = [given] if isinstance(given, str) else given
        if not isinstance(listed, list) or not listed or not set(map(str, listed)) <= set(_KINDS):
            self.skip(at, "type")
            return None
        found = list(dict.fromkeys(listed))
        return [kind for kind in found if kind != "integer" or "number" not in found]

    def by_kind(self, kind: str, schema: Schema, at: str, depth: int) -> ir.Type:
        match kind:
            case "string":
                return _schema_kinds.string(self, schema, at)
            case "integer" | "number":
                return _schema_kinds.numeric(self, kind, schema, at)
            case "boolean":
                return {"kind": "boolean"}
            case "null":
                return {"kind": "null"}
            case "array":
                return _schema_kinds.array(self, schema, at, depth)
            case _:
                return _schema_kinds.object_(self, schema, at, depth)

    def choice(self, schema: Schema, words: set[str], at: str, depth: int) -> ir.Type:
        word = "const" if "const" in words else "enum"
        values = [schema["const"]] if word == "const" else schema["enum"]
        kinds = self.kinds(schema, set(), at)
        if not isinstance(values, list) or not all(is_scalar(value) for value in values):
            self.skip(at, word)
            return self.resolve({key: schema[key] for key in schema if key != word}, at, depth)
        wanted = [exact(value) for value in values if kinds is None or kind_fits(value, kinds)]
        listed: list[ir.LiteralValue] = []
        for value in wanted:
            if value is not None and not any(same(value, old["value"]) for old in listed):
                listed.append({"value": value})
        nullable = None in wanted
        if listed or nullable:
            for other in sorted(words - {word, "type", "nullable"}):
                self.skip(at, other)
        if nullable and not listed:
            return {"kind": "null"}
        chosen: ir.Type = {"kind": "literal", "values": listed}
        return {"kind": "nullable", "inner": chosen} if nullable else _or_null(schema, chosen)

    def alternatives(
        self, schema: Schema, word: str, words: set[str], at: str, depth: int
    ) -> ir.Type:
        """A union, unless other keywords stand beside it: then those are enforced alone."""
        beside = words - {word, "nullable"}
        branches = schema[word]
        if beside:
            self.skip(at, word)
            rest = {key: value for key, value in schema.items() if key != word}
            return self.resolve(rest, at, depth)
        if not isinstance(branches, list):
            self.skip(at, word)
            return {"kind": "any"}
        open_ = [(index, branch) for index, branch in enumerate(branches) if branch is not False]
        if not open_:
            return never()
        read = [self.read(branch, f"{at}/{word}/{index}", depth + 1) for index, branch in open_]
        if word == "oneOf":
            self.exactly_one.append((at, read))
        return _or_null(schema, union_of(read))


def _or_null(schema: Schema, made: ir.Type) -> ir.Type:
    """OpenAPI's `nullable: true`."""
    return union_of([made, {"kind": "null"}]) if schema.get("nullable") is True else made
