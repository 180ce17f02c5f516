"""What is fuzzed: `run` with bytes for arguments, and the loader of sidecars with bytes for a file.

Each target takes bytes and raises only if something escaped that is not documented. They
serve the short form, which draws its bytes from hypothesis, and the long one, which is led
by the coverage that atheris sees.
"""

from __future__ import annotations

import dataclasses
import enum
import json
from collections.abc import Callable
from typing import Any

from tests.runtime import calling as c
from toolcall import Err, Ok, formats, run
from toolcall._fast import call_of
from toolcall._package import _of_module
from toolcall._sidecar import dumps
from toolcall.errors import ToolcallError, UnencodableResult


class Color(enum.Enum):
    RED = "red"
    BLUE = "blue"


@dataclasses.dataclass
class Point:
    x: float
    y: float = 0.0


TREE = c.object_(
    "typeddict",
    "m:Tree",
    c.field("value", c.INTEGER),
    c.field("children", c.array({"kind": "ref", "name": "Tree"}), False),
)

POINT = c.object_("dataclass", Point, c.field("x", c.NUMBER), c.field("y", c.NUMBER, False))

NODES: list[dict[str, Any]] = [
    c.STRING,
    {"kind": "string", "pattern": "^[a-z]+$", "max_length": 9},
    {"kind": "integer", "ge": 0, "multiple_of": 2},
    {"kind": "integer", "wire": "string_integer"},
    c.NUMBER,
    c.BOOLEAN,
    c.ANY,
    *(c.stdlib(name) for name in ("date", "datetime", "time", "duration", "uuid", "decimal")),
    *(c.stdlib(name) for name in ("bytes", "path", "pattern", "timezone")),
    c.stdlib("ip", cls="ipaddress:IPv4Address"),
    c.literal("a", 1, True),
    c.enum(Color),
    POINT,
    c.array(POINT, "tuple"),
    c.array(c.INTEGER, "set"),
    c.mapping(c.NUMBER, c.INTEGER),
    c.nullable(c.array(c.NUMBER)),
    {"kind": "ref", "name": "Tree"},
    c.union(c.INTEGER, c.stdlib("date"), c.array(c.STRING)),
]


def _tool(index: int, node: dict[str, Any]) -> Callable[..., Any]:
    def tool(x: Any, y: Any = None) -> Any:
        return 1

    tool.__name__ = tool.__qualname__ = f"tool{index}"
    c.bound(tool, c.parameter("x", node), c.parameter("y", node, False), types={"Tree": TREE})
    return tool


TOOLS = [_tool(index, node) for index, node in enumerate(NODES)]


def call(data: bytes) -> None:
    """One tool, by the first byte; the rest is what the model sent. Nothing may be raised."""
    tool = TOOLS[data[0] % len(TOOLS)] if data else TOOLS[0]
    for lenient in (False, True):
        answer = run(tool, tool.__name__, data[1:], lenient=lenient)
        assert isinstance(answer, (Ok, Err))
        if isinstance(answer, Err):
            str(answer).encode()  # a model must be able to read it
            assert len(str(answer)) < 20_000
            assert answer.problems


def sidecar(data: bytes) -> None:
    """What is in the file is loaded, shown to every vendor, and called. Only our own errors."""
    try:
        tools = tools_of(data)
    except ToolcallError:
        return
    for name in tools.tools:
        _used(tools, name)


def tools_of(data: bytes) -> Any:
    """The tools of a module whose sidecar is this."""

    def read(path: str) -> bytes:
        if path.endswith(".json"):
            return data
        raise FileNotFoundError(path)

    return _of_module("fuzzed", "/nowhere/fuzzed.py", read)


def _used(tools: Any, name: str) -> None:
    try:
        bound = tools.find(name)
        for vendor in formats.NAMES:
            formats.get(vendor).render_tools([bound.definition()])
        bound.fn = dict
        for arguments in ({}, {"x": 1}, '{"x": [1.5]}'):
            answer = call_of(bound)(arguments)
            if not bound.tool["is_async"]:
                assert isinstance(answer, (Ok, Err))
            else:
                answer.close()
    except (ToolcallError, UnencodableResult):
        return


def sidecar_of(index: int, node: dict[str, Any]) -> bytes:
    """A well-formed sidecar with a tool that takes this type."""
    tool = {
        "key": f"tool{index}",
        "line": 1,
        "name": f"tool{index}",
        "doc": "Do it.",
        "parameters": [c.parameter("x", node, index % 2 == 0)],
        "is_async": index % 5 == 0,
        "binding": "function",
    }
    content: Any = {
        "toolcall": 1,
        "module": "fuzzed",
        "sources": [],
        "tools": [tool],
        "types": {"Tree": TREE} if node["kind"] == "ref" else {},
    }
    return dumps(content)


VALUES: list[Any] = [
    *("a", "abc", 4, "-5", 1.5, True, {"a": [1, None]}, "2024-02-29", "2024-02-29T12:00:00Z"),
    *("12:00:00", "P1DT2H", "00000000-0000-0000-0000-000000000000", "1.10", "YQ==", "a/b"),
    *("^a+$", "Europe/Oslo", "127.0.0.1", "a", "red", {"x": 1}, [{"x": 1, "y": 2.0}]),
    *([1, 2], {"1": 2}, [1, 2.5], {"value": 1, "children": [{"value": 2}]}, ["a"]),
]
"""A value of each type, in the order of the types."""

SEEDS: dict[str, list[bytes]] = {
    "call": [
        bytes([index]) + json.dumps({"x": value, "y": None}).encode()
        for index, value in enumerate(VALUES)
    ],
    "sidecar": [sidecar_of(index, node) for index, node in enumerate(NODES)],
}

TARGETS: dict[str, Callable[[bytes], None]] = {"call": call, "sidecar": sidecar}
