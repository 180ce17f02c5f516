"""Modules built by mypy with the plugin, then imported: the whole way once a run."""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

pytest.importorskip("mypy", reason="the whole way needs the plugin")


@pytest.fixture(scope="session")
def echoes(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    """The module `echoes`, checked and imported."""
    return _built(tmp_path_factory.mktemp("whole"), "echoes")


@pytest.fixture(scope="session")
def reported(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    """The module `reported`, checked and imported."""
    return _built(tmp_path_factory.mktemp("reported"), "reported")


def _built(folder: Path, name: str) -> ModuleType:
    path = folder / f"{name}.py"
    shutil.copy(Path(__file__).with_name(f"{name}.py"), path)
    (folder / "mypy.ini").write_text("[mypy]\nplugins = toolcall_mypy\n", encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "mypy", path.name],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module
