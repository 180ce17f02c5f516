"""New syntax, and input that is far from ordinary."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    from derive_sample import Derived


def ref(name: str) -> dict[str, str]:
    return {"kind": "ref", "name": name}


@pytest.mark.skipif(sys.version_info < (3, 12), reason="the syntax of PEP 695")
def test_type_parameters_and_type_statements(derive: Callable[..., Derived]) -> None:
    """`type X = …`, recursive or not, generic classes and functions."""
    derived = derive("""
from dataclasses import dataclass
type Words = list[str]
type Deep[T] = T | list[Deep[T]]
@dataclass
class Box[T]:
    inside: T
@mark
def f[B: int, C: (int, str)](
    words: Words, deep: Deep[int], box: Box[int], boxed: Box[B], b: B, c: C
) -> None: ...
""")
    integer = {"kind": "integer"}
    assert {each.name: each.type for each in derived.signatures["f"].parameters} == {
        "words": {"kind": "array", "items": {"kind": "string"}, "cls": "list"},
        "deep": ref("Deep_int"),
        "box": ref("Box_int"),
        "boxed": ref("Box_int"),
        "b": integer,
        "c": {"kind": "union", "branches": [integer, {"kind": "string"}]},
    }
    assert derived.entry("Deep_int") == {
        "kind": "union",
        "branches": [integer, {"kind": "array", "items": ref("Deep_int"), "cls": "list"}],
    }


def test_deep_nesting_ends_in_any_value(derive: Callable[..., Derived]) -> None:
    """No recursion error, and a loss that says where."""
    depth = 90
    derived = derive(f"@mark\ndef f(p: {'List[' * depth}int{']' * depth}) -> None: ...\n")
    assert derived.codes("f") == ["unsupported-type"]
    node: Any = derived.type("f")
    while node["kind"] == "array":
        node = node["items"]
    assert node == {"kind": "any"}


def test_recursive_alias_in_a_union_with_itself(derive: Callable[..., Derived]) -> None:
    """It stays one reference, however deep; null is not added to what takes it already."""
    derived = derive("""
Json = Union[str, Dict[str, Union["Json", bool]], List[Optional["Json"]]]
Nothing = Union[None, List["Nothing"]]
@mark
def f(p: Json, q: Optional[Json], r: Optional[Nothing], s: Union[Json, int]) -> None: ...
""")
    json = ref("Json")
    assert derived.type("f", "p") == json
    assert derived.type("f", "q") == {"kind": "nullable", "inner": json}
    assert derived.type("f", "r") == ref("Nothing")
    assert derived.type("f", "s") == {"kind": "union", "branches": [json, {"kind": "integer"}]}
    assert set(derived.table.entries) == {"Json", "Nothing"}


def test_gigantic_literal(derive: Callable[..., Derived]) -> None:
    """Two thousand values are two thousand values."""
    listed = ", ".join(f"'v{number}'" for number in range(2000))
    derived = derive(f"@mark\ndef f(p: Literal[{listed}]) -> None: ...\n")
    assert len(derived.type("f")["values"]) == 2000


def test_faulty_annotations_are_any_value(derive: Callable[..., Derived]) -> None:
    """mypy has its own words for them; the other parameters are as they should be."""
    derived = derive(
        """
@mark
def f(a: Unknown, b: 3, c: len, d: List[int, str], e: Literal[3 + x], ok: int) -> None: ...
Loop = List["Loop2"]
Loop2 = Union["Loop2", int]
@mark
def g(p: Loop, q: Loop2) -> None: ...
""",
        errors=True,
    )
    types = {each.name: each.type for each in derived.signatures["f"].parameters}
    assert types.pop("ok") == {"kind": "integer"}
    assert types.pop("d")["kind"] in {"any", "array"}
    assert all(each == {"kind": "any"} for each in types.values())
    assert all(derived.losses("f", name) for name in types)
    assert derived.type("g", "q") == {"kind": "any"}


def test_class_with_a_base_that_is_not_found(derive: Callable[..., Derived]) -> None:
    """Its own fields are known, and it is built by them."""
    derived = derive("""
from dataclasses import dataclass
from gone import Base  # type: ignore
@dataclass
class Sub(Base):
    x: int
    y: str = ""
@mark
def f(p: Sub) -> None: ...
""")
    assert [each["name"] for each in derived.entry("Sub")["fields"]] == ["x", "y"]
