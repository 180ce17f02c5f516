"""The calls of one message: every one answered, in order, within its time."""

from __future__ import annotations

import asyncio
import contextvars
import json
import logging
import threading
import time
from typing import TYPE_CHECKING, Any

import pytest

from toolcall._batch import display_text
from toolcall._function import Function, FunctionParam
from toolcall._handlers import MOMENTS, Handlers
from toolcall._respond import (
    MAX_THREADS,
    Approve,
    Edit,
    Reject,
    aexecute,
    arespond,
    execute,
    replace_result,
    respond,
)
from toolcall._source import Toolset
from toolcall._values import Context, Err, ImagePart, Ok, TextPart, ToolCall, ToolResult
from toolcall.errors import DuplicateTool, Misuse, ToolError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

X = [FunctionParam("x", "integer")]


def tool(name: str, body: Callable[..., Any], **parts: Any) -> Function:
    return Function(name, params=parts.pop("params", X), call=body, **parts)


def calls(*names: str, **arguments: Any) -> list[ToolCall]:
    return [ToolCall(f"c{place}", name, arguments) for place, name in enumerate(names)]


def both(source: Any, made: Sequence[ToolCall], **options: Any) -> list[ToolResult]:
    """The results of `execute`, after asserting that `aexecute` answers the same."""
    first = execute(source, made, **options)
    second = asyncio.run(aexecute(source, made, **options))
    assert [(r.id, r.name, r.text, r.is_error) for r in first] == [
        (r.id, r.name, r.text, r.is_error) for r in second
    ]
    return first


# Messages


def openai_message(*made: tuple[str, str, str]) -> dict[str, Any]:
    return {
        "role": "assistant",
        "tool_calls": [
            {"id": i, "type": "function", "function": {"name": n, "arguments": a}}
            for i, n, a in made
        ],
    }


def test_message_in_messages_out() -> None:
    """One vendor message in, the vendor's results out, in call order."""
    double = tool("double", lambda a: {"doubled": a["x"] * 2})
    message = openai_message(("a", "double", '{"x": 2}'), ("b", "double", '{"x": 3}'))
    expected = [
        {"role": "tool", "tool_call_id": "a", "content": '{"doubled":4}'},
        {"role": "tool", "tool_call_id": "b", "content": '{"doubled":6}'},
    ]
    assert respond(double, message, "openai") == expected
    assert asyncio.run(arespond(double, message, "openai")) == expected


def test_all_results_in_one_message() -> None:
    """Anthropic: one user message with a block per result, errors flagged."""
    blocks = [
        {"type": "tool_use", "id": "a", "name": "f", "input": {"x": 1}},
        {"type": "tool_use", "id": "b", "name": "g", "input": {}},
    ]
    (message,) = respond(tool("f", lambda a: "fine"), {"content": blocks}, "anthropic")
    assert [block["tool_use_id"] for block in message["content"]] == ["a", "b"]
    assert message["content"][0]["content"] == "fine"
    assert message["content"][1]["is_error"]


def test_message_without_calls() -> None:
    """Safe to call at any time: no calls, no messages, and nobody is told anything."""
    heard = Recorder()
    plain = {"role": "assistant", "content": "Hello"}
    assert respond(tool("f", len), plain, handlers=[heard]) == []
    assert asyncio.run(arespond(tool("f", len), plain, handlers=[heard])) == []
    assert heard.moments == []


# Results


@pytest.mark.parametrize(
    ("value", "text", "structured"),
    [
        ("text", "text", None),
        ("", "", None),
        ({"a": [1, None, "ü"]}, '{"a":[1,null,"ü"]}', {"a": [1, None, "ü"]}),
        (None, "null", None),
        (1.5, "1.5", 1.5),
        ([TextPart("a"), TextPart("b")], "ab", None),
        ([], "[]", []),
        (TextPart("part"), "part", None),
        (Ok("wrapped"), "wrapped", None),
    ],
)
def test_values(value: object, text: str, structured: object) -> None:
    """Text stays text, parts stay parts, everything else is JSON."""
    (result,) = both(tool("f", lambda a: value), calls("f"))
    assert (result.text, result.structured, result.is_error) == (text, structured, False)


