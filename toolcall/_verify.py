"""An IR is well-formed: every node has the keys of its kind and nothing else.

Run on what the plugin writes, on each entry of a sidecar that is used, on IR tools that
users hand in, and in tests. A sidecar is a file, and a file may be anybody's: what has
passed here can be walked without looking, is not nested past a fixed depth, has no
reference that leads nowhere or in a circle, and has names that can stand in Python source
where they will.

`toolcall._grammar` says which keys a node has; here it is applied. Nodes come in few
shapes, by which are meant their keys and the types of the values: what a shape decides is
decided once. The pointer to a fault is put together while the fault is on its way out, so
that what is right costs little. The parameters and fields that most tools have are seen to
be right by `_is_usual`; only the others are looked at closely.
"""

from __future__ import annotations

from keyword import iskeyword

from toolcall import _grammar
from toolcall._grammar import ANY_KEYWORD, CHOICES, KINDS, LEAVES, SIMPLE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping
    from typing import Any

    from toolcall._grammar import Rule

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
    verify_written_from(sidecar)
    types = sidecar["types"]
    verified: set[str] = set()
    for name in types:
        _Walk(types, verified).named(name)
    for at, tool in enumerate(sidecar["tools"]):
        try:
            verify_tool(tool, types, verified)
            verify_declarations(tool)
            _check_provenance(tool)
        except Malformed as error:
            raise error.below("tools", at) from None


def verify_definition(definition: Any) -> None:
    """Malformed unless this is a tool by itself, with the named types it needs."""
    _check(definition, _grammar.DEFINITION)
    if "options" in definition:
        _check_json(definition["options"], "options")
    verify_tool(definition["tool"], definition["types"], set())
    verify_declarations(definition["tool"])
    _check_provenance(definition["tool"])


def verify_envelope(sidecar: Any) -> None:
    """Malformed unless this is a sidecar on the outside.

    Its entries have what they are found by; the rest of them is looked at when they are used.
    """
    if type(sidecar) is not dict or "toolcall" not in sidecar:
        raise Malformed("it is no sidecar")
    version = sidecar["toolcall"]
    if type(version) is not int or version != _grammar.VERSION:
        raise Malformed(f"it has version {_brief(version)}, not {_grammar.VERSION}")
    _check(sidecar, _grammar.SIDECAR)
    _check_each(sidecar, "sources", _grammar.SOURCE)
    for at, tool in enumerate(sidecar["tools"]):
        if type(tool) is not dict or not _can_be_found(tool):
            raise Malformed("not a tool").below("tools", at)


def _can_be_found(tool: Any) -> bool:
    key, name, binding = tool.get("key"), tool.get("name"), tool.get("binding")
    return type(key) is type(name) is type(binding) is str and type(tool.get("line", 0)) is int


def verify_tool(tool: Any, types: Mapping[str, Any], verified: set[str]) -> None:
    """Malformed unless this is a tool, and every named type that it needs is well-formed.

    `verified` holds the names of types that were found good, and gets those found now.
    The provenance of descriptions, which no program reads to run, is left to `verify`, and
    the declarations to who reads them.
    """
    if not _is_usual_tool(tool):
        _check(tool, _grammar.TOOL)
    walk = _Walk(types, verified)
    walk.parameters(tool["parameters"])
    if "returns" in tool and not walk.is_short(tool["returns"]):
        walk.at(tool["returns"], "returns")
    if "hints" in tool:
        _check(tool["hints"], _grammar.HINTS)
    if "schema" in tool:
        _check_json(tool["schema"], "schema")
    if "injected" in tool:
        _check_injected(tool)
    if walk.has_more:
        walk.finish()


def verify_written_from(sidecar: Any) -> None:
    """Malformed unless what the tools were written from, if it is there, is well-formed."""
    if "written_from" not in sidecar:
        return
    keys = [tool["key"] for tool in sidecar["tools"]]
    _check_each(sidecar, "written_from", _grammar.WRITTEN_FROM)
    if [one["key"] for one in sidecar["written_from"]] != keys:
        raise Malformed("not as many as there are tools, in their order").below("written_from")
    for at, one in enumerate(sidecar["written_from"]):
        try:
            verify_declarations(one)
            _check_provenance(one)
        except Malformed as error:
            raise error.below("written_from", at) from None


