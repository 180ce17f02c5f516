"""What a class says about all of its fields: renaming, tags, open keys.

msgspec takes keyword arguments of the class statement (`rename`, `tag`, `tag_field`),
pydantic those, `model_config` and the older `class Config` (`alias_generator`, `extra`).
Both inherit them, the nearest class wins. What is computed cannot be read and is answered
as such.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Final

from toolcall_mypy.records import record
from toolcall_mypy.source.defaults import Known, evaluate
from toolcall_mypy.source.resolve import dotted_name

if TYPE_CHECKING:
    from toolcall_mypy.declared import Declared
    from toolcall_mypy.source.files import SourceFiles
    from toolcall_mypy.source.resolve import Trail

Rename = Callable[[str], str]


@record
class ClassOptions:
    """`rename` gives a field's property, `tag` the property and value that mark the class.

    `unread` are the options that are computed.
    """

    rename: Rename | None = None
    tag: tuple[str, str | int] | None = None
    is_open: bool = False
    unread: tuple[ast.expr, ...] = ()


NONE: Final = ClassOptions()


def options_of(
    classes: Iterable[Declared], style: str, files: SourceFiles, trail: Trail
) -> ClassOptions:
    """The options of a class; `classes` are it and its bases, nearest first."""
    if style not in ("msgspec", "pydantic"):
        return NONE
    reader = _Reader(files, trail)
    given: dict[str, object] = {}
    name = ""
    for declared in classes:
        name = name or declared.cls.name
        for key, expr in reader.arguments(declared, style):
            given.setdefault(key, reader.value(key, expr, declared))
    tag = _tag(given, name) if style == "msgspec" else None
    return ClassOptions(
        rename=_rename(given.get("rename", given.get("alias_generator"))),
        tag=tag,
        is_open=given.get("extra") == "allow",
        unread=tuple(reader.unread),
    )


class _Reader:
    def __init__(self, files: SourceFiles, trail: Trail) -> None:
        self.files = files
        self.trail = trail
        self.unread: list[ast.expr] = []

    def arguments(self, declared: Declared, style: str) -> Iterable[tuple[str, ast.expr]]:
        for keyword in declared.cls.keywords:
            if keyword.arg in _READ[style]:
                yield keyword.arg, keyword.value
        for one in declared.cls.fields:
            if style == "pydantic" and one.name == "model_config" and one.value is not None:
                yield from _configuration(one.value)
        old = f"{declared.cls.qualname}.Config"
        if style == "pydantic" and old in declared.index.classes:
            for one in declared.index.classes[old].fields:
                if one.name in _READ[style] and one.value is not None:
                    yield one.name, one.value

    def value(self, key: str, expr: ast.expr, declared: Declared) -> object:
        if key == "alias_generator":
            name = _last_name(_of_validation(expr))
            if name in _CASES:
                return name
        known = evaluate(expr, declared.index, declared.cls.scope, self.files, self.trail)
        if isinstance(known, Known):
            return known.value
        self.unread.append(expr)
        return None


_READ: Final = {
    "msgspec": ("rename", "tag", "tag_field"),
    "pydantic": ("extra", "alias_generator"),
}


def _last_name(expr: ast.expr) -> str:
    return (dotted_name(expr) or "").rpartition(".")[2]


def _of_validation(expr: ast.expr) -> ast.expr:
    """The one of an `AliasGenerator`'s functions that tells what is accepted."""
    if not isinstance(expr, ast.Call) or _last_name(expr.func) != "AliasGenerator":
        return expr
    given = {keyword.arg: keyword.value for keyword in expr.keywords}
    first = expr.args[0] if expr.args else expr
    return given.get("validation_alias", given.get("alias", first))


def _configuration(expr: ast.expr) -> Iterable[tuple[str, ast.expr]]:
    """The arguments of `ConfigDict(...)` or the items of a dict literal, those that count."""
    pairs: list[tuple[str | None, ast.expr]] = []
    match expr:
        case ast.Call(keywords=keywords):
            pairs = [(keyword.arg, keyword.value) for keyword in keywords]
        case ast.Dict(keys=keys, values=values):
            pairs = [
                (str(key.value) if isinstance(key, ast.Constant) else None, value)
                for key, value in zip(keys, values, strict=True)
            ]
    for key, value in pairs:
        if key is not None and key in _READ["pydantic"]:
            yield key, value


def _tag(given: Mapping[str, object], name: str) -> tuple[str, str | int] | None:
    tag, field = given.get("tag"), given.get("tag_field")
    if tag is False or (tag is None and field is None):
        return None
    value = tag if isinstance(tag, (str, int)) and not isinstance(tag, bool) else name
    return (field if isinstance(field, str) else "type", value)


def _rename(how: object) -> Rename | None:
    if isinstance(how, dict):
        names = {str(key): str(value) for key, value in how.items()}
        return lambda name: names.get(name, name)
    return _CASES.get(how) if isinstance(how, str) else None


def _camel(name: str) -> str:
    pascal = _pascal(name)
    body = pascal.lstrip("_")
    return pascal[: len(pascal) - len(body)] + body[:1].lower() + body[1:]


def _pascal(name: str) -> str:
    body = name.lstrip("_")
    words = body.split("_")
    return name[: len(name) - len(body)] + "".join(word[:1].upper() + word[1:] for word in words)


_CASES: Final[Mapping[str, Rename]] = {
    "lower": str.lower,
    "upper": str.upper,
    "camel": _camel,
    "pascal": _pascal,
    "kebab": lambda name: name.strip("_").replace("_", "-"),
    "to_camel": _camel,
    "to_pascal": _pascal,
}
