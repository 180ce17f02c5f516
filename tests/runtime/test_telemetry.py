"""Telemetry: what hooks see, what they cannot break, and what it costs when none listens."""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import logging
import subprocess
import sys
import threading
import time
from typing import TYPE_CHECKING, Any

import pytest

from toolcall import _listeners, telemetry
from toolcall._dispatch import arun, run
from toolcall._function import Function
from toolcall._respond import execute
from toolcall._values import Err, ToolCall, ToolResult
from toolcall.errors import Misuse, ToolError
from toolcall.telemetry import (
    CallAborted,
    CallFinished,
    CallStarted,
    Event,
    LoggingHook,
    LoopAborted,
    LoopFinished,
    LoopStarted,
    Observed,
    get_hooks,
    listening,
    set_hooks,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from opentelemetry.sdk.trace import ReadableSpan


@pytest.fixture(autouse=True)
def _nobody_listens() -> Iterator[None]:
    yield
    set_hooks()


def tool(body: Callable[..., Any], name: str = "f", **parts: Any) -> Function:
    return Function(name, "Does it.", call=body, **parts)


class Hook:
    """Keeps every event."""

    def __init__(self) -> None:
        self.events: list[Any] = []

    def __call__(self, event: Event) -> None:
        self.events.append(event)

    @property
    def kinds(self) -> list[str]:
        return [type(event).__name__ for event in self.events]


def fail(arguments: object) -> None:
    raise ToolError("no")


# Events


def test_a_call_starts_and_finishes() -> None:
    """The facts of the call are on the first record; the last has the answer and the time."""
    hook = Hook()
    with listening(hook):
        answer = run(tool(len), "f", '{"x": 1}', context="user", call_id="c1")
    started, finished = hook.events
    assert isinstance(started, CallStarted)
    assert (started.tool, started.arguments, started.context) == ("f", '{"x": 1}', "user")
    assert (started.call_id, started.description, started.is_async) == ("c1", "Does it.", False)
    assert abs(started.at - time.time()) < 5
    assert isinstance(finished, CallFinished)
    assert finished.call is started
    assert finished.answer is answer
    assert 0 <= finished.seconds < 5
    assert not finished.is_error


def test_async_calls() -> None:
    async def body(arguments: object) -> int:
        await asyncio.sleep(0)
        return 1

    hook = Hook()
    with listening(hook):
        asyncio.run(arun(tool(body), "f", {}))
        run(tool(body), "f", {})
    assert hook.kinds == ["CallStarted", "CallFinished"] * 2
    assert all(event.is_async for event in hook.events if isinstance(event, CallStarted))
    assert hook.events[0].id != hook.events[2].id


def test_failing_tools_finish() -> None:
    """An error is an answer; it says so on the record."""
    hook = Hook()
    with listening(hook):
        run(tool(fail), "f", {})
        run(tool(len), "f", "[")
        run(tool(len), "g", {})
        run(tool(lambda a: ToolResult("no", is_error=True)), "f", {})
    assert hook.kinds == ["CallStarted", "CallFinished"] * 4
    finished = hook.events[1::2]
    assert all(event.is_error for event in finished)
    assert [getattr(e.answer, "problems", [None])[0] for e in finished][2].code == "unknown_tool"
    assert hook.events[4].description is None


def test_what_is_no_answer_aborts() -> None:
    """A cancelled task or an interrupted program: the exception is on the record and goes on."""

    async def hang(arguments: object) -> None:
        await asyncio.sleep(20)

    async def main() -> None:
        task = asyncio.ensure_future(arun(tool(hang), "f", {}))
        await asyncio.sleep(0.01)
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task

    def interrupt(arguments: object) -> None:
        raise KeyboardInterrupt

    hook = Hook()
    with listening(hook):
        asyncio.run(main())
        with pytest.raises(KeyboardInterrupt):
            run(tool(interrupt), "f", {})
    assert hook.kinds == ["CallStarted", "CallAborted"] * 2
    assert isinstance(hook.events[1], CallAborted)
    assert isinstance(hook.events[1].exception, asyncio.CancelledError)
    assert isinstance(hook.events[3].exception, KeyboardInterrupt)


def test_records_are_frozen() -> None:
    for record in (CallStarted("f"), LoopStarted("step", "openai", 1, 1)):
        with pytest.raises(dataclasses.FrozenInstanceError):
            record.id = "other"  # type: ignore[misc]


# Hooks


def test_registration() -> None:
    """Hooks are added for a block or set for good; the same one may listen twice."""
    one, two = Hook(), Hook()
    assert get_hooks() == ()
    with listening(one, two):
        assert get_hooks() == (one, two)
        with listening(one):
            assert get_hooks() == (one, two, one)
        assert get_hooks() == (two, one)
        set_hooks()
    assert get_hooks() == ()
    set_hooks(one)
    assert get_hooks() == (one,)


def test_context_managers_stay_entered() -> None:
    """What a hook returns for the beginning is entered around the tool, where the tool runs."""
    order: list[object] = []

    @contextlib.contextmanager
    def around(name: str) -> Iterator[None]:
        order.append(f"{name} in")
        try:
            yield
        finally:
            order.append(f"{name} out")

    def hook(name: str) -> Any:
        def listen(event: Event) -> Any:
            order.append(f"{name} {type(event).__name__}")
            return around(name) if isinstance(event, CallStarted) else None

        return listen

    with listening(hook("a"), hook("b")):
        run(tool(lambda a: order.append("tool")), "f", {})
    assert order == [
        "a CallStarted",
        "b CallStarted",
        "a in",
        "b in",
        "tool",
        "a CallFinished",
        "b CallFinished",
        "b out",
        "a out",
    ]


class Broken:
    """A context manager that fails when it is told to."""

    def __init__(self, where: str) -> None:
        self.where = where

    def __enter__(self) -> None:
        if self.where == "enter":
            raise RuntimeError("enter")

    def __exit__(self, *error: object) -> bool:
        if self.where == "exit":
            raise RuntimeError("exit")
        return True


@pytest.mark.parametrize("where", ["start", "finish", "enter", "exit", "nothing"])
def test_hooks_cannot_break_a_call(where: str, caplog: pytest.LogCaptureFixture) -> None:
    """A hook that raises anywhere is logged; the answer and the other hooks stay as they are."""

    def bad(event: Event) -> Any:
        if (where == "start") is isinstance(event, CallStarted) and where in ("start", "finish"):
            raise RuntimeError(where)
        return Broken(where) if isinstance(event, CallStarted) else None

    hook = Hook()
    with listening(bad, hook):
        assert run(tool(len), "f", {}).value == 0  # type: ignore[union-attr]
        with pytest.raises(Misuse):
            run(tool(lambda a: (x for x in ())), "f", {})
    assert hook.kinds == ["CallStarted", "CallFinished", "CallStarted", "CallAborted"]
    assert ("hook" in caplog.text) is (where != "nothing")


def test_hooks_that_leave_by_another_exception() -> None:
    """Only what a program is stopped with gets through."""

    class Stopping(Broken):
        def __exit__(self, *error: object) -> bool:
            raise KeyboardInterrupt

    def stop(event: Event) -> Any:
        return Stopping("exit") if isinstance(event, CallStarted) else None

    with listening(stop), pytest.raises(KeyboardInterrupt):
        run(tool(len), "f", {})


def test_hooks_that_let_the_exception_through() -> None:
    """A context manager that raises what it was given again is no failure of the hook."""

    class Through(Broken):
        def __exit__(self, kind: object, error: BaseException | None, traceback: object) -> bool:
            if error is not None:
                raise error
            return False

    def through(event: Event) -> Any:
        return Through("nothing") if isinstance(event, CallStarted) else None

    with listening(through), pytest.raises(Misuse):
        run(tool(lambda a: (x for x in ())), "f", {})


def test_parallel_calls_are_told_apart() -> None:
    """Twenty calls in threads: each record belongs to its own call."""
    hook = Hook()
    made = [ToolCall(str(n), "f", {"x": n}) for n in range(20)]
    with listening(hook):
        execute(tool(lambda a: a["x"], concurrent=True), made)
    finished = [event for event in hook.events if isinstance(event, CallFinished)]
    assert sorted(int(e.call.call_id or "") for e in finished) == list(range(20))
    assert all(str(e.answer.value) == e.call.call_id for e in finished)  # type: ignore[union-attr]


def test_hooks_set_during_a_call_wait_for_the_next() -> None:
    """A call is watched from beginning to end, or not at all."""
    hook = Hook()
    run(tool(lambda a: set_hooks(hook)), "f", {})
    assert hook.events == []
    with listening(first := Hook()):
        run(tool(lambda a: set_hooks()), "f", {})
    assert first.kinds == ["CallStarted", "CallFinished"]


def test_loops_are_observed_the_same_way() -> None:
    hook = Hook()
    with listening(hook):
        with Observed(LoopStarted("step", "openai", 1, 2)) as observed:
            observed.ended(1, 0, 3)
        with pytest.raises(RuntimeError), Observed(LoopStarted("step", "openai", 1, 2)):
            raise RuntimeError
    assert hook.kinds == ["LoopStarted", "LoopFinished", "LoopStarted", "LoopAborted"]
    finished = hook.events[1]
    assert (finished.model_calls, finished.tool_calls, finished.message_count) == (1, 0, 3)
    assert isinstance(finished, LoopFinished)
    assert isinstance(hook.events[3], LoopAborted)


# Cost


def test_nothing_is_loaded_when_nothing_listens() -> None:
    """Without hooks `run` looks at an empty tuple: telemetry is not even imported."""
    program = (
        "import sys; from toolcall._dispatch import run; from toolcall._function import Function\n"
        "assert run(Function('f', call=len), 'f', {'x': 1}).value == 1\n"
        "assert 'toolcall.telemetry' not in sys.modules and 'uuid' not in sys.modules\n"
        "assert 'toolcall._otel' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
    assert _listeners.hooks == ()


# Logging


def test_logging_hook(caplog: pytest.LogCaptureFixture) -> None:
    """One line for each end of a call with facts to filter by; no values unless asked for."""
    with caplog.at_level(logging.INFO, "toolcall.calls"), listening(LoggingHook()):
        run(tool(len), "f", {"x": "secret"}, call_id="c1")
        run(tool(fail), "f", {"x": "secret"})
    fine, failed = [r for r in caplog.records if r.name == "toolcall.calls"]
    facts = fine.toolcall  # type: ignore[attr-defined]
    assert (fine.levelname, facts["tool"], facts["call_id"], facts["is_error"]) == (
        "INFO",
        "f",
        "c1",
        False,
    )
    assert failed.levelname == "WARNING"
    assert failed.toolcall["problems"] == ["tool_error"]  # type: ignore[attr-defined]
    assert "secret" not in str([vars(record) for record in (fine, failed)])


def test_logging_hook_with_values() -> None:
    logger = logging.getLogger("test.values")
    records: list[Any] = []
    logger.addHandler(handler := logging.Handler())
    handler.emit = records.append  # type: ignore[method-assign]
    logger.setLevel(logging.DEBUG)
    with listening(LoggingHook(logger, level=logging.DEBUG, values=True)):
        run(tool(len), "f", {"x": 1})
    assert records[0].levelname == "DEBUG"
    assert records[0].toolcall["arguments"] == {"x": 1}
    assert records[0].toolcall["answer"].value == 1


def test_logging_of_aborts_and_loops(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, "toolcall.calls"), listening(LoggingHook()):
        with pytest.raises(Misuse):
            run(tool(lambda a: (x for x in ())), "f", {})
        with Observed(LoopStarted("step", "openai", 1, 2)) as observed:
            observed.ended(1, 0, 3)
        with pytest.raises(RuntimeError), Observed(LoopStarted("step", "openai", 1, 2)):
            raise RuntimeError
    texts = [r.getMessage() for r in caplog.records if r.name == "toolcall.calls"]
    assert [text.rpartition(" in ")[0] for text in texts] == [
        "tool f aborted: Misuse",
        "step finished",
        "step aborted: RuntimeError",
    ]


# OpenTelemetry


class Spans:
    """A tracer whose finished spans can be looked at."""

    def __init__(self) -> None:
        export = pytest.importorskip("opentelemetry.sdk.trace.export.in_memory_span_exporter")
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import SimpleSpanProcessor

        self.exporter = export.InMemorySpanExporter()
        provider = TracerProvider()
        provider.add_span_processor(SimpleSpanProcessor(self.exporter))
        self.tracer = provider.get_tracer("test")

    def hook(self, **options: Any) -> Any:
        return telemetry.OpenTelemetryHook(self.tracer, **options)

    @property
    def finished(self) -> tuple[ReadableSpan, ...]:
        return tuple(self.exporter.get_finished_spans())


def attributes(span: ReadableSpan) -> dict[str, Any]:
    return dict(span.attributes or {})


def test_spans() -> None:
    """Named after the tool, internal, with the conventions' attributes and no values."""
    spans = Spans()
    with listening(spans.hook()):
        run(tool(len), "f", {"x": "secret"}, call_id="c1")
        run(Function("g", call=len), "g", {})
    first, second = spans.finished
    assert (first.name, first.kind.name) == ("execute_tool f", "INTERNAL")
    assert attributes(first) == {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.type": "function",
        "gen_ai.tool.name": "f",
        "gen_ai.tool.call.id": "c1",
        "gen_ai.tool.description": "Does it.",
    }
    assert "gen_ai.tool.description" not in attributes(second)
    assert "gen_ai.tool.call.id" not in attributes(second)


def test_values_are_opted_in() -> None:
    spans = Spans()
    with listening(spans.hook(arguments=True, results=True)):
        run(tool(len), "f", {"x": "ü"})
        run(tool(len), "f", '{"x": 1}')
        run(tool(fail), "f", None)
        run(tool(lambda a: {1}), "f", {})
        run(tool(lambda a: {(1, 2): 3}), "f", {})
    found = [attributes(span) for span in spans.finished]
    assert found[0]["gen_ai.tool.call.arguments"] == '{"x": "ü"}'
    assert found[1]["gen_ai.tool.call.arguments"] == '{"x": 1}'
    assert "gen_ai.tool.call.arguments" not in found[2]
    results = [each["gen_ai.tool.call.result"] for each in found]
    assert results == ["1", "1", "no", '"{1}"', "{(1, 2): 3}"]


def test_error_results_do_not_fail_the_span() -> None:
    """The tool did its work; the kind of error is an attribute."""
    spans = Spans()
    with listening(spans.hook()):
        run(tool(fail), "f", {})
        run(tool(lambda a: ToolResult("no", is_error=True)), "f", {})
    for span in spans.finished:
        assert span.status.status_code.name == "UNSET"
        assert attributes(span)["error.type"] == "tool_error"


def test_aborted_spans_fail() -> None:
    spans = Spans()
    with listening(spans.hook()), pytest.raises(Misuse):
        run(tool(lambda a: (x for x in ())), "f", {})
    (span,) = spans.finished
    assert span.status.status_code.name == "ERROR"
    assert attributes(span)["error.type"] == "Misuse"
    assert [event.name for event in span.events] == ["exception"]


def test_attributes_from_the_context() -> None:
    """A program adds its own through the context; it cannot overwrite the conventions'."""
    spans = Spans()
    context = {"otel_attributes": {"tenant": "a", "gen_ai.tool.name": "x"}, "user": "secret"}
    with listening(spans.hook()):
        run(tool(len), "f", {}, context=context)
        run(tool(len), "f", {}, context={"otel_attributes": 3})
    found = attributes(spans.finished[0])
    assert (found["tenant"], found["gen_ai.tool.name"]) == ("a", "f")
    assert "secret" not in str(found)


@pytest.mark.parametrize("concurrent", [False, True])
@pytest.mark.parametrize("timeout", [None, 5])
def test_the_span_is_current_in_the_tool(concurrent: bool, timeout: float | None) -> None:
    """In threads too: spans of the tool are its children, its own the child of the caller's."""
    spans = Spans()
    names: list[str] = []

    def body(arguments: object) -> None:
        names.append(threading.current_thread().name)
        with spans.tracer.start_as_current_span("inner"):
            pass

    made = [ToolCall(str(n), "f", {}) for n in range(3)]
    with spans.tracer.start_as_current_span("outer"), listening(spans.hook()):
        execute(tool(body, concurrent=concurrent, timeout=timeout), made)
    by_name: dict[str, list[ReadableSpan]] = {}
    for span in spans.finished:
        by_name.setdefault(span.name, []).append(span)
    (outer,) = by_name["outer"]
    tools = by_name["execute_tool f"]
    assert outer.context is not None
    assert {s.parent.span_id for s in tools if s.parent} == {outer.context.span_id}
    assert sorted(s.parent.span_id for s in by_name["inner"] if s.parent) == sorted(
        s.context.span_id for s in tools if s.context
    )
    assert len(tools) == 3


def test_loop_spans() -> None:
    spans = Spans()
    with listening(spans.hook()):
        started = LoopStarted("step", "openai", 1, 2, {"otel_attributes": {"tenant": "a"}})
        with Observed(started) as observed:
            run(tool(len), "f", {})
            observed.ended(1, 1, 3)
        with pytest.raises(RuntimeError), Observed(LoopStarted("step", "openai", 1, 2)):
            raise RuntimeError
    call, loop, failed = spans.finished
    assert call.parent is not None
    assert loop.context is not None
    assert call.parent.span_id == loop.context.span_id
    assert attributes(loop) == {
        "tenant": "a",
        "gen_ai.operation.name": "invoke_agent",
        "toolcall.mode": "step",
        "toolcall.format": "openai",
        "toolcall.message_count": 1,
        "toolcall.tools_count": 2,
        "toolcall.model_calls": 1,
        "toolcall.tool_calls": 1,
    }
    assert failed.status.status_code.name == "ERROR"


def test_events_of_unknown_calls_are_passed_over() -> None:
    """A hook that begins to listen in the middle has no span, and says nothing."""
    hook = Spans().hook(results=True)
    started = CallStarted("f")
    hook(CallFinished(started, Err("no"), 0.1))
    hook(CallAborted(started, RuntimeError(), 0.1))


def test_unknown_name() -> None:
    with pytest.raises(AttributeError, match="nothing"):
        telemetry.nothing  # noqa: B018
