"""A fingerprint changes with what a schema says, and with nothing else."""

from __future__ import annotations

import sys

import pytest

from toolcall._declarations import Declarations
from toolcall._fingerprint import declaration_hash, file_hash

MODULE = '''
"""A module."""
from __future__ import annotations
import sys
from typing import Annotated, Literal
from elsewhere import Other as Another, unused
import outer.inner

#: How far.
Distance = Annotated[int, "metres", LIMIT]
LIMIT = 10  #: the limit
Place = str
"""Where."""

if sys.version_info >= (3, 11):
    Span = int
else:
    Span = str


class Base:
    """The base."""
    a: int


class Spot(Base):
    """A spot."""
    x: int = 0
    """Across."""
    y: "Distance"  #: along

    def __init__(self, x: int) -> None:
        self.x = x

    def move(self, by: Place) -> None: ...


def clock() -> int:
    """Tell the time."""
    return 1


def unrelated(a: int) -> int:
    return a


def far(
    a: int,  #: steps
    # in all
    b: int = 0,
) -> None: ...


def visit(spot: Spot, when: int = clock(), *, span: Span = 1, other: "list[Another]" = ()) -> None:
    """Visit a spot."""
    print(spot)


def make():
    class Local:
        z: int

    def inner(a: Local) -> None:
        """Inner."""

    return inner
'''


def changed(old: str, new: str, *names: str) -> bool:
    """Whether replacing this text changes the fingerprint of these names (or of `visit`)."""
    assert MODULE.count(old) >= 1, old
    wanted = names or ("visit",)
    before = declaration_hash(MODULE, wanted)
    return before != declaration_hash(MODULE.replace(old, new), wanted)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("    print(spot)", "    print(spot, 1)"),
        ("    print(spot)", "    # why\n    print(spot)"),
        ("    return 1", "    return 2"),
        ("def unrelated(a: int)", "def unrelated(a: str)"),
        ("def visit(spot: Spot, ", "def visit(\n    spot:Spot,\n    "),
        ('other: "list[Another]" = ()', "other: 'list[Another]' = (),\n"),
        ('"""A module."""', '"""Another module."""'),
        ("\n", "\r\n"),
        ("import outer.inner", "import outer.others"),
        ("unused", "unused2"),
        ("Tell the time.", "Tell it."),
        ("    def move(self, by: Place)", "    def move(self, by: int)"),
        ("        self.x = x", "        self.x = x + 1"),
        ("    x: int = 0\n", "    x: int = (0)\n"),
        ('"""Where."""', '"""There."""'),
        ("        z: int", "        z: str"),
        ("#: How far.", "# a comment\n\n#: How far."),
    ],
)
def test_quiet(old: str, new: str) -> None:
    """Bodies, layout, and declarations that the tool does not reach do not count."""
    assert not changed(old, new)


def test_comments_on_parameters() -> None:
    """`#:` among the parameters describes them; other comments and layout do not count."""
    assert changed("#: steps", "#: leaps", "far")
    assert changed("    # in all", "    #: in all", "far")
    assert not changed("# in all", "# or so", "far")
    assert not changed("a: int,  #: steps", "a : int, #: steps", "far")
    assert not changed("#: steps", "#: leaps", "visit")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("def visit(", "async def visit("),
        ("spot: Spot", "spots: Spot"),
        ("spot: Spot", "spot: Base"),
        ('"""Visit a spot."""', '"""Visit the spot."""'),
        ("when: int = clock()", "when: int = 3"),
        ("*, span: Span", "span: Span"),
        (') -> None:\n    """Visit', ') -> int:\n    """Visit'),
        ("class Spot(Base)", "class Spot"),
        ("    x: int = 0", "    x: int = 1"),
        ("    x: int = 0", "    x: int"),
        ('    """Across."""', '    """Up."""'),
        ("#: along", "#: across"),
        ('"""A spot."""', '"""The spot."""'),
        ('"""The base."""', '"""A base."""'),
        ("    a: int\n", "    a: str\n"),
        ("def __init__(self, x: int)", "def __init__(self, x: str)"),
        ('"metres"', '"yards"'),
        ("#: How far.", "#: How long."),
        ("LIMIT = 10", "LIMIT = 11"),
        ("#: the limit", "#: a limit"),
        ("(3, 11)", "(3, 12)"),
        ("    Span = int", "    Span = float"),
        ("    Span = str", "    Span = float"),
        ("else:\n    Span = str", "Span = str"),
        ("import Other as Another", "import Others as Another"),
        ("from elsewhere", "from nowhere"),
        ("def clock() -> int", "def clock() -> str"),
        ("def visit", "@decorated\ndef visit"),
    ],
)
def test_firing(old: str, new: str) -> None:
    """Everything that the schema was read from counts, however far it is reached."""
    assert changed(old, new)


def test_names_inside() -> None:
    """Methods and functions inside functions are named by qualname, and see what they see."""
    assert changed("by: Place", "by: int", "Spot.move")
    assert changed('"""Where."""', '"""There."""', "Spot.move")
    assert changed("        z: int", "        z: str", "make.<locals>.inner")
    assert changed('"""Inner."""', '"""Outer."""', "make.<locals>.inner")
    assert not changed("x: int = 0", "x: int = 1", "make.<locals>.inner")


