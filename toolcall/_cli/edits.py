"""Edits of a source text that answer a lint: one function each, from the tree to replacements.

A replacement is a span of the text and what comes there. All of a file are found on the
same tree and applied from the end to the start, so that none moves another; of two that
overlap the first is kept. Whatever is written in a way that an edit does not know (a
quoted annotation, a docstring in NumPy's layout, a dict that is passed on) stays.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef
STUB = "TODO: describe."


@dataclass(frozen=True, slots=True)
class Wish:
    """What a finding asks for, at a parameter. `values` are a Literal's, as they are written."""

    edit: str
    line: int
    column: int
    name: str
    values: str = ""


@dataclass(frozen=True, slots=True)
class Replacement:
    """A span of the text by byte offsets, and what takes its place."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Source:
    """A file's text with its tree."""

    text: bytes
    tree: ast.Module
    starts: tuple[int, ...]

    def at(self, line: int, column: int) -> int:
        """The offset of a place as the tree gives it."""
        return self.starts[line - 1] + column

    def of(self, node: ast.expr | ast.stmt) -> str:
        """A node's text."""
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        start, end = (
            self.at(node.lineno, node.col_offset),
            self.at(node.end_lineno, node.end_col_offset),
        )
        return self.text[start:end].decode()

    def over(self, node: ast.expr | ast.stmt, text: str) -> Replacement:
        """A node replaced."""
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        start = self.at(node.lineno, node.col_offset)
        return Replacement(start, self.at(node.end_lineno, node.end_col_offset), text)


def edited(text: str, wishes: list[Wish]) -> str:
    """The text with every wish granted that can be."""
    data = text.encode()
    lines = data.splitlines(keepends=True)
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line))
    source = Source(data, ast.parse(text), tuple(starts))
    imports: dict[str, set[str]] = {}
    replacements = list(_replacements(source, wishes, imports))
    replacements += _imported(source, imports)
    return _applied(data, replacements).decode()


def _applied(data: bytes, replacements: list[Replacement]) -> bytes:
    taken: list[Replacement] = []
    for one in replacements:
        if all(one.end <= other.start or other.end <= one.start for other in taken):
            taken.append(one)
    for one in sorted(taken, key=lambda each: each.start, reverse=True):
        data = data[: one.start] + one.text.encode() + data[one.end :]
    return data


def _replacements(
    source: Source, wishes: list[Wish], imports: dict[str, set[str]]
) -> Iterator[Replacement]:
    undescribed: dict[Function, list[str]] = {}
    granted: set[ast.arg] = set()
    for wish in wishes:
        found = _parameter(source.tree, wish)
        if found is None:
            continue
        function, parameter = found
        if wish.edit == "description":
            undescribed.setdefault(function, []).append(wish.name)
        elif parameter not in granted:
            made = list(
                _literal(source, parameter, wish.values, imports)
                if wish.edit == "literal"
                else _typeddict(source, function, parameter, imports)
            )
            if made:
                granted.add(parameter)
            yield from made
    for function, names in undescribed.items():
        yield from _described(source, function, list(dict.fromkeys(names)))


def _parameter(tree: ast.Module, wish: Wish) -> tuple[Function, ast.arg] | None:
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            each = node.args
            for parameter in (*each.posonlyargs, *each.args, *each.kwonlyargs):
                if parameter.arg == wish.name and parameter.lineno == wish.line:
                    return node, parameter
    return None


# A fixed set of values


def _literal(
    source: Source, parameter: ast.arg, values: str, imports: dict[str, set[str]]
) -> Iterator[Replacement]:
    plain = _plain(parameter.annotation)
    if plain is not None and values:
        imports.setdefault("typing", set()).add("Literal")
        yield source.over(plain, f"Literal[{_double_quoted(values)}]")


def _plain(annotation: ast.expr | None) -> ast.Name | None:
    """The `str` or `int` in an annotation: itself, in a union, or annotated."""
    match annotation:
        case ast.Name(id="str" | "int"):
            return annotation
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            return _plain(left) or _plain(right)
        case ast.Subscript(value=ast.Name(id="Optional"), slice=inner):
            return _plain(inner)
        case ast.Subscript(value=ast.Name(id="Annotated"), slice=ast.Tuple(elts=[inner, *_])):
            return _plain(inner)
    return None


