"""Small packages written to a folder, and the source files of a run over them."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

import pytest

from toolcall_mypy.source.files import SourceFiles

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@pytest.fixture
def modules(tmp_path: Path) -> Callable[..., SourceFiles]:
    """`modules(m="…", pkg="…", pkg__sub="…")`: a package is a name with others below it."""

    def write(**texts: str) -> SourceFiles:
        paths: dict[str, str] = {}
        for name, text in texts.items():
            parts = name.split("__")
            package = any(other.startswith(name + "__") for other in texts)
            path = tmp_path.joinpath(*parts, "__init__.py" if package else "")
            path = path if package else path.with_suffix(".py")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(textwrap.dedent(text), encoding="utf-8")
            paths[".".join(parts)] = str(path)
        return SourceFiles(paths.get, python_version=(3, 12), platform="linux")

    return write
