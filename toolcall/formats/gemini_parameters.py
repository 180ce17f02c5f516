"""Gemini, with parameters in its OpenAPI subset (`parameters`), for older models and endpoints.

Types are upper-case, null is the keyword `nullable`, choices are listed as text. Known
keys, unknown keys' types, tuples and references have no keyword and are described. Where
there is `anyOf`, Vertex refuses whatever stands beside it (error text "When using any_of, it
must be the only field set", observed 2026-09): it is said in the branches.
"""

from __future__ import annotations

from toolcall.formats import _gemini
from toolcall.formats._gemini import parse_calls, render_results
from toolcall.formats._rendering import JSON_TYPES, described
from toolcall.formats._tables import GEMINI_PARAMETERS as DIALECT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from toolcall import ir
    from toolcall.formats._strict import Strict

__all__ = ["DIALECT", "NAME_RULE", "parse_calls", "render_results", "render_tools"]

NAME_RULE = DIALECT.tool_name


def render_tools(tools: Iterable[ir.Definition], *, strict: Strict = False) -> list[dict[str, Any]]:
    """The value of a request's `tools`: one entry with all function declarations."""
    return _gemini.declarations(tools, strict, DIALECT, "parameters", _finish)


def _finish(schema: dict[str, Any]) -> dict[str, Any]:
    return _upper(_gemini.ordered(_choices_alone(schema)))


def _choices_alone(schema: dict[str, Any]) -> dict[str, Any]:
    """Nothing beside `anyOf`, here and inside."""
    if "anyOf" in schema:
        branches = schema.pop("anyOf")
        if "type" in schema:
            _describe(schema, "anyOf", branches)
        else:
            _into_branches(schema, branches)
            schema.clear()
            schema["anyOf"] = branches
    for child in _gemini.inside(schema):
        _choices_alone(child)
    return schema


def _into_branches(beside: dict[str, Any], branches: list[dict[str, Any]]) -> None:
    """What stands beside a choice, said in its branches: the description in the first one."""
    if beside.get("nullable"):
        for branch in branches:
            branch["nullable"] = True
    if "default" in beside:
        kind = JSON_TYPES.get(type(beside["default"]), "object")
        fit = [branch for branch in branches if branch.get("type") == kind]
        if fit:  # the one that says least of its values
            min(fit, key=len)["default"] = beside["default"]
        else:
            _describe(branches[0], "default", beside["default"])
    if "description" in beside:
        own = branches[0].get("description")
        doc = beside["description"]
        branches[0]["description"] = f"{doc}\n{own}" if own else doc


def _describe(schema: dict[str, Any], keyword: str, value: Any) -> None:
    described(schema, schema.get("description"), [(keyword, value)])


def _upper(schema: dict[str, Any]) -> dict[str, Any]:
    if "type" in schema:
        schema["type"] = schema["type"].upper()
    for child in _gemini.inside(schema):
        _upper(child)
    return schema
