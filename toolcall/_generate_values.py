"""Source that checks one value of the IR and converts it, line by line.

`Writer.value` writes the check of a local variable and answers the name of the local that
holds the value to hand over. Written is only what needs no thought; every other node
becomes a call of `part`, the reference decoder on this one value.

What a check may do when it fails:
    raise E(explain, a)     surely refused, and explained when somebody asks;
    anything else raised    not so sure: the whole call goes to the reference decoder.
Cheap tricks are used where they are exact: `isascii` is str's own and so checks the type
as well, and `x - x` is not zero only for NaN and the infinities.

Keys are written by `repr` and everything else of the IR is bound to a name: a sidecar is a
file, and no text of it may become code.

Containers are handed over as they were sent if nothing in them changes. `back` is the
place of a value inside such a container. The three modes differ in what happens to a number
there that must change its type:
    owned     it is written in its place, which the reference decoder would accept again;
    kept      the check raises `Changed`, and the call starts again in the next mode;
    copied    no container with numbers is handed over: each is built anew.
"""

from __future__ import annotations

from types import FunctionType

from toolcall._classes import find
from toolcall._coerce_unions import resolved
from toolcall._constraints import is_multiple, pattern_limit, search_of
from toolcall._construct import BUILD
from toolcall._stdlib import reader
from toolcall.errors import ClassNotFound

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Literal, TypeAlias

    from toolcall._bind import BoundTool

    Mode: TypeAlias = Literal["kept", "owned", "copied"]
    Check: TypeAlias = Callable[["Writer", int, Any, str, "str | None"], str]

MAX_LINES = 600
"""Longer code would cost more to compile than it saves; the rest is left to `part`."""

REFUSE = "raise E(explain, a)"


class Writer:
    """Lines of source, the names bound for them, and where in the types they are.

    `constructs` says whether code of the user runs among the checks.
    """

    __slots__ = ("bound", "constructs", "count", "depth", "env", "lines", "mode", "open", "types")

    def __init__(self, bound: BoundTool, mode: Mode) -> None:
        self.bound = bound
        self.types = bound.types
        self.mode = mode
        self.lines: list[str] = []
        self.env: dict[str, Any] = {}
        self.count = 0
        self.constructs = False
        self.depth = 0
        self.open: list[str] = []

    def put(self, indent: int, line: str) -> None:
        """Write one line."""
        self.lines.append("    " * indent + line)

    def local(self) -> str:
        """A new name for a local variable."""
        self.count += 1
        return f"v{self.count}"

    def bind(self, value: object) -> str:
        """A new global name for a value."""
        self.count += 1
        name = f"k{self.count}"
        self.env[name] = value
        return name

    def refuse_if(self, indent: int, condition: str) -> None:
        """Refuse the call under a condition."""
        self.put(indent, f"if {condition}: {REFUSE}")

    def value(self, indent: int, node: Any, v: str, back: str | None = None) -> str:
        """Check the local `v`; answer the local that has the value to hand over."""
        write = CHECKS.get(node["kind"])
        if write is None or len(self.lines) > MAX_LINES or not _is_written(node):
            return self.part(indent, node, v)
        return write(self, indent, node, v, back)

    def part(self, indent: int, node: Any, v: str) -> str:
        """Leave this value to the reference decoder."""
        self.constructs = True
        result = self.local()
        self.put(indent, f"{result} = part({self.bind(node)}, {v}, {self.depth})")
        return result

    def assigned(self, indent: int, node: Any, v: str, back: str | None = None) -> None:
        """Check the local `v` and leave the value to hand over in it."""
        before = len(self.lines)
        result = self.value(indent, node, v, back)
        if result != v:
            self.put(indent, f"{v} = {result}")
        elif len(self.lines) == before:
            self.put(indent, "pass")


def _is_written(node: Any) -> bool:
    """Whether the checks here cover everything that a node says."""
    kind = node["kind"]
    if kind == "mapping":
        key = node["key"]
        plain = key["kind"] == "string" and not key.keys() - {"kind", "doc"}
        return plain and node["cls"] == "dict"
    return not (kind == "integer" and "wire" in node)


