"""The declarations of one source file, by qualified name.

One `ast.parse` and one walk per file; it must not know what any of it is for.

1. A name may be declared twice (a redefinition, an unknown condition): every one is
   kept, and the last one is what the module holds at run time.
2. `if` tests on `sys.version_info`, `sys.platform` and `TYPE_CHECKING` are decided as
   the checker decides them; both branches of any other test count.
3. A file that cannot be read or parsed gives an empty index that says why. It never
   raises: the checker has its own words for such a file.
4. Names inside functions carry `<locals>`, as `__qualname__` does.
"""

from __future__ import annotations

import ast
import builtins
import warnings
from functools import cached_property
from typing import TYPE_CHECKING

from toolcall_mypy.source.branches import Target
from toolcall_mypy.source.declarations import (
    AssignmentSource,
    ClassSource,
    Declaration,
    Declared,
    FieldSource,
    FunctionSource,
    ImportSource,
    ParameterSource,
    Text,
    first_line,
)
from toolcall_mypy.source.walk import Walk

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from toolcall_mypy.source.declarations import ParameterKind, Place

__all__ = [
    "AssignmentSource",
    "ClassSource",
    "Declaration",
    "Declared",
    "FieldSource",
    "FunctionSource",
    "ImportSource",
    "ModuleIndex",
    "ParameterSource",
    "Text",
]


