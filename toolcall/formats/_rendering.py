"""One schema being written: the state of a rendering, and what every kind of node shares.

`Rendering` has the subset's rules at hand, remembers where it is, which named types are
written once, and everything that was lost. Descriptions and constraints are put together
here, so that a constraint without a keyword is always told in the same words.
"""

from __future__ import annotations

from toolcall.formats import _sharing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
    from typing import Any, TypeAlias

    from toolcall import ir
    from toolcall.formats._dialect import Subset
    from toolcall.formats._sharing import References

    Schema: TypeAlias = dict[str, Any]
    Notes: TypeAlias = list[tuple[str, object]]

CONSTRAINTS = "Constraints: "
"""How a description's line begins that lists constraints the dialect has no keyword for."""

TEXT = (("min_length", "minLength"), ("max_length", "maxLength"), ("pattern", "pattern"))
NUMBER = (
    ("ge", "minimum"),
    ("gt", "exclusiveMinimum"),
    ("le", "maximum"),
    ("lt", "exclusiveMaximum"),
    ("multiple_of", "multipleOf"),
)

JSON_TYPES: dict[type, str] = {
    bool: "boolean",
    int: "integer",
    float: "number",
    str: "string",
    list: "array",
    type(None): "null",
}


class Loss:
    """Something the subset cannot say. `path` is a JSON Pointer of property names.

    `code` is the lint's: strict-open-object, strict-untyped, strict-tuple,
    strict-keyword, recursive-type, inlining-budget or format-limit.
    """

    __slots__ = ("code", "path", "reason")

    def __init__(self, path: str, code: str, reason: str) -> None:
        self.path = path
        self.code = code
        self.reason = reason

    @property
    def parameter(self) -> str:
        """The tool's parameter (its wire name) that is concerned; empty for the tool itself."""
        return self.path[1:].partition("/")[0].replace("~1", "/").replace("~0", "~")

    def __repr__(self) -> str:
        return f"Loss({self.path!r}, {self.code!r}, {self.reason!r})"


class Rendering:
    """One schema being written: the subset's rules, shared types, and what was lost."""

    __slots__ = (
        "_write",
        "closed",
        "closing",
        "cycles",
        "defs",
        "inlined",
        "keywords",
        "losses",
        "names",
        "names_are_safe",
        "null",
        "nullable_optional",
        "open",
        "path",
        "shared",
        "strict",
        "subset",
        "types",
    )

    def __init__(
        self,
        subset: Subset,
        types: Mapping[str, ir.Type],
        roots: Iterable[ir.Type],
        write: Callable[[Rendering, ir.Type, str | None], Schema],
        known: References,
    ) -> None:
        self._write = write
        self.subset = subset
        self.keywords = subset.keywords
        self.null = subset.null
        self.closed = subset.closed
        self.nullable_optional = subset.optional == "null"
        self.strict = not subset.untyped
        self.types = types
        self.defs: Schema = {}
        self.names: dict[str, str] = {}
        self.path: list[str] = []
        self.losses: list[Loss] = []
        # Cycles closed inside definitions that are still being written, in all and by name.
        self.cycles = 0
        self.closing: dict[str, int] = {}
        self.inlined = 0
        self.names_are_safe = True
        self.open: set[str] = set()
        self.shared: Collection[str] = _shared(subset, types, roots, known) if types else ()

    def type(self, node: ir.Type, doc: str | None = None) -> Schema:
        """The schema of a node. `doc` is the description of this use; None leaves its own."""
        return self._write(self, node, doc)

    def lose(self, code: str, reason: str) -> None:
        self.losses.append(Loss(pointer(self.path), code, reason))


def _shared(
    subset: Subset, types: Mapping[str, ir.Type], roots: Iterable[ir.Type], known: References
) -> Collection[str]:
    if subset.refs == "never":
        return ()
    start = _sharing.start(roots)
    if not start or _sharing.each_once(start, types, known.of(types)):
        return ()
    plan = _sharing.plan(start, types, share=subset.refs == "share")
    recursive = plan.recursive if subset.recursion else frozenset()
    return recursive | plan.repeated


def pointer(path: Sequence[str]) -> str:
    """A JSON Pointer."""
    return "".join("/" + part.replace("~", "~0").replace("/", "~1") for part in path)


def copied(value: Any) -> Any:
    """A JSON value of one's own: what is rendered is for the caller to change."""
    if isinstance(value, dict):
        return {key: copied(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [copied(inner) for inner in value]
    return value


def described(schema: Schema, doc: str | None, notes: Notes | None = None) -> Schema:
    if notes:
        from json import dumps

        said = ", ".join(f"{name}={dumps(value, ensure_ascii=False)}" for name, value in notes)
        doc = f"{doc}\n{CONSTRAINTS}{said}" if doc else CONSTRAINTS + said
    if doc:
        schema["description"] = doc
    return schema


def constrain(
    r: Rendering, schema: Schema, node: Mapping[str, Any], table: Iterable[tuple[str, str]]
) -> Notes:
    """Put the node's constraints into the schema; return those that have no keyword here."""
    notes: Notes = []
    for key, keyword in table:
        if key not in node:
            continue
        value = node[key]
        if keyword in r.keywords and _takes(r.subset, keyword, value):
            schema[keyword] = value
        elif not _weaken(r, schema, keyword, value):
            note(r, notes, keyword, value)
    return notes


def _takes(subset: Subset, keyword: str, value: Any) -> bool:
    if keyword == "pattern":
        from toolcall.formats._patterns import portable

        return portable(value, lookaround=subset.lookaround)
    return keyword != "minItems" or subset.least_items is None or value <= subset.least_items


def _weaken(r: Rendering, schema: Schema, keyword: str, value: float) -> bool:
    """Say an exclusive bound as an inclusive one where only that exists; True if that is exact."""
    inclusive = {"exclusiveMinimum": "minimum", "exclusiveMaximum": "maximum"}.get(keyword)
    if inclusive is None or inclusive not in r.keywords or inclusive in schema:
        return False
    if schema["type"] != "integer" or value != int(value):
        schema[inclusive] = value
        return False
    schema[inclusive] = int(value) + (1 if inclusive == "minimum" else -1)
    return True


def note(r: Rendering, notes: Notes, keyword: str, value: object) -> None:
    notes.append((keyword, value))
    if r.strict:
        r.lose("strict-keyword", f"{keyword} moves into the description")


def any_of(branches: list[Schema], doc: str | None) -> Schema:
    """anyOf without duplicates; one branch stands by itself unless both have a description."""
    branches = distinct(branches)
    if len(branches) == 1 and not (doc and ("$ref" in branches[0] or "description" in branches[0])):
        return described(branches[0], doc)
    schema = described({}, doc)
    schema["anyOf"] = branches
    return schema


def distinct(schemas: list[Schema]) -> list[Schema]:
    kept: list[Schema] = []
    for schema in schemas:
        if schema not in kept:
            kept.append(schema)
    return kept
