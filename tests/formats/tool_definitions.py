"""Hand-written tools that between them have every kind of type node.

`TOOLS` is what the goldens render and the vendors' software checks. Each tool is a
whole `ir.Definition`; the small builders below only save typing.
"""

from __future__ import annotations

from typing import Any

Node = dict[str, Any]

STRING: Node = {"kind": "string"}
INTEGER: Node = {"kind": "integer"}
NUMBER: Node = {"kind": "number"}
BOOLEAN: Node = {"kind": "boolean"}
NULL: Node = {"kind": "null"}
ANY: Node = {"kind": "any"}


def ref(name: str, **more: Any) -> Node:
    return {"kind": "ref", "name": name, **more}


def nullable(inner: Node, **more: Any) -> Node:
    return {"kind": "nullable", "inner": inner, **more}


def union(*branches: Node, **more: Any) -> Node:
    return {"kind": "union", "branches": list(branches), **more}


def array(items: Node, cls: str = "list", **more: Any) -> Node:
    return {"kind": "array", "items": items, "cls": cls, **more}


def fixed(*prefix: Node, **more: Any) -> Node:
    return {"kind": "tuple", "prefix": list(prefix), **more}


def mapping(key: Node, value: Node, **more: Any) -> Node:
    return {"kind": "mapping", "key": key, "value": value, "cls": "dict", **more}


def literal(*values: Any, **more: Any) -> Node:
    return {"kind": "literal", "values": [{"value": value} for value in values], **more}


def enum(name: str, **members: Any) -> Node:
    listed = [{"name": member, "value": value} for member, value in members.items()]
    return {"kind": "enum", "cls": f"app:{name}", "members": listed}


def stdlib(name: str, **more: Any) -> Node:
    return {"kind": "stdlib", "type": name, **more}


def field(name: str, type: Node, *, required: bool = True, **more: Any) -> Node:
    return {"name": name, "wire": name, "type": type, "required": required, **more}


def obj(name: str, *fields: Node, **more: Any) -> Node:
    return {
        "kind": "object",
        "style": "dataclass",
        "cls": f"app:{name}",
        "fields": list(fields),
        **more,
    }


def parameter(name: str, type: Node, *, required: bool = True, **more: Any) -> Node:
    kind = more.pop("kind", "positional_or_keyword")
    return {
        "name": name,
        "wire": name,
        "kind": kind,
        "type": type,
        "required": required,
        **more,
    }


def tool(
    name: str,
    *parameters: Node,
    types: dict[str, Node] | None = None,
    options: dict[str, Any] | None = None,
    **more: Any,
) -> Any:
    definition: dict[str, Any] = {
        "tool": {
            "key": name,
            "line": 1,
            "name": name,
            "doc": f"The tool {name}.",
            "parameters": list(parameters),
            "is_async": False,
            "binding": "function",
            **more,
        },
        "types": types or {},
    }
    if options is not None:
        definition["options"] = options
    return definition


PRIORITY = enum("Priority", LOW="low", HIGH="high")
LEVEL = enum("Level", ONE=1, TWO=2)
ACCESS: Node = {
    "kind": "flag",
    "cls": "app:Access",
    "members": [{"name": "READ", "value": 1}, {"name": "WRITE", "value": 2}],
}
POINT = obj("Point", field("x", NUMBER), field("y", NUMBER), doc="A point in the plane.")
ADDRESS = obj(
    "Address",
    field("street", STRING, doc="Street and number."),
    field("city", STRING),
    field("zip", {"kind": "string", "pattern": "^[0-9]{5}$"}, required=False),
    field("lines", array(STRING), required=False, default=[]),
    doc="Where somebody lives.",
)
TREE = obj(
    "Tree",
    field("value", INTEGER),
    field("children", array(ref("Tree"), doc="Subtrees."), required=False),
    doc="A tree of numbers.",
)
NODE = obj("Node", field("value", INTEGER), field("next", nullable(ref("Node"))))
JSON = union(BOOLEAN, NUMBER, STRING, array(ref("Json")), mapping(STRING, nullable(ref("Json"))))
BIG = obj("Big", *(field(f"field_{n}", STRING, doc=f"Number {n}.") for n in range(12)))
CAT = obj("Cat", field("kind", literal("cat")), field("lives", INTEGER))
DOG = obj("Dog", field("kind", literal("dog")), field("tricks", array(STRING)))

