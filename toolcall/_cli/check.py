"""`toolcall check`: would the program find every tool, as its source says it now?

For CI, commit hooks and packaging. What may be wrong with sidecars is told by `faults`; here
exported files are compared as well, and all of it is printed.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from toolcall.errors import ToolcallError

from . import discovery
from .export import exported
from .faults import Fault, faults_of, orphans


def check(
    paths: Annotated[
        list[Path] | None,
        typer.Argument(exists=True, help="Files and folders; none means the working directory."),
    ] = None,
    files: Annotated[
        list[str] | None,
        typer.Option(
            "--exported",
            metavar="FORMAT=FILE",
            help="Also whether this export is up to date; FORMAT:strict for strict mode.",
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print records instead of text.")] = False,
) -> None:
    """Say whether all sidecars are there and fresh; exit code 1 if not."""
    roots = paths or [Path()]
    faults = [*faults_of(roots), *orphans(roots)]
    for each in files or ():
        faults += _export_faults(each, roots)
    if as_json:
        typer.echo(json.dumps([asdict(fault) for fault in faults], indent=2))
    else:
        for fault in faults:
            typer.echo(f"{fault.path}: {fault.kind}: {fault.message}")
        count = "1 fault" if len(faults) == 1 else f"{len(faults)} faults"
        typer.echo(count if faults else "all fresh")
    raise typer.Exit(int(bool(faults)))


def _export_faults(said: str, roots: list[Path]) -> Iterator[Fault]:
    """What is wrong with a file that `toolcall export` wrote of the tools below some paths."""
    form, equals, file = said.partition("=")
    if not equals:
        raise typer.BadParameter(f"{said!r} is not FORMAT=FILE, as in anthropic=tools.json")
    name, _, mode = form.partition(":")
    if mode not in ("", "strict"):
        raise typer.BadParameter(f"{form!r} is neither FORMAT nor FORMAT:strict")
    try:
        modules = discovery.find([str(root) for root in roots])
        text = exported(modules, name, strict=bool(mode))
        if Path(file).read_bytes() != text.encode():
            yield Fault("outdated", file, "", "not what `toolcall export` would write now")
    except OSError as error:
        yield Fault("missing", file, "", f"the export cannot be read: {error.strerror}")
    except ToolcallError as error:
        yield Fault("outdated", file, "", f"no export can be made: {error}")
