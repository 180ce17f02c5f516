"""What an edit does to a sidecar that the checker wrote: nothing, or one stale tool."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from toolcall import _sidecar

from .project import Project

ALIASES = """
City = str
\"\"\"A city.\"\"\"

LIMIT = 3
"""
TOOLS = """
from aliases import City, LIMIT
from toolcall import tool

@tool
def go(city: City, limit: int = LIMIT) -> str:
    return city

@tool
def stay(days: int = 1) -> int:
    return days
"""
EMIT = """
import toolcall, tools
from toolcall.errors import StaleSchema
answers = []
for tool in (tools.go, tools.stay):
    try:
        toolcall.emit(tool)
        answers.append("fresh")
    except StaleSchema as error:
        assert "mypy" in str(error), error
        answers.append("stale")
print(*answers)
"""

REACHED = """
def untyped(function):
    return function

def _load(path: str) -> str:
    return path

class Api:
    def get(self, id: int) -> str:
        return str(id)

    @untyped
    def put(self, id: int) -> str:
        return str(id)

load = _load
api = Api()
get = api.get
"""


@pytest.fixture
def project(tmp_path: Path, warm_cache: Path) -> Project:
    made = Project(tmp_path, cache=warm_cache)
    made.write("aliases.py", ALIASES)
    made.write("tools.py", TOOLS)
    made.check()
    return made


def answers(project: Project) -> str:
    """Whether `go` and `stay` are fresh, as a program sees it."""
    done = subprocess.run(
        [sys.executable, "-c", EMIT],
        cwd=project.folder,
        capture_output=True,
        text=True,
        check=True,
        env={"PYTHONDONTWRITEBYTECODE": "1", "PATH": ""},
    )
    return done.stdout.strip()


EDITS = [
    ("tools.py", TOOLS, "fresh fresh"),
    ("tools.py", TOOLS.replace("return days", "return days + 1  # more"), "fresh fresh"),
    ("tools.py", "x = 1\n" + TOOLS.replace("city: City, ", "city: City,\n    "), "fresh fresh"),
    ("tools.py", TOOLS.replace("days: int = 1", "days: int = 2"), "fresh stale"),
    ("tools.py", TOOLS.replace("days: int", "days: float"), "fresh stale"),
    ("tools.py", TOOLS.replace("    return city", '    "Go."\n    return city'), "stale fresh"),
    ("aliases.py", ALIASES.replace("A city", "A town"), "stale fresh"),
    ("aliases.py", ALIASES.replace("LIMIT = 3", "LIMIT = 4"), "stale fresh"),
    ("aliases.py", ALIASES + "\nOTHER = 1\n", "fresh fresh"),
]


@pytest.mark.parametrize(("name", "text", "expected"), EDITS)
def test_edit(project: Project, name: str, text: str, expected: str) -> None:
    """An edit makes stale what it changes for the model, and nothing else; a run cures it."""
    project.write(name, text)
    assert answers(project) == expected
    project.check()
    assert answers(project) == "fresh fresh"


IMPORTS = "from toolcall import tool\n"
DECORATOR = """
from collections.abc import Callable
from typing import Concatenate, ParamSpec, TypeVar
P = ParamSpec("P")
R = TypeVar("R")
def first(f: Callable[Concatenate[int, P], R]) -> Callable[P, R]:
    return lambda *args, **kwargs: f(1, *args, **kwargs)
"""
THROUGH = """
from collections.abc import Callable
from typing import ParamSpec, Protocol, TypeVar
import units
P = ParamSpec("P")
R = TypeVar("R")
"""
FUNCTION_THROUGH = """
def second(f: Callable[P, R]) -> "Callable[P, units.Unit]":
    raise NotImplementedError
"""
ALIAS_THROUGH = """
Made = Callable[P, units.Unit]
def second(f: Callable[P, R]) -> Made[P]:
    raise NotImplementedError
"""
CLASS_THROUGH = """
class second:
    def __init__(self, size: int) -> None: ...
    def __call__(self, f: Callable[P, R]) -> Callable[P, units.Unit]:
        raise NotImplementedError
"""
PROTOCOL_THROUGH = """
class Made(Protocol):
    def __call__(self, *, x: units.Unit) -> int: ...
def second(f: Callable[[int], R]) -> Made:
    raise NotImplementedError
