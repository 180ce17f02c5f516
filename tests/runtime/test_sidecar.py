"""Sidecars are found, read, written, and believed only while they are true."""

from __future__ import annotations

import importlib
import json
import os
import py_compile
import subprocess
import sys
import warnings
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import toolcall
from tests.runtime.builders import ROOT, Packages, entry
from toolcall import (
    Ok,
    ToolcallWarning,
    _freshness,
    _sidecar,
    caller,
    emit,
    formats,
    run,
    tool_names,
)
from toolcall._sidecar import dumps, load, module_name, parse, path_for, write
from toolcall._source import resolve
from toolcall.errors import SchemaNotBuilt, SidecarError, StaleSchema

PAIR = """\
from toolcall import tool

@tool
def f(n: int) -> int:
    return n

@tool
def g(n: int) -> int:
    return n
"""

CIRCLE = {"kind": "ref", "name": "Circle"}
BUSH: dict[str, Any] = {
    "kind": "object",
    "style": "typeddict",
    "cls": "app:Bush",
    "fields": [
        {"name": name, "wire": name, "required": True, "type": {"kind": "ref", "name": "Bush"}}
        for name in "abcdef"
    ],
}


def outcomes(packages: Packages, at: str, value: Any) -> Iterator[object]:
    """What every format makes of an entry with another value `at` a dotted path."""
    packages.source("app.pair", PAIR)
    path = packages.build("app.pair", [entry("f"), entry("g")])
    sidecar = json.loads(path.read_bytes())
    place: Any = sidecar["tools"][0]
    *steps, last = at.split(".")
    for step in steps:
        place = place[int(step) if step.isdigit() else step]
    place[last] = value
    sidecar["types"] = {"Circle": CIRCLE, "Bush": BUSH}
    path.write_bytes(dumps(sidecar))
    module = packages.load("app.pair")
    for name in formats.NAMES:
        for strict in (False, True):
            yield emitted(module, name, strict=strict)


def emitted(module: ModuleType, name: Any, *, strict: bool) -> Any:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ToolcallWarning)
            return emit(module, name, strict=strict)
    except SidecarError as error:
        return error


def nested(depth: int, inner: Any, around: Any) -> Any:
    for _ in range(depth):
        inner = around(inner)
    return inner


DEEP = nested(700, 1, lambda inner: [inner])
TURTLES = nested(450, {"kind": "any"}, lambda inner: {"kind": "nullable", "inner": inner})


def pair(packages: Packages, module: str = "app.pair", text: str = PAIR) -> ModuleType:
    return packages.tools(module, text, entry("f", line=3), entry("g", line=7))


