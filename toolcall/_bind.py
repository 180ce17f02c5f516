"""One record and the entry it belongs to, joined to a bound tool.

`toolcall._tool` knows the function, the sidecar knows what it takes, and they agree only
on names: this file knows how. It does not know what a source is.

A function is found by its qualname, because the checker knows no objects. Where a
decorator hid that, the name under which the module or class holds the object is tried;
where a function of the standard library calls itself something else than its stub does,
its plain name.
"""

from __future__ import annotations

import sys
from types import FunctionType

from toolcall import _tool
from toolcall._sidecar import load
from toolcall.errors import SchemaNotBuilt, StaleSchema

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any

    from toolcall import ir
    from toolcall._sidecar import Loaded
    from toolcall._tool import Registered


_NO_OPTIONS: dict[str, Any] = {}
_NO_LOCALS: dict[str, type] = {}


class BoundTool:
    """A tool and the function behind it.

    `tool` is the sidecar's entry, verified. `fn` takes the tool's parameters as they are:
    methods are bound. It is None for what was loaded without code. `owner` is the module
    that made it a tool, `module` the one that declares it, `locals` the classes of the
    function it was marked in, `options` what its decorator said. `of` is the tool that
    this one is a bound form of, or itself: what is worked out once for all instances
    belongs there.
    """

    __slots__ = (
        "_fast",
        "fn",
        "locals",
        "module",
        "of",
        "options",
        "owner",
        "position",
        "tool",
        "types",
    )

    def __init__(
        self,
        tool: ir.Tool,
        types: dict[str, ir.Type],
        fn: Any,
        owner: str,
        module: str,
    ) -> None:
        self.tool = tool
        self.types = types
        self.fn = fn
        self.owner = owner
        self.module = module
        self.locals = _NO_LOCALS
        self.options = _NO_OPTIONS
        self.position = 0
        self.of = self
        self._fast: Any = None

    def __repr__(self) -> str:
        return f"<BoundTool {self.tool['name']} of {self.where()}>"

    def where(self) -> str:
        """The tool's place, for messages."""
        key = self.tool["key"]
        return key.replace(":", ".") if ":" in key else f"{self.owner}.{key}".lstrip(".")

    def is_same(self, other: BoundTool) -> bool:
        """Whether two bound tools are one tool in front of one function."""
        mine, theirs = self.tool["key"], other.tool["key"]
        return self.fn is other.fn and (self.owner, mine) == (other.owner, theirs)

    def definition(self) -> ir.Definition:
        """The tool by itself."""
        made: ir.Definition = {"tool": self.tool, "types": self.types}
        if "options" in self.options:
            made["options"] = self.options["options"]
        return made

    def bound(self, fn: Any) -> BoundTool:
        """The same tool in front of another function."""
        if fn is self.fn:
            return self
        other = self._like(self.tool, fn)
        other.of = self.of
        return other

    def renamed(self, name: str) -> BoundTool:
        """The same tool under another name."""
        tool = self.tool.copy()
        tool["name"] = name
        return self._like(tool, self.fn)

    def _like(self, tool: ir.Tool, fn: Any) -> BoundTool:
        other = BoundTool(tool, self.types, fn, self.owner, self.module)
        other.locals = self.locals
        other.options = self.options
        other.position = self.position
        return other


def records_of(function: Any) -> list[Registered]:
    """Every record of a function: of `@tool`, of `tool(f)`, of a module with `use`."""
    carried = getattr(function, "__dict__", {}).get(_tool.ATTRIBUTE)
    if carried is not None and carried.function is function:
        return [carried]
    found = _tool.by_identity.get(id(function))
    if found:
        return found
    used = _tool.used.get(getattr(function, "__module__", None) or "")
    if used is None or used.scope is not getattr(function, "__globals__", None):
        return []
    records = used_records(function.__module__, used.scope, [])
    return [record for record in records if record.function is function]


def used_records(
    module: str, scope: Mapping[str, Any], marked: list[Registered]
) -> list[Registered]:
    """Records for the functions that `use(__name__)` makes tools and nobody marked."""
    used = _tool.used.get(module)
    if used is None or used.scope is not scope:
        return []
    explicit = {id(record.function) for record in marked}
    records = []
    for name, value in list(scope.items()):
        if _is_used(name, value, module) and id(value) not in explicit:
            record = used.records.get(name)
            if record is None or record.function is not value:
                record = used.records[name] = _tool.record(value, used.scope)
            records.append(record)
    return records


def _is_used(name: str, value: Any, module: str) -> bool:
    return (
        not name.startswith("_")
        and callable(value)
        and not isinstance(value, type)
        and getattr(value, "__qualname__", None) == name
        and getattr(value, "__module__", None) == module
        and not hasattr(value, _tool.HIDDEN)
        and _has_annotations(value)
    )


def _has_annotations(function: Any) -> bool:
    """Whether a function has any annotation, without evaluating one."""
    if sys.version_info >= (3, 14):  # pragma: no cover - reading __annotations__ evaluates them
        return getattr(function, "__annotate__", None) is not None
    return bool(getattr(function, "__annotations__", None))


