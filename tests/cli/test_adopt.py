"""`toolcall adopt`: what it finds, what it says of it, and that it touches nothing."""

from __future__ import annotations

import ast
from collections.abc import Callable
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

from toolcall._cli.foreign import disguised, find

SOURCE = dedent(
    '''\
    """Tools of several libraries."""
    from __future__ import annotations

    from agents import RunContextWrapper, function_tool as ft
    from fastmcp import FastMCP
    from langchain_core.tools import tool
    from pydantic_ai import Agent, RunContext

    agent = Agent[int, str]("model")
    mcp: FastMCP = make()


    @ft(
        strict_mode=True,
    )
    def book(ctx: RunContextWrapper[int], seat: str = "window") -> str:
        """Book.

        Args:
            seat: One of "window", "aisle".
        """
        return seat


    class Desk:
        @tool("look")
        @staticmethod
        def look(query: str) -> str:
            """Look.

            Args:
                query: What for.
            """
            return query


    @mcp.tool()
    async def add(a: int) -> int:
        """Add."""
        return a


    def register(other: Agent) -> None:
        @other.tool_plain
        def inner(n: int) -> int:
            return n


    @agent.tool
    def bare(ctx: RunContext[int], n) -> int:
        """Bare."""
        return n
    '''
)


def test_decorators_are_found_by_where_they_come_from() -> None:
    """Renamed imports, methods of objects, of annotated ones and of parameters, in classes."""
    assert [(each.qualname, each.library) for each in find(SOURCE)] == [
        ("book", "openai-agents"),
        ("Desk.look", "langchain"),
        ("add", "fastmcp"),
        ("register.<locals>.inner", "pydantic-ai"),
        ("bare", "pydantic-ai"),
    ]


@pytest.mark.parametrize(
    ("imported", "decorator", "library"),
    [
        ("import strands", "strands.tool", "strands"),
        ("import strands as s", "s.tool(name='x')", "strands"),
        ("import langchain_core.tools", "langchain_core.tools.tool", "langchain"),
        ("from agno import tools", "tools.tool", "agno"),
        ("from anthropic import beta_async_tool", "beta_async_tool", "anthropic"),
        ("import mcp.server\nm = mcp.server.MCPServer('x')", "m.tool()", "mcp"),
        ("from mcp.server.fastmcp import FastMCP\nm = FastMCP('x')", "m.tool()", "mcp"),
        ("import fastmcp\nm = fastmcp.FastMCP('x')", "m.tool", "fastmcp"),
        ("from crewai.tools import tool", "tool('Look up')", "crewai"),
        ("from smolagents import tool", "tool", "smolagents"),
    ],
)
def test_each_way_of_importing_is_known(imported: str, decorator: str, library: str) -> None:
    """The module, under its own name or another, or a name of it."""
    (found,) = find(f"{imported}\n@{decorator}\nasync def f(): ...\n")
    assert found.library == library


@pytest.mark.parametrize(
    "text",
    [
        "from toolcall import tool\n@tool\ndef f(): ...\n",
        "from mine import function_tool\n@function_tool\ndef f(): ...\n",
        "import strands\n@strands.agent\ndef f(): ...\n",
        "import mine.agents\n@mine.agents.function_tool\ndef f(): ...\n",
        "from .agents import function_tool\n@function_tool\ndef f(): ...\n",
        "def tool(f): return f\n@tool\ndef f(): ...\n",
        "def f(:",
    ],
)
def test_others_are_not(text: str) -> None:
    """Our own, somebody's of the same name, and what is no Python."""
    assert find(text) == []


def test_options_of_a_decorator_count() -> None:
    """Whether a docstring was read and a definition was strict may be said at the function."""
    head = "from langchain_core.tools import tool\nfrom agents import function_tool as ft\n"
    marks = ("tool", "tool(parse_docstring=True)", "ft", "ft(strict_mode=False)")
    functions = find(head + "".join(f"@{mark}\ndef f(): ...\n" for mark in marks))
    assert [each.reads_docstring for each in functions] == [False, True, True, True]
    assert [each.is_strict for each in functions] == [False, False, True, False]


def test_the_copy_has_every_line_where_it_was() -> None:
    """Only decorators and the annotations of contexts differ."""
    copy = disguised(SOURCE, find(SOURCE))
    old = {n.name: n.lineno for n in ast.walk(ast.parse(SOURCE)) if isinstance(n, ast.FunctionDef)}
    new = {n.name: n.lineno for n in ast.walk(ast.parse(copy)) if isinstance(n, ast.FunctionDef)}
    assert old == new
    assert copy.count("@__toolcall.tool\n") == 5
    assert copy.count("ctx: __toolcall.Context[object]") == 2


def test_the_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Callable[..., Any]
) -> None:
    """What is gained, kept, lost and to be written, and what the lints say; no file changes."""
    (tmp_path / "app").mkdir()
    (tmp_path / "app/__init__.py").touch()
    source = tmp_path / "app/tools.py"
    source.write_text(SOURCE, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    code, shown, _ = run("adopt")
    assert code == 0
    assert "app/tools.py:13: book, @ft of openai-agents" in shown.replace("\\", "/")
    assert "write  ctx: Context[...] instead of RunContextWrapper[int]" in shown
    assert "takes only 'window', 'aisle'" in shown
    assert "gains  descriptions of query, from the docstring" in shown
    assert "has no annotation" in shown
    assert shown.endswith("5 tools of fastmcp, langchain, openai-agents, pydantic-ai\n")
    assert source.read_text(encoding="utf-8") == SOURCE
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["__init__.py", "app", "tools.py"]
    source.write_text("x = 1\n", encoding="utf-8")
    assert run("adopt", "app")[1] == "no tools of other libraries found\n"
