"""`@tool`, `use` and `hidden`: marks that cost nothing until a tool is wanted.

Marking appends one small record to a list of the module that calls; nothing is read,
checked or wrapped. `toolcall._source` joins the records with the sidecars on first use.
This file runs in every import of a user's module, so it imports nothing.

1. The function comes back as it is. What the model sees of it is in the sidecar; what
   only the runtime needs (timeout, thread, …) is in the record.
2. A function made inside a function carries its record itself, so that it can be
   collected with it; everything else is listed under the module for as long as that lives.
3. A method that an object marks of itself (`tool(self.find)`) is marked for its class, once:
   a record for every object would keep all of them alive.
4. Classes local to a function are remembered when it is marked, since no later time
   knows them: the decoder may have to build one.
"""

from __future__ import annotations

from sys import _getframe

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from types import FrameType
    from typing import Any, TypeVar, Union, overload

    F = TypeVar(
        "F", bound=Union[Callable[..., Any], "staticmethod[..., Any]", "classmethod[Any, ..., Any]"]
    )
else:

    def overload(function):
        return function


_FUNCTION_BODY = 0x3
"""CO_OPTIMIZED | CO_NEWLOCALS: the code flags of a function's body, not a module's or class's."""

ATTRIBUTE = "__toolcall__"
"""Where a function made inside a function carries its record."""

HIDDEN = "__toolcall_hidden__"


class Registered:
    """One marked function: who marked it, where, and what only the runtime needs.

    `scope` is the marking module's namespace and tells two modules of one name apart;
    `spec` is its `__spec__` at that time and tells what was marked before a reload.
    `bound` is for the resolver's own use.
    """

    __slots__ = (
        "at_module_level",
        "bound",
        "function",
        "locals",
        "module",
        "options",
        "scope",
        "spec",
    )

    function: Any
    module: str
    scope: dict[str, Any]
    spec: Any
    options: dict[str, Any]
    locals: dict[str, type]
    at_module_level: bool
    bound: Any

    def __repr__(self) -> str:
        return f"<Registered {self.function!r} by {self.module}>"

    def is_current(self) -> bool:
        """Whether the module has not been reloaded since."""
        return bool(self.spec is self.scope.get("__spec__"))


class Used:
    """One module that made all of its public functions tools."""

    __slots__ = ("records", "scope", "types")

    def __init__(self, scope: dict[str, Any], types: tuple[Any, ...]) -> None:
        self.scope = scope
        self.types = types
        self.records: dict[str, Registered] = {}


registry: dict[str, list[Registered]] = {}
"""What each module has marked, in order, functions made inside functions left out."""

by_identity: dict[int, list[Registered]] = {}
"""The same records by `id` of the function."""

used: dict[str, Used] = {}

version = 0
"""Grows with every change of the three tables: what was resolved before may be incomplete."""

ready: dict[object, dict[str, Any]] = {}
"""The calls that need no more than to be called, by source and name, see `_dispatch`. Whoever
changes what a call means (these tables, or who listens) empties it afterwards."""

_NO_OPTIONS: dict[str, Any] = {}
_NO_LOCALS: dict[str, type] = {}


class Configured:
    """`tool(...)` with options: the decorator they make."""

    __slots__ = ("_options",)

    def __init__(self, options: dict[str, Any]) -> None:
        self._options = options

    def __call__(self, function: F, /) -> F:
        """Mark the function and return it."""
        _register(function, _getframe(1), self._options)
        return function


@overload
def tool(function: F, /) -> F: ...


@overload
def tool(  # noqa: F811 - ruff knows overload only by its import
    *,
    name: str = ...,
    title: str = ...,
    description: str = ...,
    concurrent: bool = ...,
    timeout: float | None = ...,
    thread: bool | None = ...,
    types: Iterable[Any] = ...,
    options: Mapping[str, Any] = ...,
    read_only: bool = ...,
    destructive: bool = ...,
    idempotent: bool = ...,
    open_world: bool = ...,
) -> Configured: ...


