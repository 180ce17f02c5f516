"""`toolcall show` shows what a model will see."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

pytest.importorskip("typer")
pytest.importorskip("mypy")

Run = Callable[..., tuple[int, str, str]]


def test_tools_with_all_that_is_known(
    project: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Names, types, defaults, descriptions, where these come from, and sizes."""
    monkeypatch.setenv("COLUMNS", "160")
    code, text, errors = run("show", "shop.stock")
    assert (code, errors) == (0, "")
    for part in ("shop.stock", "count", "Till.pay", '"shelf"', "= 10", "required", "How many."):
        assert part in text, part
    assert "docstring, line 11" in text
    assert "openai" in text


def test_a_page_of_its_own(project: Path, run: Run) -> None:
    """`--html` writes one page that loads nothing from elsewhere."""
    assert run("show", "--html", "tools.html") == (0, "", "")
    page = (project / "tools.html").read_text(encoding="utf-8")
    assert page.lstrip().startswith("<!DOCTYPE html>")
    assert "greet" in page
    assert "src=" not in page
    assert "http" not in page


def test_stale_and_damaged_modules_are_shown_as_such(project: Path, run: Run) -> None:
    """What is wrong with a tool or a sidecar is part of the picture."""
    people = project / "shop/people.py"
    people.write_text(
        people.read_text(encoding="utf-8").replace("name: str", "name: int"), encoding="utf-8"
    )
    (project / "shop/__toolcall__/stock.json").write_text("{", encoding="utf-8")
    code, text, _ = run("show")
    assert code == 0
    assert "stale" in text
    assert "no sidecar that this version can read" in text