def verify_declarations(tool: Any) -> None:
    """Malformed unless what a tool was read from can be compared with what is there now."""
    _check_each(tool, "declarations", _grammar.DECLARATION)


def _check_provenance(tool: Any) -> None:
    for at, said in tool.get("provenance", {}).items():
        origin, _, place = said.partition(" ") if type(said) is str else ("", "", "")
        if origin not in _grammar.ORIGINS or not place.rpartition(":")[2].isdecimal():
            raise Malformed(f"{_brief(said)} says no origin").below("provenance", at)


def _check_injected(tool: Any) -> None:
    _check_each(tool, "injected", _grammar.INJECTED)
    for at, injected in enumerate(tool["injected"]):
        _check_identifier(injected["name"], "injected", at)
    _check_distinct([*tool["parameters"], *tool["injected"]], "name", "parameters are named")


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
        kind: Any = node.get("kind")
        rule = KINDS.get(kind) if type(kind) is str else None
        if rule is None:
            raise Malformed(f"no kind of type: {_brief(kind)}")
        if self.is_short(node):
            return
        _check(node, rule)
        if kind not in LEAVES:
            self._depth += 1
            if self._depth > MAX_DEPTH:
                raise Malformed("nested too deeply")
            self._inside(kind, node, rule)
            self._depth -= 1

    def is_short(self, node: Any) -> bool:
        """Whether a node is surely right: one that is only named, or has one of these inside.

        A node that is not may be right as well, and is looked at closely.
        """
        if node.__class__ is not dict:
            return False
        try:
            kind, keys = node["kind"], len(node)
            if kind.__class__ is not str:
                return False
            if keys == 1:
                return kind in SIMPLE
            if keys == 2:
                if kind == "nullable":
                    return self._is_named(node["inner"], _VALUES)
                if kind == "ref":
                    return self._is_named(node, _VALUES)
                return kind == "literal" and _are_texts(node["values"])
            if keys != 3 or kind != "array" or node["cls"].__class__ is not str:
                return False
            return node["cls"] in _grammar.ARRAYS and self._is_named(node["items"], SIMPLE)
        except KeyError:
            return False

    def _is_named(self, node: Any, kinds: Collection[str]) -> bool:
        """Whether a node is a reference, or no more than one of these kinds."""
        if node.__class__ is not dict:
            return False
        kind = node["kind"]
        if len(node) == 1:
            return kind.__class__ is str and kind in kinds
        name = node["name"]
        if len(node) != 2 or kind != "ref" or name.__class__ is not str or name not in self._types:
            return False
        self._reference(name)
        return True

    def _inside(self, kind: str, node: Any, rule: Rule) -> None:
        for key in rule.types:
            if key in node:
                self.at(node[key], key)
        for key in rule.type_lists:
            for at, inner in enumerate(node[key]):
                self.at(inner, key, at)
        if kind == "ref":
            self._reference(node["name"])
        elif kind == "object":
            self._fields(node["fields"], node["style"] not in ANY_KEYWORD)
        elif kind in CHOICES:
            _check_each(node, *CHOICES[kind])
            if kind == "enum" and bool(node["members"]) is ("type" in node):
                raise Malformed("an enum has either members or a type")
        elif kind == "nullable" and node["inner"]["kind"] in ("nullable", "null", "any"):
            raise Malformed(f"a nullable around {node['inner']['kind']}")
        elif kind == "union":
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
                if _is_usual(parameter, 5) and parameter.get("kind") in _BY_NAME:
                    node = parameter["type"]
                    if not self.is_short(node):
                        self.at(node, "type")
                    continue
                _check(parameter, _grammar.PARAMETER)
                if parameter["kind"] != "keyword_only":
                    _check_identifier(parameter["name"])
                self._given(parameter)
                if parameter["kind"] == "var_positional":
                    _check_is_array(parameter["type"])
            except Malformed as error:
                raise error.below("parameters", at) from None
        if len(parameters) > 1:
            _check_distinct(parameters, "wire", "parameters travel as")
            _check_distinct(parameters, "name", "parameters are named")

    def _fields(self, fields: list[Any], as_keywords: bool) -> None:
        for at, field in enumerate(fields):
            try:
                if _is_usual(field, 4):
                    node = field["type"]
                    if not self.is_short(node):
                        self.at(node, "type")
                    continue
                _check(field, _grammar.FIELD)
                if as_keywords and "tag" not in field:
                    _check_identifier(field["name"])
                self._given(field)
            except Malformed as error:
                raise error.below("fields", at) from None
        _check_distinct(fields, "wire", "fields travel as")

    def _given(self, given: Any) -> None:
        self.at(given["type"], "type")
        if "default" in given:
            _check_json(given["default"], "default")

    def named(self, name: str) -> None:
        """Look at a named type and all that it needs."""
        self._reference(name)
        self.finish()

    @property
    def has_more(self) -> bool:
        """Whether there is something left for `finish`."""
        return bool(self._waiting or self._tagged)

    def finish(self) -> None:
        """Look at the named types that came up, and at those that these refer to."""
        found: set[str] = set()
        try:
            while self._waiting:
                name = self._waiting.pop()
                if name not in self._verified:
                    self._verified.add(name)
                    found.add(name)
                    self._depth = 0
                    self.at(self._types[name], "named type", name)
            for name in found:
                _check_ends(name, self._types)
            for union in self._tagged:
                for branch in union["branches"]:
                    _check_tag(branch, union["discriminator"], self._types)
        except Malformed:
            self._verified -= found
            raise


