"""Puts our decorator on the functions of a module that somebody else wrote.

Only text is inserted: one import below the module's docstring and `__future__` imports,
one line above each `def`. Chosen are functions and methods that have a docstring and an
annotation; ours becomes the innermost decorator, so that what the others make of the
function does not matter. Left out is what mypy may hold to be unreachable (anything in an
`if`, modules that begin with `# type: ignore`), what stands inside a function, and what
is no function at run time (properties, overloads).
"""

from __future__ import annotations

import ast
import itertools
from collections.abc import Iterator
from typing import NamedTuple, TypeAlias

DECORATOR = "_toolcall_tool"
IMPORT = f"from toolcall import tool as {DECORATOR}\n"
NO_FUNCTIONS = {"property", "cached_property", "setter", "getter", "deleter", "overload"}

Function: TypeAlias = "ast.FunctionDef | ast.AsyncFunctionDef"


class Decorated(NamedTuple):
    """A function that got the decorator; lines are those of the new text."""

    qualname: str
    first_line: int
    last_line: int


def decorate(text: str) -> tuple[str, list[Decorated]]:
    """The module's text with our decorator in it, and the functions that have it now.

    Raises:
        SyntaxError: The text is no module of this Python version.
    """
    tree = ast.parse(text)
    if _is_ignored(text):
        return text, []
    chosen = list(_chosen(tree.body, ""))
    lines = text.splitlines(keepends=True)
    import_line = _import_line(tree)
    for _, function in reversed(chosen):
        above = lines[function.lineno - 1]
        indent = above[: len(above) - len(above.lstrip())]
        lines.insert(function.lineno - 1, f"{indent}@{DECORATOR}\n")
    lines.insert(import_line, IMPORT)
    return "".join(lines), [
        Decorated(qualname, _first_line(function) + index + 1, _end(function) + index + 2)
        for index, (qualname, function) in enumerate(chosen)
    ]


def _is_ignored(text: str) -> bool:
    """Whether mypy does not look at the module at all."""
    comments = itertools.takewhile(lambda line: line[:1] in ("#", ""), text.splitlines())
    return any(line.split() == ["#", "type:", "ignore"] for line in comments)


def _chosen(body: list[ast.stmt], prefix: str) -> Iterator[tuple[str, Function]]:
    for statement in body:
        match statement:
            case ast.FunctionDef() | ast.AsyncFunctionDef() if _is_wanted(statement):
                yield prefix + statement.name, statement
            case ast.ClassDef():
                yield from _chosen(statement.body, f"{prefix}{statement.name}.")


def _is_wanted(function: Function) -> bool:
    arguments = function.args
    annotated = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    has_annotation = function.returns or any(argument.annotation for argument in annotated)
    names = {_last_name(decorator) for decorator in function.decorator_list}
    return bool(ast.get_docstring(function) and has_annotation and not names & NO_FUNCTIONS)


def _last_name(decorator: ast.expr) -> str:
    match decorator:
        case ast.Call(func=inner):
            return _last_name(inner)
        case ast.Attribute(attr=name) | ast.Name(id=name):
            return name
        case _:
            return ""


def _import_line(tree: ast.Module) -> int:
    """How many lines stand above our import."""
    line = 0
    for index, statement in enumerate(tree.body):
        is_docstring = index == 0 and ast.get_docstring(tree) is not None
        is_future = isinstance(statement, ast.ImportFrom) and statement.module == "__future__"
        if not (is_docstring or is_future):
            break
        line = statement.end_lineno or statement.lineno
    return line


def _first_line(function: Function) -> int:
    return min([function.lineno, *(each.lineno for each in function.decorator_list)])


def _end(function: Function) -> int:
    return function.end_lineno or function.lineno
