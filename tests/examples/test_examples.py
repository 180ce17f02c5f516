"""The examples, from the checker's run to the vendors' real clients.

They are copied, checked with mypy and the plugin as a user would, and then imported. A
scripted local server plays the model: it makes the mistakes that models make.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from datetime import date
from decimal import Decimal
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.examples.scripted import anthropic_answer, openai_answer, scripted
from toolcall import Approve, Edit, Reject
from toolcall.loop import LimitExceeded

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def examples(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A checked copy of the examples, importable."""
    pytest.importorskip("mypy")
    folder = tmp_path_factory.mktemp("examples")
    for path in (ROOT / "examples").glob("*.py"):
        shutil.copy(path, folder)
    (folder / "mypy.ini").write_text(
        "[mypy]\nplugins = toolcall_mypy\nstrict = true\nignore_missing_imports = true\n"
        "follow_imports = silent\n[mypy-openai.*,anthropic.*]\nfollow_imports = skip\n",
        encoding="utf-8",
    )
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "extraction.py", "weather_chat.py", "approval.py"],
        cwd=folder,
        env={"PYTHONPATH": str(ROOT), "PATH": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    sys.path.insert(0, str(folder))
    try:
        yield
    finally:
        sys.path.remove(str(folder))
        for name in ("extraction", "weather_chat", "approval"):
            sys.modules.pop(name, None)


def openai_client(url: str) -> Any:
    openai = pytest.importorskip("openai")
    return openai.OpenAI(api_key="none", base_url=url, max_retries=0)


def anthropic_client(url: str) -> Any:
    anthropic = pytest.importorskip("anthropic")
    return anthropic.Anthropic(api_key="none", base_url=url, max_retries=0)


INVOICE = {
    "number": "A-17",
    "issued": "2026-11-30",
    "currency": "NOK",
    "lines": [{"text": "Tea", "quantity": 2, "price": "19.90"}],
    "total": "39.80",
}


@pytest.mark.usefixtures("examples")
def test_extraction_is_retried() -> None:
    """Half a JSON text, a wrong type, a wrong sum: each is explained, and then it is right."""
    example = import_module("extraction")
    line = {"text": "Tea", "quantity": 0, "price": "19.90"}
    wrong_values = {**INVOICE, "currency": "kroner", "lines": [line]}
    script = [
        openai_answer(("a", "record_invoice", '{"invoice": {"number": "A')),
        openai_answer(("b", "record_invoice", {"invoice": wrong_values})),
        openai_answer(("c", "record_invoice", {"invoice": INVOICE})),
    ]
    with scripted(*script) as (url, requests), openai_client(url) as client:
        invoice = example.extract(client, "An invoice …")
    lines = [example.Line("Tea", 2, Decimal("19.90"))]
    assert invoice == example.Invoice("A-17", date(2026, 11, 30), "NOK", lines, Decimal("39.80"))
    assert len(requests) == 3
    explained = requests[2]["messages"][-1]
    assert explained["tool_call_id"] == "b"
    assert "currency" in explained["content"]
    assert "quantity" in explained["content"]
    assert "kroner" in explained["content"]
    (tool,) = requests[0]["tools"]
    assert tool["function"]["name"] == "record_invoice"
    assert "One position" in json.dumps(tool) or "Price of one piece" in json.dumps(tool)


@pytest.mark.usefixtures("examples")
def test_extraction_gives_up() -> None:
    """The same wrong sum again and again: three answers, three requests, an error."""
    example = import_module("extraction")
    wrong = openai_answer(("a", "record_invoice", {"invoice": {**INVOICE, "total": "40"}}))
    with (
        scripted(*[wrong] * 5) as (url, requests),
        openai_client(url) as client,
        pytest.raises(LimitExceeded, match="failures: 3 of 3") as caught,
    ):
        example.extract(client, "An invoice …")
    assert len(requests) == 3
    last = caught.value.conversation.messages[-1]
    assert last["content"] == "the lines sum up to 39.80, not to 40"


@pytest.mark.usefixtures("examples")
def test_nothing_to_extract() -> None:
    example = import_module("extraction")
    answer = openai_answer(text="There is none.")
    with scripted(answer) as (url, requests), openai_client(url) as client:
        assert example.extract(client, "A poem.") is None
    assert len(requests) == 1


@pytest.mark.usefixtures("examples")
def test_weather_chat(capsys: pytest.CaptureFixture[str]) -> None:
    """Two calls at once with one of them wrong, a corrected one, an answer, another turn."""
    example = import_module("weather_chat")
    script = [
        anthropic_answer(
            ("a", "get_forecast", {"city": "Oslo", "days": 2}),
            ("b", "get_forecast", {"city": "Atlantis"}),
            text="Let me see.",
        ),
        anthropic_answer(("c", "get_forecast", {"city": "Lima", "units": "fahrenheit"})),
        anthropic_answer(("d", "get_forecast", {"city": "Lima", "unit": "fahrenheit"})),
        anthropic_answer(text="5.5 °C in Oslo, 66.2 °F in Lima."),
        anthropic_answer(text="You are welcome."),
    ]
    with scripted(*script) as (url, requests), anthropic_client(url) as client:
        conversation, answer = example.turn(client, example.start(), "Weather?")
        assert answer == "5.5 °C in Oslo, 66.2 °F in Lima."
        conversation, answer = example.turn(client, conversation, "Thanks!")
    assert answer == "You are welcome."
    assert [m["role"] for m in requests[4]["messages"]] == ["user", "assistant"] * 4 + ["user"]
    good, bad = requests[1]["messages"][-1]["content"]
    assert json.loads(good["content"])["temperature"] == 5.5
    assert (bad["is_error"], "there are: Oslo, Bergen, Lima" in bad["content"]) == (True, True)
    (misnamed,) = requests[2]["messages"][-1]["content"]
    assert 'did you mean "unit"?' in misnamed["content"]
    (fixed,) = requests[3]["messages"][-1]["content"]
    assert json.loads(fixed["content"])["unit"] == "fahrenheit"
    assert capsys.readouterr().out.count("… Get forecast") == 4


@pytest.mark.usefixtures("examples")
def test_approval() -> None:
    """Approved, edited, rejected: what happened is what the person decided."""
    example = import_module("approval")
    done: list[Any] = []

    def refund(arguments: dict[str, Any]) -> str:
        done.append(dict(arguments))
        return "refunded"

    tools = example.configured({"refund_order": refund, "close_ticket": done.append})
    script = [
        openai_answer(
            ("a", "refund_order", {"order": 17, "cents": 5000}),
            ("b", "refund_order", {"order": 18, "cents": 100}),
            ("c", "close_ticket", {}),
        ),
        openai_answer(("d", "refund_order", {"order": 18, "cents": 0})),
        openai_answer(text="Refunded 40.00 for order 17."),
    ]
    decisions = {
        "a": Edit({"order": 17, "cents": 4000}),
        "b": Reject("order 18 is somebody else's"),
        "c": Approve(),
        "d": Approve(),
    }
    with scripted(*script) as (url, requests), openai_client(url) as client:
        answer = example.converse(client, tools, "Money back!", lambda call: decisions[call.id])
    assert answer == "Refunded 40.00 for order 17."
    assert done == [{"order": 17, "cents": 4000}, {}]
    results = {
        m["tool_call_id"]: m["content"] for m in requests[2]["messages"] if m["role"] == "tool"
    }
    assert results["a"] == "refunded"
    assert "order 18 is somebody else's" in results["b"]
    assert "at least 1" in results["d"]
    assert [tool["function"]["name"] for tool in requests[0]["tools"]] == [
        "refund_order",
        "close_ticket",
    ]
