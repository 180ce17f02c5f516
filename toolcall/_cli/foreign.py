"""Functions that are tools of other libraries, found in the source by how they are marked.

A decorator counts when it was imported from the library, by its name or with its module
(`@strands.tool`), or is a method of an object that was made of a class of it
(`mcp = FastMCP(…)`, `@mcp.tool()`), or of a parameter that is annotated with one. Where a
library makes tools by calls (`FunctionTool.from_defaults(f)`) or takes functions in a list
(`Agent(tools=[f])`), it is `handed` that finds them, in this module and in others.
`disguised` gives the same text with our decorator in those places, for the checker to read;
it is never shown to anybody.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from importlib.util import resolve_name
from typing import NamedTuple, TypeAlias

from .libraries import LIBRARIES

Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef

FUNCTION_KEYWORDS = frozenset({"async_fn", "callable", "coroutine", "fn", "func", "function"})
"""The keywords by which calls take the function that becomes a tool."""

LIST_KEYWORDS = frozenset({"tools", "functions"})
"""The keywords by which calls take several of them."""


TOP_MODULES = frozenset(
    module.partition(".")[0] for library in LIBRARIES.values() for module in library.modules
)
"""What a file that imports a library has in it."""

OURS = frozenset({"tool", "toolcall.tool"})
"""Our own decorator, as it is nearly always written."""


class Handed(NamedTuple):
    """A function that is given to a library: where it is defined, whose tool it is, by what."""

    module: str
    qualname: str
    library: str
    call: ast.Call
    is_listed: bool

    @property
    def mark(self) -> str:
        """The call in short."""
        lists = [each.arg for each in self.call.keywords if each.arg in LIST_KEYWORDS]
        inside = "".join(f"{name}=[…]" for name in lists) or "[…]"
        return f"{_spelled(self.call)}({inside if self.is_listed else '…'})"


@dataclass(frozen=True, slots=True)
class Found:
    """One function: where it stands, whose tool it is, which decorator or call says so.

    `options` are the keywords there that are written as constants.
    """

    library: str
    qualname: str
    mark: str
    line: int
    end: int
    contexts: dict[str, str]
    options: dict[str, object]

    @property
    def reads_docstring(self) -> bool:
        """Whether descriptions of parameters were taken from the docstring so far."""
        always = LIBRARIES[self.library].reads_docstrings
        return always or self.options.get("parse_docstring") is True

    @property
    def is_strict(self) -> bool:
        """Whether the definition was strict so far."""
        return LIBRARIES[self.library].is_strict and self.options.get("strict_mode") is not False

    @property
    def headline(self) -> str:
        """The function in one line."""
        return f"{self.qualname}, {self.mark} of {self.library}"


@dataclass(frozen=True, slots=True)
class Disguised:
    """A module in which its tools carry our decorator.

    `added` are the lines of the original before which there is one more.
    """

    text: str
    added: tuple[int, ...]

    def original(self, line: int) -> int:
        """Which line of the original this one was."""
        for above in self.added:
            line -= above < line
        return line


def find(text: str, handed: Iterable[Handed] = ()) -> list[Found]:
    """The functions of a module that are tools of another library, in order.

    `handed` are those of its functions that are given to one, here or elsewhere.
    """
    return [found for found, _, _ in _found(text, handed)]


def disguised(text: str, handed: Iterable[Handed] = ()) -> Disguised:
    """The text with the functions that `find` finds under our decorator.

    No line is moved while there is an empty one above a function to put it on.
    """
    lines = text.encode().splitlines(keepends=True)
    added = []
    for _, function, decorator in reversed(list(_found(text, handed))):
        for parameter in reversed(_parameters(function)):
            if parameter.annotation is not None and _is_context(parameter.annotation):
                _overwrite(lines, parameter.annotation, "__toolcall.Context[object]")
        if decorator is not None:
            _overwrite(lines, decorator, "__toolcall.tool")
        else:
            added += _above(lines, function)
    added += _with_import(lines, ast.parse(text))
    return Disguised(b"".join(lines).decode(), tuple(sorted(added)))


def _overwrite(lines: list[bytes], node: ast.expr, text: str) -> None:
    """Put a text in a node's place and keep its line breaks."""
    assert node.end_lineno is not None
    first, last = node.lineno - 1, node.end_lineno - 1
    head, tail = lines[first][: node.col_offset], lines[last][node.end_col_offset :]
    lines[first] = head + text.encode() + (tail if first == last else b"\n")
    for between in range(first + 1, last + 1):
        lines[between] = tail.lstrip() or b"\n" if between == last else b"\n"


def _above(lines: list[bytes], function: Function) -> list[int]:
    """Put our decorator on the empty line above a function; the line it is added before, else."""
    first = _first_line(function)
    mark = b" " * function.col_offset + b"@__toolcall.tool\n"
    if first > 1 and not lines[first - 2].strip():
        lines[first - 2] = mark
        return []
    lines[first - 1] = mark + lines[first - 1]
    return [first]


