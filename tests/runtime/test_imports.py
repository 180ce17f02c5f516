"""What `import toolcall` costs is what it loads."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

import toolcall
from tests.runtime.builders import ROOT, Packages, entry

ALLOWED = {"__future__", "toolcall", "toolcall._tool"}
"""All that importing and marking may load beyond what a bare Python has loaded."""

MARKING = """
import sys
before = set(sys.modules)
import toolcall
from toolcall import hidden, tool, use

@tool
def plain(n: int) -> int: return n

@tool(name="other", timeout=1, concurrent=True, options={"a": 1}, types=[int], read_only=True)
def configured(n: int) -> int: return n

class Desk:
    @tool
    @staticmethod
    def book(n: int) -> int: return n

def make():
    @tool
    def inner(n: int) -> int: return n
    return inner

make()
tool(len)
use(__name__)
names = sorted(set(sys.modules) - before)
import json
print(json.dumps(names))
"""


def loaded(program: str) -> set[str]:
    command = [sys.executable, "-c", program]
    environment = dict(os.environ, PYTHONPATH=str(ROOT))
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    return set(json.loads(done.stdout.splitlines()[-1]))


def test_importing_and_marking_load_nothing() -> None:
    """Neither `import toolcall` nor any form of marking loads a standard library module."""
    assert loaded(MARKING) == ALLOWED


def test_emitting_loads_no_heavy_module(packages: Packages) -> None:
    """Emitting from a fresh sidecar loads none of the modules that cost milliseconds."""
    packages.source("cheap", "from toolcall import tool\n@tool\ndef f(n: int) -> int: return n\n")
    packages.build("cheap", [entry("f", line=2)])
    root = packages.root
    names = loaded(
        f"import sys\nsys.path.insert(0, {str(root)!r})\nbefore = set(sys.modules)\n"
        "import toolcall, cheap\n"
        "assert [t['function']['name'] for t in toolcall.emit(cheap)] == ['f']\n"
        "names = sorted(set(sys.modules) - before)\nimport json\nprint(json.dumps(names))"
    )
    heavy = {"ast", "asyncio", "dataclasses", "enum", "functools", "inspect", "json", "logging"}
    heavy |= {"pathlib", "re", "tokenize", "typing", "hashlib"}
    assert names & heavy == set()


def test_all_is_sorted_and_complete() -> None:
    """`__all__` is sorted, and every name in it can be had."""
    assert toolcall.__all__ == sorted(toolcall.__all__)
    assert set(toolcall.__all__) == {*toolcall._HOMES, "hidden", "tool", "use"}
    for name in toolcall.__all__:
        assert getattr(toolcall, name) is not None


def test_unknown_name() -> None:
    """A name that is not there is an AttributeError, as for every module."""
    with pytest.raises(AttributeError, match="no attribute 'tols'"):
        toolcall.tols  # type: ignore[attr-defined]  # noqa: B018
