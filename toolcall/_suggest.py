"""The name that was probably meant: one score, used wherever a name is not known.

Jaro similarity is good at typing mistakes and blind to what models do most, which is to
lengthen or shorten a name (`file_path` for `path` scores 0). So containment is scored
first, when the shorter name is long enough to mean something.

`difflib` is not used: its ratio gives other answers, and costs an import.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

THRESHOLD = 0.7
"""A Jaro similarity must be above this to count."""

CONTAINED = 3
"""The fewest characters with which a name counts as contained in another."""

LONGEST = 200
"""Names longer than this are not compared: they are no slips of a name, and cost quadratic time."""


def suggest(unknown: str, candidates: Iterable[str]) -> str | None:
    """The candidate that `unknown` was probably meant to be; the first of equals; or None."""
    best, best_score = None, 0.0
    for candidate in candidates:
        score = similarity(unknown, candidate)
        if score > best_score:
            best, best_score = candidate, score
    return best


def similarity(one: str, other: str) -> float:
    """How alike two names are, from 0.0 (not worth a suggestion) to 1.0, ignoring case."""
    one, other = one.lower(), other.lower()
    if one == other:
        return 1.0
    if max(len(one), len(other)) > LONGEST:
        return 0.0
    shorter, longer = sorted((one, other), key=len)
    if len(shorter) >= CONTAINED and shorter in longer:
        return 0.7 + 0.3 * len(shorter) / len(longer)
    score = jaro(one, other)
    return score if score > THRESHOLD else 0.0


def jaro(one: str, other: str) -> float:
    """The Jaro similarity of two texts."""
    if not one or not other:
        return 1.0 if one == other else 0.0
    matched_one, matched_other = _matches(one, other)
    common = len(matched_one)
    if not common:
        return 0.0
    swapped = sum(a != b for a, b in zip(matched_one, matched_other, strict=True)) // 2
    return (common / len(one) + common / len(other) + (common - swapped) / common) / 3


def _matches(one: str, other: str) -> tuple[list[str], list[str]]:
    """The characters that both have within half the longer length, in each one's order."""
    window = max(max(len(one), len(other)) // 2 - 1, 0)
    taken = [False] * len(other)
    matched = []
    for place, character in enumerate(one):
        for there in range(max(0, place - window), min(len(other), place + window + 1)):
            if not taken[there] and other[there] == character:
                taken[there] = True
                matched.append(character)
                break
    return matched, [character for character, was in zip(other, taken, strict=True) if was]
