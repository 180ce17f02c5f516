"""The two tools whose calls are measured, and their arguments.

`forecast` is the scalar call of every day; `place_order` is deep: nested dataclasses, a
list of ten TypedDicts with lists of their own, a choice and a date.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date  # noqa: TC003 - msgspec and pydantic read the annotations
from typing import Any, Literal

from typing_extensions import TypedDict

from toolcall import tool


@dataclass
class Address:
    street: str
    town: str
    code: str
    country: str


@dataclass
class Customer:
    name: str
    email: str
    age: int
    member: bool
    address: Address


class Item(TypedDict):
    article: str
    pieces: int
    price: float
    labels: list[str]


@tool
def forecast(city: str, days: int | None = 3) -> dict[str, object]:
    """Get the forecast.

    Args:
        city: Name of the city.
        days: How many days ahead.
    """
    return {"city": city, "days": days}


@tool(thread=False)
async def forecast_later(city: str, days: int | None = 3) -> dict[str, object]:
    """Get the forecast.

    Args:
        city: Name of the city.
        days: How many days ahead.
    """
    return {"city": city, "days": days}


@tool
def place_order(
    customer: Customer,
    items: list[Item],
    priority: Literal["low", "high"] = "low",
    due: date | None = None,
) -> int:
    """Place an order.

    Args:
        customer: Who orders.
        items: What is ordered.
        priority: How urgent it is.
        due: When it is wanted.
    """
    return len(items)


FORECAST: dict[str, Any] = {"city": "Oslo", "days": 5}
FORECAST_WRONG: dict[str, Any] = {"city": "Oslo", "days": "five"}


def order() -> dict[str, Any]:
    """Fresh arguments of `place_order`, as a JSON decoder would make them."""
    return {
        "customer": {
            "name": "Ada Lovelace",
            "email": "ada@example.com",
            "age": 36,
            "member": True,
            "address": {
                "street": "12 St James Sq",
                "town": "London",
                "code": "SW1Y",
                "country": "UK",
            },
        },
        "items": [
            {
                "article": f"A-{number:04d}",
                "pieces": number + 1,
                "price": 9.99 + number,
                "labels": ["new", "gift", f"t{number}"],
            }
            for number in range(10)
        ],
        "priority": "high",
        "due": "2026-12-24",
    }
