"""A docstring's sections, laid out so that docstring-parser cannot misread them.

Every entry becomes a head that is nothing but one name, with its text indented below;
every section comes once. What the head said beside the name (further names, a type) is
kept apart.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolcall_mypy.records import record
from toolcall_mypy.source.entries import Entry, Sections, indent_of
from toolcall_mypy.source.fields import fields, join_types
from toolcall_mypy.source.sections import google, markdown, numpy

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from toolcall_mypy.source.marks import Mark, Style


@record
class Laid:
    """What the sections hold, the entries by the name that stands for them in the text that
    is to be read, and what stood after the last section."""

    style: Style
    sections: Sections
    params: Mapping[str, Entry]
    attributes: Mapping[str, Entry]
    trailing: list[str]

    def text(self) -> str:
        """The text that the reader of this style is given."""
        return _WRITE[self.style](self.sections)


def lay_out(lines: Sequence[str], marks: Sequence[Mark], style: Style) -> Laid:
    """The sections of one style in the form that its reader takes."""
    sections = Sections()
    gather = _GATHER[style]
    for number, mark in enumerate(marks):
        end = marks[number + 1].first if number + 1 < len(marks) else len(lines)
        if mark.style == style:
            gather(lines, mark, end, sections)
    join_types(sections)
    params = {entry.names[0]: entry for entry in reversed(sections.param)}
    attributes = {entry.names[0]: entry for entry in reversed(sections.attribute)}
    return Laid(style, sections, params, attributes, sections.trailing)


def _deeper(lines: Sequence[str], indent: str) -> list[str]:
    """Text below a head: its first line, then the others by their own common indentation."""
    rest = [line for line in lines[1:] if line]
    margin = min((indent_of(line) for line in rest), default=0)
    return [
        indent + line
        for line in [*(line.strip() for line in lines[:1]), *(line[margin:] for line in lines[1:])]
    ]


def _write_google(sections: Sections) -> str:
    parts: list[str] = []
    for title, entries in (
        ("Args", sections.param),
        ("Attributes", sections.attribute),
    ):
        if entries:
            parts.append(f"{title}:")
        for entry in entries:
            parts.append(f"    {entry.names[0]}:")
            parts += _deeper(entry.lines, "        ")
    return "\n".join(parts)


def _write_numpy(sections: Sections) -> str:
    parts: list[str] = []
    for title, entries in (
        ("Parameters", sections.param),
        ("Attributes", sections.attribute),
    ):
        if entries:
            parts += [title, "-" * len(title)]
        for entry in entries:
            parts.append(entry.names[0])
            parts += ["    " + line if line else "" for line in entry.lines]
    return "\n".join(parts)


def _write_rest(sections: Sections) -> str:
    parts: list[str] = []
    for word, entries in (
        ("param", sections.param),
        ("attribute", sections.attribute),
    ):
        for entry in entries:
            parts.append(f":{word} {entry.names[0]}:")
            parts += _deeper(entry.lines, "    ")
    return "\n".join(parts)


_GATHER: Mapping[Style, Callable[[Sequence[str], Mark, int, Sections], None]] = {
    "google": google,
    "markdown": markdown,
    "numpy": numpy,
    "rest": fields("rest"),
    "epydoc": fields("epydoc"),
}
_WRITE: Mapping[Style, Callable[[Sections], str]] = {
    "google": _write_google,
    "markdown": _write_google,
    "numpy": _write_numpy,
    "rest": _write_rest,
    "epydoc": _write_rest,
}
