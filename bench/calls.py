"""What a call costs: bare, through `caller` and `run`, and through the peers, in one process.

The peers do the same work: validate decoded arguments, convert them, call the function.
Async candidates are driven by hand, one `send` each, so that no event loop is measured.
"""

from __future__ import annotations

import inspect
import typing
from time import perf_counter_ns
from typing import TYPE_CHECKING, Any

import msgspec
import pydantic
from pydantic_ai import Tool as PydanticAITool

from bench import timing, workload
from toolcall import CallError, caller, emit, run

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Mapping


def measure(rounds: int) -> dict[str, float]:
    """Nanoseconds a call, by candidate."""
    figures = timing.calls({**_scalar(), **_nested(), **_asynchronous(), **_wrong()}, rounds)
    figures["first call"], figures["pydantic build"] = _first_call(rounds)
    return figures


def _scalar() -> dict[str, Callable[[], object]]:
    arguments = workload.FORECAST
    odd, short = {"city": "Oslo", "days": 5.0}, {"city": "Oslo"}
    function = workload.forecast
    bound = caller(workload, "forecast")
    struct = _struct(function)
    # its own path calls a plain function in a worker thread, so it gets the coroutine function
    ai = PydanticAITool(workload.forecast_later).function_schema

    def bare() -> object:
        return function(arguments["city"], arguments["days"])

    def through_msgspec() -> object:
        value = msgspec.convert(arguments, struct)
        return function(value.city, value.days)

    def through_pydantic_ai() -> object:
        return _drive(ai.call(ai.validator.validate_python(arguments), None))

    return {
        "bare call": bare,
        "caller": lambda: bound(arguments),
        "caller odd": lambda: bound(odd),
        "caller short": lambda: bound(short),
        "run": lambda: run(workload, "forecast", arguments),
        "emit": lambda: emit(workload.forecast, "openai"),
        "msgspec": through_msgspec,
        "pydantic-ai": through_pydantic_ai,
    }


def _nested() -> dict[str, Callable[[], object]]:
    function = workload.place_order
    arguments, odd = workload.order(), workload.order()
    for item in odd["items"]:
        item["price"] = 7
    bound, owned = caller(workload, "place_order"), caller(workload, "place_order", owned=True)
    struct = _struct(function)

    def through_msgspec() -> object:
        value = msgspec.convert(arguments, struct)
        return function(value.customer, value.items, value.priority, value.due)

    return {
        "caller nested": lambda: bound(arguments),
        "caller nested odd": lambda: bound(odd),
        # nothing of these arguments is written back but what is equal: one set serves every turn
        "caller nested owned": lambda: owned(arguments),
        "msgspec nested": through_msgspec,
    }


def _asynchronous() -> dict[str, Callable[[], object]]:
    bound = caller(workload, "forecast_later")
    function = workload.forecast
    same = caller(workload, "forecast")

    async def awaited(arguments: Mapping[str, object]) -> object:
        return same(arguments)

    assert callable(function)
    return {
        "caller async": lambda: _drive(typing.cast("Any", bound(workload.FORECAST))),
        "caller awaited": lambda: _drive(awaited(workload.FORECAST)),
    }


def _wrong() -> dict[str, Callable[[], object]]:
    bound = caller(workload, "forecast")
    adapter = pydantic.TypeAdapter(workload.forecast)
    arguments = workload.FORECAST_WRONG

    class Bare(Exception):
        def __init__(self, tool: str, problems: object) -> None:
            self.tool, self.problems = tool, problems

    def bare() -> None:
        try:
            raise Bare("forecast", arguments)
        except Bare:
            pass

    def ours(*, text: bool) -> None:
        try:
            bound(arguments)
        except CallError as error:
            if text:
                str(error)

    def pydantics() -> None:
        try:
            adapter.validator.validate_python(arguments)
        except pydantic.ValidationError as error:
            str(error)

    return {
        "bare raise": bare,
        "caller wrong": lambda: ours(text=False),
        "caller wrong text": lambda: ours(text=True),
        "pydantic wrong text": pydantics,
    }


def _first_call(rounds: int) -> tuple[float, float]:
    """The first call of a tool, and what pydantic pays to build one: medians in turns."""
    ours, theirs = [], []
    for _ in range(rounds):
        start = perf_counter_ns()
        caller(workload, "place_order")(workload.order())
        ours.append(perf_counter_ns() - start)
        start = perf_counter_ns()
        pydantic.TypeAdapter(workload.place_order)
        theirs.append(perf_counter_ns() - start)
    return sorted(ours)[rounds // 2], sorted(theirs)[rounds // 2]


def _struct(function: Callable[..., object]) -> type[Any]:
    """The msgspec Struct of a function's parameters, closed as ours are."""
    hints = typing.get_type_hints(function)
    fields: list[Any] = [
        (name, hints[name])
        if parameter.default is parameter.empty
        else (name, hints[name], parameter.default)
        for name, parameter in inspect.signature(function).parameters.items()
    ]
    return msgspec.defstruct(function.__name__, fields, forbid_unknown_fields=True)


def _drive(coroutine: Coroutine[Any, Any, object]) -> object:
    """Run a coroutine that never waits."""
    try:
        coroutine.send(None)
    except StopIteration as done:
        return done.value
    raise RuntimeError("the coroutine waits for something")
