"""The tools of each module while mypy checks it, and when its sidecar is written.

mypy never says that a run is over (it leaves through `os._exit`), so a sidecar is written
as soon as its module is done. "Done" is the hook after a module's bodies are checked; a
mypy without that hook, and the daemon when it re-checks single functions of a module,
give no such sign, and every tool is written through.

1. Parsing a module anew forgets its tools. One function re-checked replaces one tool.
2. No tools left: the sidecar is removed.
3. Named types come with their tool; where two tools have different types under one
   name, the later one is renamed.
4. In the daemon a change of another module's documentation calls no hook here; that
   module's own "done" brings the sidecars of its users up to date.
"""

from __future__ import annotations

import contextlib
import os
from typing import TYPE_CHECKING, Any, cast

from toolcall import _sidecar
from toolcall._freshness import shown
from toolcall._grammar import VERSION
from toolcall_mypy.contributions import is_first_party, source
from toolcall_mypy.records import changing, field

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from toolcall import ir
    from toolcall_mypy.assemble import Assembled
    from toolcall_mypy.footprint import Footprints
    from toolcall_mypy.session import Session
    from toolcall_mypy.sites import Site


class Unwritten(Exception):
    """A sidecar cannot be written; the message says which and why."""


@changing
class Entry:
    """One mark: where it stands, and its tool unless assembling it failed."""

    site: Site
    assembled: Assembled | None


@changing
class Buffer:
    """The marks of one module. `done` once it was checked to its end.

    `named` are the keys of the marks whose tool has a name.
    """

    module: str
    path: str
    entries: dict[tuple[int, int], Entry] = field(default_factory=dict)
    named: dict[str, set[tuple[int, int]]] = field(default_factory=dict)
    done: bool = False

    def put(self, entry: Entry) -> None:
        """Enters a mark, in the place of the one that stood there before."""
        key = entry.site.key
        before = self.entries.get(key)
        if before is not None and before.assembled is not None:
            self.named[before.assembled.tool["name"]].discard(key)
        if entry.assembled is not None:
            self.named.setdefault(entry.assembled.tool["name"], set()).add(key)
        self.entries[key] = entry

    def ordered(self) -> list[Entry]:
        """The entries in the order of their lines."""
        return [self.entries[key] for key in sorted(self.entries)]


class Collector:
    """All modules of a run, or of a daemon's life."""

    def __init__(
        self, session: Session, footprints: Footprints, *, write_through: bool, keep: bool
    ) -> None:
        """`write_through`: nothing says when a module is done; `keep`: more may come after it."""
        self._session = session
        self._footprints = footprints
        self._write_through = write_through
        self._keep = keep
        self._buffers: dict[str, Buffer] = {}

    def begin(self, module: str) -> None:
        """The module was parsed anew."""
        self._buffers.pop(module, None)
        self._session.asked.pop(module, None)

    def buffer(self, module: str, path: str) -> Buffer:
        """The module's buffer, made when first asked for."""
        return self._buffers.setdefault(module, Buffer(module, path))

    def add(self, path: str, site: Site, assembled: Assembled | None) -> None:
        """A mark was checked."""
        buffer = self.buffer(site.module, path)
        buffer.put(Entry(site, assembled))
        if buffer.done or self._write_through:
            self._write(buffer)

    def known(self, module: str) -> set[tuple[int, int]]:
        """The marks of a module that were checked."""
        buffer = self._buffers.get(module)
        return set(buffer.entries) if buffer is not None else set()

    def done(self, module: str, path: str) -> None:
        """The module was checked to its end."""
        buffer = self.buffer(module, path)
        buffer.done = True
        self._write(buffer)
        if not self._keep:
            del self._buffers[module]
            if buffer.entries:
                self._session.release(module)

    def users(self, module: str) -> list[Buffer]:
        """Other modules with tools that were read from this one."""
        return [
            buffer
            for buffer in self._buffers.values()
            if buffer.module != module
            and any(
                entry.assembled is not None and module in entry.assembled.modules
                for entry in buffer.entries.values()
            )
        ]

    def rewrite(self, buffer: Buffer) -> None:
        """The tools of a module were assembled again."""
        self._write(buffer)

    def _write(self, buffer: Buffer) -> None:
        if not is_first_party(buffer.path):
            return
        path = self._sidecar_path(buffer)
        tools = exposed(buffer)
        asked = self._session.asked.get(buffer.module, ())
        if not tools:
            self._remove(path)
            self._footprints.renew(buffer.module, buffer.path, asked)
            return
        sidecar, sources = self._sidecar(buffer, tools)
        try:
            _sidecar.write(path, _sidecar.dumps(sidecar))
        except OSError as error:
            self._footprints.distrust(buffer.module)
            raise Unwritten(f"{shown(path)}: {error.strerror}") from error
        self._footprints.take(buffer.module, [buffer.path, path, *sources.values(), *asked])
        for module, source_path in sources.items():
            self._footprints.contribute(module, source_path)

    def _sidecar_path(self, buffer: Buffer) -> str:
        return _sidecar.path_for(buffer.path, buffer.module, self._session.config.cache_dir)

    def _remove(self, path: str) -> None:
        with contextlib.suppress(OSError):
            os.remove(path)
            os.rmdir(os.path.dirname(path))  # fails, and should, when others lie there

    def _sidecar(self, buffer: Buffer, tools: list[Assembled]) -> tuple[ir.Sidecar, dict[str, str]]:
        types, renamed = merge(tools)
        paths = {buffer.module: buffer.path}
        for assembled in tools:
            for module in assembled.modules:
                path = self._session.files.path(module)
                if path is not None:
                    paths.setdefault(module, path)
        base = os.path.dirname(os.path.abspath(buffer.path))
        records = {module: source(module, path, base) for module, path in sorted(paths.items())}
        sidecar: ir.Sidecar = {
            "toolcall": VERSION,
            "module": buffer.module,
            "sources": [record for record in records.values() if record is not None],
            "tools": renamed,
            "types": types,
        }
        return sidecar, paths


