"""`toolcall replay` says which recorded calls would be refused now, and runs none."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("typer")
pytest.importorskip("mypy")

from toolcall._cli.recorded import calls

Run = Callable[..., tuple[int, str, str]]

COUNT = {"article": "tea"}
TEXT = json.dumps(COUNT)


@pytest.mark.parametrize(
    "content",
    [
        {"name": "count", "arguments": COUNT},
        {"id": "1", "type": "function", "function": {"name": "count", "arguments": COUNT}},
        {"type": "function_call", "call_id": "1", "name": "count", "arguments": COUNT},
        {"role": "assistant", "content": [{"type": "tool_use", "name": "count", "input": COUNT}]},
        {"content": {"parts": [{"functionCall": {"name": "count", "args": COUNT}}]}},
        {"output": {"message": {"content": [{"toolUse": {"name": "count", "input": COUNT}}]}}},
        {"jsonrpc": "2.0", "method": "tools/call", "params": {"name": "count", "arguments": COUNT}},
        {
            "choices": [
                {"message": {"tool_calls": [{"function": {"name": "count", "args": COUNT}}]}}
            ]
        },
    ],
)
def test_calls_are_found_in_every_wrapping(content: Any) -> None:
    """By itself, in a message, in a response."""
    assert list(calls(content)) == [("count", COUNT)]


def test_what_is_no_call_is_none() -> None:
    """Texts, results, definitions, and whatever stands in a call's own arguments."""
    inner = {"name": "inner", "arguments": {}}
    assert list(calls({"name": "outer", "arguments": {"calls": [inner]}})) == [
        ("outer", {"calls": [inner]})
    ]
    definition = {"type": "function", "function": {"name": "count", "parameters": {}}}
    for content in ("text", 1, None, definition, {"tools": [definition]}, {"name": "n"}):
        assert list(calls(content)) == []
    assert list(calls({"functionCall": {"name": "now"}})) == [("now", None)]


@pytest.fixture(autouse=True)
def imports(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Each copy of the project is imported anew."""
    monkeypatch.setattr(sys, "path", list(sys.path))
    yield
    for name in [name for name in sys.modules if name.partition(".")[0] == "shop"]:
        del sys.modules[name]


def log(*lines: Any) -> str:
    text = "".join((x if isinstance(x, str) else json.dumps(x)) + "\n" for x in lines)
    Path("log.jsonl").write_text(text, encoding="utf-8")
    return "log.jsonl"


def call(name: str, /, **arguments: Any) -> dict[str, Any]:
    return {"name": name, "arguments": arguments}


def test_good_calls_leave_with_0_and_run_nothing(project: Path, run: Run) -> None:
    """The tool would write a file."""
    path = project / "shop/people.py"
    source = path.read_text(encoding="utf-8")
    path.write_text(source.replace("    return", "    open('ran', 'w')\n    return"))
    lines = log(call("greet", name="Ada"), "", call("count", **COUNT), {"role": "user"})
    code, text, errors = run("replay", lines)
    assert (code, errors) == (0, "")
    assert text == "greet  1 call\ncount  1 call\n0 of 2 calls would be refused\n"
    assert not Path("ran").exists()


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_refused_calls_are_counted_with_examples(jobs: str, project: Path, run: Run) -> None:
    """Per tool and problem, in the order of the log; a call as text as well."""
    bad = [call("count", article=1, where="attic") for _ in range(300)]
    arguments = '{"name": "count", "arguments": "{\\"article\\": "}'
    lines = log(call("greet", name="Ada"), *bad, arguments, call("gret", name="Ada"), "no json")
    code, text, _ = run("replay", "--jobs", jobs, "--examples", "1", lines, "shop")
    assert code == 1
    assert text.splitlines()[0] == "greet  1 call"
    told = "count  301 calls  301 refused: expected_string 300, not_in_enum 300, invalid_json 1"
    assert told in text
    assert "    line 2: The call was not run: 2 problems." in text
    assert "gret   1 call  1 refused: unknown_tool 1" in text
    assert "1 line without JSON: 304" in text
    assert text.endswith("302 of 303 calls would be refused\n")


def test_the_record(project: Path, run: Run) -> None:
    """The same for programs."""
    lines = log(call("count"), call("count", **COUNT))
    code, text, _ = run("replay", "--json", lines, "shop.stock")
    assert code == 1
    (tally,) = json.loads(text)["tools"].items()
    assert tally[0] == "count"
    assert (tally[1]["calls"], tally[1]["problems"]) == (2, {"missing_argument": 1})
    assert tally[1]["examples"][0][0] == 1


def test_a_changed_signature_shows_what_it_breaks(project: Path, run: Run) -> None:
    """First the schema must be current: a stale one is an error, not an answer."""
    lines = log(call("greet", name="Ada"))
    path = project / "shop/people.py"
    text = path.read_text(encoding="utf-8").replace("name", "who")
    path.write_text(text, encoding="utf-8")
    code, _, errors = run("replay", lines, "shop/people.py")
    assert code == 1
    assert "toolcall build" in errors


def test_leniency_and_toolsets(project: Path, run: Run) -> None:
    """A Toolset is named by where it is; its own settings hold."""
    (project / "shop/sets.py").write_text(
        "from toolcall import Toolset\nfrom shop import stock\n"
        "both = Toolset([stock], prefix='shop_', lenient=True)\n",
        encoding="utf-8",
    )
    lines = log(call("order", article="tea", pieces="7"))
    assert run("replay", lines, "shop")[0] == 1
    assert run("replay", "--lenient", lines, "shop")[0] == 0
    lines = log(call("shop_order", article="tea", pieces="7"))
    assert run("replay", lines, "shop.sets:both")[0] == 0


def test_a_log_without_calls(project: Path, run: Run) -> None:
    """It was meant for something else."""
    code, _, errors = run("replay", log({"role": "user"}))
    assert code == 2
    assert "holds no calls" in errors
