"""A difference is of a documented kind only where that is what happened."""

from __future__ import annotations

from typing import Any

import pytest

from tests.peers.compare import Difference
from tests.peers.kinds import BARE, kind_of

UNPACKED = "keys of an unpacked TypedDict are parameters"
HIDDEN = "the checker is shown another function than the one that runs"
TEXTS = {"type": "array", "items": {"type": "string"}}


def row(**facts: Any) -> dict[str, Any]:
    return {"ours": {"parameters": {}, **facts.pop("ours", {})}, "parameters": [], **facts}


@pytest.mark.parametrize(
    ("level", "ours", "theirs", "facts", "expected"),
    [
        ("parameters", ["a", "b"], ["a"], {"parameters": ["a", "**rest"]}, UNPACKED),
        ("required", ["first"], [], {"parameters": ["*clauses"]}, HIDDEN),
        ("parameters", ["a", "b"], ["a"], {"parameters": ["a", "b"]}, None),
        ("required", ["a", "b"], ["a"], {"parameters": ["a", "b"]}, None),
        ("type", TEXTS, {"type": "array"}, {"ours": {"bare_enums": ["x"]}}, BARE),
        ("type", TEXTS, {"type": "array"}, {"ours": {"bare_enums": ["y"]}}, None),
    ],
)
def test_kind(
    level: str, ours: Any, theirs: Any, facts: dict[str, Any], expected: str | None
) -> None:
    difference = Difference(level, "x", ours, theirs, 3, 3)
    assert kind_of(difference, row(**facts)) == expected
