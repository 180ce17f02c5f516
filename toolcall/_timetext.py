"""Dates, times and durations as text: RFC 3339 and ISO 8601, alike on every Python.

The standard library's `fromisoformat` takes more than RFC 3339 and differs between Python
3.10 and 3.11 (week dates, missing separators, fraction digits), so what a model may send
would depend on the interpreter. Here one expression decides, and the class only checks
that the calendar has such a day.

Fractions may have one to nine digits; what is finer than a microsecond is cut off. A leap
second is refused, because Python's clock has none. Every parser raises ValueError.
"""

from __future__ import annotations

import re
from datetime import date, datetime, time, timedelta, timezone

_DATE = r"(\d{4})-(\d{2})-(\d{2})"
_TIME = r"(\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,9}))?"
_OFFSET = r"([Zz]|[+-]\d{2}:\d{2})?"

_date = re.compile(_DATE, re.ASCII).fullmatch
_time = re.compile(_TIME + _OFFSET, re.ASCII).fullmatch
_datetime = re.compile(f"{_DATE}[Tt ]{_TIME}{_OFFSET}", re.ASCII).fullmatch

_NUMBER = r"(\d{1,12}(?:[.,]\d{1,9})?)"
_duration = re.compile(
    rf"([+-])?P(?:{_NUMBER}W)?(?:{_NUMBER}D)?(?:T(?:{_NUMBER}H)?(?:{_NUMBER}M)?(?:{_NUMBER}S)?)?",
    re.ASCII,
).fullmatch

_MICROSECONDS = (604_800_000_000, 86_400_000_000, 3_600_000_000, 60_000_000, 1_000_000)


def parse_date(text: str) -> date:
    """RFC 3339 full-date."""
    found = _date(text)
    if not found:
        raise ValueError("not a full-date")
    year, month, day = map(int, found.groups())
    return date(year, month, day)


def parse_time(text: str) -> time:
    """RFC 3339 partial-time or full-time."""
    found = _time(text)
    if not found:
        raise ValueError("not a time")
    hour, minute, second, fraction, offset = found.groups()
    return time(int(hour), int(minute), int(second), _micro(fraction), _zone(offset))


def parse_datetime(text: str) -> datetime:
    """RFC 3339 date-time; the offset may be missing."""
    found = _datetime(text)
    if not found:
        raise ValueError("not a date-time")
    *numbers, fraction, offset = found.groups()
    year, month, day, hour, minute, second = map(int, numbers)
    return datetime(year, month, day, hour, minute, second, _micro(fraction), _zone(offset))


def _micro(fraction: str | None) -> int:
    return int(fraction[:6].ljust(6, "0")) if fraction else 0


def _zone(offset: str | None) -> timezone | None:
    if offset is None:
        return None
    if offset in "Zz":
        return timezone.utc
    hours, minutes = int(offset[1:3]), int(offset[4:6])
    if hours > 23 or minutes > 59:
        raise ValueError("not an offset")
    sign = -1 if offset[0] == "-" else 1
    return timezone(sign * timedelta(hours=hours, minutes=minutes))


def parse_duration(value: object) -> timedelta:
    """An ISO 8601 duration without years and months, or a number of seconds."""
    if isinstance(value, str):
        return _duration_of(value)
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise ValueError("not a duration")
    try:
        return timedelta(seconds=value)
    except OverflowError:
        raise ValueError("out of range") from None


def _duration_of(text: str) -> timedelta:
    found = _duration(text)
    if not found or text[-1] in "PT":
        raise ValueError("not a duration")
    sign, *parts = found.groups()
    given = [part for part in parts if part is not None]
    if any("." in part or "," in part for part in given[:-1]):
        raise ValueError("only the last part may have a fraction")
    total = sum(
        _scaled(part, unit) for part, unit in zip(parts, _MICROSECONDS, strict=True) if part
    )
    try:
        return timedelta(microseconds=-total if sign == "-" else total)
    except OverflowError:
        raise ValueError("out of range") from None


def _scaled(number: str, unit: int) -> int:
    whole, _, fraction = number.replace(",", ".").partition(".")
    return int(whole) * unit + int(fraction.ljust(9, "0") or "0") * unit // 10**9


def format_duration(value: timedelta) -> str:
    """An ISO 8601 duration of days, hours, minutes and seconds."""
    if value < timedelta(0):
        return "-" + format_duration(-value)
    hours, seconds = divmod(value.seconds, 3600)
    minutes, seconds = divmod(seconds, 60)
    fraction = f".{value.microseconds:06d}".rstrip("0") if value.microseconds else ""
    days = f"{value.days}D" if value.days else ""
    parts = f"{hours}H" * bool(hours) + f"{minutes}M" * bool(minutes)
    if seconds or fraction:
        parts += f"{seconds}{fraction}S"
    if not days and not parts:
        return "PT0S"
    return f"P{days}" + (f"T{parts}" if parts else "")
