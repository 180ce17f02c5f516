"""The reference decoder: walks the IR, converts what it may, gathers every problem.

It is the definition of what a call means; the generated decoder (`_fast`) only takes its
place where both would answer the same. So it is written to be read, and asked whenever
something is unusual.

1. A value that already satisfies its type is handed over untouched. Nothing of the
   caller's is ever changed: what must change is built anew.
2. All problems of a call are found in one walk, in one order: no object, keys that are no
   text, unknown names, missing names, gaps, then each value from left to right.
3. A null stands for "absent" where the name may be left out and its type takes no null.
4. The work is linear in the size of the arguments, and nesting has a limit.
5. `lenient` repairs a text only where no text is possible.

This file has the arguments of a call. Their values are walked by `_decoder`, and the kinds
of values decoded by its siblings `_coerce_scalars`, `_coerce_containers`,
`_coerce_objects` and `_coerce_unions`.
"""

from __future__ import annotations

from toolcall import _coerce_containers, _coerce_objects, _coerce_scalars, _coerce_unions
from toolcall._coerce_objects import absent_names, extra_values, missing_refused, names_refused
from toolcall._decoder import BAD, KINDS, MAX_DEPTH, Decoder
from toolcall._wire import WrittenFloat
from toolcall._words import json_type
from toolcall.errors import Problem, ToolcallError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, TypeAlias

    from toolcall import ir
    from toolcall._bind import BoundTool
    from toolcall._signature import Signature

    Call: TypeAlias = tuple[list[Any], dict[str, Any]]

_NOTHING: dict[str, Any] = {}

KINDS.update(_coerce_scalars.KINDS)
KINDS.update(_coerce_containers.KINDS)
KINDS.update(_coerce_objects.KINDS)
KINDS.update(_coerce_unions.KINDS)


def decode(
    bound: BoundTool,
    args: object,
    *,
    lenient: bool = False,
    injected: Mapping[str, Any] = _NOTHING,
    max_depth: int = MAX_DEPTH,
) -> Call | list[Problem]:
    """Positional and keyword arguments for the tool's function; or everything that is wrong.

    `args` is what was decoded from JSON, `injected` the values that the program gives, by
    parameter. The caller's own mapping is never changed.
    """
    decoder = Decoder(bound, lenient=lenient, max_depth=max_depth)
    try:
        values = _values(decoder, args, injected)
    except RecursionError:
        return [Problem("too_deep", message="the arguments are nested too deep")]
    except Exception as error:
        return [unreadable(args, error)]
    return decoder.problems or decoder.signature.call(values)


def as_mapping(
    bound: BoundTool, args: object, *, lenient: bool = False
) -> dict[str, Any] | list[Problem]:
    """The arguments as an object with names that are text, and no more looked at; or problems."""
    decoder = Decoder(bound, lenient=lenient)
    try:
        found = _as_object(decoder, args)
        return decoder.problems if found is None else dict(found)
    except Exception as error:
        return [unreadable(args, error)]


def unreadable(args: object, error: Exception) -> Problem:
    """The problem with arguments whose own methods raise. Every other error goes on: of what
    a JSON decoder makes, none does."""
    if isinstance(error, ToolcallError) or _is_data(args):
        raise error
    said = "the arguments are not JSON: a value cannot be read"
    return Problem("invalid_arguments", "", "object", message=said, exception=error)


def _is_data(args: object) -> bool:
    """Whether everything in some arguments is of the very classes that decoders make."""
    waiting, seen = [args], set()
    while waiting:
        value = waiting.pop()
        cls = type(value)
        if cls not in _DATA:
            return False
        if (cls is list or cls is dict) and id(value) not in seen:
            seen.add(id(value))
            waiting += value  # type: ignore[arg-type]  # a list, or the keys of a dict
            if cls is dict:
                waiting += value.values()  # type: ignore[attr-defined]
    return True


_DATA = frozenset((str, int, float, bool, type(None), list, dict, WrittenFloat))


def _values(decoder: Decoder, sent: object, injected: Mapping[str, Any]) -> dict[str, Any]:
    """The values by the parameters' Python names, those of `**kw` in a dict under its name."""
    signature = decoder.signature
    args = _as_object(decoder, sent)
    if args is None:
        return {}
    fields = signature.fields
    unknown = [] if args.keys() <= signature.by_wire.keys() else _unknown(decoder, signature, args)
    absent = absent_names(decoder, fields, args)
    given = fields
    if absent:
        missing_refused(decoder, fields, absent, ())
        given = [field for field in fields if field["wire"] not in absent]
    gaps: dict[str, Any] = {}
    if signature.has_positions:
        gaps = _gaps(decoder, signature, {*injected, *(field["name"] for field in given)})
    values = {
        field["name"]: decoder.value(field["type"], args[field["wire"]], ((), field["wire"]))
        for field in given
    }
    if signature.var_keyword is not None:
        rest = {key: args[key] for key in unknown if key not in signature.reserved}
        values[signature.var_keyword_name] = extra_values(decoder, signature.var_keyword, rest, ())
    if decoder.problems:
        return values
    filled = {
        field["name"]: _filled(decoder, signature, field)
        for field in fields
        if field["wire"] in absent and "fill" in field
    }
    return {**gaps, **filled, **values, **injected}


def _filled(decoder: Decoder, signature: Signature, field: ir.Parameter) -> Any:
    """The value that a default object such as `Field(default=1)` stands for."""
    if "default" in field:
        return decoder.value(field["type"], field["default"], ((), field["wire"]))
    own = signature.defaults.get(field["name"])
    make = getattr(own, "get_default", None)
    return make(call_default_factory=True) if callable(make) else None


def _as_object(decoder: Decoder, sent: object) -> Mapping[str, Any] | None:
    if type(sent) is dict:
        args: dict[Any, Any] | None = sent
    elif sent is None or (type(sent) is str and not sent):
        return {}
    else:
        args = _coerce_containers.as_object(decoder, sent)
    if args is None:
        decoder.refuse("invalid_arguments", (), sent, "object", got=json_type(sent))
        return None
    if not _coerce_containers.keys_are_text(decoder, args, ()):
        return None
    own_names = decoder.signature.own_names
    return args if own_names is None else own_names(args)


def _unknown(decoder: Decoder, signature: Signature, args: Mapping[str, Any]) -> list[str]:
    """The names that no parameter has; told as problems, unless `**kw` takes them."""
    unknown = [key for key in args if key not in signature.by_wire]
    refused = unknown
    if signature.var_keyword is not None:
        refused = [key for key in unknown if key in signature.reserved]
    names_refused(decoder, refused, args, signature.fields, ())
    return unknown


def _gaps(decoder: Decoder, signature: Signature, given: set[str]) -> dict[str, Any]:
    """Values for what is left out before something that goes by position.

    They are the function's own defaults; where those cannot be seen (C functions), the
    declared default; where there is none, that is a problem.
    """
    filled: dict[str, Any] = {}
    for name in signature.gaps(given):
        field = next((field for field in signature.fields if field["name"] == name), None)
        if field is None or field["required"]:
            continue  # told as missing, or injected later
        if "default" in field:
            filled[name] = decoder.value(field["type"], field["default"], ((), field["wire"]))
            if filled[name] is not BAD:
                continue
        said = f'argument "{field["wire"]}" may only be left out together with those after it'
        path = ((), field["wire"])
        expected = decoder.described(field["type"])
        decoder.refuse("argument_gap", path, None, expected, got="nothing", message=said)
    return filled
