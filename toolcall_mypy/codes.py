"""The codes of our findings, as mypy knows them.

mypy must know them before it reads any file: what a file or a section switches off is
looked up then, and findings that it has cached are printed without any hook. The lints
themselves are loaded when the first mark is met; a test holds this table against them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from mypy import errors
from mypy.errorcodes import ErrorCode

if TYPE_CHECKING:
    from collections.abc import Mapping

Severity: TypeAlias = Literal["error", "note", "off"]

PREFIX: Final = "toolcall-"
"""What our codes begin with."""

USUAL: Final[Mapping[str, Severity]] = {
    "bare-enum": "error",
    "conflicting-metadata": "error",
    "default-mismatch": "error",
    "doc-type-mismatch": "note",
    "duplicate-name": "error",
    "format-limit": "note",
    "injected-misuse": "error",
    "inlining-budget": "note",
    "internal-error": "error",
    "invalid-argument": "error",
    "invalid-config": "error",
    "invalid-function": "error",
    "invalid-name": "error",
    "missing-annotation": "error",
    "missing-argument": "error",
    "missing-description": "off",
    "overloaded": "note",
    "recursive-type": "note",
    "strict-keyword": "note",
    "strict-open-object": "note",
    "strict-tuple": "note",
    "strict-untyped": "note",
    "stringly-enum": "note",
    "unencodable-result": "note",
    "unknown-argument": "error",
    "unknown-parameter": "error",
    "unknown-tool": "error",
    "unreadable-metadata": "note",
    "unresolved-import": "note",
    "unsupported-function": "error",
    "unsupported-type": "error",
    "untyped-container": "note",
    "untyped-value": "note",
}
"""The severity of each code where the project configures none."""

ERROR_CODES: Final = {code: ErrorCode(PREFIX + code, code, "toolcall") for code in USUAL}


def enable(severity: Mapping[str, Severity]) -> None:
    """Turns on the codes that the project gave a severity; the others are as usual."""
    for code, error_code in ERROR_CODES.items():
        error_code.default_enabled = severity.get(code, USUAL[code]) != "off"


def show_on_notes(severity: Mapping[str, Severity]) -> None:
    """Lets mypy print the codes of our notes, as it does of two kinds of its own.

    A note's code is what silences it. Of codes that are errors only the error shows it.
    """
    shown: set[object] | None = getattr(errors, "SHOW_NOTE_CODES", None)
    if shown is not None:
        ours = [code for code in shown if str(code).startswith(PREFIX)]
        shown.difference_update(ours)  # of another configuration in the same process
        chosen = {**USUAL, **severity}
        shown.update(
            PREFIX + code
            for code in USUAL
            if chosen[code] == "note" or (chosen[code] == "off" and USUAL[code] != "error")
        )
