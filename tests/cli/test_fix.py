"""`toolcall fix`: what it writes, what it leaves alone, and that the lints are content then."""

from __future__ import annotations

import ast
from collections.abc import Callable
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

from toolcall._cli.edits import Wish, edited


def place(text: str, name: str) -> tuple[int, int]:
    """Where a parameter stands."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.arg) and node.arg == name:
            return node.lineno, node.col_offset
    raise AssertionError(name)


def granted(text: str, edit: str, *names: str, values: str = "") -> str:
    text = dedent(text)
    wishes = [Wish(edit, *place(text, name), name, values) for name in names]
    after = edited(text, wishes)
    compile(after, "m.py", "exec")
    return after


@pytest.mark.parametrize(
    ("annotation", "becomes"),
    [
        ("str", 'Literal["a", "b"]'),
        ("str | None", 'Literal["a", "b"] | None'),
        ("None | str", 'None | Literal["a", "b"]'),
        ("Optional[str]", 'Optional[Literal["a", "b"]]'),
        ("Annotated[str, 'what']", 'Annotated[Literal["a", "b"], \'what\']'),
    ],
)
def test_a_fixed_set_becomes_a_literal(annotation: str, becomes: str) -> None:
    """Wherever the plain type stands in the annotation; the name is imported."""
    after = granted(
        f"import toolcall\ndef f(x: {annotation}): ...\n", "literal", "x", values="'a', 'b'"
    )
    assert after == f"from typing import Literal\nimport toolcall\ndef f(x: {becomes}): ...\n"


def test_imports_go_where_imports_are() -> None:
    """Into an import of typing; behind docstring and future; not twice; none is rewritten
    that has several lines.
    """
    for head, wanted in (
        ("from typing import Any\n", "from typing import Any, Literal\n"),
        ("from typing import Literal\n", "from typing import Literal\n"),
        (
            '"""Doc."""\nfrom __future__ import annotations\nimport os\n',
            '"""Doc."""\nfrom __future__ import annotations\n'
            "from typing import Literal\nimport os\n",
        ),
        (
            "from typing import (\n    Any,  # why\n)\n",
            "from typing import Literal\nfrom typing import (\n    Any,  # why\n)\n",
        ),
    ):
        after = granted(f"{head}def f(x: int): ...\n", "literal", "x", values="1, 2")
        assert after == f"{wanted}def f(x: Literal[1, 2]): ...\n"


@pytest.mark.parametrize("annotation", ["'str'", "list[str]", "Text"])
def test_annotations_that_are_not_known_stay(annotation: str) -> None:
    """Quoted ones, containers, aliases."""
    text = f"def f(x: {annotation}): ...\n"
    assert granted(text, "literal", "x", values="'a'") == text


def test_known_keys_become_a_typeddict() -> None:
    """Keys that are needed and keys that are asked for; the class stands before the decorator."""
    after = granted(
        """\
        from typing import Any
        @tool
        def make_it(what: dict[str, int] | None) -> int:
            if what is not None and "c" in what:
                return what["a"] + what.get("b", 1)
            return 0
        """,
        "typeddict",
        "what",
    )
    assert after == dedent(
        """\
        from typing import Any, TypedDict
        class MakeItWhatRequired(TypedDict):
            a: int


        class MakeItWhat(MakeItWhatRequired, total=False):
            c: int
            b: int


        @tool
        def make_it(what: MakeItWhat | None) -> int:
            if what is not None and "c" in what:
                return what["a"] + what.get("b", 1)
            return 0
        """
    )


@pytest.mark.parametrize(
    ("signature", "head"),
    [
        ("x: dict", "class FX(TypedDict):\n    k: Any\n"),
        ("x: dict = {}", "class FX(TypedDict, total=False):\n    k: Any\n"),
        ("*, x: dict = {}", "class FX(TypedDict, total=False):\n    k: Any\n"),
        ("x: Optional[Dict[str, str]]", "class FX(TypedDict):\n    k: str\n"),
    ],
)
def test_keys_and_defaults(signature: str, head: str) -> None:
    """A dict as the default has not all keys, so none is required."""
    after = granted(f"def f({signature}):\n    return x['k']\n", "typeddict", "x")
    assert head in after


@pytest.mark.parametrize(
    "body",
    ["return g(x)", "return x[name]", "x['a'] = 1", "return list(x)", "return x['a b']", "pass"],
)
def test_a_dict_that_is_used_otherwise_stays(body: str) -> None:
    """Passed on, read by a variable, written to, walked, or read by what is no name."""
    text = f"def f(x: dict):\n    {body}\n"
    assert granted(text, "typeddict", "x") == text


def test_a_method_stays() -> None:
    """Its class would have to stand outside of it."""
    text = "class A:\n    def f(self, x: dict):\n        return x['a']\n"
    assert granted(text, "typeddict", "x") == text


DOCSTRINGS = [
    ('"""Do it."""', '"""Do it.\n\n    Args:\n        x: TODO: describe.\n    """'),
    (
        '"""Do it.\n\n    Args:\n        y: Y,\n            more.\n\n'
        '    Returns:\n        It.\n    """',
        '"""Do it.\n\n    Args:\n        y: Y,\n            more.\n        x: TODO: describe.\n\n'
        '    Returns:\n        It.\n    """',
    ),
    (
        '"""Do it.\n\n    :param y: Y\n        more\n    :returns: it\n    """',
        '"""Do it.\n\n    :param y: Y\n        more\n    :param x: TODO: describe.\n'
        '    :returns: it\n    """',
    ),
]


