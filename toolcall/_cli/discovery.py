"""The tool modules that a command is about, found without importing any of them.

Modules are given by name, as files, or as folders; nothing given means the working
directory. What is below it is found by walking; a name that is not there is looked for
among what is installed. A module counts when a sidecar lies where its sidecar belongs.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

from toolcall import _package, _sidecar, ir
from toolcall.errors import Misuse, SidecarError, ToolcallError

NOT_OURS = {"node_modules", "site-packages", "dist-packages"}
"""Folders that hold other people's code wherever they lie."""


@dataclass(frozen=True, slots=True)
class Module:
    """A module with a sidecar, or with one that cannot be read (`loaded` is the error)."""

    name: str
    path: str
    loaded: _sidecar.Loaded | SidecarError


def find(given: Iterable[str], app: str | None = None) -> list[Module]:
    """The modules meant, sorted by name.

    Args:
        given: Module or package names, files, folders; none for the working directory.
        app: A package to which the search is narrowed.

    Raises:
        typer.BadParameter: Something given is not there, or has no sidecar.
    """
    found: dict[str, Module] = {}
    for text in list(given) or ["."]:
        modules = list(_below(Path(text)) if Path(text).exists() else _named(text))
        if not modules and text != ".":
            _refuse(f"{text} has no sidecar; `toolcall build` writes them")
        found.update((module.path, module) for module in modules)
    kept = (each for each in found.values() if app is None or _is_within(each.name, app))
    return sorted(kept, key=lambda module: (module.name, module.path))


def sources(paths: Iterable[Path]) -> Iterator[Path]:
    """All Python files at or below these paths, but for what is installed or hidden."""
    for path in paths:
        if path.is_file():
            yield path
            continue
        for folder, folders, names in os.walk(path):
            folders[:] = sorted(name for name in folders if _is_ours(Path(folder, name)))
            yield from (Path(folder, name) for name in sorted(names) if name.endswith(".py"))


def sidecars(paths: Iterable[Path]) -> Iterator[Path]:
    """All files in `__toolcall__` folders at or below these paths."""
    for path in paths:
        for folder, folders, names in os.walk(path):
            folders[:] = sorted(name for name in folders if _is_ours(Path(folder, name)))
            if os.path.basename(folder) == _sidecar.FOLDER:
                yield from (Path(folder, name) for name in sorted(names))


def exposed(module: Module) -> Iterator[ir.Tool]:
    """The tools that the module itself has: no methods, nothing from inside a function.

    Raises:
        ToolcallError: The sidecar cannot be read, or one of the tools is stale.
    """
    loaded = readable(module)
    for tool in loaded.tools:
        if _package._stands_alone(tool) and loaded.freshness.defines(tool):
            loaded.check(tool)
            yield tool


def readable(module: Module) -> _sidecar.Loaded:
    """The module's sidecar.

    Raises:
        SidecarError: It cannot be read.
    """
    if isinstance(module.loaded, SidecarError):
        raise module.loaded
    return module.loaded


def load(path: Path, name: str | None = None) -> Module | None:
    """The module of a source file, None if it has no sidecar."""
    known = name or _sidecar.module_name(str(path))
    try:
        loaded = _sidecar.load_file(str(path), known, _sidecar.read_file)
    except SidecarError as error:
        return Module(known, str(path), error)
    except ToolcallError:
        return None
    return Module(loaded.sidecar["module"], str(path), loaded)


def _below(path: Path) -> Iterator[Module]:
    return (module for source in sources([path]) if (module := load(source)) is not None)


def _named(name: str) -> Iterator[Module]:
    """A module or package by its name: below the working directory, else installed."""
    here = [module for module in _below(Path()) if _is_within(module.name, name)]
    if here:
        return iter(here)
    unbuilt = Path(*name.split("."))
    for path in (unbuilt.with_suffix(".py"), unbuilt / "__init__.py"):
        if path.is_file():
            _refuse(f"{path} has no sidecar; `toolcall build` writes them")
    return _installed(name)


def _installed(name: str) -> Iterator[Module]:
    if not all(part.isidentifier() for part in name.split(".")):
        _refuse(f"{name} is neither a file nor the name of a module")
    try:
        places = list(_package._modules(name))
    except Misuse as error:
        _refuse(str(error))
    return (module for _, path, _ in places if (module := load(Path(path))) is not None)


def _is_within(module: str, package: str) -> bool:
    return module == package or module.startswith(f"{package}.")


def _is_ours(folder: Path) -> bool:
    if folder.name.startswith(".") or folder.name in NOT_OURS:
        return False
    return not (folder / "pyvenv.cfg").exists() and folder != Path(sys.prefix)


def _refuse(text: str) -> NoReturn:
    import typer  # the build hook walks files where it is not installed

    raise typer.BadParameter(text) from None
