"""A checked source and what was derived from it, as the tests read it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from toolcall_mypy.derive.signature import Signature, Skeleton
    from toolcall_mypy.derive.table import Loss, Table

IMPORTS = """
from __future__ import annotations
from typing import *
import typing_extensions as te
"""
MARK = """F = TypeVar("F")
def mark(f: F) -> F: return f
"""
PRELUDE = IMPORTS + MARK


@dataclass
class Derived:
    """One checked source."""

    signatures: dict[str, Signature]
    table: Table
    messages: list[str]

    def parameter(self, function: str, name: str = "p") -> Skeleton:
        found = [each for each in self.signatures[function].parameters if each.name == name]
        assert len(found) == 1, self.signatures[function]
        return found[0]

    def type(self, function: str, name: str = "p") -> Any:
        return self.parameter(function, name).type

    def entry(self, name: str) -> Any:
        return self.table.entries[name].type

    def losses(self, function: str, name: str = "p") -> list[Loss]:
        return list(self.parameter(function, name).losses)

    def codes(self, function: str, name: str = "p") -> list[str]:
        return [loss.code for loss in self.losses(function, name)]
