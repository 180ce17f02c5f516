"""Which regular expressions mean the same to every reader of a schema.

Patterns are written for Python's `re`. A schema's reader takes them for ECMA-262 or
for a grammar engine, and one it cannot compile spoils the whole schema. `portable`
recognises what only Python understands (inline flags, named groups in Python's
spelling, `\\A`, `\\Z`, atomic groups, conditions) and, where a dialect wants neither,
lookaround and references to groups. When in doubt it says no: the pattern then stands
in the description and is enforced at the call.
"""

from __future__ import annotations

# Without any of these a pattern is only literals, anchors, dots and single repeats.
_SUSPICIOUS = frozenset("\\(+[")

_LOOKAROUND = ("?=", "?!", "?<=", "?<!")
_PYTHON_ESCAPES = "AZzaNU"


def portable(pattern: str, *, lookaround: bool) -> bool:
    """Whether the pattern may be emitted; `lookaround` says that the dialect takes it."""
    if not _SUSPICIOUS.intersection(pattern):
        return True
    position, end = 0, len(pattern)
    in_class = False
    while position < end:
        char = pattern[position]
        if char == "\\":
            following = pattern[position + 1 : position + 2]
            if not _escape_is_portable(following, lookaround=lookaround, in_class=in_class):
                return False
            position += 2
            continue
        if in_class:
            in_class = char != "]"
        elif char == "[":
            in_class = True
            # Python takes `]` here for a member, ECMA-262 for the end of an empty class.
            if pattern.startswith(("[]", "[^]"), position):
                return False
        elif char == "(" and pattern.startswith("(?", position):
            rest = pattern[position + 1 : position + 4]
            if not rest.startswith("?:") and not (lookaround and rest.startswith(_LOOKAROUND)):
                return False
        elif char in "*+?}" and pattern[position + 1 : position + 2] == "+":
            return False
        position += 1
    return True


def _escape_is_portable(char: str, *, lookaround: bool, in_class: bool) -> bool:
    if char.isdigit():
        return lookaround and char != "0" and not in_class
    return char != "" and char not in _PYTHON_ESCAPES
