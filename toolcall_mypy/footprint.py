"""What the cached result of a module rests on, kept beside mypy's own cache.

mypy takes a module from its cache without calling any hook, and trusts time and size to
know that it may. Sidecars can be deleted or edited, and an edit can keep size and second.
So each module that has tools, or that contributed to one, leaves a footprint: the files
that were read and the sidecar that was written. It lives and dies with mypy's cache, and
a module whose footprint does not hold any more is checked again.

A file is believed by time and size only when it was already old when the footprint was
taken; a younger one is hashed, because it may have changed within the clock's grain.
"""

from __future__ import annotations

import contextlib
import json
import os
import time
from typing import TYPE_CHECKING, Any, Final, cast

from toolcall._fingerprint import file_hash

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from mypy.options import Options

GRAIN: Final = 2_000_000_000
"""Nanoseconds within which two edits may bear the same time (FAT's two seconds)."""


class Footprints:
    """The footprints of one mypy cache; without a cache nothing is kept and all holds."""

    def __init__(self, options: Options) -> None:
        self._folder: str | None = None
        self._known: set[str] = set()
        if options.incremental and options.cache_dir != os.devnull:
            version = ".".join(map(str, options.python_version))
            self._folder = os.path.join(options.cache_dir, version, "toolcall")
            with contextlib.suppress(OSError):
                self._known.update(os.listdir(self._folder))

    def holds(self, module: str) -> bool:
        """Whether every file that the module's cached result rests on is as it was."""
        name = f"{module}.json"
        if self._folder is None or name not in self._known:
            return True
        try:
            with open(os.path.join(self._folder, name), "rb") as file:
                kept = json.load(file)
            return all(_same(entry, kept["taken"]) for entry in kept["files"])
        except (OSError, ValueError, KeyError, TypeError):
            return False

    def take(self, module: str, files: Iterable[str]) -> None:
        """Remembers these files as they are now."""
        if self._folder is None:
            return
        entries = [_entry(path) for path in sorted(set(files))]
        self._write(module, {"taken": time.time_ns(), "files": entries})

    def distrust(self, module: str) -> None:
        """The sidecar could not be written: the module is to be checked again next time."""
        if self._folder is not None:
            self._write(module, {"taken": 0, "files": [["", 0, 0, ""]]})

    def renew(self, module: str, path: str, asked: Collection[str] = ()) -> None:
        """A module without tools was checked: it rests on its own file, and on those asked."""
        if asked or f"{module}.json" in self._known:
            self.take(module, [path, *asked])

    def contribute(self, module: str, path: str) -> None:
        """A module's source was read for another one's tools."""
        if self._folder is not None and f"{module}.json" not in self._known:
            self.take(module, [path])

    def _write(self, module: str, footprint: dict[str, object]) -> None:
        assert self._folder is not None
        path = os.path.join(self._folder, f"{module}.json")
        temporary = f"{path}.{os.getpid()}"
        with contextlib.suppress(OSError):  # a cache that cannot be written is no cache
            os.makedirs(self._folder, exist_ok=True)
            with open(temporary, "w", encoding="utf-8") as file:
                json.dump(footprint, file)
            os.replace(temporary, path)
            self._known.add(f"{module}.json")


def _entry(path: str) -> list[object]:
    try:
        status = os.stat(path)
        with open(path, "rb") as file:
            return [path, status.st_mtime_ns, status.st_size, file_hash(file.read())]
    except OSError:
        return [path, 0, -1, ""]


def _same(entry: list[Any], taken: int) -> bool:
    path, time_ns, size, digest = cast("tuple[str, int, int, str]", entry)
    try:
        status = os.stat(path)
    except OSError:
        return size == -1
    if status.st_size != size:
        return False
    if status.st_mtime_ns == time_ns and time_ns < taken - GRAIN:
        return True
    with open(path, "rb") as file:
        return file_hash(file.read()) == digest
