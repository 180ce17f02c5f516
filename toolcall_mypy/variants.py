"""Which variant of an overloaded function without an implementation is the tool.

Stubs put the general variant last, but often have one for text and a last one for bytes,
which no model should have to send.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mypy.nodes import Decorator, FuncDef, OverloadedFuncDef
from mypy.types import (
    CallableType,
    Instance,
    TypeVarType,
    UnionType,
    get_proper_type,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from mypy.nodes import MypyFile
    from mypy.types import Type

_BINARY: Final = frozenset(
    {
        "builtins.bytearray",
        "builtins.bytes",
        "builtins.memoryview",
        "collections.abc.Buffer",
        "typing_extensions.Buffer",
    }
)
_OF_EITHER: Final = frozenset({"os.PathLike", "re.Pattern"})


def implementation(node: object) -> FuncDef | None:
    """The `def` of a node; of variants alone the last one that does not want bytes."""
    if isinstance(node, OverloadedFuncDef):
        node = node.impl or _chosen(node)
    if isinstance(node, Decorator):
        node = node.func
    return node if isinstance(node, FuncDef) else None


def position(definition: FuncDef, modules: Mapping[str, MypyFile]) -> tuple[int, int] | None:
    """Which variant a `def` is, and of how many; None where it is none."""
    tree = modules.get(definition.fullname.rpartition(".")[0])
    names = definition.info.names if definition.info else tree.names if tree is not None else {}
    symbol = names.get(definition.name)
    if symbol is None or not isinstance(symbol.node, OverloadedFuncDef):
        return None
    variants = [_definition(item) for item in symbol.node.items]
    at = next((at for at, one in enumerate(variants) if one is definition), None)
    return None if at is None else (at, len(variants))


def _chosen(node: OverloadedFuncDef) -> object:
    taken = [item for item in node.items if not _wants_bytes(_definition(item))]
    return (taken or node.items)[-1]


def _definition(item: object) -> object:
    return item.func if isinstance(item, Decorator) else item


def _wants_bytes(definition: object) -> bool:
    t = get_proper_type(definition.type) if isinstance(definition, FuncDef) else None
    return isinstance(t, CallableType) and any(map(_is_binary, t.arg_types))


def _is_binary(t: Type) -> bool:
    """Whether bytes are taken and text is not."""
    match get_proper_type(t):
        case UnionType(items=items):
            return any(map(_is_binary, items)) and not any(map(_is_text, items))
        case TypeVarType(values=[], upper_bound=bound):
            return _is_binary(bound)
        case Instance() as instance:
            return _named(instance, _BINARY)
        case _:
            return False


def _is_text(t: Type) -> bool:
    proper = get_proper_type(t)
    return isinstance(proper, Instance) and _named(proper, {"builtins.str"})


def _named(instance: Instance, names: Iterable[str]) -> bool:
    if instance.type.fullname in _OF_EITHER and instance.args:
        inner = get_proper_type(instance.args[0])
        return isinstance(inner, Instance) and inner.type.fullname in names
    return instance.type.fullname in names
