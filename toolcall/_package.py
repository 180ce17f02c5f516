"""`load("package")`: the tools of a package from its sidecars alone.

For gateways and registries, which show tools and route calls but do not run them. None
of the package's code is imported: where a package lies is asked by its top-level name,
which runs nothing, and from there on only names of folders and files are looked at. In
a zip these are its members.

A source that is there is compared with its sidecar as always. A module without a
sidecar has no tools as far as one can tell without running it.
"""

from __future__ import annotations

import os
import sys

from toolcall._bind import BoundTool
from toolcall._sidecar import CACHE_DIR_VARIABLE, FOLDER, load_late, read_file
from toolcall._source import Resolved, Toolset
from toolcall.errors import Misuse, SchemaNotBuilt, ToolcallError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from importlib.machinery import ModuleSpec

    from toolcall import ir
    from toolcall._sidecar import Loaded

_SUFFIXES = (".py", ".pyc", ".so", ".pyd")


class Package(Toolset):
    """The tools of a package or module that is not imported. To emit and describe, not to run."""

    __slots__ = ("_name",)

    def __init__(self, name: str) -> None:
        super().__init__(())
        self._name = name

    def __repr__(self) -> str:
        return f"load({self._name!r})"

    def resolved(self) -> Resolved:
        if self._resolved is None or self._resolved.broken:
            resolved = Resolved(self)
            for module, path, get_data in _modules(self._name):
                resolved.merge(_of_module(module, path, get_data))
            self._resolved = resolved
        return self._resolved


def load(name: str) -> Package:
    """The tools of a package and all modules below it, or of one module, without its code.

    `name` is the full name; Misuse if there is none of that name. Two tools of one name
    are a DuplicateTool error: load the modules one by one then, and give them prefixes in
    a Toolset.
    """
    package = Package(name)
    package.resolved()
    return package


def _of_module(module: str, path: str, get_data: Callable[[str], bytes]) -> Resolved:
    resolved = Resolved()
    try:
        loaded = load_late(path, module, get_data)
    except SchemaNotBuilt:
        return resolved
    for tool in loaded.tools:
        if _stands_alone(tool) and tool["name"] not in resolved.tools:
            _add(resolved, tool, loaded, module)
    return resolved


def _add(resolved: Resolved, tool: ir.Tool, loaded: Loaded, module: str) -> None:
    try:
        if not loaded.freshness.defines(tool):
            return
        loaded.check(tool)
    except ToolcallError as error:
        resolved.add_broken(tool["name"], error)
        return
    declared = tool["key"].rpartition(":")[0] or module
    resolved.add(BoundTool(tool, loaded.types, None, module, declared))


def _stands_alone(tool: ir.Tool) -> bool:
    """Whether the module itself has the tool: no method, nothing from inside a function."""
    return tool["binding"] == "function" and "<locals>" not in tool["key"]


def _modules(name: str) -> Iterator[tuple[str, str, Callable[[str], bytes]]]:
    """Each module at or below a name that may have a sidecar: its name, its file, its reader."""
    top, *rest = name.split(".")
    known = False
    for folder, member, get_data in _places(top):
        for path in sorted(_files(folder)) if member is None else [member]:
            module = _name_of(path, folder, top) if member is None else top
            if module == name or module.startswith(f"{name}."):
                known = True
                yield module, path, get_data
    if not known and not rest:
        return
    if not known:
        raise Misuse(
            f"{top} has no module {name!r} with a schema: it is called otherwise, or "
            f"`toolcall build {name}` was not run"
        )


def _places(top: str) -> Iterator[tuple[str, str | None, Callable[[str], bytes]]]:
    """Where a top-level name lies: folders of a package, or the file of a module."""
    spec = _spec(top) if top else None
    if spec is None:
        raise Misuse(f"there is no package or module {top!r} on sys.path")
    get_data = getattr(spec.loader, "get_data", None) or read_file
    if spec.submodule_search_locations is not None:
        for folder in spec.submodule_search_locations:
            yield folder, None, get_data
    elif spec.origin:
        yield os.path.dirname(spec.origin), spec.origin, get_data


def _spec(top: str) -> ModuleSpec | None:
    """`importlib.util.find_spec` for a top-level name, without the modules that it loads."""
    loaded = sys.modules.get(top)
    if loaded is not None:
        return loaded.__spec__
    found = (finder.find_spec(top, None) for finder in sys.meta_path)
    return next((spec for spec in found if spec is not None), None)


def _name_of(path: str, folder: str, top: str) -> str:
    inside = os.path.relpath(path, folder).split(os.sep)
    parts = [top, *inside[:-1], inside[-1].split(".", 1)[0]]
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _files(folder: str) -> Iterator[str]:
    """The modules below a folder, or a folder in a zip, that may have a sidecar."""
    everywhere = bool(os.environ.get(CACHE_DIR_VARIABLE))
    for where, names in _walk(folder):
        sidecars = names.get(FOLDER, ())
        for stem in {name.split(".", 1)[0] for name in names if name.endswith(_SUFFIXES)}:
            if everywhere or f"{stem}.json" in sidecars:
                yield os.path.join(where, f"{stem}.py")


def _walk(folder: str) -> Iterator[tuple[str, dict[str, list[str]]]]:
    """Every folder below one, with its files, and with the files in its `__toolcall__`."""
    if not os.path.isdir(folder):
        yield from _walk_zip(folder)
        return
    for where, folders, files in os.walk(folder):
        names: dict[str, list[str]] = {file: [] for file in files}
        if FOLDER in folders:
            names[FOLDER] = os.listdir(os.path.join(where, FOLDER))
        folders[:] = [name for name in folders if name.isidentifier() and name[:2] != "__"]
        yield where, names


def _walk_zip(folder: str) -> Iterator[tuple[str, dict[str, list[str]]]]:
    from zipfile import ZipFile, is_zipfile

    archive = folder
    while not os.path.isfile(archive) and os.path.dirname(archive) != archive:
        archive = os.path.dirname(archive)
    if not is_zipfile(archive):
        return
    found: dict[str, dict[str, list[str]]] = {}
    with ZipFile(archive) as zipped:
        members = zipped.namelist()
    for member in members:
        where, name = os.path.split(os.path.join(archive, *member.split("/")))
        outer, last = os.path.split(where)
        if last == FOLDER:
            found.setdefault(outer, {}).setdefault(FOLDER, []).append(name)
        else:
            found.setdefault(where, {})[name] = []
    for where, names in found.items():
        if where == folder or where.startswith(folder + os.sep):
            yield where, names
