"""Decoding objects of known fields, what is built of them, and unions.

An object is closed: unknown keys are told with the names they were probably meant to be,
then missing ones, then each value in the order of the fields. A class is called with
keywords only after all of that held, and an exception of its own is a problem at that place.

What is said of names here serves the arguments of a call as well: they are an object too.
"""

from __future__ import annotations

from toolcall._classes import find
from toolcall._coerce_containers import as_object, keys_are_text
from toolcall._construct import BUILD, failures
from toolcall._decoder import BAD
from toolcall._suggest import suggest
from toolcall._values import Err
from toolcall._words import place, shown
from toolcall.errors import MAX_RECORDS, ClassNotFound, ToolError
from toolcall.typeproviders import registered

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from toolcall import ir
    from toolcall._decoder import Decode, Decoder
    from toolcall._words import Path


# The names of an object, and of the arguments


def names_refused(
    decoder: Decoder, unknown: list[str], given: Mapping[str, Any], fields: Any, path: Path
) -> None:
    """Tell of each unknown key, with the name that was probably meant."""
    if not unknown:
        return
    accepted = accepted_names(fields)
    free = [field["wire"] for field in fields if field["wire"] not in given]
    for key in unknown[:MAX_RECORDS]:
        meant = suggest(key, free)
        said = _said(path, "unknown", key) + (f"; did you mean {shown(meant)}?" if meant else "")
        decoder.refuse(
            "unknown_argument",
            (path, key),
            given[key],
            "no such name",
            message=said,
            suggestion=meant,
            accepted=accepted,
        )


def missing_refused(decoder: Decoder, fields: Any, absent: set[str], path: Path) -> None:
    """Tell of each required name that is not there."""
    for field in fields:
        if field["required"] and field["wire"] in absent:
            wanted = decoder.described(field["type"])
            decoder.refuse(
                "missing_argument",
                (path, field["wire"]),
                None,
                wanted,
                got="nothing",
                message=f"{_said(path, 'missing', field['wire'])} ({wanted})",
                accepted=accepted_names(fields),
            )


def _said(path: Path, what: str, key: str) -> str:
    return f"{place(path)}: {what} key {shown(key)}" if path else f"{what} argument {shown(key)}"


def accepted_names(fields: Any) -> tuple[str, ...]:
    """The names of parameters or fields on the wire, the required ones marked."""
    return tuple(field["wire"] + " (required)" * field["required"] for field in fields)


def absent_names(decoder: Decoder, fields: Any, given: Mapping[str, Any]) -> set[str]:
    """The wire names that are not given, or given as a null that means the same."""
    return {
        field["wire"]
        for field in fields
        if field["wire"] not in given
        or (
            given[field["wire"]] is None
            and not field["required"]
            and not accepts_null(field["type"], decoder.types)
        )
    }


def accepts_null(node: Any, types: Mapping[str, ir.Type], depth: int = 0) -> bool:
    """Whether null is a value of a type."""
    kind = node["kind"]
    if kind in {"null", "nullable", "any"}:
        return True
    if depth > 20:  # an alias that recurs in itself without a container between
        return False
    if kind == "ref":
        return accepts_null(types[node["name"]], types, depth + 1)
    if kind == "union":
        return any(accepts_null(branch, types, depth + 1) for branch in node["branches"])
    if kind == "root":
        return accepts_null(node["inner"], types, depth + 1)
    return kind == "custom" and accepts_null(node["wire"], types, depth + 1)


def extra_values(
    decoder: Decoder, node: ir.Type, rest: Mapping[str, Any], path: Path
) -> dict[str, Any]:
    """The values of keys beyond the declared ones. A null may be left out here as well."""
    nullable = accepts_null(node, decoder.types)
    return {
        key: decoder.value(node, value, (path, key))
        for key, value in rest.items()
        if value is not None or nullable
    }


# Objects


