"""Values that documentation enumerates in a conventional form.

Only forms that mean nothing else: NumPy's `{'a', 'b'}`, `(choices: …)`, and `one of`
or `either` before quoted values. A sentence that merely quotes a word is no enumeration,
and a list is none that further quoted words or an "etc." follow, nor one of which several
may be given in one text.
"""

from __future__ import annotations

import ast
import re

_VALUE = r"(?:\"[^\"\n]*\"|'[^'\n]*'|``?[^`\n]+``?|-?\d+)"
_LIST = rf"{_VALUE}(?:\s*(?:,\s*(?:or|and)?|\||/|or|and)\s*{_VALUE})+"
_BRACES = re.compile(r"\{([^{}\n]*)\}")
_LISTED = re.compile(
    r"\b(?:one of|either|choices|options|allowed values|possible values|valid values)"
    rf"(?:\s+(?:are|is))?\s*:?\s*[\[({{]?\s*(?P<list>{_LIST})",
    re.IGNORECASE,
)
_BARE = re.compile(r"\((?:choices|options):?\s*(?P<list>\w+(?:\s*[,|]\s*\w+)+)\s*\)", re.IGNORECASE)
_QUOTED = re.compile(r"(?<!\w)([\"'])([\w.-]+)\1(?!\w)")
_DENIAL = re.compile(r"\b(?:not|never|neither|no|except|unless)\b[^.;]*$", re.IGNORECASE)
_OPEN = re.compile(
    r"\s*,?\s*(?:etc\b|\.\.\.|…"
    r"|(?:or|and)\s+(?:so on|more|others?|an(?:y|other)|similar|custom)\b)",
    re.IGNORECASE,
)
"""What follows a list that is not all of it."""
_SEVERAL = re.compile(
    r"\b(?:comma|space|semicolon|pipe)[- ](?:separated|delimited)\b|\bcombinations?\b",
    re.IGNORECASE,
)
_ONE = re.compile(_VALUE)


def choices(type_text: str | None, text: str) -> tuple[str | int, ...] | None:
    """The values that an entry says are all there are; None where it does not say so."""
    if _SEVERAL.search(text):
        return None
    if type_text is not None:
        for shown in (_BRACES.search(type_text), _LISTED.search(type_text)):
            found = _values(shown.group(1)) if shown is not None else None
            if found is not None:
                return found
    listed = _LISTED.search(text)
    if listed is not None:
        found = _values(listed.group("list"))
        before, after = text[: listed.start()], text[listed.end() :]
        is_open = _DENIAL.search(before) or _OPEN.match(after)
        return None if found is None or is_open or _says_more(text, found) else found
    bare = _BARE.search(text)
    return _distinct(re.split(r"\s*[,|]\s*", bare.group("list"))) if bare is not None else None


def _says_more(text: str, values: tuple[str | int, ...]) -> bool:
    """Whether the text quotes other words too: `Options: "a", "b". "env" reads a variable.`"""
    return any(word not in values for _, word in _QUOTED.findall(text))


def _values(text: str) -> tuple[str | int, ...] | None:
    """Quoted words and whole numbers, all of one kind, at least two."""
    rest = re.sub(r"\b(?:or|and)\b|[\s,|/]", "", _ONE.sub("", text))
    if rest:
        return None
    return _distinct([_value(match) for match in _ONE.findall(text)])


def _value(text: str) -> str | int:
    if text[0] == "`":
        inner = text.strip("`")
        return _value(inner) if _ONE.fullmatch(inner) else inner
    value: str | int = ast.literal_eval(text) if text[0] not in "\"'" else text[1:-1]
    return value


def _distinct(values: list[str | int] | list[str]) -> tuple[str | int, ...] | None:
    distinct = tuple(dict.fromkeys(values))
    one_kind = len({type(value) for value in distinct}) == 1
    return distinct if one_kind and len(distinct) > 1 else None
