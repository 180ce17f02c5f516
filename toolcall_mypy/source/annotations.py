"""An annotation → its metadata tree."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from toolcall_mypy.source.metadata import Metadata

if TYPE_CHECKING:
    from toolcall_mypy.source.files import SourceFiles
    from toolcall_mypy.source.index import ModuleIndex
    from toolcall_mypy.source.resolve import Trail


def read(
    expr: ast.expr, index: ModuleIndex, scope: str, files: SourceFiles, trail: Trail | None = None
) -> Metadata:
    """The metadata of an annotation as seen from a scope of a module."""
    raise NotImplementedError
