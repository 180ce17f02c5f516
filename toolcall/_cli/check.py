"""`toolcall check`: would the program find every tool, as its source says it now?

For CI, commit hooks and packaging. What may be wrong is told by `faults`; here it is
printed.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from .faults import faults_of, orphans


def check(
    paths: Annotated[
        list[Path] | None,
        typer.Argument(exists=True, help="Files and folders; none means the working directory."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print records instead of text.")] = False,
) -> None:
    """Say whether all sidecars are there and fresh; exit code 1 if not."""
    roots = paths or [Path()]
    faults = [*faults_of(roots), *orphans(roots)]
    if as_json:
        typer.echo(json.dumps([asdict(fault) for fault in faults], indent=2))
    else:
        for fault in faults:
            typer.echo(f"{fault.path}: {fault.kind}: {fault.message}")
        count = "1 fault" if len(faults) == 1 else f"{len(faults)} faults"
        typer.echo(count if faults else "all fresh")
    raise typer.Exit(int(bool(faults)))
