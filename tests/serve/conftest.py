"""A module with tools, served as a subprocess, and the official client to talk to it."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

SERVED = '''\
import asyncio
import threading
import time
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from enum import Enum
from pathlib import Path
from typing import Annotated, Any, Optional, TypedDict

from toolcall import Inject, ToolError, tool
from toolcall.progress import report

print("standard output is the protocol's")


@dataclass
class Point:
    x: int
    y: int


@tool(read_only=True, idempotent=True, title="Add two points")
def add(a: Point, b: Point) -> Point:
    """Add points."""
    return Point(a.x + b.x, a.y + b.y)


@tool
def length(text: str) -> int:
    """Count characters."""
    print("so it is while tools run")
    return len(text)


@tool
def wait_for_ever() -> str:
    """Never answer."""
    threading.Event().wait()
    return ""


@tool
def steps(number: int) -> str:
    """Report in a thread."""
    for step in range(number):
        report(step + 1, number, f"step {step + 1}")
    return "done"


@tool
async def async_steps(number: int) -> str:
    """Report in the loop."""
    for step in range(number):
        report(step + 1)
        await asyncio.sleep(0)
    return "done"


@tool
def until_cancelled(mark: str) -> str:
    """Work until nobody waits any more."""
    try:
        while True:
            report(1)
            time.sleep(0.01)
    finally:
        Path(mark).write_text("ended")


@tool
def refuse(why: str) -> str:
    """Refuse."""
    raise ToolError(f"no: {why}")


@tool
def crash() -> str:
    """Crash."""
    raise RuntimeError("it broke")


class Num(TypedDict):
    n: int


class Shade(Enum):
    DARK = "dark"


@dataclass
class Tree:
    at: datetime
    took: timedelta
    price: Decimal
    raw: bytes
    shades: set[Shade]
    inner: Optional["Tree"] = None


def untyped(value: object) -> Any:
    return value


@tool
def broken(how: str) -> Num:
    """Return something else than what is declared."""
    return untyped({"wrong": {"wrong": 1}, "text": {"n": "1"}, "none": None, "list": [1]}[how])


@tool
def grown() -> Tree:
    """Return all that is encoded."""
    leaf = Tree(datetime(2026, 1, 2), timedelta(1.5), Decimal("1.10"), b"x", {Shade.DARK})
    return Tree(datetime(2026, 1, 2), timedelta(0), Decimal(1), b"", set(), leaf)
'''
OTHERS = {
    "same.py": "from toolcall import tool\n\n\n@tool\ndef length(text: str) -> int:\n"
    '    """Count."""\n    return len(text)\n',
    "wants.py": "from typing import Annotated\n\nfrom toolcall import Inject, tool\n\n\n"
    "class Shop:\n    town = 'Oslo'\n\n\nSHOP = Shop()\n\n\n"
    "@tool\ndef where(town: Annotated[str, Inject]) -> str:\n"
    '    """Say where."""\n    return town\n',
    "till.py": "from toolcall import tool\n\n\nclass Till:\n    @tool\n"
    "    def pay(self, amount: int) -> int:\n"
    '        """Pay."""\n        return amount\n\n\nTILL = Till()\n',
    "pack/__init__.py": "",
    "pack/one.py": "from toolcall import tool\n\n\n@tool\ndef one() -> int:\n"
    '    """One."""\n    return 1\n',
    "pack/two.py": "from toolcall import tool\n\n\n@tool\ndef two() -> int:\n"
    '    """Two."""\n    return 2\n',
    "pack/empty.py": "",
    "pack/plain.py": "raise RuntimeError('has no tools and is not imported')\n",
}


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The modules with their sidecars; nobody may change them."""
    folder = tmp_path_factory.mktemp("served")
    for name, text in {"served.py": SERVED, **OTHERS}.items():
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    done = toolcall(folder, "build", ".")
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


@pytest.fixture
def project(built: Path, tmp_path: Path) -> Path:
    """A copy to change."""
    return Path(shutil.copytree(built, tmp_path / "p", ignore=shutil.ignore_patterns(".mypy*")))


def toolcall(folder: Path, *arguments: str, text: str = "") -> subprocess.CompletedProcess[str]:
    """Run the command in a folder until it ends."""
    return subprocess.run(
        [sys.executable, "-m", "toolcall", *arguments],
        cwd=folder,
        input=text,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


@contextmanager
def over_http(folder: Path, *arguments: str) -> Iterator[str]:
    """A server of the folder's modules; its URL. At the end it must still live, and end."""
    log = folder / "http.log"
    with log.open("w") as errors:
        server = subprocess.Popen(
            [sys.executable, "-m", "toolcall", "serve", *arguments, "--http", "--port", "0"],
            cwd=folder,
            stdout=errors,
            stderr=errors,
        )
    try:
        yield _url(server, log)
        assert server.poll() is None, log.read_text()
        server.send_signal(signal.SIGINT)
        server.wait(30)
    finally:
        if server.poll() is None:
            server.kill()
        server.wait()


def _url(server: subprocess.Popen[bytes], log: Path) -> str:
    while (found := re.search(r"serving at (\S+)", log.read_text())) is None:
        try:
            server.wait(0.1)
        except subprocess.TimeoutExpired:
            continue
        raise AssertionError(log.read_text())
    return found[1]


def threads(pid: int) -> int:
    """How many threads a process has."""
    return len(os.listdir(f"/proc/{pid}/task"))
