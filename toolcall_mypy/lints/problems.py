"""Lints whose faults are met while a tool is assembled, and wait in its facts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolcall_mypy.lints.finding import Fault, lint

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolcall_mypy.lints.facts import ToolFacts


@lint("unsupported-function", "error")
def unsupported_function(tool: ToolFacts) -> Iterator[Fault]:
    """A function that cannot be a tool; it is left out.

    Generators, async generators and context managers give no single result; an abstract
    method has no body; a decorator that hides the parameters leaves nothing to ask for.
    """
    yield from _met(tool, "unsupported-function")


@lint("unreadable-metadata", "note")
def unreadable_metadata(tool: ToolFacts) -> Iterator[Fault]:
    """Metadata that is no literal, is not known, or does not fit the type it stands on.

    Constraints, names and options are read from the source without running it, so they
    must be literals or module constants. What cannot be read is not enforced and not
    shown to the model.
    """
    yield from _met(tool, "unreadable-metadata")


@lint("conflicting-metadata", "error")
def conflicting_metadata(tool: ToolFacts) -> Iterator[Fault]:
    """The same fact is given twice with different values; the last one counts."""
    yield from _met(tool, "conflicting-metadata")


def _met(tool: ToolFacts, code: str) -> Iterator[Fault]:
    for problem in tool.problems:
        if problem.code == code:
            yield Fault(problem.place, problem.message, problem.hint)
