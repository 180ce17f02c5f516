"""Brings the schemas of different libraries into one form, in which they can be compared.

The form is for comparing, not for emitting: what no reader of a schema would tell apart is
made equal, and nothing else.

1. Titles, examples and vendors' own keywords are dropped as keywords; a property that is
   called `title` stays.
2. `nullable: true`, `type: [T, "null"]` and `anyOf [T, null]` are one thing, and so are a
   list of types and a union of them, `oneOf` and `anyOf`, `const` and an `enum` of one.
3. Branches of a union, choices and required names are sets. A union with anything is
   anything, and a union of enums is one enum.
4. Local references are inlined; one that leads into itself is marked and left.
5. The type beside an `enum` says nothing new. `items: {}`, open and closed objects and a
   tuple's lengths beside its positions are dropped.
6. White space in prose is one space. `true` is not `1`, but `1.0` is.
7. Descriptions and defaults can be left out, to be compared on levels of their own.
"""

from __future__ import annotations

import json
from typing import Any, TypeAlias

Schema: TypeAlias = "dict[str, Any]"

KEPT = (
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "minLength",
    "maxLength",
    "pattern",
    "format",
    "minItems",
    "maxItems",
    "uniqueItems",
    "minProperties",
    "maxProperties",
)
PROSE = ("description", "default")
NULL: Schema = {"type": "null"}


def text(value: object) -> str:
    """Prose with single spaces."""
    return " ".join(value.split()) if isinstance(value, str) else ""


def key(value: object) -> str:
    """Equal for equal JSON values and for no others."""
    return json.dumps(_number(value), sort_keys=True, ensure_ascii=False, default=str)


def _number(value: Any) -> Any:
    match value:
        case float() if value.is_integer():
            return int(value)
        case dict():
            return {name: _number(inner) for name, inner in value.items()}
        case list() | tuple():
            return [_number(inner) for inner in value]
    return value


def normalise(schema: Any, *, prose: bool = False) -> Schema:
    """A schema in the common form; with its descriptions and defaults if `prose`."""
    root = schema if isinstance(schema, dict) else {}
    return _Normaliser(root, prose).schema(schema, ())


class _Normaliser:
    """One schema's walk; `root` is where its references point into."""

    def __init__(self, root: Schema, prose: bool) -> None:
        self.root = root
        self.prose = prose

    def schema(self, given: Any, inside: tuple[str, ...]) -> Schema:
        if not isinstance(given, dict):
            return {"never": True} if given is False else {}
        given, inside = self._resolved(given, inside)
        branches = _flat(self._branches(given, inside))
        distinct = {key(branch): branch for branch in branches}
        made = _union([distinct[name] for name in sorted(distinct)])
        for name in PROSE if self.prose else ():
            if given.get(name) is not None:
                made[name] = text(given[name]) if name == "description" else given[name]
        return made

    def _resolved(self, given: Schema, inside: tuple[str, ...]) -> tuple[Schema, tuple[str, ...]]:
        """The schema behind references and unions of one, with what stands beside them."""
        while True:
            wrapped = given.get("allOf")
            if isinstance(wrapped, list) and len(wrapped) == 1:
                given = {**wrapped[0], **{k: v for k, v in given.items() if k != "allOf"}}
                continue
            name = given.get("$ref")
            if not isinstance(name, str):
                return given, inside
            if name in inside:
                return {"recursion": name.rpartition("/")[2]}, inside
            beside = {k: v for k, v in given.items() if k != "$ref"}
            given, inside = {**self._target(name), **beside}, (*inside, name)

    def _target(self, name: str) -> Schema:
        node: Any = self.root
        for part in name.lstrip("#/").split("/") if name != "#" else ():
            node = node.get(part) if isinstance(node, dict) else None
        return node if isinstance(node, dict) else {"unresolved": name}

    def _branches(self, given: Schema, inside: tuple[str, ...]) -> list[Schema]:
        union = given.get("anyOf") or given.get("oneOf")
        if union:
            found = [self.schema(branch, inside) for branch in union]
            return [*found, NULL] if given.get("nullable") is True else found
        if "recursion" in given or "unresolved" in given:
            return [given]
        named = given.get("type")
        types = [named] if isinstance(named, str) else list(named or ())
        choices = [given["const"]] if "const" in given else given.get("enum")
        has_null = "null" in types or given.get("nullable") is True or None in (choices or ())
        plain = [each for each in types if each != "null"]
        found = [self._plain(given, each, inside) for each in plain or ([""] if not types else [])]
        if choices is not None:
            values = sorted((value for value in choices if value is not None), key=key)
            found = [{"enum": values}] if values else []
        return [*found, NULL] if has_null else found

    def _plain(self, given: Schema, type_: str, inside: tuple[str, ...]) -> Schema:
        made: Schema = {"type": type_} if type_ else {}
        made |= {name: given[name] for name in KEPT if given.get(name) not in (None, False)}
        prefix = given.get("prefixItems")
        if prefix:
            made["prefixItems"] = [self.schema(each, inside) for each in prefix]
            for bound in ("minItems", "maxItems"):
                made.pop(bound, None)
        for name in ("items", "additionalProperties"):
            inner = self.schema(given.get(name), inside)
            if isinstance(given.get(name), dict) and inner and not prefix:
                made[name] = inner
        if given.get("properties"):
            properties = given["properties"].items()
            made["properties"] = {name: self.schema(each, inside) for name, each in properties}
            made["required"] = sorted(given.get("required", ()))
        return made


def _flat(branches: list[Schema]) -> list[Schema]:
    """Unions in unions taken apart."""
    found: list[Schema] = []
    for branch in branches:
        found += _flat(branch["anyOf"]) if "anyOf" in branch else [branch]
    return found


def _union(branches: list[Schema]) -> Schema:
    if {} in branches:
        return {}
    enums = [branch for branch in branches if branch.keys() == {"enum"}]
    if len(enums) > 1:
        values = {key(value): value for branch in enums for value in branch["enum"]}
        merged = {"enum": [values[name] for name in sorted(values)]}
        branches = [*(branch for branch in branches if branch not in enums), merged]
    if len(branches) == 1:
        return dict(branches[0])
    return {"anyOf": branches} if branches else {}
