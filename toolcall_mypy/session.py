"""What lives as long as the plugin: the configuration and the files that were read.

In the daemon that is many runs, so everything here that remembers a file compares it
again after `refresh()`.
"""

from __future__ import annotations

import ast
import itertools
import os
import sys
from typing import TYPE_CHECKING

from mypy.build import default_data_dir
from mypy.modulefinder import (
    BuildSource,
    FindModuleCache,
    compute_search_paths,
    get_search_dirs,
)

from toolcall_mypy.config import unknown_type
from toolcall_mypy.contributions import Fingerprints
from toolcall_mypy.providers import Provider, Providers, provider_names
from toolcall_mypy.shelf import Shelf
from toolcall_mypy.sites import used_providers
from toolcall_mypy.source import docstrings
from toolcall_mypy.source.bodies import enum_members, typeddict_keys
from toolcall_mypy.source.files import SourceFiles
from toolcall_mypy.source.resolve import Trail

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from mypy.nodes import MypyFile
    from mypy.options import Options

    from toolcall import ir
    from toolcall_mypy.config import Config
    from toolcall_mypy.source.docstrings import Docstring
    from toolcall_mypy.source.index import ModuleIndex, Text


class Session:
    """Shared by all tools that one plugin instance assembles."""

    def __init__(self, options: Options, config: Config, modules: Mapping[str, MypyFile]) -> None:
        self.config = config
        self.modules = modules
        self._options = options
        self._finder: Finder | None = None
        self.files = SourceFiles(
            self._find, python_version=options.python_version, platform=options.platform
        )
        self.fingerprints = Fingerprints()
        self._providers: dict[str, tuple[tuple[str, str], ...]] = {}
        self._docstrings: dict[Text, Docstring] = {}
        self._shelves: dict[str, dict[tuple[tuple[str, str], ...], Shelf]] = {}
        self._configured: list[tuple[str, str]] | None = None
        self.asked: dict[str, set[str]] = {}
        """By module, the files of other modules whose tools its calls were checked against."""

    def refresh(self) -> None:
        """Files may have changed since they were read."""
        self.files.refresh()
        self._docstrings.clear()
        self._shelves.clear()
        self._providers.clear()
        self._configured = None
        self._finder = None

    def release(self, module: str) -> None:
        """The module's own tools are done, and few others will ask for it again.

        What is kept of many modules would make mypy's next garbage collection a long one.
        """
        self.fingerprints.release(module)
        self.forget_classes(module)
        self.files.release(module)

    def docstring(self, text: Text) -> Docstring:
        """A class's docstring, parsed once however many tools take the class."""
        kept = self._docstrings.get(text)
        if kept is None:
            kept = self._docstrings[text] = docstrings.parse(text.text, line=text.line)
        return kept

    def shelf(self, module: str, providers: tuple[tuple[str, str], ...]) -> Shelf | None:
        """The shelf of a module's tools that are offered these providers beside the module's."""
        if self._options.fine_grained_incremental:
            return None
        return self._shelves.setdefault(module, {}).setdefault(providers, Shelf())

    def forget_classes(self, module: str) -> None:
        """Have the classes that a module's tools take derived again."""
        self._shelves.pop(module, None)

    def providers_of(self, module: str) -> tuple[tuple[str, str], ...]:
        """The type providers that `use(types=…)` offers to a whole module."""
        if module not in self._providers and module in self.modules:
            self._providers[module] = used_providers(self.modules[module])
        return self._providers.get(module, ())

    def configured(self) -> list[tuple[str, str]]:
        """The type providers of the whole project, by module and qualified name.

        Raises:
            ConfigError: one of them does not exist.
        """
        if self._configured is None:
            self._configured = [self._configured_type(name) for name in self.config.types]
        return self._configured

    def _configured_type(self, fullname: str) -> tuple[str, str]:
        module, qualname = split(fullname, lambda name: self.files.index(name) is not None)
        if Providers(self.files, Trail()).read(module, qualname) is None:
            known = [f"{module}.{name}" for name in provider_names(module, self.files)]
            raise unknown_type(self._options.config_file, fullname, known)
        return module, qualname

    def split(self, fullname: str) -> tuple[str, str]:
        """A full name as module and qualified name, by the modules that mypy knows."""
        return split(fullname, self.modules.__contains__)

    def _find(self, module: str) -> str | None:
        """Where a module lies: as mypy has loaded it, else as mypy would find it."""
        found = self.modules.get(module)
        if found is not None:
            return found.path
        if module.partition(".")[0] in sys.stdlib_module_names:
            return None
        if self._finder is None:
            self._finder = Finder(self._options, self.modules)
        return self._finder.path(module)