_BY_NAME = ("positional_or_keyword", "keyword_only")
_PLAIN = frozenset((str, bool, int, type(None)))
_VALUES = SIMPLE - {"any", "null"}


def _are_texts(values: Any) -> bool:
    """Whether these are surely the choices of a literal: texts, and nothing said of them."""
    if values.__class__ is not list or not values:
        return False
    for value in values:
        if value.__class__ is not dict or len(value) != 1:
            return False
        if value.get("value").__class__ is not str:
            return False
    return True


def _is_usual(given: Any, keys: int) -> bool:
    """Whether a parameter or field is surely right, but for its type and a parameter's kind.

    What `_check` and those after it would say where the name is one in Python and the
    default plain, at a quarter of the price. `keys` is how many keys it must have.
    """
    try:
        name = given["name"]
        if (
            name.__class__ is not str
            or not name.isidentifier()
            or iskeyword(name)
            or given["wire"].__class__ is not str
            or given["required"].__class__ is not bool
            or given["type"].__class__ is not dict
        ):
            return False
        if "doc" in given:
            if given["doc"].__class__ is not str:
                return False
            keys += 1
        if "default" in given:
            if given["default"].__class__ not in _PLAIN:
                return False
            keys += 1
    except (KeyError, TypeError):  # no such key, or no dict at all
        return False
    return len(given) == keys and given.__class__ is dict


def _is_usual_tool(tool: Any) -> bool:
    """Whether the keys of a tool surely have what they must: as `_is_usual`, of a function."""
    try:
        return (
            tool["key"].__class__ is tool["name"].__class__ is tool["binding"].__class__ is str
            and tool["binding"] == "function"
            and tool["parameters"].__class__ is list
            and tool["is_async"].__class__ is bool
            and tool["line"].__class__ is int
            and tool["line"] >= 0
            and ("doc" not in tool or tool["doc"].__class__ is str)
            and ("returns" not in tool or tool["returns"].__class__ is dict)
            and len(tool) == 6 + ("doc" in tool) + ("returns" in tool)
            and tool.__class__ is dict
        )
    except (KeyError, TypeError):  # no such key, or no dict at all
        return False


