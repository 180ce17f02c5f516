"""Marking a function changes nothing about it, for Python and for checkers."""

from __future__ import annotations

import functools
import gc
import pickle
import subprocess
import sys
import weakref
from pathlib import Path
from typing import Any

import pytest

from toolcall import _tool, hidden, tool, use


def plain(n: int) -> int:
    return n


def test_the_very_same_function() -> None:
    """Every form returns the object it was given."""
    assert tool(plain) is plain
    assert tool(name="x", timeout=1.0)(plain) is plain
    assert tool(len) is len
    partial = functools.partial(plain, 1)
    assert tool(partial) is partial
    bound = [].append
    assert tool(bound) is bound
    static, cls = staticmethod(plain), classmethod(plain)
    assert tool(static) is static
    assert tool(cls) is cls
    assert pickle.loads(pickle.dumps(plain)) is plain


def test_options_are_recorded() -> None:
    """What only the runtime needs is kept; what the checker reads is not."""

    class Provider: ...

    options = {"cache_control": 1}
    tool(
        name="n",
        title="t",
        description="d",
        concurrent=True,
        timeout=2.5,
        thread=False,
        types=[Provider],
        options=options,
        read_only=True,
        destructive=False,
        idempotent=True,
        open_world=False,
    )(plain)
    assert _tool.registry[__name__][-1].options == {
        "name": "n",
        "concurrent": True,
        "timeout": 2.5,
        "thread": False,
        "types": (Provider,),
        "options": options,
    }
    assert _tool.registry[__name__][-1].options["options"] is not options


@pytest.mark.parametrize(
    "call",
    [
        lambda: tool(nmae="x"),
        lambda: tool(plain, name="x"),
        lambda: tool(plain, read_only=False),
        lambda: tool(3),
        lambda: tool("x"),
        lambda: tool(name="x")(3),
        lambda: tool(plain, plain),
        lambda: use(__name__, typs=[]),
        use,
    ],
)
def test_misuse(call: Any) -> None:
    """Unknown options and things that cannot be called are TypeErrors where they stand."""
    with pytest.raises(TypeError):
        call()


def test_use_is_for_the_module_itself() -> None:
    """Another module's name is a mistake, not a request."""
    with pytest.raises(ValueError, match="use\\(__name__\\)"):
        use("os")


def test_hidden_returns_the_function() -> None:
    """`@hidden` marks and returns, through a static method too."""

    def f() -> None: ...

    assert hidden(f) is f
    assert hasattr(f, _tool.HIDDEN)
    static = staticmethod(lambda: None)
    assert hidden(static) is static
    assert hasattr(static.__func__, _tool.HIDDEN)


def test_local_classes_are_remembered() -> None:
    """A function made in a function knows the classes of that one, those of a class body too."""

    class Spot: ...

    not_a_class = 1

    @tool
    def inner(at: Spot) -> None: ...

    class Desk:
        class Form: ...

        @tool
        def book(self, at: Spot) -> None: ...

    record = vars(inner)[_tool.ATTRIBUTE]
    assert record.locals == {"Spot": Spot}
    assert not record.at_module_level
    assert vars(Desk.book)[_tool.ATTRIBUTE].locals == {"Spot": Spot, "Form": Desk.Form}
    assert not_a_class


def test_functions_made_in_functions_can_be_collected() -> None:
    """Marking a function on every request does not keep it, nor its classes, for ever."""

    def make() -> Any:
        class Local: ...

        @tool
        def inner(at: Local) -> None: ...

        return inner

    before = _tool.version
    made = make()
    gone = weakref.ref(made)
    del made
    gc.collect()
    assert gone() is None
    assert _tool.version == before


def test_what_cannot_carry_its_record_is_listed() -> None:
    """A callable without attributes of its own is registered with its module."""

    class Slotted:
        __slots__ = ()

        def __call__(self) -> None: ...

    thing = Slotted()
    tool(thing)
    (record,) = _tool.by_identity[id(thing)]
    assert record.function is thing
    assert repr(record).endswith(f" by {__name__}>")

    class Named(Slotted):
        __slots__ = ("__qualname__",)

        def __init__(self) -> None:
            self.__qualname__ = "make.<locals>.named"

    named = Named()
    tool(named)
    assert _tool.by_identity[id(named)][0].function is named


