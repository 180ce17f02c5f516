"""`toolcall show`: what a model will see, for people who would rather look than read JSON.

Each tool with its parameters, what they take, their defaults, their descriptions and the
line each description comes from, and the size of its definition for each vendor. In the
terminal, or with `--html` as one page that needs nothing else.
"""

from __future__ import annotations

import json
import warnings
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console, Group, RenderableType
from rich.markup import escape
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from toolcall import _sidecar, _words, formats, ir
from toolcall.errors import SidecarError, StaleSchema, ToolcallWarning

from . import discovery

SIZED = ("openai", "anthropic", "gemini", "mcp", "bedrock")
"""The formats whose sizes are told."""

LIMITS = ("min_length", "max_length", "pattern", "min_items", "max_items", "multiple_of")


def show(
    modules: Annotated[
        list[str] | None,
        typer.Argument(help="Modules, files or folders; none means the working directory."),
    ] = None,
    app: Annotated[
        str | None, typer.Option(metavar="PACKAGE", help="Only modules of this package.")
    ] = None,
    html: Annotated[Path | None, typer.Option(help="Write a page instead of printing.")] = None,
) -> None:
    """Show tools as a model will see them."""
    found = discovery.find(modules or (), app)
    console = Console() if html is None else Console(record=True, width=120, file=StringIO())
    for module in found:
        console.print(_module(module))
    if html is not None:
        html.write_text(console.export_html(), encoding="utf-8")


def _module(module: discovery.Module) -> RenderableType:
    try:
        loaded = discovery.readable(module)
        tools = [_tool(tool, loaded) for tool in loaded.tools]
    except SidecarError as error:
        return Panel(Text(str(error)), title=escape(module.name), border_style="red")
    return Panel(Group(*tools), title=f"[bold]{escape(module.name)}", title_align="left")


def _tool(tool: ir.Tool, loaded: _sidecar.Loaded) -> RenderableType:
    head = Text(tool["name"], style="bold cyan")
    if tool["key"] != tool["name"]:
        head.append(f"  {tool['key']}", style="dim")
    lines: list[RenderableType] = [head]
    if (stale := _stale(tool, loaded)) is not None:
        lines.append(Text(stale, style="bold red"))
    if "doc" in tool:
        lines.append(Text(tool["doc"]))
    if tool["parameters"]:
        lines.append(_parameters(tool, loaded.types))
    if "returns" in tool:
        lines.append(Text(f"→ {_words.described(tool['returns'], loaded.types)}", style="green"))
    sizes = "  ".join(f"{name} {size}" for name, size in _sizes(tool, loaded.types))
    lines += [Text(f"bytes: {sizes}", style="dim"), Text()]
    return Group(*lines)


def _stale(tool: ir.Tool, loaded: _sidecar.Loaded) -> str | None:
    try:
        loaded.check(tool)
    except StaleSchema as error:
        return str(error)
    return None


def _parameters(tool: ir.Tool, types: dict[str, ir.Type]) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 2), show_header=False)
    origins = tool.get("provenance", {})
    for index, parameter in enumerate(tool["parameters"]):
        table.add_row(
            Text(parameter["wire"], style="bold"),
            Text(_kind(parameter["type"], types), style="magenta"),
            Text(_presence(parameter)),
            Text(parameter.get("doc", "")),
            Text(_origin(origins.get(f"/parameters/{index}/doc", "")), style="dim"),
        )
    return table


def _origin(said: str) -> str:
    """`alias, line 12 of app.types`, for the sidecar's `alias app.types:12`."""
    origin, _, place = said.partition(" ")
    module, _, line = place.rpartition(":")
    if not place:
        return origin
    return f"{origin}, line {line} of {module}" if module else f"{origin}, line {line}"


def _kind(node: ir.Type, types: dict[str, ir.Type]) -> str:
    """What a type takes and within which limits, in a few words."""
    facts: Any = node["inner"] if node["kind"] == "nullable" else node
    words = [_words.described(node, types), _words.bounds(facts)]
    words += [f"{name.replace('_', ' ')} {facts[name]}" for name in LIMITS if name in facts]
    return ", ".join(word for word in words if word)


def _presence(parameter: ir.Parameter) -> str:
    if parameter["required"]:
        return "required"
    if "default" in parameter:
        return f"= {json.dumps(parameter['default'], ensure_ascii=False)}"
    return "optional"


def _sizes(tool: ir.Tool, types: dict[str, ir.Type]) -> Iterator[tuple[str, int]]:
    """Bytes of the definition as a request would carry it, by format."""
    definition: ir.Definition = {"tool": tool, "types": types}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ToolcallWarning)
        for name in SIZED:
            rendered = formats.get(name).render_tools([definition])
            text = json.dumps(rendered[0], ensure_ascii=False, separators=(",", ":"))
            yield name, len(text.encode())
