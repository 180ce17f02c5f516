"""The source files of a run: each is read once, while it does not change.

Where a module lies is the checker's knowledge and is handed in; for what the checker
has not loaded, typeshed-client finds the stub or the typed package. That is slow to
set up, so it happens when first needed.
"""

from __future__ import annotations

import io
import os
import tokenize
from pathlib import Path
from typing import TYPE_CHECKING

from toolcall_mypy.source.branches import Target
from toolcall_mypy.source.index import ModuleIndex

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from typeshed_client.finder import SearchContext

    from toolcall_mypy.source.resolve import Definition, Trail


class SourceFiles:
    """Indexes by module name.

    `find` gives a module's path or None; `search_path` is where stub packages and typed
    packages are looked for beside it. Call `refresh()` when files may have changed:
    every file is then compared with what was read (by time, size and inode) before it
    is used again.
    """

    def __init__(
        self,
        find: Callable[[str], str | None],
        *,
        python_version: tuple[int, int] | None = None,
        platform: str | None = None,
        search_path: Sequence[str] = (),
    ) -> None:
        default = Target()
        self.target = Target(python_version or default.python_version, platform or default.platform)
        self._find = find
        self._search_path = tuple(search_path)
        self._context: SearchContext | None = None
        self._paths: dict[str, str | None] = {}
        self._indexes: dict[str, tuple[_Signature, ModuleIndex]] = {}
        self._checked: set[str] = set()
        self.resolved: dict[tuple[ModuleIndex, str, str], tuple[Definition | None, Trail]] = {}
        """What names were found to mean, for `resolve` alone."""

    def refresh(self) -> None:
        """Look at the files again before they are next used."""
        self._checked.clear()
        self.resolved.clear()
        self._paths = {module: path for module, path in self._paths.items() if path is not None}

    def release(self, module: str) -> None:
        """Forget what was read of a module; it is read again if it is asked for."""
        kept = self._indexes.pop(module, None)
        if kept is not None:
            kept[1].clear()
        self._checked.discard(module)
        self.resolved.clear()

    def index(self, module: str) -> ModuleIndex | None:
        """The module's declarations; None where it is not found."""
        path = self.path(module)
        if path is None:
            return None
        kept = self._indexes.get(module)
        if kept is not None and (module in self._checked or kept[0] == _signature(path)):
            self._checked.add(module)
            return kept[1]
        signature = _signature(path)
        index = open_index(module, path, self.target)
        self._indexes[module] = (signature, index)
        self._checked.add(module)
        return index

    def add(self, index: ModuleIndex) -> None:
        """Use this index for its module: text that is at hand, or a test's."""
        self.resolved.clear()
        self._paths[index.module] = index.path
        self._indexes[index.module] = (_signature(index.path), index)
        self._checked.add(index.module)

    def path(self, module: str) -> str | None:
        """Where the module lies, as found by the checker, else by typeshed-client."""
        if module not in self._paths:
            self._paths[module] = self._find(module) or self._stub(module)
        return self._paths[module]

    def _stub(self, module: str) -> str | None:
        from typeshed_client.finder import get_search_context, get_stub_file

        if not module or not all(part.isidentifier() for part in module.split(".")):
            return None
        if self._context is None:
            self._context = get_search_context(
                search_path=[Path(path) for path in self._search_path],
                version=self.target.python_version,
                platform=self.target.platform,
                allow_py_files=True,
            )
        found = get_stub_file(module, search_context=self._context)
        return str(found) if found is not None else None


_Signature = tuple[int, int, int]


def _signature(path: str) -> _Signature:
    try:
        status = os.stat(path)
    except OSError:
        return (0, 0, 0)
    return (status.st_mtime_ns, status.st_size, status.st_ino)


def open_index(module: str, path: str, target: Target | None = None) -> ModuleIndex:
    """Read one file. A file that cannot be read or decoded gives an index with a fault."""
    try:
        data = Path(path).read_bytes()
        return ModuleIndex(module, path, decode(data), target=target)
    except (OSError, UnicodeDecodeError, SyntaxError, LookupError) as error:
        return ModuleIndex(
            module, path, "", target=target, fault=f"{type(error).__name__}: {error}"
        )


def decode(data: bytes) -> str:
    """Source text from bytes: PEP 263 coding, byte order mark and newlines normalised.

    Raises SyntaxError for an unknown coding, UnicodeDecodeError for a wrong one.
    """
    head = data[:200].split(b"\n", 2)[:2]
    if any(b"coding" in line for line in head):
        encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
    else:
        encoding = "utf-8-sig"
    return data.decode(encoding).replace("\r\n", "\n").replace("\r", "\n")
