"""Why what is marked is no tool at all, and is left out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from mypy.nodes import (
    IS_ABSTRACT,
    CallExpr,
    LambdaExpr,
    MemberExpr,
    NameExpr,
    RefExpr,
    TypeInfo,
)
from mypy.types import AnyType, TypeOfAny

if TYPE_CHECKING:
    from mypy.nodes import Expression

    from toolcall_mypy.derive.signature import Signature
    from toolcall_mypy.sites import Site

_KEEP_SIGNATURE: Final = "Type the decorator with ParamSpec, or put @tool beneath it"
_DEFINE: Final = "Define a function with annotations and mark that"
_RETURN_LIST: Final = "Return the values as a list"
_ENTER: Final = "Enter it inside of a tool, and return what is wanted of it"
_MARK_THERE: Final = "Put @tool on it where it is defined, or mark it by its own name"
_INSTALL: Final = "Install its package or stubs for mypy"


class Refusal(NamedTuple):
    """A sentence without its subject, and what to write instead."""

    name: str
    why: str
    hint: str


def refusal(site: Site, signed: Signature, name: str) -> Refusal | None:
    """Why the mark makes no tool; None where it makes one. `name` is what it is called."""
    argument, definition = site.argument, site.definition
    if isinstance(argument, LambdaExpr):
        return Refusal("lambda", "has no annotations, so it cannot be a tool", _DEFINE)
    if isinstance(argument, RefExpr) and isinstance(argument.node, TypeInfo):
        return Refusal(argument.node.name, "is a class, which cannot be a tool", _DEFINE)
    if _is_unimported(site):
        return Refusal(name, "cannot be a tool: mypy could not import it", _INSTALL)
    if _is_unknown(site):
        why = "cannot be a tool: mypy does not know which function it is"
        return Refusal(name, why, _MARK_THERE)
    if signed.lost is not None:
        hint = _KEEP_SIGNATURE if definition is not None else _MARK_THERE
        return Refusal(name, f"cannot be a tool: {signed.lost.rstrip('.')}", hint)
    if signed.shape != "plain":
        shape = signed.shape.replace("_", " ")
        article = "an" if shape[0] in "aeiou" else "a"
        hint = _ENTER if signed.shape == "context_manager" else _RETURN_LIST
        return Refusal(name, f"is {article} {shape}, which cannot be a tool", hint)
    if definition is not None and definition.abstract_status == IS_ABSTRACT:
        why = "is abstract, so there is nothing to call"
        return Refusal(name, why, "Mark the method of a subclass")
    if definition is not None and definition.is_property:
        return Refusal(name, "is a property, which cannot be a tool", "Make it a method")
    return None


def shown(argument: Expression | None) -> str:
    """An expression whose function is not known, in the words of a message."""
    match argument:
        case NameExpr(name=name) | MemberExpr(name=name):
            return name
        case CallExpr(callee=NameExpr(name=name) | MemberExpr(name=name)):
            return f"{name}(…)"
    return "it"


def _is_unimported(site: Site) -> bool:
    outer = site.outer
    first = (outer.source_any or outer) if isinstance(outer, AnyType) else None
    return first is not None and first.type_of_any == TypeOfAny.from_unimported_type


def _is_unknown(site: Site) -> bool:
    """Whether a value is marked that only the running program can tell."""
    if site.argument is None or isinstance(site.outer, AnyType):
        return False
    if site.shape == "object":
        return site.owner is not None and site.owner.is_protocol
    return site.definition is None
