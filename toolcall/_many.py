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
from types import ModuleType

from toolcall._values import ToolCall

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from concurrent.futures import Executor, Future
    from typing import Any, TypeAlias

    from toolcall._source import Source
    from toolcall._values import Err, Ok

    Call: TypeAlias = ToolCall | tuple[str, Any]

PER_WORKER = 4
"""Calls that may wait for each worker of an executor."""


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
    if executor is None:
        for name, args, own in map(_parts, calls):
            yield run_one(source, name, args, {**settings, **own})
        return
    by_name = Travelling(source)
    limit = window or PER_WORKER * _workers(executor)
    waiting: deque[Future[Ok[Any] | Err]] = deque()
    try:
        for name, args, own in map(_parts, calls):
            waiting.append(executor.submit(run_one, by_name, name, args, {**settings, **own}))
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


class Travelling:
    """A source that is pickled as the name it can be imported under, if it has one."""

    __slots__ = ("source",)

    def __init__(self, source: Source) -> None:
        self.source = source

    def __reduce__(self) -> tuple[Any, ...]:
        source: Any = self.source
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


def _attribute(module: str, qualname: str) -> object:
    found: object = sys.modules[module]
    for name in qualname.split("."):
        found = getattr(found, name, None)
    return found
