"""The reference decoder, type by type: what is accepted and as what, what is refused and how."""

from __future__ import annotations

import collections
import dataclasses
import datetime
import decimal
import enum
import ipaddress
import pathlib
import re
import time
import uuid
import zoneinfo
from typing import Any, NamedTuple

import pytest

from tests.runtime import calling as c
from toolcall._coerce import as_mapping, decode
from toolcall._wire import WrittenFloat
from toolcall.errors import ClassNotFound, SidecarError, text_of


class Color(enum.Enum):
    RED = "red"
    BLUE = "blue"


class Level(enum.IntEnum):
    LOW = 1
    HIGH = 2


class Access(enum.Flag):
    READ = 1
    WRITE = 2


@dataclasses.dataclass
class Point:
    x: float
    y: float = 0.5

    def __post_init__(self) -> None:
        if self.x < 0:
            raise ValueError("x must not be negative")


class Row(NamedTuple):
    key: str
    value: int = 7


FLAG = {
    "kind": "flag",
    "cls": c.name_of(Access),
    "members": [{"name": "READ", "value": 1}, {"name": "WRITE", "value": 2}],
}
POINT = c.object_("dataclass", Point, c.field("x", c.NUMBER), c.field("y", c.NUMBER, False))
ROW = c.object_("namedtuple", Row, c.field("key", c.STRING), c.field("value", c.INTEGER, False))
DIGITS = {"kind": "integer", "wire": "string_integer"}
UTC = datetime.timezone.utc

NO_MEMBERS = {"kind": "enum", "cls": "enum:Enum", "members": [], "type": "string"}

