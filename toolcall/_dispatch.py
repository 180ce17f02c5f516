"""The call itself: `run`, `arun`, `caller`, `run_many`.

What a model sent never raises: the answer is an `Ok` or an `Err`. What the program does
wrong does raise, as a `ToolcallError` that names the next step.

`run` of an async tool starts an event loop, and is misuse inside a running one. `arun`
runs sync tools in a thread, unless the tool says `thread=False`; context variables are
carried over. A tool with a timeout that is not async runs in a thread in both.

The hot path of `run` is two look-ups and the generated call of the tool. It is taken by
calls without settings of tools without settings, once they have been called the other way
and while nobody listens. What it looks up is `_tool.ready`, which is emptied when anything
is marked anew or somebody begins to listen.
"""

from __future__ import annotations

from types import FunctionType, ModuleType

from toolcall import _listeners, _tool
from toolcall._decoder import MAX_DEPTH
from toolcall._fast import call_of
from toolcall._many import run_many as run_many  # noqa: PLC0414 - public here
from toolcall._outcome import answer, failed, late, loop_runs, settled, timed_out
from toolcall._request import Request, injected, is_text, problems_of, read, work_of
from toolcall._signature import signature_of
from toolcall._source import Toolset, resolve
from toolcall._suggest import suggest
from toolcall._threads import TimedOut, in_thread, in_thread_async, within
from toolcall._values import Err, Ok
from toolcall._words import quoted, shown
from toolcall.errors import CallError, Misuse, Problem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Mapping
    from contextlib import AbstractContextManager
    from typing import Any, TypeAlias

    from toolcall._bind import BoundTool
    from toolcall._source import Resolved, Source

    Arguments: TypeAlias = Mapping[str, Any] | str | bytes | bytearray | None


_ready: dict[object, dict[str, Callable[[Any], Ok[Any] | Err]]] = _tool.ready


def _now_ready(source: object, resolved: Resolved, name: str) -> None:
    """Let the next call of a tool take the shortest way, if it may.

    Sources here are modules, classes and functions, which live as long as the program.
    """
    bound = resolved.tools[name]
    options, version = bound.options, _tool.version
    if (
        bound.tool["is_async"]
        or bound.fn is None
        or "whole" in options
        or "timeout" in options
        or signature_of(bound).injected
        or not isinstance(source, (ModuleType, FunctionType, type))
        or resolve(source) is not resolved
    ):
        return
    _ready.setdefault(source, {})[name] = call_of(bound)
    if _listeners.hooks or _tool.version != version:  # another thread was quicker
        _ready.clear()


if TYPE_CHECKING:

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
    ) -> Ok[Any] | Err: ...

else:
    # Seven defaults cost more to fill in than the tool to find. `_run_with` has them.
    def run(source, name, args=None, **settings):
        """Call a tool by name with what a model sent.

        Args:
            source: where the tool is: a module, a class or object with tool methods, a tool
                function, a Toolset, or a list of these.
            name: the tool's name.
            args: a mapping, or JSON text (bytes: UTF-8). None and empty text mean no arguments.
            context: what injected parameters are given.
            lenient: repair numbers, booleans, lists and objects that came as text. None: as the
                Toolset says, else no.
            loads: reads JSON text instead of the standard library (`orjson.loads`). Repeated
                keys are then its own matter.
            timeout: seconds, instead of the tool's own.
            call_id: the vendor's id of the call, for the tool's Context.
            max_depth: how many containers may be nested (100).
            max_size: how many characters of JSON text are read (10,000,000).

        Returns:
            Ok with the tool's value; or Err with all problems, whose `str()` is for the model.

        Raises:
            Misuse: an async tool inside a running event loop; a value to inject is missing.
            ClassNotFound: a class that the arguments are built of cannot be had.
            SchemaNotBuilt, StaleSchema, SidecarError: the tool's schema cannot be used.
        """
        if not settings:
            try:
                call = _ready[source][name]
            except (KeyError, TypeError):  # a source may be a list
                pass
            else:
                return call(args)
        return _run_with(source, name, args, **settings)


def _run_with(
    source: Source,
    name: str,
    args: Arguments,
    *,
    context: object = None,
    lenient: bool | None = None,
    loads: Callable[[Any], Any] | None = None,
    timeout: float | None = None,
    call_id: str | None = None,
    max_depth: int | None = None,
    max_size: int | None = None,
) -> Ok[Any] | Err:
    resolved = resolve(source)
    bound = resolved.tools.get(name) or _found(source, name)
    request = Request(
        context=context,
        call_id=call_id,
        lenient=_is_lenient(source, lenient),
        loads=loads,
        timeout=timeout,
        max_depth=max_depth,
        max_size=max_size,
    )
    if _listeners.hooks:
        return _observed_run(bound, name, args, request)
    if not isinstance(bound, Err):
        _now_ready(source, resolved, name)
    return _run(bound, args, request)


