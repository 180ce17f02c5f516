"""`toolcall diff` compares exports of any format, and sidecars."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

pytest.importorskip("typer")
pytest.importorskip("mypy")

from toolcall import formats

Run = Callable[..., tuple[int, str, str]]


@pytest.mark.parametrize("name", formats.NAMES)
def test_every_format_is_understood(name: str, project: Path, run: Run) -> None:
    """A removed parameter is seen in every vendor's envelope."""
    run("export", "--format", name, "--out", "old.json")
    assert run("diff", "old.json", "old.json") == (0, "no difference\n", "")
    text = (project / "old.json").read_text(encoding="utf-8").replace('"pieces"', '"amount"')
    (project / "new.json").write_text(text, encoding="utf-8")
    code, out, _ = run("diff", "old.json", "new.json")
    assert "order/pieces: removed (renamed to 'amount'?)" in out
    assert code == 1


def test_sidecars_are_understood(project: Path, run: Run) -> None:
    """A sidecar is compared like an export."""
    old = project / "shop/__toolcall__/stock.json"
    sidecar = json.loads(old.read_text(encoding="utf-8"))
    assert run("diff", str(old), str(old))[0] == 0
    sidecar["tools"][0]["parameters"][1]["type"]["values"].pop()
    del sidecar["tools"][2]
    (project / "new.json").write_text(json.dumps(sidecar), encoding="utf-8")
    code, text, _ = run("diff", "--json", str(old), "new.json")
    assert code == 1
    changes = [(item["tool"], item["path"], item["breaking"]) for item in json.loads(text)]
    assert changes == [("count", "/where", True), ("pay", "", True)]


def test_a_new_tool_breaks_nothing(project: Path, run: Run) -> None:
    """Exit code 0 while everything recorded still works."""
    run("export", "shop.people", "--out", "old.json")
    run("export", "--out", "new.json")
    code, text, _ = run("diff", "old.json", "new.json")
    assert code == 0
    assert "safe    count: a new tool" in text


@pytest.mark.parametrize("text", ["", "{", "[1]", '{"a": 1}', "[[]]x"])
def test_a_file_without_definitions(text: str, project: Path, run: Run) -> None:
    """What is no export is named, with exit code 2."""
    (project / "odd.json").write_text(text, encoding="utf-8")
    code, _, errors = run("diff", "odd.json", "odd.json")
    assert code == 2
    assert "odd.json" in errors
    assert run("diff", "nowhere.json", "nowhere.json")[0] == 2


@pytest.mark.parametrize(
    "schema",
    [
        {"properties": [1]},
        {"properties": {"a": 5}},
        {"properties": {"a": {"$ref": "#/$defs/no"}}},
        {"properties": {"a": {"anyOf": 5}}},
        {"properties": {"a": {"type": 5}}},
        {"required": 5},
    ],
)
def test_a_malformed_schema(schema: object, project: Path, run: Run) -> None:
    """A tool whose schema is none is named, with exit code 2, on either side."""
    good = {"type": "object", "properties": {"a": {"type": "string"}}}
    for name, parameters in (("odd", schema), ("good", good)):
        text = json.dumps([{"name": "f", "parameters": parameters}])
        (project / f"{name}.json").write_text(text, encoding="utf-8")
    for files in (("odd.json", "good.json"), ("good.json", "odd.json")):
        code, _, errors = run("diff", *files)
        assert code == 2
        assert "'f'" in errors


def test_a_file_nested_too_deep(project: Path, run: Run) -> None:
    """Depth is no crash."""
    (project / "deep.json").write_text("[" * 200_000, encoding="utf-8")
    code, _, errors = run("diff", "deep.json", "deep.json")
    assert code == 2
    assert "deep.json" in errors
