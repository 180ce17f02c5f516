"""Kinds of difference where ours is meant; `docs/peers.md` says why of each.

A rule looks at one difference and nothing else. What no rule knows is a bug of ours or of
a peer, and is listed by the run.
"""

from __future__ import annotations

from typing import Any

from tests.peers.compare import ABSENT, Difference


def kind_of(difference: Difference, row: dict[str, Any]) -> str | None:
    """The documented kind of a difference, None where it is of no known one."""
    ours, theirs = difference.ours, difference.theirs
    match difference.level:
        case "type":
            return _of_type(ours, theirs)
        case "description":
            return _of_text(ours, theirs)
        case "summary":
            return _of_summary(ours, theirs)
        case "parameters" | "required":
            return _of_names(set(ours), set(theirs), row)
        case "default":
            return _of_default(ours, theirs)
    return None


def _of_type(ours: Any, theirs: Any) -> str | None:
    if ours == ABSENT:
        return "extra keys are no property"
    if _without_formats(theirs) == _without_formats(ours):
        return "formats are those that dialects take"
    if ours == {}:
        return "what is no JSON is any value"
    if theirs == {}:
        return "a peer gave up"
    if _weaker(ours, theirs):
        return "a peer says less"
    return None


def _without_formats(schema: Any) -> Any:
    """Without formats, and without branches that were told apart by them alone."""
    match schema:
        case dict():
            kept = {name: _without_formats(each) for name, each in schema.items()}
            kept.pop("format", None)
            branches = kept.get("anyOf")
            if isinstance(branches, list):
                distinct = [one for n, one in enumerate(branches) if one not in branches[:n]]
                return distinct[0] if len(distinct) == 1 else {**kept, "anyOf": distinct}
            return kept
        case list():
            return [_without_formats(each) for each in schema]
    return schema


def _weaker(ours: Any, theirs: Any) -> bool:
    """Whether all that they say is in ours, which says more."""
    match ours, theirs:
        case dict(), dict():
            return all(name in ours and _weaker(ours[name], theirs[name]) for name in theirs)
        case list(), list():
            return len(ours) == len(theirs) and all(map(_weaker, ours, theirs))
    return bool(ours == theirs)


def _of_text(ours: str, theirs: str) -> str | None:
    if ours == ABSENT:
        return "extra keys are no property"
    if not theirs:
        return "we read an entry that peers do not"
    if ours and ours in theirs:
        return "what stands in the margin, or below a section of its own, is no entry's text"
    if theirs in ours:
        return "peers lose a part of an entry"
    return None


def _of_summary(ours: str, theirs: str) -> str | None:
    if theirs in ours:
        return "everything before the first section describes"
    if ours and ours in theirs:
        return "sections are no description"
    return None


def _of_names(ours: set[str], theirs: set[str], row: dict[str, Any]) -> str | None:
    unpacked = row["ours"]["parameters"].get("properties", {})
    if ours > theirs and ours <= set(unpacked):
        return "keys of an unpacked TypedDict are parameters"
    if ours < theirs and theirs - ours <= {"args", "kwargs"}:
        return "extra keys are no property"
    return None


def _of_default(ours: Any, theirs: Any) -> str | None:
    if ours == ABSENT:
        return "computed defaults are not told"
    return None
