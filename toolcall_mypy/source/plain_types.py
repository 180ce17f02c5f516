"""Types that can be read without a checker: builtins, their unions and lists.

For the few places where mypy sees no type: the item type of `conlist(...)`, the extra
items of a TypedDict. What is anything else is answered as not known, never guessed.
"""

from __future__ import annotations

import ast
import json
from typing import TYPE_CHECKING, Final

from toolcall_mypy.source.expressions import operands, parsed, type_arguments

if TYPE_CHECKING:
    from collections.abc import Sequence

    from toolcall import ir
    from toolcall_mypy.source.aliases import Names, Place

ANY: Final[ir.Type] = {"kind": "any"}
NULL: Final[ir.Type] = {"kind": "null"}

_NAMED: Final[dict[str, ir.Type]] = {
    "builtins.str": {"kind": "string"},
    "builtins.int": {"kind": "integer"},
    "builtins.float": {"kind": "number"},
    "builtins.bool": {"kind": "boolean"},
    "builtins.bytes": {"kind": "stdlib", "type": "bytes"},
    "builtins.object": ANY,
    "typing.Any": ANY,
    "typing_extensions.Any": ANY,
}
_QUALIFIERS: Final = frozenset({"NotRequired", "ReadOnly", "Required"})


def plain_type(expr: ast.expr, place: Place, names: Names) -> ir.Type | None:
    """The type that stands here, None where it takes a checker to know it."""
    match expr:
        case ast.Constant(value=None):
            return NULL
        case ast.Constant(value=str()):
            quoted = parsed(expr, place.index)
            return plain_type(quoted, place, names) if quoted is not None else None
        case ast.Name() | ast.Attribute():
            return _NAMED.get(names.fullname(expr, place) or "")
        case ast.BinOp(op=ast.BitOr()):
            return _union(operands(expr), place, names)
        case ast.Subscript(value=head, slice=inner):
            name = (names.fullname(head, place) or "").rpartition(".")[2]
            return _generic(name, type_arguments(inner), place, names)
    return None


def nullable(t: ir.Type) -> ir.Type:
    """The type or null."""
    return t if t["kind"] in {"any", "null", "nullable"} else {"kind": "nullable", "inner": t}


def _generic(
    name: str, arguments: Sequence[ast.expr], place: Place, names: Names
) -> ir.Type | None:
    if name in _QUALIFIERS:
        return plain_type(arguments[0], place, names)
    if name == "Union":
        return _union(arguments, place, names)
    if name == "Optional":
        return _union([*arguments, ast.Constant(None)], place, names)
    if name in {"list", "List"}:
        items = plain_type(arguments[0], place, names)
        return None if items is None else {"kind": "array", "items": items, "cls": "list"}
    return None


def _union(members: Sequence[ast.expr], place: Place, names: Names) -> ir.Type | None:
    found = [plain_type(member, place, names) for member in members]
    known = [one for one in found if one is not None]
    if len(known) < len(found):
        return None
    if ANY in known:
        return ANY
    branches = list({json.dumps(one): one for one in known if one != NULL}.values())
    whole: ir.Type = {"kind": "union", "branches": branches} if branches else NULL
    if len(branches) == 1:
        whole = branches[0]
    return nullable(whole) if NULL in known else whole
