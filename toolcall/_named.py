"""Sources by what somebody typed: modules, packages, files, and what modules hold.

The commands that need the code of tools find it here; those that read sidecars alone have
`_cli.discovery`. Whatever goes wrong while a module is imported is told with its place.
"""

from __future__ import annotations

import importlib
import os
import sys
import traceback
from typing import TYPE_CHECKING

from toolcall import _package, _sidecar
from toolcall.errors import SchemaNotBuilt, SidecarError, ToolcallError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolcall._freshness import GetData


class NoSuchSource(ToolcallError):
    """What was named is not there, or cannot be imported; the text says why."""


def sources(text: str) -> Iterator[object]:
    """What one argument names."""
    if ":" in text and not os.path.exists(text):
        yield named(text)
    elif text.endswith(".py") or os.sep in text:
        yield imported(_module_of_file(text))
    else:
        for module in _modules(text):
            yield imported(module)


def _modules(name: str) -> list[str]:
    """A module, or of a package all modules that have tools."""
    if not all(part.isidentifier() for part in name.split(".")):
        raise NoSuchSource(f"{name!r} is neither a file nor the name of a module")
    # One without a sidecar is taken as well: it may register what has one, and its tools
    # say better than this file what they lack.
    found = [one[0] for one in _package._modules(name) if _has_tools(*one)]
    return found or [name]


def _has_tools(module: str, path: str, get_data: GetData) -> bool:
    try:
        _sidecar.load_file(path, module, get_data)
    except SchemaNotBuilt:
        return False
    except SidecarError:
        pass  # its tools say so when they are asked for
    return True


def _module_of_file(path: str) -> str:
    if not os.path.isfile(path):
        raise NoSuchSource(f"there is no file {path}")
    name = _sidecar.module_name(path)
    above = os.path.dirname(os.path.abspath(path))
    packages = name.count(".") + (os.path.basename(path) == "__init__.py")
    for _ in range(packages):
        above = os.path.dirname(above)
    sys.path.insert(0, above)
    return name


def imported(module: str) -> object:
    """A module by its name."""
    try:
        return importlib.import_module(module)
    except (Exception, SystemExit) as error:
        where = traceback.extract_tb(error.__traceback__)[-1]
        place = "" if "importlib" in where.filename else f" ({where.filename}, line {where.lineno})"
        said = f"{type(error).__name__}: {error}".rstrip(": ")
        raise NoSuchSource(f"{module} cannot be imported: {said}{place}") from error


def named(text: str) -> object:
    """What `MODULE:NAME` or `FILE:NAME` names."""
    module, _, path = text.rpartition(":")
    found = imported(_module_of_file(module) if module.endswith(".py") else module)
    for name in path.split("."):
        try:
            found = getattr(found, name)
        except AttributeError:
            raise NoSuchSource(f"{module} has no {path!r}") from None
    return found
