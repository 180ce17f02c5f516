"""Lints of calls: `run`, `arun` and `caller` with a literal name or literal arguments.

Only what is certain is said: the tools of the source are known from its sidecar, the name
and the keys are literals. What a literal value may be is asked of the scalar types alone;
anything deeper is the decoder's to refuse.
"""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING, Final

from toolcall_mypy.lints.finding import Fault, Place, lint
from toolcall_mypy.records import record

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from toolcall import ir

UNKNOWN: Final = object()
"""A value that is no literal."""


@record
class Argument:
    """One item of the arguments: its key and value with the places where they stand."""

    key: str
    key_place: Place
    value: object
    value_place: Place


@record
class CallFacts:
    """One call. `arguments` is None where they are no literal mapping."""

    tools: dict[str, ir.Tool]
    types: dict[str, ir.Type]
    name: str
    name_place: Place
    arguments: Sequence[Argument] | None
    arguments_place: Place

    @property
    def tool(self) -> ir.Tool | None:
        return self.tools.get(self.name)


@lint("unknown-tool", "error", scope="call")
def unknown_tool(call: CallFacts) -> Iterator[Fault]:
    """`run`, `arun` or `caller` names a tool that its source does not have.

    Checked where the name is a literal and the source a module or a function, by the
    schema that was derived for it.
    """
    if call.tool is None:
        known = ", ".join(call.tools)
        message = f'There is no tool "{call.name}" in this source'
        yield Fault(call.name_place, message, _near(call.name, call.tools) or f"It has: {known}")


@lint("unknown-argument", "error", scope="call")
def unknown_argument(call: CallFacts) -> Iterator[Fault]:
    """Literal arguments have a key that the tool does not take.

    The call would be refused with `unknown_argument`. Only a dict that is written out in
    the call is checked.
    """
    if call.tool is None or call.arguments is None or _takes_any(call.tool):
        return
    wires = [parameter["wire"] for parameter in call.tool["parameters"]]
    for argument in call.arguments:
        if argument.key not in wires:
            message = f'Tool "{call.name}" takes no argument "{argument.key}"'
            hint = _near(argument.key, wires) or f"It takes: {', '.join(wires) or 'nothing'}"
            yield Fault(argument.key_place, message, hint)


@lint("missing-argument", "error", scope="call")
def missing_argument(call: CallFacts) -> Iterator[Fault]:
    """Literal arguments lack a key that the tool requires.

    The call would be refused with `missing_argument`. Only a dict that is written out in
    the call is checked.
    """
    if call.tool is None or call.arguments is None:
        return
    given = {argument.key for argument in call.arguments}
    for parameter in call.tool["parameters"]:
        if parameter["required"] and parameter["wire"] not in given:
            message = f'Tool "{call.name}" requires the argument "{parameter["wire"]}"'
            yield Fault(call.arguments_place, message)


@lint("invalid-argument", "error", scope="call")
def invalid_argument(call: CallFacts) -> Iterator[Fault]:
    """A literal argument has a type or value that the tool refuses.

    Numbers, texts, booleans and choices are checked; what is deeper is left to the call.
    """
    if call.tool is None or call.arguments is None:
        return
    types = {parameter["wire"]: parameter for parameter in call.tool["parameters"]}
    for argument in call.arguments:
        parameter = types.get(argument.key)
        if parameter is None or argument.value is UNKNOWN:
            continue
        if argument.value is None and not parameter["required"]:
            continue  # an explicit null stands for an absent argument
        wanted = _refusal(argument.value, parameter["type"], call.types)
        if wanted is not None:
            message = f'Argument "{argument.key}" of tool "{call.name}" must be {wanted}'
            yield Fault(argument.value_place, message)


_SHOWN = 12
"""Choices that a message lists."""


def _takes_any(tool: ir.Tool) -> bool:
    return any(parameter["kind"] == "var_keyword" for parameter in tool["parameters"])


def _near(name: str, known: Sequence[str] | dict[str, ir.Tool]) -> str | None:
    near = difflib.get_close_matches(name, list(known), n=1)
    return f'Did you mean "{near[0]}"?' if near else None


def _refusal(value: object, node: ir.Type, types: dict[str, ir.Type]) -> str | None:
    """What the value should be, where a scalar type refuses it for certain."""
    match node["kind"]:
        case "ref":
            return _refusal(value, types[node["name"]], types)
        case "nullable":
            return None if value is None else _refusal(value, node["inner"], types)
        case "string":
            return None if isinstance(value, str) else "a string"
        case "integer" if node.get("wire") is None:
            whole = isinstance(value, float) and value.is_integer()
            return None if (_is_int(value) or whole) else "an integer"
        case "number":
            return None if _is_int(value) or isinstance(value, float) else "a number"
        case "boolean":
            return None if isinstance(value, bool) else "a boolean"
        case "literal":
            return _choice(value, [choice["value"] for choice in node["values"]])
        case "enum":
            return _choice(value, [member["value"] for member in node["members"]])
    return None


def _is_int(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _choice(value: object, values: Sequence[object]) -> str | None:
    if any(value == one and isinstance(value, bool) == isinstance(one, bool) for one in values):
        return None
    if not values:
        return None  # a class without members, which is a finding of its own
    shown = [repr(one) for one in values[:_SHOWN]] + ["…"] * (len(values) > _SHOWN)
    return "one of " + ", ".join(shown)
