"""`toolcall adopt`: what it finds, what it says of it, and that it touches nothing."""

from __future__ import annotations

import ast
from collections.abc import Callable
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

from toolcall._cli.foreign import disguised, find, handed

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
        ("from haystack.tools import tool", "tool(name='x')", "haystack"),
        (
            "from semantic_kernel.functions import kernel_function",
            "kernel_function",
            "semantic-kernel",
        ),
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


@pytest.mark.parametrize(
    ("imported", "call", "library"),
    [
        (
            "from llama_index.core.tools import FunctionTool",
            "FunctionTool.from_defaults(f)",
            "llama-index",
        ),
        (
            "from llama_index.core import tools",
            "tools.FunctionTool.from_defaults(fn=f)",
            "llama-index",
        ),
        (
            "from llama_index.core.tools import FunctionTool as FT",
            "FT.from_defaults(async_fn=f)",
            "llama-index",
        ),
        (
            "from llama_index.core.agent.workflow import ReActAgent",
            "ReActAgent(tools=[f])",
            "llama-index",
        ),
        (
            "from langchain_core.tools import StructuredTool",
            "StructuredTool.from_function(func=f)",
            "langchain",
        ),
        ("from langchain.tools import tool", "tool(f)", "langchain"),
        ("from langchain.agents import create_agent", "create_agent('m', tools=[f])", "langchain"),
        ("from langgraph.prebuilt import ToolNode", "ToolNode([f])", "langchain"),
        (
            "from autogen_core.tools import FunctionTool",
            "FunctionTool(f, description='')",
            "autogen",
        ),
        (
            "from autogen_agentchat.agents import AssistantAgent",
            "AssistantAgent(tools=(f,))",
            "autogen",
        ),
        ("from google.adk.agents import LlmAgent", "LlmAgent(tools=[f])", "google-adk"),
        ("from google.adk.tools import FunctionTool", "FunctionTool(func=f)", "google-adk"),
        (
            "from google.genai import types",
            "types.GenerateContentConfig(tools=[f])",
            "google-genai",
        ),
        (
            "from google import genai",
            "genai.types.GenerateContentConfig(tools=[f])",
            "google-genai",
        ),
        (
            "from haystack.tools import create_tool_from_function",
            "create_tool_from_function(f)",
            "haystack",
        ),
        ("from magentic import prompt", "prompt('…', functions=[f])", "magentic"),
        ("from mcp.server import MCPServer\nm = MCPServer('x')", "m.add_tool(f)", "mcp"),
        ("from mcp.server import MCPServer\nm = MCPServer('x')", "m.tool(name='x')(f)", "mcp"),
        ("from fastmcp import FastMCP", "FastMCP('x', tools=[f])", "fastmcp"),
        ("from pydantic_ai import Agent", "Agent[int, str]('m', tools=[f])", "pydantic-ai"),
        (
            "from pydantic_ai import Agent, Tool",
            "Agent('m', tools=[Tool(f, name='x')])",
            "pydantic-ai",
        ),
        ("from pydantic_ai import FunctionToolset", "FunctionToolset([f])", "pydantic-ai"),
        (
            "from agents import Agent, function_tool",
            "Agent(tools=[function_tool(f)])",
            "openai-agents",
        ),
        ("from anthropic import beta_tool", "beta_tool(f)", "anthropic"),
        ("from agno.agent import Agent", "Agent(tools=[f])", "agno"),
    ],
)
def test_functions_that_are_given_away_are_found(imported: str, call: str, library: str) -> None:
    """By a call, or in a list, wherever the function stands."""
    source = f"{imported}\n\ndef f(): ...\n\nx = {call}\n"
    (given,) = handed(source, "app")
    assert (given.module, given.qualname, given.library) == ("app", "f", library)
    (found,) = find(source, [given])
    assert (found.qualname, found.library, found.line) == (
        "f",
        library,
        source.count("\n", 0, source.index("def")) + 1,
    )


