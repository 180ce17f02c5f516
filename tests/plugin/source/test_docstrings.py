"""Docstrings as people write them."""

from __future__ import annotations

import textwrap

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolcall_mypy.source.docstrings import Docstring, Style, choices, parse, prose
from toolcall_mypy.source.entries import Entry, Sections
from toolcall_mypy.source.layout import Laid
from toolcall_mypy.source.readers import parsed


def params(text: str) -> dict[str, str]:
    """Entries of a docstring written as a block under `Do.`."""
    return {name: entry.text for name, entry in parse(textwrap.dedent(text)).params.items()}


def types(text: str) -> dict[str, str | None]:
    return {name: one.type_text for name, one in parse(textwrap.dedent(text)).params.items()}


GOOGLE = """\
Plan a trip.

    More text: with a colon.

    Example:
        >>> plan(1)

    Args:
        a (int): The start. Note: has a colon
            and goes on.

            Second paragraph.
        b: Has these keys:
            - first: one
            - last: two

    Returns:
        dict: The end
            of it.
    Raises:
        ValueError: If a is
            negative.
        KeyError
    """

NUMPY = """\
    Plan a trip.

    Parameters
    ----------
    a : int
        The start.

        Second paragraph.
    b, c : {'x', 'y'}, optional
        The end,
        included.
    *args : str
        Rest.

    Returns
    -------
    int
        The length.

    Raises
    ------
    ValueError
        If a is negative.
    """

REST = """\
    Plan a trip.

    :param a: The start.
    :param int b: The end,
        included.

        Second paragraph.
    :type a: str
    :returns: The length.
    :rtype: int
    :raises ValueError: If a is negative.
    """

EPYDOC = """\
    Plan a trip.

    @param a: The start.
    @param b: The end,
        included: always.
    @type b: C{int}
    @return: The length of param a: yes.
    @raise ValueError: If a is negative.
    """

MARKDOWN = """\
    # Plan

    Plan a trip.

    ## Parameters:

    * `a` - The start.
    + b (int): The end,
      included.
    - `c` (`String.t()`) - The rest.

    ## Notes

    * `d` - No parameter.
    """


@pytest.mark.parametrize(
    ("text", "style", "entries"),
    [
        (
            GOOGLE,
            "google",
            {
                "a": ("int", "The start. Note: has a colon and goes on.\n\nSecond paragraph."),
                "b": (None, "Has these keys:\n- first: one\n- last: two"),
            },
        ),
        (
            NUMPY,
            "numpy",
            {
                "a": ("int", "The start.\n\nSecond paragraph."),
                "b": ("{'x', 'y'}", "The end, included."),
                "c": ("{'x', 'y'}", "The end, included."),
                "args": ("str", "Rest."),
            },
        ),
        (
            REST,
            "rest",
            {"a": ("str", "The start."), "b": ("int", "The end, included.\n\nSecond paragraph.")},
        ),
        (
            EPYDOC,
            "epydoc",
            {"a": (None, "The start."), "b": ("C{int}", "The end, included: always.")},
        ),
        (
            MARKDOWN,
            "markdown",
            {
                "a": (None, "The start."),
                "b": ("int", "The end, included."),
                "c": ("`String.t()`", "The rest."),
            },
        ),
    ],
)
def test_every_style(text: str, style: str, entries: dict[str, tuple[str | None, str]]) -> None:
    """Entries with their types, in order; the style is found by content."""
    found = parse(text)
    assert found.style == style
    assert found.description.startswith("Plan a trip.")
    assert {n: (one.type_text, one.text) for n, one in found.params.items()} == entries
    assert list(found.params) == list(entries)


@pytest.mark.parametrize("style", ["google", "markdown", "numpy", "rest", "epydoc"])
@pytest.mark.parametrize("text", ["", "One.", "One: two", "a (b): c", "Words. Defaults to 3."])
def test_entries_in_one_line_are_what_the_reader_makes_of_them(style: Style, text: str) -> None:
    """They are not handed to docstring-parser, because it would say the same."""
    flat, deep = Entry(("a",), None, 0, [text]), Entry(("b",), None, 1, ["Two", "lines."])
    one = Laid(style, Sections([flat]), {}, {}, [])
    both = Laid(style, Sections([flat, deep]), {}, {}, [])
    assert parsed(one).params == [("a", text)]
    assert parsed(both).params == [("a", text), ("b", "Two lines.")]


