"""The one callable type behind whatever the decorator got.

A function, a partial, a bound method, an object with `__call__`, a class. Where mypy has
a type without parameters (`Any`, `Callable[..., T]`), the function as written is used
instead: decorators typed that way hand the arguments through.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from mypy.expandtype import expand_type_by_instance
from mypy.maptype import map_instance_to_supertype
from mypy.nodes import ARG_STAR, ARG_STAR2, Decorator, FuncDef
from mypy.types import AnyType, CallableType, Instance, Overloaded, get_proper_type

if TYPE_CHECKING:
    from mypy.nodes import Argument
    from mypy.types import ProperType, Type

Binding: TypeAlias = Literal["function", "instance", "class", "static"]

PARTIAL: Final = "functools.partial"
PARTIAL_SIGNATURE: Final = "__mypy_partial"
"""Where mypy's own plugin keeps the rest of a partial's signature."""


def binding_of(function: FuncDef) -> Binding:
    """How the function is bound when it is called."""
    if not function.info:
        return "function"
    if function.is_static:
        return "static"
    return "class" if function.is_class else "instance"


def single(t: Type | None) -> CallableType | None:
    """The callable of a type; of overloads without an implementation at hand the first."""
    match get_proper_type(t):
        case CallableType() as plain:
            return plain
        case Overloaded() as overloaded:
            return overloaded.items[0]
        case Instance() as instance:
            return _partial(instance) or _call_method(instance)
        case _:
            return None


def says_nothing(t: CallableType) -> bool:
    """Whether it takes anything: `Callable[..., T]`, what `functools.cache` gives."""
    if t.is_ellipsis_args:
        return True
    return t.arg_kinds == [ARG_STAR, ARG_STAR2] and all(map(_is_open, t.arg_types))


def without_first(t: CallableType, binding: Binding) -> CallableType | None:
    """The callable without self or cls; None where there is no parameter to be one."""
    if binding not in {"instance", "class"} or is_bound(t):
        return t
    if t.arg_kinds and t.arg_kinds[0] == ARG_STAR:
        return t
    if not t.arg_kinds or not t.arg_kinds[0].is_positional():
        return None
    return _drop_first(t)


def is_bound(t: CallableType) -> bool:
    """Whether self or cls is given already; older mypy keeps what it was."""
    return bool(getattr(t, "is_bound", False) or getattr(t, "bound_args", ()))


def behind(t: CallableType) -> FuncDef | None:
    """The function that a callable type was made of, while mypy remembers it."""
    match t.definition:
        case FuncDef() as function:
            return function
        case Decorator() as decorated:
            return decorated.func
        case _:
            return None


def aligned(
    t: CallableType, definition: FuncDef | None, *, bound: bool
) -> list[Argument | None] | None:
    """The argument of the `def` behind each parameter; None where the two do not match.

    By name; by position where there is none, and only while both have equally many
    positional ones: a decorator that gives an argument itself would shift them. `bound`
    says that the `def` has a self or cls more.
    """
    # A function out of mypy's cache has lost the attribute altogether.
    written: list[Argument] = list(getattr(definition, "arguments", ()))
    if bound and definition is not None and definition.info:
        written = [each for each in written[:1] if each.kind == ARG_STAR] + written[1:]
    by_name = {each.variable.name: each for each in written}
    stars = {each.kind: each for each in written if each.kind.is_star()}
    positional = [each for each in written if each.kind.is_positional()]
    matches = len(positional) == sum(kind.is_positional() for kind in t.arg_kinds)
    found: list[Argument | None] = []
    for place, (name, kind) in enumerate(zip(t.arg_names, t.arg_kinds, strict=True)):
        if kind.is_star():
            found.append(stars.get(kind))
        elif name is not None:
            found.append(by_name.get(name))
        elif matches:
            found.append(positional[place])
        elif written:
            return None
        else:
            found.append(None)
    return found


def _is_open(t: Type) -> bool:
    proper = get_proper_type(t)
    if isinstance(proper, Instance):
        return proper.type.fullname in {"builtins.object", "typing.Hashable"}
    return isinstance(proper, AnyType)


def _partial(t: Instance) -> CallableType | None:
    if t.type.fullname != PARTIAL or t.extra_attrs is None:
        return None
    rest: ProperType | None = get_proper_type(t.extra_attrs.attrs.get(PARTIAL_SIGNATURE))
    return rest if isinstance(rest, CallableType) else None


def _call_method(t: Instance) -> CallableType | None:
    symbol = t.type.get("__call__")
    owner = next((base for base in t.type.mro if "__call__" in base.names), None)
    if symbol is None or owner is None:
        return None
    method = get_proper_type(symbol.type)
    if isinstance(method, Overloaded):
        method = method.items[0]
    if not isinstance(method, CallableType) or not method.arg_kinds:
        return None
    seen = expand_type_by_instance(method, map_instance_to_supertype(t, owner))
    return _drop_first(seen) if isinstance(seen, CallableType) else None


def _drop_first(t: CallableType) -> CallableType:
    return t.copy_modified(
        arg_types=t.arg_types[1:],
        arg_kinds=t.arg_kinds[1:],
        arg_names=t.arg_names[1:],
    )