class Finder:
    """Finds modules that mypy has not loaded where it would find them.

    What is installed without type hints is not found, as mypy does not find it.
    """

    def __init__(self, options: Options, modules: Mapping[str, MypyFile]) -> None:
        roots = {_root(file.path, name) for name, file in modules.items()}
        roots.difference_update(["", *itertools.chain(*get_search_dirs(options.python_executable))])
        sources = [BuildSource(None, None, base_dir=root) for root in sorted(roots)]
        paths = compute_search_paths(sources, options, default_data_dir())
        self._cache = FindModuleCache(paths, None, options)

    def path(self, module: str) -> str | None:
        found = self._cache.find_module(module)
        return found if isinstance(found, str) and os.path.isfile(found) else None


def _root(path: str, module: str) -> str:
    """The folder that a module's dotted name begins in; empty for what has none."""
    name, extension = os.path.splitext(os.path.abspath(path))
    inside = os.path.join(os.sep, *module.split("."))
    if os.path.basename(name) == "__init__":
        name = os.path.dirname(name)
    return name.removesuffix(inside) if extension == ".py" and name.endswith(inside) else ""


def split(fullname: str, exists: Callable[[str], bool]) -> tuple[str, str]:
    """A full name as module and qualified name; no module where none exists."""
    module, _, qualname = fullname.rpartition(".")
    while module and not exists(module):
        module, _, outer = module.rpartition(".")
        qualname = f"{outer}.{qualname}"
    return module, qualname


class SourceLookup:
    """What derivation asks of the sources, for one tool and the providers offered to it."""

    def __init__(self, session: Session, trail: Trail, offered: Iterable[tuple[str, str]]) -> None:
        self._session = session
        self._trail = trail
        self._providers = Providers(session.files, trail)
        self._offered = self._providers.offered([*offered, *session.configured()])
        self.used: list[Provider] = []

    def enum_values(self, fullname: str) -> Sequence[tuple[str, object]] | None:
        module, qualname = self._split(fullname)
        index = self._read(module, qualname)
        return None if index is None else enum_members(qualname, index, self._session.files)

    def keys(self, fullname: str) -> Sequence[str] | None:
        module, qualname = self._split(fullname)
        index = self._read(module, qualname)
        return None if index is None else typeddict_keys(qualname, index, self._session.files)

    def _split(self, fullname: str) -> tuple[str, str]:
        """Module and qualified name, also of a class that mypy names `module.Name@line`."""
        module, qualname = self._session.split(fullname)
        name, marked, line = qualname.partition("@")
        known = self.qualname(module, name, int(line)) if marked and line.isdecimal() else None
        return module, known or qualname

    def _read(self, module: str, qualname: str) -> ModuleIndex | None:
        """The module's index; what is read there is a part of the schema."""
        index = self._session.files.index(module)
        if index is not None:
            self._trail.add(index, qualname)
        return index

    def provider(self, fullname: str, args: Sequence[ir.Type]) -> ir.Type | None:
        found = self._offered.get(fullname)
        if found is None:
            found = self._providers.of_class(*self._session.split(fullname))
        return None if found is None else self._use(found, args)

    def named_provider(self, name: ir.ClassName) -> ir.Type | None:
        """The type of a provider that an annotation names itself."""
        module, _, qualname = name.partition(":")
        found = self._providers.read(module, qualname)
        return None if found is None else self._use(found)

    def _use(self, provider: Provider, args: Sequence[ir.Type] = ()) -> ir.Type:
        if provider not in self.used:
            self.used.append(provider)
        return provider.node(args)

    def qualname(self, module: str, name: str, line: int) -> str | None:
        index = self._session.files.index(module)
        if index is None:
            return None
        for qualname in index.classes:
            if qualname.rpartition(".")[2] == name:
                cls = index.classes.at(qualname, line)
                if cls is not None and line in (cls.line, cls.def_line):
                    return qualname
        for qualname in index.assigned:
            if qualname.rpartition(".")[2] == name:
                made = index.assigned.at(qualname, line)
                if made is not None and made.line == line and isinstance(made.value, ast.Call):
                    return qualname
        return None
