"""A literal default in the form it has on the wire, by the type that was declared.

The value comes from the source, the type from mypy; nothing is evaluated. A value is
converted at every depth (an enum member becomes its value, a tuple an array, bytes
base64), checked against the domain and the constraints, and given up silently where JSON
or the declared type has no form for it.
"""

from __future__ import annotations

import base64
import json
import math
import re
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any, cast
from uuid import UUID

from typing_extensions import assert_never

from toolcall._encode import encode as encode_value
from toolcall_mypy.source.defaults import EnumMemberValue

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from toolcall import ir
    from toolcall_mypy.source.defaults import Value

Types = dict[str, "ir.Type"]


class NoForm(Exception):
    """The value has no form on the wire; that is nobody's fault."""


class Misfit(Exception):
    """The value lies outside of the declared domain.

    `by_type` says that its Python type is wrong, which mypy reports by itself.
    """

    def __init__(self, reason: str, *, by_type: bool = False) -> None:
        super().__init__(reason)
        self.by_type = by_type


def encode(value: Value, node: ir.Type, types: Types) -> ir.Json:
    """The JSON value for a literal of the declared type.

    Raises:
        NoForm: there is none.
        Misfit: the declared type or its constraints refuse the value.
    """
    match node["kind"]:
        case "any":
            return _plain(value)
        case "null":
            return _typed(value, value is None, "None")
        case "nullable":
            return None if value is None else encode(value, node["inner"], types)
        case "boolean":
            return _typed(value, isinstance(value, bool), "a bool")
        case "integer":
            return _integer(value, node)
        case "number":
            return _number(value, node)
        case "string":
            return _string(value, node)
        case "stdlib":
            return _stdlib(value, node)
        case "literal":
            return _literal(value, node)
        case "enum" | "flag":
            return _member(value, node)
        case "array":
            return _array(value, node, types)
        case "tuple":
            return _tuple(value, node, types)
        case "mapping":
            return _mapping(value, node, types)
        case "object":
            return _object(value, node, types)
        case "root":
            return encode(value, node["inner"], types)
        case "union":
            return _first(value, node, types)
        case "custom":
            raise NoForm
        case "ref":
            return encode(value, types[node["name"]], types)
        case _:
            assert_never(node)


def _plain(value: Value) -> ir.Json:
    """Where anything goes, what is JSON already."""
    if isinstance(value, str):
        return _text(value)
    if value is None or isinstance(value, (bool, int)):
        return value
    if isinstance(value, float) and math.isfinite(value):
        return value
    if isinstance(value, list):
        return [_plain(item) for item in value]
    if isinstance(value, dict) and all(isinstance(key, str) for key in value):
        return {cast("str", key): _plain(item) for key, item in value.items()}
    raise NoForm


def _typed(value: Value, holds: bool, wanted: str) -> ir.Json:
    if isinstance(value, EnumMemberValue):
        raise NoForm  # an IntEnum or StrEnum member may be one; its value is not known here
    if not holds:
        raise Misfit(f"it is not {wanted}", by_type=True)
    return cast("ir.Json", value)


def _integer(value: Value, node: ir.Integer) -> ir.Json:
    if isinstance(value, bool):
        raise Misfit("a bool is not an integer in JSON")
    _typed(value, isinstance(value, int), "an int")
    assert isinstance(value, int)
    _in_bounds(value, node)
    return str(value) if node.get("wire") == "string_integer" else value


def _number(value: Value, node: ir.Number) -> ir.Json:
    if isinstance(value, bool):
        raise Misfit("a bool is not a number in JSON")
    _typed(value, isinstance(value, (int, float)), "a float")
    assert isinstance(value, (int, float))
    if not math.isfinite(value):
        raise NoForm
    _in_bounds(value, node)
    return value


_BOUNDS: dict[str, tuple[str, Callable[[Any, Any], bool]]] = {
    "ge": ("at least", lambda value, bound: value >= bound),
    "gt": ("greater than", lambda value, bound: value > bound),
    "le": ("at most", lambda value, bound: value <= bound),
    "lt": ("less than", lambda value, bound: value < bound),
}


def _in_bounds(value: float, node: Mapping[str, Any]) -> None:
    for key, (words, holds) in _BOUNDS.items():
        if key in node and not holds(value, node[key]):
            raise Misfit(f"it must be {words} {node[key]}")
    step = node.get("multiple_of")
    if step is not None and not math.isclose(value / step, round(value / step), abs_tol=1e-9):
        raise Misfit(f"it must be a multiple of {step}")


def _in_length(length: int, node: Mapping[str, Any], of: str, unit: str) -> None:
    if length < node.get(f"min_{of}", 0):
        raise Misfit(f"it must have at least {node[f'min_{of}']} {unit}")
    if length > node.get(f"max_{of}", length):
        raise Misfit(f"it must have at most {node[f'max_{of}']} {unit}")


def _string(value: Value, node: ir.String) -> ir.Json:
    _typed(value, isinstance(value, str), "a str")
    assert isinstance(value, str)
    _in_length(len(value), node, "length", "characters")
    pattern = node.get("pattern")
    if pattern is not None and not _matches(pattern, value):
        raise Misfit(f"it must match {pattern!r}")
    return _text(value)


def _text(value: str) -> str:
    """The value, unless it has a lone surrogate: that has no form in UTF-8."""
    try:
        value.encode()
    except UnicodeEncodeError:
        raise NoForm from None
    return value


