"""Lints of metadata: what cannot be read, does not fit, or is said twice."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from toolcall_mypy.lints.facts import FieldFacts
from toolcall_mypy.lints.finding import Fault, Place, lint

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolcall_mypy.lints.facts import ParameterFacts, ToolFacts
    from toolcall_mypy.source.metadata import At


_COMPUTED: Final = "Write a literal or a module constant"
_UNKNOWN: Final = "What it checks or changes must stand in the function itself"


@lint("unreadable-metadata", "note", "metadata", "problems")
def unreadable_metadata(tool: ToolFacts) -> Iterator[Fault]:
    """Metadata that is no literal, is not known, or does not fit the type it stands on.

    Constraints, names and options are read from the source without running it, so they
    must be literals or module constants. What cannot be read is not enforced and not
    shown to the model. A pydantic model applies validators and constraints that are not
    known here by itself; there they are no fault.
    """
    yield from _met(tool, "unreadable-metadata")
    for one, fallback in _described(tool):
        for unread in one.metadata.every_unread() if one.metadata is not None else ():
            is_unknown = unread.reason.endswith("is not known")
            if is_unknown and isinstance(one, FieldFacts) and one.is_validated:
                continue
            yield Fault(
                _place(unread.at, tool, fallback),
                f'Metadata {unread.text} of "{one.name}" is not used: {unread.reason}',
                _UNKNOWN if is_unknown else _COMPUTED,
            )
        for misplaced in one.misplaced:
            yield Fault(
                fallback,
                f'Metadata of "{one.name}" is not used: '
                f"{misplaced.what} does not apply to {misplaced.kind}",
                "Put it on the part of the type that it is about",
            )


@lint("conflicting-metadata", "error", "metadata", "problems")
def conflicting_metadata(tool: ToolFacts) -> Iterator[Fault]:
    """The same fact is given twice with different values; the last one counts.

    `Annotated[int, Ge(0), Ge(1)]` leaves a reader in doubt which one was meant. Keep one.
    Options of the decorator conflict as well: `thread=False` leaves nothing that could keep
    a `timeout` of a function that is not async, and every call would be refused.
    """
    yield from _met(tool, "conflicting-metadata")
    for one, fallback in _described(tool):
        for conflict in one.metadata.every_conflict() if one.metadata is not None else ():
            yield Fault(
                _place(conflict.at, tool, fallback),
                f'"{conflict.fact}" of "{one.name}" is given twice, as {conflict.first!r} '
                f"and as {conflict.last!r}; the last one counts",
                "Keep one of them",
            )


@lint("injected-misuse", "error")
def injected_misuse(tool: ToolFacts) -> Iterator[Fault]:
    """An injected parameter is treated like one that the model gives.

    The program gives it, so a description, a constraint or a name on the wire has no
    meaning, and neither has a literal default; and there is only one context.
    """
    contexts = 0
    for parameter in tool.parameters:
        if parameter.parameter is not None:
            continue
        contexts += parameter.skeleton.injected == "context"
        if contexts > 1 and parameter.skeleton.injected == "context":
            yield Fault(
                parameter.place,
                f'Parameter "{parameter.name}" is a second context of tool "{tool.name}"',
                "One Context gives everything there is",
            )
        said = parameter.metadata
        if said.constraints or said.name or said.wire:
            yield Fault(
                parameter.place,
                f'Parameter "{parameter.name}" is injected, so its metadata has no meaning',
                "Leave only the marker",
            )


@lint("unsupported-function", "error", "problems")
def unsupported_function(tool: ToolFacts) -> Iterator[Fault]:
    """A function that cannot be a tool; it is left out.

    Generators, async generators and context managers give no single result; an abstract
    method has no body; a decorator that hides the parameters leaves nothing to ask for.
    """
    yield from _met(tool, "unsupported-function")


def _met(tool: ToolFacts, code: str) -> Iterator[Fault]:
    """Faults that assembling met by itself."""
    for problem in tool.problems:
        if problem.code == code:
            yield Fault(problem.place, problem.message, problem.hint)


def _described(tool: ToolFacts) -> Iterator[tuple[ParameterFacts | FieldFacts, Place]]:
    """Whatever can have metadata, with the place to report at when it is from elsewhere."""
    for parameter in tool.exposed:
        yield parameter, parameter.place
    for field in tool.fields:
        yield field, field.place or tool.place


def _place(at: At, tool: ToolFacts, fallback: Place) -> Place:
    return Place(at.line, at.col) if at.module == tool.module else fallback
