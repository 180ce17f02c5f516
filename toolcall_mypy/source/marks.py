"""Where a docstring's sections and fields begin, in any style, in one pass.

A mark is a line that cannot be prose: a known title with its colon, underline or
hashes, or a field. Titles are those that docstring-parser knows, in any case and with
the spellings that people use for them; `Note:` and `Warning:` are prose with a heading,
not sections, so what they say stays in the description.
"""

from __future__ import annotations

import re
from itertools import takewhile
from typing import TYPE_CHECKING, Literal

from toolcall_mypy.records import record
from toolcall_mypy.source.entries import entry_of, indent_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TypeAlias

Style: TypeAlias = Literal["google", "numpy", "rest", "epydoc", "markdown"]
Section: TypeAlias = Literal["param", "attribute", "returns", "raises", "other"]

_SECTIONS: dict[str, Section] = {
    "args": "param",
    "arguments": "param",
    "params": "param",
    "parameters": "param",
    "keyword args": "param",
    "keyword arguments": "param",
    "keyword parameters": "param",
    "other args": "param",
    "other arguments": "param",
    "other params": "param",
    "other parameters": "param",
    "attributes": "attribute",
    "fields": "attribute",
    "return": "returns",
    "returns": "returns",
    "yield": "other",
    "yields": "other",
    "raises": "raises",
    "raise": "raises",
    "except": "raises",
    "exceptions": "raises",
    "example": "other",
    "examples": "other",
}

_NUMPY_ONLY = (
    "options|receives|warns|warnings?|see[ ]also|related|notes?|references?"
    "|methods|raises?|attributes?"
)

_FIELDS: dict[str, Section] = {
    **dict.fromkeys(("param", "parameter", "arg", "argument", "key", "keyword", "kwarg"), "param"),
    "type": "param",
    **dict.fromkeys(("var", "ivar", "cvar", "attribute", "vartype"), "attribute"),
    **dict.fromkeys(("return", "returns"), "returns"),
    **dict.fromkeys(("raise", "raises", "except", "exception"), "raises"),
    **dict.fromkeys(("rtype", "yield", "yields", "ytype"), "other"),
    **dict.fromkeys(("meta", "example", "examples", "see", "seealso", "since", "note"), "other"),
    **dict.fromkeys(("warning", "deprecated", "version", "author", "todo", "change"), "other"),
}

_TITLES = "|".join(sorted(_SECTIONS, key=len, reverse=True)).replace(" ", "[ ]")
_FIELD_NAMES = "|".join(sorted(_FIELDS, key=len, reverse=True))
_MARK = re.compile(
    rf"""^(?P<indent>[ ]*)(?:
      (?P<numpy>{_TITLES}|{_NUMPY_ONLY})[ ]*:?[ ]*\n[ ]*(?:-{{3,}}|={{3,}})[ ]*$
    | (?P<google>{_TITLES})[ ]*:[ ]*$
    | (?P<underlined>[A-Z][\w ]{{2,40}})\n[ ]*-{{3,}}[ ]*$
    | :(?P<rest>{_FIELD_NAMES})(?:[ ][^\n]*?)?:(?=[ ]|$)
    | @(?P<epydoc>{_FIELD_NAMES})\b[^\n:]*:
    | \#{{1,6}}[ ]+(?P<markdown>{_TITLES})[ ]*:?[ ]*\#*$
    | \*\*(?P<bold>{_TITLES})[ ]*(?::\*\*|\*\*:?)[ ]*$
    )""",
    re.VERBOSE | re.MULTILINE | re.IGNORECASE,
)
_BEFORE_ENTRY = tuple(
    f"{title.title()}:" for title, section in _SECTIONS.items() if section == "param"
)
# Nearly every line is prose; these tell the few that are worth a closer look.
_FIRST_LETTERS = frozenset(":@#*")
_UNDERLINES = frozenset({"---", "==="})


