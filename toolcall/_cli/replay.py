"""`toolcall replay LOG.jsonl`: which recorded calls would today's tools refuse?

The modules are imported, because what arguments are built of may refuse them as well; no
tool is run. A change of a signature thus shows what it would have done to the calls that
models made so far. `recorded` finds the calls in the log.
"""

from __future__ import annotations

import json
import os
import sys
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import nullcontext, redirect_stdout
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import Progress

from toolcall._many import check_many
from toolcall._named import sources
from toolcall._values import Err
from toolcall.errors import Problem, ToolcallError

from . import discovery
from .recorded import Recorded, recorded


@dataclass(slots=True)
class Tally:
    """What was seen of one tool. `examples` are its first refused calls: line and text."""

    calls: int = 0
    refused: int = 0
    problems: dict[str, int] = field(default_factory=dict)
    examples: list[tuple[int, str]] = field(default_factory=list)


@dataclass(slots=True)
class Report:
    """What was seen of a log: tools by name, and the lines that are no JSON."""

    tools: dict[str, Tally] = field(default_factory=dict)
    unreadable: list[int] = field(default_factory=list)

    def add(self, call: Recorded, problems: tuple[Problem, ...], examples: int) -> None:
        """Count one call that was looked at."""
        tally = self.tools.setdefault(call.name or "", Tally())
        tally.calls += 1
        if problems:
            tally.refused += 1
            for code in dict.fromkeys(problem.code for problem in problems):
                tally.problems[code] = tally.problems.get(code, 0) + 1
            if len(tally.examples) < examples:
                tally.examples.append((call.line, str(Err(problems))))


def replay(
    log: Annotated[
        Path, typer.Argument(exists=True, dir_okay=False, help="One JSON value a line.")
    ],
    modules: Annotated[
        list[str] | None,
        typer.Argument(
            help="Modules, files, folders, or MODULE:NAME for a Toolset; none means the "
            "working directory."
        ),
    ] = None,
    lenient: Annotated[bool, typer.Option(help="Repair arguments as lenient calls do.")] = False,
    jobs: Annotated[int, typer.Option(min=1, help="Processes.")] = 1,
    examples: Annotated[int, typer.Option(min=0, help="Refused calls to show, a tool.")] = 3,
    as_json: Annotated[bool, typer.Option("--json", help="Print a record instead.")] = False,
) -> None:
    """Say which recorded calls today's tools would refuse; exit code 1 if any. Runs no tool."""
    try:
        source = _sources(modules or [])
        report = _report(log, source, lenient=lenient or None, jobs=jobs, examples=examples)
    except ToolcallError as error:
        typer.echo(f"toolcall: {error}", err=True)
        raise typer.Exit(1) from None
    if not report.tools and not report.unreadable:
        raise typer.BadParameter(f"{log} holds no calls")
    if as_json:
        typer.echo(json.dumps(asdict(report), indent=2))
    else:
        for line in _lines(report):
            typer.echo(line)
    refused = any(tally.refused for tally in report.tools.values())
    raise typer.Exit(int(refused or bool(report.unreadable)))


def _sources(given: list[str]) -> object:
    """What is named, imported. What modules print meanwhile is not our output."""
    sys.path.insert(0, os.getcwd())
    held = [text for text in given if ":" in text and not Path(text).exists()]
    files = [text for text in given if text not in held]
    paths = [module.path for module in discovery.find(files)] if files or not held else []
    with redirect_stdout(sys.stderr):
        found = [source for text in held + paths for source in sources(text)]
    return found[0] if len(found) == 1 else found  # a Toolset alone has a say in leniency


def _report(log: Path, source: object, *, lenient: bool | None, jobs: int, examples: int) -> Report:
    report = Report()
    asked: deque[Recorded] = deque()
    calls = _calls(_watched(log), report, asked)
    with ProcessPoolExecutor(jobs) if jobs > 1 else nullcontext() as pool:
        for problems in check_many(source, calls, pool, lenient=lenient):
            report.add(asked.popleft(), problems, examples)
    return report


def _watched(log: Path) -> Iterator[Recorded]:
    """The log's calls, with a bar on a terminal that says how far it is read."""
    console = Console(stderr=True)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task(log.name, total=log.stat().st_size)
        for call in recorded(log):
            yield call
            progress.update(task, completed=call.size)


def _calls(
    found: Iterable[Recorded], report: Report, asked: deque[Recorded]
) -> Iterator[tuple[str, Any]]:
    """What is to be looked at, remembered in `asked` until the answer comes."""
    for call in found:
        if call.name is None:
            report.unreadable.append(call.line)
        else:
            asked.append(call)
            yield call.name, call.arguments


def _lines(report: Report) -> Iterator[str]:
    width = max(map(len, report.tools), default=0)
    for name, tally in report.tools.items():
        often = sorted(tally.problems.items(), key=lambda pair: -pair[1])
        codes = ", ".join(f"{code} {count}" for code, count in often)
        told = f"  {tally.refused} refused: {codes}" if tally.refused else ""
        yield f"{name:{width}}  {_counted(tally.calls, 'call')}{told}"
        for line, text in tally.examples:
            yield f"    line {line}: " + text.replace("\n", "\n        ")
    if report.unreadable:
        shown = ", ".join(map(str, report.unreadable[:10]))
        yield f"{_counted(len(report.unreadable), 'line')} without JSON: {shown}"
    refused = sum(tally.refused for tally in report.tools.values())
    total = sum(tally.calls for tally in report.tools.values())
    yield f"{refused} of {_counted(total, 'call')} would be refused"


def _counted(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"
