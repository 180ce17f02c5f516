"""The same bytes from every process, hash seed and Python: prompts and grammars are cached."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ROWS = Path(__file__).with_name("type_rows.json")

# Names that a vendor refuses, and a root that it refuses, are said in other words.
SCRIPT = """
import hashlib, json, sys, warnings
from toolcall import Function, emit, formats
warnings.simplefilter("ignore")
with open(sys.argv[1], encoding="utf-8") as file:
    rows = json.load(file)
definitions = [{"tool": tool, "types": rows["types"]} for tool in rows["tools"]]
schema = {
    "anyOf": [
        {"properties": {"$a": {"type": "string"}, "b c": {"const": 1}}, "required": ["$a"]},
        {"properties": {"a.b": {"enum": ["x"]}, "b c": {"const": 2}}, "required": ["b c"]},
    ]
}
given = [Function(name="given", schema=schema, call=repr)]
said = hashlib.sha256()
for name in formats.NAMES:
    for strict in (False, True):
        tools = formats.get(name).render_tools(definitions, strict=strict)
        tools += emit(given, name, strict=strict)
        said.update(json.dumps(tools, ensure_ascii=False).encode())
print(said.hexdigest())
"""


def rendered(python: str, seed: str) -> str:
    """A digest of every row in every format, as a process of its own renders them."""
    environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT)}
    command = [python, "-c", SCRIPT, str(ROWS)]
    done = subprocess.run(
        command, env=environment, capture_output=True, text=True, check=False, timeout=120
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def pythons() -> list[str]:
    """The other supported versions that this machine has and that start."""
    found = []
    for minor in (10, 11, 12, 13, 14):
        path = shutil.which(f"python3.{minor}")
        if path is None or sys.version_info[:2] == (3, minor):
            continue
        asked = subprocess.run([path, "--version"], capture_output=True, check=False)
        if asked.returncode == 0:
            found.append(path)
    return found


def test_hash_seeds() -> None:
    """Sets and dicts are never written in an order of their own."""
    assert len({rendered(sys.executable, seed) for seed in ("0", "1", "4242")}) == 1


def test_other_pythons() -> None:
    """A file that one Python wrote is the file that another one writes."""
    others = pythons()
    if not others:
        pytest.skip("there is no other supported Python here")
    mine = rendered(sys.executable, "0")
    assert {python: rendered(python, "7") for python in others} == dict.fromkeys(others, mine)
