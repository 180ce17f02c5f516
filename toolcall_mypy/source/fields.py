"""Fields: `:param int b: …` of reST and `@param b: …` of epydoc."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from toolcall_mypy.source.entries import Entry, Sections, indent_of, type_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from toolcall_mypy.source.marks import Mark, Style

_FIELD = {
    "rest": re.compile(r":(?P<word>[A-Za-z][\w-]*)(?:\s+(?P<said>\S.*?))?\s*:(?=\s|$)\s*"),
    "epydoc": re.compile(r"@(?P<word>[A-Za-z]\w*)(?:\s+(?P<said>[^:]*?))?\s*:\s*"),
}
_ROLE = re.compile(r":[\w:+-]+:`")


def fields(style: Style) -> Callable[[Sequence[str], Mark, int, Sections], None]:
    pattern = _FIELD[style]

    def gather(lines: Sequence[str], mark: Mark, end: int, sections: Sections) -> None:
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
        if not line or indent_of(line) > mark.indent:
            continue
        if not lines[number - 1]:
            return number
        if pattern.match(line.strip()) and not _ROLE.match(line.strip()):
            return number
    return end


def _field(word: str, said: str, body: list[str], mark: Mark, sections: Sections) -> None:
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


def join_types(sections: Sections) -> None:
    """Give entries the types of `:type name:` fields; one that stands alone is an entry."""
    for name, typed in sections.types.items():
        entries = [one for one in (*sections.param, *sections.attribute) if name in one.names]
        for entry in entries:
            entry.type_text = entry.type_text or typed.type_text
        if not entries:
            sections.param.append(typed)
