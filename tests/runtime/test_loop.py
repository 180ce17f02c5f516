"""The loop: transitions of a conversation, and when each kind of run goes on and stops."""

from __future__ import annotations

import asyncio
import copy
import json
from typing import TYPE_CHECKING, Any

import pytest

from toolcall._function import Function, FunctionParam
from toolcall._handlers import Handlers
from toolcall._values import Err, Ok, ToolCall, ToolResult
from toolcall.errors import Misuse, ToolError
from toolcall.loop import (
    Conversation,
    LimitExceeded,
    Limits,
    astep,
    auntil_success,
    auntil_tool_used,
    awhile_needs_response,
    step,
    until_success,
    until_tool_used,
    while_needs_response,
)
from toolcall.telemetry import listening

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from toolcall.loop import Outcome

USER = {"role": "user", "content": "Please."}
X = [FunctionParam("x", "integer", required=True)]


def tool(name: str, body: Callable[..., Any], **parts: Any) -> Function:
    return Function(name, params=X, call=body, validate=True, **parts)


ADD = tool("add", lambda a: Ok(a["x"] + 1, processed=("native", a["x"] + 1)))


def fail(arguments: Any) -> Any:
    raise ToolError("not like this")


FAIL = tool("fail", fail)
ASK = tool("ask", lambda a: ToolResult("?", is_interrupt=True, interrupt_data=a["x"]))
SOURCE = [ADD, FAIL, ASK]


def says(*made: tuple[str, Any], text: str | None = None) -> dict[str, Any]:
    """An OpenAI assistant message that calls tools, or says something."""
    message: dict[str, Any] = {"role": "assistant", "content": text}
    if made:
        message["tool_calls"] = [
            {
                "id": f"{name}-{place}",
                "type": "function",
                "function": {"name": name, "arguments": json.dumps(arguments)},
            }
            for place, (name, arguments) in enumerate(made)
        ]
    return message


DONE = says(text="Done.")


class Script:
    """A model that says what is written for it, and remembers what it was shown."""

    def __init__(self, *messages: Any, repeat: bool = False) -> None:
        self.messages = list(messages)
        self.repeat = repeat
        self.seen: list[tuple[list[Any], list[dict[str, Any]]]] = []

    def __call__(self, messages: list[Any], tools: list[dict[str, Any]]) -> Any:
        self.seen.append((copy.deepcopy(messages), tools))
        return self.messages[0] if self.repeat else self.messages.pop(0)


def both(
    names: tuple[Any, Any], conversation: Conversation, script: Script, *args: Any, **options: Any
) -> tuple[Outcome, Script]:
    """The outcome of the blocking driver, after asserting that the other one agrees."""
    blocking, awaiting = names
    twin = Script(*copy.deepcopy(script.messages), repeat=script.repeat)

    async def model(messages: list[Any], tools: list[dict[str, Any]]) -> Any:
        await asyncio.sleep(0)
        return twin(messages, tools)

    error = twin_error = None
    outcome = twin_outcome = None
    try:
        outcome = blocking(conversation, script, *args, **options)
    except LimitExceeded as caught:
        error = caught
    try:
        twin_outcome = asyncio.run(awaiting(conversation, model, *args, **options))
    except LimitExceeded as caught:
        twin_error = caught
    assert twin.seen == script.seen
    if error is not None:
        assert twin_error is not None
        assert str(error) == str(twin_error)
        raise error
    assert outcome is not None
    assert twin_outcome is not None
    assert outcome.conversation.messages == twin_outcome.conversation.messages
    counts = ("model_calls", "tool_calls", "failures", "value")
    assert [getattr(outcome, n) for n in counts] == [getattr(twin_outcome, n) for n in counts]
    return outcome, script


STEP = (step, astep)
WHILE = (while_needs_response, awhile_needs_response)
SUCCESS = (until_success, auntil_success)
USED = (until_tool_used, auntil_tool_used)


def start(source: Any = SOURCE, **parts: Any) -> Conversation:
    return Conversation(source, **parts).say(USER)


# The value


