"""Values that fit a type of the IR, and values that do not: what tests of tools are made of.

`good` answers a few values for a node, in their wire form: the smallest first, then one
for each branch, choice or bound that could go wrong. `wrong` answers values that look
right to somebody in a hurry; that they are refused is for the caller to see, since a
union takes many things.

Nothing is random: the same type gives the same values. Text for a pattern or for a type
provider cannot be guessed; a few likely ones are tried, and `Unguessable` names the type
when none fits.
"""

from __future__ import annotations

import json
import re
from base64 import b64encode
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from toolcall import ir

MAX_DEPTH = 6
"""How deep recursive types are followed beyond what they require."""

MAX_VALUES = 12
"""How many values one type is given."""

LIKELY = (
    "text", "a", "A", "0", "1", "abc", "ABC", "123", "1234", "12345", "a1", "A1", "AB-123",
    "A-1", "ab_cd", "user@example.org", "https://example.org/", "2026-01-31", "12:30", "#ffcc00",
    "+4712345678", "1.2.3", "en", "en-GB", "NO", "EUR", "00000000-0000-4000-8000-000000000000",
)  # fmt: skip
"""Text that patterns are often meant for."""

STDLIB = {
    "bytes": "",
    "date": "2026-01-31",
    "datetime": "2026-01-31T12:30:00Z",
    "decimal": "0",
    "duration": "PT1H",
    "ip": "192.0.2.1",
    "path": "folder/file.txt",
    "pattern": "a+",
    "time": "12:30:00",
    "timezone": "Europe/Oslo",
    "uuid": "00000000-0000-4000-8000-000000000000",
}
IP = {
    "IPv6Address": "2001:db8::1",
    "IPv4Network": "192.0.2.0/24",
    "IPv6Network": "2001:db8::/32",
    "IPv4Interface": "192.0.2.1/24",
    "IPv6Interface": "2001:db8::1/32",
}


class Unguessable(ValueError):
    """No value for a type could be thought of; the text names what it lacks."""


def good(node: ir.Type, types: Mapping[str, ir.Type], depth: int = 0) -> list[Any]:
    """Values that fit, the smallest first; at least one. Unguessable if there is none."""
    found: list[Any] = []
    for value in _good(node, types, depth):
        if not any(type(value) is type(kept) and value == kept for kept in found):
            found.append(value)
        if len(found) == MAX_VALUES:
            break
    if not found:
        raise Unguessable(f"no value that fits could be made for {node['kind']}")
    return found


def fields(
    given: list[ir.Field] | list[ir.Parameter], types: Mapping[str, ir.Type], depth: int
) -> Iterator[dict[str, Any]]:
    """Objects with these fields: the required ones, all of them, then each value once."""
    small = {one["wire"]: good(one["type"], types, depth)[0] for one in given if one["required"]}
    yield small
    if depth > MAX_DEPTH:
        return
    values = {one["wire"]: good(one["type"], types, depth) for one in given}
    whole = {wire: options[-1] for wire, options in values.items()}
    yield whole
    for wire, options in values.items():
        for option in options[:-1]:
            yield {**whole, wire: option}


def _good(node: ir.Type, types: Mapping[str, ir.Type], depth: int) -> Iterator[Any]:
    match node["kind"]:
        case "string":
            yield from _texts(node)
        case "integer" | "number":
            numbers = _numbers(node)
            yield from map(str, numbers) if "wire" in node else numbers
        case "boolean":
            yield from (False, True)
        case "null":
            yield None
        case "any":
            yield from ("anything", 1, {"any": ["thing"]})
        case "stdlib":
            yield from _stdlib(node)
        case "literal":
            yield from (each["value"] for each in node["values"])
        case "enum":
            yield from (each["value"] for each in node["members"])
        case "flag":
            yield from _flags(node)
        case "array" | "mapping":
            yield from _several(node, types, depth)
        case "tuple":
            yield from _tuples(node, types, depth)
        case "object":
            yield from fields(node["fields"], types, depth + 1)
        case "root":
            yield from good(node["inner"], types, depth)
        case "nullable":
            yield None
            if depth <= MAX_DEPTH:
                yield from good(node["inner"], types, depth)
        case "union":
            yield from _branches(node["branches"], types, depth)
        case "custom":
            yield from good(node["wire"], types, depth)
        case "ref":
            yield from _of_name(node["name"], types, depth)


def _of_name(name: str, types: Mapping[str, ir.Type], depth: int) -> list[Any]:
    if depth > MAX_DEPTH * 4:
        raise Unguessable(f"{name} requires itself without end")
    return good(types[name], types, depth + 1)


def _texts(node: Any) -> Iterator[str]:
    low, high = node.get("min_length", 0), node.get("max_length")
    candidates = [text[:high] + "x" * (low - len(text)) for text in LIKELY]
    if "pattern" in node:
        fitting = [text for text in (*LIKELY, *candidates) if re.search(node["pattern"], text)]
        candidates = [text for text in fitting if low <= len(text) <= (high or len(text))]
        if not candidates:
            raise Unguessable(f"no text that matches {node['pattern']!r} could be thought of")
        yield candidates[0]
        return
    yield candidates[0]
    yield "x" * low
    if high is not None and high <= 1000:
        yield "x" * high


