"""Source for containers, objects and combinations, see `_writer`.

Objects of the user's classes are made by the very call that the reference decoder makes:
with keywords, or by position where that means the same and is cheaper.
"""

from __future__ import annotations

from types import FunctionType

from toolcall._classes import find
from toolcall._coerce_unions import resolved
from toolcall._construct import BUILD
from toolcall._generate_scalars import converted, unless_is
from toolcall._writer import REFUSE, is_plain_number, keeps, may_change, quoted, taken, takes_null
from toolcall.errors import ClassNotFound

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from toolcall._writer import Check, Writer


# Arrays and mappings


def _array(w: Writer, i: int, node: Any, v: str, back: str | None) -> str:
    w.put(i, f"if {v}.__class__ is not list: other_type({v}, a)")
    if "min_items" in node:
        w.refuse_if(i, f"len({v}) < {w.bind(node['min_items'])}")
    if "max_items" in node:
        w.refuse_if(i, f"len({v}) > {w.bind(node['max_items'])}")
    w.depth += 1
    result = _items(w, i, node, v, back)
    w.depth -= 1
    return result


def _items(w: Writer, i: int, node: Any, v: str, back: str | None) -> str:
    items = resolved(node["items"], w.types)
    plain = not items.keys() - {"kind", "doc"}
    if node["cls"] == "list" and is_plain_number(items):
        return _numbers(w, i, items["kind"], v, back)
    if node["cls"] == "list" and items["kind"] == "string" and plain:
        # Joining looks at every type and is one call; the copy is short-lived.
        w.put(i, f"if not isascii(join({v})): texts({v}, a)")
        return v
    element = w.local()
    if node["cls"] == "list" and keeps(w, items) and not may_change(w, items):
        w.put(i, f"for {element} in {v}:")
        w.assigned(i + 1, node["items"], element)
        return v
    result = w.local()
    w.put(i, f"{result} = []")
    w.put(i, f"for {element} in {v}:")
    w.put(i + 1, f"{result}.append({w.value(i + 1, node['items'], element)})")
    return _collected(w, i, node["cls"], result, v)


def _numbers(w: Writer, i: int, kind: str, v: str, back: str | None) -> str:
    """A list of plain numbers: built anew only from the first one that changes."""
    element = w.local()
    cls = "int" if kind == "integer" else "float"
    w.put(i, f"for {element} in {v}:")
    copied = f"{converted(w, v, back, f'as_{cls}s')}; break"
    w.put(i + 1, f"if {element}.__class__ is not {cls}: {copied}")
    if kind == "number":
        w.put(i + 1, f"if {element} - {element}: {REFUSE}")
    return v


def _collected(w: Writer, i: int, cls: str, result: str, v: str) -> str:
    if cls == "list":
        return result
    if cls in {"set", "frozenset", "tuple"}:
        w.put(i, f"{result} = {cls}({result})")
        if cls != "tuple":
            w.refuse_if(i, f"len({result}) != len({v})")
    else:
        from collections import deque

        w.put(i, f"{result} = {w.bind(deque)}({result})")
    return result


def _tuple(w: Writer, i: int, node: Any, v: str, back: str | None) -> str:
    if "rest" in node or not node["prefix"]:
        return w.part(i, node, v)
    w.put(i, f"if {v}.__class__ is not list: other_type({v}, a)")
    w.refuse_if(i, f"len({v}) != {len(node['prefix'])}")
    names = [w.local() for _ in node["prefix"]]
    w.put(i, f"{', '.join(names)}, = {v}")
    w.depth += 1
    parts = [w.value(i, one, name) for one, name in zip(node["prefix"], names, strict=True)]
    w.depth -= 1
    result = w.local()
    w.put(i, f"{result} = ({', '.join(parts)},)")
    return result


def _mapping(w: Writer, i: int, node: Any, v: str, back: str | None) -> str:
    w.put(i, f"if {v}.__class__ is not dict: other_type({v}, a)")
    if "min_properties" in node:
        w.refuse_if(i, f"len({v}) < {w.bind(node['min_properties'])}")
    if "max_properties" in node:
        w.refuse_if(i, f"len({v}) > {w.bind(node['max_properties'])}")
    key, item = w.local(), w.local()
    kept = keeps(w, node["value"]) and not may_change(w, node["value"])
    result = v if kept else w.local()
    if not kept:
        w.put(i, f"{result} = {{}}")
    w.put(i, f"for {key}, {item} in {v}.items():")
    w.put(i + 1, f"if not isascii({key}): text({key}, a)")
    w.depth += 1
    if kept:
        w.assigned(i + 1, node["value"], item)
    else:
        w.put(i + 1, f"{result}[{key}] = {w.value(i + 1, node['value'], item)}")
    w.depth -= 1
    return result


# Objects


def _object(w: Writer, i: int, node: Any, v: str, back: str | None) -> str:
    if "extra" in node:
        return w.part(i, node, v)
    build = _builder(w, node)
    if build is None:
        return w.part(i, node, v)
    w.depth += 1
    w.put(i, f"if {v}.__class__ is not dict: other_type({v}, a)")
    if all(field["required"] for field in node["fields"]):
        result = _closed(w, i, node, v, build)
    else:
        result = _open(w, i, node, v, build)
    w.depth -= 1
    return result


