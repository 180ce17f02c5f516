"""From what a tool's function returned or raised to the answer of a call.

1. An `Ok` or `Err` that a tool returns is the answer; anything else is wrapped in an `Ok`,
   a `ToolResult` too.
2. What a tool raises is an answer: `ToolError` in its author's words, every other
   exception by its message alone. Its traceback goes to the log and nowhere else.
3. KeyboardInterrupt, CancelledError and GeneratorExit are not the tool's; they pass.
4. A generator is no result: nobody would run it.
"""

from __future__ import annotations

import sys
from types import AsyncGeneratorType, CoroutineType, GeneratorType

from toolcall._construct import message_of
from toolcall._values import Err, Ok
from toolcall.errors import Misuse, Problem, ToolError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from toolcall._bind import BoundTool

UNUSUAL = frozenset({Ok, Err, CoroutineType, GeneratorType, AsyncGeneratorType})
"""The classes of results that are not simply a value."""


def answer(bound: BoundTool, value: Any) -> Ok[Any] | Err:
    """The answer for what a tool returned (awaited, where that was needed)."""
    cls = type(value)
    if cls not in UNUSUAL:
        return Ok(value)
    if cls is Ok or cls is Err:
        answered: Ok[Any] | Err = value
        return answered
    raise no_value(bound, value)


def settled(bound: BoundTool, value: Any) -> Ok[Any] | Err:
    """The same outside of event loops, for a tool that may only turn out to be async now."""
    if type(value) is not CoroutineType or loop_runs():
        return answer(bound, value)
    import asyncio

    try:
        value = asyncio.run(late(value))
    except BaseException as error:
        return failed(bound, error)
    return answer(bound, value)


async def late(value: Any) -> Any:
    """A value, awaited if it can be."""
    return await value if hasattr(value, "__await__") else value


def loop_runs() -> bool:
    """Whether an event loop is running in this thread."""
    asyncio = sys.modules.get("asyncio")
    return asyncio is not None and asyncio._get_running_loop() is not None


def no_value(bound: BoundTool, value: Any) -> Misuse:
    """The error for a tool that returned what is still to be run; that is disposed of."""
    name = bound.tool["name"]
    if isinstance(value, CoroutineType):
        value.close()
        return Misuse(
            f"the tool {name!r} returned a coroutine inside a running event loop; use await arun(…)"
        )
    if isinstance(value, GeneratorType):
        value.close()
    return Misuse(
        f"the tool {name!r} is a generator, which cannot be a tool: "
        f"collect the values and return them"
    )


def failed(bound: BoundTool, error: BaseException) -> Err:
    """The answer for what a tool raised; what is not the tool's goes on."""
    if isinstance(error, ToolError):
        return _of("tool_error", str(error), error)
    if isinstance(error, SystemExit):
        code = "" if error.code is None else f": {error.code}"
        return _of("exited", f"the tool exited{code}", error)
    if not isinstance(error, Exception):
        raise error
    import logging

    logging.getLogger("toolcall").error("tool %s raised", bound.where(), exc_info=error)
    return _of("raised", message_of(error), error)


def _of(code: str, message: str, error: BaseException) -> Err:
    return Err((Problem(code, message=message or "the tool failed", exception=error),))


def timed_out(seconds: float) -> Err:
    """The answer for a tool that took too long."""
    return Err((Problem("timeout", message=f"the tool timed out after {seconds:g} seconds"),))
