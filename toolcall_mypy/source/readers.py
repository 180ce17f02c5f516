"""Sections as they were laid out → the texts of their entries.

docstring-parser reads them, told the style: guessing costs it three times as much. Epydoc
goes to its reST reader, because they are the same field list with another sigil and
docstring-parser's own looks for heads inside of texts; Markdown bullets go to the Google
reader.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolcall_mypy.records import record
from toolcall_mypy.source.prose import prose

if TYPE_CHECKING:
    from collections.abc import Callable

    from docstring_parser.common import Docstring as Parsed

    from toolcall_mypy.source.layout import Laid
    from toolcall_mypy.source.marks import Style


@record
class Read:
    """(head, text) of every entry; of raised exceptions (type, text)."""

    params: tuple[tuple[str, str], ...]
    attributes: tuple[tuple[str, str], ...]
    raises: tuple[tuple[str, str], ...]
    returns: str | None


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
