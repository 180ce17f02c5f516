"""Gemini, with parameters in JSON Schema (`parametersJsonSchema`).

Takes references, tuples and mappings that `gemini_parameters` has to describe in words.
There is no strict mode of declarations: the calling mode VALIDATED is set on the request
and needs no other schema, so `strict` is accepted and changes nothing.
"""

from __future__ import annotations

from toolcall.formats import _gemini
from toolcall.formats._gemini import parse_calls, render_results
from toolcall.formats._tables import GEMINI as DIALECT

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
    return _gemini.declarations(tools, strict, DIALECT, "parametersJsonSchema", _gemini.ordered)