"""
ENUM = "import enum\nclass Way(enum.Enum):\n    UP = 'up'\n"
FUNCTION = 'def go(x: int, unit: str) -> int:\n    """Go."""\n    return x\n'
FROM_ELSEWHERE = [
    pytest.param(
        {"other": "from typing import Final\nNAME: Final = 'one'\n"},
        "from other import NAME\n@tool(name=NAME)\ndef go(x: int) -> int:\n    return x\n",
        {"other": "from typing import Final\nNAME: Final = 'two'\n"},
        id="an option that is a constant",
    ),
    pytest.param(
        {"other": DECORATOR},
        "from other import first\n@tool\n@first\ndef go(x: int, unit: str) -> int:\n    return x\n",
        {"other": DECORATOR.replace("Concatenate[int, P]", "Concatenate[str, P]")},
        id="a decorator that changes the signature",
    ),
    *(
        pytest.param(
            {"units": "Unit = int\n", "other": THROUGH + text},
            f"from other import second\n@tool\n@{mark}\ndef go(x: int) -> int:\n    return x\n",
            {"units": "Unit = str\n"},
            id=f"what a decorator of another module is declared with, {kind}",
        )
        for kind, mark, text in [
            ("in quotes", "second", FUNCTION_THROUGH),
            ("in an alias", "second", ALIAS_THROUGH),
            ("in a method", "second(1)", CLASS_THROUGH),
            ("in a protocol", "second", PROTOCOL_THROUGH),
        ]
    ),
    pytest.param(
        {"units": "Unit = int\n"},
        THROUGH + FUNCTION_THROUGH + "@tool\n@second\ndef go(x: int) -> int:\n    return x\n",
        {"units": "Unit = str\n"},
        id="what a decorator of the same module is declared with",
    ),
    pytest.param(
        {"other": "from typing import TypedDict\nclass Keys(TypedDict):\n    a: int\n"},
        "from typing_extensions import Unpack\nfrom other import Keys\n"
        "@tool\ndef go(**keys: Unpack[Keys]) -> int:\n    return 1\n",
        {"other": "from typing import TypedDict\nclass Keys(TypedDict):\n    a: str\n"},
        id="keys of a TypedDict",
    ),
    pytest.param(
        {"other": ENUM},
        "from typing import Literal\nfrom other import Way\n"
        "@tool\ndef go(way: Literal[Way.UP]) -> int:\n    return 1\n",
        {"other": ENUM.replace("'up'", "'higher'")},
        id="a member in a Literal",
    ),
    pytest.param(
        {"one": "A = str\n", "two": "A = int\n", "between": "from one import *\n"},
        "from between import *\n@tool\ndef go(a: A) -> int:\n    return 1\n",
        {"between": "from two import *\n"},
        id="a star import between",
    ),
    pytest.param(
        {"other": FUNCTION},
        "from functools import partial\nfrom other import go\nmade = tool(partial(go, x=1))\n",
        {
            "tools": IMPORTS + "from functools import partial\nfrom other import go\n"
            "made = tool(partial(go, unit='m'))\n"
        },
        id="what a partial binds",
    ),
    pytest.param(
        {"other": FUNCTION},
        "from other import go\ntool(description='One.')(go)\n",
        {"tools": IMPORTS + "from other import go\ntool(description='Two.')(go)\n"},
        id="the options of a call",
    ),
    pytest.param(
        {"one": FUNCTION, "two": FUNCTION.replace("int", "str")},
        "from one import go\ntool(go)\n",
        {"tools": IMPORTS + "from two import go\ntool(go)\n"},
        id="the function that is marked",
    ),
]


def _reasons(project: Project) -> list[str]:
    """Why the tools of `tools` are stale, of those that are."""
    own = str(project.folder / "tools.py")
    loaded = _sidecar.load_file(own, "tools", _sidecar.read_file)
    reasons = [loaded.freshness.reason_against(tool) for tool in loaded.tools]
    assert reasons
    return [reason for reason in reasons if reason is not None]


@pytest.mark.parametrize(("modules", "tools", "edits"), FROM_ELSEWHERE)
def test_the_mark_and_what_it_names(
    tmp_path: Path,
    warm_cache: Path,
    modules: dict[str, str],
    tools: str,
    edits: dict[str, str],
) -> None:
    """A definition rests on more than its function, and that may be in other modules."""
    project = Project(tmp_path, cache=warm_cache)
    for name, text in modules.items():
        project.write(f"{name}.py", text)
    project.write("tools.py", IMPORTS + tools)
    project.check()
    assert _reasons(project) == []
    for name, text in edits.items():
        project.write(f"{name}.py", text)
    assert _reasons(project) != []
    project.check()
    assert _reasons(project) == []


def test_a_mark_on_a_function_that_mypy_took_from_its_cache(
    tmp_path: Path, warm_cache: Path
) -> None:
    """What the cache forgets is read from the source: such a run writes what a cold one does."""
    project = Project(tmp_path, cache=warm_cache)
    project.write("other.py", FUNCTION)
    marks = "from other import go\ntool(go)\n"
    project.write("tools.py", IMPORTS + marks)
    project.check()
    cold = project.sidecar("tools")["tools"]
    project.write("tools.py", IMPORTS + marks + "# longer\n")
    assert project.check().checked == {"tools"}
    assert project.sidecar("tools")["tools"] == cold
    assert project.tools("tools")["go"]["doc"] == "Go."


def test_names_for_functions_of_a_module_from_the_cache(tmp_path: Path, warm_cache: Path) -> None:
    """Neither the type of an assigned name nor an untyped decorator says which function it is."""
    project = Project(tmp_path, cache=warm_cache)
    project.write("other.py", REACHED)
    marks = "import other\ntool(other.load)\ntool(other.get)\ntool(other.api.put)\n"
    project.write("tools.py", IMPORTS + marks)
    project.check()
    cold = project.sidecar("tools")["tools"]
    project.write("tools.py", IMPORTS + marks + "# longer\n")
    assert project.check().checked == {"tools"}
    assert project.sidecar("tools")["tools"] == cold
    assert [tool["key"] for tool in cold] == ["other:_load", "other:Api.get", "other:Api.put"]


def test_a_constant_that_an_option_names(tmp_path: Path, warm_cache: Path) -> None:
    """What it says is a part of the tool, and its name is told once."""
    project = Project(tmp_path, cache=warm_cache)
    tools = 'SAID = "Go."\n@tool(description=SAID)\ndef go(x: int) -> int:\n    return x\n'
    project.write("tools.py", IMPORTS + tools)
    project.check()
    assert project.tools("tools")["go"]["doc"] == "Go."
    project.write("tools.py", IMPORTS + tools.replace("Go.", "Run."))
    [reason] = _reasons(project)
    assert reason.startswith("its declaration or SAID has changed in ")


def test_a_module_became_a_package(tmp_path: Path, warm_cache: Path) -> None:
    project = Project(tmp_path, cache=warm_cache)
    text = 'City = str\n"""A city."""\n'
    plain = project.write("other.py", text)
    tools = "from other import City\n@tool\ndef go(city: City) -> str:\n    return city\n"
    project.write("tools.py", IMPORTS + tools)
    project.check()
    plain.unlink()
    project.write("other/__init__.py", text)
    assert _reasons(project) == []
    project.write("other/__init__.py", text.replace("A city", "A town"))
    assert _reasons(project) != []


def test_a_decorator_may_be_documented_anew(tmp_path: Path, warm_cache: Path) -> None:
    project = Project(tmp_path, cache=warm_cache)
    project.write("other.py", DECORATOR)
    tools = "from other import first\n@tool\n@first\ndef go(x: int, y: int) -> int:\n    return x\n"
    project.write("tools.py", IMPORTS + tools)
    project.check()
    project.write("other.py", DECORATOR.replace("    return", '    """Says one."""\n    return'))
    assert _reasons(project) == []


def test_type_providers_of_the_whole_module(tmp_path: Path, warm_cache: Path) -> None:
    project = Project(tmp_path, cache=warm_cache)
    tools = "from toolcall import use\n@tool\ndef go(x: int) -> int:\n    return x\n"
    project.write("tools.py", IMPORTS + tools)
    project.check()
    project.write("tools.py", IMPORTS + tools + "use(__name__)\n")
    assert _reasons(project) == []
    project.write("tools.py", IMPORTS + tools + "use(__name__, types=[go])\n")
    assert _reasons(project) != []


def test_our_own_modules_are_not_first_party() -> None:
    """A sidecar that reads `toolcall.PositiveInt` has the same bytes wherever we are installed."""
    from toolcall import aliases
    from toolcall_mypy.contributions import is_first_party

    assert not is_first_party(aliases.__file__)
    assert is_first_party(__file__)


def _names(project: Project, *tools: str) -> str:
    """The parameters of some tools of `tools`, as a program sees them."""
    shown = f"""
