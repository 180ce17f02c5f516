"""Instances of built-in and standard-library classes: scalars, text formats, containers.

Tables by full name. mypy has already resolved every spelling (`typing.List`,
`collections.abc.Sequence`) to one. A class that is in no table is asked of the type
providers, and then of `classes`; so a provider cannot replace a built-in.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from mypy.types import AnyType, Instance, TypeOfAny, UnpackType, get_proper_type

from toolcall_mypy.derive import classes
from toolcall_mypy.derive.names import show

if TYPE_CHECKING:
    from mypy.types import TupleType, Type

    from toolcall import ir
    from toolcall_mypy.derive.types import Deriver

ArrayClass: TypeAlias = Literal["list", "tuple", "set", "frozenset", "deque"]
MappingClass: TypeAlias = Literal["dict", "defaultdict", "OrderedDict", "Counter", "ChainMap"]

STDLIB: Final[dict[str, ir.StdlibName]] = {
    "builtins.bytes": "bytes",
    "datetime.date": "date",
    "datetime.datetime": "datetime",
    "datetime.time": "time",
    "datetime.timedelta": "duration",
    "decimal.Decimal": "decimal",
    "_decimal.Decimal": "decimal",
    "uuid.UUID": "uuid",
    "zoneinfo.ZoneInfo": "timezone",
    "zoneinfo._zoneinfo.ZoneInfo": "timezone",
}

FAMILIES: Final[dict[str, tuple[ir.StdlibName, ir.ClassName]]] = {
    **{
        f"ipaddress.{name}": ("ip", f"ipaddress:{name}")
        for version in ("IPv4", "IPv6")
        for name in (f"{version}Address", f"{version}Network", f"{version}Interface")
    },
    **{
        f"pathlib.{name}": ("path", f"pathlib:{name}")
        for name in (
            "Path",
            "PosixPath",
            "PurePath",
            "PurePosixPath",
            "PureWindowsPath",
            "WindowsPath",
        )
    },
}

OF_TEXT: Final[dict[str, ir.StdlibName]] = {"re.Pattern": "pattern", "os.PathLike": "path"}
"""Generic in str or bytes; only the former travels."""

ARRAYS: Final[dict[str, ArrayClass]] = {
    "builtins.list": "list",
    "typing.Sequence": "list",
    "typing.Iterable": "list",
    "typing.Collection": "list",
    "typing.MutableSequence": "list",
    "typing.Reversible": "list",
    "typing.Container": "list",
    "builtins.tuple": "tuple",
    "builtins.set": "set",
    "typing.AbstractSet": "set",
    "typing.MutableSet": "set",
    "builtins.frozenset": "frozenset",
    "collections.deque": "deque",
}

MAPPINGS: Final[dict[str, MappingClass]] = {
    "builtins.dict": "dict",
    "typing.Mapping": "dict",
    "typing.MutableMapping": "dict",
    "collections.defaultdict": "defaultdict",
    "collections.OrderedDict": "OrderedDict",
    "collections.Counter": "Counter",
    "collections.ChainMap": "ChainMap",
}

KEYS: Final = frozenset({"date", "datetime", "decimal", "duration", "ip", "path", "time", "uuid"})
"""Standard-library types that a key's text can be restored to."""


def instance(deriver: Deriver, t: Instance) -> ir.Type:
    """A class with its type arguments."""
    name = t.type.fullname
    match name:
        case "builtins.str":
            return {"kind": "string"}
        case "builtins.int" | "typing.SupportsIndex":
            return {"kind": "integer"}
        case "builtins.float" | "typing.SupportsFloat":
            return {"kind": "number"}
        case "builtins.bool":
            return {"kind": "boolean"}
        case "builtins.object" | "typing.Hashable":
            return deriver.untyped(t)
        case _:
            pass
    if array := ARRAYS.get(name):
        return _array(deriver, t, array)
    if mapping := MAPPINGS.get(name):
        return _mapping(deriver, t, mapping)
    return _stdlib(deriver, t) or classes.instance(deriver, t)


