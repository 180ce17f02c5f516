"""Every code has a manual entry, a case where it fires and one where it is quiet."""

from __future__ import annotations

import ast
import re
import sys
from pathlib import Path

import pytest
from mypy.errorcodes import error_codes

from toolcall_mypy.codes import ERROR_CODES, PREFIX, USUAL
from toolcall_mypy.lints import LINTS

CASES = Path(__file__).parents[1] / "cases"
FINDINGS = "".join(
    path.read_text(encoding="utf-8").partition("=== findings")[2] for path in CASES.rglob("*.case")
)


@pytest.mark.parametrize("code", LINTS)
def test_manual_entry(code: str) -> None:
    """The entry begins with one sentence that fits a list."""
    first, *rest = LINTS[code].manual.splitlines()
    assert first.endswith(".") or not rest[0]
    assert len(first) <= 100


@pytest.mark.parametrize("code", LINTS)
def test_known_to_mypy(code: str) -> None:
    """mypy knows the code, so that it can be switched and ignored like its own."""
    assert error_codes[PREFIX + code] is ERROR_CODES[code]


def test_codes_and_severities() -> None:
    """What mypy is told before the lints are loaded is what the lints say."""
    assert {lint.code: lint.severity for lint in LINTS.values()} == USUAL


ELSEWHERE = {"internal-error", "invalid-config"}
"""Codes that no case file can show: the run stops, or the fault is our own."""


@pytest.mark.parametrize("code", [code for code in LINTS if code not in ELSEWHERE])
def test_fires_in_a_case(code: str) -> None:
    """Some case file shows the finding."""
    assert f"[{PREFIX}{code}]" in FINDINGS


@pytest.mark.parametrize("code", [code for code in LINTS if code not in ELSEWHERE])
def test_is_quiet_in_a_case(code: str) -> None:
    """A case file lists what comes near, and the finding is not there."""
    name = "calls" if LINTS[code].scope == "call" else code.replace("-", "_")
    text = (CASES / "lints" / "quiet" / f"{name}.case").read_text(encoding="utf-8")
    assert f"[{PREFIX}{code}]" not in text.partition("=== findings")[2]


def test_no_other_codes() -> None:
    """Whatever the cases show under our prefix is a code of the table."""
    assert set(re.findall(rf"\[{PREFIX}([a-z-]+)\]", FINDINGS)) <= set(LINTS)


def test_lints_are_small() -> None:
    """A lint that needs more than a page is two lints, or knows too much."""
    for lint in LINTS.values():
        source = Path(str(sys.modules[lint.function.__module__].__file__))
        for node in ast.walk(ast.parse(source.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef) and node.name == lint.function.__name__:
                assert (node.end_lineno or 0) - node.lineno < 45, lint.code