class TestPlaces:
    @pytest.mark.parametrize(
        ("source", "expected"),
        [
            ("a/weather.py", "a/__toolcall__/weather.json"),
            ("a/__init__.py", "a/__toolcall__/__init__.json"),
            ("a/weather.cpython-313-x86_64-linux-gnu.so", "a/__toolcall__/weather.json"),
            ("weather.pyc", "__toolcall__/weather.json"),
        ],
    )
    def test_beside(self, source: str, expected: str, monkeypatch: pytest.MonkeyPatch) -> None:
        """A sidecar lies beside its source, like `__pycache__`."""
        monkeypatch.delenv("TOOLCALL_CACHE_DIR", raising=False)
        assert path_for(source) == os.path.normpath(expected)

    def test_in_a_folder(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """TOOLCALL_CACHE_DIR holds them by module name; `cache_dir` goes before it."""
        monkeypatch.setenv("TOOLCALL_CACHE_DIR", str(tmp_path / "env"))
        assert path_for("x/app/w.py", "app.w") == str(tmp_path / "env" / "app" / "w.json")
        assert path_for("x/app/__init__.py", "app", str(tmp_path / "set")) == str(
            tmp_path / "set" / "app" / "__init__.json"
        )

    def test_module_names_are_read_off_the_packages(self, packages: Packages) -> None:
        """Without a module's name the packages around its file give it."""
        path = packages.source("app.deep.w", "")
        assert module_name(str(path)) == "app.deep.w"
        assert module_name(str(path.parent / "__init__.py")) == "app.deep"
        assert module_name(str(packages.source("alone", ""))) == "alone"


class TestWriting:
    def test_bytes(self) -> None:
        """Keys are sorted, text is readable, order of lists stays, a newline ends the file."""
        data = dumps({"b": ["é", 2, 1], "a": {"d": 1, "c": None}})  # type: ignore[arg-type]
        assert data.decode() == (
            '{\n "a": {\n  "c": null,\n  "d": 1\n },\n "b": [\n  "é",\n  2,\n  1\n ]\n}\n'
        )

    def test_lone_surrogates_survive(self) -> None:
        """Half a surrogate pair in a docstring is written as an escape and comes back."""
        sidecar: Any = {"doc": "a\ud800b"}
        assert b"\\ud800" in dumps(sidecar)
        assert parse(dumps(sidecar)) == sidecar

    def test_no_constants_that_are_not_json(self) -> None:
        """NaN is refused where it is made, not where it is read."""
        with pytest.raises(ValueError, match="not JSON compliant"):
            dumps({"x": float("nan")})  # type: ignore[arg-type]

    def test_whole_or_not_at_all(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """A failing write leaves the old file, and nothing beside it."""
        path = tmp_path / "d" / "x.json"
        assert write(str(path), b"1")

        def fail(*_: object) -> None:
            raise OSError("full")

        def vanish(source: str, _: object) -> None:
            os.unlink(source)
            raise OSError("gone")

        monkeypatch.setattr(os, "replace", fail)
        with pytest.raises(OSError, match="full"):
            write(str(path), b"2")
        assert [file.name for file in path.parent.iterdir()] == ["x.json"]
        assert path.read_bytes() == b"1"
        monkeypatch.setattr(os, "replace", vanish)
        with pytest.raises(OSError, match="gone"):
            write(str(path), b"2")

    def test_the_same_bytes_are_left_alone(self, tmp_path: Path) -> None:
        """Writing what is there already does not touch the file."""
        path = tmp_path / "x.json"
        assert write(str(path), b"1")
        os.utime(path, (1, 1))
        assert not write(str(path), b"1")
        assert path.stat().st_mtime == 1
        assert write(str(path), b"2")


class TestParsing:
    def test_as_json(self) -> None:
        """The private scanner reads what `json` reads."""
        text = ' {"a": [1, -2.5e3, true, null, "é\\n\\u00e9"], "b": {}} \n'
        assert parse(text.encode()) == json.loads(text)

    @pytest.mark.parametrize(
        "data",
        [
            b"",
            b"  ",
            b"{",
            b'{"a": 1',
            b"{} {}",
            b"{}x",
            b"nul",
            b'{"a": NaN}',
            b"[-Infinity]",
            b"\xff",
            b'"\xed\xa0\x80"',
            b"{'a': 1}",
            b"[1,]",
            b"1" * 5000,
            b"[" * 100_000,
            b'{"a":' * 100_000,
        ],
    )
    def test_what_is_not_json(self, data: bytes) -> None:
        """Anything else is a ValueError, whatever goes wrong inside."""
        with pytest.raises(ValueError):  # noqa: PT011 - the reasons are the scanner's
            parse(data)


class TestFreshness:
    def test_untouched(self, packages: Packages) -> None:
        """Unchanged files are fresh; nothing but their hashes is needed for it."""
        module = pair(packages)
        assert tool_names(module) == ["f", "g"]
        assert load(vars(module)).freshness.unchanged()

    @pytest.mark.parametrize(
        ("old", "new"),
        [
            ("    return n", "    return n + 1"),
            ("@tool", "# said\n@tool"),
            ("(n: int)", "( n:int )"),
            ("\n", "\r\n"),
        ],
    )
    def test_edits_that_change_no_declaration(self, packages: Packages, old: str, new: str) -> None:
        """Bodies, comments, layout and line ends leave the tools fresh."""
        packages.source("app.pair", PAIR)
        packages.build("app.pair", [entry("f", line=3), entry("g", line=7)])
        packages.path("app.pair").write_text(PAIR.replace(old, new), newline="")
        assert tool_names(packages.load("app.pair")) == ["f", "g"]

    def test_an_edit_makes_only_its_tool_stale(self, packages: Packages) -> None:
        """The other tools of the module work; the text says what, where, and the command."""
        packages.source("app.pair", PAIR)
        packages.build("app.pair", [entry("f", line=3), entry("g", line=7)])
        packages.source("app.pair", PAIR.replace("def g(n: int)", "def g(n: str)"))
        module = packages.load("app.pair")
        resolved = resolve(module)
        assert list(resolved.tools) == ["f"]
        assert list(resolved.broken) == ["g"]
        file = os.path.join("site", "app", "pair.py")
        with pytest.raises(StaleSchema) as caught:
            resolved.find("g")
        assert str(caught.value) == (
            f"the schema of tool 'g' is stale: its declaration has changed in {file}. "
            f"Run `mypy {file}` with the plugin, or `toolcall build {file}`."
        )
        with pytest.raises(StaleSchema, match="tool 'g' is stale"):
            emit(module)
        packages.source("app.pair", PAIR.replace("(n: int)", "(n: str)"))
        module = packages_reloaded(packages, "app.pair")
        with pytest.raises(StaleSchema, match="'f' is stale") as caught:
            emit(module)
        assert "'g' is stale" in str(caught.value)
        assert str(caught.value).startswith("tools f, g cannot be used")

    def test_a_contributor_counts(self, packages: Packages) -> None:
        """An alias in another module is part of the schema; the rest of that module is not."""
        packages.source("app.kinds", "Size = int\nOther = str\n")
        packages.source("app.pair", PAIR)
        packages.build(
            "app.pair",
            [entry("f", line=3), entry("g", line=7)],
            contributors={"app.kinds": ["Size"]},
        )
        packages.source("app.kinds", "Size = int\nOther = bytes\n")
        module = packages.load("app.pair")
        assert tool_names(module) == ["f", "g"]
        packages.source("app.kinds", "Size = float\nOther = bytes\n")
        with pytest.raises(StaleSchema, match=r"Size has changed in .*kinds\.py"):
            tool_names(packages_reloaded(packages, "app.pair"))

    @pytest.mark.parametrize(
        ("count", "said"),
        [(2, "A0 or A1 has changed"), (6, "A0, A1, A2 or one of 3 more has changed")],
    )
    def test_what_may_have_changed_is_listed(
        self, packages: Packages, count: int, said: str
    ) -> None:
        """The first names of what a schema was read from, and how many more there are."""
        names = [f"A{number}" for number in range(count)]
        kinds = "".join(f"{name} = int\n" for name in names)
        packages.source("app.kinds", kinds)
        packages.source("app.pair", PAIR)
        tools = [entry("f", line=3), entry("g", line=7)]
        packages.build("app.pair", tools, contributors={"app.kinds": names})
        packages.source("app.kinds", kinds.replace("A1 = int", "A1 = str"))
        with pytest.raises(StaleSchema, match=said):
            tool_names(packages.load("app.pair"))

    def test_a_contributor_that_stayed_behind(self, packages: Packages) -> None:
        """A contributing source that is not there has not been edited."""
        packages.source("app.kinds", "Size = int\n")
        packages.source("app.pair", PAIR)
        packages.build("app.pair", [entry("f"), entry("g")], contributors={"app.kinds": ["Size"]})
        packages.path("app.kinds").unlink()
        packages.source("app.pair", PAIR.replace("return n", "return 2"))
        assert tool_names(packages.load("app.pair")) == ["f", "g"]

    def test_no_declarations_no_trust(self, packages: Packages) -> None:
        """A tool without fingerprints is stale as soon as a file has changed."""
        packages.source("app.pair", PAIR)
        packages.build("app.pair", [entry("f", declarations=[]), entry("g", line=7)])
        packages.source("app.pair", PAIR.replace("return n", "return 2"))
        resolved = resolve(packages.load("app.pair"))
        assert list(resolved.broken) == ["f"]
        assert "has changed" in str(resolved.broken["f"])

    def test_a_sidecar_that_says_nothing_of_its_own_file(self, packages: Packages) -> None:
        """Leaving the own module out of the sources does not make a sidecar fresh."""
        packages.source("app.pair", PAIR)
        path = packages.build("app.pair", [entry("f", declarations=[])])
        sidecar = json.loads(path.read_bytes())
        sidecar["sources"] = []
        path.write_bytes(dumps(sidecar))
        resolved = resolve(packages.load("app.pair"))
        assert isinstance(resolved.broken["f"], StaleSchema)

    def test_source_that_is_no_python_any_more(self, packages: Packages) -> None:
        """A source half edited after the import makes its tools stale."""
        module = pair(packages)
        packages.source("app.pair", "def f(:")
        with pytest.raises(StaleSchema, match="is not Python as it stands"):
            tool_names(module)

    def test_another_module_of_the_same_file_name(self, packages: Packages) -> None:
        """A sidecar that came along with a copied folder is not the copy's."""
        path = packages.source("app.pair", PAIR)
        target = packages.build("app.pair", [entry("f"), entry("g")])
        packages.source("copied.pair", path.read_text())
        copied = packages.root / "copied" / "__toolcall__" / "pair.json"
        copied.parent.mkdir()
        copied.write_bytes(target.read_bytes())
        with pytest.raises(StaleSchema, match=r"was built for the module app\.pair"):
            tool_names(packages.load("copied.pair"))

    def test_warning_instead(self, packages: Packages, monkeypatch: pytest.MonkeyPatch) -> None:
        """TOOLCALL_STALE=warn turns the error into a warning."""
        packages.source("app.pair", PAIR)
        packages.build("app.pair", [entry("f"), entry("g", line=7)])
        packages.source("app.pair", PAIR.replace("def g(n: int)", "def g(n: str)"))
        monkeypatch.setenv("TOOLCALL_STALE", "warn")
        with pytest.warns(ToolcallWarning, match="tool 'g' is stale"):
            assert tool_names(packages.load("app.pair")) == ["f", "g"]

    def test_each_file_is_hashed_once(
        self, packages: Packages, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Fifty modules that share a contributor read it once; an edit is still noticed."""
        hashed: list[bytes] = []
        original = _freshness.file_hash
        monkeypatch.setattr(_freshness, "file_hash", lambda d: hashed.append(d) or original(d))
        packages.source("app.kinds", "Size = int\n")
        for number in range(5):
            packages.source(f"app.m{number}", PAIR)
            packages.build(
                f"app.m{number}", [entry("f"), entry("g")], contributors={"app.kinds": ["Size"]}
            )
        for number in range(5):
            tool_names(packages.load(f"app.m{number}"))
        assert hashed.count(b"Size = int\n") == 1
        assert len(hashed) == 6

    def test_rebuilt_while_running(self, packages: Packages) -> None:
        """What was missing or stale is asked for again: the checker may have run by now."""
        packages.source("app.pair", PAIR)
        module = packages.load("app.pair")
        with pytest.raises(SchemaNotBuilt):
            emit(module)
        packages.build("app.pair", [entry("f"), entry("g")])
        assert tool_names(module) == ["f", "g"]

    def test_reload(self, packages: Packages) -> None:
        """After an edit, a build and a reload the module has its new tools, and only those."""
        module = pair(packages)
        assert tool_names(module) == ["f", "g"]
        packages.source("app.pair", PAIR.replace("def g", "def h"))
        packages.build("app.pair", [entry("f"), entry("h")])
        old = module.f
        importlib.reload(module)
        assert tool_names(module) == ["f", "h"]
        assert tool_names(module.f) == ["f"]
        assert tool_names(old) == ["f"]

    def test_a_function_from_before_a_reload(self, packages: Packages) -> None:
        """An old function is not joined with the schema of the new one."""
        packages.source("app.pair", PAIR)
        module = packages.load("app.pair")
        old = module.f
        packages.source("app.pair", PAIR.replace("n: int", "m: int"))
        packages.build("app.pair", [entry("f"), entry("g")])
        importlib.reload(module)
        assert tool_names(module) == ["f", "g"]
        with pytest.raises(StaleSchema, match=r"is from before its module app\.pair was reloaded"):
            tool_names(old)


def packages_reloaded(packages: Packages, module: str) -> ModuleType:
    sys.modules.pop(module)
    return packages.load(module)


class TestWithoutSource:
    def test_compiled_only(self, packages: Packages) -> None:
        """A tree of .pyc files has nothing to compare with: the sidecar is believed."""
        path = packages.source("app.pair", PAIR)
        packages.build("app.pair", [entry("f"), entry("g")])
        py_compile.compile(str(path), cfile=str(path.with_suffix(".pyc")), doraise=True)
        path.unlink()
        assert tool_names(packages.load("app.pair")) == ["f", "g"]

    def test_in_a_zip(self, packages: Packages, monkeypatch: pytest.MonkeyPatch) -> None:
        """A zipped package is read through its loader, sources and sidecar alike."""
        packages.source("zipped.pair", PAIR)
        packages.build("zipped.pair", [entry("f"), entry("g", line=7)])
        packages.source("zipped.edited", PAIR)
        packages.build("zipped.edited", [entry("f"), entry("g", line=7)])
        packages.source("zipped.edited", PAIR.replace("def g(n: int)", "def g(n: str)"))
        archive = packages.root.parent / "app.zip"
        with zipfile.ZipFile(archive, "w") as file:
            for path in packages.root.rglob("*.*"):
                file.write(path, path.relative_to(packages.root))
        monkeypatch.syspath_prepend(str(archive))
        module = packages.load("zipped.pair")
        assert str(archive) in str(module.__file__)
        assert tool_names(module) == ["f", "g"]
        assert list(resolve(packages.load("zipped.edited")).broken) == ["g"]

    def test_optimised(self, packages: Packages) -> None:
        """Under -OO docstrings are gone from the functions and still in the definitions."""
        packages.source("app.pair", PAIR)
        packages.build("app.pair", [entry("f", doc="What f does."), entry("g")])
        program = (
            f"import sys; sys.path.insert(0, {str(packages.root)!r})\n"
            "import toolcall; from app import pair\n"
            "print(toolcall.emit(pair)[0]['function']['description'])"
        )
        command = [sys.executable, "-OO", "-c", program]
        environment = dict(os.environ, PYTHONPATH=str(ROOT))
        done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
        assert done.stdout == "What f does.\n"

    def test_no_file_at_all(self) -> None:
        """A module without a file cannot have a schema, and the error says so."""
        module = ModuleType("nowhere")
        exec(PAIR, vars(module))
        with pytest.raises(SchemaNotBuilt, match="nowhere has no schema, because it has no file"):
            emit(module)

    def test_loader_without_get_data(self, packages: Packages) -> None:
        """A loader that cannot read data leaves the reading to the file system."""
        module = pair(packages, text=f"__spec__ = __loader__ = None\n{PAIR}")
        assert tool_names(module) == ["f", "g"]


class TestElsewhere:
    def test_cache_dir(self, packages: Packages, monkeypatch: pytest.MonkeyPatch) -> None:
        """The runtime looks in TOOLCALL_CACHE_DIR, and then beside the module."""
        pair(packages, "beside")
        monkeypatch.setenv("TOOLCALL_CACHE_DIR", str(packages.root.parent / "cache"))
        packages.source("app.moved", PAIR)
        target = packages.build("app.moved", [entry("f"), entry("g")])
        assert target == packages.root.parent / "cache" / "app" / "moved.json"
        assert tool_names(packages.load("app.moved")) == ["f", "g"]
        assert tool_names(packages.load("beside")) == ["f", "g"]

    @pytest.mark.parametrize("cache", [False, True])
    @pytest.mark.parametrize("how", [["-m", "app.script"], ["{path}"]])
    def test_scripts(self, packages: Packages, how: list[str], cache: bool) -> None:
        """A module that runs as a script finds the sidecar of its file."""
        text = PAIR + "\nimport toolcall, __main__\nprint(toolcall.tool_names(__main__))\n"
        path = packages.source("app.script", text)
        environment = dict(os.environ, PYTHONPATH=str(ROOT))
        if cache:
            environment["TOOLCALL_CACHE_DIR"] = str(packages.root / "cache")
            os.environ["TOOLCALL_CACHE_DIR"] = str(packages.root / "cache")
        try:
            packages.build("app.script", [entry("f"), entry("g")])
        finally:
            os.environ.pop("TOOLCALL_CACHE_DIR", None)
        command = [sys.executable, *(part.format(path=path) for part in how)]
        done = subprocess.run(
            command, capture_output=True, text=True, check=False, cwd=packages.root, env=environment
        )
        assert (done.stdout, done.stderr) == ("['f', 'g']\n", "")


class TestUnusable:
    def test_no_sidecar(self, packages: Packages) -> None:
        """The error names the module, the file that is missing, and the command."""
        packages.source("app.pair", PAIR)
        with pytest.raises(SchemaNotBuilt) as caught:
            emit(packages.load("app.pair"))
        site = os.path.join("site", "app")
        assert (
            f"module app.pair has no schema: there is no "
            f"{os.path.join(site, '__toolcall__', 'pair.json')}. "
            f"Run `mypy {os.path.join(site, 'pair.py')}` with the plugin, or "
            f"`toolcall build {os.path.join(site, 'pair.py')}`."
        ) in str(caught.value)
        assert str(caught.value).count("no schema") == 1

    def test_a_tool_that_is_not_in_it(self, packages: Packages) -> None:
        """A function added since the build has no schema; the others work."""
        packages.source("app.pair", PAIR)
        packages.build("app.pair", [entry("f")])
        resolved = resolve(packages.load("app.pair"))
        assert list(resolved.tools) == ["f"]
        with pytest.raises(SchemaNotBuilt, match="tool 'g' has no schema"):
            resolved.find("g")

    @pytest.mark.parametrize(
        ("data", "said"),
        [
            (b"", "not JSON"),
            (b'{"toolcall": 1, "mod', "not JSON|Unterminated"),
            (b"[]", "no sidecar"),
            (b"{}", "no sidecar"),
            (b'{"toolcall": 2, "surprise": 1}', "version 2, not 1"),
            (b'{"toolcall": true}', "version True"),
            (b'{"toolcall": 1}', "without"),
            (b"[" * 100_000, "deep"),
        ],
    )
    def test_corrupt(self, packages: Packages, data: bytes, said: str) -> None:
        """Truncated, foreign and future files are named, with the reason and the command."""
        packages.source("app.pair", PAIR)
        packages.build("app.pair", [entry("f")]).write_bytes(data)
        with pytest.raises(SidecarError, match=said) as caught:
            emit(packages.load("app.pair"))
        assert "pair.json" in str(caught.value)
        assert "toolcall build" in str(caught.value)

    def test_hostile(self, packages: Packages) -> None:
        """What a sidecar names is neither imported nor run by loading it."""
        packages.source("trap", "raise SystemExit('imported')")
        packages.source("app.pair", PAIR)
        path = packages.build("app.pair", [entry("f"), entry("g")])
        sidecar = json.loads(path.read_bytes())
        sidecar["tools"][0]["returns"] = {"kind": "root", "cls": "trap:X", "inner": {"kind": "any"}}
        sidecar["tools"][1]["parameters"][0]["name"] = "n=__import__('trap')"
        path.write_bytes(dumps(sidecar))
        module = packages.load("app.pair")
        assert run(module, "f", {"n": 1}) == Ok(1)
        for use in (
            lambda: emit(module),
            lambda: run(module, "g", {"n": 1}),
            lambda: caller(module, "g"),
            lambda: emit(toolcall.load("app")),
        ):
            for _ in range(2):
                with pytest.raises(SidecarError, match=r"pair\.json.*no name in Python"):
                    use()
        assert "trap" not in sys.modules

    @pytest.mark.parametrize(
        ("at", "value"),
        [
            ("parameters", 3),
            ("parameters", [3]),
            ("parameters", [{}]),
            ("parameters.0.type", "string"),
            ("parameters.0.type", {"kind": "surprise"}),
            ("parameters.0.type", {"kind": ["string"]}),
            ("parameters.0.type", {"kind": "ref", "name": "Nowhere"}),
            ("parameters.0.type", {"kind": "ref", "name": []}),
            ("parameters.0.type", {"kind": "union", "branches": {}}),
            ("parameters.0.type", {"kind": "number", "ge": "x", "multiple_of": []}),
            ("parameters.0.type", {"kind": "enum", "cls": "a:B", "members": [{"value": []}]}),
            ("parameters.0.type", {"kind": "enum", "cls": "a:B", "members": []}),
            ("parameters.0.wire", []),
            ("parameters.0.doc", {"a": 1}),
            ("parameters.0.default", DEEP),
            ("parameters.0.type", TURTLES),
            ("parameters.0.type", {"kind": "ref", "name": "Circle"}),
            ("parameters.0.type", {"kind": "mapping", "key": CIRCLE, "value": CIRCLE}),
            ("doc", 3),
            ("returns", {"kind": "surprise"}),
            ("schema", DEEP),
            ("hints", 3),
            ("injected", 3),
        ],
    )
    def test_a_malformed_entry(self, packages: Packages, at: str, value: Any) -> None:
        """No format emits it: the file is named instead, soon."""
        for outcome in outcomes(packages, at, value):
            assert isinstance(outcome, SidecarError)
            assert "pair.json" in str(outcome)
            assert len(str(outcome)) < 1000

    @pytest.mark.parametrize(
        ("at", "value"),
        [
            ("parameters.0.type", {"kind": "ref", "name": "Bush"}),
            ("schema", {"$ref": "#", "properties": {"a": {"$ref": "#/properties/a"}}}),
        ],
    )
    def test_emission_ends(self, packages: Packages, at: str, value: Any) -> None:
        """Whatever refers to itself in an entry, every format emits it, soon."""
        for outcome in outcomes(packages, at, value):
            assert 100 < len(str(outcome)) < 100_000

    @pytest.mark.parametrize(
        "damaged",
        [
            lambda text: text.replace('"key": "g"', '"key": "f"', 1),
            lambda text: text.replace('"declarations": [', '"declarations": [3, '),
            lambda text: text.replace('"names": [', '"names": [3, '),
            lambda text: text.replace('"written_from": [', '"written_from": [3, '),
            lambda text: text.replace("\n ]\n}\n", '\n ], "tools": [], "x": [\n ]\n}\n'),
            lambda text: text.replace("\n ]\n}\n", "\n ],\n ]\n}\n"),
        ],
    )
    def test_what_entries_were_written_from(
        self, packages: Packages, damaged: Callable[[str], str]
    ) -> None:
        """It is read when the source has changed, and an error of the file is one then."""
        packages.source("app.pair", PAIR)
        path = packages.build("app.pair", [entry("f"), entry("g", line=7)])
        head, found, rest = path.read_text().partition(',\n "written_from"')
        assert damaged(found + rest) != found + rest
        path.write_text(head + damaged(found + rest))
        assert len(emit(toolcall.load("app"))) == 2
        packages.source("app.pair", f"{PAIR}\n# more\n")
        for _ in range(2):
            with pytest.raises(SidecarError, match=r"pair\.json"):
                emit(packages.load("app.pair"))
            with pytest.raises(SidecarError, match=r"pair\.json"):
                emit(toolcall.load("app"))

    def test_another_layout(self, packages: Packages) -> None:
        """However the file is laid out, and where the declarations stand, it says the same."""
        packages.source("app.pair", PAIR)
        path = packages.build("app.pair", [entry("f"), entry("g", line=7)])
        sidecar = json.loads(path.read_text())
        before = dict(sidecar)
        before["tools"] = [
            {**tool, "declarations": one["declarations"]}
            for tool, one in zip(sidecar["tools"], before.pop("written_from"), strict=True)
        ]
        layouts = [
            json.dumps(one, indent=depth) for one in (sidecar, before) for depth in (None, 4)
        ]
        sidecar["tools"][0]["schema"] = {"type": "object", "written_from": [1]}
        nested = json.dumps(sidecar).replace(', "written_from"', ',\n "written_from"')
        layouts.append(nested.removesuffix("]}") + "\n ]\n}\n")
        for more in ("", "\n# more\n"):
            packages.source("app.pair", PAIR + more)
            for layout in layouts:
                path.write_text(layout)
                assert len(emit(toolcall.load("app"))) == 2

    def test_entries_that_cannot_be_found(self, packages: Packages) -> None:
        """What an entry is found by is looked at when the file is read."""
        packages.source("app.pair", PAIR)
        path = packages.build("app.pair", [entry("f"), entry("g")])
        for key, value in (("key", 3), ("name", 3), ("binding", 3), ("line", "3")):
            sidecar = json.loads(path.read_bytes())
            sidecar["tools"][1][key] = value
            path.write_bytes(dumps(sidecar))
            with pytest.raises(SidecarError, match=r"pair\.json.*not a tool \(at /tools/1\)"):
                emit(packages.load("app.pair"))


def test_named_paths_are_short_only_below_the_working_directory(tmp_path: Path) -> None:
    """A path elsewhere is shown whole."""
    assert _freshness.shown(str(tmp_path / "x.py")) == str(tmp_path / "x.py")
    assert _freshness.shown(os.path.join(os.getcwd(), "x.py")) == "x.py"


def test_a_path_that_cannot_be_shortened(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a working directory, or on another drive, a path is shown as it is."""

    def fail(_: str) -> str:
        raise ValueError

    monkeypatch.setattr(os.path, "relpath", fail)
    assert _freshness.shown("/x.py") == "/x.py"


def test_a_source_that_cannot_be_read(tmp_path: Path) -> None:
    """A file that is there and refuses to be read counts as not there, and is tried again."""

    def refuse(_: str) -> bytes:
        raise PermissionError

    path = tmp_path / "x.py"
    path.write_bytes(b"")
    assert _freshness.hash_of(str(path), refuse) is None
    assert _freshness.hash_of(str(path), lambda _: b"") == _freshness.file_hash(b"")


def test_two_modules_of_one_name(packages: Packages, tmp_path: Path) -> None:
    """A module that took the place of another of its name has its own tools."""
    first = pair(packages, "same")
    assert tool_names(first) == ["f", "g"]
    del sys.modules["same"]
    packages.source("same", PAIR.replace("def g", "def h"))
    packages.build("same", [entry("f"), entry("h", line=7)])
    second = packages.load("same")
    assert tool_names(second) == ["f", "h"]
    assert tool_names(first) == ["f", "g"]
    assert _sidecar.load(vars(first)) is not _sidecar.load(vars(second))
