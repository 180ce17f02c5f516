"""What is known of other libraries: how they mark tools, and what their schemas are like.

Checked against the installed packages, 2026-12, and again wherever one of them is installed.
"""

from __future__ import annotations

from dataclasses import dataclass

VALUES = frozenset({"stdlib", "enum", "flag"})
OBJECTS = VALUES | {"ref", "object", "custom"}
"""Kinds of types whose values are objects in Python, though JSON has none."""


@dataclass(frozen=True, slots=True)
class Library:
    """How a library marks tools, and what is known of the schemas that it makes of them.

    `functions` are decorators, or calls that take a function; `classes` have decorators, or
    methods that take one, as `methods`. `lists` are what takes functions as `tools=[…]`.
    `contexts` are the classes of parameters that it gives by itself. `builds` are the kinds
    of types whose values reach the function as objects; others reach it as they were sent,
    or, without `hands_over`, are an error.
    """

    modules: tuple[str, ...]
    functions: tuple[str, ...] = ()
    classes: tuple[str, ...] = ()
    methods: tuple[str, ...] = ()
    lists: tuple[str, ...] = ()
    contexts: tuple[str, ...] = ()
    reads_docstrings: bool = True
    is_closed: bool = False
    is_strict: bool = False
    has_titles: bool = False
    shows_defaults: bool = True
    builds: frozenset[str] = OBJECTS
    hands_over: bool = True


LIBRARIES = {
    "openai-agents": Library(
        ("agents",),
        functions=("function_tool",),
        contexts=("RunContextWrapper", "ToolContext"),
        is_closed=True,
        is_strict=True,
        has_titles=True,
    ),
    "mcp": Library(
        ("mcp",),
        functions=("Tool.from_function",),
        classes=("FastMCP", "MCPServer"),
        methods=("tool", "add_tool"),
        contexts=("Context",),
        reads_docstrings=False,
        has_titles=True,
    ),
    "fastmcp": Library(
        ("fastmcp",),
        functions=("tool", "Tool.from_function"),
        classes=("FastMCP",),
        methods=("tool", "add_tool"),
        lists=("FastMCP",),
        contexts=("Context",),
        is_closed=True,
    ),
    "pydantic-ai": Library(
        ("pydantic_ai",),
        functions=("Tool",),
        classes=("Agent", "FunctionToolset"),
        methods=("tool", "tool_plain", "add_function"),
        lists=("Agent", "FunctionToolset"),
        contexts=("RunContext",),
        is_closed=True,
    ),
    "langchain": Library(
        ("langchain_core", "langchain", "langgraph"),
        functions=("tool", "StructuredTool.from_function", "Tool.from_function"),
        lists=("create_agent", "create_react_agent", "ToolNode"),
        contexts=("RunnableConfig", "ToolRuntime"),
        reads_docstrings=False,
        has_titles=True,
    ),
    "anthropic": Library(
        ("anthropic",),
        functions=("beta_tool", "beta_async_tool"),
        is_closed=True,
        has_titles=True,
    ),
    "agno": Library(
        ("agno",),
        functions=("tool", "Function.from_callable"),
        lists=("Agent", "Team", "Toolkit"),
        contexts=("RunContext",),
        is_closed=True,
        shows_defaults=False,
    ),
    "smolagents": Library(
        ("smolagents",), functions=("tool",), shows_defaults=False, builds=frozenset()
    ),
    "crewai": Library(
        ("crewai",), functions=("tool",), reads_docstrings=False, has_titles=True, builds=VALUES
    ),
    "strands": Library(("strands",), functions=("tool",), contexts=("ToolContext",), builds=VALUES),
    "llama-index": Library(
        ("llama_index",),
        functions=("FunctionTool.from_defaults",),
        lists=(
            "FunctionAgent",
            "ReActAgent",
            "CodeActAgent",
            "AgentWorkflow.from_tools_or_functions",
        ),
        contexts=("Context",),
        reads_docstrings=False,
        has_titles=True,
        builds=frozenset(),
    ),
    "autogen": Library(
        ("autogen_core", "autogen_agentchat", "autogen_ext"),
        functions=("FunctionTool",),
        lists=("AssistantAgent",),
        contexts=("CancellationToken",),
        reads_docstrings=False,
        is_closed=True,
        has_titles=True,
    ),
    "google-adk": Library(
        ("google.adk",),
        functions=("FunctionTool", "LongRunningFunctionTool"),
        lists=("Agent", "LlmAgent"),
        contexts=("ToolContext",),
        reads_docstrings=False,
        has_titles=True,
        builds=frozenset(),
    ),
    "google-genai": Library(
        ("google.genai",),
        functions=("FunctionDeclaration.from_callable", "types.FunctionDeclaration.from_callable"),
        lists=("GenerateContentConfig", "types.GenerateContentConfig"),
        reads_docstrings=False,
        builds=frozenset(),
        hands_over=False,
    ),
    "haystack": Library(
        ("haystack",),
        functions=("tool", "create_tool_from_function"),
        reads_docstrings=False,
        builds=frozenset(),
    ),
    "magentic": Library(
        ("magentic",),
        lists=("prompt", "chatprompt", "prompt_chain"),
        reads_docstrings=False,
        has_titles=True,
    ),
    "semantic-kernel": Library(
        ("semantic_kernel",),
        functions=("kernel_function",),
        reads_docstrings=False,
        shows_defaults=False,
        builds=frozenset(),
        hands_over=False,
    ),
}
"""By the name on the package index, or the first word of it."""