@pytest.mark.parametrize(
    ("text", "heads"),
    [
        (GOOGLE, {"a": "a (int):", "b": "b: Has"}),
        (NUMPY, {"a": "a : int", "b": "b, c :", "c": "b, c :", "args": "*args :"}),
        (REST, {"a": ":param a:", "b": ":param int b:"}),
        (EPYDOC, {"a": "@param a:", "b": "@param b:"}),
        (MARKDOWN, {"a": "* `a`", "b": "+ b", "c": "- `c`"}),
        ("\n\n\n    Do.\n\n    Args:\n        a: Text.\n", {"a": "a: Text"}),
    ],
)
def test_lines_of_entries(text: str, heads: dict[str, str]) -> None:
    """They count in the file, from the line of the docstring's first character."""
    lines = text.split("\n")
    for name, entry in parse(text, line=10).params.items():
        assert lines[entry.line - 10].strip().startswith(heads[name])


@pytest.mark.parametrize(
    ("text", "description"),
    [
        ("", ""),
        ("One line.", "One line."),
        ("One\n    paragraph.\n\n    Another\n    one.", "One paragraph.\n\nAnother one."),
        ("# Title\n\n    The text.", "The text."),
        ("## Heading\n    The text.", "The text."),
        ("# Title\n\n    ## Heading\n\n    The text.", "The text."),
        ("Title\n    =====\n\n    The text.", "The text."),
        ("# Only a title", "Only a title"),
        ("Do.\n    Args:\n        a: Text.", "Do."),
        ("Do.\n\n    Returns:\n        It.\n\n    Args:\n        a: Text.", "Do."),
        ("Do.\n\n    Note:\n        Mind the\n        gap.\n\n    Args:\n        a: T.", None),
        ("Args:\n        a: Text.\n\n    What it does.", "What it does."),
        (":param a: Text.\n\n    What it does.", "What it does."),
        ("Do :meth:`x` or\n    :class:`Y`.\n\n    :param a: Text.", "Do :meth:`x` or :class:`Y`."),
        ("Sent with\n    parameters:\n    that vary.", "Sent with parameters: that vary."),
        ("Do.\n\n    @see: Other.\n    @param a: Text.", "Do."),
        ("Steps:\n\n    1. One,\n       two.\n    2. Three.", "Steps:\n\n1. One, two.\n2. Three."),
        ("Do.\n\n    ```\n    Args:\n        x: 1\n    ```", "Do.\n\n```\nArgs:\n    x: 1\n```"),
        ("Overview\n    --------\n    Text.\n\n    More\n    ----\n    Rest.", None),
    ],
)
def test_descriptions(text: str, description: str | None) -> None:
    """Everything before the first section, in paragraphs, without a title in front."""
    found = parse(text).description
    if "Note:" in text:
        description = "Do.\n\nNote: Mind the gap."
    if "Overview" in text:
        description = "Text.\n\nMore\n----\nRest."
    assert found == description


@pytest.mark.parametrize(
    ("text", "joined"),
    [
        ("  one  ", "one"),
        ("a\n  b\n\n\n  c", "a b\n\nc"),
        ("List:\n- a\n  more\n- b\nEnd", "List:\n- a more\n- b\nEnd"),
        ("- a\n  - a1\n    more\n- b", "- a\n  - a1 more\n- b"),
        ("Run::\n\n    code()\n    more()\n\nend", "Run::\n\n    code()\n    more()\n\nend"),
        (">>> f()\n1\nText", ">>> f()\n1 Text"),
        ("| a | b |\n|---|---|\n| 1 | 2 |", "| a | b |\n|---|---|\n| 1 | 2 |"),
        ("~~~\na\n\nb\n~~~\nc\nd", "~~~\na\n\nb\n~~~\nc d"),
        ("Tab:\n\tone\n\ttwo", "Tab: one two"),
        (
            "Inputs:\n    a: one\n    b (int): two\nEnd",
            "Inputs:\n    a: one\n    b (int): two\nEnd",
        ),
        ("Inputs:\na: one\nb: two", "Inputs: a: one b: two"),
        ("x\n- See:\n    a: one\n    b: two", "x\n- See: a: one b: two"),
    ],
)
def test_prose(text: str, joined: str) -> None:
    """Paragraphs are joined; lists, code and tables keep their lines."""
    assert prose(text) == joined


