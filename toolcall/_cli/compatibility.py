"""Which calls that one JSON Schema accepted does another refuse?

The comparison is one-sided: a change breaks when a value that the old schema accepts is
refused by the new one. Everything else that differs is worth a line and breaks nothing.
It knows schemas, not tools or vendors.

A schema is taken as a list of branches, each of one JSON type: `anyOf`, lists of types
and `nullable` all come down to it. A branch is compared with the new branch of its type;
where there are several, one that accepts it whole is enough. What the comparison cannot
judge (a pattern that changed) counts as breaking: it is there to be looked at.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

Schema: TypeAlias = "Mapping[str, Any]"

TYPES = ("null", "boolean", "integer", "number", "string", "array", "object")
LOWER_BOUNDS = ("minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties")
UPPER_BOUNDS = ("maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties")
CONDITIONS = ("pattern", "format", "multipleOf", "contentEncoding", "uniqueItems", "not", "allOf")
TEXTS = ("description", "title", "default")


@dataclass(frozen=True, slots=True)
class Change:
    """One difference. `path` is a JSON Pointer into the arguments."""

    path: str
    message: str
    is_breaking: bool


class Comparison:
    """Compares the parts of two schemas, each with its own definitions."""

    def __init__(self, old: Schema, new: Schema) -> None:
        self._old, self._new = old, new
        self._open: set[tuple[str, str]] = set()

    def changes(self) -> list[Change]:
        """All changes, in the order of the old schema."""
        return list(self._schemas(self._old, self._new, ""))

    def _schemas(self, old: Schema, new: Schema, path: str) -> Iterator[Change]:
        pair = (_text(old), _text(new))
        if pair in self._open:  # only a recursive type contains itself
            return
        self._open.add(pair)
        before, after = _resolved(old, self._old), _resolved(new, self._new)
        yield from _text_changes(before, after, path)
        yield from self._branches(
            list(_branches(before, self._old)), list(_branches(after, self._new)), path
        )
        self._open.discard(pair)

    def _branches(self, old: list[Schema], new: list[Schema], path: str) -> Iterator[Change]:
        if {} in new:
            if {} not in old:
                yield Change(path, "accepts anything now", False)
            return
        if {} in old:
            yield Change(path, f"accepted anything, now only {_types(new)}", True)
            return
        for branch in old:
            yield from self._branch(branch, old, new, path)
        for added in _missing(new, old):
            yield Change(path, f"accepts {added} now", False)

    def _branch(
        self, branch: Schema, old: list[Schema], new: list[Schema], path: str
    ) -> Iterator[Change]:
        candidates = [other for other in new if _covers(other, branch)]
        if not candidates:
            yield Change(path, f"does not accept {branch['type']} any more", True)
            return
        is_alone = sum(_covers(other, branch) for other in old) == 1
        if len(candidates) == 1 and is_alone:
            yield from self._same_type(branch, candidates[0], path)
        elif not any(self._accepts(branch, other) for other in candidates):
            yield Change(path, f"one kind of {branch['type']} is not accepted any more", True)

    def _accepts(self, old: Schema, new: Schema) -> bool:
        return not any(change.is_breaking for change in self._same_type(old, new, ""))

    def _same_type(self, old: Schema, new: Schema, path: str) -> Iterator[Change]:
        if old["type"] != new["type"]:
            yield Change(path, f"{old['type']} became {new['type']}", False)
        yield from _enum_changes(old, new, path)
        yield from _bound_changes(old, new, path)
        yield from _condition_changes(old, new, path)
        match old["type"]:
            case "object":
                yield from self._objects(old, new, path)
            case "array":
                yield from self._arrays(old, new, path)

    def _objects(self, old: Schema, new: Schema, path: str) -> Iterator[Change]:
        before, after = old.get("properties", {}), new.get("properties", {})
        for name in dict.fromkeys([*before, *after, *_required(old), *_required(new)]):
            here = f"{path}/{_pointer(name)}"
            is_known = name in before, name in after
            if is_known == (True, False):
                yield _removed(before, after, name, here, new)
            elif is_known == (False, True):
                yield _added(name in _required(new), here)
            else:
                yield from _required_changes(name in _required(old), name in _required(new), here)
            one, two = _property(old, name), _property(new, name)
            if one is not False and two is not False:
                yield from self._schemas(one, two, here)
        yield from self._rest(old, new, path)

    def _rest(self, old: Schema, new: Schema, path: str) -> Iterator[Change]:
        """What other keys an object may have."""
        match old.get("additionalProperties", True), new.get("additionalProperties", True):
            case False, False:
                return
            case False, _:
                yield Change(path, "accepts unknown keys now", False)
            case _, False:
                yield Change(path, "does not accept unknown keys any more", True)
            case before, after:
                yield from self._schemas(_as_schema(before), _as_schema(after), f"{path}/*")

    def _arrays(self, old: Schema, new: Schema, path: str) -> Iterator[Change]:
        before, after = old.get("prefixItems", []), new.get("prefixItems", [])
        for index in range(max(len(before), len(after))):
            one, two = _item(old, index), _item(new, index)
            yield from self._schemas(one, two, f"{path}/{index}")
        one, two = _as_schema(old.get("items", True)), _as_schema(new.get("items", True))
        yield from self._schemas(one, two, f"{path}/*")


def _text(schema: Schema) -> str:
    return json.dumps(schema, sort_keys=True)


def _resolved(schema: Schema, root: Schema) -> Schema:
    """The schema itself, with what stands beside a `$ref` kept."""
    seen: set[str] = set()
    while (ref := schema.get("$ref")) is not None and ref not in seen:
        seen.add(ref)
        target: Any = root
        for part in ref.removeprefix("#").strip("/").split("/") if ref != "#" else ():
            target = target[part.replace("~1", "/").replace("~0", "~")]
        schema = {**target, **{key: value for key, value in schema.items() if key != "$ref"}}
    return schema


def _branches(schema: Schema, root: Schema) -> Iterator[Schema]:
    """One schema for each type it allows; a single `{}` when it allows everything."""
    for keyword in ("anyOf", "oneOf"):
        if keyword in schema:
            for branch in schema[keyword]:
                yield from _branches(_resolved(branch, root), root)
            return
    facts = {key: value for key, value in schema.items() if key not in {*TEXTS, "$defs"}}
    if "const" in facts:
        facts["enum"] = [facts.pop("const")]
    if facts.pop("nullable", False):
        yield {"type": "null"}
    if not facts:
        yield {}
    for name in _type_names(facts):
        yield _only(facts, name)


def _type_names(facts: Schema) -> list[str]:
    given = facts.get("type")
    if given is None:
        values = facts.get("enum")
        return list(TYPES) if values is None else sorted({_type_of(value) for value in values})
    return [name.lower() for name in ([given] if isinstance(given, str) else given)]


def _only(facts: Schema, name: str) -> Schema:
    """A branch of one type: of its values, those of that type."""
    branch = {**facts, "type": name}
    if "enum" in facts:
        fitting = {"number": {"number", "integer"}}.get(name, {name})
        branch["enum"] = [value for value in facts["enum"] if _type_of(value) in fitting]
    return branch


def _type_of(value: object) -> str:
    match value:
        case None:
            return "null"
        case bool():
            return "boolean"
        case int():
            return "integer"
        case float():
            return "number"
        case str():
            return "string"
        case list():
            return "array"
        case _:
            return "object"


def _covers(new: Schema, old: Schema) -> bool:
    """Whether values of the old branch's type may be of the new one's."""
    return new.get("type") == old["type"] or (
        new.get("type") == "number" and old["type"] == "integer"
    )


def _types(branches: list[Schema]) -> str:
    return " or ".join(dict.fromkeys(str(branch.get("type", "anything")) for branch in branches))


def _missing(new: list[Schema], old: list[Schema]) -> list[str]:
    names = [branch["type"] for branch in new]
    known = {branch["type"] for branch in old}
    # an integer that became a number has been said already
    known |= {"number"} if "integer" in known - set(names) else set()
    return [name for name in dict.fromkeys(names) if name not in known]


def _text_changes(old: Schema, new: Schema, path: str) -> Iterator[Change]:
    for keyword in TEXTS:
        if old.get(keyword) != new.get(keyword):
            yield Change(path, f"{keyword} {_change_of(old, new, keyword)}", False)


def _change_of(old: Schema, new: Schema, keyword: str) -> str:
    if keyword not in old:
        return "added"
    return "changed" if keyword in new else "removed"


def _enum_changes(old: Schema, new: Schema, path: str) -> Iterator[Change]:
    before, after = old.get("enum"), new.get("enum")
    if before is None and after is not None:
        yield Change(path, f"accepts only {_listed(after)} now", True)
    elif before is not None and after is None:
        yield Change(path, f"accepts every {new['type']} now", False)
    elif before is not None and after is not None:
        removed = [value for value in before if value not in after]
        added = [value for value in after if value not in before]
        if removed:
            yield Change(path, f"does not accept {_listed(removed)} any more", True)
        if added:
            yield Change(path, f"accepts {_listed(added)} now", False)


def _listed(values: list[Any]) -> str:
    return ", ".join(map(repr, values))


def _bound_changes(old: Schema, new: Schema, path: str) -> Iterator[Change]:
    for keywords, sign in ((LOWER_BOUNDS, 1), (UPPER_BOUNDS, -1)):
        for keyword in keywords:
            before, after = old.get(keyword), new.get(keyword)
            if before != after:
                is_tighter = after is not None and (before is None or (after - before) * sign > 0)
                change = f"{keyword} {_shown(before)} → {_shown(after)}"
                yield Change(path, change, is_tighter)


def _condition_changes(old: Schema, new: Schema, path: str) -> Iterator[Change]:
    for keyword in CONDITIONS:
        before, after = old.get(keyword), new.get(keyword)
        if before != after:
            change = f"{keyword} {_shown(before)} → {_shown(after)}"
            yield Change(path, change, after not in (None, False))


def _shown(value: object) -> str:
    return "none" if value is None else str(value)


def _required(schema: Schema) -> list[str]:
    required: list[str] = schema.get("required", [])
    return required


def _required_changes(before: bool, after: bool, path: str) -> Iterator[Change]:
    if before != after:
        yield Change(path, "became required" if after else "became optional", after)


def _removed(before: Schema, after: Schema, name: str, path: str, new: Schema) -> Change:
    """A property that is gone, and what it may be called now."""
    twins = [other for other in after if other not in before and after[other] == before[name]]
    renamed = f" (renamed to {twins[0]!r}?)" if len(twins) == 1 else ""
    return Change(path, f"removed{renamed}", new.get("additionalProperties", True) is False)


def _added(is_required: bool, path: str) -> Change:
    return Change(path, "added, required" if is_required else "added, optional", is_required)


def _item(schema: Schema, index: int) -> Schema:
    prefix: list[Schema] = schema.get("prefixItems", [])
    return prefix[index] if index < len(prefix) else _as_schema(schema.get("items", True))


def _as_schema(value: bool | Schema) -> Schema:
    match value:
        case True:
            return {}
        case False:
            return {"not": {}}
        case _:
            return value


def _property(schema: Schema, name: str) -> Schema | Literal[False]:
    """What a key may hold, False where it may not be there at all."""
    found = schema.get("properties", {}).get(name, schema.get("additionalProperties", True))
    return False if found is False else _as_schema(found)


def _pointer(name: str) -> str:
    return name.replace("~", "~0").replace("/", "~1")
