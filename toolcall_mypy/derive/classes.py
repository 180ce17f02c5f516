"""Classes as entries of the table: which kind a class is, its fields, where they stand.

Asked in this order: a NewType is its base, then the type providers, Enums, pydantic,
msgspec, attrs, dataclasses. What is none of these has no known fields: a Protocol, an
ordinary class, one that cannot be constructed.

What only the source of a class says (msgspec's `rename` and tags, pydantic's
configuration, keyword arguments of `Field`) is not known here; the entry's origins say
where to look.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeAlias

from mypy.maptype import map_instance_to_supertype
from mypy.types import Instance

from toolcall_mypy.derive import choices, fields
from toolcall_mypy.derive.names import class_name, origin, short_name
from toolcall_mypy.derive.table import Entry, FieldOrigin, Origin

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from mypy.nodes import TypeInfo
    from mypy.types import TupleType, Type, TypedDictType

    from toolcall import ir
    from toolcall_mypy.derive.fields import Fact
    from toolcall_mypy.derive.types import Deriver

PYDANTIC_MODEL: Final = "pydantic.main.BaseModel"
PYDANTIC_ROOT: Final = "pydantic.root_model.RootModel"
PYDANTIC_TEXT: Final = (
    "pydantic.networks._BaseUrl",
    "pydantic.networks._BaseMultiHostUrl",
    "pydantic.types.SecretStr",
)
"""Bases of classes that are built from one text."""
PYDANTIC_BYTES: Final = "pydantic.types.SecretBytes"
PYDANTIC_INTEGER: Final = "pydantic.types.ByteSize"
PYDANTIC_SECRET: Final = "pydantic.types.Secret"
"""A generic one: built from a value of its type argument."""
MSGSPEC_STRUCT: Final = "msgspec.Struct"

FRAMEWORK_BASES: Final = frozenset({PYDANTIC_MODEL, PYDANTIC_ROOT, MSGSPEC_STRUCT})
SILENT: Final = frozenset({"abc", "builtins", "enum", "typing", "typing_extensions"})
"""Modules whose classes declare no fields."""

BUILTIN_BASES: Final = frozenset(
    {
        "builtins.bytearray",
        "builtins.bytes",
        "builtins.dict",
        "builtins.float",
        "builtins.int",
        "builtins.list",
        "builtins.str",
        "collections.deque",
        "datetime.date",
        "datetime.time",
        "datetime.timedelta",
        "decimal.Decimal",
        "ipaddress._IPAddressBase",
        "pathlib.PurePath",
        "pydantic_core._pydantic_core.MultiHostUrl",
        "pydantic_core._pydantic_core.Url",
        "typing.AbstractSet",
        "typing.Mapping",
        "typing.Sequence",
        "uuid.UUID",
        "zoneinfo.ZoneInfo",
    }
)
"""A result of a class with one of these becomes JSON as that base does."""

OWN_RESULTS: Final = "toolcall._values."
"""Our own result types say by themselves what the model gets."""


def instance(deriver: Deriver, t: Instance) -> ir.Type:
    """A class that is not a built-in type."""
    if t.type.is_newtype:
        return deriver.walk(t.type.bases[0])
    if t.type.is_intersection:
        # mypy's own, of an `isinstance` check: there is no such class.
        return _unknown(deriver, t)
    if served := _provided(deriver, t.type, t.args):
        return served
    if t.type.is_enum:
        return _enum(deriver, t.type)
    if t.type.has_base(PYDANTIC_ROOT):
        return _root(deriver, t)
    if inner := _built_from(deriver, t):
        return {"kind": "root", "cls": class_name(t.type, deriver.lookup), "inner": inner}
    style = _style(t.type)
    if style is None or t.type.is_abstract:
        return _unknown(deriver, t)
    facts = fields.model_facts(t) if style == "pydantic" else fields.init_facts(t)
    if facts is None:
        return _unknown(deriver, t)
    return _object(deriver, t.type, t.args, style, facts)


def namedtuple(deriver: Deriver, t: TupleType) -> ir.Type:
    """A NamedTuple, or an Enum of tuples; other subclasses of tuple have items but no names."""
    info = t.partial_fallback.type
    args = t.partial_fallback.args if info.type_vars else ()
    if served := _provided(deriver, info, args):
        return served
    if info.is_enum:
        return _enum(deriver, info)
    base = next((each for each in info.mro if "namedtuple" in each.metadata), None)
    if base is None:
        return deriver.unsupported(t.partial_fallback, "has no fields known to mypy")
    return _object(deriver, info, args, "namedtuple", fields.tuple_facts(t, base))


def typeddict(deriver: Deriver, t: TypedDictType) -> ir.Type:
    """A TypedDict."""
    info = t.fallback.type
    if info.typeddict_type is None:
        return deriver.unsupported(t, "is no named class")
    if served := _provided(deriver, info, t.fallback.args):
        return served
    return _object(
        deriver, info, t.fallback.args, "typeddict", fields.item_facts(t, deriver.lookup)
    )


def _style(info: TypeInfo) -> ir.ObjectStyle | None:
    """The kind of a class; its framework's own base class is not one of them."""
    if info.fullname in FRAMEWORK_BASES:
        return None
    if info.has_base(PYDANTIC_MODEL):
        return "pydantic"
    if info.has_base(MSGSPEC_STRUCT):
        return "msgspec"
    for base in info.mro:
        if "attrs" in base.metadata:
            return "attrs"
        if "dataclass" in base.metadata:
            return "dataclass"
    return None


