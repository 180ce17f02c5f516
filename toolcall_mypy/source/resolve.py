"""A dotted name → the statement that defines it, across modules.

It follows imports, re-exports, star imports and attribute access to the defining
statement. Names of the libraries whose meaning is known here by name alone
(`typing.Annotated`, `annotated_types.Ge`) are not opened: their full name is the answer.

A `Trail` records every module and top-level name that an answer depends on, because a
change of any of them may change the schema: they belong into its fingerprint.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from toolcall_mypy.source.index import AssignmentSource, ClassSource, FunctionSource

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolcall_mypy.source.files import SourceFiles
    from toolcall_mypy.source.index import Declaration, ModuleIndex


@dataclass(slots=True)
class Trail:
    """The modules and the top-level names in them that were read."""

    modules: dict[str, tuple[str, set[str]]] = field(default_factory=dict)

    def add(self, index: ModuleIndex, qualname: str) -> None:
        _, names = self.modules.setdefault(index.module, (index.path, set()))
        names.add(qualname.partition(".")[0])

    def __iter__(self) -> Iterator[tuple[str, str, tuple[str, ...]]]:
        """(module, path, names), sorted."""
        for module, (path, names) in sorted(self.modules.items()):
            yield module, path, tuple(sorted(names))


@dataclass(frozen=True, slots=True)
class Definition:
    """What a name stands for.

    `node` is None for a module and for what is known by its full name alone; `index` is
    the module it stands in, where that was opened.
    """

    module: str
    qualname: str
    index: ModuleIndex | None = None
    node: Declaration | None = None

    @property
    def fullname(self) -> str:
        return f"{self.module}.{self.qualname}" if self.qualname else self.module

    @property
    def class_name(self) -> str:
        """As `module:qualname`."""
        return f"{self.module}:{self.qualname}"


def resolve(
    name: str, index: ModuleIndex, scope: str, files: SourceFiles, trail: Trail | None = None
) -> Definition | None:
    """What a dotted name means in a scope of a module; None where that is unknown."""
    raise NotImplementedError


def stub_function(fullname: str, files: SourceFiles) -> FunctionSource | None:
    """A function that is known only from stubs (`statistics.fmean`), for its names and defaults.

    Of overloads the last one is given.
    """
    raise NotImplementedError
