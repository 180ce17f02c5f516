"""Nothing that a user writes, or that we do wrong, breaks mypy down or hides other tools."""

from __future__ import annotations

import stat
import textwrap
from pathlib import Path

import pytest
from mypy.errors import CompileError

from toolcall_mypy import assemble as assembling

from .project import Project

GOOD = """
@tool
def good(a: int) -> None: ...
"""


@pytest.fixture
def project(tmp_path: Path, warm_cache: Path) -> Project:
    return Project(tmp_path, cache=warm_cache)


def test_our_own_fault_is_a_finding(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """An exception while one tool is assembled names that tool, and the others are written."""

    def broken(site: object, *rest: object) -> object:
        if site.definition.name == "bad":  # type: ignore[attr-defined]
            raise ZeroDivisionError("of our own making")
        return original(site, *rest)  # type: ignore[arg-type,return-value]

    original = assembling._Assembly
    monkeypatch.setattr(assembling, "_Assembly", broken)
    project.write(
        "m.py", "from toolcall import tool\n\n@tool\ndef bad(a: int) -> None: ...\n" + GOOD
    )
    checked = project.check()
    assert checked.codes() == ["internal-error"]
    assert 'tool "bad"' in checked.messages[0]
    assert "of our own making" in checked.messages[0]
    assert list(project.tools("m")) == ["good"]


def test_syntax_error_in_one_module(project: Project) -> None:
    """A module that cannot be parsed is mypy's to report, without a word of ours."""
    project.write("bad.py", "from toolcall import tool\n\n@tool\ndef f(a: int -> None: ...\n")
    with pytest.raises(CompileError):
        project.check()
    project.write("bad.py", "from toolcall import tool\n" + GOOD)
    project.check()
    assert list(project.tools("bad")) == ["good"]


def test_circular_imports(project: Project) -> None:
    """Tool modules may import each other."""
    project.write(
        "a.py",
        """
        from __future__ import annotations
        from dataclasses import dataclass
        import b
        from toolcall import tool

        @dataclass
        class A:
            other: b.B | None = None

        @tool
        def use_b(x: b.B) -> None: ...
        """,
    )
    project.write(
        "b.py",
        """
        from __future__ import annotations
        from dataclasses import dataclass
        import a
        from toolcall import tool

        @dataclass
        class B:
            other: a.A | None = None

        @tool
        def use_a(x: a.A) -> None: ...
        """,
    )
    assert project.check().messages == []
    assert set(project.sidecar("a")["types"]) == set(project.sidecar("b")["types"]) == {"A", "B"}


def test_gigantic_literal(project: Project) -> None:
    """Thousands of choices are derived like two."""
    values = ", ".join(f'"v{number}"' for number in range(5000))
    project.write(
        "m.py",
        f"from typing import Literal\nfrom toolcall import tool\n\n"
        f"@tool\ndef f(a: Literal[{values}]) -> None: ...\n" + GOOD,
    )
    project.check()
    assert len(project.tools("m")["f"]["parameters"][0]["type"]["values"]) == 5000
    assert "good" in project.tools("m")


def test_deep_nesting(project: Project) -> None:
    """A type nested deeper than any vendor takes is reported, and the rest is unaffected."""
    deep = "list[" * 90 + "int" + "]" * 90
    project.write(
        "m.py", f"from toolcall import tool\n\n@tool\ndef f(a: {deep}) -> None: ...\n" + GOOD
    )
    checked = project.check()
    assert "unsupported-type" in checked.codes()
    assert list(project.tools("m")) == ["f", "good"]


def test_unresolved_import(project: Project) -> None:
    """An import that mypy cannot follow costs one parameter its type, not the tool."""
    project.write(
        "m.py",
        """
        from nowhere import Thing
        from toolcall import tool

        @tool
        def f(a: Thing, b: int) -> None: ...
        """,
    )
    project.check()
    first, second = project.tools("m")["f"]["parameters"]
    assert (first["type"]["kind"], second["type"]["kind"]) == ("any", "integer")


def test_a_folder_that_cannot_be_written(project: Project) -> None:
    """A sidecar that cannot be written is an error at its module; the next run tries again."""
    project.write("m.py", "from toolcall import tool\n" + GOOD)
    blocker = project.folder / "__toolcall__"
    blocker.write_text("a file where the folder should be")
    checked = project.check()
    assert checked.codes() == ["invalid-config"]
    assert "cache_dir" in checked.messages[1]
    blocker.unlink()
    assert project.check().messages == []
    assert list(project.tools("m")) == ["good"]


def test_sidecar_keeps_the_mode_of_ordinary_files(project: Project) -> None:
    """Sidecars can be read by whoever may read the source."""
    project.write("m.py", "from toolcall import tool\n" + GOOD)
    project.check()
    mode = project.sidecar_path("m").stat().st_mode
    assert mode & stat.S_IRUSR


def test_corrupt_footprint(project: Project) -> None:
    """What lies in mypy's cache for us may be broken; then the module is checked again."""
    project.write("m.py", "from toolcall import tool\n" + GOOD)
    project.check()
    (kept,) = (project.folder / ".mypy_cache").glob("*/toolcall/m.json")
    kept.write_text("{")
    assert project.check().checked == {"m"}
    assert project.check().checked == set()


def test_odd_marks(project: Project) -> None:
    """Uses of the decorator that make no tool are mypy's to report."""
    project.write(
        "m.py",
        textwrap.dedent("""
        from typing import Any
        from toolcall import tool

        x: Any = 1
        tool(x)
        tool(int)
        tool(lambda a: a)
        tool()
        tool(name="x")
        tool(*[1])
        later = tool(name="later")

        @later
        def marked(a: int) -> None: ...

        class K:
            @tool
            @property
            def p(self) -> int:
                return 1

        @tool
        class L: ...
        """)
        + GOOD,
    )
    checked = project.check()
    assert "internal-error" not in checked.codes(), checked.messages
    assert "good" in project.tools("m")


def test_marks_where_mypy_does_not_look(project: Project) -> None:
    """Decorated functions are derived all the same; of a call there is no type to go by."""
    project.write(
        "m.py",
        """
        from toolcall import tool

        @tool
        def seen(x: int) -> int:
            return x

        def decorated():
            @tool
            def inner(x: int) -> int:
                return x
            return inner

        def called():
            tool(seen)
            tool(name="other")(seen)
            return seen(1)

        def checked() -> object:
            return tool(seen)
        """,
    )
    checked = project.check()
    assert checked.codes() == ["missing-annotation", "missing-annotation"]
    at = [line.split(":")[1] for line in checked.messages if "[toolcall-" in line]
    assert at == ["14", "15"]
    assert set(project.tools("m")) == {"seen", "inner"}
    assert project.check(flags=("--check-untyped-defs",)).codes() == []


def test_no_folder_for_marks_where_mypy_does_not_look(project: Project) -> None:
    """A plain message, where mypy has no checker to report with."""
    project.write(
        "m.py",
        """
        from toolcall import tool

        def made():
            @tool
            def inner(x: int) -> int:
                return x
            return inner
        """,
    )
    (project.folder / "__toolcall__").write_text("in the way")
    with pytest.raises(CompileError) as caught:
        project.check()
    assert "m.py:1: error: The sidecar cannot be written" in str(caught.value.messages)
