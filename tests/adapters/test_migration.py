"""What the pages on migration start from is what the libraries take, and calls work as said."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

PAGES = Path(__file__).parents[2] / "docs/migration"
FILE = re.compile(r'^```python title="(before\w*\.py)"\n(.*?)^```$', re.MULTILINE | re.DOTALL)

LIBRARIES = {
    "agno": "agno",
    "anthropic": "anthropic",
    "autogen": "autogen_core",
    "crewai": "crewai",
    "google": "google.adk",
    "haystack": "haystack",
    "langchain": "langchain_core",
    "llama-index": "llama_index",
    "magentic": "magentic",
    "mcp": "mcp.server.mcpserver",
    "openai-agents": "agents",
    "pydantic-ai": "pydantic_ai",
    "semantic-kernel": "semantic_kernel",
    "smolagents": "smolagents",
    "strands": "strands",
}
"""The page's name, and a module that its examples need."""


def test_every_page_is_tried() -> None:
    """Each page on a library is here, with something to start from."""
    assert sorted(path.stem for path in PAGES.glob("*.md")) == sorted(LIBRARIES)
    assert all(FILE.search(path.read_text(encoding="utf-8")) for path in PAGES.glob("*.md"))


def test_what_was_installed_for_this_is_there() -> None:
    """Where an environment is made for these tests, none of its libraries is skipped."""
    missing = [name for name in os.environ.get("TOOLCALL_TRIED", "").split() if not _is_there(name)]
    assert not missing


@pytest.mark.parametrize("name", LIBRARIES)
def test_the_library_takes_what_the_page_starts_from(name: str, tmp_path: Path) -> None:
    """Each file that a page migrates is imported with the library itself."""
    for title, text in FILE.findall((PAGES / f"{name}.md").read_text(encoding="utf-8")):
        needed = ["fastmcp"] if "fastmcp" in title else [LIBRARIES[name]]
        if not all(_is_there(module) for module in needed):
            pytest.skip(f"{needed[0]} is not installed")
        (tmp_path / title).write_text(text, encoding="utf-8")
        done = subprocess.run(
            [sys.executable, "-W", "ignore", title],
            cwd=tmp_path,
            env=os.environ | {"OPENAI_API_KEY": "none"},
            check=False,
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stderr


def _is_there(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:
        return False
