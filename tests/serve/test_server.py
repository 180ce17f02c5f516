"""What is not served and why, and what a server survives."""

from __future__ import annotations

import http.client
import json
import subprocess
import sys
import time
from pathlib import Path
from urllib.parse import urlsplit

import pytest

pytest.importorskip("mcp.client", reason="the extra serve is not installed")

from tests.serve.conftest import over_http, toolcall

HELLO = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    },
}
READY = {"jsonrpc": "2.0", "method": "notifications/initialized"}
HEADERS = {
    "Content-Type": "application/json",
    "Accept": "application/json, text/event-stream",
}


def call(id_: int, name: str, **arguments: object) -> dict[str, object]:
    params = {"name": name, "arguments": arguments}
    return {"jsonrpc": "2.0", "id": id_, "method": "tools/call", "params": params}


def refused(folder: Path, *arguments: str) -> str:
    done = toolcall(folder, "serve", *arguments)
    assert done.returncode == 1, done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""
    return done.stderr


def test_a_stale_tool_is_not_served(project: Path) -> None:
    """A declaration that changed since keeps the server from starting, and says the cure."""
    source = project / "pack/one.py"
    source.write_text(source.read_text().replace("one()", "one(n: int)"))
    said = refused(project, "pack")
    assert "stale" in said
    assert "toolcall build" in said


def test_a_module_that_cannot_be_imported(project: Path) -> None:
    """It is named, with the error and its line; one that tries to leave as well."""
    (project / "broken.py").write_text("import there_is_no_such_module\n")
    assert "broken cannot be imported: ModuleNotFoundError" in refused(project, "broken")
    assert "broken.py, line 1" in refused(project, "broken")
    (project / "leaves.py").write_text("raise SystemExit(0)\n")
    assert "leaves cannot be imported: SystemExit" in refused(project, "leaves.py")


def test_two_modules_with_one_name(project: Path) -> None:
    """Both owners are named."""
    said = refused(project, "served", "same")
    assert "'length'" in said
    assert "served" in said.replace("toolcall serve", "")
    assert "same" in said


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (["nowhere"], "no package or module 'nowhere'"),
        (["nowhere.py"], "there is no file nowhere.py"),
        (["a-b"], "neither a file nor the name of a module"),
        (["till:NONE"], "till has no 'NONE'"),
        (["till.py:NONE"], "till.py has no 'NONE'"),
        (["pack/empty.py"], "there are no tools in pack/empty.py"),
        (["pack.plain"], "pack has no module 'pack.plain' with a schema: it is"),
        (["wants"], "needs 'town' from the context"),
        (["served", "--http", "--host", "0.0.0.0"], "--allow-host"),
        (["served", "--http", "--host", "192.0.2.1"], "cannot listen at 192.0.2.1"),
    ],
)
def test_what_cannot_be_served(built: Path, arguments: list[str], text: str) -> None:
    """Each mistake of a command line has a text that says what is wrong."""
    assert text in refused(built, *arguments)


@pytest.mark.parametrize("option", [["--port", "99999"], ["--timeout", "nan"], []])
def test_a_wrong_command_line(built: Path, option: list[str]) -> None:
    """It ends with the usage and exit code 2."""
    done = toolcall(built, "serve", *(["served", *option] if option else []))
    assert done.returncode == 2
    assert "usage: toolcall serve" in done.stderr


def test_the_context_is_given_to_tools(built: Path) -> None:
    """`--context` names the object that injected parameters are read from."""
    lines = "".join(json.dumps(each) + "\n" for each in (HELLO, READY, call(2, "where")))
    process = _stdio(built, "wants", "--context", "wants:SHOP")
    assert process.stdin
    assert process.stdout
    process.stdin.write(lines)
    process.stdin.flush()
    answers = [json.loads(process.stdout.readline()) for _ in range(2)]
    assert answers[1]["result"]["content"] == [{"type": "text", "text": "Oslo"}]
    _end(process)


def test_a_package_is_served_whole_and_the_rest_is_left_alone(built: Path) -> None:
    """All modules below it that have tools; the others are not even imported."""
    process = _stdio(built, "pack")
    listing = {"jsonrpc": "2.0", "id": 2, "method": "tools/list"}
    answers = _ask(process, HELLO, READY, listing)
    assert [tool["name"] for tool in answers[1]["result"]["tools"]] == ["one", "two"]
    _end(process)