# One test for each way in which docstring-parser loses or misreads a real docstring.


def test_a_section_that_comes_twice_is_read_twice() -> None:
    """docstring-parser keeps the last of two equal titles."""
    text = "Do.\n\nArgs:\n    a: One.\n\nArgs:\n    b: Two.\n\nKeyword Args:\n    c: Three.\n"
    assert params(text) == {"a": "One.", "b": "Two.", "c": "Three."}


def test_an_entry_without_a_colon_spoils_nothing() -> None:
    """docstring-parser raises for it."""
    text = "Do.\n\nArgs:\n    a: One.\n    more of it\n    b: Two.\n"
    assert params(text) == {"a": "One. more of it", "b": "Two."}


def test_a_continuation_with_a_colon_is_no_entry() -> None:
    """Indentation, not the colon, begins an entry."""
    text = "Search.\n\nArgs:\n    query: The query,\n        for example: red\n    k: Many.\n"
    assert params(text) == {"query": "The query, for example: red", "k": "Many."}


def test_bullets_at_the_indentation_of_entries_are_text() -> None:
    """docstring-parser takes `- first` for a parameter."""
    text = "Do.\n\nArgs:\n    a: Keys:\n    - first: one\n    - last: two\n    b: Two.\n"
    assert params(text) == {"a": "Keys:\n- first: one\n- last: two", "b": "Two."}


@pytest.mark.parametrize(
    ("head", "name", "type_text"),
    [
        ("net (float, optional)", "net", "float"),
        ("pairs (list[tuple(int, str)])", "pairs", "list[tuple(int, str)]"),
        ("kind (Literal['a: b', 'c'])", "kind", "Literal['a: b', 'c']"),
        ("table (dict[str: int])", "table", "dict[str: int]"),
        ("f (Callable[[int, str], None], optional)", "f", "Callable[[int, str], None]"),
        ("x(int)", "x", "int"),
        ("x (optional)", "x", None),
        ("x (int, default 3)", "x", "int"),
        ("x (int, defaults to (3, 4))", "x", "int"),
        ("*args (int)", "args", "int"),
        ("**kwargs", "kwargs", None),
        ("\\*\\*kwargs", "kwargs", None),
        ("`x`", "x", None),
        ("``x`` (int)", "x", "int"),
        ("**x** (int)", "x", "int"),
        ("_x", "_x", None),
        ("größe", "größe", None),
        ("x ", "x", None),
        ("x {int}", "x", "int"),
        ("x=3", "x", None),
        ("x (str) = 'a b'", "x", "str"),
        ("x = 3 (int)", "x", "int"),
    ],
)
def test_heads_of_entries(head: str, name: str, type_text: str | None) -> None:
    """Brackets, colons in types, stars, quotes, words that are no type."""
    text = f"Do.\n\nArgs:\n    {head}: The text: all.\n    y: Other.\n"
    found = parse(text).params
    assert list(found) == [name, "y"]
    assert (found[name].text, found[name].type_text) == ("The text: all.", type_text)


