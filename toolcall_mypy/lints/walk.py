"""Every type node below a type, through references, once each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from typing_extensions import assert_never

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolcall import ir


def reached(node: ir.Type, types: dict[str, ir.Type]) -> Iterator[ir.Type]:
    """The node and everything below it; a named type is entered once."""
    seen: set[str] = set()
    waiting = [node]
    while waiting:
        one = waiting.pop(0)
        if one["kind"] == "ref":
            if one["name"] not in seen:
                seen.add(one["name"])
                waiting.append(types[one["name"]])
            continue
        yield one
        waiting.extend(children(one))


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
