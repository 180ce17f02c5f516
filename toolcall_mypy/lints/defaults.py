"""Lints of default values."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolcall_mypy.lints.finding import Fault, lint

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolcall_mypy.lints.facts import ToolFacts, WrongDefault


@lint("default-mismatch", "error")
def default_mismatch(tool: ToolFacts) -> Iterator[Fault]:
    """A literal default that the declared type or its constraints refuse.

    The model would be told a default that it may not send itself, so it is not told.
    Change the default or the bound. A default of the wrong Python type is mypy's own
    finding and not repeated.
    """
    for parameter in tool.exposed:
        if parameter.wrong_default is not None:
            yield _fault(f'parameter "{parameter.name}"', parameter.wrong_default)
    for field in tool.fields:
        if field.wrong_default is not None:
            yield _fault(f'field "{field.name}"', field.wrong_default)


def _fault(of: str, wrong: WrongDefault) -> Fault:
    return Fault(
        wrong.place,
        f"Default {wrong.text} of {of} does not fit: {wrong.reason}",
        "Change the default or the bound; the model is not told of this default",
    )
