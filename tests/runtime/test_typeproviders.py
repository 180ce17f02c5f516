"""Custom types: only providers that the program registered are ever called."""

from __future__ import annotations

from typing import Any, Generic, TypeVar

import pytest

from tests.runtime import calling as c
from toolcall import typeproviders
from toolcall._dispatch import run
from toolcall._values import Err, Ok
from toolcall.errors import Misuse
from toolcall.typeproviders import BUILT_IN, TypeProvider, name_of, registered, served_by


class Money:
    def __init__(self, amount: int) -> None:
        self.amount = amount

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Money) and other.amount == self.amount

    __hash__ = None  # type: ignore[assignment]


class MoneyProvider(TypeProvider[Money]):
    schema = {"type": "string", "pattern": "^[0-9]+ EUR$"}  # noqa: RUF012 - read as a literal

    def coerce(self, value: str) -> Any:
        amount = int(value.split(maxsplit=1)[0])
        if amount == 0:
            return Err("no money at all")
        if amount > 10:
            raise ValueError("too much")
        return Money(amount)


NODE = {
    "kind": "custom",
    "cls": c.name_of(Money),
    "provider": name_of(MoneyProvider),
    "wire": {"kind": "string", "pattern": "^[0-9]+ EUR$"},
}


def tool(**options: Any) -> Any:
    def pay(money: Any) -> Any:
        return money

    c.bound(pay, c.parameter("money", NODE), options=options)
    return pay


@pytest.mark.parametrize("offered", [MoneyProvider, MoneyProvider()])
def test_coerce_runs_after_wire_coercion(offered: Any) -> None:
    """An exception or an Err of it is a problem at that place, with its message."""
    pay = tool(types=(offered,))
    assert run(pay, "pay", {"money": "5 EUR"}) == Ok(Money(5))
    for sent, code, said in (
        ("5 USD", "pattern_mismatch", "money:"),
        (5, "expected_string", "money:"),
        ("0 EUR", "construction_failed", "money: no money at all"),
        ("11 EUR", "construction_failed", "money: too much"),
    ):
        answer = run(pay, "pay", {"money": sent})
        assert isinstance(answer, Err)
        assert (answer.problems[0].code, answer.problems[0].path) == (code, "/money")
        assert said in str(answer)


def test_a_provider_that_nobody_registered_is_never_called() -> None:
    """Whatever the sidecar names."""
    with pytest.raises(Misuse, match="types="):
        run(tool(), "pay", {"money": "5 EUR"})


def test_a_class_may_carry_its_provider() -> None:
    """As an attribute, which must be the one that the checker saw."""

    class Own(Money):
        __toolcall_provider__ = MoneyProvider

    assert type(registered(name_of(MoneyProvider), (), Own)) is MoneyProvider
    with pytest.raises(Misuse):
        registered("m:Other", (), Own)


def test_what_a_provider_does_by_itself() -> None:
    """Nothing: the wire value is the value."""
    assert TypeProvider[int]().coerce(5) == 5  # type: ignore[operator]
    assert TypeProvider().encode(5) == 5
    assert served_by(MoneyProvider) == served_by(MoneyProvider()) == [Money]
    assert served_by(object()) == []
    assert "date" in BUILT_IN


def test_registered_for_the_whole_program(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the program registered once serves every tool, and results too."""
    monkeypatch.setattr(typeproviders, "_everywhere", [])
    with pytest.raises(Misuse, match="register"):
        run(tool(), "pay", {"money": "5 EUR"})
    typeproviders.register(MoneyProvider)
    assert run(tool(), "pay", {"money": "5 EUR"}) == Ok(Money(5))
    assert typeproviders.everywhere() == (MoneyProvider,)


def test_a_generic_class_is_served_for_all_its_type_arguments() -> None:
    """The class that a provider serves is the one without type arguments."""
    item = TypeVar("item")

    class Box(Generic[item]):
        pass

    class BoxProvider(TypeProvider[Box[item]]):
        pass

    assert served_by(BoxProvider) == [Box]
