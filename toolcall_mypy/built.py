"""A tool that is built at run time, as far as its call says: facts from mypy's nodes.

`Function(...)` and `FunctionParam(...)` check themselves when the program runs. What is
written out in the call can be checked before; whatever is computed is left to them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mypy.nodes import (
    ARG_NAMED,
    ARG_OPT,
    ARG_POS,
    ARG_STAR,
    CallExpr,
    DictExpr,
    Expression,
    FloatExpr,
    ListExpr,
    RefExpr,
    TupleExpr,
    UnaryExpr,
)
from mypy.types import CallableType, NoneType, Overloaded, get_proper_type

from toolcall._callables import MANY
from toolcall_mypy import fullnames
from toolcall_mypy.derive.callables import says_nothing, single
from toolcall_mypy.lints.built import UNKNOWN, BuiltFacts, Param, Part, Taken
from toolcall_mypy.places import place_of
from toolcall_mypy.sites import literal_of

if TYPE_CHECKING:
    from mypy.plugin import FunctionContext
    from mypy.types import Type

_BODIES: Final = ("call", "parse_args")


def facts_of(ctx: FunctionContext, what: str) -> BuiltFacts | None:
    """The facts of a constructor's call; None where its arguments are unpacked from elsewhere."""
    if not isinstance(ctx.context, CallExpr):
        return None
    if any(kind.is_star() for kind in ctx.context.arg_kinds):
        return None
    parts = {
        str(name): _part(str(name), given[0], types[0])
        for name, given, types in zip(ctx.callee_arg_names, ctx.args, ctx.arg_types, strict=True)
        if given
    }
    return BuiltFacts(what, place_of(ctx.context), parts)


def _part(name: str, node: Expression, t: Type) -> Part:
    if name in _BODIES:
        value = None if isinstance(get_proper_type(t), NoneType) else UNKNOWN
        return Part(value, place_of(node), _taken(t))
    value = _params(node) if name in ("params", "properties") else value_of(node)
    return Part(value, place_of(node))


def value_of(node: Expression) -> object:
    """The value of a literal, of lists and dicts of them too; UNKNOWN for anything else.

    Of a dict, the items that are known are enough to find what is wrong.
    """
    match node:
        case FloatExpr():
            return node.value
        case UnaryExpr(op="-"):
            value = value_of(node.expr)
            return -value if isinstance(value, (int, float)) else UNKNOWN
        case ListExpr() | TupleExpr():
            values = [value_of(item) for item in node.items]
            return UNKNOWN if UNKNOWN in values else values
        case DictExpr():
            items = [(value_of(key), value_of(value)) for key, value in node.items if key]
            return {key: value for key, value in items if UNKNOWN not in (key, value)}
    literal = literal_of(node)
    return UNKNOWN if literal is ... else literal


def _params(node: Expression) -> object:
    """The parameters in a display of `FunctionParam(...)` calls."""
    if not isinstance(node, (ListExpr, TupleExpr)):
        return UNKNOWN
    return tuple(Param(_name(item), place_of(item)) for item in node.items)


def _name(node: Expression) -> str | None:
    if not isinstance(node, CallExpr) or not isinstance(node.callee, RefExpr):
        return None
    if node.callee.fullname != fullnames.FUNCTION_PARAM or not node.args:
        return None
    at = node.arg_names.index("name") if "name" in node.arg_names else 0
    value = value_of(node.args[at]) if node.arg_names[at] in (None, "name") else None
    return value if isinstance(value, str) else None


def _taken(t: Type) -> tuple[Taken, ...]:
    """How many positional arguments the variants of a callable take; empty where not known."""
    proper = get_proper_type(t)
    variants = proper.items if isinstance(proper, Overloaded) else [single(proper)]
    known = [one for one in variants if one is not None and not _is_vague(one)]
    return tuple(map(_count, known)) if len(known) == len(variants) else ()


def _is_vague(t: CallableType) -> bool:
    return says_nothing(t) or t.param_spec() is not None


def _count(t: CallableType) -> Taken:
    low = sum(kind == ARG_POS for kind in t.arg_kinds)
    high = low + sum(kind == ARG_OPT for kind in t.arg_kinds)
    if ARG_NAMED in t.arg_kinds:
        low, high = low + MANY, MANY
    returned = single(t.ret_type) is None and get_proper_type(t.ret_type)
    is_async = getattr(getattr(returned, "type", None), "fullname", "") == "typing.Coroutine"
    return Taken(low, MANY if ARG_STAR in t.arg_kinds else high, is_async)