def test_transitions_are_pure() -> None:
    """Every transition is a new conversation; the old one is what it was."""
    empty = Conversation(SOURCE)
    asked = empty.say(USER)
    called = asked.answer(says(("add", {"x": 1})))
    answered = called.respond([ToolResult("2", id="add-0", name="add")])
    assert [len(c.messages) for c in (empty, asked, called, answered)] == [0, 1, 2, 3]
    assert [c.last for c in (empty, asked, called, answered)] == [
        "nobody",
        "program",
        "model",
        "tools",
    ]
    assert [c.needs_response for c in (empty, asked, called, answered)] == [False, True, True, True]
    assert [call.name for call in called.pending] == ["add"]
    assert answered.pending == ()
    assert not answered.answer(DONE).needs_response
    with pytest.raises(AttributeError):
        asked.messages = ()  # type: ignore[misc]


def test_conversation_from_messages() -> None:
    """A stored conversation goes on where it was: calls without results are pending."""
    assert Conversation(SOURCE, messages=[USER]).last == "program"  # type: ignore[arg-type]
    waiting = Conversation(SOURCE, messages=(USER, says(("add", {"x": 1}))))
    assert [call.name for call in waiting.pending] == ["add"]
    assert Conversation(SOURCE, messages=(USER, DONE)).last == "model"

    class Message:
        role = "assistant"
        content = "Done."

    assert Conversation(SOURCE, messages=(USER, Message())).last == "model"


def test_results_match_calls() -> None:
    """Results answer calls; there are as many of one as of the other."""
    with pytest.raises(Misuse, match="0 pending calls"):
        start().respond([ToolResult("x")])
    with pytest.raises(Misuse, match="1 pending"):
        start().answer(says(("add", {"x": 1}))).respond([])


def test_all_results_of_a_message_are_together() -> None:
    """Anthropic wants one message with all results; errors are known to the conversation."""
    blocks = [{"type": "tool_use", "id": i, "name": "add", "input": {"x": 1}} for i in "ab"]
    called = Conversation(SOURCE, "anthropic").answer({"role": "assistant", "content": blocks})
    done = called.respond([ToolResult("1", id="a"), ToolResult("no", id="b", is_error=True)])
    assert len(done.messages) == 2
    assert len(done.messages[1]["content"]) == 2
    assert done.had_errors


def test_resolve_swaps_a_result() -> None:
    """After an interrupt: the person's answer takes the place of the waiting result."""
    waiting = start().answer(says(("add", {"x": 1}), ("ask", {"x": 2})))
    waiting = waiting.respond(
        [ToolResult("2", id="add-0"), ToolResult("?", id="ask-1", is_interrupt=True)]
    )
    assert [r.id for r in waiting.interrupts] == ["ask-1"]
    done = waiting.resolve("ask-1", ToolResult("yes"))
    assert done.interrupts == ()
    assert [m["content"] for m in done.messages[-2:]] == ["2", "yes"]
    assert waiting.messages[-1]["content"] == "?"
    assert waiting.resolve("nothing", ToolResult("yes")) is waiting


# step


def test_step_does_one_thing() -> None:
    """The model if nothing is pending, else the tools and not the model."""
    script = Script(says(("add", {"x": 1})))
    asked, _ = both(STEP, start(), script)
    assert (asked.model_calls, asked.tool_calls) == (1, 0)
    ran, unused = both(STEP, asked.conversation, Script())
    assert (ran.model_calls, ran.tool_calls, unused.seen) == (0, 1, [])
    assert ran.exchanged == ({"role": "tool", "tool_call_id": "add-0", "content": "2"},)


def test_step_goes_on_as_long_as_it_is_told_to() -> None:
    script = Script(says(("add", {"x": 1})), DONE)
    outcome, _ = both(STEP, start(), script, should_continue=lambda c: c.needs_response)
    assert outcome.conversation.messages[-1] == DONE
    assert len(outcome.exchanged) == 3


def test_step_stops_for_a_person() -> None:
    script = Script(says(("ask", {"x": 1})))
    outcome, _ = both(STEP, start(), script, should_continue=lambda c: True)
    assert [r.interrupt_data for r in outcome.interrupts] == [1]