@pytest.mark.parametrize(
    "text",
    [
        "Do.\nArgs:\n    a: The text.\n",
        "Do.\n\nArguments:\n    a: The text.\n",
        "Do.\n\nParameters:\n    a: The text.\n",
        "Do.\n\nparameters:\n    a: The text.\n",
        "Do.\n\nARGS:\n    a: The text.\n",
        "Do.\nargs:\n    a: The text.\n",
        "Do.\narguments:\na: The text.\nReturns:\n    It.\n",
        "Do.\n\nargs:\n    - a: The text.\nreturns:\n    It.\n",
        "Do.\n\nArgs:\n    a:The text.\n",
        "Do.\n\nArgs:\n    a(str) :The text.\n",
        "Do.\n\nArgs:\n    a -> The text.\n",
        "Do.\n\nArgs:\n    1. a: The text.\n",
        "Do.\n\nArgs:\n\n    a: The text.\n",
        "Do.\n\nArgs:\n    a:\n        The text.\n",
        "Do.\n\nArgs:\na: The text.\n",
        "Do.\n\nArgs:\n- a: The text.\n",
        "Do.\n\nArgs:\n    - a: The text.\n",
        "Do.\n\nArgs:\n    * a (str) - The text.\n",
        "Do.\n\nArgs:\n    a - The text.\n",
        "Do.\n\nArgs:\n  a: The\n  text.\n",
        "Do.\n\nArgs:\n\ta: The\n\t\ttext.\n",
        "Do.\n\n  Args:\n    a: The text.\n  Returns:\n    It.\n",
        "    Do.\n\n    Args:\n        a: The text.\n    ",
        "Do.\n\n**Parameters:**\n\n- **a**: The text.\n",
        "Do.\n\n**Args**\n\n- a: The text.\n",
        "Do.\n\n### Args\n- `a` (str): The text.\n",
        "Do.\n\nParameters\n----\na : str\n    The text.\n",
        "Do.\n\nParameters:\n-----------\na: str\n    The text.\n",
        "Do.\n\nParameters\n==========\na\n    The text.\n",
        "Do.\n\nParameters\n----------\na: The text.\n",
        "Do.\n\nParameters\n----------\na : str\nThe text.\n",
        "Do.\n\nParameters\n----------\n    a : str\n        The text.\n",
        "Do.\n\nOther Parameters\n----------------\na\n    The text.\n",
        "Do.\n\nOptions\n-------\na\n    The text.\n",
        "Do.\n\n:param a: The text.\n",
        "Do.\n:param str a: The text.\n",
        "Do.\n\n:param dict[str, int] a: The text.\n",
        "Do.\n\n:param a:\n    The text.\n",
        "Do.\n\n:param a: The\ntext.\n",
        "Do.\n\n:parameter a: The text.\n:meta private:\n",
        "Do.\n\n:arg a: The text.\n\nFree text.\n",
        "Do.\n\n:param a(str): The text.\n",
        "Do.\n\n:param a: The text.\n:default a: 3\n",
        "Do.\n\n@param a: The text.\n\nFree text.\n",
        "Do.\n\n@keyword a: The text.\n@note: param b: no.\n",
        "Do.\n\n@type a: str\n@param a: The text.\n",
    ],
)
def test_one_entry_in_many_spellings(text: str) -> None:
    """Titles, indentation, tabs, bullets and underlines as people write them."""
    found = parse(text)
    assert found.description == "Do."
    assert {name: one.text for name, one in found.params.items()} == {"a": "The text."}


@pytest.mark.parametrize(
    "line", ["localhost:8080 is one.", "py:class:`Host` is one.", "http://a.b is one."]
)
def test_a_colon_inside_of_a_word_begins_no_entry(line: str) -> None:
    assert params(f"Do.\n\nArgs:\n    a: A host:\n    {line}\n") == {"a": f"A host: {line}"}


def test_a_sentence_that_ends_in_a_title_is_none() -> None:
    """In small letters it takes entries below, where a text goes on above."""
    for text in (
        "Of its many\narguments:\n    None is read.",
        "It gives what it\nreturns:\n    x.",
    ):
        assert parse(text).style is None


def test_an_entry_for_several_names() -> None:
    """Each name gets the text."""
    google = "Do.\n\nArgs:\n    x, y (int): Place.\n    a / b: Either.\n"
    assert params(google) == {"x": "Place.", "y": "Place.", "a": "Either.", "b": "Either."}
    assert types(google)["y"] == "int"
    numpy = "Do.\n\nParameters\n----------\nx, *y : int\n    Place.\n"
    assert params(numpy) == {"x": "Place.", "y": "Place."}


def test_choices_in_the_text_do_no_harm() -> None:
    """They stay in the description as they are."""
    text = "Rate.\n\nArgs:\n    score: Points (choices: [1, 2, 3]).\n"
    assert params(text) == {"score": "Points (choices: [1, 2, 3])."}


def test_roles_at_the_begin_of_a_line_are_text() -> None:
    """docstring-parser takes `:class:` for a field and loses the rest."""
    text = "Do.\n\n:param a: See\n:class:`A` for it.\n:param b: Two.\n"
    assert params(text) == {"a": "See :class:`A` for it.", "b": "Two."}


