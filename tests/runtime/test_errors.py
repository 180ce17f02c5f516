"""Problems as records and as text, and the exceptions."""

from __future__ import annotations

import pickle

import pytest

from toolcall import errors
from toolcall.errors import CallError, Problem, text_of


def test_a_problem_is_frozen_equal_by_its_facts_and_pickles_without_its_exception() -> None:
    """The record travels; what was raised stays."""
    problem = Problem("raised", message="no", exception=ValueError("no"), accepted=["a"])
    assert problem == Problem("raised", message="no", accepted=["a"])
    assert problem != Problem("raised", message="yes")
    assert problem.__eq__(1) is NotImplemented
    assert hash(problem) == hash(Problem("raised", message="no", accepted=["a"]))
    again = pickle.loads(pickle.dumps(problem))
    assert (again, again.exception) == (problem, None)
    with pytest.raises(AttributeError, match="frozen"):
        problem.code = "other"
    with pytest.raises(AttributeError, match="frozen"):
        del problem.code
    assert (str(problem), repr(problem)) == ("no", "Problem('raised', '', 'no')")
    assert str(Problem("too_deep")) == "too deep"


def test_the_text_lists_problems_and_then_accepted_names_once_for_each_object() -> None:
    """In order of appearance, the required names marked by whoever made the record."""
    names = ["query (required)", "kind"]
    text = text_of(
        [
            Problem("unknown_argument", "/a", message='unknown argument "a"', accepted=names),
            Problem("missing_argument", "/query", message="missing", accepted=names),
            Problem("unknown_argument", "/items/3/q", message="unknown key", accepted=["qty"]),
            Problem("unknown_tool", message="no tool", accepted=["f", "g"]),
        ]
    )
    assert text.splitlines() == [
        "The call was not run: 4 problems.",
        '- unknown argument "a"',
        "- missing",
        "- unknown key",
        "- no tool",
        "Accepted arguments: query (required), kind.",
        "Accepted keys of items[3]: qty.",
        "Known tools: f, g.",
    ]


def test_the_text_of_many_problems_is_bounded() -> None:
    """Twenty lines, and how many more there are."""
    text = text_of([Problem("out_of_range", message=str(i)) for i in range(50)])
    assert len(text.splitlines()) == 22
    assert text.endswith("- and 30 more.")
    assert text_of([Problem("timeout", message="late")]) == "late"


def test_a_call_error_explains_itself_when_asked_and_only_once() -> None:
    """Nothing is worked out for an error that nobody reads."""
    asked = []

    def explain(arguments: object) -> list[Problem]:
        asked.append(arguments)
        return [Problem("timeout", message="late")]

    error = CallError(explain, {"a": 1})
    assert asked == []
    assert str(error) == "late"
    assert error.problems == (Problem("timeout", message="late"),)
    assert asked == [{"a": 1}]
    assert pickle.loads(pickle.dumps(error)).problems == error.problems


def test_every_misuse_is_a_toolcall_error() -> None:
    """One class to catch; ToolError and CallError are no fault of the program."""
    for name in ("SchemaNotBuilt", "StaleSchema", "ClassNotFound", "Misuse", "UnknownFormat"):
        assert issubclass(getattr(errors, name), errors.ToolcallError)
    assert issubclass(errors.Misuse, TypeError)
    assert issubclass(errors.UnknownFormat, ValueError)
    assert not issubclass(errors.ToolError, errors.ToolcallError)
    assert not issubclass(CallError, errors.ToolcallError)
    unencodable = errors.UnencodableResult("no", "/a")
    assert (str(unencodable), unencodable.path) == ("no", "/a")
