"""What strict mode does with a tool that it cannot say, and the vendors' counters."""

from __future__ import annotations

import warnings
from typing import Any

import pytest

from tests.formats.tool_definitions import (
    ANY,
    BY_NAME,
    INTEGER,
    NULL,
    STRING,
    array,
    field,
    fixed,
    literal,
    mapping,
    nullable,
    obj,
    parameter,
    ref,
    tool,
)
from toolcall import formats
from toolcall.errors import Misuse, StrictError, ToolcallWarning
from toolcall.formats import _strict
from toolcall.formats._strict import FATAL, plain_losses, strict_losses
from toolcall.formats._tables import (
    ANTHROPIC,
    BEDROCK,
    GEMINI,
    GEMINI_PARAMETERS,
    MCP,
    OPENAI,
)


@pytest.fixture(autouse=True)
def _nothing_warned_yet(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_strict, "_warned", {})


def found(definition: Any, dialect: Any) -> list[tuple[str, str]]:
    return [(loss.code, loss.path) for loss in strict_losses(definition, dialect)]


OPEN = tool("save", parameter("fields", mapping(STRING, STRING)))


@pytest.mark.parametrize(
    ("definition", "losses"),
    [
        (OPEN, [("strict-open-object", "/fields")]),
        (tool("f", parameter("a", ANY)), [("strict-untyped", "/a")]),
        (tool("f", parameter("a", array(ANY))), [("strict-untyped", "/a")]),
        (
            tool("f", parameter("kw", STRING, kind="var_keyword", required=False)),
            [("strict-open-object", "/kw")],
        ),
        (
            tool("f", parameter("o", obj("O", field("in/ner", obj("I", extra=INTEGER))))),
            [("strict-open-object", "/o/in~1ner")],
        ),
        (tool("f", parameter("t", fixed(STRING, INTEGER))), [("strict-tuple", "/t")]),
        (tool("f", parameter("t", fixed(STRING, STRING))), []),
        (
            tool("f", parameter("s", {"kind": "string", "max_length": 3})),
            [("strict-keyword", "/s")],
        ),
        (tool("f", parameter("s", array(STRING, "set"))), [("strict-keyword", "/s")]),
        (tool("f", parameter("n", NULL, required=False)), []),
        (BY_NAME["recursive"], []),
    ],
)
def test_losses_under_openai(definition: Any, losses: list[tuple[str, str]]) -> None:
    """Each thing that strict cannot say is a loss at its place, and nothing else is."""
    assert found(definition, OPENAI) == losses


def test_losses_name_the_parameter() -> None:
    """A loss knows the tool's parameter, however deep the place is."""
    definition = tool("f", parameter("o", obj("O", field("x", obj("I", field("y", ANY))))))
    (loss,) = strict_losses(definition, OPENAI)
    assert (loss.parameter, loss.path) == ("o", "/o/x/y")
    assert "strict-untyped" in repr(loss)


def test_recursion_is_a_loss_where_it_is_refused() -> None:
    """Anthropic and Bedrock refuse recursion under strict, OpenAI does not."""
    for dialect in (ANTHROPIC, BEDROCK):
        assert ("recursive-type", "/tree/children") in found(BY_NAME["recursive"], dialect)
    assert plain_losses(BY_NAME["recursive"], BEDROCK) == []
    (loss, *_) = plain_losses(BY_NAME["recursive"], GEMINI_PARAMETERS)
    assert loss.code == "recursive-type"


def test_gemini_loses_nothing_under_strict() -> None:
    """Gemini's strictness is a calling mode, so strict changes nothing there."""
    for definition in BY_NAME.values():
        assert strict_losses(definition, GEMINI) == []
    tools = list(BY_NAME.values())
    gemini = formats.get("gemini")
    assert gemini.render_tools(tools, strict=True) == gemini.render_tools(tools)


@pytest.mark.parametrize("name", ["openai", "openai_responses", "anthropic", "bedrock", "mcp"])
def test_a_tool_that_strict_cannot_say_falls_back(name: str) -> None:
    """It is emitted as without strict, with a warning once per tool and format."""
    module = formats.get(name)
    with pytest.warns(
        ToolcallWarning, match=r"'save' cannot be strict.*parameter 'fields'"
    ) as told:
        tools = module.render_tools([OPEN], strict=True)
    assert [warning.filename for warning in told] == [__file__]
    assert tools == module.render_tools([OPEN])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert module.render_tools([OPEN], strict=True) == tools


@pytest.mark.parametrize("name", ["openai", "openai_responses", "anthropic", "bedrock", "mcp"])
def test_require_raises(name: str) -> None:
    """With "require" the tool, the parameter and the reason are an error."""
    with pytest.raises(StrictError, match=r"'save'.*'fields'.*unknown keys"):
        formats.get(name).render_tools([OPEN], strict="require")