ACCEPTED: list[tuple[dict[str, Any], Any, Any]] = [
    (c.STRING, "{}", "{}"),
    (c.STRING, "1.2", "1.2"),
    (c.INTEGER, 1, 1),
    (c.INTEGER, 1.0, 1),
    (c.INTEGER, 1e16, 10**16),
    (c.NUMBER, 1, 1.0),
    (c.NUMBER, 0.5, 0.5),
    (c.NUMBER, WrittenFloat("0.50"), 0.5),
    (c.BOOLEAN, True, True),
    (c.NULL, None, None),
    (c.ANY, {"a": [1, None, "é", 0.5]}, {"a": [1, None, "é", 0.5]}),
    (c.ANY, {"a": [WrittenFloat("0.5")]}, {"a": [0.5]}),
    (DIGITS, "-12", -12),
    (DIGITS, "1234567890123456789", 1234567890123456789),
    (c.stdlib("bytes"), "YQ==", b"a"),
    (c.stdlib("date"), "2024-02-29", datetime.date(2024, 2, 29)),
    (c.stdlib("time"), "12:30:00", datetime.time(12, 30)),
    (c.stdlib("time"), "12:30:00.5Z", datetime.time(12, 30, 0, 500_000, UTC)),
    (c.stdlib("datetime"), "2024-01-02T03:04:05", datetime.datetime(2024, 1, 2, 3, 4, 5)),
    (
        c.stdlib("datetime"),
        "2024-01-02t03:04:05.123456789z",
        datetime.datetime(2024, 1, 2, 3, 4, 5, 123_456, UTC),
    ),
    (
        c.stdlib("datetime"),
        "2024-01-02 03:04:05.1-03:30",
        datetime.datetime(
            2024,
            1,
            2,
            3,
            4,
            5,
            100_000,
            datetime.timezone(-datetime.timedelta(hours=3, minutes=30)),
        ),
    ),
    (c.stdlib("duration"), "P1DT2H3M4.5S", datetime.timedelta(1, 4.5 + 3 * 60 + 2 * 3600)),
    (c.stdlib("duration"), "-PT1,5H", datetime.timedelta(hours=-1.5)),
    (c.stdlib("duration"), "P2W", datetime.timedelta(14)),
    (c.stdlib("duration"), 1.5, datetime.timedelta(seconds=1.5)),
    (c.stdlib("decimal"), "1.10", decimal.Decimal("1.10")),
    (c.stdlib("decimal"), 0.1, decimal.Decimal("0.1")),
    (c.stdlib("decimal"), WrittenFloat("0.10"), decimal.Decimal("0.10")),
    (c.stdlib("decimal"), 3, decimal.Decimal(3)),
    (c.stdlib("decimal", ge=1, multiple_of=0.5), "1.5", decimal.Decimal("1.5")),
    (c.stdlib("uuid"), "0" * 8 + "-0000-0000-0000-" + "0" * 12, uuid.UUID(int=0)),
    (c.stdlib("path", cls="pathlib:PurePosixPath"), "a/b", pathlib.PurePosixPath("a/b")),
    (c.stdlib("path"), "a", pathlib.Path("a")),
    (c.stdlib("ip", cls="ipaddress:IPv6Address"), "::1", ipaddress.IPv6Address("::1")),
    (c.stdlib("ip"), "10.0.0.1", ipaddress.IPv4Address("10.0.0.1")),
    (c.stdlib("pattern"), "a+", re.compile("a+")),
    (c.stdlib("timezone"), "UTC", zoneinfo.ZoneInfo("UTC")),
    (c.literal("a", 1), 1, 1),
    (c.literal(1), 1.0, 1),
    (c.literal(True), True, True),
    (c.enum(Color), "red", Color.RED),
    (c.enum(Level), 2.0, Level.HIGH),
    (FLAG, 3, Access.READ | Access.WRITE),
    (FLAG, 0, Access(0)),
    (c.array(c.INTEGER), [1, 2.0], [1, 2]),
    (c.array(c.INTEGER, "tuple"), [1], (1,)),
    (c.array(c.STRING, "set"), ["a", "b"], {"a", "b"}),
    (c.array(c.INTEGER, "frozenset"), [1.0], frozenset({1})),
    (c.array(c.INTEGER, "deque"), [1], collections.deque([1])),
    ({"kind": "tuple", "prefix": [c.INTEGER, c.STRING]}, [1, "a"], (1, "a")),
    ({"kind": "tuple", "prefix": [c.STRING], "rest": c.INTEGER}, ["a", 1, 2], ("a", 1, 2)),
    (c.mapping(c.INTEGER), {"a": 1.0}, {"a": 1}),
    (c.mapping(c.STRING, c.INTEGER), {"1": "a", "-2": "b"}, {1: "a", -2: "b"}),
    (c.mapping(c.STRING, c.enum(Level)), {"1": "a"}, {Level.LOW: "a"}),
    (c.mapping(c.STRING, c.BOOLEAN), {"true": "a"}, {True: "a"}),
    (c.mapping(c.STRING, c.NUMBER), {"0.5": "a", "2": "b"}, {0.5: "a", 2.0: "b"}),
    (c.mapping(c.STRING, c.stdlib("date")), {"2024-01-01": "a"}, {datetime.date(2024, 1, 1): "a"}),
    (c.mapping(c.STRING, c.union(c.STRING, c.INTEGER)), {"1": "a", "b": "c"}, {1: "a", "b": "c"}),
    (c.mapping(c.INTEGER, cls="OrderedDict"), {"a": 1}, collections.OrderedDict(a=1)),
    (c.mapping(c.INTEGER, cls="ChainMap"), {"a": 1}, collections.ChainMap({"a": 1})),
    (c.mapping(c.INTEGER, cls="Counter"), {"a": 1}, collections.Counter(a=1)),
    (POINT, {"x": 1}, Point(1.0)),
    (POINT, {"x": 1, "y": None}, Point(1.0)),
    (ROW, {"key": "k"}, Row("k", 7)),
    (c.object_("typeddict", "m:T", c.field("a", c.INTEGER, False)), {"a": None}, {}),
    (c.object_("typeddict", "m:T", c.field("a", c.INTEGER, wire="A b")), {"A b": 1}, {"a": 1}),
    (c.object_("typeddict", "m:T", extra=c.INTEGER), {"a": 1.0, "b": None}, {"a": 1}),
    (c.nullable(c.INTEGER), None, None),
    (c.union(c.STRING, c.stdlib("date")), "2024-01-01", datetime.date(2024, 1, 1)),
    (c.union(c.STRING, c.stdlib("date")), "soon", "soon"),
    (c.union(c.STRING, c.stdlib("path")), "a/b", "a/b"),
    (c.union(c.NUMBER, c.INTEGER), 1, 1),
    (c.union(c.INTEGER, c.NUMBER), 1.0, 1.0),
    (c.union(c.INTEGER, c.BOOLEAN), True, True),
    (c.union(c.STRING, c.literal(1)), 1, 1),
    (c.union(c.STRING, c.array(c.STRING)), '["a"]', '["a"]'),
    (c.union(POINT, ROW), {"key": "k"}, Row("k")),
    ({"kind": "number", "multiple_of": 0.1}, 0.3, 0.3),
    ({"kind": "number", "multiple_of": 0.1}, 1e300, 1e300),
    ({"kind": "integer", "multiple_of": 0.5}, 3, 3),
    ({"kind": "string", "pattern": "b"}, "abc", "abc"),
    ({"kind": "string", "pattern": "[$]$"}, "a$", "a$"),
    ({"kind": "string", "pattern": r"\$"}, "a$b", "a$b"),
    ({"kind": "string", "pattern": "[]$]"}, "]", "]"),
    ({"kind": "string", "max_length": 20_000, "pattern": "^a+$"}, "a" * 15_000, "a" * 15_000),
]


