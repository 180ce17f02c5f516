"""What `toolcall adopt` claims of other libraries is true of the installed ones.

Annotations are not postponed here: crewai could not read them.
"""

import asyncio
import json
from collections.abc import Awaitable
from dataclasses import dataclass
from datetime import date
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


@dataclass
class Guest:
    name: str


def receive(day: date, guest: Guest) -> str:
    """Say what was received.

    Args:
        day: A day.
        guest: A guest.
    """
    return " ".join(type(value).__name__ for value in (day, guest))


SENT = {"day": "2027-01-31", "guest": {"name": "Ada"}}


def of_agents() -> Any:
    agents = pytest.importorskip("agents")
    return agents.function_tool(look_up).params_json_schema


def of_pydantic_ai() -> Any:
    pydantic_ai = pytest.importorskip("pydantic_ai")
    return pydantic_ai.Tool(look_up).function_schema.json_schema


def of_langchain() -> Any:
    tools = pytest.importorskip("langchain_core.tools")
    return tools.tool(look_up).args_schema.model_json_schema()


def mcp_server() -> Any:
    server = pytest.importorskip("mcp.server")
    if not hasattr(server, "MCPServer"):
        pytest.skip("the MCP SDK is older than 2")
    return server.MCPServer("test")


def of_mcp() -> Any:
    server = mcp_server()
    server.tool()(look_up)
    return asyncio.run(server.list_tools())[0].input_schema


def of_fastmcp() -> Any:
    server = pytest.importorskip("fastmcp").FastMCP("test")
    server.tool(look_up)
    return asyncio.run(server.list_tools())[0].parameters


def of_anthropic() -> Any:
    anthropic = pytest.importorskip("anthropic")
    return anthropic.beta_tool(look_up).to_dict()["input_schema"]


def of_agno() -> Any:
    made = pytest.importorskip("agno.tools").tool(look_up)
    made.process_entrypoint()
    return made.to_dict()["parameters"]


def of_smolagents() -> Any:
    models = pytest.importorskip("smolagents.models")
    from smolagents import tool

    return models.get_tool_json_schema(tool(look_up))["function"]["parameters"]


def of_crewai() -> Any:
    tools = pytest.importorskip("crewai.tools")
    return tools.tool("look_up")(look_up).args_schema.model_json_schema()


def of_strands() -> Any:
    strands = pytest.importorskip("strands")
    return strands.tool(look_up).tool_spec["inputSchema"]["json"]


SCHEMAS = {
    "agno": of_agno,
    "anthropic": of_anthropic,
    "crewai": of_crewai,
    "fastmcp": of_fastmcp,
    "langchain": of_langchain,
    "mcp": of_mcp,
    "openai-agents": of_agents,
    "pydantic-ai": of_pydantic_ai,
    "smolagents": of_smolagents,
    "strands": of_strands,
}


def test_every_library_is_compared() -> None:
    """Nothing is claimed of a library that no test asks."""
    assert sorted(SCHEMAS) == sorted(RECEIVED) == sorted(LIBRARIES)


@pytest.mark.parametrize("name", SCHEMAS)
@pytest.mark.filterwarnings("ignore")  # of the libraries, while they are imported
def test_what_is_known_of_a_librarys_schemas(name: str) -> None:
    """Whether docstrings are read, unknown names refused, titles written, defaults shown,
    all of it strict."""
    schema, library = SCHEMAS[name](), LIBRARIES[name]
    query = schema["properties"]["query"]
    assert (query.get("description") == "What for.") is library.reads_docstrings
    assert (schema.get("additionalProperties") is False) is library.is_closed
    assert ("title" in query) is library.has_titles
    assert ("default" in schema["properties"]["limit"]) is library.shows_defaults
    assert (set(schema["required"]) == {"query", "limit"}) is library.is_strict


def by_agents() -> Any:
    agents = pytest.importorskip("agents")
    from agents.tool_context import ToolContext

    sent = json.dumps(SENT)
    context = ToolContext(None, tool_name="receive", tool_call_id="1", tool_arguments=sent)
    return done(agents.function_tool(receive).on_invoke_tool(context, sent))


def by_pydantic_ai() -> Any:
    schema = pytest.importorskip("pydantic_ai").Tool(receive).function_schema
    return receive(**schema.validator.validate_python(SENT))


def by_langchain() -> Any:
    return pytest.importorskip("langchain_core.tools").tool(receive).invoke(SENT)


def by_mcp() -> Any:
    server = mcp_server()
    server.tool()(receive)
    return done(server.call_tool("receive", SENT)).structured_content["result"]


def by_fastmcp() -> Any:
    server = pytest.importorskip("fastmcp").FastMCP("test")
    server.tool(receive)
    return done(server.call_tool("receive", SENT)).structured_content["result"]


def by_anthropic() -> Any:
    return pytest.importorskip("anthropic").beta_tool(receive).call(SENT)


def by_agno() -> Any:
    made = pytest.importorskip("agno.tools").tool(receive)
    made.process_entrypoint()
    return made.entrypoint(**SENT)


def by_smolagents() -> Any:
    return pytest.importorskip("smolagents").tool(receive)(**SENT)


def by_crewai() -> Any:
    return pytest.importorskip("crewai.tools").tool("receive")(receive).run(**SENT)


def by_strands() -> Any:
    made = pytest.importorskip("strands").tool(receive)

    async def last() -> Any:
        use = {"toolUseId": "1", "name": "receive", "input": SENT}
        return [event async for event in made.stream(use, {})][-1]

    return done(last())["tool_result"]["content"][0]["text"]


def done(waiting: Awaitable[Any]) -> Any:
    async def wait() -> Any:
        return await waiting

    return asyncio.run(wait())


RECEIVED = {
    "agno": by_agno,
    "anthropic": by_anthropic,
    "crewai": by_crewai,
    "fastmcp": by_fastmcp,
    "langchain": by_langchain,
    "mcp": by_mcp,
    "openai-agents": by_agents,
    "pydantic-ai": by_pydantic_ai,
    "smolagents": by_smolagents,
    "strands": by_strands,
}


@pytest.mark.parametrize("name", RECEIVED)
@pytest.mark.filterwarnings("ignore")  # of the libraries, while they are imported
def test_what_a_librarys_functions_receive(name: str) -> None:
    """Whether dates and instances of classes are built before the function is called."""
    day, guest = RECEIVED[name]().split()
    builds = LIBRARIES[name].builds
    assert day == ("date" if "stdlib" in builds else "str")
    assert guest == ("Guest" if "ref" in builds else "dict")
