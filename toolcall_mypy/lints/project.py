"""Lints that are not about one tool: the configuration, and faults of our own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolcall_mypy.lints.finding import Fault, Place, lint

if TYPE_CHECKING:
    from collections.abc import Iterator


@lint("invalid-config", "error", scope="project")
def invalid_config(place: Place, message: str) -> Iterator[Fault]:
    """A key or value of `[tool.toolcall]` that does not exist.

    The run stops, as it does when mypy cannot load a plugin: everything after it would
    answer for settings that nobody asked for. The message names the nearest valid one.

    Also reported, at a module's first line, where its sidecar cannot be written: then
    `cache_dir` says where sidecars may lie instead.
    """
    yield Fault(place, message)


def unwritten(place: Place, what: str) -> Fault:
    """The fault of a sidecar that cannot be written where it belongs."""
    return Fault(
        place,
        f"The sidecar cannot be written: {what}",
        "Set cache_dir in [tool.toolcall] to a folder that can be written",
    )


@lint("internal-error", "error", scope="project")
def internal_error(place: Place, tool: str, error: Exception) -> Iterator[Fault]:
    """The plugin failed on a tool; that is a bug in it, and none in your code.

    The tool is left out and the run goes on. Please report the message with the tool's
    signature. `TOOLCALL_TRACEBACK=1` raises the error instead.
    """
    yield Fault(
        place,
        f'The plugin failed on tool "{tool}", which is left out: {type(error).__name__}: {error}',
        "This is a bug in toolcall, please report it; TOOLCALL_TRACEBACK=1 shows where",
    )