@pytest.mark.parametrize(("node", "sent", "value"), ACCEPTED, ids=c.label)
def test_accepted(node: dict[str, Any], sent: Any, value: Any) -> None:
    """Converted to the declared type, in every part."""
    assert c.same(c.value_of(node, sent), value)


REFUSED: list[tuple[dict[str, Any], Any, str]] = [
    (c.STRING, 1, "expected_string"),
    (c.STRING, None, "expected_string"),
    (c.STRING, "\ud800", "invalid_unicode"),
    (NO_MEMBERS, "RED", "not_in_enum"),
    (NO_MEMBERS, None, "not_in_enum"),
    (c.INTEGER, True, "expected_integer"),
    (c.INTEGER, "5", "expected_integer"),
    (c.INTEGER, 1.5, "expected_integer"),
    (c.INTEGER, float("inf"), "expected_integer"),
    (c.NUMBER, True, "expected_number"),
    (c.NUMBER, "1", "expected_number"),
    (c.NUMBER, float("nan"), "expected_number"),
    (c.NUMBER, 10**400, "expected_number"),
    (c.BOOLEAN, 1, "expected_boolean"),
    (c.BOOLEAN, "true", "expected_boolean"),
    (c.NULL, 0, "expected_null"),
    (c.ANY, {"a": ["\udc00"]}, "invalid_unicode"),
    (c.ANY, [float("nan")], "expected_number"),
    (c.ANY, {"a": {1: 2}}, "non_string_arguments"),
    *(
        (DIGITS, text, "invalid_string_integer")
        for text in ("+1", "1_000", " 1 ", "\uff11", "", "-", 1, 1.0)
    ),
    (DIGITS, "9" * 4301, "invalid_string_integer"),
    *((c.stdlib("bytes"), text, "invalid_base64") for text in ("YQ", "Y Q=", "é===", "YQ=a", 1)),
    *((c.stdlib("date"), x, "invalid_date") for x in ("2023-02-29", "2024-W01-1", "20240101", 1)),
    *((c.stdlib("time"), x, "invalid_time") for x in ("12:30", "24:00:00", "12:00:00+25:00")),
    *(
        (c.stdlib("datetime"), x, "invalid_datetime")
        for x in ("2024-01-01", "2024-01-01T00:00:60Z", "2024-01-01T00:00:00.1234567890Z", "now")
    ),
    *(
        (c.stdlib("duration"), x, "invalid_duration")
        for x in ("P", "PT", "P1Y", "P1M", "P1.5DT1H", "P999999999999W", True, 1e300, [])
    ),
    *(
        (c.stdlib("decimal"), x, "invalid_decimal")
        for x in ("NaN", "Infinity", "1_0", "+1", "", True, float("inf"), "1e99999", [])
    ),
    (c.stdlib("decimal", ge=1), "0.5", "out_of_range"),
    (c.stdlib("uuid"), "0" * 32, "invalid_uuid"),
    (c.stdlib("ip"), "300.0.0.1", "invalid_ip"),
    (c.stdlib("ip", cls="ipaddress:IPv4Address"), "::1", "invalid_ip"),
    (c.stdlib("pattern"), "(", "invalid_pattern"),
    (c.stdlib("pattern"), "a" * 10_001, "invalid_pattern"),
    *((c.stdlib("timezone"), x, "invalid_timezone") for x in ("Mars/One", "../etc", "America", "")),
    (c.stdlib("path"), 1, "expected_string"),
    (c.stdlib("date"), "\ud800", "invalid_unicode"),
    (c.literal(1), True, "not_in_enum"),
    (c.literal(True), 1, "not_in_enum"),
    (c.literal("a"), "\ud800", "invalid_unicode"),
    (c.enum(Color), "green", "not_in_enum"),
    (c.enum(Color), "RED", "not_in_enum"),
    ({**c.enum(Color), "members": []}, "red", "not_in_enum"),
    (FLAG, 4, "not_in_enum"),
    (FLAG, -1, "not_in_enum"),
    (FLAG, True, "expected_integer"),
    (c.array(c.INTEGER), "[1]", "expected_array"),
    (c.array(c.INTEGER), {}, "expected_array"),
    (c.array(c.INTEGER, "set"), [1, 1.0], "not_unique"),
    (c.array(c.ANY, "set"), [[]], "construction_failed"),
    (c.array(c.INTEGER, min_items=1), [], "too_short"),
    (c.array(c.INTEGER, max_items=1), [1, 2], "too_long"),
    ({"kind": "tuple", "prefix": [c.INTEGER]}, [], "wrong_length"),
    ({"kind": "tuple", "prefix": [c.INTEGER], "rest": c.STRING}, [1, 2], "expected_string"),
    ({"kind": "tuple", "prefix": [c.INTEGER]}, 1, "expected_array"),
    (c.mapping(c.INTEGER), [], "expected_object"),
    (c.mapping(c.STRING, c.INTEGER), {"a": "b"}, "expected_integer"),
    (c.mapping(c.STRING, c.INTEGER), {"1": "b", "01": "c"}, "not_unique"),
    (c.mapping(c.STRING, c.BOOLEAN), {"True": "b"}, "expected_boolean"),
    (c.mapping(c.STRING, c.union(c.INTEGER, c.BOOLEAN)), {"x": "b"}, "no_union_match"),
    (c.mapping(c.INTEGER, min_properties=1), {}, "too_short"),
    (c.mapping(c.INTEGER, max_properties=0), {"a": 1}, "too_long"),
    (c.mapping(c.INTEGER), {"\ud800": 1}, "invalid_unicode"),
    (c.mapping(c.INTEGER), {1: 1}, "non_string_arguments"),
    (POINT, [], "expected_object"),
    (POINT, {"x": -1}, "construction_failed"),
    (POINT, {}, "missing_argument"),
    (POINT, {"x": 1, "z": 1}, "unknown_argument"),
    (c.nullable(c.INTEGER), "x", "expected_integer"),
    (c.union(c.INTEGER, c.BOOLEAN), "x", "no_union_match"),
    ({"kind": "integer", "ge": 1}, 0, "out_of_range"),
    ({"kind": "integer", "gt": 1}, 1, "out_of_range"),
    ({"kind": "number", "lt": 1}, 1, "out_of_range"),
    ({"kind": "number", "le": 1}, 1.5, "out_of_range"),
    ({"kind": "integer", "multiple_of": 2}, 3, "not_multiple_of"),
    ({"kind": "number", "multiple_of": 0.1}, 0.35, "not_multiple_of"),
    ({"kind": "string", "min_length": 1}, "", "too_short"),
    ({"kind": "string", "max_length": 1}, "ab", "too_long"),
    ({"kind": "string", "pattern": "^a$"}, "a\n", "pattern_mismatch"),
    ({"kind": "string", "pattern": "^a+$"}, "a" * 10_001, "too_long"),
    (c.stdlib("bytes", max_length=1), "YWE=", "too_long"),
]


