"""Type-check a source in process and give what was derived from it."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from derive_sample import PRELUDE, Derived
from mypy import build
from mypy.errors import CompileError
from mypy.modulefinder import BuildSource
from mypy.options import Options
from mypy_capture import CAPTURE

from toolcall_mypy.derive.table import NoLookup

if TYPE_CHECKING:
    from collections.abc import Callable

    from toolcall_mypy.derive.table import Lookup


@pytest.fixture(scope="session")
def derive(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Callable[..., Derived]:
    """`derive(source, plugins=[…], modules={name: text}, lookup=…)`, module `sample`."""
    cache = request.config.cache
    assert cache is not None

    def run(
        source: str,
        *,
        plugins: tuple[str, ...] = (),
        modules: dict[str, str] | None = None,
        lookup: Lookup | None = None,
        errors: bool = False,
    ) -> Derived:
        folder = tmp_path_factory.mktemp("sample")
        texts = {**(modules or {}), "sample": PRELUDE + source}
        for name, text in texts.items():
            # mypy calls no hook for a module that it has in its cache, whatever the folder.
            unique = f"# {time.time_ns()}\n" if name == "sample" else ""
            folder.joinpath(f"{name}.py").write_text(f"{text}\n{unique}", encoding="utf-8")
        options = Options()
        options.config_file = str(Path(__file__).parents[3] / "pyproject.toml")
        options.plugins = [*plugins, "mypy_capture"]
        options.cache_dir = str(cache.mkdir("mypy-derive-" + "-".join(plugins)))
        options.mypy_path = [str(folder), str(Path(__file__).parents[3])]
        options.python_executable = sys.executable
        options.show_traceback = True
        options.strict_optional = True
        options.allow_empty_bodies = True
        options.namespace_packages = True
        CAPTURE.start(lookup or NoLookup())
        sources = [BuildSource(str(folder / f"{name}.py"), name) for name in texts]
        try:
            messages = build.build(sources, options).errors
        except CompileError as error:
            messages = error.messages
        if not errors:
            assert messages == []
        return Derived(CAPTURE.signatures, CAPTURE.deriver.table, messages)

    return run
