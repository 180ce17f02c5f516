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

from toolcall._cli.libraries import LIBRARIES


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


def of_llama_index() -> Any:
    tools = pytest.importorskip("llama_index.core.tools")
    return tools.FunctionTool.from_defaults(look_up).metadata.get_parameters_dict()


def of_autogen() -> Any:
    tools = pytest.importorskip("autogen_core.tools")
    parameters = tools.FunctionTool(look_up, description="Look up.").schema["parameters"]
    assert parameters["properties"]["query"]["description"] == "query"  # the name, no description
    return parameters


def of_google_adk() -> Any:
    tools = pytest.importorskip("google.adk.tools")
    return tools.FunctionTool(look_up)._get_declaration().parameters_json_schema


def of_google_genai() -> Any:
    genai = pytest.importorskip("google.genai")
    from google.genai import types

    client = genai.Client(api_key="none")._api_client
    made = types.FunctionDeclaration.from_callable(client=client, callable=look_up)
    return made.parameters.model_dump(exclude_none=True)


def of_haystack() -> Any:
    tools = pytest.importorskip("haystack.tools")
    return tools.create_tool_from_function(look_up).parameters


def of_magentic() -> Any:
    schemas = pytest.importorskip("magentic.chat_model.function_schema")
    return schemas.FunctionCallFunctionSchema(look_up).dict()["parameters"]


def semantic_kernel_function(function: Any) -> Any:
    functions = pytest.importorskip("semantic_kernel.functions")
    marked = functions.kernel_function(function)
    return functions.KernelFunctionFromMethod(marked, plugin_name="plugin")


def of_semantic_kernel() -> Any:
    metadata = semantic_kernel_function(look_up).metadata
    from semantic_kernel.connectors.ai import function_calling_utils as utils

    shown = utils.kernel_function_metadata_to_function_call_format(metadata)
    return shown["function"]["parameters"]


SCHEMAS = {
    "agno": of_agno,
    "anthropic": of_anthropic,
    "autogen": of_autogen,
    "crewai": of_crewai,
    "fastmcp": of_fastmcp,
    "google-adk": of_google_adk,
    "google-genai": of_google_genai,
    "haystack": of_haystack,
    "langchain": of_langchain,
    "llama-index": of_llama_index,
    "magentic": of_magentic,
    "mcp": of_mcp,
    "openai-agents": of_agents,
    "pydantic-ai": of_pydantic_ai,
    "semantic-kernel": of_semantic_kernel,
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


def by_llama_index() -> Any:
    tools = pytest.importorskip("llama_index.core.tools")
    return tools.FunctionTool.from_defaults(receive).call(**SENT).raw_output


def by_autogen() -> Any:
    tools = pytest.importorskip("autogen_core.tools")
    from autogen_core import CancellationToken

    made = tools.FunctionTool(receive, description="Receive.")
    return done(made.run_json(SENT, CancellationToken()))


def by_google_adk() -> Any:
    tools = pytest.importorskip("google.adk.tools")
    return done(tools.FunctionTool(receive).run_async(args=SENT, tool_context=None))


def by_google_genai() -> Any:
    utils = pytest.importorskip("google.genai._extra_utils")
    return utils.invoke_function_from_dict_args(SENT, receive)


def by_haystack() -> Any:
    tools = pytest.importorskip("haystack.tools")
    return tools.create_tool_from_function(receive).invoke(**SENT)


def by_magentic() -> Any:
    schemas = pytest.importorskip("magentic.chat_model.function_schema")
    return schemas.FunctionCallFunctionSchema(receive).parse_args(json.dumps(SENT))()


def by_semantic_kernel() -> Any:
    made = semantic_kernel_function(receive)
    from semantic_kernel import Kernel
    from semantic_kernel.functions import KernelArguments

    return done(made.invoke(Kernel(), KernelArguments(**SENT))).value


def done(waiting: Awaitable[Any]) -> Any:
    async def wait() -> Any:
        return await waiting

    return asyncio.run(wait())


RECEIVED = {
    "agno": by_agno,
    "anthropic": by_anthropic,
    "autogen": by_autogen,
    "crewai": by_crewai,
    "fastmcp": by_fastmcp,
    "google-adk": by_google_adk,
    "google-genai": by_google_genai,
    "haystack": by_haystack,
    "langchain": by_langchain,
    "llama-index": by_llama_index,
    "magentic": by_magentic,
    "mcp": by_mcp,
    "openai-agents": by_agents,
    "pydantic-ai": by_pydantic_ai,
    "semantic-kernel": by_semantic_kernel,
    "smolagents": by_smolagents,
    "strands": by_strands,
}
HANDS_OVER = [name for name in RECEIVED if LIBRARIES[name].hands_over]


@pytest.mark.parametrize("name", HANDS_OVER)
@pytest.mark.filterwarnings("ignore")  # of the libraries, while they are imported
def test_what_a_librarys_functions_receive(name: str) -> None:
    """Whether dates and instances of classes are built before the function is called."""
    day, guest = RECEIVED[name]().split()
    builds = LIBRARIES[name].builds
    assert day == ("date" if "stdlib" in builds else "str")
    assert guest == ("Guest" if "ref" in builds else "dict")


@pytest.mark.parametrize("name", sorted(RECEIVED.keys() - set(HANDS_OVER)))
@pytest.mark.filterwarnings("ignore")
def test_what_a_library_cannot_hand_over(name: str) -> None:
    """A date is an error before the function is called."""
    with pytest.raises(Exception, match="day"):
        RECEIVED[name]()
