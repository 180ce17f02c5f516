"""The Model Context Protocol, revision 2025-06-18.

Here structured content is an object, names follow no rule.
"""

from __future__ import annotations

from toolcall.formats import _mcp
from toolcall.formats._mcp import parse_calls
from toolcall.formats._tables import MCP_2025_06_18 as DIALECT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from toolcall import ir
    from toolcall._values import ToolResult
    from toolcall.formats._strict import Strict

__all__ = ["DIALECT", "NAME_RULE", "REVISION", "parse_calls", "render_results", "render_tools"]

NAME_RULE = DIALECT.tool_name
REVISION = _mcp.Revision(DIALECT, any_output=False, options=("_meta",), result_type=False)


def render_tools(tools: Iterable[ir.Definition], *, strict: Strict = False) -> list[dict[str, Any]]:
    """The `tools` of a `tools/list` result."""
    return _mcp.render_tools(tools, REVISION, strict)


def render_results(results: Iterable[ToolResult]) -> list[dict[str, Any]]:
    """One `tools/call` result per result."""
    return _mcp.render_results(results, REVISION)
