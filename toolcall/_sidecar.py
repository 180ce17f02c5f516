"""Sidecars: where they lie, how they are written and read, whether they are still true.

A sidecar is one JSON file a module: `weather.py` has `__toolcall__/weather.json` beside
it, a package `__toolcall__/__init__.json`. TOOLCALL_CACHE_DIR names a folder that holds
them instead, by module name: `app.weather` has `<folder>/app/weather.json`. The runtime
looks there first and then beside the module, because packages from elsewhere keep
theirs. Checker and program find the file by the same function.

It is read through the module's own loader, so that it may lie in a zip. Reading it
imports nothing and runs nothing of what it says.

Whether it is still true is asked of `toolcall._freshness`, whether its entries are
well-formed of `toolcall._verify`; both tool by tool, because one bad entry must not spoil
the others.
"""

from __future__ import annotations

import os

from toolcall._freshness import Freshness, shown
from toolcall._verify import (
    Malformed,
    verify_declarations,
    verify_envelope,
    verify_tool,
    verify_written_from,
)
from toolcall.errors import SchemaNotBuilt, SidecarError, StaleSchema, ToolcallWarning

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any

    from toolcall import ir
    from toolcall._freshness import GetData

FOLDER = "__toolcall__"

CACHE_DIR_VARIABLE = "TOOLCALL_CACHE_DIR"

STALE_VARIABLE = "TOOLCALL_STALE"
"""Set to `warn`, it turns StaleSchema into a ToolcallWarning."""


def path_for(source_path: str, module: str | None = None, cache_dir: str | None = None) -> str:
    """Where the sidecar of a source file lies.

    `cache_dir` is the folder that holds all sidecars, by default what TOOLCALL_CACHE_DIR
    says; with neither it is beside the source. `module` is the module's full name; without
    it the name is read off the packages around the file.
    """
    folder = cache_dir or os.environ.get(CACHE_DIR_VARIABLE)
    return _in_folder(folder, source_path, module) if folder else _beside(source_path)


def _beside(source_path: str) -> str:
    folder, name = os.path.split(source_path)
    return os.path.join(folder, FOLDER, f"{_stem(name)}.json")


def _in_folder(folder: str, source_path: str, module: str | None) -> str:
    parts = (module or module_name(source_path)).split(".")
    if _stem(os.path.basename(source_path)) == "__init__":
        parts.append("__init__")
    return os.path.join(os.path.abspath(folder), *parts[:-1], f"{parts[-1]}.json")


def _stem(name: str) -> str:
    """`weather` for `weather.py`, and for `weather.cpython-313-x86_64-linux-gnu.so`."""
    return name.split(".", 1)[0]


def module_name(source_path: str) -> str:
    """A file's module name, as far as the `__init__.py` files around it say."""
    folder, name = os.path.split(os.path.abspath(source_path))
    parts = [] if _stem(name) == "__init__" else [_stem(name)]
    while os.path.isfile(os.path.join(folder, "__init__.py")):
        folder, name = os.path.split(folder)
        parts.insert(0, name)
    return ".".join(parts) or os.path.basename(folder)


def dumps(sidecar: ir.Sidecar) -> bytes:
    """A sidecar's bytes: the same for the same facts, and made to be read as a diff."""
    import json

    whole = _apart(sidecar)
    text = json.dumps(whole, ensure_ascii=False, allow_nan=False, sort_keys=True, indent=1)
    # A lone surrogate in a docstring has no UTF-8; as an escape it is also valid JSON.
    return f"{text}\n".encode(errors="backslashreplace")


_WRITTEN_FROM = ("declarations", "provenance")


def _apart(sidecar: Mapping[str, Any]) -> Mapping[str, Any]:
    """A sidecar with what its tools were written from behind everything else."""
    tools = [dict(tool) for tool in sidecar.get("tools", ())]
    if not any(key in tool for tool in tools for key in _WRITTEN_FROM):
        return sidecar
    written_from = [
        {"key": tool["key"], **{key: tool.pop(key) for key in _WRITTEN_FROM if key in tool}}
        for tool in tools
    ]
    return {**sidecar, "tools": tools, "written_from": written_from}


_REST, _END = b',\n "written_from": [', b"\n ]\n}\n"
"""How the part begins that stands apart, and how a file ends: a line break within a text
would be no JSON, so this is where a text cannot be."""


def _parsed(data: bytes) -> tuple[Any, memoryview | None]:
    """A sidecar, and the part of its text that can be left for later, if there is one."""
    start = data.rfind(_REST) if data.endswith(_END) else -1
    if start < 0:
        return parse(data), None
    view = memoryview(data)  # nothing of it is copied
    try:
        return parse(view[:start], closing="}"), view[start + 1 :]
    except ValueError:  # laid out by somebody else
        return parse(data), None


