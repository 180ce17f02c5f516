"""The generated decoder: compiled for a tool on its first call, kept on the bound tool.

`call_of` answers the whole call of one tool as one function: arguments in, answer out. It
takes arguments as decoded or as JSON text. Everything that the generated code does not
take, or is not sure of, goes to the reference decoder through `slow`, so both always give
the same answer. What the code needs is bound in its globals; the code object is made once
for a tool and shared by its bound methods.

Two forms of answer: `bare=False` answers Ok and Err, `bare=True` the bare value and raises
CallError, whose problems are worked out when they are read.
"""

from __future__ import annotations

from types import CodeType, CoroutineType, FunctionType, NoneType

from toolcall._coerce import decode
from toolcall._coerce_containers import KINDS as CONTAINERS
from toolcall._coerce_scalars import is_text as is_well_formed
from toolcall._decoder import Decoder
from toolcall._generate import source_of
from toolcall._outcome import UNUSUAL, answer, failed, late, settled
from toolcall._request import Request, is_text, read
from toolcall._signature import prepared
from toolcall._values import Err, Ok, empty_ok
from toolcall._wire import read_flat
from toolcall.errors import CallError, Problem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, NoReturn

    from toolcall._bind import BoundTool
    from toolcall._writer import Mode

EXACT = frozenset({str, int, float, bool, NoneType, list, dict})
"""The classes that JSON is decoded to. Only about these is a mismatch sure."""

INERT = frozenset({int, bool, NoneType})
"""The classes of which every value is fine where anything goes."""


NOTHING: dict[str, Any] = {}
"""What is injected into most tools."""


class Unsure(Exception):
    """The generated code leaves the call to the reference decoder."""


class Changed(Exception):
    """A number inside of what is handed over as it is must change its type."""


SURE = KeyError, TypeError
"""Raised where a key is not there, and where `isascii` is given no text: nothing else raises
these among checks that run no code of the user. Whatever else is raised there is not sure."""


class Refused(Exception):
    """The arguments are refused; `args` is (explain, arguments)."""


def call_of(
    bound: BoundTool,
    *,
    bare: bool = False,
    mode: Mode = "kept",
    loads: Callable[[Any], Any] | None = None,
) -> Callable[..., Any]:
    """The call of a tool as one function, see the module.

    `mode` is "owned" for arguments that may be changed in place, else "kept". Injected
    values are the function's second argument, a dict, for tools that have any.
    """
    kept = prepared(bound)
    key = bare, mode, loads
    call = kept.made.get(key)
    if call is None:
        kept.made[key] = call = _made(bound, bare, mode, loads)
    return call


def _made(
    bound: BoundTool, bare: bool, mode: Mode, loads: Callable[[Any], Any] | None
) -> Callable[..., Any]:
    env = _Helpers(bound, bare, loads).names()
    codes = prepared(bound).signature.code
    key = bare, mode
    if key not in codes and not prepared(bound).signature.is_slow:
        source, names, keys = source_of(bound, mode, bare=bare)
        codes[key] = _code(source, keys, f"<toolcall {bound.tool['name']!r}>"), names
    if key not in codes:
        slow: Callable[..., Any] = env["other"]
        return slow
    code, names = codes[key]
    env.update(names)
    return FunctionType(code, env)


MAX_COMPILED = 300

_compiled: dict[str, CodeType] = {}
"""What was compiled, by source: tools that take the same types under other names share it."""


def _code(source: str, keys: Mapping[int, str], name: str) -> CodeType:
    """The code of the function in a source, with the keys of one tool in it."""
    compiled = _compiled.get(source)
    if compiled is None:
        constants = compile(source, "<toolcall>", "exec").co_consts
        compiled = next(constant for constant in constants if type(constant) is CodeType)
        if len(_compiled) >= MAX_COMPILED:
            _compiled.clear()
        _compiled[source] = compiled
    constants = tuple([keys.get(c, c) if type(c) is int else c for c in compiled.co_consts])
    return compiled.replace(co_consts=constants, co_filename=name)


