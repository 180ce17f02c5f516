"""The verifier knows the IR exactly as it is declared, and lets nothing else pass."""

from __future__ import annotations

import copy
import re
from collections.abc import Iterator
from typing import Any, get_args

import pytest

from tests.runtime.builders import entry
from toolcall import _grammar, _verify, ir
from toolcall._grammar import KINDS, Rule
from toolcall._verify import MAX_DEPTH, Malformed, verify, verify_definition, verify_tool

STRING = {"kind": "string"}
INTEGER = {"kind": "integer"}
ANY = {"kind": "any"}
NULL = {"kind": "null"}

GOOD: list[dict[str, Any]] = [
    {"kind": "string", "min_length": 0, "max_length": 3, "pattern": "^a", "doc": ""},
    {"kind": "integer", "ge": 1, "lt": 2.5, "multiple_of": 2, "wire": "string_integer"},
    {"kind": "number", "gt": -1.5, "le": 10},
    {"kind": "boolean"},
    NULL,
    ANY,
    {"kind": "stdlib", "type": "decimal", "ge": 1},
    {"kind": "stdlib", "type": "path", "cls": "pathlib:PurePosixPath"},
    {"kind": "literal", "values": [{"value": "a"}, {"value": 1}, {"value": True}]},
    {"kind": "literal", "values": [{"value": "r", "enum": "app:Color", "member": "RED"}]},
    {"kind": "enum", "cls": "app:f.<locals>.E", "members": [{"name": "A", "value": 1.5}]},
    {"kind": "enum", "cls": "enum:Enum", "members": [], "type": "string"},
    {"kind": "flag", "cls": "app:F", "members": [{"name": "A", "value": 1}]},
    {"kind": "array", "items": STRING, "cls": "set", "min_items": 1, "max_items": 2},
    {"kind": "tuple", "prefix": []},
    {"kind": "tuple", "prefix": [STRING, INTEGER], "rest": ANY},
    {"kind": "mapping", "key": STRING, "value": ANY, "cls": "dict", "min_properties": 1},
    {"kind": "object", "style": "dataclass", "cls": "app:D", "fields": []},
    {
        "kind": "object",
        "style": "typeddict",
        "cls": "app:T",
        "fields": [
            {"name": "a-b", "wire": "a-b", "type": STRING, "required": False, "default": [1]},
            {"name": "t", "wire": "t", "type": STRING, "required": True, "tag": True, "doc": "x"},
        ],
        "extra": STRING,
    },
    {"kind": "root", "cls": "app:R", "inner": STRING},
    {"kind": "nullable", "inner": STRING},
    {"kind": "union", "branches": [STRING, INTEGER]},
    {"kind": "custom", "cls": "app:C", "provider": "app:P", "wire": STRING},
    {"kind": "ref", "name": "Tree"},
]
TREE = {
    "kind": "object",
    "style": "typeddict",
    "cls": "app:Tree",
    "fields": [
        {
            "name": "below",
            "wire": "below",
            "type": {"kind": "array", "cls": "list", "items": {"kind": "ref", "name": "Tree"}},
            "required": True,
        }
    ],
}
TYPES = {"Tree": TREE}


def definition(node: Any, types: Any = TYPES) -> dict[str, Any]:
    tool = entry("f")
    tool["parameters"][0]["type"] = node
    return {"tool": tool, "types": types}


def refused(node: Any, types: Any = TYPES) -> str:
    with pytest.raises(Malformed) as caught:
        verify_definition(definition(node, types))
    return str(caught.value)


@pytest.mark.parametrize("node", GOOD, ids=lambda node: node["kind"])
def test_well_formed(node: dict[str, Any]) -> None:
    """Every kind passes, alone and inside others."""
    verify_definition(definition(node))
    verify_definition(definition({"kind": "array", "cls": "list", "items": node}))
    verify_definition(definition({"kind": "ref", "name": "X"}, {"X": node, **TYPES}))


def test_every_kind_has_an_example() -> None:
    """The list above leaves no kind out."""
    assert {node["kind"] for node in GOOD} == set(KINDS)


