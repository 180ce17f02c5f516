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

from toolcall._schema_merge import Document, asserts, escape, unescape

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

    from toolcall import ir

    Schema = Mapping[str, Any]

MAX_DEPTH = 100
"""Levels of nesting that are read; what lies deeper is unchecked."""

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
    reader.cut_loops()
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

    def skip(self, at: str, keyword: str) -> None:
        self.unchecked.append(f"{at}/{escape(keyword)}")

    def read(self, schema: object, at: str, depth: int) -> ir.Type:
        if depth > MAX_DEPTH or not isinstance(schema, (dict, bool)):
            self.unchecked.append(at or "/")
            return {"kind": "any"}
        if schema is False:
            return _never()
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

    def reference(self, ref: object, at: str, depth: int) -> ir.Type:
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
            self.types[name] = self.read(target, ref[1:], depth + 1)
        return {"kind": "ref", "name": name}

    def cut_loops(self) -> None:
        """Open what stands for itself: no value ends such a definition."""
        for name, type_ in self.types.items():
            if name in _reached(type_, self.types):
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
            return _or_null(schema, self.reference(schema["$ref"], at, depth))
        if "enum" in words or "const" in words:
            return self.choice(schema, words, at, depth)
        for word in ("anyOf", "oneOf"):
            if word in words:
                return self.alternatives(schema, word, words, at, depth)
        kinds = self.kinds(schema, words, at)
        if kinds is None:
            return {"kind": "any"}
        return _or_null(schema, _union([self.by_kind(kind, schema, at, depth) for kind in kinds]))

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
                return self.string(schema, at)
            case "integer" | "number":
                return self.numeric(kind, schema, at)
            case "boolean":
                return {"kind": "boolean"}
            case "null":
                return {"kind": "null"}
            case "array":
                return self.array(schema, at, depth)
            case _:
                return self.closed_or_open(schema, at, depth)

    def choice(self, schema: Schema, words: set[str], at: str, depth: int) -> ir.Type:
        word = "const" if "const" in words else "enum"
        values = [schema["const"]] if word == "const" else schema["enum"]
        kinds = self.kinds(schema, set(), at)
        if not isinstance(values, list) or not all(_is_scalar(value) for value in values):
            self.skip(at, word)
            return self.resolve({key: schema[key] for key in schema if key != word}, at, depth)
        wanted = [_exact(value) for value in values if kinds is None or _kind_fits(value, kinds)]
        listed: list[ir.LiteralValue] = []
        for value in wanted:
            if value is not None and not any(_same(value, old["value"]) for old in listed):
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
            return _never()
        read = [self.read(branch, f"{at}/{word}/{index}", depth + 1) for index, branch in open_]
        if word == "oneOf" and not self.exclusive(read):
            self.skip(at, word)
        return _or_null(schema, _union(read))

    def exclusive(self, branches: Sequence[ir.Type]) -> bool:
        """Whether no value can satisfy two of the branches."""
        seen: set[str] = set()
        for branch in branches:
            kinds = self.json_kinds(branch, 0)
            if kinds is None or kinds & seen:
                return self.tagged(branches)
            seen |= kinds
        return True

    def json_kinds(self, branch: ir.Type, depth: int) -> set[str] | None:
        match branch["kind"]:
            case "string" | "boolean" | "null" | "array" as kind:
                return {kind}
            case "integer" | "number":
                return {"number"}
            case "tuple":
                return {"array"}
            case "object" | "mapping":
                return {"object"}
            case "literal":
                return {_kind_of(value["value"]) for value in branch["values"]}
            case "nullable":
                inner = self.json_kinds(branch["inner"], depth)
                return None if inner is None else inner | {"null"}
            case "ref" if depth < MAX_DEPTH:
                return self.json_kinds(self.types[branch["name"]], depth + 1)
            case _:
                return None

    def tagged(self, branches: Sequence[ir.Type]) -> bool:
        """Whether all branches are objects with a required literal that differs in each."""
        tags = [self.tags(branch) for branch in branches]
        for name in tags[0] if tags else ():
            values = [value for tag in tags for value in tag.get(name, ())]
            if all(name in tag for tag in tags) and len(set(values)) == len(values):
                return True
        return False

    def tags(self, branch: ir.Type) -> dict[str, list[tuple[str, object]]]:
        if branch["kind"] == "ref":
            branch = self.types[branch["name"]]
        if branch["kind"] != "object":
            return {}
        return {
            field["wire"]: [
                (_kind_of(value["value"]), value["value"]) for value in field["type"]["values"]
            ]
            for field in branch["fields"]
            if field["required"] and field["type"]["kind"] == "literal"
        }

    # One JSON type

    def string(self, schema: Schema, at: str) -> ir.Type:
        made: ir.String = {"kind": "string"}
        low, high = self.count(schema, "minLength", at), self.count(schema, "maxLength", at)
        if low:
            made["min_length"] = low
        if high is not None:
            made["max_length"] = high
        pattern = schema.get("pattern")
        if pattern is not None:
            if _compiles(pattern):
                made["pattern"] = pattern
            else:
                self.skip(at, "pattern")
        return made

    def numeric(self, kind: str, schema: Schema, at: str) -> ir.Type:
        bounds: dict[str, int | float] = {}
        for word, plain, strict in (
            ("exclusiveMinimum", "ge", "gt"),
            ("exclusiveMaximum", "le", "lt"),
        ):
            limit = self.number(schema, "minimum" if plain == "ge" else "maximum", at)
            exclusive = schema.get(word)
            if limit is not None:
                # Draft 4 has a boolean here that sharpens the plain bound.
                bounds[strict if exclusive is True else plain] = limit
            if not isinstance(exclusive, bool):
                beyond = self.number(schema, word, at)
                if beyond is not None:
                    bounds[strict] = beyond
        step = self.number(schema, "multipleOf", at)
        if step is not None and step > 0:
            bounds["multiple_of"] = step
        return {"kind": kind, **bounds}  # type: ignore[return-value]

    def number(self, schema: Schema, word: str, at: str) -> int | float | None:
        value = schema.get(word)
        if value is None or (
            isinstance(value, (int, float)) and not isinstance(value, bool) and value - value == 0
        ):
            return value
        self.skip(at, word)
        return None

    def count(self, schema: Schema, word: str, at: str) -> int | None:
        value = schema.get(word)
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, (int, float)) or value != int(value):
            self.skip(at, word)
            return None
        return int(value)

    def array(self, schema: Schema, at: str, depth: int) -> ir.Type:
        if schema.get("uniqueItems") is True:
            self.skip(at, "uniqueItems")
        low, high = self.count(schema, "minItems", at), self.count(schema, "maxItems", at)
        prefix, rest, word = schema.get("prefixItems"), schema.get("items", True), "prefixItems"
        if isinstance(rest, list):  # until 2019-09 `items` was the list of positions
            prefix, rest, word = rest, schema.get("additionalItems", True), "items"
        if prefix is not None:
            exact = self.positions(prefix, rest, (low, high), f"{at}/{word}", depth)
            if exact is not None:
                return exact
            self.skip(at, word)
            rest = True
        made: ir.Array = {"kind": "array", "items": {"kind": "any"}, "cls": "list"}
        if rest is False:
            high = 0
        elif rest is not True:
            made["items"] = self.read(rest, f"{at}/items", depth + 1)
        if low:
            made["min_items"] = low
        if high is not None:
            made["max_items"] = high
        return made

    def positions(
        self,
        prefix: object,
        rest: object,
        counts: tuple[int | None, int | None],
        at: str,
        depth: int,
    ) -> ir.Type | None:
        """A tuple of the IR has all its positions; a schema says so by `minItems`."""
        low, high = counts
        if not isinstance(prefix, list) or low != len(prefix):
            return None
        closed = rest is False or high == low
        if not closed and high is not None:
            return None
        made: ir.Tuple = {
            "kind": "tuple",
            "prefix": [
                self.read(part, f"{at}/{place}", depth + 1) for place, part in enumerate(prefix)
            ],
        }
        if not closed:
            made["rest"] = self.read(rest, f"{at}/rest", depth + 1)
        return made

    def closed_or_open(self, schema: Schema, at: str, depth: int) -> ir.Type:
        properties = schema.get("properties", {})
        required = schema.get("required", [])
        if not isinstance(properties, dict):
            self.skip(at, "properties")
            properties = {}
        if not isinstance(required, list):  # draft 3 had a boolean on the property
            self.skip(at, "required")
            required = []
        required = [name for name in required if isinstance(name, str)]
        extra = schema.get("additionalProperties", True)
        if "patternProperties" in schema and extra is not True:
            # What counts as additional depends on patterns that are unchecked.
            self.skip(at, "additionalProperties")
            extra = True
        counts = {
            "min_properties": self.count(schema, "minProperties", at) or None,
            "max_properties": self.count(schema, "maxProperties", at),
        }
        if not properties and not required and extra is not False:
            return self.mapping(schema, extra, counts, at, depth)
        for key, word in (("min_properties", "minProperties"), ("max_properties", "maxProperties")):
            if counts[key] is not None:
                self.skip(at, word)
        if schema.get("propertyNames", True) not in (True, {}):
            self.skip(at, "propertyNames")
        made: ir.Object = {
            "kind": "object",
            "style": "typeddict",
            "cls": "builtins:dict",
            "fields": self.fields(properties, required, extra, at, depth),
        }
        if extra is True:
            made["extra"] = {"kind": "any"}
        elif extra is not False:
            made["extra"] = self.read(extra, f"{at}/additionalProperties", depth + 1)
        return made

    def fields(
        self,
        properties: Schema,
        required: Sequence[str],
        extra: object,
        at: str,
        depth: int,
    ) -> list[ir.Field]:
        unlisted: dict[str, object] = {} if extra is False else dict.fromkeys(required, extra)
        if extra is False and not set(required) <= set(properties):
            self.skip(at, "required")
        made = []
        for name, schema in {**unlisted, **properties}.items():
            where = "properties" if name in properties else "additionalProperties"
            place = f"{at}/{where}" + (f"/{escape(name)}" if where == "properties" else "")
            field: ir.Field = {
                "name": name,
                "wire": name,
                "type": self.read(schema, place, depth + 1),
                "required": name in required,
            }
            if "doc" in field["type"]:
                field["doc"] = field["type"]["doc"]
                field["type"] = _without_doc(field["type"])
            made.append(field)
        made.sort(key=lambda field: field["name"] not in properties)
        return made

    def mapping(
        self, schema: Schema, extra: object, counts: dict[str, int | None], at: str, depth: int
    ) -> ir.Type:
        made: ir.Mapping = {
            "kind": "mapping",
            "key": self.key(schema, at, depth),
            "value": {"kind": "any"}
            if extra is True
            else self.read(extra, f"{at}/additionalProperties", depth + 1),
            "cls": "dict",
        }
        for name, count in counts.items():
            if count is not None:
                made[name] = count  # type: ignore[literal-required]
        return made

    def key(self, schema: Schema, at: str, depth: int) -> ir.Type:
        names = schema.get("propertyNames", True)
        if names is True:
            return {"kind": "string"}
        read = self.read(
            {"type": "string", **names} if isinstance(names, dict) else names,
            f"{at}/propertyNames",
            depth + 1,
        )
        if read["kind"] in ("string", "literal"):
            return _without_doc(read)
        self.skip(at, "propertyNames")
        return {"kind": "string"}


