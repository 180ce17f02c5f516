"""`toolcall build`: mypy with our plugin, for people whose checker is another one.

mypy runs as a subprocess of this interpreter, so that its own ways of ending
(`os._exit`, a crash) are not ours, and inherits the terminal, so that it looks as it
always does. What it prints and its exit code are passed on unchanged.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Annotated

import typer

from . import configuration


def build(
    arguments: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="PATHS...",
            help="Files and folders to check, as for mypy; its options may stand among them. "
            "Nothing means the files that the configuration lists.",
        ),
    ] = None,
) -> None:
    """Check PATHS with mypy and write the sidecars of their tools."""
    raise typer.Exit(run(arguments or [], Path.cwd()))


def run(arguments: list[str], folder: Path) -> int:
    """Start mypy in `folder` and return its exit code."""
    given, rest = _split_configuration(arguments)
    with configuration.options(folder, given) as options:
        return subprocess.run(
            [sys.executable, "-m", "mypy", *options, *rest], cwd=folder, check=False
        ).returncode


def _split_configuration(arguments: list[str]) -> tuple[Path | None, list[str]]:
    """Take `--config-file` out of mypy's arguments."""
    given: Path | None = None
    rest: list[str] = []
    queue = iter(arguments)
    for argument in queue:
        name, is_joined, value = argument.partition("=")
        if name != "--config-file":
            rest.append(argument)
        else:
            given = Path(value if is_joined else next(queue, ""))
    return given, rest
