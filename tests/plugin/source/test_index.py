"""The declarations of one file."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

import pytest

from toolcall_mypy.source.branches import Target
from toolcall_mypy.source.files import decode, open_index
from toolcall_mypy.source.index import ImportSource, ModuleIndex

if TYPE_CHECKING:
    from pathlib import Path


def index(text: str, module: str = "m", path: str = "m.py", **target: object) -> ModuleIndex:
    return ModuleIndex(module, path, text, target=Target(**target) if target else None)  # type: ignore[arg-type]


def test_function_keeps_what_its_signature_says() -> None:
    """Kinds, annotations, defaults, decorators, docstring and places of a function."""
    source = index(
        "@tool\n"
        "@other(1)\n"
        "async def f(a, /, b: int, c: str = 'x', *args: int, d, e=2, **kw: str) -> bool:\n"
        '    """Doc."""\n'
        "    return True\n"
    )
    f = source.functions["f"]
    assert (f.line, f.def_line, f.is_async) == (1, 3, True)
    assert [(p.name, p.kind) for p in f.parameters] == [
        ("a", "positional_only"),
        ("b", "positional_or_keyword"),
        ("c", "positional_or_keyword"),
        ("args", "var_positional"),
        ("d", "keyword_only"),
        ("e", "keyword_only"),
        ("kw", "var_keyword"),
    ]
    defaults = {p.name: ast.unparse(p.default) for p in f.parameters if p.default is not None}
    assert defaults == {"c": "'x'", "e": "2"}
    assert [ast.unparse(d) for d in f.decorators] == ["tool", "other(1)"]
    assert f.docstring is not None
    assert (f.docstring.text, f.docstring.line) == ("Doc.", 4)
    assert (f.parameters[1].line, f.parameters[1].col) == (3, 18)


def test_defaults_of_positional_only_parameters_are_counted_from_the_right() -> None:
    """Defaults belong to the last of all positional parameters, slash or not."""
    f = index("def f(a, b=1, /, c=2): ...\n").functions["f"]
    assert [p.default and ast.unparse(p.default) for p in f.parameters] == [None, "1", "2"]


def test_qualified_names_carry_locals() -> None:
    """Nested functions, classes and methods are found by their `__qualname__`."""
    source = index(
        "class A:\n    class B:\n        def m(self): ...\n"
        "def f():\n    class L:\n        x: int\n    def g(): ...\n    return g\n"
    )
    assert set(source.functions) == {"A.B.m", "f", "f.<locals>.g"}
    assert set(source.classes) == {"A", "A.B", "f.<locals>.L"}
    assert source.functions["f.<locals>.g"].scope == "f.<locals>"


def test_two_definitions_of_one_name_are_told_apart_by_line() -> None:
    """The last one answers for the name; each is found by a line inside it."""
    source = index("def f(a): ...\n\n@d\ndef f(b): ...\n")
    assert source.functions["f"].parameters[0].name == "b"
    assert len(source.functions.all("f")) == 2
    for line, name in ((1, "a"), (3, "b"), (4, "b"), (99, "b")):
        found = source.functions.at("f", line)
        assert found is not None
        assert found.parameters[0].name == name
    assert source.functions.at("g", 1) is None


def test_class_fields_in_order_with_their_documentation() -> None:
    """Annotated fields, plain values and both ways to document them; not methods' locals."""
    source = index(
        "class C(Base, total=False):\n"
        '    """About C."""\n'
        "    a: int\n"
        '    """About a."""\n'
        "    b: str = 'x'  #: about b\n"
        "    #: about c\n"
        "    #: and more\n"
        "    c = 1\n"
        "    def f(self):\n        d = 1\n"
    )
    c = source.classes["C"]
    assert [field.name for field in c.fields] == ["a", "b", "c"]
    assert [field.doc and field.doc.text for field in c.fields] == [
        "About a.",
        "about b",
        "about c\nand more",
    ]
    assert [field.doc and field.doc.line for field in c.fields] == [4, 5, 6]
    assert [ast.unparse(base) for base in c.bases] == ["Base"]
    assert c.keywords[0].arg == "total"
    assert c.docstring is not None


def test_a_class_defined_twice_has_only_its_own_fields() -> None:
    """Fields go by the lines of their class, not by its name."""
    source = index("if x:\n    class C:\n        a: int\nelse:\n    class C:\n        b: int\n")
    first, second = source.classes.all("C")
    assert [f.name for f in first.fields] == ["a"]
    assert [f.name for f in second.fields] == ["b"]


