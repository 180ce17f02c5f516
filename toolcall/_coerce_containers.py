"""Decoding arrays, tuples, mappings, and values of which nothing is known.

A container is built anew only for what changed in it: where every part satisfied its type
already and the container is the one that the function takes, the sent one is handed over.

Text for a list or an object (`"[1, 2]"`) is read only by lenient decoding.
"""

from __future__ import annotations

from toolcall._coerce_scalars import is_number, is_text, length_holds, repaired
from toolcall._decoder import BAD
from toolcall._wire import WrittenFloat, read_nested

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from toolcall._decoder import Decode, Decoder
    from toolcall._words import Path


def as_list(decoder: Decoder, value: object) -> list[Any] | None:
    """The value as a list, if it is one (or, leniently, the JSON text of one)."""
    if isinstance(value, str) and decoder.lenient:
        value = read_nested(value)
    return value if isinstance(value, list) else None


def as_dict(value: object) -> dict[Any, Any] | None:
    """The value as a dict, if it is some mapping."""
    if isinstance(value, dict):
        return value
    if isinstance(value, (str, bytes, list, int, float, type(None))):
        return None
    from collections.abc import Mapping

    return dict(value) if isinstance(value, Mapping) else None


def as_object(decoder: Decoder, value: object) -> dict[Any, Any] | None:
    """The value as a dict, if it is a mapping (or, leniently, the JSON text of one)."""
    if isinstance(value, str) and decoder.lenient:
        value = read_nested(value)
    return as_dict(value)


def keys_are_text(decoder: Decoder, value: dict[Any, Any], path: Path) -> bool:
    """Tell of every key that is no text, or no text that can be encoded."""
    fine = True
    for key in value:
        if type(key) is str and key.isascii():
            continue
        if not isinstance(key, str):
            decoder.refuse("non_string_arguments", path, key, "names that are strings")
            fine = False
        elif not is_text(key):
            decoder.refuse("invalid_unicode", (path, key), key, "a name of well-formed text")
            fine = False
    return fine


# Arrays


def _array(decoder: Decoder, node: Any, value: Any, path: Path) -> Any:
    items = as_list(decoder, value)
    if items is None:
        return decoder.mistyped("expected_array", node, value, path)
    if not decoder.enter(value, path):
        return BAD
    fine = length_holds(decoder, node, len(items), value, path, "items", "items")
    decoded = [decoder.value(node["items"], item, (path, i)) for i, item in enumerate(items)]
    decoder.leave()
    if not fine or any(item is BAD for item in decoded):
        return BAD
    if node["cls"] == "list":
        return items if all(map(_same, items, decoded)) else decoded
    if node["cls"] in {"set", "frozenset"}:
        return _as_set(decoder, decoded, node["cls"], path)
    return _SEQUENCES[node["cls"]](decoded)


def _same(one: object, other: object) -> bool:
    return one is other


def _as_set(decoder: Decoder, decoded: list[Any], cls: str, path: Path) -> Any:
    try:
        unique = frozenset(decoded) if cls == "frozenset" else set(decoded)
    except TypeError:
        return decoder.refuse("construction_failed", path, decoded, "values that can be compared")
    if len(unique) == len(decoded):
        return unique
    seen: set[Any] = set()
    for index, item in enumerate(decoded):
        if item in seen:
            decoder.refuse(
                "not_unique", (path, index), item, "different values", got="a repeated value"
            )
        seen.add(item)
    return BAD


def _deque(items: list[Any]) -> Any:
    from collections import deque

    return deque(items)


_SEQUENCES: dict[str, Callable[[list[Any]], Any]] = {"tuple": tuple, "deque": _deque}


def _tuple(decoder: Decoder, node: Any, value: Any, path: Path) -> Any:
    items = as_list(decoder, value)
    if items is None:
        return decoder.mistyped("expected_array", node, value, path)
    prefix = node["prefix"]
    if len(items) < len(prefix) or (len(items) > len(prefix) and "rest" not in node):
        return decoder.refuse(
            "wrong_length", path, value, decoder.described(node), got=f"{len(items)} values"
        )
    if not decoder.enter(value, path):
        return BAD
    nodes = prefix + [node.get("rest")] * (len(items) - len(prefix))
    decoded = [
        decoder.value(one, item, (path, index))
        for index, (one, item) in enumerate(zip(nodes, items, strict=True))
    ]
    decoder.leave()
    return BAD if any(item is BAD for item in decoded) else tuple(decoded)


# Mappings