TOOLS: tuple[Any, ...] = (
    tool("no_parameters"),
    tool("undocumented", parameter("a", INTEGER), doc=""),
    tool(
        "scalars",
        parameter(
            "name",
            {"kind": "string", "min_length": 1, "max_length": 40, "pattern": "^[a-z]+$"},
            doc="A name.",
        ),
        parameter("looked", {"kind": "string", "pattern": "^(?=a)[a-z]+$"}),
        parameter("count", {"kind": "integer", "ge": 1, "le": 10}, doc="How many."),
        parameter("above", {"kind": "integer", "gt": 0, "lt": 100}),
        parameter("ratio", {"kind": "number", "gt": 0, "lt": 1, "multiple_of": 0.25}),
        parameter("id", {"kind": "integer", "wire": "string_integer", "ge": 0}),
        parameter("flag", BOOLEAN),
        parameter("nothing", NULL, required=False),
    ),
    tool(
        "choices",
        parameter("command", literal("view", "create"), doc="What to do."),
        parameter("level", literal(1, 2)),
        parameter("always", literal(True)),
        parameter("mixed", literal("auto", 1, True)),
        parameter("priority", PRIORITY),
        parameter("number", LEVEL),
        parameter("access", ACCESS, doc="Rights."),
        parameter("only", literal("one")),
    ),
    tool(
        "optional",
        parameter("must", nullable(STRING)),
        parameter("priority", nullable(PRIORITY)),
        parameter("mode", nullable(PRIORITY), required=False),
        parameter("days", nullable({"kind": "integer", "ge": 1}), required=False, default=3),
        parameter("major", INTEGER, required=False, default=0, doc="Major version."),
        parameter("unit", literal("c", "f"), required=False, default="c"),
        parameter("mixed", nullable(literal("auto", 1)), required=False),
        parameter("tags", array(STRING), required=False, default=[]),
        parameter("access", nullable(ACCESS), required=False),
    ),
    tool(
        "texts",
        parameter("data", stdlib("bytes", min_length=4, max_length=10), doc="A blob."),
        parameter("day", stdlib("date")),
        parameter("moment", stdlib("datetime")),
        parameter("price", stdlib("decimal", ge=0, cls="decimal:Decimal"), doc="In euros."),
        parameter("wait", stdlib("duration")),
        parameter("four", stdlib("ip", cls="ipaddress:IPv4Address")),
        parameter("six", nullable(stdlib("ip", cls="ipaddress:IPv6Address"))),
        parameter("net", stdlib("ip", cls="ipaddress:IPv4Network")),
        parameter("file", stdlib("path", cls="pathlib:Path")),
        parameter("match", stdlib("pattern")),
        parameter("clock", stdlib("time")),
        parameter("zone", stdlib("timezone")),
        parameter("uid", stdlib("uuid")),
    ),
    tool(
        "containers",
        parameter("names", array(STRING, min_items=1, max_items=5), doc="Names."),
        parameter("pair", array(INTEGER, min_items=2), required=False),
        parameter("unique", array(INTEGER, "set")),
        parameter("frozen", array(PRIORITY, "frozenset")),
        parameter("queue", array(array({**NUMBER, "doc": "A sample."}), "deque")),
    ),
    tool(
        "tuples",
        parameter("mixed", fixed(STRING, INTEGER), doc="A name and a number."),
        parameter("same", fixed(NUMBER, NUMBER)),
        parameter("open", fixed(STRING, rest=INTEGER)),
        parameter("empty", fixed(), required=False),
    ),
    tool(
        "mappings",
        parameter("counts", mapping(STRING, INTEGER, min_properties=1), doc="Counts."),
        parameter("by_number", mapping(INTEGER, STRING)),
        parameter("by_choice", mapping(PRIORITY, STRING)),
        parameter("by_day", mapping(stdlib("date"), array(STRING)), required=False),
    ),
    tool(
        "untyped",
        parameter("anything", ANY, doc="Whatever."),
        parameter("things", array(ANY)),
        parameter("open", mapping(STRING, ANY)),
    ),
    tool(
        "objects",
        parameter("home", ref("Address"), doc="The home address."),
        parameter("work", nullable(ref("Address")), required=False),
        parameter("path", array(ref("Point"))),
        types={"Address": ADDRESS, "Point": POINT},
    ),
    tool(
        "extra_keys",
        parameter("options", obj("Options", field("a", INTEGER), extra=STRING)),
    ),
    tool(
        "unions",
        parameter("id", union(STRING, INTEGER), doc="Name or number."),
        parameter("when", union(stdlib("date"), STRING)),
        parameter("pet", union(ref("Cat"), ref("Dog"), discriminator="kind")),
        parameter("maybe", nullable(union(STRING, array(STRING))), required=False),
        types={"Cat": CAT, "Dog": DOG},
    ),
    tool(
        "recursive",
        parameter("tree", ref("Tree"), doc="The tree to count."),
        parameter("list", ref("Node"), required=False),
        types={"Tree": TREE, "Node": NODE},
    ),
    tool("json_value", parameter("value", nullable(ref("Json"))), types={"Json": JSON}),
    tool(
        "repeated",
        *(parameter(name, ref("Big"), doc=f"The {name} one.") for name in "abcd"),
        types={"Big": BIG},
    ),
    tool("variadic", parameter("numbers", array(INTEGER), kind="var_positional", required=False)),
    tool(
        "keywords",
        parameter("first", INTEGER, kind="positional_only"),
        parameter("labels", STRING, kind="var_keyword", required=False),
    ),
    tool(
        "wrapped",
        parameter(
            "color",
            {
                "kind": "custom",
                "cls": "app:Color",
                "provider": "app:ColorProvider",
                "wire": {"kind": "string", "pattern": "^#[0-9a-f]{6}$"},
            },
            doc="A colour.",
        ),
        parameter("ids", {"kind": "root", "cls": "app:Ids", "inner": array(INTEGER)}),
        parameter(
            "maybe",
            {"kind": "root", "cls": "app:Maybe", "inner": nullable(STRING)},
            required=False,
        ),
    ),
    tool(
        "given",
        schema={
            "type": "object",
            "title": "Given",
            "properties": {
                "kind": {"const": "a"},
                "size": {"oneOf": [{"type": "integer", "minimum": 1}, {"type": "null"}]},
                "label": {"type": ["string", "null"], "maxLength": 5, "description": "Label."},
                "inner": {
                    "type": "object",
                    "properties": {"x": {"type": "number"}},
                    "required": ["x"],
                },
            },
            "required": ["kind"],
        },
    ),
    tool(
        "calendar.events.respond",
        parameter("event", STRING),
        title="Respond to an event",
        hints={"read_only": False, "destructive": False, "open_world": True},
        returns=ref("Point"),
        types={"Point": POINT},
        options={"cache_control": {"type": "ephemeral"}, "defer_loading": True},
    ),
)
"""Every kind of node, once in a required and where it matters once in an optional place."""

BY_NAME: dict[str, Any] = {definition["tool"]["name"]: definition for definition in TOOLS}