def keeps(writer: Writer, node: Any, depth: int = 0) -> bool:
    """Whether a good value is handed over as it was sent, but for numbers of another type."""
    node = resolved(node, writer.types)
    kind = node["kind"]
    if kind in {"string", "boolean", "null", "any"}:
        return True
    if kind in {"integer", "number"}:
        return writer.mode != "copied" and "wire" not in node
    if depth > 8:
        return False
    if kind == "literal":
        return not any("enum" in one or type(one["value"]) is not str for one in node["values"])
    if kind == "nullable":
        return keeps(writer, node["inner"], depth + 1)
    if kind == "array":
        items = resolved(node["items"], writer.types)
        return node["cls"] == "list" and keeps(writer, items, depth + 1)
    if kind == "object" and node["style"] == "typeddict" and "extra" not in node:
        return all(
            field["required"]
            and field["name"] == field["wire"]
            and keeps(writer, field["type"], depth + 1)
            for field in node["fields"]
        )
    return False


# Scalars


def _string(w: Writer, i: int, node: Any, v: str, back: str | None) -> str:
    w.put(i, f"if not isascii({v}): text({v}, a)")
    if "min_length" in node:
        w.refuse_if(i, f"len({v}) < {w.bind(node['min_length'])}")
    if "max_length" in node:
        w.refuse_if(i, f"len({v}) > {w.bind(node['max_length'])}")
    if "pattern" in node:
        limit, search = w.bind(pattern_limit(node)), w.bind(search_of(node["pattern"]))
        w.refuse_if(i, f"len({v}) > {limit} or not {search}({v})")
    return v


def _integer(w: Writer, i: int, node: Any, v: str, back: str | None) -> str:
    w.put(i, f"if {v}.__class__ is not int: {_converted(w, v, back, 'as_int')}")
    _bounds(w, i, node, v)
    return v


def _number(w: Writer, i: int, node: Any, v: str, back: str | None) -> str:
    w.put(i, f"if {v}.__class__ is not float: {_converted(w, v, back, 'as_float')}")
    w.put(i, f"elif {v} - {v}: {REFUSE}")  # not zero only for NaN and the infinities
    _bounds(w, i, node, v)
    return v


def _converted(w: Writer, v: str, back: str | None, convert: str) -> str:
    """The statement that converts the local `v`, which may have a place in a kept container."""
    if back is None:
        return f"{v} = {convert}({v}, a)"
    return (
        f"{back} = {v} = {convert}({v}, a)"
        if w.mode == "owned"
        else f"{convert}({v}, a); raise Changed"
    )


def _bounds(w: Writer, i: int, node: Any, v: str) -> None:
    for key, sign in (("ge", "<"), ("gt", "<="), ("le", ">"), ("lt", ">=")):
        if key in node:
            w.refuse_if(i, f"{v} {sign} {w.bind(node[key])}")
    if "multiple_of" in node:
        w.refuse_if(i, f"not {w.bind(is_multiple)}({v}, {w.bind(node['multiple_of'])})")


def _boolean(w: Writer, i: int, node: Any, v: str, back: str | None) -> str:
    w.refuse_if(i, f"{v} is not True and {v} is not False")
    return v


def _null(w: Writer, i: int, node: Any, v: str, back: str | None) -> str:
    w.refuse_if(i, f"{v} is not None")
    return v


def _any(w: Writer, i: int, node: Any, v: str, back: str | None) -> str:
    w.put(i, f"if {v}.__class__ not in INERT: plain({v}, {w.depth})")
    return v


def _stdlib(w: Writer, i: int, node: Any, v: str, back: str | None) -> str:
    if node["type"] == "date":
        return _date(w, i, node, v)
    if node.keys() - {"kind", "doc", "type", "cls"}:
        return w.part(i, node, v)
    if node["type"] in {"path", "pattern"}:
        w.put(i, f"if not isascii({v}): text({v}, a)")
    result = w.local()
    w.put(i, f"{result} = {w.bind(reader(node))}({v})")
    return result


def _date(w: Writer, i: int, node: Any, v: str) -> str:
    """The interpreter's own parser, where the text has the one shape of RFC 3339."""
    from datetime import date

    parse = w.bind(date.fromisoformat)
    shape = f"{v}.__class__ is str and len({v}) == 10 and {v}[4] == '-' == {v}[7]"
    result = w.local()
    w.put(i, f"{result} = {parse}({v}) if {shape} else {w.bind(reader(node))}({v})")
    return result


# Choices