def _with_import(lines: list[bytes], tree: ast.Module) -> list[int]:
    """Import the decorator in front of what the module imports; the line it is added before,
    where it imports nothing."""
    imports = "import toolcall as __toolcall"
    start = [node for node in tree.body if not _stays_first(node)]
    for node in start:
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            lines[node.lineno - 1] = f"{imports}; ".encode() + lines[node.lineno - 1]
            return []
    first = _first_line(start[0])
    lines[first - 1] = f"{imports}\n".encode() + lines[first - 1]
    return [first]


def _stays_first(node: ast.stmt) -> bool:
    match node:
        case ast.ImportFrom(module="__future__") | ast.Expr(value=ast.Constant()):
            return True
    return False


def _first_line(node: ast.stmt) -> int:
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    return min(node.lineno, *(each.lineno for each in decorators), node.lineno)


def _found(
    text: str, handed: Iterable[Handed]
) -> Iterator[tuple[Found, Function, ast.expr | None]]:
    given = {each.qualname: each for each in handed}
    tree = _parsed(text) if given or _names_a_library(text) else None
    marks = {} if tree is None else dict(_marks(tree))
    if tree is not None and (marks or given):
        yield from _below(tree.body, "", marks, given)


def _names_a_library(text: str) -> bool:
    """Whether it may import one; nearly all files of a large project do not."""
    return any(top in text for top in TOP_MODULES)


def _parsed(text: str) -> ast.Module | None:
    try:
        return ast.parse(text)
    except (SyntaxError, ValueError):
        return None


def _below(
    body: list[ast.stmt], prefix: str, marks: dict[str, str], given: Mapping[str, Handed]
) -> Iterator[tuple[Found, Function, ast.expr | None]]:
    for node in body:
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                yield from _marked(node, prefix, marks, given)
                yield from _below(node.body, f"{prefix}{node.name}.<locals>.", marks, given)
            case ast.ClassDef():
                yield from _below(node.body, f"{prefix}{node.name}.", marks, given)
            case ast.If() | ast.Try() | ast.With():
                yield from _below(node.body, prefix, marks, given)


def _marked(
    node: Function, prefix: str, marks: dict[str, str], given: Mapping[str, Handed]
) -> Iterator[tuple[Found, Function, ast.expr | None]]:
    """This function if it is somebody's tool: by a decorator, or because it is given away."""
    spelled = [(_spelled(each), each) for each in node.decorator_list]
    for name, decorator in spelled:
        if name in marks:
            yield _one(node, prefix, f"@{name}", marks[name], decorator), node, decorator
            return
    local = node.name if prefix.endswith("<locals>.") else ""
    handed = given.get(prefix + node.name) or given.get(local)
    if handed is not None and not any(name in OURS for name, _ in spelled):
        yield _one(node, prefix, handed.mark, handed.library, handed.call), node, None


def _one(node: Function, prefix: str, mark: str, library: str, said: ast.expr) -> Found:
    contexts = {
        each.arg: ast.unparse(each.annotation)
        for each in _parameters(node)
        if each.annotation is not None and _is_context(each.annotation)
    }
    end = node.body[0].lineno
    name, options = prefix + node.name, _options(said)
    return Found(library, name, mark, _first_line(node), end, contexts, options)


def _options(said: ast.expr) -> dict[str, object]:
    given = said.keywords if isinstance(said, ast.Call) else []
    return {
        each.arg: each.value.value
        for each in given
        if each.arg is not None and isinstance(each.value, ast.Constant)
    }


def _parameters(node: Function) -> list[ast.arg]:
    each = node.args
    return [*each.posonlyargs, *each.args, *each.kwonlyargs]


def _is_context(annotation: ast.expr) -> bool:
    known = {name for library in LIBRARIES.values() for name in library.contexts}
    value = annotation.value if isinstance(annotation, ast.Subscript) else annotation
    return ast.unparse(value).rpartition(".")[2] in known


def _spelled(said: ast.expr) -> str:
    """A decorator or call without its arguments: `Agent` for `Agent[Deps, str](…)`."""
    while isinstance(said, (ast.Call, ast.Subscript)):
        said = said.func if isinstance(said, ast.Call) else said.value
    return ast.unparse(said)


# What is imported from libraries


