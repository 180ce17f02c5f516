"""The page of `toolcall show --html`: one file that needs nothing else, to send to somebody.

It says what the terminal says, in a form to look things up in: a list of tools, a field
that narrows it, a card for each tool. Everything of a tool is text somebody wrote, so all
of it is escaped; the page loads nothing and its script only hides what does not match.
"""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from .cards import Card, Row, Section

STYLE = """
:root { color-scheme: light dark; --line: #8884; --soft: #8881; --dim: #777; --mark: #0a7d5a; }
@media (prefers-color-scheme: dark) { :root { --dim: #999; --mark: #4cc9a0; } }
* { box-sizing: border-box; }
body { margin: 0; font: 15px/1.5 system-ui, sans-serif; display: grid;
  grid-template-columns: 17rem minmax(0, 1fr); }
nav { position: sticky; top: 0; height: 100vh; overflow: auto; padding: 1.2rem;
  border-right: 1px solid var(--line); }
nav h1 { font-size: 1rem; margin: 0 0 .8rem; }
nav h2 { font-size: .8rem; margin: 1rem 0 .2rem; color: var(--dim); font-weight: 600;
  overflow-wrap: anywhere; }
nav a { display: block; padding: .1rem 0; color: inherit; text-decoration: none;
  overflow-wrap: anywhere; }
nav a:hover { color: var(--mark); }
input { width: 100%; padding: .4rem .6rem; font: inherit; border: 1px solid var(--line);
  border-radius: .4rem; background: transparent; color: inherit; }
main { padding: 1.2rem 2rem 4rem; max-width: 70rem; }
main > h2 { font-size: 1.1rem; margin: 1.6rem 0 .6rem; overflow-wrap: anywhere; }
article { border: 1px solid var(--line); border-radius: .6rem; padding: 1rem 1.2rem;
  margin: 0 0 1rem; }
article h3 { margin: 0; font: 600 1.05rem ui-monospace, monospace; overflow-wrap: anywhere; }
article h3 small { color: var(--dim); font-weight: 400; margin-left: .6rem; }
.doc { white-space: pre-line; margin: .4rem 0 .8rem; }
.bad { border-color: #c33; } .bad p { color: #c33; white-space: pre-line; margin: .4rem 0; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: .93em; }
th { text-align: left; color: var(--dim); font-weight: 500; }
th, td { padding: .35rem .8rem .35rem 0; vertical-align: top; border-top: 1px solid var(--soft); }
th:nth-child(4) { width: 45%; }
td:first-child, .type { font-family: ui-monospace, monospace; }
.type { color: var(--mark); }
.dim { color: var(--dim); font-size: .88em; white-space: nowrap; }
footer { color: var(--dim); font-size: .88em; margin-top: .4rem; }
.scroll { margin-bottom: .6rem; }
footer b { font-weight: 500; color: CanvasText; margin-right: 1rem; }
@media (max-width: 50rem) { body { display: block; } nav { position: static; height: auto;
  border: 0; } main { padding: 0 1rem 2rem; } }
"""

SCRIPT = """
const field = document.querySelector("input");
field.addEventListener("input", () => {
  const wanted = field.value.toLowerCase();
  for (const each of document.querySelectorAll("[data-text]"))
    each.hidden = !each.dataset.text.includes(wanted);
});
"""


def render(sections: Iterable[Section]) -> str:
    """The page."""
    sections = list(sections)
    number_of = sum(len(section.cards) for section in sections)
    count = "1 tool" if number_of == 1 else f"{number_of} tools"
    body = "".join(_section(number, each) for number, each in enumerate(sections))
    menu = "".join(_menu(number, each) for number, each in enumerate(sections))
    return (
        '<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width">\n'
        f"<title>{count}</title>\n<style>{STYLE}</style>\n"
        f"<nav><h1>{count}</h1>"
        f'<input type="search" placeholder="Find a tool" aria-label="Find a tool">{menu}</nav>\n'
        f"<main>{body}</main>\n<script>{SCRIPT}</script>\n</html>\n"
    )


def _menu(number: int, section: Section) -> str:
    links = "".join(
        f'<a href="#t{number}-{place}" data-text="{_text(section, card)}">{escape(card.name)}</a>'
        for place, card in enumerate(section.cards)
    )
    return f"<h2>{escape(section.module)}</h2>{links}"


def _section(number: int, section: Section) -> str:
    trouble = f'<article class="bad"><p>{escape(section.trouble)}</p></article>'
    cards = (
        _card(f"t{number}-{place}", _text(section, card), card)
        for place, card in enumerate(section.cards)
    )
    inner = "".join(cards) + (trouble if section.trouble else "")
    return f"<h2>{escape(section.module)}</h2>{inner}"


def _text(section: Section, card: Card) -> str:
    """What the search field looks at."""
    words = [section.module, card.name, card.doc, *(f"{row.name} {row.doc}" for row in card.rows)]
    return escape(" ".join(words).lower())


def _card(anchor: str, text: str, card: Card) -> str:
    key = f"<small>{escape(card.key)}</small>" if card.key != card.name else ""
    trouble = f"<p>{escape(card.trouble)}</p>" if card.trouble else ""
    place = f' <span class="dim">{escape(card.place)}</span>' if card.place else ""
    doc = f'<div class="doc">{escape(card.doc)}{place}</div>' if card.doc else ""
    result = f'<div>returns <span class="type">{escape(card.result)}</span></div>'
    sizes = "".join(f"{escape(name)} <b>{size}</b>" for name, size in card.sizes)
    return (
        f'<article id="{anchor}" data-text="{text}"{" class=bad" if trouble else ""}>'
        f"<h3>{escape(card.name)}{key}</h3>{trouble}{doc}{_table(card.rows)}"
        f"{result if card.result else ''}<footer>bytes: {sizes}</footer></article>"
    )


def _table(rows: tuple[Row, ...]) -> str:
    if not rows:
        return ""
    head = "<tr><th>parameter<th>takes<th><th>description<th>from</tr>"
    lines = (
        f'<tr><td>{escape(row.name)}<td class="type">{escape(row.takes)}<td>{escape(row.presence)}'
        f'<td>{escape(row.doc)}<td class="dim">{escape(row.place)}</tr>'
        for row in rows
    )
    return f'<div class="scroll"><table>{head}{"".join(lines)}</table></div>'
