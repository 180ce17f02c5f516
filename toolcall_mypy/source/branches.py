"""Which branch of an `if` the checker takes, decided from the test alone.

It knows `TYPE_CHECKING` (and `MYPY`), `sys.version_info`, `sys.platform` and boolean
combinations of these. Anything else is None: not known, so both branches count.
"""

from __future__ import annotations

import ast
import operator
import sys
from typing import TYPE_CHECKING, Any

from toolcall_mypy.records import record

if TYPE_CHECKING:
    from collections.abc import Callable

_COMPARISONS: dict[type[ast.cmpop], Callable[[Any, Any], Any]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}


@record
class Target:
    """The Python that the checker checks for."""

    python_version: tuple[int, int] = sys.version_info[:2]
    platform: str = sys.platform


class _Unknown(Exception):
    pass


def truth(test: ast.expr, target: Target) -> bool | None:
    """Whether the test holds for this target, None where that is not known."""
    match test:
        case ast.BoolOp(op=op, values=values):
            found = [truth(value, target) for value in values]
            decisive = isinstance(op, ast.Or)
            if decisive in found:
                return decisive
            return None if None in found else not decisive
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            inner = truth(operand, target)
            return None if inner is None else not inner
        case ast.Name(id="TYPE_CHECKING" | "MYPY") | ast.Attribute(attr="TYPE_CHECKING" | "MYPY"):
            return True
        case ast.Constant(value=bool() | int() as value):
            return bool(value)
        case ast.Compare(left=left, ops=[op], comparators=[right]):
            return _compared(left, op, right, target)
        case ast.Call(
            func=ast.Attribute(value=subject, attr="startswith"),
            args=[ast.Constant(value=str(prefix))],
        ) if _is_sys(subject, "platform"):
            return target.platform.startswith(prefix)
    return None


def _compared(left: ast.expr, op: ast.cmpop, right: ast.expr, target: Target) -> bool | None:
    compare = _COMPARISONS.get(type(op))
    if compare is None:
        return None
    try:
        one, other = _value(left, target), _value(right, target)
        if isinstance(one, tuple) and isinstance(other, tuple):
            # Only major and minor are known; `>= (3, 11, 2)` is decided as the checker does.
            size = min(len(one), len(other), 2)
            one, other = one[:size], other[:size]
        return bool(compare(one, other))
    except (_Unknown, TypeError):
        return None


def _value(expr: ast.expr, target: Target) -> object:
    match expr:
        case ast.Constant(value=int() | str() as value):
            return value
        case ast.Tuple(elts=elements):
            return tuple(_value(element, target) for element in elements)
        case ast.Subscript(value=subject, slice=ast.Constant(value=int(place))) if place in (
            0,
            1,
        ) and _is_sys(subject, "version_info"):
            return target.python_version[place]
        case ast.Subscript(
            value=subject, slice=ast.Slice(lower=None, upper=ast.Constant(value=int(end)))
        ) if _is_sys(subject, "version_info") and 1 <= end <= 2:
            return target.python_version[:end]
        case _ if _is_sys(expr, "version_info"):
            return target.python_version
        case _ if _is_sys(expr, "platform"):
            return target.platform
    raise _Unknown


def _is_sys(expr: ast.expr, name: str) -> bool:
    match expr:
        case ast.Attribute(value=ast.Name(id="sys"), attr=attr):
            return attr == name
        case ast.Name(id=attr):
            return attr == name
    return False
