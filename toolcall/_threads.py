"""Running a tool's function elsewhere: in a thread of its own, for a limited time.

A thread cannot be stopped. Past its time its result is dropped and the answer does not
wait for it; it is a daemon, so that it does not keep the program from ending either.
Context variables are carried into the thread.
"""

from __future__ import annotations

import threading
from contextlib import suppress
from contextvars import copy_context

TYPE_CHECKING = False
if TYPE_CHECKING:
    import asyncio
    from collections.abc import Callable, Coroutine
    from typing import Any, TypeVar

    T = TypeVar("T")


class TimedOut(Exception):
    """The work took longer than it may."""


class _Work:
    """One piece of work in a thread, and what came of it."""

    __slots__ = ("done", "error", "result")

    def __init__(self) -> None:
        self.result: Any = None
        self.error: BaseException | None = None
        self.done: Callable[[], object] = threading.Event().set

    def start(self, work: Callable[[], Any], done: Callable[[], object]) -> None:
        context = copy_context()
        self.done = done

        def target() -> None:
            try:
                self.result = context.run(work)
            except BaseException as error:
                self.error = error
            self.done()

        threading.Thread(target=target, name="toolcall", daemon=True).start()

    def outcome(self) -> Any:
        if self.error is not None:
            raise self.error
        return self.result


def in_thread(work: Callable[[], T], timeout: float) -> T:
    """The result of work in a thread, or what it raised; TimedOut after `timeout` seconds."""
    finished = threading.Event()
    piece = _Work()
    piece.start(work, finished.set)
    if not finished.wait(timeout):
        raise TimedOut
    result: T = piece.outcome()
    return result


async def in_thread_async(work: Callable[[], T], timeout: float | None) -> T:
    """The same for an event loop, which goes on meanwhile."""
    import asyncio

    loop = asyncio.get_running_loop()
    if timeout is None:
        return await asyncio.to_thread(work)
    finished: asyncio.Future[None] = loop.create_future()
    piece = _Work()
    piece.start(work, lambda: _tell(loop, finished))
    await asyncio.wait({finished}, timeout=timeout)
    if not finished.done():
        finished.cancel()
        raise TimedOut
    result: T = piece.outcome()
    return result


def _tell(loop: asyncio.AbstractEventLoop, finished: asyncio.Future[None]) -> None:
    def settle() -> None:
        if not finished.done():
            finished.set_result(None)

    with suppress(RuntimeError):  # the loop may have ended meanwhile: then nobody waits
        loop.call_soon_threadsafe(settle)


async def within(work: Coroutine[Any, Any, T], timeout: float | None) -> T:
    """The result of a coroutine; TimedOut after `timeout` seconds, when it was cancelled.

    Not `asyncio.wait_for`, which cannot tell its own timeout from one that the work raised.
    """
    if timeout is None:
        return await work
    import asyncio

    task = asyncio.ensure_future(work)
    try:
        done, _ = await asyncio.wait({task}, timeout=timeout)
    except asyncio.CancelledError:
        task.cancel()
        await asyncio.wait({task})
        raise
    if done:
        return task.result()
    task.cancel()
    await asyncio.wait({task})
    if not task.cancelled() and task.exception() is None:
        return task.result()  # it finished in the very moment
    raise TimedOut
