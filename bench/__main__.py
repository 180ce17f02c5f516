"""Run the benchmarks, print their tables, fail where a goal is missed by more than a fifth.

python -m bench [--rounds N] [--tools N] [--only start,calls,checking] [--write FILE]
"""

from __future__ import annotations

import argparse
import platform
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from bench import checking, goals, timing
from bench.generate import write_package

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

PARTS = ("start", "calls", "checking")


def main() -> int:
    """Measure, print, write; 1 when a goal is missed by more than a fifth."""
    options = _options()
    lines = [f"Python {platform.python_version()}, {platform.system()}; {options.tools:,} tools."]
    missed: list[str] = []
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        if "start" in options.only:
            figures = _start(folder, options.tools, options.rounds)
            missed += _table(lines, "Start-up, whole processes", "ms", figures, goals.START)
        if "calls" in options.only:
            figures = _calls(folder, options.rounds)
            missed += _table(lines, "Calls", "ns", figures, goals.CALLS)
        if "checking" in options.only:
            figures = checking.measure(
                folder / "checked", options.tools, max(3, options.rounds // 3)
            )
            missed += _table(lines, "Checking", "ms", figures, goals.CHECKING)
    text = "\n".join(lines) + "\n"
    print(text)
    if options.write:
        options.write.write_text(text, encoding="utf-8")
    for row in missed:
        print(f"missed: {row}", file=sys.stderr)
    return 1 if missed else 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--tools", type=int, default=1000)
    parser.add_argument("--only", type=lambda text: text.split(","), default=list(PARTS))
    parser.add_argument("--write", type=Path)
    return parser.parse_args()


def _start(folder: Path, count: int, rounds: int) -> dict[str, float]:
    """Milliseconds of whole processes; the sidecars are written first."""
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
    return {
        name: process.milliseconds
        for name, process in timing.processes(commands, rounds, folder).items()
    }


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


def _table(
    lines: list[str],
    title: str,
    unit: str,
    figures: Mapping[str, float],
    rows: Sequence[goals.Goal],
) -> list[str]:
    """Add a part's two tables; the goals that were missed."""
    lines += [
        "",
        f"## {title}",
        "",
        "| goal | ratio of | measured | at most |",
        "| --- | --- | ---: | ---: |",
    ]
    missed = []
    for goal in rows:
        ratio = goal.ratio(figures)
        lines.append(f"| {goal.what} | {goal.words()} | {ratio:.2f} | {goal.limit:g} |")
        if ratio > goal.limit * goals.TOLERANCE:
            missed.append(f"{goal.what}: {ratio:.2f} of at most {goal.limit:g}")
    lines += ["", f"| figure | {unit} |", "| --- | ---: |"]
    lines += [f"| {name} | {value:,.1f} |" for name, value in figures.items()]
    return missed


if __name__ == "__main__":
    sys.exit(main())
