"""What a call costs: bare, through `caller` and `run`, and through the peers, in one process.

The peers do the same work: validate decoded arguments, convert them, call the function.
Async candidates are driven by hand, one `send` each, so that no event loop is measured.
"""

from __future__ import annotations

import importlib
import inspect
import statistics
import typing
from time import perf_counter_ns
from typing import TYPE_CHECKING, Any

import msgspec
import pydantic

from bench import timing, workload
from bench.generate import NESTED, VALUES
from toolcall import CallError, caller, emit, run, tool_names

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Iterator, Mapping
    from types import ModuleType


def measure(rounds: int, fresh: str) -> dict[str, float]:
    """Nanoseconds a call, by candidate. `fresh` is a generated package not used before."""
    figures = timing.calls({**_scalar(), **_nested(), **_asynchronous(), **_wrong()}, rounds)
    return figures | _first_calls(fresh)


def _scalar() -> dict[str, Callable[[], object]]:
    arguments = workload.FORECAST
    odd, short = {"city": "Oslo", "days": 5.0}, {"city": "Oslo"}
    function = workload.forecast
    bound = caller(workload, "forecast")
    struct = _struct(function)

    def bare() -> object:
        return function(arguments["city"], arguments["days"])

    def through_msgspec() -> object:
        value = msgspec.convert(arguments, struct)
        return function(value.city, value.days)

    return {
        "bare call": bare,
        "caller": lambda: bound(arguments),
        "caller odd": lambda: bound(odd),
        "caller short": lambda: bound(short),
        "run": lambda: run(workload, "forecast", arguments),
        "emit": lambda: emit(workload.forecast, "openai"),
        "msgspec": through_msgspec,
        **_pydantic_ai(arguments),
    }


def _pydantic_ai(arguments: Mapping[str, object]) -> dict[str, Callable[[], object]]:
    """Its own path, where it is installed."""
    try:
        from pydantic_ai import Tool
    except ImportError:
        return {}
    # it calls a plain function in a worker thread, so it gets the coroutine function
    ai = Tool(workload.forecast_later).function_schema
    return {"pydantic-ai": lambda: _drive(ai.call(ai.validator.validate_python(arguments), None))}


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


def _first_calls(fresh: str) -> dict[str, float]:
    """What the first call of a tool takes, each tool used once, in turns: lower quartiles.

    The first tool with its parameters is told apart: later ones share what was compiled for it.
    """
    seen: dict[str, list[int]] = {}
    kinds: set[tuple[str, ...]] = set()
    for module, function in _tools(fresh):
        arguments = {name: VALUES[name] for name in inspect.signature(function).parameters}
        shape = " nested" if arguments.keys() & NESTED else ""
        kind = " of its kind" if tuple(arguments) not in kinds else ""
        kinds.add(tuple(arguments))
        start = perf_counter_ns()
        caller(module, function.__name__)(arguments)
        ours = perf_counter_ns() - start
        start = perf_counter_ns()
        pydantic.TypeAdapter(function).validator.validate_python(arguments)
        theirs = perf_counter_ns() - start
        seen.setdefault(f"first call{kind}{shape}", []).append(ours)
        seen.setdefault(f"pydantic first call{kind}{shape}", []).append(theirs)
    return {name: statistics.quantiles(values, n=4)[0] for name, values in seen.items()}


def _tools(package: str) -> Iterator[tuple[ModuleType, Callable[..., object]]]:
    """The tools of a generated package, the schemas of their modules read already."""
    for name in importlib.import_module(package).MODULES:
        module = importlib.import_module(f"{package}.{name}")
        tool_names(module)
        for function in module.FUNCTIONS:
            yield module, function


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