def test_parts() -> None:
    image = ImagePart(b"x", "image/png")
    (result,) = both(tool("f", lambda a: [TextPart("see"), image]), calls("f"))
    assert result.content == (TextPart("see"), image)


def test_processed_stays_with_the_program() -> None:
    """A native value is kept beside the text and never sent."""
    (result,) = both(tool("f", lambda a: Ok("done", processed={1, 2})), calls("f"))
    assert (result.text, result.processed) == ("done", {1, 2})
    message = openai_message(("a", "f", "{}"))
    assert "processed" not in json.dumps(
        respond(tool("f", lambda a: Ok("x", processed=1)), message)
    )


def test_whole_results() -> None:
    """A `ToolResult` is used as it is; id is forced, name and display text filled in."""
    made = ToolResult("mine", id="other", is_error=True, options={"cache_control": 1})
    (result,) = both(tool("f", lambda a: made), calls("f"))
    assert (result.id, result.name, result.display_text) == ("c0", "f", "F")
    assert (result.text, result.is_error, result.options) == ("mine", True, {"cache_control": 1})
    kept = ToolResult("mine", name="g", display_text="G!")
    (result,) = both(tool("f", lambda a: Ok(kept, processed=3)), calls("f"))
    assert (result.name, result.display_text, result.processed) == ("g", "G!", 3)


def raising(error: BaseException) -> Callable[[Any], Any]:
    def body(arguments: Any) -> Any:
        raise error

    return body


@pytest.mark.parametrize(
    ("body", "text"),
    [
        (raising(ToolError("no such city")), "no such city"),
        (lambda a: Err("no such city"), "no such city"),
        (raising(RuntimeError("broken")), "broken"),
        (raising(SystemExit(3)), "the tool exited: 3"),
        (lambda a: object(), "object"),
    ],
)
def test_errors_are_results(body: Any, text: str) -> None:
    """Whatever goes wrong in a tool is an error result with id, name and a text that says it."""
    (result,) = both(tool("f", body), calls("f"))
    assert (result.id, result.name, result.is_error) == ("c0", "f", True)
    assert text in result.text


def test_unencodable_values_name_the_place() -> None:
    (result,) = both(tool("f", lambda a: {"rows": [1, object()]}), calls("f"))
    assert result.is_error
    assert "/rows/1" in result.text or "rows[1]" in result.text


@pytest.mark.parametrize("arguments", [[1], "[1]", "{", '{"x": 1', 3])
def test_bad_arguments(arguments: Any) -> None:
    """A list, a number, half a JSON text: an answer, and the tool does not run."""
    ran: list[object] = []
    (result,) = both(tool("f", ran.append), [ToolCall("a", "f", arguments)])
    assert (result.is_error, ran) == (True, [])


@pytest.mark.parametrize("arguments", [None, "", "null", "{}", {}])
def test_no_arguments(arguments: Any) -> None:
    (result,) = both(tool("f", len), [ToolCall("a", "f", arguments)])
    assert result.text == "0"


def test_unknown_tool(caplog: pytest.LogCaptureFixture) -> None:
    """It is logged and answered, in its place; the others run."""
    heard = Recorder()
    with caplog.at_level(logging.WARNING, "toolcall"):
        results = execute(tool("f", lambda a: 1), calls("g", "f"), handlers=[heard])
    assert [(r.id, r.name, r.is_error) for r in results] == [("c0", "g", True), ("c1", "f", False)]
    assert "g" in results[0].text
    assert len(caplog.records) == 1
    assert [m for m in heard.moments if m[1] == "c0"] == [("on_tool_execution_failed", "c0")]


def test_context_and_call_id() -> None:
    """Every tool gets the program's context with its own call's id beside it."""
    seen: list[Context[Any]] = []

    def body(arguments: Any, context: Context[Any]) -> None:
        seen.append(context)

    user = {"user": 1}
    both(tool("f", body), calls("f", "f"), context=user)
    assert [(c.value, c.call_id, c.tool_name) for c in seen] == [
        (user, "c0", "f"),
        (user, "c1", "f"),
    ] * 2
    assert user == {"user": 1}
    both(tool("f", body), calls("f"))
    assert seen[-1].value is None


