"""How a tool's function wants to be called: the signature, as the IR tells it.

Facts of one tool that both decoders and the call need, worked out once and kept on the
bound tool. The function itself is never inspected for its parameters; it is only asked for
the values of its own defaults, where Python has no other way to leave an argument out: one
that is passed by position, before another that is given.
"""

from __future__ import annotations

from toolcall._classes import function_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from typing import Any

    from toolcall import ir
    from toolcall._bind import BoundTool

_NAMED = ("positional_or_keyword", "keyword_only")

_LONGEST = 64
"""Characters in a name that every vendor takes: those of `formats._properties.SAFE`."""


class Signature:
    """The parameters of one tool, by what decoders and callers ask.

    `fields` are the parameters that are properties on the wire, `by_wire` the same by
    their wire names, `var_keyword` the type of further values. `order` is the whole
    signature, injected parameters included. `has_decimal` says that fractions should be
    read with their text, `is_slow` that no code is generated for this signature,
    `has_positions` that something must go by position. `own_names` gives their own names to
    arguments that came under those made for a vendor, and is None where every vendor takes all.
    `reserved` are the names that no key of `**kw` may have. `code` keeps what `_fast`
    compiled, by variant, `words` how the types were described, by the ids of their nodes.
    """

    __slots__ = (
        "by_wire",
        "code",
        "defaults",
        "fields",
        "has_decimal",
        "has_positions",
        "injected",
        "is_slow",
        "order",
        "own_names",
        "reserved",
        "var_keyword",
        "var_keyword_name",
        "words",
    )

    def __init__(self, bound: BoundTool) -> None:
        tool = bound.tool
        parameters = tool["parameters"]
        self.fields = [p for p in parameters if p["kind"] != "var_keyword"]
        self.by_wire = {p["wire"]: p for p in self.fields}
        rest = [p for p in parameters if p["kind"] == "var_keyword"]
        self.var_keyword: ir.Type | None = rest[0]["type"] if rest else None
        self.var_keyword_name = rest[0]["name"] if rest else ""
        self.injected = tool.get("injected", [])
        self.order = _in_order(parameters, self.injected)
        named, self.has_decimal = _reached(parameters, bound.types)
        self.own_names = _own_names(bound, named)
        self.is_slow = (
            not _is_written(self.order)
            or any("fill" in p for p in self.fields)
            or self.own_names is not None
        )
        self.has_positions = any(
            kind in {"positional_only", "var_positional"} for _, kind in self.order
        )
        self.reserved = _reserved(self.order, bound) if rest else frozenset()
        self.defaults = _own_defaults(bound.fn)
        self.code: dict[object, Any] = {}
        self.words: dict[int, tuple[str, ir.Type]] = {}

    def call(self, values: Mapping[str, Any]) -> tuple[list[Any], dict[str, Any]]:
        """Positional and keyword arguments for values by their Python names.

        Everything goes by keyword that may. A non-empty `*args` forces all before it to
        go by position; what is left out there is filled with the function's own default.
        """
        positional: list[Any] = []
        keywords: dict[str, Any] = {}
        last = self._last_positional(values)
        for index, (name, kind) in enumerate(self.order):
            if kind == "var_positional":
                positional.extend(values.get(name, ()))
            elif kind == "var_keyword":
                keywords.update(values.get(name, {}))
            elif index <= last:
                positional.append(values[name] if name in values else self.defaults[name])
            elif name in values:
                keywords[name] = values[name]
        return positional, keywords

    def gaps(self, given: set[str]) -> Iterator[str]:
        """Names left out before one that goes by position, without a default to fill in."""
        last = self._last_positional(given)
        for name, _ in self.order[: max(last, 0)]:
            if name not in given and name not in self.defaults:
                yield name

    def _last_positional(self, given: Any) -> int:
        """The index of the last parameter that must go by position; -1 if there is none."""
        last = -1
        for index, (name, kind) in enumerate(self.order):
            if kind == "positional_only" and name in given:
                last = index
            elif kind == "var_positional" and name in given:
                last = index - 1 if self._has_values(given, name) else last
        return last

    @staticmethod
    def _has_values(given: Any, name: str) -> bool:
        return bool(given[name]) if isinstance(given, dict) else True


