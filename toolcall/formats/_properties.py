"""Names of properties where a vendor refuses their own.

JSON takes any text for a key, and so do wire names and given schemas; some vendors refuse
a request for one with a space, a `$` or a dot. There such a name is sent under another one.
What comes back under it is given its own name again by `toolcall._own_names`.

1. What a name is sent as depends on the tool alone, not on the vendor: whoever refuses it
   gets the same other name. So the way back needs to know no vendor, and both names are
   understood wherever the tool is called.
2. It is made of letters, digits and `_`, which all vendors take, and never one that the
   tool has anywhere. Two names that would come out the same, a name that is too long, and
   every name beside unknown keys end in eight hex digits of their own hash.
"""

from __future__ import annotations

from toolcall.formats._dialect import NameRule
from toolcall.formats._names import hashed, legal, mapped

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from typing import Any, TypeAlias

    from toolcall import ir

    Schema: TypeAlias = dict[str, Any]

LONGEST = 64
SAFE = NameRule("_", LONGEST, head="_")
"""The names that every vendor takes, of properties and of tools."""


def is_safe(name: str) -> bool:
    """Whether every vendor takes a property of this name."""
    return legal(name, SAFE)


def are_safe(names: Iterable[str]) -> bool:
    """Whether every vendor takes properties of all of these names."""
    if _known.issuperset(names):
        return True
    if not (
        all(map(str.isidentifier, names))
        and "".join(names).isascii()
        and max(map(len, names)) <= LONGEST
    ):
        return False
    if len(_known) < MOST_KNOWN:
        _known.update(names)
    return True


MOST_KNOWN = 10_000

_known: set[str] = set()
"""Names that were found safe: most come up again and again."""


def spellings(names: Iterable[str], *, is_open: bool = False) -> dict[str, str]:
    """What each name is sent as that is not safe. `is_open`: beside unknown keys."""
    known = sorted(set(names))
    plain = [mapped(name, SAFE) for name in known]
    taken = set(known)
    sent: dict[str, str] = {}
    for name, text in zip(known, plain, strict=True):
        if is_safe(name):
            continue
        other = _with_hash(text, name) if is_open or plain.count(text) > 1 else text
        while other in taken:
            other = _with_hash(text, other + name)
        taken.add(other)
        sent[name] = other
    return sent


def _with_hash(text: str, name: str) -> str:
    return mapped(f"{text[:55]}_{hashed(name)}", SAFE)


def sent_names(definition: ir.Definition) -> dict[str, str]:
    """What the properties of a tool are sent as where a vendor refuses their own names."""
    given = definition["tool"].get("schema")
    if given is not None:
        return spellings(_given_names(given), is_open=_given_is_open(given))
    nodes = _reached(definition["tool"]["parameters"], definition["types"])
    members = [member for node in nodes for member in _members(node)]
    names = [member["wire"] for member in members if member.get("kind") != "var_keyword"]
    if all(map(is_safe, names)):
        return {}
    is_open = len(names) < len(members) or any(map(_has_extra, nodes))
    return spellings(names, is_open=is_open)


def renamed(schema: Schema, sent: Mapping[str, str], rule: NameRule) -> Schema:
    """A schema with other names for the properties that a rule refuses."""
    names = {name: other for name, other in sent.items() if not legal(name, rule)}
    return _renamed(schema, names) if names else schema


_BY_NAME = frozenset({"properties", "dependentSchemas", "dependentRequired"})
_SCHEMAS_BY_KEY = frozenset({"$defs", "definitions", "patternProperties"})
_VALUES = frozenset({"const", "default", "enum", "example", "examples"})


def _renamed(node: Any, names: Mapping[str, str]) -> Any:
    if isinstance(node, list):
        return [_renamed(one, names) for one in node]
    if not isinstance(node, dict):
        return node
    made: Schema = {}
    for keyword, value in node.items():
        if keyword in _VALUES:
            made[keyword] = value
        elif keyword == "required":
            made[keyword] = _listed(value, names)
        elif keyword in _BY_NAME and isinstance(value, dict):
            inside = _listed if keyword == "dependentRequired" else _renamed
            made[keyword] = {names.get(k, k): inside(one, names) for k, one in value.items()}
        elif keyword in _SCHEMAS_BY_KEY and isinstance(value, dict):
            made[keyword] = {key: _renamed(one, names) for key, one in value.items()}
        else:
            made[keyword] = _renamed(value, names)
    return made


def _listed(value: Any, names: Mapping[str, str]) -> Any:
    if not isinstance(value, list):
        return value
    return [names.get(one, one) if isinstance(one, str) else one for one in value]


# The names of a tool


def _reached(parameters: Any, types: Mapping[str, Any]) -> list[Any]:
    """Some parameters and the named types that they reach: nobody verified the others."""
    found: dict[str, Any] = {}
    waiting: list[Any] = [parameters]
    while waiting:
        node = waiting.pop()
        if isinstance(node, dict):
            if node.get("kind") == "ref" and node["name"] not in found:
                found[node["name"]] = types[node["name"]]
                waiting.append(types[node["name"]])
            waiting += _inside(node)
        elif isinstance(node, list):
            waiting += node
    return [parameters, *found.values()]


def _inside(node: Mapping[str, Any]) -> list[Any]:
    """The values of a node's keys, but for a default: that is JSON and may look like a node."""
    return [value for key, value in node.items() if key != "default"]


def _members(nodes: Any) -> Iterator[Any]:
    """The parameters and fields anywhere in some IR."""
    if isinstance(nodes, dict):
        if "wire" in nodes and "required" in nodes:
            yield nodes
        nodes = _inside(nodes)
    if isinstance(nodes, list):
        for node in nodes:
            yield from _members(node)


def _has_extra(nodes: Any) -> bool:
    if isinstance(nodes, dict):
        if "extra" in nodes and nodes.get("kind") == "object":
            return True
        nodes = _inside(nodes)
    return isinstance(nodes, list) and any(map(_has_extra, nodes))


def _given_names(schema: Any) -> Iterator[str]:
    """The names of properties anywhere in a schema, in whatever part of it."""
    if isinstance(schema, list):
        for one in schema:
            yield from _given_names(one)
    if not isinstance(schema, dict):
        return
    for keyword, value in schema.items():
        if keyword in _VALUES:
            continue
        if keyword in _BY_NAME and isinstance(value, dict):
            yield from value
        if keyword in _BY_NAME | _SCHEMAS_BY_KEY and isinstance(value, dict):
            yield from _given_names(list(value.values()))
        elif keyword == "required" and isinstance(value, list):
            yield from (one for one in value if isinstance(one, str))
        else:
            yield from _given_names(value)


def _given_is_open(schema: Any) -> bool:
    """Whether a schema says anywhere that unknown keys are expected."""
    if isinstance(schema, list):
        return any(map(_given_is_open, schema))
    if not isinstance(schema, dict):
        return False
    if schema.get("additionalProperties", False) is not False:
        return True
    return any(_given_is_open(v) for k, v in schema.items() if k not in _VALUES)
