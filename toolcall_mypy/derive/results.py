"""What a callable gives back: the awaited value, and forms that are no result at all."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from mypy.types import AnyType, Instance, get_proper_type

if TYPE_CHECKING:
    from mypy.nodes import FuncDef
    from mypy.types import Type

Shape: TypeAlias = Literal["plain", "generator", "async_generator", "context_manager"]

AWAITED: Final[dict[str, int]] = {
    "typing.Coroutine": 2,
    "types.CoroutineType": 2,
    "typing.Awaitable": 0,
    "asyncio.futures.Future": 0,
    "_asyncio.Future": 0,
    "asyncio.tasks.Task": 0,
    "_asyncio.Task": 0,
}
"""Which type argument is the awaited value."""

SHAPES: Final[dict[str, Shape]] = {
    "typing.Generator": "generator",
    "typing.Iterator": "generator",
    "typing.AsyncGenerator": "async_generator",
    "typing.AsyncIterator": "async_generator",
    "typing.AsyncIterable": "async_generator",
    "contextlib.AbstractContextManager": "context_manager",
    "contextlib.AbstractAsyncContextManager": "context_manager",
    "contextlib._GeneratorContextManager": "context_manager",
    "contextlib._AsyncGeneratorContextManager": "context_manager",
}


def awaited(t: Type) -> Type | None:
    """The value behind an awaitable, None for what is none."""
    proper = get_proper_type(t)
    if not isinstance(proper, Instance) or proper.type.fullname not in AWAITED:
        return None
    return proper.args[AWAITED[proper.type.fullname]]


def shape(t: Type, definition: FuncDef | None) -> Shape:
    """The form of the result; of the function as written where its type says nothing."""
    proper = get_proper_type(t)
    if isinstance(proper, Instance):
        return SHAPES.get(proper.type.fullname, "plain")
    if definition is None or not isinstance(proper, AnyType):
        return "plain"
    return unannotated_shape(definition)


def unannotated_shape(definition: FuncDef) -> Shape:
    """The form of the result by the body alone."""
    if definition.is_async_generator:
        return "async_generator"
    return "generator" if definition.is_generator else "plain"
