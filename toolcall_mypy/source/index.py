"""The declarations of one source file, by qualified name.

One `ast.parse` and one walk over statements (never over expressions) per file. The
walk only notes where things are; a declaration is turned into its record when somebody
asks for it, because of a module of forty functions usually two or three are wanted.

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
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Generic, Literal, NamedTuple, TypeVar, Union

from toolcall_mypy.source.branches import Target, truth

if TYPE_CHECKING:
    from typing import TypeAlias

T = TypeVar("T")

ParameterKind: TypeAlias = Literal[
    "positional_only", "positional_or_keyword", "keyword_only", "var_positional", "var_keyword"
]
FunctionNode: TypeAlias = Union[ast.FunctionDef, ast.AsyncFunctionDef]


@dataclass(frozen=True, slots=True)
class Text:
    """A documentation text and the line of the file where its first character stands."""

    text: str
    line: int


@dataclass(frozen=True, slots=True)
class ParameterSource:
    """One parameter as written. `line` counts from 1, `col` from 0, in characters."""

    name: str
    kind: ParameterKind
    annotation: ast.expr | None
    default: ast.expr | None
    line: int
    col: int


@dataclass(frozen=True, slots=True)
class FunctionSource:
    """A function. `line` is that of its first decorator, `def_line` that of its `def`.

    `scope` is where its annotations and defaults are looked up; `inner` is the scope of
    its body.
    """

    name: str
    qualname: str
    scope: str
    line: int
    def_line: int
    col: int
    is_async: bool
    parameters: tuple[ParameterSource, ...]
    returns: ast.expr | None
    decorators: tuple[ast.expr, ...]
    docstring: Text | None
    body: tuple[ast.stmt, ...] = field(repr=False)
    type_params: tuple[str, ...] = ()

    @property
    def inner(self) -> str:
        return f"{self.qualname}.<locals>"

    @property
    def is_overload(self) -> bool:
        return any(_last_name(decorator) == "overload" for decorator in self.decorators)


@dataclass(frozen=True, slots=True)
class FieldSource:
    """An assignment in a class body. `doc` is the string beneath it or its `#:` comment."""

    name: str
    annotation: ast.expr | None
    value: ast.expr | None
    doc: Text | None
    line: int
    col: int


@dataclass(frozen=True, slots=True)
class ClassSource:
    """A class. `qualname` is also the scope of its fields."""

    name: str
    qualname: str
    scope: str
    line: int
    def_line: int
    bases: tuple[ast.expr, ...]
    keywords: tuple[ast.keyword, ...]
    decorators: tuple[ast.expr, ...]
    docstring: Text | None
    fields: tuple[FieldSource, ...]
    body: tuple[ast.stmt, ...] = field(repr=False)
    type_params: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class AssignmentSource:
    """A name that is given a value: constant, alias, `type X = …`, NewType, TypeVar."""

    name: str
    qualname: str
    scope: str
    value: ast.expr | None
    annotation: ast.expr | None
    doc: Text | None
    line: int
    col: int
    is_type_statement: bool = False
    type_params: tuple[str, ...] = ()


Declaration: TypeAlias = Union[FunctionSource, ClassSource, AssignmentSource]


class ImportSource(NamedTuple):
    """What an import binds: a module (`name` is None) or a name in a module."""

    module: str
    name: str | None
    line: int


class Declared(Mapping[str, T], Generic[T]):
    """Declarations by qualified name, built on demand. Indexing gives the last one."""

    __slots__ = ("_build", "_built", "_places")

    def __init__(self, build: Callable[[_Place], T]) -> None:
        self._places: dict[str, list[_Place]] = {}
        self._build = build
        self._built: dict[str, tuple[T, ...]] = {}

    def note(self, place: _Place) -> None:
        self._places.setdefault(place.qualname, []).append(place)

    def all(self, qualname: str) -> tuple[T, ...]:
        """Every declaration of this name, in source order."""
        built = self._built.get(qualname)
        if built is None:
            built = tuple(map(self._build, self._places.get(qualname, ())))
            self._built[qualname] = built
        return built

    def count(self, qualname: str) -> int:
        return len(self._places.get(qualname, ()))

    def at(self, qualname: str, line: int) -> T | None:
        """The declaration that covers this line, else the last one of this name."""
        places = self._places.get(qualname, ())
        for number, place in enumerate(places):
            if first_line(place.node) <= line <= (place.node.end_lineno or line):
                return self.all(qualname)[number]
        return self.all(qualname)[-1] if places else None

    def __getitem__(self, qualname: str) -> T:
        if qualname not in self._places:
            raise KeyError(qualname)
        return self.all(qualname)[-1]

    def __contains__(self, qualname: object) -> bool:
        return qualname in self._places

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)


class _Place(NamedTuple):
    """Where a declaration stands: enough to build its record later.

    `under` is the statement after it when that is a bare string, `above` the last line
    that belongs to the statement before it.
    """

    qualname: str
    scope: str
    node: ast.stmt
    value: ast.expr | None = None
    under: ast.Constant | None = None
    above: int = 0


def first_line(node: ast.stmt) -> int:
    """The line of the first decorator, else of the statement itself."""
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    return decorators[0].lineno if decorators else node.lineno


class ModuleIndex:
    """One file's declarations. `fault` says why there are none, where reading failed.

    `functions`, `classes` and `assigned` go by qualified name; `imports` by the
    qualified name they bind; `stars` are the modules imported whole, by scope;
    `rebound` are names whose value cannot be told from a single assignment.
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
        self.fault = fault
        self.target = target or Target()
        self.functions: Declared[FunctionSource] = Declared(self._function)
        self.classes: Declared[ClassSource] = Declared(self._class)
        self.assigned: Declared[AssignmentSource] = Declared(self._assignment)
        self.imports: dict[str, ImportSource] = {}
        self.stars: list[tuple[str, str]] = []
        self.rebound: set[str] = set()
        self._all_parts: list[ast.expr] = []
        tree = self._parse()
        if tree is not None:
            self.docstring = _docstring(tree.body)
            _Walk(self).block(tree.body, "", 0)
        else:
            self.docstring = None

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
    def exported(self) -> tuple[str, ...] | None:
        """The names in `__all__`, or None where there is none or it is computed."""
        names: list[str] = []
        for part in self._all_parts:
            if not isinstance(part, (ast.List, ast.Tuple)):
                return None
            for element in part.elts:
                if not (isinstance(element, ast.Constant) and isinstance(element.value, str)):
                    return None
                names.append(element.value)
        return tuple(names) if self._all_parts else None

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

    def segment(self, node: ast.expr) -> str:
        """The text of an expression as it is written."""
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

    def _function(self, place: _Place) -> FunctionSource:
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
        return ParameterSource(arg.arg, kind, arg.annotation, default, arg.lineno, col)

    def _class(self, place: _Place) -> ClassSource:
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

    def _assignment(self, place: _Place) -> AssignmentSource:
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

    def _doc(self, place: _Place) -> Text | None:
        """The string beneath an assignment, else the `#:` comments beside or above it."""
        if place.under is not None:
            return Text(str(place.under.value), place.under.lineno)
        if "#:" not in self.text:
            return None
        return self._beside(place.node) or self._above(place)

    def _beside(self, node: ast.stmt) -> Text | None:
        line = node.end_lineno or node.lineno
        rest = self.lines[line - 1][self.column(line, node.end_col_offset or 0) :].strip()
        return Text(rest[2:].strip(), line) if rest.startswith("#:") else None

    def _above(self, place: _Place) -> Text | None:
        line = place.node.lineno - 1
        found: list[str] = []
        while line > place.above and self.lines[line - 1].lstrip().startswith("#:"):
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


def _last_name(expr: ast.expr) -> str | None:
    match expr:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case ast.Call(func=func):
            return _last_name(func)
    return None


class _Walk:
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
                self.index.functions.note(_Place(qualname, scope, node))
                self.block(node.body, f"{qualname}.<locals>", node.lineno)
            case ast.ClassDef(name=name):
                qualname = _join(scope, name)
                self.index.classes.note(_Place(qualname, scope, node))
                self.block(node.body, qualname, node.lineno)
            case ast.Assign(targets=targets, value=value):
                for target in targets:
                    self.assign(target, value, node, _string_under(body, number), scope, above)
            case ast.AnnAssign(target=target, value=value):
                self.assign(target, value, node, _string_under(body, number), scope, above)
            case ast.AugAssign(target=ast.Name(id=name), value=value):
                self.index.rebound.add(_join(scope, name))
                if name == "__all__":
                    self.index._all_parts.append(value)
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
                    self.index._all_parts[:] = [value]
                place = _Place(_join(scope, name), scope, node, value, under, above)
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
        place = _Place(_join(scope, name.id), scope, node, value, under, above)
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
                self.index._all_parts.append(part)

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
