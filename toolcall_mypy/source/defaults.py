"""The value of an expression, where it can be known without running anything.

Literals, containers of literals, arithmetic on numbers, joined strings, module and
class constants (across modules), Enum members, and the standard library's plain values
built from literals (`date(2024, 1, 31)`, `Path(".")`). Everything else is computed: it is
a value that the program makes, and nobody but the program can say which.

A constant counts only while one assignment makes it: a name that is assigned twice, or
by a loop, `+=` or `global`, is computed.
"""

from __future__ import annotations

import ast
import operator
from datetime import date, datetime, time, timedelta, timezone
from decimal import Decimal
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any, Union
from uuid import UUID

from toolcall_mypy.records import record
from toolcall_mypy.source.index import AssignmentSource, ClassSource, ModuleIndex
from toolcall_mypy.source.resolve import Definition, dotted_name, resolve

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeAlias

    from toolcall_mypy.source.files import SourceFiles
    from toolcall_mypy.source.resolve import Trail


@record
class EnumMemberValue:
    """An Enum member by name. `cls` is the class as `module:qualname`."""

    cls: str
    member: str


StdlibValue: TypeAlias = Union[date, time, timedelta, Decimal, UUID, PurePosixPath]
"""Paths are given as they are written, whatever the platform."""

Value: TypeAlias = Union[
    bool,
    int,
    float,
    str,
    bytes,
    EnumMemberValue,
    StdlibValue,
    "list[Value]",
    "tuple[Value, ...]",
    "set[Value]",
    "dict[Value, Value]",
    None,
]


@record
class Known:
    """A literal value. Containers keep their Python kind: list, tuple, set, dict."""

    value: Value


@record
class Computed:
    """A value that only running the code would give, and why."""

    reason: str


def evaluate(
    expr: ast.expr, index: ModuleIndex, scope: str, files: SourceFiles, trail: Trail | None = None
) -> Known | Computed:
    """The value of an expression as seen from a scope of a module."""
    if isinstance(expr, ast.Constant) and isinstance(expr.value, _SCALARS):
        return Known(expr.value)
    try:
        return Known(_Evaluation(index, scope, files, trail).value(expr))
    except _NotLiteral as reason:
        return Computed(str(reason))
    except RecursionError:
        return Computed("nested too deeply")


_SCALARS = (str, int, float, bytes, type(None))
_ENUMS = frozenset(
    f"enum.{name}" for name in ("Enum", "IntEnum", "StrEnum", "Flag", "IntFlag", "ReprEnum")
)