def _marks(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """How this file writes what makes tools, each with its library."""
    yield from _written(tree, {name: one.functions for name, one in LIBRARIES.items()})
    classes = dict(_written(tree, {name: one.classes for name, one in LIBRARIES.items()}))
    for node in ast.walk(tree):
        for name, made in _typed(node):
            if made in classes:
                for method in LIBRARIES[classes[made]].methods:
                    yield f"{name}.{method}", classes[made]


def _written(tree: ast.Module, wanted: Mapping[str, tuple[str, ...]]) -> Iterator[tuple[str, str]]:
    """How this file writes these names of libraries, each with its library.

    A name with a dot (`FunctionTool.from_defaults`) is one of a class that is imported.
    """
    for prefix, library in _imported(tree):
        for name in wanted[library]:
            yield prefix + name, library
    for name, original, library in _imported_names(tree):
        for each in wanted[library]:
            head, dot, rest = each.partition(".")
            if head == original:
                yield f"{name}{dot}{rest}", library


def _imported(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """How this file writes what stands before a name of a module, each with its library."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                if library := _of_module(alias.name):
                    yield f"{alias.asname or alias.name}.", library
        elif isinstance(node, ast.ImportFrom) and not node.level:
            for alias in node.names:
                if library := _of_module(f"{node.module}.{alias.name}"):
                    yield f"{alias.asname or alias.name}.", library


def _imported_names(tree: ast.Module) -> Iterator[tuple[str, str, str]]:
    """What is imported from a library: the name here, the name there, the library."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and not node.level:
            library = _of_module(node.module or "")
            for alias in node.names if library else ():
                yield alias.asname or alias.name, alias.name, library


def _of_module(module: str) -> str:
    """The library that a module belongs to: the one that names the longest part of it."""
    parts = [(part, name) for name, one in LIBRARIES.items() for part in one.modules]
    fitting = [pair for pair in parts if module == pair[0] or module.startswith(f"{pair[0]}.")]
    return max(fitting, key=lambda pair: len(pair[0]), default=("", ""))[1]


def _typed(node: ast.AST) -> Iterator[tuple[str, str]]:
    """Names and the classes that their values are made of, as far as one statement tells."""
    match node:
        case ast.Assign(targets=[target], value=ast.Call() as made):
            yield ast.unparse(target), _spelled(made)
        case ast.AnnAssign(target=target, annotation=made):
            yield ast.unparse(target), _spelled(made)
        case ast.arg(arg=name, annotation=ast.expr() as made):
            yield name, _spelled(made)


# What is given to libraries


def handed(text: str, module: str, is_package: bool = False) -> Iterator[Handed]:
    """The functions that a module gives to a library, wherever they are defined."""
    tree = _parsed(text) if _names_a_library(text) else None
    if tree is None:
        return
    makers = dict(_marks(tree))
    lists = dict(_written(tree, {name: one.lists for name, one in LIBRARIES.items()}))
    if not makers and not lists:
        return
    names = dict(_names(tree, module, is_package))
    for call, cls in _calls(tree, ""):
        spelled = _spelled(call)
        for is_listed, known in ((False, makers), (True, lists)):
            if spelled not in known:
                continue
            for given in _listed(call, tree) if is_listed else _taken(call):
                where = _defined(given, cls, module, names)
                if where is not None:
                    yield Handed(*where, known[spelled], call, is_listed)


def _calls(node: ast.AST, cls: str) -> Iterator[tuple[ast.Call, str]]:
    """Every call, and the class that it stands in."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Call):
            yield child, cls
        inner = f"{cls}.{child.name}".lstrip(".") if isinstance(child, ast.ClassDef) else cls
        yield from _calls(child, inner)


def _taken(call: ast.Call) -> Iterator[ast.expr]:
    yield from call.args[:1]
    yield from (each.value for each in call.keywords if each.arg in FUNCTION_KEYWORDS)


def _listed(call: ast.Call, tree: ast.Module) -> Iterator[ast.expr]:
    """What stands in the lists of a call, also in one that has a name."""
    values = [each.value for each in call.keywords if each.arg in LIST_KEYWORDS]
    for value in [*call.args[:1], *values]:
        for each in _assigned(value.id, tree) if isinstance(value, ast.Name) else [value]:
            if isinstance(each, (ast.List, ast.Tuple, ast.Set)):
                yield from each.elts


def _assigned(name: str, tree: ast.Module) -> Iterator[ast.expr]:
    for node in ast.walk(tree):
        match node:
            case ast.Assign(targets=[ast.Name(id=target)], value=value) if target == name:
                yield value
            case ast.AnnAssign(target=ast.Name(id=target), value=ast.expr() as value):
                if target == name:
                    yield value


def _defined(
    given: ast.expr, cls: str, module: str, names: Mapping[str, tuple[str, str]]
) -> tuple[str, str] | None:
    """The module and qualified name of what is given, as far as the names tell."""
    match given:
        case ast.Name(id=name):
            return names.get(name, (module, name))
        case ast.Attribute(value=ast.Name(id="self" | "cls"), attr=name) if cls:
            return module, f"{cls}.{name}"
        case ast.Attribute(value=ast.Name(id=holder), attr=name) if holder in names:
            return ".".join(part for part in names[holder] if part), name
        case ast.Attribute(value=ast.Name(id=holder), attr=name):
            return module, f"{holder}.{name}"
    return None


def _names(
    tree: ast.Module, module: str, is_package: bool
) -> Iterator[tuple[str, tuple[str, str]]]:
    """What the imports of a file bind: the module and the name in it, if it is one."""
    package = module if is_package else module.rpartition(".")[0]
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                if alias.asname or "." not in alias.name:
                    yield alias.asname or alias.name, (alias.name, "")
        elif isinstance(node, ast.ImportFrom):
            named = "." * node.level + (node.module or "")
            if node.level and not package:
                continue
            for alias in node.names:
                yield alias.asname or alias.name, (resolve_name(named, package), alias.name)
