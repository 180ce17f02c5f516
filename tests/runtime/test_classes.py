"""From a name in a sidecar to a class: what is found, and what can never be had."""

from __future__ import annotations

import dataclasses
import os
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

import pytest

from tests.runtime import calling as c
from tests.runtime.builders import Packages
from toolcall._classes import find, function_of
from toolcall.errors import ClassNotFound


@dataclasses.dataclass
class Here:
    x: int


Renamed = Here
ROOT = Path(__file__).parents[2]


class Plain:
    pass


def declared(fn: Any = None, module: str = __name__, **local: type) -> Any:
    bound = c.bound(lambda: 0)
    bound.fn = fn or bound.fn
    bound.module = module
    bound.locals = local
    return bound


def test_a_class_is_found_in_globals_by_its_own_name() -> None:
    """Also under another name."""
    assert find(declared(), f"{__name__}:Here", "dataclass") is Here
    scope = {"__name__": "elsewhere", "Renamed": Here}
    exec("def f(): ...", scope)
    assert find(declared(scope["f"]), f"{__name__}:Here", "dataclass") is Here


def test_a_local_class_is_found_in_the_frame_that_decorated() -> None:
    """And nowhere else."""

    @dataclasses.dataclass
    class Local:
        x: int

        @dataclasses.dataclass
        class Inner:
            y: int

    name = c.name_of(Local)
    assert find(declared(Local=Local), name, "dataclass") is Local
    assert find(declared(Local=Local), name + ".Inner", "dataclass") is Local.Inner
    with pytest.raises(ClassNotFound, match="Local"):
        find(declared(), name, "dataclass")


@pytest.mark.parametrize(
    ("name", "style"),
    [
        ("subprocess:Popen", "dataclass"),
        ("subprocess:Popen", "pydantic"),
        ("builtins:eval", "dataclass"),
        ("os:system", "enum"),
        (f"{__name__}:Plain", "attrs"),
        (f"{__name__}:Plain", "msgspec"),
        (f"{__name__}:Plain", "namedtuple"),
        (f"{__name__}:Plain", "enum"),
        (f"{__name__}:Here", "flag"),
        (f"{__name__}:Here.__init__", "dataclass"),
        ("nowhere.at.all:Thing", "dataclass"),
    ],
)
def test_nothing_but_the_closed_set_is_ever_built(name: str, style: str) -> None:
    """One defined error, naming class and module."""
    assert subprocess.Popen
    with pytest.raises(ClassNotFound) as caught:
        find(declared(), name, style)
    module, _, qualname = name.partition(":")
    assert module in str(caught.value)
    assert qualname in str(caught.value)


MODELS = """
from dataclasses import dataclass
from .geo import Place

@dataclass
class Order:
    x: int
"""

GEO = """
from dataclasses import dataclass

@dataclass
class Place:
    x: int
"""

TOOLS = """
from __future__ import annotations
TYPE_CHECKING = False
if TYPE_CHECKING:
    from .models import Order
    import shop.missing

def f(order: Order): ...
"""


def test_a_module_is_imported_only_where_the_tools_source_has_the_import(
    packages: Packages,
) -> None:
    """Under TYPE_CHECKING as well; and what that import brings along is there then."""
    packages.source("shop.models", MODELS)
    packages.source("shop.geo", GEO)
    packages.source(
        "shop.other", "from dataclasses import dataclass\n@dataclass\nclass O: x: int\n"
    )
    packages.source("shop.tools", TOOLS)
    tools = packages.load("shop.tools")
    bound = declared(tools.f, "shop.tools")
    with pytest.raises(ClassNotFound, match=r"shop\.other"):
        find(bound, "shop.other:Place", "dataclass")
    assert "shop.other" not in sys.modules
    order = find(bound, "shop.models:Order", "dataclass")
    assert order is sys.modules["shop.models"].Order
    assert find(bound, "shop.geo:Place", "dataclass").__name__ == "Place"


def test_a_class_behind_an_alias_is_found_through_the_alias_module(packages: Packages) -> None:
    """Whose import only checkers follow."""
    packages.source("late.geo", GEO)
    packages.source("late.aliases", "from .geo import Place\nPlaces = list[Place]\n")
    packages.source(
        "late.tools",
        "TYPE_CHECKING = False\nif TYPE_CHECKING:\n    from .aliases import Places\ndef f(): ...\n",
    )
    tools = packages.load("late.tools")
    assert find(declared(tools.f, "late.tools"), "late.geo:Place", "dataclass").__name__ == "Place"


def test_the_function_inside() -> None:
    """Through wrappers, methods, partials and callable objects."""
    import functools

    def f() -> None: ...

    @functools.wraps(f)
    def wrapper() -> None: ...

    class Thing:
        def __call__(self) -> None: ...

        def method(self) -> None: ...

    assert function_of(wrapper) is f
    assert function_of(functools.partial(wrapper)) is f
    assert function_of(Thing().method) is Thing.method
    assert function_of(Thing()) is Thing.__call__
    assert function_of(len) is None


