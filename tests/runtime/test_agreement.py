"""The generated decoder answers exactly as the reference decoder does, whatever arrives.

Tools are generated from the IR, and for each of them arguments that fit it and arguments
that were spoiled in one place.
"""

from __future__ import annotations

import copy
import dataclasses
import datetime
import enum
import json
import os
import uuid
from collections.abc import Callable
from typing import Any, NamedTuple

import pytest

pytest.importorskip("hypothesis")

from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from tests.runtime import calling as c
from toolcall._coerce_scalars import is_text
from toolcall._fast import call_of
from toolcall._values import Err, Ok
from toolcall.errors import CallError
from toolcall.formats import mcp
from toolcall.formats._jsonschema import render

EXAMPLES = int(os.environ.get("TOOLCALL_EXAMPLES", "1000"))

long = settings(
    max_examples=EXAMPLES,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)


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
    y: float = 0.0


@dataclasses.dataclass
class Picky:
    name: str
    count: int | None = None

    def __post_init__(self) -> None:
        if self.name == "bad":
            raise ValueError("no such name")
        if self.name == "key":
            raise KeyError("name")


class Row(NamedTuple):
    key: str
    value: int


CLASSES: list[dict[str, Any]] = [
    c.object_("dataclass", Point, c.field("x", c.NUMBER), c.field("y", c.NUMBER, False)),
    c.object_(
        "dataclass",
        Picky,
        c.field("name", c.STRING),
        c.field("count", c.nullable(c.INTEGER), False),
    ),
    c.object_(
        "namedtuple", Row, c.field("key", c.STRING), c.field("value", c.INTEGER, wire="Value")
    ),
    c.enum(Color),
    c.enum(Level),
    {
        "kind": "flag",
        "cls": c.name_of(Access),
        "members": [{"name": "READ", "value": 1}, {"name": "WRITE", "value": 2}],
    },
    {"kind": "ref", "name": "Tree"},
    {"kind": "ref", "name": "Shape"},
]

TABLE: dict[str, Any] = {
    "Tree": c.object_(
        "typeddict",
        "m:Tree",
        c.field("value", c.INTEGER),
        c.field("children", c.array({"kind": "ref", "name": "Tree"}), False),
    ),
    "Shape": c.union(
        c.object_(
            "typeddict", "m:Circle", c.field("kind", c.literal("circle")), c.field("r", c.NUMBER)
        ),
        c.object_(
            "typeddict", "m:Square", c.field("kind", c.literal("square")), c.field("a", c.INTEGER)
        ),
        discriminator="kind",
    ),
}

NAMES = ["a", "b", "city", "class", "größe", "x y", "self"]


SCALARS: list[dict[str, Any]] = [
    c.STRING,
    {"kind": "string", "min_length": 1, "max_length": 3},
    {"kind": "string", "pattern": "^[a-z]+$"},
    c.INTEGER,
    {"kind": "integer", "ge": 0, "lt": 10},
    {"kind": "integer", "multiple_of": 2},
    {"kind": "integer", "wire": "string_integer"},
    c.NUMBER,
    {"kind": "number", "gt": 0.5, "le": 10},
    {"kind": "number", "multiple_of": 0.1},
    c.BOOLEAN,
    c.NULL,
    c.ANY,
    c.stdlib("date"),
    c.stdlib("datetime"),
    c.stdlib("time"),
    c.stdlib("duration"),
    c.stdlib("uuid"),
    c.stdlib("decimal"),
    c.stdlib("decimal", ge=0),
    c.stdlib("bytes", max_length=3),
    c.stdlib("path"),
    c.stdlib("ip", cls="ipaddress:IPv4Address"),
    c.literal("red", "blue"),
    c.literal(1, 2),
    c.literal("a", 1, True),
    *CLASSES,
]

HASHABLE = [c.STRING, c.INTEGER, c.NUMBER, c.literal("red", "blue"), c.stdlib("date")]


