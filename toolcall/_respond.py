"""An assistant message in, the provider's tool-result messages out.

Owns how the calls of one message are run: tools marked `concurrent` in parallel and first,
the others one after the other, each within its time. What a batch is, is `_batch`'s; what
one call means, `_dispatch`'s; it must not know how vendors write messages.

1. Every call gets a result, in call order, whatever ran when.
2. Threads and tasks see the caller's context variables.
3. A call that takes too long is answered and left behind; the others go on.
4. What the program does wrong is raised, after the calls that were running have ended.
5. With a person's decisions nothing overlaps: who reviews calls reviews their order.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias, Union

from toolcall import formats
from toolcall._batch import Batch, Item
from toolcall._dispatch import arun, run
from toolcall._handlers import checked, tell
from toolcall._values import ToolCall, ToolResult

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from toolcall._source import Source

__all__ = [
    "Approve",
    "Decision",
    "Edit",
    "Reject",
    "aexecute",
    "arespond",
    "execute",
    "replace_result",
    "respond",
]

MAX_THREADS = 32
"""How many calls of one message run at the same time; further ones wait for a free place."""


@dataclass(frozen=True, slots=True)
class Approve:
    """The call runs as the model made it."""


@dataclass(frozen=True, slots=True)
class Edit:
    """The call runs with other arguments."""

    arguments: Mapping[str, object] | str | None = None


@dataclass(frozen=True, slots=True)
class Reject:
    """The call does not run. The model is told so, with the reason if there is one."""

    reason: str | None = None


Decision: TypeAlias = Union[Approve, Edit, Reject]


def respond(
    source: Source,
    message: object,
    format: str = "openai",  # noqa: A002 -- the word of `emit`
    *,
    context: object = None,
    lenient: bool | None = None,
    timeout: float | None = None,
    handlers: Sequence[object] = (),
    decisions: Sequence[Decision] | None = None,
) -> list[dict[str, Any]]:
    """Run the tool calls of an assistant message and answer them in the vendor's form.

    Args:
        source: where the tools are.
        message: the assistant message, as a dict or as the SDK's object.
        format: the vendor's format.
        context: what injected parameters are given; every tool gets its call's id with it.
        lenient: repair what models often get wrong; see `run`.
        timeout: seconds for each call of a tool that has no timeout of its own.
        handlers: objects with methods of `Handlers`.
        decisions: one for each call, by whoever reviewed them. Nothing overlaps then.

    Returns:
        The messages to append to the conversation; none if the message calls no tool.

    Raises:
        UnknownFormat: there is no such format.
        ValueError: there are more or fewer decisions than calls.
        ToolcallError: the program uses a tool in a way that cannot work.
    """
    vendor = formats.get(format)
    calls = vendor.parse_calls(message)
    options: dict[str, Any] = {"context": context, "lenient": lenient, "timeout": timeout}
    results = execute(source, calls, handlers=handlers, decisions=decisions, **options)
    return _rendered(vendor, message, results, handlers)


async def arespond(
    source: Source,
    message: object,
    format: str = "openai",  # noqa: A002
    *,
    context: object = None,
    lenient: bool | None = None,
    timeout: float | None = None,
    handlers: Sequence[object] = (),
    decisions: Sequence[Decision] | None = None,
) -> list[dict[str, Any]]:
    """`respond` for an event loop: async tools are awaited, the others run in threads."""
    vendor = formats.get(format)
    calls = vendor.parse_calls(message)
    options: dict[str, Any] = {"context": context, "lenient": lenient, "timeout": timeout}
    results = await aexecute(source, calls, handlers=handlers, decisions=decisions, **options)
    return _rendered(vendor, message, results, handlers)


def _rendered(
    vendor: formats.Format, message: object, results: list[ToolResult], handlers: Sequence[object]
) -> list[dict[str, Any]]:
    if not results:
        return []
    messages = vendor.render_results(results)
    tell(handlers, "on_message_processed", message)
    tell(handlers, "on_tool_response_created", messages)
    return messages


def execute(
    source: Source,
    calls: Iterable[ToolCall],
    *,
    context: object = None,
    lenient: bool | None = None,
    timeout: float | None = None,
    handlers: Sequence[object] = (),
    decisions: Sequence[Decision] | None = None,
) -> list[ToolResult]:
    """Run calls that are already parsed: one result for each, in call order. See `respond`."""
    calls = list(calls)
    options: dict[str, Any] = {"context": context, "lenient": lenient, "timeout": timeout}
    if decisions is not None:
        calls, rejected = _decided(calls, decisions)
        batch = Batch(source, calls, handlers=checked(handlers), **options)
        return _run_decided(batch, rejected)
    batch = Batch(source, calls, handlers=checked(handlers), **options)
    batch.identified()
    batch.started([*batch.concurrent, *batch.sequential])
    _run_in_threads(batch)
    for item in [*batch.sequential, *batch.unknown]:
        batch.answered(item, _run_one(batch, item))
    return batch.finished()


async def aexecute(
    source: Source,
    calls: Iterable[ToolCall],
    *,
    context: object = None,
    lenient: bool | None = None,
    timeout: float | None = None,
    handlers: Sequence[object] = (),
    decisions: Sequence[Decision] | None = None,
) -> list[ToolResult]:
    """`execute` for an event loop."""
    calls = list(calls)
    rejected: dict[int, Reject] = {}
    options: dict[str, Any] = {"context": context, "lenient": lenient, "timeout": timeout}
    if decisions is not None:
        calls, rejected = _decided(calls, decisions)
    batch = Batch(source, calls, handlers=checked(handlers), **options)
    batch.identified()
    if decisions is not None:
        for item in batch.items:
            await _arun_decided(batch, item, rejected)
        return batch.finished()
    batch.started([*batch.concurrent, *batch.sequential])
    await _run_in_tasks(batch)
    for item in [*batch.sequential, *batch.unknown]:
        batch.answered(item, await _arun_one(batch, item))
    return batch.finished()


def _run_one(batch: Batch, item: Item) -> Any:
    batch.begins(item)
    return run(batch.source, item.name, item.call.arguments, **batch.request(item))


async def _arun_one(batch: Batch, item: Item) -> Any:
    batch.begins(item)
    return await arun(batch.source, item.name, item.call.arguments, **batch.request(item))


# In parallel


def _run_in_threads(batch: Batch) -> None:
    """Run the concurrent calls, and tell of their answers when all have one.

    The threads are daemons: one that hangs for ever does not keep the program from ending.
    """
    from contextvars import Context, copy_context
    from queue import Empty, SimpleQueue
    from threading import Thread

    items = batch.concurrent
    waiting: SimpleQueue[tuple[Item, Context]] = SimpleQueue()
    for item in items:
        waiting.put((item, copy_context()))
    answers: dict[int, Any] = {}
    errors: list[BaseException] = []

    def work() -> None:
        while True:
            try:
                item, context = waiting.get_nowait()
            except Empty:
                return
            try:
                answers[item.place] = context.run(_run_one, batch, item)
            except BaseException as error:
                errors.append(error)

    threads = [
        Thread(target=work, name=f"toolcall-{number}", daemon=True)
        for number in range(min(len(items), MAX_THREADS))
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    _raise_first(errors)
    for item in items:
        batch.answered(item, answers[item.place])


async def _run_in_tasks(batch: Batch) -> None:
    import asyncio

    items = batch.concurrent
    tasks = [asyncio.ensure_future(_arun_one(batch, item)) for item in items]
    answers: list[Any] = await asyncio.gather(*tasks, return_exceptions=True)
    _raise_first([answer for answer in answers if isinstance(answer, BaseException)])
    for item, answer in zip(items, answers, strict=True):
        batch.answered(item, answer)


def _raise_first(errors: Sequence[BaseException]) -> None:
    if errors:
        raise errors[0]


# By a person's decisions


def _decided(
    calls: Sequence[ToolCall], decisions: Sequence[Decision]
) -> tuple[list[ToolCall], dict[int, Reject]]:
    """The calls as they were decided, and the rejected ones by their place."""
    if len(calls) != len(decisions):
        raise ValueError(f"{len(calls)} calls need as many decisions, not {len(decisions)}")
    decided: list[ToolCall] = []
    rejected: dict[int, Reject] = {}
    for place, (call, decision) in enumerate(zip(calls, decisions, strict=True)):
        match decision:
            case Approve():
                decided.append(call)
            case Edit(arguments=arguments):
                decided.append(ToolCall(call.id, call.name, arguments or {}, call.index))
            case Reject():
                decided.append(call)
                rejected[place] = decision
            case _:
                raise TypeError(f"a decision is Approve, Edit or Reject, not {decision!r}")
    return decided, rejected


def _run_decided(batch: Batch, rejected: Mapping[int, Reject]) -> list[ToolResult]:
    batch.identified()
    for item in batch.items:
        if item.place in rejected:
            _reject(batch, item, rejected[item.place])
        else:
            batch.started([item])
            batch.answered(item, _run_one(batch, item))
    return batch.finished()


async def _arun_decided(batch: Batch, item: Item, rejected: Mapping[int, Reject]) -> None:
    if item.place in rejected:
        _reject(batch, item, rejected[item.place])
    else:
        batch.started([item])
        batch.answered(item, await _arun_one(batch, item))


def _reject(batch: Batch, item: Item, decision: Reject) -> None:
    """Not an error: the model did nothing wrong, and nothing is to be tried again."""
    why = f": {decision.reason}" if decision.reason else "."
    text = f"The tool {item.name} was not run. A human reviewer rejected this call{why}"
    result = ToolResult(text, id=item.call.id, name=item.call.name, display_text=item.display_text)
    batch.settle(item, result, failed=True)


def replace_result(results: Sequence[ToolResult], id: str, new: ToolResult) -> list[ToolResult]:  # noqa: A002
    """The results with the one of this call replaced, unchanged if there is none.

    For what follows an interrupt: the person has answered, and the call's result is known.
    """
    return [new.with_(id=id, name=new.name or old.name) if old.id == id else old for old in results]
