"""Whether what a sidecar says is still true of the sources it was read from.

Fresh while the files are the same, byte for byte; that is asked once. When one is not,
each tool is asked by itself whether its declarations are. Files that are not there have
not been edited: without the module's own source (compiled, frozen) there is nothing to
compare, and what contributed from elsewhere may have stayed behind when the package
was shipped.
"""

from __future__ import annotations

import os

from toolcall._fingerprint import file_hash

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeAlias

    from toolcall import ir
    from toolcall._declarations import Declarations

    GetData: TypeAlias = Callable[[str], bytes]


class Freshness:
    """One sidecar against its sources. `get_data` reads them as the module's loader does."""

    __slots__ = ("_declarations", "_get_data", "_module", "_paths", "_sidecar", "_unchanged", "own")

    def __init__(
        self, sidecar: ir.Sidecar, source_path: str, module: str, get_data: GetData
    ) -> None:
        self.own = source_path
        self._sidecar = sidecar
        self._module = module
        self._get_data = get_data
        self._unchanged: bool | None = None
        self._declarations: dict[str, Declarations | None] = {}
        folder = os.path.dirname(source_path)
        self._paths = {
            source["module"]: os.path.normpath(os.path.join(folder, source["path"]))
            for source in sidecar["sources"]
            if "path" in source
        }
        self._paths[sidecar["module"]] = source_path

    def paths(self) -> list[str]:
        """The source files that the sidecar was made from, the module's own among them."""
        return list(self._paths.values())

    def path_of(self, module: str) -> str | None:
        """Where the source of one of these modules lies now."""
        path = self._paths.get(module)
        return None if path is None else self._there(path)

    def unchanged(self) -> bool:
        """Whether every file that the sidecar was made from is the same, or none is there."""
        if self._unchanged is None:
            self._unchanged = self._belongs_here() and self._same_files()
        return self._unchanged

    def _same_files(self) -> bool:
        own = self._hash(self.own)
        if own is None:
            return True
        hashes = {source["module"]: source["hash"] for source in self._sidecar["sources"]}
        if hashes.get(self._sidecar["module"]) != own:
            return False
        return all(
            self._hash(self._there(path)) in (None, hashes[module])
            for module, path in self._paths.items()
            if path != self.own
        )

    def _there(self, path: str) -> str:
        """Where a source is now: a module may have become a package, or the reverse."""
        if self._hash(path) is not None:
            return path
        whole, is_package = path.removesuffix(".py"), os.path.basename(path) == "__init__.py"
        other = f"{os.path.dirname(path)}.py" if is_package else f"{whole}{os.sep}__init__.py"
        return path if self._hash(other) is None else other

    def _belongs_here(self) -> bool:
        """Whether the sidecar is this module's: either name may lack packages in front."""
        built, here = f".{self._sidecar['module']}", f".{self._module}"
        return built.endswith(here) or here.endswith(built) or here == ".__main__"

    def _hash(self, path: str) -> str | None:
        return hash_of(path, self._get_data)

    def reason_against(self, tool: ir.Tool) -> str | None:
        """What has changed of a tool's declarations, in words; None if nothing has."""
        if self.unchanged():
            return None
        if not self._belongs_here():
            return f"its sidecar was built for the module {self._sidecar['module']}"
        for declaration in tool.get("declarations", ()):
            path = self._paths.get(declaration["module"])
            path = path and self._there(path)
            if path is None or self._hash(path) is None:
                continue
            known = self.declarations(path)
            if known is None:
                return f"{shown(path)} is not Python as it stands"
            if known.hash(declaration["names"]) != declaration["hash"]:
                return self._said(tool, declaration, path)
        return None if tool.get("declarations") else f"{shown(self.own)} has changed"

    def _said(self, tool: ir.Tool, declaration: ir.Declaration, path: str) -> str:
        # Of one with "()" behind it, only the docstring does not count.
        known = list(dict.fromkeys(name.removesuffix("()") for name in declaration["names"]))
        names = [name for name in known if name != tool["key"]]
        what = [] if len(names) == len(known) else ["its declaration"]
        what += [*names[:3], f"one of {len(names) - 3} more"] if len(names) > 4 else names
        listed = " or ".join(part for part in (", ".join(what[:-1]), *what[-1:]) if part)
        return f"{listed or 'something'} has changed in {shown(path)}"

    def defines(self, tool: ir.Tool) -> bool:
        """Whether the module still has the function of an entry, as far as its source tells."""
        if self.unchanged() or ":" in tool["key"] or self._hash(self.own) is None:
            return True
        known = self.declarations(self.own)
        return known is None or known.has(tool["key"].partition("#")[0])

    def declarations(self, path: str) -> Declarations | None:
        """The declarations of a source file, read once; None where it is no Python."""
        if path not in self._declarations:
            self._declarations[path] = _read_declarations(self._get_data(path))
        return self._declarations[path]


def _read_declarations(data: bytes) -> Declarations | None:
    from importlib.util import decode_source

    from toolcall._declarations import Declarations

    try:
        return Declarations(decode_source(data))
    except (SyntaxError, UnicodeDecodeError):
        return None


_hashes: dict[str, tuple[int, int, str]] = {}
"""What files hashed to: path → modification time in ns, size, hash."""


def hash_of(path: str, get_data: GetData) -> str | None:
    """The hash of a source file, None where there is none. It is read again once it changed."""
    try:
        status = os.stat(path)
    except OSError:
        return _hash_through(path, get_data)
    kept = _hashes.get(path)
    if kept is not None and kept[:2] == (status.st_mtime_ns, status.st_size):
        return kept[2]
    found = _hash_through(path, get_data)
    if found is not None:
        _hashes[path] = status.st_mtime_ns, status.st_size, found
    return found


def _hash_through(path: str, get_data: GetData) -> str | None:
    """The hash of what the loader finds there, in a zip for example."""
    try:
        return file_hash(get_data(path))
    except OSError:
        return None


def shown(path: str) -> str:
    """A path as a person would write it: relative if it lies below the working directory."""
    try:
        relative = os.path.relpath(path)
    except (ValueError, OSError):  # another drive, or the working directory is gone
        return path
    return path if relative.startswith(os.pardir) else relative