def _left(rest: memoryview) -> Any:
    """What was left for later; Malformed if something follows it."""
    parts = parse(b"{" + rest)
    if list(parts) != ["written_from"]:
        raise Malformed("something stands behind what its tools were written from")
    return parts["written_from"]


def write(path: str, data: bytes) -> bool:
    """Put a file in place, whole or not at all. False if it was there already."""
    try:
        with open(path, "rb") as file:
            if file.read() == data:
                return False
    except OSError:
        os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    temporary = f"{path}.{os.getpid()}.tmp"
    try:
        with open(temporary, "wb") as file:
            file.write(data)
        os.replace(temporary, path)
    except BaseException:
        if os.path.exists(temporary):
            os.unlink(temporary)
        raise
    return True


class _Scanning:
    """What the C scanner of `json` wants to know. `json` itself would load `re`."""

    strict = True
    object_hook = None
    object_pairs_hook = None
    parse_float = float
    parse_int = int
    memo: dict[str, str] = {}  # noqa: RUF012 - read by the scanner, never written

    @staticmethod
    def parse_constant(text: str) -> object:
        raise ValueError(f"{text} is not JSON")


_scan: Callable[[str, int], tuple[Any, int]] | None = None


def parse(data: bytes | memoryview, closing: str = "") -> Any:
    """JSON to values; ValueError with the reason if it is not JSON, or nested too deeply.

    `closing` is text that belongs behind.
    """
    global _scan  # noqa: PLW0603 - made once, on first use
    if _scan is None:
        _scan = _make_scanner()
    text = str(data, "utf-8") + closing
    try:
        value, end = _scan(text, len(text) - len(text.lstrip(" \t\n\r")))
    except StopIteration as stop:
        raise ValueError(f"not JSON at character {stop.value}") from None
    except RecursionError:
        raise ValueError("nested too deeply") from None
    if text[end:].strip(" \t\n\r"):
        raise ValueError(f"more text after the JSON, at character {end}")
    return value


def _pure_python_scanner(context: _Scanning) -> Any:  # pragma: no cover - see _make_scanner
    from json import JSONDecoder

    decoder: Any = JSONDecoder(parse_constant=context.parse_constant)
    return decoder.scan_once


def _make_scanner() -> Callable[[str, int], tuple[Any, int]]:
    make: Any
    try:
        from _json import make_scanner as make
    except ImportError:  # pragma: no cover - interpreters without the C scanner
        make = _pure_python_scanner
    scan: Callable[[str, int], tuple[Any, int]] = make(_Scanning())
    return scan


class Loaded:
    """One sidecar in memory: its entries by key, and whether they can be used."""

    __slots__ = ("_by_key", "_rest", "_verified", "freshness", "path", "sidecar", "spec")

    def __init__(
        self,
        path: str,
        sidecar: ir.Sidecar,
        rest: memoryview | None,
        freshness: Freshness,
        spec: object,
    ) -> None:
        self.path = path
        self.sidecar = sidecar
        self.freshness = freshness
        self.spec = spec
        self._rest = rest
        self._verified: set[str] = set()
        self._by_key: dict[str, tuple[int, ...]] | None = None

    @property
    def tools(self) -> list[ir.Tool]:
        """All entries, in declaration order, unchecked."""
        return self.sidecar["tools"]

    @property
    def types(self) -> dict[str, ir.Type]:
        """The named types that the entries refer to."""
        return self.sidecar["types"]

    def find(self, key: str) -> Sequence[int]:
        """Where the entries of a key stand among all."""
        if self._by_key is None:
            self._by_key = _positions(self.sidecar["tools"])
        return self._by_key.get(key, ())

    def check(self, tool: ir.Tool) -> None:
        """SidecarError unless an entry is well-formed, with every named type that it needs;
        StaleSchema if it is not true any more."""
        unchanged = self.freshness.unchanged()
        try:
            verify_tool(tool, self.sidecar["types"], self._verified)
            if unchanged:
                self._rest = None  # never asked for any more
                return
            self.complete()
            verify_declarations(tool)
        except Malformed as error:
            raise _unusable(self.path, self.freshness.own, error) from None
        reason = self.freshness.reason_against(tool)
        if reason is not None:
            _complain(f"the schema of tool {tool['name']!r} is stale: {reason}. {self.cure()}")

    def complete(self) -> None:
        """Give the entries what they were written from. SidecarError where that is no good."""
        sidecar: Any = self.sidecar
        try:
            if self._rest is not None:
                sidecar["written_from"] = _left(self._rest)
            verify_written_from(sidecar)
        except (ValueError, Malformed) as error:
            raise _unusable(self.path, self.freshness.own, error) from None
        self._rest = None
        if "written_from" in sidecar:
            for tool, written_from in zip(self.tools, sidecar.pop("written_from"), strict=True):
                tool.update(written_from)  # the key is the tool's own

    def cure(self) -> str:
        """The sentence that says which command to run."""
        return _cure(self.freshness.own)


