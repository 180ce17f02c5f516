"""Kinds of difference where ours is meant; `docs/peers.md` says why of each.

A rule looks at one difference and nothing else. What no rule knows is a bug of ours or of
a peer, and is listed by the run.
"""

from __future__ import annotations

import base64
import itertools
import re
from collections.abc import Callable
from typing import Any

from tests.peers.compare import ABSENT, Difference
from tests.peers.normalise import key


def kind_of(difference: Difference, row: dict[str, Any]) -> str | None:
    """The documented kind of a difference, None where it is of no known one."""
    ours, theirs = difference.ours, difference.theirs
    match difference.level:
        case "type":
            return _of_type(ours, theirs) or _of_bare_enum(difference.where, row)
        case "description":
            return _of_text(ours, theirs, row)
        case "summary":
            return _of_summary(ours, theirs, row)
        case "parameters" | "required":
            return _of_names(set(ours), set(theirs), row)
        case "default":
            return _of_default(ours, theirs)
    return None


def _of_type(ours: Any, theirs: Any) -> str | None:
    if ours == ABSENT:
        return "extra keys are no property"
    found = _places(ours, theirs)
    return None if found is None else ", ".join(sorted(found))


def _of_bare_enum(name: str, row: dict[str, Any]) -> str | None:
    return BARE if name in row["ours"].get("bare_enums", ()) else None


def _places(ours: Any, theirs: Any) -> set[str] | None:
    """The kinds of all places where two types differ; None if one place is of no kind."""
    if ours == theirs:
        return set()
    for name, rule in PLACES.items():
        if isinstance(ours, dict) and isinstance(theirs, dict) and rule(ours, theirs):
            return {name}
    match ours, theirs:
        case dict(), dict() if ours.keys() == theirs.keys():
            return _together([_places(ours[name], theirs[name]) for name in ours])
        case list(), list() if len(ours) == len(theirs) <= LARGEST:
            orders = itertools.permutations(theirs)
            found = (_together(list(map(_places, ours, order))) for order in orders)
            return next((one for one in found if one is not None), None)
    return None


def _together(found: list[set[str] | None]) -> set[str] | None:
    known = [one for one in found if one is not None]
    return set().union(*known) if len(known) == len(found) else None


def _only_format(ours: dict[str, Any], theirs: dict[str, Any]) -> bool:
    """Whether they say a format, and what follows from it, of what is plain text for us."""
    beside = {name: theirs[name] for name in theirs if name not in FROM_FORMAT}
    return "format" in theirs and ours.get("type") == "string" and beside == {"type": "string"}


def _is_decimal(ours: dict[str, Any], theirs: dict[str, Any]) -> bool:
    return "[eE]" in ours.get("pattern", "") and {"type": "number"} in theirs.get("anyOf", [])


def _is_named_tuple(ours: dict[str, Any], theirs: dict[str, Any]) -> bool:
    properties = ours.get("properties", {})
    return bool(properties) and len(theirs.get("prefixItems", ())) == len(properties)


def _is_path(ours: dict[str, Any], theirs: dict[str, Any]) -> bool:
    """`str | Path` is one branch for us, and two that a format tells apart for them."""
    without = [{n: v for n, v in one.items() if n != "format"} for one in theirs.get("anyOf", [])]
    distinct = {key(one) for one in without}
    return bool(without) and distinct == {key(one) for one in ours.get("anyOf", [ours])}


def _is_named_enum(ours: dict[str, Any], theirs: dict[str, Any]) -> bool:
    """Whether ours has names where theirs has values that are not all text.

    Or whose text is the name but for its case, as where a stub has no values.
    """
    names, values = ours.get("enum", []), theirs.get("enum", [])
    is_text = all(isinstance(value, str) for value in values)
    return len(names) == len(values) > 0 and (not is_text or _are_like(names, values))


def _are_like(names: list[Any], values: list[Any]) -> bool:
    return [str(name).lower() for name in names] == [str(value).lower() for value in values]


def _is_flag(ours: dict[str, Any], theirs: dict[str, Any]) -> bool:
    """Any sum of the bits for us, the named ones alone for them."""
    values = theirs.get("enum", [])
    return bool(values) and set(ours) == {"type", "maximum"} and max(values) <= ours["maximum"]


def _has_aliases(ours: dict[str, Any], theirs: dict[str, Any]) -> bool:
    """The same choices, some of them more than once for them."""
    once, more = ours.get("enum", []), theirs.get("enum", [])
    return len(once) < len(more) and set(map(key, once)) == set(map(key, more))


def _is_no_json(ours: dict[str, Any], theirs: dict[str, Any]) -> bool:
    return not ours or (ours == {"type": "array"} and set(theirs) == {"type", "items"})


LARGEST = 5
"""Branches that are tried in every order."""

FROM_FORMAT = ("format", "minLength", "maxLength")

PLACES: dict[str, Callable[[dict[str, Any], dict[str, Any]], bool]] = {
    "formats are those that dialects take": _only_format,
    "paths are text": _is_path,
    "decimals are text": _is_decimal,
    "named tuples are objects": _is_named_tuple,
    "members of mixed or computed values go by name": _is_named_enum,
    "a flag takes any sum of its bits": _is_flag,
    "an Enum's aliases are told once": _has_aliases,
    "what is no JSON is any value": _is_no_json,
    "a peer gave up": lambda ours, theirs: not theirs,
}


BARE = "an Enum without members is text"
MADE = "docstrings made when the program runs"
SECTION = re.compile(r"[A-Z]\w+( \w+)? -{3,} ")
"""A NumPy title with its underline, where all white space is one space."""


def _of_text(ours: str, theirs: str, row: dict[str, Any]) -> str | None:
    if ours == ABSENT:
        return "extra keys are no property"
    if row.get("docstring_made"):
        return MADE
    if not theirs:
        return "we read an entry that peers do not"
    if ours and ours in theirs:
        return "what stands in the margin, or below a section of its own, is no entry's text"
    if theirs in ours:
        return "peers lose a part of an entry"
    return None


def _of_summary(ours: str, theirs: str, row: dict[str, Any]) -> str | None:
    if row.get("docstring_made"):
        return MADE
    if theirs in ours:
        return "everything before the first section describes"
    if (ours and ours in theirs) or (
        not ours and (theirs[:1] in ("@", ":") or SECTION.match(theirs))
    ):
        return "sections are no description"
    return None


def _of_names(ours: set[str], theirs: set[str], row: dict[str, Any]) -> str | None:
    running = row["parameters"]
    if ours > theirs and any(name.startswith("**") for name in running):
        return "keys of an unpacked TypedDict are parameters"
    if not ours <= {name.lstrip("*") for name in running}:
        return "the checker is shown another function than the one that runs"
    if ours < theirs and theirs - ours <= {"args", "kwargs"}:
        return "extra keys are no property"
    return None


def _of_default(ours: Any, theirs: Any) -> str | None:
    if ours == ABSENT:
        return "computed defaults are not told"
    if theirs == ABSENT and isinstance(ours, str) and ours.endswith("="):
        return "bytes travel as base64"
    if isinstance(theirs, str) and ours != theirs and _are_like([ours], [theirs]):
        return "members of mixed or computed values go by name"
    if isinstance(ours, str) and ours == base64.b64encode(str(theirs).encode()).decode():
        return "bytes travel as base64"
    return None
