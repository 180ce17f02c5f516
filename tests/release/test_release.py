"""What is uploaded: metadata, contents, every supported Python, every common checker."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path
from zipfile import ZipFile

import pytest

import toolcall

ROOT = Path(__file__).parents[2]
MARKED = ROOT / "tests/typing/marked.py"
VERSIONS = ("3.10", "3.11", "3.12", "3.13")

USE = """\
import json
import sys

import toolcall
from toolcall import Function, FunctionParam, Ok, emit, run

for name in toolcall.__all__:
    getattr(toolcall, name)
params = [FunctionParam("a", "number")]
add = Function("add", "Add.", params=params, call=lambda given: given["a"] + 1)
assert emit(add)[0]["function"]["name"] == "add"
assert run(add, "add", {"a": 1}) == Ok(2)
print(sys.version_info[:2])
"""


def command(*arguments: object, fails: bool = False) -> str:
    scripts = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    done = subprocess.run(
        [str(argument) for argument in arguments],
        check=False,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        stdin=subprocess.DEVNULL,
        text=True,
        env={**os.environ, "PATH": scripts, "NO_COLOR": "1", "PYRIGHT_PYTHON_IGNORE_WARNINGS": "1"},
    )
    assert (done.returncode != 0) is fails, done.stdout
    return done.stdout


@pytest.fixture(scope="session")
def dist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sdist, and the wheel that was built from it."""
    folder = tmp_path_factory.mktemp("dist")
    pytest.importorskip("build.env", reason="build is not installed")
    command(sys.executable, "-m", "build", "--no-isolation", "--outdir", folder, ROOT)
    return folder


def test_metadata(dist: Path) -> None:
    """The index takes both files, and shows the README."""
    said = command(sys.executable, "-m", "twine", "check", "--strict", *dist.iterdir())
    assert said.count("PASSED") == 2


def test_contents(dist: Path) -> None:
    """Both packages with their markers, entry points and licence; no tests in the wheel."""
    (wheel,) = dist.glob("*.whl")
    names = ZipFile(wheel).namelist()
    for name in ("toolcall/py.typed", "toolcall_mypy/py.typed", "toolcall/demo/trains.py"):
        assert name in names
    assert {name.partition("/")[0] for name in names if ".dist-info" not in name} == {
        "toolcall",
        "toolcall_mypy",
    }
    points = ZipFile(wheel).read(next(name for name in names if name.endswith("entry_points.txt")))
    for group in ("console_scripts", "pytest11", "hatch"):
        assert f"[{group}]".encode() in points
    (sdist,) = dist.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        inside = {name.partition("/")[2] for name in archive.getnames()}
    assert {"LICENSE", "README.md", "CHANGELOG.md", "pyproject.toml"} <= inside


def test_the_changelog_has_this_version() -> None:
    """One heading for what is released next, or was released last."""
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    headings = re.findall(r"^## \[?([^\]\s]+)", text, re.MULTILINE)
    assert headings[0].lower() == "unreleased" or headings[0] == toolcall.__version__


@pytest.mark.parametrize("version", VERSIONS)
def test_the_wheel_in_every_python(version: str, dist: Path, tmp_path: Path) -> None:
    """Installed without anything else, every public name is there and a tool runs."""
    python = shutil.which(f"python{version}")
    if python is None or subprocess.run([python, "-V"], check=False).returncode:
        pytest.skip(f"there is no Python {version}")
    command(python, "-m", "venv", "--without-pip", tmp_path / "venv")
    (wheel,) = dist.glob("*.whl")
    own = tmp_path / "venv/bin/python"
    options = ["--no-index", "--no-deps", "--quiet"]
    command(sys.executable, "-m", "pip", "--python", own, "install", *options, wheel)
    said = command(own, "-W", "error", "-I", "-c", USE)
    assert said == f"({version.replace('.', ', ')})\n"


CHECKERS = {
    "mypy": ["-m", "mypy", "--strict", "--config-file="],
    "pyright": ["-m", "pyright", "--pythonpath", sys.executable],
    "ty": ["-m", "ty", "check", "--output-format", "concise", "--python", sys.prefix],
    "pyrefly": ["-m", "pyrefly", "check", "--python-interpreter-path", sys.executable,
                "--output-format", "min-text"],
}  # fmt: skip


@pytest.mark.parametrize("checker", CHECKERS)
def test_checkers_agree_on_the_public_names(checker: str, tmp_path: Path) -> None:
    """Each complains of the lines that are wrong on purpose, and of no other."""
    pytest.importorskip(checker)
    lines = MARKED.read_text(encoding="utf-8").splitlines()
    wrong = {number for number, line in enumerate(lines, 1) if "# type: ignore" in line}
    assert wrong
    bare = tmp_path / "marked.py"
    bare.write_text("\n".join(line.partition("  # type: ignore")[0] for line in lines) + "\n")
    (tmp_path / "pyrefly.toml").write_text('preset = "strict"\n')
    said = command(sys.executable, *CHECKERS[checker], bare, fails=True)
    found = {
        int(number)
        for line in said.splitlines()
        for number in re.findall(r"marked\.py:(\d+)\b.*error", line, re.IGNORECASE)
    } | {int(n) for n in re.findall(r"^\s*ERROR .*marked\.py:(\d+)", said, re.MULTILINE)}
    assert found == wrong, said
