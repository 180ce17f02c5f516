"""What stands for tools: a source in, bound tools out.

A module, a class, an instance, a decorated function, a `Toolset`, a `Function`, an IR
tool and iterables of these are sources. Resolving one joins what the program marked
(`toolcall._tool`) with what the checker wrote (`toolcall._sidecar`), record by record in
`toolcall._bind`; here is decided which records a source means.

1. One tool that is stale or missing does not take the others with it: it is kept as the
   error that its use will raise.
2. What is resolved is kept no longer than what it came from: modules and module-level
   classes and functions live as long as the program; the rest is resolved anew, from
   records that keep the expensive part.
"""

from __future__ import annotations

from types import MethodType, ModuleType

from toolcall import _tool
from toolcall._bind import BoundTool as BoundTool  # noqa: PLC0414 - known by this name elsewhere
from toolcall._bind import bind, entry_name, records_of, used_records
from toolcall._verify import Malformed, verify_definition
from toolcall.errors import (
    DuplicateTool,
    Misuse,
    ToolcallError,
    ToolDefinitionError,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any, TypeAlias, Union

    from toolcall import ir
    from toolcall._tool import Registered

    Source: TypeAlias = Union[
        ModuleType, type, "Toolset", "ir.Definition", Callable[..., Any], Iterable["Source"], object
    ]


class Resolved:
    """The tools of one source, by name, in order.

    `broken` holds by name the error of each tool that is stale or has no schema;
    `refused` that of each method which needs an instance. `kept` is for what others
    remember of this source.
    """

    __slots__ = ("_errors", "broken", "kept", "refused", "source", "tools", "version")

    def __init__(self, source: object = None) -> None:
        self.source = source
        self.tools: dict[str, BoundTool] = {}
        self.broken: dict[str, ToolcallError] = {}
        self.refused: dict[str, Misuse] = {}
        self.kept: dict[Any, Any] = {}
        self._errors: list[tuple[str, ToolcallError]] = []
        self.version = _tool.version

    def find(self, name: str) -> BoundTool | None:
        """The tool of this name, None if there is none. Raises what its use must raise."""
        found = self.tools.get(name)
        if found is None:
            error = self.broken.get(name) or self.refused.get(name)
            if error is not None:
                raise error.with_traceback(None)
        return found

    def whole(self) -> dict[str, BoundTool]:
        """The tools, if none is broken; else one error that names all that are."""
        if not self._errors:
            return self.tools
        if len(self._errors) == 1:
            raise self._errors[0][1].with_traceback(None)
        kinds = {type(error) for _, error in self._errors}
        kind = kinds.pop() if len(kinds) == 1 else ToolcallError
        names = ", ".join(name for name, _ in self._errors)
        lines = dict.fromkeys(str(error) for _, error in self._errors)
        raise kind("\n".join([f"tools {names} cannot be used:", *lines]))

    def add(self, tool: BoundTool) -> None:
        """Take in a tool of a module or class, where the first of a name wins."""
        self.tools.setdefault(tool.tool["name"], tool)

    def add_broken(self, name: str, error: ToolcallError) -> None:
        """Take note of a tool that cannot be used."""
        self.broken.setdefault(name, error)
        self._errors.append((name, error))

    def merge(self, other: Resolved, prefix: str = "") -> None:
        """Take in another source, whose names must be new."""
        for name, tool in other.tools.items():
            named = tool.renamed(prefix + name) if prefix else tool
            mine = self.tools.setdefault(prefix + name, named)
            if mine is not named and not mine.is_same(named):
                raise DuplicateTool(
                    f"two tools have the name {prefix + name!r}: {mine.where()} and "
                    f"{named.where()}. Give one of the sources a prefix: "
                    f"Toolset([source], prefix=…)"
                )
        for name, error in other._errors:
            self.add_broken(prefix + name, error)
        self.refused.update({prefix + name: error for name, error in other.refused.items()})


class Toolset:
    """Several sources as one.

    `prefix` goes in front of every name. `lenient` is the default for calls through
    this set. Two tools of one name are a DuplicateTool error, on first use.
    """

    __slots__ = ("__weakref__", "_resolved", "_sources", "lenient", "prefix")

    def __init__(
        self, sources: Iterable[Source], *, prefix: str = "", lenient: bool = False
    ) -> None:
        if isinstance(sources, (str, ModuleType, type)):
            raise Misuse("a Toolset is made of a list of sources: Toolset([source])")
        self._sources = tuple(sources)
        self._resolved: Resolved | None = None
        self.prefix = prefix
        self.lenient = lenient

    def __repr__(self) -> str:
        prefix = f", prefix={self.prefix!r}" if self.prefix else ""
        return f"Toolset({list(self._sources)!r}{prefix})"

    def resolved(self) -> Resolved:
        """The tools, kept until something is marked anew."""
        kept = self._resolved
        if kept is None or kept.broken or kept.version != _tool.version:
            kept = Resolved(self)
            for source in self._sources:
                kept.merge(resolve(source), self.prefix)
            self._resolved = kept
        return kept


_kept: dict[int, Resolved] = {}


def resolve(source: Source) -> Resolved:
    """The tools of a source. Misuse if it is none."""
    kept = _kept.get(id(source))
    if kept is not None and kept.source is source and kept.version == _tool.version:
        return kept
    if isinstance(source, Toolset):
        return source.resolved()
    resolved = _resolve(source)
    if _lives_on(source) and not resolved.broken:
        _kept[id(source)] = resolved
    return resolved


def _lives_on(source: object) -> bool:
    """Whether a source is there as long as the program, and complete."""
    if isinstance(source, ModuleType):
        return not getattr(source.__spec__, "_initializing", False)
    if not isinstance(source, type):
        source = _tool.by_identity.get(id(source)) and source
    qualname = getattr(source, "__qualname__", "<locals>")
    return "<locals>" not in qualname and not isinstance(source, MethodType)


def _resolve(source: Any) -> Resolved:
    if isinstance(source, ModuleType):
        return _module(source)
    if isinstance(source, dict):
        return _definition(source)
    if isinstance(source, type):
        return _class(source)
    if hasattr(source, "__toolcall_definition__"):
        return _built_at_run_time(source)
    if isinstance(source, (str, bytes)):
        if source == "__main__":
            raise Misuse("a name is no source; the module that runs is: sys.modules[__name__]")
        raise Misuse(f"{source!r} is no source; import the module, or use load({source!r})")
    found = _function(source) or _instance(source)
    if found is not None:
        return found
    if callable(source):
        name = getattr(source, "__qualname__", type(source).__qualname__)
        raise Misuse(f"{name} is not a tool: it has no @tool")
    return _iterable(source)


def _iterable(sources: Any) -> Resolved:
    try:
        several = iter(sources)
    except TypeError:
        kind = type(sources).__qualname__
        raise Misuse(
            f"not a source: {kind}. A source is a module, a class or an object with tool "
            f"methods, a function under @tool, a Toolset, or a list of these"
        ) from None
    resolved = Resolved()
    for source in several:
        resolved.merge(resolve(source))
    return resolved


def _module(module: ModuleType) -> Resolved:
    resolved = Resolved(module)
    scope = vars(module)
    records = [
        record
        for record in _tool.registry.get(module.__name__, ())
        if record.at_module_level and record.scope is scope and record.is_current()
    ]
    extra = used_records(module.__name__, scope, records)
    found = [(tool, record) for record in records for tool in _bound(record, resolved)]
    for record in extra:
        found += [(tool, record) for tool in _bound(record, resolved)]
    latest = {tool.tool["key"]: record for tool, record in found}
    if extra:
        found.sort(key=lambda pair: pair[0].position)
    for tool, record in found:
        # Of two definitions of one name, or after a reload, the module holds the last.
        if latest[tool.tool["key"]] is record:
            resolved.add(tool)
    return resolved


def _bound(record: Registered, resolved: Resolved, key: str = "") -> tuple[BoundTool, ...]:
    """The record's tool, or nothing but a note of what is broken."""
    try:
        return (bind(record, key),)
    except ToolcallError as error:
        return _built(record, resolved, key, error)


def _built(
    record: Registered, resolved: Resolved, key: str, error: ToolcallError
) -> tuple[BoundTool, ...]:
    """The record's tool once its module was built again, where that is wanted."""
    from toolcall import _autobuild

    if _autobuild.is_on():
        try:
            return (_autobuild.again(record.scope, error, lambda: bind(record, key)),)
        except ToolcallError as again:
            error = again
    resolved.add_broken(entry_name(record, key), error)
    return ()


def _members(cls: type) -> Iterator[tuple[Any, Registered, str]]:
    """The marked members that a class ends up with, inherited ones first, and their keys."""
    members: dict[str, tuple[type, Any]] = {}
    for holder in reversed(cls.__mro__):
        members.update({name: (holder, value) for name, value in vars(holder).items()})
    for name, (holder, value) in members.items():
        function = getattr(value, "__func__", value) if _is_wrapped(value) else value
        records = records_of(function)
        if records:
            own = [record for record in records if record.module == holder.__module__]
            yield value, (own or records)[0], f"{holder.__qualname__}.{name}"


def _is_wrapped(value: object) -> bool:
    return isinstance(value, (staticmethod, classmethod))


def _class(cls: type) -> Resolved:
    resolved = Resolved(cls)
    for value, record, key in _members(cls):
        for tool in _bound(record, resolved, key):
            name = tool.tool["name"]
            if _is_wrapped(value):
                resolved.add(tool.bound(value.__get__(None, cls)))
            elif name not in resolved.tools:
                resolved.refused[name] = Misuse(
                    f"tool {name!r} is a method of {cls.__qualname__} and needs an instance: "
                    f"use {cls.__qualname__}(…) as the source"
                )
    return resolved


def _instance(source: Any) -> Resolved | None:
    cls = type(source)
    members = list(_members(cls))
    if not members:
        return None
    resolved = Resolved(source)
    for value, record, key in members:
        for tool in _bound(record, resolved, key):
            resolved.add(tool.bound(value.__get__(source, cls)))
    return resolved


def _function(source: Any) -> Resolved | None:
    """The tool of one marked function, or of one method taken from its class or instance."""
    records = records_of(source)
    method = isinstance(source, MethodType)
    if not records and method:
        records = records_of(source.__func__)
    if not records:
        return None
    modules = list(dict.fromkeys(record.module for record in records))
    if len(modules) > 1:
        raise Misuse(
            f"{getattr(source, '__qualname__', source)} is a tool of several modules "
            f"({', '.join(modules)}); use one of these as the source"
        )
    resolved = Resolved(source)
    for tool in _bound(records[-1], resolved):
        if tool.tool["binding"] == "instance" and not method:
            raise Misuse(
                f"tool {tool.tool['name']!r} is a method and needs an instance: "
                f"use the instance, or its bound method, as the source"
            )
        resolved.add(tool.bound(source))
    return resolved


def _definition(definition: Any) -> Resolved:
    try:
        verify_definition(definition)
    except Malformed as error:
        raise ToolDefinitionError(f"not an IR tool: {error}") from None
    return _single(definition, None, {})


def _built_at_run_time(function: Any) -> Resolved:
    """A tool that takes its arguments as they are: `__toolcall_call__(arguments, context)`.

    Its options say `whole` so that the dispatcher leaves decoding to it.
    """
    options = {**getattr(function, "__toolcall_options__", {}), "whole": True}
    return _single(function.__toolcall_definition__(), function.__toolcall_call__, options)


def _single(definition: ir.Definition, fn: Any, options: dict[str, Any]) -> Resolved:
    resolved = Resolved()
    tool = BoundTool(definition["tool"], definition["types"], fn, "", "")
    tool.options = dict(
        options, **({"options": definition["options"]} if "options" in definition else {})
    )
    resolved.add(tool)
    return resolved