def test_a_missing_name_differs_from_a_present_one() -> None:
    """Removing a declaration changes its fingerprint; `has` says whether it is there."""
    assert changed("def visit(", "def visit2(")
    known = Declarations(MODULE)
    assert known.has("Spot.move")
    assert known.has("make.<locals>.inner")
    assert not known.has("Spot.stay")
    assert not known.has("visit.<locals>.nothing")


def test_literals_reach_nothing() -> None:
    """The strings of a Literal are no names; other members are."""
    text = 'from typing import Literal\ndef f(a: Literal["g", E.A]) -> None: ...\n'
    before = text + "def g(x: int): ...\nclass E:\n    A = 1\n"
    quiet = text + "def g(x: str): ...\nclass E:\n    A = 1\n"
    fires = text + "def g(x: int): ...\nclass E:\n    A = 2\n"
    assert declaration_hash(before, ["f"]) == declaration_hash(quiet, ["f"])
    assert declaration_hash(before, ["f"]) != declaration_hash(fires, ["f"])


def test_star_imports_count_for_names_from_nowhere() -> None:
    """A name that nothing here binds may come from any star import; a builtin may not."""
    one, two = "from a import *\n", "from b import *\n"
    unknown, builtin = "def f(x: Where): ...\n", "def f(x: int): ...\n"
    assert declaration_hash(one + unknown, ["f"]) != declaration_hash(two + unknown, ["f"])
    assert declaration_hash(one + builtin, ["f"]) == declaration_hash(two + builtin, ["f"])


def test_everything_that_binds_a_name() -> None:
    """Imports of modules, several targets, additions, and what binds no name at all."""
    text = """\
import a.b
import c as d
X = Y = [a.b.Z]
X += [d.E]
X.attribute += 1
X.other: int = 2
(P, Q), *R = Y
print(X)
def f(x: X, y: Q): ...
"""
    base = declaration_hash(text, ["f"])
    for old, new in (
        ("a.b\n", "a.c\n"),
        ("c as d", "e as d"),
        ("d.E", "d.F"),
        ("*R = Y", "*R = X"),
    ):
        assert declaration_hash(text.replace(old, new), ["f"]) != base, old
    for old, new in (("print(X)", "print(1)"), ("attribute += 1", "attribute += 2")):
        assert declaration_hash(text.replace(old, new), ["f"]) == base, old


@pytest.mark.skipif(sys.version_info < (3, 12), reason="the type statement is new in 3.12")
def test_type_statements() -> None:
    """`type X = …` is a declaration like any other, its parameters included."""
    text = "type X[T] = list[T]\ndef f[S: int](x: X[S]): ...\n"
    base = declaration_hash(text, ["f"])
    for old, new in (("list[T]", "set[T]"), ("X[T]", "X[T: int]"), ("S: int", "S: str")):
        assert declaration_hash(text.replace(old, new), ["f"]) != base, old


def test_all_definitions_of_a_name_count() -> None:
    """Where a name is defined twice, both definitions are in the fingerprint."""
    text = "try:\n    def f(a: int): ...\nexcept E:\n    def f(a: str): ...\n"
    base = declaration_hash(text, ["f"])
    assert base != declaration_hash(text.replace("a: int", "a: float"), ["f"])
    assert base != declaration_hash(text.replace("a: str", "a: float"), ["f"])


def test_names_that_go_in_circles() -> None:
    """Declarations that reach each other are followed once."""
    text = "class A:\n    b: 'B'\nclass B:\n    a: 'A'\n    n: int\n"
    assert declaration_hash(text, ["A"]) != declaration_hash(
        text.replace("n: int", "m: int"), ["A"]
    )


@pytest.mark.parametrize(
    "text", ["def f(:", "x = '\0'", "(" * 5000 + ")" * 5000, "x = " + "-" * 50_000 + "1"]
)
def test_what_is_no_python(text: str) -> None:
    """Text that cannot be parsed is a SyntaxError, whatever the parser makes of it."""
    with pytest.raises(SyntaxError):
        declaration_hash(text, ["f"])


def test_file_hash() -> None:
    """Sixteen digits, the same everywhere."""
    assert file_hash(b"") == "e4a6a0577479b2b4"
    assert file_hash(b"a") != file_hash(b"b")


STABLE = '''
def f(a: int = -1, b: str = f"{x!r:>{w}} {{y}} 'q' {z=}" f"tail" "é\\n", c: float = 1e400,
      d=0xFFFFFFFFFFFFFFFFFFFF, e=b"\\x00", g=..., h=1_000, i=("a" 'b'), *j: int, **k: str) -> None:
    """Doc with "quotes" and \\N{BULLET}."""

class C(Generic[T], metaclass=M):
    x: "list[int]" = field(default_factory=lambda: [*a, {**b}, {1, 2}])
    y = z = 1
'''


def test_the_same_in_every_python() -> None:
    """A committed sidecar is read by other versions: the fingerprint must be theirs too."""
    expected = "dd9bdaffd529ed2f"
    assert declaration_hash(STABLE, ["f", "C"]) == expected


def test_what_follows_an_assignment_is_not_part_of_it() -> None:
    """Only a string literal beneath belongs to an assignment; another statement does not."""
    alone = declaration_hash("A = 3\n", ["A"])
    assert declaration_hash("A = 3\nB = 4\n", ["A"]) == alone
    assert declaration_hash("A = 3\n'Three.'\n", ["A"]) != alone