def fixed_tuple(deriver: Deriver, t: TupleType) -> ir.Type:
    """`tuple[A, B]`, also with `*tuple[C, ...]` at its end."""
    items = list(t.items)
    rest = _variadic(items.pop()) if items and isinstance(items[-1], UnpackType) else None
    if any(isinstance(item, UnpackType) for item in items) or (
        rest is None and len(items) < len(t.items)
    ):
        return deriver.unsupported(t, "cannot be told by position")
    prefix = [deriver.at(str(place), item) for place, item in enumerate(items)]
    if rest is None:
        return {"kind": "tuple", "prefix": prefix}
    return {"kind": "tuple", "prefix": prefix, "rest": deriver.at("rest", rest)}


def _variadic(t: Type) -> Type | None:
    inner = get_proper_type(t.type) if isinstance(t, UnpackType) else None
    if isinstance(inner, Instance) and inner.type.fullname == "builtins.tuple":
        return inner.args[0]
    return None


def _stdlib(deriver: Deriver, t: Instance) -> ir.Type | None:
    name = t.type.fullname
    if plain := STDLIB.get(name):
        return {"kind": "stdlib", "type": plain}
    if name in FAMILIES:
        kind, cls = FAMILIES[name]
        return {"kind": "stdlib", "type": kind, "cls": cls}
    if name in OF_TEXT:
        return _of_text(deriver, t, OF_TEXT[name])
    return None


def _of_text(deriver: Deriver, t: Instance, kind: ir.StdlibName) -> ir.Type:
    of = get_proper_type(t.args[0]) if t.args else None
    if isinstance(of, Instance) and of.type.fullname != "builtins.str":
        return deriver.unsupported(t)
    return {"kind": "stdlib", "type": kind}


def _array(deriver: Deriver, t: Instance, cls: ArrayClass) -> ir.Type:
    items = _element(deriver, t, "items", t.args[0])
    if cls in {"set", "frozenset"} and not hashable(deriver, items):
        return deriver.unsupported(t, "can hold no such elements, they are not hashable")
    return {"kind": "array", "items": items, "cls": cls}


def _mapping(deriver: Deriver, t: Instance, cls: MappingClass) -> ir.Type:
    key = _key(deriver, t)
    if key is None:
        return {"kind": "any"}
    value: ir.Type = {"kind": "integer"}
    if cls != "Counter":
        value = _element(deriver, t, "value", t.args[1])
    return {"kind": "mapping", "key": key, "value": value, "cls": cls}


def _element(deriver: Deriver, whole: Instance, step: str, t: Type) -> ir.Type:
    if not _open(t):
        return deriver.at(step, t)
    shown = show(whole)
    said = f'"{shown}" does not say what it holds.'
    deriver.lose("untyped-container", said, shown, t)
    return {"kind": "any"}


def _open(t: Type) -> bool:
    """Whether this is Any or object by the author's own word."""
    match get_proper_type(t):
        case AnyType() as proper:
            first = proper.source_any or proper
            return first.type_of_any != TypeOfAny.from_unimported_type
        case Instance() as proper:
            return proper.type.fullname == "builtins.object"
        case _:
            return False


def _key(deriver: Deriver, t: Instance) -> ir.Type | None:
    """The key's type, or None where its text cannot be restored."""
    if _open(t.args[0]):
        return {"kind": "string"}  # as every key of JSON is
    key = deriver.at("key", t.args[0])
    if key["kind"] == "any":
        return {"kind": "string"}
    if key["kind"] == "nullable":
        key = key["inner"]  # no key of JSON is null
    if _restorable(deriver, key):
        return key
    deriver.unsupported(t, "has keys that JSON cannot carry")
    return None


def _restorable(deriver: Deriver, key: ir.Type) -> bool:
    key = deriver.resolve(key)
    if key["kind"] == "stdlib":
        return key["type"] in KEYS
    if key["kind"] == "union":
        return all(_restorable(deriver, branch) for branch in key["branches"])
    return key["kind"] in {"string", "integer", "number", "boolean", "literal", "enum"}


def hashable(deriver: Deriver, t: ir.Type) -> bool:
    """Whether the decoded value can be in a set, as far as the IR tells."""
    t = deriver.resolve(t)
    if t["kind"] == "array":
        return t["cls"] in {"tuple", "frozenset"} and hashable(deriver, t["items"])
    if t["kind"] == "object":
        return t["style"] != "typeddict"
    if t["kind"] == "tuple":
        return all(hashable(deriver, each) for each in t["prefix"])
    if t["kind"] == "nullable":
        return hashable(deriver, t["inner"])
    if t["kind"] == "union":
        return all(hashable(deriver, each) for each in t["branches"])
    return t["kind"] != "mapping"
