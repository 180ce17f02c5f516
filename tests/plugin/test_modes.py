"""Sidecars are right after every way of running mypy, and findings come and go with the code."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from toolcall_mypy.plugin import HAS_DONE

from .project import Daemon, Project

NEEDS_DONE = pytest.mark.skipif(not HAS_DONE, reason="mypy 2.4 says when a module is done")

ALIASES = '''
City = str
"""A city."""
'''
TOOLS = """
from aliases import City
from toolcall import tool

@tool
def go(city: City) -> None: ...

@tool
def stay(days: int = 1) -> None: ...
"""


@pytest.fixture
def project(tmp_path: Path, warm_cache: Path) -> Project:
    made = Project(tmp_path, cache=warm_cache)
    made.write("aliases.py", ALIASES)
    made.write("tools.py", TOOLS)
    return made


def test_cold(project: Project) -> None:
    """A first run writes the sidecar of every module with tools, and of no other."""
    project.check()
    assert list(project.tools("tools")) == ["go", "stay"]
    assert project.sidecar("aliases") is None


def test_deterministic(project: Project) -> None:
    """Two cold runs write the same bytes."""
    project.check()
    first = project.sidecar_path("tools").read_bytes()
    project.sidecar_path("tools").unlink()
    project.check(flags=("--no-incremental",))
    assert project.sidecar_path("tools").read_bytes() == first


def test_warm_run_checks_nothing(project: Project) -> None:
    """With nothing changed, mypy takes every module from its cache and the sidecar stays."""
    project.check()
    before = project.sidecar_path("tools").stat()
    again = project.check()
    assert again.checked == set()
    assert project.sidecar_path("tools").stat().st_mtime_ns == before.st_mtime_ns


def test_deleted_sidecar_is_written_again(project: Project) -> None:
    """A missing sidecar makes its module, and only that, be checked again."""
    project.check()
    project.sidecar_path("tools").unlink()
    again = project.check()
    assert again.checked == {"tools"}
    assert list(project.tools("tools")) == ["go", "stay"]
    assert project.check().checked == set()


def test_edited_sidecar_is_repaired(project: Project) -> None:
    """An edit by hand does not survive the next run."""
    project.check()
    path = project.sidecar_path("tools")
    good = path.read_bytes()
    path.write_bytes(good.replace(b"stay", b"away"))
    project.check()
    assert path.read_bytes() == good


def test_same_size_edit_within_a_second(project: Project) -> None:
    """An edit that mypy's own clock cannot see is seen."""
    project.check()
    source = project.folder / "tools.py"
    stat = source.stat()
    source.write_text(source.read_text().replace("days: int = 1", "days: int = 2"))
    os.utime(source, ns=(stat.st_atime_ns, stat.st_mtime_ns ^ 1))
    project.check()
    assert project.tools("tools")["stay"]["parameters"][0]["default"] == 2


def test_same_size_edit_of_a_contributor(project: Project) -> None:
    """So is one of the module that an alias comes from, its type included."""
    project.check()
    source = project.folder / "aliases.py"
    stat = source.stat()
    source.write_text(source.read_text().replace("str", "int").replace("A city", "A town"))
    os.utime(source, ns=(stat.st_atime_ns, stat.st_mtime_ns ^ 1))
    project.check()
    assert project.doc("tools", "go") == "A town."
    assert project.tools("tools")["go"]["parameters"][0]["type"] == {"kind": "integer"}


def test_alias_documentation_changes_elsewhere(project: Project) -> None:
    """Documentation that another module gives is brought up to date in a warm run."""
    project.check()
    project.write("aliases.py", ALIASES.replace("A city", "Some other city"))
    project.check()
    assert project.doc("tools", "go") == "Some other city."
    assert project.check().checked == set()


def test_last_tool_removed(project: Project) -> None:
    """A module without tools has no sidecar, and no folder for it."""
    project.check()
    project.write("tools.py", "x = 1\n")
    project.check()
    assert project.sidecar("tools") is None
    assert not project.sidecar_path("tools").parent.exists()
    assert project.check().checked == set()


def test_type_errors_beside(project: Project) -> None:
    """Errors elsewhere in the module keep no tool from being written, cold or warm."""
    project.write("tools.py", TOOLS + '\nx: int = "no"\n')
    assert len(project.check().messages) == 1
    assert list(project.tools("tools")) == ["go", "stay"]
    project.sidecar_path("tools").unlink()
    assert len(project.check().messages) == 1
    assert list(project.tools("tools")) == ["go", "stay"]


def test_findings_are_replayed(project: Project) -> None:
    """A finding is printed by a run that takes its module from the cache."""
    project.write("tools.py", "from toolcall import tool\n\n@tool\ndef f(a, b: int): ...\n")
    first, second = project.check(), project.check()
    assert first.codes() == ["missing-annotation"]
    assert second.messages == first.messages
    assert second.checked == set()


def test_no_incremental(project: Project) -> None:
    """Without a cache every run derives everything."""
    project.check(flags=("--no-incremental",))
    assert list(project.tools("tools")) == ["go", "stay"]


def test_stubs_and_installed_modules_get_no_sidecar(project: Project) -> None:
    """A sidecar is written only for sources that belong to the user."""
    project.write("site-packages/lib.py", TOOLS.replace("from aliases import City", "City = str"))
    project.check("site-packages/lib.py")
    assert not (project.folder / "site-packages" / "__toolcall__").exists()


