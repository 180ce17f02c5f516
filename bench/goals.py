"""The goals, one row each: a ratio of two figures of one run, and what it may be at most.

A row whose figure misses by more than a fifth fails the run. The milliseconds that the
rows once came from are in no row: they differ from machine to machine.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

TOLERANCE = 1.2


@dataclass(frozen=True, slots=True)
class Goal:
    """`(over - base) / (peer - base)` at most `limit`; without `base`, `over / peer`."""

    what: str
    over: str
    peer: str
    limit: float
    base: str | None = None

    def ratio(self, figures: Mapping[str, float]) -> float | None:
        """The ratio in these figures; None where the peer is not installed."""
        if self.peer not in figures:
            return None
        base = figures[self.base] if self.base else 0.0
        return (figures[self.over] - base) / (figures[self.peer] - base)

    def words(self) -> str:
        """What is divided by what."""
        if self.base is None:
            return f"{self.over} / {self.peer}"
        return f"({self.over} - {self.base}) / ({self.peer} - {self.base})"


START = (
    Goal("import and mark one function", "toolcall", "msgspec", 0.1, base="python"),
    Goal("memory of that", "toolcall, MiB", "msgspec, MiB", 0.43, base="python, MiB"),
    Goal(
        "1,000 tools imported, all emitted", "emitted", "msgspec schemas", 0.25, base="undecorated"
    ),
    Goal(
        "1,000 tools imported, nothing emitted",
        "decorated",
        "msgspec schemas",
        0.03,
        base="undecorated",
    ),
    Goal(
        "1,000 definitions from sidecars alone", "sidecars", "msgspec schemas", 0.1, base="python"
    ),
)

CALLS = (
    Goal("scalar call, bound", "caller", "bare call", 1.8),
    Goal("scalar call, bound, against msgspec", "caller", "msgspec", 0.5),
    Goal("scalar call through run", "run", "msgspec", 1.0),
    Goal("scalar call through run, against pydantic-ai", "run", "pydantic-ai", 0.25),
    Goal("nested call on owned arguments", "caller nested owned", "msgspec nested", 0.9),
    Goal("nested call, arguments left alone", "caller nested", "msgspec nested", 1.3),
    Goal("asynchronous tool", "caller async", "caller awaited", 2.0),
    Goal("wrong argument, raised", "caller wrong", "bare raise", 2.0),
    Goal("wrong argument, text", "caller wrong text", "pydantic wrong text", 2.0),
    Goal("integral float for an integer", "caller odd", "caller", 2.0),
    Goal("argument left out", "caller short", "caller", 2.0),
    Goal("int for a float in a record", "caller nested odd", "caller nested", 2.0),
    Goal("first call of a scalar tool", "first call", "pydantic first call", 1.0),
    Goal("first call of a nested tool", "first call nested", "pydantic first call nested", 1.0),
    Goal(
        "first call of the first scalar tool of its kind",
        "first call of its kind",
        "pydantic first call of its kind",
        1.0,
    ),
    Goal(
        "first call of the first nested tool of its kind",
        "first call of its kind nested",
        "pydantic first call of its kind nested",
        1.0,
    ),
    Goal("definitions emitted again, a tool", "emit", "bare call", 26.0),
)

# Python's collector begins to look at everything only in the larger program, also where nothing
# is decorated: hence half as much again for whole processes.
GROWTH = (
    Goal("each further tool: emitted", "emitted, to 10,000", "emitted, to 1,000", 1.5),
    Goal("from the sidecars alone", "sidecars, to 10,000", "sidecars, to 1,000", 1.5),
    Goal("imported, nothing emitted", "decorated, to 10,000", "decorated, to 1,000", 1.5),
    Goal("checked with the plugin", "checked, to 10,000", "checked, to 1,000", 1.25),
    Goal("size of sidecars", "sidecar bytes, to 10,000", "sidecar bytes, to 1,000", 1.1),
    Goal(
        "one tool of 10,000 from nothing",
        "one tool of 10,000, from nothing",
        "one tool of 20, from nothing",
        1.25,
    ),
    Goal("found", "found, one of 10,000", "found, one of 20", 1.25),
    Goal("emitted again", "emitted, one of 10,000", "emitted, one of 20", 1.25),
    Goal("called by run", "run, one of 10,000", "run, one of 20", 1.25),
    Goal("called by caller", "caller, one of 10,000", "caller, one of 20", 1.25),
)

CHECKING = (
    Goal("1,000 tools, cold", "cold with plugin", "cold without", 1.12),
    Goal("one edit", "edit with plugin", "edit without", 1.04),
    Goal("nothing changed", "warm with plugin", "warm without", 1.02),
    Goal("daemon, one edit", "daemon with plugin", "daemon without", 1.02),
)
