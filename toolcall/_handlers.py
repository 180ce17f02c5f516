"""What a program may follow while a conversation runs tools: named moments, in a fixed order.

Owns the names of the moments and their guarded delivery. It must not know when they
happen; `_respond` and `loop` do. Telemetry is for whoever watches all calls of a program,
handlers are for whoever drives one conversation (to show what is going on, to store it).

A handler is any object with some of the methods of `Handlers`. What one returns is
ignored, and one that raises is logged and passed over.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from toolcall.errors import Misuse

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from toolcall import ir
    from toolcall._values import ToolCall, ToolResult

MOMENTS = frozenset(
    {
        "on_tool_call_identified",
        "on_tool_execution_started",
        "on_tool_pre_execution",
        "on_tool_execution_completed",
        "on_tool_execution_failed",
        "on_tool_interrupted",
        "on_message_processed",
        "on_tool_response_created",
        "on_model_message",
        "on_model_error",
        "on_retries_exceeded",
        "on_error",
    }
)


class Handlers:
    """The moments, in the order in which they happen. Subclass it and keep what you need."""

    def on_tool_call_identified(self, call: ToolCall, tool: ir.Tool) -> None:
        """A message calls a tool that exists."""

    def on_tool_execution_started(self, call: ToolCall, tool: ir.Tool) -> None:
        """The tool will run: concurrent ones first, before any of them has begun."""

    def on_tool_pre_execution(self, call: ToolCall, tool: ir.Tool) -> None:
        """The tool runs next, in this very thread or task."""

    def on_tool_execution_completed(self, call: ToolCall, result: ToolResult) -> None:
        """The tool answered. For concurrent ones: after all of them have."""

    def on_tool_execution_failed(self, call: ToolCall, result: ToolResult) -> None:
        """The answer is an error, or a person rejected the call, or there is no such tool."""

    def on_tool_interrupted(self, results: Sequence[ToolResult]) -> None:
        """Some tools want to ask a person first; once for a message."""

    def on_message_processed(self, message: Any) -> None:
        """All calls of the message have their answer."""

    def on_tool_response_created(self, messages: Sequence[Mapping[str, Any]]) -> None:
        """The messages that answer it, in the vendor's form."""

    def on_model_message(self, message: Any) -> None:
        """The model has answered (in a loop only)."""

    def on_model_error(self, error: Exception) -> None:
        """Asking the model has failed; the exception goes on (in a loop only)."""

    def on_retries_exceeded(self, failures: int) -> None:
        """Too many failures one after the other; the run ends (in a loop only)."""

    def on_error(self, error: Exception) -> None:
        """The run has ended with this error; once for a run (in a loop only)."""


def tell(handlers: Sequence[object], moment: str, *facts: Any) -> None:
    """Let every handler that has a method for the moment know."""
    for handler in handlers:
        method = getattr(handler, moment, None)
        if method is None:
            continue
        try:
            method(*facts)
        except Exception:
            import logging

            logging.getLogger("toolcall").exception("%s of a handler failed", moment)


def checked(handlers: Sequence[object]) -> tuple[object, ...]:
    """The handlers, if every method they have for a moment can be called.

    Raises:
        Misuse: a moment is something else, or an `on_` method is none of the moments.
    """
    for handler in handlers:
        for name in dir(handler):
            if name.startswith("on_") and name not in MOMENTS:
                raise Misuse(
                    f"{type(handler).__name__}.{name} is never called; there are: "
                    f"{', '.join(sorted(MOMENTS))}"
                )
            if name in MOMENTS and not callable(getattr(handler, name)):
                raise Misuse(f"{type(handler).__name__}.{name} must be a method")
    return tuple(handlers)
