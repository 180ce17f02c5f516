"""The one pass over a file's statements: it notes where things are, never what they say.

Statements are walked at any depth, expressions never.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from toolcall_mypy.source.branches import truth
from toolcall_mypy.source.declarations import ImportSource, Place

if TYPE_CHECKING:
    from collections.abc import Sequence

    from toolcall_mypy.source.index import ModuleIndex


class Walk:
    """The one pass over a file's statements, filling the tables of its index."""

    def __init__(self, index: ModuleIndex) -> None:
        self.index = index
        package = index.module if index.is_package else index.module.rpartition(".")[0]
        self.package = package.split(".") if package else []

    def block(self, body: Sequence[ast.stmt], scope: str, above: int) -> None:
        for number, node in enumerate(body):
            self.statement(node, body, number, scope, above)
            above = node.end_lineno or node.lineno

    def statement(
        self, node: ast.stmt, body: Sequence[ast.stmt], number: int, scope: str, above: int
    ) -> None:
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                qualname = _join(scope, name)
                self.index.functions.note(Place(qualname, scope, node))
                self.block(node.body, f"{qualname}.<locals>", node.lineno)
            case ast.ClassDef(name=name):
                qualname = _join(scope, name)
                self.index.classes.note(Place(qualname, scope, node))
                self.block(node.body, qualname, node.lineno)
            case ast.Assign(targets=targets, value=value):
                for target in targets:
                    self.assign(target, value, node, _string_under(body, number), scope, above)
            case ast.AnnAssign(target=target, value=value):
                self.assign(target, value, node, _string_under(body, number), scope, above)
            case ast.AugAssign(target=ast.Name(id=name), value=value):
                self.index.rebound.add(_join(scope, name))
                if name == "__all__":
                    self.index.export_parts.append(value)
            case ast.Import() | ast.ImportFrom():
                self.imports(node, scope)
            case ast.If():
                self.condition(node, scope, above)
            case ast.Expr(value=ast.Call() as call):
                self.call(call)
            case ast.Global(names=names):
                self.index.rebound.update(names)
            case ast.Expr() | ast.Return() | ast.Pass() | ast.Raise() | ast.AugAssign():
                pass
            case _ if type(node).__name__ == "TypeAlias":
                self.type_statement(node, _string_under(body, number), scope, above)
            case _:
                self.compound(node, scope, above)

    def assign(
        self,
        target: ast.expr,
        value: ast.expr | None,
        node: ast.stmt,
        under: ast.Constant | None,
        scope: str,
        above: int,
    ) -> None:
        match target, value:
            case ast.Name(id=name), _:
                if name == "__all__" and value is not None and not scope:
                    self.index.export_parts[:] = [value]
                place = Place(_join(scope, name), scope, node, value, under, above)
                self.index.assigned.note(place)
            case (
                (ast.Tuple(elts=targets) | ast.List(elts=targets)),
                (ast.Tuple(elts=values) | ast.List(elts=values)),
            ) if len(targets) == len(values):
                for one, its in zip(targets, values, strict=True):
                    self.assign(one, its, node, None, scope, above)
            case ((ast.Tuple() | ast.List() | ast.Starred()), _):
                self.bound(target, scope)

    def bound(self, target: ast.expr, scope: str) -> None:
        """Names that a loop, a `with` or an unpacking binds: known to exist, no more."""
        for node in ast.walk(target):
            if isinstance(node, ast.Name):
                self.index.rebound.add(_join(scope, node.id))

    def type_statement(
        self, node: ast.stmt, under: ast.Constant | None, scope: str, above: int
    ) -> None:
        name: ast.Name = getattr(node, "name")  # noqa: B009  (a node of newer Pythons)
        value: ast.expr = getattr(node, "value")  # noqa: B009
        place = Place(_join(scope, name.id), scope, node, value, under, above)
        self.index.assigned.note(place)

    def condition(self, node: ast.If, scope: str, above: int) -> None:
        taken = truth(node.test, self.index.target)
        if taken is not False:
            self.block(node.body, scope, above)
        if taken is not True:
            self.block(node.orelse, scope, node.body[-1].end_lineno or above)

    def compound(self, node: ast.stmt, scope: str, above: int) -> None:
        match node:
            case ast.For(target=target) | ast.AsyncFor(target=target):
                self.bound(target, scope)
            case ast.With(items=items) | ast.AsyncWith(items=items):
                for item in items:
                    if item.optional_vars is not None:
                        self.bound(item.optional_vars, scope)
        for name in ("body", "handlers", "orelse", "finalbody", "cases"):
            inner = getattr(node, name, ())
            if name in {"handlers", "cases"}:
                for part in inner:
                    self.block(part.body, scope, above)
            else:
                self.block(inner, scope, above)

    def call(self, call: ast.Call) -> None:
        """`__all__.extend([...])` and `.append("...")`."""
        match call:
            case ast.Call(
                func=ast.Attribute(value=ast.Name(id="__all__"), attr=method), args=[argument]
            ):
                part = argument if method == "extend" else ast.List([argument], ast.Load())
                self.index.export_parts.append(part)

    def imports(self, node: ast.Import | ast.ImportFrom, scope: str) -> None:
        if isinstance(node, ast.Import):
            for alias in node.names:
                whole = alias.name if alias.asname else alias.name.partition(".")[0]
                bound = ImportSource(whole, None, node.lineno)
                self.index.imports.setdefault(_join(scope, alias.asname or whole), bound)
            return
        module = self.origin(node)
        for alias in node.names:
            if alias.name == "*":
                self.index.stars.append((scope, module))
            else:
                bound = ImportSource(module, alias.name, node.lineno)
                # Of `try: import / except ImportError: import` the checker takes the first.
                self.index.imports.setdefault(_join(scope, alias.asname or alias.name), bound)

    def origin(self, node: ast.ImportFrom) -> str:
        """The absolute module of a `from` import."""
        if not node.level:
            return node.module or ""
        kept = self.package[: len(self.package) - node.level + 1]
        return ".".join([*kept, node.module] if node.module else kept)


def _join(scope: str, name: str) -> str:
    return f"{scope}.{name}" if scope else name


def _string_under(body: Sequence[ast.stmt], number: int) -> ast.Constant | None:
    match body[number + 1 : number + 2]:
        case [ast.Expr(value=ast.Constant(value=str()) as constant)]:
            return constant
    return None
