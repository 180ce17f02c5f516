"""Text for people as text for a model: paragraphs joined, what has structure kept.

Lines of a paragraph are joined by a space; paragraphs stay apart by one blank line. Entries
(`name: text`) that are indented below a line with a colon at its end keep their lines.
List items begin on a line of their own, with their continuation joined to them. Code
(`>>>`, fences, what is indented after a blank line), tables and literal blocks keep
their lines.
"""

from __future__ import annotations

import re

_BULLET = re.compile(r"(?:[-*+•]|\d{1,3}[.)]|[a-zA-Z][.)])\s+\S")
_UNDERLINE = re.compile(r"([=\-~^\"'#*+`])\1{2,}$")
_HEADING = re.compile(r"#{1,6}\s+\S")
_ENTRY = re.compile(r"`{0,2}\*{0,2}\w+`{0,2}(?: ?\([^()]*\))?: +\S")
_CODE_INDENT = 2


def clean(text: str) -> tuple[list[str], int]:
    """Lines without their common indentation, and how many lines were dropped in front.

    As PEP 257 says, with tabs as far as the next multiple of eight.
    """
    first, *rest = [line.rstrip() for line in text.expandtabs().split("\n")]
    margin = min([len(line) - len(line.lstrip()) for line in rest if line], default=0)
    cleaned = [first.lstrip(), *(line[margin:] for line in rest)]
    while cleaned and not cleaned[-1]:
        cleaned.pop()
    dropped = 0
    while dropped < len(cleaned) and not cleaned[dropped]:
        dropped += 1
    return cleaned[dropped:], dropped


def prose(text: str) -> str:
    """Text as it is written → text as it is read."""
    if "\n" not in text:
        return text.strip()
    return join(clean(text)[0])


def join(lines: list[str]) -> str:
    """The same for lines without common indentation."""
    written: list[str] = []
    # How the next line is taken: it may go on in the last line, or stands for itself.
    goes_on = False
    indent = 0
    fence = ""
    for line in lines:
        text = line.lstrip()
        depth = len(line) - len(text)
        text = text.rstrip()
        if fence:
            written.append(line)
            fence = "" if text.startswith(fence) else fence
            goes_on = False
        elif text.startswith(("```", "~~~")):
            fence = text[:3]
            written.append(line)
            goes_on = False
        elif not text:
            if written and written[-1]:
                written.append("")
            goes_on = False
        elif _BULLET.match(text):
            written.append(line)
            goes_on, indent = True, depth + 1
        elif _stands_alone(text) or (goes_on and not indent and _is_entry(line, written[-1])):
            written.append(line)
            goes_on = False
        elif goes_on and depth >= indent:
            written[-1] += " " + text
        elif _is_code(depth, written):
            written.append(line)
            goes_on = False
        else:
            written.append(line)
            goes_on, indent = True, 0
    return "\n".join(written).strip("\n").strip(" ")


def _stands_alone(text: str) -> bool:
    return text.startswith((">>>", "|", "..")) or _UNDERLINE.match(text) is not None


def _is_entry(line: str, before: str) -> bool:
    """Whether a line is the first entry below one that introduces it with a colon."""
    if not before.endswith(":") or not _ENTRY.match(line.lstrip()):
        return False
    return _depth(line) >= _depth(before) + _CODE_INDENT


def _depth(line: str) -> int:
    return len(line) - len(line.lstrip())


def _is_code(depth: int, written: list[str]) -> bool:
    """An indented line at the begin of a block, or after another such line."""
    if depth < _CODE_INDENT or not written:
        return False
    before = written[-1]
    return not before or before.startswith(" " * _CODE_INDENT)


def without_title(lines: list[str]) -> list[str]:
    """Drop a leading Markdown or underlined heading, unless nothing follows it."""
    rest = lines
    if lines and _HEADING.match(lines[0]):
        rest = lines[1:]
    elif len(lines) > 1 and _UNDERLINE.match(lines[1]) and lines[0] and len(lines[1]) >= 3:
        rest = lines[2:]
    while rest and not rest[0]:
        rest = rest[1:]
    if rest:
        return rest if rest is lines else without_title(rest)
    return [line.lstrip("# ") for line in lines[:1]]
