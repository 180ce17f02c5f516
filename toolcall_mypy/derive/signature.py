"""A function's checked type as parameters: names, kinds, types, what the program injects.

The outer type (after decorators) is trusted; the `FuncDef` gives the nodes to report at
and the names that mypy forgets. A type that says nothing about its parameters (`Any`,
`Callable[..., T]`) stands for the function as written: such decorators pass through.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal

from mypy.nodes import ARG_STAR, ARG_STAR2
from mypy.types import (
    AnyType,
    CallableType,
    Instance,
    Overloaded,
    TupleType,
    TypedDictType,
    TypeOfAny,
    UnionType,
    UnpackType,
    get_proper_type,
)

from toolcall_mypy.derive import results, unions
from toolcall_mypy.derive.callables import (
    Binding,
    aligned,
    behind,
    binding_of,
    is_bound,
    says_nothing,
    single,
    without_first,
)
from toolcall_mypy.derive.fields import ordered_keys
from toolcall_mypy.records import changing, record, replace

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from mypy.nodes import ArgKind, Argument, Context, FuncDef
    from mypy.types import Type

    from toolcall import ir
    from toolcall_mypy.derive.results import Shape
    from toolcall_mypy.derive.table import Loss
    from toolcall_mypy.derive.types import Deriver

CONTEXT: Final = "toolcall._values.Context"

ANYTHING: Final[ir.Anything] = {"kind": "any"}


@changing
class Skeleton:
    """One parameter as mypy knows it.

    `name` is None for a positional-only parameter whose name mypy has forgotten (functions
    of modules taken from its cache). `type` is as in `ir.Parameter`: the array of a
    `var_positional`, the value of a `var_keyword`. `position` counts without self and cls.
    `node` is the argument in this file, to report at. `source` is the parameter of the
    `def` that it comes from: its own name, or that of `**kw: Unpack[TD]`, of which
    `unpacked` is the TypedDict's full name.
    """

    name: str | None
    kind: ir.ParameterKind
    type: ir.Type
    required: bool
    position: int
    node: Context | None = None
    injected: Literal["context"] | None = None
    unannotated: bool = False
    losses: tuple[Loss, ...] = ()
    source: str | None = None
    unpacked: str | None = None


@record
class Signature:
    """What mypy knows of a callable.

    `returns` is None where the result's type is unknown or cannot become JSON;
    `result_losses` says why. `lost` is one sentence when the parameters are not usable: the
    callable's type has none, or has other ones than the function that documents them.
    `as_written` says that a decorator hides the signature and the function's own is given.
    """

    parameters: tuple[Skeleton, ...]
    returns: ir.Type | None
    result_losses: tuple[Loss, ...]
    is_async: bool
    shape: Shape
    lost: str | None = None
    as_written: bool = False


def signature(
    outer: Type | None, definition: FuncDef | None, binding: Binding, deriver: Deriver
) -> Signature:
    """The signature of what the decorator got.

    Args:
        outer: its type after all decorators beneath ours; None: the function's own.
        definition: the function as written, if it is in a file that mypy has parsed.
        binding: whether a first parameter (self, cls) is to be dropped.
        deriver: its `losses` are left alone; the losses stand on each skeleton.
    """
    hidden, chosen = _choose(outer, definition)
    if hidden and definition is not None:
        binding = binding_of(definition)  # whatever was given already, not to this type
    bound = None if chosen is None else without_first(chosen, binding)
    if chosen is None and definition is not None:
        return _unannotated(definition, binding)
    if chosen is None or bound is None:
        return _nothing("mypy knows no parameters of it.")
    function = definition or behind(chosen)
    arguments = aligned(bound, function, bound=bound is not chosen or is_bound(chosen))
    if arguments is None:
        return _nothing("A decorator beneath hides the names of its parameters.")
    reader = _Reader(deriver, reportable=definition is not None)
    parameters = tuple(reader.parameters(bound, arguments))
    return _result(bound.ret_type, function, deriver, parameters, as_written=hidden)


def _choose(outer: Type | None, definition: FuncDef | None) -> tuple[bool, CallableType | None]:
    """Whether a decorator hides the signature, and the one to go by."""
    written = None if definition is None else single(definition.type)
    if outer is None or written is None:
        return False, single(outer) if outer is not None else written
    if isinstance(get_proper_type(outer), Overloaded):
        return False, written
    found = single(outer)
    if found is None:
        return True, written
    if not says_nothing(found) or says_nothing(written):
        return False, found
    result = found.ret_type
    if isinstance(get_proper_type(result), AnyType):
        return True, written
    return True, written.copy_modified(ret_type=result)


def _unannotated(definition: FuncDef, binding: Binding) -> Signature:
    """A function without any annotation beneath a decorator without any: mypy has no type."""
    arguments = list(getattr(definition, "arguments", ()))
    given = arguments[1:] if binding in {"instance", "class"} else arguments
    blanks = [
        Skeleton(
            name=each.variable.name,
            kind=_kind(None if each.pos_only else each.variable.name, each.kind),
            type=ANYTHING,
            required=each.kind.is_required(),
            position=position,
            node=each,
            unannotated=True,
            source=each.variable.name,
        )
        for position, each in enumerate(given)
    ]
    parameters = tuple(replace(each, type=_packed(each, ANYTHING)) for each in blanks)
    shape = results.unannotated_shape(definition)
    return Signature(parameters, None, (), definition.is_coroutine, shape, as_written=True)


def _nothing(why: str) -> Signature:
    return Signature((), None, (), False, "plain", why)


def _result(
    t: Type,
    definition: FuncDef | None,
    deriver: Deriver,
    parameters: tuple[Skeleton, ...],
    *,
    as_written: bool,
) -> Signature:
    value = results.awaited(t)
    unknown = isinstance(get_proper_type(t), AnyType)
    is_async = value is not None or (unknown and definition is not None and definition.is_coroutine)
    shape = results.shape(value or t, definition)
    if shape != "plain":
        return Signature(parameters, None, (), is_async, shape, as_written=as_written)
    with deriver.attempt() as losses:
        returns = deriver.derive_result(value or t)
    return Signature(parameters, returns, tuple(losses), is_async, shape, as_written=as_written)


@record
class _Reader:
    """Reads parameters one by one. Nodes of other files are nothing to report at."""

    deriver: Deriver
    reportable: bool

    def parameters(
        self, t: CallableType, arguments: Sequence[Argument | None]
    ) -> Iterator[Skeleton]:
        each = zip(t.arg_names, t.arg_kinds, t.arg_types, arguments, strict=True)
        for position, (known, kind, type_, argument) in enumerate(each):
            name = known or (argument.variable.name if argument is not None else None)
            blank = Skeleton(
                name=name,
                kind=_kind(known, kind),
                type=ANYTHING,
                required=kind.is_required(),
                position=position,
                node=argument if self.reportable else None,
                source=name,
            )
            if kind == ARG_STAR2 and t.unpack_kwargs:
                yield from self._unpacked(blank, type_)
            else:
                yield self._typed(blank, type_)

    def _typed(self, blank: Skeleton, t: Type) -> Skeleton:
        if _is_context(t):
            blank.injected = "context"
        elif _is_unannotated(t):
            blank.type = _packed(blank, ANYTHING)
            blank.unannotated = True
        else:
            with self.deriver.attempt() as losses:
                blank.type = self._derive(blank, t)
            blank.losses = tuple(losses)
        return blank

    def _derive(self, blank: Skeleton, t: Type) -> ir.Type:
        inner = get_proper_type(t.type) if isinstance(t, UnpackType) else None
        if not isinstance(inner, TupleType):
            return _packed(blank, self.deriver.derive(t))
        # `*args: *tuple[A, B]`: the IR has arrays here, so the places are not told apart.
        either = UnionType.make_union(inner.items)
        count = len(inner.items)
        items = self.deriver.derive(either)
        return {
            "kind": "array",
            "items": items,
            "cls": "tuple",
            "min_items": count,
            "max_items": count,
        }

    def _unpacked(self, blank: Skeleton, t: Type) -> Iterator[Skeleton]:
        typed = get_proper_type(t)
        assert isinstance(typed, TypedDictType), "mypy takes nothing else in Unpack"
        for name in ordered_keys(typed, self.deriver.lookup):
            key = replace(
                blank,
                name=name,
                kind="keyword_only",
                required=name in typed.required_keys,
                unpacked=typed.fallback.type.fullname,
            )
            yield self._typed(key, typed.items[name])


def _kind(known: str | None, kind: ArgKind) -> ir.ParameterKind:
    if kind == ARG_STAR:
        return "var_positional"
    if kind == ARG_STAR2:
        return "var_keyword"
    if kind.is_named():
        return "keyword_only"
    return "positional_or_keyword" if known is not None else "positional_only"


def _packed(blank: Skeleton, t: ir.Type) -> ir.Type:
    if blank.kind == "var_positional":
        return {"kind": "array", "items": t, "cls": "tuple"}
    return t


def _is_context(t: Type) -> bool:
    if isinstance(t, Instance):
        return t.type.fullname == CONTEXT
    return any(
        isinstance(each, Instance) and each.type.fullname == CONTEXT
        for each in map(get_proper_type, unions.flat(t))
    )


def _is_unannotated(t: Type) -> bool:
    proper = get_proper_type(t)
    return isinstance(proper, AnyType) and proper.type_of_any == TypeOfAny.unannotated
