"""A docstring's sections, laid out so that docstring-parser cannot misread them.

Every entry becomes a head that is nothing but one name, with its text indented below;
every section comes once. What the head said beside the name (further names, a type) is
kept apart. What begins an entry is a matter of indentation first and of its shape second:
a colon alone makes none.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from toolcall_mypy.source.marks import Mark, Style


@dataclass(slots=True)
class Entry:
    """One entry: what its head says, and its text by lines. `line` counts from 0."""

    names: tuple[str, ...]
    type_text: str | None
    line: int
    lines: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Laid:
    """The text to be read, the entries by the name that stands for them in it, and what
    stood after the last section."""

    text: str
    params: Mapping[str, Entry]
    attributes: Mapping[str, Entry]
    trailing: list[str]


@dataclass(slots=True)
class _Sections:
    param: list[Entry] = field(default_factory=list)
    attribute: list[Entry] = field(default_factory=list)
    raises: list[Entry] = field(default_factory=list)
    returns: list[str] = field(default_factory=list)
    types: dict[str, Entry] = field(default_factory=dict)
    trailing: list[str] = field(default_factory=list)


def lay_out(lines: Sequence[str], marks: Sequence[Mark], style: Style) -> Laid:
    """The sections of one style in the form that its reader takes."""
    sections = _Sections()
    gather = _GATHER[style]
    for number, mark in enumerate(marks):
        end = marks[number + 1].first if number + 1 < len(marks) else len(lines)
        if mark.style == style:
            gather(lines, mark, end, sections)
    _join_types(sections)
    params = {entry.names[0]: entry for entry in reversed(sections.param)}
    attributes = {entry.names[0]: entry for entry in reversed(sections.attribute)}
    return Laid(_WRITE[style](sections), params, attributes, sections.trailing)


_IDENTIFIER = r"(?:\\?\*){0,2}[^\W\d]\w*"
_NAMES = rf"{_IDENTIFIER}(?:\s*[,/]\s*{_IDENTIFIER})*"
_HEAD = re.compile(
    rf"(?P<bullet>(?:[-+•]|\*(?!\*))\s+)?(?P<quote>``?|\*\*(?=[^*]+\*\*\W)|'|\"|)"
    rf"(?P<names>{_NAMES})(?P=quote)(?P<colon>:(?=\*\*))?"
)
_AFTER = re.compile(r"\s*(?::(?=\s|$)|\s(?:-{1,2}|\u2013|\u2014)(?=\s))\s*")
_BULLET = re.compile(r"(?:[-+•]|\*(?!\*))\s+")
_RAISED = re.compile(r"(?:[-*+•]\s+)?(?:`+|:\w+:`)?(?P<name>[\w.]+)`*\s*:(?=\s|$)\s*")
_NUMPY_HEAD = re.compile(
    rf"`{{0,2}}(?P<names>{_NAMES}|\.\.\.)`{{0,2}}(?P<colon>\s*:(?P<type>.*))?$"
)
_TITLE = re.compile(r"(?:Examples?|Returns?|Raises|Yields?|Notes?)$")
"""Titles, where they stand among entries: they head a part of the one before."""
_OPTIONAL = re.compile(r"^(?:optional|required|default\b.*|defaults?\s.*)$", re.IGNORECASE)


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def names_of(text: str) -> tuple[str, ...]:
    """`x, *args` as names without stars and escapes."""
    return tuple(name.strip().lstrip("\\*") for name in re.split("[,/]", text))


def type_of(text: str | None) -> str | None:
    """What a head says of the type, without `optional` and defaults."""
    if text is None:
        return None
    kept = [part for part in _split(text) if not _OPTIONAL.match(part.strip())]
    return ",".join(kept).strip() or None


def _split(text: str) -> list[str]:
    """At the commas that are in no bracket and no quote."""
    parts = [""]
    depth = 0
    quote = ""
    for character in text:
        if quote:
            quote = "" if character == quote else quote
        elif character in "'\"":
            quote = character
        elif character in "([{":
            depth += 1
        elif character in ")]}":
            depth -= 1
        elif character == "," and depth == 0:
            parts.append("")
            continue
        parts[-1] += character
    return parts


def _closing(text: str, start: int) -> int | None:
    """Where the bracket that opens at `start` closes."""
    depth = 0
    for place in range(start, len(text)):
        if text[place] in "([{":
            depth += 1
        elif text[place] in ")]}":
            depth -= 1
            if depth == 0:
                return place
    return None


def _entry(line: str, number: int, *, bulleted: bool | None) -> Entry | None:
    """`name (type): text` in its spellings; None if the line is none of them.

    `bulleted` says whether the section's entries have bullets, None while unknown.
    """
    text = line.strip()
    head = _HEAD.match(text)
    if head is None or (bulleted is not None and bool(head["bullet"]) != bulleted):
        return None
    end = head.end()
    if head["colon"]:
        return Entry(names_of(head["names"]), None, number, [text[end + 2 :].strip()])
    type_text: str | None = None
    opening = re.compile(r"\s*\(").match(text, end)
    if opening is not None:
        closing = _closing(text, opening.end() - 1)
        if closing is None:
            return None
        type_text = text[opening.end() : closing]
        end = closing + 1
    after = _AFTER.match(text, end)
    if after is None or (after.end() == len(text) and _TITLE.match(head["names"])):
        return None
    return Entry(names_of(head["names"]), type_of(type_text), number, [text[after.end() :]])


# Google and Markdown


def _google(lines: Sequence[str], mark: Mark, end: int, sections: _Sections) -> None:
    body, rest = _below(lines, mark, end)
    sections.trailing += rest
    match mark.section:
        case "param":
            sections.param += _google_entries(lines, body, blank_ends=False)
        case "attribute":
            sections.attribute += _google_entries(lines, body, blank_ends=False)
        case "raises":
            sections.raises += _raised_entries(lines, body)
        case "returns" if not sections.returns:
            sections.returns += [lines[number] for number in body]


def _markdown(lines: Sequence[str], mark: Mark, end: int, sections: _Sections) -> None:
    heading = (n for n in range(mark.body, end) if re.match(r" {0,3}#{1,6}\s", lines[n]))
    body = range(mark.body, next(heading, end))
    match mark.section:
        case "param":
            sections.param += _google_entries(lines, body, blank_ends=True)
        case "attribute":
            sections.attribute += _google_entries(lines, body, blank_ends=True)
        case "returns" if not sections.returns:
            sections.returns += [lines[number] for number in body]


def _below(lines: Sequence[str], mark: Mark, end: int) -> tuple[range, list[str]]:
    """The lines that belong to a Google title, and those behind them.

    They are indented below it; entries that are not (or bullets) belong to it up to a
    blank line, if they follow at once.
    """
    start = next((n for n in range(mark.body, end) if lines[n]), end)
    flush = start < end and _indent(lines[start]) <= mark.indent
    if flush and not _begins_entries(lines[start], start, follows=start == mark.body):
        return range(start, start), list(lines[start:end])
    for number in range(start, end):
        line = lines[number]
        outside = line and _indent(line) <= mark.indent
        if not flush and outside:
            return range(start, number), list(lines[number:end])
        if flush and outside and not lines[number - 1] and not _is_head(line, number):
            return range(start, number), list(lines[number:end])
    return range(start, end), []


def _begins_entries(line: str, number: int, *, follows: bool) -> bool:
    return bool(_BULLET.match(line.strip())) or (follows and _is_head(line, number))


def _is_head(line: str, number: int) -> bool:
    return _entry(line, number, bulleted=None) is not None


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
    for number in body:
        line = lines[number]
        if not line:
            ended = blank_ends
            if entries and not ended:
                entries[-1].lines.append("")
            continue
        if not entries or _indent(line) <= level:
            entry = _entry(line, number, bulleted=bulleted)
            if entry is not None:
                if not entries:
                    level, bulleted = _indent(line), bool(_BULLET.match(line.strip()))
                entries.append(entry)
                ended = False
                continue
        if entries and not ended:
            # What stands no deeper than its head is still its text.
            shift = max(level + 1 - _indent(line), 0)
            entries[-1].lines.append(" " * shift + line)
    return entries


def _raised_entries(lines: Sequence[str], body: range) -> list[Entry]:
    entries: list[Entry] = []
    for number in body:
        line = lines[number]
        head = _RAISED.match(line.strip())
        if head is not None and _indent(line) <= _indent(lines[body.start]):
            text = line.strip()[head.end() :]
            entries.append(Entry((head["name"],), None, number, [text]))
        elif entries:
            entries[-1].lines.append(line)
    return entries


# NumPy


def _numpy(lines: Sequence[str], mark: Mark, end: int, sections: _Sections) -> None:
    body = range(mark.body, end)
    match mark.section:
        case "param":
            sections.param += _numpy_entries(lines, body, mark.indent)
        case "attribute":
            sections.attribute += _numpy_entries(lines, body, mark.indent)
        case "raises":
            sections.raises += _numpy_entries(lines, body, mark.indent)
        case "returns" if not sections.returns:
            sections.returns += [lines[number][mark.indent :] for number in body]


def _numpy_entries(lines: Sequence[str], body: range, level: int) -> list[Entry]:
    entries: list[Entry] = []
    first = next((lines[number] for number in body if lines[number]), "")
    level = max(level, _indent(first))
    ended = False
    for number in body:
        line = lines[number]
        if line and _indent(line) <= level:
            has_text = _text_below(lines, number, body)
            entry = _numpy_entry(line.strip(), number, has_text)
            if entry is not None and not (ended and not has_text):
                level = _indent(line)
                entries.append(entry)
                ended = False
                continue
            # A paragraph at the margin is no entry's text.
            ended = ended or not lines[number - 1]
        if entries and not ended:
            shift = max(level + 1 - _indent(line), 0) if line else 0
            entries[-1].lines.append(" " * shift + line)
    return entries


def _text_below(lines: Sequence[str], number: int, body: range) -> bool:
    below = lines[number + 1] if number + 1 < body.stop else ""
    return _indent(below) > _indent(lines[number])


def _numpy_entry(text: str, number: int, has_text: bool) -> Entry | None:
    """`x, y : int`; without a text below, `x: words` is an entry in one line."""
    head = _NUMPY_HEAD.match(text)
    if head is None:
        inline = _entry(text, number, bulleted=False)
        return inline if inline is not None and not has_text else None
    said = (head["type"] or "").strip()
    names = names_of(head["names"])
    if not has_text and head["colon"] and not head["colon"].startswith(" ") and _is_text(said):
        return Entry(names, None, number, [said])
    return Entry(names, type_of(said or None), number, [])


def _is_text(text: str) -> bool:
    """Whether what stands where a type belongs is a sentence."""
    return text.endswith(".") or (
        len(text.split()) > 4 and not any(_OPTIONAL.match(part.strip()) for part in _split(text))
    )


# reST and epydoc

_FIELD = {
    "rest": re.compile(r":(?P<word>[A-Za-z][\w-]*)(?:\s+(?P<said>\S.*?))?\s*:(?=\s|$)\s*"),
    "epydoc": re.compile(r"@(?P<word>[A-Za-z]\w*)(?:\s+(?P<said>[^:]*?))?\s*:\s*"),
}
_ROLE = re.compile(r":[\w:+-]+:`")


def _fields(style: Style) -> Callable[[Sequence[str], Mark, int, _Sections], None]:
    pattern = _FIELD[style]

    def gather(lines: Sequence[str], mark: Mark, end: int, sections: _Sections) -> None:
        text = lines[mark.first].strip()
        head = pattern.match(text)
        if head is None:
            return
        stop = _field_end(lines, mark, end, pattern)
        sections.trailing += [line for line in lines[stop:end] if not pattern.match(line.strip())]
        body = [text[head.end() :], *lines[mark.body : stop]]
        _field(head["word"].lower(), head["said"] or "", body, mark, sections)

    return gather


def _field_end(lines: Sequence[str], mark: Mark, end: int, pattern: re.Pattern[str]) -> int:
    """A field ends at another one, known or not, and at a paragraph at the margin."""
    for number in range(mark.body, end):
        line = lines[number]
        if not line or _indent(line) > mark.indent:
            continue
        if not lines[number - 1]:
            return number
        if pattern.match(line.strip()) and not _ROLE.match(line.strip()):
            return number
    return end


def _field(word: str, said: str, body: list[str], mark: Mark, sections: _Sections) -> None:
    tokens = said.split()
    match mark.section:
        case "param" | "attribute" if tokens:
            name = tokens[-1].partition("(")[0].strip("`").lstrip("\\*").rstrip("?")
            if word in {"type", "vartype"}:
                type_text = type_of(" ".join(" ".join(body).split()))
                sections.types.setdefault(name, Entry((name,), type_text, mark.first))
                return
            entries = sections.param if mark.section == "param" else sections.attribute
            if all(name not in one.names for one in entries):
                type_text = type_of(" ".join(tokens[:-1]) or None)
                entries.append(Entry((name,), type_text, mark.first, body))
        case "raises" if tokens:
            sections.raises.append(Entry((tokens[-1],), None, mark.first, body))
        case "returns" if not sections.returns:
            sections.returns += body


def _join_types(sections: _Sections) -> None:
    """Give entries the types of `:type name:` fields; one that stands alone is an entry."""
    for name, typed in sections.types.items():
        entries = [one for one in (*sections.param, *sections.attribute) if name in one.names]
        for entry in entries:
            entry.type_text = entry.type_text or typed.type_text
        if not entries:
            sections.param.append(typed)


# Writing


def _deeper(lines: Sequence[str], indent: str) -> list[str]:
    """Text below a head: its first line, then the others by their own common indentation."""
    rest = [line for line in lines[1:] if line]
    margin = min((_indent(line) for line in rest), default=0)
    return [
        indent + line
        for line in [*(line.strip() for line in lines[:1]), *(line[margin:] for line in lines[1:])]
    ]


def _write_google(sections: _Sections) -> str:
    parts: list[str] = []
    for title, entries in (
        ("Args", sections.param),
        ("Attributes", sections.attribute),
        ("Raises", sections.raises),
    ):
        if entries:
            parts.append(f"{title}:")
        for entry in entries:
            parts.append(f"    {entry.names[0]}:")
            parts += _deeper(entry.lines, "        ")
    if any(sections.returns):
        parts += ["Returns:", *("    " + line for line in sections.returns)]
    return "\n".join(parts)


def _write_numpy(sections: _Sections) -> str:
    parts: list[str] = []
    for title, entries in (
        ("Parameters", sections.param),
        ("Attributes", sections.attribute),
        ("Raises", sections.raises),
    ):
        if entries:
            parts += [title, "-" * len(title)]
        for entry in entries:
            parts.append(entry.names[0])
            parts += ["    " + line if line else "" for line in entry.lines]
    if any(sections.returns):
        parts += ["Returns", "-------", *sections.returns]
    return "\n".join(parts)


def _write_rest(sections: _Sections) -> str:
    parts: list[str] = []
    for word, entries in (
        ("param", sections.param),
        ("attribute", sections.attribute),
        ("raises", sections.raises),
    ):
        for entry in entries:
            parts.append(f":{word} {entry.names[0]}:")
            parts += _deeper(entry.lines, "    ")
    if any(sections.returns):
        parts += [":returns:", *_deeper(sections.returns, "    ")]
    return "\n".join(parts)


_GATHER: Mapping[Style, Callable[[Sequence[str], Mark, int, _Sections], None]] = {
    "google": _google,
    "markdown": _markdown,
    "numpy": _numpy,
    "rest": _fields("rest"),
    "epydoc": _fields("epydoc"),
}
_WRITE: Mapping[Style, Callable[[_Sections], str]] = {
    "google": _write_google,
    "markdown": _write_google,
    "numpy": _write_numpy,
    "rest": _write_rest,
    "epydoc": _write_rest,
}
