"""What a callable takes, for functions that a program hands over at run time.

Owns the question "can this be called with so many positional arguments, and is it async?".
These are bodies and parsers whose parameters mean nothing to a model, so looking at their
signature says nothing about a schema: no annotation is read.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from inspect import Parameter

_CONTEXT_NAMES = ("context", "ctx")


def is_async(function: object) -> bool:
    """Whether calling it gives a coroutine, also through a partial or `__call__`."""
    from functools import partial
    from inspect import iscoroutinefunction

    while isinstance(function, partial):
        function = function.func
    return iscoroutinefunction(function) or iscoroutinefunction(
        getattr(function, "__call__", None)  # noqa: B004 -- the method itself is looked at
    )


def positional_fault(function: object, counts: tuple[int, ...], wanted: str) -> list[str]:
    """Why it cannot be called with one of these numbers of positional arguments."""
    if function is None:
        return ["must be given"]
    if not callable(function):
        return [f"must be callable, is {type(function).__name__}"]
    taken = _positional(function)
    return [] if taken is None else count_fault(*taken, counts, wanted)


def count_fault(low: int, high: int, counts: tuple[int, ...], wanted: str) -> list[str]:
    """Why what takes `low` to `high` positional arguments cannot be given one of these numbers."""
    if any(low <= count <= high for count in counts):
        return []
    if low >= MANY:
        return [f"must take {wanted}, takes one that must be given by keyword"]
    number = f"{low}" if low == high else f"{low} to {high}" if high < MANY else f"at least {low}"
    return [f"must take {wanted}, takes {number} arguments"]


def takes_context(function: Any) -> bool:
    """Whether a body wants the context as its second argument.

    A second parameter with a default of its own belongs to the body, unless it is called
    `context` or `ctx`.
    """
    taken = _positional(function)
    if taken is None:
        return True
    low, high = taken
    if low == 2 or high == MANY:
        return True
    return high >= 2 and _positional_parameters(function)[1].name in _CONTEXT_NAMES


MANY = 1_000
"""More positional arguments than anything takes."""


def _positional(function: Any) -> tuple[int, int] | None:
    """The fewest and the most positional arguments; None where nothing is known.

    A required keyword-only parameter makes a call impossible: more than all are needed.
    """
    from inspect import Parameter, signature

    try:
        parameters = signature(function).parameters.values()
    except (TypeError, ValueError):
        return None
    listed = _positional_parameters(function)
    low = sum(parameter.default is Parameter.empty for parameter in listed)
    starred = any(parameter.kind is Parameter.VAR_POSITIONAL for parameter in parameters)
    wanting = any(
        parameter.kind is Parameter.KEYWORD_ONLY and parameter.default is Parameter.empty
        for parameter in parameters
    )
    if wanting:
        low += MANY
    return low, MANY if starred or wanting else len(listed)


def _positional_parameters(function: Any) -> list[Parameter]:
    from inspect import Parameter, signature

    return [
        parameter
        for parameter in signature(function).parameters.values()
        if parameter.kind in (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)
    ]
