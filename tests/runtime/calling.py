"""Tools made of IR and a function, without checker and sidecar."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from toolcall import _tool
from toolcall._bind import BoundTool
from toolcall._coerce import decode
from toolcall._values import Err, Ok

STRING: dict[str, Any] = {"kind": "string"}
INTEGER: dict[str, Any] = {"kind": "integer"}
NUMBER: dict[str, Any] = {"kind": "number"}
BOOLEAN: dict[str, Any] = {"kind": "boolean"}
NULL: dict[str, Any] = {"kind": "null"}
ANY: dict[str, Any] = {"kind": "any"}


def label(value: object) -> str:
    """A test's name for a value: the same in every process, whatever order a set has there."""
    if isinstance(value, (set, frozenset)):
        return f"{type(value).__name__}({sorted(map(repr, value))})"
    return repr(value)


def array(items: dict[str, Any], cls: str = "list", **more: Any) -> dict[str, Any]:
    return {"kind": "array", "cls": cls, "items": items, **more}


def nullable(inner: dict[str, Any]) -> dict[str, Any]:
    return {"kind": "nullable", "inner": inner}


def union(*branches: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"kind": "union", "branches": list(branches), **more}


def mapping(
    value: dict[str, Any], key: dict[str, Any] = STRING, cls: str = "dict", **more: Any
) -> dict[str, Any]:
    return {"kind": "mapping", "cls": cls, "key": key, "value": value, **more}


def stdlib(name: str, **more: Any) -> dict[str, Any]:
    return {"kind": "stdlib", "type": name, **more}


def literal(*values: Any) -> dict[str, Any]:
    return {"kind": "literal", "values": [{"value": value} for value in values]}


def enum(cls: type, name: str | None = None) -> dict[str, Any]:
    members: Any = cls
    listed = [{"name": one.name, "value": one.value} for one in members]
    return {"kind": "enum", "cls": name or name_of(cls), "members": listed}


def name_of(cls: type) -> str:
    return f"{cls.__module__}:{cls.__qualname__}"


def field(
    name: str, type: dict[str, Any], required: bool = True, wire: str | None = None, **more: Any
) -> dict[str, Any]:
    return {"name": name, "wire": wire or name, "type": type, "required": required, **more}


def object_(style: str, cls: type | str, *fields: dict[str, Any], **more: Any) -> dict[str, Any]:
    name = cls if isinstance(cls, str) else name_of(cls)
    return {"kind": "object", "style": style, "cls": name, "fields": list(fields), **more}


def parameter(
    name: str,
    type: dict[str, Any],
    required: bool = True,
    kind: str = "positional_or_keyword",
    wire: str | None = None,
    **more: Any,
) -> dict[str, Any]:
    return {**field(name, type, required, wire, **more), "kind": kind}


def injected(
    name: str, how: str = "value", *, position: int = 0, required: bool = False
) -> dict[str, Any]:
    kind = "keyword_only"
    return {"name": name, "how": how, "kind": kind, "position": position, "required": required}


def bound(
    fn: Callable[..., Any],
    *parameters: dict[str, Any],
    types: dict[str, Any] | None = None,
    options: dict[str, Any] | None = None,
    **tool: Any,
) -> BoundTool:
    """A tool of that function, which is a source from now on as well."""
    entry: Any = {
        "key": fn.__qualname__,
        "line": 1,
        "name": fn.__name__,
        "parameters": list(parameters),
        "is_async": False,
        "binding": "function",
        **tool,
    }
    made = BoundTool(entry, types or {}, fn, fn.__module__, fn.__module__)
    made.options = options or {}
    record = _tool.record(fn, fn.__globals__)
    record.bound = made
    setattr(fn, _tool.ATTRIBUTE, record)
    return made


def value_of(type: dict[str, Any], value: Any, *, lenient: bool = False, **types: Any) -> Any:
    """What a tool with one parameter of a type gets for a value; or its problems' codes."""

    def f(x: Any) -> Any:
        return x

    found = decode(bound(f, parameter("x", type), types=types), {"x": value}, lenient=lenient)
    if isinstance(found, list):
        return [problem.code for problem in found]
    (positional, keywords) = found
    return f(*positional, **keywords)


def by_reference(tool: BoundTool, args: Any) -> Ok[Any] | Err:
    """The answer that the reference decoder leads to."""
    found = decode(tool, args)
    if isinstance(found, list):
        return Err(found)
    positional, keywords = found
    assert tool.fn is not None
    return Ok(tool.fn(*positional, **keywords))


def same(one: Any, other: Any) -> bool:
    """Whether two values are equal in every part, and of one type in every part."""
    if type(one) is not type(other):
        return False
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, (list, tuple)):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, (set, frozenset)):
        return sorted(map(repr, one)) == sorted(map(repr, other))
    if isinstance(one, float):
        return repr(one) == repr(other)
    if hasattr(one, "__dataclass_fields__"):
        return same(vars(one), vars(other))
    return bool(one == other)