def test_garbage_on_stdio_is_survived(built: Path) -> None:
    """Lines that are no messages, and messages that make no sense, are followed by answers."""
    process = _stdio(built, "served")
    assert process.stdin
    _ask(process, HELLO, READY, answers=1)
    large = "x" * 10_000_000
    for line in ("garbage", "\x00\x01", "[]", "{}", '{"jsonrpc": "2.0"}', '"' * 5000, "NaN", large):
        process.stdin.write(line + "\n")
    nonsense = {"jsonrpc": "2.0", "id": 8, "method": "tools/call", "params": {"name": 1}}
    (wrong,) = _ask(process, nonsense, match=8)
    assert wrong["error"]["code"] == -32602
    (right,) = _ask(process, call(9, "length", text="abc"), match=9)
    assert right["result"]["structuredContent"] == {"result": 3}
    _end(process)


def test_it_ends_with_its_client_though_a_call_hangs(built: Path) -> None:
    """At the end of standard input the process ends, whatever a tool does."""
    process = _stdio(built, "served")
    assert process.stdin
    _ask(process, HELLO, READY, answers=1)
    process.stdin.write(json.dumps(call(2, "wait_for_ever")) + "\n")
    process.stdin.flush()
    time.sleep(0.5)
    _end(process)


def test_clients_that_leave_and_send_too_much(built: Path) -> None:
    """Over HTTP: left mid-call, no JSON, more than the largest body; then it answers still."""
    with over_http(built, "served") as url:
        session = _open(url)
        left = _request(url, json.dumps(call(2, "wait_for_ever")), session)
        left.close()
        for body in ("garbage", "[" * 100_000, "{}", "x" * 10_000_000):
            garbage = _request(url, body, session)
            assert garbage.getresponse().status == 400
            garbage.close()
        large = _request(url, "x", {**session, "Content-Length": str(10**9)})
        assert large.getresponse().status == 413
        large.close()
        last = _request(url, json.dumps(call(3, "length", text="abc")), session)
        assert '"structuredContent":{"result":3}' in last.getresponse().read().decode()
        last.close()


def test_loopback_and_known_names_only(built: Path) -> None:
    """By default it listens on this machine alone and answers to no other name."""
    with over_http(built, "served", "--allow-host", "tools.example") as url:
        assert urlsplit(url).hostname == "127.0.0.1"
        for host, status in (("evil.example", 421), ("tools.example", 200)):
            asked = _request(url, json.dumps(HELLO), {"Host": host})
            assert asked.getresponse().status == status
            asked.close()
        asked = _request(url, json.dumps(HELLO), {"Origin": "https://evil.example"})
        assert asked.getresponse().status == 403
        asked.close()


def test_it_needs_its_extra_and_no_other(built: Path) -> None:
    """Without the SDK it says what to install; it never loads the checker or the terminal."""
    start = "import sys; sys.argv = ['toolcall', 'serve', 'pack']\n"
    run = "from toolcall._cli import main\nmain()"
    for hide, text in (
        ("sys.modules['mcp'] = None\n", "pip install 'toolcall-static[serve]'"),
        ("sys.modules.update(dict.fromkeys(['mypy', 'typer', 'rich', 'toolcall_mypy']))\n", ""),
    ):
        done = subprocess.run(
            [sys.executable, "-c", start + hide + run],
            cwd=built,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
        )
        assert (done.returncode == 0) is (text == ""), done.stderr
        assert text in done.stderr


def _stdio(folder: Path, *arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "toolcall", "serve", *arguments],
        cwd=folder,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )


def _ask(
    process: subprocess.Popen[str],
    *messages: dict[str, object],
    answers: int = 2,
    match: int | None = None,
) -> list[dict[str, dict[str, object]]]:
    """Send messages; the next answers, or the one with an id."""
    assert process.stdin
    assert process.stdout
    for message in messages:
        process.stdin.write(json.dumps(message) + "\n")
    process.stdin.flush()
    if match is None:
        return [json.loads(process.stdout.readline()) for _ in range(answers)]
    while (got := json.loads(process.stdout.readline())).get("id") != match:
        pass
    return [got]


def _end(process: subprocess.Popen[str]) -> None:
    assert process.stdin
    assert process.stdout
    process.stdin.close()
    try:
        assert process.wait(30) == 0
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


def _request(url: str, body: str, headers: dict[str, str]) -> http.client.HTTPConnection:
    parts = urlsplit(url)
    connection = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=60)
    connection.request("POST", parts.path, body, {**HEADERS, **headers})
    return connection


def _open(url: str) -> dict[str, str]:
    """A session; the header that names it."""
    asked = _request(url, json.dumps(HELLO), {})
    answer = asked.getresponse()
    answer.read()
    asked.close()
    session = {"mcp-session-id": answer.headers["mcp-session-id"]}
    ready = _request(url, json.dumps(READY), session)
    assert ready.getresponse().status == 202
    ready.close()
    return session
