"""The IR as text: stable, one fact a line, and nothing lost that a schema could show."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from tests.runtime.builders import entry
from tests.runtime.test_verify import GOOD
from toolcall._pretty import pretty, pretty_tool, pretty_type

STRING = {"kind": "string"}


def given(name: str, node: Any, **more: Any) -> dict[str, Any]:
    base = {"name": name, "wire": name, "kind": "positional_or_keyword", "required": True}
    return {**base, "type": node, **more}


SIDECAR: Any = {
    "toolcall": 1,
    "module": "app",
    "sources": [],
    "tools": [
        entry(
            "get_weather",
            doc="Get the forecast for a city.",
            is_async=True,
            parameters=[
                given("city", STRING, doc="City name"),
                given(
                    "days",
                    {"kind": "nullable", "inner": {"kind": "integer", "ge": 1}},
                    required=False,
                    default=3,
                ),
            ],
            returns={"kind": "mapping", "cls": "dict", "key": STRING, "value": {"kind": "any"}},
        ),
        entry(
            "Desk.book",
            "book",
            binding="instance",
            title="Book it",
            doc="Two\n\nparagraphs.",
            hints={"read_only": False, "idempotent": True},
            parameters=[
                given("at", {"kind": "ref", "name": "Spot"}, kind="positional_only"),
                given("how-often", {"kind": "integer", "wire": "string_integer"}, required=False),
                given("rest", {"kind": "array", "cls": "list", "items": STRING}, wire="more"),
                given(
                    "deep",
                    {
                        "kind": "array",
                        "cls": "set",
                        "items": {"kind": "nullable", "inner": {**STRING, "doc": "Each one."}},
                    },
                ),
            ],
            injected=[
                {
                    "name": "ctx",
                    "how": "context",
                    "kind": "keyword_only",
                    "position": 3,
                    "required": False,
                }
            ],
            schema={"type": "object"},
        ),
    ],
    "types": {
        "Spot": {
            "kind": "object",
            "style": "dataclass",
            "cls": "app:Spot",
            "doc": "A spot.",
            "fields": [
                given("x", {"kind": "integer"}, doc="Across."),
                given("t", {"kind": "literal", "values": [{"value": "s"}]}, tag=True),
            ],
        },
        "Color": {
            "kind": "enum",
            "cls": "app:Color",
            "members": [{"name": "RED", "value": "r"}, {"name": "BLUE", "value": "b"}],
        },
    },
}

TEXT = """\
tool get_weather (function, async)
  doc: Get the forecast for a city.
  city: string, required
    doc: City name
  days: integer ge=1 | null, default 3
  returns: mapping string -> any

tool book (method, key Desk.book)
  title: Book it
  doc: "Two\\n\\nparagraphs."
  hint: idempotent true
  hint: read_only false
  at: Spot positional-only, required
  "how-often": integer as text, optional
  rest (wire "more"): list of string, required
  deep: set of (string | null), required
    items: string | null
      inner: string
        type doc: Each one.
  ctx: injected context keyword-only, optional
  schema: {"type": "object"}

type Color = enum app:Color {RED="r", BLUE="b"}

type Spot = object dataclass app:Spot
  doc: A spot.
  x: integer, required
    doc: Across.
  t: literal "s", required, tag
"""


def test_a_sidecar() -> None:
    """Tools in order, then the named types by name."""
    assert pretty(SIDECAR) == TEXT


def test_a_definition() -> None:
    """A tool by itself reads the same."""
    definition: Any = {"tool": SIDECAR["tools"][0], "types": {}}
    assert (
        pretty(definition)
        == pretty_tool(SIDECAR["tools"][0])
        == TEXT.split("\n\n", maxsplit=1)[0] + "\n"
    )


@pytest.mark.parametrize(
    ("node", "text"),
    [
        (
            {"kind": "string", "pattern": "^a b$", "max_length": 3},
            'string max_length=3 pattern="^a b$"',
        ),
        ({"kind": "tuple", "prefix": [STRING], "rest": {"kind": "null"}}, "tuple [string, *null]"),
        ({"kind": "stdlib", "type": "path", "cls": "pathlib:Path"}, "path pathlib:Path"),
        ({"kind": "stdlib", "type": "date"}, "date"),
        (
            {
                "kind": "literal",
                "values": [{"value": 1}, {"value": "r", "enum": "a:C", "member": "R"}],
            },
            'literal 1, "r" (a:C.R)',
        ),
        (
            {
                "kind": "mapping",
                "cls": "OrderedDict",
                "key": {"kind": "integer"},
                "value": {"kind": "mapping", "cls": "dict", "key": STRING, "value": STRING},
                "min_properties": 1,
            },
            "OrderedDict mapping integer -> (mapping string -> string) min_properties=1",
        ),
        (
            {
                "kind": "union",
                "branches": [{"kind": "ref", "name": "A"}, STRING],
                "discriminator": "t",
            },
            'A | string by "t"',
        ),
        ({"kind": "root", "cls": "a:R", "inner": STRING}, "root a:R of string"),
        (
            {"kind": "custom", "cls": "a:C", "provider": "a:P", "wire": STRING},
            "custom a:C by a:P of string",
        ),
        (
            {
                "kind": "object",
                "style": "typeddict",
                "cls": "a:T",
                "fields": [given("a", STRING, default=None)],
                "extra": STRING,
            },
            "object typeddict a:T, extra string\n  a: string, default null, required",
        ),
    ],
)
def test_types(node: Any, text: str) -> None:
    """One line a type, and what it has inside beneath."""
    assert pretty_type(node) == text


def facts(node: Any) -> list[tuple[str, Any]]:
    """The keys that can be changed one by one."""
    changes = {str: "zz", int: 77, float: 77.5, bool: None}
    return [
        (key, changes[type(value)])
        for key, value in node.items()
        if type(value) in changes
        and key not in ("kind", "wire")
        and changes[type(value)] is not None
    ]


@pytest.mark.parametrize("node", GOOD, ids=lambda node: node["kind"])
def test_every_fact_shows(node: Any) -> None:
    """Changing any fact of a type changes its text, so that no case file can miss it."""
    for key, other in facts(node):
        assert pretty_type({**node, key: other}) != pretty_type(node), key
    assert pretty_type({**node, "doc": "A new description."}) != pretty_type(node)


def test_every_fact_of_a_tool_shows() -> None:
    """Apart from those that only the loader needs."""
    for at, tool in enumerate(SIDECAR["tools"]):
        for key in tool.keys() - {"line", "parameters", "injected"}:
            changed = copy.deepcopy(SIDECAR)
            del changed["tools"][at][key]
            changed["tools"][at].setdefault("name", "other")
            changed["tools"][at].setdefault("key", "other")
            changed["tools"][at].setdefault("binding", "static")
            changed["tools"][at].setdefault("is_async", not tool["is_async"])
            assert pretty(changed) != TEXT, key


@pytest.mark.parametrize("text", ["", " a", "a\n", '"a"', "\ud800", "a\tb", "'"])
def test_texts_that_could_be_misread(text: str) -> None:
    """Text that would not show as it is, is quoted, on one line and in UTF-8."""
    line = pretty_tool(entry("f", doc=text, parameters=[])).splitlines()[1]  # type: ignore[arg-type]
    assert line.startswith('  doc: "')
    line.encode()