def _mapping(decoder: Decoder, node: Any, value: Any, path: Path) -> Any:
    pairs = as_object(decoder, value)
    if pairs is None:
        return decoder.mistyped("expected_object", node, value, path)
    if not keys_are_text(decoder, pairs, path) or not decoder.enter(value, path):
        return BAD
    fine = length_holds(decoder, node, len(pairs), value, path, "properties", "properties")
    decoded = {}
    for text, item in pairs.items():
        key = _key(decoder, node["key"], text, (path, text))
        part = decoder.value(node["value"], item, (path, text))
        if key is BAD or part is BAD:
            fine = False
        elif key in decoded:
            decoder.refuse("not_unique", (path, text), text, "different keys", got="a repeated key")
            fine = False
        else:
            decoded[key] = part
    decoder.leave()
    return _as_mapping(node, pairs, decoded) if fine else BAD


def _as_mapping(node: Any, sent: Any, decoded: dict[Any, Any]) -> Any:
    if node["cls"] == "dict":
        # Keys by identity as well: a member of a StrEnum is equal to its text.
        same = len(sent) == len(decoded) and all(
            text is key and item is part
            for (text, item), (key, part) in zip(sent.items(), decoded.items(), strict=True)
        )
        return sent if same else decoded
    import collections

    if node["cls"] != "defaultdict":
        return getattr(collections, node["cls"])(decoded)
    return collections.defaultdict(_FACTORIES.get(node["value"]["kind"]), decoded)


# What a missing key of a defaultdict starts as, where the declared type says it.
_FACTORIES: dict[str, Callable[[], Any]] = {
    "array": list,
    "boolean": bool,
    "integer": int,
    "mapping": dict,
    "number": float,
    "string": str,
}


def _key(decoder: Decoder, node: Any, text: str, path: Path) -> Any:
    """A key of a declared type from its text."""
    while node["kind"] == "ref":
        node = decoder.types[node["name"]]
    if node["kind"] in {"integer", "number", "boolean", "flag"} and "wire" not in node:
        return decoder.value(node, _unquoted(text), path)
    if node["kind"] in {"literal", "enum"}:
        choices = node["values"] if node["kind"] == "literal" else node["members"]
        if not any(choice["value"] == text for choice in choices):
            return decoder.value(node, _unquoted(text), path)
    if node["kind"] == "union":
        return _union_key(decoder, node, text, path)
    return decoder.value(node, text, path)


def _unquoted(text: str) -> Any:
    """The number or boolean that a key stands for, in JSON's own spelling."""
    return text if text in {"True", "False"} else repaired(text)


def _union_key(decoder: Decoder, node: Any, text: str, path: Path) -> Any:
    for branch in sorted(node["branches"], key=lambda branch: branch["kind"] == "string"):
        trial = decoder.trial(lenient=False)
        key = _key(trial, branch, text, path)
        if not trial.problems:
            return key
    return decoder.mistyped("no_union_match", node, text, path)


# Values of which nothing is known


def _any(decoder: Decoder, node: Any, value: Any, path: Path) -> Any:
    """The value as sent, once it is sure to be JSON that can be encoded again."""
    if isinstance(value, str):
        if is_text(value):
            return value
        return decoder.refuse("invalid_unicode", path, value, "well-formed Unicode text")
    if isinstance(value, float):
        if not is_number(value):
            return decoder.refuse("expected_number", path, value, "a finite number")
        return float(value) if type(value) is WrittenFloat else value
    if isinstance(value, list):
        return _any_list(decoder, node, value, path)
    if isinstance(value, dict):
        return _any_dict(decoder, node, value, path)
    return value


def _any_list(decoder: Decoder, node: Any, value: list[Any], path: Path) -> Any:
    if not decoder.enter(value, path):
        return BAD
    decoded = [_any(decoder, node, item, (path, i)) for i, item in enumerate(value)]
    decoder.leave()
    if any(item is BAD for item in decoded):
        return BAD
    return value if all(map(_same, value, decoded)) else decoded


def _any_dict(decoder: Decoder, node: Any, value: dict[Any, Any], path: Path) -> Any:
    if not keys_are_text(decoder, value, path) or not decoder.enter(value, path):
        return BAD
    decoded = {key: _any(decoder, node, item, (path, key)) for key, item in value.items()}
    decoder.leave()
    if any(item is BAD for item in decoded.values()):
        return BAD
    return value if all(map(_same, value.values(), decoded.values())) else decoded


KINDS: dict[str, Decode] = {
    "array": _array,
    "tuple": _tuple,
    "mapping": _mapping,
    "any": _any,
}