_STYLES: dict[str, Style] = {
    "google": "google",
    "numpy": "numpy",
    "underlined": "numpy",
    "rest": "rest",
    "epydoc": "epydoc",
    "markdown": "markdown",
    "bold": "markdown",
}


@record
class Mark:
    """A section's or a field's begin. `first` is its line, `body` the line after its title.

    `entry` is one that stands on the title's own line (`Args: name: text`), as it would
    stand below; `body` is that line then.
    """

    style: Style
    section: Section
    first: int
    body: int
    indent: int
    entry: str = ""


def find_marks(lines: Sequence[str]) -> list[Mark]:
    """All marks of all styles in order. Lines count from 0."""
    marks: list[Mark] = []
    fenced = False
    for number, line in enumerate(lines):
        text = line.lstrip()
        if text.startswith("```"):
            fenced = not fenced
        below = lines[number + 1] if number + 1 < len(lines) else ""
        if text.startswith(_BEFORE_ENTRY) and not fenced:
            mark = _with_entry(lines, number)
            if mark is not None:
                marks.append(mark)
                continue
        if fenced or not (
            text[:1] in _FIRST_LETTERS or text[-1:] == ":" or below.lstrip()[:3] in _UNDERLINES
        ):
            continue
        match = _MARK.match(f"{line}\n{below}")
        if match is None or (match["underlined"] and not _has_numpy(marks)):
            continue
        mark = _mark(match, number)
        if mark.style != "google" or _is_title(mark, match, lines):
            marks.append(mark)
    return _outermost(marks) if len(marks) > 1 else marks


def _with_entry(lines: Sequence[str], number: int) -> Mark | None:
    """A title with the first entry behind it, None for a title alone and for prose."""
    line = lines[number]
    indent = indent_of(line)
    entry = line.partition(":")[2].strip()
    if entry_of(entry, number, bulleted=None) is None:
        return None
    below = list(takewhile(lambda one: indent_of(one) > indent, lines[number + 1 :]))
    least = min(map(indent_of, below), default=0)
    others = [one for one in below if indent_of(one) == least]
    are_entries = any(entry_of(one, number, bulleted=None) for one in others)
    depth = least if are_entries else indent + 1
    return Mark("google", "param", number, number, indent, " " * depth + entry)


def chosen_style(marks: Sequence[Mark]) -> Style:
    """The style of the first mark that documents a parameter, else of the first mark."""
    documenting = (mark.style for mark in marks if mark.section in {"param", "attribute"})
    return next(documenting, marks[0].style)


def _mark(match: re.Match[str], line: int) -> Mark:
    kind = match.lastgroup or ""
    word = match[kind].lower()
    style = _STYLES[kind]
    table = _FIELDS if style in {"rest", "epydoc"} else _SECTIONS
    body = line + (2 if style == "numpy" else 1)
    section = table.get(word, table.get(word + "s", "other"))
    if kind == "numpy" and word == "options":
        section = "param"
    return Mark(style, section, line, body, len(match["indent"]))


def _has_numpy(marks: Sequence[Mark]) -> bool:
    """Among NumPy sections any underlined line is a section; before them it is a heading."""
    return any(mark.style == "numpy" for mark in marks)


def _is_title(mark: Mark, match: re.Match[str], lines: Sequence[str]) -> bool:
    """A word with a colon is a title if it is written as one.

    In small letters it must stand alone, with something below it: a sentence may end so.
    """
    if match["google"][0].isupper():
        return True
    if mark.first and lines[mark.first - 1]:
        return False
    below = next((line for line in lines[mark.body :] if line), "")
    return len(below) - len(below.lstrip()) > mark.indent


def _outermost(marks: list[Mark]) -> list[Mark]:
    """Without titles that stand deeper than others of their style: they are in a text."""
    least: dict[Style, int] = {}
    for mark in marks:
        least[mark.style] = min(mark.indent, least.get(mark.style, mark.indent))
    return [mark for mark in marks if mark.indent == least[mark.style]]
