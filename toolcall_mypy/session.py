"""What lives as long as the plugin: the configuration and the files that were read.

In the daemon that is many runs, so everything here that remembers a file compares it
again after `refresh()`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolcall_mypy.contributions import Fingerprints
from toolcall_mypy.providers import Provider, Providers
from toolcall_mypy.sites import used_providers
from toolcall_mypy.source import docstrings
from toolcall_mypy.source.bodies import enum_members, typeddict_keys
from toolcall_mypy.source.files import SourceFiles

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from mypy.nodes import MypyFile
    from mypy.options import Options

    from toolcall import ir
    from toolcall_mypy.config import Config
    from toolcall_mypy.source.docstrings import Docstring
    from toolcall_mypy.source.index import ModuleIndex, Text
    from toolcall_mypy.source.resolve import Trail


class Session:
    """Shared by all tools that one plugin instance assembles."""

    def __init__(self, options: Options, config: Config, modules: Mapping[str, MypyFile]) -> None:
        self.config = config
        self.modules = modules
        self.files = SourceFiles(
            self._find, python_version=options.python_version, platform=options.platform
        )
        self.fingerprints = Fingerprints()
        self._providers: dict[str, tuple[tuple[str, str], ...]] = {}
        self._docstrings: dict[Text, Docstring] = {}
        self.asked: dict[str, set[str]] = {}
        """By module, the files of other modules whose tools its calls were checked against."""

    def refresh(self) -> None:
        """Files may have changed since they were read."""
        self.files.refresh()
        self._docstrings.clear()
        self._providers.clear()

    def release(self, module: str) -> None:
        """The module's own tools are done, and few others will ask for it again.

        What is kept of many modules would make mypy's next garbage collection a long one.
        """
        self.fingerprints.release(module)
        self.files.release(module)

    def docstring(self, text: Text) -> Docstring:
        """A class's docstring, parsed once however many tools take the class."""
        kept = self._docstrings.get(text)
        if kept is None:
            kept = self._docstrings[text] = docstrings.parse(text.text, line=text.line)
        return kept

    def providers_of(self, module: str) -> tuple[tuple[str, str], ...]:
        """The type providers that `use(types=…)` offers to a whole module."""
        if module not in self._providers and module in self.modules:
            self._providers[module] = used_providers(self.modules[module])
        return self._providers.get(module, ())

    def split(self, fullname: str) -> tuple[str, str]:
        """A full name as module and qualified name, by the modules that mypy knows."""
        module, _, qualname = fullname.rpartition(".")
        while module and module not in self.modules:
            module, _, outer = module.rpartition(".")
            qualname = f"{outer}.{qualname}"
        return module, qualname

    def _find(self, module: str) -> str | None:
        found = self.modules.get(module)
        return found.path if found is not None else None


class SourceLookup:
    """What derivation asks of the sources, for one tool and the providers offered to it."""

    def __init__(self, session: Session, trail: Trail, offered: Iterable[tuple[str, str]]) -> None:
        self._session = session
        self._trail = trail
        self._providers = Providers(session.files, trail)
        configured = [session.split(name) for name in session.config.types]
        self._offered = self._providers.offered([*offered, *configured])
        self.used: list[Provider] = []

    def enum_values(self, fullname: str) -> Sequence[tuple[str, object]] | None:
        module, qualname = self._session.split(fullname)
        index = self._read(module, qualname)
        return None if index is None else enum_members(qualname, index, self._session.files)

    def keys(self, fullname: str) -> Sequence[str] | None:
        module, qualname = self._session.split(fullname)
        index = self._read(module, qualname)
        return None if index is None else typeddict_keys(qualname, index, self._session.files)

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
        return None
