"""A docstring → description and entries."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from typing import TypeAlias

Style: TypeAlias = Literal["google", "numpy", "rest", "epydoc", "markdown"]


@dataclass(frozen=True, slots=True)
class DocParam:
    """One entry. `name` is without stars; `line` is that of the file."""

    name: str
    text: str
    type_text: str | None
    line: int


@dataclass(frozen=True, slots=True)
class DocRaise:
    """One exception that the docstring names."""

    type_text: str
    text: str


@dataclass(frozen=True, slots=True)
class Docstring:
    """What a docstring says.

    `description` is everything before the first section, `""` when there is nothing.
    `params` are the entries for parameters; `attributes` those of an attribute section
    (a class's fields). `style` is None where the text has no section at all.
    """

    description: str
    params: Mapping[str, DocParam]
    attributes: Mapping[str, DocParam]
    returns: str | None
    raises: tuple[DocRaise, ...]
    style: Style | None


def parse(text: str, style: Style | None = None, line: int = 1) -> Docstring:
    """Read a docstring whose first character stands on `line` of its file."""
    raise NotImplementedError


def prose(text: str) -> str:
    """Join the lines of paragraphs; keep lists and code by the line."""
    raise NotImplementedError


def choices(type_text: str | None, text: str) -> tuple[str | int, ...] | None:
    """The values that an entry enumerates in a conventional form, if it does."""
    raise NotImplementedError
