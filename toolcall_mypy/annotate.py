"""Lays metadata over an IR type: constraints, descriptions, wire forms, discriminators.

The tree of metadata has the shape of the type as it was written, the IR that of the type
as mypy checked it. They meet slot by slot; a slot that the IR does not have (branches
that were merged, for example) and a constraint that its type cannot carry are answered
as misplaced, never dropped in silence. Nodes are copied, because the same node may stand
under two parameters.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, cast

from toolcall_mypy.records import record

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from toolcall import ir
    from toolcall_mypy.source.metadata import Constraint, Metadata

NUMERIC: Final = frozenset({"ge", "gt", "le", "lt", "multiple_of"})
_RENAMED: Final = {
    "array": {"min_length": "min_items", "max_length": "max_items"},
    "mapping": {"min_length": "min_properties", "max_length": "max_properties"},
}
_CARRIED: Final[Mapping[str, frozenset[str]]] = {
    "integer": NUMERIC,
    "number": NUMERIC,
    "string": frozenset({"min_length", "max_length", "pattern"}),
    "array": frozenset({"min_items", "max_items"}),
    "mapping": frozenset({"min_properties", "max_properties"}),
}
_LISTS: Final = {"prefix": "prefix", "branch": "branches"}


@record
class Misplaced:
    """Metadata that the type has no place for."""

    what: str
    kind: str


def annotate(
    node: ir.Type, metadata: Metadata, *, described: bool = True
) -> tuple[ir.Type, tuple[Misplaced, ...]]:
    """The type with its metadata, and what found no place.

    Args:
        node: the type as derived.
        metadata: what was written about it.
        described: whether a description goes onto the node; a parameter or field keeps
            its own beside the type.
    """
    misplaced: list[Misplaced] = []
    laid = _lay(cast("dict[str, Any]", node), metadata, misplaced, described)
    return cast("ir.Type", laid), tuple(misplaced)


def as_sent(node: ir.Type, metadata: Metadata) -> ir.Type:
    """The type of a pydantic field, with a text wherever pydantic itself reads one."""
    return cast("ir.Type", _as_sent(cast("dict[str, Any]", node), metadata))


def _as_sent(node: dict[str, Any], metadata: Metadata) -> dict[str, Any]:
    if not (metadata.from_text or metadata.children):
        return node
    if node["kind"] == "nullable":
        return {**node, "inner": _as_sent(node["inner"], metadata)}
    if metadata.from_text:
        return {"kind": "string"}
    laid = dict(node)
    for slot, child in metadata.children.items():
        if isinstance(slot, str):
            if isinstance(laid.get(slot), dict):
                laid[slot] = _as_sent(laid[slot], child)
        elif slot[1] < len(laid.get(_LISTS[slot[0]], ())):
            parts = list(laid[_LISTS[slot[0]]])
            parts[slot[1]] = _as_sent(parts[slot[1]], child)
            laid[_LISTS[slot[0]]] = parts
    return laid


def _lay(
    node: dict[str, Any], metadata: Metadata, misplaced: list[Misplaced], described: bool
) -> dict[str, Any]:
    if metadata.type is not None and node["kind"] == "any":
        node = cast("dict[str, Any]", metadata.type)
    if not (
        metadata.constraints
        or metadata.children
        or metadata.wire
        or metadata.discriminator
        or metadata.choices
    ):
        return _with_doc(node, metadata) if described and metadata.description else node
    if node["kind"] == "nullable":
        inner = _lay(node["inner"], metadata, misplaced, False)
        laid = {**node, "inner": inner}
    else:
        laid = _constrained(_nested(dict(node), metadata, misplaced), metadata, misplaced)
        laid = _chosen(_on_wire(laid, metadata, misplaced), metadata, misplaced)
    return _with_doc(laid, metadata) if described and metadata.description else laid


def _with_doc(node: dict[str, Any], metadata: Metadata) -> dict[str, Any]:
    return {**node, "doc": metadata.description}


def _constrained(
    node: dict[str, Any], metadata: Metadata, misplaced: list[Misplaced]
) -> dict[str, Any]:
    for constraint in metadata.constraints:
        carriers = list(_carriers(node, constraint))
        for carrier in carriers:
            carrier[_key(carrier, constraint)] = constraint[1]
        if not carriers:
            misplaced.append(Misplaced(constraint[0], node["kind"]))
    return node


def _carriers(node: dict[str, Any], constraint: Constraint) -> Iterator[dict[str, Any]]:
    """The node itself, or those branches of a union that can carry the constraint."""
    if node["kind"] == "union":
        node["branches"] = [dict(branch) for branch in node["branches"]]
        for branch in node["branches"]:
            yield from _carriers(branch, constraint)
    elif _key(node, constraint) in _carried(node):
        yield node


def _carried(node: dict[str, Any]) -> frozenset[str]:
    if node["kind"] == "stdlib":
        own = {"decimal": NUMERIC, "bytes": frozenset({"min_length", "max_length"})}
        return own.get(node["type"], frozenset())
    return _CARRIED.get(node["kind"], frozenset())


def _key(node: dict[str, Any], constraint: Constraint) -> str:
    return _RENAMED.get(node["kind"], {}).get(constraint[0], constraint[0])


def _on_wire(
    node: dict[str, Any], metadata: Metadata, misplaced: list[Misplaced]
) -> dict[str, Any]:
    if metadata.wire is not None:
        if node["kind"] == "integer":
            node["wire"] = metadata.wire
        else:
            misplaced.append(Misplaced(f"wire={metadata.wire!r}", node["kind"]))
    if metadata.discriminator is not None and node["kind"] == "union":
        node["discriminator"] = metadata.discriminator
    return node


def _chosen(node: dict[str, Any], metadata: Metadata, misplaced: list[Misplaced]) -> dict[str, Any]:
    """Text or whole numbers as the choices that metadata lists."""
    if metadata.choices is None:
        return node
    kind = {"string": str, "integer": int}.get(node["kind"])
    if kind is None or any(type(value) is not kind for value in metadata.choices):
        misplaced.append(Misplaced("enum", node["kind"]))
        return node
    return {"kind": "literal", "values": [{"value": value} for value in metadata.choices]}


def _nested(node: dict[str, Any], metadata: Metadata, misplaced: list[Misplaced]) -> dict[str, Any]:
    for slot, child in metadata.children.items():
        key = slot if isinstance(slot, str) else _LISTS[slot[0]]
        below = node.get(key)
        if isinstance(slot, str) and isinstance(below, dict):
            node[key] = _lay(below, child, misplaced, True)
        elif isinstance(slot, tuple) and isinstance(below, list) and slot[1] < len(below):
            node[key] = [*below[: slot[1]], _lay(below[slot[1]], child, misplaced, True)]
            node[key] += below[slot[1] + 1 :]
        elif says_something(child):
            misplaced.append(Misplaced("the metadata of a part", node["kind"]))
    return node


def restored(metadata: Metadata, where: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """The places where metadata knows a type and mypy none, as losses name them."""
    if metadata.type is not None:
        yield where
    for slot, child in metadata.children.items():
        yield from restored(child, (*where, slot if isinstance(slot, str) else str(slot[1])))


def says_something(metadata: Metadata) -> bool:
    """Whether this tree holds anything to lay over a type."""
    own = metadata.constraints or metadata.description or metadata.wire or metadata.discriminator
    return bool(own or metadata.choices) or any(map(says_something, metadata.children.values()))
