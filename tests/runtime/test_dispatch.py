"""Calls from beginning to end: sync and async, settings, what tools return and raise."""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextvars
import json
import logging
import multiprocessing
import pickle
import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest

from tests.runtime import calling as c
from tests.runtime.builders import Packages, entry
from toolcall import _dispatch
from toolcall._coerce import decode
from toolcall._decoder import KINDS
from toolcall._dispatch import arun, caller, run, run_many
from toolcall._fast import call_of
from toolcall._many import Travelling
from toolcall._request import Request, problems_of
from toolcall._source import Toolset
from toolcall._values import Context, Err, Ok, ToolCall, ToolResult
from toolcall.errors import CallError, Misuse, ToolError


def add(a: int, b: int = 2) -> int:
    return a + b


ADD = c.bound(add, c.parameter("a", c.INTEGER), c.parameter("b", c.INTEGER, False))


async def aadd(a: int, b: int = 2) -> int:
    await asyncio.sleep(0)
    return a + b


c.bound(aadd, c.parameter("a", c.INTEGER), c.parameter("b", c.INTEGER, False), is_async=True)


def code(answer: Any) -> str:
    assert isinstance(answer, Err), answer
    (problem,) = answer.problems
    return problem.code


@pytest.mark.parametrize("args", [{"a": 1}, '{"a": 1}', b'{"a": 1.0}', bytearray(b'{"a":1}')])
def test_arguments_come_as_mapping_or_text(args: Any) -> None:
    """The first call and the next ones answer alike, run and arun, sync tools and async ones."""
    for tool in (add, aadd):
        for _ in range(3):
            assert run(tool, tool.__name__, args) == Ok(3)
            assert asyncio.run(arun(tool, tool.__name__, args)) == Ok(3)
    assert caller(add, "add")(args) == 3
    assert asyncio.run(caller(aadd, "aadd")(args)) == 3


def test_no_arguments_are_an_empty_object() -> None:
    """Null, empty text, nothing at all."""

    def now() -> str:
        return "now"

    c.bound(now)
    for nothing in (None, "", "  ", "null", b"", {}):
        assert run(now, "now", nothing) == Ok("now")
        assert caller(now, "now")(nothing) == "now"
    assert run(now, "now") == Ok("now")


def test_bad_arguments_are_an_err_however_often_they_come() -> None:
    """And a CallError from the bare caller, with the same records."""
    for args in ({"a": "x"}, {"a": 1, "c": 2}, '{"a": "x"}', "{", "[]", {}, [1], 5):
        expected = run(add, "add", args)  # type: ignore[arg-type]
        assert isinstance(expected, Err)
        for _ in range(2):
            assert run(add, "add", args) == expected  # type: ignore[arg-type]
        with pytest.raises(CallError) as caught:
            caller(add, "add")(args)
        assert caught.value.problems == expected.problems
        assert asyncio.run(arun(aadd, "aadd", args)) == expected  # type: ignore[arg-type]


def test_a_refusal_is_raised_outside_of_any_handler() -> None:
    """It has no context, is explained once, and only when somebody reads it."""
    with pytest.raises(CallError) as caught:
        caller(add, "add")({"a": "x"})
    assert caught.value.__context__ is None
    _, args = caught.value.args
    assert args == {"a": "x"}
    assert caught.value.problems is caught.value.problems


def test_an_explanation_of_changed_arguments_says_so() -> None:
    """The caller changed them before it read the error."""
    args: dict[str, Any] = {"a": "x"}
    with pytest.raises(CallError) as caught:
        caller(add, "add")(args)
    args["a"] = 1
    assert "changed since" in str(caught.value)


def test_an_unknown_tool_is_told_with_the_known_ones() -> None:
    """And what was probably meant."""
    answer = run(add, "ad", {})
    assert code(answer) == "unknown_tool"
    assert 'did you mean "add"?' in str(answer)
    assert "Known tools: add." in str(answer)
    assert asyncio.run(arun(add, "x")) == run(add, "x")
    with pytest.raises(CallError):
        caller(add, "x")