@pytest.mark.parametrize(("node", "sent", "code"), REFUSED, ids=lambda x: repr(x)[:60])
def test_refused(node: dict[str, Any], sent: Any, code: str) -> None:
    """One problem for each fault, with its own code."""
    assert c.value_of(node, sent) == [code]


LENIENT: list[tuple[dict[str, Any], Any, Any]] = [
    (c.INTEGER, "230", 230),
    (c.INTEGER, "230.0", 230),
    (c.INTEGER, "1234567890123456789", 1234567890123456789),
    (c.INTEGER, "1e3", 1000),
    (c.NUMBER, "0.5", 0.5),
    (c.NUMBER, "5", 5.0),
    (c.BOOLEAN, "true", True),
    (c.BOOLEAN, "False", False),
    (c.array(c.STRING), '["a","b"]', ["a", "b"]),
    (c.array(c.INTEGER), '["1"]', [1]),
    (c.mapping(c.INTEGER), '{"a": 1}', {"a": 1}),
    ({"kind": "tuple", "prefix": [c.INTEGER]}, "[1]", (1,)),
    (POINT, '{"x": "1"}', Point(1.0)),
    (c.union(c.STRING, c.array(c.STRING)), '["a"]', '["a"]'),
    (c.union(c.INTEGER, c.array(c.INTEGER)), "[1]", [1]),
    (c.literal(1, 2), "1", 1),
    (c.literal("1", 2), "2", ["not_in_enum"]),
    (c.enum(Level), "2", Level.HIGH),
    (FLAG, "3", Access.READ | Access.WRITE),
    (DIGITS, 5, 5),
    (c.nullable(c.INTEGER), "5", 5),
    (c.STRING, "5", "5"),
    (c.STRING, 5, ["expected_string"]),
    (c.INTEGER, "x", ["expected_integer"]),
    (c.INTEGER, "1.5", ["expected_integer"]),
    (c.INTEGER, "true", ["expected_integer"]),
    (c.INTEGER, "1e999999", ["expected_integer"]),
    (c.INTEGER, "9" * 5000, ["expected_integer"]),
    (c.BOOLEAN, "yes", ["expected_boolean"]),
    (c.array(c.STRING), "a", ["expected_array"]),
    (c.enum(Level), "LOW", ["not_in_enum"]),
]


