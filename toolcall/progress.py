"""How a tool tells how far it is, to whoever called it.

    from toolcall.progress import report

    @tool
    def copy(files: list[str]) -> int:
        for done, file in enumerate(files):
            report(done, len(files), file)
            ...

Whoever runs tools for others puts a listener into this context (`listening`); the server
does, for clients that asked for progress. Without a listener `report` does nothing, so a
tool need not know who calls it. Context variables go along into tasks and into the threads
that tools run in, so it works from wherever the tool's own code is.
"""

from __future__ import annotations

from contextlib import contextmanager
from contextvars import ContextVar

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import TypeAlias

    Listener: TypeAlias = Callable[[float, "float | None", "str | None"], object]

_listener: ContextVar[Listener | None] = ContextVar("toolcall_progress", default=None)


def report(done: float, total: float | None = None, message: str | None = None) -> None:
    """Tell how far the running call is.

    `done` grows from report to report; `total` is what it will be in the end, in the same
    unit, if that is known; `message` is for people. In a call that its client has cancelled
    it raises `asyncio.CancelledError`, so that a tool in a thread ends here, which nothing
    else could make it do.
    """
    listener = _listener.get()
    if listener is not None:
        listener(done, total, message)


@contextmanager
def listening(listener: Listener) -> Iterator[None]:
    """Give the reports of calls that start inside to `listener`; it may be called in threads."""
    token = _listener.set(listener)
    try:
        yield
    finally:
        _listener.reset(token)