@st.composite
def types(draw: st.DrawFn, depth: int = 0) -> dict[str, Any]:
    """A type of at most three levels; written out, since `recursive` describes itself at length."""
    kind = draw(st.integers(0, 25 if depth < 3 else 9))
    if kind < 10:
        return draw(st.sampled_from(SCALARS))
    inner = types(depth + 1)
    several = st.lists(inner, max_size=3)
    match kind:
        case 10 | 11 | 12:
            return c.array(draw(inner))
        case 13:
            return c.array(draw(inner), "tuple", min_items=1)
        case 14:
            return c.array(
                draw(st.sampled_from(HASHABLE)), draw(st.sampled_from(["set", "frozenset"]))
            )
        case 15:
            return c.array(draw(inner), "deque", max_items=2)
        case 16:
            return {"kind": "tuple", "prefix": draw(several)}
        case 17:
            return {"kind": "tuple", "prefix": draw(several), "rest": draw(inner)}
        case 18:
            return c.mapping(draw(inner))
        case 19:
            return c.mapping(draw(inner), min_properties=1, max_properties=2)
        case 20:
            key = draw(st.sampled_from([c.INTEGER, c.literal("a", "b"), c.stdlib("date")]))
            return c.mapping(draw(inner), key, draw(st.sampled_from(["dict", "OrderedDict"])))
        case 21:
            return c.object_("typeddict", "m:T", *draw(fields(depth)), extra=draw(inner))
        case 22:
            found = draw(inner)
            return found if found["kind"] in {"nullable", "null", "any"} else c.nullable(found)
        case 23:
            branches = [one for one in draw(several) if one["kind"] not in {"null", "nullable"}]
            return c.union(c.INTEGER, *branches)
        case _:
            return c.object_("typeddict", "m:T", *draw(fields(depth)))


@st.composite
def fields(draw: st.DrawFn, depth: int) -> list[dict[str, Any]]:
    names = draw(st.lists(st.sampled_from(NAMES), max_size=3, unique=True))
    return [c.field(name, draw(types(depth + 1)), draw(st.booleans())) for name in names]


JSON = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(-20, 20),
        st.sampled_from([0.5, 1.0, 1e300, float("nan"), float("inf"), 2**70, 10**400, -0.0]),
        st.sampled_from(
            ["", "a", "red", "1", "é", "\ud800", "2024-02-30", "2024-W01-1", "5", "true", "P1D"]
        ),
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.sampled_from(NAMES), inner, max_size=3)
    ),
    max_leaves=5,
)


def values(node: dict[str, Any], depth: int = 0) -> st.SearchStrategy[Any]:
    """Values that a type accepts (or, rarely, nearly so)."""
    return _VALUES[node["kind"]](node, depth)


def _string(node: dict[str, Any], depth: int) -> st.SearchStrategy[Any]:
    if "pattern" in node:
        return st.text("abc", min_size=1, max_size=5)
    return st.text(max_size=node.get("max_length", 8), min_size=node.get("min_length", 0))


def _integer(node: dict[str, Any], depth: int) -> st.SearchStrategy[Any]:
    whole = st.integers(node.get("ge", -50), node.get("lt", 51) - 1)
    if "multiple_of" in node:
        whole = whole.map(lambda n: n * int(node["multiple_of"]))
    if "wire" in node:
        return whole.map(str)
    return st.one_of(whole, whole.map(float))


def _number(node: dict[str, Any], depth: int) -> st.SearchStrategy[Any]:
    if "multiple_of" in node:
        return st.integers(-50, 50).map(lambda n: n / 10)
    return st.one_of(
        st.integers(1, 10), st.floats(0.6, 10, allow_nan=False), st.sampled_from([2.0, 5.0])
    )


def _stdlib(node: dict[str, Any], depth: int) -> st.SearchStrategy[Any]:
    made: dict[str, st.SearchStrategy[Any]] = {
        "date": st.dates().map(datetime.date.isoformat),
        "datetime": st.datetimes().map(lambda d: d.isoformat() + "Z"),
        "time": st.times().map(datetime.time.isoformat),
        "duration": st.sampled_from(["P1D", "PT1.5S", 3, 0.25, "-P1W"]),
        "uuid": st.uuids().map(str),
        "decimal": st.sampled_from(["1.10", 2, 0.1, "0"]),
        "bytes": st.sampled_from(["", "YQ==", "YWJj"]),
        "path": st.text("a/b.é", max_size=5),
        "ip": st.sampled_from(["127.0.0.1", "10.0.0.1"]),
    }
    return made[node["type"]]


