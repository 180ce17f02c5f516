"""What keys the nodes of the IR have, and what values these take.

The tables of `toolcall._verify`, which says how they are applied. For each kind of node
a table from key to check: a type, where being exactly of it is enough (`object` takes
anything); the words that may stand there; or a function that answers. Keys that hold
types are `dict` or `list` here and are walked there.

They repeat what `toolcall.ir` declares, because that module is for checkers and loads
`typing`; a test compares the two.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, TypeAlias, Union

    Check: TypeAlias = Union[type, frozenset[str], Callable[[Any], bool]]

VERSION = 1
"""The version this describes: `toolcall.ir.VERSION`."""


def _true(value: Any) -> bool:
    return value is True


def _count(value: Any) -> bool:
    return type(value) is int and value >= 0


def is_number(value: Any) -> bool:
    """A finite number that is no bool."""
    return type(value) is int or (type(value) is float and value - value == 0)


def is_scalar(value: Any) -> bool:
    """JSON that is neither a list nor an object."""
    return value is None or type(value) in (str, bool) or is_number(value)


def _step(value: Any) -> bool:
    return is_number(value) and value > 0


def _choice(value: Any) -> bool:
    return value is not None and is_scalar(value)


def _member(value: Any) -> bool:
    return type(value) is str or is_number(value)


def _bits(value: Any) -> bool:
    return type(value) is int


def _filled(value: Any) -> bool:
    return type(value) is list and value != []


def _texts(value: Any) -> bool:
    return type(value) is list and all(type(item) is str for item in value)


def _class_name(value: Any) -> bool:
    """`module:qualname`, in the characters that a qualname can have."""
    if type(value) is not str:
        return False
    module, _, qualname = value.partition(":")
    return bool(module) and all(
        part.isidentifier() or part == "<locals>" for part in qualname.split(".")
    )


def _source_path(value: Any) -> bool:
    """A path to Python source, seen from the folder of the sidecar's own module."""
    if type(value) is not str or value.startswith("/") or ":" in value or "\\" in value:
        return False
    return value.endswith((".py", ".pyi"))


def _one_of(*words: str) -> Check:
    return frozenset(words)


_PARAMETER_KIND = _one_of(
    "positional_only", "positional_or_keyword", "keyword_only", "var_positional", "var_keyword"
)
_STYLE = _one_of("typeddict", "dataclass", "namedtuple", "attrs", "msgspec", "pydantic")
STDLIB = (
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
)
"""The standard library's types that have a form on the wire of their own."""

ANY_KEYWORD = ("typeddict", "pydantic")
"""Object styles whose field names need not be identifiers: keys, and pydantic's aliases."""


class Rule:
    """What a node is called, the checks of all its keys, and the keys it must have.

    `types` are the keys that hold a type, `type_lists` those that hold several. `shapes`
    is for the verifier: what it has learnt about nodes with the same keys and types.
    """

    __slots__ = ("checks", "required", "shapes", "type_lists", "types", "what")

    def __init__(
        self,
        what: str,
        required: Mapping[str, Check],
        optional: Mapping[str, Check] = {},
        types: tuple[str, ...] = (),
        type_lists: tuple[str, ...] = (),
    ) -> None:
        self.what = what
        self.checks = {**required, **optional}
        self.required = frozenset(required)
        self.types = types
        self.type_lists = type_lists
        self.shapes: dict[tuple[object, ...], list[tuple[str, Callable[[Any], bool]]]] = {}


def _kind(
    what: str,
    required: Mapping[str, Check] = {},
    optional: Mapping[str, Check] = {},
    types: tuple[str, ...] = (),
    type_lists: tuple[str, ...] = (),
) -> Rule:
    """The rule of a kind of type."""
    return Rule(what, {"kind": str, **required}, {"doc": str, **optional}, types, type_lists)


_BOUNDS: dict[str, Check] = {
    "ge": is_number,
    "gt": is_number,
    "le": is_number,
    "lt": is_number,
    "multiple_of": _step,
}
_LENGTHS = {"min_length": _count, "max_length": _count}
_ITEMS = {"min_items": _count, "max_items": _count}
_PROPERTIES = {"min_properties": _count, "max_properties": _count}
CONSTRAINTS = (*_BOUNDS, *_LENGTHS, "pattern", *_ITEMS, *_PROPERTIES)
"""Every key that narrows a type, in the order in which people are shown them."""