@pytest.mark.parametrize(("node", "sent", "value"), LENIENT, ids=c.label)
def test_lenient(node: dict[str, Any], sent: Any, value: Any) -> None:
    """Text is repaired only where no text is possible."""
    assert c.same(c.value_of(node, sent, lenient=True), value)


def test_what_satisfies_its_type_is_handed_over_itself() -> None:
    """And what does not is built anew, in nothing of the caller's."""
    for node, sent in (
        (c.array(c.STRING), ["a"]),
        (c.mapping(c.INTEGER), {"a": 1}),
        (c.object_("typeddict", "m:T", c.field("a", c.STRING)), {"a": "b"}),
        (c.ANY, {"a": [1]}),
    ):
        assert c.value_of(node, sent) is sent
    sent = {"a": 1.0}
    assert c.value_of(c.mapping(c.INTEGER), sent) is not sent
    assert type(sent["a"]) is float


class Pace(str, enum.Enum):
    SLOW = "slow"


@pytest.mark.parametrize("cls", ["dict", "OrderedDict", "defaultdict"])
def test_a_key_that_is_equal_to_its_text_is_restored_too(cls: str) -> None:
    made = c.value_of(c.mapping(c.STRING, c.enum(Pace), cls=cls), {"slow": "a"})
    assert [type(key) for key in made] == [Pace]


