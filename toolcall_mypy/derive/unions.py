"""Unions in their one form: flat, null apart, no two branches alike, discriminated.

Literals of one union become one choice at the place of the first. A union with an
untyped branch is any value: the weaker schema is the true one.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from mypy.types import (
    Instance,
    LiteralType,
    NoneType,
    TypeAliasType,
    UninhabitedType,
    UnionType,
    get_proper_type,
)

from toolcall_mypy.derive import choices

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from mypy.types import Type

    from toolcall import ir
    from toolcall_mypy.derive.types import Deriver

ABSENT: Final = frozenset({"msgspec.UnsetType"})
"""Classes whose only value stands for a field that was not sent."""


def union(deriver: Deriver, t: UnionType) -> ir.Type:
    """`A | B | None`."""
    items = [item for item in flat(t) if not _absent(item)]
    given = [item for item in items if not isinstance(get_proper_type(item), NoneType)]
    branches = distinct(_branches(deriver, given))
    if any(branch["kind"] == "any" for branch in branches):
        return {"kind": "any"}
    whole = combine(branches)
    if len(given) == len(items) or deriver.resolve(whole)["kind"] == "nullable":
        return whole
    return nullable(whole)


def flat(t: Type) -> list[Type]:
    """The branches of a union and of those within it, or the one type.

    A recursive alias stays whole: it may have a union with itself deeper down, and taking
    it apart there would never end.
    """
    if isinstance(t, TypeAliasType) and t.is_recursive:
        return [t]
    proper = get_proper_type(t)
    if isinstance(proper, UnionType):
        return [each for item in proper.items for each in flat(item)]
    return [t]


def combine(branches: Sequence[ir.Type]) -> ir.Type:
    """Branches that are distinct and neither null nor any."""
    match list(branches):
        case []:
            return {"kind": "null"}
        case [only]:
            return only
        case several:
            return {"kind": "union", "branches": several}


def nullable(t: ir.Type) -> ir.Type:
    """The type or null, in the IR's one form."""
    return t if t["kind"] in {"any", "null", "nullable"} else {"kind": "nullable", "inner": t}


def distinct(branches: Iterable[ir.Type]) -> list[ir.Type]:
    """The branches without repetitions. `1` and `True` are equal in Python, not in JSON."""
    return list({json.dumps(branch, sort_keys=True): branch for branch in branches}.values())


def discriminate(roots: Iterable[ir.Type], types: Mapping[str, ir.Type]) -> None:
    """Set or take away the discriminator of each union in these trees, in place.

    To be done again when fields have been renamed or tags have been added.
    """
    waiting: list[Any] = [root for root in roots if len(root) > 1]
    while waiting:
        node = waiting.pop()
        inside = node if type(node) is list else node.values()
        waiting += [each for each in inside if type(each) is dict or type(each) is list]
        if type(node) is dict and node.get("kind") == "union":
            node.pop("discriminator", None)
            if found := discriminator(node["branches"], types):
                node["discriminator"] = found


def discriminator(branches: Sequence[ir.Type], types: Mapping[str, ir.Type]) -> str | None:
    """The first property that tells the branches apart, a required one if there is one."""
    found = [_object(branch, types) for branch in branches]
    objects = [each for each in found if each is not None]
    if len(objects) < len(branches):
        return None
    for only_required in (True, False):
        tables = [_constants(each, types, only_required=only_required) for each in objects]
        for wire in tables[0]:
            if all(wire in table for table in tables):
                values = [value for table in tables for value in table[wire]]
                if len(values) == len(set(values)):
                    return wire
    return None


def _branches(deriver: Deriver, items: Sequence[Type]) -> list[ir.Type]:
    proper = [get_proper_type(item) for item in items]
    literals = [item for item in proper if isinstance(item, LiteralType)]
    found: list[ir.Type] = []
    for place, (item, known) in enumerate(zip(items, proper, strict=True)):
        if not isinstance(known, LiteralType):
            found.append(deriver.at(str(place), item))
        elif known is literals[0]:
            found.append(choices.literal(deriver, literals))
    return found


def _absent(t: Type) -> bool:
    """Whether no value of this branch can be sent."""
    proper = get_proper_type(t)
    if isinstance(proper, UninhabitedType):
        return True
    return isinstance(proper, Instance) and proper.type.fullname in ABSENT


def _object(t: ir.Type | None, types: Mapping[str, ir.Type]) -> ir.Object | None:
    if t is not None and t["kind"] == "ref":
        return _object(types.get(t["name"]), types)
    return t if t is not None and t["kind"] == "object" else None


def _constants(
    t: ir.Object, types: Mapping[str, ir.Type], *, only_required: bool
) -> dict[str, list[str]]:
    """The values of each field that has only so many, as JSON text."""
    found = {}
    for each in t["fields"]:
        if (each["required"] or not only_required) and (values := _values(each["type"], types)):
            found[each["wire"]] = [json.dumps(value) for value in values]
    return found


def _values(t: ir.Type | None, types: Mapping[str, ir.Type]) -> list[ir.Json]:
    if t is None:
        return []
    if t["kind"] == "ref":
        return _values(types.get(t["name"]), types)
    if t["kind"] == "literal":
        return [each["value"] for each in t["values"]]
    return [each["value"] for each in t["members"]] if t["kind"] == "enum" else []
