"""`toolcall build` is mypy, with the plugin on."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("typer")
pytest.importorskip("mypy")

from tests.cli.conftest import build

TOOL = '''\
from toolcall import tool

@tool
def double(number: int) -> int:
    """Twice a number."""
    return number * 2
'''

THEIRS = """\
from mypy.plugin import Plugin

def plugin(version):
    print("theirs")
    return Plugin
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / ".git").mkdir()
    (tmp_path / "tools.py").write_text(TOOL, encoding="utf-8")
    return tmp_path


def names(folder: Path) -> list[str]:
    sidecar = json.loads((folder / "__toolcall__" / "tools.json").read_text(encoding="utf-8"))
    return [tool["name"] for tool in sidecar["tools"]]


def test_a_folder_without_any_configuration(folder: Path) -> None:
    """Without a configuration the sidecar is written, and nothing else is left behind."""
    done = build(folder, "tools.py")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "Success: no issues found in 1 source file\n"
    assert names(folder) == ["double"]
    left = {path.name for path in folder.iterdir()}
    assert left == {".git", ".mypy_cache", "__toolcall__", "tools.py"}


def test_the_users_own_configuration_counts(folder: Path) -> None:
    """What the configuration asks for is reported, and no error keeps the sidecar away."""
    (folder / "mypy.ini").write_text("[mypy]\ndisallow_untyped_defs = True\n", encoding="utf-8")
    with (folder / "tools.py").open("a", encoding="utf-8") as file:
        file.write("\ndef untyped(x): return x\n")
    done = build(folder, "tools.py")
    assert done.returncode == 1
    assert "[no-untyped-def]" in done.stdout
    assert names(folder) == ["double"]


def test_files_of_the_configuration(folder: Path) -> None:
    """Without paths, the files that the configuration lists are checked."""
    (folder / "mypy.ini").write_text("[mypy]\nfiles = tools.py\n", encoding="utf-8")
    assert build(folder).returncode == 0
    assert names(folder) == ["double"]


def test_options_of_mypy(folder: Path) -> None:
    """Options that are not ours go to mypy, among the paths or after `--`."""
    broken = TOOL + "\nx: int = ''\n"
    (folder / "tools.py").write_text(broken, encoding="utf-8")
    for arguments in (("--no-error-summary", "tools.py"), ("--", "--no-error-summary", "tools.py")):
        done = build(folder, *arguments)
        assert done.returncode == 1
        assert "[assignment]" in done.stdout
        assert "Found" not in done.stdout


def test_a_configuration_by_name(folder: Path) -> None:
    """`--config-file` is honoured, and its plugins stay."""
    (folder / "other.ini").write_text("[mypy]\nplugins = theirs.py\n", encoding="utf-8")
    (folder / "theirs.py").write_text(THEIRS, encoding="utf-8")
    done = build(folder, "--config-file", "other.ini", "tools.py")
    assert done.returncode == 0, done.stdout
    assert done.stdout.startswith("theirs\n")
    assert names(folder) == ["double"]
    missing = build(folder, "--config-file=nowhere.ini", "tools.py")
    assert missing.returncode == 2
    assert "nowhere.ini" in missing.stderr


def test_a_failure_of_mypy_is_passed_on(folder: Path) -> None:
    """mypy's exit code 2 stays 2."""
    (folder / "tools.py").write_text("def (", encoding="utf-8")
    done = build(folder, "tools.py")
    assert done.returncode == 2
    assert "[syntax]" in done.stdout


def test_without_its_extra_the_command_says_what_to_install() -> None:
    """A bare installation answers with a command to paste, and no traceback."""
    code = "import sys; sys.modules['typer'] = None; from toolcall._cli import main; main()"
    done = subprocess.run([sys.executable, "-c", code], check=False, capture_output=True, text=True)
    assert done.returncode == 1
    assert "needs typer" in done.stderr
    assert "-m pip install 'toolcall-static[cli]'" in done.stderr
    assert "Traceback" not in done.stderr


def test_the_version() -> None:
    """`toolcall --version` says which one it is."""
    import toolcall

    done = subprocess.run(
        [sys.executable, "-m", "toolcall", "--version"], check=False, capture_output=True, text=True
    )
    assert done.stdout == f"toolcall {toolcall.__version__}\n"
