"""The official client gets what it should, over both transports and in both eras."""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("mcp.client", reason="the extra serve is not installed")

from mcp import Client, StdioServerParameters
from mcp.shared.exceptions import MCPError

from tests.serve.conftest import over_http

Talk = Callable[[Callable[[Any], Awaitable[None]]], None]


@pytest.fixture(scope="module", params=["stdio", "http"])
def target(request: pytest.FixtureRequest, built: Path) -> Iterator[Any]:
    with ExitStack() as stack:
        if request.param == "http":
            yield stack.enter_context(over_http(built, "served", "till:TILL"))
        else:
            arguments = ["-m", "toolcall", "serve", "served", "till:TILL"]
            yield StdioServerParameters(command=sys.executable, args=arguments, cwd=str(built))


@pytest.fixture(params=["legacy", "auto"])
def talk(request: pytest.FixtureRequest, target: Any) -> Talk:
    """Talk to the server by one client."""

    def talk(say: Callable[[Any], Awaitable[None]]) -> None:
        async def talking() -> None:
            async with Client(target, mode=request.param) as client:
                await say(client)

        asyncio.run(asyncio.wait_for(talking(), 60))

    return talk


def said(result: Any) -> str:
    return str(result.content[0].text)


def test_tools_are_listed_with_all_that_is_known(talk: Talk) -> None:
    """Names, descriptions, annotations and both schemas; nothing of hidden parameters."""

    async def say(client: Any) -> None:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert list(tools)[:2] == ["add", "length"]
        assert "pay" in tools
        add = tools["add"]
        assert (add.title, add.description) == ("Add two points", "Add points.")
        assert (add.annotations.read_only_hint, add.annotations.idempotent_hint) == (True, True)
        assert set(add.input_schema["properties"]) == {"a", "b"}
        assert set(add.output_schema["properties"]) == {"x", "y"}
        # An older revision wants an object at the root.
        modern = client.protocol_version >= "2026"
        assert ("result" in str(tools["length"].output_schema)) is not modern

    talk(say)


def test_results_are_structured(talk: Talk) -> None:
    """An object as it is; a number as it is, or wrapped for revisions that want an object."""

    async def say(client: Any) -> None:
        added = await client.call_tool("add", {"a": {"x": 1, "y": 2}, "b": {"x": 1, "y": 2}})
        assert (added.structured_content, added.is_error) == ({"x": 2, "y": 4}, False)
        counted = await client.call_tool("length", {"text": "four"})
        wrapped = client.protocol_version < "2026"
        assert counted.structured_content == ({"result": 4} if wrapped else 4)
        assert (await client.call_tool("pay", {"amount": 3})).structured_content is not None

    talk(say)


def test_what_goes_wrong_is_an_error_result(talk: Talk) -> None:
    """Bad arguments with all their problems, refusals, exceptions and unknown names."""

    async def say(client: Any) -> None:
        await client.list_tools()
        bad = await client.call_tool("add", {"a": {"x": "1", "z": 2}})
        assert bad.is_error
        assert "4 problems" in said(bad)
        refused = await client.call_tool("refuse", {"why": "late"})
        assert (refused.is_error, said(refused)) == (True, "no: late")
        crashed = await client.call_tool("crash")
        assert (crashed.is_error, said(crashed)) == (True, "it broke")
        unknown = await client.call_tool("lenght", {"text": ""})
        assert unknown.is_error
        assert 'did you mean "length"' in said(unknown)

    talk(say)


def test_a_result_that_is_not_what_was_promised_is_an_error(talk: Talk) -> None:
    """It has no structured content; everything that can be encoded keeps the promise."""

    async def say(client: Any) -> None:
        await client.list_tools()
        for how in ("wrong", "text", "none", "list"):
            result = await client.call_tool("broken", {"how": how})
            assert (result.is_error, result.structured_content) == (True, None)
            assert "something else than it declares" in said(result)
        grown = await client.call_tool("grown")
        assert not grown.is_error
        assert grown.structured_content["inner"]["took"] == "P1DT12H"

    talk(say)


@pytest.mark.parametrize("name", ["steps", "async_steps"])
def test_progress_comes_in_order_and_before_the_result(talk: Talk, name: str) -> None:
    """Each report of a tool reaches the client that asked for them."""

    async def say(client: Any) -> None:
        heard: list[float] = []

        async def listen(done: float, total: float | None, message: str | None) -> None:
            heard.append(done)
            assert message == (f"step {done:g}" if name == "steps" else None)

        answered = await client.call_tool(name, {"number": 5}, progress_callback=listen)
        assert said(answered) == "done"
        assert heard == [1, 2, 3, 4, 5]

    talk(say)


def test_a_call_that_was_cancelled_ends(talk: Talk, tmp_path: Path) -> None:
    """A tool in a thread ends at its next report once its client has given up."""
    mark = tmp_path / "mark"

    async def say(client: Any) -> None:
        with pytest.raises(MCPError):
            await client.call_tool("until_cancelled", {"mark": str(mark)}, read_timeout_seconds=0.5)
        for _ in range(200):
            if mark.exists():
                break
            await asyncio.sleep(0.05)
        assert mark.read_text() == "ended"

    talk(say)


def test_hanging_calls_do_not_block_others(talk: Talk) -> None:
    """More calls hang than there are processors or pooled threads; the next one is answered."""

    async def say(client: Any) -> None:
        hanging = [asyncio.create_task(client.call_tool("wait_for_ever")) for _ in range(40)]
        await asyncio.sleep(0.5)
        before = time.monotonic()
        answered = await client.call_tool("length", {"text": "abc"})
        assert not answered.is_error
        assert time.monotonic() - before < 10
        for task in hanging:
            task.cancel()
        await asyncio.gather(*hanging, return_exceptions=True)

    talk(say)


def test_ten_megabytes_of_arguments(talk: Talk) -> None:
    """They are read as any others."""

    async def say(client: Any) -> None:
        counted = await client.call_tool("length", {"text": "x" * 10_000_000})
        assert said(counted) == "10000000"

    talk(say)
