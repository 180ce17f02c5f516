"""Lints of what the vendors' formats cannot say, answered by the formats themselves.

A format that is configured is asked as it will be emitted; what it loses is an error. With
none configured, OpenAI's strict mode stands for the strict modes, and what it loses is a
note, because nobody has asked for it.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from toolcall import formats
from toolcall.formats._names import name_problem, property_problem
from toolcall.formats._strict import plain_losses, strict_losses
from toolcall_mypy.lints.finding import Fault, Place, lint
from toolcall_mypy.lints.walk import children

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from toolcall import ir
    from toolcall.formats._dialect import Dialect
    from toolcall.formats._rendering import Loss
    from toolcall_mypy.lints.facts import FieldFacts, ToolFacts


@lint("invalid-name", "error")
def invalid_name(tool: ToolFacts) -> Iterator[Fault]:
    """A name that a vendor refuses, of a tool or of a parameter.

    The request as a whole would be refused, so it is sent under a name that is made legal; it
    is better to choose one. A parameter called `_` has no name at all: it goes by its
    position, and a note says so.
    """
    for parameter in tool.exposed:
        if parameter.name == "_" and parameter.wanted != "_":
            message = f'Parameter "_" is called "{parameter.wanted}" for the model'
            hint = 'Give it a name of its own, or one for the model with Param(name="…")'
            yield Fault(parameter.place, message, hint, mild=True)
    for dialect in _targets(tool):
        problem = name_problem(tool.name, dialect)
        if problem is not None:
            message = f'Tool "{tool.name}": {problem}'
            yield Fault(tool.named_at, message, 'Give it a name with @tool(name="…")')
        for parameter in tool.exposed:
            assert parameter.parameter is not None
            problem = property_problem(parameter.parameter["wire"], dialect)
            if problem is not None:
                message = f'Parameter "{parameter.name}": {problem}'
                yield Fault(parameter.place, message, 'Give it a name with Param(name="…")')


@lint("strict-open-object", "note")
def strict_open_object(tool: ToolFacts) -> Iterator[Fault]:
    """A mapping, extra items or `**kw: T`: an object with keys that are not known.

    Strict modes want every key of every object named, so a tool with an open object is
    emitted without `strict`. Use a TypedDict or dataclass if the keys are known.
    """
    hint = "List the keys in a TypedDict, or emit this tool without strict"
    yield from _strict(tool, "strict-open-object", hint)


@lint("strict-untyped", "note")
def strict_untyped(tool: ToolFacts) -> Iterator[Fault]:
    """`Any` or a bare container under strict: strict modes want a type everywhere.

    Reported where strict is configured; elsewhere `untyped-value` and `untyped-container`
    say enough.
    """
    if tool.config.strict:
        yield from _strict(tool, "strict-untyped", "Say what it holds, or emit without strict")


@lint("strict-tuple", "note")
def strict_tuple(tool: ToolFacts) -> Iterator[Fault]:
    """A tuple of different types under strict.

    Strict modes know no positions: the model is told the types and the length, and the
    positions are checked when the tool is called. A dataclass says which is which.
    """
    yield from _strict(tool, "strict-tuple", "Use a dataclass or a NamedTuple")


@lint("strict-keyword", "note")
def strict_keyword(tool: ToolFacts) -> Iterator[Fault]:
    """A constraint that a strict mode has no keyword for; it moves into the description.

    Reported where strict is configured. The constraint is enforced at the call all the same.
    """
    if tool.config.strict:
        yield from _strict(tool, "strict-keyword", None)


@lint("inlining-budget", "note")
def inlining_budget(tool: ToolFacts) -> Iterator[Fault]:
    """A type that must be written out more than a hundred times.

    Only in formats without references. Take fewer or smaller types.
    """
    yield from _plain(tool, "inlining-budget")


@lint("format-limit", "note")
def format_limit(tool: ToolFacts) -> Iterator[Fault]:
    """A counter of a vendor is passed: properties, depth, size of enums, optionals.

    The request would be refused.
    """
    yield from _strict(tool, "format-limit", None)


def format_recursion(tool: ToolFacts) -> Iterator[Fault]:
    """Recursion that a configured format has no references for."""
    return _plain(tool, "recursive-type")


_STILL_STRICT = frozenset({"strict-tuple", "strict-keyword"})
"""What is lost in strict mode while the tool stays strict, so that it stays a note."""


_UNTYPED = ("untyped-container", "untyped-value")


def _targets(tool: ToolFacts) -> list[Dialect]:
    return [formats.get(name).DIALECT for name in tool.config.formats or ("openai",)]


def _strict(tool: ToolFacts, code: str, hint: str | None) -> Iterator[Fault]:
    found = _strict_losses(tool)
    if not found:
        return
    seen: set[Place] = set()
    untyped = _untyped(tool)
    for dialect, losses in found:
        for loss in losses:
            if loss.code == code and not _says_more(tool, loss, untyped):
                where = f"{dialect.format} (strict)" if tool.config.formats else "strict mode"
                fault = _fault(
                    tool, loss, where, hint, asked=tool.config.strict and code not in _STILL_STRICT
                )
                if fault.place not in seen:
                    seen.add(fault.place)
                    yield fault


def _says_more(tool: ToolFacts, loss: Loss, codes: Collection[str]) -> bool:
    """Whether one of these codes is reported where something is lost."""
    field = _field(tool, loss)
    if field is not None:
        return any(one.code in codes for one in field.losses)
    return any(
        one.code in codes
        for parameter in tool.exposed
        if parameter.parameter is not None and parameter.parameter["wire"] == loss.parameter
        for one in parameter.skeleton.losses
    )


def _untyped(tool: ToolFacts) -> frozenset[str]:
    """The codes that say more than a strict mode's, while nobody has asked for it."""
    if tool.config.strict:
        return frozenset()
    return frozenset(code for code in _UNTYPED if tool.config.severity.get(code) != "off")


