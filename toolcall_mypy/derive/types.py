"""mypy type → IR type: the walk, and what a type that has no JSON form becomes.

Nothing here raises for an odd type. What JSON cannot say becomes `any` with a `Loss`
that says so: a weaker schema that is still true. Kinds of types that need more than a
few lines have files of their own (`instances`, `unions`, `choices`, `classes`).

1. Losses inside a class stand with its table entry and are repeated for every parameter
   that reaches it, since it is the parameter where they can be reported.
2. A table entry reads the same whoever asked first, so nothing about the asker (such as
   the direction of a result) may change how a class is derived.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from mypy.expandtype import expand_type
from mypy.typeops import get_type_vars
from mypy.types import (
    AnyType,
    Instance,
    LiteralType,
    NoneType,
    ReadOnlyType,
    RequiredType,
    TupleType,
    TypeAliasType,
    TypedDictType,
    TypeOfAny,
    TypeVarType,
    UninhabitedType,
    UnionType,
    get_proper_type,
)

from toolcall_mypy.derive import choices, classes, instances, unions
from toolcall_mypy.derive.names import short_name, show
from toolcall_mypy.derive.table import Entry, Loss, Origin, references
from toolcall_mypy.records import replace

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mypy.nodes import TypeAlias
    from mypy.types import Type

    from toolcall import ir
    from toolcall_mypy.derive.table import Lookup, LossCode, Table

DEEPEST = 64
"""Levels of nesting in one annotation; beyond, no vendor takes the schema anyway."""

ONE_CLASS = 4
"""How often a class may be entered within itself with ever new type arguments."""


class Deriver:
    """Derives the types of one module's tools into one table."""

    losses: list[Loss]

    def __init__(self, table: Table, lookup: Lookup) -> None:
        self.table = table
        self.lookup = lookup
        self.losses = []
        self.outward = False
        self._trail: list[str] = []
        self._entered: list[str] = []
        self._whole = 0

    def derive(self, t: Type) -> ir.Type:
        """The IR of a type that values travel *into*; what it could not keep is in `losses`."""
        own = self.walk(stand_in(t))
        types = self.table.types
        if len(own) == 1 and len(types) == self._whole:
            return own  # a plain scalar, as most are
        entries = self.table.entries
        if any(entry.losses for entry in entries.values()):
            for name in references(types, own):
                for loss in entries[name].losses:
                    self._append(replace(loss, where=(name, *loss.where)))
        # Only now: branches may refer to classes that were still being derived.
        names = [] if len(types) == self._whole else list(types)[self._whole :]
        fresh = [types[name] for name in names if name not in self.table.taken]
        unions.discriminate([own, *fresh], types)
        self._whole = len(types)
        return own

    def derive_result(self, t: Type) -> ir.Type | None:
        """The IR of a type that values come *out* of; None where nothing is known of them.

        Of the losses only `unencodable-result` is left: a result may well be untyped.
        """
        before, self.losses, self.outward = self.losses, [], True
        try:
            own = self.derive(t)
            found = self.losses
        finally:
            self.losses, self.outward = before, False
        for loss in found:
            if loss.code == "unsupported-type" and not loss.comes_out:
                message = f'A "{loss.detail}" in the result cannot become JSON.'
                self._append(replace(loss, code="unencodable-result", message=message))
        one_way = {name for name, entry in self.table.entries.items() if entry.one_way}
        if own["kind"] == "any" or (
            one_way and not one_way.isdisjoint(references(self.table.types, own))
        ):
            return None
        return own

    # For the siblings that derive one kind of type each

    def walk(self, t: Type) -> ir.Type:
        """Any type, at the present place."""
        if len(self._trail) > DEEPEST:
            return self.unsupported(t, "is nested too deep")
        match t:
            case TypeAliasType() if t.is_recursive and not _is_class(t):
                return self._recursive_alias(t)
            case RequiredType() | ReadOnlyType():
                return self.walk(t.item)
            case _:
                return self._proper(t)

    def at(self, step: str, t: Type) -> ir.Type:
        """A part of the present type."""
        self._trail.append(step)
        try:
            return self.walk(t)
        finally:
            self._trail.pop()

    def lose(
        self,
        code: LossCode,
        message: str,
        detail: str,
        t: Type | None = None,
        *,
        comes_out: bool = False,
    ) -> None:
        """Record a loss at the present place."""
        reported = t is not None and _is_reported(t)
        self._append(Loss(code, message, detail, tuple(self._trail), reported, comes_out))

    def unsupported(
        self, t: Type, why: str = "has no JSON form", *, comes_out: bool = False
    ) -> ir.Type:
        """Any value, because the type cannot be said."""
        shown = show(t)
        message = f'"{shown}" {why}, so any value is accepted.'
        self.lose("unsupported-type", message, shown, comes_out=comes_out)
        return {"kind": "any"}

    def untyped(self, t: Type) -> ir.Type:
        """Any value, because that is what the annotation says."""
        shown = show(t)
        self.lose("untyped-value", f'"{shown}" tells the model nothing about the value.', shown, t)
        return {"kind": "any"}

    def endless(self, t: Type) -> ir.Type:
        """Any value, because the type grows without end."""
        shown = show(t)
        message = f'"{shown}" contains itself with ever new type arguments: any value is accepted.'
        self.lose("recursive-type", message, shown)
        return {"kind": "any"}

    def resolve(self, t: ir.Type) -> ir.Type:
        """The type itself behind references, as far as it is derived already."""
        while t["kind"] == "ref" and t["name"] in self.table.entries:
            t = self.table.entries[t["name"]].type
        return t

    def too_often(self, fullname: str) -> bool:
        """Whether a class contains itself with ever new type arguments."""
        return self._entered.count(fullname) >= ONE_CLASS

    @contextmanager
    def entry(self, fullname: str) -> Iterator[list[Loss]]:
        """A place of its own: the losses inside belong to the table entry."""
        outside = self.losses, self._trail
        self.losses, self._trail = [], []
        self._entered.append(fullname)
        try:
            yield self.losses
        finally:
            self._entered.pop()
            self.losses, self._trail = outside

    @property
    def inside_entry(self) -> bool:
        """Whether a table entry is being derived."""
        return bool(self._entered)

    def attempt(self) -> Attempt:
        """Derive without keeping the losses; the caller decides from what it gets."""
        return Attempt(self)

    # The walk

    def _proper(self, t: Type) -> ir.Type:
        proper = get_proper_type(t)
        match proper:
            case AnyType():
                return self._any(proper)
            case NoneType():
                return {"kind": "null"}
            case Instance():
                return instances.instance(self, proper)
            case TupleType():
                return self._tuple(proper)
            case TypedDictType():
                return classes.typeddict(self, proper)
            case LiteralType():
                return choices.literal(self, [proper])
            case UnionType():
                return unions.union(self, proper)
            case TypeVarType():
                return self.walk(stand_in(proper))
            case UninhabitedType() if self.outward:
                return {"kind": "any"}
            case _:
                return self.unsupported(proper)

    def _any(self, t: AnyType) -> ir.Type:
        first = t.source_any or t
        if first.type_of_any == TypeOfAny.from_unimported_type:
            # mypy's name is of the importing module: `module.name`, or `module.package`.
            name = (first.missing_import_name or "its name").rpartition(".")[2]
            message = f'mypy could not import "{name}", so any value is accepted.'
            self.lose("unresolved-import", message, name)
            return {"kind": "any"}
        return self.untyped(t)

    def _tuple(self, t: TupleType) -> ir.Type:
        info = t.partial_fallback.type
        if info.fullname == "builtins.tuple" or info.is_newtype:
            return instances.fixed_tuple(self, t)
        return classes.namedtuple(self, t)

    def _recursive_alias(self, t: TypeAliasType) -> ir.Type:
        alias = _definition(t)
        key = f"alias {alias.fullname}{[str(arg) for arg in t.args]}"
        name = self.table.find(key)
        if name is None and self.too_often(alias.fullname):
            return self.endless(t)
        if name is None:
            name = self._alias_entry(t, alias, key)
        entry = self.table.entries.get(name)
        if entry is not None and entry.type["kind"] == "any":
            # mypy gave up on the alias (it is a union item of itself).
            for loss in entry.losses:
                self._append(replace(loss, where=(*self._trail, *loss.where)))
            return {"kind": "any"}
        return {"kind": "ref", "name": name}

    def _alias_entry(self, t: TypeAliasType, alias: TypeAlias, key: str) -> str:
        # Older mypy keeps no module; recursive aliases stand at module level.
        module = str(getattr(alias, "module", alias.fullname.rpartition(".")[0]))
        qualname = alias.fullname.removeprefix(f"{module}.")
        place = Origin(module, qualname, alias.fullname, max(0, alias.line))
        name = self.table.reserve(key, short_name(place.qualname, t.args), place.module)
        with self.entry(alias.fullname) as losses:
            own = self._proper(t)
            self.table.fill(Entry(name, own, None, place, losses=tuple(losses)))
        return name

    def _append(self, loss: Loss) -> None:
        if loss not in self.losses:
            self.losses.append(loss)


