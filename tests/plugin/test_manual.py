"""The page of the lints is the one that the lints make."""

from __future__ import annotations

import json
import re

import pytest

from toolcall_mypy.codes import PREFIX
from toolcall_mypy.lints import LINTS

from . import manual


def test_the_page_is_up_to_date(request: pytest.FixtureRequest) -> None:
    """`--update-goldens` writes the page anew."""
    if request.config.getoption("--update-goldens"):
        manual.PAGE.write_text(manual.page(), encoding="utf-8")
    assert manual.PAGE.read_text(encoding="utf-8") == manual.page()


def test_every_code_has_an_entry_and_no_other() -> None:
    """A code without an entry fails, and so does an entry without a code."""
    entries = re.findall(rf"^## {PREFIX}(\S+)$", manual.PAGE.read_text(encoding="utf-8"), re.M)
    assert sorted(entries) == sorted(LINTS)


@pytest.mark.parametrize("code", LINTS)
def test_entries_say_something(code: str) -> None:
    """An entry is more than its first sentence, so that one knows what to do."""
    assert len(re.split(r"(?<=[.!?])\s", manual._manual(LINTS[code]))) > 1


LEAST = 0.95
"""The share of its findings that must be right, for a code to be on by default."""


def test_what_is_often_wrong_is_off_by_default() -> None:
    """`precision.json` says how many findings of real packages were read, and were right."""
    read = json.loads(manual.PRECISION.read_text(encoding="utf-8"))
    on = {code for code in read if LINTS[code].severity != "off"}
    assert {code for code in on if read[code]["right"] / read[code]["read"] < LEAST} == set()
