"""Case files: sources in, what the plugin makes of them out.

    What the case shows, in a sentence or two.

    === file weather.py        one or more modules; they import each other relatively
    === config                 the inside of [tool.toolcall], if any
    === python 3.12            the oldest Python whose syntax it is, if not every one's
    === ir                     answers: the sidecars as text,
    === findings               everything that mypy prints,
    === openai                 and the tools in a format (`openai strict` for strict)

Answers are compared and, with `--update-cases`, written. A format is rendered where the
file has a section for it; the IR and the findings always are.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

_HEADER = re.compile(r"=== (.+)")


@dataclass
class Case:
    """One case file in memory. `package` is what its modules are called below."""

    path: Path
    package: str
    about: str
    files: dict[str, str] = field(default_factory=dict)
    config: str = ""
    python: tuple[int, ...] = ()
    answers: dict[str, str] = field(default_factory=dict)

    def text(self) -> str:
        """The file's text with these answers."""
        parts = [self.about.strip() + "\n"]
        parts += [f"=== file {name}\n{text.strip()}\n" for name, text in self.files.items()]
        if self.config:
            parts.append(f"=== config\n{self.config.strip()}\n")
        if self.python:
            parts.append(f"=== python {'.'.join(map(str, self.python))}\n")
        for name, text in self.answers.items():
            parts.append(f"=== {name}\n{text.strip()}".rstrip() + "\n")
        return "\n".join(parts)


def read(path: Path, root: Path) -> Case:
    """Parses one case file."""
    relative = path.relative_to(root).with_suffix("")
    case = Case(path, "_".join(["case", *relative.parts]), "")
    name, lines = "about", []  # type: tuple[str, list[str]]
    sections: list[tuple[str, list[str]]] = [(name, lines)]
    for line in path.read_text(encoding="utf-8").splitlines():
        header = _HEADER.fullmatch(line)
        if header is None:
            sections[-1][1].append(line)
        else:
            sections.append((header[1], []))
    for title, body in sections:
        text = "\n".join(body).strip() + "\n"
        if title == "about":
            case.about = text
        elif title.startswith("file "):
            case.files[title.removeprefix("file ")] = text
        elif title == "config":
            case.config = text
        elif title.startswith("python "):
            case.python = tuple(map(int, title.removeprefix("python ").split(".")))
        else:
            case.answers[title] = text.strip()
    return case