def _choices(node: dict[str, Any], depth: int) -> st.SearchStrategy[Any]:
    listed = node.get("values") or node.get("members") or []
    return st.sampled_from([one["value"] for one in listed])


def _array(node: dict[str, Any], depth: int) -> st.SearchStrategy[Any]:
    unique: Any = repr if node["cls"] in {"set", "frozenset"} else None
    limits = {"min_size": node.get("min_items", 0), "max_size": node.get("max_items", 3)}
    return st.lists(values(node["items"], depth + 1), unique_by=unique, **limits)


def _tuple(node: dict[str, Any], depth: int) -> st.SearchStrategy[Any]:
    prefix = st.tuples(*(values(one, depth + 1) for one in node["prefix"])).map(list)
    if "rest" not in node:
        return prefix
    rest = st.lists(values(node["rest"], depth + 1), max_size=2)
    return st.builds(lambda a, b: a + b, prefix, rest)


def _mapping(node: dict[str, Any], depth: int) -> st.SearchStrategy[Any]:
    keys: st.SearchStrategy[Any] = st.text(max_size=3)
    if node["key"]["kind"] == "integer":
        keys = st.integers(0, 99).map(str)
    elif node["key"]["kind"] != "string":
        keys = values(node["key"])
    limits = {"min_size": node.get("min_properties", 0), "max_size": node.get("max_properties", 3)}
    return st.dictionaries(keys, values(node["value"], depth + 1), **limits)


def _object(node: dict[str, Any], depth: int) -> st.SearchStrategy[Any]:
    return properties(node["fields"], depth + 1)


def properties(fields: list[dict[str, Any]], depth: int) -> st.SearchStrategy[Any]:
    required = {f["wire"]: values(f["type"], depth) for f in fields if f["required"]}
    optional = {
        f["wire"]: st.one_of(values(f["type"], depth), st.none())
        for f in fields
        if not f["required"]
    }
    return st.fixed_dictionaries(required, optional=optional)


def _ref(node: dict[str, Any], depth: int) -> st.SearchStrategy[Any]:
    if depth > 4:
        return st.just({"value": 1})
    return values(TABLE[node["name"]], depth)


_VALUES: dict[str, Callable[[dict[str, Any], int], st.SearchStrategy[Any]]] = {
    "string": _string,
    "integer": _integer,
    "number": _number,
    "boolean": lambda node, depth: st.booleans(),
    "null": lambda node, depth: st.none(),
    "any": lambda node, depth: JSON,
    "stdlib": _stdlib,
    "literal": _choices,
    "enum": _choices,
    "flag": lambda node, depth: st.integers(0, 3),
    "array": _array,
    "tuple": _tuple,
    "mapping": _mapping,
    "object": _object,
    "nullable": lambda node, depth: st.one_of(st.none(), values(node["inner"], depth)),
    "union": lambda node, depth: st.one_of(*(values(b, depth) for b in node["branches"])),
    "ref": _ref,
}


@st.composite
def spoiled(draw: st.DrawFn, value: Any) -> Any:
    """The value with something else in one place."""
    if isinstance(value, dict) and draw(st.booleans()):
        kept = dict(value)
        if kept and draw(st.booleans()):
            key = draw(st.sampled_from(sorted(kept)))
            kept[key] = draw(spoiled(kept[key]))
        elif kept and draw(st.booleans()):
            del kept[draw(st.sampled_from(sorted(kept)))]
        else:
            kept[draw(st.sampled_from([*NAMES, "extra", "\udc00"]))] = draw(JSON)
        return kept
    if isinstance(value, list) and value and draw(st.booleans()):
        index = draw(st.integers(0, len(value) - 1))
        return [*value[:index], draw(spoiled(value[index])), *value[index + 1 :]]
    return draw(JSON)