# while_needs_response


def test_until_the_model_has_said_all() -> None:
    """Tools and model in turn; the model is shown every result, and the tools each time."""
    script = Script(says(("add", {"x": 1}), ("add", {"x": 2})), says(("add", {"x": 3})), DONE)
    outcome, model = both(WHILE, start(), script)
    assert (outcome.model_calls, outcome.tool_calls, outcome.result) == (3, 3, None)
    shown, tools = model.seen[1]
    assert [m["role"] for m in shown] == ["user", "assistant", "tool", "tool"]
    assert [t["function"]["name"] for t in tools] == ["add", "fail", "ask"]


def test_nothing_to_do() -> None:
    """A conversation that is over is not asked again."""
    over = start().answer(DONE)
    outcome, model = both(WHILE, over, Script())
    assert (outcome.exchanged, model.seen) == ((), [])


def test_pending_calls_come_first() -> None:
    waiting = start().answer(says(("add", {"x": 1})))
    outcome, model = both(WHILE, waiting, Script(DONE))
    assert (outcome.model_calls, outcome.tool_calls) == (1, 1)
    assert len(model.seen) == 1


def test_an_interrupt_stops_and_goes_on() -> None:
    """The run stops for a person, and a new one goes on with the answer."""
    outcome, _ = both(WHILE, start(), Script(says(("ask", {"x": 1}))))
    assert outcome.conversation.needs_response
    resolved = outcome.conversation.resolve("ask-0", ToolResult("yes"))
    finished, model = both(WHILE, resolved, Script(DONE))
    assert model.seen[0][0][-1]["content"] == "yes"
    assert not finished.interrupts


# until_success


def test_the_first_native_value_is_the_outcome() -> None:
    """Retries until a batch is clean; the model is not shown the clean one."""
    script = Script(says(("fail", {"x": 1})), says(("add", {"x": "no"})), says(("add", {"x": 1})))
    outcome, model = both(SUCCESS, start(), script)
    assert outcome.value == ("native", 2)
    assert (outcome.model_calls, outcome.failures) == (3, 0)
    assert "not like this" in model.seen[1][0][-1]["content"]


def test_exactly_as_many_tries_as_failures_allowed() -> None:
    """With a limit of 3 and a tool that always fails the model is asked 3 times."""
    script = Script(says(("fail", {"x": 1})), repeat=True)
    with pytest.raises(LimitExceeded) as caught:
        both(SUCCESS, start(), script)
    assert (caught.value.limit, caught.value.count, caught.value.maximum) == ("failures", 3, 3)
    assert "failures: 3 of 3" in str(caught.value)
    assert len(script.seen) == 3
    assert len(caught.value.conversation.messages) == 7


def test_one_failing_call_fails_its_batch() -> None:
    """+1 for a batch, however many of its calls failed."""
    script = Script(says(("fail", {"x": 1}), ("fail", {"x": 1}), ("add", {"x": 1})), repeat=True)
    with pytest.raises(LimitExceeded):
        both(SUCCESS, start(), script, limits=Limits(failures=2))
    assert len(script.seen) == 2


def test_already_there() -> None:
    """A conversation that ends with a clean result or an answer is not asked again."""
    called = start().answer(says(("add", {"x": 1})))
    clean = called.respond([ToolResult("2", id="add-0", processed="native")])
    outcome, model = both(SUCCESS, clean, Script())
    assert (outcome.value, model.seen) == ("native", [])
    outcome, model = both(SUCCESS, start().answer(DONE), Script())
    assert (outcome.value, outcome.result, model.seen) == (None, None, [])


def test_an_answer_without_tools_ends_it() -> None:
    outcome, _ = both(SUCCESS, start(), Script(says(("fail", {"x": 1})), DONE))
    assert (outcome.result, outcome.failures) == (None, 0)


def test_an_interrupt_counts_as_success() -> None:
    outcome, _ = both(SUCCESS, start(), Script(says(("fail", {"x": 1}), ("ask", {"x": 7}))))
    assert outcome.result is not None
    assert outcome.result.interrupt_data == 7