def exposed(buffer: Buffer) -> list[Assembled]:
    """The tools of a module without those whose name an earlier one has."""
    kept: list[Assembled] = []
    for entry in buffer.ordered():
        one = entry.assembled
        if one is not None and one.is_usable and not earlier(buffer, entry.site, one):
            kept.append(one)
    return kept


def earlier(buffer: Buffer, site: Site, assembled: Assembled) -> list[str]:
    """Keys of tools before this one that have its name, in the same module, class or function.

    Two definitions of one Python name are one tool: what the module holds at run time.
    """
    tool = assembled.tool
    same = sorted(key for key in buffer.named.get(tool["name"], ()) if key < site.key)
    return [
        other.assembled.tool["key"]
        for other in map(buffer.entries.__getitem__, same)
        if other.assembled is not None
        and other.assembled.is_usable
        and other.assembled.tool["key"] != tool["key"]
        and _scope(other.site, other.assembled) == _scope(site, assembled)
    ]


def _scope(site: Site, assembled: Assembled) -> str:
    """Where no two tools may have one name: a class, a function's body, or else the module."""
    key = assembled.tool["key"]
    if assembled.tool["binding"] != "function":
        return key.rpartition(".")[0]
    return site.around or key.rpartition(".<locals>")[0]


def merge(tools: Iterable[Assembled]) -> tuple[dict[str, ir.Type], list[ir.Tool]]:
    """The named types of all tools in one table, and the tools that refer to them."""
    table: dict[str, ir.Type] = {}
    merged: list[ir.Tool] = []
    for assembled in tools:
        names = _names(assembled.types, table)
        if names:
            types = cast("dict[str, ir.Type]", _renamed(assembled.types, names))
            table.update({names.get(name, name): node for name, node in types.items()})
            merged.append(cast("ir.Tool", _renamed(assembled.tool, names)))
        else:
            table.update(assembled.types)
            merged.append(assembled.tool)
    return table, merged


def _names(types: Mapping[str, ir.Type], table: Mapping[str, ir.Type]) -> dict[str, str]:
    """New names for those types whose name stands for something else already."""
    names: dict[str, str] = {}
    for name, node in types.items():
        if name in table and table[name] != node:
            number = 2
            while f"{name}_{number}" in table or f"{name}_{number}" in types:
                number += 1
            names[name] = f"{name}_{number}"
    return names


def _renamed(node: object, names: Mapping[str, str]) -> object:
    match node:
        case {"kind": "ref", "name": str(name)}:
            return {**cast("dict[str, Any]", node), "name": names.get(name, name)}
        case dict():
            return {key: _renamed(value, names) for key, value in node.items()}
        case list():
            return [_renamed(value, names) for value in node]
    return node