def _numbers(node: Any) -> list[Any]:
    """Numbers within the bounds: one in the middle of things, and both ends."""
    whole = node["kind"] == "integer" or node.get("type") == "decimal"
    step = node.get("multiple_of") or (1 if whole else 0.5)
    low = _lowest(node, step)
    high = _highest(node, step)
    if low is None:
        low = 0 if high is None or high >= 0 else high
    return [low, low + step if high is None or low + step <= high else low, *_end(high)]


def _lowest(node: Any, step: Any) -> Any:
    if "ge" in node:
        return _up(node["ge"], step)
    return _up(node["gt"], step, beyond=True) if "gt" in node else None


def _highest(node: Any, step: Any) -> Any:
    if "le" in node:
        return -_up(-node["le"], step)
    return -_up(-node["lt"], step, beyond=True) if "lt" in node else None


def _up(bound: Any, step: Any, *, beyond: bool = False) -> Any:
    """The first multiple of `step` at or above a bound, or truly above it."""
    number = -(-bound // step) * step
    return number + step if beyond and number == bound else number


def _end(high: Any) -> list[Any]:
    return [] if high is None else [high]


def _stdlib(node: Any) -> Iterator[str]:
    name, cls = node["type"], node.get("cls", "").partition(":")[2]
    if name == "decimal":
        yield from map(str, _numbers(node))
    elif name == "bytes":
        yield b64encode(b"x" * max(node.get("min_length", 0), 0)).decode()
        yield b64encode(b"x" * node.get("max_length", 5)).decode()
    else:
        yield IP.get(cls, STDLIB[name])


def _flags(node: Any) -> Iterator[int]:
    values = [member["value"] for member in node["members"]]
    yield from values
    whole = 0
    for value in values:
        whole |= value
    yield whole


def _several(node: Any, types: Mapping[str, ir.Type], depth: int) -> Iterator[Any]:
    """Arrays and mappings: as few as may be, one of everything, as many as may be."""
    is_array = node["kind"] == "array"
    word = "items" if is_array else "properties"
    low, high = node.get(f"min_{word}", 0), node.get(f"max_{word}")
    if low == 0:
        yield [] if is_array else {}
    if depth > MAX_DEPTH and low == 0:
        return
    values = good(node["items" if is_array else "value"], types, depth + 1)
    count = max(low, min(len(values), 3 if high is None else high), 1 if high != 0 else 0)
    chosen = [values[place % len(values)] for place in range(count)]
    if not is_array:
        keys = _keys(node["key"], types, count)
        yield dict(zip(keys, chosen, strict=False))
    elif node["cls"] not in ("set", "frozenset") or count <= len(values):
        yield chosen


def _keys(node: ir.Type, types: Mapping[str, ir.Type], count: int) -> list[str]:
    """Keys as they travel: what is no text is written as JSON writes it."""
    if node["kind"] == "string" and "pattern" not in node:
        low, high = node.get("min_length", 0), node.get("max_length")
        return [f"{'k' * (low - 1)}{place}"[:high] for place in range(count)]
    values = good(node, types, MAX_DEPTH)
    return [value if isinstance(value, str) else json.dumps(value) for value in values]


def _tuples(node: Any, types: Mapping[str, ir.Type], depth: int) -> Iterator[list[Any]]:
    columns = [good(each, types, depth + 1) for each in node["prefix"]]
    small = [column[0] for column in columns]
    yield small
    yield [column[-1] for column in columns]
    if "rest" in node and depth <= MAX_DEPTH:
        yield [*small, *good(node["rest"], types, depth + 1)[:2]]


def _branches(nodes: list[ir.Type], types: Mapping[str, ir.Type], depth: int) -> Iterator[Any]:
    """The first value of every branch that one can be thought of for, then the others."""
    columns: list[list[Any]] = []
    for node in nodes:
        try:
            columns.append(good(node, types, depth + 1))
        except Unguessable:
            continue
    yield from (column[0] for column in columns)
    if depth <= MAX_DEPTH:
        yield from (value for column in columns for value in column[1:])


# What does not fit


def wrong(node: ir.Type, types: Mapping[str, ir.Type]) -> Iterator[Any]:
    """Values that should not fit, the likeliest mistakes first."""
    yield from _beyond(node, types)
    yield from ("no such value", 7, 7.5, True, {"no": "such"}, ["no", "such"], None)


def _beyond(node: Any, types: Mapping[str, ir.Type]) -> Iterator[Any]:
    """Values of the right kind that are too large, too long, too many."""
    while node["kind"] in ("nullable", "ref", "root"):
        node = types[node["name"]] if node["kind"] == "ref" else node["inner"]
    make = str if "wire" in node or node["kind"] == "stdlib" else None
    for name, step in (("ge", -1), ("gt", 0), ("le", 1), ("lt", 0), ("multiple_of", 0.5)):
        if name in node:
            number = node[name] * step if name == "multiple_of" else node[name] + step
            if number == int(number) or node["kind"] == "number":
                yield number if make is None else make(number)
    if node["kind"] == "string":
        yield from (["x" * (node["min_length"] - 1)] if node.get("min_length") else [])
        yield from (["x" * (node["max_length"] + 1)] if "max_length" in node else [])
    if node["kind"] == "array":
        values = good(node["items"], types)
        yield from ([values[:1] * (node["min_items"] - 1)] if node.get("min_items") else [])
        yield from ([values[:1] * (node["max_items"] + 1)] if "max_items" in node else [])
