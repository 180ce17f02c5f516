"""The call itself: `run`, `arun`, `caller`, `run_many`.

What a model sent never raises: the answer is an `Ok` or an `Err`. What the program does
wrong does raise, as a `ToolcallError` that names the next step.

`run` of an async tool starts an event loop, and is misuse inside a running one. `arun`
runs sync tools in a thread, unless the tool says `thread=False`; context variables are
carried over. A tool with a timeout that is not async runs in a thread in both.
"""

from __future__ import annotations

from toolcall import _listeners
from toolcall._many import run_many as run_many  # noqa: PLC0414 - public here
from toolcall._outcome import UNUSUAL, answer, failed, no_value, timed_out
from toolcall._request import Request, work_of
from toolcall._source import Toolset, resolve
from toolcall._suggest import suggest
from toolcall._threads import TimedOut, in_thread, in_thread_async, within
from toolcall._values import Err, Ok
from toolcall._words import quoted, shown
from toolcall.errors import CallError, Misuse, Problem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from contextlib import AbstractContextManager
    from typing import Any, TypeAlias

    from toolcall._bind import BoundTool
    from toolcall._source import Source

    Arguments: TypeAlias = Mapping[str, Any] | str | bytes | bytearray | None


def run(
    source: Source,
    name: str,
    args: Arguments = None,
    *,
    context: object = None,
    lenient: bool | None = None,
    loads: Callable[[Any], Any] | None = None,
    timeout: float | None = None,
    call_id: str | None = None,
    max_depth: int | None = None,
    max_size: int | None = None,
) -> Ok[Any] | Err:
    """Call a tool by name with what a model sent.

    Args:
        source: where the tool is: a module, a class or object with tool methods, a tool
            function, a Toolset, or a list of these.
        name: the tool's name.
        args: a mapping, or JSON text (bytes: UTF-8). None and empty text mean no arguments.
        context: what injected parameters are given.
        lenient: repair numbers, booleans, lists and objects that came as text. None: as the
            Toolset says, else no.
        loads: reads JSON text instead of the standard library (`orjson.loads`).
        timeout: seconds, instead of the tool's own.
        call_id: the vendor's id of the call, for the tool's Context.
        max_depth: how many containers may be nested (100).
        max_size: how many characters of JSON text are read (10,000,000).

    Returns:
        Ok with the tool's value; or Err with all problems, whose `str()` is for the model.

    Raises:
        Misuse: an async tool inside a running event loop; a value to inject is missing.
        SchemaNotBuilt, StaleSchema, SidecarError: the tool's schema cannot be used.
    """
    bound = resolve(source).tools.get(name) or _found(source, name)
    if lenient is None:
        lenient = type(source) is Toolset and source.lenient
    request = Request(
        context=context,
        call_id=call_id,
        lenient=lenient,
        loads=loads,
        timeout=timeout,
        max_depth=max_depth,
        max_size=max_size,
    )
    if _listeners.hooks:
        return _observed_run(bound, name, args, request)
    return _run(bound, args, request)


def _found(source: Source, name: str) -> BoundTool | Err:
    """A tool that is not found at once; or the problem that there is none of that name."""
    resolved = resolve(source)
    found = resolved.find(name)
    if found is not None:
        return found
    names = list(resolved.tools)
    meant = suggest(name, names)
    hint = f"; did you mean {quoted(meant)}?" if meant else ""
    said = f"there is no tool {shown(name)}{hint}"
    problem = Problem("unknown_tool", "", None, shown(name), said, meant, accepted=names)
    return Err((problem,))


def _observed(
    bound: BoundTool | Err, name: str, args: object, request: Request
) -> AbstractContextManager[Any]:
    """One call under the eyes of the hooks, an unknown tool's as well."""
    from toolcall.telemetry import CallStarted, Observed

    about: dict[str, Any] = {}
    if not isinstance(bound, Err):
        about = {"description": bound.tool.get("doc"), "is_async": bound.tool["is_async"]}
    started = CallStarted(name, args, request.context, request.call_id, **about)
    return Observed(started)


def _observed_run(
    bound: BoundTool | Err, name: str, args: object, request: Request
) -> Ok[Any] | Err:
    with _observed(bound, name, args, request) as observed:
        answered = _run(bound, args, request)
        observed.finished(answered)
    return answered


def _run(bound: BoundTool | Err, args: object, request: Request) -> Ok[Any] | Err:
    if isinstance(bound, Err):
        return bound
    if bound.tool["is_async"]:
        import asyncio

        _no_loop(bound)
        return asyncio.run(_arun(bound, args, request))
    work = work_of(bound, args, request)
    if isinstance(work, Err):
        return work
    timeout = _timeout(bound, request)
    try:
        value = work() if timeout is None else in_thread(work, timeout)
    except TimedOut:
        return timed_out(timeout or 0)
    except BaseException as error:
        return failed(bound, error)
    if type(value) in UNUSUAL and hasattr(value, "__await__"):
        return _run_late(bound, value, request)
    return answer(bound, value)


