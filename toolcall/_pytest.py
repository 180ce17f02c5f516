"""The pytest plugin: `--toolcall-autobuild`, and a heading that says whether it is on.

pytest loads it by its entry point wherever this distribution is installed, so it must cost
next to nothing and change nothing unless it is asked to. What it turns on is
`toolcall._autobuild`, by its environment variable, so that subprocesses of tests have it
too.
"""

from __future__ import annotations

import os

from toolcall._autobuild import VARIABLE, is_on

TYPE_CHECKING = False
if TYPE_CHECKING:
    import pytest

INI = "toolcall_autobuild"


def pytest_addoption(parser: pytest.Parser) -> None:
    """The option, and the setting of the same meaning."""
    said = "build tools that are missing or stale when a test uses them"
    parser.getgroup("toolcall").addoption("--toolcall-autobuild", action="store_true", help=said)
    parser.addini(INI, said, type="bool", default=False)


def pytest_configure(config: pytest.Config) -> None:
    """Turn it on for this process and those that it starts."""
    if config.getoption("--toolcall-autobuild") or config.getini(INI):
        os.environ[VARIABLE] = "1"


def pytest_report_header(config: pytest.Config) -> list[str]:
    """A line at the top of the run while it is on."""
    return ["toolcall: tools are built when they are missing or stale"] if is_on() else []
