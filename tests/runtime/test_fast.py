"""The generated code: what it looks like, when it is made, and what can never be in it."""

from __future__ import annotations

import dataclasses
import json
import time
from typing import Any

import pytest

from tests.runtime import calling as c
from toolcall import _fast, formats
from toolcall._dispatch import caller, run
from toolcall._fast import call_of
from toolcall._generate import source_of
from toolcall._signature import prepared
from toolcall._values import Err, Ok


def source(*parameters: dict[str, Any], fn: Any = None, **more: Any) -> str:
    tool = c.bound(fn or (lambda **kw: kw), *parameters, **more)
    return source_of(tool, "kept", bare=True)[0]


def test_nothing_is_compiled_before_the_first_call() -> None:
    """And each form of a call once for a tool."""

    def f(a: int) -> int:
        return a

    tool = c.bound(f, c.parameter("a", c.INTEGER))
    assert tool._fast is None
    run(f, "f", {"a": 1})
    assert list(prepared(tool).signature.code) == [(False, "kept")]
    run(f, "f", {"a": 2})
    assert call_of(tool) is call_of(tool)


def test_bound_methods_share_the_code() -> None:
    """Another instance costs no compilation."""

    class Counter:
        def __init__(self, start: int) -> None:
            self.start = start

        def add(self, n: int, times: int = 1) -> int:
            return self.start + n * times

    tool = c.bound(
        Counter.add,
        c.parameter("n", c.INTEGER),
        c.parameter("times", c.INTEGER, False),
        binding="instance",
    )
    one, other = tool.bound(Counter(1).add), tool.bound(Counter(10).add)
    assert (call_of(one)({"n": 1}), call_of(other)({"n": 1, "times": 2})) == (Ok(2), Ok(12))
    assert len(prepared(tool).signature.code) == 1


