"""Expressions as syntax: taking them apart, and quoted annotations put in their place."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from toolcall_mypy.source.resolve import dotted_name

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolcall_mypy.source.index import ModuleIndex

_PREFIX = re.compile(r"[A-Za-z]*(\"\"\"|'''|\"|')")


def type_arguments(expr: ast.expr) -> list[ast.expr]:
    return expr.elts if isinstance(expr, ast.Tuple) else [expr]


def operands(expr: ast.expr) -> list[ast.expr]:
    """`A | B | C` as [A, B, C]; a long one must not recurse."""
    found: list[ast.expr] = []
    while isinstance(expr, ast.BinOp) and isinstance(expr.op, ast.BitOr):
        found.append(expr.right)
        expr = expr.left
    return [expr, *reversed(found)]


def keyword_of(call: ast.Call, name: str) -> ast.expr | None:
    return next((keyword.value for keyword in call.keywords if keyword.arg == name), None)


def last_name(expr: ast.expr | None) -> str | None:
    dotted = dotted_name(expr)
    return dotted.rpartition(".")[2] if dotted is not None else None


def depth_first(node: ast.AST) -> Iterator[ast.AST]:
    yield node
    for child in ast.iter_child_nodes(node):
        yield from depth_first(child)


def parsed(constant: ast.Constant, index: ModuleIndex) -> ast.expr | None:
    """A quoted annotation as an expression whose places are those in the file."""
    text = str(constant.value)
    try:
        # The parentheses let it run over several lines, as the checker allows.
        tree = ast.parse(f"({text})", mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    line = index.lines[constant.lineno - 1].encode() if constant.lineno <= len(index.lines) else b""
    opening = _PREFIX.match(line[constant.col_offset :].decode(errors="ignore"))
    before = constant.col_offset + (opening.end() if opening else 1) - 1
    for node in ast.walk(tree):
        if not isinstance(node, ast.expr):
            continue
        node.col_offset += before if node.lineno == 1 else 0
        node.end_col_offset = (node.end_col_offset or 0) + (before if node.end_lineno == 1 else 0)
        node.lineno += constant.lineno - 1
        node.end_lineno = (node.end_lineno or 1) + constant.lineno - 1
    return tree
