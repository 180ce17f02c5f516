"""What annotations say beside their types."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from toolcall_mypy.source.annotations import read, read_value
from toolcall_mypy.source.defaults import Computed, Known
from toolcall_mypy.source.metadata import NOTHING, Metadata
from toolcall_mypy.source.resolve import Trail

if TYPE_CHECKING:
    from collections.abc import Callable

    from toolcall_mypy.source.files import SourceFiles

HEAD = """\
import re
import typing as t
import annotated_types as at
import enum
from annotated_types import Ge, Gt, Interval, Le, Len, Lt, MaxLen, MinLen, MultipleOf, Unit
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Final, Literal, NewType, Optional, Required, TypeAlias
from typing import TypeVar, Union
from typing_extensions import Doc, TypeAliasType, Unpack
from types import NoneType
import msgspec
import pydantic
from pydantic import Field, PositiveInt, StringConstraints, conint, conlist, constr
from toolcall import Context, Inject, Param, TypeProvider
T = TypeVar("T")
U = TypeVar("U")
"""


needs_312 = pytest.mark.skipif(sys.version_info < (3, 12), reason="a `type` statement")
needs_311 = pytest.mark.skipif(sys.version_info < (3, 11), reason="a star in brackets")


def of(
    modules: Callable[..., SourceFiles],
    annotation: str,
    before: str = "",
    trail: Trail | None = None,
    **others: str,
) -> Metadata:
    """The metadata of `x: <annotation>` after some lines of its module."""
    if sys.version_info < (3, 12):
        kept = [line for line in before.split("\n") if not line.startswith("type ")]
        before = "\n".join(kept)
    files = modules(m=f"{HEAD}{before}\nx: {annotation}\n", **others)
    index = files.index("m")
    assert index is not None
    assert index.fault is None, index.fault
    expr = index.assigned["x"].annotation
    assert expr is not None
    return read(expr, index, "", files, trail)


@pytest.mark.parametrize(
    ("annotation", "description"),
    [
        ("int", None),
        ("Annotated[int, 'text']", "text"),
        ("t.Annotated[int, 'te' 'xt']", "text"),
        ("Annotated[int, 'te' + 'xt']", "text"),
        ("Annotated[int, Doc('text')]", "text"),
        ("Annotated[int, Doc(documentation='text')]", "text"),
        ("Annotated[int, at.doc('text')]", "text"),
        ("Annotated[int, Field(description='text')]", "text"),
        ("Annotated[int, pydantic.Field(description='text', ge=1)]", "text"),
        ("Annotated[int, msgspec.Meta(description='text')]", "text"),
        ("Annotated[int, Param('text')]", "text"),
        ("Annotated[int, Param(description='text')]", "text"),
        ("Annotated[int, Param(name='other')]", None),
        ("Annotated[int, Param(None)]", None),
        ("Annotated[int, '']", ""),
        ("Annotated[int, TEXT]", "text"),
        ("Annotated[int, Field(description=TEXT)]", "text"),
        ("Annotated[int, 'two\\n   lines']", "two lines"),
        ("'Annotated[int, \"text\"]'", "text"),
        ("Annotated['int', 'text']", "text"),
        ("Optional[Annotated[int, 'text']]", "text"),
        ("Annotated[int, 'text'] | None", "text"),
        ("None | Annotated[int, 'text']", "text"),
        ("Annotated[int | None, 'text']", "text"),
        ("Required[Annotated[int, 'text']]", "text"),
        ("Annotated[int, 5, 'text', None]", "text"),
        ("list[Annotated[int, 'inner']]", None),
        ("'not ( python'", None),
        ("f(1)", None),
    ],
)
def test_descriptions(
    modules: Callable[..., SourceFiles], annotation: str, description: str | None
) -> None:
    """Every way to describe; empty text is not the same as none."""
    found = of(modules, annotation, "TEXT = 'text'\n")
    assert found.description == description
    assert (found.described_at is None) == (description is None)
    assert not found.every_unread()


@pytest.mark.parametrize(
    ("item", "constraints"),
    [
        ("Gt(1)", {"gt": 1}),
        ("Ge(ge=1)", {"ge": 1}),
        ("Lt(1.5)", {"lt": 1.5}),
        ("Le(-1)", {"le": -1}),
        ("Interval(ge=1, lt=5)", {"ge": 1, "lt": 5}),
        ("MultipleOf(5)", {"multiple_of": 5}),
        ("MinLen(1), MaxLen(3)", {"min_length": 1, "max_length": 3}),
        ("Len(2)", {"min_length": 2}),
        ("Len(0, 4)", {"min_length": 0, "max_length": 4}),
        ("Len(1, None)", {"min_length": 1}),
        ("Unit('m')", {}),
        ("Field(gt=0, le=9, multiple_of=3, title='T')", {"gt": 0, "le": 9, "multiple_of": 3}),
        ("Field(min_length=1, max_length=2, pattern='^a$')", None),
        ("StringConstraints(min_length=1, strip_whitespace=False)", {"min_length": 1}),
        ("msgspec.Meta(ge=0, pattern='a+')", {"ge": 0, "pattern": "a+"}),
        ("Param(ge=0, min_items=1)", {"ge": 0, "min_items": 1}),
        ("Field(pattern=re.compile('a+'))", {"pattern": "a+"}),
        ("Ge(LIMIT)", {"ge": 7}),
        ("BOUND", {"ge": 3}),
        ("Field(ge=None)", {}),
    ],
)
def test_constraints(
    modules: Callable[..., SourceFiles], item: str, constraints: dict[str, object] | None
) -> None:
    """annotated-types, pydantic, msgspec and our own; constants count as literals."""
    if constraints is None:
        constraints = {"min_length": 1, "max_length": 2, "pattern": "^a$"}
    found = of(modules, f"Annotated[int, {item}]", "LIMIT = 7\nBOUND = Ge(3)\n")
    assert dict(found.constraints) == constraints
    assert not found.unread


@pytest.mark.parametrize(
    ("annotation", "constraints"),
    [
        ("PositiveInt", {"gt": 0}),
        ("pydantic.NonNegativeFloat", {"ge": 0}),
        ("conint(ge=1, lt=3)", {"ge": 1, "lt": 3}),
        ("constr(min_length=1, regex='a')", {"min_length": 1, "pattern": "a"}),
        ("Annotated[PositiveInt, Le(5)]", {"gt": 0, "le": 5}),
        ("Optional[PositiveInt]", {"gt": 0}),
    ],
)
def test_types_that_are_constraints(
    modules: Callable[..., SourceFiles], annotation: str, constraints: dict[str, object]
) -> None:
    """pydantic's ready-made and made-to-order types."""
    assert dict(of(modules, annotation).constraints) == constraints


