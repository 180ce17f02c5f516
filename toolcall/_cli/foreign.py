"""Functions that are tools of other libraries, found in the source by how they are marked.

A decorator counts when it was imported from the library, by its name or with its module
(`@strands.tool`), or is a method of an object that was made of a class of it
(`mcp = FastMCP(…)`, `@mcp.tool()`), or of a parameter that is annotated with one.
`disguised` gives the same text with our decorator in those places and with no line moved,
for the checker to read; it is never shown to anybody.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef


VALUES = frozenset({"stdlib", "enum", "flag"})
OBJECTS = VALUES | {"ref", "object", "custom"}
"""Kinds of types whose values are objects in Python, though JSON has none."""


@dataclass(frozen=True, slots=True)
class Library:
    """How a library marks tools, and what is known of the schemas that it makes of them.

    `functions` are decorators, `classes` have decorators as methods. `contexts` are the
    classes of parameters that it gives by itself. `builds` are the kinds of types whose
    values reach the function as objects, and not as they were sent.
    """

    modules: tuple[str, ...]
    functions: tuple[str, ...] = ()
    classes: tuple[str, ...] = ()
    methods: tuple[str, ...] = ()
    contexts: tuple[str, ...] = ()
    reads_docstrings: bool = True
    is_closed: bool = False
    is_strict: bool = False
    has_titles: bool = False
    shows_defaults: bool = True
    builds: frozenset[str] = OBJECTS


LIBRARIES = {
    "openai-agents": Library(
        ("agents",),
        functions=("function_tool",),
        contexts=("RunContextWrapper", "ToolContext"),
        is_closed=True,
        is_strict=True,
        has_titles=True,
    ),
    "mcp": Library(
        ("mcp",),
        classes=("FastMCP", "MCPServer"),
        methods=("tool",),
        contexts=("Context",),
        reads_docstrings=False,
        has_titles=True,
    ),
    "fastmcp": Library(
        ("fastmcp",),
        functions=("tool",),
        classes=("FastMCP",),
        methods=("tool",),
        contexts=("Context",),
        is_closed=True,
    ),
    "pydantic-ai": Library(
        ("pydantic_ai",),
        classes=("Agent", "FunctionToolset"),
        methods=("tool", "tool_plain"),
        contexts=("RunContext",),
        is_closed=True,
    ),
    "langchain": Library(
        ("langchain_core", "langchain"),
        functions=("tool",),
        contexts=("RunnableConfig", "ToolRuntime"),
        reads_docstrings=False,
        has_titles=True,
    ),
    "anthropic": Library(
        ("anthropic",),
        functions=("beta_tool", "beta_async_tool"),
        is_closed=True,
        has_titles=True,
    ),
    "agno": Library(
        ("agno",),
        functions=("tool",),
        contexts=("RunContext",),
        is_closed=True,
        shows_defaults=False,
    ),
    "smolagents": Library(
        ("smolagents",), functions=("tool",), shows_defaults=False, builds=frozenset()
    ),
    "crewai": Library(
        ("crewai",), functions=("tool",), reads_docstrings=False, has_titles=True, builds=VALUES
    ),
    "strands": Library(("strands",), functions=("tool",), contexts=("ToolContext",), builds=VALUES),
}
"""By the name on the package index, or the first word of it. Checked against the installed
packages, 2026-12."""


@dataclass(frozen=True, slots=True)
class Found:
    """One function: where it stands, whose tool it is, which decorator says so.

    `options` are the keywords of the decorator that are written as constants.
    """

    library: str
    qualname: str
    decorator: str
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
        return f"{self.qualname}, @{self.decorator} of {self.library}"


def find(text: str) -> list[Found]:
    """The functions of a module that are tools of another library, in order."""
    return [found for found, _, _ in _found(text)]


def disguised(text: str, functions: list[Found]) -> str:
    """The text with these functions under our decorator, every line where it was."""
    lines = text.encode().splitlines(keepends=True)
    for _, function, decorator in reversed(list(_found(text))):
        for parameter in reversed(_parameters(function)):
            if parameter.annotation is not None and _is_context(parameter.annotation):
                _overwrite(lines, parameter.annotation, "__toolcall.Context[object]")
        _overwrite(lines, decorator, "__toolcall.tool")
    for node in ast.parse(text).body:
        if isinstance(node, (ast.Import, ast.ImportFrom)) and node.col_offset == 0:
            if isinstance(node, ast.ImportFrom) and node.module == "__future__":
                continue
            line = lines[node.lineno - 1]
            lines[node.lineno - 1] = b"import toolcall as __toolcall; " + line
            break
    return b"".join(lines).decode()


def _overwrite(lines: list[bytes], node: ast.expr, text: str) -> None:
    """Put a text in a node's place and keep its line breaks."""
    assert node.end_lineno is not None
    first, last = node.lineno - 1, node.end_lineno - 1
    head, tail = lines[first][: node.col_offset], lines[last][node.end_col_offset :]
    lines[first] = head + text.encode() + (tail if first == last else b"\n")
    for between in range(first + 1, last + 1):
        lines[between] = tail.lstrip() or b"\n" if between == last else b"\n"