# until_tool_used


def test_until_the_tool_is_used() -> None:
    script = Script(says(("fail", {"x": 1})), says(("fail", {"x": 1}), ("add", {"x": 5})))
    outcome, _ = both(USED, start(), script, "add")
    assert outcome.value == ("native", 6)
    assert outcome.conversation.last == "tools"


def test_an_error_of_the_tool_is_its_use() -> None:
    outcome, _ = both(USED, start(), Script(says(("fail", {"x": 1}))), ["add", "fail"])
    assert outcome.result is not None
    assert outcome.result.is_error


@pytest.mark.parametrize("names", ["nothing", ["add", "nothing"], []])
def test_tools_that_do_not_exist(names: Any) -> None:
    """Told before anything is asked."""
    script = Script(DONE)
    with pytest.raises(Misuse, match="there are: add, fail, ask"):
        until_tool_used(start(), script, names)
    with pytest.raises(Misuse, match="there is no tool"):
        asyncio.run(auntil_tool_used(start(), script, names))
    assert script.seen == []


def test_finished_without_the_tool() -> None:
    outcome, _ = both(USED, start(), Script(DONE), "add")
    assert outcome.result is None


def test_stopped_for_a_person_before_the_tool() -> None:
    outcome, _ = both(USED, start(), Script(says(("ask", {"x": 1}))), "add")
    assert (outcome.result, len(outcome.interrupts)) == (None, 1)


def test_success_on_the_last_allowed_call() -> None:
    """Success on the very call that hits the limit is success."""
    script = Script(says(("ask", {"x": 1})), says(("add", {"x": 1})))
    script.messages[0] = says(("fail", {"x": 1}))
    outcome, _ = both(USED, start(), script, "add", limits=Limits(model_calls=2))
    assert outcome.model_calls == 2


# Limits


def test_model_calls_are_bounded() -> None:
    """A model that never stops calling tools is stopped, 25 times by default."""
    script = Script(says(("add", {"x": 1})), repeat=True)
    with pytest.raises(LimitExceeded, match="model_calls: 25 of 25"):
        both(WHILE, start(), script)
    assert len(script.seen) == 25


def test_tool_calls_are_bounded() -> None:
    """A batch that would pass the limit does not run, in whole."""
    ran: list[object] = []
    source = tool("f", ran.append)
    script = Script(says(("f", {"x": 1}), ("f", {"x": 1})), repeat=True)
    with pytest.raises(LimitExceeded, match="tool_calls: 2 of 3") as caught:
        while_needs_response(start(source), script, limits=Limits(tool_calls=3))
    assert len(ran) == 2
    assert len(caught.value.conversation.pending) == 2


def test_limits_can_be_lifted() -> None:
    script = Script(*[says(("fail", {"x": 1}))] * 30, DONE)
    nothing = Limits(failures=None, model_calls=None)
    outcome, _ = both(WHILE, start(), script, limits=nothing)
    assert (outcome.model_calls, outcome.tool_calls) == (31, 30)


def test_failures_are_forgotten() -> None:
    """A clean batch and an answer without calls reset the counter; a call does not."""
    wrong, right = says(("fail", {"x": 1})), says(("add", {"x": 1}))
    script = Script(wrong, wrong, right, wrong, wrong, DONE)
    outcome, _ = both(WHILE, start(), script)
    assert (outcome.model_calls, outcome.failures) == (6, 0)
    ended, _ = both(STEP, start().answer(wrong), Script())
    assert ended.failures == 1


def test_counters_are_per_run() -> None:
    """A second run on the same conversation starts anew, and the context stays the user's."""
    context = {"user": 1}
    script = Script(says(("add", {"x": 1})), DONE)
    first, _ = both(WHILE, start(context=context), script, limits=Limits(model_calls=2))
    again = first.conversation.say(USER)
    second, _ = both(
        WHILE, again, Script(says(("add", {"x": 1})), DONE), limits=Limits(model_calls=2)
    )
    assert (second.model_calls, len(second.exchanged)) == (2, 3)
    assert context == {"user": 1}


