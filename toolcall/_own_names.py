"""Arguments that came under names made for a vendor get the properties' own names.

The way back of `toolcall.formats._properties`, taken before anything is decoded.

1. It needs to know no vendor: a property has at most one other name, and both are
   understood wherever the tool is called.
2. A key is renamed only where the object has that property and its own name is not given.
3. The IR and a schema that the user gave are walked alike: a `_View` says what is inside.
"""

from __future__ import annotations

from toolcall._decoder import MAX_DEPTH
from toolcall.formats._properties import sent_names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any, Protocol

    from toolcall import ir

    class _View(Protocol):
        """Reads nodes of one language."""

        def resolved(self, nodes: Iterable[Any]) -> list[Any]:
            """The nodes that a value may be of, without references and choices."""

        def fields(self, node: Any) -> Iterable[tuple[str, Any]]:
            """The known properties of an object."""

        def rest(self, node: Any) -> Any:
            """What other properties of an object are, or None."""

        def elements(self, node: Any) -> Iterable[Any]:
            """What the elements of an array may be."""


def restorer(
    definition: ir.Definition,
) -> Callable[[Mapping[str, Any]], Mapping[str, Any]] | None:
    """What gives the arguments of a tool's calls their own names; None if they have them."""
    own = {other: name for name, other in sent_names(definition).items()}
    if not own:
        return None
    given = definition["tool"].get("schema")
    view: Any
    if given is not None:
        view, root = _GivenView(given), given
    else:
        view, root = _IrView(definition["types"]), _root(definition["tool"])

    def restore(arguments: Mapping[str, Any]) -> Mapping[str, Any]:
        """The arguments under their own names; the same object if they came so."""
        return _restored(arguments, [root], view, own, 0)  # type: ignore[no-any-return]

    return restore


def _root(tool: ir.Tool) -> Any:
    """The arguments of a tool as an object type."""
    fields = [one for one in tool["parameters"] if one["kind"] != "var_keyword"]
    rest = [one["type"] for one in tool["parameters"] if one["kind"] == "var_keyword"]
    return {"kind": "object", "fields": fields, **({"extra": rest[0]} if rest else {})}


def _restored(value: Any, nodes: list[Any], view: _View, own: Mapping[str, str], depth: int) -> Any:
    if depth > MAX_DEPTH or not isinstance(value, (dict, list)):
        return value
    nodes = view.resolved(nodes)
    if isinstance(value, list):
        inner = [element for node in nodes for element in view.elements(node)]
        elements = [_restored(one, inner, view, own, depth + 1) for one in value]
        return elements if _differ(elements, value) else value
    known: dict[str, list[Any]] = {}
    for node in nodes:
        for name, one in view.fields(node):
            known.setdefault(name, []).append(one)
    rest = [one for one in map(view.rest, nodes) if one is not None]
    made: dict[Any, Any] = {}
    for key, one in value.items():
        name = key if key in known else own.get(key, key)
        if name not in known or name in value:
            name = key
        made[name] = _restored(one, known.get(name, rest), view, own, depth + 1)
    return made if _differ(made, value) or _differ(made.values(), value.values()) else value


def _differ(made: Iterable[Any], value: Iterable[Any]) -> bool:
    return any(new is not old for new, old in zip(made, value, strict=True))


class _IrView:
    """Reads type nodes."""

    __slots__ = ("_types",)

    def __init__(self, types: Mapping[str, ir.Type]) -> None:
        self._types = types

    def resolved(self, nodes: Iterable[Any]) -> list[Any]:
        found: list[Any] = []
        seen: set[int] = set()
        waiting = list(nodes)
        while waiting:
            node = waiting.pop(0)
            if id(node) in seen:
                continue
            seen.add(id(node))
            match node["kind"]:
                case "ref":
                    waiting.append(self._types[node["name"]])
                case "nullable" | "root":
                    waiting.append(node["inner"])
                case "custom":
                    waiting.append(node["wire"])
                case "union":
                    waiting += node["branches"]
                case _:
                    found.append(node)
        return found

    def fields(self, node: Any) -> Iterable[tuple[str, Any]]:
        return [(one["wire"], one["type"]) for one in node.get("fields", ())]

    def rest(self, node: Any) -> Any:
        return node.get("value") if node["kind"] == "mapping" else node.get("extra")

    def elements(self, node: Any) -> Iterable[Any]:
        if node["kind"] == "array":
            return [node["items"]]
        if node["kind"] == "tuple":
            return [*node["prefix"], *([node["rest"]] if "rest" in node else [])]
        return []


class _GivenView:
    """Reads the parts of a given schema."""

    __slots__ = ("_document",)

    def __init__(self, schema: Mapping[str, Any]) -> None:
        from toolcall._schema_merge import Document

        self._document = Document(schema)

    def resolved(self, nodes: Iterable[Any]) -> list[Any]:
        found: list[Any] = []
        seen: set[int] = set()
        waiting = list(nodes)
        while waiting:
            node = waiting.pop(0)
            if not isinstance(node, dict) or id(node) in seen:
                continue
            seen.add(id(node))
            found.append(node)
            if "$ref" in node:
                waiting.append(self._document.target(node["$ref"]))
            for keyword in ("allOf", "anyOf", "oneOf"):
                branches = node.get(keyword)
                waiting += branches if isinstance(branches, list) else ()
            waiting += [node[keyword] for keyword in ("if", "then", "else") if keyword in node]
            dependent = node.get("dependentSchemas")
            waiting += dependent.values() if isinstance(dependent, dict) else ()
        return found

    def fields(self, node: Any) -> Iterable[tuple[str, Any]]:
        properties = node.get("properties")
        return properties.items() if isinstance(properties, dict) else ()

    def rest(self, node: Any) -> Any:
        return node.get("additionalProperties")

    def elements(self, node: Any) -> Iterable[Any]:
        prefix, items = node.get("prefixItems"), node.get("items")
        found = list(prefix) if isinstance(prefix, list) else []
        return [*found, *items] if isinstance(items, list) else [*found, items]
