"""Instances of the user's classes, each built the way its own library builds it.

dataclasses, attrs classes and named tuples are called with keywords. pydantic and msgspec
validate by themselves: they get the decoded values under their wire names, and are reached
through the class or the module that the program has loaded already, never imported. That
the values are decoded before matters: `bytes` has arrived as base64 here, which pydantic
would take for the bytes themselves, and a strict model takes a date, not its text.

An exception of a constructor belongs to the arguments, so `failures` reads its message,
or, where an exception lists several errors by place as pydantic's does, each of them.
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from typing import Any, TypeAlias

    Build: TypeAlias = Callable[[Any, Any, Mapping[str, Any], Mapping[str, Any]], Any]

LONGEST = 300
"""The most characters of an exception's message that are passed on."""


def _call(cls: Any, node: Any, values: Mapping[str, Any], extra: Mapping[str, Any]) -> Any:
    return cls(**_by_name(node, values))


def _pydantic(cls: Any, node: Any, values: Mapping[str, Any], extra: Mapping[str, Any]) -> Any:
    sent = {**_on_the_wire(node, values), **extra}
    # A pydantic dataclass has no model_validate; its constructor validates.
    return cls.model_validate(sent) if hasattr(cls, "model_validate") else cls(**sent)


def _msgspec(cls: Any, node: Any, values: Mapping[str, Any], extra: Mapping[str, Any]) -> Any:
    convert = sys.modules["msgspec"].convert
    if cls.__struct_config__.array_like:
        from types import SimpleNamespace

        # Of an array, nothing could be left out but its end.
        return convert(SimpleNamespace(**_by_name(node, values)), cls, from_attributes=True)
    return convert({**_on_the_wire(node, values), **extra}, cls)


def _by_name(node: Any, values: Mapping[str, Any]) -> Mapping[str, Any]:
    """Without a tag, which its class knows by itself."""
    tags = {field["name"] for field in node["fields"] if "tag" in field}
    return {name: value for name, value in values.items() if name not in tags} if tags else values


def _on_the_wire(node: Any, values: Mapping[str, Any]) -> dict[str, Any]:
    return {
        field["wire"]: values[field["name"]] for field in node["fields"] if field["name"] in values
    }


BUILD: dict[str, Build] = {
    "dataclass": _call,
    "attrs": _call,
    "namedtuple": _call,
    "msgspec": _msgspec,
    "pydantic": _pydantic,
}
"""How a class of each style is made from values by field name, and extra ones by key."""


def failures(error: Exception) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """Where (relative to what was built) and why a constructor refused."""
    listed = getattr(error, "errors", None)
    if callable(listed) and hasattr(error, "error_count"):
        for one in listed():
            yield tuple(one["loc"]), _short(one["msg"])
        return
    yield (), message_of(error) or "these values do not go together"


def message_of(error: BaseException) -> str:
    """The message of an exception alone, as short as it may be passed on."""
    # attrs' validators put the attribute and the value behind the message.
    if len(error.args) > 1 and isinstance(error.args[0], str) and not isinstance(error, OSError):
        return _short(error.args[0])
    return _short(str(error))


def _short(text: str) -> str:
    text = text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"
    return text.encode("utf-8", "backslashreplace").decode()
