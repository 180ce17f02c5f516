"""The keywords of a JSON Schema document: which of them assert, how they combine.

Owns references and conjunctions: what a local `$ref` names, and one schema that means
several at once (`allOf`, a `$ref` beside other keywords). It must not know the IR.

1. Keywords that do not interact mean the same in one schema as in several; where they
   do interact there is no merged schema, and the caller says so.
2. References lead nowhere but into the document: no fetching, no identifiers.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any

    Schema = Mapping[str, Any]

MAX_CHAIN = 20
"""References and nested conjunctions that are followed before giving up."""

_ANNOTATIONS = (
    frozenset(("title", "description", "default", "examples", "example", "format", "deprecated"))
    | frozenset(("readOnly", "writeOnly", "contentEncoding", "contentMediaType", "contentSchema"))
    | frozenset(
        ("$schema", "$id", "id", "$defs", "definitions", "$anchor", "$comment", "$vocabulary")
    )
    | {"propertyOrdering"}
)

# Keywords that do nothing without their partner.
_PARTNER = {"then": "if", "else": "if", "minContains": "contains", "maxContains": "contains"}


class Document:
    """A whole schema, which its own references point into."""

    __slots__ = ("budget", "root")

    def __init__(self, root: object) -> None:
        self.root = root
        self.budget = 10_000

    def target(self, ref: object) -> object:
        """The schema that a local reference names, or None."""
        if not isinstance(ref, str) or not (ref == "#" or ref.startswith("#/")):
            return None
        place: object = self.root
        for step in ref[2:].split("/") if ref != "#" else ():
            key = unescape(step)
            if isinstance(place, dict) and key in place:
                place = place[key]
            elif isinstance(place, list) and key.isascii() and key.isdigit():
                place = place[int(key)] if int(key) < len(place) else None
            else:
                return None
        return place

    def end_of_chain(self, ref: object) -> tuple[object, object]:
        """Follow a reference that leads to nothing but references, once around at most."""
        seen = set()
        target = self.target(ref)
        while isinstance(target, dict) and asserts(target) == {"$ref"}:
            if str(ref) in seen:
                return ref, None
            seen.add(str(ref))
            ref = target["$ref"]
            target = self.target(ref)
        return ref, target

    def flatten(self, schema: Schema) -> tuple[Schema, list[str]]:
        """The schema without conjunctions, and the keywords that could not be merged in."""
        lost: list[str] = []
        for _ in range(MAX_CHAIN):
            rest = dict(schema)
            if isinstance(schema.get("allOf"), list):
                word, parts = "allOf", [rest, *rest.pop("allOf")]
            elif "$ref" in schema and asserts(schema) - {"nullable"} != {"$ref"}:
                word, parts = "$ref", [rest, {"$ref": rest.pop("$ref")}]
            else:
                return schema, lost
            merged = self.merge(parts, 0)
            if merged is None:
                lost.append(word)
            schema = rest if merged is None else merged
        return {}, [*lost, "allOf"]

    def merge(self, parts: Sequence[object], depth: int) -> dict[str, Any] | None:
        """One schema that means all of `parts`, or None where it cannot be said."""
        # A document may refer to itself from many members at every level.
        self.budget -= len(parts)
        if self.budget < 0 or depth > MAX_CHAIN:
            return None
        listed = [dict(part) for part in parts if isinstance(part, dict)]
        if len(listed) != sum(part is not True for part in parts):
            return None
        members = [part for part in listed if asserts(part)]
        if len(members) > 1:
            opened = list(self.open_all(members, depth))
            if len(opened) < len(members):
                return None
            members = opened
        joined = _join(members)
        if joined is None:
            return None
        for part in listed:
            for word in _ANNOTATIONS & set(part):
                joined.setdefault(word, part[word])
        return joined

    def open_all(self, members: Sequence[dict[str, Any]], depth: int) -> Iterator[dict[str, Any]]:
        """Each member without its own conjunction or reference, up to the first that has one."""
        for member in members:
            opened = self.open(member, depth)
            if opened is None:
                return
            yield opened

    def open(self, member: dict[str, Any], depth: int) -> dict[str, Any] | None:
        """A member without its own conjunction or reference, or None."""
        for _ in range(MAX_CHAIN):
            if not {"$ref", "allOf"} & set(member):
                return member
            if asserts(member) == {"$ref"}:
                target = self.target(member["$ref"])
            elif isinstance(member.get("allOf"), list):
                rest = {word: value for word, value in member.items() if word != "allOf"}
                target = self.merge([rest, *member["allOf"]], depth + 1)
            else:
                return None
            if not isinstance(target, dict):
                return {} if target is True else None
            member = target
        return None


def asserts(schema: Schema) -> set[str]:
    """The keywords of a schema that may refuse something."""
    return {
        word
        for word, value in schema.items()
        if word not in _ANNOTATIONS
        and not (word in _PARTNER and _PARTNER[word] not in schema)
        and not (word == "if" and not {"then", "else"} & set(schema))
        and not (word == "nullable" and value is not True)
    }


def _join(members: Sequence[Schema]) -> dict[str, Any] | None:
    """The conjunction of schemas whose keywords do not interact, else None."""
    joined: dict[str, Any] = {}
    for member in members:
        for word in asserts(member):
            value = member[word]
            if word not in joined:
                joined[word] = value
            elif word == "required" and isinstance(value, list):
                joined[word] = list(dict.fromkeys([*joined[word], *value]))
            elif word == "properties" and not set(value) & set(joined[word]):
                joined[word] = {**joined[word], **value}
            elif word == "nullable" or value != joined[word]:
                return None
    return None if len(members) > 1 and _interact(members) else joined


def _interact(members: Sequence[Schema]) -> bool:
    """Whether a keyword of one member changes the meaning of another member's.

    `nullable` widens what stands beside it, so it counts as well.
    """
    words = [asserts(member) for member in members]
    for strong, weak in (
        ("additionalProperties", {"properties", "patternProperties", "additionalProperties"}),
        ("items", {"prefixItems", "items"}),
        ("additionalItems", {"items"}),
        ("contains", {"contains", "minContains", "maxContains"}),
        ("nullable", {"type", "enum", "const", "anyOf", "oneOf"}),
        ("exclusiveMinimum", {"minimum"}),
        ("exclusiveMaximum", {"maximum"}),
        ("if", {"if", "then", "else"}),
        ("unevaluatedProperties", {"properties", "additionalProperties"}),
        ("unevaluatedItems", {"items", "prefixItems"}),
    ):
        for place, own in enumerate(words):
            if strong in own and any(
                weak & other for index, other in enumerate(words) if index != place
            ):
                return True
    return False


def escape(name: str) -> str:
    return name.replace("~", "~0").replace("/", "~1")


def unescape(step: str) -> str:
    from urllib.parse import unquote

    return unquote(step).replace("~1", "/").replace("~0", "~")
