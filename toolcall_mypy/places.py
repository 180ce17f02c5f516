"""Where things stand: nodes of mypy and of `ast` as the places that findings have."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolcall_mypy.lints.finding import Place

if TYPE_CHECKING:
    import ast

    from mypy.nodes import Context, FuncDef


def place_of(node: Context) -> Place:
    """The place of a node of mypy."""
    return Place(node.line, node.column, node.end_line, node.end_column)


def name_place(function: FuncDef) -> Place:
    """The place of a function's name."""
    start = function.column + len("async def " if function.is_coroutine else "def ")
    return Place(function.line, start, function.line, start + len(function.name))


def expression_place(expr: ast.expr) -> Place:
    """The place of an expression."""
    return Place(expr.lineno, expr.col_offset, expr.end_lineno, expr.end_col_offset)