TYPED = '''
from functools import partial
from typing import Awaitable, Callable
from typing_extensions import assert_type
from toolcall import hidden, tool, use

use(__name__)

@tool
def plain(n: int, *, m: str = "") -> int:
    """Docs."""
    return n

@tool(name="other", timeout=1, options={"a": 1})
async def configured(n: int) -> str:
    return str(n)

class Desk:
    @tool
    def method(self, n: int) -> int: return n
    @tool(name="x")
    def configured(self, n: int) -> int: return n
    @tool
    @staticmethod
    def static_above(n: int) -> int: return n
    @staticmethod
    @tool
    def static_below(n: int) -> int: return n
    @tool
    @classmethod
    def class_above(cls, n: int) -> int: return n
    @classmethod
    @tool(name="y")
    def class_below(cls, n: int) -> int: return n
    @tool(name="z")
    @classmethod
    def class_configured(cls, n: int) -> int: return n
    @tool(name="w")
    @staticmethod
    def static_configured(n: int) -> int: return n
    @hidden
    def hid(self, n: int) -> int: return n

assert_type(plain(1, m="a"), int)
assert_type(Desk().method(1), int)
assert_type(Desk().configured(1), int)
assert_type(Desk.static_above(1), int)
assert_type(Desk().static_above(1), int)
assert_type(Desk.static_below(1), int)
assert_type(Desk.class_above(1), int)
assert_type(Desk.class_below(1), int)
assert_type(Desk().class_configured(1), int)
assert_type(Desk.static_configured(1), int)
assert_type(Desk().hid(1), int)
assert_type(tool(len)([]), int)
assert_type(tool(Desk().method)(1), int)
part = tool(partial(plain, 1))
assert_type(part(m="a"), int)

async def call() -> None:
    assert_type(await configured(1), str)

def takes(f: Callable[[int], Awaitable[str]]) -> None: ...
takes(configured)
'''

WRONG = {
    'plain("x")': "x",
    "plain(n=1, k=2)": "k",
    "plain()": "n",
    "Desk().method('x')": "x",
    "Desk.static_above('x')": "x",
    "Desk.class_above('x')": "x",
    "configured('x')": "x",
    "tool(nmae='x')": "nmae",
    "tool(3)": "3",
    "tool(plain, name='x')": "name",
    "use(__name__, typs=[])": "typs",
    "emit([], 'opnai')": "opnai",
    "emit([], strict='no')": "no",
}


def test_typed_for_mypy(tmp_path: Path) -> None:
    """Under mypy --strict each form keeps the exact type, and wrong calls are errors."""
    good = tmp_path / "good.py"
    good.write_text(TYPED)
    bad = tmp_path / "bad.py"
    bad.write_text(TYPED + "\nfrom toolcall import emit\n" + "\n".join(WRONG))
    api = pytest.importorskip("mypy.api")
    options = ["--strict", "--config-file", "", "--cache-dir", str(tmp_path / "cache")]
    out, _, _ = api.run([*options, str(good)])
    assert out == "Success: no issues found in 1 source file\n"
    out, _, _ = api.run([*options, str(bad)])
    first = len(bad.read_text().splitlines()) - len(WRONG) + 1
    found = {int(line.split(":")[1]) for line in out.splitlines() if ": error:" in line}
    assert found == set(range(first, first + len(WRONG)))


def test_typed_for_pyright(tmp_path: Path) -> None:
    """The same under pyright."""
    pytest.importorskip("pyright")
    good, bad = tmp_path / "good.py", tmp_path / "bad.py"
    good.write_text(TYPED)
    bad.write_text(TYPED + "\nfrom toolcall import emit\n" + "\n".join(WRONG))
    command = [sys.executable, "-m", "pyright", "--pythonpath", sys.executable]
    root = Path(_tool.__file__).parents[1]
    (tmp_path / "pyrightconfig.json").write_text(f'{{"extraPaths": ["{root}"], "strict": ["."]}}')
    done = subprocess.run(
        [*command, "-p", str(tmp_path)], capture_output=True, text=True, check=False
    )
    lines = [line.strip() for line in done.stdout.splitlines() if " - error" in line]
    assert [line for line in lines if "good.py" in line] == []
    first = len(bad.read_text().splitlines()) - len(WRONG) + 1
    found = {int(line.split(":")[1]) for line in lines if "bad.py" in line}
    assert found == set(range(first, first + len(WRONG)))