def bind(record: Registered, key: str = "") -> BoundTool:
    """The bound tool of a record.

    `key` is the name under which a class holds the function. SchemaNotBuilt, StaleSchema
    or SidecarError where that cannot be.
    """
    if record.bound is not None:
        kept: BoundTool = record.bound
        return kept
    if not record.is_current():
        raise StaleSchema(
            f"tool {entry_name(record, key)!r} is from before its module {record.module} was "
            f"reloaded; take it from the module again"
        )
    loaded = load(record.scope)
    position = _position(record, loaded, key)
    if position is None:
        raise SchemaNotBuilt(
            f"tool {entry_name(record, key)!r} has no schema in its module's sidecar. "
            f"{loaded.cure()}"
        )
    entry = loaded.tools[position]
    loaded.check(entry)
    function = record.function
    function = function if type(function) is FunctionType else _plain(function)
    declared = getattr(function, "__module__", None) or record.module
    bound = BoundTool(entry, loaded.types, record.function, record.module, declared)
    bound.locals = record.locals
    bound.options = _options(record)
    bound.position = position
    record.bound = bound
    return bound


def _options(record: Registered) -> dict[str, Any]:
    """What the decorator said, with the type providers of its module behind its own."""
    used = _tool.used.get(record.module)
    if used is None or not used.types or used.scope is not record.scope:
        return record.options
    return dict(record.options, types=(*record.options.get("types", ()), *used.types))


def entry_name(record: Registered, key: str = "") -> str:
    """The tool's name as far as the program knows it."""
    if "name" in record.options:
        return str(record.options["name"])
    return key.rpartition(".")[2] or own_name(record.function)


def own_name(function: Any) -> str:
    """What a tool is called unless told: a callable object after its class, a partial after
    its function."""
    name = getattr(_plain(function), "__name__", None)
    return name if isinstance(name, str) else _snake_case(type(function).__name__)


def _snake_case(name: str) -> str:
    """`HTTPSearch2` → `http_search2`."""
    out = ""
    for at, char in enumerate(name):
        after_lower = at > 0 and not name[at - 1].isupper() and name[at - 1] != "_"
        before_lower = at > 0 and name[at - 1] != "_" and name[at + 1 : at + 2].islower()
        out += ("_" if char.isupper() and (after_lower or before_lower) else "") + char.lower()
    return out


def _plain(function: Any) -> Any:
    """The function inside a partial."""
    functools = sys.modules.get("functools")
    while functools is not None and isinstance(function, functools.partial):
        function = function.func
    return function


def _position(record: Registered, loaded: Loaded, key: str) -> int | None:
    """Where a record's entry stands; None if there is none, or if it cannot be told."""
    function = record.function
    if type(function) is FunctionType and function.__module__ == record.module:
        found = loaded.find(function.__qualname__)  # what the candidates come to for most
        if len(found) == 1 and _written_name(record) is None:
            return found[0]
    for candidate in _candidates(record, key):
        found = loaded.find(candidate)
        if len(found) > 1:
            name = entry_name(record, key)
            named = [at for at in found if loaded.tools[at]["name"] == name] or found
            return named[0] if len(named) == 1 else _by_line(record, loaded, candidate, named)
        if found:
            return found[0]
    return None


def _by_line(record: Registered, loaded: Loaded, key: str, found: Sequence[int]) -> int | None:
    """Of the entries of several definitions under one name, that of the function's own line.

    Lines may have moved since, so the definitions are counted in the source as it is now.
    """
    line = _line(record.function)
    lines = [loaded.tools[at].get("line") for at in found]
    if line is None or loaded.freshness.unchanged():
        return found[lines.index(line)] if line in lines else found[-1]
    known = loaded.freshness.declarations(loaded.freshness.own)
    now = [] if known is None else known.lines(key)
    order = sorted(range(len(found)), key=lambda at: lines[at] or 0)
    return found[order[now.index(line)]] if len(now) == len(found) and line in now else None


def _candidates(record: Registered, key: str) -> Iterator[str]:
    function = _plain(record.function)
    written = _written_name(record)
    if written is not None:
        yield written
    named = function if hasattr(function, "__qualname__") else type(function)
    behind = "" if named is record.function else f"#{entry_name(record)}"
    qualname, module = named.__qualname__, getattr(named, "__module__", None)
    if module is None:  # a method made in C
        owner = getattr(named, "__objclass__", None) or _holder(named)
        module = owner.__module__
        qualname = f"{owner.__qualname__}.{named.__name__}"
    if module in (record.module, record.scope.get("__name__")):
        yield f"{qualname}{behind}"
    else:
        yield f"{module}:{qualname}{behind}"
        yield f"{module}:{qualname.rpartition('.')[2]}{behind}"
    if key:
        yield key
    for name, value in record.scope.items():
        if value is record.function:
            yield name


def _holder(method: Any) -> type:
    """The class that a bound method made in C stands in."""
    given = method.__self__
    cls = given if isinstance(given, type) else type(given)
    return next((one for one in cls.__mro__ if method.__name__ in vars(one)), cls)


def _written_name(record: Registered) -> str | None:
    """What a function was called where it stands, if it took over another one's name since."""
    function = record.function
    code = getattr(function, "__code__", None)
    if code is None or getattr(function, "__globals__", None) is not record.scope:
        return None
    written: str = getattr(code, "co_qualname", code.co_name)  # new in Python 3.11
    if written == function.__qualname__:
        return None
    is_whole = hasattr(code, "co_qualname") or record.scope.get(written) is function
    return written if is_whole else None


def _line(function: Any) -> int | None:
    """Where a function's definition starts, its decorators included."""
    function = _plain(function)
    for _ in range(100):
        inner = getattr(function, "__wrapped__", None)
        if inner is None:
            break
        function = inner
    code = getattr(function, "__code__", None)
    return None if code is None else int(code.co_firstlineno)