def tool(  # noqa: F811
    function: Any = None,
    /,
    *,
    name: str | None = None,
    title: str | None = None,
    description: str | None = None,
    concurrent: bool | None = None,
    timeout: float | None = None,
    thread: bool | None = None,
    types: Iterable[Any] | None = None,
    options: Mapping[str, Any] | None = None,
    read_only: bool | None = None,
    destructive: bool | None = None,
    idempotent: bool | None = None,
    open_world: bool | None = None,
) -> Any:
    """Make a function a tool: `@tool`, `@tool(...)` or, for one from elsewhere, `tool(f)`.

    The function comes back unchanged. What the model sees must be written literally,
    because the checker reads it: `name`, `title` and `description` replace the
    function's own; `types` are type providers for this tool; `read_only`,
    `destructive`, `idempotent` and `open_world` are promises about its effects.

    The rest is for the program. `concurrent`: calls of one message may overlap.
    `timeout`: seconds for one call. `thread`: whether a sync tool runs in a thread under
    `arun` (by default it does). `options`: whatever a vendor reads beside the tool
    (`{"cache_control": …}`).

    TypeError for an unknown option or something that cannot be called.
    """
    if function is not None:
        chosen = (name, title, description, concurrent, timeout, thread, types, options)
        if (*chosen, read_only, destructive, idempotent, open_world) != _NOTHING:
            raise TypeError("tool() takes a function or options; write tool(name=…, …)(function)")
        _register(function, _getframe(1), _NO_OPTIONS)
        return function
    given = {
        "name": name,
        "concurrent": concurrent,
        "timeout": timeout,
        "thread": thread,
        "types": None if types is None else tuple(types),
        "options": None if options is None else dict(options),
    }
    return Configured({key: value for key, value in given.items() if value is not None})


_NOTHING = (None,) * 12
_METHOD = type(Configured(_NO_OPTIONS).__call__)


def use(module: str, /, *, types: Iterable[Any] = ()) -> None:
    """Make every public, annotated function that this module defines a tool.

    Call it as `use(__name__)`. A leading underscore or `@hidden` keeps a function out.
    `types` are type providers for all tools of the module.

    TypeError for an unknown option; ValueError for another module's name.
    """
    global version  # noqa: PLW0603 - a counter that every change of the tables moves
    scope = _getframe(1).f_globals
    if module != scope.get("__name__"):
        raise ValueError(f"use() is called as use(__name__), not with {module!r}")
    used[module] = Used(scope, tuple(types))
    version += 1
    ready.clear()


def hidden(function: F, /) -> F:
    """Keep a public function of a module with `use(__name__)` from being a tool."""
    setattr(getattr(function, "__func__", function), HIDDEN, True)
    return function


def _register(function: Any, frame: FrameType, options: dict[str, Any]) -> None:
    global version  # noqa: PLW0603 - see use
    if type(function) in (staticmethod, classmethod):
        function = function.__func__
    elif not callable(function):
        raise TypeError(f"tool() needs something to call, not {type(function).__name__}")
    code = frame.f_code
    of_class = type(function) is _METHOD and code.co_name != "<module>" and options is _NO_OPTIONS
    if of_class:
        function = function.__func__
        if _is_marked(function, frame.f_globals):
            return
    made = record(function, frame.f_globals)
    made.options = options
    made.at_module_level = not of_class and (
        code.co_name == "<module>" or code.co_flags & _FUNCTION_BODY == _FUNCTION_BODY
    )
    if code.co_name != "<module>" and "<locals>" in getattr(function, "__qualname__", ""):
        made.locals = _local_classes(frame)
        made.at_module_level = False
        if _carry(function, made):
            return
    registry.setdefault(made.module, []).append(made)
    by_identity.setdefault(id(function), []).append(made)
    version += 1
    ready.clear()


def _is_marked(function: Any, scope: dict[str, Any]) -> bool:
    """Whether the module with this namespace has marked it before, in the same way."""
    found = by_identity.get(id(function), ())
    return any(one.scope is scope and one.options is _NO_OPTIONS for one in found)


def record(function: Any, scope: dict[str, Any]) -> Registered:
    """A record of a function that the module with this namespace makes a tool."""
    made = Registered()
    made.function = function
    made.scope = scope
    made.spec = scope.get("__spec__")
    made.module = scope.get("__name__", "")
    made.options = _NO_OPTIONS
    made.locals = _NO_LOCALS
    made.at_module_level = True
    made.bound = None
    return made


def _carry(function: Any, made: Registered) -> bool:
    try:
        setattr(function, ATTRIBUTE, made)
    except AttributeError:
        return False
    return True


def _local_classes(frame: FrameType | None) -> dict[str, type]:
    """The classes that the decorating function (and a class body inside it) has so far."""
    classes: dict[str, type] = {}
    while frame is not None and frame.f_code.co_name != "<module>":
        for name, value in frame.f_locals.items():
            if issubclass(type(value), type):
                classes.setdefault(name, value)
        if frame.f_code.co_flags & _FUNCTION_BODY == _FUNCTION_BODY:
            break
        frame = frame.f_back
    return classes
