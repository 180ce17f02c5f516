"""An IR is well-formed: every node has the keys of its kind and nothing else.

Run on what the plugin writes, on each entry of a sidecar that is used, on IR tools that
users hand in, and in tests. A sidecar is a file, and a file may be anybody's: what has
passed here can be walked without looking, is not nested past a fixed depth, has no
reference that leads nowhere or in a circle, and has names that can stand in Python source
where they will.

The tables at the end are the grammar: for each kind its keys, each with a check of its
value. A check only answers whether a plain value is right; the keys that hold types are
walked. The pointer to a fault is put together while the fault is on its way out.
"""

from __future__ import annotations

from keyword import iskeyword

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from collections.abc import Set as AbstractSet
    from typing import Any, TypeAlias

    Check: TypeAlias = Callable[[Any], bool]

VERSION = 1
"""The version this reads: `toolcall.ir.VERSION`, which the runtime does not import."""

MAX_DEPTH = 100
"""How deep types and JSON values may be nested; a named type starts again from nothing."""


class Malformed(Exception):
    """Something is not a well-formed IR: the `reason`, and `at`, the JSON Pointer to it."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason
        self.steps: list[str | int] = []

    @property
    def at(self) -> str:
        steps = (str(step).replace("~", "~0").replace("/", "~1") for step in self.steps)
        return "".join(f"/{step}" for step in steps)

    def __str__(self) -> str:
        return f"{self.reason} (at {self.at})" if self.steps else self.reason

    def below(self, *steps: str | int) -> Malformed:
        """This, seen from further up."""
        self.steps[:0] = steps
        return self


def verify(sidecar: Any) -> None:
    """Malformed unless this is a whole well-formed sidecar, unused types included."""
    verify_envelope(sidecar)
    types = sidecar["types"]
    verified: set[str] = set()
    for name in types:
        _Walk(types, verified).named(name)
    for at, tool in enumerate(sidecar["tools"]):
        try:
            verify_tool(tool, types, verified)
        except Malformed as error:
            raise error.below("tools", at) from None


def verify_definition(definition: Any) -> None:
    """Malformed unless this is a tool by itself, with the named types it needs."""
    _keys(definition, "a definition", _DEFINITION, _DEFINITION_REQUIRED)
    if "options" in definition:
        _json(definition["options"], "options")
    verify_tool(definition["tool"], definition["types"], set())


def verify_envelope(sidecar: Any) -> None:
    """Malformed unless this is a sidecar on the outside; its entries are looked at when used."""
    if type(sidecar) is not dict or "toolcall" not in sidecar:
        raise Malformed("it is no sidecar")
    version = sidecar["toolcall"]
    if type(version) is not int or version != VERSION:
        raise Malformed(f"it has version {_brief(version)}, not {VERSION}")
    _keys(sidecar, "a sidecar", _SIDECAR, _SIDECAR.keys())
    _each(sidecar, "sources", "a source", _SOURCE, _SOURCE_REQUIRED)
    for at, tool in enumerate(sidecar["tools"]):
        if type(tool) is not dict or not all(check(tool.get(key)) for key, check in _ENTRY):
            raise Malformed("not a tool").below("tools", at)


def verify_tool(tool: Any, types: Mapping[str, Any], verified: set[str]) -> None:
    """Malformed unless this is a tool, and every named type that it needs is well-formed.

    `verified` holds the names of types that were found good, and gets those found now.
    """
    _keys(tool, "a tool", _TOOL, _TOOL_REQUIRED)
    walk = _Walk(types, verified)
    walk.parameters(tool["parameters"])
    if "returns" in tool:
        walk.at(tool["returns"], "returns")
    if len(tool) > len(_TOOL_REQUIRED):
        _tool_extras(tool)
    walk.finish()


def _tool_extras(tool: Any) -> None:
    for key, what, grammar, required in _TOOL_LISTS:
        if key in tool:
            _each(tool, key, what, grammar, required)
    if "hints" in tool:
        _keys(tool["hints"], "hints", _HINTS, frozenset())
    if "schema" in tool:
        _json(tool["schema"], "schema")
    if "injected" in tool:
        given = [parameter["name"] for parameter in tool["parameters"]]
        _distinct([*given, *(i["name"] for i in tool["injected"])], "parameters are named")


class _Walk:
    """One pass over the types of a tool, then over the named types that these refer to."""

    __slots__ = ("_depth", "_tagged", "_types", "_verified", "_waiting")

    def __init__(self, types: Mapping[str, Any], verified: set[str]) -> None:
        self._types = types
        self._verified = verified
        self._waiting: list[str] = []
        self._tagged: list[Any] = []
        self._depth = 0

    def at(self, node: Any, *steps: str | int) -> None:
        try:
            self.type(node)
        except Malformed as error:
            raise error.below(*steps) from None

    def type(self, node: Any) -> None:
        if type(node) is not dict:
            raise Malformed("not a type")
        kind = node.get("kind")
        if type(kind) is not str or kind not in _KINDS:
            raise Malformed(f"no kind of type: {_brief(kind)}")
        if len(node) == 1 and kind in _BARE:
            return
        grammar, required, what = _KINDS[kind]
        _keys(node, what, grammar, required)
        if kind in _LEAVES:
            return
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise Malformed("nested too deeply")
        self._inside(kind, node)
        self._depth -= 1

    def _inside(self, kind: str, node: Any) -> None:
        if kind == "ref":
            self._reference(node["name"])
        elif kind == "object":
            self._fields(node["fields"], node["style"] not in _ANY_KEYWORD)
        elif kind in _CHOICES:
            what, grammar, required = _CHOICES[kind]
            _each(node, "values" if kind == "literal" else "members", what, grammar, required)
        for key in _TYPE_KEYS:
            if key in node:
                self.at(node[key], key)
        for key in _TYPE_LIST_KEYS:
            for at, inner in enumerate(node.get(key, ())):
                self.at(inner, key, at)
        if kind == "nullable" and node["inner"]["kind"] in ("nullable", "null", "any"):
            raise Malformed(f"a nullable around {node['inner']['kind']}")
        if kind == "union":
            self._union(node)

    def _reference(self, name: str) -> None:
        if name not in self._types:
            raise Malformed(f"no type has the name {_brief(name)}")
        if name not in self._verified:
            self._waiting.append(name)

    def _union(self, node: Any) -> None:
        kinds = [branch["kind"] for branch in node["branches"]]
        if len(kinds) < 2 or "null" in kinds or "nullable" in kinds:
            raise Malformed("a union has two or more branches, and none of them is null")
        if "discriminator" in node:
            self._tagged.append(node)

    def parameters(self, parameters: list[Any]) -> None:
        for at, parameter in enumerate(parameters):
            try:
                _keys(parameter, "a parameter", _PARAMETER, _PARAMETER_REQUIRED)
                if parameter["kind"] != "keyword_only":
                    _identifier(parameter["name"])
                self._given(parameter)
            except Malformed as error:
                raise error.below("parameters", at) from None
        _distinct([parameter["wire"] for parameter in parameters], "parameters travel as")
        _distinct([parameter["name"] for parameter in parameters], "parameters are named")

    def _fields(self, fields: list[Any], as_keywords: bool) -> None:
        for at, field in enumerate(fields):
            try:
                _keys(field, "a field", _FIELD, _FIELD_REQUIRED)
                if as_keywords and "tag" not in field:
                    _identifier(field["name"])
                self._given(field)
            except Malformed as error:
                raise error.below("fields", at) from None
        _distinct([field["wire"] for field in fields], "fields travel as")

    def _given(self, given: Any) -> None:
        self.at(given["type"], "type")
        if "default" in given:
            _json(given["default"], "default")

    def named(self, name: str) -> None:
        """Look at a named type and all that it needs."""
        self._reference(name)
        self.finish()

    def finish(self) -> None:
        """Look at the named types that came up, and at those that these refer to."""
        found: set[str] = set()
        try:
            while self._waiting:
                name = self._waiting.pop()
                if name in self._verified:
                    continue
                self._verified.add(name)
                found.add(name)
                self._depth = 0
                self.at(self._types[name], "named type", name)
            for name in found:
                _ends(name, self._types)
            for union in self._tagged:
                for branch in union["branches"]:
                    _has_tag(branch, union["discriminator"], self._types)
        except Malformed:
            self._verified -= found
            raise


def _ends(name: str, types: Mapping[str, Any]) -> None:
    """Malformed if a named type stands for itself: no value on the wire comes in between."""
    seen: set[str] = set()
    waiting = [types[name]]
    while waiting:
        node = waiting.pop()
        if node["kind"] == "ref":
            if node["name"] == name:
                raise Malformed("it stands for itself").below("named type", name)
            if node["name"] not in seen:
                seen.add(node["name"])
                waiting.append(types[node["name"]])
        elif node["kind"] in ("nullable", "root"):
            waiting.append(node["inner"])
        elif node["kind"] == "custom":
            waiting.append(node["wire"])
        elif node["kind"] == "union":
            waiting += node["branches"]


def _has_tag(branch: Any, tag: str, types: Mapping[str, Any]) -> None:
    """Malformed unless a branch of a union has the field that tells it apart."""
    while branch["kind"] == "ref":
        branch = types[branch["name"]]
    for field in branch.get("fields", ()):
        if field["wire"] == tag and field["required"]:
            kind = field["type"]["kind"]
            while kind == "ref":
                kind = types[field["type"]["name"]]["kind"]
            if kind in ("literal", "enum"):
                return
    raise Malformed(f"a branch does not have {_brief(tag)}, which should tell it apart")


def _keys(node: Any, what: str, grammar: Mapping[str, Check], required: AbstractSet[str]) -> None:
    if type(node) is not dict:
        raise Malformed(f"not {what}")
    for key, value in node.items():
        if key not in grammar:
            raise Malformed(f"{what} has no {_brief(key)}")
        if not grammar[key](value):
            raise Malformed(f"not a {key} of {what}: {_brief(value)}").below(key)
    if not required <= node.keys():
        raise Malformed(f"{what} without {', '.join(sorted(required - node.keys()))}")


def _each(
    node: Any, key: str, what: str, grammar: Mapping[str, Check], required: AbstractSet[str]
) -> None:
    for at, item in enumerate(node[key]):
        try:
            _keys(item, what, grammar, required)
        except Malformed as error:
            raise error.below(key, at) from None


def _distinct(names: list[str], what: str) -> None:
    if len(set(names)) != len(names):
        twice = next(name for at, name in enumerate(names) if name in names[:at])
        raise Malformed(f"two {what} {_brief(twice)}")


def _identifier(name: str) -> None:
    """Malformed unless a name can be written in Python source; soft keywords can."""
    if not name.isidentifier() or iskeyword(name):
        raise Malformed(f"not a name in Python: {_brief(name)}").below("name")


def _json(value: Any, *steps: str | int) -> None:
    """Malformed unless a value is JSON; one that is only a number or text costs nothing."""
    if type(value) in (dict, list):
        reason = _not_json(value, MAX_DEPTH)
        if reason:
            raise Malformed(reason).below(*steps)
    elif not _scalar(value):
        raise Malformed("not JSON").below(*steps)


def _not_json(value: Any, depth: int) -> str | None:
    if depth == 0:
        return "nested too deeply"
    if type(value) is dict:
        if not all(type(key) is str for key in value):
            return "not JSON"
        inner = list(value.values())
    elif type(value) is list:
        inner = value
    else:
        return None if _scalar(value) else "not JSON"
    return next(filter(None, (_not_json(item, depth - 1) for item in inner)), None)


def _brief(value: object) -> str:
    text = ascii(value)
    return text if len(text) <= 40 else f"{text[:37]}..."


def _text(value: Any) -> bool:
    return type(value) is str


def _name(value: Any) -> bool:
    return type(value) is str and value != ""


def _bool(value: Any) -> bool:
    return type(value) is bool


def _true(value: Any) -> bool:
    return value is True


def _line(value: Any) -> bool:
    return type(value) is int and value >= 0


def _number(value: Any) -> bool:
    return type(value) is int or (type(value) is float and value - value == 0)


def _step(value: Any) -> bool:
    return _number(value) and value > 0


def _scalar(value: Any) -> bool:
    return value is None or type(value) in (str, bool) or _number(value)


def _choice(value: Any) -> bool:
    return value is not None and _scalar(value)


def _member(value: Any) -> bool:
    return type(value) is str or _number(value)


def _list(value: Any) -> bool:
    return type(value) is list


def _filled(value: Any) -> bool:
    return type(value) is list and value != []


def _names(value: Any) -> bool:
    return type(value) is list and all(type(item) is str for item in value)


def _dict(value: Any) -> bool:
    return type(value) is dict


def _later(value: Any) -> bool:
    """Anything: this key is walked."""
    return True


def _class_name(value: Any) -> bool:
    """`module:qualname`, in the characters that these can have."""
    if type(value) is not str:
        return False
    module, _, qualname = value.partition(":")
    return bool(module) and all(
        part.isidentifier() or part == "<locals>" for part in qualname.split(".")
    )


def _relative(value: Any) -> bool:
    """A path to Python source, seen from the sidecar's own module."""
    return type(value) is str and value[:1] != "/" and ":" not in value and value.endswith(_PYTHON)