def test_text_behind_the_fields_belongs_to_none() -> None:
    """docstring-parser gives it to the last field."""
    assert params("Do.\n\n:param a: One.\n\nFree text: here.\n") == {"a": "One."}
    assert params("Do.\n\nArgs:\n    a: One.\n\nFree text: here.\n") == {"a": "One."}


def test_a_paragraph_among_numpy_entries_belongs_to_none() -> None:
    """What stands at the margin ends an entry; entries behind it are found."""
    text = "Do.\n\nParameters\n----------\na : int\n    One.\n\nA word.\n\nb : int\n    Two.\n"
    assert params(text) == {"a": "One.", "b": "Two."}


def test_a_title_among_entries_heads_a_part_of_one() -> None:
    """An `Example:` indented as far as the entries is no parameter."""
    text = "Do.\n\nArgs:\n    a (str): One.\n    Example:\n        a = 1\n"
    assert params(text) == {"a": "One. Example: a = 1"}


def test_numpy_entries_without_text() -> None:
    """`name: type` is a type; a sentence in its place is the text."""
    text = "Do.\n\nParameters\n----------\na: int\nb: bool, default False\nc: Text of four words.\n"
    assert params(text) == {"a": "", "b": "", "c": "Text of four words."}
    assert types(text) == {"a": "int", "b": "bool", "c": None}


def test_numpy_entries_in_one_line() -> None:
    """A text behind the type, or where the type belongs, is no type."""
    entries = "a : int - One.\nb : the second\nc: Which one\nd : list of str\n"
    found = parse(f"Do.\n\nParameters\n----------\n{entries}").params
    assert {name: (one.text, one.type_text) for name, one in found.items()} == {
        "a": ("One.", "int"),
        "b": ("the second", None),
        "c": ("Which one", None),
        "d": ("", "list of str"),
    }


def test_a_blank_line_ends_a_markdown_bullet_and_sub_bullets_name_nothing() -> None:
    """What comes behind is skipped until the next bullet."""
    text = (
        "Do.\n\n## Parameters\n\n* `a` - One\n  goes on.\n\n  Lost.\n"
        "* `b` - Two:\n    * `c` - sub\n      more\nloose\n* `d` - Four.\n"
    )
    assert list(params(text)) == ["a", "b", "d"]
    assert params(text)["a"] == "One goes on."


def test_markdown_has_attributes_too() -> None:
    """Under a heading of their own, up to the next heading."""
    found = parse(
        "A place.\n\n## Attributes\n- `x`: Left.\n\n# Returns\nThe place\nitself.\n\n"
        "## More\nText.\n"
    )
    assert {name: one.text for name, one in found.attributes.items()} == {"x": "Left."}


def test_entries_at_the_margin_end_at_a_paragraph() -> None:
    """What has not the shape of an entry behind a blank line is free text."""
    assert params("Do.\n\nArgs:\na: One.\n\nb: Two.\n\nFree text here.\n") == {
        "a": "One.",
        "b": "Two.",
    }


def test_attributes_are_kept_apart() -> None:
    """A class's fields: an attribute section, or fields of their own."""
    for text in (
        "A place.\n\nAttributes:\n    x (int): Left.\n\nArgs:\n    y: Top.\n",
        "A place.\n\nAttributes\n----------\nx : int\n    Left.\n\n"
        "Parameters\n----------\ny\n    Top.\n",
        "A place.\n\n:ivar x: Left.\n:vartype x: int\n:param y: Top.\n",
        "A place.\n\n@ivar x: Left.\n@type x: int\n@param y: Top.\n",
    ):
        found = parse(text)
        assert {name: (one.text, one.type_text) for name, one in found.attributes.items()} == {
            "x": ("Left.", "int")
        }
        assert list(found.params) == ["y"]


def test_an_entry_with_its_type_alone() -> None:
    """`:type a:` names a parameter even where nothing describes it."""
    found = parse("Do.\n\n:type a: int\n").params["a"]
    assert (found.text, found.type_text) == ("", "int")


