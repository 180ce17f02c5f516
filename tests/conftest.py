"""Options for all tests."""

from __future__ import annotations

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-goldens",
        action="store_true",
        help="write expected outputs anew; read the diff before committing it",
    )
    parser.addoption(
        "--update-cases",
        action="store_true",
        help="write the answers of case files anew; read the diff before committing it",
    )