def test_lenient() -> None:
    strict = tool("f", lambda a: a["x"], validate=True)
    assert both(strict, calls("f", x="3"))[0].is_error
    assert both(strict, calls("f", x="3"), lenient=True)[0].text == "3"


def test_sources() -> None:
    """Any source will do, an iterator too; a Toolset says what is lenient in it."""
    both_tools = [tool("f", len), tool("g", lambda a: a["x"], validate=True)]
    assert [r.text for r in execute(iter(both_tools), calls("f", "f"))] == ["0", "0"]
    lenient = Toolset(both_tools, prefix="my_", lenient=True)
    assert both(lenient, calls("my_g", x="3"))[0].text == "3"


def test_duplicate_tools_are_refused() -> None:
    """Two tools of one name are the program's mistake; neither wins silently."""
    with pytest.raises(DuplicateTool, match="'f'"):
        execute([tool("f", len), tool("f", len)], calls("f"))


# Order and overlap


def test_results_are_in_call_order() -> None:
    """Concurrent tools run first, yet the results are in the order of the calls."""
    order: list[str] = []
    source = [
        tool("slow", lambda a: (order.append("slow"), "slow")[1]),
        tool("fast", lambda a: (order.append("fast"), "fast")[1], concurrent=True),
    ]
    results = execute(source, calls("slow", "fast", "nowhere", "slow", "fast"))
    assert [r.name for r in results] == ["slow", "fast", "nowhere", "slow", "fast"]
    assert order == ["fast", "fast", "slow", "slow"]


def test_concurrent_tools_overlap() -> None:
    """Each waits for the other: only together can they finish."""
    barrier = threading.Barrier(2, timeout=5)
    meet = tool("meet", lambda a: barrier.wait() >= 0, concurrent=True)
    assert [r.text for r in execute(meet, calls("meet", "meet"))] == ["true", "true"]


def test_concurrent_async_tools_overlap() -> None:
    async def run() -> list[ToolResult]:
        arrived = asyncio.Event()
        count = 0

        async def body(arguments: Any) -> bool:
            nonlocal count
            count += 1
            if count == 2:
                arrived.set()
            await arrived.wait()
            return True

        return await aexecute(tool("meet", body, concurrent=True), calls("meet", "meet"))

    assert [r.text for r in asyncio.run(run())] == ["true", "true"]


def test_sequential_tools_do_not_overlap() -> None:
    running = threading.Lock()

    def body(arguments: Any) -> bool:
        assert running.acquire(blocking=False)
        time.sleep(0.01)
        running.release()
        return True

    assert [r.text for r in both(tool("f", body), calls("f", "f", "f"))] == ["true"] * 3


def test_many_calls_share_the_threads() -> None:
    """More concurrent calls than threads: all are answered."""
    seen = set()

    def body(arguments: Any) -> int:
        seen.add(threading.current_thread().name)
        return int(arguments["x"])

    made = [ToolCall(str(n), "f", {"x": n}) for n in range(200)]
    results = execute(tool("f", body, concurrent=True), made)
    assert [r.text for r in results] == [str(n) for n in range(200)]
    assert len(seen) <= MAX_THREADS


def test_async_tools_outside_a_loop() -> None:
    """`respond` runs async tools too, one after the other or side by side."""

    async def body(arguments: Any) -> int:
        await asyncio.sleep(0)
        return 1

    for concurrent in (False, True):
        assert execute(tool("f", body, concurrent=concurrent), calls("f"))[0].text == "1"


def test_async_tool_inside_a_running_loop() -> None:
    """The synchronous form inside a loop is the program's mistake and names the other one."""

    async def body(arguments: Any) -> int:
        return 1

    async def main() -> None:
        execute(tool("f", body), calls("f"))

    with pytest.raises(Misuse, match="arun"):
        asyncio.run(main())


def test_misuse_of_a_concurrent_tool_is_raised() -> None:
    """A program's mistake is raised after the other calls have ended."""
    ran: list[object] = []

    def generator(arguments: Any) -> Any:
        yield 1

    source = [
        tool("bad", generator, concurrent=True),
        tool("good", ran.append, concurrent=True),
    ]
    for main in (execute, lambda *args: asyncio.run(aexecute(*args))):
        with pytest.raises(Misuse, match="generator"):
            main(source, calls("bad", "good"))
    assert len(ran) == 2


