"""`toolcall diff OLD NEW`: does a change of tool definitions break calls that worked?

Both files are exports of any vendor's format, or sidecars. What a model or a recording
sent for the old definitions must still be accepted by the new ones, and results (where a
format describes them) must still be what their readers took them for.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from toolcall import formats, ir

from .compatibility import Change, Comparison, Schema


@dataclass(frozen=True, slots=True)
class Definition:
    """What two versions of a tool are compared by."""

    description: str
    parameters: Schema
    result: Schema | None


def diff(
    old: Annotated[Path, typer.Argument(help="An exported file, or a sidecar.")],
    new: Annotated[Path, typer.Argument(help="What it became.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print records instead of text.")] = False,
) -> None:
    """Say which changes break recorded calls or callers; exit code 1 if any does."""
    try:
        changes = list(compare(read(old), read(new)))
    except _Malformed as error:
        raise typer.BadParameter(str(error)) from None
    if as_json:
        typer.echo(json.dumps([_record(*item) for item in changes], indent=2))
    else:
        for tool, change in changes:
            mark = "breaks" if change.is_breaking else "safe  "
            typer.echo(f"{mark}  {tool}{change.path}: {change.message}")
        typer.echo(_summary([change for _, change in changes]))
    raise typer.Exit(int(any(change.is_breaking for _, change in changes)))


class _Malformed(ValueError):
    """A schema that is none."""


def compare(
    old: Mapping[str, Definition], new: Mapping[str, Definition]
) -> Iterator[tuple[str, Change]]:
    """The changes between two sets of tools, each with the tool's name.

    Raises:
        ValueError: A schema is none; the text names its tool.
    """
    for name, before in old.items():
        if name not in new:
            yield name, Change("", "the tool is gone", True)
            continue
        try:
            changes = list(_tool_changes(before, new[name]))
        except (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError) as error:
            raise _Malformed(f"tool {name!r} has a malformed schema ({error})") from error
        for change in changes:
            yield name, change
    for name in new:
        if name not in old:
            yield name, Change("", "a new tool", False)


def read(path: Path) -> dict[str, Definition]:
    """The tools of a file by name.

    Raises:
        typer.BadParameter: It cannot be read, or holds no tool definitions.
    """
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        found = dict(_definitions(content))
    except OSError as error:
        raise typer.BadParameter(f"{path}: {error.strerror}") from None
    except (ValueError, KeyError, RecursionError, TypeError, AttributeError):
        raise typer.BadParameter(f"{path} holds no tool definitions") from None
    return found


def _tool_changes(before: Definition, after: Definition) -> Iterator[Change]:
    if before.description != after.description:
        yield Change("", "description changed", False)
    yield from Comparison(before.parameters, after.parameters).changes()
    if before.result is None or after.result is None:
        return
    for change in Comparison(after.result, before.result).changes():
        if change.is_breaking:  # the other way round: what comes out now was not expected
            yield Change(" → result" + change.path, f"before: {change.message}", True)


def _definitions(content: Any) -> Iterator[tuple[str, Definition]]:
    """Each definition of a file, whatever the vendor wraps it in."""
    match content:
        case {"toolcall": int()}:
            yield from _definitions(_rendered(content))
        case list():
            for item in content:
                yield from _definitions(item)
        case {"tools": list() as inner} | {"functionDeclarations": list() as inner}:
            yield from _definitions(inner)
        case {"function": dict() as inner} | {"toolSpec": dict() as inner}:
            yield from _definitions(inner)
        case {"name": str() as name}:
            description = content.get("description", "")
            yield name, Definition(description, _parameters(content), content.get("outputSchema"))
        case _:
            raise ValueError("not a tool definition")


def _parameters(definition: Mapping[str, Any]) -> Schema:
    for key in ("parameters", "parametersJsonSchema", "input_schema", "inputSchema"):
        if key in definition:
            schema: Schema = definition[key]
            return schema["json"] if list(schema) == ["json"] else schema
    return {"type": "object", "properties": {}, "additionalProperties": False}


def _rendered(sidecar: Mapping[str, Any]) -> list[dict[str, Any]]:
    """A sidecar's tools in the format that says most."""
    definitions: list[ir.Definition] = [
        {"tool": tool, "types": sidecar["types"]} for tool in sidecar["tools"]
    ]
    return formats.get("mcp").render_tools(definitions)


def _record(tool: str, change: Change) -> dict[str, object]:
    return {
        "tool": tool,
        "path": change.path,
        "message": change.message,
        "breaking": change.is_breaking,
    }


def _summary(changes: list[Change]) -> str:
    if not changes:
        return "no difference"
    breaking = sum(change.is_breaking for change in changes)
    return f"{len(changes)} changes, {breaking} of them breaking"
