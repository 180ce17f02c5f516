"""Run the benchmarks, print their tables, fail where a goal is missed by more than a fifth.

python -m bench [--rounds N] [--tools N] [--only start,calls,growth,checking] [--write PAGE]
                [--unjudged]

`--write` puts the tables of the parts that ran into a page, between the comments
`<!-- bench: PART -->` and `<!-- /bench -->`. `--unjudged` takes every figure for good, for
runs that are too short to mean anything.
"""

from __future__ import annotations

import argparse
import platform
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from bench import checking, goals, growth, timing
from bench.generate import write_package

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

PARTS = ("start", "calls", "growth", "checking")


def main() -> int:
    """Measure, print, write; 1 when a goal is missed by more than a fifth."""
    options = _options()
    missed: list[str] = []
    with tempfile.TemporaryDirectory() as place:
        for part in options.only:
            unit, figures, rows = _measured(part, Path(place), options.tools, options.rounds)
            text = _table(part, unit, figures, rows)
            print(f"## {part}\n\n{text}")
            if options.write:
                _write(options.write, part, text)
            missed += _missed(figures, rows)
    for row in missed:
        print(f"missed: {row}", file=sys.stderr)
    return 1 if missed and not options.unjudged else 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--tools", type=int, default=1000)
    parser.add_argument("--only", type=lambda text: text.split(","), default=list(PARTS))
    parser.add_argument("--write", type=Path)
    parser.add_argument("--unjudged", action="store_true")
    return parser.parse_args()


def _measured(
    part: str, folder: Path, tools: int, rounds: int
) -> tuple[str, dict[str, float], Sequence[goals.Goal]]:
    """The unit of a part's figures, the figures, and the goals they are held against."""
    if part == "start":
        return "ms of processor time, or MiB at most", _start(folder, tools, rounds), goals.START
    if part == "calls":
        return "ns", _calls(folder, rounds), goals.CALLS
    if part == "growth":
        figures = growth.measure(folder / "growth", max(3, rounds // 3))
        return "µs, or bytes", figures, goals.GROWTH
    figures = checking.measure(folder / "checked", tools, max(3, rounds // 3))
    return "ms of processor time", figures, goals.CHECKING


def _start(folder: Path, count: int, rounds: int) -> dict[str, float]:
    """Processor time and memory of whole processes; the sidecars are written first."""
    plain, marked = f"plain{count}", f"marked{count}"
    write_package(folder, plain, count, decorated=False)
    write_package(folder, marked, count, decorated=True)
    _build(folder, marked)
    modes = {
        "python": ("bare", plain),
        "toolcall": ("toolcall_import", plain),
        "msgspec": ("msgspec_import", plain),
        "undecorated": ("code", plain),
        "decorated": ("code", marked),
        "emitted": ("emitted", marked),
        "sidecars": ("loaded", marked),
        "msgspec schemas": ("msgspec_schemas", plain),
    }
    script = str(Path(__file__).with_name("cold.py"))
    commands = {name: [script, mode, package] for name, (mode, package) in modes.items()}
    spent = timing.processes(commands, rounds, folder)
    figures = {name: process.cpu for name, process in spent.items()}
    return figures | {f"{name}, MiB": process.memory for name, process in spent.items()}


def _build(folder: Path, package: str) -> None:
    (folder / "mypy.ini").write_text("[mypy]\nplugins = toolcall_mypy\n", encoding="utf-8")
    command = [sys.executable, "-m", "mypy", package]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(done.stdout[-2000:] + done.stderr[-2000:])


def _calls(folder: Path, rounds: int) -> dict[str, float]:
    """The workload's own sidecar is built first, as a user would build it."""
    write_package(folder, "fresh", 60, decorated=True)
    _build(folder, "fresh")
    sys.path.insert(0, str(folder))
    root = Path(__file__).parents[1]
    command = [sys.executable, "-m", "mypy", "--config-file", "pyproject.toml", "bench/workload.py"]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(done.stdout[-2000:] + done.stderr[-2000:])
    from bench import calls

    return calls.measure(rounds, "fresh")


def _table(part: str, unit: str, figures: Mapping[str, float], rows: Sequence[goals.Goal]) -> str:
    """A part's two tables."""
    lines = [
        f"Python {platform.python_version()}, {platform.system()}.",
        "",
        "| goal | ratio of | measured | at most |",
        "| --- | --- | ---: | ---: |",
    ]
    for goal in rows:
        ratio = goal.ratio(figures)
        if ratio is None:
            measured = "not installed"
        else:
            measured = f"**{ratio:.2f}**" if ratio > goal.limit else f"{ratio:.2f}"
        lines.append(f"| {goal.what} | {goal.words()} | {measured} | {goal.limit:g} |")
    lines += ["", f"| {part} | {unit} |", "| --- | ---: |"]
    lines += [f"| {name} | {value:,.1f} |" for name, value in figures.items()]
    return "\n".join(lines) + "\n"


def _missed(figures: Mapping[str, float], rows: Sequence[goals.Goal]) -> list[str]:
    """The goals that were missed by more than a fifth, in words."""
    ratios = [(goal, goal.ratio(figures)) for goal in rows]
    return [
        f"{goal.what}: {ratio:.2f} of at most {goal.limit:g}"
        for goal, ratio in ratios
        if ratio is not None and ratio > goal.limit * goals.TOLERANCE
    ]


def _write(page: Path, part: str, text: str) -> None:
    """Put a part's tables between its comments."""
    start, end = f"<!-- bench: {part} -->\n", "<!-- /bench -->"
    before, found, after = page.read_text(encoding="utf-8").partition(start)
    if not found:
        raise SystemExit(f"{page} has no {start.strip()}")
    after = after[after.index(end) :]
    page.write_text(f"{before}{start}\n{text}\n{after}", encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
