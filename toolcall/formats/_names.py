"""Tool names that a vendor takes, and the way back.

A name that is legal in one place is not in another: MCP has dots, the model vendors do
not. `wire_names` gives every tool the name it has in one dialect; `original` finds the
tool again from whatever name came back. The mapping is a pure function of the name, so
nothing is stored, and two tools that would get one name are an error, never a surprise.

What is too long is cut and ends in eight hex digits of its own hash. Names of properties
are in `_properties`.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from toolcall.formats._dialect import Dialect, NameRule

_DIGITS = 8


def name_problem(name: str, dialect: Dialect) -> str | None:
    """Why a dialect refuses a tool's name, with the name it would get; None if it takes it."""
    rule = dialect.tool_name
    if rule is None or legal(name, rule):
        return None
    return (
        f"{dialect.format} takes tool names that match {rule.regex}; "
        f"{name!r} would be sent as {mapped(name, rule)!r}"
    )


def property_problem(name: str, dialect: Dialect) -> str | None:
    """Why a dialect refuses a property's name; None if it takes it."""
    rule = dialect.property_name
    if rule is None or legal(name, rule):
        return None
    return (
        f"{dialect.format} takes property names that match {rule.regex}; "
        f"{name!r} is sent under another name"
    )


def legal(name: str, rule: NameRule) -> bool:
    """Whether a name obeys a rule."""
    plain = name
    for char in rule.extra:
        if char in plain:
            plain = plain.replace(char, "a")
    if not (plain.isascii() and plain.isalnum()):
        return False
    if rule.longest is not None and len(name) > rule.longest:
        return False
    return rule.head is None or name[0].isalpha() or name[0] in rule.head


def wire_names(names: Sequence[str], dialect: Dialect) -> list[str]:
    """The names of a request's tools in one dialect, in the same order.

    Raises DuplicateTool when two of them come out the same.
    """
    rule = dialect.tool_name
    if rule is None:
        sent = list(names)
    else:
        sent = [name if legal(name, rule) else mapped(name, rule) for name in names]
    if len(set(sent)) < len(sent):
        _refuse_collision(names, sent, dialect)
    return sent


def original(name: str, names: Iterable[str]) -> str | None:
    """The tool that a name from any vendor means, or None.

    A tool's own name wins; then the names that the dialects give to it.
    """
    from toolcall.formats._tables import ALL

    known = list(names)
    if name in known:
        return name
    rules = [dialect.tool_name for dialect in ALL if dialect.tool_name is not None]
    for rule in rules:
        for candidate in known:
            if not legal(candidate, rule) and mapped(candidate, rule) == name:
                return candidate
    return None


def mapped(name: str, rule: NameRule) -> str:
    """A name that obeys the rule, made of one that does not."""
    allowed = rule.extra
    text = "".join(c if (c.isascii() and c.isalnum()) or c in allowed else "_" for c in name)
    if not text or (rule.head is not None and not (text[0].isalpha() or text[0] in rule.head)):
        text = "_" + text
    if rule.longest is not None and len(text) > rule.longest:
        text = text[: rule.longest - _DIGITS - 1] + "_" + hashed(name)
    return text


def hashed(name: str) -> str:
    """Eight hex digits that are the same in every process."""
    from binascii import crc32

    return f"{crc32(name.encode('utf-8', 'surrogatepass')):08x}"


def _refuse_collision(names: Sequence[str], sent: Sequence[str], dialect: Dialect) -> None:
    from toolcall.errors import DuplicateTool

    wire = next(name for name in sent if sent.count(name) > 1)
    first, second, *_ = (name for name, other in zip(names, sent, strict=True) if other == wire)
    raise DuplicateTool(
        f"tools {first!r} and {second!r} are both called {wire!r} in {dialect.format}; "
        "rename one of them, or give a Toolset another prefix"
    )
