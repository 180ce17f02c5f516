"""Unions of the IR as JSON Schema means them: putting together, telling apart, choosing.

Owns what is true of several types at once, and the values of a choice. It must not know
schemas: it gets types that are already in the IR.

JSON has one kind of number, so 1.0 is 1 here and `integer` overlaps `number`; and `true`
is no number, which Python would not say by itself.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any, TypeAlias

    from toolcall import ir

    Types: TypeAlias = Mapping[str, ir.Type]

MAX_REFS = 20
"""References that lead to references; whoever needs more is not told apart."""


def never() -> ir.Type:
    """The type of no value: a choice of nothing."""
    return {"kind": "literal", "values": []}


def union_of(branches: Iterable[ir.Type]) -> ir.Type:
    """One type for several, in order: flat, without duplicates, null outside."""
    flat: list[ir.Type] = []
    nullable = False
    for branch in _flattened(branches):
        if branch["kind"] == "any":
            return {"kind": "any"}
        if branch["kind"] == "null":
            nullable = True
        elif branch not in flat:
            flat.append(branch)
    if not flat:
        return {"kind": "null"}
    made: ir.Type = flat[0] if len(flat) == 1 else {"kind": "union", "branches": flat}
    return {"kind": "nullable", "inner": made} if nullable else made


def _flattened(branches: Iterable[ir.Type]) -> Iterable[ir.Type]:
    for branch in branches:
        if branch["kind"] == "nullable":
            yield from _flattened([branch["inner"]])
            yield {"kind": "null"}
        elif branch["kind"] == "union":
            yield from branch["branches"]
        else:
            yield branch


def reached(type_: ir.Type, types: dict[str, ir.Type]) -> set[str]:
    """The named types that a value of `type_` is tried against before anything is consumed."""
    found: set[str] = set()
    todo = [type_]
    while todo:
        at = todo.pop()
        if at["kind"] == "ref" and at["name"] not in found:
            found.add(at["name"])
            todo.append(types[at["name"]])
        elif at["kind"] == "nullable":
            todo.append(at["inner"])
        elif at["kind"] == "union":
            todo.extend(at["branches"])
    return found


def exclusive(branches: Sequence[ir.Type], types: Types) -> bool:
    """Whether no value can satisfy two of the branches."""
    seen: set[str] = set()
    for branch in branches:
        kinds = _json_kinds(branch, types, 0)
        if kinds is None or kinds & seen:
            return _tagged(branches, types)
        seen |= kinds
    return True


def _json_kinds(branch: ir.Type, types: Types, depth: int) -> set[str] | None:
    match branch["kind"]:
        case "string" | "boolean" | "null" | "array" as kind:
            return {kind}
        case "integer" | "number":
            return {"number"}
        case "tuple":
            return {"array"}
        case "object" | "mapping":
            return {"object"}
        case "literal":
            return {kind_of(value["value"]) for value in branch["values"]}
        case "nullable":
            inner = _json_kinds(branch["inner"], types, depth)
            return None if inner is None else inner | {"null"}
        case "ref" if depth < MAX_REFS:
            return _json_kinds(types[branch["name"]], types, depth + 1)
        case _:
            return None


def _tagged(branches: Sequence[ir.Type], types: Types) -> bool:
    """Whether all branches are objects with a required literal that differs in each."""
    tags = [_tags(branch, types) for branch in branches]
    for name in tags[0] if tags else ():
        values = [value for tag in tags for value in tag.get(name, ())]
        if all(name in tag for tag in tags) and len(set(values)) == len(values):
            return True
    return False


def _tags(branch: ir.Type, types: Types) -> dict[str, list[tuple[str, object]]]:
    if branch["kind"] == "ref":
        branch = types[branch["name"]]
    if branch["kind"] != "object":
        return {}
    return {
        field["wire"]: [
            (kind_of(value["value"]), value["value"]) for value in field["type"]["values"]
        ]
        for field in branch["fields"]
        if field["required"] and field["type"]["kind"] == "literal"
    }


def is_scalar(value: object) -> bool:
    return value is None or isinstance(value, (str, bool, int, float))


def kind_of(value: object) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    return "string" if isinstance(value, str) else "number"


def kind_fits(value: object, kinds: Sequence[str]) -> bool:
    kind = kind_of(value)
    if kind != "number":
        return kind in kinds
    return "number" in kinds or ("integer" in kinds and isinstance(exact(value), int))


def exact(value: Any) -> Any:
    """JSON has one kind of number: 1.0 is written as 1."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


def same(left: object, right: object) -> bool:
    return kind_of(left) == kind_of(right) and left == right
