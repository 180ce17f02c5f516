"""Results as JSON: a tool's value to what can go over a wire.

The mirror of decoding: every type that a parameter may have is written here the way it is
read there (dates as RFC 3339, bytes as base64, an Enum by value or by name, a Flag as its
number, objects by their wire names). Beyond that, what classes and containers of the
standard library hold. What cannot be said in JSON is one error that names the place, never
a `repr`.

Sets are written in the order of their members' JSON text, since their own order changes
from run to run. Classes are recognised by what they show of themselves; no library is
imported for it, and nothing here is imported before the first result is encoded.
"""

from __future__ import annotations

import json
import sys
from collections import deque
from collections.abc import Mapping, Set
from enum import Enum, Flag

from toolcall._words import pointer
from toolcall.errors import UnencodableResult
from toolcall.typeproviders import ATTRIBUTE, everywhere, served_by

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any

    from toolcall._words import Path
    from toolcall.ir import Json

MAX_DEPTH = 200
"""How deep a result may be nested. What contains itself is deeper than that."""

MAX_BITS = 14_280
"""The largest integer: about the 4,300 digits that Python writes."""


def encode(value: object, providers: Iterable[object] = ()) -> Json:
    """A value as JSON data: None, booleans, numbers, text, lists and dicts with text keys.

    `providers` are the type providers of the tool. UnencodableResult for what cannot be
    said in JSON; its `path` is a JSON Pointer into the value.
    """
    offered = (*everywhere(), *providers)  # the tool's own win
    by_class = {served: provider for provider in offered for served in served_by(provider)}
    encoded: Json = _Encoder(by_class).value(value, (), 0)
    return encoded