def _matches(pattern: str, value: str) -> bool:
    try:
        return re.search(pattern, value) is not None
    except re.error:
        raise NoForm from None


def _stdlib(value: Value, node: ir.Stdlib) -> ir.Json:
    if node["type"] == "bytes" and isinstance(value, bytes):
        _in_length(len(value), node, "length", "bytes")
        return base64.b64encode(value).decode("ascii")
    if _kind_of(value) != node["type"]:
        raise NoForm
    if isinstance(value, Decimal):
        if not value.is_finite():
            raise NoForm
        _in_bounds(float(value), node)
    return encode_value(value)


def _kind_of(value: Value) -> str | None:
    """The standard-library type that a value has. A datetime is a date, but not on the wire."""
    match value:
        case datetime():
            return "datetime"
        case date():
            return "date"
        case time():
            return "time"
        case timedelta():
            return "duration"
        case Decimal():
            return "decimal"
        case UUID():
            return "uuid"
        case PurePosixPath():
            return "path"
    return None


def _literal(value: Value, node: ir.LiteralChoice) -> ir.Json:
    for choice in node["values"]:
        if isinstance(value, EnumMemberValue):
            if choice.get("enum") == value.cls and choice.get("member") == value.member:
                return choice["value"]
        elif choice["value"] == value and type(choice["value"]) is type(value):
            return choice["value"]
    raise Misfit("it is none of the choices", by_type=True)


def _member(value: Value, node: ir.EnumChoice | ir.FlagChoice) -> ir.Json:
    if not isinstance(value, EnumMemberValue):
        return _member_of_value(value, node)
    if value.cls != node["cls"]:
        raise Misfit("it is not a member", by_type=True)
    for member in node["members"]:
        if member["name"] == value.member:
            return member["value"]
    raise NoForm  # an alias of a member


def _member_of_value(value: Value, node: ir.EnumChoice | ir.FlagChoice) -> ir.Json:
    """The value where a member belongs, which mypy says; the model gives it all the same."""
    for member in node["members"]:
        if type(member["value"]) is type(value) and member["value"] == value:
            return member["value"]
    raise Misfit("it is not a member", by_type=True)


def _elements(value: Value, wanted: str) -> list[Value]:
    if isinstance(value, (list, tuple)):
        return list(value)
    if isinstance(value, set):
        return sorted(value, key=repr)
    raise Misfit(f"it is not {wanted}", by_type=True)


def _array(value: Value, node: ir.Array, types: Types) -> ir.Json:
    elements = [encode(item, node["items"], types) for item in _elements(value, "a list")]
    _in_length(len(elements), node, "items", "items")
    if node["cls"] in ("set", "frozenset") and _repeats(elements):
        raise Misfit("its items must be unique")
    return elements


def _repeats(elements: Iterable[ir.Json]) -> bool:
    texts = [json.dumps(item, sort_keys=True) for item in elements]
    return len(set(texts)) < len(texts)


def _tuple(value: Value, node: ir.Tuple, types: Types) -> ir.Json:
    elements = _elements(value, "a tuple")
    prefix, rest = node["prefix"], node.get("rest")
    if len(elements) < len(prefix) or (rest is None and len(elements) > len(prefix)):
        raise Misfit(f"it must have {len(prefix)} items", by_type=True)
    kinds = [*prefix, *([rest] * (len(elements) - len(prefix)) if rest is not None else [])]
    return [encode(item, kind, types) for item, kind in zip(elements, kinds, strict=True)]


def _mapping(value: Value, node: ir.Mapping, types: Types) -> ir.Json:
    if not isinstance(value, dict):
        raise Misfit("it is not a dict", by_type=True)
    _in_length(len(value), node, "properties", "keys")
    return {
        _key(key, node["key"], types): encode(item, node["value"], types)
        for key, item in value.items()
    }


def _key(key: Value, node: ir.Type, types: Types) -> str:
    encoded = encode(key, node, types)
    if isinstance(encoded, bool):
        return "true" if encoded else "false"
    if isinstance(encoded, (str, int, float)):
        return str(encoded)
    raise NoForm


def _object(value: Value, node: ir.Object, types: Types) -> ir.Json:
    if not isinstance(value, dict):
        raise Misfit("it is not an object", by_type=True)
    fields = {field["name"]: field for field in node["fields"]}
    missing = [name for name, field in fields.items() if field["required"] and name not in value]
    if missing:
        raise Misfit(f'it lacks "{missing[0]}"', by_type=True)
    encoded: dict[str, ir.Json] = {}
    for key, item in value.items():
        if not isinstance(key, str) or (key not in fields and "extra" not in node):
            raise Misfit(f"it has no key {key!r}", by_type=True)
        if key in fields:
            encoded[fields[key]["wire"]] = encode(item, fields[key]["type"], types)
        else:
            encoded[key] = encode(item, node["extra"], types)
    return encoded


def _first(value: Value, node: ir.AnyOf, types: Types) -> ir.Json:
    """The first branch that accepts; the first refusal that is not about the type, if none."""
    refusals: list[Misfit] = []
    formless = False
    for branch in node["branches"]:
        try:
            return encode(value, branch, types)
        except Misfit as misfit:
            refusals.append(misfit)
        except NoForm:
            formless = True
    if formless:
        raise NoForm
    raise next((misfit for misfit in refusals if not misfit.by_type), refusals[0])
