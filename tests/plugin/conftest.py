"""What the plugin's tests share."""

from __future__ import annotations

from pathlib import Path

import pytest

from .project import Project


@pytest.fixture(scope="session")
def warm_cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache of mypy that knows typeshed and our own package."""
    project = Project(tmp_path_factory.mktemp("warm"))
    project.write(
        "__warm__.py", "import dataclasses, enum, typing, toolcall\nfrom toolcall import tool\n"
    )
    project.check()
    return project.folder / ".mypy_cache"
