"""Values, types and places in the words that a model reads.

Texts here are short whatever they are made of: a value of a megabyte is looked at only as
far as it is shown. JSON's names are used throughout (`null`, `true`, array, object), no
Python class name, and everything can be encoded as UTF-8, lone surrogates included.

A place inside the arguments is a linked path, `()` or `(path, key)`, so that walking
costs one tuple a step and a text is made only where something is wrong.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any, TypeAlias

    from toolcall import ir

    Path: TypeAlias = tuple[Any, ...]

SHOWN = 80
"""The most characters of an echoed value."""

CHOICES = 30
"""The most choices of an enumeration that are listed in one text."""


# Places


def pointer(path: Path) -> str:
    """A place as a JSON Pointer."""
    if path and not path[0] and _is_plain(path[1]):  # an argument, where most problems are
        return f"/{path[1]}"
    text = ""
    while path:
        path, key = path
        text = f"/{_plain(str(key)).replace('~', '~0').replace('/', '~1')}{text}"
    return text


def place(path: Path) -> str:
    """A place as people write it: `items[3].qty`."""
    if path and not path[0] and _is_plain(path[1]):
        return str(path[1])
    text = ""
    while path:
        path, key = path
        text = (f"[{key}]" if isinstance(key, int) else f".{_plain(key)}") + text
    return text[1:] if text.startswith(".") else text


def _is_plain(key: object) -> bool:
    """Whether a key is a name that every kind of place shows as it is."""
    return type(key) is str and key.isidentifier() and len(key) <= SHOWN


def _plain(text: str) -> str:
    """Text without lone surrogates, and not much of it."""
    if len(text) > SHOWN:
        text = text[: SHOWN - 1] + "…"
    return text if text.isascii() else text.encode("utf-8", "backslashreplace").decode()


# Values


def shown(value: object, limit: int = SHOWN) -> str:
    """A value as JSON, cut to `limit` characters."""
    if type(value) is str:
        text = quoted(value, limit)
    else:
        pieces: list[str] = []
        _show(value, limit, pieces, 0)
        text = "".join(pieces)
    return text if len(text) <= limit else text[: limit - 1] + "…"


def _show(value: object, left: int, pieces: list[str], depth: int) -> int:
    """Append what is shown of `value`; return how many characters are left."""
    start = len(pieces)
    if isinstance(value, str):
        pieces.append(quoted(value, left))
    elif value is None or isinstance(value, bool):
        pieces.append("null" if value is None else "true" if value else "false")
    elif isinstance(value, (int, float)):
        pieces.append(_number(value))
    elif depth < 8 and isinstance(value, dict):
        return _show_many(_pairs(value), "{}", left, pieces, depth)
    elif depth < 8 and isinstance(value, (list, tuple)):
        return _show_many((("", item) for item in value), "[]", left, pieces, depth)
    else:
        pieces.append("…" if isinstance(value, (dict, list, tuple)) else "a value that is not JSON")
    return left - sum(map(len, pieces[start:]))


def _pairs(value: Mapping[Any, object]) -> Iterable[tuple[str, object]]:
    for key, item in value.items():
        yield (quoted(key, SHOWN) if isinstance(key, str) else "…") + ": ", item


def _show_many(
    items: Iterable[tuple[str, object]], brackets: str, left: int, pieces: list[str], depth: int
) -> int:
    pieces.append(brackets[0])
    left -= 2
    separator = ""
    for label, item in items:
        if left <= 0:
            pieces.append("…")
            break
        pieces.append(separator + label)
        left = _show(item, left - len(separator) - len(label), pieces, depth + 1)
        separator = ", "
    pieces.append(brackets[1])
    return left


def _number(value: float) -> str:
    if isinstance(value, int):
        try:
            return int.__repr__(value)
        except ValueError:  # over the interpreter's limit of digits
            return "an integer of thousands of digits"
    return float.__repr__(value)


_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}


def quoted(text: str, limit: int = SHOWN) -> str:
    """Text as a JSON string, as much of it as can be shown."""
    cut = text[: limit + 1]
    if cut.isalnum():
        return f'"{cut}"'
    return (
        '"'
        + "".join(_ESCAPES.get(c, c) if _printable(c) else f"\\u{ord(c):04x}" for c in cut)
        + '"'
    )


def _printable(character: str) -> bool:
    return character in _ESCAPES or (character >= " " and not "\ud800" <= character <= "\udfff")


def json_type(value: object) -> str:
    """The JSON type of a value."""
    if value is None:
        return "null"
    for kinds, name in _JSON_TYPES:
        if isinstance(value, kinds):
            return name
    return "a value that is not JSON"


_JSON_TYPES: tuple[tuple[type | tuple[type, ...], str], ...] = (
    (bool, "boolean"),
    (str, "string"),
    ((int, float), "number"),
    ((list, tuple), "array"),
    (dict, "object"),
)


# Types


def described(node: ir.Type, types: Mapping[str, ir.Type], depth: int = 0) -> str:
    """What a type wants, in a few words."""
    return _DESCRIBED.get(node["kind"], _as_kind)(node, types, depth)


def choices(values: Iterable[object]) -> str:
    """`one of "a", "b"`, bounded."""
    texts = [shown(value) for value in values]
    more = ["…"] if len(texts) > CHOICES else []
    return ("one of " if len(texts) > 1 else "") + ", ".join(texts[:CHOICES] + more)


def bounds(node: Mapping[str, Any]) -> str:
    """`at least 1 and below 10`; empty without bounds."""
    words = (("ge", "at least"), ("gt", "above"), ("le", "at most"), ("lt", "below"))
    return " and ".join(f"{word} {shown(node[key])}" for key, word in words if key in node)


def _as_kind(node: Any, types: Mapping[str, ir.Type], depth: int) -> str:
    return str(node["kind"])


def _integer(node: Any, types: Mapping[str, ir.Type], depth: int) -> str:
    return "decimal digits as a string" if "wire" in node else "integer"


def _stdlib(node: Any, types: Mapping[str, ir.Type], depth: int) -> str:
    return STDLIB_WORDS[node["type"]]


STDLIB_WORDS: dict[str, str] = {
    "bytes": "base64 text",
    "date": "date (YYYY-MM-DD)",
    "datetime": "date-time (RFC 3339)",
    "decimal": "decimal number",
    "duration": "duration (ISO 8601)",
    "ip": "IP address",
    "path": "string",
    "pattern": "regular expression",
    "time": "time (hh:mm:ss)",
    "timezone": "time zone name",
    "uuid": "UUID",
}


def _literal(node: Any, types: Mapping[str, ir.Type], depth: int) -> str:
    return choices(choice["value"] for choice in node["values"])


def _enum(node: Any, types: Mapping[str, ir.Type], depth: int) -> str:
    return choices(member["value"] for member in node["members"]) or "nothing at all"


def _flag(node: Any, types: Mapping[str, ir.Type], depth: int) -> str:
    return "a sum of " + ", ".join(shown(member["value"]) for member in node["members"])


def _array(node: Any, types: Mapping[str, ir.Type], depth: int) -> str:
    if depth > 2 or node["items"]["kind"] == "any":
        return "array"
    return f"array of {described(node['items'], types, depth + 1)}"


def _tuple(node: Any, types: Mapping[str, ir.Type], depth: int) -> str:
    more = " or more" if "rest" in node else ""
    return f"array of {len(node['prefix'])}{more} values"


def _object(node: Any, types: Mapping[str, ir.Type], depth: int) -> str:
    return "object"


def _nullable(node: Any, types: Mapping[str, ir.Type], depth: int) -> str:
    return f"{described(node['inner'], types, depth + 1)} or null"


def _inner(key: str) -> Callable[[Any, Mapping[str, ir.Type], int], str]:
    return lambda node, types, depth: described(node[key], types, depth)


def _union(node: Any, types: Mapping[str, ir.Type], depth: int) -> str:
    if depth > 2:
        return "one of several forms"
    words = (described(branch, types, depth + 1) for branch in node["branches"])
    return " or ".join(dict.fromkeys(words))


def _ref(node: Any, types: Mapping[str, ir.Type], depth: int) -> str:
    # An alias may recur in itself without any object between.
    return described(types[node["name"]], types, depth + 1) if depth < 4 else "value"


_DESCRIBED: dict[str, Callable[[Any, Mapping[str, ir.Type], int], str]] = {
    "any": lambda node, types, depth: "any value",
    "integer": _integer,
    "stdlib": _stdlib,
    "literal": _literal,
    "enum": _enum,
    "flag": _flag,
    "array": _array,
    "tuple": _tuple,
    "mapping": _object,
    "object": _object,
    "root": _inner("inner"),
    "custom": _inner("wire"),
    "nullable": _nullable,
    "union": _union,
    "ref": _ref,
}
