"""Custom types: how a class that this library does not know travels to and from a model.

A provider serves one class. It says with a literal what the model sees, and turns the
wire value into the class:

    class MoneyProvider(TypeProvider[Money]):
        schema = {"type": "string", "pattern": "^[0-9]+ [A-Z]{3}$"}

        def coerce(self, value: str) -> Money:
            amount, currency = value.split()
            return Money(int(amount), currency)

        def encode(self, value: Money) -> str:
            return f"{value.amount} {value.currency}"

The checker reads `schema` and the class that is served from the source, without importing
anything; so both are written literally. At run time a provider is called only if the
program itself registered it: `types=[MoneyProvider]` in `tool(...)` or `use(...)`, an
attribute `__toolcall_provider__` on the class, or `register(MoneyProvider)` for the whole
program. What a sidecar names is never enough.

A generic class is served once for all type arguments: `TypeProvider[Box[T]]`, with
`{"$arg": "T"}` in the schema where the argument's own schema belongs. `coerce` gets the
elements as values of that type.

The types of the standard library are built in and come first; no provider replaces them.
"""

from __future__ import annotations

from toolcall._grammar import STDLIB
from toolcall.errors import Misuse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any, ClassVar, Generic, TypeVar

    from toolcall import ir

    T = TypeVar("T")

    class _Provides(Generic[T]):
        pass

else:
    from toolcall._values import _Subscriptable

    T = None
    _Provides = {None: _Subscriptable}

ATTRIBUTE = "__toolcall_provider__"
"""The attribute of a class that holds its provider (the class of it, or an instance)."""

BUILT_IN: tuple[str, ...] = STDLIB
"""The standard-library types that need no provider, by their name in the IR."""


class TypeProvider(_Provides[T]):
    """Serves one class: `class P(TypeProvider[Money])`. Subclasses need no `__init__`."""

    schema: ClassVar[Mapping[str, Any]] = {}
    """What travels, as a JSON Schema literal."""

    def coerce(self, value: Any) -> T:
        """The value of the class, from a wire value that already satisfies `schema`.

        Whatever is raised is a problem with the argument; its message reaches the model.
        """
        converted: T = value
        return converted

    def encode(self, value: T) -> Any:
        """The JSON value that stands for a value of the class."""
        return value


_everywhere: list[object] = []


def register(*providers: object) -> None:
    """Offers type providers to every tool of the program.

    The checker is told the same with `types = ["module.Provider"]` in `[tool.toolcall]`.
    """
    _everywhere.extend(one for one in providers if one not in _everywhere)


def everywhere() -> tuple[object, ...]:
    """The type providers that the program registered for all of its tools."""
    return tuple(_everywhere)


def name_of(provider: object) -> ir.ClassName:
    """A provider (class or instance) as the IR names it."""
    cls = provider if isinstance(provider, type) else type(provider)
    return f"{cls.__module__}:{cls.__qualname__}"


def registered(name: ir.ClassName, offered: Iterable[object], served: type | None) -> Any:
    """The provider of that name among those that the program registered, as an instance.

    Raises Misuse, naming the provider, when the program registered none of that name.
    """
    own = getattr(served, ATTRIBUTE, None)
    for provider in (*offered, *([own] if own is not None else []), *_everywhere):
        if name_of(provider) == name:
            return provider() if isinstance(provider, type) else provider
    raise Misuse(
        f"the type provider {name} is not registered: name it in types=[…] of tool() or "
        f"use(), set {ATTRIBUTE} on the class that it serves, or register() it for all tools"
    )


def served_by(provider: object) -> list[type]:
    """The class that a provider names in `TypeProvider[…]`; empty where it names none."""
    cls = provider if isinstance(provider, type) else type(provider)
    bases = getattr(cls, "__orig_bases__", ())
    named = [arg for base in bases for arg in getattr(base, "__args__", ())]
    classes = [getattr(one, "__origin__", one) for one in named]
    return [one for one in classes if isinstance(one, type)]
