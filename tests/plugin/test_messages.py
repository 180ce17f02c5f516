"""What mypy prints of our findings: codes, hints, silence, and nothing twice."""

from __future__ import annotations

import json
import textwrap
from pathlib import Path

import pytest

from .project import Project

TOOLS = """
    from typing import Any

    from toolcall import tool

    @tool
    def f(details: dict, b: Any, c) -> None: ...
"""


@pytest.fixture
def project(tmp_path: Path, warm_cache: Path) -> Project:
    project = Project(tmp_path, cache=warm_cache)
    project.write("m.py", TOOLS)
    return project


def test_notes_show_their_codes(project: Project) -> None:
    """A note shows the code that silences it, replayed from the cache as well."""
    first, second = project.check(), project.check()
    assert second.checked == set()
    for messages in (first.messages, second.messages):
        notes = [line for line in messages if "note: Parameter" in line]
        assert [line.rpartition("  ")[2] for line in notes] == [
            "[toolcall-untyped-container]",
            "[toolcall-untyped-value]",
        ]


def test_an_error_shows_its_code_once(project: Project) -> None:
    """The hint beneath an error does not repeat the code."""
    assert project.check().messages[-2:] == [
        'm.py:6: error: Parameter "c" of tool "f" has no annotation, so the model may send '
        "anything  [toolcall-missing-annotation]",
        'm.py:6: note: Say what it takes, for example "c: str"',
    ]


def test_one_fault_one_message(project: Project) -> None:
    """A bare dict says nothing and is open; the second follows from the first."""
    assert [code for code in project.check().codes() if "strict" in code] == []


def test_quiet_where_mypy_speaks(project: Project) -> None:
    """Where mypy reports the missing type arguments, we do not."""
    checked = project.check(flags=("--disallow-any-generics",))
    assert any("[type-arg]" in line for line in checked.messages)
    assert "untyped-container" not in checked.codes()


def test_json(project: Project) -> None:
    """What to write is the hint of an error, and a part of a note, which can have none."""
    messages = [json.loads(line) for line in project.check(flags=("-O", "json")).messages]
    found = {one["code"]: one for one in messages}
    assert found["toolcall-missing-annotation"]["hint"] == 'Say what it takes, for example "c: str"'
    assert found["toolcall-missing-annotation"]["column"] == 29
    assert "Say what it holds" in found["toolcall-untyped-container"]["message"]
    assert found["toolcall-untyped-container"]["hint"] is None
    assert len(messages) == len(found)


@pytest.mark.parametrize(
    ("config", "flags"),
    [
        ("", ("--disable-error-code", "toolcall-untyped-value")),
        ("disable_error_code = toolcall-untyped-value", ()),
        ("[mypy-m]\ndisable_error_code = toolcall-untyped-value", ()),
        ("[toolcall]\nseverity.untyped-value = off", ()),
    ],
)
def test_switched_off(
    config: str, flags: tuple[str, ...], tmp_path: Path, warm_cache: Path
) -> None:
    """mypy's own switches and our table silence a note, whole or in one module."""
    project = Project(tmp_path, config, warm_cache)
    project.write("m.py", TOOLS)
    assert project.check(flags=flags).codes() == ["untyped-container", "missing-annotation"]


def test_switched_off_in_the_file(project: Project) -> None:
    """mypy reads this comment before the plugin has met any mark."""
    off = '# mypy: disable-error-code="toolcall-untyped-value"\n'
    project.write("m.py", off + textwrap.dedent(TOOLS).lstrip("\n"))
    assert project.check().codes() == ["untyped-container", "missing-annotation"]


def test_ignored(project: Project) -> None:
    """A comment with the code silences a note and counts as used; another one does not."""
    project.write(
        "m.py",
        """
        from typing import Any

        from toolcall import tool

        @tool
        def f(
            a: Any,  # type: ignore[toolcall-untyped-value]
            b: int,  # type: ignore[toolcall-untyped-value]
        ) -> None: ...
        """,
    )
    messages = project.check(flags=("--warn-unused-ignores",)).messages
    assert messages == ['m.py:8: error: Unused "type: ignore" comment  [unused-ignore]']


def test_a_note_made_an_error_has_a_hint(tmp_path: Path, warm_cache: Path) -> None:
    """A code that is configured as an error is printed like one."""
    project = Project(tmp_path, "[toolcall]\nseverity.untyped-container = error", warm_cache)
    project.write("m.py", TOOLS)
    first, hint, *_ = project.check().messages
    assert first.endswith("does not say what it holds  [toolcall-untyped-container]")
    assert hint == "m.py:6: note: Say what it holds, as in list[str] or dict[str, int]"
