"""One walk over one call's arguments: where it is, what it found, who decodes what.

`Decoder.value` sends each kind of node to its function in `KINDS`, which `_coerce` puts
together from its siblings. Such a function gets the decoder, the node, the value and the
path, and answers the Python value, or BAD after it has told the problem with `refuse`.
"""

from __future__ import annotations

from toolcall._signature import signature_of
from toolcall._words import described, place, pointer, shown
from toolcall.errors import MAX_RECORDS, Problem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, TypeAlias

    from toolcall import ir
    from toolcall._bind import BoundTool
    from toolcall._words import Path

    Decode: TypeAlias = Callable[["Decoder", Any, Any, Path], Any]

MAX_DEPTH = 100
"""How many containers may be nested in one another."""


class Bad:
    """The type of BAD, what a decoding function answers after it has told a problem."""

    __slots__ = ()


BAD = Bad()

KINDS: dict[str, Decode] = {}
"""Who decodes which kind of node."""


class Decoder:
    """The state of one walk.

    `problems` is what it found so far. A trial, which a union makes for each branch, is a
    decoder of its own that shares `memory`: what a union answered for a container.
    """

    __slots__ = (
        "bound",
        "depth",
        "lenient",
        "max_depth",
        "memory",
        "problems",
        "signature",
        "types",
    )

    def __init__(
        self, bound: BoundTool, *, lenient: bool = False, max_depth: int = MAX_DEPTH
    ) -> None:
        self.bound = bound
        self.types: Mapping[str, ir.Type] = bound.types
        self.signature = signature_of(bound)
        self.lenient = lenient
        self.max_depth = max_depth
        self.depth = 0
        self.problems: list[Problem] = []
        self.memory: dict[tuple[int, int, bool], tuple[Any, ...]] = {}

    def trial(self, *, lenient: bool) -> Decoder:
        """A decoder for a try that may fail, at the same place."""
        other = Decoder(self.bound, lenient=lenient, max_depth=self.max_depth)
        other.depth = self.depth
        other.memory = self.memory
        return other

    def value(self, node: Any, value: object, path: Path) -> Any:
        """The value of a type, or BAD."""
        kind = node["kind"]
        if kind == "string" and type(value) is str and value.isascii() and len(node) == 1:
            return value
        return KINDS[kind](self, node, value, path)

    def refuse(
        self,
        code: str,
        path: Path,
        value: object,
        expected: str,
        *,
        got: str | None = None,
        message: str | None = None,
        suggestion: str | None = None,
        accepted: tuple[str, ...] = (),
    ) -> Any:
        """Tell a problem with the value at a place; answers BAD."""
        if len(self.problems) < MAX_RECORDS:
            got = shown(value) if got is None else got
            if message is None:
                message = f"{place(path) or 'arguments'}: expected {expected}, got {got}"
            self.problems.append(
                Problem(code, pointer(path), expected, got, message, suggestion, accepted=accepted)
            )
        return BAD

    def mistyped(self, code: str, node: ir.Type, value: object, path: Path) -> Any:
        """The value is of another type than the node; answers BAD."""
        return self.refuse(code, path, value, self.described(node))

    def described(self, node: ir.Type) -> str:
        """What a type wants, in a few words."""
        kept = self.signature.words
        found = kept.get(id(node))
        if found is None:  # the node is kept as well, so that its id stays its own
            kept[id(node)] = found = described(node, self.types), node
        return found[0]

    def enter(self, value: object, path: Path) -> bool:
        """Go one container deeper, unless that is too deep. Call `leave` afterwards."""
        if self.depth >= self.max_depth:
            limit = f"at most {self.max_depth} levels"
            said = f"{place(path)}: nested too deep, {limit} are read"
            self.refuse("too_deep", path, value, limit, got="more", message=said)
            return False
        self.depth += 1
        return True

    def leave(self) -> None:
        """Come back from a container."""
        self.depth -= 1
