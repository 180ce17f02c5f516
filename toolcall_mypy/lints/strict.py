"""Lints of what vendors' strict modes cannot say."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolcall_mypy.lints.finding import Fault, lint
from toolcall_mypy.lints.walk import reached

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolcall import ir
    from toolcall_mypy.lints.facts import ToolFacts


@lint("strict-open-object", "note")
def strict_open_object(tool: ToolFacts) -> Iterator[Fault]:
    """A mapping, extra items or `**kw: T`: an object with keys that are not known.

    Strict modes want every key of every object named, so a tool with an open object is
    emitted without `strict`. Use a TypedDict or dataclass if the keys are known.
    """
    for parameter in tool.exposed:
        assert parameter.parameter is not None
        what = _open(parameter.parameter, tool)
        if what is not None:
            yield Fault(
                parameter.place,
                f'Parameter "{parameter.name}": {what} has keys that strict mode cannot name',
                "List the keys in a TypedDict, or emit this tool without strict",
                asked=tool.config.strict,
            )


def _open(parameter: ir.Parameter, tool: ToolFacts) -> str | None:
    if parameter["kind"] == "var_keyword":
        return "**" + parameter["name"]
    for node in reached(parameter["type"], tool.types):
        if node["kind"] == "mapping":
            return "a mapping"
        if node["kind"] == "object" and "extra" in node:
            return f'"{node["cls"].rpartition(":")[2]}"'
    return None