# Time


def test_one_hanging_among_twenty() -> None:
    """Nineteen answers and one timeout, in about the time of the timeout."""
    release = threading.Event()

    def body(arguments: Any) -> str:
        if arguments["x"] == 7:
            release.wait(20)
        return "done"

    made = [ToolCall(str(n), "f", {"x": n}) for n in range(20)]
    began = time.perf_counter()
    try:
        for concurrent in (True, False):
            results = execute(tool("f", body, concurrent=concurrent), made, timeout=0.3)
            assert [r.id for r in results if r.is_error] == ["7"]
            assert "timed out" in results[7].text
            assert [r.text for r in results if not r.is_error] == ["done"] * 19
    finally:
        release.set()
    assert time.perf_counter() - began < 5


def test_one_hanging_async_tool_among_twenty() -> None:
    async def body(arguments: Any) -> str:
        if arguments["x"] == 7:
            await asyncio.sleep(20)
        return "done"

    made = [ToolCall(str(n), "f", {"x": n}) for n in range(20)]
    began = time.perf_counter()
    for concurrent in (True, False):
        function = tool("f", body, concurrent=concurrent)
        results = asyncio.run(aexecute(function, made, timeout=0.3))
        assert [r.id for r in results if r.is_error] == ["7"]
    assert time.perf_counter() - began < 5


def test_own_timeout_wins() -> None:
    """A tool's own timeout is its own; the general one is for tools that have none."""
    slow = tool("f", lambda a: time.sleep(0.1) or "done", timeout=5)
    assert both(slow, calls("f"), timeout=0.01)[0].text == "done"
    quick = tool("f", lambda a: time.sleep(0.5), timeout=0.05)
    assert both(quick, calls("f"))[0].is_error
    here = tool("f", lambda a: threading.current_thread().name, thread=False)
    assert both(here, calls("f"), timeout=5)[0].text == threading.current_thread().name


# Context variables

language: contextvars.ContextVar[str] = contextvars.ContextVar("language", default="none")


@pytest.mark.parametrize("concurrent", [False, True])
@pytest.mark.parametrize("timeout", [None, 5])
def test_context_variables_reach_threads_and_tasks(concurrent: bool, timeout: float | None) -> None:
    """Wherever a tool runs it sees the caller's context variables; its changes stay its own."""

    def body(arguments: Any) -> str:
        seen = language.get()
        language.set("changed")
        return seen

    async def coroutine(arguments: Any) -> str:
        return body(arguments)

    token = language.set("oslo")
    try:
        for function in (body, coroutine):
            made = tool("f", function, concurrent=concurrent)
            results = asyncio.run(aexecute(made, calls("f"), timeout=timeout))
            assert [r.text for r in results] == ["oslo"]
        results = execute(tool("f", body, concurrent=True), calls("f", "f"), timeout=timeout)
        assert [r.text for r in results] == ["oslo", "oslo"]
    finally:
        language.reset(token)


# Handlers


class Recorder(Handlers):
    """Writes down every moment with the id of the call it is about."""

    def __init__(self) -> None:
        self.moments: list[tuple[str, Any]] = []

    def on_tool_call_identified(self, call: ToolCall, tool: Any) -> None:
        self.moments.append(("on_tool_call_identified", call.id))

    def on_tool_execution_started(self, call: ToolCall, tool: Any) -> None:
        assert tool["name"] == call.name
        self.moments.append(("on_tool_execution_started", call.id))

    def on_tool_pre_execution(self, call: ToolCall, tool: Any) -> None:
        self.moments.append(("on_tool_pre_execution", call.id))

    def on_tool_execution_completed(self, call: ToolCall, result: ToolResult) -> None:
        self.moments.append(("on_tool_execution_completed", call.id))

    def on_tool_execution_failed(self, call: ToolCall, result: ToolResult) -> None:
        self.moments.append(("on_tool_execution_failed", call.id))

    def on_tool_interrupted(self, results: Sequence[ToolResult]) -> None:
        self.moments.append(("on_tool_interrupted", [r.id for r in results]))

    def on_message_processed(self, message: Any) -> None:
        self.moments.append(("on_message_processed", None))

    def on_tool_response_created(self, messages: Any) -> None:
        self.moments.append(("on_tool_response_created", len(messages)))


