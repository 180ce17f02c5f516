"""Classes that several tools of a module take, derived and read for the first of them.

Every tool has a table of its own. When a class is entered into one, the class and all
that it reaches are put on the module's shelf; a table that has none of these names takes
them as they are, and reads the same as if it had derived them. What the first tool read
on the way, and found, becomes the other's too.

The daemon has no shelf: it may look at a tool twice in one run, with a class that has
changed in between.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolcall_mypy.records import record

if TYPE_CHECKING:
    from collections.abc import Sequence

    from toolcall import ir
    from toolcall_mypy.derive.table import Entry, Group
    from toolcall_mypy.lints.facts import FieldFacts, Problem
    from toolcall_mypy.providers import Provider
    from toolcall_mypy.source.resolve import Trail


@record
class ReadEntry:
    """What the sources say of one named type, and what was read to know it."""

    type: ir.Type
    facts: tuple[FieldFacts, ...]
    problems: tuple[Problem, ...]
    restored: frozenset[tuple[str, ...]]
    trail: Trail


class Shelf:
    """The groups of one module, for tools that are offered the same type providers."""

    def __init__(self) -> None:
        self.groups: dict[str, tuple[Group, Trail]] = {}
        # By the `id` of an entry, which is kept so that it stays the only one.
        self._read: dict[int, tuple[Entry, ReadEntry | None]] = {}

    def put(self, key: str, group: Group, trail: Trail) -> None:
        """Keep a group under the key of the class that it was derived for."""
        self.groups[key] = group, trail
        for entry in group.entries:
            self._read.setdefault(id(entry), (entry, None))

    def read(self, entry: Entry) -> ReadEntry | None:
        """What was read of an entry that lies here."""
        kept = self._read.get(id(entry))
        return None if kept is None else kept[1]

    def keep(self, entry: Entry, read: ReadEntry) -> None:
        """Keep what was read of an entry, if it lies here."""
        if id(entry) in self._read:
            self._read[id(entry)] = entry, read


class Keeper:
    """One tool's hand on the shelf: what it takes joins its trail."""

    def __init__(self, shelf: Shelf, trail: Trail, used: Sequence[Provider]) -> None:
        self._shelf = shelf
        self._trail = trail
        self._used = used
        self._before = trail
        self._used_before = 0

    def find(self, key: str) -> Group | None:
        found = self._shelf.groups.get(key)
        return None if found is None else found[0]

    def took(self, key: str) -> None:
        self._trail.join(self._shelf.groups[key][1])

    def begin(self) -> None:
        self._before = self._trail.parted()
        self._used_before = len(self._used)

    def end(self, key: str, group: Group | None) -> None:
        own = self._trail.parted()
        self._trail.join(self._before)
        self._trail.join(own)
        # a provider's own faults are told at each tool that it serves
        if group is not None and len(self._used) == self._used_before:
            self._shelf.put(key, group, own)
