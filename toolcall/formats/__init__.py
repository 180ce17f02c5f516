"""The vendors' formats, by name. Each is a module with the same public names.

    render_tools(definitions, *, strict=False) -> list[dict]
    parse_calls(message) -> list[ToolCall]
    render_results(results) -> list[dict]
    DIALECT, NAME_RULE

A format is imported when it is first asked for. `mcp` is the newest revision of the
protocol; a revision by name stays what it is. `gemini` describes parameters in JSON
Schema (`parametersJsonSchema`), `gemini_parameters` in the older OpenAPI subset.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any, Protocol

    from toolcall import ir
    from toolcall._values import ToolCall, ToolResult
    from toolcall.formats._dialect import Dialect, NameRule
    from toolcall.formats._strict import Strict

    class Format(Protocol):
        """What every format's module has."""

        DIALECT: Dialect
        NAME_RULE: NameRule | None

        def render_tools(
            self, tools: Iterable[ir.Definition], *, strict: Strict = False
        ) -> list[dict[str, Any]]: ...

        def parse_calls(self, message: object) -> list[ToolCall]: ...

        def render_results(self, results: Iterable[ToolResult]) -> list[dict[str, Any]]: ...


_MODULES = {
    "openai": "openai",
    "openai_responses": "openai_responses",
    "anthropic": "anthropic",
    "bedrock": "bedrock",
    "gemini": "gemini",
    "gemini_parameters": "gemini_parameters",
    "mcp": "mcp",
    "mcp-2025-06-18": "mcp_2025_06_18",
    "mcp-2025-11-25": "mcp_2025_11_25",
    "mcp-2026-07-28": "mcp",
}

NAMES = tuple(_MODULES)
"""The names of all formats."""

_loaded: dict[str, Format] = {}


def get(name: str) -> Format:
    """The format of this name. Raises UnknownFormat, which names the nearest one."""
    if name not in _loaded:
        _loaded[name] = _load(name)
    return _loaded[name]


def _load(name: str) -> Format:
    if name not in _MODULES:
        raise _unknown(name)
    # `importlib.import_module` would first load a package of its own.
    module: Any = __import__(f"toolcall.formats.{_MODULES[name]}", fromlist=["DIALECT"])
    return module  # type: ignore[no-any-return]


def _unknown(name: str) -> Exception:
    from difflib import get_close_matches

    from toolcall.errors import UnknownFormat

    spelled = str(name).lower().replace(" ", "_")
    near = get_close_matches(spelled, NAMES, n=1, cutoff=0.6)
    meant = f" Did you mean {near[0]!r}?" if near else ""
    return UnknownFormat(f"unknown format {name!r}.{meant} Known: {', '.join(NAMES)}.")
