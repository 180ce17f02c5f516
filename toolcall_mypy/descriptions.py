"""Descriptions, and where each of them stands.

What a field of a class means is said in one of several places; here is decided which one
counts: `Annotated` and `Field(...)` → the string beneath → the class docstring → the alias
that the field is declared as. `toolcall show` asks here too, because a sidecar has no lines
of fields: every program that loads it would pay for them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from toolcall_mypy.records import record
from toolcall_mypy.source import docstrings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import TypeAlias

    from toolcall_mypy.declared import Declared, Written
    from toolcall_mypy.source.declarations import Text
    from toolcall_mypy.source.docstrings import DocParam, Docstring
    from toolcall_mypy.source.metadata import Metadata

    Reader: TypeAlias = Callable[[Text], Docstring]

Origin = Literal["docstring", "metadata", "alias", "class", "field", "decorator"]


@record
class Described:
    """A description and where it came from. `text` is empty where metadata clears it."""

    text: str
    origin: Origin
    module: str
    line: int


def of_field(
    names: tuple[str, ...],
    written: Written | None,
    metadata: Metadata,
    classes: Iterable[Declared],
    read: Reader,
) -> Described | None:
    """What is said of a field, None where nothing is.

    `names` are those that a class docstring may call it by, `classes` the class and its
    bases, `read` a reader of docstrings.
    """
    if metadata.description is not None:
        return of_metadata(
            metadata.description, metadata, "" if written is None else _home(written)
        )
    if written is not None and written.source.doc is not None:
        beneath = written.source.doc
        return Described(docstrings.prose(beneath.text), "field", _home(written), beneath.line)
    for cls in classes:
        entry = _entry(cls, names, read)
        if entry is not None and entry.text:
            return Described(entry.text, "class", cls.index.module, entry.line)
    return of_alias(metadata)


def of_metadata(text: str, metadata: Metadata, home: str) -> Described:
    """A description in metadata; `home` is the module where the metadata was asked for."""
    at = metadata.described_at
    return Described(text, "metadata", *((home, 0) if at is None else (at.module, at.line)))


def of_alias(metadata: Metadata) -> Described | None:
    """The documentation of the alias that a type was written as."""
    alias = metadata.alias
    return None if alias is None else Described(alias.text, "alias", alias.at.module, alias.at.line)


def _home(written: Written) -> str:
    return written.owner.index.module


def _entry(cls: Declared, names: tuple[str, ...], read: Reader) -> DocParam | None:
    if cls.cls.docstring is None:
        return None
    docstring = read(cls.cls.docstring)
    tables = (docstring.attributes, docstring.params)
    return next((table[name] for table in tables for name in names if name in table), None)