def _check_is_array(node: Any) -> None:
    if node["kind"] not in ("array", "tuple", "any"):
        raise Malformed("what follows by position is an array").below("type")


def _check_ends(name: str, types: Mapping[str, Any]) -> None:
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


def _check_tag(branch: Any, tag: str, types: Mapping[str, Any]) -> None:
    """Malformed unless a branch of a union has the field that tells it apart."""
    for field in _resolved(branch, types).get("fields", ()):
        told = _resolved(field["type"], types)["kind"] in ("literal", "enum")
        if field["wire"] == tag and told:
            return
    raise Malformed(f"a branch does not have {_brief(tag)}, which should tell it apart")


def _resolved(node: Any, types: Mapping[str, Any]) -> Any:
    """What a reference stands for in the end; that there is one was checked."""
    while node["kind"] == "ref":
        node = types[node["name"]]
    return node


def _check(node: Any, rule: Rule) -> None:
    if type(node) is not dict:
        raise Malformed(f"not {rule.what}")
    shape = (*node, *map(type, node.values()))
    unsettled = rule.shapes.get(shape)
    if unsettled is None:
        unsettled = rule.shapes[shape] = _unsettled(node, rule)
    for key, holds in unsettled:
        if not holds(node[key]):
            raise _wrong(node, key, rule)


def _unsettled(node: Any, rule: Rule) -> list[tuple[str, Callable[[Any], bool]]]:
    """What the keys of a node and the types of its values leave open; Malformed if they
    are wrong already."""
    unsettled: list[tuple[str, Callable[[Any], bool]]] = []
    for key, value in node.items():
        check = rule.checks.get(key)
        if check is None:
            raise Malformed(f"{rule.what} has no {_brief(key)}")
        if isinstance(check, type):
            if check not in (type(value), object):
                raise _wrong(node, key, rule)
        elif not isinstance(check, frozenset):
            unsettled.append((key, check))
        elif type(value) is str:
            unsettled.append((key, check.__contains__))
        else:
            raise _wrong(node, key, rule)
    if not rule.required <= node.keys():
        missing = ", ".join(sorted(rule.required - node.keys()))
        raise Malformed(f"{rule.what} without {missing}")
    return unsettled


def _wrong(node: Any, key: str, rule: Rule) -> Malformed:
    return Malformed(f"{_brief(node[key])} is no {key} of {rule.what}").below(key)


def _check_each(node: Any, key: str, rule: Rule) -> None:
    for at, item in enumerate(node.get(key, ())):
        try:
            _check(item, rule)
        except Malformed as error:
            raise error.below(key, at) from None


def _check_distinct(nodes: list[Any], key: str, what: str) -> None:
    if len({node[key] for node in nodes}) != len(nodes):
        names = [node[key] for node in nodes]
        twice = next(name for at, name in enumerate(names) if name in names[:at])
        raise Malformed(f"two {what} {_brief(twice)}")


def _check_identifier(name: str, *steps: str | int) -> None:
    """Malformed unless a name can be written in Python source."""
    if not name.isidentifier() or iskeyword(name):
        raise Malformed(f"{_brief(name)} is no name in Python").below(*steps, "name")


def _check_json(value: Any, *steps: str | int) -> None:
    reason = _not_json(value, MAX_DEPTH)
    if reason:
        raise Malformed(reason).below(*steps)


def _not_json(value: Any, depth: int) -> str | None:
    """Why a value is not JSON, None if it is."""
    if type(value) is dict:
        if not all(type(key) is str for key in value):
            return "not JSON"
        inner = list(value.values())
    elif type(value) is list:
        inner = value
    else:
        return None if _grammar.is_scalar(value) else "not JSON"
    if depth == 0:
        return "nested too deeply"
    return next(filter(None, (_not_json(item, depth - 1) for item in inner)), None)


def _brief(value: object) -> str:
    text = ascii(value)
    return text if len(text) <= 40 else f"{text[:37]}..."
