"""One call as it was asked for: its settings, and the steps up to the function.

Reads arguments from JSON text where they are text, takes the injected values out of the
context, has everything decoded, and answers what to call with what, or the problems. It
neither calls the function nor knows of loops and threads.
"""

from __future__ import annotations

from toolcall._coerce import as_mapping, decode, unreadable
from toolcall._decoder import MAX_DEPTH
from toolcall._signature import signature_of
from toolcall._values import Context, Err
from toolcall._wire import MAX_SIZE, read_arguments
from toolcall.errors import Misuse, Problem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from toolcall._bind import BoundTool


def is_text(args: object) -> bool:
    """Whether arguments came as text. Asked of the type: what a value says itself may raise."""
    return issubclass(type(args), (str, bytes, bytearray, memoryview))


class Request:
    """What the program says about one call, beside the tool and the arguments."""

    __slots__ = ("call_id", "context", "lenient", "loads", "max_depth", "max_size", "timeout")

    def __init__(
        self,
        *,
        context: object = None,
        call_id: str | None = None,
        lenient: bool = False,
        loads: Callable[[Any], Any] | None = None,
        timeout: float | None = None,
        max_depth: int | None = None,
        max_size: int | None = None,
    ) -> None:
        self.context = context
        self.call_id = call_id
        self.lenient = lenient
        self.loads = loads
        self.timeout = timeout
        self.max_depth = MAX_DEPTH if max_depth is None else max_depth
        self.max_size = MAX_SIZE if max_size is None else max_size


def work_of(bound: BoundTool, args: object, request: Request) -> Callable[[], Any] | Err:
    """What to run for a call, or an Err with everything that is wrong with it."""
    fn = bound.fn
    if fn is None:
        raise Misuse(f"the tool {bound.tool['name']!r} was loaded without its code and cannot run")
    if is_text(args):
        args = read(bound, args, request)
        if isinstance(args, Err):
            return args
    if "whole" in bound.options:
        return _whole(bound, args, request)
    found = decode(
        bound,
        args,
        lenient=request.lenient,
        injected=injected(bound, request.context, request.call_id),
        max_depth=request.max_depth,
    )
    if isinstance(found, list):
        return Err(found)
    positional, keywords = found
    return lambda: fn(*positional, **keywords)


def problems_of(bound: BoundTool, args: object, request: Request) -> tuple[Problem, ...]:
    """Everything that is wrong with a call that is not to be made; empty if nothing is."""
    if is_text(args):
        args = read(bound, args, request)
        if isinstance(args, Err):
            return args.problems
    found: object
    if "whole" in bound.options:
        found = as_mapping(bound, args, lenient=request.lenient)
    else:
        given = {one["name"]: None for one in signature_of(bound).injected}
        found = decode(bound, args, lenient=request.lenient, injected=given)
    return tuple(found) if isinstance(found, list) else ()


def read(bound: BoundTool, text: Any, request: Request) -> Any:
    """The value of JSON text, or an Err."""
    is_str = issubclass(type(text), str)
    try:
        plain = str.__str__(text) if is_str else memoryview(text).tobytes()
    except ValueError as error:  # a view that was released
        return Err((unreadable(text, error),))
    value = read_arguments(
        plain,
        max_depth=request.max_depth,
        max_size=request.max_size,
        written=signature_of(bound).has_decimal,
        loads=request.loads,
    )
    return Err(value) if _are_problems(value) else value


def _are_problems(value: object) -> bool:
    return isinstance(value, list) and bool(value) and isinstance(value[0], Problem)


def _whole(bound: BoundTool, args: object, request: Request) -> Callable[[], Any] | Err:
    """The call of a tool that decodes by itself; its arguments must only be an object."""
    fn: Any = bound.fn
    given = as_mapping(bound, args, lenient=request.lenient)
    if isinstance(given, list):
        return Err(given)
    context = Context(request.context, request.call_id, bound.tool["name"])
    return lambda: fn(given, context, lenient=request.lenient)


def injected(bound: BoundTool, context: object, call_id: str | None) -> dict[str, Any]:
    """The values that the program gives, by parameter. Misuse where one is missing."""
    return {
        one["name"]: value
        for one in signature_of(bound).injected
        if (value := _injected(bound, one, context, call_id)) is not _ABSENT
    }


_ABSENT = object()


def _injected(bound: BoundTool, one: Any, context: object, call_id: str | None) -> Any:
    if one["how"] == "context":
        return Context(context, call_id, bound.tool["name"])
    value = _of_context(context, one["name"])
    if value is _ABSENT and one["required"]:
        raise Misuse(
            f"the tool {bound.tool['name']!r} needs {one['name']!r} from the context: call it "
            f"with context={{{one['name']!r}: …}} or an object that has this attribute"
        )
    return value


def _of_context(context: object, name: str) -> Any:
    if isinstance(context, dict):
        return context.get(name, _ABSENT)
    if _is_mapping(context):
        mapping: Mapping[Any, Any] = context  # type: ignore[assignment]
        return mapping.get(name, _ABSENT)
    return getattr(context, name, _ABSENT)


def _is_mapping(context: object) -> bool:
    from collections.abc import Mapping

    return isinstance(context, Mapping)
