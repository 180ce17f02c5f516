"""What a TypedDict takes beside its keys (PEP 728), read from the sources.

mypy reports `extra_items` as an unknown argument and forgets it, and its cache keeps no
arguments of a class statement at all. So the type is read where it is written, as far as
it consists of builtins; whatever else stands there accepts any value, and says so. A
TypedDict is closed to the model whether it says `closed=True` or nothing.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from toolcall_mypy.records import record
from toolcall_mypy.source.aliases import Names, Place
from toolcall_mypy.source.plain_types import ANY, plain_type

if TYPE_CHECKING:
    from collections.abc import Iterable

    from toolcall import ir
    from toolcall_mypy.declared import Declared
    from toolcall_mypy.source.files import SourceFiles
    from toolcall_mypy.source.index import ModuleIndex
    from toolcall_mypy.source.resolve import Trail


@record
class Extra:
    """The type of further keys; `unread` is what says it, where it is not read."""

    type: ir.Type
    unread: ast.expr | None = None


def of_classes(classes: Iterable[Declared], files: SourceFiles, trail: Trail) -> Extra | None:
    """Of a class and its bases, nearest first; None where there are no further keys."""
    for declared in classes:
        place = Place(declared.index, declared.cls.scope)
        for keyword in declared.cls.keywords:
            if keyword.arg == "extra_items":
                return _read(keyword.value, place, Names(files, trail))
            if keyword.arg == "closed" and _is_true(keyword.value):
                return None
    return None


def of_call(
    qualname: str, index: ModuleIndex, *, is_known: bool, files: SourceFiles, trail: Trail
) -> Extra | None:
    """Of `TypedDict("Name", {...}, extra_items=…)`.

    Args:
        is_known: whether mypy knows the keys: it gives up on a call that it cannot read, and
            then any key may come with any value.
    """
    made = index.assigned.get(qualname)
    if made is None or not isinstance(made.value, ast.Call):
        return None
    for keyword in made.value.keywords:
        if keyword.arg == "extra_items":
            if not is_known:
                return Extra(ANY)
            return _read(keyword.value, Place(index, made.scope), Names(files, trail))
    return None


def _is_true(expr: ast.expr) -> bool:
    return isinstance(expr, ast.Constant) and expr.value is True


def _read(expr: ast.expr, place: Place, names: Names) -> Extra | None:
    if (names.fullname(expr, place) or "").rpartition(".")[2] in {"Never", "NoReturn"}:
        return None
    found = plain_type(expr, place, names)
    return Extra(ANY, expr) if found is None else Extra(found)