def _provided(deriver: Deriver, info: TypeInfo, args: Sequence[Type]) -> ir.Type | None:
    with deriver.attempt() as losses:
        derived = [deriver.walk(arg) for arg in args]
        served = deriver.lookup.provider(info.fullname, derived)
    if served is not None:
        deriver.losses.extend(losses)
    return served


def _unknown(deriver: Deriver, t: Instance) -> ir.Type:
    why = "is a class without fields known to mypy"
    if t.type.is_abstract and _style(t.type):
        why = "is abstract and cannot be constructed"
    return deriver.unsupported(t, why, comes_out=_is_encodable(t.type))


def _is_encodable(info: TypeInfo) -> bool:
    """Whether a value of the class, or of a class below it, becomes JSON by what it is.

    Or may do so: where mypy could not import a base, and where any class may stand behind
    a Protocol.
    """
    if info.fallback_to_any or info.fullname in FRAMEWORK_BASES:
        return True
    if info.is_protocol and not info.has_readable_member("__call__"):
        return True
    if info.fullname.startswith(OWN_RESULTS):
        return True
    return _style(info) is not None or any(base.fullname in BUILTIN_BASES for base in info.mro)


def _enum(deriver: Deriver, info: TypeInfo) -> ir.Type:
    node = choices.enum(deriver, info)
    if node["kind"] not in {"enum", "flag"} or "type" in node:
        return node
    return _named(deriver, info, (), lambda: (node, (), False))


def _root(deriver: Deriver, t: Instance) -> ir.Type:
    def inner() -> Made:
        base = next(each for each in t.type.mro if each.fullname == PYDANTIC_ROOT)
        own = next((fact.type for fact in fields.model_facts(t) if fact.name == "root"), None)
        type_ = own or map_instance_to_supertype(t, base).args[0]
        cls = class_name(t.type, deriver.lookup)
        return {"kind": "root", "cls": cls, "inner": deriver.at("root", type_)}, (), False

    return _named(deriver, t.type, t.args, inner)


def _built_from(deriver: Deriver, t: Instance) -> ir.Type | None:
    """What one of pydantic's own classes is built from; None for any other class."""
    if not any(base.module_name.startswith("pydantic.") for base in t.type.mro):
        return None
    if any(map(t.type.has_base, PYDANTIC_TEXT)):
        return {"kind": "string"}
    if t.type.has_base(PYDANTIC_BYTES):
        return {"kind": "stdlib", "type": "bytes"}
    if t.type.has_base(PYDANTIC_INTEGER):
        return {"kind": "integer"}
    if t.type.fullname == PYDANTIC_SECRET:
        return deriver.at("secret", t.args[0])
    return None


def _object(
    deriver: Deriver,
    info: TypeInfo,
    args: Sequence[Type],
    style: ir.ObjectStyle,
    facts: Sequence[Fact],
) -> ir.Type:
    def made() -> Made:
        own: ir.Object = {
            "kind": "object",
            "style": style,
            "cls": class_name(info, deriver.lookup),
            "fields": [_field(deriver, fact) for fact in facts],
        }
        origins = tuple(_field_origin(deriver, fact) for fact in facts)
        return own, origins, style in {"attrs", "dataclass"} and _one_way(info, facts)

    return _named(deriver, info, args, made)


def _field(deriver: Deriver, fact: Fact) -> ir.Field:
    return {
        "name": fact.name,
        "wire": fact.wire,
        "type": _field_type(deriver, fact),
        "required": fact.required,
    }


def _field_type(deriver: Deriver, fact: Fact) -> ir.Type:
    """The argument's type; the attribute's own where a converter takes just anything."""
    if fact.stored is None:
        return deriver.at(fact.name, fact.type)
    with deriver.attempt() as losses:
        given = deriver.at(fact.name, fact.type)
    if given["kind"] == "any":
        return deriver.at(fact.name, fact.stored)
    deriver.losses.extend(losses)
    return given


def _field_origin(deriver: Deriver, fact: Fact) -> FieldOrigin:
    place = origin(fact.owner, deriver.lookup)
    return FieldOrigin(fact.name, fact.attribute, place, fact.line, fact.declared)


def _one_way(info: TypeInfo, facts: Sequence[Fact]) -> bool:
    unlike = [each for each in fields.attributes(info) if not each.in_init or each.init_only]
    return bool(unlike) or not all(fact.declared for fact in facts)


Made: TypeAlias = "tuple[ir.Type, tuple[FieldOrigin, ...], bool]"


def _named(
    deriver: Deriver, info: TypeInfo, args: Sequence[Type], make: Callable[[], Made]
) -> ir.Type:
    key = f"class {info.fullname}{[str(arg) for arg in args]}"
    name = deriver.table.find(key)
    if name is not None:
        return {"kind": "ref", "name": name}
    if deriver.too_often(info.fullname):
        return deriver.endless(Instance(info, list(args)))
    place = origin(info, deriver.lookup)
    name = deriver.table.reserve(key, short_name(place.qualname, args), place.module)
    with deriver.entry(info.fullname) as losses:
        type_, origins, one_way = make()
        entry = Entry(
            name=name,
            type=type_,
            cls=f"{place.module}:{place.qualname}",
            origin=place,
            mro=_declaring(deriver, info),
            fields=origins,
            losses=tuple(losses),
            one_way=one_way,
        )
        deriver.table.fill(entry)
    return {"kind": "ref", "name": name}


def _declaring(deriver: Deriver, info: TypeInfo) -> tuple[Origin, ...]:
    """The classes whose bodies may declare fields."""
    return tuple(
        origin(base, deriver.lookup)
        for base in info.mro
        if base.module_name not in SILENT and base.fullname not in FRAMEWORK_BASES
    )
