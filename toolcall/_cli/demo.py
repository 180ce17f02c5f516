"""`toolcall demo`: the whole way of a tool in a few seconds, on a module that comes along.

Nothing is staged: the module is copied to a temporary folder, mypy runs there with the
plugin, the module is imported with the sidecar it just got, and every schema and answer
that is printed was asked of the public functions a user would call.
"""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
import tempfile
from importlib.resources import files
from pathlib import Path
from types import ModuleType
from typing import Any

from rich.console import Console, Group
from rich.panel import Panel
from rich.rule import Rule
from rich.syntax import Syntax
from rich.text import Text

import toolcall

from . import configuration

MODULE = "trains"
TOOL = "book_train"
LINE = 90
"""How wide JSON may be."""
SOURCE_LINES = ((10, 16), (32, 49), (52, 59))
"""What of the module is shown: its imports and aliases, then its tools."""

GOOD = {
    "origin": "OSL",
    "destination": "BGO",
    "day": "2027-06-21",
    "passengers": [{"name": "Ada", "age": 36}],
}
BAD = {
    "origin": "OSL",
    "destination": "BGO",
    "day": "2027-06-31",
    "passengers": [{"name": "Ada", "age": "36"}],
    "cabbin": "sleeper",
}
"""Three mistakes: no such day, a number as text, a misspelled name."""


def demo() -> None:
    """Check an example module, emit its tools for two vendors, call one rightly and wrongly."""
    console = Console(width=None if sys.stdout.isatty() else 100)
    with tempfile.TemporaryDirectory(prefix="toolcall-demo-") as name:
        folder = Path(name)
        path = folder / f"{MODULE}.py"
        path.write_bytes(files("toolcall.demo").joinpath(path.name).read_bytes())
        _show_source(console, path)
        _show_findings(console, folder)
        module = _imported(path)
        _show_definitions(console, module)
        _show_calls(console, module)


def _title(console: Console, text: str) -> None:
    console.print()
    console.print(Rule(f"[bold]{text}[/bold]", align="left"))


def _show_source(console: Console, path: Path) -> None:
    _title(console, "1. A module with tools: ordinary functions, typed and documented")
    code = path.read_text(encoding="utf-8")
    for lines in SOURCE_LINES:
        console.print(_code(code, lines))


def _code(code: str, lines: tuple[int, int]) -> Syntax:
    return Syntax(code, "python", line_range=lines, line_numbers=True, background_color="default")


def _show_findings(console: Console, folder: Path) -> None:
    _title(console, "2. What mypy says with the plugin on, in the terminal as in the editor")
    console.print(Text(f"$ toolcall build {MODULE}.py", style="dim"))
    with configuration.options(folder) as options:
        command = [sys.executable, "-m", "mypy", "--cache-dir", str(folder / ".mypy_cache")]
        done = subprocess.run(
            [*command, *options, f"{MODULE}.py"],
            cwd=folder,
            check=False,
            capture_output=True,
            text=True,
        )
    for line in (done.stdout + done.stderr).splitlines():
        console.print(_coloured(line))
    sidecar = folder / "__toolcall__" / f"{MODULE}.json"
    console.print(Text(f"→ {sidecar.relative_to(folder)}: {sidecar.stat().st_size:,} bytes"))


def _coloured(line: str) -> Text:
    text = Text(line)
    for words, style in ((" error: ", "bold red"), (" note: ", "bold blue")):
        text.highlight_words([words], style)
    text.highlight_regex(r"\[[a-z-]+\]$", "yellow")
    return text


def _imported(path: Path) -> ModuleType:
    """The module at this path, under its plain name, as if its folder were on the path."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None:
        raise ImportError(f"cannot import {path}")
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    return module


def _show_definitions(console: Console, module: ModuleType) -> None:
    _title(console, "3. The definition that each vendor gets; nothing was evaluated at run time")
    for call, definitions in (
        (f'emit({MODULE}, "openai", strict=True)[0]', _strict(module)),
        (f'emit({MODULE}, "anthropic")[0]', toolcall.emit(module.book_train, "anthropic")),
    ):
        console.print(Text(f">>> {call}", style="dim"))
        console.print(_json(definitions[0]))


def _strict(module: ModuleType) -> list[dict[str, Any]]:
    return toolcall.emit(module.book_train, "openai", strict=True)


def _show_calls(console: Console, module: ModuleType) -> None:
    _title(console, "4. A call as a model sends it")
    _show_call(console, module, GOOD)
    _title(console, "5. A call with three mistakes: all of them at once, and no exception")
    _show_call(console, module, BAD)


def _show_call(console: Console, module: ModuleType, arguments: dict[str, Any]) -> None:
    console.print(Text(f'>>> run({MODULE}, "{TOOL}", arguments)', style="dim"))
    console.print(_json(arguments))
    match toolcall.run(module, TOOL, arguments):
        case toolcall.Ok(value=value):
            answer, style, title = _json(value), "green", "Ok: the value that the tool returned"
            console.print(Panel(answer, title=title, title_align="left", border_style=style))
        case error:
            records = [Text(f"{p.code:<20} {p.path}") for p in error.problems]
            body = Group(*records, Text(), Text(str(error), style="italic"))
            title = "Err: one record for each problem, and the text the model gets"
            console.print(Panel(body, title=title, title_align="left", border_style="red"))


def _json(value: object) -> Syntax:
    return Syntax(compact(value), "json", background_color="default")


def compact(value: object, indent: int = 0, label: str = "") -> str:
    """JSON that breaks only what does not fit on a line."""
    line = label + json.dumps(value, ensure_ascii=False)
    if indent + len(line) <= LINE or not isinstance(value, dict | list):
        return line
    opening, closing = "{}" if isinstance(value, dict) else "[]"
    inner = " " * (indent + 2)
    items = [inner + compact(item, indent + 2, name) for name, item in _labelled(value)]
    lines = ",\n".join(items)
    return f"{label}{opening}\n{lines}\n{' ' * indent}{closing}"


def _labelled(value: dict[str, object] | list[object]) -> list[tuple[str, object]]:
    if isinstance(value, list):
        return [("", item) for item in value]
    return [(f"{json.dumps(key)}: ", item) for key, item in value.items()]