@pytest.mark.parametrize(
    ("text", "style", "names"),
    [
        ("Do.\n\n:returns: x\n\nArgs:\n    a: One.\n", "google", ["a"]),
        ("Do.\n\nExample:\n    x\n\n:param a: One.\n", "rest", ["a"]),
        ("Do.\n\n:param a: One.\n\nArgs:\n    b: Two.\n", "rest", ["a"]),
        ("Do.\n\nArgs:\n    b: Two.\n\n:param a: One.\n", "google", ["b"]),
        ("Do.\n\nReturns:\n    x\n", "google", []),
        ("Do.\n\nReturns\n-------\nint\n", "numpy", []),
        ("Do, see the notes: they help.\n", None, []),
    ],
)
def test_which_style_wins(text: str, style: str | None, names: list[str]) -> None:
    """The first mark that documents a parameter; else the first mark of any kind."""
    found = parse(text)
    assert (found.style, list(found.params)) == (style, names)
    assert found.description == text.split("\n", maxsplit=1)[0]


def test_the_style_can_be_told() -> None:
    """Configuration may know better."""
    found = parse("Do.\n\n:param a: One.\n\nArgs:\n    b: Two.\n", "google")
    assert list(found.params) == ["b"]


def test_of_two_entries_for_one_name_the_first_that_says_something_counts() -> None:
    """Neither is lost to an empty one."""
    found: Docstring = parse("Do.\n\nArgs:\n    a:\n    a: One.\n    a: Two.\n")
    assert found.params["a"].text == "One."


@pytest.mark.parametrize(
    ("type_text", "text", "values"),
    [
        ("{'a', 'b'}", "", ("a", "b")),
        ("{'a', 'b'}, optional", "", ("a", "b")),
        ("{1, 2}", "", (1, 2)),
        ("{'a', 2}", "", None),
        ("{'a'}", "", None),
        ("{array, matrix}", "", None),
        (None, "Points (choices: [1, 2, 3]).", (1, 2, 3)),
        (None, "The kind (choices: a, b).", ("a", "b")),
        (None, "One of 'a', 'b' or 'c'.", ("a", "b", "c")),
        (None, 'Must be one of: "a", "b".', ("a", "b")),
        (None, "Either `x` or `y`.", ("x", "y")),
        (None, "Allowed values are 'a' | 'b'.", ("a", "b")),
        (None, "Possible values: ``a``, ``b``, and ``c``.", ("a", "b", "c")),
        (None, "One of [-1, 1].", (-1, 1)),
        (None, "One of the users.", None),
        (None, "The name, like 'a' or 'b'.", None),
        (None, "One of 'a'.", None),
        (None, "One of 'a', 'a'.", None),
        (None, "", None),
        ("one of 'a', 'b'", "", ("a", "b")),
    ],
)
def test_choices(type_text: str | None, text: str, values: tuple[object, ...] | None) -> None:
    """Only conventional forms enumerate."""
    assert choices(type_text, text) == values


_LINES = st.sampled_from(
    """
Args:|Returns:|Raises:|Parameters|----------|Attributes:|## Parameters|**Args:**|Example:
a: One.|- b (int): Two|* `c` - Three|x, y : int|word|KeyError|int:|:|*a:|a (b(c: d): e|a (b]: c
:param a: One|:param a b c: d|:type a: int|:returns:|:raises:|:class:`X`|\\*\\*kw: All|é: ü
@param a: One|@type b: int|@return|```|>>> f(a: b)|# Title|=====|\x0c|a\x85b|
""".strip("\n")
    .replace("\n", "|")
    .split("|")
)


@settings(max_examples=400, deadline=None)
@given(
    st.lists(st.tuples(st.sampled_from(["", "  ", "    ", "\t", "        "]), _LINES), max_size=9)
)
def test_nothing_that_is_written_raises(lines: list[tuple[str, str]]) -> None:
    """Whatever stands where: an answer, and each entry's line lies in the text."""
    text = "\n".join(indent + line for indent, line in lines)
    for told in (None, "google", "numpy", "rest", "epydoc", "markdown"):
        found = parse(text, told)
        for entry in (*found.params.values(), *found.attributes.values()):
            assert 1 <= entry.line <= len(lines)
            assert entry.name


