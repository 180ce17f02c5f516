"""A function's checked type as parameters: names, kinds, types, what the program injects.

The outer type (after decorators) is trusted; the `FuncDef` gives the nodes to report at
and the names that mypy forgets. A type that says nothing about its parameters (`Any`,
`Callable[..., T]`) stands for the function as written: such decorators pass through.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    from mypy.nodes import Context, FuncDef
    from mypy.types import Type

    from toolcall import ir
    from toolcall_mypy.derive.table import Loss
    from toolcall_mypy.derive.types import Deriver

Binding: TypeAlias = Literal["function", "instance", "class", "static"]
Shape: TypeAlias = Literal["plain", "generator", "async_generator", "context_manager"]


@dataclass(frozen=True, slots=True)
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


@dataclass(frozen=True, slots=True)
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
    raise NotImplementedError
