"""`toolcall export` writes the same bytes for the same declarations, or says why not."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("typer")
pytest.importorskip("mypy")

Run = Callable[..., tuple[int, str, str]]


def exported(text: str) -> list[str]:
    return [item["function"]["name"] for item in json.loads(text)]


def test_all_tools_by_module_in_declaration_order(project: Path, run: Run) -> None:
    """Modules are sorted, tools of a module are not, methods stay out."""
    code, text, errors = run("export")
    assert (code, errors) == (0, "")
    assert exported(text) == ["greet", "count", "order"]
    again = json.dumps(json.loads(text), indent=2, sort_keys=True, ensure_ascii=False) + "\n"
    assert text == again


@pytest.mark.parametrize(
    ("arguments", "names"),
    [
        (["shop.stock"], ["count", "order"]),
        (["shop/people.py"], ["greet"]),
        (["shop"], ["greet", "count", "order"]),
        (["--app", "shop.people"], ["greet"]),
    ],
)
def test_what_is_named(arguments: list[str], names: list[str], project: Path, run: Run) -> None:
    """Modules, files and packages narrow what is exported."""
    assert exported(run("export", *arguments)[1]) == names


@pytest.mark.parametrize("name", ["anthropic", "mcp", "gemini", "bedrock", "openai_responses"])
def test_every_format(name: str, project: Path, run: Run) -> None:
    """Any vendor's format can be exported."""
    code, text, _ = run("export", "--format", name)
    assert code == 0
    assert "order" in text
    assert json.loads(text)


def test_strict(project: Path, run: Run) -> None:
    """`--strict` asks for the strict form of each tool."""
    tools = json.loads(run("export", "--strict")[1])
    assert all(tool["function"]["strict"] for tool in tools)


def test_check_compares_with_the_committed_file(project: Path, run: Run) -> None:
    """`--check` is quiet while the file is current, and fails without touching it."""
    assert run("export", "--out", "out/tools.json") == (0, "", "")
    written = (project / "out/tools.json").read_text(encoding="utf-8")
    assert run("export", "--out", "out/tools.json", "--check")[0] == 0
    (project / "out/tools.json").write_text(written.replace("greet", "meet"), encoding="utf-8")
    code, _, errors = run("export", "--out", "out/tools.json", "--check")
    assert code == 1
    assert "not up to date" in errors
    assert "meet" in (project / "out/tools.json").read_text(encoding="utf-8")
    assert run("export", "--check")[0] == 2


def test_what_cannot_be_exported(project: Path, run: Run) -> None:
    """Stale tools, names twice and unknown formats are refused by name."""
    people = project / "shop/people.py"
    people.write_text(
        people.read_text(encoding="utf-8").replace("name: str", "name: str, loud: bool = False"),
        encoding="utf-8",
    )
    code, text, errors = run("export")
    assert (code, text) == (1, "")
    assert "'greet' is stale" in errors
    code, _, errors = run("export", "shop.stock", "--format", "antropic")
    assert code == 1
    assert "'anthropic'" in errors
    code, _, errors = run("export", "shop.nowhere")
    assert code == 2


def _sidecar(project: Path, change: Callable[[Any], None]) -> None:
    path = project / "shop/__toolcall__/people.json"
    sidecar = json.loads(path.read_text(encoding="utf-8"))
    change(sidecar["tools"][0])
    path.write_text(json.dumps(sidecar), encoding="utf-8")


def test_names_that_the_vendor_refuses(project: Path, run: Run) -> None:
    """A name outside the vendor's rule is refused, not bent."""
    _sidecar(project, lambda tool: tool.update(name="greet.loudly"))
    code, text, errors = run("export")
    assert (code, text) == (1, "")
    assert "greet.loudly" in errors
    assert run("export", "--format", "mcp")[0] == 0


def test_two_tools_of_one_name(project: Path, run: Run) -> None:
    """The error names both modules."""
    _sidecar(project, lambda tool: tool.update(name="count"))
    code, _, errors = run("export")
    assert code == 1
    assert "shop.people and shop.stock both have a tool 'count'" in errors


@pytest.mark.parametrize("check", [[], ["--check"]])
def test_a_file_that_cannot_be_written(check: list[str], project: Path, run: Run) -> None:
    """What the system says is told, without a traceback."""
    (project / "taken").mkdir()
    code, text, errors = run("export", "--out", "taken", *check)
    assert (code, text) == (1, "")
    assert errors.startswith("toolcall: taken: ")
    (project / "file").write_text("", encoding="utf-8")
    code, _, errors = run("export", "--out", "file/x.json")
    assert code == 1
    assert errors.startswith("toolcall: ")
