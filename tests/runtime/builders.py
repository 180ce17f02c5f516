"""Packages with hand-made sidecars: what the checker would have written, without it."""

from __future__ import annotations

import importlib
from pathlib import Path
from textwrap import dedent
from types import ModuleType
from typing import Any

from toolcall._fingerprint import declaration_hash, file_hash
from toolcall._sidecar import dumps, path_for, write
from toolcall._verify import verify

ROOT = Path(__file__).parents[2]
"""Where `toolcall` is found by other processes, installed or not."""

INTEGER = {"kind": "integer"}


def entry(key: str, name: str | None = None, *, line: int = 1, **more: Any) -> dict[str, Any]:
    """A tool with one integer parameter `n`, unless `parameters` says otherwise."""
    parameter = {
        "name": "n",
        "wire": "n",
        "kind": "positional_or_keyword",
        "type": INTEGER,
        "required": True,
    }
    return {
        "key": key,
        "line": line,
        "name": name or key.rpartition(".")[2],
        "parameters": [parameter],
        "is_async": False,
        "binding": "function",
        **more,
    }


class Packages:
    """Modules below one folder of `sys.path`."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def path(self, module: str) -> Path:
        return self.root.joinpath(*module.split(".")).with_suffix(".py")

    def source(self, module: str, text: str) -> Path:
        """Write a module, and empty packages above it."""
        path = self.path(module)
        path.parent.mkdir(parents=True, exist_ok=True)
        folder = path.parent
        while folder != self.root:
            folder.joinpath("__init__.py").touch()
            folder = folder.parent
        path.write_text(dedent(text), encoding="utf-8")
        return path

    def build(
        self,
        module: str,
        tools: list[dict[str, Any]],
        types: dict[str, Any] | None = None,
        contributors: dict[str, list[str]] | None = None,
    ) -> Path:
        """Write a module's sidecar, fresh as of now. `contributors`: other modules' names."""
        path = self.path(module)
        sources = [{"module": module, "path": path.name, "hash": file_hash(path.read_bytes())}]
        others = []
        for other, names in (contributors or {}).items():
            file = self.path(other)
            relative = Path(*[".."] * (module.count(".")), *other.split(".")).with_suffix(".py")
            digest = file_hash(file.read_bytes())
            sources.append({"module": other, "path": relative.as_posix(), "hash": digest})
            text = file.read_text(encoding="utf-8")
            others.append({"module": other, "names": names, "hash": declaration_hash(text, names)})
        for tool in tools:
            names = [tool["key"].partition("#")[0]]
            own = {
                "module": module,
                "names": names,
                "hash": declaration_hash(path.read_text(encoding="utf-8"), names),
            }
            tool.setdefault("declarations", [own, *others])
        sidecar: Any = {
            "toolcall": 1,
            "module": module,
            "sources": sources,
            "tools": tools,
            "types": types or {},
        }
        verify(sidecar)
        target = Path(path_for(str(path), module))
        write(str(target), dumps(sidecar))
        return target

    def load(self, module: str) -> ModuleType:
        importlib.invalidate_caches()
        return importlib.import_module(module)

    def tools(self, module: str, text: str, *tools: dict[str, Any], **more: Any) -> ModuleType:
        """Source, sidecar and import in one."""
        self.source(module, text)
        self.build(module, list(tools), **more)
        return self.load(module)
