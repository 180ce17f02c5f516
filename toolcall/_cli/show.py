"""`toolcall show`: what a model will see, for people who would rather look than read JSON.

Each tool with its parameters, what they take, their defaults, their descriptions and the
line each description comes from, and the size of its definition for each vendor. In the
terminal, or with `--html` as one page that needs nothing else.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console, Group, RenderableType
from rich.markup import escape
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from . import discovery, page
from .cards import Card, Row, Section, section


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
    sections = [section(module) for module in discovery.find(modules or (), app)]
    if html is not None:
        html.write_text(page.render(sections), encoding="utf-8")
        return
    console = Console()
    for each in sections:
        console.print(_panel(each))


def _panel(shown: Section) -> RenderableType:
    if shown.trouble:
        return Panel(Text(shown.trouble), title=escape(shown.module), border_style="red")
    inner = Group(*(_tool(card) for card in shown.cards))
    return Panel(inner, title=f"[bold]{escape(shown.module)}", title_align="left")


def _tool(card: Card) -> RenderableType:
    head = Text(card.name, style="bold cyan")
    if card.key != card.name:
        head.append(f"  {card.key}", style="dim")
    lines: list[RenderableType] = [head]
    if card.trouble:
        lines.append(Text(card.trouble, style="bold red"))
    if card.doc:
        lines.append(_placed(card.doc, card.place))
    if card.rows:
        lines.append(_parameters(card.rows))
    if card.result:
        lines.append(Text(f"→ {card.result}", style="green"))
    sizes = "  ".join(f"{name} {size}" for name, size in card.sizes)
    lines += [Text(f"bytes: {sizes}", style="dim"), Text()]
    return Group(*lines)


def _parameters(rows: tuple[Row, ...]) -> Table:
    table = Table(box=None, padding=(0, 1, 0, 2), show_header=False)
    for _ in range(4):
        table.add_column(overflow="fold")
    for row in rows:
        doc = _placed(row.doc, row.place)
        name, takes = Text(row.name, style="bold"), Text(row.takes, style="magenta")
        table.add_row(name, takes, Text(row.presence), doc)
    return table


def _placed(doc: str, place: str) -> Text:
    """A description with the line that it comes from."""
    text = Text(doc)
    return text.append(f"  {place}", style="dim") if place else text
