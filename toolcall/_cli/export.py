"""`toolcall export`: tool definitions as a file, to be committed, reviewed or sent.

The same declarations give the same bytes on every machine: two spaces of indent, sorted
keys, modules by name, tools in the order of their declaration. So a change to what
models are told is a diff, and `--check` tells CI whether the committed file is current.
"""

from __future__ import annotations

import json
import warnings
from pathlib import Path
from typing import Annotated, Any

import typer

from toolcall import formats, ir
from toolcall.errors import ToolcallError, ToolcallWarning
from toolcall.formats._names import name_problem

from . import discovery


def export(
    modules: Annotated[
        list[str] | None,
        typer.Argument(help="Modules, files or folders; none means the working directory."),
    ] = None,
    format_name: Annotated[
        str, typer.Option("--format", help=f"One of {', '.join(formats.NAMES)}.")
    ] = "openai",
    strict: Annotated[bool, typer.Option(help="Ask for the vendor's strict mode.")] = False,
    app: Annotated[
        str | None, typer.Option(metavar="PACKAGE", help="Only modules of this package.")
    ] = None,
    out: Annotated[Path | None, typer.Option(help="Write here instead of printing.")] = None,
    check: Annotated[
        bool, typer.Option("--check", help="Write nothing; fail if --out would change.")
    ] = False,
) -> None:
    """Write the definitions of all tools as one vendor wants them."""
    if check and out is None:
        raise typer.BadParameter("--check needs --out")
    try:
        text = exported(discovery.find(modules or (), app), format_name, strict=strict)
    except ToolcallError as error:
        typer.echo(f"toolcall: {error}", err=True)
        raise typer.Exit(1) from None
    if out is None:
        typer.echo(text, nl=False)
        return
    try:
        is_done = _is_current(out, text) if check else _write(out, text)
    except OSError as error:
        typer.echo(f"toolcall: {error.filename or out}: {error.strerror}", err=True)
        raise typer.Exit(1) from None
    if not is_done:
        typer.echo(f"toolcall: {out} is not up to date; run the same without --check", err=True)
        raise typer.Exit(1)


def _is_current(out: Path, text: str) -> bool:
    return out.exists() and out.read_bytes() == text.encode()


def _write(out: Path, text: str) -> bool:
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_bytes(text.encode())
    return True


def exported(modules: list[discovery.Module], format_name: str, *, strict: bool) -> str:
    """The text of an export.

    Raises:
        ToolcallError: A tool is stale, two have one name, or the vendor refuses a name.
    """
    vendor = formats.get(format_name)
    definitions = _definitions(modules)
    refused = [
        problem
        for name in definitions
        if (problem := name_problem(name, vendor.DIALECT)) is not None
    ]
    if refused:
        raise ToolcallError("names that the format refuses:\n  " + "\n  ".join(refused))
    return as_text(_rendered(vendor, list(definitions.values()), strict=strict))


def as_text(value: Any) -> str:
    """JSON as it is committed: sorted keys, two spaces of indent, a newline at the end."""
    return json.dumps(value, indent=2, sort_keys=True, ensure_ascii=False) + "\n"


def _definitions(modules: list[discovery.Module]) -> dict[str, ir.Definition]:
    """Every tool by name. Collects what is wrong with any of them before it gives up."""
    definitions: dict[str, ir.Definition] = {}
    owners: dict[str, str] = {}
    errors: list[str] = []
    for module in modules:
        try:
            for tool in discovery.exposed(module):
                if owners.setdefault(tool["name"], module.name) != module.name:
                    names = f"{owners[tool['name']]} and {module.name}"
                    errors.append(f"{names} both have a tool {tool['name']!r}")
                types = discovery.readable(module).types
                definitions.setdefault(tool["name"], {"tool": tool, "types": types})
        except ToolcallError as error:
            errors.append(str(error))
    if errors:
        raise ToolcallError("\n".join(errors))
    return definitions


def _rendered(
    vendor: formats.Format, definitions: list[ir.Definition], *, strict: bool
) -> list[dict[str, Any]]:
    """The vendor's dicts; what strict mode could not say goes to standard error."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", ToolcallWarning)
        tools = vendor.render_tools(definitions, strict=strict)
    for warning in caught:
        typer.echo(f"toolcall: {warning.message}", err=True)
    return tools
