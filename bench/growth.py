"""Growth: the same figures for 100, 1,000 and 10,000 tools, and what one tool of many costs.

What is linear costs as much for each further tool in the second step as in the first. What
one tool costs is measured in whole processes that import its module, and by calls through a
Toolset that holds all of them.
"""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bench import timing
from bench.generate import write_package
from toolcall import Toolset, caller, emit, run

if TYPE_CHECKING:
    from collections.abc import Callable

SIZES = (100, 1000, 10_000)
FEW = 20
"""Tools of the package that one of 10,000 is compared with: a single module."""

MODES = {"emitted": "emitted", "sidecars": "loaded", "decorated": "code"}


def measure(folder: Path, rounds: int) -> dict[str, float]:
    """Microseconds and bytes for each further tool, by step; microseconds of one tool."""
    folder.mkdir()
    checked = {size: _build(folder, f"marked{size}", size) for size in (FEW, *SIZES)}
    script = str(Path(__file__).with_name("cold.py"))
    commands = {
        f"{name} {size}": [script, mode, f"marked{size}"]
        for name, mode in MODES.items()
        for size in SIZES
    }
    for size in SIZES:
        write_package(folder, f"plain{size}", size, decorated=False)
        commands[f"undecorated {size}"] = [script, "code", f"plain{size}"]
    commands |= {f"one {size}": [script, "one", f"marked{size}"] for size in (FEW, SIZES[-1])}
    spent = timing.processes(commands, rounds, folder)
    figures: dict[str, float] = {}
    for name in ("undecorated", *MODES):
        _steps(figures, name, {size: 1000 * spent[f"{name} {size}"].cpu for size in SIZES})
    _steps(figures, "checked", {size: 1e6 * checked[size] for size in SIZES})
    _steps(figures, "sidecar bytes", {size: _bytes(folder / f"marked{size}") for size in SIZES})
    for size in (FEW, SIZES[-1]):
        figures[f"one tool of {size:,}, from nothing"] = 1000 * spent[f"one {size}"].cpu
    return figures | _calls(folder, rounds)


def _steps(figures: dict[str, float], name: str, amounts: dict[int, float]) -> None:
    """What each further tool costs, from one size to the next."""
    for below, above in pairwise(SIZES):
        each = (amounts[above] - amounts[below]) / (above - below)
        figures[f"{name}, to {above:,}"] = each


def _build(folder: Path, package: str, size: int) -> float:
    """Write a package and check it with the plugin; seconds of processor time."""
    write_package(folder, package, size, decorated=True)
    (folder / "mypy.ini").write_text("[mypy]\nplugins = toolcall_mypy\n", encoding="utf-8")
    command = [sys.executable, "-m", "mypy", "--cache-dir", f".cache{size}", package]
    before = timing.children()
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(done.stdout[-2000:] + done.stderr[-2000:])
    return timing.children() - before


def _bytes(package: Path) -> int:
    return sum(path.stat().st_size for path in package.glob("__toolcall__/*.json"))


def _calls(folder: Path, rounds: int) -> dict[str, float]:
    """One tool among few and among many, in this process: found, emitted, called."""
    sys.path.insert(0, str(folder))
    candidates: dict[str, Callable[[], object]] = {}
    for size in (FEW, SIZES[-1]):
        package = f"marked{size}"
        modules = [import_module(f"{package}.{m}") for m in import_module(package).MODULES]
        tools = Toolset(modules)
        function = next(f for f in modules[-1].FUNCTIONS if _takes_text(f))
        candidates |= _of_one(f"{size:,}", tools, function)
    found = timing.calls(candidates, max(1, rounds // 3))
    return {name: nanoseconds / 1000 for name, nanoseconds in found.items()}


def _takes_text(function: Any) -> bool:
    return bool(function.__code__.co_varnames[: function.__code__.co_argcount] == ("subject",))


def _of_one(many: str, tools: Toolset, function: Any) -> dict[str, Callable[[], object]]:
    name, arguments = function.__name__, {"subject": "a chair"}
    bound = caller(tools, name)
    return {
        f"run, one of {many}": lambda: run(tools, name, arguments),
        f"caller, one of {many}": lambda: bound(arguments),
        f"found, one of {many}": lambda: caller(tools, name),
        f"emitted, one of {many}": lambda: emit(function),
    }