@lru_cache(maxsize=1)
def _strict_losses(tool: ToolFacts) -> list[tuple[Dialect, list[Loss]]]:
    """What each targeted format loses in strict mode; several lints ask, one after the other."""
    if not tool.config.formats and not tool.config.strict and _is_simple(tool.tool, tool.types):
        return []
    definition: ir.Definition = {"tool": tool.tool, "types": tool.types}
    lost = [(dialect, strict_losses(definition, dialect)) for dialect in _targets(tool)]
    return [(dialect, losses) for dialect, losses in lost if losses]


_FEW = 60
"""Types in a tool, values in a choice: far below what any vendor counts."""
_DEEP = 4
_SIMPLE = frozenset({"string", "integer", "number", "boolean"})


def _is_simple(tool: ir.Tool, types: Mapping[str, ir.Type]) -> bool:
    """Whether OpenAI's strict mode surely takes the tool, so that it need not be rendered.

    It has a few types that are scalars, choices of texts, lists, closed objects or None.
    """
    parameters = tool["parameters"]
    if any(one["kind"] == "var_keyword" for one in parameters):
        return False
    waiting = [(one["type"], 1) for one in parameters]
    for node, depth in waiting:  # which grows meanwhile
        if len(node) == 1 and node["kind"] in _SIMPLE:
            continue
        inside = _simple_parts(node, types)
        if inside is None or depth > _DEEP or len(waiting) > _FEW:
            return False
        waiting += [(one, depth + 1) for one in inside]
    return len(waiting) <= _FEW


def _simple_parts(node: ir.Type, types: Mapping[str, ir.Type]) -> list[ir.Type] | None:
    """The types inside of one that is simple itself; None where it may be more than that."""
    if node["kind"] == "nullable":
        return [node["inner"]]
    if node["kind"] == "array" and node["cls"] == "list" and len(node) == 3:
        return [node["items"]]
    if node["kind"] == "ref" and len(node) == 2:
        return [types[node["name"]]]
    if node["kind"] == "object" and "extra" not in node:
        return [one["type"] for one in node["fields"]]
    if node["kind"] == "literal" and len(node["values"]) <= _FEW:
        return [] if all(type(one["value"]) is str for one in node["values"]) else None
    return None


def _plain(tool: ToolFacts, code: str) -> Iterator[Fault]:
    for name in tool.config.formats:
        dialect = formats.get(name).DIALECT
        for loss in plain_losses({"tool": tool.tool, "types": tool.types}, dialect):
            if loss.code == code:
                yield _fault(tool, loss, dialect.format, None, asked=True)


def _fault(tool: ToolFacts, loss: Loss, where: str, hint: str | None, *, asked: bool) -> Fault:
    field = _field(tool, loss)
    if field is not None and field.place is not None:
        message = f'Field "{field.name}" in {where}: {loss.reason}'
        return Fault(field.place, message, hint, asked)
    for parameter in tool.exposed:
        if parameter.parameter is not None and parameter.parameter["wire"] == loss.parameter:
            subject = f'Parameter "{parameter.name}"'
            if field is not None:
                subject = f'Field "{field.name}" of parameter "{parameter.name}"'
            return Fault(parameter.place, f"{subject} in {where}: {loss.reason}", hint, asked)
    return Fault(tool.place, f'Tool "{tool.name}" in {where}: {loss.reason}', hint, asked)


def _field(tool: ToolFacts, loss: Loss) -> FieldFacts | None:
    """The field in which something is lost; None where it is the parameter's own type.

    Recursion and counters are not of one field: there the parameter is told.
    """
    if not loss.code.startswith("strict-"):
        return None
    first, *names = [_unescaped(part) for part in loss.path[1:].split("/")]
    parameters = (one.parameter for one in tool.exposed if one.parameter is not None)
    nodes = [one["type"] for one in parameters if one["wire"] == first]
    found: tuple[str, str] | None = None
    for name in names:
        fields = [
            (owner, field)
            for node in nodes
            for owner, field in _fields(node, tool.types)
            if field["wire"] == name
        ]
        if not fields:
            break
        found = fields[0][0], fields[0][1]["name"]
        nodes = [field["type"] for _, field in fields]
    return next((one for one in tool.fields if (one.owner, one.name) == found), None)


def _fields(node: ir.Type, types: Mapping[str, ir.Type]) -> Iterator[tuple[str, ir.Field]]:
    """The fields of the classes that a value is made of, without those inside of them."""
    waiting, seen = [node], set[str]()
    while waiting:
        one = waiting.pop(0)
        if one["kind"] != "ref":
            waiting += children(one)
        elif one["name"] not in seen:
            seen.add(one["name"])
            named = types[one["name"]]
            if named["kind"] == "object":
                yield from ((one["name"], field) for field in named["fields"])
            else:
                waiting.append(named)


def _unescaped(part: str) -> str:
    return part.replace("~1", "/").replace("~0", "~")
