"""Sections as they were laid out → the texts of their entries.

`parsed` hands them to docstring-parser. Epydoc goes to its reST reader, because they are
the same field list with another sigil and docstring-parser's own looks for heads inside
of texts; Markdown bullets go to the Google reader.

`plain` is for the docstring that nearly everybody writes: sections after Google whose
entries are single paragraphs. There docstring-parser gives back what was laid out, and
costs more than everything else that is done to a docstring. It answers None where there
is anything to be read.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolcall_mypy.records import record
from toolcall_mypy.source.prose import prose

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from docstring_parser.common import Docstring as Parsed

    from toolcall_mypy.source.entries import Entry
    from toolcall_mypy.source.layout import Laid
    from toolcall_mypy.source.marks import Style


@record
class Read:
    """(head, text) of every entry; of raised exceptions (type, text)."""

    params: tuple[tuple[str, str], ...]
    attributes: tuple[tuple[str, str], ...]
    raises: tuple[tuple[str, str], ...]
    returns: str | None


def plain(laid: Laid) -> Read | None:
    """The texts of plain Google sections; None where docstring-parser is to read them."""
    sections = laid.sections
    if laid.style != "google" or len(sections.returns) > 1:
        return None
    if any(":" in line or _is_blank(line) for line in sections.returns):  # a type, perhaps
        return None
    if any(map(_is_odd_entry, (*sections.param, *sections.attribute, *sections.raises))):
        return None
    return Read(
        _texts(sections.param),
        _texts(sections.attribute),
        _texts(sections.raises),
        sections.returns[0].strip() if sections.returns else None,
    )


def _is_odd_entry(entry: Entry) -> bool:
    return not entry.lines or any(map(_is_blank, entry.lines))


def _is_blank(line: str) -> bool:
    return not line or line.isspace()


def _texts(entries: Iterable[Entry]) -> tuple[tuple[str, str], ...]:
    return tuple((one.names[0], prose("\n".join(one.lines))) for one in entries)


def parsed(laid: Laid) -> Read:
    """The texts of sections as docstring-parser reads them."""
    from docstring_parser.common import DocstringParam, DocstringRaises, DocstringReturns

    # Readers dedent all lines but the first one together; the empty one keeps titles apart.
    meta = _reader(laid.style)("\n" + laid.text()).meta
    given = [one for one in meta if isinstance(one, DocstringParam)]
    returned = (one.description for one in meta if isinstance(one, DocstringReturns))
    said = next(filter(None, returned), None)
    return Read(
        tuple((one.arg_name, _prose(one.description)) for one in given if one.args[0] == "param"),
        tuple(
            (one.arg_name, _prose(one.description)) for one in given if one.args[0] == "attribute"
        ),
        tuple(
            (one.type_name, _prose(one.description))
            for one in meta
            if isinstance(one, DocstringRaises) and one.type_name
        ),
        None if said is None else prose(said),
    )


def _prose(text: str | None) -> str:
    return prose(text or "")


def _reader(style: Style) -> Callable[[str], Parsed]:
    from docstring_parser import google, numpydoc, rest

    match style:
        case "google" | "markdown":
            return google.GoogleParser().parse
        case "numpy":
            return numpydoc.NumpydocParser().parse
        case "rest" | "epydoc":
            return rest.parse