def test_the_type_in_a_head_may_take_several_lines() -> None:
    """Until its bracket closes; one that never does makes no entry."""
    found = parse(
        """Run.

        Args:
            one (Literal["a (b)", "c",
                "d"]): The first
                value.
            two (Literal["a",
            "b"], optional): The second.
            three (never closed
        """
    )
    texts = {name: (entry.type_text, entry.text) for name, entry in found.params.items()}
    assert texts == {
        "one": ('Literal["a (b)", "c", "d"]', "The first value."),
        "two": ('Literal["a", "b"]', "The second. three (never closed"),
    }


def test_a_result_among_the_entries_is_no_text_of_theirs() -> None:
    """`Returns: None` in the margin of the entries ends them."""
    found = parse("Run.\n\nArgs:\n    end: Whether to end.\n\n    Returns: None\n")
    assert {name: entry.text for name, entry in found.params.items()} == {"end": "Whether to end."}


def test_a_heading_above_a_group_of_entries_is_no_text_of_theirs() -> None:
    """Deeper, it is a remark of the entry that it stands in."""
    text = """\
        Search.

        Args:
            # What to look for
            query: The words.
                # Case does not count
            zone: Where.
            Anywhere by default.

            # Paging
            start (int): The first.
            end: The last."""
    assert params(text) == {
        "query": "The words. # Case does not count",
        "zone": "Where. Anywhere by default.",
        "start": "The first.",
        "end": "The last.",
    }


def test_the_first_entry_on_the_line_of_its_title() -> None:
    """What stands behind `Args:` is an entry like those below, wherever they stand."""
    for below in ("      b (int): Second.", "    b (int): Second.", "          b (int): Second."):
        text = f"Do.\n\nArgs: a: First:\n{below}\n{below[:-16]}    Goes on.\nReturns:\n    c."
        found = parse(text)
        assert {name: one.text for name, one in found.params.items()} == {
            "a": "First:",
            "b": "Second. Goes on.",
        }
        assert (found.description, found.params["a"].line, found.params["b"].line) == ("Do.", 3, 4)
    assert params("Do.\n\nArguments: a: First,\n    which goes on.") == {
        "a": "First, which goes on."
    }
    assert params("Args: a (int, optional): First.") == {"a": "First."}


@pytest.mark.parametrize(
    "line",
    ["Args: none", "Parameters: see the manual: it has all", "args: a: b", "Arguments are: a: b"],
)
def test_a_title_within_a_sentence_is_none(line: str) -> None:
    """Only an entry makes it one, and it is written with a capital."""
    found = parse(f"Do.\n\n{line}")
    assert not found.params
    assert line in found.description


def test_numpy_heads_without_a_colon() -> None:
    """A default or a type in brackets is no part of the name."""
    text = """
    Do.

    Parameters
    ----------
    memo, default None
        Unused.
    cls (type[int] | list[type[int]])
        A class.
    x, y
        Both.
    z (int), optional
        Last.
    """
    assert params(text) == {
        "memo": "Unused.",
        "cls": "A class.",
        "x": "Both.",
        "y": "Both.",
        "z": "Last.",
    }
    assert types(text)["cls"] == "type[int] | list[type[int]]"


def test_types_in_other_brackets() -> None:
    """Square and pointed ones, beside the usual."""
    text = """
    Do.

    Args:
        a [str]: First.
        b <list[int]>: Second.
        c (int) : Third.
        d (int -> str): Fourth.
    """
    assert params(text) == {"a": "First.", "b": "Second.", "c": "Third.", "d": "Fourth."}
    assert types(text) == {"a": "str", "b": "list[int]", "c": "int", "d": "int -> str"}


def test_names_in_italics() -> None:
    """As in bold; a star that is not closed belongs to `*args`."""
    text = """
    Do.

    ### Arguments
    - **a**: First.
    - *b* - Second.
    - *args: The rest.
    """
    assert params(text) == {"a": "First.", "b": "Second.", "args": "The rest."}


def test_google_entries_below_an_underlined_title() -> None:
    """Indented one-line entries are no NumPy ones; types alone are."""
    text = """
    Do.

    Args:
    -----
        a: The first
        b (int): The second

    Returns:
    --------
        It.
    """
    assert params(text) == {"a": "The first", "b": "The second"}
    flat = """
    Do.

    Parameters
    ----------
        a: int
        b: str
    """
    assert types(flat) == {"a": "int", "b": "str"}
