"""What a lint says, and the table of all lints.

A lint is a function from facts to faults. Its code, its usual severity and its manual
entry (the docstring) stand where the function stands, and nowhere else: the error codes
of mypy, the names that the configuration accepts and the manual are made from `LINTS`.

The rule of severities: an error when what was asked for cannot be had; a note when
something that nobody has asked for would not work. `asked` on a fault turns the second
into the first; `mild` keeps what is only worth knowing a note.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, TypeAlias

from toolcall_mypy.records import record

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from toolcall_mypy.codes import Severity

Scope: TypeAlias = Literal["tool", "call", "built", "project"]
Subject: TypeAlias = Literal["losses", "metadata", "problems"]
"""What a lint of tools looks at and most tools have nothing of."""


class Place(NamedTuple):
    """Where in the file: lines from 1, columns from 0, ends exclusive (-1: not known)."""

    line: int
    column: int = -1
    end_line: int | None = None
    end_column: int | None = None


@record
class Fault:
    """One thing wrong: a sentence, and a second one that says what to write."""

    place: Place
    message: str
    hint: str | None = None
    asked: bool = False
    mild: bool = False


@record
class Finding:
    """A fault under its code, with the severity that it is reported with."""

    code: str
    severity: Literal["error", "note"]
    place: Place
    message: str
    hint: str | None = None


@record
class Lint:
    """One code. `function` takes the facts of its scope and yields faults.

    It is asked only about tools that have something of one of its subjects, where it has any.
    """

    code: str
    severity: Severity
    scope: Scope
    function: Callable[..., Iterable[Fault]]
    subjects: frozenset[Subject] = frozenset()

    @property
    def manual(self) -> str:
        """The manual entry."""
        return (self.function.__doc__ or "").strip()


LINTS: Final[dict[str, Lint]] = {}


def lint(
    code: str, severity: Severity, *subjects: Subject, scope: Scope = "tool"
) -> Callable[[Callable[..., Iterable[Fault]]], Callable[..., Iterable[Fault]]]:
    """Enters a function into `LINTS`."""

    def enter(function: Callable[..., Iterable[Fault]]) -> Callable[..., Iterable[Fault]]:
        LINTS[code] = Lint(code, severity, scope, function, frozenset(subjects))
        return function

    return enter


def run(entry: Lint, chosen: Severity | None, *facts: Any) -> list[Finding]:
    """The findings of one lint.

    Args:
        entry: the lint.
        chosen: the severity that the project configured, None for the lint's own.
        facts: what the lint's function takes.
    """
    if chosen == "off":
        return []
    return graded(entry, chosen, entry.function(*facts))


def graded(entry: Lint, chosen: Severity | None, faults: Iterable[Fault]) -> list[Finding]:
    """Faults under a lint's code, with the severity that they are reported with.

    A lint that is off by default is a note where mypy's `enable_error_code` turns it on.
    """
    usual = chosen or entry.severity
    if chosen == "off":
        return []
    if usual == "off":
        usual = "note"
    findings = []
    for fault in faults:
        severity: Literal["error", "note"] = usual
        if chosen is None and (fault.asked or fault.mild):
            severity = "error" if fault.asked else "note"
        findings.append(Finding(entry.code, severity, fault.place, fault.message, fault.hint))
    return findings