def test_moments_in_order() -> None:
    """The documented order: identified, started (concurrent ones first), and so on."""
    source = [
        tool("one", lambda a: 1),
        tool("two", raising(ToolError("no")), concurrent=True),
        tool("ask", lambda a: ToolResult("?", is_interrupt=True)),
    ]
    message = openai_message(*[(n, n, "{}") for n in ("one", "two", "nowhere", "ask")])
    for main in (respond, lambda *a, **k: asyncio.run(arespond(*a, **k))):
        heard = Recorder()
        main(source, message, handlers=[heard])
        assert heard.moments == [
            ("on_tool_call_identified", "one"),
            ("on_tool_call_identified", "two"),
            ("on_tool_call_identified", "ask"),
            ("on_tool_execution_started", "two"),
            ("on_tool_execution_started", "one"),
            ("on_tool_execution_started", "ask"),
            ("on_tool_pre_execution", "two"),
            ("on_tool_execution_failed", "two"),
            ("on_tool_pre_execution", "one"),
            ("on_tool_execution_completed", "one"),
            ("on_tool_pre_execution", "ask"),
            ("on_tool_execution_failed", "nowhere"),
            ("on_tool_interrupted", ["ask"]),
            ("on_message_processed", None),
            ("on_tool_response_created", 4),
        ]


def test_concurrent_moments() -> None:
    """All concurrent tools have finished before the first completion is told."""
    heard = Recorder()
    execute(tool("f", lambda a: 1, concurrent=True), calls("f", "f"), handlers=[heard])
    kinds = [moment for moment, _ in heard.moments]
    assert kinds[-2:] == ["on_tool_execution_completed"] * 2
    assert [place for _, place in heard.moments[-2:]] == ["c0", "c1"]


def test_pre_execution_is_told_where_the_tool_runs() -> None:
    """So that a handler can prepare thread-local or context-local state."""
    where: list[str] = []

    class Here:
        def on_tool_pre_execution(self, call: ToolCall, tool: Any) -> None:
            where.append(threading.current_thread().name)

    def body(arguments: Any) -> None:
        where.append(threading.current_thread().name)

    execute(tool("f", body, concurrent=True), calls("f"), handlers=[Here()])
    assert where[0] == where[1] != threading.current_thread().name


def test_handlers_with_some_methods() -> None:
    """Several handlers, each with what it wants; one that raises changes nothing."""

    class Failing:
        def on_tool_execution_completed(self, call: ToolCall, result: ToolResult) -> None:
            raise RuntimeError("handler")

    heard = Recorder()
    results = execute(tool("f", lambda a: 1), calls("f"), handlers=[Failing(), Handlers(), heard])
    assert [r.text for r in results] == ["1"]
    assert heard.moments[-1] == ("on_tool_execution_completed", "c0")


def test_failing_handlers_are_logged(caplog: pytest.LogCaptureFixture) -> None:
    class Failing:
        def on_tool_call_identified(self, call: ToolCall, tool: Any) -> None:
            raise RuntimeError("handler")

    execute(tool("f", lambda a: 1), calls("f"), handlers=[Failing()])
    assert "on_tool_call_identified" in caplog.text


def test_handlers_are_checked() -> None:
    """A misspelt moment or one that is no method is told at once, before anything runs."""

    class Misspelt:
        def on_tool_execution_complete(self) -> None: ...

    class NoMethod:
        on_error = 3

    for handler, word in ((Misspelt(), "never called"), (NoMethod(), "must be a method")):
        with pytest.raises(Misuse, match=word):
            execute(tool("f", len), calls("f"), handlers=[handler])


def test_every_moment_has_a_method() -> None:
    assert {name for name in vars(Handlers) if name.startswith("on_")} == MOMENTS
    handler = Handlers()
    for name in MOMENTS:
        method = getattr(handler, name)
        method(*[None] * (method.__code__.co_argcount - 1))


# Decisions


