"""TOOLCALL_AUTOBUILD: a first edit does not end in an exception."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

SHOW = (
    "from toolcall import emit; from shop import stock;"
    "print([sorted(t['function']['parameters']['properties']) for t in emit(stock)])"
)


def python(folder: Path, program: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", program],
        cwd=folder,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )


def edit(folder: Path, old: str, new: str) -> None:
    source = folder / "shop/stock.py"
    text = source.read_text(encoding="utf-8")
    assert old in text
    source.write_text(text.replace(old, new), encoding="utf-8")


def test_a_stale_and_a_missing_sidecar_are_built_when_asked_for(project: Path) -> None:
    """With the variable the tools are as their source says; without it, it is an error."""
    edit(project, "article: str, where", "article: str, shelf: int, where")
    assert "StaleSchema" in python(project, SHOW).stderr
    assert "StaleSchema" in python(project, SHOW, TOOLCALL_AUTOBUILD="0").stderr
    built = python(project, SHOW, TOOLCALL_AUTOBUILD="1")
    assert built.stdout == "[['article', 'shelf', 'where'], ['article', 'pieces']]\n"
    shutil.rmtree(project / "shop/__toolcall__")
    assert python(project, SHOW, TOOLCALL_AUTOBUILD="1").stdout == built.stdout
    # Nothing is left to build, and nothing is.
    assert python(project, SHOW).stdout == built.stdout


def test_errors_of_a_build_that_helped_are_logged(project: Path) -> None:
    """A tool that works in spite of an error does not hide it; a clean build says nothing."""
    edit(project, "article: str, where", "article: str, shelf: 'Nope', where")
    built = python(project, SHOW, TOOLCALL_AUTOBUILD="1")
    assert "'shelf'" in built.stdout
    assert built.stderr.count('Name "Nope" is not defined') == 1
    edit(project, "shelf: 'Nope'", "shelf: int")
    assert python(project, SHOW, TOOLCALL_AUTOBUILD="1").stderr == ""


def test_what_building_does_not_cure_is_told_with_the_checkers_words(project: Path) -> None:
    """A sidecar that cannot be written is still missing; the checker's output says why."""
    shutil.rmtree(project / "shop/__toolcall__")
    (project / "pyproject.toml").write_text("[tool.mypy]\nplugins = ['nothing_of_that_name']\n")
    failed = python(project, SHOW, TOOLCALL_AUTOBUILD="1")
    assert "SchemaNotBuilt" in failed.stderr
    assert "nothing_of_that_name" in failed.stderr


def test_one_state_of_the_files_is_built_once(project: Path) -> None:
    """Asking again does not run the checker again until something has changed."""
    shutil.rmtree(project / "shop/__toolcall__")
    (project / "pyproject.toml").write_text("[tool.mypy]\nplugins = ['nothing_of_that_name']\n")
    program = (
        "from toolcall import _autobuild, emit; from shop import stock\n"
        "runs = []; build = _autobuild._build\n"
        "_autobuild._build = lambda path: runs.append(path) or build(path)\n"
        "for _ in range(3):\n"
        "    try: emit(stock)\n"
        "    except Exception as error: print(type(error).__name__)\n"
        "print(len(runs))"
    )
    asked = python(project, program, TOOLCALL_AUTOBUILD="1")
    assert asked.stdout == "SchemaNotBuilt\n" * 3 + "1\n"


def test_the_option_of_pytest(project: Path) -> None:
    """A suite with stale tools fails without it, and passes with the option or the setting."""
    edit(project, "article: str, where", "article: str, shelf: int, where")
    (project / "test_stock.py").write_text(
        "from toolcall import emit\nfrom shop import stock\n\n\n"
        "def test_it():\n    assert 'shelf' in str(emit(stock))\n"
    )

    def suite(*options: str) -> subprocess.CompletedProcess[str]:
        plugin = ["-p", "toolcall._pytest"]
        command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *plugin, *options]
        environment = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
        environment.pop("TOOLCALL_AUTOBUILD", None)
        return subprocess.run(
            command, cwd=project, env=environment, capture_output=True, text=True, check=False
        )

    stale = suite()
    assert stale.returncode == 1
    assert "StaleSchema" in stale.stdout
    for options in (["--toolcall-autobuild"], ["-o", "toolcall_autobuild=true"]):
        built = suite(*options)
        assert built.returncode == 0, built.stdout
        assert "toolcall: tools are built" in built.stdout
        edit(project, "shelf: int, ", "shelf: int, more: int, ")
