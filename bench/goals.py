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

    def ratio(self, figures: Mapping[str, float]) -> float:
        """The ratio in these figures."""
        base = figures[self.base] if self.base else 0.0
        return (figures[self.over] - base) / (figures[self.peer] - base)

    def words(self) -> str:
        """What is divided by what."""
        if self.base is None:
            return f"{self.over} / {self.peer}"
        return f"({self.over} - {self.base}) / ({self.peer} - {self.base})"


START = (
    Goal("import and mark one function", "toolcall", "msgspec", 0.1, base="python"),
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
    Goal("definitions emitted again, a tool", "emit", "bare call", 26.0),
)

CHECKING = (
    Goal("1,000 tools, cold", "cold with plugin", "cold without", 1.12),
    Goal("one edit", "edit with plugin", "edit without", 1.04),
    Goal("nothing changed", "warm with plugin", "warm without", 1.02),
    Goal("daemon, one edit", "daemon with plugin", "daemon without", 1.02),
)
