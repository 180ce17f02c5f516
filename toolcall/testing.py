"""Good and bad calls of a tool, made from what the checker knows of it, for test suites.

    from toolcall.testing import bad_calls, good_calls

    @pytest.mark.parametrize("arguments", good_calls(shop, "order"))
    def test_order(arguments):
        assert isinstance(run(shop, "order", arguments), Ok)

    def test_what_a_model_is_told():
        assert "at least 1" in told(shop, "order", {"pieces": 0})

No tool is run here: arguments are decoded as `run` decodes them, and that is all. Nothing
is random, so a call that once failed fails again.
"""

from __future__ import annotations

import copy
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from toolcall import _samples
from toolcall._request import Request, problems_of
from toolcall._source import resolve
from toolcall._values import Err
from toolcall._words import pointer
from toolcall.errors import Misuse, Problem

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import TypeAlias

    from toolcall import ir
    from toolcall._bind import BoundTool
    from toolcall._source import Source

    Path: TypeAlias = tuple[Any, ...]

__all__ = ["BadCall", "bad_calls", "good_calls", "problems", "told"]


@dataclass(frozen=True, slots=True)
class BadCall:
    """Arguments that a tool refuses, the problems, and the text that a model gets of them.

    `change` says what was made wrong of a good call.
    """

    change: str
    arguments: dict[str, Any]
    problems: tuple[Problem, ...]

    @property
    def text(self) -> str:
        """What a model is told."""
        return str(Err(self.problems))

    def __str__(self) -> str:
        return self.change


def good_calls(
    source: Source, name: str, *, values: Mapping[str, Any] | None = None
) -> list[dict[str, Any]]:
    """Arguments that the tool takes: the fewest, all of them, and each value that may matter.

    Args:
        source: where the tool is, as for `run`.
        name: the tool's name.
        values: arguments that cannot be guessed (a text for a pattern, a class with checks
            of its own), by their names on the wire. They stand in every call.

    Raises:
        Misuse: there is no such tool; it checks its arguments by itself; or a value cannot
            be guessed, or is refused, and has to be given.
    """
    tool = _tool(source, name)
    calls: list[dict[str, Any]] = []
    for call in _calls(tool, dict(values or {})):
        if call not in calls:
            calls.append(call)
    for call in calls:
        if refused := _problems(tool, copy.deepcopy(call)):
            raise Misuse(
                f"the values that were made up for the tool {name!r} are refused, give others "
                f"with values={{…}}: {Err(refused)}"
            )
    return calls


def bad_calls(
    source: Source, name: str, *, values: Mapping[str, Any] | None = None
) -> list[BadCall]:
    """Calls with one thing wrong in each: a name missing, one too many, a value that does not
    fit, at every place of the arguments. `values` and errors as for `good_calls`.
    """
    tool = _tool(source, name)
    calls = good_calls(source, name, values=values)
    whole = max(calls, key=lambda call: len(str(call)))
    found = []
    for change, arguments in _changes(tool, whole):
        if refused := _problems(tool, copy.deepcopy(arguments)):
            found.append(BadCall(change, arguments, refused))
    return found


def problems(
    source: Source, name: str, arguments: object, *, lenient: bool = False
) -> tuple[Problem, ...]:
    """Everything that is wrong with arguments, as `run` takes them; empty if nothing is."""
    return _problems(_tool(source, name), arguments, lenient=lenient)


def told(source: Source, name: str, arguments: object, *, lenient: bool = False) -> str:
    """What a model is told about arguments; empty if nothing is wrong with them."""
    found = problems(source, name, arguments, lenient=lenient)
    return str(Err(found)) if found else ""


def _tool(source: Source, name: str) -> BoundTool:
    resolved = resolve(source)
    tool = resolved.find(name)
    if tool is None:
        raise Misuse(f"there is no tool {name!r}; there are {', '.join(resolved.tools)}")
    if "whole" in tool.options:
        raise Misuse(f"the tool {name!r} is built at run time and checks its arguments by itself")
    return tool


def _problems(tool: BoundTool, arguments: Any, *, lenient: bool = False) -> tuple[Problem, ...]:
    return problems_of(tool, arguments, Request(lenient=lenient))


def _calls(tool: BoundTool, values: dict[str, Any]) -> Iterator[dict[str, Any]]:
    guessed = [one for one in _named(tool) if one["wire"] not in values]
    try:
        for call in _samples.fields(guessed, tool.types, 0):
            yield {**call, **values}
    except _samples.Unguessable as error:
        name = tool.tool["name"]
        raise Misuse(f"{error}; give it to the tool {name!r} with values={{…}}") from error


def _named(tool: BoundTool) -> list[ir.Parameter]:
    """The parameters that have a name on the wire."""
    return [one for one in tool.tool["parameters"] if one["kind"] != "var_keyword"]


# One thing wrong


def _changes(tool: BoundTool, whole: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    takes_more = len(_named(tool)) < len(tool.tool["parameters"])
    for path, fields, closed in [((), _named(tool), not takes_more), *_objects(tool, whole)]:
        for field in fields:
            place = (*path, field["wire"])
            if field["required"]:
                yield f"{_shown(place)} is missing", _without(whole, place)
            for value in _samples.wrong(field["type"], tool.types):
                yield f"{_shown(place)} is {value!r}", _with(whole, place, value)
        if closed:
            yield f"{_shown((*path, 'nonsense'))} is unknown", _with(whole, (*path, "nonsense"), 1)


def _objects(tool: BoundTool, whole: dict[str, Any]) -> Iterator[tuple[Path, list[Any], bool]]:
    """Every object with known fields inside the arguments."""
    for one in _named(tool):
        if one["wire"] in whole:
            yield from _below(one["type"], whole[one["wire"]], (one["wire"],), tool.types)


def _below(
    node: Any, value: Any, path: Path, types: Mapping[str, ir.Type]
) -> Iterator[tuple[Path, list[Any], bool]]:
    while node["kind"] in ("nullable", "ref", "root"):
        node = types[node["name"]] if node["kind"] == "ref" else node["inner"]
    if node["kind"] == "object" and isinstance(value, dict):
        yield path, node["fields"], "extra" not in node
        for field in node["fields"]:
            if field["wire"] in value:
                place = (*path, field["wire"])
                yield from _below(field["type"], value[field["wire"]], place, types)
    elif node["kind"] == "array" and isinstance(value, list) and value:
        yield from _below(node["items"], value[0], (*path, 0), types)


def _shown(path: Path) -> str:
    below: Any = ()
    for part in path:
        below = (below, part)
    return pointer(below)


def _with(whole: dict[str, Any], path: Path, value: Any) -> dict[str, Any]:
    changed = copy.deepcopy(whole)
    _at(changed, path)[path[-1]] = value
    return changed


def _without(whole: dict[str, Any], path: Path) -> dict[str, Any]:
    changed = copy.deepcopy(whole)
    _at(changed, path).pop(path[-1], None)
    return changed


def _at(value: Any, path: Path) -> Any:
    for part in path[:-1]:
        value = value[part]
    return value