@st.composite
def tools(draw: st.DrawFn) -> Any:
    """A tool of a few parameters, with a function that answers all of its arguments."""
    count = draw(st.integers(0, 3))
    parameters = []
    for index in range(count):
        optional = bool(parameters and not parameters[-1]["required"]) or draw(st.booleans())
        wire = draw(st.sampled_from([f"p{index}", f"Wire {index}"]))
        parameters.append(c.parameter(f"p{index}", draw(types()), not optional, wire=wire))
    if draw(st.booleans()):
        kind = "keyword_only"
        required = draw(st.booleans())
        parameters.append(c.parameter("last", draw(types()), required, kind))
    return c.bound(function_for(parameters, draw(st.booleans())), *parameters, types=TABLE)


def function_for(parameters: list[dict[str, Any]], wrapped: bool) -> Callable[..., Any]:
    parts = []
    for one in parameters:
        if one["kind"] == "keyword_only":
            parts.append("*")
        parts.append(one["name"] + ("" if one["required"] else "=DEFAULT"))
    names = ", ".join(one["name"] for one in parameters)
    scope: dict[str, Any] = {"DEFAULT": ("default",), "__name__": __name__, **globals()}
    exec(f"def f({', '.join(parts)}): return [{names}]", scope)
    function: Callable[..., Any] = scope["f"]
    if not wrapped:
        return function

    def outer(*args: Any, **kwargs: Any) -> Any:
        return function(*args, **kwargs)

    return outer


@st.composite
def cases(draw: st.DrawFn) -> tuple[Any, Any]:
    tool = draw(tools())
    args = draw(properties(tool.tool["parameters"], 0))
    if draw(st.booleans()):
        args = draw(spoiled(args))
    assume(not isinstance(args, (str, bytes)))
    return tool, args


def agree(one: Any, other: Any) -> bool:
    if isinstance(one, Err) or isinstance(other, Err):
        return bool(one == other)
    return c.same(one.value, other.value)


def bare(call: Callable[[Any], Any], args: Any) -> Ok[Any] | Err:
    try:
        return Ok(call(args))
    except CallError as error:
        return Err(error.problems)


@given(cases())
@long
def test_both_decoders_give_the_same_answer(case: tuple[Any, Any]) -> None:
    """Values or problems, bare or wrapped; and nobody's arguments are changed."""
    tool, args = case
    before = copy.deepcopy(args)
    expected = c.by_reference(tool, args)
    assert c.same(args, before)
    assert agree(call_of(tool)(args), expected)
    assert c.same(args, before)
    assert agree(call_of(tool, mode="copied")(args), expected)
    assert c.same(args, before)
    assert agree(bare(call_of(tool, bare=True), args), expected)
    assert agree(call_of(tool, mode="owned")(copy.deepcopy(args)), expected)
    owned = copy.deepcopy(args)
    assert agree(bare(call_of(tool, bare=True, mode="owned"), owned), expected)
    # What was changed in place still means the same.
    assert agree(c.by_reference(tool, owned), expected)


