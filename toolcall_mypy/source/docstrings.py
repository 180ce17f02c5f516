"""A docstring → description and entries, through docstring-parser.

docstring-parser reads well what is laid out by the book, and real docstrings are not:
it drops a section that comes twice, gives up on an entry without a colon, takes `:meth:`
at a line's begin for a field, splits types at the wrong colon. So the text is laid out
anew first (`layout`), one entry a head with its text indented below, and then handed to
the reader of its style (`readers`).

The style is found by content, in one pass. **The first mark that documents a parameter
decides; where none does, the first mark of any kind.** Marks are section titles (Google,
NumPy, Markdown) and fields (reST, epydoc). The description is everything before the
first mark of any style.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from toolcall_mypy.records import record
from toolcall_mypy.source.choices import choices
from toolcall_mypy.source.layout import lay_out
from toolcall_mypy.source.marks import Style, chosen_style, find_marks
from toolcall_mypy.source.prose import clean, join, prose, without_title
from toolcall_mypy.source.readers import parsed

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from toolcall_mypy.source.entries import Entry

__all__ = ["DocParam", "Docstring", "Style", "choices", "parse", "prose"]


@record
class DocParam:
    """One entry. `name` is without stars; `line` is that of the file."""

    name: str
    text: str
    type_text: str | None
    line: int


@record
class Docstring:
    """What a docstring says.

    `description` is everything before the first section, `""` when there is nothing.
    `params` are the entries for parameters; `attributes` those of an attribute section
    (a class's fields). `style` is None where the text has no section at all.
    """

    description: str
    params: Mapping[str, DocParam]
    attributes: Mapping[str, DocParam]
    style: Style | None


def parse(text: str, style: Style | None = None, line: int = 1) -> Docstring:
    """Read a docstring whose first character stands on `line` of its file."""
    lines, dropped = clean(text)
    marks = find_marks(lines)
    if not marks:
        nothing: Mapping[str, DocParam] = MappingProxyType({})
        return Docstring(join(without_title(lines)), nothing, nothing, None)
    style = style or chosen_style(marks)
    laid = lay_out(lines, marks, style)
    read = parsed(laid)
    before = lines[: marks[0].first]
    # A docstring may begin with its sections; then what comes after them describes.
    description = join(without_title(before)) if any(before) else join(laid.trailing)
    offset = line + dropped
    return Docstring(
        description=description,
        params=_entries(read.params, laid.params, offset),
        attributes=_entries(read.attributes, laid.attributes, offset),
        style=style,
    )


def _entries(
    read: Iterable[tuple[str, str]], laid: Mapping[str, Entry], offset: int
) -> Mapping[str, DocParam]:
    """What was read of each entry, with what its head said and where it stood."""
    found: dict[str, DocParam] = {}
    for head, text in read:
        entry = laid[head]
        for name in entry.names:
            if name not in found or (text and not found[name].text):
                found[name] = DocParam(name, text, entry.type_text, offset + entry.line)
    return MappingProxyType(found)
