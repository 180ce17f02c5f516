"""Sidecars: where they lie, how they are written and read, whether they are still true.

A sidecar is one JSON file a module: `weather.py` has `__toolcall__/weather.json` beside
it, a package `__toolcall__/__init__.json`. TOOLCALL_CACHE_DIR names a folder that holds
them instead, by module name: `app.weather` has `<folder>/app/weather.json`. The runtime
looks there first and then beside the module, because packages from elsewhere keep
theirs. Checker and program find the file by the same function.

It is read through the module's own loader, so that it may lie in a zip. Reading it
imports nothing and runs nothing of what it says.

A sidecar is fresh while the files it was made from are the same, byte for byte. When one
is not, each tool is asked by itself whether its declarations are. Where there are no
files to compare with, there is nothing that can have been edited.

What a tool's entry looks like inside is the business of `toolcall._verify`; entries are
checked when they are wanted, because a program uses few of its tools.
"""

from __future__ import annotations

import os

from toolcall._fingerprint import Declarations, file_hash
from toolcall._verify import Malformed, verify_envelope, verify_tool
from toolcall.errors import SchemaNotBuilt, SidecarError, StaleSchema, ToolcallWarning

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from toolcall import ir

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

    text = json.dumps(sidecar, ensure_ascii=False, allow_nan=False, sort_keys=True, indent=1)
    # A lone surrogate in a docstring has no UTF-8; as an escape it is also valid JSON.
    return f"{text}\n".encode(errors="backslashreplace")


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


def parse(data: bytes) -> Any:
    """JSON to values; ValueError with the reason if it is not JSON, or nested too deeply."""
    global _scan  # noqa: PLW0603 - made once, on first use
    if _scan is None:
        _scan = _make_scanner()
    text = data.decode("utf-8")
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
    """One sidecar in memory, and what is known of its freshness."""

    __slots__ = (
        "_by_key",
        "_declarations",
        "_folder",
        "_get_data",
        "_positions",
        "_unchanged",
        "_verified",
        "module",
        "path",
        "sidecar",
        "source_path",
        "spec",
    )

    def __init__(
        self, data: bytes, path: str, source_path: str, module: str, get_data: Any, spec: Any = None
    ) -> None:
        self.path = path
        self.source_path = source_path
        self.module = module
        self.spec = spec
        self._folder = os.path.dirname(source_path)
        self._get_data = get_data
        self._unchanged: bool | None = None
        self._declarations: dict[str, Declarations | None] = {}
        self._verified: set[str] = set()
        self._positions: dict[int, int] | None = None
        try:
            self.sidecar: ir.Sidecar = parse(data)
            verify_envelope(self.sidecar)
        except (ValueError, Malformed) as error:
            raise self._unusable(error) from None
        self._by_key: dict[str, list[ir.Tool]] = {}
        for tool in self.sidecar["tools"]:
            self._by_key.setdefault(tool["key"], []).append(tool)

    @property
    def tools(self) -> list[ir.Tool]:
        """All entries, in declaration order, unchecked."""
        return self.sidecar["tools"]

    @property
    def types(self) -> dict[str, ir.Type]:
        """The named types that the entries refer to."""
        return self.sidecar["types"]

    def find(self, key: str, line: int | None = None) -> ir.Tool | None:
        """The entry of a key; of several, the one at this line, else the last."""
        entries = self._by_key.get(key)
        if not entries:
            return None
        if len(entries) > 1:
            for tool in entries:
                if tool["line"] == line:
                    return tool
        return entries[-1]

    def position(self, tool: ir.Tool) -> int:
        """Where an entry stands in declaration order."""
        if self._positions is None:
            self._positions = {id(entry): at for at, entry in enumerate(self.tools)}
        return self._positions[id(tool)]

    def verify(self, tool: ir.Tool) -> None:
        """SidecarError unless this entry, and every named type it needs, is well-formed."""
        try:
            verify_tool(tool, self.types, self._verified)
        except Malformed as error:
            raise self._unusable(error) from None

    def _unusable(self, error: Exception) -> SidecarError:
        return SidecarError(
            f"{shown(self.path)} is not a sidecar that this version can read: {error}. "
            f"{self.cure('Write it anew')}"
        )

    def cure(self, what: str) -> str:
        """The sentence that says which command to run."""
        file = shown(self.source_path)
        return f"{what} with `mypy {file}` or `toolcall build {file}`."

    def check_fresh(self, tool: ir.Tool) -> None:
        """StaleSchema if what this entry was read from has changed since."""
        reason = None if self.unchanged() else self._changed(tool)
        if reason is None:
            return
        text = f"the schema of tool {tool['name']!r} is stale: {reason}. {self.cure('Renew it')}"
        if os.environ.get(STALE_VARIABLE) != "warn":
            raise StaleSchema(text)
        import warnings

        warnings.warn(text, ToolcallWarning, stacklevel=3)

    def unchanged(self) -> bool:
        """Whether every file the sidecar was made from is the same, or none is there."""
        if self._unchanged is None:
            self._unchanged = self._built_for_this() and all(
                self._file_hash(path) in (None, source["hash"])
                for source, path in self._first_party()
            )
        return self._unchanged

    def _built_for_this(self) -> bool:
        """Whether the sidecar belongs here: folders may be missing in front of one of the names."""
        built, here = f".{self.sidecar['module']}", f".{self.module}"
        return built.endswith(here) or here.endswith(built) or here == ".__main__"

    def _first_party(self) -> list[tuple[ir.Source, str]]:
        found = [
            (source, os.path.normpath(os.path.join(self._folder, source["path"])))
            for source in self.sidecar["sources"]
            if "path" in source
        ]
        own = os.path.join(self._folder, f"{_stem(os.path.basename(self.source_path))}.py")
        return found if self._file_hash(own) is not None else []

    def _file_hash(self, path: str) -> str | None:
        return hash_of(path, self._get_data)

    def _changed(self, tool: ir.Tool) -> str | None:
        """What changed of the tool's declarations, in words; None if nothing did."""
        if not self._built_for_this():
            return f"the sidecar was built for the module {self.sidecar['module']}"
        paths = {source["module"]: path for source, path in self._first_party()}
        for declaration in tool.get("declarations", ()):
            path = paths.get(declaration["module"])
            if path is None:
                continue
            known = self.declarations(path)
            if known is None:
                return f"{shown(path)} cannot be parsed"
            if known.hash(declaration["names"]) != declaration["hash"]:
                return self._said(tool, declaration, path)
        return None if "declarations" in tool else f"{shown(self.source_path)} changed"

    def _said(self, tool: ir.Tool, declaration: ir.Declaration, path: str) -> str:
        own = declaration["module"] == self.sidecar["module"]
        if own and declaration["names"] == [tool["key"]]:
            return f"its declaration, or one that it uses, changed in {shown(path)}"
        names = ", ".join(declaration["names"][:5])
        return f"a declaration that it is made from changed in {shown(path)} ({names})"

    def declarations(self, path: str) -> Declarations | None:
        """The declarations of a source file; None where it is no Python."""
        if path not in self._declarations:
            try:
                self._declarations[path] = Declarations(_decode(self._get_data(path)))
            except (SyntaxError, UnicodeDecodeError):
                self._declarations[path] = None
        return self._declarations[path]

    def defines(self, tool: ir.Tool) -> bool:
        """Whether the module's source still has the function of this entry, as far as it tells."""
        if self.unchanged() or ":" in tool["key"]:
            return True
        own = [
            path
            for source, path in self._first_party()
            if source["module"] == self.sidecar["module"]
        ]
        known = self.declarations(own[0]) if own else None
        return known is None or known.has(tool["key"].partition("#")[0])