def _one_of(*words: str) -> Check:
    return lambda value: type(value) is str and value in words


_PYTHON = (".py", ".pyi")
_ANY_KEYWORD = ("typeddict", "pydantic")
"""Object styles whose field names need not be identifiers: keys, and pydantic's aliases."""

_TYPE_KEYS = ("items", "rest", "key", "value", "extra", "inner", "wire")
_TYPE_LIST_KEYS = ("prefix", "branches")
_KIND = _one_of(
    "positional_only", "positional_or_keyword", "keyword_only", "var_positional", "var_keyword"
)
_BOUNDS = {"ge": _number, "gt": _number, "le": _number, "lt": _number, "multiple_of": _step}
_LENGTHS = {"min_length": _line, "max_length": _line}
_ITEMS = {"min_items": _line, "max_items": _line}
_PROPERTIES = {"min_properties": _line, "max_properties": _line}
_STDLIB = _one_of(
    "bytes",
    "date",
    "datetime",
    "decimal",
    "duration",
    "ip",
    "path",
    "pattern",
    "time",
    "timezone",
    "uuid",
)
_STYLE = _one_of("typeddict", "dataclass", "namedtuple", "attrs", "msgspec", "pydantic")


def _kind(
    what: str, required: Mapping[str, Check], optional: Mapping[str, Check]
) -> tuple[Mapping[str, Check], AbstractSet[str], str]:
    node = {"kind": _text, "doc": _text}
    return {**node, **required, **optional}, frozenset(required), what


