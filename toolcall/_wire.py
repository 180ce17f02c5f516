"""Arguments as JSON text: read once, refused whole when the text is not exactly JSON.

1. Nothing is repaired, with one exception that loses nothing: raw control characters
   inside strings, which models write when they mean a line break.
2. What the standard decoder lets through is refused here or left to the decoders of
   values: repeated keys, too much text or nesting, NaN and Infinity (read as such, refused
   where they stand), integers too long to convert (read as infinite, likewise).
3. A truncated text is never run.

To look for repeated keys in each object costs as much as to read it. But every key has its
colon: where as many keys were read as the text can have, none was lost, and only a text for
which the two numbers differ (there may be colons in its strings) is looked at again.

For tools with a Decimal, fractions are read as `WrittenFloat`, a float that remembers its
text: it is the only way to hand over 0.1 as it was written.
"""

from __future__ import annotations

import json

from toolcall._words import pointer, quoted, shown
from toolcall.errors import MAX_RECORDS, Problem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from toolcall._words import Path

MAX_SIZE = 10_000_000
"""The most characters (or bytes) of arguments that are read."""

MAX_INTEGER = 4300
"""Integers with more digits are read as infinite, which no type accepts."""


FLAT, FLAT_SIZE = 20, 10_000
"""What `read_flat` takes: fewer brackets and characters than any limit could be about."""


class WrittenFloat(float):
    """A float that keeps the text it was read from. Never handed to a tool."""

    __slots__ = ("text",)

    text: str

    def __new__(cls, text: str) -> WrittenFloat:
        self = super().__new__(cls, text)
        self.text = text
        return self


class Repeated(dict[str, "Any"]):
    """An object in which keys were repeated; `keys_` are those."""

    __slots__ = ("keys_",)

    keys_: list[str]


class _RepeatedKey(ValueError):
    """Some key is repeated: the text is read once more, to tell which."""


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise _RepeatedKey
    return found


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) == len(pairs):
        return found
    repeated = Repeated(found)
    waiting = dict.fromkeys(found)
    again = {key: None for key, _ in pairs if waiting.pop(key, key) is not None}
    repeated.keys_ = list(again)[:MAX_RECORDS]
    return repeated


def _integer(text: str) -> float:
    return int(text) if len(text) <= MAX_INTEGER else float(text)


def _scanner(decoder: json.JSONDecoder) -> Callable[[str, int], tuple[Any, int]]:
    scan: Callable[[str, int], tuple[Any, int]] = getattr(decoder, "scan_once")  # noqa: B009 - typeshed has it not
    return scan


_scan = _scanner(json.JSONDecoder(strict=False))
_checked = json.JSONDecoder(strict=False, object_pairs_hook=_unique)
_written = json.JSONDecoder(strict=False, object_pairs_hook=_unique, parse_float=WrittenFloat)
_patient = json.JSONDecoder(
    strict=False, object_pairs_hook=_object, parse_float=WrittenFloat, parse_int=_integer
)


def read_arguments(
    text: str | bytes | bytearray | memoryview,
    *,
    max_depth: int,
    written: bool = False,
    loads: Callable[[Any], Any] | None = None,
    max_size: int = MAX_SIZE,
) -> Any:
    """The JSON value of a text, or a list of Problems.

    `written` keeps the text of fractions. `loads` reads instead of the standard decoder:
    limits of size and depth still hold, repeated keys are then its own matter.
    """
    if len(text) > max_size:
        return [_too_large(len(text), max_size)]
    if not isinstance(text, str):
        try:
            text = str(text, "utf-8")
        except UnicodeDecodeError as error:
            return [_ill_json("not UTF-8", f"byte {error.start + 1}", "")]
    if text.count("[") + text.count("{") > max_depth and _depth(text) > max_depth:
        return [_too_deep(max_depth)]
    try:
        return _read_by(loads, text) if loads is not None else _read(text, written)
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        return [_ill_json(error.msg, where, text[error.pos : error.pos + 40])]
    except RecursionError:
        return [_too_deep(max_depth)]


def read_flat(text: str) -> dict[str, Any] | None:
    """A small object that holds no other; None if the text is anything else, or not sure."""
    if text.count("{") != 1 or text.count("[") > FLAT or len(text) > FLAT_SIZE:
        return None
    try:
        value, end = _scan(text, 0)
    except (StopIteration, ValueError):
        return None
    if end == len(text) and value.__class__ is dict and len(value) == text.count(":"):
        flat: dict[str, Any] = value
        return flat
    return None


