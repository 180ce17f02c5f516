"""Calls in a log, whoever wrote it: one JSON value a line, calls anywhere in it.

A line may be a call by itself (`{"name": …, "arguments": …}`), a call in any vendor's
wrapping, a whole message or response with calls in it, or something else altogether: logs
hold more than calls. What is looked into is a closed list of keys, so that nothing inside
of a call's own arguments is taken for another call.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ARGUMENTS = ("arguments", "args", "input")
"""Where a call has its arguments."""

WRAPPERS = ("functionCall", "toolUse", "function_call")
"""Keys that hold a call, which may then be without arguments."""

AROUND = (
    *("calls", "candidates", "choices", "content", "data", "function", "message", "messages"),
    *("output", "params", "parts", "request", "response", "tool_calls"),
)
"""Keys that may hold calls somewhere below."""


@dataclass(frozen=True, slots=True)
class Recorded:
    """One call of a log. `name` is None where the line is no JSON, which is no call either."""

    line: int
    size: int
    name: str | None
    arguments: Any = None


def recorded(log: Path) -> Iterator[Recorded]:
    """The calls of a log in order, and the lines that cannot be read.

    `size` is how many bytes of the log have been read so far.
    """
    size = 0
    with log.open("rb") as lines:
        for number, line in enumerate(lines, 1):
            size += len(line)
            if not line.strip():
                continue
            try:
                content = json.loads(line)
            except (ValueError, RecursionError):
                yield Recorded(number, size, None)
                continue
            for name, arguments in calls(content):
                yield Recorded(number, size, name, arguments)


def calls(content: Any) -> Iterator[tuple[str, Any]]:
    """The calls in a JSON value: names, and arguments as they stand there."""
    match content:
        case list():
            for item in content:
                yield from calls(item)
        case {"name": str() as name} if any(key in content for key in ARGUMENTS):
            yield name, next(content[key] for key in ARGUMENTS if key in content)
        case {"method": "tools/call", "params": {"name": str() as name, **more}}:
            yield name, more.get("arguments")
        case dict():
            for key in WRAPPERS:
                match content.get(key):
                    case {"name": str() as name, **more}:
                        yield name, next((more[key] for key in ARGUMENTS if key in more), None)
            for key in AROUND:
                yield from calls(content.get(key))