def test_settings_of_one_call() -> None:
    """Lenient, limits, another reader."""
    assert code(run(add, "add", {"a": "1"})) == "expected_integer"
    assert run(add, "add", {"a": "1"}, lenient=True) == Ok(3)
    assert run(add, "add", '"{\\"a\\": 1}"', lenient=True) == Ok(3)
    assert run(Toolset([add], lenient=True), "add", {"a": "1"}) == Ok(3)
    strict = run(Toolset([add], lenient=True), "add", {"a": "1"}, lenient=False)
    assert code(strict) == "expected_integer"
    assert caller(add, "add", lenient=True)({"a": "1"}) == 3
    assert code(run(add, "add", '{"a": 1}', max_size=3)) == "too_large"
    assert code(run(add, "add", '{"a": [[1]]}', max_depth=1)) == "too_deep"
    assert run(add, "add", "ignored", loads=lambda text: {"a": 1}) == Ok(3)
    assert caller(add, "add", loads=json.loads)('{"a": 1, "a": 2}') == 4
    assert asyncio.run(arun(aadd, "aadd", "-", loads=lambda text: {"a": 1})) == Ok(3)


def test_fractions_are_exact_where_a_decimal_is_wanted() -> None:
    """As they were written, and floats beside it are plain floats."""

    def pay(amount: Any, rate: Any, more: Any = None) -> Any:
        return [str(amount), rate, more]

    c.bound(
        pay,
        c.parameter("amount", c.stdlib("decimal")),
        c.parameter("rate", c.NUMBER),
        c.parameter("more", c.ANY, False),
    )
    text = '{"amount": 1.10, "rate": 0.50, "more": [0.25]}'
    answer = run(pay, "pay", text)
    assert answer == Ok(["1.10", 0.5, [0.25]])
    assert isinstance(answer, Ok)
    assert c.same(answer.value, ["1.10", 0.5, [0.25]])


def test_owned_arguments_are_changed_in_place_and_others_never() -> None:
    """A number that has to change its type, inside of a record that is handed over."""

    def f(item: Any) -> Any:
        return item

    item = c.object_("typeddict", "m:T", c.field("price", c.NUMBER), c.field("n", c.STRING))
    c.bound(f, c.parameter("item", item))
    args = {"item": {"price": 7, "n": "a"}}
    assert c.same(caller(f, "f")(args), {"price": 7.0, "n": "a"})
    assert type(args["item"]["price"]) is int
    result = caller(f, "f", owned=True)(args)
    assert result is args["item"]
    assert type(args["item"]["price"]) is float


# What tools return and raise


def returning(value: Any) -> Any:
    def f() -> Any:
        if isinstance(value, BaseException):
            raise value
        return value

    c.bound(f)
    return f


def test_answers_of_a_tool_pass_through() -> None:
    """Ok and Err are the answer; a ToolResult is a value like any other."""
    for value in (Ok(1, processed=2), Err("no")):
        for _ in range(2):
            assert run(returning(value), "f") is value
    result = ToolResult("text")
    assert run(returning(result), "f") == Ok(result)
    assert caller(returning(Ok(5)), "f")({}) == 5
    with pytest.raises(CallError, match="no"):
        caller(returning(Err("no")), "f")({})


def test_what_a_tool_raises_is_an_answer(caplog: pytest.LogCaptureFixture) -> None:
    """The message alone; the traceback is in the log and nowhere else."""
    error = ValueError("no such city")
    answer = run(returning(error), "f")
    assert (code(answer), str(answer)) == ("raised", "no such city")
    assert isinstance(answer, Err)
    assert answer.problems[0].exception is error
    (record,) = caplog.records
    assert (record.name, record.levelno) == ("toolcall", logging.ERROR)
    assert record.exc_info
    caplog.clear()
    assert str(run(returning(ToolError("ask again")), "f")) == "ask again"
    assert code(run(returning(ToolError("ask again")), "f")) == "tool_error"
    assert code(run(returning(SystemExit(3)), "f")) == "exited"
    assert str(run(returning(SystemExit()), "f")) == "the tool exited"
    assert caplog.records == []
    assert str(run(returning(RuntimeError()), "f")) == "the tool failed"
    with pytest.raises(CallError, match="no such city") as caught:
        caller(returning(error), "f")({})
    assert caught.value.__cause__ is error


