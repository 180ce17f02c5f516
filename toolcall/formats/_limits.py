"""Counting what strict modes limit, in a schema that is already rendered.

One walk, references not followed: the root and every definition count once, each with
its own depth, because that is how the vendors count (observed). Levels of nesting are
objects and arrays.
"""

from __future__ import annotations

from toolcall.formats._rendering import Loss

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from toolcall.formats._dialect import Limits

LONG_ENUM = 250
"""A string enum with more values than this is limited in characters, too."""


class Count:
    """The counters of one schema, by the names of the rows of `Limits`."""

    __slots__ = (
        "characters",
        "depth",
        "enum_characters",
        "enum_values",
        "optional",
        "properties",
        "unions",
    )

    def __init__(self, schema: dict[str, Any]) -> None:
        self.properties = self.depth = self.characters = 0
        self.enum_values = self.enum_characters = self.optional = self.unions = 0
        self._walk(schema, 0)
        for name, definition in schema.get("$defs", {}).items():
            self.characters += len(name)
            self._walk(definition, 0)

    def _walk(self, node: dict[str, Any], depth: int) -> None:
        kind = node.get("type")
        if kind == "object" or kind == "array":  # noqa: PLR1714 -- a list of types has no hash
            depth += 1
            self.depth = max(self.depth, depth)
        if "anyOf" in node or isinstance(kind, list):
            self.unions += 1
        if "enum" in node:
            self._enum(node["enum"])
        properties = node.get("properties")
        if properties:
            self.properties += len(properties)
            self.characters += sum(map(len, properties))
            self.optional += len(properties) - len(node.get("required", ()))
        for child in _inside(node):
            self._walk(child, depth)

    def _enum(self, values: list[Any]) -> None:
        self.enum_values += len(values)
        characters = sum(len(value) for value in values if isinstance(value, str))
        self.characters += characters
        if len(values) > LONG_ENUM:
            self.enum_characters = max(self.enum_characters, characters)


def _inside(node: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield from node.get("properties", {}).values()
    yield from node.get("anyOf", ())
    items = node.get("items")
    if isinstance(items, dict):
        yield items


def passed(count: Count, limits: Limits) -> list[Loss]:
    """A loss for every counter of one tool that is beyond its limit."""
    checks = (
        ("properties", count.properties, limits.properties),
        ("levels of nesting", count.depth, limits.depth),
        ("characters in names and choices", count.characters, limits.characters),
        ("enum values", count.enum_values, limits.enum_values),
        ("characters in one enum", count.enum_characters, limits.enum_characters),
        ("optional properties", count.optional, limits.request_optional),
        ("properties with a union type", count.unions, limits.request_unions),
    )
    return [
        Loss("", "format-limit", f"{number} {what}, the limit is {limit}")
        for what, number, limit in checks
        if limit is not None and number > limit
    ]
