"""What happens to calls, for whoever wants to know: event records and hooks.

Owns the records, the protocol of a hook, the registration, and two hooks: OpenTelemetry
and logging. It must not know how calls are run.

1. One protocol: a hook is called with every event. For an event that begins something it
   may return a context manager, which stays entered in the thread or task that does it.
2. Records are frozen. They carry arguments and results, since a hook may have good use of
   them; the hooks here pass them on only when asked to.
3. A failing tool is an answer like any other: it finishes. Only what is not an answer
   (a cancelled task, an interrupted program) aborts.
4. A hook that raises is logged and changes nothing.
5. Nothing listens, nothing costs: `run` looks at an empty tuple.
"""

from __future__ import annotations

import contextlib
import threading
import time
import uuid
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, Union

from toolcall import _listeners, _tool
from toolcall._values import Err

if TYPE_CHECKING:
    import logging as stdlib_logging
    from collections.abc import Iterator
    from types import TracebackType

    from typing_extensions import Self

    from toolcall._values import Ok

__all__ = [
    "CallAborted",
    "CallFinished",
    "CallStarted",
    "Event",
    "Hook",
    "LoggingHook",
    "LoopAborted",
    "LoopFinished",
    "LoopStarted",
    "OpenTelemetryHook",
    "get_hooks",
    "listening",
    "set_hooks",
]


def _new_id() -> str:
    return uuid.uuid4().hex


@dataclass(frozen=True, slots=True, eq=False)
class CallStarted:
    """A call is about to run.

    Args:
        tool: the name it was called by, known or not.
        arguments: as they were sent, JSON text or decoded.
        context: the program's own, as it was given.
        call_id: the vendor's id of the call.
        description: what the model reads about the tool; None for an unknown one.
        is_async: whether the tool is.
        id: tells calls apart; the same on all events of this call.
        at: seconds since the epoch.
    """

    tool: str
    arguments: object = None
    context: object = None
    call_id: str | None = None
    description: str | None = None
    is_async: bool = False
    id: str = field(default_factory=_new_id)
    at: float = field(default_factory=time.time)


@dataclass(frozen=True, slots=True, eq=False)
class CallFinished:
    """A call has its answer, be it an error. `seconds` is how long it took."""

    call: CallStarted
    answer: Ok[Any] | Err
    seconds: float

    @property
    def is_error(self) -> bool:
        """Whether the model gets an error."""
        return isinstance(self.answer, Err) or bool(getattr(self.answer.value, "is_error", False))


@dataclass(frozen=True, slots=True, eq=False)
class CallAborted:
    """A call ended without an answer. `exception` goes on to the program."""

    call: CallStarted
    exception: BaseException
    seconds: float


@dataclass(frozen=True, slots=True, eq=False)
class LoopStarted:
    """A run of a conversation begins. Messages are counted, not shown."""

    mode: str
    format: str
    message_count: int
    tools_count: int
    context: object = None
    id: str = field(default_factory=_new_id)
    at: float = field(default_factory=time.time)


@dataclass(frozen=True, slots=True, eq=False)
class LoopFinished:
    """A run has ended by itself: how many times the model and tools were called in it."""

    loop: LoopStarted
    model_calls: int
    tool_calls: int
    message_count: int
    seconds: float


@dataclass(frozen=True, slots=True, eq=False)
class LoopAborted:
    """A run has ended with an exception, which may be one of its limits."""

    loop: LoopStarted
    exception: BaseException
    seconds: float


Event: TypeAlias = Union[
    CallStarted, CallFinished, CallAborted, LoopStarted, LoopFinished, LoopAborted
]


class Hook(Protocol):
    """Called with every event, in the thread or task where it happens.

    For `CallStarted` and `LoopStarted` it may return a context manager, which is entered
    before the work and left after the event that ends it.
    """

    def __call__(self, event: Event, /) -> contextlib.AbstractContextManager[Any] | None: ...


_changing = threading.Lock()


def get_hooks() -> tuple[Hook, ...]:
    """The hooks that listen, in order."""
    return _listeners.hooks


def set_hooks(*hooks: Hook) -> None:
    """Let these hooks listen, and no others. Without any, nothing listens."""
    with _changing:
        _replace(hooks)


@contextlib.contextmanager
def listening(*hooks: Hook) -> Iterator[None]:
    """Let these hooks listen as well, for the length of a `with` block."""
    with _changing:
        _replace((*_listeners.hooks, *hooks))
    try:
        yield
    finally:
        with _changing:
            rest = list(_listeners.hooks)
            for hook in hooks:
                if hook in rest:
                    rest.remove(hook)
            _replace(tuple(rest))