@pytest.mark.parametrize("node", GOOD, ids=lambda node: node["kind"])
def test_no_key_too_many_or_too_few(node: dict[str, Any]) -> None:
    """An unknown key, a missing one and a value of another type are refused, with the place."""
    assert "surprise" in refused({**node, "surprise": 1})
    assert refused({**node, "doc": 3}).endswith("(at /parameters/0/type/doc)")
    for key in KINDS[node["kind"]].required - {"kind"}:
        assert key in refused({k: v for k, v in node.items() if k != key})
    for key in node.keys() - {"kind"}:
        assert f"/parameters/0/type/{key}" in refused({**node, key: object()})


@pytest.mark.parametrize(
    ("node", "said"),
    [
        (None, "not a type|no type"),
        ({}, "no kind of type: None"),
        ({"kind": "strin"}, "no kind of type: 'strin'"),
        ({"kind": ["string"]}, "no kind of type"),
        ({"kind": "nullable", "inner": NULL}, "a nullable around null"),
        ({"kind": "nullable", "inner": ANY}, "a nullable around any"),
        ({"kind": "nullable", "inner": {"kind": "nullable", "inner": STRING}}, "around nullable"),
        ({"kind": "union", "branches": [STRING]}, "two or more branches"),
        ({"kind": "union", "branches": [STRING, NULL]}, "two or more branches"),
        ({"kind": "literal", "values": []}, "values of a literal"),
        ({"kind": "literal", "values": [{"value": None}]}, "value of a literal value"),
        ({"kind": "ref", "name": "Nowhere"}, "no type has the name 'Nowhere'"),
        ({"kind": "integer", "ge": True}, "ge of an integer"),
        ({"kind": "integer", "ge": float("inf")}, "ge of an integer"),
        ({"kind": "number", "multiple_of": 0}, "multiple_of"),
        ({"kind": "string", "min_length": -1}, "min_length"),
        ({"kind": "enum", "cls": "app:E", "members": []}, "either members or a type"),
        ({"kind": "enum", "cls": "app", "members": []}, "cls of an enum"),
        ({"kind": "enum", "cls": "app:E();x", "members": []}, "cls of an enum"),
        ({"kind": "enum", "cls": ":E", "members": []}, "cls of an enum"),
        (
            {"kind": "flag", "cls": "app:F", "members": [{"name": "A", "value": "x"}]},
            "value of a flag's member",
        ),
        ({"kind": "tuple", "prefix": ["x"]}, "not a type .*type/prefix/0"),
    ],
)
def test_malformed(node: Any, said: str) -> None:
    """What only looks like a type is refused, and the reason says which way."""
    assert re.search(said, refused(node))


def test_names_that_must_be_python() -> None:
    """Parameters passed by name and fields of classes are identifiers; TypedDict keys are free."""
    for bad in ("a b", "class", "", "x=1", "a\n"):
        tool = entry("f")
        tool["parameters"][0]["name"] = bad
        with pytest.raises(Malformed, match="no name in Python"):
            verify_tool(tool, {}, set())
        tool["parameters"][0]["kind"] = "keyword_only"
        verify_tool(tool, {}, set())
        field = {"name": bad, "wire": "w", "type": STRING, "required": True}
        node = {"kind": "object", "style": "dataclass", "cls": "app:D", "fields": [field]}
        assert "no name in Python" in refused(node)
        verify_definition(definition({**node, "style": "typeddict"}))
        verify_definition(definition({**node, "style": "pydantic"}))
        verify_definition(definition({**node, "fields": [{**field, "tag": True}]}))


def test_what_follows_by_position_is_an_array() -> None:
    tool = entry("f")
    tool["parameters"][0]["kind"] = "var_positional"
    with pytest.raises(Malformed, match="is an array"):
        verify_tool(tool, {}, set())
    tool["parameters"][0]["type"] = {"kind": "array", "items": STRING, "cls": "tuple"}
    verify_tool(tool, {}, set())


