"""Values of expressions that can be known without running them."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any
from uuid import UUID

import pytest

from toolcall_mypy.source.defaults import Computed, EnumMemberValue, Known, evaluate
from toolcall_mypy.source.resolve import Trail

if TYPE_CHECKING:
    from collections.abc import Callable

    from toolcall_mypy.source.files import SourceFiles


def of(files: SourceFiles, name: str, scope: str = "", trail: Trail | None = None) -> Any:
    """The value that module `m` assigns to a name, or the reason why it is not known."""
    index = files.index("m")
    assert index is not None
    expr = index.assigned[name].value
    assert expr is not None
    match evaluate(expr, index, scope, files, trail):
        case Known(value):
            return value
        case Computed(reason):
            return reason


@pytest.mark.parametrize(
    ("expr", "value"),
    [
        ("None", None),
        ("True", True),
        ("-1", -1),
        ("+1.5", 1.5),
        ("~1", -2),
        ("not True", False),
        ("'a' 'b'", "ab"),
        ("'a' + 'b'", "ab"),
        ("b'x'", b"x"),
        ("60 * 60", 3600),
        ("2 ** 10 - 1", 1023),
        ("1 << 10 | 1", 1025),
        ("0xFF >> 4 & 0b101 ^ 2", 7),
        ("7 // 2 + 7 % 2 + 1 / 2", 4.5),
        ("[1, (2, 'x'), {'a': [None]}]", [1, (2, "x"), {"a": [None]}]),
        ("{1, 2}", {1, 2}),
        ("[*(1, 2), 3]", [1, 2, 3]),
        ("{**{'a': 1}, 'b': 2}", {"a": 1, "b": 2}),
        ("[1] + [2]", [1, 2]),
        ("(1,) + (2,)", (1, 2)),
        ("frozenset({1})", {1}),
        ("tuple([1])", (1,)),
        ("list((1,))", [1]),
        ("dict()", {}),
        ("dict({'a': 1})", {"a": 1}),
        ("set()", set()),
    ],
)
def test_literals(modules: Callable[..., SourceFiles], expr: str, value: object) -> None:
    """Literals, containers of them, arithmetic, joined text, builtin containers."""
    found = of(modules(m=f"X = {expr}\n"), "X")
    assert found == value
    assert type(found) is type(value)


STDLIB = (
    "from datetime import date, datetime, time, timedelta, timezone\n"
    "import decimal\nfrom decimal import Decimal\nfrom pathlib import Path\nfrom uuid import UUID\n"
)


@pytest.mark.parametrize(
    ("expr", "value"),
    [
        ("date(2024, 1, 31)", dt.date(2024, 1, 31)),
        ("datetime(2024, 1, day=31)", dt.datetime(2024, 1, 31)),
        (
            "datetime(2024, 1, 31, tzinfo=timezone.utc)",
            dt.datetime(2024, 1, 31, tzinfo=dt.timezone.utc),
        ),
        ("time(9, 30)", dt.time(9, 30)),
        ("timedelta(minutes=HALF)", dt.timedelta(minutes=30)),
        ("Decimal('1.50')", Decimal("1.50")),
        ("decimal.Decimal(1)", Decimal(1)),
        ("Path('.')", PurePosixPath(".")),
        ("[Path('a', 'b')]", [PurePosixPath("a/b")]),
        ("UUID(int=1)", UUID(int=1)),
    ],
)
def test_plain_values_of_the_standard_library(
    modules: Callable[..., SourceFiles], expr: str, value: object
) -> None:
    """Built from literals and constants, as data; paths as they are written."""
    found = of(modules(m=f"{STDLIB}HALF = 30\nX = {expr}\n"), "X")
    assert found == value
    assert type(found) is type(value)


@pytest.mark.parametrize(
    "expr",
    [
        "f'{1}'",
        "now()",
        "Decimal('x')",
        "Decimal(now())",
        "Decimal(**options)",
        "date(2024, 13, 1)",
        "date(2024)",
        "datetime(2024, 1, 1, tzinfo=zone)",
        "datetime(2024, 1, 1, tzinfo=timezone(timedelta(hours=1)))",
        "Path.home()",
        "UUID('x')",
        "...",
        "1j",
        "lambda: 1",
        "1 if a else 2",
        "[x for x in y]",
        "unknown",
        "str",
        "'a' * 1000",
        "-'a'",
        "9 ** 9 ** 9",
        "1 / 0",
        "2.0 ** 1000000",
        "True + 1",
        "{[]: 1}",
        "{[]}",
        "[*1]",
        "{**1}",
        "list(a=1)",
        "tuple(3)",
        "f.value",
        "'x'.value",
        "'x'.upper",
        "a[0]",
    ],
)
def test_everything_else_is_computed(modules: Callable[..., SourceFiles], expr: str) -> None:
    """With a reason in words."""
    index = (files := modules(m=f"{STDLIB}X = {expr}\n")).index("m")
    assert index is not None
    value = index.assigned["X"].value
    assert value is not None
    found = evaluate(value, index, "", files)
    assert isinstance(found, Computed)
    assert found.reason


def test_constants_across_modules(modules: Callable[..., SourceFiles]) -> None:
    """Module constants, Final, class constants, re-exports, constants of constants."""
    files = modules(
        m="from n import LIMIT, Config as C\nimport n\nA: Final = 3\nX = A\nY = [LIMIT, n.LIMIT]\n"
        "Z = C.SIZE\n",
        n="BASE = 5\nLIMIT = BASE * 2\nclass Config:\n    SIZE: int = LIMIT + 1\n",
    )
    trail = Trail()
    assert of(files, "X") == 3
    assert of(files, "Y", trail=trail) == [10, 10]
    assert of(files, "Z") == 11
    assert {module: names for module, _, names in trail} == {
        "m": ("LIMIT", "n"),
        "n": ("BASE", "LIMIT"),
    }


@pytest.mark.parametrize(
    "text",
    [
        "A = 1\nA = 2\nX = A\n",
        "A = 1\nA += 1\nX = A\n",
        "A = 1\ndef f():\n    global A\n    A = 2\nX = A\n",
        "A = 1\nfor A in y: ...\nX = A\n",
        "A: int\nX = A\n",
        "A = B\nB = A\nX = A\n",
        "if t:\n    A = 1\nelse:\n    A = 2\nX = A\n",
    ],
)
def test_a_name_with_more_than_one_value_is_computed(
    modules: Callable[..., SourceFiles], text: str
) -> None:
    """A constant has one assignment that makes it."""
    assert isinstance(of(modules(m=text), "X"), str)


def test_enum_members(modules: Callable[..., SourceFiles]) -> None:
    """By class and member; also through imports, subclasses and values."""
    files = modules(
        m="from n import Color, Kind as K, Plain\nA = Color.RED\nB = K.ONE\nC = [Color.RED]\n"
        "D = Color.RED.value\nE = Color.RED.name\nF = Color.note\nG = Plain.RED\n"
        "H = Color.nothing\nI = Color._ignore_\nShort = Color\nJ = Short.RED\nK2 = K.TWO.value\n",
        n="import enum\nfrom enum import Enum\nclass Color(str, Enum):\n    RED = 'red'\n"
        "    note: int = 3\n    _ignore_ = []\n"
        "class Base(enum.IntEnum): ...\nclass Kind(Base):\n    ONE = 1\n    TWO = enum.auto()\n"
        "class Plain:\n    RED = 'r'\nclass Loop(Loop): ...\n",
    )
    red = EnumMemberValue("n:Color", "RED")
    assert of(files, "A") == red
    assert of(files, "B") == EnumMemberValue("n:Kind", "ONE")
    assert of(files, "C") == [red]
    assert of(files, "D") == "red"
    assert of(files, "E") == "RED"
    assert of(files, "G") == "r"
    assert of(files, "J") == red
    for computed in ("F", "H", "I", "K2"):
        assert isinstance(of(files, computed), str)


def test_members_by_value_and_by_name(modules: Callable[..., SourceFiles]) -> None:
    """`Color("red")` and `Color["RED"]` are members as much as `Color.RED` is."""
    files = modules(
        m="from n import Color, Kind, Plain\nA = Color('red')\nB = Color['RED']\n"
        "C = Color('blue')\nD = Color['BLUE']\nE = Kind(1)\nF = Kind(True)\nG = Plain('red')\n"
        "H = Color('red', 1)\nI = Color[A]\n",
        n="from enum import Enum\nclass Color(Enum):\n    RED = 'red'\n"
        "class Kind(Enum):\n    ONE = 1\nclass Plain:\n    RED = 'red'\n",
    )
    red = EnumMemberValue("n:Color", "RED")
    assert [of(files, name) for name in "AB"] == [red, red]
    assert of(files, "E") == EnumMemberValue("n:Kind", "ONE")
    for computed in "CDFGHI":
        assert isinstance(of(files, computed), str), computed


def test_a_member_may_be_final(modules: Callable[..., SourceFiles]) -> None:
    """`Final` gives no type of its own; every other annotation makes it no member."""
    files = modules(
        m="from enum import Enum\nfrom typing import Final\nclass Default(Enum):\n"
        "    token: Final = 0\n    other: int = 1\nA = Default.token\nB = Default.other\n"
    )
    assert of(files, "A") == EnumMemberValue("m:Default", "token")
    assert isinstance(of(files, "B"), str)


def test_an_enum_local_to_a_function(modules: Callable[..., SourceFiles]) -> None:
    """Its class name carries `<locals>`."""
    files = modules(
        m="from enum import Enum\ndef f():\n    class E(Enum):\n        A = 1\n    X = E.A\n"
    )
    index = files.index("m")
    assert index is not None
    expr = index.assigned["f.<locals>.X"].value
    assert expr is not None
    found = evaluate(expr, index, "f.<locals>", files)
    assert found == Known(EnumMemberValue("m:f.<locals>.E", "A"))


def test_deep_nesting_is_an_answer_not_a_crash(modules: Callable[..., SourceFiles]) -> None:
    """A sum of thousands of terms is computed, whatever the interpreter's stack allows."""
    files = modules(m="X = " + " + ".join(["1"] * 3000) + "\n")
    index = files.index("m")
    assert index is not None
    if index.fault is None:
        expr = index.assigned["X"].value
        assert expr is not None
        assert evaluate(expr, index, "", files) in {Known(3000), Computed("nested too deeply")}
