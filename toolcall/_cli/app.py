"""The table of commands. Each is a function of its own module; nothing is done here."""

from __future__ import annotations

from typing import Annotated

import typer

from .. import __version__
from .adopt import adopt
from .build import build
from .check import check
from .clean import clean
from .demo import demo
from .diff import diff
from .export import export
from .fix import fix
from .replay import replay
from .serve import serve
from .show import show

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="Typed Python functions as tools for language models.",
)


def _print_version(is_wanted: bool) -> None:
    if is_wanted:
        typer.echo(f"toolcall {__version__}")
        raise typer.Exit


@app.callback()
def root(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Show it.")
    ] = False,
) -> None:
    """Typed Python functions as tools for language models."""


app.command(context_settings={"ignore_unknown_options": True})(build)
app.command(context_settings={"ignore_unknown_options": True}, add_help_option=False)(serve)
for command in (export, show, check, fix, adopt, clean, diff, replay, demo):
    app.command()(command)