class Prepared:
    """What is kept for one bound tool: its signature, and the functions made for it.

    `made` has the generated calls by their variant, see `_fast`.
    """

    __slots__ = ("made", "signature")

    def __init__(self, signature: Signature) -> None:
        self.signature = signature
        self.made: dict[object, Callable[..., Any]] = {}


def prepared(bound: BoundTool) -> Prepared:
    """What is kept for a bound tool. Bound forms of one tool share the signature."""
    found: Prepared | None = bound._fast
    if found is None:
        shared = bound.of
        signature = Signature(bound) if shared is bound else prepared(shared).signature
        bound._fast = found = Prepared(signature)
    return found


def signature_of(bound: BoundTool) -> Signature:
    """The signature of a bound tool."""
    return prepared(bound).signature


def _is_written(order: tuple[tuple[str, ir.ParameterKind], ...]) -> bool:
    """Whether everything goes by keyword, under names that may stand in source."""
    from keyword import iskeyword

    return all(
        kind in _NAMED
        and type(name) is str
        and name.isidentifier()
        and name.isascii()
        and not iskeyword(name)
        for name, kind in order
    )


def _in_order(
    parameters: list[ir.Parameter], injected: list[ir.Injected]
) -> tuple[tuple[str, ir.ParameterKind], ...]:
    order = [(p["name"], p["kind"]) for p in parameters]
    for given in sorted(injected, key=lambda i: i["position"]):
        order.insert(given["position"], (given["name"], given["kind"]))
    return tuple(order)


def _reserved(order: tuple[tuple[str, ir.ParameterKind], ...], bound: BoundTool) -> frozenset[str]:
    names = {name for name, kind in order if kind in _NAMED}
    function = function_of(bound.fn)
    if function is not None and bound.tool["binding"] in {"instance", "class"}:
        names.update(function.__code__.co_varnames[:1])
    return frozenset(names)


def _own_defaults(fn: Callable[..., Any] | None) -> dict[str, Any]:
    function = function_of(fn) if fn is not None else None
    if function is None:
        return {}
    code, values = function.__code__, function.__defaults__ or ()
    names = code.co_varnames[: code.co_argcount]
    return dict(zip(names[len(names) - len(values) :], values, strict=True))


def _own_names(
    bound: BoundTool, named: list[Any]
) -> Callable[[Mapping[str, Any]], Mapping[str, Any]] | None:
    # Of tools made by a checker every object with fields is among the types.
    objects = [node.get("fields", ()) for node in named]
    if "whole" not in bound.options and all(map(_are_taken, [bound.tool["parameters"], *objects])):
        return None
    from toolcall._own_names import restorer

    return restorer(bound.definition())


def _are_taken(members: Any) -> bool:
    """Whether every vendor takes the names of these parameters or fields."""
    names = [member["wire"] for member in members]
    return (
        all(map(str.isidentifier, names))
        and "".join(names).isascii()
        and all(len(name) <= _LONGEST for name in names)
    )


def _reached(parameters: list[ir.Parameter], types: Mapping[str, Any]) -> tuple[list[Any], bool]:
    """The named types that some parameters reach, and whether a Decimal is anywhere in them.

    Others are not looked at: nothing that is used depends on them, so nobody verified them.
    """
    waiting: list[Any] = [parameter["type"] for parameter in parameters]
    named: dict[str, Any] = {}
    has_decimal = False
    while waiting:
        node = waiting.pop()
        if node.__class__ is list:
            waiting += node
        elif node.__class__ is dict and len(node) > 1:  # a kind alone has nothing inside
            kind = node.get("kind")
            if kind == "ref" and node["name"] not in named:
                named[node["name"]] = types[node["name"]]
                waiting.append(types[node["name"]])
            elif kind == "stdlib":
                has_decimal = has_decimal or node["type"] == "decimal"
            waiting += [inner for key, inner in node.items() if key != "default"]
    return list(named.values()), has_decimal