def _never() -> ir.Type:
    """The type of no value: a choice of nothing."""
    return {"kind": "literal", "values": []}


def _reached(type_: ir.Type, types: dict[str, ir.Type]) -> set[str]:
    """The named types that a value of `type_` is tried against before anything is consumed."""
    found: set[str] = set()
    todo = [type_]
    while todo:
        at = todo.pop()
        if at["kind"] == "ref" and at["name"] not in found:
            found.add(at["name"])
            todo.append(types[at["name"]])
        elif at["kind"] == "nullable":
            todo.append(at["inner"])
        elif at["kind"] == "union":
            todo.extend(at["branches"])
    return found


def _or_null(schema: Schema, made: ir.Type) -> ir.Type:
    """OpenAPI's `nullable: true`."""
    return _union([made, {"kind": "null"}]) if schema.get("nullable") is True else made


def _union(branches: Iterable[ir.Type]) -> ir.Type:
    """One type for several, in order: flat, without duplicates, null outside."""
    flat: list[ir.Type] = []
    nullable = False
    for branch in _flattened(branches):
        if branch["kind"] == "any":
            return {"kind": "any"}
        if branch["kind"] == "null":
            nullable = True
        elif branch not in flat:
            flat.append(branch)
    if not flat:
        return {"kind": "null"}
    made: ir.Type = flat[0] if len(flat) == 1 else {"kind": "union", "branches": flat}
    return {"kind": "nullable", "inner": made} if nullable else made


