"""The tool IR: what the checker knows about a tool, as typed JSON.

One vocabulary for everything that is said about a tool between the checker, the
sidecar, the decoders and the vendors' formats. It is typed JSON: the nodes are
TypedDicts that form a union tagged by `kind`; inside them are only strings,
numbers, booleans, null, lists and dicts. The sidecar holds these nodes as they
are, so there is no codec between file and program, and a checker that narrows on
`kind` finds every consumer that forgot one.

It is richer than JSON Schema on purpose. Vendors want opposite encodings of the
same fact, and a decoder needs facts that no schema has: what to construct, what
absent means as opposed to null, how a parameter is passed.

1. Order is meaning: parameters, fields, branches and values are lists, never dicts.
2. An optional key that is missing says "nothing known"; it is never null.
3. `doc` may stand on any type node: a description of this very use of the type.
   A description of a parameter or field stands on the parameter or field.
4. A named type (a class, or an alias that recurs in itself) is a `ref` into one
   table; everything else is written where it is used.
5. Nothing here is imported by the runtime's hot path: readers use plain dicts, and
   only checkers and writers need the names. So this module may import `typing`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypedDict, Union

if TYPE_CHECKING:
    from typing import TypeAlias

    from typing_extensions import NotRequired

Json: TypeAlias = Union[bool, int, float, str, "list[Json]", "dict[str, Json]", None]

ClassName: TypeAlias = str
"""A class as `module:qualname`. A name, never something to import by itself."""

VERSION = 1
"""The version of this format; a reader refuses every other one."""


class Node(TypedDict, total=False):
    """What every type node may carry."""

    doc: str


# Scalars


class String(Node):
    """Text. `pattern` is searched for, as JSON Schema does."""

    kind: Literal["string"]
    min_length: NotRequired[int]
    max_length: NotRequired[int]
    pattern: NotRequired[str]


class Integer(Node):
    """A whole number; `wire` says that it travels as decimal text."""

    kind: Literal["integer"]
    ge: NotRequired[int | float]
    gt: NotRequired[int | float]
    le: NotRequired[int | float]
    lt: NotRequired[int | float]
    multiple_of: NotRequired[int | float]
    wire: NotRequired[Literal["string_integer"]]


class Number(Node):
    """A float."""

    kind: Literal["number"]
    ge: NotRequired[int | float]
    gt: NotRequired[int | float]
    le: NotRequired[int | float]
    lt: NotRequired[int | float]
    multiple_of: NotRequired[int | float]


class Boolean(Node):
    kind: Literal["boolean"]


class Null(Node):
    kind: Literal["null"]


class Anything(Node):
    """No fact is known or wanted: any JSON value, handed over as sent."""

    kind: Literal["any"]


StdlibName: TypeAlias = Literal[
    "bytes",
    "date",
    "datetime",
    "decimal",
    "duration",
    "ip",
    "path",
    "pattern",
    "time",
    "timezone",
    "uuid",
]


class Stdlib(Node):
    """A standard-library value that travels as text.

    `cls` names the class to build where there are several (`pathlib:PurePosixPath`,
    `ipaddress:IPv6Network`). Bounds serve `decimal`; lengths serve `bytes`.
    """

    kind: Literal["stdlib"]
    type: StdlibName
    cls: NotRequired[ClassName]
    ge: NotRequired[int | float]
    gt: NotRequired[int | float]
    le: NotRequired[int | float]
    lt: NotRequired[int | float]
    multiple_of: NotRequired[int | float]
    min_length: NotRequired[int]
    max_length: NotRequired[int]


# Choices


class LiteralValue(TypedDict):
    """One choice: its JSON value and, for an Enum member, which member it is."""

    value: bool | int | float | str | None
    enum: NotRequired[ClassName]
    member: NotRequired[str]


class LiteralChoice(Node):
    """`Literal[...]`. None never stands here: it is a `nullable`."""

    kind: Literal["literal"]
    values: list[LiteralValue]


class EnumMember(TypedDict):
    """A member's name and what stands for it on the wire."""

    name: str
    value: int | float | str


