"""What checkers make of the public names; checked, never run.

Every `ignore` here is an error that must be reported: both checkers complain about those
that are not needed.
"""

from __future__ import annotations

from typing import Any

from typing_extensions import assert_type

import toolcall
from toolcall import Err, Ok, ToolResult, emit, run, tool


@tool
def plain(a: int, /, *, b: str = "") -> float:
    """A function stays what it is."""
    return a + len(b)


assert_type(plain(1), float)
assert_type(plain(1, b="x"), float)
plain("1")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
plain(1, c=2)  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]


@tool(name="renamed", read_only=True, timeout=3.0)
def configured(a: int) -> list[str]:
    """The configured form keeps the signature too."""
    return [str(a)]


assert_type(configured(1), list[str])
configured()  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]


tool(nme="x")  # type: ignore[call-overload]  # pyright: ignore[reportCallIssue]


@tool
async def awaited(a: int) -> str:
    """Coroutines stay coroutines."""
    return str(a)


async def use() -> None:
    assert_type(await awaited(1), str)


class Desk:
    """Methods of every kind."""

    @tool
    def method(self, a: int) -> int:
        return a

    @tool
    @classmethod
    def of_class(cls, a: int) -> list[int]:
        return [a]

    @tool
    @staticmethod
    def static(a: int) -> str:
        return str(a)


assert_type(Desk().method(1), int)
assert_type(Desk.of_class(1), list[int])
assert_type(Desk.static(1), str)
Desk().method("1")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]

marked = tool(str.isupper)
assert_type(marked("a"), bool)

assert_type(emit(plain, "openai", strict=True), list[dict[str, Any]])
emit(plain, "antropic")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]

match run(plain, "plain", {"a": 1}):
    case Ok(value=value):
        print(value)
    case Err(problems=problems):
        print([problem.path for problem in problems])

assert_type(toolcall.tool_names(plain), list[str])
assert_type(ToolResult("text").is_error, bool)
