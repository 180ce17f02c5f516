"""How a run goes on and when it stops, without doing anything itself.

Owns the modes: generators that ask for effects (`Ask` the model, `Execute` calls) and get
their outcome sent in, so that a blocking and an awaiting driver share every decision. It
must not know models, threads or loops.

1. Counters belong to one run and are never in the user's context.
2. A limit is looked at before the effect that would pass it; success on the very last
   allowed call is success.
3. A batch of calls with an error counts as one failure. A clean batch, and an answer of
   the model without calls, forget all failures before.
4. Where calls were interrupted to ask a person, every mode stops.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias, Union

from toolcall.errors import Misuse, ToolcallError

if TYPE_CHECKING:
    from toolcall._conversation import Conversation
    from toolcall._values import ToolCall, ToolResult


@dataclass(frozen=True, slots=True)
class Limits:
    """What one run may use. None is no limit.

    Args:
        failures: batches of calls with an error, one after the other.
        model_calls: how often the model is asked.
        tool_calls: how many calls are run in all.
    """

    failures: int | None = 3
    model_calls: int | None = 25
    tool_calls: int | None = None


class LimitExceeded(ToolcallError):
    """A run was not done when it reached a limit.

    `limit` is the name of the limit, `count` and `maximum` how far it went, `conversation`
    everything up to there: nothing that was said or done is lost.
    """

    def __init__(self, limit: str, count: int, maximum: int, conversation: Conversation) -> None:
        super().__init__(f"the run stopped at its limit of {limit}: {count} of {maximum}")
        self.limit = limit
        self.count = count
        self.maximum = maximum
        self.conversation = conversation


@dataclass(frozen=True, slots=True, eq=False)
class Outcome:
    """What a run came to.

    Args:
        conversation: as it is now.
        exchanged: the messages of this run only.
        model_calls: how often the model was asked in it.
        tool_calls: how many calls were run in it.
        failures: batches with an error at the end of it, one after the other.
        result: the result that the run was for: of the tool that was waited for, or the
            first of the last batch. None if the model has finished without a tool.
    """

    conversation: Conversation
    exchanged: tuple[Any, ...]
    model_calls: int
    tool_calls: int
    failures: int
    result: ToolResult | None = None

    @property
    def value(self) -> Any:
        """The native value that the result's tool kept for the program."""
        return None if self.result is None else self.result.processed

    @property
    def interrupts(self) -> tuple[ToolResult, ...]:
        """The results that wait for a person; the run stopped for them."""
        return self.conversation.interrupts


@dataclass(frozen=True, slots=True)
class Ask:
    """Ask the model; its message is sent in."""

    conversation: Conversation


@dataclass(frozen=True, slots=True)
class Execute:
    """Run these calls; their results are sent in."""

    conversation: Conversation
    calls: tuple[ToolCall, ...]


Effects: TypeAlias = Generator[Union[Ask, Execute], Any, None]


class Run:
    """One run in progress: the conversation, the counters, and the two steps there are."""

    __slots__ = (
        "_before",
        "conversation",
        "failures",
        "limits",
        "model_calls",
        "result",
        "tool_calls",
    )

    def __init__(self, conversation: Conversation, limits: Limits) -> None:
        self.conversation = conversation
        self.limits = limits
        self.model_calls = 0
        self.tool_calls = 0
        self.failures = 0
        self.result: ToolResult | None = None
        self._before = len(conversation.messages)

    def outcome(self) -> Outcome:
        """What it has come to."""
        exchanged = self.conversation.messages[self._before :]
        counts = (self.model_calls, self.tool_calls, self.failures)
        return Outcome(self.conversation, exchanged, *counts, self.result)

    def ask(self) -> Effects:
        """The model's turn."""
        self.check_failures()
        self._check("model_calls", self.model_calls, 1)
        self.model_calls += 1
        message = yield Ask(self.conversation)
        self.conversation = self.conversation.answer(message)
        if not self.conversation.pending:
            self.failures = 0

    def execute(self) -> Effects:
        """The pending calls, if there are any."""
        calls = self.conversation.pending
        if not calls:
            return
        self._check("tool_calls", self.tool_calls, len(calls))
        self.tool_calls += len(calls)
        results = yield Execute(self.conversation, calls)
        self.conversation = self.conversation.respond(results)
        self.failures = self.failures + 1 if self.conversation.had_errors else 0

    def check_failures(self) -> None:
        """Stop where too many batches have failed one after the other."""
        maximum = self.limits.failures
        if maximum is not None and self.failures >= maximum:
            raise LimitExceeded("failures", self.failures, maximum, self.conversation)

    def _check(self, name: str, count: int, more: int) -> None:
        maximum = getattr(self.limits, name)
        if maximum is not None and count + more > maximum:
            raise LimitExceeded(name, count, maximum, self.conversation)


Mode: TypeAlias = Callable[[Run], Effects]


def step(should_continue: Callable[[Conversation], bool] | None) -> Mode:
    """One step: the pending calls or, if there are none, the model."""

    def mode(run: Run) -> Effects:
        while True:
            yield from run.execute() if run.conversation.pending else run.ask()
            done = should_continue is None or run.conversation.interrupts
            if done or not should_continue(run.conversation):  # type: ignore[misc]
                return

    return mode


def while_needs_response(run: Run) -> Effects:
    """Until the model answers without calling a tool."""
    while run.conversation.needs_response:
        yield from run.execute()
        if run.conversation.interrupts:
            return
        yield from run.ask()


def until_success(run: Run) -> Effects:
    """Until a batch of calls has no error, or the model answers without calling a tool."""
    while True:
        yield from run.execute()
        conversation = run.conversation
        if conversation.last == "tools":
            waiting = conversation.interrupts
            if waiting or not conversation.had_errors:
                run.result = (waiting or conversation.results)[0]
                return
        if conversation.last == "model":
            return
        yield from run.ask()


def until_tool_used(names: Sequence[str], known: Sequence[str]) -> Mode:
    """Until one of these tools was called, whatever it answered.

    Raises:
        Misuse: no such tool, or no names at all.
    """
    from toolcall.formats._names import original

    missing = [name for name in names if name not in known]
    if missing or not names:
        wanted = ", ".join(map(repr, missing)) or "no name at all"
        raise Misuse(f"there is no tool {wanted} to wait for; there are: {', '.join(known)}")

    def mode(run: Run) -> Effects:
        while True:
            yield from run.execute()
            results = run.conversation.results
            found = [r for r in results if original(r.name or "", known) in names]
            if found:
                run.result = found[0]
                return
            if run.conversation.interrupts or not run.conversation.needs_response:
                return
            yield from run.ask()

    return mode