def test_other_tools_stay_strict() -> None:
    """One tool that falls back does not take the others with it."""
    plain = tool("f", parameter("a", INTEGER))
    with pytest.warns(ToolcallWarning):
        first, second = formats.get("openai").render_tools([OPEN, plain], strict=True)
    assert "strict" not in first["function"]
    assert second["function"]["strict"] is True


def test_strict_is_absent_by_default() -> None:
    """Servers that do not know strict never see it, but Responses is always told."""
    definition = tool("f", parameter("a", INTEGER))
    for name in ("openai", "anthropic", "bedrock"):
        assert "strict" not in str(formats.get(name).render_tools([definition]))
    (responses,) = formats.get("openai_responses").render_tools([definition])
    assert responses["strict"] is False


def test_a_wrong_strict_is_misuse() -> None:
    """Anything but True, False and "require" is refused."""
    with pytest.raises(Misuse, match="strict is True, False or"):
        formats.get("openai").render_tools([], strict="always")


# Counters


def numbered(count: int, type: Any, **more: Any) -> list[Any]:
    return [parameter(f"p{n}", type, **more) for n in range(count)]


DEEP = INTEGER
for level in range(11):
    DEEP = obj(f"L{level}", field("x", DEEP))


@pytest.mark.parametrize(
    ("definition", "reason"),
    [
        (tool("f", *numbered(5001, INTEGER)), "5001 properties, the limit is 5000"),
        (tool("f", parameter("a", DEEP)), "12 levels of nesting, the limit is 10"),
        (tool("f", parameter("x" * 120_001, INTEGER)), "120001 characters in names and choices"),
        (tool("f", parameter("a", literal(*range(1001)))), "1001 enum values, the limit is 1000"),
        (
            tool("f", parameter("a", literal(*(f"{n:0100}" for n in range(251))))),
            "25100 characters in one enum, the limit is 15000",
        ),
    ],
)
def test_openai_counters(definition: Any, reason: str) -> None:
    """A counter that is passed is named with its limit, and the tool is not strict."""
    assert any(
        loss.code == "format-limit" and loss.reason.startswith(reason)
        for loss in strict_losses(definition, OPENAI)
    )
    with pytest.raises(StrictError, match=reason.split(",", maxsplit=1)[0]):
        formats.get("openai").render_tools([definition], strict="require")
    assert strict_losses(definition, MCP) == []


def test_levels_are_counted_per_definition() -> None:
    """References are not followed: each definition starts from nothing."""
    types = {"R": obj("R", field("x", nullable(ref("R"))), field("y", array(array(INTEGER))))}
    assert strict_losses(tool("f", parameter("a", ref("R")), types=types), OPENAI) == []


def test_anthropic_counters_of_one_tool() -> None:
    """Too many optional or union-typed properties in one tool are its own loss."""
    many = tool("f", *numbered(25, INTEGER, required=False))
    (loss,) = strict_losses(many, ANTHROPIC)
    assert loss.reason == "25 optional properties, the limit is 24"
    unions = tool("f", *numbered(17, nullable(INTEGER)))
    (loss,) = strict_losses(unions, ANTHROPIC)
    assert loss.reason == "17 properties with a union type, the limit is 16"
    assert loss.code in FATAL


@pytest.mark.parametrize(
    ("tools", "strict_ones", "reason"),
    [
        ([tool(f"f{n}") for n in range(22)], 20, "21 strict tools in one request"),
        (
            [tool(f"f{n}", *numbered(10, INTEGER, required=False)) for n in range(3)],
            2,
            "30 optional properties in one request, the limit is 24",
        ),
        (
            [tool(f"f{n}", *numbered(6, nullable(INTEGER))) for n in range(3)],
            2,
            "18 properties with a union type in one request, the limit is 16",
        ),
    ],
)
def test_anthropic_counters_of_a_request(tools: Any, strict_ones: int, reason: str) -> None:
    """Tools are strict in order until the request's counters are full; the rest fall back."""
    anthropic = formats.get("anthropic")
    with pytest.warns(ToolcallWarning, match=reason):
        rendered = anthropic.render_tools(tools, strict=True)
    assert [t.get("strict", False) for t in rendered] == [True] * strict_ones + [False] * (
        len(tools) - strict_ones
    )
    with pytest.raises(StrictError, match=reason):
        anthropic.render_tools(tools, strict="require")


def test_a_tool_that_falls_back_does_not_count() -> None:
    """Only tools that are strict fill the request's counters."""
    failing = [
        tool(f"g{n}", *numbered(20, INTEGER, required=False), parameter("a", ANY)) for n in range(3)
    ]
    with pytest.warns(ToolcallWarning):
        rendered = formats.get("anthropic").render_tools([*failing, tool("f")], strict=True)
    assert rendered[-1]["strict"] is True
