"""Source of one tool's call: take the arguments apart, check each, call the function.

    def call(a):
        if type(a) is not dict: return other(a)
        try:
            …straight-line checks, see _writer…
        except …: later = slow
        else:
            try: r = fn(…)
            except BaseException as e: return failed(e)
            …what to answer for r…
        return later(a)

The function is called outside of the handler of the checks, so that nothing it raises is
taken for a refusal. A refusal is raised (`E`) from where it is found. Where code of the
user ran among the checks, an `E` of somebody else's call may come out of that, so the
handler looks whether it is this very one.

Not every signature is written: what must go by position, or takes what it gets by name,
is left to the reference decoder (`Signature.is_slow`).
"""

from __future__ import annotations

from types import FunctionType, MethodType

from toolcall import _generate_containers, _generate_scalars
from toolcall._signature import signature_of
from toolcall._writer import CHECKS, REFUSE, Writer, takes_null

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from toolcall._bind import BoundTool
    from toolcall._signature import Signature
    from toolcall._writer import Mode

CHECKS.update(_generate_scalars.CHECKS)
CHECKS.update(_generate_containers.CHECKS)


def source_of(
    bound: BoundTool, mode: Mode, *, bare: bool
) -> tuple[str, dict[str, Any], dict[int, str]]:
    """The source of `call`, the values of its bound names, and the keys that numbers stand for.

    `mode` is that of `_writer`. `bare`: the call answers the tool's bare
    value, and `E` is what the program sees.
    """
    signature = signature_of(bound)
    writer = Writer(bound, mode)
    extra = ", g" if signature.injected else ""
    head = "async def" if bound.tool["is_async"] else "def"
    writer.put(0, f"{head} call(a{extra}):")
    writer.put(1, f"if type(a) is not dict: {_answered(bound, f'other(a{extra})')}")
    writer.put(1, "try:")
    own = _own_signature(bound)
    known = own is not None and all(
        field["required"] or field["name"] in own[1] for field in signature.fields
    )
    _take_apart(writer, signature, own[1] if own and known else None)
    arguments = _arguments(writer, signature, own, known)
    _handle(writer, bare)
    writer.put(1, "else:")
    _call(writer, bound, arguments, bare)
    writer.put(1, _answered(bound, f"later(a{extra})"))
    return "\n".join(writer.lines) + "\n", writer.env, writer.keys


def _answered(bound: BoundTool, call: str) -> str:
    return f"return await {call}" if bound.tool["is_async"] else f"return {call}"


def _take_apart(writer: Writer, signature: Signature, defaults: dict[str, Any] | None) -> None:
    """Locals p0, p1, … for the arguments; for one that is not there its default or M."""
    fields = signature.fields
    optional = [field for field in fields if not field["required"]]
    keys = [writer.key(field["wire"]) for field in fields]
    for index, (field, key) in enumerate(zip(fields, keys, strict=True)):
        if field["required"]:
            writer.put(2, f"p{index} = a[{key}]")
    if not optional:
        writer.refuse_if(2, f"len(a) > {len(fields)}")
        return
    writer.put(2, f"if len(a) == {len(fields)}:")
    for index, (field, key) in enumerate(zip(fields, keys, strict=True)):
        if not field["required"]:
            writer.put(3, f"p{index} = a[{key}]")
    if len(optional) == 1:  # with one key less it is the one that is not there
        stand_in = _stand_in(writer, optional[0], defaults)
        absent = f"p{fields.index(optional[0])} = {stand_in}"
        writer.put(2, f"elif len(a) == {len(fields) - 1}: {absent}")
        writer.put(2, f"else: {REFUSE}")
        return
    writer.put(2, "else:")
    writer.put(3, f"n = {len(fields) - len(optional)}")
    for index, (field, key) in enumerate(zip(fields, keys, strict=True)):
        if not field["required"]:
            writer.put(3, f"if {key} in a: p{index} = a[{key}]; n += 1")
            writer.put(3, f"else: p{index} = {_stand_in(writer, field, defaults)}")
    writer.refuse_if(3, "n < len(a)")


def _stand_in(writer: Writer, field: Any, defaults: dict[str, Any] | None) -> str:
    if defaults is not None and _is_plain(field["type"], defaults[field["name"]]):
        return writer.bind(defaults[field["name"]])
    return "M"


def _is_plain(node: Any, default: Any) -> bool:
    """Whether a default passes the checks of its own type unchanged, whatever it is."""
    if node["kind"] == "nullable":
        return default is None or _is_plain(node["inner"], default)
    unbounded = not node.keys() - {"kind", "doc"}
    return unbounded and (
        (node["kind"] == "string" and type(default) is str and default.isascii())
        or (node["kind"] == "integer" and type(default) is int)
        or (node["kind"] == "number" and type(default) is float and default - default == 0)
        or (node["kind"] == "boolean" and type(default) is bool)
    )