@pytest.mark.parametrize(("before", "after"), DOCSTRINGS)
def test_entries_are_added_in_the_docstrings_own_layout(before: str, after: str) -> None:
    """At the end of its list of arguments, or as a new one."""
    text = f"def f(y: int, x: int):\n    {before}\n    return 1\n"
    assert (
        granted(text, "description", "x") == f"def f(y: int, x: int):\n    {after}\n    return 1\n"
    )


def test_no_docstring_at_all() -> None:
    """It gets one."""
    after = granted("def f(x: int):\n    return 1\n", "description", "x")
    assert (
        ast.get_docstring(ast.parse(after).body[0])
        == "TODO: describe.\n\nArgs:\n    x: TODO: describe."
    )  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "docstring",
    [
        '"""Do it.\n\n    Parameters\n    ----------\n    y : int\n    """',
        '"Do it."',
        r'"""Do\tit."""',
    ],
)
def test_docstrings_that_are_not_known_stay(docstring: str) -> None:
    """NumPy's layout, single quotes, escapes."""
    text = f"def f(x: int):\n    {docstring}\n    return 1\n"
    assert granted(text, "description", "x") == text


def test_the_command(project: Path, run: Callable[..., Any]) -> None:
    """A diff and exit code 1; with --write the files; then nothing is left to fix."""
    source = project / "shop/stock.py"
    text = source.read_text(encoding="utf-8").replace("name of the article", "name") + dedent(
        '''

        @tool
        def brew(kind: str, how: dict[str, int]) -> int:
            """Brew.

            Args:
                kind: One of "green", "black".
            """
            return how["grams"]
        '''
    )
    source.write_text(text, encoding="utf-8")
    code, shown, _ = run("fix", "shop")
    assert code == 1
    assert '+def brew(kind: Literal["green", "black"], how: BrewHow) -> int:' in shown
    assert "+        how: TODO: describe." in shown
    assert source.read_text(encoding="utf-8") == text
    assert run("fix", "--no-stubs", "shop")[1].count("TODO") == 0
    assert run("fix", "--write", "shop")[0] == 0
    assert "class BrewHow(TypedDict):\n    grams: int" in source.read_text(encoding="utf-8")
    code, shown, _ = run("fix", "shop")
    assert (code, shown) == (0, "nothing to fix\n")
