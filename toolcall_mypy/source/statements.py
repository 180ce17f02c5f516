"""The facts said of one type, gathered in source order.

The last statement of a fact counts; differing statements are kept as a conflict. Values
are literals and constants only: what cannot be read so is kept as unread, never guessed.
"""

from __future__ import annotations

import ast
import math
from decimal import Decimal
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, cast

from toolcall_mypy.records import replace
from toolcall_mypy.source.defaults import Computed, Known, evaluate
from toolcall_mypy.source.docstrings import prose
from toolcall_mypy.source.metadata import NOTHING, AliasDoc, At, Conflict, Metadata, Unread
from toolcall_mypy.source.vocabulary import LENGTHS, NUMBERS, Row

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from toolcall_mypy.source.files import SourceFiles
    from toolcall_mypy.source.index import ModuleIndex
    from toolcall_mypy.source.metadata import Constraint, Slot
    from toolcall_mypy.source.resolve import Trail

_CONSTRAINTS = frozenset({*NUMBERS, *LENGTHS, "pattern"})
_PLAIN = (
    "name",
    "wire",
    "inject",
    "provider",
    "discriminator",
    "default",
    "type",
    "from_text",
    "choices",
)


class Statements:
    """Facts of one node while they are gathered."""

    def __init__(self) -> None:
        self.facts: dict[str, object] = {}
        self.described_at: At | None = None
        self.alias: AliasDoc | None = None
        self.unread: list[Unread] = []
        self.conflicts: list[Conflict] = []

    @classmethod
    def of(cls, metadata: Metadata) -> Statements:
        """Begin with what is said already."""
        said = cls()
        said.facts.update(metadata.constraints)
        for fact in ("description", *_PLAIN):
            value = getattr(metadata, fact)
            if value is not None:
                said.facts[fact] = value
        said.described_at = metadata.described_at
        said.alias = metadata.alias
        said.unread = list(metadata.unread)
        said.conflicts = list(metadata.conflicts)
        return said

    def metadata(
        self, children: Mapping[Slot, Metadata], alias: AliasDoc | None = None
    ) -> Metadata:
        facts = cast("dict[str, Any]", self.facts)
        constraints = tuple(
            cast("Constraint", (fact, value))
            for fact, value in facts.items()
            if fact in _CONSTRAINTS
        )
        made = Metadata(
            description=facts.get("description"),
            described_at=self.described_at,
            constraints=constraints,
            alias=alias if alias is not None else self.alias,
            children=MappingProxyType(dict(children)),
            unread=tuple(self.unread),
            conflicts=tuple(self.conflicts),
            **{fact: facts[fact] for fact in _PLAIN if fact in facts},
        )
        return NOTHING if made == NOTHING else made

    def say(self, fact: str, value: object, at: At) -> None:
        if fact in self.facts and not _same(self.facts[fact], value):
            self.conflicts.append(Conflict(at, fact, self.facts[fact], value))
        self.facts[fact] = value

    def describe(self, text: str, at: At) -> None:
        self.say("description", text, at)
        self.described_at = at

    def add(self, other: Metadata) -> None:
        """Say everything that `other` says, after what is said already; no conflict arises."""
        inner = Statements.of(other)
        self.facts.update(inner.facts)
        self.described_at = inner.described_at or self.described_at
        self.unread += inner.unread
        self.conflicts += inner.conflicts

    def adopt(self, other: Statements, expr: ast.expr, index: ModuleIndex) -> None:
        """Say what a named constant says, at the place of its use."""
        at = place_of(expr, index)
        for fact, value in other.facts.items():
            self.say(fact, value, at)
        self.described_at = other.described_at or self.described_at
        self.unread += [
            Unread(at, index.segment(expr), f"{one.text}: {one.reason}") for one in other.unread
        ]
        self.conflicts += [replace(one, at=at) for one in other.conflicts]

    def cannot_read(self, node: ast.expr | ast.keyword, index: ModuleIndex, reason: str) -> None:
        self.unread.append(Unread(place_of(node, index), index.segment(node), reason))

    def description(
        self,
        expr: ast.expr,
        index: ModuleIndex,
        scope: str,
        files: SourceFiles,
        trail: Trail | None,
    ) -> None:
        """An expression that is a description if it is text, and nothing if it is a number."""
        match evaluate(expr, index, scope, files, trail):
            case Known(value=str() as text):
                self.describe(prose(text), place_of(expr, index))
            case Computed(reason=reason):
                self.cannot_read(expr, index, reason)

    def call(
        self,
        call: ast.Call,
        row: Row,
        index: ModuleIndex,
        scope: str,
        files: SourceFiles,
        trail: Trail | None,
    ) -> None:
        """Say what a known callable's arguments say."""
        given = {keyword.arg for keyword in call.keywords}
        for name, expr, node in _arguments(call, row):
            if row.overruled.get(name, name) in given - {name}:
                continue
            fact = row.facts.get(name)
            if fact is not None:
                self._argument(
                    fact, expr, index, evaluate_argument(expr, index, scope, files, trail)
                )
            elif name not in row.silent and not _is_off(expr):
                self.cannot_read(node, index, f"{name} is not known")

    def _argument(
        self, fact: str, expr: ast.expr, index: ModuleIndex, value: Known | Computed
    ) -> None:
        at = place_of(expr, index)
        match fact, value:
            case "default_factory", _:
                self.say("default", Computed("a factory makes it"), at)
            case "default", _:
                # `Field(...)` says that there is no default.
                if not (isinstance(expr, ast.Constant) and expr.value is Ellipsis):
                    self.say("default", value, at)
            case "metadata", _:
                if (text := _description_in(expr)) is not None:
                    self.describe(prose(text), at)
            case "extra", Known(value=dict() as extra):
                self._extra(extra, at)
            case "extra", _:
                pass  # a function, which changes the schema as it likes
            case _, Computed(reason=reason):
                self.cannot_read(expr, index, reason)
            case _, Known(value=None):
                pass
            case "description", Known(value=str() as text):
                self.describe(prose(text), at)
            case _, Known(value=Decimal() as found) if fact in NUMBERS and found.is_finite():
                whole = found == found.to_integral_value()
                self.say(fact, int(found) if whole else float(found), at)
            case _, Known(value=found) if _fits(fact, found):
                self.say(fact, found, at)
            case _:
                self.cannot_read(expr, index, f"not a value for {fact}")

    def _extra(self, extra: dict[Any, Any], at: At) -> None:
        """What a piece of JSON Schema says that we can say, too."""
        if isinstance(text := extra.get("description"), str):
            self.describe(prose(text), at)
        if isinstance(choices := extra.get("enum"), list) and choices:
            self.say("choices", tuple(choices), at)


