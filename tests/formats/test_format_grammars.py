"""Grammar engines of real servers compile every strict schema, and we take what they write.

Each engine is skipped where it is not installed; the environment `grammars` has all.
"""

from __future__ import annotations

import dataclasses
import enum
import importlib.util
import json
import random
import sys
import types
import warnings
from typing import Any

import pytest

from tests.formats.test_format_rows import definitions as rows
from tests.formats.tool_definitions import ACCESS, BY_NAME, LEVEL, PRIORITY, TOOLS
from toolcall import formats
from toolcall._bind import BoundTool
from toolcall._coerce import decode
from toolcall.errors import StrictError

# Said in words only under strict, or stricter at the call on purpose.
ON_PURPOSE = {
    "invalid_base64",
    "invalid_date",
    "invalid_datetime",
    "invalid_duration",
    "invalid_ip",
    "invalid_pattern",
    "invalid_time",
    "invalid_timezone",
    "not_unique",
    "out_of_range",
    "pattern_mismatch",
    "too_long",
    "too_short",
    "wrong_length",
}

# What a grammar without patterns and bounds cannot know.
ONLY_DESCRIBED = {
    "openai": set[str](),
    "anthropic": {"invalid_decimal", "invalid_string_integer", "not_in_enum"},
}


def needs(name: str) -> Any:
    return pytest.mark.skipif(
        importlib.util.find_spec(name) is None, reason=f"{name} is not installed"
    )


def strict_schemas() -> list[Any]:
    """Every strict schema of the example tools and of the rows on types, by format and tool."""
    found = []
    for name, envelope in (
        ("openai", ("function", "parameters")),
        ("anthropic", ("input_schema",)),
        ("bedrock", ("toolSpec", "inputSchema", "json")),
    ):
        for definition in [*TOOLS, *rows()]:
            try:
                (schema,) = formats.get(name).render_tools([definition], strict="require")
            except StrictError:
                continue
            for key in envelope:
                schema = schema[key]
            found.append(pytest.param(schema, id=f"{name}-{definition['tool']['name']}"))
    return found


@needs("llguidance")
@pytest.mark.parametrize("schema", strict_schemas())
def test_llguidance_compiles(schema: Any) -> None:
    """llguidance (OpenAI, Azure, vLLM, SGLang, llama.cpp) has no complaint."""
    from llguidance import LLMatcher, LLTokenizer

    grammar = LLMatcher.grammar_from_json_schema(json.dumps(schema))
    assert LLMatcher.validate_grammar(grammar, LLTokenizer("byte")) == ""


@needs("outlines_core")
@pytest.mark.parametrize("schema", strict_schemas())
def test_outlines_compiles(schema: Any) -> None:
    """outlines-core knows everything but three formats, which the vendors do know."""
    from outlines_core.json_schema import build_regex_from_schema

    text = json.dumps(schema)
    for unknown in ("duration", "ipv4", "ipv6"):
        if f'"{unknown}"' in text:
            with pytest.raises(ValueError, match="is not supported by Outlines"):
                build_regex_from_schema(text)
            text = text.replace(f'"{unknown}"', '"time"')
    assert build_regex_from_schema(text)


@needs("xgrammar")
@pytest.mark.parametrize("schema", strict_schemas())
def test_xgrammar_compiles(schema: Any) -> None:
    """xgrammar (vLLM, SGLang, TensorRT-LLM) compiles it."""
    from xgrammar import Grammar

    assert str(Grammar.from_json_schema(json.dumps(schema), strict_mode=True))


# What an engine writes is decoded


@pytest.fixture
def _app(monkeypatch: pytest.MonkeyPatch) -> None:
    """The module `app` with the classes of the example tools."""
    app = types.ModuleType("app")
    for node in (PRIORITY, LEVEL):
        name = node["cls"].partition(":")[2]
        members = {member["name"]: member["value"] for member in node["members"]}
        setattr(app, name, enum.Enum(name, members, module="app"))
    bits = {member["name"]: member["value"] for member in ACCESS["members"]}
    app.Access = enum.Flag("Access", bits, module="app")  # type: ignore[attr-defined]
    for definition in TOOLS:
        for name, node in definition["types"].items():
            if node["kind"] == "object":
                made = [
                    (f["name"], object)
                    if f["required"]
                    else (f["name"], object, dataclasses.field(default=None))
                    for f in node["fields"]
                ]
                cls = dataclasses.make_dataclass(name, made, namespace={"__module__": "app"})
                setattr(app, name, cls)
    monkeypatch.setitem(sys.modules, "app", app)


def written(schema: Any, source: random.Random) -> str | None:
    """A text that the engine allows, chosen at random; None when it does not end."""
    from llguidance import LLMatcher, LLTokenizer

    tokenizer = LLTokenizer("byte")
    matcher = LLMatcher(tokenizer, LLMatcher.grammar_from_json_schema(json.dumps(schema)))
    text = bytearray()
    for _ in range(4000):
        mask = matcher.compute_bitmask()
        allowed = [n for n in range(tokenizer.vocab_size) if mask[n // 8] >> n % 8 & 1]
        if not allowed or (matcher.is_accepting() and text.endswith(b"}")):
            return text.decode()
        ending = [n for n in allowed if n in b'"}],']
        plain = [n for n in allowed if 0x20 < n < 0x7F and n != 0x5C]
        many = ending if ending and source.random() < 0.6 else plain or allowed
        token = source.choice(many)
        if not matcher.consume_token(token):
            raise AssertionError(matcher.get_error())
        text.append(token)
    return None


@needs("llguidance")
@pytest.mark.usefixtures("_app")
@pytest.mark.parametrize("format_name", ["openai", "anthropic"])
@pytest.mark.parametrize(
    "name",
    ["scalars", "choices", "optional", "texts", "containers", "objects", "unions", "recursive",
     "repeated", "variadic"],
)  # fmt: skip
def test_what_an_engine_writes_is_decoded(name: str, format_name: str) -> None:
    """Arguments under the strict schema have no fault but those that strict cannot say."""
    definition = BY_NAME[name]
    try:
        (tool,) = formats.get(format_name).render_tools([definition], strict="require")
    except StrictError:
        pytest.skip("recursion is not strict here")
    schema = tool["function"]["parameters"] if "function" in tool else tool["input_schema"]
    bound = BoundTool(definition["tool"], definition["types"], lambda *a, **k: None, "app", "app")
    source = random.Random(f"{format_name} {name}")
    texts = [text for text in (written(schema, source) for _ in range(12)) if text is not None]
    assert len(texts) > 6
    known = ON_PURPOSE | ONLY_DESCRIBED[format_name]
    for text in texts:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", FutureWarning)
            outcome = decode(bound, json.loads(text))
        if isinstance(outcome, list):
            assert {problem.code for problem in outcome} <= known, (text, outcome)
