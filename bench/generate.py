"""Writes a package of N distinct tools: the workload of start-up and checking.

Twenty tools a module. Each module has records of its own, so that nothing is shared
between modules and growth shows. With `decorated`, each function carries `@tool`;
without, the same text stands without it: the difference is what the project costs.
"""

from __future__ import annotations

import random
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

PER_MODULE = 20

HEAD = '''"""Tools of part {tag}."""

from dataclasses import dataclass
from typing import Literal{typeddict}
{imports}

@dataclass
class Site{tag}:
    """Somewhere.

    Attributes:
        street: Street and number.
        town: Name of the town.
    """

    street: str
    town: str
    code: str = ""


@dataclass
class Person{tag}:
    """Somebody."""

    name: str
    age: int
    site: Site{tag}
    member: bool = False


class Line{tag}(TypedDict):
    """One line of an order."""

    article: str
    pieces: int
    price: float
    labels: list[str]
'''

# pydantic takes the one of `typing` from 3.12 on.
TYPEDDICT = (
    ", TypedDict" if sys.version_info >= (3, 12) else "\n\nfrom typing_extensions import TypedDict"
)

PARAMETERS = {
    "text": ("subject", "str", None),
    "count": ("limit", "int", None),
    "share": ("ratio", "float", None),
    "flag": ("dry_run", "bool", "False"),
    "maybe text": ("comment", "str | None", "None"),
    "maybe count": ("offset", "int | None", "3"),
    "choice": ("order", 'Literal["up", "down", "none"]', '"up"'),
    "texts": ("labels", "list[str]", None),
    "person": ("person", "Person{tag}", None),
    "lines": ("lines", "list[Line{tag}]", None),
    "maybe site": ("site", "Site{tag} | None", "None"),
}

_SITE = {"street": "Storgata 1", "town": "Oslo", "code": "0155"}

VALUES: dict[str, object] = {
    "subject": "a chair",
    "limit": 3,
    "ratio": 0.5,
    "dry_run": True,
    "comment": None,
    "offset": 7,
    "order": "down",
    "labels": ["new", "gift"],
    "person": {"name": "Ada", "age": 36, "site": _SITE, "member": True},
    "lines": [{"article": "A-1", "pieces": 2, "price": 9.5, "labels": ["new"]}],
    "site": _SITE,
}
"""An argument for each parameter, as a model would send it."""

NESTED = frozenset(("person", "lines", "site"))
"""The parameters that hold records."""

MIXES = (
    ("text",),
    ("text", "maybe count"),
    ("text", "count", "flag"),
    ("count", "maybe text"),
    ("share", "choice"),
    ("texts", "count"),
    ("text", "texts", "flag"),
    ("maybe text", "maybe count"),
    ("text", "count", "share"),
    ("person",),
    ("person", "choice"),
    ("lines", "flag"),
    ("person", "lines", "choice", "maybe text"),
    ("count", "maybe site"),
    ("text", "count", "texts", "choice", "flag"),
)

VERBS = ("get", "find", "list", "create", "update", "move", "close", "merge", "rank", "send")
NOUNS = ("order", "ticket", "invoice", "report", "route", "task", "note", "event", "photo")


def write_package(folder: Path, name: str, count: int, *, decorated: bool) -> None:
    """Write package `name` with `count` tools below `folder`."""
    chance = random.Random(11)
    package = folder / name
    package.mkdir(parents=True, exist_ok=True)
    modules = []
    for first in range(0, count, PER_MODULE):
        tag = f"{len(modules):04d}"
        modules.append(f"part{tag}")
        serials = range(first, min(first + PER_MODULE, count))
        text = _module(tag, serials, chance, decorated=decorated)
        (package / f"part{tag}.py").write_text(text, encoding="utf-8")
    listing = f'"""{count} generated tools."""\n\nMODULES = {modules!r}\n'
    (package / "__init__.py").write_text(listing, encoding="utf-8")


def _module(tag: str, serials: range, chance: random.Random, *, decorated: bool) -> str:
    imports = "\nfrom toolcall import tool\n" if decorated else ""
    functions = [_function(tag, serial, chance) for serial in serials]
    mark = "@tool\n" if decorated else ""
    body = "\n\n".join(mark + text for _, text in functions)
    listing = ", ".join(name for name, _ in functions)
    return (
        HEAD.format(tag=tag, imports=imports, typeddict=TYPEDDICT)
        + f"\n\n{body}\n\nFUNCTIONS = [{listing}]\n"
    )


def _function(tag: str, serial: int, chance: random.Random) -> tuple[str, str]:
    noun = chance.choice(NOUNS)
    name = f"{chance.choice(VERBS)}_{noun}_{serial:05d}"
    rows = [PARAMETERS[kind] for kind in MIXES[serial % len(MIXES)]]
    rows.sort(key=lambda row: row[2] is not None)
    signature = ", ".join(
        f"{parameter}: {annotation.format(tag=tag)}" + (f" = {default}" if default else "")
        for parameter, annotation, default in rows
    )
    entries = "\n".join(
        f"        {parameter}: The {parameter.replace('_', ' ')} of the {noun}, as it was given."
        for parameter, _, _ in rows
    )
    values = ", ".join(parameter for parameter, _, _ in rows)
    text = f'''def {name}({signature}) -> str:
    """Work on {noun} number {serial} of the account.

    For questions about one {noun}. It changes nothing else,
    and the answer is one line of text.

    Args:
{entries}

    Returns:
        One line of text.
    """
    return str(({values},))
'''
    return name, text
