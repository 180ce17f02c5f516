"""Source trees of other shapes, from mypy to a process that runs the tools."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("mypy", reason="the whole way needs the plugin")

TOOLS = '''\
from other.units import Metre
from toolcall import tool


@tool
def walk(far: Metre) -> str:
    """Walk on."""
    return f"{far} m"
'''
UNITS = '''\
Metre = float
"""In metres."""
'''
USE = """\
import json
from toolcall import emit, run
from space.part import tools
print(json.dumps([emit(tools, "openai"), run(tools, "walk", {"far": 2}).value]))
"""


def tree(folder: Path) -> list[str]:
    """All files and folders below one, and whether they may be written."""
    return sorted(
        f"{path.relative_to(folder)} {path.stat().st_mode:o}" for path in folder.rglob("*")
    )


def done(*command: str, cwd: Path, **environment: str) -> str:
    """What a command prints; it must succeed."""
    env = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1", **environment}
    ran = subprocess.run(command, cwd=cwd, env=env, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return ran.stdout


@pytest.fixture
def source(tmp_path: Path) -> Iterator[Path]:
    """Packages without `__init__.py`, two of them, in a folder that may be closed."""
    folder = tmp_path / "source"
    for name, text in {"space/part/tools.py": TOOLS, "other/units.py": UNITS}.items():
        path = folder / name
        path.parent.mkdir(parents=True)
        path.write_text(text, encoding="utf-8")
    yield folder
    for path in [folder, *folder.rglob("*")]:
        path.chmod(0o755 if path.is_dir() else 0o644)


def checked(source: Path, config: str = "") -> None:
    """Checked by mypy from beside the tree, with its cache there too."""
    beside = source.parent
    (beside / "mypy.ini").write_text(
        f"[mypy]\nplugins = toolcall_mypy\nmypy_path = {source}\n"
        f"explicit_package_bases = True\n{config}",
        encoding="utf-8",
    )
    done(sys.executable, "-m", "mypy", "-p", "space.part", cwd=beside)


SAID = '"far": {"type": "number", "description": "In metres."}'


def test_namespace_packages(source: Path) -> None:
    """Their tools have sidecars beside them, read what others document, and run."""
    checked(source)
    assert (source / "space/part/__toolcall__/tools.json").is_file()
    printed = done(sys.executable, "-c", USE, cwd=source)
    assert SAID in printed
    assert printed.endswith('"2.0 m"]\n')


def test_a_read_only_source_tree(source: Path) -> None:
    """With a folder for the sidecars nothing is written into it, by the checker or at run time."""
    for path in [source, *source.rglob("*")]:
        path.chmod(0o555 if path.is_dir() else 0o444)
    before = tree(source)
    kept = source.parent / "kept"
    checked(source, f"[toolcall]\ncache_dir = {kept}\n")
    printed = done(sys.executable, "-c", USE, cwd=source, TOOLCALL_CACHE_DIR=str(kept))
    assert SAID in printed
    assert printed.endswith('"2.0 m"]\n')
    assert tree(source) == before
