"""`toolcall serve` in the table of commands; what it does is `toolcall._serve`'s.

The command line hands it over before it gets here, see `_cli/__init__`. It stands here so
that the table is complete, and for programs that use the table.
"""

from __future__ import annotations

from typing import Annotated

import typer


def serve(
    arguments: Annotated[list[str] | None, typer.Argument(metavar="MODULES...")] = None,
) -> None:
    """Serve tools over the Model Context Protocol; `toolcall serve --help` says more."""
    from toolcall._serve import main

    main(arguments or [])
