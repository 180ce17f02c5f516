"""The items of `Annotated[T, …]` behind the type: text, markers, and what libraries offer.

An item that is named is read where it is defined and said where it is used.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from toolcall_mypy.records import record
from toolcall_mypy.source.aliases import Place
from toolcall_mypy.source.index import AssignmentSource, ClassSource, ModuleIndex
from toolcall_mypy.source.prose import prose
from toolcall_mypy.source.resolve import Definition
from toolcall_mypy.source.statements import Statements
from toolcall_mypy.source.vocabulary import METADATA, common_name

if TYPE_CHECKING:
    from toolcall_mypy.source.aliases import Names


@record
class Items:
    """Reads items into statements."""

    names: Names

    def read(
        self,
        expr: ast.expr,
        said: Statements,
        place: Place,
        inside: frozenset[tuple[str, str]],
    ) -> None:
        """One metadata item; `inside` are the constants that led here."""
        index = place.index
        match expr:
            case ast.Constant(value=str() as text):
                said.describe(prose(text), place.at(expr))
            case ast.Constant():
                pass
            case ast.Name() | ast.Attribute():
                self.named(expr, said, place, inside)
            case ast.Call():
                self.called(expr, said, place)
            case ast.BinOp():
                said.description(expr, index, place.scope, self.names.files, self.names.trail)
            case _:
                said.cannot_read(expr, index, "not a literal")

    def named(
        self,
        expr: ast.expr,
        said: Statements,
        place: Place,
        inside: frozenset[tuple[str, str]],
    ) -> None:
        meant = self.names.meaning(expr, place)
        match meant:
            case Definition(index=ModuleIndex() as home, node=AssignmentSource() as node):
                key = (home.module, node.qualname)
                if node.value is None or key in inside:
                    said.cannot_read(expr, place.index, "has no value that can be read")
                    return
                if home.assigned.count(node.qualname) > 1 or node.qualname in home.rebound:
                    said.cannot_read(expr, place.index, "is assigned more than once")
                    return
                # Faults are told where the use is: the constant may be somebody else's.
                its = Statements()
                self.read(node.value, its, Place(home, node.scope), inside | {key})
                said.adopt(its, expr, place.index)
            case Definition(index=ModuleIndex() as home, node=ClassSource() as node) if (
                self.names.is_provider(home, node)
            ):
                said.say("provider", meant.class_name, place.at(expr))
            case Definition() if meant.fullname == "toolcall.Inject":
                said.say("inject", "value", place.at(expr))
            case Definition():
                said.cannot_read(expr, place.index, f"{meant.fullname} is not known")
            case None:
                said.cannot_read(expr, place.index, "is not found")

    def called(self, call: ast.Call, said: Statements, place: Place) -> None:
        meant = self.names.meaning(call.func, place)
        fullname = common_name(meant.fullname) if meant is not None else ""
        row = METADATA.get(fullname)
        match meant:
            case _ if row is not None:
                said.call(call, row, place.index, place.scope, self.names.files, self.names.trail)
            case Definition(index=ModuleIndex() as home, node=ClassSource() as node) if (
                self.names.is_provider(home, node)
            ):
                said.say("provider", meant.class_name, place.at(call))
            case Definition() if fullname == "toolcall.Inject":
                said.say("inject", "value", place.at(call))
            case _:
                name = fullname or place.index.segment(call.func)
                said.cannot_read(call, place.index, f"{name} is not known")