def _object(decoder: Decoder, node: Any, value: Any, path: Path) -> Any:
    given = as_object(decoder, value)
    if given is None:
        return decoder.mistyped("expected_object", node, value, path)
    if not keys_are_text(decoder, given, path) or not decoder.enter(value, path):
        return BAD
    # Found before its fields, because its module may be what imports theirs.
    cls = None if node["style"] == "typeddict" else find(decoder.bound, node["cls"], node["style"])
    before = len(decoder.problems)
    values, extra = _fields(decoder, node, given, path)
    decoder.leave()
    # Past the last record no problem is told any more, so nothing may be built either.
    if len(decoder.problems) > before or before >= MAX_RECORDS:
        return BAD
    if cls is None:
        merged = {**values, **extra}
        return given if _unchanged(given, merged) else merged
    return _built(decoder, lambda: BUILD[node["style"]](cls, node, values, extra), path)


def _fields(
    decoder: Decoder, node: Any, given: Mapping[str, Any], path: Path
) -> tuple[dict[str, Any], dict[str, Any]]:
    """The values by the fields' own names, and what came beyond them."""
    fields = node["fields"]
    known = {field["wire"] for field in fields}
    unknown = [key for key in given if key not in known]
    if "extra" not in node:
        names_refused(decoder, unknown, given, fields, path)
    absent = absent_names(decoder, fields, given)
    missing_refused(decoder, fields, absent, path)
    values = {
        field["name"]: decoder.value(field["type"], given[field["wire"]], (path, field["wire"]))
        for field in fields
        if field["wire"] not in absent
    }
    if "extra" not in node:
        return values, {}
    rest = {key: given[key] for key in unknown}
    return values, extra_values(decoder, node["extra"], rest, path)


def _unchanged(given: Mapping[str, Any], merged: Mapping[str, Any]) -> bool:
    return len(given) == len(merged) and all(
        given.get(key, BAD) is value for key, value in merged.items()
    )


def _built(decoder: Decoder, build: Callable[[], Any], path: Path) -> Any:
    """What a class or provider makes of good values, or its own words of why it does not."""
    try:
        return build()
    except Exception as error:
        for keys, said in failures(error):
            at = path
            for key in keys:
                at = (at, key)
            message = f"{place(at) or 'arguments'}: {said}"
            decoder.refuse("construction_failed", at, None, said, got="", message=message)
        return BAD


def _root(decoder: Decoder, node: Any, value: Any, path: Path) -> Any:
    cls = find(decoder.bound, node["cls"], "root")
    inner = decoder.value(node["inner"], value, path)
    if inner is BAD:
        return BAD
    build = getattr(cls, "model_validate", cls)  # URLs and secrets are called
    return _built(decoder, lambda: build(inner), path)


def _custom(decoder: Decoder, node: Any, value: Any, path: Path) -> Any:
    wire = decoder.value(node["wire"], value, path)
    if wire is BAD:
        return BAD
    provider = _provider(decoder, node)
    return _built(decoder, lambda: _coerced(provider, wire), path)


def _provider(decoder: Decoder, node: Any) -> Any:
    try:
        served = find(decoder.bound, node["cls"], "custom")
    except ClassNotFound:
        served = None
    return registered(node["provider"], decoder.bound.options.get("types", ()), served)


def _coerced(provider: Any, wire: Any) -> Any:
    """What a provider makes of a wire value. It may return an Err as well as raise."""
    value = provider.coerce(wire)
    if isinstance(value, Err):
        raise ToolError(str(value))
    return value


def _nullable(decoder: Decoder, node: Any, value: Any, path: Path) -> Any:
    return None if value is None else decoder.value(node["inner"], value, path)


def _ref(decoder: Decoder, node: Any, value: Any, path: Path) -> Any:
    return decoder.value(decoder.types[node["name"]], value, path)


KINDS: dict[str, Decode] = {
    "object": _object,
    "root": _root,
    "custom": _custom,
    "nullable": _nullable,
    "ref": _ref,
}
