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

_NUMPY_ONLY = frozenset(
    (
        "attribute",
        "methods",
        "note",
        "notes",
        "options",
        "receives",
        "reference",
        "references",
        "related",
        "see also",
        "warning",
        "warnings",
        "warns",
    )
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

_UNDERLINED = re.compile(r"[A-Za-z][\w ]{2,40}")
_REST = re.compile(r":([A-Za-z]+)(?: .*?)?:(?= |$)")
_EPYDOC = re.compile(r"@([A-Za-z]+)\b[^:]*:")
_HASHES = re.compile(r"#{1,6} +([A-Za-z ]+?) *:? *#*")
_BOLD = re.compile(r"\*\*([A-Za-z ]+?) *(?::\*\*|\*\*:?)")
_BEFORE_ENTRY = tuple(
    f"{title.title()}:" for title, section in _SECTIONS.items() if section == "param"
)
# Nearly every line is prose; these tell the few that are worth a closer look.
_FIRST_LETTERS = frozenset(":@#*")
_UNDERLINES = frozenset({"---", "==="})


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
    texts = [line.lstrip() for line in lines]
    for number, (text, below) in enumerate(zip(texts, [*texts[1:], ""], strict=False)):
        if not text:
            continue
        if text[0] == "`" and text.startswith("```"):
            fenced = not fenced
        if text.startswith(_BEFORE_ENTRY) and not fenced:
            mark = _with_entry(lines, number)
            if mark is not None:
                marks.append(mark)
                continue
        is_field = text[0] in _FIRST_LETTERS
        if fenced or not (is_field or text[-1] == ":" or below[:3] in _UNDERLINES):
            continue
        found = _field(text) if is_field else _title(text, below.rstrip(), marks)
        if found is None:
            continue
        style, word = found
        mark = _mark(style, word.lower(), number, len(lines[number]) - len(text))
        if style != "google" or word[0].isupper() or _is_title(mark, lines, marks):
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


def _title(
    text: str, underline: str, marks: Sequence[Mark]
) -> tuple[Literal["numpy", "google"], str] | None:
    """The title of a section by its underline or its colon."""
    text = text.rstrip()
    word = text.removesuffix(":").rstrip()
    known = word.lower()
    has_dashes = len(underline) > 2 and not underline.strip("-")
    if (has_dashes or (len(underline) > 2 and not underline.strip("="))) and (
        known in _SECTIONS or known in _NUMPY_ONLY
    ):
        return "numpy", word
    if text.endswith(":"):
        return ("google", word) if known in _SECTIONS else None
    # Among NumPy sections any underlined line is a section; before them it is a heading.
    if has_dashes and _UNDERLINED.fullmatch(word) and any(one.style == "numpy" for one in marks):
        return "numpy", word
    return None


def _field(text: str) -> tuple[Literal["rest", "epydoc", "markdown"], str] | None:
    """A field by its colons or its `@`, or a title by its hashes or asterisks."""
    text = text.rstrip()
    if (match := _REST.match(text)) and match[1].lower() in _FIELDS:
        return "rest", match[1]
    if (match := _EPYDOC.match(text)) and match[1].lower() in _FIELDS:
        return "epydoc", match[1]
    match = _HASHES.fullmatch(text) or _BOLD.fullmatch(text)
    return ("markdown", match[1]) if match and match[1].lower() in _SECTIONS else None


def _mark(style: Style, word: str, line: int, indent: int) -> Mark:
    table = _FIELDS if style in {"rest", "epydoc"} else _SECTIONS
    body = line + (2 if style == "numpy" else 1)
    section = table.get(word, table.get(word + "s", "other"))
    if style == "numpy" and word == "options":
        section = "param"
    return Mark(style, section, line, body, indent)


def _is_title(mark: Mark, lines: Sequence[str], before: Sequence[Mark]) -> bool:
    """Whether a title in small letters is one: a sentence may end so.

    Below a text it is one for the entries that follow it, or after another title.
    """
    below = next((line for line in lines[mark.body :] if line), "")
    is_deeper = indent_of(below) > mark.indent
    if mark.section == "param" and entry_of(below, mark.body, bulleted=None) is not None:
        return is_deeper or below is lines[mark.body]
    if not is_deeper:
        return False
    return not mark.first or not lines[mark.first - 1] or any(m.style == "google" for m in before)


def _outermost(marks: list[Mark]) -> list[Mark]:
    """Without titles that stand deeper than others of their style: they are in a text."""
    least: dict[Style, int] = {}
    for mark in marks:
        least[mark.style] = min(mark.indent, least.get(mark.style, mark.indent))
    return [mark for mark in marks if mark.indent == least[mark.style]]
