"""The value of an expression, where it can be known without running anything."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import TYPE_CHECKING, Union

if TYPE_CHECKING:
    from typing import TypeAlias

    from toolcall_mypy.source.files import SourceFiles
    from toolcall_mypy.source.index import ModuleIndex
    from toolcall_mypy.source.resolve import Trail


@dataclass(frozen=True, slots=True)
class EnumMemberValue:
    """An Enum member by name. `cls` is the class as `module:qualname`."""

    cls: str
    member: str


Value: TypeAlias = Union[
    None,
    bool,
    int,
    float,
    str,
    bytes,
    EnumMemberValue,
    "list[Value]",
    "tuple[Value, ...]",
    "set[Value]",
    "dict[Value, Value]",
]


@dataclass(frozen=True, slots=True)
class Known:
    """A literal value. Containers keep their Python kind: list, tuple, set, dict."""

    value: Value


@dataclass(frozen=True, slots=True)
class Computed:
    """A value that only running the code would give, and why."""

    reason: str


def evaluate(
    expr: ast.expr, index: ModuleIndex, scope: str, files: SourceFiles, trail: Trail | None = None
) -> Known | Computed:
    """The value of an expression as seen from a scope of a module."""
    raise NotImplementedError
