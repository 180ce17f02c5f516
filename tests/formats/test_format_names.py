"""Formats by name, tool names in every dialect and the way back, the dialects' tables."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.formats.tool_definitions import INTEGER, parameter, tool
from toolcall import formats
from toolcall.errors import DuplicateTool, UnknownFormat
from toolcall.formats._dialect import Dialect, Limits, Row, Subset
from toolcall.formats._names import (
    legal,
    name_problem,
    original,
    property_problem,
    wire_names,
)
from toolcall.formats._tables import ALL, ANTHROPIC, GEMINI, MCP, MCP_2025_06_18, OPENAI


@pytest.mark.parametrize("name", formats.NAMES)
def test_every_format_has_the_same_names(name: str) -> None:
    """A format is a module with the five public names."""
    module = formats.get(name)
    assert module is formats.get(name)
    assert module.render_tools([]) == []
    assert module.parse_calls({}) == []
    assert module.render_results([]) == []
    assert module.DIALECT.tool_name is module.NAME_RULE


@pytest.mark.parametrize(
    ("asked", "meant"),
    [
        ("opnai", "openai"),
        ("claude-anthropic", "anthropic"),
        ("OpenAI Responses", "openai_responses"),
        ("mcp-2025-06", "mcp-2025-06-18"),
    ],
)
def test_an_unknown_format_names_the_nearest(asked: str, meant: str) -> None:
    """A misspelled format is an error with the nearest name and all names."""
    with pytest.raises(UnknownFormat, match=re.escape(f"Did you mean '{meant}'?")) as caught:
        formats.get(asked)
    assert all(name in str(caught.value) for name in formats.NAMES)


def test_a_format_like_none_has_no_suggestion() -> None:
    """Nothing is suggested for a name that is near to none."""
    with pytest.raises(UnknownFormat, match=r"unknown format 'zzz'\. Known:"):
        formats.get("zzz")


@pytest.mark.parametrize("dialect", ALL, ids=lambda dialect: dialect.format)
def test_every_row_has_a_source_and_a_month(dialect: Dialect) -> None:
    """Every fact of every table says where and when it was read."""
    tables = [dialect, dialect.plain, dialect.strict, dialect.limits]
    rows = [row for table in tables if table is not None for row in table.rows.values()]
    assert len(rows) > 20
    for row in rows:
        assert row.source
        assert re.fullmatch(r"20[0-9]{2}-[01][0-9]", row.seen)


def test_tables_are_frozen_and_complete() -> None:
    """A table can neither change nor lack a row nor have one too many."""
    for value in (OPENAI, OPENAI.plain, OPENAI.limits, OPENAI.tool_name):
        with pytest.raises(AttributeError):
            value.format = "x"  # type: ignore[union-attr]
    with pytest.raises(TypeError, match="differ in"):
        Limits(depth=Row(1, "here"))
    with pytest.raises(TypeError, match="differ in"):
        OPENAI.but(other=Row(1, "here"))
    assert isinstance(OPENAI.plain, Subset)
    assert repr(Row(1, "here", "2026-11")) == "Row(1, 'here', '2026-11')"


LEGAL = {
    "openai": ["f", "a-b_C9", "9", "x" * 64],
    "anthropic": ["x" * 128],
    "bedrock": ["x" * 64],
    "gemini": ["_a", "a.b:c-d", "x" * 128],
    "mcp": ["9.a-b", "x" * 128],
    "mcp-2025-06-18": ["any thing at all, ü"],
}
ILLEGAL = {
    "openai": ["", "a.b", "a b", "ä", "x" * 65, "a\n"],
    "anthropic": ["a.b", "x" * 129],
    "bedrock": ["a.b", "x" * 65],
    "gemini": ["9a", "-a", "", "x" * 129, "²a"],
    "mcp": ["a b", "a:b", "x" * 129],
}


@pytest.mark.parametrize("name", LEGAL)
def test_legal_names(name: str) -> None:
    """A legal name is taken and kept."""
    dialect = formats.get(name).DIALECT
    assert wire_names(LEGAL[name], dialect) == LEGAL[name]
    assert [name_problem(legal_name, dialect) for legal_name in LEGAL[name]] == [None] * len(
        LEGAL[name]
    )


@pytest.mark.parametrize("name", ILLEGAL)
def test_illegal_names(name: str) -> None:
    """An illegal name has a problem that shows the rule, and is mapped to a legal one and back."""
    dialect = formats.get(name).DIALECT
    for given in ILLEGAL[name]:
        assert dialect.tool_name is not None
        rule = dialect.tool_name
        problem = name_problem(given, dialect)
        assert problem is not None
        assert rule.regex in problem
        (wire,) = wire_names([given], dialect)
        assert legal(wire, rule)
        assert re.match(rule.regex, wire)
        assert not re.fullmatch(rule.regex, given)
        assert original(wire, ["other", given]) == given


def test_dotted_names_become_underscores() -> None:
    """What MCP calls calendar.respond is calendar_respond elsewhere, and both are found."""
    definition = tool("calendar.respond")
    (openai,) = formats.get("openai").render_tools([definition])
    assert openai["function"]["name"] == "calendar_respond"
    (mcp,) = formats.get("mcp").render_tools([definition])
    assert mcp["name"] == "calendar.respond"
    assert original("calendar_respond", ["calendar.respond"]) == "calendar.respond"
    assert original("calendar.respond", ["calendar.respond"]) == "calendar.respond"
    assert original("calendar-respond", ["calendar.respond"]) is None


def test_an_own_name_wins_over_a_mapped_one() -> None:
    """A tool that is really called so is meant before one that is only mapped so."""
    assert original("a_b", ["a.b", "a_b"]) == "a_b"


def test_colliding_names_are_an_error() -> None:
    """Two tools that would have one name are refused, naming both; MCP takes both."""
    tools = [tool("a.b"), tool("a_b")]
    with pytest.raises(DuplicateTool, match=r"'a\.b' and 'a_b' are both called 'a_b' in openai"):
        formats.get("openai").render_tools(tools)
    assert [t["name"] for t in formats.get("mcp").render_tools(tools)] == ["a.b", "a_b"]


def test_long_names_are_cut_apart() -> None:
    """Long names that begin alike stay different, and stable."""
    long = ["prefix_" * 12 + "one", "prefix_" * 12 + "two"]
    first, second = wire_names(long, OPENAI)
    assert len(first) == len(second) == 64
    assert first != second
    assert [first, second] == wire_names(long, OPENAI)
    assert original(second, long) == long[1]


def test_property_names() -> None:
    """Anthropic and Gemini have rules for properties, OpenAI and MCP have none."""
    assert property_problem("größe", OPENAI) is None
    assert property_problem("größe", MCP) is None
    assert "größe" in (property_problem("größe", ANTHROPIC) or "")
    assert property_problem("a.b-c", ANTHROPIC) is None
    assert "a.b-c" in (property_problem("a.b-c", GEMINI) or "")
    assert name_problem("größe", MCP_2025_06_18) is None


def test_a_tool_without_description_has_none() -> None:
    """An empty description is left out, which Bedrock demands, and never null."""
    definition = tool("f", parameter("a", INTEGER), doc="")
    for name in formats.NAMES:
        assert '"description"' not in str(formats.get(name).render_tools([definition]))
        assert "'description'" not in str(formats.get(name).render_tools([definition]))


@pytest.mark.parametrize("name", formats.NAMES)
def test_a_format_loads_little(name: str) -> None:
    """Loading a format and rendering a tool imports nothing that costs time."""
    code = (
        "import sys; sys.path.insert(0, sys.argv[1]); from toolcall import formats;"
        "tool = {'name': 'f', 'key': 'f', 'line': 1, 'is_async': False, 'binding': 'function',"
        " 'parameters': [{'name': 'a', 'wire': 'a', 'kind': 'keyword_only', 'required': True,"
        " 'type': {'kind': 'integer'}}]};"
        "formats.get(sys.argv[2]).render_tools([{'tool': tool, 'types': {}}], strict=True);"
        "print(*sys.modules)"
    )
    root = str(Path(formats.__file__).parents[2])
    run = subprocess.run(
        [sys.executable, "-S", "-I", "-c", code, root, name],
        capture_output=True,
        text=True,
        check=True,
    )
    costly = {"asyncio", "collections", "dataclasses", "enum", "functools", "inspect", "json",
              "logging", "re", "typing"}  # fmt: skip
    assert not costly & set(run.stdout.split())
