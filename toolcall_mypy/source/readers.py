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
    from collections.abc import Callable, Sequence

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
    if laid.style != "google":
        return None
    sections = laid.sections
    returns = _paragraph(sections.returns)
    # Over several lines docstring-parser reads on; a colon may end a type.
    if returns is None or "\n" in returns or ":" in returns:
        return None
    params, attributes = _texts(sections.param), _texts(sections.attribute)
    raises = _texts(sections.raises)
    if params is None or attributes is None or raises is None:
        return None
    return Read(params, attributes, raises, returns.strip() or None)


def _texts(entries: Sequence[Entry]) -> tuple[tuple[str, str], ...] | None:
    found: list[tuple[str, str]] = []
    for entry in entries:
        text = _paragraph(entry.lines)
        if not text:
            return None
        found.append((entry.names[0], prose(text)))
    return tuple(found)


def _paragraph(lines: Sequence[str]) -> str | None:
    """Lines that are one paragraph, without blank ones below it; None for anything else."""
    end = len(lines)
    while end and not lines[end - 1].strip():
        end -= 1
    kept = lines[:end]
    return "\n".join(kept) if all(map(str.strip, kept)) else None


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
