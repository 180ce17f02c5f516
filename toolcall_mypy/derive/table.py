"""Named types: one table of classes and recursive aliases, and what each entry came from.

A class is derived once for each set of type arguments and referred to by a short name
from then on, which is also what ends recursion: the name is reserved before the fields
are read. Besides the IR an entry keeps where it was declared, so that whoever reads the
sources can find documentation and defaults of the class and of each field.

Names are unique within one table. They are the class's `__qualname__` without the
functions around it, with the type arguments behind (`Pair_int`); when that is taken by
another class, the module's name comes before it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeAlias

from toolcall_mypy.records import changing, field, record

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from toolcall import ir

LossCode: TypeAlias = Literal[
    "unsupported-type",
    "untyped-container",
    "untyped-value",
    "bare-enum",
    "unresolved-import",
    "recursive-type",
    "unencodable-result",
]


@record
class Loss:
    """A fact of the type that the IR could not keep; the IR is still true, but weaker.

    `message` is one sentence and `detail` the type or name it is about. `where` leads from
    the derived type to the place: `items`, `key`, `value`, `rest`, positions of a tuple and
    branches of a union as digits; the name of a table entry, then that of a field.
    `reported` where mypy has an error of its own for it. `comes_out` where values of the
    type become JSON all the same, by what they are.
    """

    code: LossCode
    message: str
    detail: str
    where: tuple[str, ...] = ()
    reported: bool = False
    comes_out: bool = False


@record
class Origin:
    """A class as declared: `qualname` has `<locals>` where it stands in a function.

    `line` is 0 for a class out of mypy's cache.
    """

    module: str
    qualname: str
    fullname: str
    line: int


@record
class FieldOrigin:
    """The declaration behind one field of an object.

    `name` is the field's name in the IR and `attribute` what the class body calls it
    (`_x` for attrs' `x`). `owner` is the class whose body declares it, the object's own
    class where mypy does not tell (it keeps no bases of a TypedDict). `line` is 0 when
    unknown. `declared` is False
    for an argument of a hand-written `__init__` that no field stands behind.
    """

    name: str
    attribute: str
    owner: Origin
    line: int = 0
    declared: bool = True


@record
class Entry:
    """One named type.

    `origin.qualname` of an alias is its name; `cls` is None for it. `mro` are the classes
    that may declare fields, the class itself first. `one_way` says that what its objects
    serialise to is not what builds them (fields outside of `__init__`, init-only values).
    """

    name: str
    type: ir.Type
    cls: ir.ClassName | None
    origin: Origin
    mro: tuple[Origin, ...] = ()
    fields: tuple[FieldOrigin, ...] = ()
    losses: tuple[Loss, ...] = ()
    one_way: bool = False


class Lookup(Protocol):
    """What derivation asks of the one who has read the sources and the configuration."""

    def enum_values(self, fullname: str) -> Sequence[tuple[str, object]] | None:
        """Names and values of an Enum class as written, in the order of its body.

        A value is a literal one, `...` for `auto()`, a tuple of names for members joined by
        `|`, else None. Asked where mypy has not parsed the class or does not know a value.
        None: the class was not found.
        """

    def keys(self, fullname: str) -> Sequence[str] | None:
        """The keys of a TypedDict in the order of the file, those of its bases first.

        Asked where mypy has not parsed the class: its cache sorts them.
        """

    def provider(self, fullname: str, args: Sequence[ir.Type]) -> ir.Type | None:
        """The type that a TypeProvider gives for a class, if there is one for it."""

    def qualname(self, module: str, name: str, line: int) -> str | None:
        """The `__qualname__` of a class local to a function: mypy forgets the function.

        `line` is that of its `class` statement (or of the call that makes the class).
        """


class NoLookup:
    """Knows nothing: for derivation without sources."""

    def enum_values(self, fullname: str) -> None:
        return None

    def keys(self, fullname: str) -> None:
        return None

    def provider(self, fullname: str, args: Sequence[ir.Type]) -> None:
        return None

    def qualname(self, module: str, name: str, line: int) -> None:
        return None


@record
class Group:
    """A class and all that it reaches: names by key, and the entries in their order."""

    names: Mapping[str, str]
    entries: tuple[Entry, ...]


class GroupKeeper(Protocol):
    """Keeps groups for the tables of other tools."""

    def find(self, key: str) -> Group | None:
        """The group that was kept for a key."""

    def took(self, key: str) -> None:
        """The group was taken into this table."""

    def begin(self) -> None:
        """A group begins."""

    def end(self, key: str, group: Group | None) -> None:
        """It is whole; None where another table would have made another one."""


@changing
class Table:
    """The named types of one tool, by name; a class after those in its fields.

    `types` are those of the entries, as the sidecar holds them; `taken` the names of those
    that were derived for another tool.
    """

    keeper: GroupKeeper | None = None
    entries: dict[str, Entry] = field(default_factory=dict)
    types: dict[str, ir.Type] = field(default_factory=dict)
    taken: set[str] = field(default_factory=set)
    _names: dict[str, str] = field(default_factory=dict)
    _group: list[str] = field(default_factory=list)
    _alike: bool = True

    def find(self, key: str) -> str | None:
        """The name reserved for a key, if it is known already, here or to another tool."""
        name = self._names.get(key)
        if name is not None:
            self._alike = self._alike and key in self._group
            return name
        group = self.keeper.find(key) if self.keeper is not None else None
        if group is None or not self._take(group):
            return None
        assert self.keeper is not None
        self.keeper.took(key)
        return self._names[key]

    def _take(self, group: Group) -> bool:
        """Enter a group, if its names are free and its classes new."""
        if any(key in self._names for key in group.names):
            return False
        if not set(group.names.values()).isdisjoint(self._names.values()):
            return False
        self._names.update(group.names)
        if self._group:
            self._group += group.names
        for entry in group.entries:
            self.taken.add(entry.name)
            self.fill(entry)
        return True

    def reserve(self, key: str, short: str, module: str) -> str:
        """A name for the key, before its type is known."""
        if self.keeper is not None and not self._group:
            self._alike = True
            self.keeper.begin()
        taken = set(self._names.values())
        prefixed = identifier(f"{module}_{short}")
        choices = [short, prefixed, *(f"{prefixed}_{n}" for n in range(2, len(taken) + 3))]
        name = next(choice for choice in choices if choice not in taken)
        self._names[key] = name
        self._group.append(key)
        self._alike = self._alike and name == short
        return name

    def fill(self, entry: Entry) -> None:
        """Give a reserved name its type."""
        self.entries[entry.name] = entry
        self.types[entry.name] = entry.type
        if self._group and self._names[self._group[0]] == entry.name:
            self._end()

    def _end(self) -> None:
        """The class that a group began with is known."""
        keys, self._group = self._group, []
        if self.keeper is not None:
            names = {key: self._names[key] for key in keys}
            own = set(names.values())
            entries = tuple(entry for name, entry in self.entries.items() if name in own)
            self.keeper.end(keys[0], Group(names, entries) if self._alike else None)


def identifier(text: str) -> str:
    """The text with runs of anything but letters, digits and `_` as one `_`."""
    return re.sub(r"\W+", "_", text, flags=re.ASCII).strip("_")


def references(types: Mapping[str, ir.Type], root: object) -> list[str]:
    """Names of the table reached from an IR node, directly or through entries, in order."""
    found: list[str] = []
    waiting: list[Any] = [root]
    for node in waiting:  # which grows meanwhile
        if type(node) is dict:
            if node.get("kind") != "ref":
                waiting += [each for each in node.values() if type(each) is not str]
            elif (name := node["name"]) not in found:
                found.append(name)
                waiting.append(types.get(name))
        elif type(node) is list:
            waiting += node
    return found