def test_classes_of_other_libraries_are_built_by_these() -> None:
    """The value equals the one that the library builds from the same JSON."""
    attrs = pytest.importorskip("attrs")
    msgspec = pytest.importorskip("msgspec")
    pydantic = pytest.importorskip("pydantic")

    @attrs.define
    class A:
        _x: int = attrs.field(converter=lambda v: v * 2, validator=attrs.validators.le(10))

    class S(msgspec.Struct, tag="s", rename="camel"):
        my_x: int
        items: frozenset[int] = frozenset()

    class L(msgspec.Struct, tag="l", rename="camel", array_like=True, forbid_unknown_fields=True):
        my_x: int
        my_y: int = 2
        my_z: int = 3

        def __post_init__(self) -> None:
            if self.my_x > 10:
                raise ValueError("too much")

    class P(pydantic.BaseModel):
        x: int = pydantic.Field(alias="X")
        raw: bytes = b""

        @pydantic.field_validator("x")
        def check(cls, value: int) -> int:  # noqa: N805
            if value > 10:
                raise ValueError("too much")
            return value

    class R(pydantic.RootModel[list[int]]):
        pass

    @pydantic.dataclasses.dataclass
    class D:
        x: int

    kinds = {"A": A, "S": S, "L": L, "P": P, "R": R, "D": D}

    def value_of(node: dict[str, Any], value: Any) -> Any:
        def f(x: Any) -> Any:
            return x

        bound = c.bound(f, c.parameter("x", node))
        bound.locals = kinds
        from toolcall._fast import call_of

        answer = call_of(bound)({"x": value})
        assert c.same(
            getattr(answer, "value", 0), getattr(c.by_reference(bound, {"x": value}), "value", 0)
        )
        return answer.value if hasattr(answer, "value") else answer.problems[0]

    tag = c.field("type", c.literal("s"), tag=True)
    struct = c.object_(
        "msgspec",
        S,
        tag,
        c.field("my_x", c.INTEGER, wire="myX"),
        c.field("items", c.array(c.INTEGER, "frozenset"), False),
    )
    like_an_array = c.object_(
        "msgspec",
        L,
        c.field("type", c.literal("l"), tag=True),
        *(c.field(f"my_{x}", c.INTEGER, x == "x", wire=f"my{x.upper()}") for x in "xyz"),
    )
    model = c.object_(
        "pydantic", P, c.field("x", c.INTEGER, wire="X"), c.field("raw", c.stdlib("bytes"), False)
    )
    attribute = c.object_("attrs", A, c.field("x", c.INTEGER))
    assert value_of(attribute, {"x": 2}) == A(2)
    assert value_of(struct, {"type": "s", "myX": 1, "items": [1, 2.0]}) == S(1, frozenset({1, 2}))
    assert value_of(like_an_array, {"type": "l", "myX": 1, "myZ": 5}) == L(1, my_z=5)
    assert "too much" in str(value_of(like_an_array, {"type": "l", "myX": 11}))
    assert value_of(model, {"X": 1, "raw": "YQ=="}) == P(X=1, raw=b"a")
    assert value_of(c.object_("pydantic", D, c.field("x", c.INTEGER)), {"x": 1.0}) == D(1)
    root = {"kind": "root", "cls": c.name_of(R), "inner": c.array(c.INTEGER)}
    assert value_of(root, [1.0]) == R([1])
    refused = value_of(model, {"X": 11})
    assert (refused.code, refused.path) == ("construction_failed", "/x/X")
    assert refused.message == "x.X: Value error, too much"
    refused = value_of(attribute, {"x": 20})
    assert (refused.code, "Attribute(" in refused.message) == ("construction_failed", False)


@pytest.mark.parametrize("how", [["script.py"], ["-m", "script"], ["-m", "inside.script"]])
def test_classes_of_a_module_that_runs_as_a_script(how: list[str], tmp_path: Path) -> None:
    """A script's classes belong to `__main__`; the IR names the module they are written in."""
    text = """
        from dataclasses import dataclass
        from toolcall import _classes

        @dataclass
        class Point:
            x: int

        class Bound:
            fn = staticmethod(lambda: None)
            module = __name__
            locals = {}

        name = MODULE + ":Point"
        assert _classes.find(Bound, name, "dataclass") is Point
        try:
            _classes.find(Bound, "elsewhere:Point", "dataclass")
        except Exception as error:
            print(type(error).__name__)
    """
    (tmp_path / "inside").mkdir()
    for folder, module in ((tmp_path, "script"), (tmp_path / "inside", "inside.script")):
        (folder / "script.py").write_text(textwrap.dedent(text).replace("MODULE", repr(module)))
    done = subprocess.run(
        [sys.executable, *how],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        check=False,
        capture_output=True,
        text=True,
    )
    assert (done.stdout, done.stderr) == ("ClassNotFound\n", "")