def _positions(tools: Sequence[ir.Tool]) -> dict[str, tuple[int, ...]]:
    """Where the entries of each key stand."""
    positions: dict[str, tuple[int, ...]] = {
        tool["key"]: (position,) for position, tool in enumerate(tools)
    }
    if len(positions) < len(tools):  # some keys have several
        positions.clear()
        for position, tool in enumerate(tools):
            positions[tool["key"]] = *positions.get(tool["key"], ()), position
    return positions


def _complain(text: str) -> None:
    if os.environ.get(STALE_VARIABLE) != "warn":
        raise StaleSchema(text)
    import warnings

    warnings.warn(text, ToolcallWarning, stacklevel=2)


def _unusable(path: str, source_path: str, error: Exception) -> SidecarError:
    return SidecarError(
        f"{shown(path)} is no sidecar that this version can read: {error}. {_cure(source_path)}"
    )


def _cure(source_path: str) -> str:
    file = shown(source_path)
    return f"Run `mypy {file}` with the plugin, or `toolcall build {file}`."


_loaded: dict[int, tuple[Mapping[str, Any], Loaded]] = {}


def load(scope: Mapping[str, Any]) -> Loaded:
    """The sidecar of the module with this namespace, read once.

    SchemaNotBuilt if there is none, SidecarError if it cannot be used. Neither is
    remembered: the checker may just be running.
    """
    kept = _loaded.get(id(scope))
    # A reload keeps the namespace and changes the spec.
    if kept is not None and kept[1].spec is scope.get("__spec__"):
        return kept[1]
    loaded = _load(scope)
    _loaded[id(scope)] = scope, loaded
    return loaded


def forget(scope: Mapping[str, Any]) -> None:
    """Have the sidecar of this namespace read again when it is next asked for."""
    _loaded.pop(id(scope), None)


def _load(scope: Mapping[str, Any]) -> Loaded:
    spec = scope.get("__spec__")
    module = getattr(spec, "name", None) or scope.get("__name__", "")
    source_path = scope.get("__file__")
    if not source_path:
        raise SchemaNotBuilt(
            f"module {module} has no schema, because it has no file: tools must be in a file "
            f"that the checker can read"
        )
    loader = getattr(spec, "loader", None) or scope.get("__loader__")
    return load_late(source_path, module, getattr(loader, "get_data", None) or read_file, spec)


def load_file(source_path: str, module: str, get_data: GetData) -> Loaded:
    """The sidecar of a source file, whole, read through `get_data`. Errors as `load`."""
    loaded = load_late(source_path, module, get_data)
    loaded.complete()
    return loaded


def load_late(source_path: str, module: str, get_data: GetData, spec: object = None) -> Loaded:
    """The same; what the entries were written from is read when one has to be compared."""
    own = _as_source(source_path)
    path = ""
    for path, read in _places(own, module, get_data):
        try:
            data = read(path)
        except OSError:
            continue
        try:
            sidecar, rest = _parsed(data)
            verify_envelope(sidecar)
        except (ValueError, Malformed) as error:
            raise _unusable(path, own, error) from None
        return Loaded(path, sidecar, rest, Freshness(sidecar, own, module, get_data), spec)
    raise SchemaNotBuilt(f"module {module} has no schema: there is no {shown(path)}. {_cure(own)}")


def _places(source_path: str, module: str, get_data: GetData) -> list[tuple[str, GetData]]:
    places = [(_beside(source_path), get_data)]
    if os.environ.get(CACHE_DIR_VARIABLE):
        known = None if module == "__main__" else module
        places.insert(0, (path_for(source_path, known), read_file))
    return places


def _as_source(path: str) -> str:
    """The source of a compiled file, whether it is there or not."""
    folder, name = os.path.split(path)
    return os.path.join(folder, f"{_stem(name)}.py")


def read_file(path: str) -> bytes:
    """A file's bytes, where no loader can be asked."""
    with open(path, "rb") as file:
        return file.read()
