"""`toolcall clean`: removes sidecars whose module is gone, and folders this leaves empty.

mypy sees only modules that exist, so nothing else would ever take these away.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from .faults import orphans


def clean(
    paths: Annotated[
        list[Path] | None,
        typer.Argument(exists=True, help="Folders; none means the working directory."),
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what would go.")] = False,
) -> None:
    """Remove orphaned sidecars."""
    found = list(orphans(paths or [Path()]))
    for fault in found:
        typer.echo(f"{'would remove' if dry_run else 'removed'} {fault.path}")
        if not dry_run:
            _remove(Path(fault.path))
    if not found:
        typer.echo("nothing to remove")


def _remove(path: Path) -> None:
    path.unlink()
    if not any(path.parent.iterdir()):
        path.parent.rmdir()