@pytest.mark.parametrize(
    "message",
    [
        says(("nowhere", {"x": 1})),
        says(("add", None)),
        says(("add", [1])),
        says(("add", {"y": 1})),
        {
            "role": "assistant",
            "tool_calls": [{"id": "a", "function": {"name": "add", "arguments": '{"x": 1'}}],
        },
    ],
)
def test_the_same_wrong_call_again_and_again(message: Any) -> None:
    """Every call is answered, the counter is right, and it ends."""
    script = Script(message, repeat=True)
    with pytest.raises(LimitExceeded, match="failures: 3 of 3") as caught:
        both(WHILE, start(), script)
    conversation = caught.value.conversation
    assert [m["role"] for m in conversation.messages] == ["user"] + ["assistant", "tool"] * 3
    assert conversation.pending == ()


# Options


def test_options_reach_the_tools() -> None:
    seen: list[Any] = []
    source = tool("f", lambda a, c: seen.append((a["x"], c.value, c.call_id)))
    script = Script(says(("f", {"x": "3"})), DONE)
    both(WHILE, start(source, context="user"), script, lenient=True, timeout=5)
    assert seen == [(3, "user", "f-0")] * 2


def test_strict_reaches_the_tools() -> None:
    _, model = both(STEP, start([ADD], strict=True), Script(DONE))
    assert model.seen[0][1][0]["function"]["strict"] is True


class Recorder(Handlers):
    def __init__(self) -> None:
        self.moments: list[Any] = []

    def on_model_message(self, message: Any) -> None:
        self.moments.append("message")

    def on_model_error(self, error: Exception) -> None:
        self.moments.append(("model error", str(error)))

    def on_tool_execution_completed(self, call: ToolCall, result: ToolResult) -> None:
        self.moments.append("completed")

    def on_message_processed(self, message: Any) -> None:
        self.moments.append(("processed", message["role"]))

    def on_tool_response_created(self, messages: Sequence[Any]) -> None:
        self.moments.append(("created", len(messages)))

    def on_retries_exceeded(self, failures: int) -> None:
        self.moments.append(("retries", failures))

    def on_error(self, error: Exception) -> None:
        self.moments.append(("error", type(error).__name__))


def test_moments_of_a_run() -> None:
    heard = Recorder()
    script = Script(says(("add", {"x": 1}), ("add", {"x": 1})), DONE)
    while_needs_response(start(), script, handlers=[heard])
    assert heard.moments == [
        "message",
        "completed",
        "completed",
        ("processed", "assistant"),
        ("created", 2),
        "message",
    ]


@pytest.mark.parametrize("mode", [WHILE, SUCCESS])
def test_moments_of_a_limit(mode: Any) -> None:
    """Every mode tells of too many failures, and of the end, once."""
    heard = Recorder()
    wrong = says(("fail", {"x": 1}))
    with pytest.raises(LimitExceeded):
        both(mode, start(), Script(wrong, repeat=True), handlers=[heard], limits=Limits(failures=1))
    assert heard.moments.count(("retries", 1)) == 2  # once for each driver
    assert heard.moments.count(("error", "LimitExceeded")) == 2
    other = Recorder()
    with pytest.raises(LimitExceeded):
        both(mode, start(), Script(), handlers=[other], limits=Limits(model_calls=0))
    assert other.moments == [("error", "LimitExceeded")] * 2


def test_errors_of_the_model_go_on() -> None:
    """What the model callable raises is told, and is the program's to handle."""

    def model(messages: Any, tools: Any) -> Any:
        raise ConnectionError("offline")

    async def amodel(messages: Any, tools: Any) -> Any:
        raise ConnectionError("offline")

    heard = Recorder()
    with pytest.raises(ConnectionError):
        while_needs_response(start(), model, handlers=[heard])
    with pytest.raises(ConnectionError):
        asyncio.run(awhile_needs_response(start(), amodel, handlers=[heard]))
    assert heard.moments == [("model error", "offline"), ("error", "ConnectionError")] * 2


