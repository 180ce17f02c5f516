"""Decoding unions: which branch a value belongs to.

In this order: the branch that the discriminator names, whose problems alone are told; the
branch that is of exactly the value's JSON type, where text that reads as a date, a UUID or
a choice goes before plain text; the first branch that coerces. `rank` says how near a
branch is to a value, and the nearest is tried first.

Every try is a walk of its own below the value. Unions inside unions would make that
exponential in the depth, so what a union answered for a container is remembered.
"""

from __future__ import annotations

from toolcall._coerce_scalars import chosen
from toolcall._decoder import BAD
from toolcall._words import choices, place, shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from toolcall import ir
    from toolcall._decoder import Decode, Decoder
    from toolcall._words import Path

FOREIGN = 9
"""The rank of a branch that takes no value of this JSON type."""

# Types that take (almost) any text, and so say nothing about it.
_PLAIN_TEXT = ("path", "pattern", "bytes")


def _union(decoder: Decoder, node: Any, value: Any, path: Path) -> Any:
    if "discriminator" in node and isinstance(value, dict) and _is_told(decoder, node, value):
        return _by_tag(decoder, node, value, path)
    key = id(node), id(value), decoder.lenient
    remembered = decoder.memory.get(key)
    if remembered is None:
        remembered = (*_by_trial(decoder, node, value, path), value, node)
        if isinstance(value, (dict, list)):
            # The value is kept with the answer, so that its id stays its own.
            decoder.memory[key] = remembered
    answer, why, *_ = remembered
    if answer is not BAD:
        return answer
    expected = decoder.described(node)
    said = f"{place(path) or 'arguments'}: expected {expected}, got {shown(value)}{why}"
    return decoder.refuse("no_union_match", path, value, expected, message=said)


def _by_trial(decoder: Decoder, node: Any, value: Any, path: Path) -> tuple[Any, str]:
    """The answer of the nearest branch that takes the value, or BAD and why none did."""
    branches = sorted(node["branches"], key=lambda branch: rank(branch, value, decoder.types))
    reasons: dict[str, None] = {}
    for lenient in (False, True) if decoder.lenient else (False,):
        for branch in branches:
            trial = decoder.trial(lenient=lenient)
            answer = trial.value(branch, value, path)
            if answer is not BAD:
                return answer, ""
            if rank(branch, value, decoder.types) < FOREIGN:
                reasons.update(_reasons(trial, branch, path))
    return BAD, "".join(reasons)


def _reasons(trial: Decoder, branch: Any, path: Path) -> Iterator[tuple[str, None]]:
    """Why a branch of the right JSON type refused, where that is more than its name."""
    words = trial.described(branch)
    for problem in trial.problems[:3]:
        if problem.expected != words:
            yield f"; as {words}: {problem.message[:200]}", None


def _by_tag(decoder: Decoder, node: Any, value: Mapping[str, Any], path: Path) -> Any:
    name = node["discriminator"]
    if name not in value:
        said = f"{place(path)}: missing key {shown(name)}" if path else f"missing key {shown(name)}"
        expected = choices(_all_tags(decoder, node))
        return decoder.refuse(
            "missing_argument",
            (path, name),
            None,
            expected,
            got="nothing",
            message=f"{said} ({expected})",
        )
    for branch in node["branches"]:
        if any(chosen(tag, value[name]) for tag in tags(branch, name, decoder.types)):
            return decoder.value(branch, value, path)
    return decoder.refuse(
        "unknown_tag", (path, name), value[name], choices(_all_tags(decoder, node))
    )


def _is_told(decoder: Decoder, node: Any, value: Mapping[str, Any]) -> bool:
    """Whether the discriminator must or does stand there; null is absent where it may be."""
    name = node["discriminator"]
    if value.get(name) is not None:
        return True
    branches = [resolved(branch, decoder.types) for branch in node["branches"]]
    fields = [field for branch in branches for field in branch["fields"] if field["wire"] == name]
    return all(field["required"] for field in fields)


def _all_tags(decoder: Decoder, node: Any) -> Iterator[object]:
    for branch in node["branches"]:
        yield from tags(branch, node["discriminator"], decoder.types)


def tags(branch: Any, name: str, types: Mapping[str, ir.Type]) -> list[Any]:
    """The values of a branch's discriminating field."""
    for field in resolved(branch, types).get("fields", ()):
        if field["wire"] == name:
            node = resolved(field["type"], types)
            return [one["value"] for one in node.get("values") or node.get("members") or ()]
    return []


def resolved(node: Any, types: Mapping[str, ir.Type]) -> Any:
    """The node that a reference stands for."""
    for _ in range(50):
        if node["kind"] != "ref":
            break
        node = types[node["name"]]
    return node


def rank(node: Any, value: object, types: Mapping[str, ir.Type], depth: int = 0) -> int:
    """How near a type is to a value, 0 the nearest; FOREIGN where the JSON type differs."""
    node = resolved(node, types)
    kind = node["kind"]
    if kind == "union" and depth < 20:
        return min(rank(branch, value, types, depth + 1) for branch in node["branches"])
    if kind in {"nullable", "root", "custom"} and depth < 20:
        if kind == "nullable" and value is None:
            return 0
        inner = node["wire"] if kind == "custom" else node["inner"]
        return rank(inner, value, types, depth + 1)
    if kind in {"literal", "enum"}:
        offered = node["values"] if kind == "literal" else node["members"]
        return 0 if any(chosen(one["value"], value) for one in offered) else FOREIGN
    if kind == "any":
        return 5
    if kind == "stdlib":
        return _rank_of_stdlib(node["type"], value)
    ranks = _RANKS.get(type(value)) or _ranks_of_base(value)
    return ranks.get("text" if "wire" in node else kind, FOREIGN)


def _ranks_of_base(value: object) -> dict[str, int]:
    """The ranks for a value of a derived class, such as a float that keeps its text."""
    return next((ranks for cls, ranks in _RANKS.items() if isinstance(value, cls)), {})


def _rank_of_stdlib(name: str, value: object) -> int:
    if isinstance(value, str):
        return 2 if name in _PLAIN_TEXT else 1
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return 3 if name in {"decimal", "duration"} else FOREIGN
    return FOREIGN


_RANKS: dict[type, dict[str, int]] = {
    str: {"string": 2, "text": 1},
    bool: {"boolean": 1},
    int: {"flag": 0, "integer": 1, "number": 2},
    float: {"number": 1, "integer": 2, "flag": 2},
    list: {"array": 1, "tuple": 1},
    dict: {"object": 1, "mapping": 1},
    type(None): {"null": 0},
}

KINDS: dict[str, Decode] = {"union": _union}
