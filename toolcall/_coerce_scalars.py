"""Decoding what has no parts: text, numbers, standard-library values, choices.

A boolean is never a number here, though Python's `bool` is an `int`. A float without a
fraction counts as its integer, because JSON has one kind of number. Text is refused where
it cannot be encoded (lone surrogates), wherever text is accepted.

`repaired` is all that lenient decoding does to scalars: reading a number or a boolean out
of a text where the type takes no text. The same reading restores keys of mappings.
"""

from __future__ import annotations

from toolcall._classes import find
from toolcall._constraints import (
    RANGE_KEYS,
    in_range,
    is_multiple,
    pattern_limit,
    search_of,
)
from toolcall._decoder import BAD
from toolcall._stdlib import CODES, reader
from toolcall._words import bounds, choices, shown
from toolcall.errors import ClassNotFound

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from toolcall._decoder import Decode, Decoder
    from toolcall._words import Path

MAX_DIGITS = 4300
"""The most digits of an integer that travels as text: what Python itself converts."""


def is_number(value: object) -> bool:
    """Whether a value is a JSON number, finite and no boolean."""
    if isinstance(value, float):
        return value - value == 0
    return isinstance(value, int) and not isinstance(value, bool)


def is_text(value: str) -> bool:
    """Whether text can be encoded: it has no lone surrogates."""
    if value.isascii():
        return True
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True


def _ill_text(decoder: Decoder, value: object, path: Path) -> bool:
    """Tell of text that cannot be encoded; True if it is such."""
    if not isinstance(value, str) or is_text(value):
        return False
    decoder.refuse("invalid_unicode", path, value, "well-formed Unicode text")
    return True


# Text


def _string(decoder: Decoder, node: Any, value: Any, path: Path) -> Any:
    if not isinstance(value, str):
        return decoder.mistyped("expected_string", node, value, path)
    if _ill_text(decoder, value, path):
        return BAD
    fine = length_holds(decoder, node, len(value), value, path, "length", "characters")
    # What is too long is not searched: `max_length` is how an author bounds a costly pattern.
    searched = "pattern" in node and len(value) <= node.get("max_length", len(value))
    if searched and not _pattern_holds(decoder, node, value, path):
        fine = False
    return value if fine else BAD


def length_holds(
    decoder: Decoder, node: Any, count: int, value: object, path: Path, what: str, unit: str
) -> bool:
    """Check `min_` and `max_` of `what` against a count."""
    low, high = node.get(f"min_{what}"), node.get(f"max_{what}")
    if low is not None and count < low:
        return _miscounted(decoder, "too_short", f"at least {low} {unit}", count, path)
    if high is not None and count > high:
        return _miscounted(decoder, "too_long", f"at most {high} {unit}", count, path)
    return True


def _miscounted(decoder: Decoder, code: str, expected: str, count: int, path: Path) -> bool:
    decoder.refuse(code, path, None, expected, got=str(count))
    return False


def _pattern_holds(decoder: Decoder, node: Any, value: str, path: Path) -> bool:
    limit = pattern_limit(node)
    if len(value) > limit:
        return _miscounted(decoder, "too_long", f"at most {limit} characters", len(value), path)
    if search_of(node["pattern"])(value):
        return True
    decoder.refuse("pattern_mismatch", path, value, f"text that matches {shown(node['pattern'])}")
    return False


# Numbers


def _integer(decoder: Decoder, node: Any, value: Any, path: Path) -> Any:
    if "wire" in node:
        return _string_integer(decoder, node, value, path)
    number = _read(decoder, value)
    if not is_number(number) or (isinstance(number, float) and not number.is_integer()):
        return decoder.mistyped("expected_integer", node, value, path)
    return _bounded(decoder, node, int(number) if isinstance(number, float) else number, path)


def _read(decoder: Decoder, value: Any) -> Any:
    """The value, or what it stands for when repairs are wanted."""
    return repaired(value) if decoder.lenient and isinstance(value, str) else value


def _string_integer(decoder: Decoder, node: Any, value: Any, path: Path) -> Any:
    if isinstance(value, str) and is_digits(value):
        return _bounded(decoder, node, int(value), path)
    if decoder.lenient and isinstance(value, int) and not isinstance(value, bool):
        return _bounded(decoder, node, value, path)
    if _ill_text(decoder, value, path):
        return BAD
    return decoder.mistyped("invalid_string_integer", node, value, path)


def is_digits(text: str) -> bool:
    """Whether a text is a decimal integer in ASCII, and not too long to convert."""
    digits = text[1:] if text[:1] == "-" else text
    return digits.isascii() and digits.isdigit() and len(digits) <= MAX_DIGITS


def _number(decoder: Decoder, node: Any, value: Any, path: Path) -> Any:
    number = _read(decoder, value)
    if not is_number(number):
        return decoder.mistyped("expected_number", node, value, path)
    try:
        number = number if type(number) is float else float(number)
    except OverflowError:
        return decoder.mistyped("expected_number", node, value, path)
    return _bounded(decoder, node, number, path)