def _read(text: str, written: bool) -> Any:
    if not text or text.isspace():
        return None
    if not written:
        value = _counted(text)
        if value is not None:
            return value
    try:
        return (_written if written else _checked).decode(text)
    except json.JSONDecodeError:
        raise
    except ValueError:  # a repeated key, or an integer over the interpreter's limit of digits
        value = _patient.decode(text)
    return _refuse_repeated(value) or value


def _counted(text: str) -> Any:
    """The value of a text that surely has no repeated key; None if it is not sure."""
    try:
        scan, objects = _counting.pop()
    except IndexError:
        scan, objects = _counter()
    try:
        value, end = scan(text, 0)
        keys = sum(map(len, objects))
    except (StopIteration, ValueError):
        return None
    finally:
        objects.clear()
        _counting.append((scan, objects))
    return value if end == len(text) and keys == _most_keys(text, keys) else None


def _most_keys(text: str, enough: int) -> int:
    """How many keys a text may have: more than it has if there are colons in its strings."""
    colons = text.count(":")
    if colons == enough:
        return colons
    return sum(map(text.count, ('":', " :", "\n:", "\t:", "\r:")))


_counting: list[tuple[Callable[[str, int], tuple[Any, int]], list[dict[str, Any]]]] = []
"""Scanners with the list of the objects they read. Each is used by one call at a time."""


def _counter() -> tuple[Callable[[str, int], tuple[Any, int]], list[dict[str, Any]]]:
    objects: list[dict[str, Any]] = []

    def found(value: dict[str, Any]) -> dict[str, Any]:
        objects.append(value)
        return value

    return _scanner(json.JSONDecoder(strict=False, object_hook=found)), objects


def _read_by(loads: Callable[[Any], Any], text: str) -> Any:
    if not text or text.isspace():
        return None
    try:
        return loads(text)
    except (json.JSONDecodeError, RecursionError):
        raise
    except Exception as error:
        return [_ill_json(str(error), "", "")]


def read_nested(text: str) -> object:
    """The list or object that a text is the JSON of, or the text itself."""
    if not text.lstrip().startswith(("[", "{")):
        return text
    try:
        value = _patient.decode(text.strip())
    except (ValueError, RecursionError):
        return text
    return text if _refuse_repeated(value) else value


def _refuse_repeated(value: object) -> list[Problem]:
    return [
        Problem(
            "duplicate_key",
            pointer((path, key)),
            "every key once",
            quoted(key),
            f"the key {quoted(key)} is given more than once",
        )
        for path, found in _repeated(value)
        for key in found.keys_[:MAX_RECORDS]
    ][:MAX_RECORDS]


def _repeated(value: object) -> Iterator[tuple[Path, Repeated]]:
    waiting: list[tuple[Path, object]] = [((), value)]
    while waiting:
        path, found = waiting.pop()
        if isinstance(found, Repeated):
            yield path, found
        if isinstance(found, dict):
            waiting += [((path, key), part) for key, part in found.items() if _parts(part)]
        elif isinstance(found, list):
            waiting += [((path, i), part) for i, part in enumerate(found) if _parts(part)]


def _parts(value: object) -> bool:
    return isinstance(value, (dict, list))


def _depth(text: str) -> int:
    """How deep the brackets of a text nest, those inside strings apart."""
    deepest = depth = place = 0
    while place < len(text):
        character = text[place]
        if character == '"':
            place = _end_of_string(text, place)
        elif character in "[{":
            depth += 1
            deepest = max(deepest, depth)
        elif character in "]}":
            depth -= 1
        place += 1
    return deepest


def _end_of_string(text: str, start: int) -> int:
    place = start + 1
    while place < len(text) and text[place] != '"':
        place += 2 if text[place] == "\\" else 1
    return place


def _ill_json(reason: str, where: str, excerpt: str) -> Problem:
    at = f" at {where}" if where else ""
    return Problem(
        "invalid_json",
        "",
        "valid JSON",
        shown(excerpt) if excerpt else "the end of the text",
        f"the arguments are not valid JSON: {reason[:200]}{at}",
    )


def _too_large(size: int, limit: int) -> Problem:
    said = f"the arguments are too large: {size} characters, at most {limit} are read"
    return Problem("too_large", "", f"at most {limit} characters", f"{size} characters", said)


def _too_deep(limit: int) -> Problem:
    said = f"the arguments are nested too deep, at most {limit} levels are read"
    return Problem("too_deep", "", f"at most {limit} levels", "more", said)
