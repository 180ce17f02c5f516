"""The plugin does its work once, and twice the tools are twice the work.

Counted, not timed: how long it takes is for the benchmarks to say.
"""

from __future__ import annotations

import ast
import os
import shutil
import sys
from collections import Counter
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from mypy import build, main
from mypy.modulefinder import BuildSource

from toolcall import formats
from toolcall.formats._strict import strict_losses
from toolcall_mypy import assemble as assembling
from toolcall_mypy.lints import formats as format_lints
from toolcall_mypy.records import changing, field, record, replace
from toolcall_mypy.source import docstrings

RECORD = '''
@dataclass
class Box{part}:
    """A box.

    Attributes:
        size: How large.
    """

    size: int
    label: str = ""
'''
TOOL = '''
@tool
def take_{serial}(box: Box{part}, name: str, count: int = {serial}, kind: str = "up") -> str:
    """Take number {serial}.

    Args:
        box: What is taken.
        name: Whose {serial} it is.
        count: How many of {serial}.
        kind: Which way.

    Returns:
        What is left.
    """
    return name
'''
HEAD = "from dataclasses import dataclass\nfrom toolcall import tool\n"


def package(folder: Path, modules: int, tools: int) -> list[BuildSource]:
    """Modules `part0`, … with so many tools each, and a class of its own in each."""
    sources = []
    for part in range(modules):
        texts = [TOOL.format(part=part, serial=1000 * part + one) for one in range(tools)]
        path = folder / f"part{part}.py"
        path.write_text(HEAD + RECORD.format(part=part) + "".join(texts), encoding="utf-8")
        sources.append(BuildSource(str(path), f"part{part}"))
    return sources


def check(folder: Path, cache: Path, sources: list[BuildSource]) -> None:
    """Checks these modules in this process; everything else comes from the cache."""
    shutil.copytree(cache, folder / "cache")
    (folder / "mypy.ini").write_text("[mypy]\n", encoding="utf-8")
    before = Path.cwd()
    os.chdir(folder)
    try:
        _, options = main.process_options(["--config-file=mypy.ini"], require_targets=False)
        options.plugins = ["toolcall_mypy"]
        options.cache_dir = str(folder / "cache")
        options.show_traceback = True
        result = build.build(sources, options)
    finally:
        os.chdir(before)
    assert not result.errors
    for source in sources:
        assert (folder / "__toolcall__" / f"{source.module}.json").exists()