_KINDS = {
    "string": _kind("a string", {}, {**_LENGTHS, "pattern": _text}),
    "integer": _kind("an integer", {}, {**_BOUNDS, "wire": _one_of("string_integer")}),
    "number": _kind("a number", {}, _BOUNDS),
    "boolean": _kind("a boolean", {}, {}),
    "null": _kind("a null", {}, {}),
    "any": _kind("an any", {}, {}),
    "stdlib": _kind("a stdlib", {"type": _STDLIB}, {"cls": _class_name, **_BOUNDS, **_LENGTHS}),
    "literal": _kind("a literal", {"values": _filled}, {}),
    "enum": _kind("an enum", {"cls": _class_name, "members": _list}, {}),
    "flag": _kind("a flag", {"cls": _class_name, "members": _list}, {}),
    "array": _kind(
        "an array",
        {"items": _later, "cls": _one_of("list", "tuple", "set", "frozenset", "deque")},
        _ITEMS,
    ),
    "tuple": _kind("a tuple", {"prefix": _list}, {"rest": _later}),
    "mapping": _kind(
        "a mapping",
        {"key": _later, "value": _later, "cls": _one_of("dict", "defaultdict", "OrderedDict")},
        _PROPERTIES,
    ),
    "object": _kind(
        "an object", {"style": _STYLE, "cls": _class_name, "fields": _list}, {"extra": _later}
    ),
    "root": _kind("a root", {"cls": _class_name, "inner": _later}, {}),
    "nullable": _kind("a nullable", {"inner": _later}, {}),
    "union": _kind("a union", {"branches": _filled}, {"discriminator": _text}),
    "custom": _kind("a custom", {"cls": _class_name, "provider": _class_name, "wire": _dict}, {}),
    "ref": _kind("a ref", {"name": _text}, {}),
}
_BARE = frozenset(("string", "integer", "number", "boolean", "null", "any"))
"""Kinds that need no more than their name."""

