"""Arguments as JSON text."""

from __future__ import annotations

import json
from typing import Any

import pytest

from toolcall._wire import MAX_SIZE, WrittenFloat, read_arguments, read_flat, read_nested
from toolcall.errors import Problem


def read(text: Any, **settings: Any) -> Any:
    return read_arguments(text, **{"max_depth": 100, **settings})


def problem(text: Any, **settings: Any) -> Problem:
    found = read(text, **settings)
    assert isinstance(found, list)
    assert isinstance(found[0], Problem)
    return found[0]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{"a": 1}', {"a": 1}),
        (' {"a": {"b": []}} \n', {"a": {"b": []}}),
        (b'{"a": "\xc3\xa9"}', {"a": "é"}),
        (bytearray(b"{}"), {}),
        (memoryview(b"{}"), {}),
        ("", None),
        (" \n", None),
        ("null", None),
        ("[1]", [1]),
        ('{"a": "line1\nline2\t"}', {"a": "line1\nline2\t"}),
        ('{"a": "x:y:z"}', {"a": "x:y:z"}),
        ('{"a": "{"}', {"a": "{"}),
        ("[]", []),
    ],
)
def test_text_is_read(text: Any, value: object) -> None:
    """Also with raw control characters inside strings, which lose nothing."""
    assert read(text) == value


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ('{"cmd": "rm', "line 1, column 9"),
        ('{"a": 1,\n "b" 2}', "line 2, column 6"),
        ('{"a": 1} x', "line 1, column 10"),
        ('{"a": 1}{"a": 2}', "line 1, column 9"),
        ('{"path": "a", "range": \\n[1, 2]}', "line 1, column 24"),
        ("{'a': 1}", "line 1, column 2"),
        ('{"a": 01}', "column"),
        ('{"p": "C:\\path"}', "column"),
        ('{"a": [1,]}', "column"),
        ("\ufeff{}", "column"),
        ("x", "line 1, column 1"),
    ],
)
def test_what_is_not_json_never_runs(text: str, where: str) -> None:
    """One problem, with the position."""
    found = problem(text)
    assert found.code == "invalid_json"
    assert where in found.message


def test_bytes_must_be_utf8() -> None:
    """And the byte that is not is named."""
    found = problem(b'{"a": "\xff"}')
    assert (found.code, "byte 8" in found.message) == ("invalid_json", True)


def test_every_repeated_key_is_a_problem_at_its_place() -> None:
    """At any depth, also where the values are equal."""
    found = read('{"a": 1, "b": [{"c": 1, "c": 1, "d": 2, "c": 3}], "a": 1}')
    assert {(one.code, one.path) for one in found} == {
        ("duplicate_key", "/a"),
        ("duplicate_key", "/b/0/c"),
    }
    assert problem('{"a": 1, "a": 2}').path == "/a"


def test_repeated_keys_are_found_in_linear_time() -> None:
    """A hundred thousand keys of which one is there twice."""
    keys = ", ".join(f'"k{i}": 0' for i in range(100_000))
    assert problem("{" + keys + ', "k7": 1}').path == "/k7"


def test_numbers_beyond_everything_are_read_as_infinite() -> None:
    """So that they are refused where they stand, by type."""
    assert read('{"a": ' + "9" * 5000 + "}") == {"a": float("inf")}
    assert read('{"a": -' + "9" * 5000 + "}") == {"a": float("-inf")}
    assert read('{"a": 1e400}') == {"a": float("inf")}
    assert read('{"a": NaN}')["a"] != read('{"a": NaN}')["a"]


def test_size_and_depth_have_limits() -> None:
    """Brackets inside strings do not count."""
    assert problem("[" * 101 + "]" * 101).code == "too_deep"
    assert read("[" * 100 + "]" * 100)
    assert read(json.dumps({"a": "[" * 500 + '\\"' + "{" * 500}))
    assert problem("[" * 100_000).code == "too_deep"
    assert problem("[1]", max_size=2).code == "too_large"
    assert problem("[[1]]", max_depth=1).code == "too_deep"
    assert problem("[" * 50_000, max_depth=10**6).code in {"too_deep", "invalid_json"}
    assert MAX_SIZE == 10_000_000


def test_fractions_keep_their_text_where_that_is_wanted() -> None:
    """A float still, with its text beside."""
    value = read('{"a": 0.10, "b": 1}', written=True)
    assert type(value["a"]) is WrittenFloat
    assert (value["a"], value["a"].text, value["b"]) == (0.1, "0.10", 1)


def test_another_reader_may_be_handed_in() -> None:
    """Whatever it raises is invalid JSON; its limits are ours."""

    def refuse(text: Any) -> Any:
        raise LookupError("no")

    assert read('{"a": 1}', loads=json.loads) == {"a": 1}
    assert read("", loads=refuse) is None
    assert problem("{}", loads=refuse).code == "invalid_json"
    assert problem("{", loads=json.loads).code == "invalid_json"
    assert problem("[[1]]", loads=json.loads, max_depth=1).code == "too_deep"


def test_flat_objects_are_read_without_a_hook_and_only_when_sure() -> None:
    """Anything unusual is left to the patient reader."""
    assert read_flat('{"a": 1, "b": [1, 2]}') == {"a": 1, "b": [1, 2]}
    for text in (
        '{"a": {}}',
        '{"a": 1, "a": 2}',
        '{"a": "x:y"}',
        "[{}]",
        '{"a"',
        "{} ",
        '{"a": 1,}',
    ):
        assert read_flat(text) is None


def test_text_inside_of_text_is_read_leniently_or_left() -> None:
    """Only a list or an object, and only a good one."""
    assert read_nested(' ["a"] ') == ["a"]
    assert read_nested('{"a": 1}') == {"a": 1}
    for text in ("1", "[1", '{"a": 1, "a": 2}', "", "[" * 100_000):
        assert read_nested(text) is text


@pytest.mark.parametrize("colon", [":", " :", "\n:", "\t\r\n :", " : "])
@pytest.mark.parametrize("text", ["plain", "12:30", "https://a.b/c", 'she said \\":\\"', "a :b"])
def test_colons_in_strings_hide_no_repeated_key(colon: str, text: str) -> None:
    """Keys are counted by their colons, which strings may have as well."""
    good = f'{{"a"{colon}[{{"t"{colon}"{text}"}}, {{"t"{colon}"{text}"}}], "b:"{colon}1}}'
    bad = good.replace(f'"t"{colon}"{text}"', f'"t"{colon}1, "t"{colon}"{text}"', 1)
    assert read_arguments(good, max_depth=9) == json.loads(good)
    found = read_arguments(bad, max_depth=9)
    assert [(problem.code, problem.path) for problem in found] == [("duplicate_key", "/a/0/t")]
