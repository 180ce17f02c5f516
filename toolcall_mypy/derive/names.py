"""What classes and types are called: class names, short names, types in messages.

mypy's full name of a class inside a function is `module.Name@line`, without the function;
the sources know the rest and are asked through the lookup.
"""

from __future__ import annotations

import re
from hashlib import blake2b
from typing import TYPE_CHECKING, Final

from mypy.messages import format_type_bare
from mypy.options import Options
from mypy.types import (
    AnyType,
    Instance,
    LiteralType,
    NoneType,
    TupleType,
    TypeAliasType,
    TypedDictType,
    UnionType,
    get_proper_type,
)

from toolcall_mypy.derive.table import Origin, identifier

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mypy.nodes import TypeInfo
    from mypy.types import Type

    from toolcall import ir
    from toolcall_mypy.derive.table import Lookup

LONGEST: Final = 48
"""Characters of a short name; tool definitions are paid for by the token."""

_OPTIONS: Final = Options()


def show(t: Type) -> str:
    """A type as its author would write it, for messages."""
    text = re.sub(r"@\d+", "", format_type_bare(t, _OPTIONS))
    return text if len(text) <= 80 else text[:77] + "..."


def origin(info: TypeInfo, lookup: Lookup) -> Origin:
    """Where a class is declared."""
    local = info.fullname.removeprefix(f"{info.module_name}.")
    line = max(0, info.defn.line, info.line)
    return Origin(info.module_name, _qualname(info, local, line, lookup), info.fullname, line)


def _qualname(info: TypeInfo, local: str, line: int, lookup: Lookup) -> str:
    outer, _, inner = local.partition(".")
    name, marked, at = outer.partition("@")
    if not marked:
        return local
    # Within one daemon's life the mark keeps the line of the first run, the class has today's.
    known = lookup.qualname(info.module_name, name, int(at) if inner or not line else line)
    return ".".join(part for part in (known or name, inner) if part)


def class_name(info: TypeInfo, lookup: Lookup) -> ir.ClassName:
    """`module:qualname`."""
    place = origin(info, lookup)
    return f"{place.module}:{place.qualname}"


def short_name(qualname: str, args: Sequence[Type]) -> str:
    """`Outer_Inner` or `Pair_int`: what a table entry is called if nobody else is."""
    parts = [qualname.rpartition("<locals>.")[2], *(_word(arg) for arg in args)]
    name = identifier("_".join(parts))
    if len(name) <= LONGEST:
        return name
    digest = blake2b(name.encode(), digest_size=4).hexdigest()
    return f"{name[: LONGEST - 9]}_{digest}"


def _word(t: Type) -> str:
    if isinstance(t, TypeAliasType) and t.alias is not None and t.is_recursive:
        return t.alias.name.partition("@")[0]
    match get_proper_type(t):
        case Instance() as instance:
            return "_".join([_bare(instance.type), *(_word(arg) for arg in instance.args)])
        case TypedDictType() as typeddict:
            return _bare(typeddict.fallback.type)
        case TupleType() as pair if pair.partial_fallback.type.fullname != "builtins.tuple":
            return _bare(pair.partial_fallback.type)
        case TupleType() as pair:
            return "_".join(["tuple", *(_word(item) for item in pair.items)])
        case UnionType() as union:
            return "_or_".join(_word(item) for item in union.items)
        case LiteralType() as literal:
            return str(literal.value)
        case NoneType():
            return "None"
        case AnyType():
            return "Any"
        case other:
            return type(other).__name__.removesuffix("Type")


def _bare(info: TypeInfo) -> str:
    return info.name.partition("@")[0]