def _run_late(bound: BoundTool, coroutine: Any, request: Request) -> Ok[Any] | Err:
    """The answer of a tool that only turns out to be async when it is called."""
    import asyncio

    if _loop_runs():
        raise no_value(bound, coroutine)
    return asyncio.run(_awaited(bound, coroutine, _timeout(bound, request)))


def _no_loop(bound: BoundTool) -> None:
    if _loop_runs():
        name = bound.tool["name"]
        raise Misuse(f"the tool {name!r} is async and an event loop is running: use await arun(…)")


def _loop_runs() -> bool:
    import asyncio

    return asyncio._get_running_loop() is not None


def caller(
    source: Source,
    name: str,
    *,
    owned: bool = False,
    context: object = None,
    lenient: bool = False,
    loads: Callable[[Any], Any] | None = None,
) -> Callable[..., Any]:
    """The call of one tool, bound once, for hot loops.

    Args:
        source: as for `run`.
        name: the tool's name. Unknown: CallError at once.
        owned: the arguments are the caller's to give away: where a value must change, it
            is changed in the mapping that was passed.
        context: what injected parameters are given, in every call.
        lenient: as for `run`.
        loads: as for `run`.

    Returns:
        A function from arguments to the tool's bare value (a coroutine function for an
        async tool) that raises CallError. Hooks do not see these calls.
    """
    bound = resolve(source).tools.get(name) or _found(source, name)
    if isinstance(bound, Err):
        raise CallError(bound.problems)
    request = Request(context=context, lenient=lenient, loads=loads)
    if bound.tool["is_async"]:

        async def acall(args: Arguments = None) -> Any:
            return bare(await _arun(bound, args, request))

        return acall

    def call(args: Arguments = None) -> Any:
        return bare(_run(bound, args, request))

    return call


def bare(answered: Ok[Any] | Err) -> Any:
    """The value of an Ok; an Err is raised."""
    if isinstance(answered, Err):
        cause = answered.problems[0].exception if answered.problems else None
        raise CallError(answered.problems) from cause
    return answered.value


def _timeout(bound: BoundTool, request: Request) -> float | None:
    seconds = bound.options.get("timeout") if request.timeout is None else request.timeout
    if seconds is None:
        return None
    if bound.options.get("thread") is False and not bound.tool["is_async"]:
        raise Misuse(
            f"the tool {bound.tool['name']!r} has thread=False and a timeout, which needs a thread"
        )
    return float(seconds)


async def arun(
    source: Source,
    name: str,
    args: Arguments = None,
    *,
    context: object = None,
    lenient: bool | None = None,
    loads: Callable[[Any], Any] | None = None,
    timeout: float | None = None,
    call_id: str | None = None,
    max_depth: int | None = None,
    max_size: int | None = None,
) -> Ok[Any] | Err:
    """`run` for an event loop: awaits async tools, and runs the others in a thread."""
    bound = resolve(source).tools.get(name) or _found(source, name)
    if lenient is None:
        lenient = type(source) is Toolset and source.lenient
    request = Request(
        context=context,
        call_id=call_id,
        lenient=lenient,
        loads=loads,
        timeout=timeout,
        max_depth=max_depth,
        max_size=max_size,
    )
    if _listeners.hooks:
        with _observed(bound, name, args, request) as observed:
            answered = await _arun(bound, args, request)
            observed.finished(answered)
        return answered
    return await _arun(bound, args, request)


async def _arun(bound: BoundTool | Err, args: object, request: Request) -> Ok[Any] | Err:
    if isinstance(bound, Err):
        return bound
    work = work_of(bound, args, request)
    if isinstance(work, Err):
        return work
    timeout = _timeout(bound, request)
    try:
        if bound.tool["is_async"] or bound.options.get("thread") is False:
            value = work()
        else:
            value = await in_thread_async(work, timeout)
    except TimedOut:
        return timed_out(timeout or 0)
    except BaseException as error:
        return failed(bound, error)
    if hasattr(value, "__await__"):
        return await _awaited(bound, value, timeout)
    return answer(bound, value)


async def _awaited(bound: BoundTool, awaitable: Any, timeout: float | None) -> Ok[Any] | Err:
    try:
        value = await within(awaitable, timeout)
    except TimedOut:
        return timed_out(timeout or 0)
    except BaseException as error:
        return failed(bound, error)
    return answer(bound, value)