def to_int(value: object) -> int | None:
    """The integer that a number stands for; None for any other value that JSON has."""
    if type(value) is float and value.is_integer():
        return int(value)
    _must_be_json(value)
    return None


def to_float(value: object) -> float | None:
    """The same for a float."""
    if type(value) is int:
        return float(value)
    _must_be_json(value)
    return None


def _must_be_json(value: object) -> None:
    if type(value) not in EXACT:
        raise Unsure


class _Helpers:
    """What generated code calls when it is not on its straight line."""

    def __init__(self, bound: BoundTool, bare: bool, loads: Callable[[Any], Any] | None) -> None:
        self.bound = bound
        self.bare = bare
        self.error: type[Exception] = CallError if bare else Refused
        self.request = Request(loads=loads)
        self.signature = prepared(bound).signature
        self.reads_flat = loads is None and not (
            self.signature.has_decimal or self.signature.is_slow
        )
        self.env: dict[str, Any] = {}
        # One object, by which a call knows its own refusals.
        self.explain_ = self.explain

    def names(self) -> dict[str, Any]:
        """The globals of the generated code."""
        is_async = self.bound.tool["is_async"]
        self.env = {
            "__builtins__": _BUILTINS,
            "Changed": Changed,
            "Coroutine": CoroutineType,
            "E": self.error,
            "INERT": INERT,
            "M": object(),
            "SURE": SURE,
            "UNUSUAL": UNUSUAL,
            "Unsure": Unsure,
            "again": self.again,
            "as_float": self.as_float,
            "as_floats": self.as_floats,
            "as_int": self.as_int,
            "as_ints": self.as_ints,
            "explain": self.explain_,
            "failed": self.failed,
            "fn": self.bound.fn,
            "isascii": str.isascii,
            "join": "".join,
            "late": late,
            "new": empty_ok,
            "other": self.aother if is_async else self.other,
            "other_type": self.other_type,
            "part": self.part,
            "plain": self.plain,
            "refuse": self.arefuse if is_async else self.refuse,
            "refused": self.refused,
            "slow": self.aslow if is_async else self.slow,
            "text": self.text,
            "texts": self.texts,
            "to_float": to_float,
            "to_int": to_int,
            "unusual": self.unusual,
        }
        return self.env

    # Values

    def refusal(self, value: object, args: object) -> Exception:
        """What to raise for a value of a wrong type: a refusal, if JSON has such values."""
        return self.error(self.explain_, args) if type(value) in EXACT else Unsure()

    def other_type(self, value: object, args: object) -> NoReturn:
        raise self.refusal(value, args)

    def text(self, value: object, args: object) -> None:
        """A str that is not plain ASCII, or no str."""
        if type(value) is not str or not is_well_formed(value):
            raise self.refusal(value, args)

    def texts(self, values: list[Any], args: object) -> None:
        """A list of str that are not all plain ASCII."""
        for value in values:
            self.text(value, args)

    def as_int(self, value: object, args: object) -> int:
        whole = to_int(value)
        if whole is None:
            raise self.error(self.explain_, args)
        return whole

    def as_float(self, value: object, args: object) -> float:
        real = to_float(value)
        if real is None:
            raise self.error(self.explain_, args)
        return real

    def as_ints(self, values: list[Any], args: object) -> list[int]:
        return [v if type(v) is int else self.as_int(v, args) for v in values]

    def as_floats(self, values: list[Any], args: object) -> list[float]:
        floats = [v if type(v) is float else self.as_float(v, args) for v in values]
        if any(v - v for v in floats):
            raise self.error(self.explain_, args)
        return floats

    def part(self, node: Any, value: object, depth: int) -> Any:
        """The value as the reference decoder has it."""
        decoder = Decoder(self.bound)
        decoder.depth = depth
        decoded = decoder.value(node, value, ())
        if decoder.problems:
            raise Unsure
        return decoded

    def plain(self, value: object, depth: int) -> None:
        """A value of which nothing is known, if it is handed over as it is."""
        if type(value) is str and value.isascii():
            return
        decoder = Decoder(self.bound)
        decoder.depth = depth
        if CONTAINERS["any"](decoder, None, value, ()) is not value:
            raise Unsure

    # Whole calls

    def explain(self, args: object) -> list[Problem]:
        """The problems with arguments that were refused."""
        found = decode(self.bound, args)
        if isinstance(found, list):
            return found
        said = "the arguments were refused, and have been changed since"
        return [Problem("invalid_arguments", message=said)]

    def refused(self, args: object) -> Err:
        return Err(self.explain(args))

    def refuse(self, args: object, *_: object) -> Any:
        """The answer for arguments that are surely refused."""
        if self.bare:
            raise CallError(self.explain_, args)
        return self.refused(args)

    async def arefuse(self, args: object, *_: object) -> Any:
        """The same for an async tool."""
        return self.refuse(args)

    def failed(self, error: BaseException) -> Any:
        answered = failed(self.bound, error)
        if self.bare:
            raise CallError(answered.problems) from error
        return answered

    def unusual(self, value: Any) -> Any:
        """What a tool returned that is not simply a value."""
        return self.answered(settled(self.bound, value))

    def answered(self, found: Ok[Any] | Err) -> Any:
        if not self.bare:
            return found
        if isinstance(found, Err):
            raise CallError(found.problems)
        return found.value

    def slow(self, args: object, injected: Mapping[str, Any] = NOTHING) -> Any:
        """The call by the reference decoder."""
        found = decode(self.bound, args, injected=injected)
        if isinstance(found, list):
            return self.answered(Err(found))
        positional, keywords = found
        fn: Any = self.bound.fn
        try:
            value = fn(*positional, **keywords)
        except BaseException as error:
            return self.failed(error)
        return self.unusual(value)

    async def aslow(self, args: object, injected: Mapping[str, Any] = NOTHING) -> Any:
        """The same for an async tool."""
        found = decode(self.bound, args, injected=injected)
        if isinstance(found, list):
            return self.answered(Err(found))
        positional, keywords = found
        fn: Any = self.bound.fn
        try:
            value = await late(fn(*positional, **keywords))
        except BaseException as error:
            return self.failed(error)
        return self.answered(answer(self.bound, value))

    def other(self, args: object, *injected: dict[str, Any]) -> Any:
        """Arguments that are no dict: most often JSON text."""
        if type(args) is str and self.reads_flat:
            flat = read_flat(args)
            if flat is not None:
                return self.in_mode("owned")(flat, *injected)
        if is_text(args):
            args = read(self.bound, args, self.request)
            if isinstance(args, Err):
                return self.answered(args)
            if type(args) is dict and not self.signature.is_slow:
                return self.in_mode("owned")(args, *injected)
        return self.slow(args, *injected)

    async def aother(self, args: object, *injected: dict[str, Any]) -> Any:
        if is_text(args):
            args = read(self.bound, args, self.request)
            if isinstance(args, Err):
                return self.answered(args)
            if type(args) is dict and not self.signature.is_slow:
                return await self.in_mode("owned")(args, *injected)
        return await self.aslow(args, *injected)

    def again(self, args: dict[str, Any], *injected: dict[str, Any]) -> Any:
        """The call that builds what changes anew; the next time it is found at once."""
        self.env["again"] = call = self.in_mode("copied")
        return call(args, *injected)

    def in_mode(self, mode: Mode) -> Callable[..., Any]:
        """The same call for other arguments."""
        return call_of(self.bound, bare=self.bare, mode=mode, loads=self.request.loads)


_BUILTINS = {
    "BaseException": BaseException,
    "Exception": Exception,
    "bool": bool,
    "dict": dict,
    "float": float,
    "frozenset": frozenset,
    "int": int,
    "len": len,
    "list": list,
    "set": set,
    "str": str,
    "tuple": tuple,
    "type": type,
}
