"""Entries below section titles: Google, Markdown and NumPy.

What begins an entry is a matter of indentation first and of its shape second: a colon
alone makes none.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from toolcall_mypy.source.entries import (
    BULLET,
    NAMES,
    OPTIONAL,
    Entry,
    Sections,
    entry_of,
    indent_of,
    names_of,
    split_type,
    type_of,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from toolcall_mypy.source.marks import Mark

_BULLET = re.compile(BULLET)
_NUMPY_HEAD = re.compile(rf"`{{0,2}}(?P<names>{NAMES}|\.\.\.)`{{0,2}}(?P<colon>\s*:(?P<type>.*))?$")


_LOOSE_HEAD = re.compile(
    r"(?P<names>[^\W\d]\w*)(?:\s*\((?P<type>.*)\))?(?:\s*,\s*(?:default\b[^,]*|optional))*$"
)
"""`name, default None` and `name (type)`: no colon, but the text stands below."""
_FLAT = re.compile(rf"{NAMES}(?:\s*\(.*\))?:\s+\S+\s+\S")
_OPEN_HEAD = re.compile(rf"(?:{BULLET})?{NAMES}\s*\(")
_LAST = re.compile(r"(?:Returns?|Raises|Yields?):\s+\S")
"""A result that is told in the margin of the entries, in one line."""
_HEADING = re.compile(r"#{1,6}\s")
"""`# Paging`, above a group of entries."""
_DASH = re.compile(r"\s(?:-{1,2}|\u2013|\u2014)\s")
_SENTENCE = re.compile(r"(?:an?|the|how|if|what|when|where|whether|which)\s", re.IGNORECASE)
"""Words that no type begins with."""
_LONGEST_HEAD = 12
"""Lines of a type, at the most."""


def google(lines: Sequence[str], mark: Mark, end: int, sections: Sections) -> None:
    if mark.entry:
        lines = [*lines[: mark.first], mark.entry, *lines[mark.first + 1 :]]
    body, rest = _below(lines, mark, end)
    sections.trailing += rest
    match mark.section:
        case "param":
            sections.param += _google_entries(lines, body, blank_ends=False)
        case "attribute":
            sections.attribute += _google_entries(lines, body, blank_ends=False)


def markdown(lines: Sequence[str], mark: Mark, end: int, sections: Sections) -> None:
    heading = (n for n in range(mark.body, end) if re.match(r" {0,3}#{1,6}\s", lines[n]))
    body = range(mark.body, next(heading, end))
    match mark.section:
        case "param":
            sections.param += _google_entries(lines, body, blank_ends=True)
        case "attribute":
            sections.attribute += _google_entries(lines, body, blank_ends=True)


def _below(lines: Sequence[str], mark: Mark, end: int) -> tuple[range, list[str]]:
    """The lines that belong to a Google title, and those behind them.

    They are indented below it; entries that are not (or bullets) belong to it up to a
    blank line, if they follow at once.
    """
    start = next((n for n in range(mark.body, end) if lines[n]), end)
    flush = start < end and indent_of(lines[start]) <= mark.indent
    if flush and not _begins_entries(lines[start], start, follows=start == mark.body):
        return range(start, start), list(lines[start:end])
    for number in range(start, end):
        line = lines[number]
        outside = line and indent_of(line) <= mark.indent
        if not flush and outside:
            return range(start, number), list(lines[number:end])
        if flush and outside and not lines[number - 1] and not _is_head(line, number):
            return range(start, number), list(lines[number:end])
    return range(start, end), []


def _begins_entries(line: str, number: int, *, follows: bool) -> bool:
    return bool(_BULLET.match(line.strip())) or (follows and _is_head(line, number))


def _is_head(line: str, number: int) -> bool:
    return entry_of(line, number, bulleted=None) is not None


def _google_entries(lines: Sequence[str], body: range, *, blank_ends: bool) -> list[Entry]:
    """The entries of a section.

    An entry stands at the indentation of the first one (or further out); what stands
    deeper, or has not the shape of an entry, goes on in the one before. In Markdown a
    blank line ends it.
    """
    entries: list[Entry] = []
    level = 0
    bulleted: bool | None = None
    ended = False
    numbers = iter(body)
    for number in numbers:
        line = lines[number]
        if not line:
            ended = blank_ends
            if entries and not ended:
                entries[-1].lines.append("")
            continue
        if not entries or indent_of(line) <= level:
            entry = entry_of(line, number, bulleted=bulleted)
            if entry is None and (further := _open_head(lines, number, body.stop)):
                whole = " ".join(lines[at].strip() for at in range(number, number + further + 1))
                entry = entry_of(whole, number, bulleted=bulleted)
                if entry is not None:
                    for _ in range(further):
                        next(numbers)
            stands_apart = _LAST.match(line.strip()) or _HEADING.match(line.strip())
            ended = ended or stands_apart is not None
            if entry is not None and not _LAST.match(line.strip()):
                if not entries:
                    level, bulleted = indent_of(line), bool(_BULLET.match(line.strip()))
                entries.append(entry)
                ended = False
                continue
        if entries and not ended:
            # What stands no deeper than its head is still its text.
            shift = max(level + 1 - indent_of(line), 0)
            entries[-1].lines.append(" " * shift + line)
    return entries


def _open_head(lines: Sequence[str], number: int, end: int) -> int:
    """How many further lines the bracket of `name (a type` takes to close; 0 if it does not."""
    if not _OPEN_HEAD.match(lines[number].strip()):
        return 0
    depth = 0
    for at in range(number, min(end, number + _LONGEST_HEAD)):
        line = lines[at]
        if not line:
            return 0
        depth += sum(map(line.count, "([{")) - sum(map(line.count, ")]}"))
        if depth <= 0:
            return at - number
    return 0


def numpy(lines: Sequence[str], mark: Mark, end: int, sections: Sections) -> None:
    body = range(mark.body, end)
    if mark.section == "param" and _is_flat(lines, body, mark.indent):
        sections.param += _google_entries(lines, body, blank_ends=False)
        return
    match mark.section:
        case "param":
            sections.param += _numpy_entries(lines, body, mark.indent)
        case "attribute":
            sections.attribute += _numpy_entries(lines, body, mark.indent)


def _is_flat(lines: Sequence[str], body: range, level: int) -> bool:
    """Whether entries of the form `name: some words` stand in one line each below the title.

    They are Google's, whatever the title looks like: NumPy's stand at the margin.
    """
    inside = [lines[number] for number in body if lines[number]]
    margins = {indent_of(line) for line in inside}
    said = [_FLAT.match(line.strip()) for line in inside]
    return len(margins) == 1 and min(margins) > level and all(said)


def _numpy_entries(lines: Sequence[str], body: range, level: int) -> list[Entry]:
    entries: list[Entry] = []
    first = next((lines[number] for number in body if lines[number]), "")
    level = max(level, indent_of(first))
    ended = False
    for number in body:
        line = lines[number]
        if line and indent_of(line) <= level:
            has_text = _text_below(lines, number, body)
            entry = _numpy_entry(line.strip(), number, has_text)
            if entry is not None and not (ended and not has_text):
                level = indent_of(line)
                entries.append(entry)
                ended = False
                continue
            # A paragraph at the margin is no entry's text.
            ended = ended or not lines[number - 1]
        if entries and not ended:
            shift = max(level + 1 - indent_of(line), 0) if line else 0
            entries[-1].lines.append(" " * shift + line)
    return entries


def _text_below(lines: Sequence[str], number: int, body: range) -> bool:
    below = lines[number + 1] if number + 1 < body.stop else ""
    return indent_of(below) > indent_of(lines[number])


def _numpy_entry(text: str, number: int, has_text: bool) -> Entry | None:
    """`x, y : int`; without a text below, `x: words` is an entry in one line."""
    if has_text and (loose := _LOOSE_HEAD.match(text)):
        return Entry(names_of(loose["names"]), type_of(loose["type"]), number, [])
    head = _NUMPY_HEAD.match(text)
    if head is None:
        inline = entry_of(text, number, bulleted=False)
        return inline if inline is not None and not has_text else None
    said = (head["type"] or "").strip()
    names = names_of(head["names"])
    if not has_text and (dash := _DASH.search(said)):
        return Entry(names, type_of(said[: dash.start()]), number, [said[dash.end() :]])
    if not has_text and head["colon"] and _is_text(said, is_close=head["colon"][0] == ":"):
        return Entry(names, None, number, [said])
    return Entry(names, type_of(said or None), number, [])


def _is_text(text: str, *, is_close: bool) -> bool:
    """Whether what stands where a type belongs is a sentence.

    `is_close` says that the colon follows the name at once, as in no NumPy entry.
    """
    if _SENTENCE.match(text):
        return True
    is_long = len(text.split()) > 4 and not any(
        OPTIONAL.match(part.strip()) for part in split_type(text)
    )
    return is_close and (text.endswith(".") or is_long)