def test_a_name_of_a_builtin_may_mean_something_else(
    modules: Callable[..., SourceFiles],
) -> None:
    """Where a module binds it, or a star import may."""
    assert dict(of(modules, "int", "int = Annotated[float, Ge(1)]\n").constraints) == {"ge": 1}
    star = of(modules, "str", "from n import *\n", n="#: Doc.\nstr = int\n")
    assert star.alias is not None


def test_items_of_a_constrained_list(modules: Callable[..., SourceFiles]) -> None:
    """`conlist` has items and lengths."""
    for annotation in ("conlist(PositiveInt, min_length=2)", "conlist(item_type=PositiveInt)"):
        found = of(modules, annotation)
        assert dict(found.children["items"].constraints) == {"gt": 0}


def test_our_own_ready_made_aliases_are_read_like_anybody_elses(
    modules: Callable[..., SourceFiles],
) -> None:
    """Through a package's lazy `if TYPE_CHECKING` import to the module that has them."""
    found = of(
        modules,
        "P",
        "from toolcall import PositiveInt as P\n",
        toolcall="TYPE_CHECKING = False\nif TYPE_CHECKING:\n"
        "    from toolcall.aliases import PositiveInt as PositiveInt\n",
        toolcall__aliases="from typing import Annotated\nfrom toolcall._values import Param\n"
        "PositiveInt = Annotated[int, Param(gt=0)]\n",
    )
    assert dict(found.constraints) == {"gt": 0}