@pytest.mark.parametrize("error", [TypeError("bug"), KeyError("a"), CallError(())])
def test_what_a_tool_raises_is_never_taken_for_a_refusal(error: Exception) -> None:
    """The same classes come from the checks of arguments."""
    assert code(run(returning(error), "f")) == "raised"
    assert code(run(returning(error), "f", "{}")) == "raised"


@pytest.mark.parametrize("error", [KeyboardInterrupt(), asyncio.CancelledError(), GeneratorExit()])
def test_what_is_not_the_tools_goes_on(error: BaseException) -> None:
    """Interrupts and cancellation."""
    with pytest.raises(type(error)):
        run(returning(error), "f")
    with pytest.raises(type(error)):
        caller(returning(error), "f")({})


def test_generators_are_refused() -> None:
    """Nobody would run them; a clear error says so."""

    def numbers() -> Iterator[int]:
        yield 1

    async def later() -> Any:
        yield 1

    for tool in (numbers, later):
        c.bound(tool)
        with pytest.raises(Misuse, match="generator"):
            run(tool, tool.__name__)
    c.bound(later, is_async=True)
    with pytest.raises(Misuse, match="generator"):
        asyncio.run(arun(later, "later"))


def test_a_coroutine_is_never_left_unawaited() -> None:
    """A tool that turns out to be async only when it is called."""

    async def answer(x: int) -> int:
        return x + 1

    def f(x: int) -> Any:
        return answer(x)

    c.bound(f, c.parameter("x", c.INTEGER))
    assert run(f, "f", {"x": 1}) == Ok(2)
    assert run(f, "f", {"x": "1"}, lenient=True) == Ok(2)
    assert asyncio.run(arun(f, "f", {"x": 1})) == Ok(2)
    assert caller(f, "f")({"x": 1}) == 2

    async def inside() -> None:
        with pytest.raises(Misuse, match="arun"):
            run(f, "f", {"x": 1})

    asyncio.run(inside())

    async def fails() -> None:
        raise ValueError("late")

    c.bound(fails)
    assert code(run(fails, "fails")) == "raised"


def test_an_async_tool_inside_a_loop_is_misuse() -> None:
    """Nothing is created that would have to be awaited."""

    async def inside() -> None:
        with pytest.raises(Misuse, match="await arun"):
            run(aadd, "aadd", {"a": 1})

    asyncio.run(inside())


def test_sync_tools_run_in_a_thread_with_the_context_of_the_caller() -> None:
    """Two calls overlap; `thread=False` stays on the loop's thread."""
    variable: contextvars.ContextVar[str] = contextvars.ContextVar("variable", default="none")

    def slow() -> Any:
        time.sleep(0.2)
        return variable.get(), threading.get_ident()

    c.bound(slow)

    def here() -> Any:
        return threading.get_ident()

    c.bound(here, options={"thread": False})

    async def both() -> None:
        variable.set("set")
        started = time.perf_counter()
        one, other = await asyncio.gather(arun(slow, "slow"), arun(slow, "slow"))
        assert time.perf_counter() - started < 0.39
        assert isinstance(one, Ok)
        assert isinstance(other, Ok)
        assert one.value[0] == other.value[0] == "set"
        assert one.value[1] != threading.get_ident()
        assert await arun(here, "here") == Ok(threading.get_ident())

    asyncio.run(both())


