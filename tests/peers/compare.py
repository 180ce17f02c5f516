"""Where our answer differs from that of most peers, level by level.

A level is one thing that a schema says: which parameters there are, which are required,
and of each parameter its type, its default and its description; and the tool's own
description. The peers' answer to one is what more than half of those that answered agree
on, two at the least. Where they do not agree, there is nothing to differ from.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple, TypeAlias

from tests.peers.normalise import key, normalise, text

Answer: TypeAlias = "dict[str, Any]"
FEWEST = 2
ABSENT = "(none)"
"""Stands for a default that is not said, and for a parameter that is not there."""


class Difference(NamedTuple):
    """One level of one function. `where` is the parameter, if the level is one of it."""

    level: str
    where: str
    ours: Any
    theirs: Any
    agreeing: int
    answered: int


def differences(ours: Answer, peers: dict[str, Answer]) -> tuple[list[Difference], Counter[str]]:
    """The differences, and how many majorities there were on each level."""
    found: list[Difference] = []
    compared: Counter[str] = Counter()
    mine = dict(levels(ours))
    said: dict[tuple[str, str], list[Any]] = {}
    for answer in peers.values():
        for level, value in levels(answer):
            said.setdefault(level, []).append(value)
    for (level, where), values in said.items():
        majority = _majority(values)
        if majority is None:
            continue
        compared[level] += 1
        theirs, agreeing = majority
        own = mine.get((level, where), ABSENT)
        if key(own) != key(theirs):
            found.append(Difference(level, where, own, theirs, agreeing, len(values)))
    return found, compared


def levels(answer: Answer) -> Iterator[tuple[tuple[str, str], Any]]:
    """Everything that an answer says, by level and place."""
    for name, said in answer.get("texts", {}).items():
        yield ("description", name), text(said)
    if "parameters" not in answer:
        return
    yield ("summary", ""), text(answer["description"])
    schema = answer["parameters"]
    shown = normalise(schema, prose=True).get("properties", {})
    bare = normalise(schema).get("properties", {})
    yield ("parameters", ""), sorted(shown)
    yield ("required", ""), sorted(schema.get("required") or ())
    for name, one in shown.items():
        yield ("type", name), bare[name]
        # A default of null says no more than that the parameter may be left out.
        yield ("default", name), ABSENT if one.get("default") is None else one["default"]
        yield ("description", name), text(one.get("description"))


def _majority(values: list[Any]) -> tuple[Any, int] | None:
    by_key = {key(value): value for value in values}
    (first, count), *_ = Counter(map(key, values)).most_common(1)
    if count < FEWEST or 2 * count <= len(values):
        return None
    return by_key[first], count
