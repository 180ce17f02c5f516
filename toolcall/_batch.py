"""The calls of one message, put together with their tools, before and after they run.

Owns everything about a batch that is the same whether threads, an event loop or a person's
decisions run it: which tool a call means, which calls may overlap, when handlers are told,
what becomes of answers. It must not run anything.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from toolcall._handlers import checked, tell
from toolcall._results import result_of
from toolcall._source import Toolset, resolve

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from toolcall._bind import BoundTool
    from toolcall._source import Resolved, Source
    from toolcall._values import Err, Ok, ToolCall, ToolResult


@dataclass(frozen=True, slots=True, eq=False)
class Item:
    """One call, its place in the message, and the tool that it means, if there is one."""

    place: int
    call: ToolCall
    bound: BoundTool | None
    display_text: str

    @property
    def name(self) -> str:
        """What the source calls the tool; a vendor may have needed another name for it."""
        return self.call.name if self.bound is None else self.bound.tool["name"]

    @property
    def concurrent(self) -> bool:
        """Whether the call may overlap others."""
        return self.bound is not None and bool(self.bound.options.get("concurrent"))


class Batch:
    """The calls of one message.

    `results` has a place for every call, in call order, however they are run.
    """

    __slots__ = ("_handlers", "_options", "_timeout", "items", "results", "source")

    def __init__(
        self,
        source: Source,
        calls: Iterable[ToolCall],
        *,
        timeout: float | None,
        handlers: Sequence[object],
        **options: Any,
    ) -> None:
        # Resolved once for the whole batch, which an iterator can only be.
        self.source = source if isinstance(source, Toolset) else Toolset([source])
        resolved = resolve(self.source)
        self._timeout = timeout
        self._handlers = checked(handlers)
        self._options = options
        self.items = [_item(place, call, resolved) for place, call in enumerate(calls)]
        self.results: list[ToolResult | None] = [None] * len(self.items)

    @property
    def concurrent(self) -> list[Item]:
        """The calls that may overlap, in order."""
        return [item for item in self.items if item.concurrent]

    @property
    def sequential(self) -> list[Item]:
        """The calls that run one after the other."""
        return [item for item in self.items if item.bound is not None and not item.concurrent]

    @property
    def unknown(self) -> list[Item]:
        """The calls of tools that do not exist."""
        return [item for item in self.items if item.bound is None]

    def request(self, item: Item) -> dict[str, Any]:
        """What `run` is told about a call beside its arguments."""
        options = {} if item.bound is None else item.bound.options
        own = options.get("timeout") is not None or options.get("thread") is False
        timeout = None if own else self._timeout
        return {**self._options, "call_id": item.call.id, "timeout": timeout}

    def identified(self) -> None:
        """Tell which calls mean a tool."""
        for item in self.items:
            self._tell("on_tool_call_identified", item)

    def started(self, items: Iterable[Item]) -> None:
        """Tell which calls will run."""
        for item in items:
            self._tell("on_tool_execution_started", item)

    def begins(self, item: Item) -> None:
        """Tell that a call runs next, where it runs."""
        self._tell("on_tool_pre_execution", item)

    def _tell(self, moment: str, item: Item) -> None:
        if item.bound is not None:
            tell(self._handlers, moment, item.call, item.bound.tool)

    def answered(self, item: Item, answer: Ok[Any] | Err) -> None:
        """Keep the answer of a call, and tell of it."""
        if item.bound is None:
            import logging

            logging.getLogger("toolcall").warning("the model called %r: no such tool", item.name)
        providers = () if item.bound is None else item.bound.options.get("types", ())
        text = item.display_text
        self.settle(item, result_of(item.call, answer, display_text=text, providers=providers))

    def settle(self, item: Item, result: ToolResult, *, failed: bool = False) -> None:
        """Keep the result of a call, and tell of it. Interrupts are told for all together."""
        self.results[item.place] = result
        if result.is_interrupt:
            return
        failed = failed or result.is_error
        moment = "on_tool_execution_failed" if failed else "on_tool_execution_completed"
        tell(self._handlers, moment, item.call, result)

    def finished(self) -> list[ToolResult]:
        """The results in call order, after interrupts have been told of."""
        results = [result for result in self.results if result is not None]
        interrupts = [result for result in results if result.is_interrupt]
        if interrupts:
            tell(self._handlers, "on_tool_interrupted", interrupts)
        return results


def _item(place: int, call: ToolCall, resolved: Resolved) -> Item:
    from toolcall.formats._names import original

    name = original(call.name, (*resolved.tools, *resolved.broken, *resolved.refused))
    bound = None if name is None else resolved.find(name)
    return Item(place, call, bound, _display_text(bound, call.name))


def display_text(source: Source, name: str, fallback: str | None = None) -> str:
    """What a user interface shows while a tool runs.

    Args:
        source: where the tool is.
        name: the tool's name.
        fallback: for a name that no tool has; by default the name in words.

    Returns:
        The tool's own display text or title, else its name in words: underscores become
        spaces, the first letter upper case, the rest as it is.
    """
    bound = resolve(source).tools.get(name)
    if bound is None and fallback is not None:
        return fallback
    return _display_text(bound, name)


def _display_text(bound: BoundTool | None, name: str) -> str:
    if bound is not None:
        own = bound.options.get("display_text") or bound.tool.get("title")
        if own:
            return str(own)
    words = name.replace("_", " ").strip()
    return words[:1].upper() + words[1:]
