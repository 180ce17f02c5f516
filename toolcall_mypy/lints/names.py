"""Lints of names: of tools and of what their parameters are called on the wire."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from toolcall_mypy.lints.finding import Fault, Place, lint

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolcall_mypy.lints.facts import ToolFacts

EVERYWHERE: Final = re.compile(r"[a-zA-Z0-9_-]{1,64}")


@lint("duplicate-name", "error")
def duplicate_name(tool: ToolFacts) -> Iterator[Fault]:
    """Two tools of one module or class, or two parameters of one tool, share a name.

    Of tools the first one wins and the others are not exposed; of parameters the second
    one becomes `name_2`. Rename one of them, or give a name with `@tool(name=…)` or
    `Param(name=…)`. A `Toolset` with two tools of one name cannot be used at all; that is
    reported where its sources are written out and known.
    """
    if tool.earlier:
        yield Fault(
            tool.place,
            f'Tool "{tool.name}" is left out, because "{tool.earlier[0]}" has that name already',
            'Give it another name with @tool(name="…")',
        )
    for parameter in tool.exposed:
        assert parameter.parameter is not None
        wanted, given = parameter.wanted, parameter.parameter["wire"]
        if wanted != given:
            yield Fault(
                parameter.place,
                f'Parameter "{parameter.name}" is called "{given}", because "{wanted}" is taken',
                'Give it another name with Param(name="…")',
            )


def twice_in_toolset(place: Place, name: str, first: str, second: str) -> Fault:
    """The fault of a `Toolset` whose sources have two tools of one name."""
    return Fault(
        place,
        f'Tool "{name}" of {second} is named like that of {first}, so the set cannot be used',
        "Give one of the sources a prefix: Toolset([source], prefix=…)",
    )