def test_names_are_given_once() -> None:
    """Two parameters, two fields, or a parameter and an injected one do not share a name."""
    tool = entry("f")
    tool["parameters"] *= 2
    with pytest.raises(Malformed, match="two parameters travel as 'n'"):
        verify_tool(tool, {}, set())
    tool["parameters"] = [tool["parameters"][0], {**tool["parameters"][1], "wire": "m"}]
    with pytest.raises(Malformed, match="two parameters are named 'n'"):
        verify_tool(tool, {}, set())
    injected = {
        "name": "n",
        "how": "value",
        "kind": "keyword_only",
        "position": 1,
        "required": True,
    }
    with pytest.raises(Malformed, match="two parameters are named 'n'"):
        verify_tool(entry("f", injected=[injected]), {}, set())
    field = {"name": "a", "wire": "w", "type": STRING, "required": True}
    node = {"kind": "object", "style": "typeddict", "cls": "a:T", "fields": [field, field]}
    assert "two fields travel as 'w'" in refused(node)


@pytest.mark.parametrize(
    "types",
    [
        {"A": {"kind": "ref", "name": "A"}},
        {"A": {"kind": "nullable", "inner": {"kind": "ref", "name": "A"}}},
        {"A": {"kind": "root", "cls": "a:A", "inner": {"kind": "ref", "name": "A"}}},
        {"A": {"kind": "union", "branches": [STRING, {"kind": "ref", "name": "A"}]}},
        {
            "A": {
                "kind": "custom",
                "cls": "a:A",
                "provider": "a:P",
                "wire": {"kind": "ref", "name": "B"},
            },
            "B": {"kind": "ref", "name": "A"},
        },
    ],
)
def test_types_that_stand_for_themselves(types: Any) -> None:
    """A circle of names without a container in it has no values, and no end."""
    assert "stands for itself" in refused({"kind": "ref", "name": "A"}, types)


def test_recursion_through_a_container() -> None:
    """A tree is well-formed, and a union may refer to it from inside."""
    verify_definition(definition({"kind": "ref", "name": "Tree"}))
    leaf = {"kind": "union", "branches": [STRING, {"kind": "ref", "name": "L"}]}
    types = {
        "L": {"kind": "array", "cls": "list", "items": {"kind": "ref", "name": "U"}},
        "U": leaf,
    }
    verify_definition(definition({"kind": "ref", "name": "U"}, types))


def test_depth() -> None:
    """Types, defaults and schemas are refused past a fixed depth, however deep they are."""
    node: Any = STRING
    for _ in range(MAX_DEPTH):
        node = {"kind": "array", "cls": "list", "items": node}
    verify_definition(definition(node))
    for _ in range(300):
        node = {"kind": "array", "cls": "list", "items": node}
    assert "nested too deeply" in refused(node)
    value: Any = 1
    for _ in range(400):
        value = [value]
    tool = entry("f")
    tool["parameters"][0]["default"] = value
    with pytest.raises(Malformed, match=r"nested too deeply \(at /parameters/0/default\)"):
        verify_tool(tool, {}, set())
    with pytest.raises(Malformed, match=r"nested too deeply \(at /schema\)"):
        verify_tool(entry("f", schema={"a": value}), {}, set())


def test_named_types_are_looked_at_once() -> None:
    """Two ways to one named type, and two names for one, are no circle."""
    tree = {"kind": "ref", "name": "Tree"}
    types = {"A": {"kind": "union", "branches": [{"kind": "ref", "name": "B"}, tree]}, "B": tree}
    node = {"kind": "tuple", "prefix": [{"kind": "ref", "name": "A"}, tree, tree]}
    verify_definition(definition(node, {**types, **TYPES}))
    tool = entry("f")
    tool["parameters"] = [3]
    with pytest.raises(Malformed, match=r"not a parameter \(at /parameters/0\)"):
        verify_tool(tool, {}, set())


@pytest.mark.parametrize("value", [{1: 2}, [object()], float("nan"), (1,), {"a": {1}}])
def test_defaults_are_json(value: Any) -> None:
    """A default that JSON cannot say is refused where the plugin would write it."""
    tool = entry("f")
    tool["parameters"][0]["default"] = value
    with pytest.raises(Malformed, match="not JSON"):
        verify_tool(tool, {}, set())


