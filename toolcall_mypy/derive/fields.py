"""The fields of a class, as its kind keeps them in mypy.

dataclasses, attrs and msgspec: the parameters of `__init__`, which mypy's plugins have
generated with every inherited field, default and converter in it; a hand-written
`__init__` serves as well. pydantic: the fields by name, since its models are built from
data and not by a call. NamedTuple and TypedDict: their items.

The metadata that the plugins leave on the class (also in mypy's cache) tells which
attribute stands behind which parameter.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from mypy.expandtype import expand_type, expand_type_by_instance
from mypy.maptype import map_instance_to_supertype
from mypy.nodes import FuncDef, Var
from mypy.types import CallableType, get_proper_type

from toolcall_mypy.records import record

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mypy.nodes import ArgKind, TypeInfo
    from mypy.types import Instance, TupleType, Type, TypedDictType

    from toolcall_mypy.derive.table import Lookup

PYDANTIC: Final = "pydantic-mypy-metadata"
"""Where pydantic's own mypy plugin keeps a model's fields."""
PYDANTIC_CONFIG: Final = "__pydantic_config__"
"""Stands in the body of a TypedDict; mypy takes it for a key."""


@record
class Attribute:
    """One attribute as the metadata has it; `parameter` is what `__init__` calls it."""

    name: str
    parameter: str
    owner: TypeInfo
    line: int
    required: bool = True
    in_init: bool = True
    init_only: bool = False
    converted: bool = False


@record
class Fact:
    """One field: the keyword that its class takes, the property on the wire, its type.

    `stored` is the attribute's own type where a converter makes it of the argument.
    """

    name: str
    wire: str
    type: Type
    required: bool
    attribute: str
    owner: TypeInfo
    line: int = 0
    declared: bool = True
    stored: Type | None = None


def attributes(info: TypeInfo) -> list[Attribute]:
    """The attributes of a dataclass, attrs or pydantic class, inherited ones included."""
    found: dict[str, Attribute] = {}
    for base in reversed(info.mro):
        listed = {raw["name"]: raw for raw in _raw(base)}
        for name, raw in listed.items():
            line = int(raw.get("line", raw.get("context_line", 0)))
            known = found.get(name)
            inherited = known is not None and known.line == line
            found[name] = _attribute(raw, known.owner if known and inherited else base, line)
        found = {name: each for name, each in found.items() if name in listed or not listed}
    return list(found.values())


def init_facts(t: Instance) -> list[Fact] | None:
    """The parameters of `__init__` that can be given by keyword; None where it has none."""
    symbol = t.type.get("__init__")
    init = get_proper_type(symbol.type) if symbol is not None else None
    owner = next(base for base in t.type.mro if "__init__" in base.names)
    if not isinstance(init, CallableType) or init.implicit:
        return None
    if owner.fullname == "builtins.object":
        return []
    known = {each.parameter: each for each in attributes(t.type)}
    facts = [
        _init_fact(t, name, _seen_from(t, owner, type_), kind, known.get(name or ""))
        for name, type_, kind in _arguments(init)
        if not kind.is_star()
    ]
    return None if any(fact is None for fact in facts) else [fact for fact in facts if fact]


def model_facts(t: Instance) -> list[Fact]:
    """The fields of a pydantic model."""
    facts = []
    for each in attributes(t.type):
        type_ = _declared(t, each)
        if each.name.startswith("_") or type_ is None:
            continue
        facts.append(
            Fact(
                each.name,
                each.parameter,
                type_,
                each.required,
                each.name,
                each.owner,
                each.line,
            )
        )
    return facts


def tuple_facts(t: TupleType, base: TypeInfo) -> list[Fact]:
    """The items of a NamedTuple."""
    names = base.metadata["namedtuple"]["fields"]
    new = base.names["__new__"].node
    kinds = new.arg_kinds[1:] if isinstance(new, FuncDef) else []
    optional = {name for name, kind in zip(names, kinds, strict=False) if kind.is_optional()}
    return [
        Fact(name, name, item, name not in optional, name, base, _line(base, name))
        for name, item in zip(names, t.items, strict=True)
    ]


def item_facts(t: TypedDictType, lookup: Lookup) -> list[Fact]:
    """The keys of a TypedDict."""
    info = t.fallback.type
    return [
        Fact(name, name, t.items[name], name in t.required_keys, name, info)
        for name in ordered_keys(t, lookup)
    ]


def ordered_keys(t: TypedDictType, lookup: Lookup) -> list[str]:
    """The keys in the order of the file, which mypy's cache does not keep."""
    info = t.fallback.type
    written = [] if info.defn.defs.body else list(lookup.keys(info.fullname) or ())
    keys = [key for key in t.items if key != PYDANTIC_CONFIG]
    return [*(key for key in written if key in keys), *(key for key in keys if key not in written)]


def _raw(info: TypeInfo) -> list[dict[str, Any]]:
    if PYDANTIC in info.metadata:
        # mypy's cache sorts this one by name; lines count within the class's own file, and
        # what is inherited has its place already.
        return sorted(info.metadata[PYDANTIC]["fields"].values(), key=lambda raw: int(raw["line"]))
    for key in ("attrs", "dataclass"):
        if key in info.metadata:
            return list(info.metadata[key]["attributes"])
    return []


def _attribute(raw: dict[str, Any], owner: TypeInfo, line: int) -> Attribute:
    attrs = "has_converter" in raw
    plain = raw["name"].lstrip("_") if attrs else raw["name"]
    return Attribute(
        name=raw["name"],
        parameter=raw.get("alias") or plain,
        owner=owner,
        line=line,
        required=not raw["has_default"],
        in_init=bool(raw.get("is_in_init", raw.get("init", True))),
        init_only=bool(raw.get("is_init_var")),
        converted=bool(raw.get("has_converter")),
    )


def _arguments(init: CallableType) -> Iterator[tuple[str | None, Type, ArgKind]]:
    """All but self; `**kw: Unpack[...]` by its keys."""
    plain = init.with_unpacked_kwargs()
    yield from zip(plain.arg_names[1:], plain.arg_types[1:], plain.arg_kinds[1:], strict=True)


def _init_fact(
    t: Instance, name: str | None, type_: Type, kind: ArgKind, known: Attribute | None
) -> Fact | None:
    """None for a positional-only parameter, which data by name cannot reach."""
    if name is None:
        return None
    required = not kind.is_optional()
    if known is None:
        return Fact(name, name, type_, required, name, t.type, declared=False)
    stored = _declared(t, known) if known.converted else None
    return Fact(name, name, type_, required, known.name, known.owner, known.line, stored=stored)


def _declared(t: Instance, each: Attribute) -> Type | None:
    """The annotation of an attribute, with the class's type arguments in it."""
    symbol = each.owner.names.get(each.name)
    if symbol is None or not isinstance(symbol.node, Var) or symbol.node.type is None:
        return None
    return _seen_from(t, each.owner, symbol.node.type)


def _seen_from(t: Instance, owner: TypeInfo, type_: Type) -> Type:
    if owner.self_type is not None:
        type_ = expand_type(type_, {owner.self_type.id: t})
    return expand_type_by_instance(type_, map_instance_to_supertype(t, owner))


def _line(info: TypeInfo, name: str) -> int:
    symbol = info.names.get(name)
    return max(0, symbol.node.line) if symbol is not None and symbol.node is not None else 0