@pytest.mark.parametrize(
    ("annotation", "slots"),
    [
        ("list[{}]", ["items"]),
        ("t.List[{}]", ["items"]),
        ("set[{}]", ["items"]),
        ("Sequence[{}]", ["items"]),
        ("tuple[{}, ...]", ["items"]),
        ("tuple[int, {}]", [("prefix", 1)]),
        pytest.param("tuple[int, *tuple[{}, ...]]", ["rest"], marks=needs_311),
        ("tuple[int, Unpack[tuple[{}, ...]]]", ["rest"]),
        pytest.param("tuple[*tuple[{}, ...]]", ["items"], marks=needs_311),
        ("dict[{}, int]", ["key"]),
        ("Mapping[str, {}]", ["value"]),
        ("int | {}", [("branch", 1)]),
        ("Union[int, None, {}]", [("branch", 1)]),
        ("Union[int, Optional[{}], str]", [("branch", 1)]),
        ("int | 'str | {}'", [("branch", 2)]),
        ("Literal['a', 'b'] | {}", [("branch", 1)]),
        ("Literal['a'] | Literal['b'] | {}", [("branch", 1)]),
        ("Literal[None] | int | {}", [("branch", 1)]),
        ("NoneType | int | {}", [("branch", 1)]),
        ("Either | {}", [("branch", 2)]),
        ("Either | None | {}", [("branch", 2)]),
        ("Nothing | int | {}", [("branch", 1)]),
        ("Id | {}", [("branch", 1)]),
        ("Annotated[int | str, 'x'] | {}", [("branch", 2)]),
        ("list[dict[str, {}]]", ["items", "value"]),
        ("Optional[list[{}]]", ["items"]),
        ("Annotated[list[{}], MinLen(1)]", ["items"]),
        ("list[{}] | None", ["items"]),
        ("list['{}']", ["items"]),
    ],
)
def test_parts_have_their_slots(
    modules: Callable[..., SourceFiles], annotation: str, slots: list[object]
) -> None:
    """At any depth, in every container, in unions as the checker flattens them."""
    quote = '"' if "'" in annotation and "'{}'" in annotation else "'"
    inner = f"Annotated[int, {quote}here{quote}]"
    if "'str |" in annotation:
        inner = 'Annotated[int, "here"]'
    before = "Either = int | str | None\nNothing = None\nId = NewType('Id', Union[int, str])\n"
    found = of(modules, annotation.format(inner), before)
    for slot in slots:
        assert list(found.children) == [slot] or "x" in annotation
        found = found.children[slot]  # type: ignore[index]
    assert found.description == "here"


def test_a_union_alias_spreads_over_its_branches(modules: Callable[..., SourceFiles]) -> None:
    """Slots count after flattening, and what was said of the alias holds of each."""
    found = of(modules, "A | bytes", "A = Annotated[int | Annotated[float, Le(9)], Ge(1)]\n")
    assert [dict(child.constraints) for child in found.children.values()] == [
        {"ge": 1},
        {"ge": 1, "le": 9},
    ]


def test_recursion_ends(modules: Callable[..., SourceFiles]) -> None:
    """Aliases that contain or are themselves."""
    before = (
        "Tree: TypeAlias = 'Union[str, list[Tree], Annotated[int, \"n\"]]'\n"
        "Loop: TypeAlias = 'Loop | None'\nPing = Pong\nPong = Ping\n"
        "type Grow[T] = list[Grow[list[T]]]\n"
    )
    tree = of(modules, "Tree", before)
    assert tree.children["branch", 2].description == "n"
    for name in ("Loop", "Ping", "Grow[int]", "Loop | int"):
        assert of(modules, name, before) == NOTHING


def test_a_doubling_chain_of_aliases_is_read_in_no_time(
    modules: Callable[..., SourceFiles],
) -> None:
    """Each alias is read once, however often it is used."""
    before = "A0 = Annotated[int, Ge(1)]\n" + "".join(
        f"A{n} = dict[A{n - 1}, A{n - 1}]\n" for n in range(1, 40)
    )
    found = of(modules, "A39", before)
    for _ in range(39):
        found = found.children["value"]
    assert dict(found.constraints) == {"ge": 1}
    unions = "A0 = Annotated[int, Ge(1)]\n" + "".join(
        f"A{n} = A{n - 1} | A{n - 1}\n" for n in range(1, 40)
    )
    assert dict(of(modules, "A39", unions).children["branch", 0].constraints) == {"ge": 1}


