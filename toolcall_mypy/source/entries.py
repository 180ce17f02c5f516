"""The heads of entries: names, a type, and where the text begins, in all their spellings."""

from __future__ import annotations

import re

from toolcall_mypy.records import changing, field


@changing
class Entry:
    """One entry: what its head says, and its text by lines. `line` counts from 0."""

    names: tuple[str, ...]
    type_text: str | None
    line: int
    lines: list[str] = field(default_factory=list)


@changing
class Sections:
    """What a docstring's sections hold. `types` are fields that give a type by name;
    `trailing` is what stands behind a section at the margin."""

    param: list[Entry] = field(default_factory=list)
    attribute: list[Entry] = field(default_factory=list)
    types: dict[str, Entry] = field(default_factory=dict)
    trailing: list[str] = field(default_factory=list)


_IDENTIFIER = r"(?:\\?\*){0,2}[^\W\d]\w*"
NAMES = rf"{_IDENTIFIER}(?:\s*[,/]\s*{_IDENTIFIER})*"
BULLET = r"(?:[-+•]|\*(?!\*)|\d{1,2}[.)])\s+"
_HEAD = re.compile(
    rf"(?P<bullet>{BULLET})?(?P<quote>``?|\*\*(?=[^*]+\*\*\W)|\*(?=\w+\*\W)|'|\"|)"
    rf"(?P<names>{NAMES})(?P=quote)(?P<colon>:(?=\*\*))?"
)
_OPENING = re.compile(r"\s*[(\[<{]")
_DEFAULT = re.compile(r"\s*=\s*(?:'[^']*'|\"[^\"]*\"|[^\s:'\"]+)(?=\s*[:(])")
_AFTER = re.compile(
    r"\s*(?::(?=\s|$|[^\W\d]\w*(?![\w:`]))|\s(?:[-=]>|-{1,2}|\u2013|\u2014|\u2192)(?=\s))\s*"
)
"""`name:text` has no space behind its colon, but `py:class:` and `host:8080` are no heads."""
_AFTER_TYPE = re.compile(rf"\s*:\s*|{_AFTER.pattern}")
_TITLE = re.compile(r"(?:Examples?|Returns?|Raises|Yields?|Notes?)$")
"""Titles, where they stand among entries: they head a part of the one before."""
_ASIDE = re.compile(r"(?:Defaults?|Notes?|Warnings?|Important|Tip|Examples?)$")
"""Words that begin a remark, with text behind their colon."""
OPTIONAL = re.compile(r"^(?:optional|required|default\b.*|defaults?\s.*)$", re.IGNORECASE)


def indent_of(line: str) -> int:
    return len(line) - len(line.lstrip())


def names_of(text: str) -> tuple[str, ...]:
    """`x, *args` as names without stars and escapes."""
    if "," not in text and "/" not in text:
        return (text.lstrip("\\*"),)
    return tuple(name.strip().lstrip("\\*") for name in re.split("[,/]", text))


def type_of(text: str | None) -> str | None:
    """What a head says of the type, without `optional` and defaults."""
    if text is None:
        return None
    kept = [part for part in split_type(text) if not OPTIONAL.match(part.strip())]
    return ",".join(kept).strip() or None


def split_type(text: str) -> list[str]:
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
    # Elsewhere `<` and `>` are comparisons and arrows.
    opening, closing = ("([{<", ")]}>") if text[start] == "<" else ("([{", ")]}")
    depth = 0
    for place in range(start, len(text)):
        if text[place] in opening:
            depth += 1
        elif text[place] in closing:
            depth -= 1
            if depth == 0:
                return place
    return None


def _behind_default(text: str, end: int) -> int:
    """`x=3: text` and `x (int) = 3: text` give the default as the signature does."""
    default = _DEFAULT.match(text, end)
    return end if default is None else default.end()


def entry_of(line: str, number: int, *, bulleted: bool | None) -> Entry | None:
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
    end = _behind_default(text, end)
    opening = _OPENING.match(text, end)
    if opening is not None:
        closing = _closing(text, opening.end() - 1)
        if closing is None:
            return None
        type_text = text[opening.end() : closing]
        end = _behind_default(text, closing + 1)
    after = (_AFTER if type_text is None else _AFTER_TYPE).match(text, end)
    if after is None or (after.end() == len(text) and _TITLE.match(head["names"])):
        return None
    if not head["bullet"] and type_text is None and _ASIDE.match(head["names"]):
        return None
    return Entry(names_of(head["names"]), type_of(type_text), number, [text[after.end() :]])
