"""Standard-library values that travel as text: how each is read.

A row for every `ir.StdlibName`. `reader(node)` imports what the type needs, once, and
answers a function from a JSON value to the Python value; whatever that function refuses
is a ValueError, and the row's `code` names the problem. Nothing here is imported before a
tool that has such a type is called.

Text is checked with ASCII expressions before the class sees it, because `int`, `UUID` and
friends take much more than they write: full-width digits, underscores, braces, spaces.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, TypeAlias

    Reader: TypeAlias = Callable[[object], Any]

CODES: dict[str, str] = {
    "bytes": "invalid_base64",
    "date": "invalid_date",
    "datetime": "invalid_datetime",
    "decimal": "invalid_decimal",
    "duration": "invalid_duration",
    "ip": "invalid_ip",
    "path": "expected_string",
    "pattern": "invalid_pattern",
    "time": "invalid_time",
    "timezone": "invalid_timezone",
    "uuid": "invalid_uuid",
}
"""The problem code of each."""

MAX_EXPONENT = 10_000
"""Decimals with a larger exponent are refused: arithmetic on them would fill the memory."""

MAX_PATTERN = 10_000
"""Regular expressions longer than this many characters are not compiled."""

_readers: dict[tuple[str, str], Reader] = {}


def reader(node: Mapping[str, Any]) -> Reader:
    """What reads the values of a `stdlib` node."""
    key = node["type"], node.get("cls", "")
    found = _readers.get(key)
    if found is None:
        _readers[key] = found = _MAKERS[key[0]](key[1].partition(":")[2])
    return found


def _of_text(parse: Callable[[str], Any]) -> Reader:
    def read(value: object) -> Any:
        if not isinstance(value, str):
            raise ValueError("not text")
        return parse(value)

    return read


def _date(cls: str) -> Reader:
    from toolcall._timetext import parse_date

    return _of_text(parse_date)


def _time(cls: str) -> Reader:
    from toolcall._timetext import parse_time

    return _of_text(parse_time)


def _datetime(cls: str) -> Reader:
    from toolcall._timetext import parse_datetime

    return _of_text(parse_datetime)


def _duration(cls: str) -> Reader:
    from toolcall._timetext import parse_duration

    return parse_duration


def _bytes(cls: str) -> Reader:
    import re
    from binascii import a2b_base64

    # a2b_base64 skips what is not in the alphabet, and its strict mode is newer than 3.10.
    alphabet = re.compile(r"[A-Za-z0-9+/]*={0,2}").fullmatch

    def read(text: str) -> bytes:
        if len(text) % 4 or not alphabet(text):
            raise ValueError("not base64")
        return a2b_base64(text)

    return _of_text(read)


def _decimal(cls: str) -> Reader:
    import re
    from decimal import Decimal

    written = re.compile(r"-?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]{1,6})?").fullmatch

    def read(value: object) -> Any:
        if isinstance(value, str) and written(value):
            number = Decimal(value)
        elif isinstance(value, float):
            number = Decimal(getattr(value, "text", None) or float.__repr__(value))
        elif isinstance(value, int) and not isinstance(value, bool):
            number = Decimal(int(value))
        else:
            raise ValueError("not a decimal number")
        if not number.is_finite() or abs(number.adjusted()) > MAX_EXPONENT:
            raise ValueError("not a finite number")
        return number

    return read


def _uuid(cls: str) -> Reader:
    import re
    from uuid import UUID

    written = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}").fullmatch

    def read(text: str) -> UUID:
        if not written(text):
            raise ValueError("not a UUID")
        return UUID(text)

    return _of_text(read)


def _path(cls: str) -> Reader:
    import pathlib

    known = {"PurePath", "PurePosixPath", "PureWindowsPath", "PosixPath", "WindowsPath"}
    return _of_text(getattr(pathlib, cls) if cls in known else pathlib.Path)


def _ip(cls: str) -> Reader:
    import ipaddress

    known = {f"IPv{v}{what}" for v in "46" for what in ("Address", "Network", "Interface")}
    return _of_text(getattr(ipaddress, cls) if cls in known else ipaddress.ip_address)


def _pattern(cls: str) -> Reader:
    import re

    def read(text: str) -> re.Pattern[str]:
        if len(text) > MAX_PATTERN:
            raise ValueError("too long a pattern")
        try:
            return re.compile(text)
        except (re.error, OverflowError, RecursionError, Warning) as error:  # -W error
            raise ValueError(str(error)) from None

    return _of_text(read)


def _timezone(cls: str) -> Reader:
    from zoneinfo import ZoneInfo

    def read(text: str) -> ZoneInfo:
        try:
            return ZoneInfo(text)
        except (KeyError, OSError):  # unknown, or the name of a folder of zones
            raise ValueError("not a known time zone") from None

    return _of_text(read)


_MAKERS: dict[str, Callable[[str], Reader]] = {
    "bytes": _bytes,
    "date": _date,
    "datetime": _datetime,
    "decimal": _decimal,
    "duration": _duration,
    "ip": _ip,
    "path": _path,
    "pattern": _pattern,
    "time": _time,
    "timezone": _timezone,
    "uuid": _uuid,
}
