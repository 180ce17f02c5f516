"""A call of `run`, `arun` or `caller` as facts, read from mypy's nodes.

The tools of the source are those of its sidecar: of a module that was checked before this
one, in this run or an earlier one. What is in the making (the module's own tools) is
handed in.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from mypy.nodes import (
    CallExpr,
    Decorator,
    DictExpr,
    Expression,
    FuncDef,
    MypyFile,
    RefExpr,
    StrExpr,
)

from toolcall import _sidecar
from toolcall_mypy.lints.calls import UNKNOWN, Argument, CallFacts
from toolcall_mypy.places import place_of
from toolcall_mypy.sites import literal_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from toolcall import ir
    from toolcall_mypy.assemble import Assembled
    from toolcall_mypy.session import Session


def facts_of(
    call: CallExpr, session: Session, module: str, own: Iterable[Assembled], *, has_args: bool
) -> CallFacts | None:
    """The facts of a call; None where its source or the tool's name is not known.

    Args:
        own: the tools of the module being checked, as far as they are known.
        has_args: whether the third argument holds the tool's arguments.
    """
    given = _by_position(call, ("source", "name", "args"))
    source, name = given.get("source"), given.get("name")
    if not isinstance(source, RefExpr) or not isinstance(name, StrExpr):
        return None
    found = tools_of(source.node, session, module, own)
    if found is None:
        return None
    tools, types = found
    args = given.get("args") if has_args else None
    items = _items(args) if args is not None else ([] if has_args else None)
    place = place_of(args) if args is not None else place_of(call)
    return CallFacts(tools, types, name.value, place_of(name), items, place)


def _by_position(call: CallExpr, names: tuple[str, ...]) -> dict[str, Expression]:
    found: dict[str, Expression] = {}
    for position, (name, kind, value) in enumerate(
        zip(call.arg_names, call.arg_kinds, call.args, strict=True)
    ):
        if kind.is_star():
            return {}
        if name is not None:
            found[name] = value
        elif position < len(names):
            found[names[position]] = value
    return found


def _items(node: Expression) -> list[Argument] | None:
    """The items of a dict display with literal keys; None for anything else."""
    if not isinstance(node, DictExpr):
        return None
    items: list[Argument] = []
    for key, value in node.items:
        if not isinstance(key, StrExpr):
            return None
        literal = literal_of(value)
        known = UNKNOWN if literal is ... else literal
        items.append(Argument(key.value, place_of(key), known, place_of(value)))
    return items


def tools_of(
    node: object, session: Session, module: str, own: Iterable[Assembled]
) -> tuple[dict[str, ir.Tool], dict[str, ir.Type]] | None:
    """The tools of a module or a function, by name, and their types; None where not known."""
    if isinstance(node, MypyFile):
        sidecar = _read(node, session, module)
        return None if sidecar is None else _table(_of_module(sidecar["tools"]), sidecar["types"])
    if isinstance(node, Decorator):
        node = node.func
    if not isinstance(node, FuncDef) or node.info:
        return None
    home, _, name = node.fullname.rpartition(".")
    if home == module:
        found = [one for one in own if one.tool["key"] == name]
        return _table([found[0].tool], found[0].types) if len(found) == 1 else None
    file = session.modules.get(home)
    sidecar = None if file is None else _read(file, session, module)
    if sidecar is None:
        return None
    tools = [tool for tool in sidecar["tools"] if tool["key"] == name]
    return _table(tools, sidecar["types"]) if len(tools) == 1 else None


def _read(file: MypyFile, session: Session, module: str) -> Any:
    """The sidecar of a module, which the result of the one being checked now rests on."""
    session.asked.setdefault(module, set()).add(file.path)
    path = _sidecar.path_for(file.path, file.fullname, session.config.cache_dir)
    try:
        with open(path, "rb") as opened:
            return json.load(opened)
    except (OSError, ValueError):
        return None


def _of_module(tools: Iterable[ir.Tool]) -> list[ir.Tool]:
    """What a module serves as a source: no methods, no functions inside functions."""
    return [
        tool for tool in tools if tool["binding"] == "function" and "<locals>" not in tool["key"]
    ]


def _table(
    tools: list[ir.Tool], types: Mapping[str, ir.Type]
) -> tuple[dict[str, ir.Tool], dict[str, ir.Type]]:
    return {tool["name"]: tool for tool in tools}, dict(types)
