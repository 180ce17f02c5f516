"""What the mark itself says of a tool, and where that is written.

A call such as `tool(partial(f, unit="C"))` is a declaration of its own: the function may
stay as it is while the call changes. A decorator changes the signature of what is below
it, and options of the mark may be constants; both may come from other modules.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from toolcall._declarations import call_name, undocumented
from toolcall_mypy import fullnames
from toolcall_mypy.contributions import is_first_party
from toolcall_mypy.source.expressions import parsed
from toolcall_mypy.source.index import AssignmentSource, ClassSource
from toolcall_mypy.source.resolve import Trail, dotted_name, resolve

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from mypy.nodes import Context

    from toolcall_mypy.contributions import Contributions
    from toolcall_mypy.sites import Site
    from toolcall_mypy.source.files import SourceFiles
    from toolcall_mypy.source.index import Declaration, FunctionSource, ModuleIndex

_CALLED: Final = ("__init__", "__new__", "__call__")
"""Methods that give a decorator which is a class its type."""


def contribute(
    site: Site, source: FunctionSource | None, files: SourceFiles, contributions: Contributions
) -> None:
    """Adds what a mark consists of and names."""
    index = files.index(site.module)
    if index is None:
        return
    if site.argument is not None:
        call = _written(index, site.node)
        if call is not None:
            contributions.add(site.module, [call_name(call)])
            _reach(_options(call), index, "", files, contributions)
    elif source is not None:
        _reach(source.decorators, index, source.scope, files, contributions)


def option(
    site: Site, source: FunctionSource | None, index: ModuleIndex, name: str
) -> ast.expr | None:
    """The value that a mark gives for an option, as it is written in its module."""
    if site.argument is not None:
        whole = _written(index, site.node)
        calls: list[ast.expr] = [] if whole is None else [whole.func]
    else:
        calls = [] if source is None else list(source.decorators)
    given = [
        keyword.value
        for call in calls
        if isinstance(call, ast.Call)
        for keyword in call.keywords
        if keyword.arg == name
    ]
    return given[0] if len(given) == 1 else None


def unseen(
    index: ModuleIndex, files: SourceFiles, known: Collection[tuple[int, int]]
) -> Iterator[tuple[ast.Call, str]]:
    """Calls that mark a tool where mypy does not look, with the name of the function around.

    It skips the bodies of functions without annotations, unless told to check them.
    """
    met: set[int] = set()
    for function in _unannotated(index):
        for node in ast.walk(function):
            if not isinstance(node, ast.Call) or len(node.args) != 1 or id(node) in met:
                continue
            met.add(id(node))
            if (node.lineno, node.col_offset) not in known and _is_mark(node, index, files):
                yield node, function.name


def _unannotated(index: ModuleIndex) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for node in index.functions.statements():
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.returns is None:
            starred = [one for one in (node.args.vararg, node.args.kwarg) if one is not None]
            taken = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs, *starred]
            if all(argument.annotation is None for argument in taken):
                yield node


def _is_mark(call: ast.Call, index: ModuleIndex, files: SourceFiles) -> bool:
    function: ast.expr = call.func
    if isinstance(function, ast.Call):
        function = function.func
    name = dotted_name(function)
    found = resolve(name, index, "", files) if name is not None else None
    return found is not None and found.fullname in (fullnames.TOOL, fullnames.PUBLIC_TOOL)


def _reach(
    exprs: Iterable[ast.expr],
    index: ModuleIndex,
    scope: str,
    files: SourceFiles,
    contributions: Contributions,
) -> None:
    """Adds what the expressions name, and what that was declared with, however far it goes."""
    met: set[str] = set()
    waiting = [(name, index, scope) for expr in exprs for name in _names(expr)]
    while waiting:
        trail = Trail()
        found = resolve(*waiting.pop(), files, trail)
        if found is None or found.module.partition(".")[0] == "toolcall":
            continue  # our own decorators say what they say
        for module, _, names in trail:
            contributions.add(module, map(undocumented, names))
        home, node = found.index, found.node
        if home is None or node is None or found.fullname in met or not is_first_party(home.path):
            continue
        met.add(found.fullname)
        waiting += [(name, home, node.scope) for name in _declaring(node, home)]


def _declaring(node: Declaration, index: ModuleIndex) -> Iterator[str]:
    """The dotted names in what may give a decorator its type, in annotations also quoted ones."""
    if isinstance(node, AssignmentSource):
        exprs = [node.value, node.annotation]
    elif isinstance(node, ClassSource):
        called = [m for name in _CALLED for m in index.functions.all(f"{node.qualname}.{name}")]
        for method in called:
            yield from _declaring(method, index)
        exprs = list(node.bases)
    else:
        exprs = [*node.decorators, node.returns, *(one.annotation for one in node.parameters)]
    for expr in exprs:
        if expr is not None:
            yield from _names(expr, index)


def _written(index: ModuleIndex, node: Context) -> ast.Call | None:
    """The call in our own tree that is a node of mypy's."""
    place = (node.line, node.column, node.end_line, node.end_column)
    return index.calls.get(place)


def _options(call: ast.Call) -> Iterator[ast.expr]:
    """The options of `tool(…)(f)` or `tool(f, …)`."""
    inner: ast.expr = call
    while isinstance(inner, ast.Call):
        yield from (keyword.value for keyword in inner.keywords)
        inner = inner.func


def _names(expr: ast.expr, quoted_in: ModuleIndex | None = None) -> Iterator[str]:
    """The dotted names in an expression; also in its texts where they are this module's types."""
    dotted = dotted_name(expr)
    if dotted is not None:
        yield dotted
        return
    if isinstance(expr, ast.Constant):
        if quoted_in is not None and isinstance(expr.value, str):
            inner = parsed(expr, quoted_in)
            yield from () if inner is None else _names(inner)
        return
    for child in ast.iter_child_nodes(expr):
        value = child.value if isinstance(child, ast.keyword) else child
        if isinstance(value, ast.expr):
            yield from _names(value, quoted_in)
