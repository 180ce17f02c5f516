"""The lint of tools that are built at run time: their own rules, before they run.

The rules and their words are those of the runtime. Here is decided only which of them can
be asked: those about parts that are written out in the call.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, Final

from toolcall_mypy.lints.finding import Fault, Place, lint
from toolcall_mypy.records import record

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from toolcall._function_param import FunctionParam

UNKNOWN: Final = object()
"""A value that is computed when the program runs."""

BODY: Final = ((1, 2), "(arguments) or (arguments, context)")
HINTS: Final = {
    "name": "Give it 1 to 64 of the characters A-Z a-z 0-9 _ -",
    "params": "Give each parameter once, in params or in schema",
    "schema": "Write the JSON Schema of an object, with its properties",
    "call": "Give it a function of one argument, the dict of arguments",
    "parse_args": "Await in the body instead",
    "timeout": "Give it in seconds",
    "enum": "Leave it out, or list values of the type",
    "item_type": "Leave it out, or make it an array",
    "properties": "List them for an object, and for an array of objects, and nowhere else",
}
"""What to write instead, by part."""


@record
class Taken:
    """The fewest and the most positional arguments of a callable."""

    low: int
    high: int
    is_async: bool = False


@record
class Param:
    """One parameter in a list of them; `name` is None where it is not known."""

    name: str | None
    place: Place


@record
class Part:
    """One argument of the constructor. `taken` has the variants of a callable."""

    value: object
    place: Place
    taken: tuple[Taken, ...] = ()


@record
class BuiltFacts:
    """One call of `Function` or `FunctionParam`, with the parts that are given."""

    what: str
    place: Place
    parts: Mapping[str, Part]

    def known(self, *names: str) -> bool:
        """Whether nothing of these parts is computed; what is not given is known."""
        return all(self.parts[name].value is not UNKNOWN for name in names if name in self.parts)

    def value(self, name: str, default: object = None) -> Any:
        """The value of a part."""
        return self.parts[name].value if name in self.parts else default


@lint("invalid-function", "error", scope="built")
def invalid_function(built: BuiltFacts) -> Iterator[Fault]:
    """A `Function` or `FunctionParam` whose parts do not go together.

    Making it raises `ToolDefinitionError` when the program runs: a name that no vendor
    takes, `params` beside `schema`, an `enum` for an object, `properties` for a string, a
    `call` that does not take the arguments, an async `parse_args`. Only what is written out
    in the call is checked.
    """
    name = built.value("name")
    named = f'{built.what} "{name}"' if isinstance(name, str) and name.strip() else built.what
    reasons = _of_param(built) if built.what == "FunctionParam" else _of_function(built)
    for part, why in reasons:
        place = built.parts[part].place if part in built.parts else built.place
        yield Fault(place, f"{named}: {part} {why}", HINTS.get(part))


def _of_param(built: BuiltFacts) -> Iterator[tuple[str, str]]:
    from toolcall import _function_param  # few modules have such calls, all load this one

    parts = {
        "name": built.value("name", "x"),
        "type": built.value("type"),
        "description": None,
        "enum": _tuple(built.value("enum")),
        "item_type": built.value("item_type"),
        "properties": _stand_ins(built.value("properties")),
    }
    found = _function_param._errors(SimpleNamespace(**parts))  # type: ignore[arg-type]
    for part, needs in _NEEDS.items():
        if built.known(part, *needs):
            yield from ((part, reason) for reason in found.get(part, ()))


_NEEDS: Final = {
    "name": (),
    "enum": ("type",),
    "item_type": ("type",),
    "properties": ("type", "item_type"),
}
"""What else each part's rule looks at. A type that does not exist is mypy's own finding."""


def _of_function(built: BuiltFacts) -> Iterator[tuple[str, str]]:
    from toolcall import _function_rules as rules

    if "name" in built.parts and built.known("name"):
        yield from _said("name", rules._name_errors(built.value("name")))
    if built.known("params", "schema"):
        params = _stand_ins(built.value("params"))
        both = SimpleNamespace(params=params, schema=built.value("schema"))
        yield from _said("params", rules._params_errors(both))  # type: ignore[arg-type]
    if built.known("schema"):
        yield from _said("schema", rules._schema_errors(built.value("schema")))
    if built.known("timeout"):
        yield from _said("timeout", rules._timeout_errors(built.value("timeout")))
    if built.known("call"):
        yield "call", "must be given"
    yield from _said("call", _misfits(built, "call", *BODY))
    # how many arguments parse_args takes is a matter of types, and mypy says so
    if "parse_args" in built.parts and any(one.is_async for one in built.parts["parse_args"].taken):
        yield "parse_args", "must not be async"


def _misfits(built: BuiltFacts, part: str, counts: tuple[int, ...], wanted: str) -> list[str]:
    """Why no variant of a callable takes what it is given."""
    from toolcall._callables import count_fault

    taken = built.parts[part].taken if part in built.parts else ()
    found = [count_fault(one.low, one.high, counts, wanted) for one in taken]
    return found[0] if found and all(found) else []


def _said(part: str, reasons: Iterable[str]) -> Iterator[tuple[str, str]]:
    return ((part, reason) for reason in reasons)


def _tuple(value: object) -> object:
    return tuple(value) if isinstance(value, list) else () if value is None else value


def _stand_ins(value: object) -> tuple[FunctionParam, ...]:
    """Well-formed parameters under the same names; those not known are all different."""
    from toolcall._function_param import FunctionParam

    if not isinstance(value, tuple):
        return ()
    return tuple(
        FunctionParam(one.name or f"unknown {number}", "string") for number, one in enumerate(value)
    )