def _literal(w: Writer, i: int, node: Any, v: str, back: str | None) -> str:
    values = [one["value"] for one in node["values"]]
    if any("enum" in one for one in node["values"]) or any(type(x) is not str for x in values):
        return w.part(i, node, v)
    w.put(
        i, f"if {v}.__class__ is not str or {v} not in {w.bind(frozenset(values))}: choice({v}, a)"
    )
    return v


def _enum(w: Writer, i: int, node: Any, v: str, back: str | None) -> str:
    kinds = {type(member["value"]) for member in node["members"]}
    if kinds not in ({str}, {int}):
        return w.part(i, node, v)
    try:
        cls: Any = find(w.bound, node["cls"], "enum").__members__
        table = {member["value"]: cls[member["name"]] for member in node["members"]}
    except (ClassNotFound, KeyError):  # the reference decoder says so, if it comes to that
        return w.part(i, node, v)
    kind = "str" if kinds == {str} else "int"
    result = w.local()
    w.put(i, f"if {v}.__class__ is not {kind}: raise Unsure()")
    w.put(i, f"{result} = {w.bind(table)}[{v}]")
    return result


# Containers


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
    if node["cls"] == "list" and items["kind"] in {"integer", "number"} and plain:
        return _numbers(w, i, items["kind"], v, back)
    element = w.local()
    if node["cls"] == "list" and keeps(w, items) and not _may_change(w, items):
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
    copied = f"{_converted(w, v, back, f'as_{cls}s')}; break"
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
    kept = keeps(w, node["value"]) and not _may_change(w, node["value"])
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


def _may_change(w: Writer, node: Any) -> bool:
    """Whether a kept value may still be a new one: a number, or a list of numbers."""
    node = resolved(node, w.types)
    if node["kind"] in {"integer", "number"}:
        return True
    if node["kind"] == "array":
        return _may_change(w, node["items"])
    return node["kind"] == "nullable" and _may_change(w, node["inner"])


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
    return "{" + ", ".join(f"{_quoted(name)}: {part}" for name, part in parts) + "}"


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


def _quoted(name: str) -> str:
    return str.__repr__(name)


def _closed(w: Writer, i: int, node: Any, v: str, build: Any) -> str:
    """An object whose fields must all be there."""
    fields = node["fields"]
    kept = keeps(w, node)
    w.refuse_if(i, f"len({v}) != {len(fields)}")
    parts = []
    for field in fields:
        local, key = w.local(), f"{v}[{_quoted(field['wire'])}]"
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
        key, name = _quoted(field["wire"]), _quoted(field["name"])
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


def takes_null(w: Writer, node: Any) -> bool:
    """Whether null is a value of a type."""
    from toolcall._coerce_objects import accepts_null

    return accepts_null(node, w.types)


# Combinations


def _nullable(w: Writer, i: int, node: Any, v: str, back: str | None) -> str:
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


def taken(w: Writer, node: Any, depth: int = 0) -> frozenset[str]:
    """The exact Python types of JSON values that a type may accept."""
    node = resolved(node, w.types)
    kind = node["kind"]
    if kind in _TAKEN:
        return _TAKEN[kind]
    if kind == "integer":
        return frozenset({"str"} if "wire" in node else {"int", "float"})
    if kind == "stdlib" and node["type"] not in {"decimal", "duration"}:
        return frozenset({"str"})
    if kind == "nullable" and depth < 8:
        return taken(w, node["inner"], depth + 1)
    return _EVERYTHING


_EVERYTHING = frozenset({"str", "int", "float", "bool", "list", "dict"})

_TAKEN: dict[str, frozenset[str]] = {
    "string": frozenset({"str"}),
    "number": frozenset({"int", "float"}),
    "flag": frozenset({"int", "float"}),
    "boolean": frozenset({"bool"}),
    "null": frozenset(),
    "array": frozenset({"list"}),
    "tuple": frozenset({"list"}),
    "mapping": frozenset({"dict"}),
    "object": frozenset({"dict"}),
}

CHECKS: dict[str, Check] = {
    "string": _string,
    "integer": _integer,
    "number": _number,
    "boolean": _boolean,
    "null": _null,
    "any": _any,
    "stdlib": _stdlib,
    "literal": _literal,
    "enum": _enum,
    "array": _array,
    "tuple": _tuple,
    "mapping": _mapping,
    "object": _object,
    "nullable": _nullable,
    "ref": _ref,
    "union": _union,
}