def test_a_missing_key_of_a_defaultdict_starts_as_its_type_says() -> None:
    """Where the declared type of the values says it."""
    made = c.value_of(c.mapping(c.array(c.INTEGER), cls="defaultdict"), {"a": [1]})
    assert made == {"a": [1]}
    assert made["new"] == []


SHAPE = c.union(
    c.object_("typeddict", "m:A", c.field("kind", c.literal("a", "b")), c.field("n", c.INTEGER)),
    c.object_("typeddict", "m:C", c.field("kind", c.literal("c")), c.field("s", c.STRING)),
    discriminator="kind",
)


def problems_of(*parameters: dict[str, Any], args: Any, types: Any = None, **more: Any) -> Any:
    def f(*args: Any, **kwargs: Any) -> Any:
        raise AssertionError("refused calls do not run")

    found = decode(c.bound(f, *parameters, types=types), args, **more)
    assert isinstance(found, list), found
    return found


@pytest.mark.parametrize(
    ("value", "code", "path"),
    [
        ({"kind": "a", "n": "x"}, "expected_integer", "/x/n"),
        ({"kind": "d"}, "unknown_tag", "/x/kind"),
        ({}, "missing_argument", "/x/kind"),
        ([], "no_union_match", "/x"),
    ],
)
def test_a_discriminator_picks_the_branch_whose_problems_alone_are_told(
    value: Any, code: str, path: str
) -> None:
    """And a tag that no branch has is a problem of its own."""
    (problem,) = problems_of(c.parameter("x", SHAPE), args={"x": value})
    assert (problem.code, problem.path) == (code, path)


OPTIONAL_TAGS = c.union(
    c.object_("typeddict", "m:A", c.field("kind", c.literal("a"), False), c.field("n", c.INTEGER)),
    c.object_("typeddict", "m:B", c.field("kind", c.literal("b")), c.field("s", c.STRING)),
    discriminator="kind",
)


@pytest.mark.parametrize("value", [{"n": 1}, {"kind": "a", "n": 1}, {"kind": "b", "s": "x"}])
def test_a_discriminator_that_is_absent_tells_nothing(value: Any) -> None:
    """Where one branch may do without it, the first branch that fits is the one."""
    assert c.value_of(OPTIONAL_TAGS, value) == value
    assert c.value_of(OPTIONAL_TAGS, {"kind": None, "n": 1}) == {"n": 1}


@pytest.mark.parametrize(
    ("value", "code", "path"),
    [
        ({"kind": "a", "n": "x"}, "expected_integer", "/x/n"),
        ({"kind": "b", "n": 1}, "unknown_argument", "/x/n"),
        ({"kind": "c", "n": 1}, "unknown_tag", "/x/kind"),
        ({"m": 1}, "no_union_match", "/x"),
    ],
)
def test_a_discriminator_that_may_be_absent_and_is_there(value: Any, code: str, path: str) -> None:
    """It tells the branches apart as one that must be there."""
    found = problems_of(c.parameter("x", OPTIONAL_TAGS), args={"x": value})
    assert (found[0].code, found[0].path) == (code, path)


def test_no_match_says_what_each_branch_wanted() -> None:
    """With the reason, where the value was of a branch's JSON type."""
    (problem,) = problems_of(c.parameter("x", c.union(c.INTEGER, POINT)), args={"x": {"y": 1}})
    assert problem.expected == "integer or object"
    assert 'missing key "x" (number)' in problem.message


