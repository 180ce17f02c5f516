"""`toolcall show` shows what a model will see."""

from __future__ import annotations

import shutil
import subprocess
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


TRIPS = '''\
from dataclasses import dataclass
from typing import Annotated

from toolcall import Param, tool

Iata = str
"""Three letters, for example OSL."""


@dataclass
class Passenger:
    """Who travels.

    Attributes:
        given: First name.
    """

    given: str
    surname: str
    """As in the passport."""
    born: Annotated[str, Param("Day of birth.")]
    home: Iata


@dataclass
class Child(Passenger):
    years: int  #: In whole years.


@tool
def book(travellers: list[Passenger | Child], first: Child) -> None:
    """Book."""
'''


@pytest.fixture
def trips(project: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A module whose tool takes classes, built."""
    path = project / "shop/trips.py"
    path.write_text(TRIPS, encoding="utf-8")
    assert run("build", "shop")[0] == 0
    monkeypatch.setenv("COLUMNS", "140")
    return path


def words_of(text: str) -> dict[str, str]:
    """What stands behind each name of a table, with single spaces."""
    rows = [line.strip("│ ").split(None, 1) for line in text.splitlines()]
    return {row[0]: " ".join(row[1].split()) for row in rows if len(row) == 2}


def line_of(part: str) -> int:
    return next(at for at, line in enumerate(TRIPS.splitlines(), 1) if part in line)


def test_fields_of_classes_say_where_they_are_described(trips: Path, run: Run) -> None:
    """A field is a row of its own; whatever describes it, the line is told."""
    shown = words_of(run("show", "shop.trips")[1])
    for name, words, origin, part in (
        ("Book.", "", "docstring", "Book."),
        ("travellers[](Passenger)", "object Who travels.", "class docstring", "Who travels"),
        ("travellers[](Passenger).given", "First name.", "class docstring", "given: First"),
        ("first.given", "string required First name.", "class docstring", "given: First"),
        ("first.surname", "required As in the passport.", "below the field", "As in the"),
        ("first.born", "Day of birth.", "metadata", "Day of birth"),
        ("first.home", "for example OSL.", "alias", "Three letters"),
        ("first.years", "In whole years.", "below the field", "In whole years"),
    ):
        expected = f"{words} {origin}, line {line_of(part)}".strip()
        assert shown[name].endswith(expected), name


def test_lines_of_fields_are_those_of_now(trips: Path, run: Run) -> None:
    """Where lines have moved since the build, those of today are shown; where the text of a
    field is another one, only its class."""
    trips.write_text("# a comment\n" + TRIPS, encoding="utf-8")
    beneath = line_of("As in the passport.") + 1
    shown = words_of(run("show", "shop.trips")[1])
    assert shown["first.surname"].endswith(f"below the field, line {beneath}")
    trips.write_text(TRIPS.replace("As in the passport.", "Last name."), encoding="utf-8")
    shown = words_of(run("show", "shop.trips")[1])
    assert shown["first.surname"].endswith("As in the passport. class shop.trips.Child")


def test_nothing_is_cut_off_in_a_narrow_terminal(
    trips: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Long names and texts go on in the next line."""
    monkeypatch.setenv("COLUMNS", "60")
    narrow = run("show", "shop.trips")[1]
    assert "…" not in narrow
    assert all(word in narrow for word in ("passport.", "docstring,", "required"))


def test_a_page_of_its_own(project: Path, run: Run) -> None:
    """`--html` writes one page that loads nothing from elsewhere."""
    assert run("show", "--html", "tools.html") == (0, "", "")
    page = (project / "tools.html").read_text(encoding="utf-8")
    assert page.startswith("<!doctype html>")
    for part in ("<title>4 tools</title>", "greet", "Till.pay", "How many.", "docstring, line 11"):
        assert part in page, part
    for loading in ("src=", "http", "url(", "@import", "<link"):
        assert loading not in page


def test_nothing_of_a_tool_becomes_markup(project: Path, run: Run) -> None:
    """Descriptions and defaults are text, whatever is in them."""
    people = project / "shop/people.py"
    text = people.read_text(encoding="utf-8").replace(
        "Greet", "<script>alert(1)</script>\\x22 Greet"
    )
    people.write_text(text.replace("name: str", "name: str = '<b>'"), encoding="utf-8")
    assert run("build", "shop")[0] == 0
    assert run("show", "--html", "tools.html")[0] == 0
    page = (project / "tools.html").read_text(encoding="utf-8")
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
    assert "<script>alert" not in page
    assert "<b>&quot;" not in page
    assert "&lt;b&gt;" in page


def test_the_page_in_a_browser(project: Path, run: Run) -> None:
    """Chromium draws it, finds no fault with it, and its search hides what does not match."""
    browser = shutil.which("chromium")
    if browser is None:
        pytest.skip("chromium is not installed")
    assert run("show", "--html", "tools.html")[0] == 0
    page = project / "tools.html"
    looking = page.read_text(encoding="utf-8").replace(
        "</script>",
        'field.value = "greet"; field.dispatchEvent(new Event("input"));'
        'document.title = [...document.querySelectorAll("article")]'
        '.filter(each => !each.hidden).map(each => each.querySelector("h3").textContent).join();'
        "</script>",
    )
    page.write_text(looking, encoding="utf-8")
    options = ["--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={project / 'c'}"]
    done = subprocess.run(
        [browser, *options, "--dump-dom", page.as_uri()],
        check=False,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert "<title>greet</title>" in done.stdout, done.stderr


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


@pytest.mark.parametrize("name", ["unbuilt", "unbuilt.py", "shop.unbuilt"])
def test_a_module_that_was_not_built(project: Path, run: Run, name: str) -> None:
    """It is there, whether it is given as a module or as a file; the next step is named."""
    for path in (project / "unbuilt.py", project / "shop/unbuilt.py"):
        path.write_text("", encoding="utf-8")
    code, _, complaint = run("show", name)
    assert code == 2
    assert "unbuilt.py has no sidecar; `toolcall build` writes them" in complaint
