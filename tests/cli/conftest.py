"""A small project with tools, built once, copied for each test."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

FILES = {
    "shop/__init__.py": "",
    "shop/stock.py": '''\
from typing import Annotated, Literal

from toolcall import tool


@tool
def count(article: str, where: Literal["shelf", "cellar"] = "shelf") -> int:
    """Count what is left of an article.

    Args:
        article: Name of the article.
    """
    return len(article)


@tool
def order(article: str, pieces: Annotated[int, "How many."] = 10) -> str:
    """Order more of an article."""
    return f"{pieces} {article}"


class Till:
    @tool
    def pay(self, amount: int) -> int:
        """Pay."""
        return amount
''',
    "shop/people.py": '''\
from toolcall import tool


@tool
def greet(name: str) -> str:
    """Greet somebody."""
    return f"Hello {name}"
''',
    "pyproject.toml": '[tool.mypy]\nplugins = ["toolcall_mypy"]\n',
}


def build(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run `toolcall build` in a folder."""
    return subprocess.run(
        [sys.executable, "-m", "toolcall", "build", *arguments],
        cwd=folder,
        check=False,
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
    )


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The project with its sidecars; nobody may change it."""
    folder = tmp_path_factory.mktemp("built")
    for name, text in FILES.items():
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    done = build(folder, "shop")
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


@pytest.fixture
def project(built: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the project, which is the working directory as well."""
    folder = tmp_path / "project"
    shutil.copytree(built, folder, ignore=shutil.ignore_patterns(".mypy_cache"))
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture
def run(capfd: pytest.CaptureFixture[str]) -> Callable[..., Any]:
    """Run a command in process: its exit code, what it printed, what it complained of."""
    from toolcall._cli.app import app

    def run(*arguments: str) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as left:
            app(list(arguments), prog_name="toolcall")
        return (left.value.code, *capfd.readouterr())  # type: ignore[return-value]

    return run