def test_decisions() -> None:
    """Approved as made, edited with other arguments, rejected not run at all."""
    seen: list[object] = []
    source = tool("f", lambda a: (seen.append(dict(a)), "ran")[1], concurrent=True)
    made = calls("f", "f", "f", "f", x=1)
    decisions = [Approve(), Edit({"x": 2}), Reject("too late"), Edit()]
    results = both(source, made, decisions=decisions)
    assert seen == [{"x": 1}, {"x": 2}, {}] * 2
    assert [r.is_error for r in results] == [False] * 4
    assert [r.text for r in results if r.text == "ran"] == ["ran"] * 3
    rejected = results[2].text
    assert "f" in rejected
    assert "human reviewer" in rejected
    assert "too late" in rejected


def test_decisions_and_handlers() -> None:
    """Handlers see the edited call; a rejection is told as failed though it is no error."""
    heard = Recorder()
    made = calls("f", "f", "nowhere")
    decisions = [Approve(), Reject(), Approve()]
    results = execute(tool("f", lambda a: 1), made, decisions=decisions, handlers=[heard])
    assert [r.is_error for r in results] == [False, False, True]
    assert [moment for moment, place in heard.moments if place == "c1"] == [
        "on_tool_call_identified",
        "on_tool_execution_failed",
    ]
    arguments: list[object] = []

    class Edited:
        def on_tool_execution_started(self, call: ToolCall, tool: Any) -> None:
            arguments.append(call.arguments)

    execute(tool("f", lambda a: 1), calls("f"), decisions=[Edit({"x": 9})], handlers=[Edited()])
    assert arguments == [{"x": 9}]


def test_decisions_are_sequential() -> None:
    """Nothing overlaps while a person decides, not even concurrent tools."""
    running = threading.Lock()

    def body(arguments: Any) -> bool:
        with running:
            return threading.current_thread() is threading.main_thread()

    made = tool("f", body, concurrent=True)
    results = execute(made, calls("f", "f"), decisions=[Approve()] * 2)
    assert [r.text for r in results] == ["true"] * 2


@pytest.mark.parametrize("decisions", [[], [Approve()], [Approve()] * 3])
def test_decisions_must_match(decisions: list[Any]) -> None:
    """A call without a decision is never run, and a decision without a call never dropped."""
    ran: list[object] = []
    with pytest.raises(ValueError, match="2 calls"):
        execute(tool("f", ran.append), calls("f", "f"), decisions=decisions)
    with pytest.raises(ValueError, match="2 calls"):
        asyncio.run(aexecute(tool("f", ran.append), calls("f", "f"), decisions=decisions))
    assert ran == []


def test_unknown_decision() -> None:
    with pytest.raises(TypeError, match="Approve, Edit or Reject"):
        execute(tool("f", len), calls("f"), decisions=["approve"])  # type: ignore[arg-type]


def test_decisions_in_a_message() -> None:
    message = openai_message(("a", "f", "{}"))
    (answer,) = respond(tool("f", len), message, decisions=[Reject()])
    assert "rejected" in answer["content"]
    (answer,) = asyncio.run(arespond(tool("f", len), message, decisions=[Reject()]))
    assert "rejected" in answer["content"]


# After an interrupt


def test_replace_result() -> None:
    """Swapped by the call's id, the name kept; unchanged where there is none."""
    results = [ToolResult("?", id="a", name="f", is_interrupt=True), ToolResult("b", id="b")]
    done = replace_result(results, "a", ToolResult("yes"))
    assert [(r.id, r.name, r.text) for r in done] == [("a", "f", "yes"), ("b", None, "b")]
    assert replace_result(results, "c", ToolResult("yes")) == results


# Names


def test_display_text() -> None:
    """The tool's own, else its name in words with its capitals kept; a fallback for no tool."""
    source = [
        tool("get_weather", len, display_text="Looking outside"),
        tool("getUser", len),
        tool("find", len, title="Find things"),
    ]
    assert display_text(source, "get_weather") == "Looking outside"
    assert display_text(source, "getUser") == "GetUser"
    assert display_text(source, "find") == "Find things"
    assert display_text(source, "no_such_tool") == "No such tool"
    assert display_text(source, "no_such_tool", "Working") == "Working"
    (result,) = both(source, calls("get_weather"))
    assert result.display_text == "Looking outside"