def _arguments(
    writer: Writer,
    signature: Signature,
    own: tuple[tuple[str, ...], dict[str, Any]] | None,
    known: bool,
) -> str:
    """Check every argument; answer the text between the parentheses of the call.

    `own` is what the function says of itself, `known` whether that has every default.
    """
    if not known and not all(field["required"] for field in signature.fields):
        writer.put(2, "kw = {}")
    names = [
        _argument(writer, index, field, own[1] if own and known else None)
        for index, field in enumerate(signature.fields)
    ]
    given = [
        (field["name"], name)
        for field, name in zip(signature.fields, names, strict=True)
        if field["required"] or known
    ]
    by_position = 0
    if own is not None and not signature.injected:
        while by_position < len(given) and own[0][by_position : by_position + 1] == (
            given[by_position][0],
        ):
            by_position += 1
    parts = [local for _, local in given[:by_position]]
    parts += [f"{name}={local}" for name, local in given[by_position:]]
    if len(given) < len(names):
        parts.append("**kw")
    if signature.injected:
        parts.append("**g")
    return ", ".join(parts)


def _argument(writer: Writer, index: int, field: Any, defaults: dict[str, Any] | None) -> str:
    """Check one argument; answer the local that is handed over."""
    local = f"p{index}"
    if field["required"]:
        return writer.value(2, field["type"], local)
    nullable = takes_null(writer, field["type"])
    absent = f"{local} is M" if nullable else f"{local} is M or {local} is None"
    if defaults is not None:
        default = writer.bind(defaults[field["name"]])
        if _is_plain(field["type"], defaults[field["name"]]):
            if not nullable:
                writer.put(2, f"if {local} is None: {local} = {default}")
            writer.assigned(2, field["type"], local)
            return local
        writer.put(2, f"if {absent}: {local} = {default}")
        writer.put(2, "else:")
        writer.assigned(3, field["type"], local)
        return local
    writer.put(2, f"if not ({absent}):")
    writer.assigned(3, field["type"], local)
    writer.put(3, f"kw[{writer.key(field['name'])}] = {local}")
    return local


def _own_signature(bound: BoundTool) -> tuple[tuple[str, ...], dict[str, Any]] | None:
    """The names that a plain function takes by position, and its defaults; None for others."""
    fn: Any = bound.fn
    skipped = 0
    if type(fn) is MethodType:
        fn, skipped = fn.__func__, 1
    if type(fn) is not FunctionType:
        return None
    code = fn.__code__
    names = code.co_varnames[: code.co_argcount]
    values = fn.__defaults__ or ()
    defaults = dict(zip(names[len(names) - len(values) :], values, strict=True))
    return names[skipped:], {**defaults, **(fn.__kwdefaults__ or {})}


def _handle(writer: Writer, bare: bool) -> None:
    if not bare:
        writer.put(1, "except E: return refused(a)")
    elif writer.constructs:
        writer.put(1, "except E as e:")
        writer.put(2, "if len(e.args) == 2 and e.args[0] is explain and e.args[1] is a: raise")
        writer.put(2, "later = slow")
    else:
        writer.put(1, "except E: raise")
    if any("raise Changed" in line for line in writer.lines):
        writer.put(1, "except Changed: later = again")
    if not writer.constructs:
        writer.put(1, "except SURE: later = refuse")
    writer.put(1, "except Exception: later = slow")


_CLASSES = {
    "array": "list",
    "boolean": "bool",
    "integer": "int",
    "mapping": "dict",
    "number": "float",
    "string": "str",
}
"""What a function most likely returns that says so: looked for before the unusual classes."""


def _call(writer: Writer, bound: BoundTool, arguments: str, bare: bool) -> None:
    writer.put(2, "try:")
    if bound.tool["is_async"]:
        writer.put(3, f"r = fn({arguments})")
        writer.put(3, "r = await r if r.__class__ is Coroutine else await late(r)")
    else:
        writer.put(3, f"r = fn({arguments})")
    writer.put(2, "except BaseException as e: return failed(e)")
    returns = bound.tool.get("returns")
    declared = _CLASSES.get(returns["kind"]) if returns else None
    expected = f"r.__class__ is not {declared} and " if declared else ""
    writer.put(2, f"if {expected}r.__class__ in UNUSUAL: return unusual(r)")
    if bare:
        writer.put(2, "return r")
    else:  # `return Ok(r)` without a call of Python code
        writer.put(2, "o = new(); o._value = r; o._processed = None")
        writer.put(2, "return o")
