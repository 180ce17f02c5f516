"""A conversation as a value: messages in a vendor's form, and what follows from them.

Owns the transitions: something was said, the model answered, its calls were answered, an
interrupt was resolved. Each gives a new conversation and has no effect. It must not know
models, limits or how tools are run; messages are opaque but for the calls in them.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal

from toolcall import formats
from toolcall.errors import Misuse

if TYPE_CHECKING:
    from collections.abc import Iterable

    from toolcall._source import Source
    from toolcall._values import ToolCall, ToolResult

    Speaker = Literal["nobody", "program", "model", "tools"]

_MODEL_ROLES = ("assistant", "model")


@dataclass(frozen=True, slots=True, eq=False)
class Conversation:
    """What has been said so far, and by whom last.

    Args:
        source: the tools that the model may call.
        format: the vendor's format; messages are in its form.
        messages: as they are sent to the vendor, in order.
        context: what injected parameters of tools are given. The loop adds nothing to it.
        strict: how tools are offered; see `emit`.

    The rest is worked out: `last` is who spoke last, `pending` the calls that have no
    answer yet, `results` the answers of the last message's calls.
    """

    source: Source
    format: str = "openai"
    messages: tuple[Any, ...] = ()
    context: object = None
    strict: bool | Literal["require"] = False
    last: Speaker = field(init=False, default="nobody")
    pending: tuple[ToolCall, ...] = field(init=False, default=())
    results: tuple[ToolResult, ...] = field(init=False, default=())
    _before_results: int = field(init=False, repr=False, default=0)

    def __post_init__(self) -> None:
        messages = tuple(self.messages)
        object.__setattr__(self, "messages", messages)
        if messages:
            pending = tuple(formats.get(self.format).parse_calls(messages[-1]))
            by_model = bool(pending) or _role(messages[-1]) in _MODEL_ROLES
            object.__setattr__(self, "pending", pending)
            object.__setattr__(self, "last", "model" if by_model else "program")

    @property
    def needs_response(self) -> bool:
        """Whether it is the model's turn, or its calls are waiting."""
        return self.last in ("program", "tools") or bool(self.pending)

    @property
    def interrupts(self) -> tuple[ToolResult, ...]:
        """The last results that wait for a person."""
        return tuple(result for result in self.results if result.is_interrupt)

    @property
    def had_errors(self) -> bool:
        """Whether one of the last results is an error."""
        return any(result.is_error for result in self.results)

    def say(self, *messages: Any) -> Conversation:
        """The program (or its user) says something."""
        return self._with(self.messages + messages, last="program", pending=(), results=())

    def answer(self, message: Any) -> Conversation:
        """The model says something: one message, or a list of the vendor's items."""
        items = tuple(message) if isinstance(message, (list, tuple)) else (message,)
        calls = tuple(formats.get(self.format).parse_calls(message))
        return self._with(self.messages + items, last="model", pending=calls, results=())

    def respond(self, results: Iterable[ToolResult]) -> Conversation:
        """The pending calls have these results, one for each.

        Raises:
            Misuse: there are no pending calls, or not as many.
        """
        given = tuple(results)
        if not self.pending or len(given) != len(self.pending):
            raise Misuse(f"{len(self.pending)} pending calls cannot have {len(given)} results")
        return self._answered(self.messages, given)

    def resolve(self, call_id: str, result: ToolResult) -> Conversation:
        """The result of this call is another one: a person has answered an interrupt.

        Unchanged if the last results have none for the call.
        """
        from toolcall._respond import replace_result

        if all(old.id != call_id for old in self.results):
            return self
        changed = replace_result(self.results, call_id, result)
        return self._answered(self.messages[: self._before_results], tuple(changed))

    def _answered(self, before: tuple[Any, ...], results: tuple[ToolResult, ...]) -> Conversation:
        rendered = tuple(formats.get(self.format).render_results(results))
        made = self._with(before + rendered, last="tools", pending=(), results=results)
        object.__setattr__(made, "_before_results", len(before))
        return made

    def _with(self, messages: tuple[Any, ...], **parts: Any) -> Conversation:
        made = replace(self, messages=())
        for name, value in {"messages": messages, **parts}.items():
            object.__setattr__(made, name, value)
        return made


def _role(message: Any) -> object:
    if isinstance(message, dict):
        return message.get("role")
    return getattr(message, "role", None)
