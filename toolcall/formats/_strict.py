"""Whether a tool can be strict, and what happens when it cannot.

`strict_losses` is the pure question, asked by the checker's lints and by emission alike.
`Emission` answers it for one request: the tools that are rendered together share the
vendor's counters per request.

A tool that strict cannot say is emitted as an ordinary one, with a `ToolcallWarning`
once per tool and format; with `strict="require"` that is a `StrictError`. It is never
emitted as something narrower, for example as an object that must be empty.
"""

from __future__ import annotations

from toolcall.formats import _jsonschema
from toolcall.formats._properties import renamed, sent_names
from toolcall.formats._rendering import Loss
from toolcall.formats._sharing import References

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Literal, TypeAlias

    from toolcall import ir
    from toolcall.formats._dialect import Dialect, Subset

    Strict: TypeAlias = bool | Literal["require"]

FATAL = frozenset(
    {"format-limit", "inlining-budget", "recursive-type", "strict-open-object", "strict-untyped"}
)
"""The codes of losses that keep a tool from being strict. The others are only weaker."""

# Told already, by the identity of the tool and the format; holding the tool keeps it unique.
_warned: dict[tuple[int, str], ir.Tool] = {}


def strict_losses(definition: ir.Definition, dialect: Dialect) -> list[Loss]:
    """What a tool loses when it is emitted strict; empty where strict needs no rewriting."""
    if dialect.strict is None:
        return []
    schema, losses, _ = _schema(definition, dialect.strict)
    if dialect.limits is not None:
        from toolcall.formats import _limits

        losses = losses + _limits.passed(_limits.Count(schema), dialect.limits)
    return losses


def plain_losses(definition: ir.Definition, dialect: Dialect) -> list[Loss]:
    """What a tool loses when it is emitted as an ordinary one: recursion, the inlining budget."""
    return _schema(definition, dialect.plain)[1]


def _schema(
    definition: ir.Definition, subset: Subset, known: References | None = None
) -> tuple[dict[str, Any], list[Loss], bool]:
    """The schema under a subset, what it loses, and whether every vendor takes its names."""
    given = definition["tool"].get("schema")
    if given is None:
        schema, r = _jsonschema.rendered(definition, subset, known)
        return schema, r.losses, r.names_are_safe
    from toolcall.formats._given import fit

    schema, losses = fit(given, subset)
    return schema, losses, not sent_names(definition)


class Emission:
    """The tools of one request: decides for each whether it is strict, and counts."""

    __slots__ = ("_dialect", "_known", "_optional", "_strict", "_tools", "_unions")

    def __init__(self, dialect: Dialect, strict: Strict) -> None:
        if strict not in (True, False, "require"):
            from toolcall.errors import Misuse

            raise Misuse(f'strict is True, False or "require", not {strict!r}')
        self._dialect = dialect
        self._strict = strict
        self._known = References()
        self._tools = self._optional = self._unions = 0

    def schema(self, definition: ir.Definition) -> tuple[dict[str, Any], bool]:
        """The tool's input schema, and whether it is the strict one."""
        # A tool built at run time may want it for itself alone.
        wanted = self._strict or definition.get("options", {}).get("strict") is True
        schema, names_are_safe, is_strict = self._chosen(definition, strict=bool(wanted))
        rule = self._dialect.property_name
        if not names_are_safe and rule is not None:
            schema = renamed(schema, sent_names(definition), rule)
        return schema, is_strict

    def _chosen(
        self, definition: ir.Definition, *, strict: bool
    ) -> tuple[dict[str, Any], bool, bool]:
        """The schema, whether every vendor takes its names, and whether it is the strict one."""
        if strict and self._dialect.strict is not None:
            schema, losses, names_are_safe = _schema(definition, self._dialect.strict, self._known)
            losses = [loss for loss in losses if loss.code in FATAL]
            losses += self._count(schema, counted=not losses)
            if not losses:
                return schema, names_are_safe, True
            self._fall_back(definition["tool"], losses)
        schema, losses, names_are_safe = _schema(definition, self._dialect.plain, self._known)
        if losses and "schema" in definition["tool"]:
            self._tell_of_a_given_one(definition["tool"], losses)
        return schema, names_are_safe, False

    def _count(self, schema: dict[str, Any], *, counted: bool) -> list[Loss]:
        limits = self._dialect.limits
        if limits is None:
            return []
        from toolcall.formats import _limits

        count = _limits.Count(schema)
        losses = _limits.passed(count, limits)
        if losses or not counted:
            return losses
        totals = (
            ("strict tools", self._tools + 1, limits.request_tools),
            ("optional properties", self._optional + count.optional, limits.request_optional),
            ("properties with a union type", self._unions + count.unions, limits.request_unions),
        )
        losses = [
            Loss("", "format-limit", f"{number} {what} in one request, the limit is {limit}")
            for what, number, limit in totals
            if limit is not None and number > limit
        ]
        if not losses:
            self._tools, self._optional, self._unions = (number for _, number, _ in totals)
        return losses

    def _fall_back(self, tool: ir.Tool, losses: list[Loss]) -> None:
        format_name = self._dialect.format
        reasons = "; ".join(_said(loss) for loss in losses)
        text = f"tool {tool['name']!r} cannot be strict for {format_name}: {reasons}"
        if self._strict == "require":
            from toolcall.errors import StrictError

            raise StrictError(text)
        _warn_once(tool, format_name, text + "; it is emitted without strict")

    def _tell_of_a_given_one(self, tool: ir.Tool, losses: list[Loss]) -> None:
        """No lint has seen a schema that was given at run time."""
        losses = [loss for loss in losses if loss.code in _OPENED]
        if losses:
            reasons = "; ".join(_said(loss) for loss in losses)
            text = f"tool {tool['name']!r} allows any value for {self._dialect.format} where: "
            _warn_once(tool, f"{self._dialect.format} plain", text + reasons)


_OPENED = frozenset({"inlining-budget", "recursive-type"})
"""The codes of losses that leave `{}` in an ordinary schema."""


def _warn_once(tool: ir.Tool, what: str, text: str) -> None:
    key = (id(tool), what)
    if key not in _warned:
        _warned[key] = tool
        _warn(text)


def _warn(text: str) -> None:
    """Warn at the line that asked for strict: the first one outside of this library."""
    import sys
    import warnings

    from toolcall.errors import ToolcallWarning

    level = 2
    while sys._getframe(level - 1).f_globals.get("__name__", "").startswith("toolcall."):
        level += 1
    warnings.warn(text, ToolcallWarning, stacklevel=level)


def _said(loss: Loss) -> str:
    if not loss.path:
        return loss.reason
    inner = f" (at {loss.path})" if loss.path.count("/") > 1 else ""
    return f"parameter {loss.parameter!r}{inner}: {loss.reason}"
