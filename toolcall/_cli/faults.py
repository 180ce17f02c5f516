"""What is wrong with sidecars, found without mypy and without running any code of the project.

It compares files, so it is quick and says nothing about types. It serves `toolcall check`
and the build hook, which runs where the command line's libraries are not installed: this
file needs the standard library alone.

    missing     a module has tools and no sidecar, or one that does not know a tool
    stale       a tool's declaration, or an installed module it was read from, has changed
    unreadable  the sidecar is damaged, or from another version
    orphaned    the sidecar's module is gone
    outdated    an exported file is not what would be exported now
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.machinery import PathFinder
from pathlib import Path
from typing import Literal

from toolcall import _sidecar, ir
from toolcall._fingerprint import file_hash
from toolcall._freshness import shown as shown_path
from toolcall.errors import SidecarError, StaleSchema

from . import discovery

MODULES = {".py", ".pyc", ".pyi", ".so", ".pyd"}
"""Suffixes of files that can be a module."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that is not as it should be; `tool` is empty when it is the whole file."""

    kind: Literal["missing", "stale", "unreadable", "orphaned", "outdated"]
    path: str
    tool: str
    message: str


def faults_of(roots: list[Path]) -> Iterator[Fault]:
    """What is wrong with the sidecars of all modules below these paths."""
    for path in discovery.sources(roots):
        marked = _marked(path)
        module = discovery.load(path)
        if module is not None:
            yield from _sidecar_faults(path, module, marked)
        elif marked:
            shown = shown_path(str(path))
            names = ", ".join(marked.values())
            yield Fault("missing", shown, "", f"no sidecar for {names}; {_cure(shown)}")


def orphans(roots: list[Path]) -> Iterator[Fault]:
    """Sidecars whose module is gone."""
    for path in discovery.sidecars(roots):
        stem = path.name.partition(".")[0]
        folder = path.parent.parent
        files = (file.suffix for file in folder.glob(f"{stem}.*"))
        if path.suffix == ".json" and not any(suffix in MODULES for suffix in files):
            shown = shown_path(str(path))
            yield Fault("orphaned", shown, "", "its module is gone; `toolcall clean` removes it")


def _sidecar_faults(
    path: Path, module: discovery.Module, marked: dict[str, str]
) -> Iterator[Fault]:
    shown = shown_path(str(path))
    try:
        loaded = discovery.readable(module)
        for tool in loaded.tools:
            yield from _tool_faults(shown, loaded, tool)
    except SidecarError as error:
        yield Fault("unreadable", shown, "", str(error))
        return
    for name in _changed_installed(loaded):
        message = f"made with another version of {name}; {_cure(shown)}"
        yield Fault("stale", shown, "", message)
    known = {tool["key"] for tool in loaded.tools}
    if loaded.freshness.unchanged():
        return  # what the checker left out of a file it has seen, it has reported
    for qualname, name in marked.items():
        if qualname and qualname not in known:
            yield Fault("missing", shown, name, f"the sidecar has no {qualname}; {_cure(shown)}")


def _tool_faults(shown: str, loaded: _sidecar.Loaded, tool: ir.Tool) -> Iterator[Fault]:
    try:
        if loaded.freshness.defines(tool):
            loaded.check(tool)
    except StaleSchema as error:
        yield Fault("stale", shown, tool["name"], str(error))


def _changed_installed(loaded: _sidecar.Loaded) -> Iterator[str]:
    """Installed modules that the sidecar was read from and that are others now.

    The program does not look at these; what cannot be found (a stub that came with the
    checker, a module of the standard library) is left to the checker.
    """
    for source in loaded.sidecar["sources"]:
        hashes = set() if "path" in source else set(_hashes(source["module"]))
        if hashes and source["hash"] not in hashes:
            yield source["module"]


def _hashes(module: str) -> Iterator[str]:
    """The hashes of the files that an installed module may have been read from."""
    path: list[str] | None = None
    origin: str | None = None
    for end in range(1, module.count(".") + 2):
        spec = PathFinder.find_spec(".".join(module.split(".")[:end]), path)
        if spec is None:
            return
        path, origin = list(spec.submodule_search_locations or ()), spec.origin
    if origin and "site-packages" in Path(origin).parts:
        for file in (Path(origin), Path(origin).with_suffix(".pyi")):
            if file.exists():
                yield file_hash(file.read_bytes())


def _cure(shown: str) -> str:
    return f"run `toolcall build {shown}`"


def _marked(path: Path) -> dict[str, str]:
    """The functions of a file that are marked as tools, qualname → name; "" stands for `use`."""
    try:
        text = path.read_text(encoding="utf-8")
        tree = ast.parse(text) if "toolcall" in text else ast.Module([], [])
    except (SyntaxError, ValueError):
        return {}  # neither Python nor the checker can read it either
    marks = dict(_functions(tree.body, "", set(_spellings(tree, "tool"))))
    uses = set(_spellings(tree, "use"))
    if any(isinstance(node, ast.Expr) and _spelling(node.value) in uses for node in tree.body):
        marks[""] = "use(__name__)"
    return marks


def _spellings(tree: ast.Module, public: str) -> Iterator[str]:
    """How this file writes a name of ours: `tool`, `toolcall.tool`, or what it was renamed to."""
    for node in ast.walk(tree):
        match node:
            case ast.ImportFrom(module="toolcall"):
                yield from (each.asname or each.name for each in node.names if each.name == public)
            case ast.Import():
                for each in node.names:
                    if each.name == "toolcall":
                        yield f"{each.asname or each.name}.{public}"


def _functions(body: list[ast.stmt], prefix: str, spellings: set[str]) -> Iterator[tuple[str, str]]:
    for node in body:
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                if any(_spelling(each) in spellings for each in node.decorator_list):
                    yield prefix + node.name, node.name
                yield from _functions(node.body, f"{prefix}{node.name}.<locals>.", spellings)
            case ast.ClassDef():
                yield from _functions(node.body, f"{prefix}{node.name}.", spellings)


def _spelling(decorator: ast.expr) -> str:
    return ast.unparse(decorator.func if isinstance(decorator, ast.Call) else decorator)