@pytest.mark.parametrize(
    ("annotation", "text"),
    [
        ("City", "A city."),
        ("City | None", "A city."),
        ("Optional['City']", "A city."),
        ("Above", "Above it."),
        ("Beside", "Beside it."),
        ("Inside", "Inside it."),
        ("Both", "Beneath."),
        ("Chain", "A city."),
        ("Longer", "A city."),
        ("Nullable", "A city."),
        ("Id", "An id."),
        ("IdChain", "An id."),
        pytest.param("Statement", "A statement.", marks=needs_312),
        ("Pair[int]", "A pair."),
        ("Called", "Called."),
        ("Hidden", ""),
        ("Plain", None),
        ("int", None),
        ("Cls", None),
        ("Other", "Elsewhere."),
    ],
)
def test_documentation_of_aliases(
    modules: Callable[..., SourceFiles], annotation: str, text: str | None
) -> None:
    """All spellings; the nearest documented alias along a chain."""
    before = (
        'City = str\n"""A\ncity."""\n'
        "#: Above it.\nAbove = str\nBeside = str  #: Beside it.\n"
        "Inside = Annotated[str, Doc('Inside it.')]\n"
        "Both = Annotated[str, Doc('Inside it.')]\n'''Beneath.'''\n"
        "Chain = City\nLonger: TypeAlias = 'Chain'\nNullable = City | None\n"
        'Id = NewType("Id", int)\n"""An id."""\nIdChain = Id\npass\n'
        'type Statement = str\n"""A statement."""\n'
        'Pair = tuple[T, T]\n"""A pair."""\n'
        'Called = TypeAliasType("Called", list[int])\n"""Called."""\n'
        'Hidden = City\n""""""\n'
        "Plain = str\nclass Cls:\n    '''A class.'''\nfrom n import Other\n"
    )
    found = of(modules, annotation, before, n='Other = int\n"""Elsewhere."""\n')
    assert (found.alias.text if found.alias else None) == text
    assert found.description is None


def test_where_an_alias_is_documented(modules: Callable[..., SourceFiles]) -> None:
    """Name, module and line of the documentation, and every module on the trail."""
    trail = Trail()
    found = of(
        modules, "n.B", "import n\n", trail, n="from o import A\nB = A\n", o='A = int\n"""Doc."""\n'
    )
    assert found.alias is not None
    assert (found.alias.name, found.alias.at.module, found.alias.at.line) == ("A", "o", 2)
    assert [(module, names) for module, _, names in trail] == [
        ("m", ("n",)),
        ("n", ("A", "B")),
        ("o", ("A",)),
    ]


def test_a_use_describes_itself_apart_from_its_alias(
    modules: Callable[..., SourceFiles],
) -> None:
    """Both are given, and there is no conflict."""
    found = of(modules, "Annotated[A, 'use']", "A = Annotated[int, Doc('alias'), Ge(1)]\n")
    assert found.description == "use"
    assert found.alias is not None
    assert found.alias.text == "alias"
    assert dict(found.constraints) == {"ge": 1}
    assert not found.conflicts


@pytest.mark.parametrize(
    ("before", "annotation", "slot"),
    [
        ("Pair = tuple[T, U]\n", "Pair[int, {}]", ("prefix", 1)),
        ("Pair = tuple[U, T]\n", "Pair[{}, int]", ("prefix", 0)),
        pytest.param(
            "type Pair[A, B] = tuple[B, A]\n", "Pair[{}, int]", ("prefix", 1), marks=needs_312
        ),
        ("P = TypeAliasType('P', dict[U, T], type_params=(T, U))\n", "P[{}, str]", "value"),
        ("Inner = list[T]\nOuter = Inner[T]\n", "Outer[{}]", "items"),
        pytest.param("type Maybe[A] = A | int\n", "Maybe[{}]", ("branch", 0), marks=needs_312),
        ("V = TypeVar('V', bound=list[Annotated[int, 'here']])\n", "V", "items"),
        ("V = TypeVar('V', int, Annotated[str, 'here'])\n", "V", ("branch", 1)),
    ],
)
def test_type_arguments_are_put_into_aliases(
    modules: Callable[..., SourceFiles], before: str, annotation: str, slot: object
) -> None:
    """Old-style, PEP 695 and called aliases; bounds and constraints of type variables."""
    found = of(modules, annotation.format("Annotated[int, 'here']"), before)
    assert list(found.children) == [slot]
    assert found.children[slot].description == "here"  # type: ignore[index]


