"""The corpus run puts the decorator where it says, and only there."""

from __future__ import annotations

import ast

from tests.corpus.decorate import DECORATOR, decorate

MODULE = '''\
"""A module
of two lines."""
from __future__ import annotations
import os

def plain(a: int) -> int:
    """Documented."""
    return a

def bare(a):
    """No annotation."""

def silent(a: int) -> int:
    return a

class Box:
    @property
    def size(self) -> int:
        """No function."""
        return 1

    @staticmethod
    @cache
    async def open(path: str,
                   mode: str = "r") -> None:
        """Documented."""

if os.name == "nt":
    def windows() -> None:
        """Perhaps unreachable."""
'''


def test_annotated_and_documented_functions_get_the_decorator() -> None:
    """Nothing but wanted functions is decorated, innermost, and the module still parses."""
    text, decorated = decorate(MODULE)
    assert [each.qualname for each in decorated] == ["plain", "Box.open"]
    tree = ast.parse(text)
    with_ours = {
        node.name
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and node.decorator_list
        and ast.unparse(node.decorator_list[-1]) == DECORATOR
    }
    assert with_ours == {"plain", "open"}


def test_lines_are_those_of_the_new_text() -> None:
    """The recorded lines run from the first decorator to the function's end."""
    text, decorated = decorate(MODULE)
    lines = text.splitlines()
    for each in decorated:
        assert lines[each.first_line - 1].lstrip().startswith("@")
        assert "Documented" in lines[each.last_line - 1] or "return a" in lines[each.last_line - 1]


def test_the_import_stands_below_future_imports() -> None:
    """The module's docstring and its `__future__` imports stay where Python wants them."""
    text, _ = decorate(MODULE)
    assert text.splitlines()[3] == f"from toolcall import tool as {DECORATOR}"
    assert decorate("x = 1\n")[0].startswith("from toolcall import tool")


def test_a_module_that_mypy_does_not_look_at_is_left_alone() -> None:
    """Its tools could have no sidecar."""
    text = "# type: ignore\n" + MODULE
    assert decorate(text) == (text, [])
