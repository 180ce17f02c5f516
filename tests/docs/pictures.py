"""Draws what an editor shows of a module, from what mypy says of it.

    python -m tests.docs.pictures

makes the pictures in docs/pictures anew. Each is an editor's window: the module, its findings
underlined where mypy has them, and the list of problems below, word for word and with the
codes. Nothing of it is written by hand, and a test compares the files with today's mypy.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parents[2] / "docs/pictures"

MODULES = {
    "parameters": (
        "orders.py",
        '''\
from toolcall import PositiveInt, tool


@tool
def cancel(order, pieces: PositiveInt = 0, reason: str = "other") -> None:
    """Cancel an order.

    Args:
        number: The order's number.
        reason: One of "late", "broken", "other".
    """
''',
    ),
    "calls": (
        "shop.py",
        '''\
from datetime import date

from toolcall import run, tool


@tool
def order(article: str, day: date) -> str:
    """Order something for a day."""
    return f"{article}, {day:%d %b}"


run(order, "oder", {"article": "tea", "day": "2027-01-31"})
run(order, "order", {"artikle": "tea", "day": "2027-01-31"})
run(order, "order", {"article": "tea"})
''',
    ),
}
"""The name of each picture; of each the file that it shows."""

SIZE = 14
STEP = 8.4
"""Width of a character; text is stretched to it, whatever the font is."""
LINE = 22
MARGIN = 24
GUTTER = 48
COLUMNS = 100
GAP = 8
"""Between two problems of the list."""
TOP = 40
WIDTH = round(GUTTER + COLUMNS * STEP + 2 * MARGIN)
COLOURS = {"error": "#f14c4c", "note": "#3794ff"}

STYLE = """\
text { font: 14px ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace;
  fill: #d4d4d4; white-space: pre }
.n { fill: #6e7681 } .d { fill: #9d9d9d } .k { fill: #569cd6 } .s { fill: #ce9178 }
.c { fill: #6a9955 } .a { fill: #dcdcaa }"""

TOKEN = re.compile(
    r'(?P<s>""".*?"""|f?"[^"\n]*")|(?P<c>\#[^\n]*)|(?P<a>@\w+)'
    r"|(?P<k>\b(?:from|import|def|return|None|class|async|await)\b)",
    re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Finding:
    """One message: where, how bad, the sentence, what to do about it, the code."""

    line: int
    start: int
    end: int
    severity: str
    message: str
    hint: str
    code: str


def findings(name: str, text: str) -> list[Finding]:
    """What mypy says of a file with the plugin on."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, name).write_text(text, encoding="utf-8")
        Path(folder, "mypy.ini").write_text("[mypy]\nplugins = toolcall_mypy\n")
        done = subprocess.run(
            [sys.executable, "-m", "mypy", "--output=json", name],
            cwd=folder,
            check=False,
            capture_output=True,
            text=True,
        )
    records = [json.loads(line) for line in done.stdout.splitlines()]
    assert records, done.stdout + done.stderr
    return [_finding(record) for record in records]


def _finding(record: dict[str, Any]) -> Finding:
    one_line = record["end_line"] == record["line"]
    return Finding(
        line=record["line"],
        start=record["column"],
        end=record["end_column"] if one_line else record["column"] + 1,
        severity=record["severity"],
        message=record["message"],
        hint=record["hint"] or "",
        code=record["code"],
    )


def picture(name: str, text: str) -> str:
    """The window as SVG."""
    found = findings(name, text)
    lines = text.rstrip("\n").split("\n")
    panel = TOP + MARGIN + len(lines) * LINE
    rows = list(_panel(found, panel))
    told = sum(row.startswith("<text") for row in rows)
    height = panel + LINE * told + GAP * (len(found) + 1) + MARGIN / 2
    count = f"{len(found)} findings of mypy in {name}"
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height:g}" role="img">',
            f"<title>{escape(count)}</title>",
            f"<style>{STYLE}</style>",
            f'<rect width="{WIDTH}" height="{height:g}" rx="8" fill="#1e1e1e"/>',
            f'<path d="M0 {panel}h{WIDTH}" stroke="#3c3c3c"/>',
            *(
                f'<circle cx="{MARGIN + 18 * place}" cy="20" r="6" fill="{colour}"/>'
                for place, colour in enumerate(("#ff5f57", "#febc2e", "#28c840"))
            ),
            _text(name, 100, 25, "d"),
            *_code(text, lines),
            *_underlines(found),
            *rows,
            "</svg>\n",
        ]
    )


def _text(said: str, x: float, y: float, kind: str = "") -> str:
    width = f'textLength="{len(said) * STEP:.1f}" lengthAdjust="spacingAndGlyphs"'
    mark = f' class="{kind}"' if kind else ""
    return f'<text x="{x:.1f}" y="{y:.1f}" {width}{mark}>{escape(said)}</text>'


def _baseline(line: int) -> int:
    return TOP + LINE * line


def _code(text: str, lines: list[str]) -> Iterator[str]:
    for number in range(1, len(lines) + 1):
        yield _text(f"{number:3}", MARGIN / 2, _baseline(number), "n")
    for line, column, said, kind in _pieces(text):
        yield _text(said, GUTTER + column * STEP, _baseline(line), kind)


def _pieces(text: str) -> Iterator[tuple[int, int, str, str]]:
    """Runs of one colour on one line: line, column, text, kind."""
    end = 0
    spans: list[tuple[int, int, str]] = []
    for match in TOKEN.finditer(text):
        spans += [(end, match.start(), ""), (match.start(), match.end(), match.lastgroup or "")]
        end = match.end()
    for start, stop, kind in [*spans, (end, len(text), "")]:
        at = start
        for part in text[start:stop].splitlines(keepends=True):
            column = at - (text.rfind("\n", 0, at) + 1)
            at += len(part)
            if bare := part.strip():
                shift = len(part) - len(part.lstrip())
                yield text.count("\n", 0, at - len(part)) + 1, column + shift, bare, kind


def _underlines(found: list[Finding]) -> Iterator[str]:
    for each in found:
        left, width = GUTTER + each.start * STEP, max(each.end - each.start, 1) * STEP
        waves = round(width / 4.2)
        path = f"M{left:.1f} {_baseline(each.line) + 5}" + "".join(
            f"l2.1 {'-3' if place % 2 else '3'}" for place in range(2 * waves)
        )
        colour = COLOURS[each.severity]
        yield f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="1.3"/>'


def _panel(found: list[Finding], top: int) -> Iterator[str]:
    """The list of problems: a mark, the message with its code and place, what to do."""
    y = top + GAP
    for each in found:
        place = f"[{each.code}]  Ln {each.line}, Col {each.start + 1}"
        said = textwrap.wrap(each.message, COLUMNS) + textwrap.wrap(each.hint, COLUMNS)
        marked = len(textwrap.wrap(each.message, COLUMNS))
        colour = COLOURS[each.severity]
        yield f'<circle cx="{MARGIN + 6}" cy="{y + LINE - 5}" r="5" fill="{colour}"/>'
        for number, part in enumerate(said):
            y += LINE
            yield _text(part, GUTTER, y, "" if number < marked else "d")
        y += LINE
        yield _text(place, GUTTER, y, "n")
        y += GAP


def draw() -> dict[Path, str]:
    """Every picture, by its file."""
    return {FOLDER / f"{name}.svg": picture(*module) for name, module in MODULES.items()}


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for path, svg in draw().items():
        path.write_text(svg, encoding="utf-8")
        print(path)
