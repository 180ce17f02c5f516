"""One JSON type of a schema: text, numbers, arrays, objects, each with its own keywords.

Owns the keywords that speak of one JSON type only. It must not know how schemas combine,
nor references; for what is inside an array or an object it asks the reader back.
"""

from __future__ import annotations

from toolcall._schema_merge import escape

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any, Protocol

    from toolcall import ir

    Schema = Mapping[str, Any]

    class Reader(Protocol):
        """Who reads inner schemas and keeps what is not enforced."""

        def read(self, schema: object, at: str, depth: int) -> ir.Type: ...

        def skip(self, at: str, keyword: str) -> None: ...


def string(reader: Reader, schema: Schema, at: str) -> ir.Type:
    made: ir.String = {"kind": "string"}
    low, high = _count(reader, schema, "minLength", at), _count(reader, schema, "maxLength", at)
    if low:
        made["min_length"] = low
    if high is not None:
        made["max_length"] = high
    pattern = schema.get("pattern")
    if pattern is not None:
        if _compiles(pattern):
            made["pattern"] = pattern
        else:
            reader.skip(at, "pattern")
    return made


def numeric(reader: Reader, kind: str, schema: Schema, at: str) -> ir.Type:
    bounds: dict[str, int | float] = {}
    for word, plain, strict in (
        ("exclusiveMinimum", "ge", "gt"),
        ("exclusiveMaximum", "le", "lt"),
    ):
        limit = _number(reader, schema, "minimum" if plain == "ge" else "maximum", at)
        exclusive = schema.get(word)
        if limit is not None:
            # Draft 4 has a boolean here that sharpens the plain bound.
            bounds[strict if exclusive is True else plain] = limit
        if not isinstance(exclusive, bool):
            beyond = _number(reader, schema, word, at)
            if beyond is not None:
                bounds[strict] = beyond
    step = _number(reader, schema, "multipleOf", at)
    if step is not None and step > 0:
        bounds["multiple_of"] = step
    return {"kind": kind, **bounds}  # type: ignore[return-value]


def _number(reader: Reader, schema: Schema, word: str, at: str) -> int | float | None:
    value = schema.get(word)
    if value is None or (
        isinstance(value, (int, float)) and not isinstance(value, bool) and value - value == 0
    ):
        return value
    reader.skip(at, word)
    return None


def _count(reader: Reader, schema: Schema, word: str, at: str) -> int | None:
    value = schema.get(word)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, (int, float)) or value != int(value):
        reader.skip(at, word)
        return None
    return int(value)


def array(reader: Reader, schema: Schema, at: str, depth: int) -> ir.Type:
    if schema.get("uniqueItems") is True:
        reader.skip(at, "uniqueItems")
    low, high = _count(reader, schema, "minItems", at), _count(reader, schema, "maxItems", at)
    prefix, rest, word = schema.get("prefixItems"), schema.get("items", True), "prefixItems"
    if isinstance(rest, list):  # until 2019-09 `items` was the list of positions
        prefix, rest, word = rest, schema.get("additionalItems", True), "items"
    if prefix is not None:
        exact = _positions(reader, prefix, rest, (low, high), f"{at}/{word}", depth)
        if exact is not None:
            return exact
        reader.skip(at, word)
        rest = True
    made: ir.Array = {"kind": "array", "items": {"kind": "any"}, "cls": "list"}
    if rest is False:
        high = 0
    elif rest is not True:
        made["items"] = reader.read(rest, f"{at}/items", depth + 1)
    if low:
        made["min_items"] = low
    if high is not None:
        made["max_items"] = high
    return made


def _positions(
    reader: Reader,
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
            reader.read(part, f"{at}/{place}", depth + 1) for place, part in enumerate(prefix)
        ],
    }
    if not closed:
        made["rest"] = reader.read(rest, f"{at}/rest", depth + 1)
    return made


def object_(reader: Reader, schema: Schema, at: str, depth: int) -> ir.Type:
    properties = schema.get("properties", {})
    required = schema.get("required", [])
    if not isinstance(properties, dict):
        reader.skip(at, "properties")
        properties = {}
    if not isinstance(required, list):  # draft 3 had a boolean on the property
        reader.skip(at, "required")
        required = []
    required = [name for name in required if isinstance(name, str)]
    extra = schema.get("additionalProperties", True)
    if "patternProperties" in schema and extra is not True:
        # What counts as additional depends on patterns that are unchecked.
        reader.skip(at, "additionalProperties")
        extra = True
    counts = {
        "min_properties": _count(reader, schema, "minProperties", at) or None,
        "max_properties": _count(reader, schema, "maxProperties", at),
    }
    if not properties and not required and extra is not False:
        return _mapping(reader, schema, extra, counts, at, depth)
    for key, word in (("min_properties", "minProperties"), ("max_properties", "maxProperties")):
        if counts[key] is not None:
            reader.skip(at, word)
    if schema.get("propertyNames", True) not in (True, {}):
        reader.skip(at, "propertyNames")
    made: ir.Object = {
        "kind": "object",
        "style": "typeddict",
        "cls": "builtins:dict",
        "fields": _fields(reader, properties, required, extra, at, depth),
    }
    if extra is True:
        made["extra"] = {"kind": "any"}
    elif extra is not False:
        made["extra"] = reader.read(extra, f"{at}/additionalProperties", depth + 1)
    return made


def _fields(
    reader: Reader,
    properties: Schema,
    required: Sequence[str],
    extra: object,
    at: str,
    depth: int,
) -> list[ir.Field]:
    unlisted: dict[str, object] = {} if extra is False else dict.fromkeys(required, extra)
    if extra is False and not set(required) <= set(properties):
        reader.skip(at, "required")
    made = []
    for name, schema in {**unlisted, **properties}.items():
        where = "properties" if name in properties else "additionalProperties"
        place = f"{at}/{where}" + (f"/{escape(name)}" if where == "properties" else "")
        field: ir.Field = {
            "name": name,
            "wire": name,
            "type": reader.read(schema, place, depth + 1),
            "required": name in required,
        }
        if "doc" in field["type"]:
            field["doc"] = field["type"]["doc"]
            field["type"] = without_doc(field["type"])
        made.append(field)
    made.sort(key=lambda field: field["name"] not in properties)
    return made


def _mapping(
    reader: Reader,
    schema: Schema,
    extra: object,
    counts: dict[str, int | None],
    at: str,
    depth: int,
) -> ir.Type:
    made: ir.Mapping = {
        "kind": "mapping",
        "key": _key(reader, schema, at, depth),
        "value": {"kind": "any"}
        if extra is True
        else reader.read(extra, f"{at}/additionalProperties", depth + 1),
        "cls": "dict",
    }
    for name, count in counts.items():
        if count is not None:
            made[name] = count  # type: ignore[literal-required]
    return made


def _key(reader: Reader, schema: Schema, at: str, depth: int) -> ir.Type:
    names = schema.get("propertyNames", True)
    if names is True:
        return {"kind": "string"}
    read = reader.read(
        {"type": "string", **names} if isinstance(names, dict) else names,
        f"{at}/propertyNames",
        depth + 1,
    )
    if read["kind"] in ("string", "literal"):
        return without_doc(read)
    reader.skip(at, "propertyNames")
    return {"kind": "string"}


def _compiles(pattern: object) -> bool:
    import re

    if not isinstance(pattern, str):
        return False
    try:
        re.compile(pattern)
    except (re.error, RecursionError, OverflowError):
        return False
    return True


def without_doc(type_: ir.Type) -> ir.Type:
    return {key: value for key, value in type_.items() if key != "doc"}  # type: ignore[return-value]
