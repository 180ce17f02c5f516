"""`toolcall adopt`: functions that are tools of another library, and what would change.

Nothing is edited and none of the code is run. `foreign` finds the functions; copies of the
files, in which they carry our decorator, are checked by mypy with the plugin in a folder of
their own. What it derives there is compared with what the other library is known to
derive, and what the lints have to say is told as well.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from toolcall import _sidecar, _words, ir
from toolcall.errors import ToolcallError

from . import configuration, discovery
from .foreign import Found, Handed, disguised, find, handed
from .libraries import LIBRARIES, OBJECTS

PREFIX = "toolcall-"


def adopt(
    paths: Annotated[
        list[Path] | None,
        typer.Argument(exists=True, help="Files and folders; none means the working directory."),
    ] = None,
) -> None:
    """List tools of other libraries and what becoming ours would change; edits nothing."""
    here = Path.cwd()
    given = paths or [Path()]
    away = _handed([here, *given])
    found = {
        path: functions
        for path in discovery.sources(given)
        if (functions := find(_text(path), away.get(_module(path), ())))
    }
    if not found:
        typer.echo("no tools of other libraries found")
        return
    with tempfile.TemporaryDirectory() as folder:
        findings = _checked(here, Path(folder), found, away)
        for path, functions in found.items():
            shown = Path(os.path.relpath(path.resolve(), here))
            tools = _tools(Path(folder) / shown)
            for function in functions:
                lines = _report(function, tools.get(function.qualname), findings.get(shown, []))
                typer.echo("\n    ".join([f"{shown}:{function.line}: {function.headline}", *lines]))
    libraries = sorted({each.library for functions in found.values() for each in functions})
    count = sum(map(len, found.values()))
    typer.echo(f"{count} {'tool' if count == 1 else 'tools'} of {', '.join(libraries)}")


def _handed(paths: list[Path]) -> dict[str, list[Handed]]:
    """The functions that these sources give to libraries, by the module that defines them."""
    found: dict[str, list[Handed]] = {}
    for path in {path.resolve(): None for path in discovery.sources(paths)}:
        for each in handed(_text(path), _module(path), path.name == "__init__.py"):
            found.setdefault(each.module, []).append(each)
    return found


def _module(path: Path) -> str:
    return _sidecar.module_name(str(path.resolve()))


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return ""


# The check, elsewhere


def _checked(
    here: Path, folder: Path, found: Iterable[Path], away: Mapping[str, list[Handed]]
) -> dict[Path, list[dict[str, Any]]]:
    """Check copies in `folder`; the findings by file."""
    for path in discovery.sources([here]):
        target = folder / path.resolve().relative_to(here)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, target)
    copies = {}
    for path in found:
        relative = Path(os.path.relpath(path.resolve(), here))
        (folder / relative).parent.mkdir(parents=True, exist_ok=True)
        copies[relative] = copy = disguised(_text(path), away.get(_module(path), ()))
        (folder / relative).write_text(copy.text, encoding="utf-8")
    with configuration.options(here, None) as options:
        done = subprocess.run(
            [sys.executable, "-m", "mypy", *options, "--output=json", *map(str, copies)],
            cwd=folder,
            check=False,
            capture_output=True,
            text=True,
        )
    if done.returncode not in (0, 1):
        raise typer.BadParameter(f"mypy could not run: {(done.stderr or done.stdout).strip()}")
    findings: dict[Path, list[dict[str, Any]]] = {}
    for line in done.stdout.splitlines():
        record = json.loads(line) if line.startswith("{") else {}
        path = Path(record.get("file", ""))
        if str(record.get("code")).startswith(PREFIX) and path in copies:
            record["line"] = copies[path].original(int(record["line"]))
            findings.setdefault(path, []).append(record)
    return findings


def _tools(path: Path) -> dict[str, tuple[ir.Tool, dict[str, ir.Type]]]:
    try:
        loaded = _sidecar.load_file(str(path), _sidecar.module_name(str(path)), _sidecar.read_file)
    except ToolcallError:
        return {}
    return {tool["key"]: (tool, loaded.types) for tool in loaded.tools}


# What would change


def _report(
    function: Found,
    derived: tuple[ir.Tool, dict[str, ir.Type]] | None,
    findings: list[dict[str, Any]],
) -> Iterator[str]:
    for name, written in function.contexts.items():
        yield f"write  {name}: Context[...] instead of {written}, which no schema shows"
    if derived is None:
        yield "none   no definition could be derived; see below"
    else:
        yield from _changes(function, *derived)
    for record in findings:
        if function.line <= record["line"] <= function.end:
            code = str(record["code"]).removeprefix(PREFIX)
            yield f"lint   {record['message']} [{code}]"


def _changes(function: Found, tool: ir.Tool, types: dict[str, ir.Type]) -> Iterator[str]:
    library = LIBRARIES[function.library]
    origins = tool.get("provenance", {})
    described = [
        each["wire"]
        for at, each in enumerate(tool["parameters"])
        if origins.get(f"/parameters/{at}/doc", "").startswith("docstring ")
    ]
    if described and not function.reads_docstring:
        yield f"gains  descriptions of {', '.join(described)}, from the docstring"
    if not library.is_closed:
        yield "gains  unknown arguments are refused, with a suggestion"
    defaults = [each["wire"] for each in tool["parameters"] if "default" in each]
    if defaults and not library.shows_defaults:
        yield f"gains  defaults of {', '.join(defaults)}"
    if function.is_strict:
        yield "keeps  strict mode: emit(..., strict=True)"
    if library.has_titles:
        yield "loses  a title for each parameter, which only repeated its name"
    for each in tool["parameters"]:
        kind = _innermost(each["type"])
        if kind in OBJECTS:
            verb = "keeps" if kind in library.builds else "gains"
            so_far = "the function got as it was sent" if library.hands_over else "was an error"
            said = "" if kind in library.builds else f", which {so_far}"
            yield f"{verb}  {each['wire']}: {_words.described(each['type'], types)}{said}"


def _innermost(node: Any) -> str:
    """The kind of a type, or of what its list holds, null set aside."""
    while (inner := node.get("inner") or node.get("items")) is not None:
        node = inner
    return str(node["kind"])