class Attempt:
    """The losses of what is derived inside; a generator would cost more than most types."""

    __slots__ = ("_before", "_deriver")

    def __init__(self, deriver: Deriver) -> None:
        self._deriver = deriver
        self._before = deriver.losses

    def __enter__(self) -> list[Loss]:
        self._deriver.losses = []
        return self._deriver.losses

    def __exit__(self, *_: object) -> None:
        self._deriver.losses = self._before


def stand_in(t: Type) -> Type:
    """The type with each type variable replaced by what it stands for.

    That is its constraints as a union, or its bound.
    """
    if isinstance(t, Instance) and not t.args:
        return t
    if isinstance(t, TypeVarType):
        return stand_in(UnionType.make_union(t.values) if t.values else t.upper_bound)
    free = get_type_vars(t)
    return expand_type(t, {each.id: stand_in(each) for each in free}) if free else t


def _definition(t: TypeAliasType) -> TypeAlias:
    assert t.alias is not None, "mypy resolves aliases before any hook is called"
    return t.alias


def _is_class(t: TypeAliasType) -> bool:
    """Whether this is how mypy writes a recursive TypedDict or NamedTuple."""
    match get_proper_type(t):
        case TypedDictType() as typeddict:
            return typeddict.fallback.type.fullname == _definition(t).fullname
        case TupleType() as pair:
            return pair.partial_fallback.type.fullname == _definition(t).fullname
        case _:
            return False


def _is_reported(t: Type) -> bool:
    """Whether this is `Any` because mypy reported an error where it is written."""
    proper = get_proper_type(t)
    if not isinstance(proper, AnyType):
        return False
    return (proper.source_any or proper).type_of_any == TypeOfAny.from_error