def _builder(w: Writer, node: Any) -> Callable[[list[tuple[str, str]]], str] | None:
    """Writes the expression that makes the object of names and locals; None if there is none."""
    if node["style"] == "typeddict":
        return _display
    try:
        cls = find(w.bound, node["cls"], node["style"])
    except ClassNotFound:  # the reference decoder says so, if it comes to that
        return None
    w.constructs = True
    if node["style"] in {"dataclass", "attrs", "namedtuple"} and _are_keywords(node):
        called = w.bind(cls)
        if _takes_in_order(cls, node):
            return lambda parts: f"{called}({', '.join(part for _, part in parts)})"
        return lambda parts: f"{called}({', '.join(f'{n}={p}' for n, p in parts)})"
    return lambda parts: f"{_constructor(w, node)}({_display(parts)})"


def _display(parts: list[tuple[str, str]]) -> str:
    return "{" + ", ".join(f"{quoted(name)}: {part}" for name, part in parts) + "}"


def _constructor(w: Writer, node: Any) -> str:
    """The name of what makes an object from a dict by field names."""
    make, cls = BUILD[node["style"]], find(w.bound, node["cls"], node["style"])
    return w.bind(lambda values: make(cls, node, values, {}))


def _are_keywords(node: Any) -> bool:
    from keyword import iskeyword

    names = [field["name"] for field in node["fields"]]
    plain = all(name.isidentifier() and name.isascii() and not iskeyword(name) for name in names)
    return plain and not any("tag" in field for field in node["fields"])


def _takes_in_order(cls: Any, node: Any) -> bool:
    """Whether calling a class by position means the same as by keyword, which is dearer."""
    init = cls.__init__
    names = tuple(field["name"] for field in node["fields"])
    return (
        type(cls) is type
        and getattr(cls, "__new__") is object.__new__  # noqa: B009
        and type(init) is FunctionType
        and init.__code__.co_varnames[1 : init.__code__.co_argcount][: len(names)] == names
    )


def _closed(w: Writer, i: int, node: Any, v: str, build: Any) -> str:
    """An object whose fields must all be there."""
    fields = node["fields"]
    kept = keeps(w, node)
    w.refuse_if(i, f"len({v}) != {len(fields)}")
    parts = []
    for field in fields:
        local, key = w.local(), f"{v}[{quoted(field['wire'])}]"
        w.put(i, f"{local} = {key}")
        parts.append((field["name"], w.value(i, field["type"], local, key if kept else None)))
    if kept:
        return v
    result = w.local()
    w.put(i, f"{result} = {build(parts)}")
    return result


def _open(w: Writer, i: int, node: Any, v: str, build: Any) -> str:
    """An object with fields that may be left out, or be a null that says the same."""
    values, seen, item = w.local(), w.local(), w.local()
    required = [field for field in node["fields"] if field["required"]]
    w.put(i, f"{values} = {{}}")
    w.put(i, f"{seen} = {len(required)}")
    for field in node["fields"]:
        key, name = quoted(field["wire"]), quoted(field["name"])
        if field["required"]:
            w.put(i, f"{item} = {v}[{key}]")
            w.put(i, f"{values}[{name}] = {w.value(i, field['type'], item)}")
            continue
        w.put(i, f"if {key} in {v}:")
        w.put(i + 1, f"{seen} += 1")
        w.put(i + 1, f"{item} = {v}[{key}]")
        inner = i + 1
        if not takes_null(w, field["type"]):
            w.put(i + 1, f"if {item} is not None:")
            inner = i + 2
        w.put(inner, f"{values}[{name}] = {w.value(inner, field['type'], item)}")
    w.refuse_if(i, f"len({v}) != {seen}")
    if node["style"] == "typeddict":
        return values
    result = w.local()
    w.put(i, f"{result} = {_constructor(w, node)}({values})")
    return result


# Combinations


def _nullable(w: Writer, i: int, node: Any, v: str, back: str | None) -> str:
    if node["inner"]["kind"] == "integer" and not node["inner"].keys() - {"kind", "doc"}:
        w.put(i, unless_is(w, "int", v, back, f" and {v} is not None"))
        return v
    w.put(i, f"if {v} is not None:")
    w.assigned(i + 1, node["inner"], v, back)
    return v


def _ref(w: Writer, i: int, node: Any, v: str, back: str | None) -> str:
    if node["name"] in w.open:
        return w.part(i, node, v)
    w.open.append(node["name"])
    result = w.value(i, w.types[node["name"]], v, back)
    w.open.pop()
    return result


def _union(w: Writer, i: int, node: Any, v: str, back: str | None) -> str:
    """By the value's exact type, where one branch alone takes values of that type."""
    if "discriminator" in node:
        return w.part(i, node, v)
    result = w.local()
    word = "if"
    for cls in ("str", "int", "float", "bool", "list", "dict"):
        takers = [branch for branch in node["branches"] if cls in taken(w, branch)]
        if len(takers) == 1:
            w.put(i, f"{word} {v}.__class__ is {cls}:")
            w.put(i + 1, f"{result} = {v}")
            w.assigned(i + 1, takers[0], result)
            word = "elif"
    if word == "if":
        return w.part(i, node, v)
    w.put(i, "else:")
    w.put(i + 1, f"{result} = {w.part(i + 1, node, v)}")
    return result


CHECKS: dict[str, Check] = {
    "array": _array,
    "tuple": _tuple,
    "mapping": _mapping,
    "object": _object,
    "nullable": _nullable,
    "ref": _ref,
    "union": _union,
}
