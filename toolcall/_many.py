"""A stream of calls over an executor: answers in the order of the calls, memory bounded.

Any `concurrent.futures.Executor` will do. A source goes to another process by the name it
can be imported under, so that a process pool works out of the box; what has no such name
(a Toolset, an instance) is pickled.

Not more than a window of calls is ever waiting, however long the stream is, and nothing
is drawn from it before it is needed.
"""

from __future__ import annotations

import sys
from collections import deque
from itertools import islice
from types import ModuleType

from toolcall._values import ToolCall

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from concurrent.futures import Executor, Future
    from typing import Any, TypeAlias, TypeVar

    from toolcall._source import Source
    from toolcall._values import Err, Ok
    from toolcall.errors import Problem

    T = TypeVar("T")
    Call: TypeAlias = ToolCall | tuple[str, Any]

PER_WORKER = 4
"""Calls that may wait for each worker of an executor."""

BATCH = 100
"""Calls that go to an executor together where they are only looked at."""


def run_many(
    source: Source,
    calls: Iterable[Call],
    executor: Executor | None = None,
    *,
    window: int | None = None,
    **settings: Any,
) -> Iterator[Ok[Any] | Err]:
    """Run a stream of calls; yield their answers in order.

    Args:
        source: as for `run`.
        calls: `ToolCall`s, or pairs of name and arguments. Any iterable, also an endless one.
        executor: where the calls run; None for here, one after the other.
        window: how many calls may be under way at once; by default four a worker.
        settings: keywords of `run`, the same for every call. They travel with each call.
    """
    work = ((source, name, args, {**settings, **own}) for name, args, own in map(_parts, calls))
    return _stream(run_one, work, executor, window)


def check_many(
    source: Source,
    calls: Iterable[Call],
    executor: Executor | None = None,
    *,
    window: int | None = None,
    lenient: bool | None = None,
) -> Iterator[tuple[Problem, ...]]:
    """What is wrong with each call of a stream, in order; nothing is run.

    As `run_many`, but that calls go to an executor by the hundred: to look at one is
    quicker than to send it.
    """
    rest = map(_parts, calls)
    batches = iter(lambda: [(name, args) for name, args, _ in islice(rest, BATCH)], [])
    work = ((source, batch, lenient) for batch in batches)
    for found in _stream(_check, work, executor, window):
        yield from found


def _stream(
    do: Callable[..., T],
    work: Iterable[tuple[Any, ...]],
    executor: Executor | None,
    window: int | None,
) -> Iterator[T]:
    """Do each piece of work, given by a source and more arguments; the answers in order."""
    if executor is None:
        yield from (do(*piece) for piece in work)
        return
    limit = window or PER_WORKER * _workers(executor)
    waiting: deque[Future[T]] = deque()
    try:
        for source, *more in work:
            waiting.append(executor.submit(do, Travelling(source), *more))
            if len(waiting) >= limit:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        for future in waiting:
            future.cancel()


def _parts(call: Call) -> tuple[str, Any, dict[str, Any]]:
    if isinstance(call, ToolCall):
        return call.name, call.arguments, {} if call.id is None else {"call_id": call.id}
    name, args = call
    return name, args, {}


def _workers(executor: Executor) -> int:
    import os

    return getattr(executor, "_max_workers", None) or os.cpu_count() or 1


def run_one(source: Any, name: str, args: Any, settings: dict[str, Any]) -> Ok[Any] | Err:
    """One call of a stream, wherever it runs."""
    from toolcall._dispatch import run

    source = source.source if isinstance(source, Travelling) else source
    return run(source, name, args, **settings)


def _check(
    source: Any, calls: list[tuple[str, Any]], lenient: bool | None
) -> list[tuple[Problem, ...]]:
    """The problems of some calls of a stream, wherever they are looked at."""
    from toolcall._dispatch import problems

    source = source.source if isinstance(source, Travelling) else source
    return [problems(source, name, args, lenient=lenient) for name, args in calls]


class Travelling:
    """A source that is pickled as the name it can be imported under, if it has one.

    So are the sources in a list, each by its own name.
    """

    __slots__ = ("source",)

    def __init__(self, source: Source) -> None:
        self.source = source

    def __reduce__(self) -> tuple[Any, ...]:
        source: Any = self.source
        if isinstance(source, (list, tuple)):
            return _imported_all, (tuple(map(Travelling, source)),)
        if isinstance(source, ModuleType):
            return _imported, (source.__name__, "")
        module, qualname = getattr(source, "__module__", None), getattr(source, "__qualname__", "")
        if module in sys.modules and _attribute(module, qualname) is source:
            return _imported, (module, qualname)
        return Travelling, (source,)


def _imported(module: str, qualname: str) -> Travelling:
    from importlib import import_module

    found = import_module(module)
    return Travelling(_attribute(module, qualname) if qualname else found)


def _imported_all(found: tuple[Travelling, ...]) -> Travelling:
    return Travelling([one.source for one in found])


def _attribute(module: str, qualname: str) -> object:
    found: object = sys.modules[module]
    for name in qualname.split("."):
        found = getattr(found, name, None)
    return found
