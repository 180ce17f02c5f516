"""Scalars, containers and other built-in types."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    from derive_sample import Derived

STRING = {"kind": "string"}
INTEGER = {"kind": "integer"}
NUMBER = {"kind": "number"}
ANY = {"kind": "any"}


def array(items: object, cls: str = "list") -> dict[str, object]:
    return {"kind": "array", "items": items, "cls": cls}


def mapping(value: object, key: object = STRING, cls: str = "dict") -> dict[str, object]:
    return {"kind": "mapping", "key": key, "value": value, "cls": cls}


def stdlib(name: str, cls: str | None = None) -> dict[str, object]:
    return {"kind": "stdlib", "type": name} | ({"cls": cls} if cls else {})


EXACT: dict[str, object] = {
    "str": STRING,
    "int": INTEGER,
    "float": NUMBER,
    "bool": {"kind": "boolean"},
    "None": {"kind": "null"},
    "Text": STRING,
    "te.LiteralString": STRING,
    "bytes": stdlib("bytes"),
    "datetime.datetime": stdlib("datetime"),
    "datetime.date": stdlib("date"),
    "datetime.time": stdlib("time"),
    "datetime.timedelta": stdlib("duration"),
    "decimal.Decimal": stdlib("decimal"),
    "uuid.UUID": stdlib("uuid"),
    "pathlib.Path": stdlib("path", "pathlib:Path"),
    "pathlib.PurePath": stdlib("path", "pathlib:PurePath"),
    "pathlib.PurePosixPath": stdlib("path", "pathlib:PurePosixPath"),
    "os.PathLike[str]": stdlib("path"),
    "ipaddress.IPv4Address": stdlib("ip", "ipaddress:IPv4Address"),
    "ipaddress.IPv6Network": stdlib("ip", "ipaddress:IPv6Network"),
    "ipaddress.IPv4Interface": stdlib("ip", "ipaddress:IPv4Interface"),
    "re.Pattern[str]": stdlib("pattern"),
    "zoneinfo.ZoneInfo": stdlib("timezone"),
    "UserId": INTEGER,
    "Point2": {"kind": "tuple", "prefix": [INTEGER, INTEGER]},
    "list[int]": array(INTEGER),
    "List[int]": array(INTEGER),
    "Sequence[int]": array(INTEGER),
    "collections.abc.Sequence[int]": array(INTEGER),
    "Iterable[int]": array(INTEGER),
    "Collection[int]": array(INTEGER),
    "MutableSequence[int]": array(INTEGER),
    "collections.deque[int]": array(INTEGER, "deque"),
    "set[int]": array(INTEGER, "set"),
    "AbstractSet[int]": array(INTEGER, "set"),
    "frozenset[int]": array(INTEGER, "frozenset"),
    "set[tuple[int, str]]": array({"kind": "tuple", "prefix": [INTEGER, STRING]}, "set"),
    "tuple[int, str]": {"kind": "tuple", "prefix": [INTEGER, STRING]},
    "tuple[()]": {"kind": "tuple", "prefix": []},
    "tuple[int, ...]": array(INTEGER, "tuple"),
    "tuple[int, te.Unpack[tuple[str, ...]]]": {
        "kind": "tuple",
        "prefix": [INTEGER],
        "rest": STRING,
    },
    "dict[str, int]": mapping(INTEGER),
    "Mapping[str, int]": mapping(INTEGER),
    "MutableMapping[str, int]": mapping(INTEGER),
    "collections.defaultdict[str, int]": mapping(INTEGER, cls="defaultdict"),
    "collections.OrderedDict[str, int]": mapping(INTEGER, cls="OrderedDict"),
    "collections.ChainMap[str, int]": mapping(INTEGER, cls="ChainMap"),
    "collections.Counter[str]": mapping(INTEGER, cls="Counter"),
    "dict[int, str]": mapping(STRING, INTEGER),
    "dict[float, str]": mapping(STRING, NUMBER),
    "dict[bool, str]": mapping(STRING, {"kind": "boolean"}),
    "dict[Optional[int], str]": mapping(STRING, INTEGER),
    "dict[datetime.date, str]": mapping(STRING, stdlib("date")),
    "dict[uuid.UUID, str]": mapping(STRING, stdlib("uuid")),
    "dict[Literal['a', 'b'], str]": mapping(
        STRING, {"kind": "literal", "values": [{"value": "a"}, {"value": "b"}]}
    ),
    "dict[str, list[dict[str, float]]]": mapping(array(mapping(NUMBER))),
    "Names": array(STRING),
    "Rows[int]": array(mapping(INTEGER)),
    "Optional[int]": {"kind": "nullable", "inner": INTEGER},
    "Annotated[int, 'x']": INTEGER,
    "te.Never | int": INTEGER,
}

LOST: dict[str, tuple[object, list[tuple[str, tuple[str, ...]]]]] = {
    "list": (array(ANY), [("untyped-container", ())]),
    "tuple": (array(ANY, "tuple"), [("untyped-container", ())]),
    "set": (array(ANY, "set"), [("untyped-container", ())]),
    "dict": (mapping(ANY), [("untyped-container", ())]),
    "list[Any]": (array(ANY), [("untyped-container", ())]),
    "list[object]": (array(ANY), [("untyped-container", ())]),
    "dict[str, Any]": (mapping(ANY), [("untyped-container", ())]),
    "list[dict[str, Any]]": (array(mapping(ANY)), [("untyped-container", ("items",))]),
    "Any": (ANY, [("untyped-value", ())]),
    "object": (ANY, [("untyped-value", ())]),
    "gone.Thing": (ANY, [("unresolved-import", ())]),
    "list[Away]": (array(ANY), [("unresolved-import", ("items",))]),
    "Callable[[int], str]": (ANY, [("unsupported-type", ())]),
    "type[int]": (ANY, [("unsupported-type", ())]),
    "IO[str]": (ANY, [("unsupported-type", ())]),
    "Iterator[int]": (ANY, [("unsupported-type", ())]),
    "Generator[int, None, None]": (ANY, [("unsupported-type", ())]),
    "complex": (ANY, [("unsupported-type", ())]),
    "bytearray": (ANY, [("unsupported-type", ())]),
    "os.PathLike[bytes]": (ANY, [("unsupported-type", ())]),
    "re.Pattern[bytes]": (ANY, [("unsupported-type", ())]),
    "Literal[b'x']": (ANY, [("unsupported-type", ())]),
    "collections.UserDict[str, int]": (ANY, [("unsupported-type", ())]),
    "SupportsInt": (ANY, [("unsupported-type", ())]),
    "Plain": (ANY, [("unsupported-type", ())]),
    "list[Plain]": (array(ANY), [("unsupported-type", ("items",))]),
    "dict[tuple[int, int], str]": (ANY, [("unsupported-type", ())]),
    "dict[bytes, str]": (ANY, [("unsupported-type", ())]),
    "set[list[int]]": (ANY, [("unsupported-type", ())]),
    "tuple[int, te.Unpack[tuple[str, ...]], int]": (ANY, [("unsupported-type", ())]),
    "int | Any": (ANY, [("untyped-value", ("1",))]),
    "str | Callable[[], int]": (ANY, [("unsupported-type", ("1",))]),
}

SOURCE = """
import collections, collections.abc, datetime, decimal, ipaddress, os, pathlib, re, uuid, zoneinfo
import gone  # type: ignore
from gone import Away  # type: ignore
T = TypeVar("T")
UserId = NewType("UserId", int)
Point2 = NewType("Point2", Tuple[int, int])
Names: te.TypeAlias = List[str]
Rows = List[Dict[str, T]]
class Plain:
    x: int = 1