_ARITHMETIC: dict[type[ast.operator], Callable[[float, float], float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: operator.pow,
}
_OF_BITS: dict[type[ast.operator], Callable[[int, int], int]] = {
    ast.LShift: operator.lshift,
    ast.RShift: operator.rshift,
    ast.BitOr: operator.or_,
    ast.BitAnd: operator.and_,
    ast.BitXor: operator.xor,
}

_CONSTRUCTORS: dict[str, Callable[..., StdlibValue]] = {
    "datetime.date": date,
    "datetime.datetime": datetime,
    "datetime.time": time,
    "datetime.timedelta": timedelta,
    "decimal.Decimal": Decimal,
    "uuid.UUID": UUID,
    **{
        f"pathlib.{name}": PurePosixPath
        for name in ("Path", "PosixPath", "PurePath", "PurePosixPath")
    },
}

_LARGEST_EXPONENT = 256
"""`2 ** 64` is a constant; `9 ** 9 ** 9` is an attack on whoever reads it."""


class _NotLiteral(Exception):
    pass


@record
class _Evaluation:
    """Evaluates in one scope; a constant from elsewhere is evaluated in its own."""

    index: ModuleIndex
    scope: str
    files: SourceFiles
    trail: Trail | None
    open: frozenset[tuple[str, str]] = frozenset()

    def value(self, expr: ast.expr) -> Value:
        match expr:
            case ast.Constant(value=value):
                if value is Ellipsis or isinstance(value, complex):
                    raise _NotLiteral("not a JSON value")
                return value
            case ast.List(elts=elements):
                return self.elements(elements)
            case ast.Tuple(elts=elements):
                return tuple(self.elements(elements))
            case ast.Set(elts=elements):
                return self.set(elements)
            case ast.Dict(keys=keys, values=values):
                return self.mapping(keys, values)
            case ast.UnaryOp(op=op, operand=operand):
                return self.signed(op, self.value(operand))
            case ast.BinOp(left=left, op=op, right=right):
                return self.combined(op, self.value(left), self.value(right))
            case ast.Name() | ast.Attribute():
                return self.named(expr)
            case ast.Call():
                return self.call(expr)
            case ast.Subscript():
                return self.member_by_name(expr)
            case ast.JoinedStr():
                raise _NotLiteral("an f-string is computed")
        raise _NotLiteral("computed when the program runs")

    def elements(self, elements: list[ast.expr]) -> list[Value]:
        found: list[Value] = []
        for element in elements:
            if isinstance(element, ast.Starred):
                inner = self.value(element.value)
                if not isinstance(inner, (list, tuple)):
                    raise _NotLiteral("unpacks what is not a list")
                found.extend(inner)
            else:
                found.append(self.value(element))
        return found

    def set(self, elements: list[ast.expr]) -> Value:
        try:
            return set(self.elements(elements))
        except TypeError as error:
            raise _NotLiteral(str(error)) from None

    def mapping(self, keys: list[ast.expr | None], values: list[ast.expr]) -> Value:
        found: dict[Value, Value] = {}
        for key, value in zip(keys, values, strict=True):
            if key is None:
                inner = self.value(value)
                if not isinstance(inner, dict):
                    raise _NotLiteral("unpacks what is not a dict")
                found.update(inner)
                continue
            try:
                found[self.value(key)] = self.value(value)
            except TypeError as error:
                raise _NotLiteral(str(error)) from None
        return found

    def signed(self, op: ast.unaryop, value: Value) -> Value:
        match op, value:
            case ast.Not(), (bool() | None):
                return not value
            case ast.USub(), (int() | float()):
                return -value
            case ast.UAdd(), (int() | float()):
                return +value
            case ast.Invert(), int():
                return ~int(value)
        raise _NotLiteral("computed when the program runs")

    def combined(self, op: ast.operator, left: Value, right: Value) -> Value:
        match op, left, right:
            case ast.Add(), str(), str():
                return left + right
            case ast.Add(), list(), list():
                return left + right
            case ast.Add(), tuple(), tuple():
                return left + right
            case _, int(), int() if type(op) in _OF_BITS:
                return _of_bits(op, left, right)
            case _, (int() | float()), (int() | float()):
                return _arithmetic(op, left, right)
        raise _NotLiteral("computed when the program runs")

    def named(self, expr: ast.expr) -> Value:
        dotted = dotted_name(expr)
        if dotted is None:
            return self.of_value(expr)
        found = resolve(dotted, self.index, self.scope, self.files, self.trail)
        match found:
            case Definition(index=ModuleIndex() as home, node=AssignmentSource() as node):
                owner = self.enum_of(home, node)
                if owner is None:
                    return self.constant(home, node)
                if not _is_member(node):
                    raise _NotLiteral(f"{dotted} is no member of its Enum")
                return EnumMemberValue(f"{home.module}:{owner.qualname}", node.name)
        if isinstance(expr, ast.Attribute) and expr.attr in {"value", "name"}:
            return self.of_value(expr)
        if isinstance(expr, ast.Attribute) and (made := self.enum_made(expr.value)) is not None:
            return EnumMemberValue(made, expr.attr)
        raise _NotLiteral(f"{dotted} is not a constant that can be read")

    def enum_made(self, expr: ast.expr) -> str | None:
        """The class that a call makes, `Color = Enum("Color", ...)`, as `module:qualname`."""
        dotted = dotted_name(expr)
        found = resolve(dotted, self.index, self.scope, self.files, self.trail) if dotted else None
        match found:
            case Definition(index=ModuleIndex() as home, node=AssignmentSource() as node):
                base = dotted_name(node.value.func) if isinstance(node.value, ast.Call) else None
                meant = resolve(base, home, node.scope, self.files, self.trail) if base else None
                return found.class_name if meant and meant.fullname in _ENUMS else None
        return None

    def of_value(self, expr: ast.expr) -> Value:
        """`Color.RED.value` and `Color.RED.name`."""
        if not (isinstance(expr, ast.Attribute) and expr.attr in {"value", "name"}):
            raise _NotLiteral("computed when the program runs")
        member = self.value(expr.value)
        if not isinstance(member, EnumMemberValue):
            raise _NotLiteral("computed when the program runs")
        if expr.attr == "name":
            return member.member
        module, _, qualname = member.cls.partition(":")
        home = self.index if module == self.index.module else self.files.index(module)
        if home is None:
            raise _NotLiteral(f"{module} is not found")
        return self.constant(home, home.assigned[f"{qualname}.{member.member}"])

    def constant(self, home: ModuleIndex, node: AssignmentSource) -> Value:
        key = (home.module, node.qualname)
        if key in self.open:
            raise _NotLiteral(f"{node.name} refers to itself")
        if node.value is None or node.is_type_statement:
            raise _NotLiteral(f"{node.name} has no value here")
        if home.assigned.count(node.qualname) > 1 or node.qualname in home.rebound:
            raise _NotLiteral(f"{node.name} is assigned more than once")
        inner = _Evaluation(home, node.scope, self.files, self.trail, self.open | {key})
        return inner.value(node.value)

    def enum_of(self, home: ModuleIndex, node: AssignmentSource) -> ClassSource | None:
        """The Enum class that this assignment stands in, if it does."""
        if node.scope not in home.classes:
            return None
        owner = home.classes[node.scope]
        return owner if is_enum(owner, home, self.files, self.trail) else None

    def call(self, call: ast.Call) -> Value:
        """`frozenset({...})` and its like are literals in all but name."""
        kind = dotted_name(call.func)
        if kind is not None and (make := self.constructor(kind)) is not None:
            return self.constructed(make, call)
        if kind in {"frozenset", "set", "tuple", "list", "dict"} and not call.keywords:
            meant = resolve(kind, self.index, self.scope, self.files, self.trail)
            if meant is not None and meant.module == "builtins" and len(call.args) <= 1:
                return _converted(kind, self.value(call.args[0]) if call.args else ())
        if len(call.args) == 1 and not call.keywords and (found := self.enum_named(call.func)):
            return self.member_by_value(*found, self.value(call.args[0]))
        raise _NotLiteral("a call is computed when the program runs")

    def enum_named(self, expr: ast.expr) -> tuple[ModuleIndex, ClassSource] | None:
        """The Enum class that an expression names, if it names one."""
        dotted = dotted_name(expr)
        found = resolve(dotted, self.index, self.scope, self.files, self.trail) if dotted else None
        match found:
            case Definition(index=ModuleIndex() as home, node=ClassSource() as cls):
                return (home, cls) if is_enum(cls, home, self.files, self.trail) else None
        return None

    def member_by_value(self, home: ModuleIndex, cls: ClassSource, value: Value) -> Value:
        """`Color("red")`."""
        for node in home.assigned.values():
            if node.scope == cls.qualname and node.value is not None and _is_member(node):
                own = evaluate(node.value, home, node.scope, self.files, self.trail)
                if isinstance(own, Known) and _same(own.value, value):
                    return EnumMemberValue(f"{home.module}:{cls.qualname}", node.name)
        raise _NotLiteral(f"no member of {cls.name} has this value")

    def member_by_name(self, expr: ast.Subscript) -> Value:
        """`Color["RED"]`."""
        match self.enum_named(expr.value), expr.slice:
            case (ModuleIndex() as home, ClassSource() as cls), ast.Constant(value=str() as name):
                node = home.assigned.get(f"{cls.qualname}.{name}")
                if node is not None and _is_member(node):
                    return EnumMemberValue(f"{home.module}:{cls.qualname}", name)
        raise _NotLiteral("computed when the program runs")

    def constructor(self, dotted: str) -> Callable[..., StdlibValue] | None:
        meant = resolve(dotted, self.index, self.scope, self.files, self.trail)
        return _CONSTRUCTORS.get(meant.fullname) if meant is not None else None

    def is_utc(self, expr: ast.expr) -> bool:
        dotted = dotted_name(expr)
        if dotted is None:
            return False
        meant = resolve(dotted, self.index, self.scope, self.files, self.trail)
        return meant is not None and meant.fullname in {"datetime.timezone.utc", "datetime.UTC"}

    def constructed(self, make: Callable[..., StdlibValue], call: ast.Call) -> Value:
        arguments: list[Any] = self.elements(call.args)
        named: dict[str, Any] = {}
        for keyword in call.keywords:
            if keyword.arg is None:
                raise _NotLiteral("unpacks its arguments")
            named[keyword.arg] = (
                timezone.utc if self.is_utc(keyword.value) else self.value(keyword.value)
            )
        try:
            return make(*arguments, **named)
        except (TypeError, ValueError, ArithmeticError) as error:
            raise _NotLiteral(f"cannot be built: {error}") from None


def _same(one: Value, other: Value) -> bool:
    return type(one) is type(other) and one == other


def is_enum(
    node: ClassSource,
    home: ModuleIndex,
    files: SourceFiles,
    trail: Trail | None = None,
    seen: frozenset[tuple[str, str]] = frozenset(),
) -> bool:
    """Whether a class is an Enum, by its bases."""
    key = (home.module, node.qualname)
    if key in seen:
        return False
    for base in node.bases:
        dotted = dotted_name(base)
        found = resolve(dotted, home, node.scope, files, trail) if dotted else None
        match found:
            case Definition(index=ModuleIndex() as above, node=ClassSource() as parent):
                if is_enum(parent, above, files, trail, seen | {key}):
                    return True
            case Definition() if found.fullname in _ENUMS:
                return True
    return False


def _arithmetic(op: ast.operator, left: float, right: float) -> Value:
    compute = _ARITHMETIC.get(type(op))
    if compute is None or isinstance(left, bool) or isinstance(right, bool):
        raise _NotLiteral("computed when the program runs")
    if isinstance(op, ast.Pow) and not (0 <= right <= _LARGEST_EXPONENT and abs(left) < 2**64):
        raise _NotLiteral("too large to compute")
    try:
        return compute(left, right)
    except (ArithmeticError, ValueError) as error:
        raise _NotLiteral(str(error)) from None


def _of_bits(op: ast.operator, left: int, right: int) -> Value:
    if isinstance(op, ast.LShift) and not 0 <= right <= _LARGEST_EXPONENT:
        raise _NotLiteral("too large to compute")
    try:
        return _OF_BITS[type(op)](left, right)
    except ValueError as error:
        raise _NotLiteral(str(error)) from None


def _converted(kind: str, value: Value) -> Value:
    match kind, value:
        case (("frozenset" | "set"), (list() | tuple() | set())):
            return set(value)
        case "tuple", (list() | tuple()):
            return tuple(value)
        case "list", (list() | tuple()):
            return list(value)
        case "dict", dict():
            return dict(value)
        case "dict", ():
            return {}
    raise _NotLiteral("a call is computed when the program runs")


def _is_member(node: AssignmentSource) -> bool:
    """Whether an assignment in an Enum's body makes a member: one without a type of its own."""
    said = None if node.annotation is None else dotted_name(node.annotation)
    is_final = said is not None and said.rpartition(".")[2] == "Final"
    return (node.annotation is None or is_final) and not _is_private(node.name)


def _is_private(name: str) -> bool:
    """`_ignore_`, `__order__`: names that an Enum does not make members of."""
    return name.startswith("__") or (name.startswith("_") and name.endswith("_"))
