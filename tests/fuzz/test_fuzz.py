"""The short form of fuzzing: bytes at random, and bytes that were right until somebody cut in them.

`TOOLCALL_FUZZ_EXAMPLES` says how many of each; `python -m tests.fuzz` is the long form.
"""

from __future__ import annotations

import os

import pytest

pytest.importorskip("hypothesis")

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.fuzz.targets import SEEDS, TARGETS, TOOLS, tools_of
from toolcall import Ok, run

EXAMPLES = int(os.environ.get("TOOLCALL_FUZZ_EXAMPLES", "300"))

PIECES = [
    *(b'"', b"\\", b"\\ud800", b"\\u0000", b"\xff", b"\x00", b"{", b"}", b"[", b"]", b",", b":"),
    *(
        b"null",
        b"true",
        b"NaN",
        b"Infinity",
        b"-",
        b"1e999",
        b"9" * 5000,
        b"[" * 2000,
        b'{"x":' * 200,
    ),
    *(b'"x"', b'"kind"', b'"ref"', b'"Tree"', b'"any"', b'"name"', b'"type"', b'"object"', b"0.0"),
    *(b'"pattern": "(a+)+$"', b'"cls": "os:system"', b'"default": {}', b'"x": 1, "x": 2'),
]


@st.composite
def spoiled(draw: st.DrawFn, seeds: list[bytes]) -> bytes:
    """A right text with some cuts, each filled with something else."""
    data = draw(st.sampled_from(seeds))
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(data)))
        end = draw(st.integers(start, min(len(data), start + 40)))
        filling = draw(st.one_of(st.sampled_from(PIECES), st.binary(max_size=8)))
        data = data[:start] + filling + data[end:]
    return data


def test_the_right_texts_are_right() -> None:
    """So that cuts into them reach further than the first check."""
    for seed, tool in zip(SEEDS["call"], TOOLS, strict=True):
        assert run(tool, tool.__name__, seed[1:]) == Ok(1)
    for seed in SEEDS["sidecar"]:
        found = tools_of(seed)
        assert not found.broken
        assert [found.find(name) is not None for name in found.tools] == [True]


@pytest.mark.parametrize("target", TARGETS)
def test_nothing_but_documented_errors_escapes(target: str) -> None:
    """From `run` nothing at all; from the loader of sidecars our own errors."""

    @given(st.one_of(spoiled(SEEDS[target]), st.binary(max_size=200)))
    @settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))
    def holds(data: bytes) -> None:
        TARGETS[target](data)

    for seed in SEEDS[target]:
        TARGETS[target](seed)
    holds()
