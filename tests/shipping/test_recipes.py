"""Each recipe of the page: built, installed where there is no mypy, emitted, run."""

from __future__ import annotations

import shutil
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.shipping.conftest import FILES, SAID, USE, clean_environment, run

BACKENDS = {
    "hatchling": "hatchling",
    "hatchling-plain": "hatchling",
    "setuptools": "setuptools",
    "uv": "uv_build",
}


def project(package: Path, recipe: str) -> Path:
    """The package made a project by a recipe; version control ignores its sidecars."""
    if find_spec(BACKENDS[recipe]) is None:
        pytest.skip(f"{BACKENDS[recipe]} is not installed")
    folder = package.parent
    (folder / "pyproject.toml").write_text(FILES[f"{recipe}/pyproject.toml"], encoding="utf-8")
    if recipe.startswith("hatchling"):
        (folder / ".gitignore").write_text("__toolcall__/\n", encoding="utf-8")
    return folder


def build(folder: Path, *, fails: bool = False) -> str:
    return run(sys.executable, "-m", "build", "--no-isolation", cwd=folder, fails=fails)


@pytest.mark.parametrize("recipe", BACKENDS)
def test_a_built_package_works_without_the_checker(
    recipe: str, package: Path, wheel: Path, tmp_path: Path
) -> None:
    """Built by way of its sdist, it emits and runs in an environment that has no mypy."""
    folder = project(package, recipe)
    build(folder)
    built = next((folder / "dist").glob("*.whl"))
    python = clean_environment(tmp_path / "venv", wheel, built)
    assert run(python, "-c", "import mypy", cwd=tmp_path, fails=True)
    assert run(python, "-c", USE, cwd=tmp_path) == SAID
    assert (
        run(python, "-c", "from toolcall import load, tool_names; print(tool_names(load('shop')))")
        == "['order']\n"
    )


def test_the_hook_refuses_what_is_wrong(package: Path) -> None:
    """A stale tool, and a module without its sidecar, end the build and are named."""
    folder = project(package, "hatchling")
    source = package / "stock/tea.py"
    source.write_text(source.read_text().replace("grams: int", "grams: float"))
    said = build(folder, fails=True)
    assert "stale" in said
    assert "'order'" in said
    shutil.rmtree(package / "stock/__toolcall__")
    said = build(folder, fails=True)
    assert "missing" in said
    assert "order" in said


def test_the_hook_leaves_editable_installs_alone(package: Path, tmp_path: Path) -> None:
    """Who develops may have stale sidecars for a while."""
    folder = project(package, "hatchling")
    shutil.rmtree(package / "stock/__toolcall__")
    if find_spec("editables") is None:
        pytest.skip("editables is not installed")
    command = "from hatchling.build import build_editable; print(build_editable('.'))"
    built = run(sys.executable, "-c", command, cwd=folder).split()[-1]
    python = clean_environment(tmp_path / "venv", folder / built)
    assert run(python, "-c", "import shop", cwd=tmp_path) == ""


def test_zipapp(package: Path, wheel: Path, tmp_path: Path) -> None:
    """Package, library and sidecars in one zip."""
    app = tmp_path / "app"
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps"]
    run(*pip, "--target", app, wheel)
    shutil.copytree(package, app / "shop")
    (app / "__main__.py").write_text(USE)
    run(sys.executable, "-m", "zipapp", app, "--output", tmp_path / "shop.pyz")
    shutil.rmtree(app)
    assert run(sys.executable, "-I", tmp_path / "shop.pyz", cwd=tmp_path) == SAID


def test_compiled_files_only(package: Path, wheel: Path, tmp_path: Path) -> None:
    """Without sources, the library's either."""
    python = clean_environment(tmp_path / "venv", wheel)
    libraries = next((tmp_path / "venv/lib").glob("python*/site-packages"))
    shutil.move(str(package), libraries / "shop")
    run(python, "-m", "compileall", "-b", "-q", libraries)
    for source in libraries.rglob("*.py"):
        source.unlink()
    assert run(python, "-c", USE, cwd=tmp_path) == SAID


def test_pyinstaller(package: Path, tmp_path: Path) -> None:
    """One folder with a program in it."""
    if find_spec("PyInstaller") is None:
        pytest.skip("pyinstaller is not installed")
    folder = package.parent
    (folder / "main.py").write_text(USE)
    flags = ["--collect-submodules", "toolcall", "--collect-data", "shop", "--noconfirm"]
    exclude = ["--exclude-module", "mypy", "--exclude-module", "toolcall_mypy"]
    run(sys.executable, "-m", "PyInstaller", *flags, *exclude, "main.py", cwd=folder)
    moved = shutil.move(str(folder / "dist/main"), tmp_path / "moved")
    shutil.rmtree(folder)
    assert run(Path(moved) / "main", cwd=tmp_path) == SAID
