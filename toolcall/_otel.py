"""OpenTelemetry spans for calls and runs, after the semantic conventions for generative AI.

Owns the names of spans and attributes. OpenTelemetry is imported here and nowhere else;
it comes with the extra `otel`, and only its API is needed.

Attributes: gen_ai semantic conventions, "execute tool" and "invoke agent" spans, state of
version 1.38 (2025-11). What they have no name for is under `toolcall.`.

A tool that answers with an error has done its work: the span is not marked as failed,
`error.type` says the code of the first problem.
"""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any

from toolcall.telemetry import (
    CallAborted,
    CallFinished,
    CallStarted,
    Event,
    LoopAborted,
    LoopStarted,
)

try:
    from opentelemetry import trace
except ModuleNotFoundError as missing:  # pragma: no cover -- not with the extra installed
    raise ModuleNotFoundError(
        "OpenTelemetryHook needs OpenTelemetry: pip install 'toolcall-static[otel]'",
        name=missing.name,
    ) from missing

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from opentelemetry.trace import Span, Tracer

CONTEXT_KEY = "otel_attributes"
"""A mapping under this key of a context that is a mapping: further attributes of its spans."""


class OpenTelemetryHook:
    """A span `execute_tool NAME` for every call, current while the tool runs.

    Args:
        tracer: by default that of the global provider, named `toolcall`.
        arguments: whether arguments are recorded.
        results: whether results are recorded.
    """

    __slots__ = ("_arguments", "_results", "_spans", "_tracer")

    def __init__(
        self, tracer: Tracer | None = None, *, arguments: bool = False, results: bool = False
    ) -> None:
        self._tracer = tracer or trace.get_tracer("toolcall")
        self._arguments = arguments
        self._results = results
        self._spans: dict[str, Span] = {}

    def __call__(self, event: Event, /) -> contextlib.AbstractContextManager[Any] | None:
        match event:
            case CallStarted():
                return self._span(event.id, f"execute_tool {event.tool}", self._of_call(event))
            case LoopStarted():
                return self._span(event.id, "invoke_agent", _of_loop(event))
            case CallFinished():
                self._finish(event)
            case CallAborted(call=started) | LoopAborted(loop=started):
                self._abort(started.id, event.exception)
            case finished:
                self._set(finished.loop.id, "toolcall.model_calls", finished.model_calls)
                self._set(finished.loop.id, "toolcall.tool_calls", finished.tool_calls)
        return None

    @contextlib.contextmanager
    def _span(self, key: str, name: str, attributes: dict[str, Any]) -> Iterator[None]:
        with self._tracer.start_as_current_span(
            name,
            kind=trace.SpanKind.INTERNAL,
            attributes=attributes,
            record_exception=False,
            set_status_on_exception=False,
        ) as span:
            self._spans[key] = span
            try:
                yield
            finally:
                self._spans.pop(key, None)

    def _of_call(self, call: CallStarted) -> dict[str, Any]:
        found: dict[str, Any] = {
            "gen_ai.operation.name": "execute_tool",
            "gen_ai.tool.type": "function",
            "gen_ai.tool.name": call.tool,
        }
        if call.call_id:
            found["gen_ai.tool.call.id"] = call.call_id
        if call.description:
            found["gen_ai.tool.description"] = call.description
        if self._arguments and call.arguments is not None:
            found["gen_ai.tool.call.arguments"] = _text(call.arguments)
        return {**_from_context(call.context), **found}

    def _finish(self, event: CallFinished) -> None:
        key = event.call.id
        problems = getattr(event.answer, "problems", ())
        if event.is_error:
            self._set(key, "error.type", problems[0].code if problems else "tool_error")
        if self._results:
            value = str(event.answer) if problems else getattr(event.answer, "value", None)
            self._set(key, "gen_ai.tool.call.result", _text(value))

    def _abort(self, key: str, exception: BaseException) -> None:
        span = self._spans.get(key)
        if span is not None:
            span.record_exception(exception)
            span.set_attribute("error.type", type(exception).__qualname__)
            span.set_status(trace.Status(trace.StatusCode.ERROR))

    def _set(self, key: str, name: str, value: Any) -> None:
        span = self._spans.get(key)
        if span is not None:
            span.set_attribute(name, value)


def _of_loop(loop: LoopStarted) -> dict[str, Any]:
    return {
        **_from_context(loop.context),
        "gen_ai.operation.name": "invoke_agent",
        "toolcall.mode": loop.mode,
        "toolcall.format": loop.format,
        "toolcall.message_count": loop.message_count,
        "toolcall.tools_count": loop.tools_count,
    }


def _from_context(context: object) -> Mapping[str, Any]:
    found = context.get(CONTEXT_KEY) if isinstance(context, dict) else None
    return found if isinstance(found, dict) else {}


def _text(value: object) -> str:
    """A value as JSON text; what is text already stays as it was sent."""
    if isinstance(value, str):
        return value
    import json

    try:
        return json.dumps(value, ensure_ascii=False, default=repr)
    except (ValueError, TypeError, RecursionError):
        return repr(value)
