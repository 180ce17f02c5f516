"""What the page on shipping says, followed: its package, built once, and this project's wheel."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FILE = re.compile(r'^```\w+ title="([^"]+)"\n(.*?)^```$', re.MULTILINE | re.DOTALL)
FILES = dict(FILE.findall((ROOT / "docs/shipping.md").read_text(encoding="utf-8")))

USE = """\
import sys
from importlib.util import find_spec

from toolcall import emit, run
from shop.stock import tea

assert find_spec("mypy") is None or "toolcall_mypy" not in sys.modules
(tool,) = emit(tea)
assert tool["function"]["name"] == "order", tool
assert "wanted" in tool["function"]["parameters"]["properties"], tool
print(run(tea, "order", '{"wanted": {"kind": "green", "grams": 50}}').value)
"""
SAID = "50 g of green\n"


def run(*command: object, cwd: Path | None = None, fails: bool = False) -> str:
    """What a command prints; it must end well, or must not."""
    scripts = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    done = subprocess.run(
        [str(part) for part in command],
        cwd=cwd,
        check=False,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        stdin=subprocess.DEVNULL,
        env={**os.environ, "PATH": scripts},
    )
    assert (done.returncode != 0) is fails, done.stdout
    return done.stdout


@pytest.fixture(scope="session")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page's package with its sidecars; nobody may change it."""
    folder = tmp_path_factory.mktemp("shop")
    for name, text in FILES.items():
        if name.startswith("shop/"):
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
    pytest.importorskip("build.env", reason="build is not installed")
    run(sys.executable, "-m", "toolcall", "build", "shop", cwd=folder)
    return folder / "shop"


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """This project's own wheel, by way of its sdist."""
    folder = tmp_path_factory.mktemp("dist")
    run(sys.executable, "-m", "build", "--no-isolation", "--outdir", folder, ROOT)
    return next(folder.glob("*.whl"))


@pytest.fixture
def package(shop: Path, tmp_path: Path) -> Path:
    """A copy of the package, in a folder of its own."""
    return Path(shutil.copytree(shop, tmp_path / "src/shop"))


def clean_environment(folder: Path, *wheels: Path) -> Path:
    """The interpreter of a new environment with nothing but these wheels."""
    run(sys.executable, "-m", "venv", "--without-pip", folder)
    python = folder / "bin/python"
    install = ["--no-index", "--no-deps", "--quiet"]
    run(sys.executable, "-m", "pip", "--python", python, "install", *install, *wheels)
    return python