def _found(text: str) -> Iterator[tuple[Found, Function, ast.expr]]:
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return
    marks = dict(_marks(tree))
    if marks:
        yield from _below(tree.body, "", marks)


def _below(
    body: list[ast.stmt], prefix: str, marks: dict[str, str]
) -> Iterator[tuple[Found, Function, ast.expr]]:
    for node in body:
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                for decorator in node.decorator_list:
                    spelled = _spelled(decorator)
                    if spelled in marks:
                        yield _one(node, prefix, decorator, marks[spelled]), node, decorator
                        break
                yield from _below(node.body, f"{prefix}{node.name}.<locals>.", marks)
            case ast.ClassDef():
                yield from _below(node.body, f"{prefix}{node.name}.", marks)


def _one(node: Function, prefix: str, decorator: ast.expr, library: str) -> Found:
    contexts = {
        each.arg: ast.unparse(each.annotation)
        for each in _parameters(node)
        if each.annotation is not None and _is_context(each.annotation)
    }
    first = min(node.lineno, *(each.lineno for each in node.decorator_list))
    end = node.body[0].lineno
    name, spelled, options = prefix + node.name, _spelled(decorator), _options(decorator)
    return Found(library, name, spelled, first, end, contexts, options)


def _options(decorator: ast.expr) -> dict[str, object]:
    given = decorator.keywords if isinstance(decorator, ast.Call) else []
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


def _spelled(decorator: ast.expr) -> str:
    return ast.unparse(decorator.func if isinstance(decorator, ast.Call) else decorator)


def _marks(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """How this file writes decorators that make tools, each with its library."""
    classes: dict[str, str] = {}
    for prefix, library in _imported(tree):
        for name in LIBRARIES[library].functions:
            yield prefix + name, library
        classes |= {prefix + name: library for name in LIBRARIES[library].classes}
    for name, original, library in _imported_names(tree):
        if original in LIBRARIES[library].functions:
            yield name, library
        elif original in LIBRARIES[library].classes:
            classes[name] = library
    for node in ast.walk(tree):
        for name, made in _typed(node):
            if made in classes:
                for method in LIBRARIES[classes[made]].methods:
                    yield f"{name}.{method}", classes[made]


def _imported(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """How this file writes what stands before a name of a module, each with its library."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                if library := _of_module(alias.name):
                    yield f"{alias.asname or alias.name}.", library
    for name, _, library in _imported_names(tree):
        yield f"{name}.", library


def _imported_names(tree: ast.Module) -> Iterator[tuple[str, str, str]]:
    """What is imported from a library: the name here, the name there, the library."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and not node.level:
            library = _of_module(node.module or "")
            for alias in node.names if library else ():
                yield alias.asname or alias.name, alias.name, library


def _of_module(module: str) -> str:
    top = module.partition(".")[0]
    return next((name for name, one in LIBRARIES.items() if top in one.modules), "")


def _typed(node: ast.AST) -> Iterator[tuple[str, str]]:
    """Names and the classes that their values are made of, as far as one statement tells."""
    match node:
        case ast.Assign(targets=[target], value=ast.Call(func=made)):
            yield ast.unparse(target), _bare(made)
        case ast.AnnAssign(target=target, annotation=made):
            yield ast.unparse(target), _bare(made)
        case ast.arg(arg=name, annotation=ast.expr() as made):
            yield name, _bare(made)


def _bare(made: ast.expr) -> str:
    """`Agent` for `Agent[Deps, str]`."""
    return ast.unparse(made.value if isinstance(made, ast.Subscript) else made)