import toolcall, tools
for one in ({", ".join(f"tools.{tool}" for tool in tools)},):
    (made,) = toolcall.describe(one)
    print(made["name"], *made["parameters"]["properties"], end=";")
"""
    done = subprocess.run(
        [sys.executable, "-c", shown],
        cwd=project.folder,
        capture_output=True,
        text=True,
        check=True,
        env={"PYTHONDONTWRITEBYTECODE": "1", "PATH": ""},
    )
    return done.stdout


def test_of_two_definitions_the_one_that_runs(tmp_path: Path, warm_cache: Path) -> None:
    """Moved lines do not make the other branch's schema that of the function."""
    project = Project(tmp_path, cache=warm_cache)
    tools = IMPORTS + (
        "import sys\n"
        "if sys.argv:\n    @tool\n    def go(one: int) -> int:\n        return one\n"
        "else:\n    @tool\n    def go(two: int) -> int:\n        return two\n"
    )
    project.write("tools.py", tools)
    project.check()
    assert _names(project, "go") == "go one;"
    project.write("tools.py", "# a\n# b\n# c\n# d\n" + tools)
    assert _names(project, "go") == "go one;"


def test_a_function_under_another_ones_name(tmp_path: Path, warm_cache: Path) -> None:
    """`functools.wraps` on a definition does not give it the other one's schema."""
    project = Project(tmp_path, cache=warm_cache)
    tools = IMPORTS + (
        "import functools\n"
        "@tool\ndef go(one: int) -> int:\n    return one\n"
        "@tool\n@functools.wraps(go)\ndef went(two: int, three: int) -> int:\n    return two\n"
    )
    project.write("tools.py", tools)
    project.check()
    assert _names(project, "go", "went") == "go one;went two three;"


def test_one_function_marked_twice(tmp_path: Path, warm_cache: Path) -> None:
    project = Project(tmp_path, cache=warm_cache)
    tools = IMPORTS + "def go(x: int) -> int:\n    return x\ntool(go)\ntool(name='went')(go)\n"
    project.write("tools.py", tools)
    project.check()
    assert _names(project, "go") == "went x;"