def test_discriminators() -> None:
    """Every branch must have the field that tells the branches apart, and a choice in it."""

    def branch(name: str, kind: Any = None, required: bool = True) -> dict[str, Any]:
        tag = kind or {"kind": "literal", "values": [{"value": name}]}
        field = {"name": "t", "wire": "t", "type": tag, "required": required}
        return {"kind": "object", "style": "typeddict", "cls": f"a:{name}", "fields": [field]}

    types = {"B": branch("B"), "R": {"kind": "ref", "name": "B"}, "E": GOOD[10]}
    for second in (
        branch("B"),
        branch("B", required=False),
        {"kind": "ref", "name": "R"},
        branch("C", {"kind": "ref", "name": "E"}),
    ):
        union = {"kind": "union", "branches": [branch("A"), second], "discriminator": "t"}
        verify_definition(definition(union, types))
    for second in (branch("B", STRING), STRING, TREE):
        union = {"kind": "union", "branches": [branch("A"), second], "discriminator": "t"}
        assert "should tell it apart" in refused(union, {**types, **TYPES})


SIDECAR: dict[str, Any] = {
    "toolcall": 1,
    "module": "app",
    "sources": [{"module": "app", "path": "app.py", "hash": "0"}, {"module": "lib", "hash": "1"}],
    "tools": [
        entry(
            "f",
            title="T",
            doc="D",
            returns=STRING,
            hints={"read_only": True},
            injected=[
                {
                    "name": "ctx",
                    "how": "context",
                    "kind": "keyword_only",
                    "position": 1,
                    "required": True,
                }
            ],
            declarations=[{"module": "app", "names": ["f"], "hash": "2"}],
            provenance={"/doc": "docstring 3", "/parameters/0/doc": "alias app.types:12"},
            schema={"type": "object"},
        )
    ],
    "types": TYPES,
}


def test_whole_sidecar() -> None:
    """A sidecar with everything in it passes."""
    verify(SIDECAR)


@pytest.mark.parametrize(
    ("path", "value", "at"),
    [
        ("toolcall", 2, ""),
        ("toolcall", "1", ""),
        ("module", None, "/module"),
        ("sources", {}, "/sources"),
        ("sources.0.path", "/etc/passwd", "/sources/0/path"),
        ("sources.0.path", "C:/x.py", "/sources/0/path"),
        ("sources.0.path", "../secret.txt", "/sources/0/path"),
        ("sources.0.hash", 3, "/sources/0/hash"),
        ("tools.0", 3, "/tools/0"),
        ("tools.0.key", 3, "/tools/0"),
        ("tools.0.binding", "free", "/tools/0/binding"),
        ("tools.0.line", -1, "/tools/0/line"),
        ("tools.0.is_async", 1, "/tools/0/is_async"),
        ("tools.0.hints", {"safe": True}, "/tools/0"),
        ("tools.0.injected.0.how", "magic", "/tools/0/injected/0/how"),
        ("tools.0.injected.0.name", "a b", "/tools/0/injected/0/name"),
        ("tools.0.declarations.0.names", "f", "/tools/0/declarations/0/names"),
        ("tools.0.provenance", [], "/tools/0/provenance"),
        ("tools.0.provenance./doc", "guess 3", "/tools/0/provenance/~1doc"),
        ("tools.0.provenance./doc", "docstring", "/tools/0/provenance/~1doc"),
        ("tools.0.provenance./doc", 3, "/tools/0/provenance/~1doc"),
        ("tools.0.returns", {"kind": "x"}, "/tools/0/returns"),
        ("types.Tree", {"kind": "x"}, "/named type/Tree"),
        ("types", [], "/types"),
    ],
)
def test_faults_of_a_sidecar(path: str, value: Any, at: str) -> None:
    """Each fault is found where it is."""
    sidecar = copy.deepcopy(SIDECAR)
    place: Any = sidecar
    *steps, last = path.split(".")
    for step in steps:
        place = place[int(step) if step.isdigit() else step]
    place[int(last) if last.isdigit() else last] = value
    with pytest.raises(Malformed) as caught:
        verify(sidecar)
    assert caught.value.at.startswith(at)