def _description_in(expr: ast.expr) -> str | None:
    """The text under "description" in a dict; the other entries are anybody's."""
    if not isinstance(expr, ast.Dict):
        return None
    for key, value in zip(expr.keys, expr.values, strict=True):
        match key, value:
            case ast.Constant(value="description"), ast.Constant(value=str() as text):
                return text
    return None


def evaluate_argument(
    expr: ast.expr, index: ModuleIndex, scope: str, files: SourceFiles, trail: Trail | None
) -> Known | Computed:
    """A literal value; `re.compile("…")` without flags counts as its pattern.

    Of `AliasChoices("a", "b")` the first name is the one that is told.
    """
    match expr:
        case ast.Call(
            func=ast.Name(id="AliasChoices") | ast.Attribute(attr="AliasChoices"),
            args=[ast.Constant(value=str()) as first, *_],
        ):
            return evaluate(first, index, scope, files, trail)
        case ast.Call(
            func=ast.Attribute(value=ast.Name(id="re"), attr="compile"), args=[pattern], keywords=[]
        ):
            return evaluate(pattern, index, scope, files, trail)
    return evaluate(expr, index, scope, files, trail)


def place_of(expr: ast.expr | ast.keyword, index: ModuleIndex) -> At:
    col = index.column(expr.lineno, expr.col_offset)
    return At(index.module, index.path, expr.lineno, col)


def _arguments(call: ast.Call, row: Row) -> Iterator[tuple[str, ast.expr, ast.expr | ast.keyword]]:
    """The name, the value, and the whole of each argument."""
    for number, expr in enumerate(call.args):
        named = number < len(row.positional) and not isinstance(expr, ast.Starred)
        yield row.positional[number] if named else "*", expr, expr
    for keyword in call.keywords:
        whole = keyword.value if keyword.arg is None else keyword
        yield keyword.arg or "**", keyword.value, whole


def _fits(fact: str, value: object) -> bool:
    if isinstance(value, bool):
        return False
    if fact in NUMBERS:
        return isinstance(value, int) or (isinstance(value, float) and math.isfinite(value))
    if fact in LENGTHS:
        return isinstance(value, int) and value >= 0
    return isinstance(value, str)


def _same(first: object, last: object) -> bool:
    return type(first) is type(last) and first == last


def _is_off(expr: ast.expr) -> bool:
    """Whether an argument asks for nothing."""
    return isinstance(expr, ast.Constant) and expr.value in (None, False)
