"""Source that checks one value of the IR and converts it, line by line.

`Writer.value` writes the check of a local variable and answers the name of the local that
holds the value to hand over. Written is only what needs no thought; every other node
becomes a call of `part`, the reference decoder on this one value.

What a check may do when it fails:
    raise E(explain, a)     surely refused, and explained when somebody asks;
    anything else raised    not so sure: the whole call goes to the reference decoder.
Cheap tricks are used where they are exact: `isascii` is str's own and so checks the type
as well, and `x - x` is not zero only for NaN and the infinities.

Keys of objects are written by `repr`, those of the tool itself as numbers that are replaced in
what was compiled (so tools of the same types share the compilation), and everything else of the
IR is bound to a name: a sidecar is a file, and no text of it may become code.

Containers are handed over as they were sent if nothing in them changes. `back` is the
place of a value inside such a container. The three modes differ in what happens to a number
there that must change its type:
    owned     it is written in its place, which the reference decoder would accept again;
    kept      the check raises `Changed`, and the call starts again in the next mode;
    copied    no container with numbers is handed over: each is built anew.
"""

from __future__ import annotations

from toolcall._coerce_objects import accepts_null
from toolcall._coerce_unions import resolved

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Literal, TypeAlias

    from toolcall._bind import BoundTool

    Mode: TypeAlias = Literal["kept", "owned", "copied"]
    Check: TypeAlias = Callable[["Writer", int, Any, str, "str | None"], str]

MAX_LINES = 600
"""Longer code would cost more to compile than it saves; the rest is left to `part`."""

FIRST_KEY = 1 << 60
"""Stands for the first key of a tool. No other number in the source is as large."""

CHECKS: dict[str, Check] = {}
"""Who writes the check of which kind of node; `_generate` puts it together."""

REFUSE = "raise E(explain, a)"


class Writer:
    """Lines of source, the names bound for them, and where in the types they are.

    `constructs` says whether code of the user runs among the checks, `keys` which texts the
    numbers written for them stand for.
    """

    __slots__ = (
        "bound",
        "constructs",
        "count",
        "depth",
        "env",
        "keys",
        "lines",
        "mode",
        "open",
        "types",
    )

    def __init__(self, bound: BoundTool, mode: Mode) -> None:
        self.bound = bound
        self.types = bound.types
        self.mode = mode
        self.lines: list[str] = []
        self.env: dict[str, Any] = {}
        self.keys: dict[int, str] = {}
        self.count = 0
        self.constructs = False
        self.depth = 0
        self.open: list[str] = []

    def put(self, indent: int, line: str) -> None:
        """Write one line."""
        self.lines.append("    " * indent + line)

    def local(self) -> str:
        """A new name for a local variable."""
        self.count += 1
        return f"v{self.count}"

    def bind(self, value: object) -> str:
        """A new global name for a value."""
        self.count += 1
        name = f"k{self.count}"
        self.env[name] = value
        return name

    def key(self, text: str) -> str:
        """A number to stand for a text that differs between tools of the same types."""
        number = FIRST_KEY + len(self.keys)
        self.keys[number] = text
        return str(number)

    def refuse_if(self, indent: int, condition: str) -> None:
        """Refuse the call under a condition."""
        self.put(indent, f"if {condition}: {REFUSE}")

    def value(self, indent: int, node: Any, v: str, back: str | None = None) -> str:
        """Check the local `v`; answer the local that has the value to hand over."""
        write = CHECKS.get(node["kind"])
        if write is None or len(self.lines) > MAX_LINES or not _is_written(node):
            return self.part(indent, node, v)
        return write(self, indent, node, v, back)

    def part(self, indent: int, node: Any, v: str) -> str:
        """Leave this value to the reference decoder."""
        self.constructs = True
        result = self.local()
        self.put(indent, f"{result} = part({self.bind(node)}, {v}, {self.depth})")
        return result

    def assigned(self, indent: int, node: Any, v: str, back: str | None = None) -> None:
        """Check the local `v` and leave the value to hand over in it."""
        before = len(self.lines)
        result = self.value(indent, node, v, back)
        if result != v:
            self.put(indent, f"{v} = {result}")
        elif len(self.lines) == before:
            self.put(indent, "pass")


def _is_written(node: Any) -> bool:
    """Whether the checks here cover everything that a node says."""
    kind = node["kind"]
    if kind == "mapping":
        key = node["key"]
        plain = key["kind"] == "string" and not key.keys() - {"kind", "doc"}
        return plain and node["cls"] == "dict"
    return not (kind == "integer" and "wire" in node)


def keeps(writer: Writer, node: Any, depth: int = 0) -> bool:
    """Whether a good value is handed over as it was sent, but for numbers of another type."""
    node = resolved(node, writer.types)
    kind = node["kind"]
    if kind in {"string", "boolean", "null", "any"}:
        return True
    if kind in {"integer", "number"}:
        return writer.mode != "copied" and "wire" not in node
    if depth > 8:
        return False
    if kind == "literal":
        return not any("enum" in one or type(one["value"]) is not str for one in node["values"])
    if kind == "nullable":
        return keeps(writer, node["inner"], depth + 1)
    if kind == "array":
        items = resolved(node["items"], writer.types)
        if node["cls"] != "list" or not keeps(writer, items, depth + 1):
            return False
        # What changes inside has no place of its own there, but for the plainest numbers.
        return not may_change(writer, items) or is_plain_number(items)
    if kind == "object" and node["style"] == "typeddict" and "extra" not in node:
        return all(
            field["required"]
            and field["name"] == field["wire"]
            and keeps(writer, field["type"], depth + 1)
            for field in node["fields"]
        )
    return False


def may_change(w: Writer, node: Any) -> bool:
    """Whether a kept value may still be a new one: a number, or a list of numbers."""
    node = resolved(node, w.types)
    if node["kind"] in {"integer", "number"}:
        return True
    if node["kind"] == "array":
        return may_change(w, node["items"])
    return node["kind"] == "nullable" and may_change(w, node["inner"])


def is_plain_number(node: Any) -> bool:
    """Whether a type is a number without any constraint."""
    return node["kind"] in {"integer", "number"} and not node.keys() - {"kind", "doc"}


def takes_null(w: Writer, node: Any) -> bool:
    """Whether null is a value of a type."""
    return accepts_null(node, w.types)


def taken(w: Writer, node: Any, depth: int = 0) -> frozenset[str]:
    """The exact Python types of JSON values that a type may accept."""
    node = resolved(node, w.types)
    kind = node["kind"]
    if kind in _TAKEN:
        return _TAKEN[kind]
    if kind == "integer":
        return frozenset({"str"} if "wire" in node else {"int", "float"})
    if kind == "stdlib" and node["type"] not in {"decimal", "duration"}:
        return frozenset({"str"})
    if kind == "nullable" and depth < 8:
        return taken(w, node["inner"], depth + 1)
    return _EVERYTHING


_EVERYTHING = frozenset({"str", "int", "float", "bool", "list", "dict"})

_TAKEN: dict[str, frozenset[str]] = {
    "string": frozenset({"str"}),
    "number": frozenset({"int", "float"}),
    "flag": frozenset({"int", "float"}),
    "boolean": frozenset({"bool"}),
    "null": frozenset(),
    "array": frozenset({"list"}),
    "tuple": frozenset({"list"}),
    "mapping": frozenset({"dict"}),
    "object": frozenset({"dict"}),
}


def quoted(name: str) -> str:
    """A key as it may stand in source."""
    return str.__repr__(name)