@given(cases())
@settings(parent=long, max_examples=EXAMPLES // 3)
def test_json_text_means_what_it_decodes_to(case: tuple[Any, Any]) -> None:
    """Text and the mapping that it is the JSON of get one answer."""
    tool, args = case
    text = json.dumps(args)
    decoded = json.loads(text)
    assert agree(call_of(tool)(text), c.by_reference(tool, decoded))


@pytest.mark.parametrize("text", ["0.0", "0.5", "1", "[0.0]"])
def test_a_fraction_with_its_text_is_a_float_like_any_other(text: str) -> None:
    """Which branch of a union it belongs to is not decided by its class."""
    number = c.union(c.INTEGER, c.stdlib("decimal"), c.array(c.NUMBER))

    def f(x: Any) -> Any:
        return x

    tool = c.bound(f, c.parameter("x", number))
    expected = c.by_reference(tool, {"x": json.loads(text)})
    assert agree(call_of(tool)(f'{{"x": {text}}}'), expected)


# The schema that models are shown, read by an independent validator

SAID_IN_FULL = [
    c.STRING,
    {"kind": "string", "min_length": 1, "max_length": 3},
    {"kind": "string", "pattern": "^[a-z]+$"},
    c.INTEGER,
    {"kind": "integer", "ge": 0, "lt": 10},
    {"kind": "integer", "multiple_of": 2},
    {"kind": "integer", "wire": "string_integer"},
    c.NUMBER,
    {"kind": "number", "gt": 0.5, "le": 10},
    c.BOOLEAN,
    c.NULL,
    c.ANY,
    c.literal("red", "blue"),
    c.literal("a", 1, True),
    *(node for node in CLASSES if node["kind"] in {"enum", "ref", "object"}),
]


def is_beyond_a_schema(value: Any) -> bool:
    """What the decoders refuse on purpose and no schema can: see the documented list.

    A null in an object is left out as well, since it may mean "absent" here; other tests
    have those.
    """
    if isinstance(value, dict):
        return any(
            item is None or is_beyond_a_schema(key) or is_beyond_a_schema(item)
            for key, item in value.items()
        )
    if isinstance(value, list):
        return any(map(is_beyond_a_schema, value))
    if isinstance(value, str):
        return not is_text(value) or "\n" in value
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return not abs(value) <= 1e308
    return False


@st.composite
def shown_cases(draw: st.DrawFn) -> tuple[Any, Any]:
    inner = st.sampled_from(SAID_IN_FULL)
    node = draw(inner)
    match draw(st.integers(0, 7)):
        case 0:
            node = c.array(node, min_items=1, max_items=2)
        case 1:
            node = {"kind": "tuple", "prefix": [node, draw(inner)]}
        case 2:
            node = c.mapping(node, min_properties=1)
        case 3:
            fields = [c.field("a", node), c.field("b", draw(inner), False)]
            node = c.object_("typeddict", "m:T", *fields)
        case 4:
            branches = [node, draw(inner), c.array(draw(inner))]
            node = c.union(*(one for one in branches if one["kind"] not in {"null", "any"}))
        case 5 if node["kind"] not in {"null", "any"}:
            node = c.nullable(node)
    parameters = [c.parameter("x", node), c.parameter("y", draw(inner), False)]
    args = draw(properties(parameters, 0))
    if draw(st.booleans()):
        args = draw(spoiled(args))
    assume(isinstance(args, dict) and not is_beyond_a_schema(args))
    return c.bound(function_for(parameters, False), *parameters, types=TABLE), args


@given(shown_cases())
@long
def test_the_schema_says_what_is_accepted(case: tuple[Any, Any]) -> None:
    """Refused is exactly what a JSON Schema validator refuses, apart from the documented list."""
    jsonschema = pytest.importorskip("jsonschema")
    tool, args = case
    schema = render(tool.definition(), mcp.DIALECT)
    valid = jsonschema.Draft202012Validator(schema).is_valid(args)
    answer = call_of(tool)(args)
    refused = isinstance(answer, Err) and answer.problems[0].code != "construction_failed"
    assert valid is not refused, (schema, args, answer)


class Text(str):
    """Decoded by something that has a text class of its own."""


class Whole(int):
    pass


class Real(float):
    pass


class Keys(dict[str, Any]):
    pass


class Items(list[Any]):
    pass


ODD: list[Any] = [
    None,
    True,
    False,
    *(0, 1, 2, 3, -1, 10, 11, 2**70, 10**400, Whole(1)),
    *(0.0, -0.0, 1.0, 2.0, 0.5, 1.5, 0.3, 10.0, 1e300, float("nan"), float("inf"), float("-inf")),
    Real(1.0),
    *(
        "",
        "a",
        "ab",
        "abcd",
        "A",
        "a\n",
        "red",
        "blue",
        "circle",
        "é",
        "\ud800",
        "a\udc00",
        "0",
        "-5",
    ),
    *(
        "+5",
        " 5",
        "5.0",
        "1_0",
        "\uff15",
        "true",
        "True",
        "null",
        "[]",
        "{}",
        Text("red"),
        Text("1"),
    ),
    *("2024-02-29", "2023-02-29", "2024-W01-1", "20240101", "2024-01-01T00:00:00Z", "12:00:00"),
    *("2024-1-01", "\uff12024-01-01", "P1D", "PT0.5S", "P", "P1Y", "YQ==", "YQ", "YWJjZA=="),
    *("127.0.0.1", "1.10", "1e400", "NaN", "00000000-0000-0000-0000-000000000000", "bad", "key"),
    [],
    [1],
    ["a"],
    [1, 1.0],
    [float("nan")],
    ["\ud800"],
    [None],
    [[1.0], [2]],
    Items([1]),
    {},
    {"a": 1},
    {"a": 1.0, "b": 2},
    {"a": None},
    {"\ud800": 1},
    {1: 2},
    {"x": 1},
    {"x": 1, "y": None},
    {"x": 1, "y": 2, "z": 3},
    {"x": float("nan")},
    {"name": "bad"},
    {"name": "key"},
    {"name": "n", "count": 5.0},
    {"key": "k", "Value": 1},
    {"key": "k", "value": 1},
    {"kind": "circle", "r": 1},
    {"kind": "square", "r": 1},
    {"kind": "line"},
    {"kind": 1},
    {"value": 1},
    {"value": 1, "children": [{"value": 2.0, "children": None}, {"value": "x"}]},
    Keys(a=1),
    len,  # not JSON, and its own copy
    ("a",),
    b"a",
]


def around(node: dict[str, Any]) -> list[tuple[dict[str, Any], Callable[[Any], Any]]]:
    """The type by itself and as a part of others, and what makes a value of that."""
    other = c.array(c.INTEGER)
    wrapped = [
        (node, lambda v: v),
        (c.array(node), lambda v: ["skip", v][1:]),
        (c.array(c.array(node)), lambda v: [[], [v]]),
        (c.array(node, "tuple", max_items=1), lambda v: [v]),
        ({"kind": "tuple", "prefix": [node, other]}, lambda v: [v, [1.0]]),
        (c.mapping(node), lambda v: {"k": v}),
        (c.object_("typeddict", "m:A", c.field("f", node)), lambda v: {"f": v}),
        (c.object_("typeddict", "m:B", c.field("f", node, wire="F w")), lambda v: {"F w": v}),
        (
            c.object_("typeddict", "m:C", c.field("f", node, False), c.field("g", other, False)),
            lambda v: {"f": v, "g": [2.0]},
        ),
        (
            c.array(c.object_("typeddict", "m:D", c.field("f", node), c.field("g", other))),
            lambda v: [{"f": v, "g": [1, 2.0]}],
        ),
        (c.union(node, c.object_("typeddict", "m:E", c.field("only", c.NULL))), lambda v: v),
    ]
    if node["kind"] not in {"nullable", "null", "any"}:
        wrapped.append((c.nullable(node), lambda v: v))
        wrapped.append((c.array(c.nullable(node)), lambda v: [None, v]))
    return wrapped


CONTAINERS: list[dict[str, Any]] = [
    c.mapping(c.INTEGER),
    c.mapping(c.STRING, min_properties=1, max_properties=1),
    c.array(c.NUMBER, "set"),
    c.array(c.STRING, min_items=1, max_items=1),
]


@pytest.mark.parametrize("node", SCALARS + CONTAINERS, ids=lambda node: json.dumps(node)[:60])
def test_every_kind_meets_every_odd_value(node: dict[str, Any]) -> None:
    """By itself and inside of everything, required and not, both decoders answer the same."""
    for type_, of in around(node):
        for required in (True, False):

            def f(x: Any = "absent") -> Any:
                return x

            tool = c.bound(f, c.parameter("x", type_, required), types=TABLE)
            calls = [call_of(tool), call_of(tool, mode="owned")]
            raising = [call_of(tool, bare=True), call_of(tool, bare=True, mode="owned")]
            for value in map(of, ODD):
                args = {"x": value}
                expected = c.by_reference(tool, args)
                for index, call in enumerate(calls):
                    sent = args if index == 0 else copy.deepcopy(args)
                    assert agree(call(sent), expected), (type_, value)
                for index, call in enumerate(raising):
                    sent = args if index == 0 else copy.deepcopy(args)
                    assert agree(bare(call, sent), expected), (type_, value)


def test_the_classes_of_this_file_are_built() -> None:
    """A sanity check of the generator's own table."""
    assert uuid.UUID(int=0)
    for node in CLASSES:
        if node["kind"] == "object":
            value = {f["wire"]: "k" if f["type"] is c.STRING else 1 for f in node["fields"]}
            built = c.value_of(node, value)
            assert type(built).__name__ == node["cls"].rpartition(":")[2]
