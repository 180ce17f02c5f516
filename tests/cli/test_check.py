"""`toolcall check` finds what a program would trip over; `toolcall clean` removes orphans."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

pytest.importorskip("typer")
pytest.importorskip("mypy")

from toolcall._fingerprint import file_hash

Run = Callable[..., tuple[int, str, str]]


def replace(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def faults(run: Run, *arguments: str) -> list[tuple[str, str, str]]:
    code, text, _ = run("check", "--json", *arguments)
    found = json.loads(text)
    assert code == (1 if found else 0)
    return [(fault["kind"], fault["path"], fault["tool"]) for fault in found]


def test_a_built_project_is_fresh(project: Path, run: Run) -> None:
    """Nothing is wrong after a build, nor after an edit of a body."""
    assert run("check") == (0, "all fresh\n", "")
    replace(project / "shop/stock.py", "return len(article)", "return len(article) + 1")
    assert faults(run) == []


def test_exports_are_compared(project: Path, run: Run) -> None:
    """A file that is current, one of before an edit, one of another mode, and none."""
    for name, options in (("tools.json", []), ("strict.json", ["--strict"])):
        assert run("export", "--format", "openai", "--out", name, *options)[0] == 0
    current = ("--exported", "openai=tools.json", "--exported", "openai:strict=strict.json")
    assert faults(run, *current) == []
    assert faults(run, "--exported", "openai=strict.json") == [("outdated", "strict.json", "")]
    assert faults(run, "--exported", "openai=none.json") == [("missing", "none.json", "")]
    replace(project / "shop/stock.py", "= 10) -> str", "= 20) -> str")
    assert run("build", "shop")[0] == 0
    assert faults(run, *current) == [("outdated", "tools.json", "")]
    for wrong in ("tools.json", "openai:stirct=tools.json"):
        assert run("check", "--exported", wrong)[0] == 2


def test_a_changed_declaration_is_stale(project: Path, run: Run) -> None:
    """The tool whose signature changed is named, and only that one."""
    replace(project / "shop/stock.py", "= 10) -> str", "= 20) -> str")
    assert faults(run) == [("stale", "shop/stock.py", "order")]
    code, text, _ = run("check", "shop")
    assert code == 1
    assert text.startswith("shop/stock.py: stale: ")
    assert "toolcall build" in text
    assert faults(run, "shop/people.py") == []


def test_a_tool_that_was_never_built(project: Path, run: Run) -> None:
    """A new tool, and a module without any sidecar, are missing."""
    new = "\nimport toolcall as t\n\n@t.tool(name='x')\ndef newcomer(a: int) -> int: return a\n"
    replace(
        project / "shop/people.py",
        "from toolcall import tool\n",
        "from toolcall import tool\n" + new,
    )
    (project / "shop/__toolcall__/stock.json").unlink()
    assert faults(run) == [
        ("missing", "shop/people.py", "newcomer"),
        ("missing", "shop/stock.py", ""),
    ]


def test_a_module_that_uses_all_its_functions(project: Path, run: Run) -> None:
    """`use(__name__)` without a sidecar is missing as well."""
    text = "import toolcall\n\ntoolcall.use(__name__)\n\ndef f(a: int) -> int: return a\n"
    (project / "shop/all.py").write_text(text, encoding="utf-8")
    assert faults(run) == [("missing", "shop/all.py", "")]
    assert "no sidecar for use(__name__)" in run("check")[1]


def test_a_deleted_tool_is_no_fault(project: Path, run: Run) -> None:
    """What the source no longer has cannot be stale."""
    path = project / "shop/stock.py"
    text = path.read_text(encoding="utf-8")
    path.write_text(text[: text.index("class Till")], encoding="utf-8")
    assert faults(run) == []


@pytest.mark.parametrize("data", [b"", b"{", b"\xff", b'{"toolcall": 99}', b"[]"])
def test_a_damaged_sidecar_is_unreadable(data: bytes, project: Path, run: Run) -> None:
    """Whatever lies there, it is named and the others are still checked."""
    (project / "shop/__toolcall__/people.json").write_bytes(data)
    assert faults(run) == [("unreadable", "shop/people.py", "")]


def test_orphans(project: Path, run: Run) -> None:
    """A sidecar whose module is gone is an orphan, and `clean` takes it away."""
    (project / "shop/people.py").unlink()
    orphan = project / "shop/__toolcall__/people.json"
    assert faults(run) == [("orphaned", "shop/__toolcall__/people.json", "")]
    assert run("clean", "--dry-run")[1] == "would remove shop/__toolcall__/people.json\n"
    assert orphan.exists()
    assert run("clean") == (0, "removed shop/__toolcall__/people.json\n", "")
    assert run("clean") == (0, "nothing to remove\n", "")
    assert not orphan.exists()
    assert faults(run) == []
    (project / "shop/stock.py").unlink()
    run("clean")
    assert not orphan.parent.exists()


def test_another_version_of_an_installed_module(
    project: Path, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was read from an installed package is compared with what is installed now."""
    installed = tmp_path / "site-packages"
    (installed / "their").mkdir(parents=True)
    (installed / "their/__init__.py").touch()
    (installed / "their/types.py").write_text("Name = str\n", encoding="utf-8")
    monkeypatch.syspath_prepend(str(installed))
    path = project / "shop/__toolcall__/people.json"
    sidecar = json.loads(path.read_text(encoding="utf-8"))
    digest = file_hash((installed / "their/types.py").read_bytes())
    sidecar["sources"] += [
        {"module": "their.types", "hash": digest},
        {"module": "gone", "hash": "0"},
    ]
    path.write_text(json.dumps(sidecar), encoding="utf-8")
    assert faults(run) == []
    (installed / "their/types.py").write_text("Name = int\n", encoding="utf-8")
    assert faults(run) == [("stale", "shop/people.py", "")]
    assert "another version of their.types" in run("check")[1]


def test_other_peoples_code_is_left_alone(project: Path, run: Run) -> None:
    """Hidden folders and environments inside the project are not looked at."""
    for name in (".hidden", "environment"):
        (project / name).mkdir()
        text = "from toolcall import tool\n@tool\ndef f(a: int) -> int: return a\n"
        (project / name / "tools.py").write_text(text, encoding="utf-8")
    (project / "environment/pyvenv.cfg").touch()
    assert faults(run) == []
