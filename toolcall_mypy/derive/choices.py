"""Closed sets of values: `Literal`, and the Enum family as it stands on the wire.

An Enum whose values are not all known, or not all of one JSON kind, goes by its names:
the member is found by its name anyway. Where the values come from is `members`' matter.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from mypy.types import Instance

from toolcall_mypy.derive.members import read, scalar
from toolcall_mypy.derive.names import class_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from mypy.nodes import TypeInfo
    from mypy.types import LiteralType

    from toolcall import ir
    from toolcall_mypy.derive.members import Members, Scalar
    from toolcall_mypy.derive.types import Deriver


def literal(deriver: Deriver, items: Sequence[LiteralType]) -> ir.Type:
    """`Literal[...]`; mypy makes one type of each value."""
    for item in items:
        if item.fallback.type.fullname == "builtins.bytes" or scalar(item.value) is None:
            return deriver.unsupported(item)
    values = [_literal_value(deriver, item) for item in items]
    first: dict[str, ir.LiteralValue] = {}
    for value in values:
        first.setdefault(json.dumps(value["value"]), value)
    return {"kind": "literal", "values": list(first.values())}


def enum(deriver: Deriver, info: TypeInfo) -> ir.Type:
    """An Enum class; one without members has nothing to choose from."""
    members = read(info, deriver.lookup)
    cls = class_name(info, deriver.lookup)
    if not members.values:
        return _bare(deriver, info, cls)
    if not info.has_base("enum.Flag"):
        return {"kind": "enum", "cls": cls, "members": _listed(wire_values(info, members))}
    if None in members.values.values():
        return deriver.unsupported(Instance(info, []), "has bits whose values are not known")
    return {"kind": "flag", "cls": cls, "members": _listed(wire_values(info, members))}


def wire_values(info: TypeInfo, members: Members) -> dict[str, int | float | str]:
    """What stands for each member on the wire."""
    known = {name: value for name, value in members.values.items() if value is not None}
    if len(known) < len(members.values):
        return {name: name for name in members.values}
    by_value = info.has_base("enum.Flag") or _one_kind(known.values())
    return dict(known) if by_value else {name: name for name in known}


def _literal_value(deriver: Deriver, item: LiteralType) -> ir.LiteralValue:
    info = item.fallback.type
    if not info.is_enum:
        return {"value": scalar(item.value)}
    members = read(info, deriver.lookup)
    name = members.aliases.get(str(item.value), str(item.value))
    wire = wire_values(info, members).get(name, name)
    return {"value": wire, "enum": class_name(info, deriver.lookup), "member": name}


def _bare(deriver: Deriver, info: TypeInfo, cls: ir.ClassName) -> ir.Type:
    deriver.lose("bare-enum", f'"{info.name}" has no members to choose from.', info.name)
    if deriver.outward and not deriver.inside_entry:
        return {"kind": "any"}  # a member of some class is returned
    numeric = info.has_base("builtins.int") or info.has_base("enum.Flag")
    return {"kind": "enum", "cls": cls, "members": [], "type": "integer" if numeric else "string"}


def _listed(values: Mapping[str, int | float | str]) -> list[ir.EnumMember]:
    return [{"name": name, "value": value} for name, value in values.items()]


def _one_kind(values: Iterable[Scalar]) -> bool:
    """Whether JSON Schema has one name for the type of all of them; that of booleans is none."""
    return {type(value) for value in values} in ({str}, {int}, {float})
