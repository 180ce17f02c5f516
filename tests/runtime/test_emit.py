"""What a program hands to a vendor: rendered once, copied always."""

from __future__ import annotations

from typing import Any

import pytest

from tests.runtime.builders import Packages, entry
from toolcall import Toolset, describe, emit, formats, tool_names
from toolcall._emit import _keep
from toolcall._source import resolve
from toolcall.errors import UnknownFormat

TWO = """\
from toolcall import tool

@tool
def f(n: int) -> int:
    return n

@tool(options={"cache_control": {"type": "ephemeral"}})
def g(n: int) -> int:
    return n
"""


@pytest.fixture
def module(packages: Packages) -> Any:
    return packages.tools("two", TWO, entry("f", doc="Do f."), entry("g", line=7))


def test_openai_by_default(module: Any) -> None:
    """Without a format the answer is OpenAI's, in declaration order."""
    assert [tool["function"]["name"] for tool in emit(module)] == ["f", "g"]
    assert emit(module) == emit(module, "openai")
    assert [tool["name"] for tool in emit(module, "anthropic")] == ["f", "g"]


def test_copies_are_private(module: Any) -> None:
    """Whatever is done to what was handed out, the next one is as it should be."""
    first = emit(module)
    expected = emit(module)
    first[0]["function"]["parameters"]["properties"]["n"]["type"] = "string"
    first[0]["function"]["parameters"]["required"].append("x")
    first[1].clear()
    first.pop()
    assert emit(module) == expected


def test_rendered_once(module: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """A source is rendered once for each format and strictness, and looked up after that."""
    rendered = []
    openai = formats.get("openai")
    original = openai.render_tools
    monkeypatch.setattr(
        openai, "render_tools", lambda *a, **k: rendered.append(k) or original(*a, **k)
    )
    for _ in range(3):
        emit(module)
        emit(module, strict=True)
    assert rendered == [{"strict": False}, {"strict": True}]


def test_options_reach_the_vendor(module: Any) -> None:
    """What the decorator's options say is in the definition."""
    assert emit(module, "anthropic")[1]["cache_control"] == {"type": "ephemeral"}


def test_options_that_are_no_json() -> None:
    """A vendor's option may be any object: it is handed on as it is, in dicts of one's own."""

    class Odd: ...

    odd = Odd()
    definition: Any = {"tool": entry("x"), "types": {}}
    tools = Toolset([definition])
    resolved = resolve(tools)
    resolved.kept["openai", False] = _keep([{"name": "x", "odd": [{"a": odd}]}])
    first, second = emit(tools), emit(tools)
    assert first == second == [{"name": "x", "odd": [{"a": odd}]}]
    assert first[0]["odd"][0] is not second[0]["odd"][0]


def test_unknown_format(module: Any) -> None:
    """A format that does not exist is named together with the nearest one."""
    with pytest.raises(UnknownFormat, match="openai"):
        emit(module, "opnai")  # type: ignore[arg-type]


def test_every_format_is_typed() -> None:
    """The names that checkers accept are those there are."""
    import re
    from pathlib import Path

    import toolcall._emit as module

    source = Path(module.__file__).read_text()
    literal = source.split("Format: TypeAlias = Literal[")[1].split("]")[0]
    assert sorted(re.findall(r'"(.+?)"', literal)) == sorted(formats.NAMES)


def test_describe(module: Any) -> None:
    """Each tool without an envelope."""
    parameters = {
        "type": "object",
        "properties": {"n": {"type": "integer"}},
        "required": ["n"],
        "additionalProperties": False,
    }
    assert describe(module) == [
        {"module": "two", "name": "f", "description": "Do f.", "parameters": parameters},
        {"module": "two", "name": "g", "description": "", "parameters": parameters},
    ]
    describe(module)[0]["parameters"].clear()
    assert describe(module)[0]["parameters"] == parameters


def test_names(module: Any) -> None:
    """For routing, in declaration order, a new list each time."""
    tool_names(module).clear()
    assert tool_names(module) == ["f", "g"]