def test_everything_is_read_once(
    tmp_path: Path, warm_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A module is parsed once and a docstring read once, though many tools take one class."""
    parsed: Counter[str] = Counter()
    read: Counter[str] = Counter()
    parse, read_docstring = ast.parse, docstrings.parse

    def counted_parse(source: Any, *args: Any, **kwargs: Any) -> Any:
        if isinstance(source, str):  # pytest parses what is imported meanwhile, as bytes
            parsed[source] += 1
        return parse(source, *args, **kwargs)

    def counted_docstring(text: str, *args: Any, **kwargs: Any) -> docstrings.Docstring:
        read[text] += 1
        return read_docstring(text, *args, **kwargs)

    monkeypatch.setattr(ast, "parse", counted_parse)
    monkeypatch.setattr(docstrings, "parse", counted_docstring)
    sources = package(tmp_path, modules=3, tools=5)
    check(tmp_path, warm_cache, sources)
    for source in sources:
        assert parsed[Path(str(source.path)).read_text("utf-8")] == 1
    assert len(parsed) == len(sources), [text for text in parsed if len(text) < 200]
    assert set(read.values()) == {1}
    assert len(read) == 3 * 5 + 1  # the classes document themselves in the same words


def test_tools_are_assembled_once(
    tmp_path: Path, warm_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each mark makes one tool, however often mypy looks at it."""
    count: Counter[int] = Counter()
    run = assembling._Assembly.assembled

    def counted(self: Any) -> assembling.Assembled:
        count[self.site.line] += 1
        return run(self)

    monkeypatch.setattr(assembling._Assembly, "assembled", counted)
    check(tmp_path, warm_cache, package(tmp_path, modules=1, tools=7))
    assert sorted(count.values()) == [1] * 7


def calls(folder: Path, cache: Path, tools: int) -> int:
    """How many of our functions are called for a module with so many tools."""
    folder.mkdir()
    sources = package(folder, modules=1, tools=tools)
    count = 0

    def counted(frame: FrameType, event: str, _: object) -> None:
        nonlocal count
        count += event == "call" and "toolcall" in frame.f_code.co_filename

    sys.setprofile(counted)
    try:
        check(folder, cache, sources)
    finally:
        sys.setprofile(None)
    return count


def test_twice_the_tools_are_twice_the_work(tmp_path: Path, warm_cache: Path) -> None:
    """Within a module, too: no tool is compared with all the others."""
    calls(tmp_path / "warm", warm_cache, 1)
    few, more, many = (calls(tmp_path / str(n), warm_cache, n) for n in (20, 40, 80))
    assert many - more <= 2.02 * (more - few)


POINT: Any = {
    "kind": "object",
    "cls": "m:Point",
    "style": "dataclass",
    "fields": [
        {"name": "x", "wire": "x", "type": {"kind": "integer"}, "required": True},
        {"name": "y", "wire": "y", "type": {"kind": "integer"}, "required": False, "default": 1},
    ],
}
SCALARS: list[Any] = [
    {"kind": "string"},
    {"kind": "nullable", "inner": {"kind": "integer"}},
    {"kind": "array", "cls": "list", "items": {"kind": "nullable", "inner": {"kind": "number"}}},
    {"kind": "array", "cls": "list", "items": {"kind": "boolean"}},
    {"kind": "literal", "values": [{"value": "a"}, {"value": "b"}]},
    {"kind": "array", "cls": "list", "items": {"kind": "ref", "name": "Point"}},
]


@pytest.mark.parametrize("required", [True, False])
@pytest.mark.parametrize("node", SCALARS)
@pytest.mark.parametrize("kind", ["positional_or_keyword", "keyword_only", "var_positional"])
def test_simple_tools_lose_nothing(node: Any, kind: Any, required: bool) -> None:
    """What is not rendered to see what strict mode loses would lose nothing."""
    wire = [f"p{number}" for number in range(8)]
    tool: Any = {"key": "f", "line": 1, "name": "f", "is_async": False, "binding": "function"}
    tool["parameters"] = [
        {"name": name, "wire": name, "kind": kind, "type": node, "required": required}
        for name in wire
    ]
    assert format_lints._is_simple(tool, {"Point": POINT})
    definition: Any = {"tool": tool, "types": {"Point": POINT}}
    assert not strict_losses(definition, formats.get("openai").DIALECT)


@pytest.mark.parametrize(
    "node",
    [
        {"kind": "mapping", "cls": "dict", "key": {"kind": "string"}, "value": {"kind": "string"}},
        {"kind": "string", "pattern": "a"},
        {"kind": "literal", "values": [{"value": 1}]},
        {"kind": "literal", "values": [{"value": str(number)} for number in range(2000)]},
        {"kind": "ref", "name": "Endless"},
        {"kind": "ref", "name": "Open"},
    ],
)
def test_other_tools_are_rendered_to_know_what_they_lose(node: Any) -> None:
    """An endless type, an open object, a long choice, constraints: no short cut there."""
    endless = {
        **POINT,
        "fields": [{**POINT["fields"][0], "type": {"kind": "ref", "name": "Endless"}}],
    }
    types: Any = {"Endless": endless, "Open": {**POINT, "extra": {"kind": "any"}}}
    parameter = {"name": "a", "wire": "a", "kind": "keyword_only", "type": node, "required": True}
    tool: Any = {"key": "f", "name": "f", "parameters": [parameter]}
    assert not format_lints._is_simple(tool, types)


def test_records() -> None:
    """Records are made, compared, hashed, copied and matched like frozen dataclasses."""

    @record
    class Point:
        x: int
        y: int = 2

    @changing
    class Bag:
        items: list[int] = field(default_factory=list)

    one = Point(1)
    assert one == Point(x=1, y=2)
    assert one != Point(2)
    assert Point.__eq__(one, (1, 2)) is NotImplemented
    assert hash(one) == hash(Point(1, 2))
    assert replace(one, y=3) == Point(1, 3)
    assert repr(one).endswith("Point(x=1, y=2)")
    bag, other = Bag(), Bag()
    bag.items.append(1)
    assert other.items == []
    assert replace(other, items=[1]) == bag
    match one:
        case Point(x, y=2):
            assert x == 1
    with pytest.raises(TypeError):
        Point()  # type: ignore[call-arg]
