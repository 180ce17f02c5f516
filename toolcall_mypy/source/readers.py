"""Sections as they were laid out → the texts of their entries.

docstring-parser reads them, told the style: guessing costs it three times as much. Epydoc
goes to its reST reader, because they are the same field list with another sigil and
docstring-parser's own looks for heads inside of texts; Markdown bullets go to the Google
reader.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from toolcall_mypy.records import record
from toolcall_mypy.source.prose import prose

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from docstring_parser.common import Docstring as Parsed

    from toolcall_mypy.source.entries import Entry
    from toolcall_mypy.source.layout import Laid
    from toolcall_mypy.source.marks import Style


@record
class Read:
    """(head, text) of every entry."""

    params: list[tuple[str, str]]
    attributes: list[tuple[str, str]]


def parsed(laid: Laid) -> Read:
    """The texts of sections as docstring-parser reads them.

    Of entries in one line there is nothing left to be read.
    """
    sections = laid.sections
    if not any(any(entry.lines[1:]) for entry in (*sections.param, *sections.attribute)):
        return Read(_one_lined(sections.param), _one_lined(sections.attribute))
    from docstring_parser.common import DocstringParam

    # Readers dedent all lines but the first one together; the empty one keeps titles apart.
    meta = _reader(laid.style)("\n" + laid.text()).meta
    read = Read([], [])
    for one in meta:
        if isinstance(one, DocstringParam):
            kept = read.attributes if one.args[0] == "attribute" else read.params
            kept.append((one.arg_name, prose(one.description or "")))
    return read


def _one_lined(entries: Sequence[Entry]) -> list[tuple[str, str]]:
    return [(entry.names[0], entry.lines[0].strip() if entry.lines else "") for entry in entries]


@cache
def _reader(style: Style) -> Callable[[str], Parsed]:
    # Here, since a module whose entries all have one line needs none of it.
    match style:
        case "google" | "markdown":
            from docstring_parser.google import DEFAULT_SECTIONS, GoogleParser

            wanted = {"Args", "Attributes"}  # as `layout` writes them
            return GoogleParser([one for one in DEFAULT_SECTIONS if one.title in wanted]).parse
        case "numpy":
            from docstring_parser.numpydoc import NumpydocParser

            return NumpydocParser().parse
        case "rest" | "epydoc":
            from docstring_parser import rest

            return rest.parse
