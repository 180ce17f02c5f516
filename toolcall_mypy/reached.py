"""The function that a marked expression stands for, where its type does not say.

mypy's types forget it behind decorators without types, and in whatever comes from its
cache. So names are followed as Python would follow them: through modules, classes,
instances, and assignments of one name to another.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mypy.nodes import MemberExpr, MypyFile, RefExpr, Var
from mypy.nodes import TypeInfo as Class
from mypy.types import CallableType, Instance, TypeType, get_proper_type

from toolcall_mypy.records import record
from toolcall_mypy.source.resolve import dotted_name
from toolcall_mypy.variants import implementation

if TYPE_CHECKING:
    from collections.abc import Callable

    from mypy.nodes import Expression, FuncDef
    from mypy.types import Type

    from toolcall_mypy.session import Session

_FAR: Final = 10
"""More assignments than this are not followed; they may go in a circle."""


@record
class Reached:
    """A function, and whether an instance or a class is given with it."""

    definition: FuncDef
    is_bound: bool


def reached(
    expr: Expression, session: Session, type_of: Callable[[Expression], Type | None]
) -> Reached | None:
    """The function behind an expression that mypy has checked; None where it cannot be told."""
    node: object = expr.node if isinstance(expr, RefExpr) else None
    is_bound = False
    if isinstance(expr, MemberExpr) and not isinstance(_node(expr.expr), MypyFile):
        owner = get_proper_type(type_of(expr.expr))
        node, is_bound = _attribute(owner, expr.name), not isinstance(_node(expr.expr), Class)
    for _ in range(_FAR):
        definition = implementation(node)
        if definition is not None:
            return Reached(definition, is_bound)
        if not isinstance(node, Var):
            return None
        node, is_bound = _assigned(node, session)
    return None


def is_settled(expr: Expression, session: Session, module: str, around: str) -> bool:
    """Whether a name stands for one function, and not for one after the other as in a loop.

    `around` is the function of the module in which the name is used, empty outside of any.
    """
    node = _node(expr)
    if not isinstance(node, Var):
        return True
    home, qualname = session.split(node.fullname) if "." in node.fullname else (module, "")
    index = session.files.index(home)
    if index is None:
        return True
    inside = f"{around}.<locals>."
    names = [qualname] if qualname else [one for one in index.assigned if one.startswith(inside)]
    return any(
        one.rpartition(".")[2] == node.name
        and index.assigned.count(one) == 1
        and one not in index.rebound
        for one in names
    )


def _node(expr: Expression) -> object:
    return expr.node if isinstance(expr, RefExpr) else None


def _attribute(owner: Type | None, name: str) -> object:
    """What a name is in the class of a value, or in a class that is a value."""
    match get_proper_type(owner):
        case Instance(type=cls):
            symbol = cls.get(name)
        case TypeType(item=Instance(type=cls)):
            symbol = cls.get(name)
        case CallableType() as made if made.is_type_obj():
            symbol = made.type_object().get(name)
        case _:
            return None
    return None if symbol is None else symbol.node


def _assigned(var: Var, session: Session) -> tuple[object, bool]:
    """What `name = other.name` at the top of a module gives the name, and whether it is bound."""
    module, qualname = session.split(var.fullname)
    index, tree = session.files.index(module), session.modules.get(module)
    source = None if index is None else index.assigned.get(qualname)
    dotted = None if source is None else dotted_name(source.value)
    if dotted is None or tree is None or "." in qualname:
        return None, False
    first, *rest = dotted.split(".")
    symbol = tree.names.get(first)
    node: object = None if symbol is None else symbol.node
    is_bound = False
    for name in rest:
        node, is_bound = _member(node, name)
    return node, is_bound


def _member(node: object, name: str) -> tuple[object, bool]:
    match node:
        case MypyFile(names=names):
            symbol = names.get(name)
            return (None if symbol is None else symbol.node), False
        case Class():
            symbol = node.get(name)
            return (None if symbol is None else symbol.node), False
        case Var(type=type_):
            return _attribute(type_, name), True
    return None, False
