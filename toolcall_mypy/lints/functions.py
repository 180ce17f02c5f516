"""Lints of the function itself: its result, its overloads, its choices."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from toolcall_mypy.lints.finding import Fault, Place, lint
from toolcall_mypy.source.choices import choices

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from toolcall_mypy.lints.facts import ParameterFacts, ToolFacts


@lint("unencodable-result", "note", "losses")
def unencodable_result(tool: ToolFacts) -> Iterator[Fault]:
    """The result has a type that cannot become JSON.

    The call still runs; turning its value into a tool message may fail then. Return plain
    data, a dataclass, or text.
    """
    returns = tool.source.returns if tool.source is not None and tool.is_local else None
    place = tool.place if returns is None else _place(returns)
    for loss in tool.signature.result_losses:
        if loss.code == "unencodable-result":
            yield Fault(place, loss.message.rstrip("."), "Return plain data, a dataclass or text")


@lint("overloaded", "note")
def overloaded(tool: ToolFacts) -> Iterator[Fault]:
    """An overloaded function: a schema has one signature.

    That of the implementation is used; stubs have none, of these it is the last variant
    that does not want bytes. Split the function where the model should choose between the
    variants.
    """
    if tool.overloads and tool.source is not None and tool.source.is_overload:
        yield Fault(
            tool.place,
            f'"{tool.name}" is overloaded; the model sees one variant alone',
            "Write a function around it, with the parameters that the model should know",
        )
    elif tool.overloads:
        yield Fault(
            tool.place,
            f'"{tool.name}" is overloaded; the model sees the implementation alone',
            "Make a tool of each variant that the model should know",
        )


@lint("stringly-enum", "note")
def stringly_enum(tool: ToolFacts) -> Iterator[Fault]:
    """A plain `str` or `int` whose values are a fixed set.

    The docstring lists them (`one of: "a", "b"`, NumPy's `{'a', 'b'}`), or the body raises
    for anything else. With `Literal[...]` the model knows the choices and a wrong one is
    refused before the tool runs.
    """
    for parameter in tool.exposed:
        kind = _plain_kind(parameter)
        if kind is None:
            continue
        values = _documented(parameter, tool) or _enforced(parameter, tool)
        if values and isinstance(values[0], kind):
            shown = ", ".join(map(repr, values))
            yield Fault(
                parameter.place,
                f'Parameter "{parameter.name}" takes only {shown}, but is declared as any value',
                f"Write Literal[{shown}]",
            )


_PLAIN: Final[dict[str, type[str | int]]] = {"string": str, "integer": int}


def _plain_kind(parameter: ParameterFacts) -> type[str | int] | None:
    """`str` or `int` where the parameter is nothing but that."""
    assert parameter.parameter is not None
    node = parameter.parameter["type"]
    inner = node["inner"] if node["kind"] == "nullable" else node
    kind = _PLAIN.get(inner["kind"])
    return kind if kind is not None and set(inner) <= {"kind", "doc"} else None


def _documented(parameter: ParameterFacts, tool: ToolFacts) -> tuple[str | int, ...] | None:
    entry = tool.docstring.params.get(parameter.name) if tool.docstring is not None else None
    if entry is None or parameter.source is None:
        return None
    values = choices(entry.type_text, entry.text)
    # "Either `key` or `token` must be given" names parameters.
    if values is not None and any(one.name in values for one in tool.parameters):
        return None
    default = parameter.source.default
    if values is None or default is None or not isinstance(default, ast.Constant):
        return values
    return values if default.value is None or default.value in values else None


def _enforced(parameter: ParameterFacts, tool: ToolFacts) -> tuple[str | int, ...] | None:
    """The values that the body lets pass, where it raises for every other one."""
    if tool.source is None:
        return None
    for statement in tool.source.body:
        found = _let_pass(statement, parameter.name)
        if found is not None:
            return found
    return None


def _let_pass(statement: ast.stmt, name: str) -> tuple[str | int, ...] | None:
    match statement:
        case ast.If(
            test=ast.Compare(left=ast.Name(id=left), ops=[ast.NotIn()], comparators=[listed]),
            body=[*_, ast.Raise()],
        ) if left == name:
            elements = getattr(listed, "elts", [])
            return _constants(elements)
        case ast.Match(subject=ast.Name(id=subject), cases=[*cases, last]) if subject == name:
            if not (_is_wildcard(last) and isinstance(last.body[-1], ast.Raise)):
                return None
            return _constants([value for case in cases for value in _case_values(case.pattern)])
        case ast.If():
            return _chain(statement, name)
    return None


def _chain(statement: ast.If, name: str) -> tuple[str | int, ...] | None:
    """`if x == "a": … elif x == "b": … else: raise`."""
    found: list[ast.expr] = []
    node: ast.stmt = statement
    while isinstance(node, ast.If):
        match node.test:
            case ast.Compare(left=ast.Name(id=left), ops=[ast.Eq()], comparators=[value]) if (
                left == name
            ):
                found.append(value)
            case _:
                return None
        if len(node.orelse) != 1:
            return None
        node = node.orelse[0]
    return _constants(found) if isinstance(node, ast.Raise) else None


def _case_values(pattern: ast.pattern) -> list[ast.expr]:
    match pattern:
        case ast.MatchValue(value=value):
            return [value]
        case ast.MatchOr(patterns=patterns):
            return [value for one in patterns for value in _case_values(one)]
    return [ast.Name("computed", ast.Load())]


def _is_wildcard(case: ast.match_case) -> bool:
    return isinstance(case.pattern, ast.MatchAs) and case.pattern.pattern is None and not case.guard


def _constants(elements: Sequence[ast.expr]) -> tuple[str | int, ...] | None:
    """Distinct constants of one kind, at least two."""
    values = [one.value for one in elements if isinstance(one, ast.Constant)]
    if len(values) < max(2, len(elements)):
        return None
    found = tuple(dict.fromkeys(value for value in values if type(value) in (str, int)))
    one_kind = len({type(value) for value in found}) == 1
    return found if one_kind and len(found) == len(values) else None  # type: ignore[return-value]


def _place(expr: ast.expr) -> Place:
    return Place(expr.lineno, expr.col_offset, expr.end_lineno, expr.end_col_offset)