def test_timeouts_are_answers() -> None:
    """Of a tool or of one call, in a thread or on the loop. A tool's own TimeoutError is none."""
    release = threading.Event()

    def stuck() -> None:
        release.wait(5)

    async def astuck() -> None:
        try:
            await asyncio.sleep(5)
        finally:
            cancelled.append(True)

    def quick() -> int:
        return 1

    async def own() -> None:
        raise TimeoutError("mine")

    cancelled: list[bool] = []
    c.bound(stuck, options={"timeout": 0.02})
    c.bound(astuck, options={"timeout": 0.02}, is_async=True)
    c.bound(quick, options={"timeout": 5})
    c.bound(own, is_async=True)
    try:
        assert str(run(stuck, "stuck")) == "the tool timed out after 0.02 seconds"
        assert code(asyncio.run(arun(stuck, "stuck"))) == "timeout"
        assert code(asyncio.run(arun(astuck, "astuck"))) == "timeout"
        assert code(run(astuck, "astuck", timeout=0.01)) == "timeout"
        assert cancelled == [True, True]
        for _ in range(2):
            assert run(quick, "quick") == Ok(1)
        assert caller(quick, "quick")({}) == 1
        assert asyncio.run(arun(quick, "quick")) == Ok(1)
        assert str(run(own, "own", timeout=3)) == "mine"
        with pytest.raises(CallError, match="timed out"):
            caller(stuck, "stuck")({})
    finally:
        release.set()

    def bound_to_thread() -> None: ...

    c.bound(bound_to_thread, options={"timeout": 1, "thread": False})
    with pytest.raises(Misuse, match="thread=False"):
        run(bound_to_thread, "bound_to_thread")


def test_cancellation_reaches_the_tool() -> None:
    """And goes on to whoever waited."""
    seen = []

    async def waits() -> None:
        try:
            await asyncio.sleep(5)
        except asyncio.CancelledError:
            seen.append("cancelled")
            raise

    c.bound(waits, is_async=True)

    async def cancel(timeout: float | None) -> None:
        task = asyncio.ensure_future(arun(waits, "waits", timeout=timeout))
        await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(cancel(None))
    asyncio.run(cancel(3))
    assert seen == ["cancelled", "cancelled"]


# Injection


def test_injected_values_come_from_the_program_alone() -> None:
    """A mapping by key, an object by attribute, the whole as a Context; never the model."""

    def f(q: str, *, user: str = "nobody", ctx: Any = None) -> Any:
        return q, user, ctx

    c.bound(
        f,
        c.parameter("q", c.STRING),
        injected=[c.injected("user", position=1), c.injected("ctx", "context", position=2)],
    )

    class Request:
        user = "ann"

    for context, user in (({"user": "ann"}, "ann"), (Request(), "ann"), (None, "nobody")):
        expected = ("x", user, Context(context, "7", "f"))
        assert run(f, "f", {"q": "x"}, context=context, call_id="7") == Ok(expected)
        assert asyncio.run(arun(f, "f", '{"q": "x"}', context=context, call_id="7")) == Ok(expected)
        bare = caller(f, "f", context=context)
        assert bare({"q": "x"}) == ("x", user, Context(context, None, "f"))
    assert code(run(f, "f", {"q": "x", "user": "eve"})) == "unknown_argument"
    assert code(run(f, "f", {"q": "x", "ctx": 1}, lenient=True)) == "unknown_argument"


def test_a_missing_required_injection_is_misuse() -> None:
    """The program's fault, so it is raised."""

    async def f(user: str) -> str:
        return user

    c.bound(f, injected=[c.injected("user", required=True)], is_async=True)
    assert run(f, "f", {}, context={"user": "ann"}) == Ok("ann")
    for context in ({}, None, object()):
        with pytest.raises(Misuse, match="'user'"):
            run(f, "f", {}, context=context)


# Streams


def test_a_stream_is_answered_in_order_and_drawn_as_needed() -> None:
    """With any executor; no more than a window is ever drawn ahead."""
    drawn = 0

    def calls() -> Iterator[Any]:
        nonlocal drawn
        for index in range(50):
            drawn += 1
            yield ("add", {"a": index, "b": 0}) if index % 2 else ToolCall("1", "add", {"a": index})

    expected = [Ok(i if i % 2 else i + 2) for i in range(50)]
    assert list(run_many(add, calls())) == expected
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        assert list(run_many(add, calls(), pool)) == expected
        drawn = 0
        stream = run_many(add, calls(), pool, window=3)
        assert next(stream) == Ok(2)
        assert drawn == 3
        stream.close()
    assert code(next(run_many(add, [("add", {})]))) == "missing_argument"


