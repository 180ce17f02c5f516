"""Class bodies in the order of the file: members of Enums, keys of TypedDicts.

mypy's cache keeps both sorted by name, so for a class of a module that was not parsed in
this run the order is the source's to tell. Also for the calls that make such classes.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from toolcall_mypy.source import defaults
from toolcall_mypy.source.resolve import dotted_name, resolve

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolcall_mypy.source.files import SourceFiles
    from toolcall_mypy.source.index import ClassSource, ModuleIndex


def enum_members(
    qualname: str, index: ModuleIndex, files: SourceFiles
) -> list[tuple[str, object]] | None:
    """Names and values as written.

    A value is a literal one, `...` for `auto()`, a tuple of names for members joined by
    `|`, else None.
    """
    if qualname in index.classes:
        return [
            (each.name, _value(each.value, qualname, index, files))
            for each in index.classes[qualname].fields
            if each.value is not None and _called(each.value) != "nonmember"
        ]
    call = _call(qualname, index)
    if call is None or len(call.args) < 2:
        return None
    return list(_called_members(call.args[1], _scope(qualname), index, files))


def typeddict_keys(
    qualname: str, index: ModuleIndex, files: SourceFiles, deepest: int = 32
) -> list[str] | None:
    """The keys of a TypedDict, those of its bases first."""
    if qualname in index.classes:
        cls = index.classes[qualname]
        inherited = _inherited(cls, index, files, deepest) if deepest else []
        return list(dict.fromkeys([*inherited, *(each.name for each in cls.fields)]))
    call = _call(qualname, index)
    if call is None or len(call.args) < 2 or not isinstance(call.args[1], ast.Dict):
        return None
    return [key for key in map(_text, call.args[1].keys) if key is not None]


def _inherited(cls: ClassSource, index: ModuleIndex, files: SourceFiles, deepest: int) -> list[str]:
    found: list[str] = []
    for base in cls.bases:
        name = dotted_name(base.value if isinstance(base, ast.Subscript) else base)
        known = resolve(name, index, cls.scope, files) if name is not None else None
        if known is not None and known.index is not None:
            found.extend(typeddict_keys(known.qualname, known.index, files, deepest - 1) or ())
    return found


def _value(expr: ast.expr, scope: str, index: ModuleIndex, files: SourceFiles) -> object:
    if _called(expr) == "auto":
        return ...
    if isinstance(expr, ast.Call) and _called(expr) == "member" and expr.args:
        return _value(expr.args[0], scope, index, files)
    names = tuple(_joined(expr))
    if names:
        return names
    known = defaults.evaluate(expr, index, scope, files)
    return known.value if isinstance(known, defaults.Known) else None


def _called(expr: ast.expr) -> str | None:
    """The last name of what is called."""
    name = dotted_name(expr.func) if isinstance(expr, ast.Call) else None
    return None if name is None else name.rpartition(".")[2]


def _joined(expr: ast.expr) -> Iterator[str]:
    """The names of `A | B | C`, nothing for any other expression."""
    if isinstance(expr, ast.BinOp) and isinstance(expr.op, ast.BitOr):
        left, right = tuple(_operand(expr.left)), tuple(_operand(expr.right))
        if left and right:
            yield from (*left, *right)


def _operand(expr: ast.expr) -> Iterator[str]:
    if isinstance(expr, ast.Name):
        yield expr.id
    else:
        yield from _joined(expr)


def _called_members(
    listed: ast.expr, scope: str, index: ModuleIndex, files: SourceFiles
) -> Iterator[tuple[str, object]]:
    """The second argument of `Enum("Name", ...)` in its several forms."""
    match listed:
        case ast.Constant(value=str(text)):
            yield from ((name, ...) for name in text.replace(",", " ").split())
        case ast.Dict(keys=keys, values=values):
            for key, value in zip(keys, values, strict=True):
                name = _text(key)
                if name is not None:
                    yield name, _value(value, scope, index, files)
        case ast.List(elts=items) | ast.Tuple(elts=items):
            for item in items:
                match item:
                    case ast.Constant(value=str(name)):
                        yield name, ...
                    case ast.Tuple(elts=[ast.Constant(value=str(name)), value]):
                        yield name, _value(value, scope, index, files)
                    case _:
                        pass
        case _:
            pass


def _call(qualname: str, index: ModuleIndex) -> ast.Call | None:
    made = index.assigned.get(qualname)
    return made.value if made is not None and isinstance(made.value, ast.Call) else None


def _scope(qualname: str) -> str:
    return qualname.rpartition(".")[0]


def _text(expr: ast.expr | None) -> str | None:
    return expr.value if isinstance(expr, ast.Constant) and isinstance(expr.value, str) else None
