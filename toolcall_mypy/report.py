"""Findings become mypy's diagnostics.

Their codes (`toolcall_mypy.codes`) are known to mypy like its own, so that
`# type: ignore[toolcall-…]`, `disable_error_code` and per-module sections treat them alike.

What to write follows an error as a note of its own, which is the hint of mypy's JSON
output. mypy hangs no hints on notes, so a finding that is a note says both in one line.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mypy.checker import TypeChecker
from mypy.nodes import Context

from toolcall_mypy.codes import ERROR_CODES

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mypy.errorcodes import ErrorCode
    from mypy.plugin import CheckerPluginInterface

    from toolcall_mypy.lints.finding import Finding, Place


def report(api: CheckerPluginInterface, findings: Iterable[Finding]) -> None:
    """Hands findings to mypy, in the order given."""
    for finding in findings:
        if api.msg.errors.is_error_code_enabled(ERROR_CODES[finding.code]):
            _report_one(api, finding)


def _report_one(api: CheckerPluginInterface, finding: Finding) -> None:
    context = _context(finding.place)
    code = ERROR_CODES[finding.code]
    if finding.severity == "note":
        said = [finding.message, finding.hint]
        _note(api, ". ".join(filter(None, said)), context, code)
        return
    api.fail(_one_line(finding.message), context, code=code)
    if finding.hint is not None:
        _note(api, finding.hint, context, code)


def _one_line(text: str) -> str:
    """The text without control characters, which names and defaults may bring along."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def _note(api: CheckerPluginInterface, message: str, context: Context, code: ErrorCode) -> None:
    # the plugin's interface has no `note`; the checker behind it does, in every version
    assert isinstance(api, TypeChecker)
    api.note(_one_line(message), context, code=code)


def _context(place: Place) -> Context:
    context = Context(place.line, place.column)
    context.end_line = place.end_line
    context.end_column = place.end_column
    return context