class ModuleIndex:
    """One file's declarations. `fault` says why there are none, where reading failed.

    `functions`, `classes` and `assigned` go by qualified name; `imports` by the
    qualified name they bind; `stars` are the modules imported whole, by scope;
    `rebound` are names whose value cannot be told from a single assignment. `tree` is the
    file as it was parsed, for whoever needs all of it.
    """

    def __init__(
        self,
        module: str,
        path: str,
        text: str,
        *,
        target: Target | None = None,
        fault: str | None = None,
    ) -> None:
        self.module = module
        self.path = path
        self.text = text
        self._marks_comments = "#:" in text
        self.fault = fault
        self.target = target or Target()
        self.functions: Declared[FunctionSource] = Declared(self._function)
        self.classes: Declared[ClassSource] = Declared(self._class)
        self.assigned: Declared[AssignmentSource] = Declared(self._assignment)
        self.imports: dict[str, ImportSource] = {}
        self.stars: list[tuple[str, str]] = []
        self.rebound: set[str] = set()
        self.export_parts: list[ast.expr] = []
        self.tree = self._parse()
        if self.tree is not None:
            self.docstring = _docstring(self.tree.body)
            Walk(self).block(self.tree.body, "", 0)
        else:
            self.docstring = None

    def clear(self) -> None:
        """Let go of the tree, which the tables would keep alive: they know their index."""
        for table in (self.functions, self.classes, self.assigned):
            table.clear()
        self.tree = None

    @property
    def is_package(self) -> bool:
        return self.path.endswith(("__init__.py", "__init__.pyi"))

    @property
    def is_stub(self) -> bool:
        return self.path.endswith(".pyi")

    @cached_property
    def lines(self) -> list[str]:
        return self.text.split("\n")

    @cached_property
    def calls(self) -> dict[tuple[int, int, int | None, int | None], ast.Call]:
        """Every call by the place of its first and last character."""
        return {
            (node.lineno, node.col_offset, node.end_lineno, node.end_col_offset): node
            for node in ast.walk(self.tree or ast.Module([], []))
            if isinstance(node, ast.Call)
        }

    @cached_property
    def bound_names(self) -> frozenset[str]:
        """Every simple name bound in any scope; all builtins where a star may bind them."""
        tables = (self.functions, self.classes, self.assigned, self.imports, self.rebound)
        bound = {name.rpartition(".")[2] for table in tables for name in table}
        return frozenset(bound | set(dir(builtins)) if self.stars else bound)

    @cached_property
    def exported(self) -> tuple[str, ...] | None:
        """The names in `__all__`, or None where there is none or it is computed."""
        names: list[str] = []
        for part in self.export_parts:
            if not isinstance(part, (ast.List, ast.Tuple)):
                return None
            for element in part.elts:
                if not (isinstance(element, ast.Constant) and isinstance(element.value, str)):
                    return None
                names.append(element.value)
        return tuple(names) if self.export_parts else None

    def binds(self, qualname: str) -> bool:
        """Whether this very qualified name is declared or imported here."""
        return (
            qualname in self.assigned
            or qualname in self.classes
            or qualname in self.functions
            or qualname in self.imports
        )

    def declaration(self, qualname: str) -> Declaration | None:
        """The class, assignment or function of this name; the last one in the file."""
        found: list[tuple[int, Declaration]] = []
        for table in (self.classes, self.assigned, self.functions):
            if qualname in table:
                record: Declaration = table[qualname]
                found.append((record.line, record))
        return max(found, key=lambda pair: pair[0])[1] if found else None

    def column(self, line: int, offset: int) -> int:
        """A column in characters for ast's offset, which counts UTF-8 bytes."""
        if line > len(self.lines) or self.lines[line - 1].isascii():
            return offset
        return len(self.lines[line - 1].encode()[:offset].decode(errors="ignore"))

    def segment(self, node: ast.expr | ast.keyword) -> str:
        """The text of an expression or a keyword argument as it is written."""
        return ast.get_source_segment(self.text, node) or ast.unparse(node)

    def _parse(self) -> ast.Module | None:
        if self.fault is not None:
            return None
        try:
            with warnings.catch_warnings():
                # An invalid escape is the user's business, and the checker's.
                warnings.simplefilter("ignore")
                return ast.parse(self.text)
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            self.fault = f"{type(error).__name__}: {error}"
            return None

    def _function(self, place: Place) -> FunctionSource:
        node = place.node
        assert isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
        return FunctionSource(
            name=node.name,
            qualname=place.qualname,
            scope=place.scope,
            line=first_line(node),
            def_line=node.lineno,
            col=self.column(node.lineno, node.col_offset),
            is_async=isinstance(node, ast.AsyncFunctionDef),
            parameters=tuple(self._parameters(node.args)),
            returns=node.returns,
            decorators=tuple(node.decorator_list),
            docstring=_docstring(node.body),
            body=tuple(node.body),
            type_params=_type_params(node),
        )

    def _parameters(self, args: ast.arguments) -> Iterator[ParameterSource]:
        positional = [*args.posonlyargs, *args.args]
        missing = len(positional) - len(args.defaults)
        for number, arg in enumerate(positional):
            default = args.defaults[number - missing] if number >= missing else None
            only = number < len(args.posonlyargs)
            yield self._parameter(
                arg, "positional_only" if only else "positional_or_keyword", default
            )
        if args.vararg is not None:
            yield self._parameter(args.vararg, "var_positional", None)
        for arg, default in zip(args.kwonlyargs, args.kw_defaults, strict=True):
            yield self._parameter(arg, "keyword_only", default)
        if args.kwarg is not None:
            yield self._parameter(args.kwarg, "var_keyword", None)

    def _parameter(
        self, arg: ast.arg, kind: ParameterKind, default: ast.expr | None
    ) -> ParameterSource:
        col = self.column(arg.lineno, arg.col_offset)
        doc = self._parameter_doc(arg, default, col) if self._marks_comments else None
        return ParameterSource(arg.arg, kind, arg.annotation, default, arg.lineno, col, doc)

    def _parameter_doc(self, arg: ast.arg, default: ast.expr | None, col: int) -> Text | None:
        """The `#:` comment beside a parameter, or above one that starts its line."""
        beside = self._beside(arg if default is None else default, closing=" ,)")
        if beside is not None or self.lines[arg.lineno - 1][:col].strip(" \t*"):
            return beside
        return self._above(arg.lineno, 0)

    def _class(self, place: Place) -> ClassSource:
        node = place.node
        assert isinstance(node, ast.ClassDef)
        prefix = place.qualname + "."
        names = [
            name
            for name in self.assigned
            if name.startswith(prefix) and "." not in name[len(prefix) :]
        ]
        inside = range(node.lineno, (node.end_lineno or node.lineno) + 1)
        return ClassSource(
            name=node.name,
            qualname=place.qualname,
            scope=place.scope,
            line=first_line(node),
            def_line=node.lineno,
            bases=tuple(node.bases),
            keywords=tuple(node.keywords),
            decorators=tuple(node.decorator_list),
            docstring=_docstring(node.body),
            fields=tuple(
                FieldSource(one.name, one.annotation, one.value, one.doc, one.line, one.col)
                for name in names
                for one in self.assigned.all(name)
                if one.line in inside
            ),
            body=tuple(node.body),
            type_params=_type_params(node),
        )

    def _assignment(self, place: Place) -> AssignmentSource:
        node = place.node
        return AssignmentSource(
            name=place.qualname.rpartition(".")[2],
            qualname=place.qualname,
            scope=place.scope,
            value=place.value,
            annotation=node.annotation if isinstance(node, ast.AnnAssign) else None,
            doc=self._doc(place),
            line=node.lineno,
            col=self.column(node.lineno, node.col_offset),
            is_type_statement=type(node).__name__ == "TypeAlias",
            type_params=_type_params(node),
        )

    def _doc(self, place: Place) -> Text | None:
        """The string beneath an assignment, else the `#:` comments beside or above it."""
        if place.under is not None:
            return Text(str(place.under.value), place.under.lineno)
        if not self._marks_comments:
            return None
        return self._beside(place.node) or self._above(place.node.lineno, place.above)

    def _beside(self, node: ast.stmt | ast.expr | ast.arg, closing: str = " ") -> Text | None:
        """What stands behind a node on its last line; `closing` may come in between."""
        line = node.end_lineno or node.lineno
        rest = self.lines[line - 1][self.column(line, node.end_col_offset or 0) :].strip()
        rest = rest.lstrip(closing)
        return Text(rest[2:].strip(), line) if rest.startswith("#:") else None

    def _above(self, line: int, border: int) -> Text | None:
        """The lines of comment right above a line, down to the line `border`."""
        line -= 1
        found: list[str] = []
        while line > border and self.lines[line - 1].lstrip().startswith("#:"):
            found.append(self.lines[line - 1].strip()[2:].removeprefix(" "))
            line -= 1
        return Text("\n".join(reversed(found)), line + 1) if found else None


def _type_params(node: ast.stmt) -> tuple[str, ...]:
    return tuple(str(param.name) for param in getattr(node, "type_params", ()))


def _docstring(body: Sequence[ast.stmt]) -> Text | None:
    if body and isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant):
        constant = body[0].value
        if isinstance(constant.value, str):
            return Text(constant.value, constant.lineno)
    return None
