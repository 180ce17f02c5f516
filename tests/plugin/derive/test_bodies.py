"""Class bodies as the sources have them: what derivation asks where mypy has forgotten."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from toolcall_mypy.source.bodies import enum_members, typeddict_keys
from toolcall_mypy.source.files import SourceFiles, open_index

if TYPE_CHECKING:
    from pathlib import Path

    from toolcall_mypy.source.index import ModuleIndex

BASE = """
from typing import TypedDict
class Far(TypedDict):
    z: int
"""
TEXT = """
import enum
from enum import Enum, auto, Flag
from typing import Generic, TypedDict, TypeVar
from base import Far
T = TypeVar("T")
CONST = "const"
class Bits(Flag):
    R = enum.auto()
    W = auto()
    X = 16
    ALL = R | W | X
    NOT = ~R
class Words(str, Enum):
    A = CONST
    B = "b" "c"
    C = make()
    D = enum.member("d")
    E = enum.nonmember("e")
    note: str
    def method(self) -> None: ...
Called = Enum("Called", "ONE, TWO")
Listed = Enum("Listed", ["ONE", ("TWO", 2)])
Keyed = Enum("Keyed", {"ONE": "one", "TWO": "two"})
class Own(Far, Generic[T]):
    b: int
    a: T
class Sub(Own[int], total=False):
    c: int
    b: int
Made = TypedDict("Made", {"y": int, "x": str})
"""


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> tuple[ModuleIndex, SourceFiles]:
    folder = tmp_path_factory.mktemp("bodies")
    paths: dict[str, Path] = {}
    for name, text in {"base": BASE, "sample": TEXT}.items():
        paths[name] = folder / f"{name}.py"
        paths[name].write_text(text, encoding="utf-8")
    files = SourceFiles(lambda module: str(paths[module]) if module in paths else None)
    return open_index("sample", str(paths["sample"])), files


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Bits", [("R", ...), ("W", ...), ("X", 16), ("ALL", ("R", "W", "X")), ("NOT", None)]),
        ("Words", [("A", "const"), ("B", "bc"), ("C", None), ("D", "d")]),
        ("Called", [("ONE", ...), ("TWO", ...)]),
        ("Listed", [("ONE", ...), ("TWO", 2)]),
        ("Keyed", [("ONE", "one"), ("TWO", "two")]),
        ("CONST", None),
        ("Missing", None),
    ],
)
def test_enum_members_in_order(
    sources: tuple[ModuleIndex, SourceFiles], name: str, expected: object
) -> None:
    """Literal values, automatic ones, members joined; also of calls."""
    assert enum_members(name, *sources) == expected


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Own", ["z", "b", "a"]),
        ("Sub", ["z", "b", "a", "c"]),
        ("Made", ["y", "x"]),
        ("Missing", None),
    ],
)
def test_typeddict_keys_in_order(
    sources: tuple[ModuleIndex, SourceFiles], name: str, expected: object
) -> None:
    """Those of the bases first, across modules; also of calls."""
    assert typeddict_keys(name, *sources) == expected
