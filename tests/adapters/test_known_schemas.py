"""What `toolcall adopt` claims of other libraries' schemas is true of the installed ones."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from toolcall._cli.foreign import LIBRARIES


def look_up(query: str, limit: int = 3) -> str:
    """Look something up.

    Args:
        query: What for.
        limit: How many.
    """
    return query


def of_agents() -> Any:
    agents = pytest.importorskip("agents")
    return agents.function_tool(look_up).params_json_schema


def of_pydantic_ai() -> Any:
    pydantic_ai = pytest.importorskip("pydantic_ai")
    return pydantic_ai.Tool(look_up).function_schema.json_schema


def of_langchain() -> Any:
    tools = pytest.importorskip("langchain_core.tools")
    return tools.tool(look_up).args_schema.model_json_schema()


def of_mcp() -> Any:
    server = pytest.importorskip("mcp.server").MCPServer("test")
    server.tool()(look_up)
    return asyncio.run(server.list_tools())[0].input_schema


SCHEMAS = {
    "openai-agents": of_agents,
    "pydantic-ai": of_pydantic_ai,
    "langchain": of_langchain,
    "mcp": of_mcp,
}


@pytest.mark.parametrize("name", SCHEMAS)
def test_what_is_known_of_a_librarys_schemas(name: str) -> None:
    """Whether docstrings are read, unknown names refused, titles written, all of it strict."""
    schema, library = SCHEMAS[name](), LIBRARIES[name]
    query = schema["properties"]["query"]
    assert (query.get("description") == "What for.") is library.reads_docstrings
    assert (schema.get("additionalProperties") is False) is library.is_closed
    assert ("title" in query) is library.has_titles
    assert (set(schema["required"]) == {"query", "limit"}) is library.is_strict
