"""The benchmarks can be run; what they measure is too uncertain to be a test.

The facts behind the figures that can be counted are tests: `tests/runtime/test_work.py` and
`tests/plugin/test_work.py`.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("mypy")
pytest.importorskip("msgspec")


def test_the_shortest_run(tmp_path: Path) -> None:
    """One round with few tools prints a table for each part, and every goal has its figure."""
    command = [sys.executable, "-m", "bench", "--unjudged", "--rounds", "1", "--tools", "20"]
    done = subprocess.run(
        [*command, "--only", "start,calls"],
        cwd=Path(__file__).parents[2],
        env=os.environ | {"MYPY_CACHE_DIR": str(tmp_path)},
        check=False,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert "## start" in done.stdout
    assert "| scalar call, bound |" in done.stdout