ARRAYS = frozenset(("list", "tuple", "set", "frozenset", "deque"))
_MAPPINGS = _one_of("dict", "defaultdict", "OrderedDict", "Counter", "ChainMap")
_ENUM: dict[str, Check] = {"cls": _class_name, "members": list}

KINDS = {
    "string": _kind("a string", {}, {**_LENGTHS, "pattern": str}),
    "integer": _kind("an integer", {}, {**_BOUNDS, "wire": _one_of("string_integer")}),
    "number": _kind("a number", {}, _BOUNDS),
    "boolean": _kind("a boolean"),
    "null": _kind("a null"),
    "any": _kind("an any"),
    "stdlib": _kind(
        "a stdlib", {"type": _one_of(*STDLIB)}, {"cls": _class_name, **_BOUNDS, **_LENGTHS}
    ),
    "literal": _kind("a literal", {"values": _filled}),
    "enum": _kind("an enum", _ENUM, {"type": _one_of("string", "integer")}),
    "flag": _kind("a flag", _ENUM),
    "array": _kind("an array", {"items": dict, "cls": ARRAYS}, _ITEMS, ("items",)),
    "tuple": _kind("a tuple", {"prefix": list}, {"rest": dict}, ("rest",), ("prefix",)),
    "mapping": _kind(
        "a mapping", {"key": dict, "value": dict, "cls": _MAPPINGS}, _PROPERTIES, ("key", "value")
    ),
    "object": _kind(
        "an object",
        {"style": _STYLE, "cls": _class_name, "fields": list},
        {"extra": dict},
        ("extra",),
    ),
    "root": _kind("a root", {"cls": _class_name, "inner": dict}, {}, ("inner",)),
    "nullable": _kind("a nullable", {"inner": dict}, {}, ("inner",)),
    "union": _kind("a union", {"branches": _filled}, {"discriminator": str}, (), ("branches",)),
    "custom": _kind(
        "a custom", {"cls": _class_name, "provider": _class_name, "wire": dict}, {}, ("wire",)
    ),
    "ref": _kind("a ref", {"name": str}),
}

SIMPLE = frozenset(("string", "integer", "number", "boolean", "null", "any"))
"""Kinds that need no more than their name."""

LEAVES = SIMPLE | {"stdlib"}
"""Kinds that have nothing inside."""

_MEMBER = Rule("an enum member", {"name": str, "value": _member})
_FLAG = Rule("a flag's member", {"name": str, "value": _bits})
_VALUE = Rule("a literal value", {"value": _choice}, {"enum": _class_name, "member": str})

CHOICES = {
    "literal": ("values", _VALUE),
    "enum": ("members", _MEMBER),
    "flag": ("members", _FLAG),
}
"""Kinds that are a choice: the key of the choices, and the rule of one."""

_GIVEN: dict[str, Check] = {"name": str, "wire": str, "type": dict, "required": bool}
_DESCRIBED: dict[str, Check] = {"default": object, "doc": str}

FIELD = Rule("a field", _GIVEN, {**_DESCRIBED, "tag": _true})
PARAMETER = Rule("a parameter", {**_GIVEN, "kind": _PARAMETER_KIND}, {**_DESCRIBED, "fill": _true})
HINTS = Rule(
    "hints", {}, dict.fromkeys(("read_only", "destructive", "idempotent", "open_world"), bool)
)
INJECTED = Rule(
    "an injected parameter",
    {
        "name": str,
        "how": _one_of("context", "value"),
        "kind": _PARAMETER_KIND,
        "position": _count,
        "required": bool,
    },
)
DECLARATION = Rule("a declaration", {"module": str, "names": _texts, "hash": str})
ORIGINS = frozenset(("docstring", "metadata", "alias", "class", "field", "decorator"))
TOOL = Rule(
    "a tool",
    {
        "key": str,
        "line": _count,
        "name": str,
        "parameters": list,
        "is_async": bool,
        "binding": _one_of("function", "instance", "class", "static"),
    },
    {
        "title": str,
        "doc": str,
        "injected": list,
        "returns": dict,
        "hints": dict,
        "declarations": list,
        "provenance": dict,
        "schema": dict,
    },
)

SOURCE = Rule("a source", {"module": str, "hash": str}, {"path": _source_path})
WRITTEN_FROM = Rule(
    "what a tool was written from", {"key": str}, {"declarations": list, "provenance": dict}
)
SIDECAR = Rule(
    "a sidecar",
    {"toolcall": int, "module": str, "sources": list, "tools": list, "types": dict},
    {"written_from": list},
)
DEFINITION = Rule("a definition", {"tool": dict, "types": dict}, {"options": dict})