def _replace(hooks: tuple[Hook, ...]) -> None:
    """Let these listen. `run` looks for hooks only where no call is ready to be made."""
    _listeners.hooks = hooks
    _tool.ready.clear()


class Observed:
    """One call or run under the eyes of the hooks; used by whoever runs it.

    with Observed(CallStarted(…)) as observed:
        answer = …
        observed.finished(answer)
    """

    __slots__ = ("_begun", "_entered", "_hooks", "_started")

    def __init__(self, started: CallStarted | LoopStarted) -> None:
        self._started = started
        self._hooks = _listeners.hooks

    def __enter__(self) -> Self:
        managers = _listeners.deliver(self._started, self._hooks)
        self._entered = _listeners.Entered(managers, self._started)
        self._entered.__enter__()
        self._begun = time.perf_counter()
        return self

    def finished(self, answer: Ok[Any] | Err) -> None:
        """The call has its answer."""
        assert isinstance(self._started, CallStarted)
        _listeners.deliver(CallFinished(self._started, answer, self.seconds), self._hooks)

    def ended(self, model_calls: int, tool_calls: int, message_count: int) -> None:
        """The run is over."""
        assert isinstance(self._started, LoopStarted)
        event = LoopFinished(self._started, model_calls, tool_calls, message_count, self.seconds)
        _listeners.deliver(event, self._hooks)

    @property
    def seconds(self) -> float:
        """How long it has taken so far."""
        return time.perf_counter() - self._begun

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if error is not None:
            match self._started:
                case CallStarted() as call:
                    event: Event = CallAborted(call, error, self.seconds)
                case loop:
                    event = LoopAborted(loop, error, self.seconds)
            _listeners.deliver(event, self._hooks)
        self._entered.__exit__(kind, error, traceback)


class LoggingHook:
    """Writes one line for the end of every call and run, with its facts as `extra`.

    Args:
        logger: where to; by default the logger `toolcall.calls`.
        level: of answers that are no errors; errors are warnings.
        values: whether arguments and results are in the facts as well.
    """

    __slots__ = ("_level", "_logger", "_values")

    def __init__(
        self,
        logger: stdlib_logging.Logger | None = None,
        *,
        level: int = 20,
        values: bool = False,
    ) -> None:
        import logging

        self._logger = logger or logging.getLogger("toolcall.calls")
        self._level = level
        self._values = values

    def __call__(self, event: Event, /) -> None:
        match event:
            case CallFinished():
                self._finished(event)
            case CallAborted(call=call):
                facts = {**self._facts(call), "seconds": event.seconds}
                self._write(
                    30, f"tool {call.tool} aborted: {type(event.exception).__name__}", facts
                )
            case LoopFinished(loop=loop):
                facts = {"mode": loop.mode, "model_calls": event.model_calls}
                facts |= {"tool_calls": event.tool_calls, "seconds": event.seconds}
                self._write(self._level, f"{loop.mode} finished", facts)
            case LoopAborted(loop=loop):
                facts = {"mode": loop.mode, "seconds": event.seconds}
                self._write(30, f"{loop.mode} aborted: {type(event.exception).__name__}", facts)
            case _:
                pass

    def _finished(self, event: CallFinished) -> None:
        facts = {**self._facts(event.call), "seconds": event.seconds, "is_error": event.is_error}
        codes = [problem.code for problem in getattr(event.answer, "problems", ())]
        if codes:
            facts["problems"] = codes
        if self._values:
            facts["answer"] = event.answer
        how = "answered with an error" if event.is_error else "finished"
        self._write(30 if event.is_error else self._level, f"tool {event.call.tool} {how}", facts)

    def _facts(self, call: CallStarted) -> dict[str, object]:
        facts: dict[str, object] = {"tool": call.tool, "call_id": call.call_id, "id": call.id}
        if self._values:
            facts["arguments"] = call.arguments
        return facts

    def _write(self, level: int, text: str, facts: dict[str, Any]) -> None:
        self._logger.log(level, "%s in %.3f s", text, facts["seconds"], extra={"toolcall": facts})


def __getattr__(name: str) -> Any:
    if name == "OpenTelemetryHook":
        from toolcall._otel import OpenTelemetryHook

        return OpenTelemetryHook
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


if TYPE_CHECKING:
    from toolcall._otel import OpenTelemetryHook
