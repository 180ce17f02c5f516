"""Multiples are exact, both as they are written, however long a number is; odd patterns."""

from __future__ import annotations

import time
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest

pytest.importorskip("hypothesis")

from hypothesis import given
from hypothesis import strategies as st

from tests.runtime import calling as c
from toolcall._constraints import is_multiple
from toolcall._fast import call_of
from toolcall._stdlib import reader
from toolcall._values import Err, Ok

FACTORS = st.sampled_from([0.1, 0.01, 2.5, 3, 1e-7, 5e-324, 1e308, 10**20])
NUMBERS = st.one_of(
    st.integers(),
    st.floats(allow_nan=False, allow_infinity=False),
    st.decimals(allow_nan=False, allow_infinity=False),
)


def _written(number: Any) -> Fraction:
    return Fraction(repr(number)) if isinstance(number, float) else Fraction(number)


@given(NUMBERS, FACTORS)
def test_as_fractions_say(number: Any, factor: float) -> None:
    expected = (_written(number) / _written(factor)).denominator == 1
    assert is_multiple(number, factor) == expected


@given(st.integers(-(10**12), 10**12), FACTORS)
def test_every_multiple_is_one(times: int, factor: float) -> None:
    number = _written(factor) * times
    if number.denominator == 1:
        assert is_multiple(int(number), factor)
    assert is_multiple(Decimal(repr(factor)) * times, factor)


@pytest.mark.parametrize("factor", [2, 0.1])
def test_a_very_long_number(factor: float) -> None:
    start = time.perf_counter()
    assert not is_multiple(Decimal("0." + "1" * 300_000), factor)
    assert time.perf_counter() - start < 5


@pytest.mark.filterwarnings("error")
def test_a_pattern_that_python_warns_of() -> None:
    """Where a program makes warnings errors, the model's text is refused and nothing raised."""
    node = {"kind": "stdlib", "type": "pattern"}
    with pytest.raises(ValueError, match="nested set"):
        reader(node)("[[a]")


def test_what_is_too_long_is_not_searched() -> None:
    """So that `max_length` bounds what a costly pattern can take, whoever decodes."""
    node = {"kind": "string", "pattern": "^(a+)+$", "max_length": 12}
    tool = c.bound(lambda x: x, c.parameter("x", node))
    hostile = {"x": "a" * 200 + "!"}
    answer = c.by_reference(tool, hostile)
    assert isinstance(answer, Err)
    assert [problem.code for problem in answer.problems] == ["too_long"]
    assert call_of(tool)(hostile) == answer
    assert call_of(tool)({"x": "aaa"}) == Ok("aaa")


def test_a_pattern_that_python_warns_of_is_compiled() -> None:
    """Also where warnings are errors, as they are here: a call answers, and warns nobody."""
    tool = c.bound(lambda x: x, c.parameter("x", {"kind": "string", "pattern": "^[[a]+$"}))
    assert call_of(tool)({"x": "[a"}) == Ok("[a")
    assert [p.code for p in call_of(tool)({"x": "b"}).problems] == ["pattern_mismatch"]
