"""What an edit does to a sidecar that the checker wrote: nothing, or one stale tool."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from .project import Project

ALIASES = """
City = str
\"\"\"A city.\"\"\"

LIMIT = 3
"""
TOOLS = """
from aliases import City, LIMIT
from toolcall import tool

@tool
def go(city: City, limit: int = LIMIT) -> str:
    return city

@tool
def stay(days: int = 1) -> int:
    return days
"""
EMIT = """
import toolcall, tools
from toolcall.errors import StaleSchema
answers = []
for tool in (tools.go, tools.stay):
    try:
        toolcall.emit(tool)
        answers.append("fresh")
    except StaleSchema as error:
        assert "mypy" in str(error), error
        answers.append("stale")
print(*answers)
"""


@pytest.fixture
def project(tmp_path: Path, warm_cache: Path) -> Project:
    made = Project(tmp_path, cache=warm_cache)
    made.write("aliases.py", ALIASES)
    made.write("tools.py", TOOLS)
    made.check()
    return made


def answers(project: Project) -> str:
    """Whether `go` and `stay` are fresh, as a program sees it."""
    done = subprocess.run(
        [sys.executable, "-c", EMIT],
        cwd=project.folder,
        capture_output=True,
        text=True,
        check=True,
        env={"PYTHONDONTWRITEBYTECODE": "1", "PATH": ""},
    )
    return done.stdout.strip()


EDITS = [
    ("tools.py", TOOLS, "fresh fresh"),
    ("tools.py", TOOLS.replace("return days", "return days + 1  # more"), "fresh fresh"),
    ("tools.py", "x = 1\n" + TOOLS.replace("city: City, ", "city: City,\n    "), "fresh fresh"),
    ("tools.py", TOOLS.replace("days: int = 1", "days: int = 2"), "fresh stale"),
    ("tools.py", TOOLS.replace("days: int", "days: float"), "fresh stale"),
    ("tools.py", TOOLS.replace("    return city", '    "Go."\n    return city'), "stale fresh"),
    ("aliases.py", ALIASES.replace("A city", "A town"), "stale fresh"),
    ("aliases.py", ALIASES.replace("LIMIT = 3", "LIMIT = 4"), "stale fresh"),
    ("aliases.py", ALIASES + "\nOTHER = 1\n", "fresh fresh"),
]


@pytest.mark.parametrize(("name", "text", "expected"), EDITS)
def test_edit(project: Project, name: str, text: str, expected: str) -> None:
    """An edit makes stale what it changes for the model, and nothing else; a run cures it."""
    project.write(name, text)
    assert answers(project) == expected
    project.check()
    assert answers(project) == "fresh fresh"
