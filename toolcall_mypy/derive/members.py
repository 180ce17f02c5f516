"""The members of an Enum class and their values, without running it.

A value is read, in this order, from the class body where mypy has it parsed (constants,
`auto()`, earlier members), from the type that mypy inferred, and from the sources through
the lookup. The type alone would not do: mypy infers members in the order of the file, so
a class further down has none yet when a tool above it is derived.
"""

from __future__ import annotations

import types
from typing import TYPE_CHECKING, Final, TypeAlias, Union

from mypy.constant_fold import constant_fold_binary_op, constant_fold_expr
from mypy.nodes import AssignmentStmt, CallExpr, NameExpr, OpExpr, RefExpr, Var
from mypy.types import Instance, LiteralType, get_proper_type

from toolcall_mypy.records import changing, field

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mypy.nodes import Expression, TypeInfo
    from mypy.types import Type

    from toolcall_mypy.derive.table import Lookup

Scalar: TypeAlias = Union[bool, int, float, str]


class _Auto:
    """Stands for `auto()` until the class decides."""


_AUTO: Final = _Auto()


@changing
class Members:
    """Members in order with their values, None for an unknown one; aliases by name."""

    values: dict[str, Scalar | None] = field(default_factory=dict)
    aliases: dict[str, str] = field(default_factory=dict)

    def value(self, name: str) -> Scalar | None:
        """The value behind a member or an alias."""
        return self.values.get(self.aliases.get(name, name))

    def add(self, name: str, value: Scalar | None) -> None:
        """A member; one with the value of an earlier one is its alias."""
        for earlier, taken in self.values.items():
            if value is not None and value == taken:
                self.aliases[name] = earlier
                return
        self.values[name] = value


def read(info: TypeInfo, lookup: Lookup) -> Members:
    """The members of an Enum class."""
    return _Reading(info, lookup).members()


class _Reading:
    """One reading of one class; the sources are asked only when needed, and once."""

    def __init__(self, info: TypeInfo, lookup: Lookup) -> None:
        self.info = info
        self.lookup = lookup
        self.body = _assignments(info)
        self.found = Members()
        self._written: dict[str, object] | None = None

    @property
    def written(self) -> dict[str, object]:
        if self._written is None:
            self._written = dict(self.lookup.enum_values(self.info.fullname) or ())
        return self._written

    def members(self) -> Members:
        for name in self._names():
            rvalue = self.body.get(name)
            if _calls(rvalue, "enum.nonmember"):
                continue
            if isinstance(rvalue, NameExpr) and rvalue.name in self.found.values:
                self.found.aliases[name] = rvalue.name
            else:
                self.found.add(name, _as_constructed(self.info, self._value(name, rvalue)))
        return self.found

    def _names(self) -> list[str]:
        """In the order of the file, which mypy's cache does not keep."""
        names = self.info.enum_members
        if self.body or not self.written:
            return names
        return [each for each in self.written if each in names]

    def _value(self, name: str, rvalue: Expression | None) -> Scalar | None:
        if rvalue is None and name in self.written:
            # The type of `A | B` is `auto`, too, when A and B are.
            known = self._as_written(name)
            return known if known is not None else scalar(_inferred(self.info, name))
        known = _known(self.info, name, rvalue, self.found)
        return known if known is not None else self._as_written(name)

    def _as_written(self, name: str) -> Scalar | None:
        match self.written.get(name):
            case types.EllipsisType():
                return _automatic(self.info, name, self.found)
            case tuple() as names:
                return _joined([self.found.value(each) for each in names])
            case value:
                return scalar(value)


def _assignments(info: TypeInfo) -> dict[str, Expression]:
    """The class body, empty for a class out of mypy's cache."""
    return {
        target.name: statement.rvalue
        for statement in info.defn.defs.body
        if isinstance(statement, AssignmentStmt)
        for target in statement.lvalues
        if isinstance(target, NameExpr)
    }


def _calls(rvalue: Expression | None, fullname: str) -> bool:
    return (
        isinstance(rvalue, CallExpr)
        and isinstance(rvalue.callee, RefExpr)
        and rvalue.callee.fullname == fullname
    )


def _known(info: TypeInfo, name: str, rvalue: Expression | None, members: Members) -> Scalar | None:
    found = _AUTO if _calls(rvalue, "enum.auto") else None
    folded = _fold(rvalue, info.module_name, members) if rvalue is not None else None
    value = found or (folded if folded is not None else _inferred(info, name))
    return _automatic(info, name, members) if isinstance(value, _Auto) else value


def _fold(expr: Expression, module: str, members: Members) -> Scalar | None:
    """The value of an expression over constants and earlier members."""
    match expr:
        case NameExpr() if members.value(expr.name) is not None:
            return members.value(expr.name)
        case CallExpr() if _calls(expr, "enum.member") and len(expr.args) == 1:
            return _fold(expr.args[0], module, members)
        case OpExpr():
            left = _fold(expr.left, module, members)
            right = _fold(expr.right, module, members)
            if left is None or right is None:
                return None
            return scalar(constant_fold_binary_op(expr.op, left, right))
        case _:
            return scalar(constant_fold_expr(expr, module))


def _joined(bits: Sequence[Scalar | None]) -> int | None:
    whole = 0
    for value in bits:
        if not isinstance(value, int):
            return None
        whole |= value
    return whole


def _inferred(info: TypeInfo, name: str) -> Scalar | _Auto | None:
    node = info.names[name].node
    declared = get_proper_type(node.type) if isinstance(node, Var) else None
    if isinstance(declared, Instance) and declared.type.fullname == "enum.auto":
        return _AUTO
    if isinstance(declared, Instance) and declared.type.fullname == "enum.member":
        return _constant(declared.args[0])
    return None if declared is None else _constant(declared)


def _constant(t: Type) -> Scalar | None:
    proper = get_proper_type(t)
    known = proper.last_known_value if isinstance(proper, Instance) else proper
    return scalar(known.value) if isinstance(known, LiteralType) else None


def _automatic(info: TypeInfo, name: str, members: Members) -> Scalar | None:
    """What `auto()` gives here; None where a class says so in code of its own."""
    owner = next(base for base in info.mro if "_generate_next_value_" in base.names)
    before = members.values.values()
    numbers = [int(value) for value in before if isinstance(value, (int, float))]
    if owner.fullname == "enum.StrEnum":
        return name.lower()
    if not owner.fullname.startswith("enum.") or None in before:
        return None
    if info.has_base("enum.Flag"):
        return 1 << max(numbers, default=0).bit_length()
    return max(numbers, default=0) + 1


def _as_constructed(info: TypeInfo, value: Scalar | None) -> Scalar | None:
    """The value after the class's data type (`str, Enum`) has made its own of it."""
    if value is None or any(
        base.is_enum and "__new__" in base.names and not base.fullname.startswith("enum.")
        for base in info.mro
    ):
        return None
    if info.has_base("builtins.str"):
        return str(value)
    if info.has_base("builtins.float"):
        return float(value)
    return value


def scalar(value: object) -> Scalar | None:
    """The value, if JSON has it (complex numbers and sentinels are constants, too)."""
    return value if isinstance(value, (bool, int, float, str)) else None
