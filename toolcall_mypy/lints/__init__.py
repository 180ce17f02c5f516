"""The lints: one small function per code, whose docstring is its manual entry.

`LINTS` is the table that everything else is made from. A file here holds the lints of one
subject; the order of the files is that in which findings at one place are reported.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from toolcall_mypy.lints import (  # noqa: F401
    built,
    calls,
    defaults,
    documentation,
    formats,
    functions,
    metadata,
    names,
    project,
    types,
)
from toolcall_mypy.lints.finding import LINTS as LINTS
from toolcall_mypy.lints.finding import Finding
from toolcall_mypy.lints.finding import graded as graded
from toolcall_mypy.lints.finding import run as run

if TYPE_CHECKING:
    from toolcall_mypy.codes import Severity
    from toolcall_mypy.config import Config
    from toolcall_mypy.lints.calls import CallFacts
    from toolcall_mypy.lints.facts import ToolFacts

_OF_TOOLS: Final = [lint for lint in LINTS.values() if lint.scope == "tool"]


def check(facts: ToolFacts) -> list[Finding]:
    """Everything that is to be said about one tool."""
    findings: list[Finding] = []
    present = facts.subjects
    for lint in _OF_TOOLS:
        if lint.subjects and lint.subjects.isdisjoint(present):
            continue
        faults = list(lint.function(facts))
        if faults:
            findings += graded(lint, severity(facts, lint.code), faults)
    return findings


def check_call(facts: CallFacts, config: Config) -> list[Finding]:
    """Everything that is to be said about one call."""
    findings: list[Finding] = []
    for lint in LINTS.values():
        if lint.scope == "call":
            findings += run(lint, config.severity.get(lint.code), facts)
    return findings


def severity(facts: ToolFacts, code: str) -> Severity | None:
    """What the project configured for a code, None for the lint's own."""
    return facts.config.severity.get(code)
