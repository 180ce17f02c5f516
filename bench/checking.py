"""What the plugin costs mypy: the same decorated package with and without it, turn by turn.

Cold, with nothing changed, after one edit, and the daemon after one edit; processor time,
the daemon's own included. The edit adds a function to one module, so that mypy has to look;
its text grows with each turn.
"""

from __future__ import annotations

import json
import os
import shutil
import statistics
import subprocess
import sys
from pathlib import Path

from bench import timing
from bench.generate import write_package

CONFIGURATIONS = {"with plugin": "[mypy]\nplugins = toolcall_mypy\n", "without": "[mypy]\n"}
DMYPY = str(Path(sys.executable).with_name("dmypy"))


def measure(folder: Path, count: int, rounds: int) -> dict[str, float]:
    """Milliseconds of processor time of each way to check, with the plugin and without."""
    homes = {name: folder / name.replace(" ", "_") for name in CONFIGURATIONS}
    for name, home in homes.items():
        write_package(home, "package", count, decorated=True)
        (home / "mypy.ini").write_text(CONFIGURATIONS[name], encoding="utf-8")
    seen: dict[str, list[float]] = {}
    try:
        for turn in range(rounds):
            for name, home in homes.items():
                shutil.rmtree(home / ".mypy_cache", ignore_errors=True)
                _note(seen, "cold", name, _check(home))
            for name, home in homes.items():
                _note(seen, "warm", name, _check(home))
            for name, home in homes.items():
                _edit(home, turn, "warm")
                _note(seen, "edit", name, _check(home))
        for home in homes.values():
            _daemon(home)
        for turn in range(rounds):
            for name, home in homes.items():
                _edit(home, turn, "daemon")
                _note(seen, "daemon", name, _daemon(home))
    finally:
        for home in homes.values():
            subprocess.run([DMYPY, "stop"], cwd=home, capture_output=True, check=False)
    return {what: statistics.median(values) for what, values in seen.items()}


def _note(seen: dict[str, list[float]], way: str, name: str, milliseconds: float) -> None:
    seen.setdefault(f"{way} {name}", []).append(milliseconds)


def _check(home: Path) -> float:
    return _spent([sys.executable, "-m", "mypy", "package"], home)


def _daemon(home: Path) -> float:
    """Of the client and, where it runs already, of the server."""
    before = _server(home)
    client = _spent([DMYPY, "run", "--", "package"], home)
    return client + _server(home) - before


def _server(home: Path) -> float:
    """What the daemon has spent since it started, in ms. Linux alone counts it in ns."""
    status = home / ".dmypy.json"
    if not status.exists():
        return 0.0
    server = json.loads(status.read_text(encoding="utf-8"))["pid"]
    nanoseconds = Path(f"/proc/{server}/schedstat").read_text(encoding="ascii").split()[0]
    return int(nanoseconds) / 1e6


def _spent(command: list[str], home: Path) -> float:
    # An installed plugin is compiled once; told to keep no bytecode, each run would do it again.
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    before = timing.children()
    done = subprocess.run(
        command, cwd=home, env=environment, capture_output=True, text=True, check=False
    )
    if "Success" not in done.stdout:
        raise RuntimeError(f"{command}: {done.stdout[-1500:]}{done.stderr[-1500:]}")
    return 1000 * (timing.children() - before)


def _edit(home: Path, turn: int, way: str) -> None:
    with (home / "package" / "part0001.py").open("a", encoding="utf-8") as text:
        text.write(f"\n\ndef added_{way}_{turn}(number: int) -> int:\n    return number\n")
