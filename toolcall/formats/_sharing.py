"""Which named types of a tool are written once and referred to, and which are inlined.

Inlined is the rule: models read a schema better in one piece, and some hosts do not
follow `$ref`. A named type is shared where it must be or where copies cost too much:

* it contains itself (`recursive`);
* it is used again, and its further copies would add `REPEAT_COST` nodes or more
  (`repeated`);
* the tool would need more than `INLINING_BUDGET` inlinings; then every type used more
  than once is shared (`repeated`, too).

Pure functions over the IR; whether a dialect takes `$ref` at all is not decided here.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from toolcall import ir

INLINING_BUDGET = 100
"""How many times named types are written out in one tool before they are shared."""

REPEAT_COST = 32
"""Type nodes that further copies of one type may add before it is shared."""


_WITH_CHILDREN = frozenset(
    {"array", "custom", "mapping", "nullable", "object", "root", "tuple", "union"}
)
_REFERRING = _WITH_CHILDREN | {"ref"}


class References:
    """What named types refer to, worked out once for all tools of a request."""

    __slots__ = ("_known",)

    def __init__(self) -> None:
        # By the `id` of a table of named types, which is kept so that it stays the only one.
        self._known: dict[int, tuple[Mapping[str, ir.Type], dict[str, list[str]]]] = {}

    def of(self, types: Mapping[str, ir.Type]) -> dict[str, list[str]]:
        """The references of the types of a table that are known so far, to be added to."""
        return self._known.setdefault(id(types), (types, {}))[1]


class Plan:
    """The names of types that contain themselves, and of those to be shared for their cost."""

    __slots__ = ("recursive", "repeated")

    def __init__(self, recursive: frozenset[str], repeated: frozenset[str]) -> None:
        self.recursive = recursive
        self.repeated = repeated


def start(roots: Iterable[ir.Type]) -> list[str]:
    """The names that some types refer to, in order, with repetitions."""
    found: list[str] = []
    for root in roots:
        if root["kind"] in _REFERRING:
            _references(root, found)
    return found


def plan(start: list[str], types: Mapping[str, ir.Type], *, share: bool) -> Plan:
    """Decide for the types reached from `start`. Without `share`, only the budget counts."""
    edges: dict[str, list[str]] = {}
    order = _post_order(start, types, edges)
    recursive = frozenset(name for name in order if _reaches_itself(name, edges))
    # A type used once costs no copies: without a second use there are no sizes to know.
    share = share and len(start) + sum(map(len, edges.values())) > len(order)
    sizes = _sizes(order, types, edges, recursive) if share else {}
    uses, repeated = _count(start, order, edges, recursive, sizes)
    inlined = [name for name in order if name not in recursive and name not in repeated]
    if sum(uses[name] for name in inlined) > INLINING_BUDGET:
        repeated = frozenset(name for name in order if uses[name] > 1) - recursive
    return Plan(recursive, repeated)


def children(node: ir.Type) -> Iterator[ir.Type]:
    """The type nodes directly inside a node, in order; a `ref` has none."""
    match node["kind"]:
        case "array":
            yield node["items"]
        case "tuple":
            yield from node["prefix"]
            if "rest" in node:
                yield node["rest"]
        case "mapping":
            yield node["key"]
            yield node["value"]
        case "object":
            for field in node["fields"]:
                yield field["type"]
            if "extra" in node:
                yield node["extra"]
        case "root" | "nullable":
            yield node["inner"]
        case "union":
            yield from node["branches"]
        case "custom":
            yield node["wire"]
        case _:
            return


def _references(node: ir.Type, found: list[str]) -> list[str]:
    """The names a node refers to, in order, with repetitions; put behind those in `found`."""
    if node["kind"] == "ref":
        found.append(node["name"])
    elif node["kind"] == "object":  # what most named types are
        for field in node["fields"]:
            if field["type"]["kind"] in _REFERRING:
                _references(field["type"], found)
        if "extra" in node:
            _references(node["extra"], found)
    elif node["kind"] in _WITH_CHILDREN:
        for child in children(node):
            if child["kind"] in _REFERRING:
                _references(child, found)
    return found


def each_once(start: list[str], types: Mapping[str, ir.Type], known: dict[str, list[str]]) -> bool:
    """Whether no named type comes up twice, and not too many do: the case of most tools.

    There is nothing to decide then. `known` has and gets what the types refer to.
    """
    seen: set[str] = set()
    waiting = start.copy()
    while waiting:
        name = waiting.pop()
        if name in seen:
            return False
        seen.add(name)
        if name not in known:
            known[name] = _references(types[name], [])
        waiting += known[name]
    return len(seen) <= INLINING_BUDGET


def _post_order(
    start: list[str], types: Mapping[str, ir.Type], edges: dict[str, list[str]]
) -> list[str]:
    """Names reached, users after what they use; fills `edges` on the way."""
    order: list[str] = []
    stack = [(name, False) for name in reversed(start)]
    while stack:
        name, done = stack.pop()
        if done:
            order.append(name)
        elif name not in edges:
            edges[name] = _references(types[name], [])
            stack.append((name, True))
            stack.extend((inner, False) for inner in reversed(edges[name]))
    return order


def _reaches_itself(name: str, edges: Mapping[str, list[str]]) -> bool:
    seen: set[str] = set()
    stack = list(edges[name])
    while stack:
        reached = stack.pop()
        if reached == name:
            return True
        if reached not in seen:
            seen.add(reached)
            stack.extend(edges[reached])
    return False


def _sizes(
    order: list[str],
    types: Mapping[str, ir.Type],
    edges: Mapping[str, list[str]],
    recursive: frozenset[str],
) -> dict[str, int]:
    """Nodes of each type with everything in it inlined; a recursive one counts as one node."""
    sizes: dict[str, int] = dict.fromkeys(recursive, 1)
    for name in order:
        if name not in recursive:
            sizes[name] = _nodes(types[name]) + sum([sizes[inner] for inner in edges[name]])
    return sizes


def _nodes(node: ir.Type) -> int:
    """The nodes of a type, references left out."""
    count = 1
    if node["kind"] in _WITH_CHILDREN:
        for child in children(node):
            if child["kind"] != "ref":
                count += _nodes(child)
    return count


def _count(
    start: list[str],
    order: list[str],
    edges: Mapping[str, list[str]],
    recursive: frozenset[str],
    sizes: Mapping[str, int],
) -> tuple[dict[str, int], frozenset[str]]:
    """How often each type is written out, deciding from the outside in what is shared.

    Sharing an outer type first leaves one copy of what it contains.
    """
    uses = dict.fromkeys(order, 0)
    for name in start:
        uses[name] += 1
    shared: set[str] = set()
    for name in reversed(order):
        if name not in recursive and (uses[name] - 1) * sizes.get(name, 0) >= REPEAT_COST:
            shared.add(name)
        copies = 1 if name in shared or name in recursive else uses[name]
        for inner in edges[name]:
            uses[inner] += copies
    return uses, frozenset(shared)
