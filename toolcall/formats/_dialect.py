"""The shape of the tables that say what each vendor accepts.

A `Dialect` is one format's rules: how tools and properties may be named, and two
`Subset`s of JSON Schema, one for ordinary tools and one for strict ones. Renderers
ask these tables and never the vendor's name, so a rule that changes is one row here.

Every row is a `Row(value, source, seen)`: where the rule was read and in which month.
Reading `subset.keywords` gives the bare value; `subset.rows["keywords"]` the row.
Rules that no vendor documents say "observed" in their source.

The tables know nothing of the IR, of values and of envelopes.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Literal, NoReturn


class Row:
    """One fact: its value, where it was read, and when (`YYYY-MM`)."""

    __slots__ = ("seen", "source", "value")

    def __init__(self, value: Any, source: str, seen: str = "2026-11") -> None:
        self.value = value
        self.source = source
        self.seen = seen

    def __repr__(self) -> str:
        return f"Row({self.value!r}, {self.source!r}, {self.seen!r})"


class _Table:
    """A frozen record made of rows; attributes give the rows' values."""

    __slots__ = ("rows",)

    rows: dict[str, Row]

    def __init__(self, **rows: Row) -> None:
        missing = set(self.__slots__) ^ set(rows)
        if missing:
            raise TypeError(f"rows given and declared differ in {sorted(missing)}")
        object.__setattr__(self, "rows", rows)
        for name, row in rows.items():
            object.__setattr__(self, name, row.value)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"{type(self).__name__} is frozen: {name}")

    def but(self, **rows: Row) -> Any:
        """The same table with some rows replaced."""
        return type(self)(**{**self.rows, **rows})


class NameRule:
    """ASCII letters and digits, `extra` characters, a length; `head` restricts the first one."""

    __slots__ = ("extra", "head", "longest")

    def __init__(self, extra: str, longest: int | None, *, head: str | None = None) -> None:
        object.__setattr__(self, "extra", extra)
        object.__setattr__(self, "longest", longest)
        object.__setattr__(self, "head", head)

    extra: str
    longest: int | None
    head: str | None

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"a NameRule is frozen: {name}")

    @property
    def regex(self) -> str:
        """The rule as a regular expression, for messages."""
        rest = f"[a-zA-Z0-9{self.extra}]"
        if self.head is not None:
            first, longest = (
                f"[a-zA-Z{self.head}]",
                None if self.longest is None else self.longest - 1,
            )
            return f"^{first}{rest}*$" if longest is None else f"^{first}{rest}{{0,{longest}}}$"
        return f"^{rest}+$" if self.longest is None else f"^{rest}{{1,{self.longest}}}$"


class Subset(_Table):
    """The part of JSON Schema that one mode of a format takes.

    keywords: constraint keywords that are accepted; others move into the description.
    formats: values of `format`; None takes all.
    null: how a nullable type is written: a type list, anyOf, or OpenAPI's `nullable`.
    enum: values an enum may list: any, strings and numbers, or strings only.
    enum_null: null may be listed in an enum.
    enum_type: `type` stands beside `enum`.
    optional: what may be left out is left out of `required`, or is required and nullable.
    refs: `$ref` is shared freely, written only where it must be, or never.
    ref_siblings: other keywords may stand beside `$ref`.
    cycle_required: the `$ref` that closes a cycle may stand inside a required property.
    recursion: a type may refer to itself.
    open: objects with unknown keys can be said.
    closed: objects of known fields are closed.
    untyped: a schema may be `{}`.
    typed_items: every array has an `items` schema, also beside `prefixItems`.
    lookaround: patterns may look around and refer back.
    least_items: the largest `minItems` that is accepted; None takes all.
    root_refuses: keywords that may not stand at the root; empty where any root will do.
    """

    __slots__ = (
        "closed",
        "cycle_required",
        "enum",
        "enum_null",
        "enum_type",
        "formats",
        "keywords",
        "least_items",
        "lookaround",
        "null",
        "open",
        "optional",
        "recursion",
        "ref_siblings",
        "refs",
        "root_refuses",
        "typed_items",
        "untyped",
    )

    keywords: frozenset[str]
    formats: frozenset[str] | None
    null: Literal["type", "any_of", "keyword"]
    enum: Literal["any", "scalar", "string"]
    enum_null: bool
    enum_type: bool
    optional: Literal["absent", "null"]
    refs: Literal["share", "must", "never"]
    ref_siblings: bool
    cycle_required: bool
    recursion: bool
    open: bool
    closed: bool
    untyped: bool
    typed_items: bool
    lookaround: bool
    least_items: int | None
    root_refuses: frozenset[str]


class Limits(_Table):
    """Counters of a strict mode; None is no limit. `request_` ones sum over all strict tools."""

    __slots__ = (
        "characters",
        "depth",
        "enum_characters",
        "enum_values",
        "properties",
        "request_optional",
        "request_tools",
        "request_unions",
    )

    properties: int | None
    depth: int | None
    characters: int | None
    enum_values: int | None
    enum_characters: int | None
    request_tools: int | None
    request_optional: int | None
    request_unions: int | None


class Dialect(_Table):
    """One format: its name rules and its subsets; `strict` is None where strict changes nothing."""

    __slots__ = ("format", "limits", "plain", "property_name", "strict", "tool_name")

    format: str
    tool_name: NameRule | None
    property_name: NameRule | None
    plain: Subset
    strict: Subset | None
    limits: Limits | None
