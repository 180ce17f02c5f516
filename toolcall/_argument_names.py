"""Which names a tool built at run time accepts, and what to say when they are got wrong.

Owns the presence check of required names, the text that a model can act on, and telling
an argument name that the body misread apart from a bug inside the body. It must not know
`Function`, types of values or how tools are called.

The trick: the body gets a dict whose lookup of a missing key raises our own `KeyError`,
so that a lookup in any other dict is never mistaken for it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from toolcall._suggest import suggest
from toolcall._values import Err
from toolcall._words import quoted
from toolcall.errors import Problem

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import NoReturn


class MissingKey(KeyError):
    """The body asked for an argument that the model has not given."""

    def __init__(self, key: object, arguments: Arguments) -> None:
        super().__init__(key)
        self.key = key
        self.arguments = arguments


class Arguments(dict[str, Any]):
    """The arguments as the body of a tool gets them: a dict that knows when it was misread."""

    __slots__ = ()

    def __missing__(self, key: object) -> NoReturn:
        raise MissingKey(key, self)

    def pop(self, key: str, *default: Any) -> Any:
        """As of a dict, and a missing key is one of ours."""
        if not default and key not in self:
            raise MissingKey(key, self)
        return super().pop(key, *default)


@dataclass(frozen=True, slots=True)
class Names:
    """The names of a tool's arguments, in declaration order.

    `accepted` is None where the definition does not say which names there are.
    """

    required: tuple[str, ...]
    accepted: tuple[str, ...] | None

    def unrecognised(self, given: Iterable[str]) -> list[str]:
        """The given names that are not accepted, sorted; none where that is not known."""
        accepted = self.accepted
        return [] if accepted is None else sorted(name for name in given if name not in accepted)

    def marked(self) -> list[str]:
        """The accepted names, the required ones marked."""
        return [name + " (required)" * (name in self.required) for name in self.accepted or ()]

    def guess(self, unknown: str, given: Mapping[str, object]) -> str | None:
        """The accepted name that was probably meant, among those not given already."""
        return suggest(unknown, [name for name in self.accepted or () if name not in given])


def names_of(schema: Mapping[str, Any]) -> Names:
    """The names in a JSON Schema; what is not a name in its lists is passed over."""
    properties = schema.get("properties")
    required = schema.get("required")
    return Names(
        tuple(name for name in required if isinstance(name, str))
        if isinstance(required, list)
        else (),
        tuple(map(str, properties)) if isinstance(properties, dict) and properties else None,
    )


def missing(names: Names, given: Mapping[str, object]) -> Err | None:
    """The answer to a call without all required names, or None. A null counts as given."""
    absent = [name for name in names.required if name not in given]
    if not absent:
        return None
    unknown = names.unrecognised(given)
    problems = [_missing_problem(name, names) for name in absent]
    problems += [_unknown_problem(name, names, given) for name in unknown]
    return Err(problems, text=_missing_text(names, given, absent, unknown))


def _missing_problem(name: str, names: Names) -> Problem:
    said = f"missing argument {quoted(name)}"
    return Problem("missing_argument", _pointer(name), message=said, accepted=names.marked())


def _unknown_problem(name: str, names: Names, given: Mapping[str, object]) -> Problem:
    meant = names.guess(name, given)
    hint = f"; did you mean {quoted(meant)}?" if meant else ""
    return Problem(
        "unknown_argument",
        _pointer(name),
        message=f"unknown argument {quoted(name)}{hint}",
        suggestion=meant,
        accepted=names.marked(),
    )


def _missing_text(
    names: Names, given: Mapping[str, object], absent: list[str], unknown: list[str]
) -> str:
    details = [
        ("Required arguments", names.required),
        ("Missing arguments", absent),
        ("Unrecognised arguments", [_with_guess(name, names, given) for name in unknown]),
        ("Accepted arguments", names.accepted or ()),
    ]
    lines = [f"{label}: {', '.join(listed)}" for label, listed in details if listed]
    advice = "Call the tool again with exactly the argument names of its schema."
    return "\n".join(
        ["The tool was not run: required arguments are missing.", "", *lines, "", advice]
    )


def _with_guess(name: str, names: Names, given: Mapping[str, object]) -> str:
    meant = names.guess(name, given)
    return f"{name} (did you mean {meant}?)" if meant else name


def misread(error: KeyError, names: Names, given: Arguments) -> Err | None:
    """The answer where the body failed for want of an argument; None for any other failure."""
    if not isinstance(error, MissingKey) or error.arguments is not given or names.accepted is None:
        return None
    unknown = names.unrecognised(given)
    key = error.key if isinstance(error.key, str) else None
    details = [
        ("accepted", names.accepted),
        ("unrecognised", [_with_guess(name, names, given) for name in unknown]),
        ("received", sorted(given)),
    ]
    listed = "; ".join(f"{label}: {', '.join(found)}" for label, found in details if found)
    text = f"The tool could not use its arguments: {_lead(unknown, key)} ({listed})."
    first = unknown[0] if unknown else key
    problem = Problem(
        "unknown_argument" if unknown else "missing_argument",
        "" if first is None else _pointer(first),
        message=text,
        suggestion=names.guess(unknown[0], given) if unknown else None,
        exception=error,
    )
    return Err([problem])


def _lead(unknown: list[str], key: str | None) -> str:
    if unknown:
        return f"{unknown[0]} is not an accepted argument"
    if key is not None:
        return f"it needs {key}"
    return "they could not be read"


def _pointer(name: str) -> str:
    return "/" + name.replace("~", "~0").replace("/", "~1")
