"""The codes of problems that pages list are those that the runtime has."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import toolcall
from toolcall._stdlib import CODES

ROOT = Path(__file__).parents[2]
TABLES = {"dispatch-and-problems": "| codes | |\n", "types": "| code | |\n"}
"""The pages, and how each one's table of codes begins."""

PARAMETER = "code"
OPTIONS = {"max_size", "max_depth"}
"""What else the tables name."""
CLASSES = {"Problem": 0}
"""Classes whose first argument is a code."""


@pytest.mark.parametrize("page", TABLES)
def test_a_page_lists_every_code_and_no_other(page: str) -> None:
    """A code that a program may meet is in the table, once."""
    text = (ROOT / f"docs/{page}.md").read_text(encoding="utf-8")
    table = text.partition(TABLES[page])[2].partition("\n\n")[0]
    listed = [code for code in re.findall(r"`(\w+)`", table) if code not in OPTIONS]
    assert sorted(listed) == sorted(set(listed))
    assert set(listed) == codes(), set(listed) ^ codes()


def codes() -> set[str]:
    """Every text that the runtime passes as a code, and those that it has a table of.

    The formats have codes of another kind: for notes on what a definition cannot say.
    """
    trees = [
        ast.parse(path.read_text(encoding="utf-8"))
        for path in Path(toolcall.__file__).parent.rglob("*.py")
        if not {"_cli", "formats"} & set(path.parts)
    ]
    takes = CLASSES | {name: place for tree in trees for name, place in _takers(tree)}
    return {code for tree in trees for code in _passed(tree, takes)} | set(CODES.values())


def _takers(tree: ast.AST) -> Iterator[tuple[str, int]]:
    """Functions that are given a code, each with the place of that argument."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("__"):
            names = [each.arg for each in node.args.args if each.arg != "self"]
            if PARAMETER in names:
                yield node.name, names.index(PARAMETER)


def _passed(tree: ast.AST, takes: dict[str, int]) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            name = ast.unparse(node.func).rpartition(".")[2]
            given = node.args[takes[name]] if name in takes and node.args else None
            if isinstance(given, ast.Constant) and isinstance(given.value, str):
                yield given.value