@pytest.mark.parametrize("sidecar", [None, [], "x", {}, {"toolcall": 1, "x": 1}])
def test_no_sidecar(sidecar: Any) -> None:
    """Anything else is not even looked into."""
    with pytest.raises(Malformed):
        verify(sidecar)


def _spoiled(given: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """A parameter or field as it is, and with one thing about it changed."""
    yield given
    values: list[Any] = [None, True, 1, 1.5, float("nan"), "x", "a b", "class", "", [], {}, [1]]
    for key, own in given.items():
        rest = {name: value for name, value in given.items() if name != key}
        yield rest
        yield {**rest, f"x{key}": own}
        yield {**given, "x": 1}
        for value in values:
            yield {**given, key: value}
    for key in ("doc", "default", "tag", "fill"):
        for value in values:
            yield {**given, key: value}


@pytest.mark.parametrize("where", ["parameter", "field"])
def test_what_is_usual_is_seen_alike(where: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether a parameter or field is looked at closely or not makes no difference."""
    given = {"name": "n", "wire": "n", "type": STRING, "required": True}
    kinds = ["positional_or_keyword", "keyword_only", "var_keyword"]
    full = [{**given, "kind": kind} for kind in kinds] if where == "parameter" else [given]

    def fault(spoiled: dict[str, Any]) -> str:
        if where == "field":
            node = {"kind": "object", "style": "dataclass", "cls": "app:C", "fields": [spoiled]}
            spoiled = {**given, "type": node, "kind": "keyword_only"}
        tool = {
            "key": "f",
            "line": 1,
            "name": "f",
            "is_async": False,
            "binding": "function",
            "parameters": [spoiled],
        }
        try:
            verify_definition({"tool": tool, "types": {}})
        except Malformed as error:
            return str(error)
        return ""

    for one in full:
        for spoiled in _spoiled(one):
            quick = fault(spoiled)
            with monkeypatch.context() as patch:
                patch.setattr(_verify, "_is_usual", lambda *_: False)
                assert fault(spoiled) == quick, spoiled


def _spoiled_types(node: Any) -> Iterator[Any]:
    """A type as it is, and with one thing about it or about what is inside it changed."""
    values: list[Any] = [
        None,
        1,
        "x",
        "Tree",
        "any",
        "null",
        "set",
        [],
        {},
        [1],
        STRING,
        {"kind": []},
    ]
    yield from (node, *values)
    if isinstance(node, list):
        for at, own in enumerate(node):
            yield from ([*node[:at], one, *node[at + 1 :]] for one in _spoiled_types(own))
    if isinstance(node, dict):
        yield {**node, "x": 1}
        for key, own in node.items():
            yield {name: value for name, value in node.items() if name != key}
            yield from ({**node, key: one} for one in _spoiled_types(own))


@pytest.mark.parametrize(
    "node",
    [
        STRING,
        {"kind": "ref", "name": "Tree"},
        {"kind": "ref", "name": "Lost"},
        {"kind": "nullable", "inner": STRING},
        {"kind": "nullable", "inner": {"kind": "ref", "name": "Tree"}},
        {"kind": "literal", "values": [{"value": "a"}, {"value": 1, "enum": "app:E"}]},
        {"kind": "array", "items": STRING, "cls": "list"},
        {"kind": "array", "items": {"kind": "ref", "name": "Tree"}, "cls": "tuple"},
    ],
)
def test_short_types_are_seen_alike(node: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether a type is looked at closely or not makes no difference."""

    def fault(spoiled: Any) -> str:
        try:
            verify_tool(entry("f", returns=spoiled), TYPES, set())
        except Malformed as error:
            return str(error)
        return ""

    for spoiled in _spoiled_types(node):
        quick = fault(spoiled)
        with monkeypatch.context() as patch:
            patch.setattr(_verify._Walk, "is_short", lambda *_: False)
            assert fault(spoiled) == quick, spoiled


def test_usual_tools_are_seen_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether a tool is looked at closely or not makes no difference."""

    def fault(spoiled: Any) -> str:
        try:
            verify_tool(spoiled, TYPES, set())
        except Malformed as error:
            return str(error)
        return ""

    values: list[Any] = [None, True, -1, 1, 1.5, "x", "function", "class", "", [], {}, STRING]
    tool = entry("f")
    keys = (*tool, "doc", "returns", "title", "surprise")
    spoilt = [{**tool, key: value} for key in keys for value in values]
    spoilt += [{**one, "doc": "D", "returns": STRING} for one in spoilt]
    spoilt += [{name: tool[name] for name in tool if name != key} for key in tool]
    for one in (tool, None, [], "f", *spoilt):
        quick = fault(one)
        with monkeypatch.context() as patch:
            patch.setattr(_verify, "_is_usual_tool", lambda *_: False)
            assert fault(one) == quick, one


def test_a_bad_named_type_stays_unverified() -> None:
    """A fault in a named type is reported to every tool that needs it, not to the first alone."""
    verified: set[str] = set()
    tool = entry("f", returns={"kind": "ref", "name": "Bad"})
    for _ in range(2):
        with pytest.raises(Malformed, match="surprise"):
            verify_tool(tool, {"Bad": {"kind": "string", "surprise": 1}}, verified)
    assert verified == set()


def keys(declared: type) -> tuple[set[str], set[str]]:
    """All keys of a TypedDict, and those that it requires, read off its source form."""
    every: set[str] = set()
    required: set[str] = set()
    for cls in (declared, *getattr(declared, "__orig_bases__", ())):
        total = "total" not in cls.__dict__ or cls.__total__
        for name, annotation in cls.__annotations__.items():
            text = getattr(annotation, "__forward_arg__", str(annotation))
            every.add(name)
            if total and not text.startswith("NotRequired") and name != "doc":
                required.add(name)
    return every, required


def declared_kinds() -> dict[str, type]:
    found = {}
    for cls in vars(ir).values():
        annotation = getattr(cls, "__annotations__", {}).get("kind")
        text = getattr(annotation, "__forward_arg__", "")
        if isinstance(cls, type) and text.startswith("Literal["):
            found[text[9:-2]] = cls
    return found


RECORDS: list[tuple[type, Rule]] = [
    (ir.Parameter, _grammar.PARAMETER),
    (ir.Field, _grammar.FIELD),
    (ir.Injected, _grammar.INJECTED),
    (ir.Declaration, _grammar.DECLARATION),
    (ir.Tool, _grammar.TOOL),
    (ir.Source, _grammar.SOURCE),
    (ir.Sidecar, _grammar.SIDECAR),
    (ir.Definition, _grammar.DEFINITION),
    *((cls, KINDS[kind]) for kind, cls in declared_kinds().items()),
]


def test_the_grammar_is_that_of_the_ir() -> None:
    """The tables have the kinds, keys and requirements that `toolcall.ir` declares."""
    assert set(declared_kinds()) == set(KINDS)
    assert ir.VERSION == _grammar.VERSION
    for declared, rule in RECORDS:
        every, required = keys(declared)
        assert set(rule.checks) == every, declared
        assert set(rule.required) == required, declared
    assert set(_grammar.HINTS.checks) == set(ir.Hints.__annotations__)


def test_the_words_are_those_of_the_ir() -> None:
    """Each word that the IR lists is accepted, so that no list here is shorter."""
    for name in get_args(ir.StdlibName):
        verify_definition(definition({"kind": "stdlib", "type": name}))
    for style in get_args(ir.ObjectStyle):
        verify_definition(definition({**TREE, "style": style}))
    for kind in get_args(ir.ParameterKind):
        tool = entry("f")
        tool["parameters"][0]["kind"] = kind
        if kind == "var_positional":
            tool["parameters"][0]["type"] = {"kind": "array", "items": STRING, "cls": "tuple"}
        verify_tool(tool, {}, set())