def _double_quoted(values: str) -> str:
    items = ast.literal_eval(f"[{values}]")
    return ", ".join(
        f'"{item}"' if isinstance(item, str) and not set(item) & set('"\\\n') else repr(item)
        for item in items
    )


# Known keys


def _typeddict(
    source: Source, function: Function, parameter: ast.arg, imports: dict[str, set[str]]
) -> Iterator[Replacement]:
    found = _mapping(parameter.annotation)
    keys = _keys_read(function, parameter.arg)
    if found is None or not keys or not _is_at_module_level(source.tree, function):
        return
    mapping, value = found
    if isinstance(_default(function, parameter), ast.Dict):
        keys = dict.fromkeys(keys, False)  # the default has not all of them
    name = f"{_camel(function.name)}{_camel(parameter.arg)}"
    typed = source.of(value) if value is not None else "Any"
    typing = imports.setdefault("typing", set())
    typing.add("TypedDict")
    if value is None:
        typing.add("Any")
    yield source.over(mapping, name)
    first = min((function.lineno, *(each.lineno for each in function.decorator_list)))
    start = source.at(first, 0)
    yield Replacement(start, start, _class(name, keys, typed))


def _class(name: str, keys: dict[str, bool], typed: str) -> str:
    """The class; where only some keys are always read, the others in a class on top of it."""
    sure = [key for key, is_required in keys.items() if is_required]
    maybe = [key for key, is_required in keys.items() if not is_required]
    if not maybe:
        return _body(f"{name}(TypedDict)", sure, typed)
    if not sure:
        return _body(f"{name}(TypedDict, total=False)", maybe, typed)
    below = f"{name}Required"
    above = _body(f"{name}({below}, total=False)", maybe, typed)
    return _body(f"{below}(TypedDict)", sure, typed) + above


def _body(head: str, keys: list[str], typed: str) -> str:
    return "".join([f"class {head}:\n", *(f"    {key}: {typed}\n" for key in keys), "\n\n"])


def _mapping(annotation: ast.expr | None) -> tuple[ast.expr, ast.expr | None] | None:
    """The dict in an annotation, and the type of its values if it has one."""
    match annotation:
        case ast.Name(id="dict" | "Dict"):
            return annotation, None
        case ast.Subscript(
            value=ast.Name(id="dict" | "Dict" | "Mapping"),
            slice=ast.Tuple(elts=[ast.Name(id="str"), value]),
        ):
            return annotation, value
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            return _mapping(left) or _mapping(right)
        case ast.Subscript(value=ast.Name(id="Optional"), slice=inner):
            return _mapping(inner)
        case ast.Subscript(value=ast.Name(id="Annotated"), slice=ast.Tuple(elts=[inner, *_])):
            return _mapping(inner)
    return None


def _keys_read(function: Function, name: str) -> dict[str, bool]:
    """The keys that the body reads, and whether it needs them; none if it does anything else."""
    keys: dict[str, bool] = {}
    uses = known = 0
    for node in (each for statement in function.body for each in ast.walk(statement)):
        match node:
            case ast.Name(id=used) if used == name:
                uses += 1
            case ast.Subscript(
                value=ast.Name(id=used), slice=ast.Constant(value=str(key)), ctx=ast.Load()
            ) if used == name:
                known += 1
                keys.setdefault(key, True)
            case ast.Call(
                func=ast.Attribute(value=ast.Name(id=used), attr="get"),
                args=[ast.Constant(value=str(key)), *_],
            ) if used == name:
                known += 1
                keys[key] = False
            case ast.Compare(
                left=ast.Constant(value=str(key)),
                ops=[ast.In() | ast.NotIn()],
                comparators=[ast.Name(id=used)],
            ) if used == name:
                known += 1
                keys[key] = False
            case ast.Compare(left=ast.Name(id=used), ops=[ast.Is() | ast.IsNot()]) if used == name:
                known += 1
    good = uses == known and all(key.isidentifier() for key in keys)
    return keys if good else {}


def _default(function: Function, parameter: ast.arg) -> ast.expr | None:
    each = function.args
    positional = [*each.posonlyargs, *each.args]
    behind = positional[len(positional) - len(each.defaults) :]
    pairs = [*zip(behind, each.defaults, strict=True)]
    pairs += [
        (one, value) for one, value in zip(each.kwonlyargs, each.kw_defaults, strict=True) if value
    ]
    return next((value for one, value in pairs if one is parameter), None)