def test_cache_dir(tmp_path: Path, warm_cache: Path) -> None:
    """Sidecars can lie in a folder of their own."""
    project = Project(tmp_path, "[toolcall]\ncache_dir = out\n", cache=warm_cache)
    project.write("tools.py", TOOLS.replace("from aliases import City", "City = str"))
    project.check()
    assert (tmp_path / "out" / "tools.json").is_file()
    assert project.sidecar("tools") is None


@NEEDS_DONE
def test_workers(project: Project) -> None:
    """With worker processes the sidecars are the same."""
    for number in range(6):
        project.write(f"more{number}.py", TOOLS)
    project.check()
    names = ["tools", *(f"more{number}" for number in range(6))]
    before = {name: project.sidecar_path(name).read_bytes() for name in names}
    for name in names:
        project.sidecar_path(name).unlink()
    command = [sys.executable, "-m", "mypy", "--num-workers=2", "--cache-dir=other", "."]
    done = subprocess.run(command, cwd=project.folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert {name: project.sidecar_path(name).read_bytes() for name in names} == before


# The daemon


@NEEDS_DONE
def test_daemon_follows_edits(project: Project) -> None:
    """An edited signature, a new tool and a removed one show at the next check."""
    daemon = Daemon(project)
    daemon.check()
    assert list(project.tools("tools")) == ["go", "stay"]
    project.write("tools.py", TOOLS.replace("days: int = 1", "days: str, hours: int"))
    daemon.check()
    assert [one["name"] for one in project.tools("tools")["stay"]["parameters"]] == [
        "days",
        "hours",
    ]
    project.write("tools.py", TOOLS.replace("stay", "leave"))
    daemon.check()
    assert list(project.tools("tools")) == ["go", "leave"]
    project.write("tools.py", "x = 1\n")
    daemon.check()
    assert project.sidecar("tools") is None


def test_daemon_follows_types_of_other_modules(project: Project) -> None:
    """A changed alias re-checks its users, and their sidecars follow."""
    daemon = Daemon(project)
    daemon.check()
    project.write("aliases.py", "City = int\n")
    daemon.check()
    assert project.tools("tools")["go"]["parameters"][0]["type"] == {"kind": "integer"}
    assert project.doc("tools", "go") is None
    assert list(project.tools("tools")) == ["go", "stay"]


@NEEDS_DONE
def test_daemon_follows_documentation_of_other_modules(project: Project) -> None:
    """A changed docstring re-checks nobody in the daemon, and sidecars follow all the same."""
    daemon = Daemon(project)
    daemon.check()
    project.write("aliases.py", ALIASES.replace("A city", "Some other city"))
    daemon.check()
    assert project.doc("tools", "go") == "Some other city."


def test_daemon_moves_findings(project: Project) -> None:
    """A finding moves with its code, vanishes with its cause, and returns."""
    wrong = "from toolcall import tool\n\n@tool\ndef f(a, b: int): ...\n"
    project.write("tools.py", wrong)
    daemon = Daemon(project)
    assert 'tools.py:4: error: Parameter "a"' in daemon.check()
    project.write("tools.py", "# One line more.\n" + wrong)
    assert 'tools.py:5: error: Parameter "a"' in daemon.check()
    project.write("tools.py", wrong.replace("a,", "a: int,"))
    assert "toolcall-" not in daemon.check()
    project.write("tools.py", wrong)
    assert 'tools.py:4: error: Parameter "a"' in daemon.check()


def test_daemon_keeps_findings_of_unchanged_modules(project: Project) -> None:
    """A finding stays when another module is edited, also when its own is re-checked for that."""
    project.write("tools.py", TOOLS + "\n@tool\ndef f(a, b: City) -> None: ...\n")
    daemon = Daemon(project)
    assert 'Parameter "a"' in daemon.check()
    project.write("aliases.py", "City = int\n")
    assert 'Parameter "a"' in daemon.check()
    project.write("other.py", "x = 1\n")
    assert 'Parameter "a"' in daemon.check()


def test_daemon_follows_use(project: Project) -> None:
    """Tools of `use(__name__)` follow a changed alias too."""
    project.write(
        "tools.py",
        """
        from aliases import City
        from toolcall import use

        def go(city: City) -> None: ...

        use(__name__)
        """,
    )
    daemon = Daemon(project)
    daemon.check()
    project.write("aliases.py", "City = int\n")
    daemon.check()
    assert project.tools("tools")["go"]["parameters"][0]["type"] == {"kind": "integer"}


def test_daemon_survives_syntax_errors(project: Project) -> None:
    """A file that cannot be parsed is mypy's to report; its sidecar waits for the next check."""
    daemon = Daemon(project)
    daemon.check()
    project.write("tools.py", TOOLS + "\ndef (\n")
    assert "[syntax]" in daemon.check()
    project.write("tools.py", TOOLS.replace("stay", "leave"))
    daemon.check()
    assert list(project.tools("tools")) == ["go", "leave"]


def test_calls_follow_options_of_other_modules(project: Project) -> None:
    """A tool is renamed by its decorator; calls in other modules are checked against that."""
    tools = """
        from toolcall import tool

        @tool(name="NAME")
        def find(a: int) -> int:
            return a
    """
    project.write("tools.py", tools.replace("NAME", "find"))
    project.write(
        "user.py", 'import tools\nfrom toolcall import run\n\nrun(tools, "find", {"a": 1})\n'
    )
    assert project.check("tools.py", "user.py").codes() == []
    project.write("tools.py", tools.replace("NAME", "seek"))
    assert project.check("tools.py", "user.py").codes() == ["unknown-tool"]
    project.write("tools.py", tools.replace("NAME", "find"))
    assert project.check("tools.py", "user.py").codes() == []
    assert project.check("tools.py", "user.py").checked == set()
