"""The manual of the lints, made from the lints: the docstring of each is its entry.

What a finding looks like is taken from the case files, so an entry cannot show a message
that mypy does not print. How often a code was right when real packages were read stands
in `precision.json` beside the corpus.
"""

from __future__ import annotations

import inspect
import json
import re
from pathlib import Path

from toolcall_mypy.codes import PREFIX
from toolcall_mypy.lints import LINTS
from toolcall_mypy.lints.finding import Lint

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "lints.md"
CASES = ROOT / "tests" / "cases" / "lints"
PRECISION = ROOT / "tests" / "corpus" / "precision.json"

INTRODUCTION = """\
# Lints

What the plugin says about tools, in the editor and wherever mypy runs. This page is made
from the lints themselves.

An **error** is reported where what was asked for cannot be had: a parameter without a type,
a name that a configured format refuses. A **note** is reported where something that nobody
has asked for would not work, such as strict mode for a tool with a `dict`; where `strict` or
the format is configured, it becomes an error. Notes do not make mypy fail. A fault is
reported once: not by two lints, and not where mypy has an error of its own at that place.

Findings are mypy's, so they are silenced like mypy's:

```python title="weather.py"
from typing import Any

from toolcall import tool


@tool
def forecast(
    city: str,
    raw: Any,  # type: ignore[toolcall-untyped-value]
) -> str:
    return f"{city}: {raw}"
```

```toml title="pyproject.toml"
[tool.mypy]
plugins = ["toolcall_mypy"]
disable_error_code = ["toolcall-strict-open-object"]

[[tool.mypy.overrides]]
module = "vendored.*"
disable_error_code = ["toolcall-missing-annotation"]

[tool.toolcall.severity]
stringly-enum = "error"
unresolved-import = "error"
strict-tuple = "off"
```

```console
$ mypy weather.py
Success: no issues found in 1 source file
```

With `mypy -O json` what to write instead is the `hint` of an error; mypy hangs no hints on
notes, whose `message` says both.
"""


def page() -> str:
    """The whole page."""
    lints = sorted(LINTS.values(), key=lambda lint: lint.code)
    return "\n".join([INTRODUCTION, _table(lints), *map(_entry, lints)])


def _table(lints: list[Lint]) -> str:
    rows = [
        f"| [`{PREFIX}{one.code}`](#{PREFIX}{one.code}) | {one.severity} | {_first(one)} |"
        for one in lints
    ]
    return "\n".join(["| code | | |", "|---|---|---|", *rows, ""])


def _first(lint: Lint) -> str:
    return _manual(lint).split("\n\n")[0].replace("\n", " ")


def _manual(lint: Lint) -> str:
    return inspect.cleandoc(lint.function.__doc__ or "")


def _entry(lint: Lint) -> str:
    usual = {"error": "An error", "note": "A note", "off": "Off by default"}[lint.severity]
    parts = [f"## {PREFIX}{lint.code}", f"{usual}. {_manual(lint)}"]
    example = _example(lint.code)
    if example:
        parts.append(f"```text\n{example}\n```")
    measured = _measured(lint.code)
    if measured:
        parts.append(measured)
    return "\n\n".join(parts) + "\n"


def _example(code: str) -> str:
    """The first finding with this code in the case files, with its hint."""
    for path in sorted(CASES.glob("*.case")):
        lines = path.read_text(encoding="utf-8").partition("=== findings")[2].splitlines()
        for number, line in enumerate(lines):
            if line.endswith(f"[{PREFIX}{code}]"):
                hint = lines[number + 1] if number + 1 < len(lines) else ""
                shown = [_shown(line), *([_hint(line, hint)] if hint.startswith("    ") else [])]
                return "\n".join(shown)
    return ""


def _shown(line: str) -> str:
    """As mypy prints it: columns from 1."""
    return re.sub(r"^(\S+?:\d+):(-?\d+):", lambda at: f"{at[1]}:{int(at[2]) + 1}:", line)


def _hint(line: str, hint: str) -> str:
    place = _shown(line).partition(" ")[0]
    return f"{place} note: {hint.strip()}"


def _measured(code: str) -> str:
    if not PRECISION.exists():
        return ""
    found = json.loads(PRECISION.read_text(encoding="utf-8")).get(code)
    if found is None:
        return ""
    read, right = found["read"], found["right"]
    return f"In real packages {read} findings were read against the source; {right} were right."