@pytest.mark.parametrize(
    ("text", "doc"),
    [
        ('X = int\n"""Beneath."""\n', "Beneath."),
        ("#: Above.\nX = int\n", "Above."),
        ("X = int  #: Beside.\n", "Beside."),
        ('#: Above.\nX = int\n"""Beneath."""\n', "Beneath."),
        ("X = [\n    1,\n]  #: Beside the end.\n", "Beside the end."),
        ("É = 'é'; X = 'é'  #: Naïve.\n", "Naïve."),
        ("#: Not mine.\n\nX = int\n", None),
        ('Y = """\n#: inside a string"""\nX = int\n', None),
        ("Y = 1  #: About Y.\nX = int\n", None),
        ("X = '#: not a comment'\n", None),
        ("X = int\ny = 1\n'loose'\n", None),
        ("# plain\nX = int\n", None),
    ],
)
def test_documentation_of_an_assignment(text: str, doc: str | None) -> None:
    """A string beneath wins over `#:` beside, that over `#:` directly above."""
    found = index(text).assigned["X"].doc
    assert (found.text if found else None) == doc


@pytest.mark.parametrize(
    ("header", "doc"),
    [
        ("    a: int,\n    x: int,  #: Beside.\n", "Beside."),
        ("    x: int = 3  #: Beside.\n", "Beside."),
        ("    x: 'É' = (3),  #: Naïve.\n", "Naïve."),
        ("    a: int,\n    #: Above,\n    #: two lines.\n    x: int,\n", "Above,\ntwo lines."),
        ("    a: int,\n    #: Above.\n    *x: int,\n", "Above."),
        ("    #: Above.\n    x: int,  #: Beside.\n", "Beside."),
        ("    x: int = [\n        1,\n    ],  #: Beside the end.\n", "Beside the end."),
        ("    a: int,  #: About a.\n    x: int,\n", None),
        ("    #: About a.\n    a: int, x: int,\n", None),
        ("    x: int, a: int,  #: About a.\n", None),
        ("    x: str = '#: not a comment',\n", None),
        ("    x: int,  # plain\n", None),
    ],
)
def test_documentation_of_a_parameter(header: str, doc: str | None) -> None:
    """`#:` beside a parameter wins over that directly above one that starts its line."""
    parameters = index(f"#: Of the function.\ndef f(\n{header}): ...\n").functions["f"].parameters
    (found,) = [one.doc for one in parameters if one.name == "x"]
    assert (found.text if found else None) == doc


def test_a_comment_above_a_function_is_not_about_its_parameters() -> None:
    """What stands on the line of `def` has nothing above it."""
    (x,) = index("#: Of the function.\ndef f(x: int) -> None: ...\n").functions["f"].parameters
    assert x.doc is None


def test_imports_by_the_name_they_bind() -> None:
    """Plain, dotted, renamed, relative, local and star imports."""
    source = index(
        "import a.b\nimport a.c as d\nfrom e import f, g as h\nfrom . import i\n"
        "from ..j import k\nfrom l import *\ndef fn():\n    from n import o\n",
        module="p.q.r",
        path="p/q/r.py",
    )
    assert source.imports == {
        "a": ImportSource("a", None, 1),
        "d": ImportSource("a.c", None, 2),
        "f": ImportSource("e", "f", 3),
        "h": ImportSource("e", "g", 3),
        "i": ImportSource("p.q", "i", 4),
        "k": ImportSource("p.j", "k", 5),
        "fn.<locals>.o": ImportSource("n", "o", 8),
    }
    assert source.stars == [("", "l")]


def test_relative_imports_of_a_package_start_at_the_package() -> None:
    """`from .x import y` in `p/__init__.py` means `p.x`."""
    source = index("from .x import y\n", module="p", path="p/__init__.py")
    assert source.imports["y"].module == "p.x"


def test_of_two_imports_of_one_name_the_first_counts() -> None:
    """As the checker does for `try: … except ImportError: …`."""
    text = "try:\n    from a import X\nexcept ImportError:\n    from b import X\n"
    assert index(text).imports["X"].module == "a"


