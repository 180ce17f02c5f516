"""Lints of what annotations say: missing, unknown, too weak or unsupported types."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolcall_mypy.lints.finding import Fault, Place, lint
from toolcall_mypy.lints.formats import format_recursion
from toolcall_mypy.lints.walk import named

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolcall_mypy.derive.table import Loss
    from toolcall_mypy.lints.facts import ToolFacts


@lint("missing-annotation", "error")
def missing_annotation(tool: ToolFacts) -> Iterator[Fault]:
    """A parameter of a tool has no annotation.

    The model is told nothing about it and may send any value. Annotate it; where any
    JSON value is really meant, say so with `object`. A function without any annotation
    is not made a tool by `use(__name__)`, and is reported at its name.
    """
    for parameter in tool.exposed:
        if parameter.skeleton.unannotated:
            name = parameter.name
            yield Fault(
                parameter.place,
                f'Parameter "{name}" of tool "{tool.name}" has no annotation, '
                "so the model may send anything",
                f'Say what it takes, for example "{name}: str"',
            )


def unannotated_function(place: Place, name: str) -> Fault:
    """The fault of a public function without annotations under `use(__name__)`."""
    return Fault(
        place,
        f'Function "{name}" has no annotations, so use(__name__) does not make it a tool',
        "Annotate it, or keep it out with @hidden or a leading underscore",
    )


def unchecked_mark(place: Place, function: str) -> Fault:
    """The fault of a call that marks a tool where mypy does not look."""
    return Fault(
        place,
        f'mypy does not check "{function}", so the tool that is marked here is left out',
        f'Annotate "{function}", for example with "-> None"',
    )


@lint("unresolved-import", "note", "losses")
def unresolved_import(tool: ToolFacts) -> Iterator[Fault]:
    """An annotation uses a name that mypy could not import.

    mypy treats such a type as `Any`, so the schema accepts any value there. Install the
    package or its stubs where mypy runs.
    """
    yield from _of_losses(tool, "unresolved-import", "Install its package or stubs for mypy")


@lint("unsupported-type", "error", "losses")
def unsupported_type(tool: ToolFacts) -> Iterator[Fault]:
    """A type that no JSON value can stand for.

    Callables, `type[T]`, open files, generators and classes whose fields are not known
    cannot travel as JSON. The tool is emitted, with a schema that accepts anything there.
    Take plain data instead, use a dataclass or TypedDict, or register a `TypeProvider`.
    """
    hint = "Take a type that JSON has, a dataclass or a TypedDict, or give it a TypeProvider"
    yield from _of_losses(tool, "unsupported-type", hint)


@lint("untyped-container", "note", "losses")
def untyped_container(tool: ToolFacts) -> Iterator[Fault]:
    """A container without the types of its elements.

    `list`, `dict`, `tuple` and `set` without brackets, or with `Any` inside, leave the
    model to guess what belongs into them. Write `list[str]` instead of `list`. Under
    `strict` it is `strict-untyped` that says so; where mypy reports missing type arguments
    itself (`type-arg`), a container without brackets is left to it.
    """
    if not tool.config.strict:
        hint = "Say what it holds, as in list[str] or dict[str, int]"
        yield from _of_losses(tool, "untyped-container", hint)


@lint("untyped-value", "note", "losses")
def untyped_value(tool: ToolFacts) -> Iterator[Fault]:
    """A parameter or field is `Any` or `object`.

    The schema then accepts every JSON value. That may be meant; more often a union says
    it better. Under `strict` it is `strict-untyped` that says so.
    """
    if not tool.config.strict:
        yield from _of_losses(tool, "untyped-value", None)


@lint("bare-enum", "error", "losses")
def bare_enum(tool: ToolFacts) -> Iterator[Fault]:
    """An annotation is `Enum`, `StrEnum`, `IntEnum` or `Flag` itself.

    These have no members, so there is nothing that the model could choose and every call
    is refused. Use the class that has the members.
    """
    yield from _of_losses(tool, "bare-enum", "Use the class that lists the members")


@lint("recursive-type", "note")
def recursive_type(tool: ToolFacts) -> Iterator[Fault]:
    """A type contains itself in a way that a schema cannot say.

    Ordinary recursion becomes a reference. A class that contains itself with ever new
    type arguments has no finite schema; any value is accepted there.
    """
    yield from _of_losses(tool, "recursive-type", None)
    yield from format_recursion(tool)


def _of_losses(tool: ToolFacts, code: str, hint: str | None) -> Iterator[Fault]:
    """What derivation lost, at the field that declares it here, else at the parameter."""
    local = {(one.owner, one.name) for one in tool.fields if one.place is not None}
    for parameter in tool.exposed:
        if parameter.skeleton.unannotated:
            continue
        losses = [
            loss
            for loss in parameter.skeleton.losses
            if _counts(loss, code) and loss.where[:2] not in local
        ]
        inside = [loss for loss in losses if loss.where[:1] and loss.where[0] in tool.types]
        for loss in losses:
            if loss not in inside:
                text = loss.message.rstrip(".")
                yield Fault(parameter.place, f'Parameter "{parameter.name}": {text}', hint)
        if inside:
            text = _of_classes(inside)
            yield Fault(parameter.place, f'Parameter "{parameter.name}": {text}', hint)
    lost = [(one, loss) for one in tool.fields for loss in one.losses if _counts(loss, code)]
    given = [one.parameter["type"] for one in tool.exposed if one.parameter is not None]
    sent = named(given, tool.types) if lost else frozenset()
    for one, loss in lost:  # of a class that only the result has, the result is told
        if one.place is not None and one.owner in sent:
            text = loss.message.rstrip(".")
            yield Fault(one.place, f'Field "{one.name}": {text}', hint)


def _of_classes(losses: list[Loss]) -> str:
    """What is lost inside of classes that other files declare: the first, and how many more."""
    first = losses[0]
    field = f'"{first.where[1]}" of ' if len(first.where) > 1 else ""
    fields = {loss.where[:2] for loss in losses}
    more = f"; so it is with {len(fields) - 1} more fields inside" if len(fields) > 1 else ""
    return f"in {field}{first.where[0]}, {first.message.rstrip('.')}{more}"


def _counts(loss: Loss, code: str) -> bool:
    """Whether the loss is this code's to report, and not mypy's own finding already."""
    return loss.code == code and not loss.reported