@pytest.mark.parametrize(
    ("annotation", "inject"),
    [
        ("Annotated[str, Inject]", "value"),
        ("Annotated[str, Inject()]", "value"),
        ("Annotated[str, Inject] | None", "value"),
        ("int | Annotated[str, Inject] | None", "value"),
        ("User", "value"),
        ("Optional[User]", "value"),
        ("Context[int]", "context"),
        ("Context", "context"),
        ("Context[int] | None", "context"),
        ("Ctx | None", "context"),
        pytest.param("Ctx2", "context", marks=needs_312),
        ("str", None),
    ],
)
def test_injected(modules: Callable[..., SourceFiles], annotation: str, inject: str | None) -> None:
    """The marker is found inside unions and aliases."""
    before = "User = Annotated[str, Inject]\nCtx = Context[int]\ntype Ctx2 = Ctx\n"
    assert of(modules, annotation, before).inject == inject


def test_names_wire_forms_discriminators_and_providers(
    modules: Callable[..., SourceFiles],
) -> None:
    """What is neither description nor constraint."""
    found = of(
        modules,
        "Annotated[int, Param(name='n', wire='string_integer'), Field(discriminator='kind'),"
        " Money]",
        "class Money(TypeProvider[int]): ...\n",
    )
    assert (found.name, found.wire, found.discriminator) == ("n", "string_integer", "kind")
    assert found.provider == "m:Money"
    again = of(
        modules,
        "Annotated[int, Field(alias='n'), pydantic.Discriminator('k'), Money()]",
        "class Money(TypeProvider[int]): ...\n",
    )
    assert (again.name, again.discriminator, again.provider) == ("n", "k", "m:Money")


@pytest.mark.parametrize(
    ("item", "text", "reason"),
    [
        ("Ge(limit())", "limit()", "call"),
        ("Ge('a')", "'a'", "not a value for ge"),
        ("Ge(True)", "True", "not a value for ge"),
        ("Ge(float)", "float", "not a constant"),
        ("MinLen(-1)", "-1", "not a value for min_length"),
        ("Field(max_digits=3)", "max_digits=3", "max_digits"),
        ("Field(**options)", "options", "**"),
        ("Ge(1, 2)", "2", "*"),
        ("at.Predicate(str.islower)", "at.Predicate(str.islower)", "Predicate"),
        ("at.Timezone(None)", "at.Timezone(None)", "Timezone"),
        ("unknown(1)", "unknown(1)", "unknown"),
        ("Unknown", "Unknown", "not found"),
        ("Marker", "Marker", "m.Marker"),
        ("f'{1}'", "f'{1}'", "not a literal"),
        ("lambda v: v", "lambda v: v", "not a literal"),
        ("Field(description=f'{1}')", "f'{1}'", "f-string"),
        ("'a' + b()", "'a' + b()", "call"),
        ("LOOP", "LOOP", "no value"),
        ("LATER", "LATER", "call"),
        ("DECLARED", "DECLARED", "no value"),
        ("TWICE", "TWICE", "more than once"),
        ("Field(pattern=re.compile('a', re.I))", "re.compile('a', re.I)", "call"),
    ],
)
def test_what_cannot_be_read_is_told(
    modules: Callable[..., SourceFiles], item: str, text: str, reason: str
) -> None:
    """With its text, its place and a reason; nothing is lost silently."""
    before = (
        "class Marker: ...\nLOOP = LOOP\nLATER = Ge(limit())\nDECLARED: str\n"
        "TWICE = 'a'\nTWICE = 'b'\n"
    )
    found = of(modules, f"list[Annotated[int, {item}, 'kept']]", before)
    [unread] = found.every_unread()
    assert unread.text == text
    assert reason in unread.reason
    line = f"x: list[Annotated[int, {item}, 'kept']]"
    assert line[unread.at.col :].startswith(text)
    assert unread.at.line == (HEAD + before + "\n").count("\n") + 1
    assert found.children["items"].description == "kept"


