"""Lints of docstrings: what they say of parameters that are not, or are otherwise."""

from __future__ import annotations

import difflib
import re
from typing import TYPE_CHECKING, Final

from toolcall_mypy.lints.finding import Fault, Place, lint

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolcall import ir
    from toolcall_mypy.lints.facts import ParameterFacts, ToolFacts
    from toolcall_mypy.source.docstrings import DocParam

_JSON_TYPES: Final = {
    "str": "string",
    "string": "string",
    "int": "number",
    "integer": "number",
    "float": "number",
    "number": "number",
    "bool": "boolean",
    "boolean": "boolean",
    "list": "array",
    "dict": "object",
}


@lint("unknown-parameter", "error")
def unknown_parameter(tool: ToolFacts) -> Iterator[Fault]:
    """A docstring describes a parameter that the function does not have.

    Usually a rename that forgot the docstring; the description is shown to nobody. With
    `**kwargs` any name may be described.
    """
    if tool.docstring is None or tool.source is None or not tool.is_local:
        return
    names = [parameter.name for parameter in tool.source.parameters]
    names += [parameter.name for parameter in tool.parameters]
    if any(parameter.kind == "var_keyword" for parameter in tool.source.parameters):
        return
    for name, entry in tool.docstring.params.items():
        if name not in names and name.isidentifier():
            near = difflib.get_close_matches(name, names, n=1)
            yield Fault(
                _place(tool, entry),
                f'The docstring describes "{name}", which is no parameter of "{tool.name}"',
                f'Did you mean "{near[0]}"?' if near else "Remove the entry",
            )


@lint("doc-type-mismatch", "note")
def doc_type_mismatch(tool: ToolFacts) -> Iterator[Fault]:
    """A docstring gives a type that contradicts the annotation.

    The annotation is the truth; the type in the docstring is not used. Only plain types
    are compared, and only where nothing that the docstring names is possible.
    """
    if tool.docstring is None or not tool.is_local:
        return
    for parameter in tool.exposed:
        entry = tool.docstring.params.get(parameter.name)
        if entry is None or entry.type_text is None or parameter.parameter is None:
            continue
        said = _said(entry.type_text)
        meant = _meant(parameter.parameter)
        if said and meant and not said & meant:
            yield Fault(
                _place(tool, entry),
                f'The docstring says that "{parameter.name}" is {entry.type_text}, '
                "the annotation says otherwise",
                "Leave the type to the annotation",
            )


def _meant(parameter: ir.Parameter) -> set[str] | None:
    """The JSON types of a parameter; for `*args` and `**kw` of one value or of all."""
    node = parameter["type"]
    if parameter["kind"] == "var_positional" and node["kind"] == "array":
        one = _json_types(node["items"])
        return one and one | {"array"}
    one = _json_types(node)
    return one | {"object"} if one and parameter["kind"] == "var_keyword" else one


@lint("missing-description", "off")
def missing_description(tool: ToolFacts) -> Iterator[Fault]:
    """A tool, a parameter or a field has no description at all.

    Names alone often suffice, so this is off unless you ask for it.
    """
    if "doc" not in tool.tool:
        yield Fault(tool.place, f'Tool "{tool.name}" has no description', "Write a docstring")
    for parameter in tool.exposed:
        if parameter.parameter is not None and "doc" not in parameter.parameter:
            yield Fault(
                parameter.place,
                f'Parameter "{parameter.name}" has no description',
                "Describe it in the docstring",
            )
    for field in tool.fields:
        if not field.documented and field.place is not None:
            yield Fault(
                field.place,
                f'Field "{field.name}" has no description',
                "Write a string literal beneath it",
            )


def _place(tool: ToolFacts, entry: DocParam) -> Place:
    """The place of the entry's name, of the whole line where it is not found as written."""
    lines = tool.text.split("\n", entry.line)
    line = lines[entry.line - 1] if len(lines) >= entry.line else ""
    found = re.search(rf"\b{re.escape(entry.name)}\b", line)
    if found is None:
        return Place(entry.line)
    return Place(entry.line, found.start(), entry.line, found.end())


def _said(type_text: str) -> set[str] | None:
    """The JSON types that a docstring's type names, None where any word is not plain."""
    words = re.split(r"\s*(?:,|\||\bor\b)\s*", type_text.strip())
    kinds = [word for word in words if word not in ("optional", "None", "default", "")]
    if not kinds or any(word not in _JSON_TYPES for word in kinds):
        return None
    return {_JSON_TYPES[word] for word in kinds}


def _json_types(node: ir.Type) -> set[str] | None:
    match node["kind"]:
        case "string" | "boolean":
            return {node["kind"]}
        case "integer" | "number":
            return {"number"}
        case "array" | "tuple":
            return {"array"}
        case "mapping":
            return {"object"}
        case "nullable":
            return _json_types(node["inner"])
    return None


def describes(parameter: ParameterFacts) -> bool:
    """Whether the parameter has a description."""
    return parameter.parameter is not None and "doc" in parameter.parameter