def _bounded(decoder: Decoder, node: Any, number: Any, path: Path) -> Any:
    fine = True
    if any(key in node for key in RANGE_KEYS) and not in_range(node, number):
        decoder.refuse("out_of_range", path, number, bounds(node), got=_written(number))
        fine = False
    if "multiple_of" in node and not is_multiple(number, node["multiple_of"]):
        expected = f"a multiple of {shown(node['multiple_of'])}"
        decoder.refuse("not_multiple_of", path, number, expected, got=_written(number))
        fine = False
    return number if fine else BAD


def _written(number: Any) -> str:
    return shown(number) if isinstance(number, (int, float)) else str(number)[:80]


# The other scalars


def _boolean(decoder: Decoder, node: Any, value: Any, path: Path) -> Any:
    boolean = _read(decoder, value)
    if not isinstance(boolean, bool):
        return decoder.mistyped("expected_boolean", node, value, path)
    return boolean


def _null(decoder: Decoder, node: Any, value: Any, path: Path) -> Any:
    return None if value is None else decoder.mistyped("expected_null", node, value, path)


def _stdlib(decoder: Decoder, node: Any, value: Any, path: Path) -> Any:
    if _ill_text(decoder, value, path):
        return BAD
    try:
        read = reader(node)(value)
    except ValueError:
        return decoder.mistyped(CODES[node["type"]], node, value, path)
    if node["type"] == "decimal":
        return _bounded(decoder, node, read, path)
    if node["type"] == "bytes" and not length_holds(
        decoder, node, len(read), value, path, "length", "bytes"
    ):
        return BAD
    return read


# Choices


def _literal(decoder: Decoder, node: Any, value: Any, path: Path) -> Any:
    for choice in node["values"]:
        if chosen(choice["value"], value):
            return _literal_value(decoder, choice)
    if decoder.lenient and isinstance(value, str) and not _takes_text(node["values"]):
        read = repaired(value)
        if read is not value:
            return _literal(decoder, node, read, path)
    return _not_chosen(decoder, (choice["value"] for choice in node["values"]), value, path)


def chosen(choice: object, value: object) -> bool:
    """Whether a JSON value is a choice: equal, and of one JSON type."""
    if isinstance(choice, (bool, str)) or choice is None:
        return type(choice) is type(value) and choice == value
    return is_number(value) and choice == value


def _literal_value(decoder: Decoder, choice: Any) -> Any:
    if "enum" in choice:
        return member(decoder, choice["enum"], choice["member"])
    return choice["value"]


def _takes_text(values: Any) -> bool:
    return any(isinstance(choice["value"], str) for choice in values)


def _not_chosen(decoder: Decoder, allowed: Any, value: Any, path: Path) -> Any:
    if _ill_text(decoder, value, path):
        return BAD
    return decoder.refuse("not_in_enum", path, value, choices(allowed) or "nothing at all")


def member(decoder: Decoder, cls: str, name: str) -> Any:
    """An Enum member by its name."""
    members: Any = find(decoder.bound, cls, "enum").__members__
    if name not in members:
        raise ClassNotFound(f"the Enum {cls.replace(':', '.')} has no member {name}")
    return members[name]


def _enum(decoder: Decoder, node: Any, value: Any, path: Path) -> Any:
    for choice in node["members"]:
        if chosen(choice["value"], value):
            return member(decoder, node["cls"], choice["name"])
    if decoder.lenient and isinstance(value, str) and not _takes_text(node["members"]):
        read = repaired(value)
        if read is not value:
            return _enum(decoder, node, read, path)
    return _not_chosen(decoder, (choice["value"] for choice in node["members"]), value, path)


def _flag(decoder: Decoder, node: Any, value: Any, path: Path) -> Any:
    number = _read(decoder, value)
    if not is_number(number) or number != int(number):
        return decoder.mistyped("expected_integer", node, value, path)
    known = 0
    for bit in node["members"]:
        known |= int(bit["value"])
    if number < 0 or int(number) & ~known:
        return decoder.mistyped("not_in_enum", node, value, path)
    return find(decoder.bound, node["cls"], "flag")(int(number))


# Repairs


def repaired(text: str) -> Any:
    """The number or boolean that a text stands for, or the text itself."""
    if is_digits(text):
        return int(text)
    if text in _BOOLEANS:
        return _BOOLEANS[text]
    return _repaired_fraction(text)


_BOOLEANS = {"true": True, "True": True, "false": False, "False": False}


def _repaired_fraction(text: str) -> Any:
    """`230.0` is 230 exactly; a float has its nearest value."""
    if len(text) > MAX_DIGITS:
        return text
    try:
        number = reader({"type": "decimal"})(text)
    except ValueError:
        return text
    if number == number.to_integral_value() and abs(number.adjusted()) < 300:
        return int(number)
    return float(number)


KINDS: dict[str, Decode] = {
    "string": _string,
    "integer": _integer,
    "number": _number,
    "boolean": _boolean,
    "null": _null,
    "stdlib": _stdlib,
    "literal": _literal,
    "enum": _enum,
    "flag": _flag,
}
