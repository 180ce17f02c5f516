"""The parts of modules that one tool's schema was read from.

They become the tool's declarations (fingerprints, for freshness after an edit) and the
sidecar's sources (hashes of whole files, for freshness without one). Only first-party
modules have a path in the sidecar: what is installed changes by other means.
"""

from __future__ import annotations

import contextlib
import os
from functools import cache
from typing import TYPE_CHECKING, Final

import toolcall
from toolcall._declarations import Declarations
from toolcall._fingerprint import file_hash

if TYPE_CHECKING:
    from collections.abc import Iterable

    from toolcall import ir
    from toolcall_mypy.source.files import SourceFiles
    from toolcall_mypy.source.index import ModuleIndex

_INSTALLED: Final = ("site-packages", "dist-packages", "typeshed")


class Contributions:
    """Modules and the names in them, gathered while a tool is assembled."""

    def __init__(self) -> None:
        self._names: dict[str, set[str]] = {}

    def add(self, module: str, names: Iterable[str]) -> None:
        """These module-level names or dotted qualnames of a module were read."""
        self._names.setdefault(module, set()).update(names)

    @property
    def modules(self) -> list[str]:
        return sorted(self._names)

    def declarations(self, files: SourceFiles, prints: Fingerprints) -> list[ir.Declaration]:
        """One entry a first-party module, with the fingerprint of what was read from it."""
        found: list[ir.Declaration] = []
        for module in self.modules:
            index = files.index(module)
            if index is None or index.is_stub or not is_first_party(index.path):
                continue
            names = sorted(self._names[module])
            digest = prints.declarations(index, names)
            if digest is not None:
                found.append({"module": module, "names": names, "hash": digest})
        return found


class Fingerprints:
    """Fingerprints of the files of a run, from the trees that were parsed already."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[ModuleIndex, Declarations | None]] = {}

    def declarations(self, index: ModuleIndex, names: list[str]) -> str | None:
        """The fingerprint of these declarations; None for a file that is not Python."""
        kept = self._known.get(index.module)
        if kept is None or kept[0] is not index:
            whole = None if index.tree is None else Declarations(index.text, index.tree)
            kept = self._known[index.module] = (index, whole)
        return None if kept[1] is None else kept[1].hash(names)

    def release(self, module: str) -> None:
        """The module will hardly be asked for again."""
        kept = self._known.pop(module, None)
        if kept is not None and kept[1] is not None:
            kept[1].clear()


def source(module: str, path: str, base: str) -> ir.Source | None:
    """A sidecar's record of one module; None where its file cannot be read.

    `base` is the folder of the sidecar's own module.
    """
    try:
        with open(path, "rb") as file:
            digest = file_hash(file.read())
    except OSError:
        return None
    entry: ir.Source = {"module": module, "hash": digest}
    if is_first_party(path):
        with contextlib.suppress(ValueError):  # another drive
            entry["path"] = os.path.relpath(path, base).replace(os.sep, "/")
    return entry


@cache
def is_first_party(path: str) -> bool:
    """Whether a file belongs to the user: not installed, not part of Python."""
    parts = os.path.normpath(path).split(os.sep)
    if any(part in _INSTALLED for part in parts):
        return False
    return not os.path.abspath(path).startswith((_STDLIB, _OURS))


_STDLIB: Final = os.path.dirname(os.__file__) + os.sep  # `sysconfig` takes milliseconds to ask

# our own aliases are nobody's first-party code, also where we are installed in place
_OURS: Final = os.path.dirname(os.path.abspath(toolcall.__file__)) + os.sep