@pytest.mark.parametrize(
    ("test", "taken"),
    [
        ("TYPE_CHECKING", True),
        ("typing.TYPE_CHECKING", True),
        ("not TYPE_CHECKING", False),
        ("sys.version_info >= (3, 11)", True),
        ("sys.version_info < (3, 11)", False),
        ("version_info >= (3, 12, 1)", True),
        ("sys.version_info[0] >= 3", True),
        ("sys.version_info[:2] == (3, 10)", False),
        ("sys.version_info[2] > 1", None),
        ("sys.platform == 'linux'", True),
        ("sys.platform.startswith('win')", False),
        ("sys.platform == 'win32' or TYPE_CHECKING", True),
        ("sys.platform == 'linux' and unknown", None),
        ("unknown and sys.platform == 'win32'", False),
        ("not unknown", None),
        ("sys.platform in names", None),
        ("0", False),
        ("unknown", None),
    ],
)
def test_branches_as_the_checker_takes_them(test: str, taken: bool | None) -> None:
    """Version, platform and TYPE_CHECKING decide; of anything else both branches count."""
    text = f"if {test}:\n    A = 1\nelse:\n    B = 1\n"
    source = index(text, python_version=(3, 12), platform="linux")
    assert set(source.assigned) == {True: {"A"}, False: {"B"}, None: {"A", "B"}}[taken]


def test_nothing_raises_for_a_bad_file(tmp_path: Path) -> None:
    """Syntax errors, null bytes, wrong encodings and missing files give an empty index."""
    bad = {"syntax": b"def f(:\n", "null": b"a = 1\0\n", "bytes": b"a = '\xff'\n"}
    bad["coding"] = b"# coding: no-such-thing\n"
    bad["deep"] = b"a = " + b"(" * 5000 + b")" * 5000 + b"\n"
    for name, data in bad.items():
        path = tmp_path / name
        path.write_bytes(data)
        found = open_index(name, str(path))
        assert found.fault, name
        assert not found.functions
        assert found.docstring is None
    assert "FileNotFoundError" in (open_index("x", str(tmp_path / "none")).fault or "")


def test_an_invalid_escape_is_not_our_business() -> None:
    """Python's warning about it neither shows nor, as an error, hides the module."""
    assert index("X = '\\d'\n").fault is None


def test_decode_follows_the_coding_line_and_normalises_newlines() -> None:
    """Byte order mark, latin-1 cookie and Windows newlines."""
    assert decode(b"\xef\xbb\xbfa = 1\r\nb = 2\r") == "a = 1\nb = 2\n"
    assert decode("# -*- coding: latin-1 -*-\na = 'é'\n".encode("latin-1")).endswith("'é'\n")


def test_columns_count_characters() -> None:
    """A parameter behind non-ASCII text is placed by characters, not by bytes."""
    f = index("def f(é: str, b: int): ...\n").functions["f"]
    assert f.parameters[1].col == 14


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("__all__ = ['a']\n", ("a",)),
        ("__all__ = ('a',)\n__all__ += ['b']\n", ("a", "b")),
        ("__all__ = ['a']\n__all__.extend(['b'])\n__all__.append('c')\n", ("a", "b", "c")),
        ("__all__ = names()\n", None),
        ("x = 1\n", None),
    ],
)
def test_exported_names(text: str, names: tuple[str, ...] | None) -> None:
    """`__all__` where it is literal."""
    assert index(text).exported == names


def test_names_whose_value_is_not_one_assignment() -> None:
    """Loops, unpacking, `+=` and `global` rebind; unpacking of equal length assigns."""
    source = index(
        "for i in x: ...\nwith y as j: ...\nk, l = z\nm += 1\ndef f():\n    global n\n    n = 2\n"
        "o, p = 1, 2\n"
    )
    assert {"i", "j", "k", "l", "m", "n"} <= source.rebound
    assert ast.unparse(source.assigned["p"].value or ast.Pass()) == "2"


def test_overloads_are_marked() -> None:
    """A function knows whether it is an overload."""
    source = index("@typing.overload\ndef f(): ...\ndef f(): ...\n")
    assert [f.is_overload for f in source.functions.all("f")] == [True, False]


def test_tables_are_mappings_of_what_is_there() -> None:
    """Unknown names are a KeyError, and count as nothing elsewhere."""
    source = index("A = 1\nA = 2\n")
    assert (len(source.assigned), source.assigned.count("A"), source.assigned.count("B")) == (
        1,
        2,
        0,
    )
    assert source.assigned.all("B") == ()
    with pytest.raises(KeyError):
        source.assigned["B"]
    assert source.functions.get("f") is None
