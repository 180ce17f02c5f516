"""A module whose tools are given to other people's frameworks."""

from __future__ import annotations

import importlib
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

DESK = '''\
from dataclasses import dataclass
from typing import Annotated

from toolcall import ImagePart, Inject, Ok, Param, ToolError, tool


@dataclass
class Order:
    kind: str
    grams: Annotated[int, Param(ge=1)]


@tool
def order(wanted: Order, self: str = "", config: str = "", run: str = "") -> dict[str, str]:
    """Order tea.

    Args:
        wanted: What and how much.
    """
    assert isinstance(wanted, Order)
    return {"kind": wanted.kind, "rest": self + config + run}


@tool
async def slowly(n: int) -> int:
    """Take time."""
    return n


@tool
def refuse(why: str) -> str:
    """Refuse."""
    raise ToolError(f"no: {why}")


@tool
def whose(town: Annotated[str, Inject]) -> str:
    """Say where."""
    return town


@tool
def picture() -> ImagePart:
    """Draw."""
    return ImagePart(b"png", "image/png")


@tool
def secret() -> Ok[str]:
    """Keep something from the model."""
    return Ok("shown", processed={"hidden": 1})
'''


@pytest.fixture(scope="session")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ModuleType]:
    folder = tmp_path_factory.mktemp("desk")
    (folder / "desk.py").write_text(DESK, encoding="utf-8")
    command = [sys.executable, "-m", "toolcall", "build", "desk.py"]
    done = subprocess.run(command, cwd=folder, check=False, capture_output=True, text=True)
    assert Path(folder, "__toolcall__/desk.json").exists(), done.stdout + done.stderr
    sys.path.insert(0, str(folder))
    yield importlib.import_module("desk")
    sys.path.remove(str(folder))
    del sys.modules["desk"]


@pytest.fixture
def town() -> dict[str, str]:
    return {"town": "Oslo"}