def text_of(value: object, providers: Iterable[object] = ()) -> str:
    """A value as the text that a model reads: text as it is, all else as compact JSON."""
    if isinstance(value, str) and not isinstance(value, Enum):
        return str(value)
    encoded = encode(value, providers)
    if isinstance(encoded, str):
        return encoded
    return json.dumps(encoded, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


class _Encoder:
    __slots__ = ("providers",)

    def __init__(self, providers: Mapping[type, Any]) -> None:
        self.providers = providers

    def value(self, value: Any, path: Path, depth: int) -> Any:
        if depth > MAX_DEPTH:
            raise _unencodable("nested too deep, or contains itself", path)
        cls = type(value)
        if value is None or cls is bool:
            return value
        if cls is int:
            return _integer(value, path)
        if cls is str:
            return _text(value, path)
        if cls is dict:
            return self.pairs(value, path, depth)
        if cls is list or cls is tuple:
            return self.items(value, path, depth)
        return self.other(value, path, depth)

    def items(self, values: Iterable[Any], path: Path, depth: int) -> list[Any]:
        return [self.value(item, (path, i), depth + 1) for i, item in enumerate(values)]

    def pairs(self, values: Mapping[Any, Any], path: Path, depth: int) -> dict[str, Any]:
        encoded: dict[str, Any] = {}
        for key, item in values.items():
            text = self.key(key, path, depth)
            if text in encoded:
                raise _unencodable(f"two keys are written {text!r}", path)
            encoded[text] = self.value(item, (path, text), depth + 1)
        return encoded

    def key(self, key: object, path: Path, depth: int) -> str:
        encoded = self.value(key, path, depth + 1)
        if isinstance(encoded, str):
            return encoded
        if encoded is None or isinstance(encoded, (list, dict)):
            raise _unencodable(f"a key of type {type(key).__qualname__}", path)
        return json.dumps(encoded)

    def other(self, value: Any, path: Path, depth: int) -> Any:
        """Everything that is not JSON already, the most particular first."""
        provider = self.providers.get(type(value)) or getattr(type(value), ATTRIBUTE, None)
        if provider is not None:
            return self.provided(provider, value, path, depth)
        if isinstance(value, Enum):
            return self.value(_of_enum(value), path, depth + 1)
        if isinstance(value, float):
            if value - value != 0:
                raise _unencodable("not a finite number", path)
            return float(value)
        if isinstance(value, int):
            return _integer(int(value), path)
        if isinstance(value, str):
            return _text(str(value), path)
        fields = _fields(value)
        if fields is not None:
            return self.pairs(fields, path, depth)
        if isinstance(value, Mapping):
            return self.pairs(value, path, depth)
        if isinstance(value, (list, tuple, deque)):
            return self.items(value, path, depth)
        if isinstance(value, Set):
            return sorted(self.items(value, path, depth), key=_sort_key)
        return self.value(_stdlib(value, path), path, depth + 1)

    def provided(self, provider: Any, value: Any, path: Path, depth: int) -> Any:
        instance = provider() if isinstance(provider, type) else provider
        try:
            encoded = instance.encode(value)
        except Exception as error:
            raise _unencodable(f"its type provider refused it: {error}", path) from error
        if encoded is value:
            raise _unencodable("its type provider does not say how it is encoded", path)
        return self.value(encoded, path, depth + 1)


def _unencodable(reason: str, path: Path) -> UnencodableResult:
    at = pointer(path)
    return UnencodableResult(
        f"the result cannot be written as JSON at {at or 'its top'}: {reason}", at
    )


def _text(text: str, path: Path) -> str:
    try:
        text.encode()
    except UnicodeEncodeError:
        raise _unencodable("text with a lone surrogate", path) from None
    return text


def _integer(number: int, path: Path) -> int:
    if number.bit_length() > MAX_BITS:
        raise _unencodable("an integer of thousands of digits", path)
    return number


def _sort_key(encoded: Any) -> str:
    return json.dumps(encoded, sort_keys=True)


def _of_enum(member: Enum) -> Any:
    """By value where every value of the class is a str, int or float of one JSON kind."""
    if isinstance(member, Flag):
        return member.value
    kinds = {_json_kind(one.value) for one in type(member)}
    return member.value if len(kinds) == 1 and kinds != {""} else member.name


def _json_kind(value: object) -> str:
    if isinstance(value, str):
        return "string"
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return "number"
    return ""


# Objects with fields, each known by what its class shows


def _fields(value: Any) -> Mapping[str, Any] | None:
    """The wire names and values of an object with fields; None for anything else."""
    cls = type(value)
    for shows, read in _READERS:
        if hasattr(cls, shows) and (shows != "_fields" or isinstance(value, tuple)):
            fields: Mapping[str, Any] = read(value)
            return fields
    return None


def _msgspec(value: Any) -> Mapping[str, Any]:
    # Reached through the module that the class comes from, never imported.
    config = value.__struct_config__
    names = zip(value.__struct_encode_fields__, value.__struct_fields__, strict=True)
    found = {wire: getattr(value, name) for wire, name in names}
    tag = {} if config.tag is None else {config.tag_field: config.tag}
    unset = getattr(sys.modules.get("msgspec"), "UNSET", None)
    return {**tag, **{wire: item for wire, item in found.items() if item is not unset}}


def _dataclass(value: Any) -> Mapping[str, Any]:
    from dataclasses import fields

    return {field.name: getattr(value, field.name) for field in fields(value)}


def _attrs(value: Any) -> Mapping[str, Any]:
    return {
        field.name.lstrip("_"): getattr(value, field.name) for field in type(value).__attrs_attrs__
    }


def _namedtuple(value: Any) -> Mapping[str, Any]:
    return dict(zip(value._fields, value, strict=True))


_READERS: tuple[tuple[str, Callable[[Any], Any]], ...] = (
    ("__struct_fields__", _msgspec),
    ("__dataclass_fields__", _dataclass),
    ("__attrs_attrs__", _attrs),
    ("_fields", _namedtuple),
)


# The standard library's values


def _stdlib(value: Any, path: Path) -> Any:
    cls = type(value)
    for write in _writers(cls):
        try:
            return write(value)
        except Exception as error:
            raise _unencodable(f"{cls.__qualname__} refused it: {error}", path) from error
    raise _unencodable(f"a value of type {cls.__qualname__}", path)


def _writers(cls: type) -> Iterator[Callable[[Any], Any]]:
    if hasattr(cls, "model_dump") and hasattr(cls, "__pydantic_validator__"):
        yield _pydantic
    for base in cls.__mro__:
        if (base.__module__, base.__qualname__) in _WRITERS:
            yield _WRITERS[base.__module__, base.__qualname__]


def _pydantic(value: Any) -> Any:
    return value.model_dump(mode="json", by_alias=True)


def _decimal(value: Any) -> str:
    if not value.is_finite():
        raise ValueError("not a finite number")
    return str(value)


def _isoformat(value: Any) -> str:
    text: str = value.isoformat()
    return text.replace("+00:00", "Z") if text.endswith("+00:00") else text


def _duration(value: Any) -> str:
    from toolcall._timetext import format_duration

    return format_duration(value)


def _base64(value: Any) -> str:
    from binascii import b2a_base64

    return b2a_base64(value, newline=False).decode()


def _attribute(name: str) -> Callable[[Any], Any]:
    return lambda value: getattr(value, name)


# By the names of classes, because their modules may never have been imported.
_WRITERS: dict[tuple[str, str], Callable[[Any], Any]] = {
    ("pydantic.networks", "_BaseUrl"): str,
    ("pydantic.networks", "_BaseMultiHostUrl"): str,
    ("pydantic_core._pydantic_core", "Url"): str,
    ("pydantic_core._pydantic_core", "MultiHostUrl"): str,
    ("pydantic.types", "SecretStr"): str,  # asterisks, as in its own JSON
    ("datetime", "date"): _isoformat,
    ("datetime", "time"): _isoformat,
    ("datetime", "timedelta"): _duration,
    ("decimal", "Decimal"): _decimal,
    ("uuid", "UUID"): str,
    ("pathlib", "PurePath"): str,
    ("pathlib._local", "PurePath"): str,
    ("ipaddress", "_IPAddressBase"): str,
    ("re", "Pattern"): _attribute("pattern"),
    ("zoneinfo", "ZoneInfo"): _attribute("key"),
    ("builtins", "bytes"): _base64,
    ("builtins", "bytearray"): _base64,
    ("builtins", "memoryview"): _base64,
}
