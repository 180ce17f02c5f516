"""Every example of the README and of the pages does what the page says."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
WRONG = (
    "```console\n$ echo 1\n2\n```\n",
    "```pycon\n>>> 1\n2\n```\n",
    "```python\n1/0\n```\n",
)
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_examples_of_a_page_do_what_it_says(page: Path, tmp_path: Path) -> None:
    """A page's files, commands and sessions work when they are followed from top to bottom."""
    examples = Path(__file__).with_name("examples.py")
    done = subprocess.run(
        [sys.executable, str(examples), str(page)],
        cwd=tmp_path,
        check=False,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.search(r"^\d+ examples$", done.stdout, re.MULTILINE), done.stdout


def test_the_examples_notice_a_page_that_is_wrong(tmp_path: Path) -> None:
    """A command or a session with other output than the page shows fails the page."""
    for fence in (
        "```console\n$ echo 1\n2\n```\n",
        "```pycon\n>>> 1\n2\n```\n",
        "```python\n1/0\n```\n",
    ):
        page = tmp_path / "page.md"
        page.write_text(fence, encoding="utf-8")
        done = subprocess.run(
            [sys.executable, str(Path(__file__).with_name("examples.py")), str(page)],
            cwd=tmp_path,
            check=False,
            capture_output=True,
            text=True,
        )
        assert done.returncode != 0, fence


def test_links_between_pages_lead_somewhere() -> None:
    """Relative links of the README and the pages point at files that exist."""
    for page in PAGES:
        for target in re.findall(r"\]\((?!https?:|#)([^)#]+)", page.read_text(encoding="utf-8")):
            assert (page.parent / target).exists(), f"{page.name}: {target}"
