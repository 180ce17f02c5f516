"""`toolcall demo` shows the whole way of a tool, on any machine."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("typer")
pytest.importorskip("mypy")


def test_the_demo_shows_everything_it_promises(tmp_path: Path) -> None:
    """Source, findings, two vendors, a good call, and three problems with the model's text."""
    done = subprocess.run(
        [sys.executable, "-m", "toolcall", "demo"],
        cwd=tmp_path,
        check=False,
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        env={**os.environ, "TMPDIR": str(tmp_path)},
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stderr == ""
    for part in (
        "def book_train(",
        "error: Parameter",
        "[toolcall-missing-annotation]",
        '"type": "function"',
        '"strict": true',
        '"input_schema": {',
        '"ticket": "OSL-BGO 21 Jun 2027"',
        "invalid_date",
        "expected_integer",
        "unknown_argument",
        "cabin",
    ):
        assert part in done.stdout, part
    assert "internal-error" not in done.stdout
    assert "\x1b[" not in done.stdout
    assert list(tmp_path.iterdir()) == []