def test_async_model_in_the_blocking_driver() -> None:
    async def model(messages: Any, tools: Any) -> Any:
        return DONE

    with pytest.raises(Misuse, match="async drivers"):
        step(start(), model)


def test_blocking_model_in_the_async_driver() -> None:
    outcome = asyncio.run(awhile_needs_response(start(), Script(DONE)))
    assert outcome.conversation.messages[-1] == DONE


def test_runs_are_observed() -> None:
    events: list[Any] = []
    with listening(events.append):
        while_needs_response(start(context="user"), Script(says(("add", {"x": 1})), DONE))
        with pytest.raises(LimitExceeded):
            asyncio.run(astep(start(), Script(DONE), limits=Limits(model_calls=0)))
    assert [type(event).__name__ for event in events] == [
        "LoopStarted",
        "CallStarted",
        "CallFinished",
        "LoopFinished",
        "LoopStarted",
        "LoopAborted",
    ]
    started, finished = events[0], events[3]
    assert (started.mode, started.format) == ("while_needs_response", "openai")
    assert (started.message_count, started.tools_count, started.context) == (1, 3, "user")
    assert (finished.model_calls, finished.tool_calls, finished.message_count) == (2, 1, 4)


# Every format


def _anthropic(call_id: str, name: str, arguments: Any) -> Any:
    block = {"type": "tool_use", "id": call_id, "name": name, "input": arguments}
    return {"role": "assistant", "content": [block]}


def _responses(call_id: str, name: str, arguments: Any) -> Any:
    text = json.dumps(arguments)
    return [{"type": "function_call", "call_id": call_id, "name": name, "arguments": text}]


def _gemini(call_id: str, name: str, arguments: Any) -> Any:
    return {"role": "model", "parts": [{"functionCall": {"name": name, "args": arguments}}]}


def _bedrock(call_id: str, name: str, arguments: Any) -> Any:
    use = {"toolUseId": call_id, "name": name, "input": arguments}
    return {"role": "assistant", "content": [{"toolUse": use}]}


def _openai(call_id: str, name: str, arguments: Any) -> Any:
    return says((name, arguments))


VENDORS = {
    "openai": (_openai, DONE),
    "anthropic": (_anthropic, {"role": "assistant", "content": "Done."}),
    "openai_responses": (_responses, [{"type": "message", "role": "assistant", "content": []}]),
    "gemini": (_gemini, {"role": "model", "parts": [{"text": "Done."}]}),
    "bedrock": (_bedrock, {"role": "assistant", "content": [{"text": "Done."}]}),
}


@pytest.mark.parametrize("vendor", sorted(VENDORS))
def test_every_format(vendor: str) -> None:
    """The same run in every vendor's form: a wrong call, a right one, an answer."""
    calls, done = VENDORS[vendor]
    script = Script(calls("a", "add", {"x": "no"}), calls("b", "add", {"x": 1}), done)
    outcome, model = both(WHILE, start(format=vendor), script)
    assert (outcome.model_calls, outcome.tool_calls) == (3, 2)
    assert not outcome.conversation.needs_response
    assert "integer" in json.dumps(model.seen[1][0][-1])
    assert len(model.seen[0][1]) in (1, 3)  # Gemini has one envelope for all


def test_names_that_a_vendor_cannot_take() -> None:
    """A tool under a dotted name is called by another one, and found again."""
    definition = ADD.__toolcall_definition__()
    definition["tool"] = {**definition["tool"], "name": "math.add"}

    class Dotted:
        def __toolcall_definition__(self) -> Any:
            return definition

        __toolcall_call__ = staticmethod(ADD.__toolcall_call__)

    script = Script(says(("math_add", {"x": 1})))
    outcome, model = both(USED, start(Dotted()), script, "math.add")
    assert outcome.value == ("native", 2)
    assert model.seen[0][1][0]["function"]["name"] == "math_add"


def test_err_is_an_error_result() -> None:
    source = tool("f", lambda a: Err("no"))
    outcome, _ = both(STEP, start(source).answer(says(("f", {"x": 1}))), Script())
    assert outcome.failures == 1
