"""Placeholders in the schema of a type provider: `{"$arg": "T"}` is a type argument.

A provider of `Box[T]` says what travels in terms of T. The schema is translated once, with
a text that nothing else can be where T stands; each use of the class puts its own type
arguments there. What the translation merged away cannot be replaced, and is told.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, cast

from toolcall_mypy.derive.unions import combine, distinct, nullable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from toolcall import ir

KEYWORD: Final = "$arg"
_MARK: Final = "\0type argument "


class NoSuchArgument(Exception):
    """A placeholder names no type argument of the served class."""


def marked(schema: Any, names: Sequence[str]) -> Any:
    """The schema with a text of our own in place of each placeholder.

    Args:
        names: the type arguments of the served class as the provider writes them.

    Raises:
        NoSuchArgument: a placeholder names something else; the text says what.
    """
    if isinstance(schema, dict) and KEYWORD in schema:
        name = schema[KEYWORD]
        at = names.index(name) if name in names else name
        if isinstance(at, bool) or not isinstance(at, int) or not 0 <= at < max(1, len(names)):
            raise NoSuchArgument(repr(name))
        return {"type": "string", "pattern": f"{_MARK}{at}"}
    if isinstance(schema, dict):
        return {key: marked(value, names) for key, value in schema.items()}
    if isinstance(schema, list):
        return [marked(value, names) for value in schema]
    return schema


def count(node: Any) -> int:
    """How many placeholders are in a marked schema, or in what it was translated to."""
    if isinstance(node, dict):
        return _is_mark(node) + sum(map(count, node.values()))
    return sum(map(count, node)) if isinstance(node, list) else 0


def filled(node: ir.Type, args: Sequence[ir.Type]) -> ir.Type:
    """The type with type arguments in place of the placeholders; any where there are none."""
    return cast("ir.Type", _filled(node, args))


def _filled(node: Any, args: Sequence[ir.Type]) -> Any:
    if isinstance(node, list):
        return [_filled(one, args) for one in node]
    if not isinstance(node, dict):
        return node
    if _is_mark(node):
        at = int(node["pattern"].removeprefix(_MARK))
        return args[at] if at < len(args) else {"kind": "any"}
    made = {key: _filled(value, args) for key, value in node.items()}
    match made:
        case {"kind": "nullable", "inner": inner}:
            return nullable(inner)
        case {"kind": "union", "branches": branches}:
            return _joined(branches)
    return made


def _joined(branches: Sequence[ir.Type]) -> ir.Type:
    """A union whose branches may have become unions, nullable, or anything themselves."""
    flat: list[ir.Type] = []
    has_null = False
    for branch in branches:
        inner = branch
        if branch["kind"] == "nullable":
            has_null, inner = True, branch["inner"]
        if inner["kind"] == "any":
            return inner
        has_null = has_null or inner["kind"] == "null"
        flat += inner["branches"] if inner["kind"] == "union" else [inner]
    kept = [one for one in distinct(flat) if one["kind"] != "null"]
    joined = combine(kept)
    return nullable(joined) if has_null else joined


def _is_mark(node: dict[str, Any]) -> bool:
    pattern = node.get("pattern")
    return isinstance(pattern, str) and pattern.startswith(_MARK)
