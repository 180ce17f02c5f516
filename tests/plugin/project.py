"""A folder of modules that mypy checks with the plugin: cold, warm, or in the daemon."""

from __future__ import annotations

import json
import os
import shutil
import textwrap
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from mypy import build, main
from mypy.dmypy_server import Server
from mypy.find_sources import create_source_list
from mypy.options import Options

from toolcall._verify import verify


class Project:
    """Modules in a folder of their own, with mypy's cache beside them.

    `cache` is one to start from, which knows typeshed and our own package.
    """

    def __init__(self, folder: Path, config: str = "", cache: Path | None = None) -> None:
        self.folder = folder
        if cache is not None:
            shutil.copytree(cache, folder / ".mypy_cache")
        (folder / "mypy.ini").write_text(f"[mypy]\nplugins = toolcall_mypy\n{config}\n")

    def write(self, name: str, text: str) -> Path:
        """Writes a file of the project; imports and indentation as in a triple-quoted text."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(text).lstrip("\n"), encoding="utf-8")
        return path

    def check(self, *names: str, flags: tuple[str, ...] = ()) -> Checked:
        """One run of mypy over these files, or over all of them."""
        with self._inside():
            options = self._options(flags)
            sources = create_source_list(list(names or self.modules()), options)
            result = build.build(sources, options)
            own = {source.module for source in sources}
            checked = {name for name in own if not result.graph[name].is_fresh()}
        return Checked(result.errors, checked)

    def modules(self) -> list[str]:
        return sorted(path.name for path in self.folder.glob("*.py"))

    def _options(self, flags: tuple[str, ...]) -> Options:
        _, options = main.process_options(
            ["--config-file=mypy.ini", "--show-traceback", *flags], require_targets=False
        )
        return options

    @contextmanager
    def _inside(self) -> Iterator[None]:
        before = Path.cwd()
        os.chdir(self.folder)
        try:
            yield
        finally:
            os.chdir(before)

    def sidecar_path(self, module: str) -> Path:
        return self.folder / "__toolcall__" / f"{module}.json"

    def sidecar(self, module: str) -> Any:
        """The sidecar of a module, None without one. It is well-formed."""
        path = self.sidecar_path(module)
        if not path.exists():
            return None
        sidecar = json.loads(path.read_text(encoding="utf-8"))
        verify(sidecar)
        return sidecar

    def tools(self, module: str) -> dict[str, Any]:
        """The tools of a module's sidecar by name; empty without one."""
        sidecar = self.sidecar(module)
        return {} if sidecar is None else {tool["name"]: tool for tool in sidecar["tools"]}

    def doc(self, module: str, tool: str, parameter: int = 0) -> str | None:
        """The description of one parameter."""
        doc: str | None = self.tools(module)[tool]["parameters"][parameter].get("doc")
        return doc


class Checked:
    """What a run printed, and which of the project's modules it really checked."""

    def __init__(self, messages: list[str], checked: set[str]) -> None:
        self.messages = messages
        self.checked = checked

    def codes(self) -> list[str]:
        """The codes of our own errors, in order."""
        found = [line.rpartition("[toolcall-")[2].rstrip("]") for line in self.messages]
        return [
            code for code, line in zip(found, self.messages, strict=True) if "[toolcall-" in line
        ]


class Daemon:
    """mypy's server over a project, without a process of its own."""

    def __init__(self, project: Project) -> None:
        self.project = project
        with project._inside():
            options = project._options(())
            options.local_partial_types = True
            self.server = Server(options, str(project.folder / "status.json"))

    def check(self) -> str:
        """What the daemon prints for all modules as they are now."""
        with self.project._inside():
            sources = create_source_list(self.project.modules(), self.server.options)
            answer = self.server.check(sources, export_types=False, is_tty=False, terminal_width=80)
        return str(answer["out"])