_LEAVES = _BARE | {"stdlib"}
_ENUM = ("an enum member", {"name": _text, "value": _member}, frozenset(("name", "value")))
_LITERAL = {"value": _choice, "enum": _class_name, "member": _text}
_CHOICES = {
    "literal": ("a literal value", _LITERAL, frozenset(("value",))),
    "enum": _ENUM,
    "flag": _ENUM,
}

_GIVEN = {"name": _text, "wire": _text, "type": _later, "required": _bool}
_FIELD = {**_GIVEN, "default": _later, "doc": _text, "tag": _true}
_FIELD_REQUIRED = _GIVEN.keys()
_PARAMETER = {**_GIVEN, "kind": _KIND, "default": _later, "doc": _text}
_PARAMETER_REQUIRED = {**_GIVEN, "kind": _KIND}.keys()
_INJECTED = {
    "name": _name,
    "how": _one_of("context", "value"),
    "kind": _KIND,
    "position": _line,
    "required": _bool,
}
_DECLARATION = {"module": _name, "names": _names, "hash": _name}
_ORIGIN = _one_of("docstring", "metadata", "alias", "class", "field", "decorator")
_PROVENANCE = {"at": _text, "origin": _ORIGIN, "module": _name, "line": _line}
_HINTS = dict.fromkeys(("read_only", "destructive", "idempotent", "open_world"), _bool)
_TOOL_LISTS = (
    ("injected", "an injected parameter", _INJECTED, _INJECTED.keys()),
    ("declarations", "a declaration", _DECLARATION, _DECLARATION.keys()),
    ("provenance", "a provenance", _PROVENANCE, _PROVENANCE.keys()),
)
_TOOL_NEEDS = {
    "key": _name,
    "line": _line,
    "name": _name,
    "parameters": _list,
    "is_async": _bool,
    "binding": _one_of("function", "instance", "class", "static"),
}
_TOOL_REQUIRED = _TOOL_NEEDS.keys()
_TOOL = {
    **_TOOL_NEEDS,
    "title": _text,
    "doc": _text,
    "injected": _list,
    "returns": _later,
    "hints": _dict,
    "declarations": _list,
    "provenance": _list,
    "schema": _dict,
}
_ENTRY = (("key", _name), ("name", _name), ("line", _line), ("binding", _text))
_SOURCE = {"module": _name, "path": _relative, "hash": _name}
_SOURCE_REQUIRED = frozenset(("module", "hash"))
_SIDECAR = {"toolcall": _line, "module": _name, "sources": _list, "tools": _list, "types": _dict}
_DEFINITION = {"tool": _dict, "types": _dict, "options": _dict}
_DEFINITION_REQUIRED = frozenset(("tool", "types"))
