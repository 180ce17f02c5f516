"""The class statements behind a class, and the field that one of them declares.

mypy says where a class stands; the source says what stands there. Bases are followed
through the sources too, because mypy keeps no bases of a TypedDict.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from toolcall_mypy.records import record
from toolcall_mypy.source.annotations import read, read_value
from toolcall_mypy.source.index import ClassSource, ModuleIndex
from toolcall_mypy.source.metadata import NOTHING, Metadata
from toolcall_mypy.source.resolve import Definition, dotted_name, resolve
from toolcall_mypy.source.statements import Statements
from toolcall_mypy.source.vocabulary import common_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from toolcall_mypy.source.files import SourceFiles
    from toolcall_mypy.source.index import FieldSource
    from toolcall_mypy.source.resolve import Trail


@record
class Declared:
    """A class statement and the module it stands in."""

    index: ModuleIndex
    cls: ClassSource

    @property
    def names(self) -> tuple[str, str]:
        """Module and qualified name."""
        return self.index.module, self.cls.qualname


@record
class Written:
    """A field as written, with the class that declares it."""

    owner: Declared
    source: FieldSource


def find(files: SourceFiles, module: str, qualname: str, line: int = 0) -> Declared | None:
    """The class statement of this name, at this line where there are several."""
    index = files.index(module)
    cls = index.classes.at(qualname, line) if index is not None else None
    return None if index is None or cls is None else Declared(index, cls)


def lineage(start: Declared, files: SourceFiles, trail: Trail) -> Iterator[Declared]:
    """The class and its bases, as far as sources show them; depth first, each once."""
    seen: set[tuple[str, str]] = set()
    waiting = [start]
    while waiting:
        one = waiting.pop(0)
        if one.names in seen:
            continue
        seen.add(one.names)
        yield one
        waiting[:0] = _bases(one, files, trail)


def _bases(of: Declared, files: SourceFiles, trail: Trail) -> list[Declared]:
    found: list[Declared] = []
    for base in of.cls.bases:
        name = dotted_name(base.value if isinstance(base, ast.Subscript) else base)
        if name is None:
            continue
        match resolve(name, of.index, of.cls.scope, files, trail):
            case Definition(index=ModuleIndex() as index, node=ClassSource() as cls):
                found.append(Declared(index, cls))
    return found


def field(of: Declared, name: str, line: int = 0) -> Written | None:
    """The field that this very class declares; at this line where it does so twice."""
    same = [one for one in of.cls.fields if one.name == name]
    exact = [one for one in same if one.line == line] or same
    return Written(of, exact[-1]) if exact else None


def argument(
    classes: Iterable[Declared], base: str, files: SourceFiles, trail: Trail
) -> Metadata | None:
    """What is said of the type that the first of these classes gives a generic base.

    `base` is the full name by which users import it.
    """
    for one in classes:
        for expr in one.cls.bases:
            if not isinstance(expr, ast.Subscript):
                continue
            name = dotted_name(expr.value)
            if name is None:
                continue
            meant = resolve(name, one.index, one.cls.scope, files, trail)
            if isinstance(meant, Definition) and common_name(meant.fullname) == base:
                return read(expr.slice, one.index, one.cls.scope, files, trail)
    return None


def metadata_of(written: Written, files: SourceFiles, trail: Trail) -> Metadata:
    """What the annotation says and, over it, what `Field(...)` or `field(...)` says."""
    owner = written.owner
    place = (owner.index, owner.cls.qualname)
    return joined(written.source.annotation, written.source.value, *place, files, trail)


def joined(
    annotation: ast.expr | None,
    value: ast.expr | None,
    index: ModuleIndex,
    scope: str,
    files: SourceFiles,
    trail: Trail,
) -> Metadata:
    """What an annotation says and, over it, what the call beside it says."""
    where = (index, scope, files, trail)
    said = NOTHING if annotation is None else read(annotation, *where)
    call = None if value is None else read_value(value, *where)
    if call is None:
        return said
    statements = Statements.of(said)
    statements.add(call)
    return statements.metadata(said.children, said.alias)
