"""The name that was probably meant."""

from __future__ import annotations

import pytest

from toolcall._suggest import jaro, similarity, suggest


@pytest.mark.parametrize(
    ("unknown", "candidate", "likeness", "score"),
    [
        ("file_path", "path", 0.0, 0.8333),
        ("patern", "pattern", 0.9524, 0.9524),
        ("lim", "limit", 0.8667, 0.88),
        ("task_id", "device_task_id", 0.4365, 0.85),
        ("usr", "user", 0.9167, 0.9167),
        ("query", "path", 0.0, 0.0),
        ("x", "max", 0.0, 0.0),
        ("id", "record_id", 0.0, 0.0),
        ("display_name", "record_id", 0.463, 0.0),
        ("City", "city", 0.8333, 1.0),
    ],
)
def test_scores(unknown: str, candidate: str, likeness: float, score: float) -> None:
    """Containment first, then Jaro above its threshold, ignoring case."""
    assert jaro(unknown, candidate) == pytest.approx(likeness, abs=1e-4)
    assert similarity(unknown, candidate) == pytest.approx(score, abs=1e-4)
    assert suggest(unknown, [candidate]) == (candidate if score else None)


def test_the_best_wins_and_the_first_of_equals() -> None:
    """Order breaks ties only."""
    assert suggest("usr", ["usher", "user"]) == "user"
    assert suggest("abcx", ["abcy", "abcz"]) == "abcy"
    assert suggest("abc", []) is None


def test_very_long_names_cost_nothing() -> None:
    """A name of a megabyte is no slip of anything."""
    assert suggest("a" * 1_000_000, ["b" * 1_000_000, "limit"]) is None
    assert jaro("", "") == 1.0
    assert jaro("", "a") == 0.0