def _is_lenient(source: object, lenient: bool | None) -> bool:
    return (type(source) is Toolset and source.lenient) if lenient is None else lenient


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


def problems(
    source: Source, name: str, args: Arguments, *, lenient: bool | None = None
) -> tuple[Problem, ...]:
    """What is wrong with a call that is not to be made; empty if it would run."""
    bound = resolve(source).tools.get(name) or _found(source, name)
    if isinstance(bound, Err):
        return bound.problems
    return problems_of(bound, args, Request(lenient=_is_lenient(source, lenient)))


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

        if loop_runs():
            raise Misuse(
                f"the tool {bound.tool['name']!r} is async and an event loop is running: "
                f"use await arun(…)"
            )
        return asyncio.run(_arun(bound, args, request))
    work = _work(bound, args, request)
    timeout = _timeout(bound, request)
    if timeout is None:
        return work()
    try:
        return in_thread(work, timeout)
    except TimedOut:
        return timed_out(timeout)


def _work(bound: BoundTool, args: object, request: Request) -> Callable[[], Ok[Any] | Err]:
    """All of a call of a sync tool, ready to run in this thread or another."""
    if not _takes_the_fast_way(bound, request):
        return lambda: _run_by_reference(bound, args, request)
    call = call_of(bound)
    if is_text(args):
        decoded = read(bound, args, request)
        if isinstance(decoded, Err):
            return lambda: decoded
        args, call = decoded, call_of(bound, mode="owned")
    if signature_of(bound).injected:
        given = injected(bound, request.context, request.call_id)
        return lambda: call(args, given)
    return lambda: call(args)


def _takes_the_fast_way(bound: BoundTool, request: Request) -> bool:
    return not (
        request.lenient
        or request.max_depth != MAX_DEPTH
        or bound.fn is None
        or "whole" in bound.options
    )


def _run_by_reference(bound: BoundTool, args: object, request: Request) -> Ok[Any] | Err:
    work = work_of(bound, args, request)
    if isinstance(work, Err):
        return work
    try:
        value = work()
    except BaseException as error:
        return failed(bound, error)
    return settled(bound, value)


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
    request = Request(
        context=context,
        call_id=call_id,
        lenient=_is_lenient(source, lenient),
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
    timeout = _timeout(bound, request)
    try:
        if bound.tool["is_async"]:
            return await within(_awork(bound, args, request), timeout)
        if bound.options.get("thread") is False:
            return await _arun_by_reference(bound, args, request)
        return await in_thread_async(_work(bound, args, request), timeout)
    except TimedOut:
        return timed_out(timeout or 0)


def _awork(bound: BoundTool, args: object, request: Request) -> Coroutine[Any, Any, Ok[Any] | Err]:
    """All of a call of an async tool."""
    if request.loads is not None or not _takes_the_fast_way(bound, request):
        return _arun_by_reference(bound, args, request)
    call = call_of(bound)
    if signature_of(bound).injected:
        made: Coroutine[Any, Any, Ok[Any] | Err] = call(
            args, injected(bound, request.context, request.call_id)
        )
    else:
        made = call(args)
    return made


async def _arun_by_reference(bound: BoundTool, args: object, request: Request) -> Ok[Any] | Err:
    work = work_of(bound, args, request)
    if isinstance(work, Err):
        return work
    try:
        value = await late(work())
    except BaseException as error:
        return failed(bound, error)
    return answer(bound, value)


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
        owned: the arguments are the caller's to give away: where a number must change its
            type, it is changed in the mapping that was passed.
        context: what injected parameters are given, in every call.
        lenient: as for `run`.
        loads: as for `run`.

    Returns:
        A function from arguments (as `run` takes them) to the tool's bare value, that
        raises CallError. For an async tool it is a coroutine function. Hooks do not see
        these calls, and timeouts hold for tools that have one.
    """
    bound = resolve(source).tools.get(name) or _found(source, name)
    if isinstance(bound, Err):
        raise CallError(bound.problems)
    request = Request(context=context, lenient=lenient, loads=loads)
    if not _takes_the_fast_way(bound, request) or "timeout" in bound.options:
        return _settings_caller(bound, request)
    call = call_of(bound, bare=True, mode="owned" if owned else "kept", loads=loads)
    if not signature_of(bound).injected:
        return call
    given = injected(bound, context, None)
    return lambda args=None: call(args, given)


def _settings_caller(bound: BoundTool, request: Request) -> Callable[..., Any]:
    """The caller of a tool, or with settings, that the generated code does not know."""

    async def acall(args: Arguments = None) -> Any:
        return _bare(await _arun(bound, args, request))

    def call(args: Arguments = None) -> Any:
        return _bare(_run(bound, args, request))

    return acall if bound.tool["is_async"] else call


def _bare(answered: Ok[Any] | Err) -> Any:
    """The value of an Ok; an Err is raised."""
    if isinstance(answered, Err):
        raise CallError(answered.problems) from answered.problems[0].exception
    return answered.value
