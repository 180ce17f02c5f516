"""Who listens to calls: one tuple, empty in most programs.

Owns the tuple and the guarded delivery of events. It must not know what events say; the
records are in `telemetry`. It imports nothing, so that `run` can look at `hooks` for the
price of one attribute, outside of anything that is compiled for speed.

A hook that raises is logged and passed over: watching a call never changes its outcome.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from contextlib import AbstractContextManager
    from types import TracebackType
    from typing import Any

    from typing_extensions import Self

    from toolcall.telemetry import Event, Hook

hooks: tuple[Hook, ...] = ()
"""The hooks in the order of their registration. Replaced, never changed in place."""


def deliver(event: Event, listeners: Iterable[Hook]) -> list[AbstractContextManager[Any]]:
    """Give an event to every hook; what they return as context managers comes back."""
    found = []
    for hook in listeners:
        try:
            answer = hook(event)
        except Exception:
            _log(hook, event)
            continue
        if answer is not None:
            found.append(answer)
    return found


class Entered:
    """Context managers of hooks, entered in order and left in reverse, each for itself."""

    __slots__ = ("_event", "_managers", "_open")

    def __init__(self, managers: Iterable[AbstractContextManager[Any]], event: Event) -> None:
        self._managers = managers
        self._event = event
        self._open: list[AbstractContextManager[Any]] = []

    def __enter__(self) -> Self:
        for manager in self._managers:
            try:
                manager.__enter__()
            except Exception:
                _log(manager, self._event)
            else:
                self._open.append(manager)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Leave them all. A manager that wants to swallow the exception cannot."""
        for manager in reversed(self._open):
            try:
                manager.__exit__(kind, error, traceback)
            except BaseException as raised:
                # contextlib raises what it was given; that goes on by itself.
                if raised is not error:
                    _log(manager, self._event)
                    if not isinstance(raised, Exception):
                        raise


def _log(hook: object, event: Event) -> None:
    import logging

    name = getattr(hook, "__qualname__", type(hook).__qualname__)
    logging.getLogger("toolcall").exception("hook %s failed on %s", name, type(event).__name__)