def test_a_function_is_found_where_it_is_defined() -> None:
    """In another module, by any import, in a named list, as a method, and once only."""
    source = dedent(
        """\
        import shop.till
        from pydantic_ai import Agent
        from shop import stock, till as desk
        from .people import greet as hello
        from ..far import away

        def here(): ...

        TOOLS = [hello, stock.count, desk.pay]

        class Service:
            def look(self): ...
            def start(self) -> None:
                def inner(): ...
                self.agent = Agent("m", tools=[self.look, inner, *TOOLS])
                Agent("m", tools=TOOLS)

        Agent("m", tools=[here, away, lambda: 1, 3])
        """
    )
    assert {(each.module, each.qualname) for each in handed(source, "app.parts.main")} == {
        ("app.parts.people", "greet"),
        ("app.far", "away"),
        ("shop.stock", "count"),
        ("shop.till", "pay"),
        ("app.parts.main", "here"),
        ("app.parts.main", "inner"),
        ("app.parts.main", "Service.look"),
    }
    found = find(source, handed(source, "app.parts.main"))
    assert [each.qualname for each in found] == [
        "here",
        "Service.look",
        "Service.start.<locals>.inner",
    ]


@pytest.mark.parametrize(
    "text",
    [
        "from mine import Agent\ndef f(): ...\nAgent(tools=[f])\n",
        "from pydantic_ai import Agent\ndef f(): ...\nprint(f)\n",
        "import agno\nfrom toolcall import tool\n@tool\ndef f(): ...\nagno.Agent(tools=[f])\n",
    ],
)
def test_functions_that_are_ours_or_nobodys_are_not_found(text: str) -> None:
    """Somebody's class of the same name, another call, and what is marked as ours already."""
    assert find(text, handed(text, "m")) == []


def test_lines_are_told_as_they_were() -> None:
    """Where a function has no empty line above it, the copy is longer and knows it."""
    text = "def f(): ...\ndef g(): ...\n\n\ndef h(): ...\n"
    use = "from agno.agent import Agent\nfrom m import f, g, h\nAgent(tools=[f, g, h])\n"
    copy = disguised(text, handed(use, "other"))
    lines = copy.text.splitlines()
    assert lines == [
        "import toolcall as __toolcall",
        "@__toolcall.tool",
        "def f(): ...",
        "@__toolcall.tool",
        "def g(): ...",
        "",
        "@__toolcall.tool",
        "def h(): ...",
    ]
    places = {name: copy.original(lines.index(f"def {name}(): ...") + 1) for name in "fgh"}
    assert places == {"f": 1, "g": 2, "h": 5}


def test_options_of_a_decorator_count() -> None:
    """Whether a docstring was read and a definition was strict may be said at the function."""
    head = "from langchain_core.tools import tool\nfrom agents import function_tool as ft\n"
    marks = ("tool", "tool(parse_docstring=True)", "ft", "ft(strict_mode=False)")
    functions = find(head + "".join(f"@{mark}\ndef f(): ...\n" for mark in marks))
    assert [each.reads_docstring for each in functions] == [False, True, True, True]
    assert [each.is_strict for each in functions] == [False, False, True, False]


def test_the_copy_has_every_line_where_it_was() -> None:
    """Only decorators and the annotations of contexts differ."""
    copy = disguised(SOURCE).text
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


def test_functions_given_to_a_library_elsewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Callable[..., Any]
) -> None:
    """A function without any mark is reported where it stands, by the call that takes it."""
    (tmp_path / "app").mkdir()
    (tmp_path / "app/__init__.py").touch()
    (tmp_path / "app/desk.py").write_text(
        "from typing import Annotated\n\n\n"
        'def book(seat: Annotated[str, "Where."], day: str = "", pay=1) -> str:\n'
        '    """Book.\n\n    Args:\n        day: One of "mon", "tue".\n    """\n    return day\n',
        encoding="utf-8",
    )
    (tmp_path / "app/main.py").write_text(
        "from llama_index.core.tools import FunctionTool\n\nfrom .desk import book\n\n"
        "tool = FunctionTool.from_defaults(fn=book)\n",
        encoding="utf-8",
    )
    monkeypatch.chdir(tmp_path)
    for given in ((), ("app",), ("app/desk.py",)):
        code, shown, _ = run("adopt", *given)
        assert code == 0
        first, *rest = shown.replace("\\", "/").splitlines()
        assert first == "app/desk.py:4: book, FunctionTool.from_defaults(…) of llama-index"
        assert "    gains  descriptions of day, from the docstring" in rest
        assert any("has no annotation" in line for line in rest)
        assert rest[-1] == "1 tool of llama-index"