def test_predicates_in_type_position(modules: Callable[..., SourceFiles]) -> None:
    """`LowerCase[str]` is its type and a test that no schema can hold."""
    [unread] = of(modules, "at.LowerCase[Annotated[str, MinLen(1)]]").unread
    assert unread.text == "at.LowerCase"


@pytest.mark.parametrize(
    ("annotation", "facts"),
    [
        ("Annotated[int, Ge(1), Ge(2)]", [("ge", 1, 2)]),
        ("Annotated[int, Ge(1), Ge(1)]", []),
        ("Annotated[int, 'a', 'b']", [("description", "a", "b")]),
        ("Annotated[int, 'a', Field(description='a', ge=2), Le(3)]", []),
        ("Annotated[Annotated[int, Ge(1)], Field(ge=2)]", [("ge", 1, 2)]),
        ("list[Annotated[int, Ge(1), Ge(2)]]", [("ge", 1, 2)]),
        ("Annotated[A, Ge(2)]", [("ge", 1, 2)]),
        ("Annotated[int, ONE, Ge(2)]", [("ge", 1, 2)]),
    ],
)
def test_a_fact_given_twice(
    modules: Callable[..., SourceFiles], annotation: str, facts: list[object]
) -> None:
    """The last counts; different ones are a conflict."""
    found = of(modules, annotation, "A = Annotated[int, Ge(1)]\nONE = Ge(1)\n")
    assert [(one.fact, one.first, one.last) for one in found.every_conflict()] == facts


def test_places_inside_quoted_annotations(modules: Callable[..., SourceFiles]) -> None:
    """Line and column are those of the file, for every kind of quote."""
    for quoted in ("'list[Annotated[int, Bad]]'", 'r"""list[\n Annotated[int,\n  Bad]]"""'):
        found = of(modules, quoted, "é = 1\n")
        [unread] = found.every_unread()
        lines = (HEAD + "é = 1\n\nx: " + quoted).split("\n")
        assert lines[unread.at.line - 1][unread.at.col :].startswith("Bad")


def test_a_thousand_branches(modules: Callable[..., SourceFiles]) -> None:
    """A long union does not exhaust the stack."""
    long = " | ".join(["int"] * 900 + ["Annotated[str, 'last']"])
    assert of(modules, long).children["branch", 900].description == "last"


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ("Field(3, description='d', ge=1)", ("d", {"ge": 1}, Known(3), None)),
        ("Field(..., alias='a')", (None, {}, None, "a")),
        ("Field(default_factory=list)", (None, {}, Computed("a factory makes it"), None)),
        ("dataclasses.field(default=2)", (None, {}, Known(2), None)),
        ("dataclasses.field(default_factory=dict, metadata={'a': 1})", None),
        ("Field(alias='a', validation_alias='b')", (None, {}, None, "b")),
        ("attrs.field(default=2, alias='a')", (None, {}, Known(2), "a")),
        ("attr.ib(default=2)", (None, {}, Known(2), None)),
        ("msgspec.field(default=None, name='a')", (None, {}, Known(None), "a")),
    ],
)
def test_values_of_fields(
    modules: Callable[..., SourceFiles],
    value: str,
    said: tuple[object, ...] | None,
) -> None:
    """`Field(...)` and its kind say more than a default."""
    files = modules(m=f"{HEAD}import dataclasses, attr, attrs\nx: int = {value}\n")
    index = files.index("m")
    assert index is not None
    expr = index.assigned["x"].value
    assert expr is not None
    found = read_value(expr, index, "", files)
    assert found is not None
    if said is None:
        said = (None, {}, Computed("a factory makes it"), None)
    facts = (found.description, dict(found.constraints), found.default, found.name)
    assert facts == said
    assert not found.unread


def test_other_values_say_nothing(modules: Callable[..., SourceFiles]) -> None:
    """A plain default or an unknown call is nothing for us."""
    files = modules(m="x = 3\ny = f(3)\nz = a[0](3)\n")
    index = files.index("m")
    assert index is not None
    for name in "xyz":
        expr = index.assigned[name].value
        assert expr is not None
        assert read_value(expr, index, "", files) is None
