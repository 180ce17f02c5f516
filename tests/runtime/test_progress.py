"""Reports of progress reach whoever listens around the call, and nobody else."""

from __future__ import annotations

from toolcall.progress import listening, report


def test_without_a_listener_nothing_happens() -> None:
    """A tool that reports runs anywhere."""
    report(1, 2, "half")


def test_reports_reach_the_innermost_listener() -> None:
    """Each report as it was made; after the block the outer one listens again."""
    outer: list[tuple[float, float | None, str | None]] = []
    inner: list[tuple[float, float | None, str | None]] = []
    with listening(lambda *heard: outer.append(heard)):
        report(1)
        with listening(lambda *heard: inner.append(heard)):
            report(2, 3, "inner")
        report(4.5)
    assert outer == [(1, None, None), (4.5, None, None)]
    assert inner == [(2, 3, "inner")]
