"""mypy type → IR type."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mypy.types import Type

    from toolcall import ir
    from toolcall_mypy.derive.table import Lookup, Loss, Table


class Deriver:
    """Derives the types of one module's tools into one table."""

    losses: list[Loss]

    def __init__(self, table: Table, lookup: Lookup) -> None:
        self.table = table
        self.lookup = lookup
        self.losses = []

    def derive(self, t: Type) -> ir.Type:
        """The IR of a type that values travel *into*; what it could not keep is in `losses`."""
        raise NotImplementedError

    def derive_result(self, t: Type) -> ir.Type | None:
        """The IR of a type that values come *out* of; None where nothing is known of them."""
        raise NotImplementedError
