"""What is below a type node: the nodes right inside, and the named types it reaches."""

from __future__ import annotations

from typing import TYPE_CHECKING

from typing_extensions import assert_never

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from toolcall import ir


def named(nodes: Iterable[ir.Type], types: Mapping[str, ir.Type]) -> frozenset[str]:
    """The named types that these are made of, however far inside."""
    found: set[str] = set()
    waiting = list(nodes)
    for node in waiting:  # which grows meanwhile
        if node["kind"] != "ref":
            waiting += children(node)
        elif node["name"] not in found:
            found.add(node["name"])
            waiting.append(types[node["name"]])
    return frozenset(found)


def children(node: ir.Type) -> list[ir.Type]:
    """The types directly below a node."""
    match node["kind"]:
        case "array":
            return [node["items"]]
        case "tuple":
            return [*node["prefix"], *([node["rest"]] if "rest" in node else [])]
        case "mapping":
            return [node["key"], node["value"]]
        case "object":
            extra = [node["extra"]] if "extra" in node else []
            return [*(field["type"] for field in node["fields"]), *extra]
        case "root" | "nullable":
            return [node["inner"]]
        case "union":
            return list(node["branches"])
        case "custom":
            return [node["wire"]]
        case (
            "string"
            | "integer"
            | "number"
            | "boolean"
            | "null"
            | "any"
            | "stdlib"
            | "literal"
            | "enum"
            | "flag"
            | "ref"
        ):
            return []
        case _:
            assert_never(node)
