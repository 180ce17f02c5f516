"""Every case file gives the answers that stand in it."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

import pytest

from toolcall_mypy.plugin import HAS_DONE

from . import casefile, runner

ROOT = Path(__file__).parents[1] / "cases"
PATHS = sorted(ROOT.rglob("*.case"))


@pytest.fixture(scope="session")
def answers(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> dict[Path, dict[str, str]]:
    """The answers of all cases that this session runs."""
    wanted = {
        item.callspec.params["path"]
        for item in request.session.items
        if isinstance(item, pytest.Function) and item.originalname == "test_case"
    }
    read = [casefile.read(path, ROOT) for path in sorted(wanted)]
    cases = [case for case in read if sys.version_info >= case.python]
    worker = os.environ.get("PYTEST_XDIST_WORKER", "")
    cache = request.config.cache.mkdir(f"mypy{worker}") if request.config.cache else None
    return runner.run(cases, tmp_path_factory.mktemp("cases"), Path(cache or ".mypy_cache"))


def _comparable(answers: dict[str, str]) -> dict[str, str]:
    """The answers; an older mypy has other columns for `*args` and `**kw`."""
    if HAS_DONE:
        return answers
    findings = re.sub(r"(?m)^(\S+?:\d+):-?\d+:", r"\1:", answers.get("findings", ""))
    return {**answers, "findings": findings}


@pytest.mark.parametrize("path", PATHS, ids=lambda path: str(path.relative_to(ROOT)))
def test_case(
    path: Path, answers: dict[Path, dict[str, str]], request: pytest.FixtureRequest
) -> None:
    """The IR, the findings and the formats of a case are those that it says."""
    case = casefile.read(path, ROOT)
    if sys.version_info < case.python:
        pytest.skip("written in the syntax of a newer Python")
    if request.config.getoption("--update-cases"):
        case.answers = answers[path]
        path.write_text(case.text(), encoding="utf-8")
    found = {name: answers[path][name] for name in case.answers}
    assert _comparable(found) == _comparable(case.answers)
    assert set(case.answers) >= {"ir", "findings"}, "run with --update-cases, and read the answers"
