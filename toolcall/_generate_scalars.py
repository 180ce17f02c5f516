"""Source for scalars and choices, see `_writer`."""

from __future__ import annotations

from toolcall._classes import find
from toolcall._constraints import is_multiple, pattern_limit, search_of
from toolcall._stdlib import reader
from toolcall._writer import REFUSE
from toolcall.errors import ClassNotFound

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from toolcall._writer import Check, Writer


def _string(w: Writer, i: int, node: Any, v: str, back: str | None) -> str:
    w.put(i, f"if not isascii({v}): text({v}, a)")
    if "min_length" in node:
        w.refuse_if(i, f"len({v}) < {w.bind(node['min_length'])}")
    if "max_length" in node:
        w.refuse_if(i, f"len({v}) > {w.bind(node['max_length'])}")
    if "pattern" in node:
        limit, search = w.bind(pattern_limit(node)), w.bind(search_of(node["pattern"]))
        w.refuse_if(i, f"len({v}) > {limit} or not {search}({v})")
    return v


def _integer(w: Writer, i: int, node: Any, v: str, back: str | None) -> str:
    w.put(i, unless_is(w, "int", v, back))
    _bounds(w, i, node, v)
    return v


def _number(w: Writer, i: int, node: Any, v: str, back: str | None) -> str:
    w.put(i, unless_is(w, "float", v, back))
    w.put(i, f"elif {v} - {v}: {REFUSE}")  # not zero only for NaN and the infinities
    _bounds(w, i, node, v)
    return v


def unless_is(w: Writer, cls: str, v: str, back: str | None, other: str = "") -> str:
    """The statement for a number that is not of its class yet; `other` is one more condition."""
    if back is None:  # refused right here: the fewer frames, the cheaper an exception
        quick = f"float({v}) if {v}.__class__ is int else " if cls == "float" else ""
        made = f"{v} := {quick}to_{cls}({v})"
        return f"if {v}.__class__ is not {cls}{other} and ({made}) is None: {REFUSE}"
    return f"if {v}.__class__ is not {cls}{other}: {converted(w, v, back, f'as_{cls}')}"


def converted(w: Writer, v: str, back: str | None, convert: str) -> str:
    """The statement that converts the local `v`, which may have a place in a kept container."""
    if back is None:
        return f"{v} = {convert}({v}, a)"
    return (
        f"{back} = {v} = {convert}({v}, a)"
        if w.mode == "owned"
        else f"{convert}({v}, a); raise Changed"
    )


def _bounds(w: Writer, i: int, node: Any, v: str) -> None:
    for key, sign in (("ge", "<"), ("gt", "<="), ("le", ">"), ("lt", ">=")):
        if key in node:
            w.refuse_if(i, f"{v} {sign} {w.bind(node[key])}")
    if "multiple_of" in node:
        w.refuse_if(i, f"not {w.bind(is_multiple)}({v}, {w.bind(node['multiple_of'])})")


def _boolean(w: Writer, i: int, node: Any, v: str, back: str | None) -> str:
    w.refuse_if(i, f"{v} is not True and {v} is not False")
    return v


def _null(w: Writer, i: int, node: Any, v: str, back: str | None) -> str:
    w.refuse_if(i, f"{v} is not None")
    return v


def _any(w: Writer, i: int, node: Any, v: str, back: str | None) -> str:
    w.put(i, f"if {v}.__class__ not in INERT: plain({v}, {w.depth})")
    return v


def _stdlib(w: Writer, i: int, node: Any, v: str, back: str | None) -> str:
    if node["type"] == "date":
        return _date(w, i, node, v)
    if node.keys() - {"kind", "doc", "type", "cls"}:
        return w.part(i, node, v)
    if node["type"] in {"path", "pattern"}:
        w.put(i, f"if not isascii({v}): text({v}, a)")
    result = w.local()
    w.put(i, f"{result} = {w.bind(reader(node))}({v})")
    return result


def _date(w: Writer, i: int, node: Any, v: str) -> str:
    """The interpreter's own parser, where the text has the one shape of RFC 3339."""
    from datetime import date

    parse = w.bind(date.fromisoformat)
    shape = f"{v}.__class__ is str and len({v}) == 10 and {v}[4] == '-' == {v}[7]"
    result = w.local()
    w.put(i, f"{result} = {parse}({v}) if {shape} else {w.bind(reader(node))}({v})")
    return result


# Choices


def _literal(w: Writer, i: int, node: Any, v: str, back: str | None) -> str:
    values = [one["value"] for one in node["values"]]
    if any("enum" in one for one in node["values"]) or any(type(x) is not str for x in values):
        return w.part(i, node, v)
    allowed = w.bind(frozenset(values))
    w.put(i, f"if {v}.__class__ is not str or {v} not in {allowed}: other_type({v}, a)")
    return v


def _enum(w: Writer, i: int, node: Any, v: str, back: str | None) -> str:
    kinds = {type(member["value"]) for member in node["members"]}
    if kinds not in ({str}, {int}):
        return w.part(i, node, v)
    try:
        cls: Any = find(w.bound, node["cls"], "enum").__members__
        table = {member["value"]: cls[member["name"]] for member in node["members"]}
    except (ClassNotFound, KeyError):  # the reference decoder says so, if it comes to that
        return w.part(i, node, v)
    kind = "str" if kinds == {str} else "int"
    result = w.local()
    w.put(i, f"if {v}.__class__ is not {kind}: raise Unsure()")
    w.put(i, f"{result} = {w.bind(table)}[{v}]")
    return result


CHECKS: dict[str, Check] = {
    "string": _string,
    "integer": _integer,
    "number": _number,
    "boolean": _boolean,
    "null": _null,
    "any": _any,
    "stdlib": _stdlib,
    "literal": _literal,
    "enum": _enum,
}
