"""Gemini, with parameters in its OpenAPI subset (`parameters`), for older models and endpoints.

Types are upper-case, null is the keyword `nullable`, choices are listed as text. Known
keys, unknown keys' types, tuples and references have no keyword and are described.
"""

from __future__ import annotations

from toolcall.formats import _gemini
from toolcall.formats._gemini import parse_calls, render_results
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
    return _upper(_gemini.ordered(schema))


def _upper(schema: dict[str, Any]) -> dict[str, Any]:
    if "type" in schema:
        schema["type"] = schema["type"].upper()
    for child in _gemini.inside(schema):
        _upper(child)
    return schema
