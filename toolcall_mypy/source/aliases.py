"""Names in annotations: what they mean, and what an alias stands for.

An alias is an assignment, a `type` statement or a call (`NewType`, `TypeAliasType`,
`TypeVar`). Its body is read in its own module and scope; type arguments are not put into
the expression but bound beside it, because they belong to the place of the use.
"""

from __future__ import annotations

import ast
from types import MappingProxyType
from typing import TYPE_CHECKING

from toolcall_mypy.records import field, record, replace
from toolcall_mypy.source.expressions import depth_first, keyword_of, last_name
from toolcall_mypy.source.index import AssignmentSource, ModuleIndex
from toolcall_mypy.source.metadata import At
from toolcall_mypy.source.resolve import Definition, Trail, dotted_name, resolve
from toolcall_mypy.source.vocabulary import TYPE_CALLS, common_name

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from toolcall_mypy.source.files import SourceFiles
    from toolcall_mypy.source.index import ClassSource


@record
class Place:
    """Where an expression is read, and what the type parameters there stand for."""

    index: ModuleIndex
    scope: str
    bound: Mapping[str, tuple[ast.expr, Place]] = field(
        default_factory=lambda: MappingProxyType({})
    )

    def at(self, expr: ast.expr) -> At:
        col = self.index.column(expr.lineno, expr.col_offset)
        return At(self.index.module, self.index.path, expr.lineno, col)


@record
class Body:
    """The expression that an alias stands for, and where it is read."""

    expr: ast.expr
    place: Place
    is_new: bool = False


@record
class Names:
    """What names mean, over the files of a run."""

    files: SourceFiles
    trail: Trail

    def meaning(self, expr: ast.expr, place: Place) -> Definition | None:
        dotted = dotted_name(expr)
        if dotted is None:
            return None
        return resolve(dotted, place.index, place.scope, self.files, self.trail)

    def fullname(self, expr: ast.expr, place: Place) -> str | None:
        meant = self.meaning(expr, place)
        return common_name(meant.fullname) if meant is not None else None

    def is_provider(self, home: ModuleIndex, node: ClassSource) -> bool:
        for base in node.bases:
            head = base.value if isinstance(base, ast.Subscript) else base
            if self.fullname(head, Place(home, node.scope)) == "toolcall.TypeProvider":
                return True
        return False

    def body(
        self,
        home: ModuleIndex,
        node: AssignmentSource,
        arguments: Sequence[ast.expr],
        place: Place,
    ) -> Body | None:
        """The type that an assignment stands for, None where it is no alias."""
        inside = Place(home, node.scope)
        match node.value:
            case None:
                return None
            case ast.Constant(value=str()) as value:
                declared = last_name(node.annotation) == "TypeAlias" or node.is_type_statement
                return Body(value, inside) if declared else None
            case ast.Call() as call:
                return self.call_body(call, arguments, inside, place)
            case value:
                names = node.type_params if node.is_type_statement else ()
                if arguments and not names:
                    names = tuple(self.type_variables(value, inside))
                return Body(value, _binding(inside, names, arguments, place))

    def call_body(
        self, call: ast.Call, arguments: Sequence[ast.expr], inside: Place, place: Place
    ) -> Body | None:
        name = (self.fullname(call.func, inside) or "").rpartition(".")[2]
        match name, call.args:
            case "NewType", [_, value, *_]:
                return Body(value, inside, is_new=True)
            case "TypeAliasType", [_, value, *_]:
                params = keyword_of(call, "type_params")
                elements = params.elts if isinstance(params, ast.Tuple) else []
                names = [one.id for one in elements if isinstance(one, ast.Name)]
                return Body(value, _binding(inside, names, arguments, place))
            case "TypeVar", [_]:
                bound = keyword_of(call, "bound")
                return Body(bound, inside) if bound is not None else None
            case "TypeVar", [_, first, *others]:
                either = first
                for other in others:
                    either = ast.copy_location(ast.BinOp(either, ast.BitOr(), other), first)
                return Body(either, inside)
        return Body(call, inside) if f"pydantic.{name}" in TYPE_CALLS else None

    def type_variables(self, expr: ast.expr, place: Place) -> list[str]:
        """The type variables of an old-style alias, in order of appearance."""
        found: dict[str, None] = {}
        for node in depth_first(expr):
            if not isinstance(node, ast.Name) or node.id in found:
                continue
            match self.meaning(node, place):
                case Definition(
                    index=ModuleIndex() as home,
                    node=AssignmentSource(value=ast.Call(func=func), scope=scope),
                ) if (self.fullname(func, Place(home, scope)) or "").endswith(".TypeVar"):
                    found[node.id] = None
        return list(found)


def _binding(
    inside: Place, names: Sequence[str], arguments: Sequence[ast.expr], place: Place
) -> Place:
    if not names or not arguments:
        return inside
    bound = {name: (argument, place) for name, argument in zip(names, arguments, strict=False)}
    return replace(inside, bound=MappingProxyType(bound))
