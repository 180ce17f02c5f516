"""Runs case files through mypy, all of one configuration in one build.

Each case becomes a package of its own, so that hundreds share one process, one parse of
typeshed and one plugin. Its modules are checked from scratch; everything else may come
from a cache that outlives the run.
"""

from __future__ import annotations

import json
import os
import shutil
import warnings
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from mypy import build, main
from mypy.modulefinder import BuildSource

from toolcall import formats
from toolcall._pretty import pretty
from toolcall._verify import verify
from toolcall.errors import ToolcallWarning

from .casefile import Case


def run(cases: Iterable[Case], folder: Path, cache: Path) -> dict[Path, dict[str, str]]:
    """The answers of every case.

    Args:
        folder: an empty folder for the sources.
        cache: mypy's cache for everything that is not a case.
    """
    groups: dict[str, list[Case]] = defaultdict(list)
    for case in cases:
        groups[case.config].append(case)
    answers: dict[Path, dict[str, str]] = {}
    for number, (config, group) in enumerate(groups.items()):
        answers |= _run_group(config, group, folder / str(number), cache)
    return answers


def _run_group(
    config: str, cases: list[Case], folder: Path, cache: Path
) -> dict[Path, dict[str, str]]:
    folder.mkdir(parents=True)
    (folder / "pyproject.toml").write_text(f"[tool.mypy]\n[tool.toolcall]\n{config}\n", "utf-8")
    sources = [source for case in cases for source in _write(case, folder)]
    _forget_cases(cache)
    before = Path.cwd()
    os.chdir(folder)
    try:
        messages = _build(sources, cache)
    finally:
        os.chdir(before)
    return {case.path: _answers(case, folder, messages) for case in cases}


def _forget_cases(cache: Path) -> None:
    for path in cache.glob("*/case_*"):
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    for path in cache.glob("*/toolcall/case_*"):
        path.unlink()


def _write(case: Case, folder: Path) -> Iterable[BuildSource]:
    package = folder / case.package
    package.mkdir()
    (package / "__init__.py").write_text("")
    for name, text in case.files.items():
        path = package / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        module = ".".join([case.package, *path.relative_to(package).with_suffix("").parts])
        if path.suffix == ".py":
            yield BuildSource(str(path.relative_to(folder)), module.removesuffix(".__init__"))


def _build(sources: list[BuildSource], cache: Path) -> list[dict[str, Any]]:
    _, options = main.process_options(
        ["--strict", "--config-file=pyproject.toml", "-O", "json"], require_targets=False
    )
    options.plugins = ["toolcall_mypy"]
    options.cache_dir = str(cache)
    options.sqlite_cache = False
    options.show_traceback = True
    result = build.build(sources, options)
    return [json.loads(line) for line in result.errors]


def _answers(case: Case, folder: Path, messages: list[dict[str, Any]]) -> dict[str, str]:
    sidecars = list(_sidecars(folder / case.package))
    for sidecar in sidecars:
        verify(sidecar)
    found = {
        "ir": "\n".join(pretty(sidecar) for sidecar in sidecars),
        "findings": "".join(_finding(one) for one in messages if _of(one, case)),
    }
    for name in case.answers:
        if name not in found:
            found[name] = _rendered(sidecars, *name.split())
    return {name: text.replace(f"{case.package}.", "").strip() for name, text in found.items()}


def _sidecars(package: Path) -> Iterable[Any]:
    for path in sorted(package.rglob("__toolcall__/*.json")):
        yield json.loads(path.read_text(encoding="utf-8"))


def _of(message: dict[str, Any], case: Case) -> bool:
    return Path(message["file"]).parts[0] == case.package


def _finding(message: dict[str, Any]) -> str:
    place = f"{'/'.join(Path(message['file']).parts[1:])}:{message['line']}:{message['column']}"
    line = f"{place}: {message['severity']}: {message['message']}  [{message['code']}]\n"
    hints = (message["hint"] or "").splitlines()
    return line + "".join(f"    {hint}\n" for hint in hints)


def _rendered(sidecars: list[Any], name: str, strict: str = "") -> str:
    tools = [
        {"tool": tool, "types": sidecar["types"]}
        for sidecar in sidecars
        for tool in sidecar["tools"]
    ]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ToolcallWarning)  # once a process, so not a case's answer
        rendered = formats.get(name).render_tools(tools, strict=bool(strict))
    return "\n".join(json.dumps(tool, ensure_ascii=False) for tool in rendered)