class EnumChoice(Node):
    """An Enum class; aliases are collapsed. The member is found by its name.

    One without members (`Enum` itself) has a `type`, which its schema says; no value is
    ever accepted.
    """

    kind: Literal["enum"]
    cls: ClassName
    members: list[EnumMember]
    type: NotRequired[Literal["string", "integer"]]


class FlagChoice(Node):
    """A Flag class: an integer, any combination of the known bits."""

    kind: Literal["flag"]
    cls: ClassName
    members: list[EnumMember]


# Containers


class Array(Node):
    """Any number of values of one type. `cls` is what the function gets."""

    kind: Literal["array"]
    items: Type
    cls: Literal["list", "tuple", "set", "frozenset", "deque"]
    min_items: NotRequired[int]
    max_items: NotRequired[int]


class Tuple(Node):
    """Values by position; `rest` is the type of any further ones."""

    kind: Literal["tuple"]
    prefix: list[Type]
    rest: NotRequired[Type]


class Mapping(Node):
    """Values by key. A key type other than `string` is restored from its text."""

    kind: Literal["mapping"]
    key: Type
    value: Type
    cls: Literal["dict", "defaultdict", "OrderedDict", "Counter", "ChainMap"]
    min_properties: NotRequired[int]
    max_properties: NotRequired[int]


# Objects

ObjectStyle: TypeAlias = Literal[
    "typeddict", "dataclass", "namedtuple", "attrs", "msgspec", "pydantic"
]


class Field(TypedDict):
    """One field of an object.

    `name` is the keyword its class takes (the key, for a TypedDict), `wire` the
    property on the wire. `default` is a literal default in its wire form.
    `tag` marks a field that only tells the branches of a union apart: it has a
    `literal` type of one value and is no argument of the class.
    """

    name: str
    wire: str
    type: Type
    required: bool
    default: NotRequired[Json]
    doc: NotRequired[str]
    tag: NotRequired[Literal[True]]


class Object(Node):
    """A class with known fields. Closed, unless `extra` types the unknown keys.

    `doc` is the documentation of the class itself.
    """

    kind: Literal["object"]
    style: ObjectStyle
    cls: ClassName
    fields: list[Field]
    extra: NotRequired[Type]


class Root(Node):
    """A class around one value: pydantic's RootModel, and its URLs and secrets."""

    kind: Literal["root"]
    cls: ClassName
    inner: Type


# Combinations


class Nullable(Node):
    """`inner` or null. `inner` is never itself nullable, null or any."""

    kind: Literal["nullable"]
    inner: Type


class AnyOf(Node):
    """Branches in source order, without duplicates, without null.

    `discriminator` is the wire name of a field that every branch has, with a `literal` or
    `enum` type whose values no other branch shares. Where it is not required and absent, it
    tells nothing.
    """

    kind: Literal["union"]
    branches: list[Type]
    discriminator: NotRequired[str]


class Custom(Node):
    """A class served by a TypeProvider: what travels, and who turns it into the value."""

    kind: Literal["custom"]
    cls: ClassName
    provider: ClassName
    wire: Type


class Ref(Node):
    """A named type, see rule 4."""

    kind: Literal["ref"]
    name: str


Type: TypeAlias = Union[
    String,
    Integer,
    Number,
    Boolean,
    Null,
    Anything,
    Stdlib,
    LiteralChoice,
    EnumChoice,
    FlagChoice,
    Array,
    Tuple,
    Mapping,
    Object,
    Root,
    Nullable,
    AnyOf,
    Custom,
    Ref,
]

# Tools

ParameterKind: TypeAlias = Literal[
    "positional_only", "positional_or_keyword", "keyword_only", "var_positional", "var_keyword"
]


