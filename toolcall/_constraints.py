"""Bounds, multiples, lengths and patterns: what a value must satisfy beyond its type.

Patterns follow JSON Schema: searched for, not matched in full, and `$` is the very end,
where Python's `$` also matches before a last newline. They are compiled once. Python's
matcher can take exponential time on patterns with nested repetition; the author chooses
the pattern and the model only the text, so the text is limited: `PATTERN_TEXT` characters,
or the type's own `max_length` where that is more.

Multiples are exact: 0.3 is a multiple of 0.1 as it is written, whatever the binary
fractions are.
"""

from __future__ import annotations

from toolcall.errors import SidecarError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from decimal import Decimal
    from typing import Any

PATTERN_TEXT = 10_000
"""The longest text, in characters, that a pattern is searched in."""

RANGE_KEYS = ("ge", "gt", "le", "lt")

_searches: dict[str, Callable[[str], object]] = {}


def in_range(node: Mapping[str, Any], number: Any) -> bool:
    """Whether a number (int, float or Decimal) is within the node's bounds."""
    return not (
        ("ge" in node and number < node["ge"])
        or ("gt" in node and number <= node["gt"])
        or ("le" in node and number > node["le"])
        or ("lt" in node and number >= node["lt"])
    )


def is_multiple(number: Any, factor: float) -> bool:
    """Whether a number is an exact multiple of another, both as they are written."""
    if type(number) is int and type(factor) is int:
        return bool(number % factor == 0)
    from decimal import MAX_EMAX, MIN_EMIN, Context

    written, step = _decimal(number), _decimal(factor)
    if not written:
        return True
    # Exact: digits for the whole quotient. As fractions, a million digits would take minutes.
    digits = max(1, written.adjusted() - step.adjusted() + 2) + len(step.as_tuple().digits)
    context = Context(
        prec=max(digits, len(written.as_tuple().digits)), Emax=MAX_EMAX, Emin=MIN_EMIN
    )
    return not context.remainder(written, step)


def _decimal(number: Any) -> Decimal:
    from decimal import Decimal

    return Decimal(float.__repr__(number)) if isinstance(number, float) else Decimal(number)


def pattern_limit(node: Mapping[str, Any]) -> int:
    """The longest text that the node's pattern is searched in."""
    return max(PATTERN_TEXT, int(node.get("max_length", 0)))


def search_of(pattern: str) -> Callable[[str], object]:
    """The compiled search of a pattern."""
    found = _searches.get(pattern)
    if found is None:
        import re
        import warnings

        try:
            with warnings.catch_warnings():
                # What a later Python may take a pattern for is no matter of a call.
                warnings.simplefilter("ignore")
                found = re.compile(_dollar_is_the_end(pattern)).search
        except (re.error, OverflowError, RecursionError) as error:
            raise SidecarError(f"the pattern {pattern!r} does not compile: {error}") from None
        _searches[pattern] = found
    return found


def _dollar_is_the_end(pattern: str) -> str:
    """The pattern with `\\Z` for every `$` that is neither escaped nor in a set."""
    pieces, in_set, place = [], False, 0
    while place < len(pattern):
        piece = pattern[place : place + 2] if pattern[place] == "\\" else pattern[place]
        if piece == "[" and not in_set:
            in_set = True
            # A bracket that comes first in a set is itself a member of it.
            first = pattern[place + 1 : place + 3]
            piece += "^]" if first == "^]" else "]" if first[:1] == "]" else ""
        elif piece == "]":
            in_set = False
        place += len(piece)
        pieces.append(r"\Z" if piece == "$" and not in_set else piece)
    return "".join(pieces)
