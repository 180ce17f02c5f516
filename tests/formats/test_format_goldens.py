"""Every tool in every format, strict and not, against files that people read."""

from __future__ import annotations

import json
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.formats.tool_definitions import TOOLS
from toolcall import formats
from toolcall.errors import StrictError

GOLDENS = Path(__file__).parent / "goldens"
FORMATS = [name for name in formats.NAMES if name != "mcp-2026-07-28"]


def rendered(name: str, definition: Any, *, strict: bool) -> Any:
    """One tool by itself; a tool that cannot be strict is the reason why."""
    try:
        tools = formats.get(name).render_tools([definition], strict="require" if strict else False)
    except StrictError as error:
        return str(error)
    assert len(tools) == 1
    return tools[0]


@pytest.mark.parametrize("strict", [False, True], ids=["plain", "strict"])
@pytest.mark.parametrize("name", FORMATS)
def test_rendered_tools(name: str, strict: bool, request: pytest.FixtureRequest) -> None:
    """A format renders every tool as the golden file says, byte for byte."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        tools = {
            definition["tool"]["name"]: rendered(name, definition, strict=strict)
            for definition in TOOLS
        }
    text = json.dumps(tools, indent=1, ensure_ascii=False) + "\n"
    path = GOLDENS / f"{name}{'-strict' if strict else ''}.json"
    if request.config.getoption("--update-goldens"):
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")
    assert text == path.read_text(encoding="utf-8")


def test_rendering_leaves_the_definitions_alone() -> None:
    """Rendering neither changes a definition nor shares mutable parts with a second rendering."""
    before = json.dumps(TOOLS)
    for name in FORMATS:
        first = formats.get(name).render_tools(TOOLS)
        text = json.dumps(first)
        _spoil(first)
        assert json.dumps(formats.get(name).render_tools(TOOLS)) == text
    assert json.dumps(TOOLS) == before


@pytest.mark.parametrize("strict", [False, True], ids=["plain", "strict"])
@pytest.mark.parametrize("name", FORMATS)
def test_nothing_is_rendered_into_two_places(name: str, strict: bool) -> None:
    """Each dict and list of a rendering is there once, so that an edit changes one tool."""
    cache = {"type": "ephemeral"}
    shared: Any = [{**tool, "options": {"cache_control": cache, "_meta": cache}} for tool in TOOLS]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        tools = formats.get(name).render_tools(shared, strict=strict)
    containers = list(_containers(tools))
    assert len({id(container) for container in containers}) == len(containers) > len(TOOLS)


def _containers(value: Any) -> Iterator[Any]:
    if isinstance(value, (dict, list)):
        yield value
        for item in value.values() if isinstance(value, dict) else value:
            yield from _containers(item)


def _spoil(value: Any) -> None:
    if isinstance(value, dict):
        for inner in list(value.values()):
            _spoil(inner)
        value["spoiled"] = True
    elif isinstance(value, list):
        for inner in value:
            _spoil(inner)
        value.append("spoiled")
