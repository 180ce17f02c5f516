"""Slotted records that cost next to nothing before the first one is made.

A run of mypy that checks one edited module spends more time on making the plugin's
dataclasses than on the module's tools: `dataclasses` compiles five functions for each
class at import, whether it is used in this run or not. Here a class is only given its
slots, and its `__init__` is compiled when it is first called.

To type checkers these are frozen dataclasses; that nobody assigns is theirs to see.
Records are equal when their classes and all their values are.
"""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING, Any, Final, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

    from typing_extensions import dataclass_transform
else:

    def dataclass_transform(**_: object) -> Callable[[T], T]:
        return lambda decorator: decorator


T = TypeVar("T")
_NOTHING: Final = object()


class _Factory:
    """What stands for the default of a field that each record gets its own one of."""

    __slots__ = ("make",)

    def __init__(self, make: Callable[[], object]) -> None:
        self.make = make


def field(*, default_factory: Callable[[], T]) -> T:
    """The default of a field, made anew for each record."""
    made: Any = _Factory(default_factory)
    default: T = made
    return default


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def record(cls: type[T]) -> type[T]:
    """Makes a class a record of its annotated names."""
    return _made(cls)


@dataclass_transform(field_specifiers=(field,))
def changing(cls: type[T]) -> type[T]:
    """Makes a class a record whose fields may be assigned."""
    return _made(cls)


def replace(one: T, **changes: Any) -> T:
    """A record like this one, with other values for some of its fields."""
    cls: Any = type(one)
    made: T = cls(**dict(zip(cls.__slots__, cls._values(one), strict=False)) | changes)
    return made


def _made(cls: type[T]) -> type[T]:
    names = tuple(cls.__annotations__)
    body = {key: value for key, value in cls.__dict__.items() if key not in _OWN}
    defaults = {name: body.pop(name) for name in names if name in body}
    get: Any = attrgetter(*names, "__class__")  # of a single name it would be no tuple
    body.update(__slots__=names, __match_args__=names, _defaults=defaults, _values=get)
    body["__qualname__"] = cls.__qualname__
    made: Any = type(cls.__name__, (_Record,), body)
    whole: type[T] = made
    return whole


_OWN: Final = frozenset({"__dict__", "__weakref__"})


class _Record:
    """What records have in common."""

    __slots__ = ()

    def __init__(self, *values: object, **named: object) -> None:
        cls: Any = type(self)
        cls.__init__ = _initializer(cls.__slots__, cls._defaults)
        cls.__init__(self, *values, **named)

    def __eq__(self, other: object) -> bool:
        if type(self) is not type(other):
            return NotImplemented
        cls: Any = type(self)
        return bool(cls._values(self) == cls._values(other))

    def __hash__(self) -> int:
        cls: Any = type(self)
        return hash(cls._values(self))

    def __repr__(self) -> str:
        cls: Any = type(self)
        shown = ", ".join(f"{name}={getattr(self, name)!r}" for name in cls.__slots__)
        return f"{cls.__qualname__}({shown})"


def _initializer(names: tuple[str, ...], defaults: dict[str, Any]) -> Callable[..., None]:
    """An `__init__` that takes these names; the names are those of a class body."""
    parameters, lines = ["self"], list[str]()
    for name in names:
        default = defaults.get(name, _NOTHING)
        parameters.append(name if default is _NOTHING else f"{name}=defaults[{name!r}]")
        if isinstance(default, _Factory):
            lines.append(f" if {name} is defaults[{name!r}]: {name} = {name}.make()")
        lines.append(f" self.{name} = {name}")
    made: dict[str, Any] = {}
    code = "\n".join([f"def __init__({', '.join(parameters)}):", *lines])
    exec(code, {"defaults": defaults}, made)
    initializer: Callable[..., None] = made["__init__"]
    return initializer