def _decode(data: bytes) -> str:
    from importlib.util import decode_source

    return decode_source(data)


_hashes: dict[str, tuple[int, int, str]] = {}
"""What files hashed to: path → modification time in ns, size, hash."""


def hash_of(path: str, get_data: Callable[[str], bytes]) -> str | None:
    """The hash of a source file, None where there is none. A file is read again once it changed."""
    try:
        status = os.stat(path)
    except OSError:
        return _virtual_hash(path, get_data)
    kept = _hashes.get(path)
    if kept is not None and kept[:2] == (status.st_mtime_ns, status.st_size):
        return kept[2]
    try:
        found = file_hash(get_data(path))
    except OSError:
        return None
    _hashes[path] = status.st_mtime_ns, status.st_size, found
    return found


def _virtual_hash(path: str, get_data: Callable[[str], bytes]) -> str | None:
    """The hash of what only the loader can see, in a zip for example."""
    try:
        return file_hash(get_data(path))
    except OSError:
        return None


def read_file(path: str) -> bytes:
    """A file's bytes, for modules whose loader cannot be asked."""
    with open(path, "rb") as file:
        return file.read()


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


def _load(scope: Mapping[str, Any]) -> Loaded:
    spec = scope.get("__spec__")
    module = getattr(spec, "name", None) or scope.get("__name__", "")
    source_path = scope.get("__file__")
    if not source_path:
        raise SchemaNotBuilt(
            f"module {module} has no file, so it has no schema: tools must be in a file "
            f"that the checker can read"
        )
    loader = getattr(spec, "loader", None) or scope.get("__loader__")
    return load_file(source_path, module, getattr(loader, "get_data", None) or read_file, spec)


def load_file(source_path: str, module: str, get_data: Any, spec: Any = None) -> Loaded:
    """The sidecar of a source file, read through `get_data`. Errors as `load`."""
    named = None if module == "__main__" else module
    for path, read in _places(source_path, named, get_data):
        try:
            data = read(path)
        except OSError:
            continue
        return Loaded(data, path, _as_source(source_path), module, get_data, spec)
    file = shown(_as_source(source_path))
    raise SchemaNotBuilt(
        f"module {module} has no schema: there is no {shown(path)}. Build it with `mypy {file}` "
        f'(plugins = ["toolcall_mypy"]) or `toolcall build {file}`.'
    )


def _places(source_path: str, module: str | None, get_data: Any) -> list[tuple[str, Any]]:
    places = [(_beside(source_path), get_data)]
    if os.environ.get(CACHE_DIR_VARIABLE):
        places.insert(0, (path_for(source_path, module), read_file))
    return places


def _as_source(path: str) -> str:
    """The source beside a compiled file, as the name to show and to compare with."""
    folder, name = os.path.split(path)
    return os.path.join(folder, f"{_stem(name)}.py")


def shown(path: str) -> str:
    """A path as a person would write it: relative if it lies below the working directory."""
    try:
        relative = os.path.relpath(path)
    except ValueError:  # another drive
        return path
    return path if relative.startswith(os.pardir) else relative