def test_tools_of_the_same_types_share_the_compilation(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each has its own keys, defaults and function all the same."""
    seen: list[str] = []

    def counting(source: str, *more: Any) -> Any:
        seen.append(source)
        return compile(source, *more)

    monkeypatch.setattr(_fast, "compile", counting, raising=False)
    monkeypatch.setattr(_fast, "_compiled", {})

    def first(city: str, days: int = 3, size: float = 1.5) -> Any:
        return city, days, size

    def second(name: str, count: int = 4, share: float = 2.5) -> Any:
        return name, count, share

    for function, wires, default in (
        (first, ("city", "days", "size"), 3),
        (second, ("the name", "größe", 'it\'s "x"'), 4),
    ):
        names = function.__code__.co_varnames
        tool = c.bound(
            function,
            c.parameter(names[0], c.STRING, wire=wires[0]),
            c.parameter(names[1], c.INTEGER, False, wire=wires[1]),
            c.parameter(names[2], c.NUMBER, False, wire=wires[2]),
        )
        call = call_of(tool)
        assert call(dict(zip(wires, ("Oslo", 5, 0.5), strict=True))) == Ok(("Oslo", 5, 0.5))
        assert call({wires[0]: "Oslo", wires[2]: 0.5}) == Ok(("Oslo", default, 0.5))
        wrong = {wires[0]: "Oslo", "other": 1}
        assert isinstance(call(wrong), Err)
        assert call(wrong) == c.by_reference(tool, wrong)
    assert len(seen) == 1


HOSTILE = "x'] + __import__('os').system('false') + a['"


def test_no_text_of_a_sidecar_becomes_code() -> None:
    """Keys are written by repr, and everything else is bound to a name."""
    types = c.object_("typeddict", "m:T", c.field("n", c.STRING, wire=HOSTILE))
    text = source(
        c.parameter("p", types, wire=HOSTILE),
        c.parameter("q", c.literal(HOSTILE), False),
        c.parameter("r", {"kind": "string", "pattern": "q{}'\"", "min_length": 3}, False),
    )
    assert compile(text, "x", "exec")
    assert repr(HOSTILE) in text
    assert text.count("__import__") == text.count(repr(HOSTILE)) == 1

    tool = c.bound(lambda **kw: kw, c.parameter("p", c.INTEGER, wire=HOSTILE))
    assert call_of(tool)({HOSTILE: 1}) == Ok({"p": 1})

    def f(**kwargs: Any) -> Any:
        return kwargs

    for name in ("a b", "class", "fn, __import__", "größe"):
        tool = c.bound(f, c.parameter(name, c.INTEGER, wire="w"))
        assert prepared(tool).signature.is_slow
        assert run(f, "f", {"w": 1}) == Ok({name: 1})


@dataclasses.dataclass
class Odd:
    """Its constructor raises whatever generated code could take for its own."""

    how: str

    def __post_init__(self) -> None:
        if self.how == "caller":
            caller(refusing, "refusing")({"a": "x"})
        if self.how == "unicode":
            "\ud800".encode()
        if self.how == "key":
            raise KeyError("how")


def refusing(a: int) -> int:
    return a


c.bound(refusing, c.parameter("a", c.INTEGER))


@pytest.mark.parametrize("how", ["caller", "unicode", "key"])
def test_what_a_constructor_raises_is_a_problem_at_its_place(how: str) -> None:
    """Even a CallError of another tool."""

    def f(odd: Any) -> Any:
        return odd

    node = c.object_("dataclass", Odd, c.field("how", c.STRING))
    tool = c.bound(f, c.parameter("odd", node))
    expected = c.by_reference(tool, {"odd": {"how": how}})
    assert [p.code for p in expected.problems] == ["construction_failed"]  # type: ignore[union-attr]
    assert call_of(tool)({"odd": {"how": how}}) == expected
    assert call_of(tool)({"odd": {"how": "fine"}}) == Ok(Odd("fine"))


def test_defaults_are_the_functions_own() -> None:
    """Visible or hidden behind a wrapper, computed or not; never checked."""
    marker = object()

    def f(a: Any = marker, *, b: Any = ()) -> Any:
        return a, b

    def wrapped(*args: Any, **kwargs: Any) -> Any:
        return f(*args, **kwargs)

    for fn in (f, wrapped):
        parameters = (
            c.parameter("a", {"kind": "integer", "ge": 5}, False),
            c.parameter("b", c.array(c.INTEGER), False, "keyword_only"),
        )
        tool = c.bound(fn, *parameters)
        call = call_of(tool)
        assert call({}) == Ok((marker, ()))
        assert call({"a": None, "b": None}) == Ok((marker, ()))
        assert call({"a": 5}) == Ok((5, ()))
        assert call({"b": [1.0]}) == Ok((marker, [1]))


def test_a_default_does_not_excuse_an_equal_value_that_is_refused() -> None:
    """3 by default, and at least 5 when given."""

    def f(a: int = 3) -> int:
        return a

    tool = c.bound(f, c.parameter("a", {"kind": "integer", "ge": 5}, False))
    assert call_of(tool)({}) == Ok(3)
    assert call_of(tool)({"a": 3}) == c.by_reference(tool, {"a": 3})


def test_no_accepted_value_is_far_dearer_than_its_like() -> None:
    """An int for a float in records that are not ours: built anew, not walked by the reference."""

    def f(items: Any) -> Any:
        return items

    item = c.object_("typeddict", "m:I", c.field("price", c.NUMBER), c.field("n", c.STRING))
    call = caller(f, "f") if c.bound(f, c.parameter("items", c.array(item))) else None
    assert call is not None
    good = {"items": [{"price": 1.5, "n": "a"}] * 20}
    changed = {"items": [{"price": 7, "n": "a"}] * 20}
    call(changed)

    def best(args: Any) -> float:
        times = []
        for _ in range(200):
            started = time.perf_counter()
            call(args)
            times.append(time.perf_counter() - started)
        return min(times)

    assert best(changed) < 5 * best(good)


def test_large_types_are_left_to_the_reference_in_part() -> None:
    """Code has a limit of size; answers do not change."""
    fields = [c.field(f"f{i}", c.array(c.INTEGER)) for i in range(400)]
    node = c.object_("typeddict", "m:Big", *fields)

    def f(big: Any) -> Any:
        return big

    tool = c.bound(f, c.parameter("big", node))
    assert len(source_of(tool, "kept", bare=False)[0].splitlines()) < 1200
    args = {"big": {f"f{i}": [1, 2.0] for i in range(400)}}
    assert call_of(tool)(args) == c.by_reference(tool, args)


NUMBERS = [
    c.INTEGER,
    {"kind": "integer", "ge": 0},
    {"kind": "integer", "multiple_of": 1},
    c.nullable(c.INTEGER),
    c.nullable({"kind": "integer", "le": 9}),
    c.union(c.INTEGER, c.STRING),
]
SHAPES: dict[str, tuple[Any, Any]] = {
    "itself": (lambda node: node, lambda value: value),
    "list": (c.array, lambda value: [value]),
    "record": (lambda node: c.object_("typeddict", "m:T", c.field("a", node)), lambda v: {"a": v}),
    "open record": (
        lambda node: c.object_("typeddict", "m:T", c.field("a", node), c.field("b", node, False)),
        lambda value: {"a": value},
    ),
    "mapping": (c.mapping, lambda value: {"k": value}),
    "nullable": (
        lambda node: node if node["kind"] in {"nullable", "union"} else c.nullable(node),
        lambda value: value,
    ),
}


@pytest.mark.parametrize("outer", SHAPES)
@pytest.mark.parametrize("middle", SHAPES)
@pytest.mark.parametrize("inner", SHAPES)
def test_numbers_change_their_type_wherever_they_are(outer: str, middle: str, inner: str) -> None:
    """A container that is handed over as it was sent has no number of another type in it."""
    for number in NUMBERS:
        node, value, wanted = number, 5.0, 5
        for shape in (inner, middle, outer):
            type_of, value_of = SHAPES[shape]
            node, value, wanted = type_of(node), value_of(value), value_of(wanted)
        tool = c.bound(lambda x: x, c.parameter("x", node))
        text = json.dumps({"x": value})
        assert c.same(c.by_reference(tool, json.loads(text)).value, wanted)
        for mode in ("kept", "owned", "copied"):
            answer = call_of(tool, mode=mode)(json.loads(text))
            assert isinstance(answer, Ok)
            assert c.same(answer.value, wanted), (mode, node)
        assert c.same(call_of(tool)(text).value, wanted)


@pytest.mark.parametrize("wire", ["x", "an x"])
def test_only_what_a_tool_reaches_is_looked_at(wire: str) -> None:
    """Nobody verified a named type that nothing refers to, and a default is no type."""
    odd = [{"kind": "object", "fields": [{"required": 1}]}, {"fields": [{"wire": 1}]}, 3, "x"]
    like_nodes = {"kind": "ref", "name": "Nowhere", "wire": 1, "required": 2}
    tool = c.bound(
        lambda n, x=None: (n, x),
        c.parameter("n", {"kind": "ref", "name": "Int"}),
        c.parameter("x", c.ANY, False, wire=wire, default=like_nodes),
        types={"Int": c.INTEGER, **{f"Odd{at}": node for at, node in enumerate(odd)}},
    )
    for arguments in ({"n": 1, wire: "y"}, json.dumps({"n": 1, wire: "y"})):
        assert call_of(tool)(arguments) == Ok((1, "y"))
    for name in formats.NAMES:
        assert len(formats.get(name).render_tools([tool.definition()])) == 1
