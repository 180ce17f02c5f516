"""The README's commands are what CI runs, and what a newcomer can paste."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def command(name: str) -> str:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    found = re.search(rf"<!-- {name} -->\n```sh\n(.*?)\n```\n<!-- end -->", text, re.DOTALL)
    assert found is not None, name
    return found[1]


@pytest.mark.parametrize(
    ("name", "end"), [("demo", "toolcall demo"), ("test", "-m pytest -q -n 2")]
)
def test_each_command_is_one_line(name: str, end: str) -> None:
    """A command is one line, installs into an environment of its own, and ends in its purpose."""
    line = command(name)
    assert "\n" not in line
    assert line.startswith("python3 -m venv --without-pip .venv && ")
    assert line.endswith(end)


def test_ci_runs_the_readmes_command() -> None:
    """The script takes the command out of the README instead of having one of its own."""
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    taken = re.search(r"^test_command=(.*)$", script, re.MULTILINE)
    assert taken is not None
    bash = shutil.which("bash")
    if bash is None:
        pytest.skip("there is no bash")
    done = subprocess.run(
        [bash, "-c", f'test_command={taken[1]}; printf "%s" "$test_command"'],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    )
    assert done.stdout == command("test")
    assert 'bash -euo pipefail -c "$test_command"' in script
