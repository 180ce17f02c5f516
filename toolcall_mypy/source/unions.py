"""How many branches a type gives to the union around it, and which are literals.

Unions are flattened as the checker flattens them: through aliases, `Optional`,
`Annotated` and quotes. None is no branch, nor is msgspec's mark for a missing field; all
`Literal[...]` of one union are one branch.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from toolcall_mypy.source.expressions import operands, parsed, type_arguments
from toolcall_mypy.source.index import AssignmentSource, ModuleIndex
from toolcall_mypy.source.resolve import Definition

if TYPE_CHECKING:
    from collections.abc import Sequence

    from toolcall_mypy.source.aliases import Names, Place

MOST_BRANCHES = 1000
"""Aliases of unions of aliases grow exponentially; nobody describes the thousandth branch."""

TRANSPARENT = frozenset(
    {"Required", "NotRequired", "ReadOnly", "Final", "ClassVar", "InitVar", "Unpack"}
)
"""Qualifiers: what they qualify is the type."""


_ABSENT = frozenset({"types.NoneType", "msgspec.UnsetType"})


class Flattening:
    """Counts branches. It remembers the aliases that it has counted."""

    def __init__(self, names: Names) -> None:
        self.names = names
        self.counted: dict[tuple[str, str], list[bool]] = {}

    def kinds(
        self, expr: ast.expr, place: Place, inside: tuple[tuple[str, str], ...] = ()
    ) -> list[bool]:
        """For each branch, whether it is a literal; `inside` are the aliases that led here."""
        if self.is_none(expr, place):
            return []
        match expr:
            case ast.Constant(value=str()):
                quoted = parsed(expr, place.index)
                return self.kinds(quoted, place, inside) if quoted is not None else [False]
            case ast.BinOp(op=ast.BitOr()):
                return self.merged_kinds(operands(expr), place, inside)
            case ast.Subscript(value=head, slice=inner):
                name = (self.names.fullname(head, place) or "").rpartition(".")[2]
                arguments = type_arguments(inner)
                if name in {"Union", "Optional"}:
                    return self.merged_kinds(arguments, place, inside)
                if name == "Annotated" or name in TRANSPARENT:
                    return self.kinds(arguments[0], place, inside) if arguments else [False]
                if name == "Literal":
                    return [True]
                return self.named_kinds(head, arguments, place, inside)
            case ast.Name() | ast.Attribute():
                return self.named_kinds(expr, (), place, inside)
        return [False]

    def merged_kinds(
        self,
        members: Sequence[ast.expr],
        place: Place,
        inside: tuple[tuple[str, str], ...],
    ) -> list[bool]:
        found: list[bool] = []
        for member in members:
            for literal in self.kinds(member, place, inside):
                if not (literal and True in found):
                    found.append(literal)
        return found[:MOST_BRANCHES]

    def named_kinds(
        self,
        expr: ast.expr,
        arguments: Sequence[ast.expr],
        place: Place,
        inside: tuple[tuple[str, str], ...],
    ) -> list[bool]:
        if isinstance(expr, ast.Name) and expr.id in place.bound:
            argument, its_place = place.bound[expr.id]
            return self.kinds(argument, its_place, inside)
        match self.names.meaning(expr, place):
            case Definition(index=ModuleIndex() as home, node=AssignmentSource() as node):
                key = (home.module, node.qualname)
                body = self.names.body(home, node, arguments, place)
                # A NewType is one type, whatever it is made of.
                if body is None or body.is_new or key in inside:
                    return [False]
                if not arguments and key in self.counted:
                    return self.counted[key]
                kinds = self.kinds(body.expr, body.place, (*inside, key))
                if not arguments:
                    self.counted[key] = kinds
                return kinds
        return [False]

    def is_none(self, expr: ast.expr, place: Place) -> bool:
        """Whether this is no branch."""
        match expr:
            case ast.Constant(value=None) | ast.Constant(value="None"):
                return True
            case ast.Subscript(value=head, slice=ast.Constant(value=None)):
                return (self.names.fullname(head, place) or "").endswith(".Literal")
            case (
                ast.Name(id="NoneType" | "UnsetType") | ast.Attribute(attr="NoneType" | "UnsetType")
            ):
                return self.names.fullname(expr, place) in _ABSENT
        return False
