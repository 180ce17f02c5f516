"""Driving a conversation: the model is asked, its tools are run, until a run is over.

Owns the drivers, blocking and for an event loop. The model is a callable of the program's:
it gets the messages and the tools as the vendor wants them and returns the vendor's
assistant message. There is no client, no prompt and no agent in here.

    def model(messages, tools):
        response = client.chat.completions.create(model=…, messages=messages, tools=tools)
        return response.choices[0].message.model_dump(exclude_none=True)

    conversation = Conversation(my_app.weather).say({"role": "user", "content": "Rain?"})
    outcome = while_needs_response(conversation, model)

| mode | ends when |
|---|---|
| `step` | the pending calls were run or, if there were none, the model was asked, once |
| `while_needs_response` | the model answers without calling a tool |
| `until_success` | a batch of calls had no error; `outcome.value` is the first one's native value |
| `until_tool_used` | one of the named tools was called; `outcome.result` is its result |

Every run is bounded by its `Limits`; `LimitExceeded` says which one and has the
conversation. What a model callable raises goes on as it is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from toolcall import _listeners, _modes
from toolcall._conversation import Conversation
from toolcall._emit import emit, tool_names
from toolcall._handlers import Handlers, checked, tell
from toolcall._modes import Ask, Effects, Execute, LimitExceeded, Limits, Mode, Outcome, Run
from toolcall._respond import aexecute, execute
from toolcall.errors import Misuse

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence
    from typing import Protocol, TypeAlias

    from toolcall._values import ToolResult

    Model: TypeAlias = Callable[[list[Any], list[dict[str, Any]]], Any]
    AsyncModel: TypeAlias = Callable[[list[Any], list[dict[str, Any]]], Awaitable[Any] | Any]

    class Observer(Protocol):
        def ended(self, model_calls: int, tool_calls: int, message_count: int) -> None: ...


__all__ = [
    "Conversation",
    "Handlers",
    "LimitExceeded",
    "Limits",
    "Outcome",
    "astep",
    "auntil_success",
    "auntil_tool_used",
    "awhile_needs_response",
    "step",
    "until_success",
    "until_tool_used",
    "while_needs_response",
]


class _Driver:
    """What both drivers do alike around the effects of one run."""

    __slots__ = ("handlers", "name", "options", "run")

    def __init__(
        self,
        name: str,
        conversation: Conversation,
        *,
        limits: Limits | None = None,
        handlers: Sequence[object] = (),
        timeout: float | None = None,
        lenient: bool | None = None,
    ) -> None:
        self.name = name
        self.run = Run(conversation, limits or Limits())
        self.handlers = checked(handlers)
        self.options: dict[str, Any] = {
            "context": conversation.context,
            "handlers": self.handlers,
            "timeout": timeout,
            "lenient": lenient,
        }

    def offered(self, conversation: Conversation) -> list[dict[str, Any]]:
        """The tools as the vendor wants them."""
        vendor: Any = conversation.format
        return emit(conversation.source, vendor, strict=conversation.strict)

    def answered(self, message: Any) -> Any:
        tell(self.handlers, "on_model_message", message)
        return message

    def executed(self, effect: Execute, results: list[ToolResult]) -> list[ToolResult]:
        after = effect.conversation.respond(results)
        tell(self.handlers, "on_message_processed", effect.conversation.messages[-1])
        new = after.messages[len(effect.conversation.messages) :]
        tell(self.handlers, "on_tool_response_created", new)
        return results

    def failed(self, error: Exception) -> None:
        if isinstance(error, LimitExceeded) and error.limit == "failures":
            tell(self.handlers, "on_retries_exceeded", error.count)
        tell(self.handlers, "on_error", error)

    def observed(self) -> Any:
        """The run under the eyes of the hooks, or unwatched where nobody listens."""
        if not _listeners.hooks:
            return _Unobserved()
        from toolcall.telemetry import LoopStarted, Observed

        at = self.run.conversation
        tools = len(tool_names(at.source))
        counts = (len(at.messages), tools)
        return Observed(LoopStarted(self.name, at.format, *counts, at.context))

    def ended(self, observer: Observer) -> Outcome:
        run = self.run
        observer.ended(run.model_calls, run.tool_calls, len(run.conversation.messages))
        return run.outcome()


class _Unobserved:
    __slots__ = ()

    def __enter__(self) -> _Unobserved:
        return self

    def __exit__(self, *error: object) -> None:
        pass

    def ended(self, model_calls: int, tool_calls: int, message_count: int) -> None:
        pass


def _drive(driver: _Driver, mode: Mode, model: Model) -> Outcome:
    with driver.observed() as observer:
        try:
            _perform(driver, mode(driver.run), model)
        except Exception as error:
            driver.failed(error)
            raise
        return driver.ended(observer)


def _perform(driver: _Driver, effects: Effects, model: Model) -> None:
    outcome: Any = None
    while True:
        try:
            effect = effects.send(outcome)
        except StopIteration:
            return
        source = effect.conversation.source
        if isinstance(effect, Ask):
            outcome = driver.answered(_asked(driver, effect.conversation, model))
        else:
            results = execute(source, effect.calls, **driver.options)
            outcome = driver.executed(effect, results)


def _asked(driver: _Driver, conversation: Conversation, model: Model) -> Any:
    try:
        message = model(list(conversation.messages), driver.offered(conversation))
    except Exception as error:
        tell(driver.handlers, "on_model_error", error)
        raise
    if hasattr(message, "__await__"):
        getattr(message, "close", lambda: None)()  # a coroutine that nobody will await
        raise Misuse("the model callable is async: use the async drivers (astep, …)")
    return message


async def _adrive(driver: _Driver, mode: Mode, model: AsyncModel) -> Outcome:
    with driver.observed() as observer:
        try:
            await _aperform(driver, mode(driver.run), model)
        except Exception as error:
            driver.failed(error)
            raise
        return driver.ended(observer)


async def _aperform(driver: _Driver, effects: Effects, model: AsyncModel) -> None:
    outcome: Any = None
    while True:
        try:
            effect = effects.send(outcome)
        except StopIteration:
            return
        source = effect.conversation.source
        if isinstance(effect, Ask):
            outcome = driver.answered(await _aasked(driver, effect.conversation, model))
        else:
            results = await aexecute(source, effect.calls, **driver.options)
            outcome = driver.executed(effect, results)


async def _aasked(driver: _Driver, conversation: Conversation, model: AsyncModel) -> Any:
    try:
        message = model(list(conversation.messages), driver.offered(conversation))
        return await message if hasattr(message, "__await__") else message
    except Exception as error:
        tell(driver.handlers, "on_model_error", error)
        raise


def step(
    conversation: Conversation,
    model: Model,
    *,
    should_continue: Callable[[Conversation], bool] | None = None,
    **options: Any,
) -> Outcome:
    """Run the pending calls or, if there are none, ask the model; once.

    Args:
        conversation: where to go on.
        model: gets messages and tools, returns the assistant message.
        should_continue: asked after each step; while it says so there is another one.
        options: `limits`, `handlers`, `timeout` (seconds for each call), `lenient`.

    Raises:
        LimitExceeded: a limit of the run was reached.
    """
    return _drive(_Driver("step", conversation, **options), _modes.step(should_continue), model)


def while_needs_response(conversation: Conversation, model: Model, **options: Any) -> Outcome:
    """Run tools and ask the model until it answers without calling one. See `step`."""
    driver = _Driver("while_needs_response", conversation, **options)
    return _drive(driver, _modes.while_needs_response, model)


def until_success(conversation: Conversation, model: Model, **options: Any) -> Outcome:
    """Ask the model until its calls have no error, showing it what was wrong. See `step`.

    A clean result is not shown to the model any more; an answer without calls ends the run
    too, with no result. Nothing is asked where the conversation is there already.
    """
    driver = _Driver("until_success", conversation, **options)
    return _drive(driver, _modes.until_success, model)


def until_tool_used(
    conversation: Conversation, model: Model, names: str | Sequence[str], **options: Any
) -> Outcome:
    """Run tools and ask the model until one of the named tools was called. See `step`.

    An error of that tool ends the run as well. `outcome.result` is None where the model
    finished without it.

    Raises:
        Misuse: there is no tool of one of the names. Nothing was asked.
    """
    mode = _modes.until_tool_used(*_names(conversation, names))
    return _drive(_Driver("until_tool_used", conversation, **options), mode, model)


async def astep(
    conversation: Conversation,
    model: AsyncModel,
    *,
    should_continue: Callable[[Conversation], bool] | None = None,
    **options: Any,
) -> Outcome:
    """`step` for an event loop; the model may be async."""
    driver = _Driver("step", conversation, **options)
    return await _adrive(driver, _modes.step(should_continue), model)


async def awhile_needs_response(
    conversation: Conversation, model: AsyncModel, **options: Any
) -> Outcome:
    """`while_needs_response` for an event loop."""
    driver = _Driver("while_needs_response", conversation, **options)
    return await _adrive(driver, _modes.while_needs_response, model)


async def auntil_success(conversation: Conversation, model: AsyncModel, **options: Any) -> Outcome:
    """`until_success` for an event loop."""
    driver = _Driver("until_success", conversation, **options)
    return await _adrive(driver, _modes.until_success, model)


async def auntil_tool_used(
    conversation: Conversation, model: AsyncModel, names: str | Sequence[str], **options: Any
) -> Outcome:
    """`until_tool_used` for an event loop."""
    mode = _modes.until_tool_used(*_names(conversation, names))
    return await _adrive(_Driver("until_tool_used", conversation, **options), mode, model)


def _names(conversation: Conversation, names: str | Sequence[str]) -> tuple[list[str], list[str]]:
    wanted = [names] if isinstance(names, str) else list(names)
    return wanted, list(tool_names(conversation.source))
