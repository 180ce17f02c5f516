"""What an annotation says beside its type: a tree shaped like the type.

Plain records that `annotations` fills and the assembler reads. They carry only what
was written: whether a bound fits the type it stands on is the assembler's question.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Literal, Union

from toolcall_mypy.records import field, record

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import TypeAlias

    from toolcall import ir
    from toolcall_mypy.source.defaults import Computed, Known

Slot: TypeAlias = Union[
    Literal["items", "key", "value", "rest"], tuple[Literal["prefix", "branch"], int]
]
"""Where a part stands in a type.

`items` of a list, set, deque, `tuple[T, ...]`; `key` and `value` of a mapping;
`("prefix", i)` and `rest` of a tuple; `("branch", i)` of a union. Branches count in
source order after nested unions and aliases are flattened, without None; **all
`Literal[...]` of one union are one branch, at the place of the first**. A union with
one branch besides None has no slots: its branch's metadata stands on the union itself.
"""

ConstraintName: TypeAlias = Literal[
    "ge",
    "gt",
    "le",
    "lt",
    "multiple_of",
    "min_length",
    "max_length",
    "pattern",
    "min_items",
    "max_items",
    "min_properties",
    "max_properties",
]
"""`min_length` and `max_length` are said of text and containers alike (`MinLen`)."""

Constraint: TypeAlias = tuple[ConstraintName, Union[int, float, str]]


@record
class At:
    """A place in a source file. `line` counts from 1, `col` from 0, in characters."""

    module: str
    path: str
    line: int
    col: int


@record
class AliasDoc:
    """The documentation of the nearest documented alias (or NewType) along a chain."""

    text: str
    name: str
    at: At


@record
class Unread:
    """Metadata that could not be read: its text, why, and where."""

    at: At
    text: str
    reason: str


@record
class Conflict:
    """One fact given twice with different values; the last one counts."""

    at: At
    fact: str
    first: object
    last: object


@record
class Metadata:
    """What is said of one type node.

    `description` is the use's own (`""` clears, None says nothing); one that stands
    inside an alias is that alias's documentation, in `alias`. `name` is the property on
    the wire. `provider` is a type provider as `module:qualname`. `default` comes from
    pydantic's `Field(default=…)`. `type` is what a call such as `conint(gt=0)` stands for,
    where mypy knows of no type. `from_text` says that pydantic makes the value of a text
    itself (`Json[T]`), where it builds the class. `choices` are the values that a piece of
    JSON Schema lists (`json_schema_extra={"enum": […]}`). `unread` and `conflicts` are those of
    this node alone; `every_unread()` and `every_conflict()` walk the tree.
    """

    description: str | None = None
    described_at: At | None = None
    constraints: tuple[Constraint, ...] = ()
    name: str | None = None
    wire: str | None = None
    inject: Literal["value", "context"] | None = None
    provider: str | None = None
    discriminator: str | None = None
    default: Known | Computed | None = None
    type: ir.Type | None = None
    from_text: Literal[True] | None = None
    choices: tuple[object, ...] | None = None
    alias: AliasDoc | None = None
    children: Mapping[Slot, Metadata] = field(default_factory=lambda: MappingProxyType({}))
    unread: tuple[Unread, ...] = ()
    conflicts: tuple[Conflict, ...] = ()

    def every_unread(self) -> tuple[Unread, ...]:
        inner = (found for child in self.children.values() for found in child.every_unread())
        return (*self.unread, *inner)

    def every_conflict(self) -> tuple[Conflict, ...]:
        inner = (found for child in self.children.values() for found in child.every_conflict())
        return (*self.conflicts, *inner)


NOTHING = Metadata()
