"""`toolcall fix`: what the lints suggest and a program can write, as a diff first.

    a fixed set of values in a `str` or `int`     Literal[...]
    a dict of which only known keys are read      a TypedDict with these keys
    a parameter without a description             an entry in the docstring, to be filled in

mypy runs with the plugin and says where; `edits` says what. Nothing is written without
`--write`. What cannot be done mechanically is left as it is, and the lint goes on saying so.
"""

from __future__ import annotations

import difflib
import json
import re
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import typer

from . import configuration
from .edits import Wish, edited

PREFIX = "toolcall-"
CODES = {
    "stringly-enum": "literal",
    "untyped-value": "typeddict",
    "untyped-container": "typeddict",
    "strict-open-object": "typeddict",
    "missing-description": "description",
}
"""The lints that are answered, and by which edit."""


def fix(
    paths: Annotated[
        list[Path] | None,
        typer.Argument(exists=True, help="Files and folders; none means the working directory."),
    ] = None,
    write: Annotated[bool, typer.Option("--write", help="Change the files.")] = False,
    stubs: Annotated[
        bool, typer.Option(help="Add entries to docstrings for what is not described.")
    ] = True,
) -> None:
    """Write what the lints suggest; without --write, show it as a diff and exit with 1."""
    wishes = _wishes(paths or [Path()], stubs=stubs)
    changed = 0
    for path, wanted in sorted(wishes.items()):
        before = path.read_bytes().decode("utf-8")
        after = edited(before, wanted)
        if after != before:
            changed += 1
            typer.echo("".join(_diff(path, before, after)), nl=False)
            if write:
                path.write_bytes(after.encode("utf-8"))
    done = "changed" if write else "would change; --write does it"
    files = "1 file" if changed == 1 else f"{changed} files"
    typer.echo(f"{files} {done}" if changed else "nothing to fix")
    raise typer.Exit(int(bool(changed) and not write))


def _diff(path: Path, before: str, after: str) -> Iterable[str]:
    old, new = before.splitlines(keepends=True), after.splitlines(keepends=True)
    for line in difflib.unified_diff(old, new, str(path), str(path)):
        yield line if line.endswith("\n") else f"{line}\n"


def _wishes(paths: list[Path], *, stubs: bool) -> dict[Path, list[Wish]]:
    """Where mypy's findings ask for an edit, by file."""
    found: dict[Path, list[Wish]] = defaultdict(list)
    for record in _findings(paths):
        edit = CODES.get(str(record["code"]).removeprefix(PREFIX))
        name = re.match(r'Parameter "(\w+)"', str(record["message"]))
        if edit is not None and name and (stubs or edit != "description"):
            line, column = int(str(record["line"])), int(str(record["column"]))
            values = str(record["message"]).partition(" takes only ")[2].partition(", but is")[0]
            found[Path(str(record["file"]))].append(Wish(edit, line, column, name[1], values))
    return found


def _findings(paths: list[Path]) -> list[dict[str, object]]:
    """What mypy says of these files."""
    wanted = [f"--enable-error-code={PREFIX}{code}" for code in CODES]
    with configuration.options(Path.cwd(), None) as options:
        done = subprocess.run(
            [sys.executable, "-m", "mypy", *options, "--output=json", *wanted, *map(str, paths)],
            check=False,
            capture_output=True,
            text=True,
        )
    if done.returncode not in (0, 1):
        raise typer.BadParameter(f"mypy could not run: {(done.stderr or done.stdout).strip()}")
    return [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
