"""Interleaved timing: every candidate in short slices, round after round.

The machine's mood changes within a second; short slices of each candidate in turn let all
of them share it. Of the slices of a call, which are many and far shorter than what else a
machine does, the quickest is taken: whatever disturbs only adds. Of whole processes, which
are few, the median.
"""

from __future__ import annotations

import gc
import os
import random
import resource
import statistics
import subprocess
import sys
from dataclasses import dataclass
from itertools import repeat
from time import perf_counter, perf_counter_ns
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

SLICE_NS = 300_000
TURNS = 20
"""Slices of each candidate in a round."""


def calls(candidates: Mapping[str, Callable[[], object]], rounds: int) -> dict[str, float]:
    """Nanoseconds of one call of each candidate, at its quickest."""
    loops = {name: _loops(call) for name, call in candidates.items()}
    best = dict.fromkeys(candidates, float("inf"))
    gc.collect()
    gc.disable()
    try:
        for _ in range(rounds * TURNS):
            for name, call in candidates.items():
                best[name] = min(best[name], _slice(call, loops[name]))
    finally:
        gc.enable()
    return best


def _loops(call: Callable[[], object]) -> int:
    """How many calls fill a slice; the first ones warm up."""
    _slice(call, 20)
    once = _slice(call, 20)
    return max(5, min(200_000, int(SLICE_NS / once)))


def _slice(call: Callable[[], object], loops: int) -> float:
    start = perf_counter_ns()
    for _ in repeat(None, loops):
        call()
    return (perf_counter_ns() - start) / loops


@dataclass(frozen=True, slots=True)
class Process:
    """Medians of a whole process: milliseconds, those of the processor, peak memory in MiB."""

    milliseconds: float
    cpu: float
    memory: float


def children() -> float:
    """Seconds of processor time that the processes begun here have taken."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def processes(candidates: Mapping[str, list[str]], rounds: int, folder: Path) -> dict[str, Process]:
    """Run each command once a round, in a new order each round.

    The last word that a command prints is its peak memory in KiB.
    """
    chance = random.Random(5)
    environment = {
        key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"
    }
    seen: dict[str, list[tuple[float, float, float]]] = {name: [] for name in candidates}
    for turn in range(rounds + 1):
        for name in chance.sample(sorted(candidates), len(candidates)):
            start, before = perf_counter(), children()
            run = subprocess.run(
                [sys.executable, *candidates[name]],
                cwd=folder,
                env=environment,
                capture_output=True,
                text=True,
                check=False,
            )
            elapsed, cpu = 1000 * (perf_counter() - start), 1000 * (children() - before)
            if run.returncode:
                raise RuntimeError(f"{name}: {run.stderr[-2000:]}")
            if turn:  # the first turn only writes byte code
                seen[name].append((elapsed, cpu, int(run.stdout.split()[-1]) / 1024))
    return {
        name: Process(*map(statistics.median, zip(*rows, strict=True)))
        for name, rows in seen.items()
    }