def test_a_source_travels_by_the_name_it_is_imported_under() -> None:
    """A module, or what a module holds; anything else is pickled."""
    for source in (c, c.bound, json, json.JSONDecoder):
        assert pickle.loads(pickle.dumps(Travelling(source))).source is source
    assert pickle.loads(pickle.dumps(Travelling([1]))).source == [1]


def test_a_process_pool_works_out_of_the_box(
    packages: Packages, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Fresh processes import the module by its name."""
    text = "from toolcall import tool\n\n@tool\ndef double(n):\n    return n * 2\n"
    module = packages.tools("doubling", text, entry("double", line=3))
    monkeypatch.setenv("PYTHONPATH", str(packages.root))
    context = multiprocessing.get_context("spawn")
    with concurrent.futures.ProcessPoolExecutor(1, mp_context=context) as pool:
        calls = [("double", {"n": 2}), ("double", {"n": "x"})]
        answers = list(run_many(module, calls, pool))
    assert answers[0] == Ok(4)
    assert code(answers[1]) == "expected_integer"


class Refusal(Exception):
    """What the methods of hostile values raise."""


def _raises(*_: object, **__: object) -> Any:
    raise Refusal


METHODS = [
    *("__class__", "__eq__", "__getattribute__", "__hash__", "__iter__", "__len__", "__repr__"),
    *("__str__", "__bool__", "__contains__", "__getitem__", "__float__", "__int__", "__lt__"),
    *("items", "keys", "values", "get", "encode", "decode", "isascii", "strip", "is_integer"),
]


def _hostile(base: type, method: str) -> Any:
    raising = property(_raises) if method == "__class__" else _raises
    return base.__new__(type("Hostile", (base,), {method: raising}))


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("base", [object, str, bytes, int, float, list, dict])
def test_values_whose_own_methods_raise_are_problems(base: type, method: str) -> None:
    """Whatever a program passes on, the answer is a value or problems, whoever decodes."""
    hostile = _hostile(base, method)
    nodes = [
        *(c.STRING, c.INTEGER, c.NUMBER, c.BOOLEAN, c.ANY, c.array(c.STRING), c.mapping(c.ANY)),
        *(c.stdlib("date"), c.literal("a", 1), c.union(c.INTEGER, c.STRING)),
        c.object_("typeddict", "m:T", c.field("x", c.INTEGER, False)),
    ]
    for node in nodes:
        bound = c.bound(lambda **kw: 1, c.parameter("x", node, False))
        for args in (hostile, {"x": hostile}, {"x": [hostile]}, {"x": {"x": hostile}}):
            for answer in (
                call_of(bound)(args),
                call_of(bound, mode="owned")(args),
                _dispatch._run(bound, args, Request(lenient=True)),
            ):
                assert answer == Ok(1) or (isinstance(answer, Err) and str(answer))
            assert isinstance(problems_of(bound, args, Request()), tuple)


def test_an_error_of_ours_is_not_taken_for_bad_arguments(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only values that no decoder makes can raise by themselves."""

    def broken(*_: object) -> object:
        raise ZeroDivisionError

    monkeypatch.setitem(KINDS, "boolean", broken)
    bound = c.bound(lambda x: x, c.parameter("x", c.BOOLEAN))
    with pytest.raises(ZeroDivisionError):
        decode(bound, {"x": 1})


def test_text_in_a_view_that_is_no_plain_bytes() -> None:
    """Every second byte, wider items, and a view that was given back."""
    bound = c.bound(lambda x: x, c.parameter("x", c.INTEGER))
    data = b'{"x": 25}   '
    doubled = bytes(byte for pair in zip(data, data, strict=True) for byte in pair)
    assert call_of(bound)(memoryview(doubled)[::2]) == Ok(25)
    assert call_of(bound)(memoryview(data).cast("I")) == Ok(25)
    released = memoryview(data)
    released.release()
    assert str(call_of(bound)(released)).startswith("the arguments are not JSON")