class Parameter(TypedDict):
    """One parameter that the model may give.

    A `var_positional` has the `array` of its elements as its type and a
    `var_keyword` the type of one value. The keys of `**kw: Unpack[TD]` are
    `keyword_only` parameters. `wire` is the property on the wire.
    `fill` marks a parameter whose own default is none (`= Field(default=…)`), so that the
    caller passes the value that was meant: `default`, what the default object itself
    makes of a factory, else None.
    """

    name: str
    wire: str
    kind: ParameterKind
    type: Type
    required: bool
    default: NotRequired[Json]
    fill: NotRequired[Literal[True]]
    doc: NotRequired[str]


class Injected(TypedDict):
    """A parameter that the program gives: the whole context, or one value of it.

    Kept apart from `parameters`, so that no reader can show it to a model.
    `position` is its index in the signature (self and cls not counted).
    """

    name: str
    how: Literal["context", "value"]
    kind: ParameterKind
    position: int
    required: bool


class Hints(TypedDict, total=False):
    """What the author promises of the tool's effects (MCP's annotations)."""

    read_only: bool
    destructive: bool
    idempotent: bool
    open_world: bool


class Declaration(TypedDict):
    """The part of one module that a tool's schema was read from, and its fingerprint.

    `names` are module-level names or dotted qualnames; `hash` is over
    their declarations, layout aside, and what these reach in the same module.
    """

    module: str
    names: list[str]
    hash: str


Provenance: TypeAlias = "dict[str, str]"
"""Where descriptions came from, by JSON Pointer into the tool: `"/doc": "docstring 44"`.

The origin (docstring, metadata, alias, class, field or decorator) and the line, with the
module in front of it where that is not the sidecar's own: `alias app.types:12`. Plain
text, because only people read it and every program that loads the sidecar pays for it.
"""


class Tool(TypedDict):
    """One tool.

    `key` is how the sidecar's reader finds it: the function's `__qualname__`, or
    `module:qualname` for a function from elsewhere; partials and callable objects
    add `#` and the tool's name. `line` is the line of its `def`, exact while the
    file is unchanged. `schema` is a JSON Schema given by the user instead of
    `parameters` (tools built at run time). In a sidecar's file `declarations` and
    `provenance` stand apart, in a `WrittenFrom`.
    """

    key: str
    line: int
    name: str
    title: NotRequired[str]
    doc: NotRequired[str]
    parameters: list[Parameter]
    injected: NotRequired[list[Injected]]
    returns: NotRequired[Type]
    is_async: bool
    binding: Literal["function", "instance", "class", "static"]
    hints: NotRequired[Hints]
    declarations: NotRequired[list[Declaration]]
    provenance: NotRequired[Provenance]
    schema: NotRequired[dict[str, Json]]


class WrittenFrom(TypedDict):
    """What the entry of one tool was written from, by its key.

    A program reads it when its sources have changed, and only then.
    """

    key: str
    declarations: NotRequired[list[Declaration]]
    provenance: NotRequired[Provenance]


class Source(TypedDict):
    """A module that contributed to a sidecar.

    `path` is relative to the folder of the sidecar's own module, with `/`, and
    missing for what is not first-party; `hash` is over the file's bytes.
    """

    module: str
    path: NotRequired[str]
    hash: str


class Sidecar(TypedDict):
    """One file `__toolcall__/<stem>.json`: the tools of one module, in declaration order.

    `written_from` is last in the file, and has as many entries as `tools`, in the same order.
    """

    toolcall: int
    module: str
    sources: list[Source]
    tools: list[Tool]
    types: dict[str, Type]
    written_from: NotRequired[list[WrittenFrom]]


class Definition(TypedDict):
    """A tool by itself: with the named types it needs. Also a source of its own.

    `options` is what a vendor may read (`cache_control`), opaque to everybody else.
    """

    tool: Tool
    types: dict[str, Type]
    options: NotRequired[dict[str, Json]]
