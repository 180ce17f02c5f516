"""The names in a `Toolset(...)` whose sources are written out in the call.

Known are modules and functions that were checked before, `Function("name", …)` and a
`Toolset` inside. Any other source is passed over: what it has is seen when the program runs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mypy.nodes import CallExpr, ListExpr, MypyFile, RefExpr, SetExpr, TupleExpr

from toolcall_mypy import fullnames
from toolcall_mypy.calls import tools_of
from toolcall_mypy.lints.names import twice_in_toolset
from toolcall_mypy.places import place_of
from toolcall_mypy.sites import literal_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from mypy.nodes import Context, Expression

    from toolcall_mypy.assemble import Assembled
    from toolcall_mypy.lints.finding import Fault
    from toolcall_mypy.session import Session


def repeated(call: Context, session: Session, module: str, own: list[Assembled]) -> Iterator[Fault]:
    """The tools whose name an earlier source of the same set has already.

    Args:
        call: the call of `Toolset`.
        module: the module being checked.
        own: its tools, as far as they are known.
    """
    if not isinstance(call, CallExpr):
        return
    first: dict[str, tuple[object, str]] = {}
    for item in _sources(call):
        told: set[str] = set()
        for name, identity in _named(item, session, module, own):
            before, source = first.setdefault(name, (identity, _shown(item)))
            if before != identity and name not in told:
                told.add(name)
                yield twice_in_toolset(place_of(item), name, source, _shown(item))


def _sources(call: CallExpr) -> list[Expression]:
    listed = call.args[call.arg_names.index("sources")] if "sources" in call.arg_names else None
    if listed is None and call.args and call.arg_names[0] is None:
        listed = call.args[0]
    return listed.items if isinstance(listed, (ListExpr, TupleExpr, SetExpr)) else []


def _named(
    item: Expression, session: Session, module: str, own: list[Assembled]
) -> Iterable[tuple[str, object]]:
    """The names that a source brings, each with what tells its tool from others."""
    if isinstance(item, CallExpr) and isinstance(item.callee, RefExpr):
        if item.callee.fullname == fullnames.TOOLSET:
            prefix = _prefix(item)
            inner = [pair for one in _sources(item) for pair in _named(one, session, module, own)]
            return [] if prefix is None else [(prefix + name, known) for name, known in inner]
        if fullnames.BUILT.get(item.callee.fullname) == "Function":
            name = literal_of(item.args[0]) if item.args else None
            return [(name, item)] if isinstance(name, str) else []
        return []
    if not isinstance(item, RefExpr):
        return []
    found = tools_of(item.node, session, module, own)
    home = item.node.fullname if isinstance(item.node, MypyFile) else _home(item)
    return [] if found is None else [(name, (home, tool["key"])) for name, tool in found[0].items()]


def _home(item: RefExpr) -> str:
    return item.node.fullname.rpartition(".")[0] if item.node is not None else ""


def _prefix(call: CallExpr) -> str | None:
    """The prefix of a set, None where it is computed."""
    if "prefix" not in call.arg_names:
        return ""
    value = literal_of(call.args[call.arg_names.index("prefix")])
    return value if isinstance(value, str) else None


def _shown(item: Expression) -> str:
    match item:
        case RefExpr(node=MypyFile() as file):
            return f"module {file.fullname}"
        case RefExpr():
            return f'"{item.fullname.rpartition(".")[2]}"'
        case CallExpr(callee=RefExpr() as callee):
            return f"a {callee.fullname.rpartition('.')[2]}"
    return "a source"
