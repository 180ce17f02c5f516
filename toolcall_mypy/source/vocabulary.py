"""What other libraries' metadata means, in our words: a table, one row a callable.

A row says which arguments state which fact. An argument that is in no list is a
constraint, or a change of the value, that we do not know, and is reported; `silent` are
those that say nothing about values. Names are full names as users import them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolcall_mypy.records import field, record, replace

if TYPE_CHECKING:
    from collections.abc import Mapping

    from toolcall import ir
    from toolcall_mypy.source.metadata import Constraint

NUMBERS = ("ge", "gt", "le", "lt", "multiple_of")
LENGTHS = ("min_length", "max_length", "min_items", "max_items", "min_properties", "max_properties")


@record
class Row:
    """What a callable's arguments say.

    `positional` are the argument names by position, `facts` argument → fact, `overruled`
    an argument that says nothing where another one is given. `type` is what a call stands
    for that stands where a type does; mypy sees no type there.
    """

    positional: tuple[str, ...] = ()
    facts: Mapping[str, str] = field(default_factory=dict)
    silent: frozenset[str] = frozenset()
    overruled: Mapping[str, str] = field(default_factory=dict)
    type: ir.Type | None = None


def _same(*names: str) -> dict[str, str]:
    return {name: name for name in names}


def _row(*positional: str, silent: str = "", **facts: str) -> Row:
    return Row(positional, facts, frozenset(silent.split()))


_FIELD = _row(
    "default",
    default="default",
    default_factory="default_factory",
    description="description",
    alias="name",
    validation_alias="name",
    discriminator="discriminator",
    regex="pattern",
    pattern="pattern",
    min_length="min_length",
    max_length="max_length",
    min_items="min_items",
    max_items="max_items",
    json_schema_extra="extra",
    **_same(*NUMBERS),
    silent="title examples example deprecated frozen repr init init_var kw_only"
    " exclude include strict serialization_alias alias_priority field_title_generator"
    " validate_default coerce_numbers_to_str union_mode exclude_if",
)

_META = _row(
    pattern="pattern",
    min_length="min_length",
    max_length="max_length",
    description="description",
    extra_json_schema="extra",
    **_same(*NUMBERS),
    silent="title examples extra",
)

_STRING = _row(
    min_length="min_length",
    max_length="max_length",
    pattern="pattern",
    regex="pattern",
    silent="strict",
)

_FIELD = replace(_FIELD, overruled={"alias": "validation_alias"})

METADATA: Mapping[str, Row] = {
    "annotated_doc.Doc": _row("documentation", documentation="description"),
    "typing.Doc": _row("documentation", documentation="description"),
    "typing_extensions.Doc": _row("documentation", documentation="description"),
    "annotated_types.doc": _row("documentation", documentation="description"),
    "annotated_types.DocInfo": _row("documentation", documentation="description"),
    "annotated_types.Gt": _row("gt", gt="gt"),
    "annotated_types.Ge": _row("ge", ge="ge"),
    "annotated_types.Lt": _row("lt", lt="lt"),
    "annotated_types.Le": _row("le", le="le"),
    "annotated_types.Interval": _row(gt="gt", ge="ge", lt="lt", le="le"),
    "annotated_types.MultipleOf": _row("multiple_of", multiple_of="multiple_of"),
    "annotated_types.MinLen": _row("min_length", min_length="min_length"),
    "annotated_types.MaxLen": _row("max_length", max_length="max_length"),
    "annotated_types.Len": _row(
        "min_length", "max_length", min_length="min_length", max_length="max_length"
    ),
    "annotated_types.Unit": _row("unit", silent="unit"),
    "pydantic.Field": _FIELD,
    "pydantic.FieldInfo": replace(_FIELD, silent=_FIELD.silent | {"annotation"}),
    "pydantic.StringConstraints": _STRING,
    "pydantic.Discriminator": _row(
        "discriminator",
        discriminator="discriminator",
        silent="custom_error_type custom_error_message custom_error_context",
    ),
    "pydantic.Tag": _row("tag", silent="tag"),
    "pydantic.Strict": _row("strict", silent="strict"),
    "msgspec.Meta": _META,
    "toolcall.Param": _row(
        "description",
        **_same("description", "name", "wire", "pattern", *NUMBERS, *LENGTHS),
    ),
}
"""Callables that stand in `Annotated[...]`."""

_NUMBER_TYPE = _row(**_same(*NUMBERS), silent="strict allow_inf_nan")
_ITEMS = _row("item_type", **_same("min_length", "max_length"), silent="item_type")
_OLD_ITEMS = _same("min_items", "max_items")
_ANY: ir.Type = {"kind": "any"}

TYPE_CALLS: Mapping[str, Row] = {
    "pydantic.conint": replace(_NUMBER_TYPE, type={"kind": "integer"}),
    "pydantic.confloat": replace(_NUMBER_TYPE, type={"kind": "number"}),
    "pydantic.condecimal": replace(_NUMBER_TYPE, type={"kind": "stdlib", "type": "decimal"}),
    "pydantic.condate": replace(_row(silent="strict"), type={"kind": "stdlib", "type": "date"}),
    "pydantic.constr": replace(_STRING, type={"kind": "string"}),
    "pydantic.conbytes": replace(
        _row(**_same("min_length", "max_length"), silent="strict"),
        type={"kind": "stdlib", "type": "bytes"},
    ),
    "pydantic.conlist": replace(
        _ITEMS,
        facts={**_ITEMS.facts, **_OLD_ITEMS},
        type={"kind": "array", "items": _ANY, "cls": "list"},
    ),
    "pydantic.conset": replace(_ITEMS, type={"kind": "array", "items": _ANY, "cls": "set"}),
    "pydantic.confrozenset": replace(
        _ITEMS, type={"kind": "array", "items": _ANY, "cls": "frozenset"}
    ),
}
"""Calls that stand where a type stands."""

FIELD_CALLS: Mapping[str, Row] = {
    "pydantic.Field": _FIELD,
    "pydantic.PrivateAttr": _row(silent="default default_factory init"),
    "dataclasses.field": _row(
        default="default",
        default_factory="default_factory",
        metadata="metadata",
        doc="description",
        silent="init repr hash compare kw_only",
    ),
    "attrs.field": _row(
        default="default",
        factory="default_factory",
        alias="name",
        metadata="metadata",
        silent="validator repr eq order hash init type converter kw_only on_setattr",
    ),
    "msgspec.field": _row(default="default", default_factory="default_factory", name="name"),
}
"""Calls that stand as the value of a field."""

_SIGNS: Mapping[str, Constraint] = {
    "Positive": ("gt", 0),
    "Negative": ("lt", 0),
    "NonNegative": ("ge", 0),
    "NonPositive": ("le", 0),
}

NAMED_TYPES: Mapping[str, Constraint] = {
    f"pydantic.{sign}{kind}": constraint
    for sign, constraint in _SIGNS.items()
    for kind in ("Int", "Float")
}
"""Types that are a bound in themselves."""

FROM_TEXT = frozenset(f"pydantic.{name}" for name in ("Json", "Base64Bytes", "Base64UrlBytes"))
"""Types whose values pydantic makes of a text, where mypy sees but what it makes."""

_SAME = {
    "attr.attrib": "attrs.field",
    "attr.field": "attrs.field",
    "attr.ib": "attrs.field",
    "attr._make.attrib": "attrs.field",
    "attr._next_gen.field": "attrs.field",
    "pydantic.root_model.RootModel": "pydantic.RootModel",
}


def common_name(fullname: str) -> str:
    """One name for what a library offers under several."""
    module, _, name = fullname.rpartition(".")
    if module in {"pydantic.fields", "pydantic.types"}:
        return f"pydantic.{name}"
    return _SAME.get(fullname, fullname)
