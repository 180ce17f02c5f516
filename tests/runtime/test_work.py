"""How much work start-up is: counted, not timed, so that it holds on any machine."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable
from types import FrameType, ModuleType
from typing import Any

import pytest

from tests.runtime.builders import Packages, entry
from tests.runtime.test_imports import loaded
from toolcall import Ok, _freshness, _sidecar, caller, emit, load, run, tool_names
from toolcall._fingerprint import file_hash
from toolcall.formats import _strict

PER_MODULE = 20
RECORD = {
    "kind": "object",
    "style": "typeddict",
    "cls": "x:R",
    "fields": [{"name": "a", "wire": "a", "type": {"kind": "string"}, "required": True}],
}


def write(packages: Packages, package: str, count: int) -> list[str]:
    """A package of tools, every second one with a record; the names of its modules."""
    modules = []
    for first in range(0, count, PER_MODULE):
        module = f"{package}.m{first}"
        names = [f"f{number}" for number in range(first, min(first + PER_MODULE, count))]
        write_module(packages, module, names)
        modules.append(module)
    return modules


def write_module(packages: Packages, module: str, names: list[str]) -> None:
    text = "".join(f"@tool\ndef {name}(n): return n\n" for name in names)
    path = packages.source(module, f"from toolcall import tool\n{text}")
    tools = [entry(name, line=2 + 2 * at) for at, name in enumerate(names)]
    for tool in tools[::2]:
        tool["parameters"][0]["type"] = {"kind": "ref", "name": "R"}
    source = {"module": module, "path": path.name, "hash": file_hash(path.read_bytes())}
    sidecar: Any = {
        "toolcall": 1,
        "module": module,
        "sources": [source],
        "tools": tools,
        "types": {"R": RECORD},
    }
    _sidecar.write(_sidecar.path_for(str(path), module), _sidecar.dumps(sidecar))


def calls(work: Callable[[], object]) -> int:
    """How many Python and C functions are called."""
    count = 0

    def seen(_frame: FrameType, event: str, _argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(seen)
    try:
        work()
    finally:
        sys.setprofile(None)
    return count


@pytest.fixture
def work(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """Counts sidecars parsed, sources hashed and entries verified."""
    done: Counter[str] = Counter()

    def count(owner: Any, name: str) -> None:
        original = getattr(owner, name)

        def counted(*arguments: Any) -> Any:
            done[name] += 1
            return original(*arguments)

        monkeypatch.setattr(owner, name, counted)

    count(_sidecar, "parse")
    count(_sidecar, "verify_tool")
    count(_freshness, "file_hash")
    return done


def test_nothing_is_read_before_the_first_use(packages: Packages, work: Counter[str]) -> None:
    """Importing and marking parse, hash and verify nothing."""
    for module in write(packages, "unread", 60):
        packages.load(module)
    assert work == {}


def test_one_tool_of_many(packages: Packages, work: Counter[str]) -> None:
    """A call reads the sidecar of its module and verifies the entries of this one, once."""
    modules = [packages.load(module) for module in write(packages, "many", 100)]
    for _ in range(2):
        assert run(modules[3], "f61", {"n": 3}) == Ok(3)
        assert caller(modules[3], "f61")({"n": 3}) == 3
    assert work == {"parse": 1, "file_hash": 1, "verify_tool": PER_MODULE}


def test_emission_reads_each_file_once(packages: Packages, work: Counter[str]) -> None:
    """All modules are parsed, hashed and verified once, for every format."""
    modules = [packages.load(module) for module in write(packages, "whole", 100)]
    for strict in (False, True):
        assert len(emit(modules, strict=strict)) == len(emit(modules, "mcp")) == 100
    assert work == {"parse": 5, "file_hash": 5, "verify_tool": 100}
    assert len(emit(load("whole"))) == 100
    assert work == {"parse": 10, "file_hash": 5, "verify_tool": 200}


def test_growth(packages: Packages) -> None:
    """Ten times the tools are ten times the work, with and without their code."""
    few = [packages.load(module) for module in write(packages, "few", 100)]
    more = [packages.load(module) for module in write(packages, "more", 1000)]
    emit(packages.load(write(packages, "warm", 20)[0]), strict=True)
    emit(load("warm"))
    assert calls(lambda: emit(more)) < 10.5 * calls(lambda: emit(few))
    assert calls(lambda: emit(load("more"))) < 10.5 * calls(lambda: emit(load("few")))


def test_one_of_a_thousand_is_as_near_as_one_of_ten(packages: Packages) -> None:
    """What is resolved is found, called and emitted again without a look at the others."""
    few, more = _single(packages, "ten", 10), _single(packages, "thousand", 1000)

    def use(module: ModuleType) -> int:
        def once() -> None:
            run(module, "f7", {"n": 1})
            emit(module.f7)

        once()
        return calls(once)

    assert use(more) == use(few)


def _single(packages: Packages, module: str, count: int) -> ModuleType:
    write_module(packages, module, [f"f{number}" for number in range(count)])
    made = packages.load(module)
    assert len(tool_names(made)) == count
    return made


def test_a_strict_tool_is_rendered_once(
    packages: Packages, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The plain schema is not made for a tool that can be strict."""
    rendered: list[object] = []
    original = _strict._schema

    def counted(definition: Any, *more: Any) -> Any:
        rendered.append(definition)
        return original(definition, *more)

    monkeypatch.setattr(_strict, "_schema", counted)
    modules = [packages.load(module) for module in write(packages, "exact", 60)]
    assert len(emit(modules, strict=True)) == len(rendered) == 60


def test_definitions_without_code_load_no_heavy_module(packages: Packages) -> None:
    """From sidecars alone to definitions, nothing else than this is loaded."""
    write(packages, "bare", 40)
    names = loaded(
        f"import sys\nsys.path.insert(0, {str(packages.root)!r})\nbefore = set(sys.modules)\n"
        "from toolcall import emit, load\n"
        "assert len(emit(load('bare'))) == 40\n"
        "names = sorted(set(sys.modules) - before)\nimport json\nprint(json.dumps(names))"
    )
    assert {name for name in names if name.partition(".")[0] not in ("toolcall", "importlib")} <= {
        *("__future__", "_blake2", "_json", "_operator", "keyword", "types"),
        "warnings",  # importlib loads it, on 3.10
    }
    assert "importlib.util" not in names
