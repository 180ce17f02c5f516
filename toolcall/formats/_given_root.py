"""The root of a given schema as one plain object, for vendors that take nothing else.

JSON Schema may say at the root that arguments are one of several objects, or an object
that is described elsewhere. Where a dialect refuses that, the parts are put together into
one object that allows what they allow, or more: all properties, those required that always
are. (A part that says nothing of unknown keys is taken to have none, as its author nearly
always means.) What this does not say any more is a note, which moves into the description.

References lead only into the schema itself. A part that is no object allows no arguments
and is left out.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, TypeAlias

    Schema: TypeAlias = dict[str, Any]
    Notes: TypeAlias = list[tuple[str, Any]]

_CHOICES = ("anyOf", "oneOf")
_COMBINING = frozenset({"$ref", "allOf", *_CHOICES})
_DEPTH = 20
"""References and combinations inside each other that are followed."""


def plain_root(schema: Schema, refused: frozenset[str]) -> tuple[Schema, Notes]:
    """The root without the refused keywords, and what that leaves unsaid.

    Without refused keywords the schema comes back as it is.
    """
    if not refused:
        return schema, []
    notes: Notes = []
    root = schema
    if schema.keys() & (refused | {"$ref"}) & _COMBINING:
        opened = _Joining(schema, notes).opened(schema, 0)
        if opened is None:  # no part of it is an object, and arguments are nothing else
            notes += [(key, schema[key]) for key in schema if key in _COMBINING]
        root = opened or {}
        root.update((key, schema[key]) for key in ("$defs", "definitions") if key in schema)
    notes += [(keyword, root[keyword]) for keyword in root if keyword in refused]
    kept = {key: value for key, value in root.items() if key not in refused}
    return {"type": "object", **kept} | {"type": "object"}, notes


class _Joining:
    """Puts the parts of one schema together; `notes` gets the root's own losses."""

    __slots__ = ("_lost", "_notes", "_root")

    def __init__(self, root: Schema, notes: Notes) -> None:
        self._root = root
        self._notes = notes
        self._lost = False

    def opened(self, schema: Any, depth: int) -> Schema | None:
        """A plain object that allows what the schema does, or None if it is no object."""
        if schema is True or depth > _DEPTH:
            self._lost = self._lost or schema is not True
            return {}
        if not isinstance(schema, dict) or not _may_be_object(schema):
            return None
        made = {key: value for key, value in schema.items() if key not in _COMBINING}
        made.pop("type", None)
        for keyword in schema:
            if keyword not in _COMBINING:
                continue
            self._lost = False
            part = self._part(keyword, schema[keyword], depth + 1)
            if part is None:
                return None
            made = self._both(made, part)
            if depth == 0 and self._lost:
                self._notes.append((keyword, schema[keyword]))
        return made

    def _part(self, keyword: str, value: Any, depth: int) -> Schema | None:
        """What one combining keyword says, as an object."""
        if keyword == "$ref":
            return self.opened(self._target(value), depth)
        parts = [self.opened(one, depth) for one in value] if isinstance(value, list) else [{}]
        objects = [part for part in parts if part is not None]
        if keyword in _CHOICES:
            self._lost = self._lost or len(parts) > 1
            return self._either(objects) if objects else None
        if len(objects) < len(parts):
            return None
        whole: Schema = {}
        for part in objects:
            whole = self._both(whole, part)
        return whole

    def _target(self, reference: Any) -> Any:
        """What a reference names; anything if that is not in the schema."""
        found = target(self._root, reference)
        if found is None:
            self._lost = True
            return True
        return found

    def _both(self, first: Schema, second: Schema) -> Schema:
        """Both objects at once. Where they differ about one thing, the first one's word."""
        made = dict(first)
        for keyword, value in second.items():
            if keyword == "properties" and isinstance(value, dict):
                own = made.get(keyword, {})
                self._lost = self._lost or any(own.get(k, v) != v for k, v in value.items())
                made[keyword] = {**value, **own} if not own else {**own, **_without(value, own)}
            elif keyword == "required" and isinstance(value, list):
                made[keyword] = list(dict.fromkeys([*made.get(keyword, ()), *value]))
            elif keyword == "additionalProperties" and value is False:
                made[keyword] = value
            elif keyword not in _NESTED:
                is_new = keyword not in made
                made.setdefault(keyword, value)
                self._lost = self._lost or not (is_new or keyword in _TEXTS)
        return made

    def _either(self, parts: Sequence[Schema]) -> Schema:
        """An object that allows what any of several objects does."""
        if len(parts) == 1:
            return parts[0]
        offered: dict[str, list[Any]] = {}
        for part in parts:
            for name, inner in part.get("properties", {}).items():
                known = offered.setdefault(name, [])
                if inner not in known:
                    known.append(inner)
        made: Schema = {"properties": {name: _one_of(found) for name, found in offered.items()}}
        required = [part.get("required", ()) for part in parts]
        always = [name for name in required[0] if all(name in names for names in required)]
        if always:
            made["required"] = always
        if all(part.get("additionalProperties") is False for part in parts):
            made["additionalProperties"] = False
        return made


def target(root: Schema, reference: Any) -> Any:
    """What a reference names inside a schema, or None."""
    if not isinstance(reference, str) or not (reference == "#" or reference.startswith("#/")):
        return None
    place: Any = root
    for step in reference[2:].split("/") if len(reference) > 1 else ():
        key = step.replace("~1", "/").replace("~0", "~")
        if not isinstance(place, dict) or key not in place:
            return None
        place = place[key]
    return place


_NESTED = frozenset({"$defs", "definitions", "$id", "$schema", "$anchor"})
_TEXTS = frozenset({"title", "description", "$comment", "examples", "default"})


def _without(value: Schema, known: Schema) -> Schema:
    return {key: inner for key, inner in value.items() if key not in known}


def _may_be_object(schema: Schema) -> bool:
    kinds = schema.get("type", "object")
    return bool(kinds == "object" or (isinstance(kinds, list) and "object" in kinds))


def _one_of(schemas: list[Any]) -> Any:
    """Any of several schemas; one enum where they only list values."""
    if len(schemas) == 1:
        return schemas[0]
    values: list[Any] = []
    kinds = set()
    for schema in schemas:
        if not isinstance(schema, dict) or not schema.keys() <= {"const", "enum", "type"}:
            return {"anyOf": schemas}
        found = schema.get("enum", [schema["const"]] if "const" in schema else None)
        if not isinstance(found, list):
            return {"anyOf": schemas}
        values += [value for value in found if value not in values]
        kinds.add(schema.get("type"))
    (kind,) = kinds if len(kinds) == 1 else (None,)
    return {**({"type": kind} if isinstance(kind, str) else {}), "enum": values}
