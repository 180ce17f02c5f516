"""The values that pass between tools, models and programs."""

from __future__ import annotations

import pickle
from typing import Any

import pytest

from toolcall._values import (
    AudioPart,
    Context,
    Err,
    FilePart,
    ImagePart,
    Inject,
    Ok,
    Param,
    ResourcePart,
    TextPart,
    ToolCall,
    ToolResult,
)
from toolcall.errors import Problem

VALUES: list[Any] = [
    Ok(1),
    Ok(1, processed={"a": 2}),
    Err("no"),
    Err([Problem("timeout")]),
    ToolCall("1", "f", {"a": 1}, 2),
    ToolResult("text", id="1", is_error=True),
    TextPart("a"),
    ImagePart(b"1", "image/png"),
    AudioPart(url="http://a"),
    FilePart(b"1", name="a.pdf"),
    ResourcePart("file:///a", text="a"),
    Context({"a": 1}, "1", "f"),
    Param("text", ge=1),
]


@pytest.mark.parametrize("value", VALUES, ids=repr)
def test_a_value_is_frozen_equal_to_its_like_and_travels(value: Any) -> None:
    """No public part can be set; a pickled copy is equal, and nothing else is."""
    name = type(value).__match_args__[0]
    with pytest.raises(AttributeError):
        setattr(value, name, 1)
    if not isinstance(value, Ok):
        with pytest.raises(AttributeError):
            delattr(value, name)
    again = pickle.loads(pickle.dumps(value))
    assert again == value
    assert repr(again) == repr(value)
    assert value != Ok("something else")
    assert not hasattr(value, "__dict__")


def test_matching_takes_them_apart() -> None:
    """Positional patterns follow the order of the parts."""
    match Ok(1):
        case Ok(value):
            assert value == 1
    match Err("no"):
        case Err((Problem(code),)):
            assert code == "tool_error"
    assert (Ok(1).value, Ok(1).processed, Ok(1, 2).processed) == (1, None, 2)
    assert repr(Ok(1)) == "Ok(value=1)"
    assert hash(Ok(1)) == hash(Ok(1))


def test_an_err_of_text_is_one_problem_in_those_words() -> None:
    """What a tool's author says to the model."""
    assert str(Err("no such city")) == "no such city"
    assert Err("x").problems[0].code == "tool_error"


def test_content_is_text_or_parts() -> None:
    """A text and a single part count as a list of one; anything else is refused."""
    assert ToolResult("a").content == (TextPart("a"),)
    assert ToolResult(TextPart("a")).content == (TextPart("a"),)
    assert ToolResult([TextPart("a"), ImagePart(b"1"), TextPart("b")]).text == "ab"
    assert ToolResult("a").with_(id="7").id == "7"
    bad: Any
    for bad in (1, ["a"], [1], TextPart):
        with pytest.raises(TypeError):
            ToolResult(bad)
    with pytest.raises(TypeError, match="no colour"):
        ToolResult("a").with_(colour=1)


def test_parts_take_their_data_once() -> None:
    """Bytes or a URL, text or bytes."""
    for kind in (ImagePart, AudioPart, FilePart):
        with pytest.raises(TypeError, match="either"):
            kind()
        with pytest.raises(TypeError, match="either"):
            kind(b"1", url="http://a")
    with pytest.raises(TypeError, match="not both"):
        ResourcePart("a", text="a", data=b"1")
    with pytest.raises(TypeError, match="is text"):
        TextPart(1)  # type: ignore[arg-type]


def test_the_markers_stand_in_annotations_at_run_time() -> None:
    """Without postponed evaluation, and without `typing`."""
    assert Context[int].__origin__ is Context  # type: ignore[attr-defined]
    assert Ok[int].__args__ == (int,)  # type: ignore[attr-defined]
    assert Inject() is not None
    assert Param(ge=0).ge == 0  # type: ignore[attr-defined]