"""


def _functions(annotations: dict[str, object]) -> str:
    return "".join(
        f"@mark\ndef f{number}(p: {annotation}) -> None: ...\n"
        for number, annotation in enumerate(annotations)
    )


@pytest.fixture(scope="module")
def exact(derive: Callable[..., Derived]) -> Derived:
    return derive(SOURCE + _functions(EXACT))


@pytest.fixture(scope="module")
def lost(derive: Callable[..., Derived]) -> Derived:
    return derive(SOURCE + _functions(LOST))


@pytest.mark.parametrize("annotation", EXACT)
def test_type_is_derived_without_loss(exact: Derived, annotation: str) -> None:
    """Every row of the type contract that is not a class."""
    name = f"f{list(EXACT).index(annotation)}"
    assert exact.type(name) == EXACT[annotation]
    assert exact.losses(name) == []


@pytest.mark.parametrize("annotation", LOST)
def test_weaker_type_says_why(lost: Derived, annotation: str) -> None:
    """What JSON cannot say becomes any value, with a loss at its place."""
    expected, losses = LOST[annotation]
    name = f"f{list(LOST).index(annotation)}"
    assert lost.type(name) == expected
    assert [(loss.code, loss.where) for loss in lost.losses(name)] == losses


def test_messages_are_sentences_about_the_written_type(lost: Derived) -> None:
    """Messages name types as their author wrote them."""
    messages = {loss.message for name in lost.signatures for loss in lost.losses(name)}
    assert '"list[Any]" does not say what it holds.' in messages
    assert 'mypy could not import "gone", so any value is accepted.' in messages
    assert 'mypy could not import "Away", so any value is accepted.' in messages
    assert not any("builtins" in message or "`" in message for message in messages)
    assert all(message.endswith(".") for message in messages)