def test_all_problems_of_a_call_in_one_order() -> None:
    """Unknown names, missing names, then values from left to right, at every depth."""
    found = problems_of(
        c.parameter("city", c.STRING),
        c.parameter("days", {"kind": "integer", "ge": 1}, False),
        c.parameter("points", c.array(POINT), False),
        args={"points": [{"z": 1, "x": "a"}, 3], "days": 0, "cty": "Oslo"},
    )
    assert [(one.code, one.path) for one in found] == [
        ("unknown_argument", "/cty"),
        ("missing_argument", "/city"),
        ("out_of_range", "/days"),
        ("unknown_argument", "/points/0/z"),
        ("expected_number", "/points/0/x"),
        ("expected_object", "/points/1"),
    ]
    assert found[0].suggestion == "city"
    assert found[0].accepted == ("city (required)", "days", "points")
    assert found[2].expected == "at least 1"
    assert found[5].message == "points[1]: expected object, got 3"
    assert "Point" not in text_of(found)


def test_arguments_must_be_an_object_with_text_for_names() -> None:
    """Or nothing at all, which is the empty object."""
    for nothing in (None, "", {}):
        assert decode(c.bound(lambda: 1), nothing) == ([], {})
    (problem,) = problems_of(args=[1])
    assert (problem.code, problem.path, problem.got) == ("invalid_arguments", "", "array")
    assert [p.code for p in problems_of(args={1: 2, "\ud800": 1})] == [
        "non_string_arguments",
        "invalid_unicode",
    ]
    view = collections.ChainMap({"x": 1})
    assert decode(c.bound(lambda x: x, c.parameter("x", c.INTEGER)), view) == ([], {"x": 1})
    assert as_mapping(c.bound(lambda: 1), None) == {}


def test_null_for_what_may_be_left_out_is_absent() -> None:
    """Where its type takes a null, it is a value; where it is required, a problem."""

    def f(**kwargs: Any) -> Any:
        return kwargs

    tool = c.bound(
        f,
        c.parameter("a", c.INTEGER, False),
        c.parameter("b", c.nullable(c.INTEGER), False),
        c.parameter("c", {"kind": "ref", "name": "Maybe"}, False),
        types={"Maybe": c.union(c.INTEGER, c.NULL)},
    )
    assert decode(tool, {"a": None, "b": None, "c": None}) == ([], {"b": None, "c": None})
    (problem,) = problems_of(c.parameter("a", c.INTEGER), args={"a": None})
    assert (problem.code, problem.got) == ("expected_integer", "null")


def test_positions() -> None:
    """By position goes what must; gaps are filled with the function's own defaults."""

    def f(a: int, b: Any = "B", c: Any = "C", /, d: Any = "D", *rest: int, e: Any = "E") -> Any:
        return (a, b, c, d, rest, e)

    def parameters() -> list[dict[str, Any]]:
        only = "positional_only"
        return [
            c.parameter("a", c.INTEGER, kind=only),
            c.parameter("b", c.INTEGER, False, only),
            c.parameter("c", c.INTEGER, False, only),
            c.parameter("d", c.INTEGER, False),
            c.parameter("rest", c.array(c.INTEGER), False, "var_positional"),
            c.parameter("e", c.INTEGER, False, "keyword_only"),
        ]

    tool = c.bound(f, *parameters())

    def called(**args: Any) -> Any:
        found = decode(tool, args)
        assert isinstance(found, tuple)
        return f(*found[0], **found[1])

    assert called(a=1) == (1, "B", "C", "D", (), "E")
    assert called(a=1, c=3) == (1, "B", 3, "D", (), "E")
    assert called(a=1, d=4, e=5) == (1, "B", "C", 4, (), 5)
    assert called(a=1, rest=[7, 8]) == (1, "B", "C", "D", (7, 8), "E")
    assert called(a=1, rest=[], e=5) == (1, "B", "C", "D", (), 5)


