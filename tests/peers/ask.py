"""Asks every peer that is installed here for the schema of functions; a process of its own.

Standard input has one function a line, as JSON: `folder` (put in front of the path),
`module` and `qualname`. Standard output gets a line for each: what the peers said, by
their names, or why the function cannot be had. What a peer cannot do is no answer.

Methods are bound to an object of no class: a peer looks at the signature, the annotations
and the docstring, and never calls.
"""

from __future__ import annotations

import contextlib
import importlib
import inspect
import io
import json
import logging
import sys
import types
import warnings
from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

Answer: TypeAlias = "dict[str, Any]"
SHORTEST = 12
"""Characters of a docstring that are worth handing to its parsers."""


def pydantic_ai(function: Callable[..., Any]) -> Answer:
    from pydantic_ai import Tool

    definition = Tool(function, takes_ctx=False).tool_def
    # It wraps the summary and the result in XML.
    description = (definition.description or "").partition("<returns>")[0]
    description = description.strip().removeprefix("<summary>").removesuffix("</summary>")
    return answer(description, definition.parameters_json_schema)


def openai_agents(function: Callable[..., Any]) -> Answer:
    from agents.function_schema import function_schema

    found = function_schema(function, strict_json_schema=False)
    return answer(found.description, found.params_json_schema)


def anthropic(function: Callable[..., Any]) -> Answer:
    from anthropic import beta_async_tool, beta_tool

    is_async = inspect.iscoroutinefunction(function)
    found = (beta_async_tool if is_async else beta_tool)(function).to_dict()
    return answer(found.get("description"), found["input_schema"])


def fastmcp(function: Callable[..., Any]) -> Answer:
    from fastmcp.tools import Tool

    found = Tool.from_function(function)
    return answer(found.description, found.parameters)


def transformers(function: Callable[..., Any]) -> Answer:
    from transformers.utils import get_json_schema

    found = get_json_schema(function)["function"]
    return answer(found["description"], found["parameters"])


def docstring_parser(function: Callable[..., Any]) -> Answer:
    """Texts alone; the schema is not its business."""
    import docstring_parser

    text = inspect.getdoc(function) or ""
    found = docstring_parser.parse(text) if len(text) > SHORTEST else None
    params = found.params if found is not None else []
    return {"texts": {one.arg_name.lstrip("*"): one.description or "" for one in params}}


PEERS: dict[str, Callable[[Callable[..., Any]], Answer]] = {
    "pydantic-ai": pydantic_ai,
    "openai-agents": openai_agents,
    "anthropic": anthropic,
    "fastmcp": fastmcp,
    "transformers": transformers,
    "docstring-parser": docstring_parser,
}


def answer(description: str | None, parameters: dict[str, Any]) -> Answer:
    return {"description": description or "", "parameters": parameters}


def main() -> None:
    logging.disable(logging.CRITICAL)
    warnings.simplefilter("ignore")
    output, sys.stdout = sys.stdout, io.StringIO()
    for line in sys.stdin:
        wanted = json.loads(line)
        found = asked(wanted)
        print(json.dumps({**wanted, **found}, default=repr), file=output, flush=True)


def asked(wanted: dict[str, str]) -> dict[str, Any]:
    """The answers for one function, and the reasons of those that gave none."""
    if sys.path[0] != wanted["folder"]:
        sys.path.insert(0, wanted["folder"])
    try:
        function = located(wanted["module"], wanted["qualname"])
    except BaseException as error:  # somebody else's module may raise anything
        return {"missing": reason(error)}
    facts = {"docstring_made": docstring_is_made(function), "parameters": parameters(function)}
    answers: dict[str, Answer] = {}
    refusals: dict[str, str] = {}
    for peer, ask in PEERS.items():
        try:
            with contextlib.redirect_stderr(io.StringIO()):
                answers[peer] = json.loads(json.dumps(ask(function), default=unsayable))
        except Exception as error:
            refusals[peer] = reason(error)
    return {"answers": answers, "refusals": refusals, **facts}


def docstring_is_made(function: Callable[..., Any]) -> bool:
    """Whether the docstring is not the one that stands in the source."""
    text = function.__doc__
    return text is not None and text not in function.__code__.co_consts[:1]


def parameters(function: Callable[..., Any]) -> list[str]:
    """The parameters of the function that runs, with the stars of those that have some."""
    code = getattr(inspect.unwrap(function), "__code__", function.__code__)
    count = code.co_argcount + code.co_kwonlyargcount
    rest = iter(code.co_varnames[count:])
    stars = [("*", inspect.CO_VARARGS), ("**", inspect.CO_VARKEYWORDS)]
    starred = [f"{star}{next(rest)}" for star, flag in stars if code.co_flags & flag]
    return [*code.co_varnames[:count], *starred]


def located(module: str, qualname: str) -> Callable[..., Any]:
    """The function as it can be called, without self and cls."""
    found: Any = importlib.import_module(module)
    owner: Any = None
    for name in qualname.split("."):
        owner, found = found, inspect.getattr_static(found, name)
    match found:
        case staticmethod() | classmethod():
            plain = found.__func__
        case _:
            plain = found
    if not isinstance(plain, types.FunctionType):
        plain = next(behind(plain))
    is_method = inspect.isclass(owner) and not isinstance(found, staticmethod)
    return types.MethodType(plain, object()) if is_method else plain


def behind(found: Any) -> Iterator[types.FunctionType]:
    """The function inside of an object that a decorator made."""
    inner = [getattr(found, name, None) for name in ("__wrapped__", "func", "fn", "entrypoint")]
    yield from (each for each in inner if isinstance(each, types.FunctionType))
    raise TypeError(f"no function in a {type(found).__name__}")


def unsayable(value: object) -> object:
    raise TypeError(f"{type(value).__name__} is no JSON")


def reason(error: BaseException) -> str:
    return f"{type(error).__name__}: {str(error)[:200]}"


if __name__ == "__main__":
    main()