def _is_at_module_level(tree: ast.Module, function: Function) -> bool:
    return function in tree.body


def _camel(name: str) -> str:
    return "".join(part.capitalize() for part in name.split("_"))


# Descriptions


def _described(source: Source, function: Function, names: list[str]) -> Iterator[Replacement]:
    """Entries for parameters at the end of the docstring's list of them."""
    first = function.body[0]
    indent = " " * first.col_offset
    match first:
        case ast.Expr(value=ast.Constant(value=str(text)) as docstring):
            written = source.of(docstring)
            if _QUOTED.match(written) and "\\" not in written:
                yield source.over(docstring, _with_entries(written, text, names, indent))
        case _ if first.lineno > function.lineno:
            entries = _google(names, indent)
            start = source.at(first.lineno, 0)
            yield Replacement(start, start, f'{indent}"""{STUB}\n\n{entries}\n{indent}"""\n')


_QUOTED = re.compile(r'"""|\'\'\'')
_SECTION = re.compile(
    r"^(?P<indent>[ \t]*)(Args|Arguments|Parameters|Params):[ \t]*$", re.MULTILINE
)
_FIELD = re.compile(
    r"^(?P<indent>[ \t]*):param\b[^\n]*(\n(?P=indent)[ \t]+\S[^\n]*)*", re.MULTILINE
)
_NUMPY = re.compile(r"^[ \t]*Parameters[ \t]*\n[ \t]*-{3,}", re.MULTILINE)


def _with_entries(written: str, text: str, names: list[str], indent: str) -> str:
    if _NUMPY.search(text):
        return written
    section = _SECTION.search(written)
    if section is not None:
        end = _end_of_section(written, section.end(), section["indent"])
        return f"{written[:end]}\n{_entries(names, section['indent'] + '    ')}{written[end:]}"
    fields = list(_FIELD.finditer(written))
    if fields:
        last = fields[-1]
        more = "".join(f"\n{last['indent']}:param {name}: {STUB}" for name in names)
        return f"{written[: last.end()]}{more}{written[last.end() :]}"
    quotes = written[:3]
    return f"{written[:-3].rstrip()}\n\n{_google(names, indent)}\n{indent}{quotes}"


def _end_of_section(written: str, start: int, indent: str) -> int:
    """Where the last line of a section ends: before what is indented no deeper than it."""
    end = start
    for line in re.finditer(r"\n(?P<indent>[ \t]*)(?P<rest>[^\n]*)", written[start:]):
        if line["rest"] in ('"""', "'''") or (line["rest"] and line["indent"] <= indent):
            break
        if line["rest"]:
            end = start + line.end()
    return end


def _google(names: list[str], indent: str) -> str:
    return f"{indent}Args:\n{_entries(names, indent + '    ')}"


def _entries(names: list[str], indent: str) -> str:
    return "\n".join(f"{indent}{name}: {STUB}" for name in names)


# Imports


def _imported(source: Source, imports: dict[str, set[str]]) -> Iterator[Replacement]:
    """The names that edits need, added to an import of their module or as one of their own."""
    for module, wanted in imports.items():
        existing = next((each for each in source.tree.body if _is_from(each, module)), None)
        bound = {
            alias.asname or alias.name
            for each in source.tree.body
            if isinstance(each, (ast.ImportFrom, ast.Import))
            for alias in each.names
        }
        missing = sorted(wanted - bound)
        if not missing:
            continue
        if isinstance(existing, ast.ImportFrom) and existing.lineno == existing.end_lineno:
            names = sorted([*missing, *map(ast.unparse, existing.names)])
            yield source.over(existing, f"from {module} import {', '.join(names)}")
        else:
            start = source.at(existing.lineno, 0) if existing else _first_import(source)
            yield Replacement(start, start, f"from {module} import {', '.join(missing)}\n")


def _is_from(node: ast.stmt, module: str) -> bool:
    return isinstance(node, ast.ImportFrom) and node.module == module and not node.level


def _first_import(source: Source) -> int:
    """Where an import may stand: behind the module's docstring and `__future__`."""
    for node in source.tree.body:
        is_docstring = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        if not is_docstring and not _is_from(node, "__future__"):
            return source.at(node.lineno, 0)
    return len(source.text)