def test_a_gap_that_nothing_fills_is_a_problem() -> None:
    """A function without visible defaults; a declared one would do."""
    only = "positional_only"
    first, second = (
        c.parameter("a", c.INTEGER, False, only),
        c.parameter("b", c.INTEGER, False, only),
    )
    tool = c.bound(lambda *args: args, first, second)
    (problem,) = decode(tool, {"b": 2})
    assert (problem.code, problem.path) == ("argument_gap", "/a")  # type: ignore[union-attr]
    declared = c.bound(lambda *args: args, {**first, "default": 7}, second)
    assert decode(declared, {"b": 2}) == ([7, 2], {})


def test_further_keywords_never_reach_a_parameter() -> None:
    """Neither one that has another wire name, nor an injected one, nor self."""

    class Owner:
        def f(self, q: int, user: Any = None, **more: int) -> Any:
            return (q, user, more)

    fn = Owner().f
    tool = c.bound(
        Owner.f,
        c.parameter("q", c.INTEGER, wire="query"),
        c.parameter("more", c.INTEGER, False, "var_keyword"),
        injected=[c.injected("user", position=1)],
        binding="instance",
    ).bound(fn)
    assert decode(tool, {"query": 1, "x y": 2, "z": None}) == ([], {"q": 1, "x y": 2})
    for name in ("q", "user", "self"):
        found = decode(tool, {"query": 1, name: 2})
        assert isinstance(found, list)
        assert [one.code for one in found] == ["unknown_argument"]


def test_nesting_has_a_limit_in_mappings_too() -> None:
    """Recursive types and values of which nothing is known."""
    deep: Any = []
    for _ in range(5000):
        deep = [deep]
    assert c.value_of(c.ANY, deep) == ["too_deep"]
    tree = {"Tree": c.array({"kind": "ref", "name": "Tree"})}
    assert c.value_of({"kind": "ref", "name": "Tree"}, deep, **tree) == ["too_deep"]
    found = problems_of(c.parameter("x", c.ANY), args={"x": [[1]]}, max_depth=1)
    assert [one.code for one in found] == ["too_deep"]


def test_unions_inside_unions_stay_linear() -> None:
    """Both branches look alike down to the last level, at every level."""
    node: Any = {"kind": "ref", "name": "N"}
    following = c.field("next", c.nullable(node))
    table = {
        "N": c.union(
            c.object_("typeddict", "m:A", following, c.field("x", c.INTEGER)),
            c.object_("typeddict", "m:B", following, c.field("x", c.STRING)),
        )
    }
    value: Any = None
    for _ in range(45):
        value = {"next": value, "x": "text"}
    started = time.perf_counter()
    assert c.value_of(node, value, **table) == value
    value["next"]["next"]["x"] = None
    assert c.value_of(node, value, **table) == ["no_union_match"]
    assert time.perf_counter() - started < 5


def test_records_are_bounded_and_nothing_is_built_after_them() -> None:
    """A million wrong values cost a hundred records."""
    found = problems_of(c.parameter("x", c.array(POINT)), args={"x": [{"x": "a"}] * 500})
    assert len(found) == 100


def test_echoed_values_are_short_and_can_be_written() -> None:
    """Whatever was sent."""
    for value in ("x" * 10**6, [[1] * 1000] * 1000, {"k" * 1000: 1}, {"\ud800": "\ud800"}):
        (problem,) = problems_of(c.parameter("x", c.INTEGER), args={"x": value})
        assert problem.got is not None
        assert len(problem.got) <= 80
        problem.message.encode()
    (problem,) = problems_of(c.parameter("x", c.STRING), args={"x": 10**5000})
    assert "thousands of digits" in problem.message


def test_faults_of_the_sidecar_are_not_the_models() -> None:
    """A class or member that is not there, a pattern that does not compile."""
    with pytest.raises(ClassNotFound, match="Nowhere"):
        c.value_of(c.object_("dataclass", "m:Nowhere"), {})
    wrong = c.enum(Color)
    wrong["members"] = [{"name": "GREEN", "value": "green"}]
    with pytest.raises(ClassNotFound, match="GREEN"):
        c.value_of(wrong, "green")
    with pytest.raises(SidecarError, match="does not compile"):
        c.value_of({"kind": "string", "pattern": "("}, "a")