def _flattened(branches: Iterable[ir.Type]) -> Iterable[ir.Type]:
    for branch in branches:
        if branch["kind"] == "nullable":
            yield from _flattened([branch["inner"]])
            yield {"kind": "null"}
        elif branch["kind"] == "union":
            yield from branch["branches"]
        else:
            yield branch


def _without_doc(type_: ir.Type) -> ir.Type:
    return {key: value for key, value in type_.items() if key != "doc"}  # type: ignore[return-value]


def _is_scalar(value: object) -> bool:
    return value is None or isinstance(value, (str, bool, int, float))


def _kind_of(value: object) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    return "string" if isinstance(value, str) else "number"


def _kind_fits(value: object, kinds: Sequence[str]) -> bool:
    kind = _kind_of(value)
    if kind != "number":
        return kind in kinds
    return "number" in kinds or ("integer" in kinds and isinstance(_exact(value), int))


def _exact(value: Any) -> Any:
    """JSON has one kind of number: 1.0 is written as 1."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _same(left: object, right: object) -> bool:
    return _kind_of(left) == _kind_of(right) and left == right


def _compiles(pattern: object) -> bool:
    import re

    if not isinstance(pattern, str):
        return False
    try:
        re.compile(pattern)
    except (re.error, RecursionError, OverflowError):
        return False
    return True
