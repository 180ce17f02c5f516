"""The site as it is built: every page can be reached and found, with its pictures."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = {path.relative_to(ROOT / "docs").as_posix() for path in (ROOT / "docs").rglob("*.md")}


def test_every_page_is_in_the_navigation() -> None:
    """A page that no menu leads to would only be found by chance."""
    listed = re.findall(
        r"\S+\.md$", (ROOT / "mkdocs.yml").read_text(encoding="utf-8"), re.MULTILINE
    )
    assert sorted(listed) == sorted(PAGES)


def test_every_page_can_be_searched(tmp_path: Path) -> None:
    """The search's index has all pages, the questions among them, and pictures are there."""
    if find_spec("zensical") is None:
        pytest.skip("zensical is not installed")
    shutil.copytree(ROOT / "docs", tmp_path / "docs")
    shutil.copy(ROOT / "mkdocs.yml", tmp_path)
    command = [sys.executable, "-m", "zensical", "build", "--clean", "--strict"]
    subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)
    site = tmp_path / "site"
    items = json.loads((site / "search.json").read_text(encoding="utf-8"))["items"]
    found = {item["location"].partition("#")[0] for item in items}
    assert {page.rstrip("/") for page in found} == {_address(page) for page in PAGES}
    questions = (ROOT / "docs/faq.md").read_text(encoding="utf-8").count("\n### ")
    assert sum(item["location"].startswith("faq/#") for item in items) >= questions
    for page in site.rglob("index.html"):
        for source in re.findall(r'<img[^>]* src="([^"]+)"', page.read_text(encoding="utf-8")):
            assert (page.parent / source).exists(), f"{page.parent.name}: {source}"


def _address(page: str) -> str:
    return "" if page == "index.md" else page.removesuffix(".md")
