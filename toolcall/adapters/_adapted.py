"""What every adapter needs: one tool's definition, and its call in both colours.

It knows no framework. A framework that calls functions with keywords gets one that takes
everything else by position, so that an argument may be named like anything.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from toolcall._dispatch import arun, run
from toolcall._emit import emit, tool_names
from toolcall._results import result_of
from toolcall._source import resolve
from toolcall._values import Err, Ok, ToolCall, ToolResult

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolcall._source import Source

OWN_FAULT = frozenset({"tool_error", "raised", "timeout", "exited"})
"""Problems that other arguments would not have avoided."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Adapted:
    """One tool: what a model is shown, and its call.

    `wire_name` is the name as the vendors take it, `schema` a JSON Schema.
    """

    source: Source
    name: str
    wire_name: str
    description: str
    schema: dict[str, Any]
    strict: bool
    context: object
    lenient: bool | None
    timeout: float | None

    def run(self, arguments: Any, context: object = None, call_id: str | None = None) -> Answer:
        """Call it here and now."""
        return self._answer(
            run(self.source, self.name, arguments, **self._options(context, call_id)), call_id
        )

    async def arun(
        self, arguments: Any, context: object = None, call_id: str | None = None
    ) -> Answer:
        """Call it from an event loop."""
        return self._answer(
            await arun(self.source, self.name, arguments, **self._options(context, call_id)),
            call_id,
        )

    def _options(self, context: object, call_id: str | None) -> dict[str, Any]:
        own = resolve(self.source).tools[self.name].options
        decided = own.get("timeout") is not None or own.get("thread") is False
        return {
            "context": context if self.context is None else self.context,
            "call_id": call_id,
            "lenient": self.lenient,
            "timeout": None if decided else self.timeout,
        }

    def _answer(self, answered: Ok[Any] | Err, call_id: str | None) -> Answer:
        providers = resolve(self.source).tools[self.name].options.get("types", ())
        result = result_of(ToolCall(call_id, self.name), answered, providers=providers)
        refused = isinstance(answered, Err) and not (
            {problem.code for problem in answered.problems} & OWN_FAULT
        )
        return Answer(result, refused)


@dataclass(frozen=True, slots=True)
class Answer:
    """What became of a call; `refused` says that the arguments were at fault."""

    result: ToolResult
    refused: bool


def adapted(
    source: Source,
    *,
    strict: bool = False,
    context: object = None,
    lenient: bool | None = None,
    timeout: float | None = None,
) -> Iterator[Adapted]:
    """The tools of a source. Errors as `emit`."""
    for name, rendered in zip(
        tool_names(source), emit(source, "openai_responses", strict=strict), strict=True
    ):
        yield Adapted(
            source=source,
            name=name,
            wire_name=rendered["name"],
            description=rendered.get("description", ""),
            schema=rendered["parameters"],
            strict=bool(rendered.get("strict")),
            context=context,
            lenient=lenient,
            timeout=timeout,
        )


def one(source: Source, name: str, **options: Any) -> Adapted:
    """One tool of a source. KeyError if there is none of that name, else errors as `emit`."""
    found = {each.name: each for each in adapted(source, **options)}
    if name not in found:
        raise KeyError(f"there is no tool {name!r}; there are {', '.join(found)}")
    return found[name]


def missing(package: str, extra: str, error: ImportError) -> ImportError:
    """The error for a framework that is not installed."""
    return ImportError(
        f"this adapter needs {package} ({error}): pip install 'toolcall-static[{extra}]'"
    )
