"""Classes that several tools of a module take are derived once, and read as if each time."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from toolcall_mypy.objects import ObjectReader
from toolcall_mypy.session import Session

from .project import Daemon, Project

OTHER = '''
    from dataclasses import dataclass

    @dataclass
    class Place:
        """Another place."""

        room: int
    '''
SHARED = '''
    import enum
    from dataclasses import dataclass, field
    from typing import Any, Generic, Literal, TypedDict, TypeVar

    import msgspec
    import other
    from toolcall import tool

    T = TypeVar("T")

    class Color(enum.Enum):
        RED = "red"
        BLUE = "blue"

    @dataclass
    class Place:
        """A place.

        Attributes:
            street: Street and number.
        """

        street: str
        color: Color = Color.RED
        odd: complex = 1j
        left: int = "no"  # type: ignore[assignment]

    @dataclass
    class Person:
        name: str
        home: Place
        friends: "list[Person]" = field(default_factory=list)

    @dataclass
    class Team:
        members: list[Person]
        rooms: list[other.Place]

    class Cat(msgspec.Struct, tag="cat"):
        lives: int

    class Dog(msgspec.Struct, tag="dog"):
        name: str

    class Zoo(TypedDict):
        animals: list[Cat | Dog]

    @dataclass
    class Box(Generic[T]):
        inside: T

    @tool
    def first(who: Person) -> Place: ...
    @tool
    def second(who: Person, where: Place) -> None: ...
    @tool
    def third(where: other.Place, who: Person) -> None: ...
    @tool
    def fourth(team: Team) -> list[Team]: ...
    @tool
    def fifth(team: Team, who: Person, color: Color = Color.BLUE) -> None: ...
    @tool
    def sixth(zoo: Zoo, pet: Cat | Dog) -> None: ...
    @tool
    def seventh(zoo: Zoo, pet: Cat | None = None) -> Zoo: ...
    @tool
    def eighth(box: Box[Person], other_box: Box[Cat | Dog]) -> None: ...
    @tool
    def ninth(box: Box[Cat | Dog], person: Person) -> Box[Person]: ...
    '''


def checked(folder: Path, cache: Path) -> tuple[list[str], Any]:
    """The messages of the module and its sidecar."""
    folder.mkdir()
    project = Project(folder, cache=cache)
    project.write("other.py", OTHER)
    project.write("shared.py", SHARED)
    found = project.check()
    return found.messages, project.sidecar("shared")


def test_shared_classes_read_as_if_derived_for_each_tool(
    tmp_path: Path, warm_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the shelf and without it: the same sidecar, the same messages."""
    with_shelf = checked(tmp_path / "with", warm_cache)
    with monkeypatch.context() as patch:
        patch.setattr(Session, "shelf", lambda *_: None)
        without = checked(tmp_path / "without", warm_cache)
    assert with_shelf == without
    assert any("complex" in message for message in with_shelf[0])
    assert {"Place", "other_Place"} <= set(with_shelf[1]["types"])


def test_a_class_is_read_once(
    tmp_path: Path, warm_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However many tools take it."""
    count: Counter[str] = Counter()
    read = ObjectReader._object

    def counted(self: ObjectReader, entry: Any, node: Any) -> Any:
        count[entry.name] += 1
        return read(self, entry, node)

    monkeypatch.setattr(ObjectReader, "_object", counted)
    tools = "".join(f"@tool\ndef f{n}(who: Person) -> None: ...\n" for n in range(5))
    project = Project(tmp_path, cache=warm_cache)
    project.write(
        "many.py",
        "from dataclasses import dataclass\nfrom toolcall import tool\n"
        "@dataclass\nclass Place:\n    x: int\n@dataclass\nclass Person:\n    home: Place\n"
        + tools,
    )
    project.check()
    assert count == {"Person": 1, "Place": 1}


def test_the_daemon_derives_each_time(tmp_path: Path, warm_cache: Path) -> None:
    """It may look at a tool twice in one run, with a class that has changed in between."""
    project = Project(tmp_path, cache=warm_cache)
    project.write(
        "model.py", "from dataclasses import dataclass\n@dataclass\nclass P:\n    x: int\n"
    )
    tools = "".join(f"@tool\ndef f{n}(p: P) -> None: ...\n" for n in range(2))
    project.write("tools.py", "from model import P\nfrom toolcall import tool\n" + tools)
    daemon = Daemon(project)
    daemon.check()
    project.write(
        "model.py", "from dataclasses import dataclass\n@dataclass\nclass P:\n    x: str\n"
    )
    daemon.check()
    (field,) = project.sidecar("tools")["types"]["P"]["fields"]
    assert field["type"] == {"kind": "string"}
