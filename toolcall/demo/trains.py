"""Tools of a small travel desk, with a few mistakes for the checker to find."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Literal

from toolcall import PositiveInt, tool

if TYPE_CHECKING:
    from datetime import date  # imported for the checker alone

Station = Annotated[str, 'Station code, for example "OSL".']

Cabin = Literal["standard", "comfort", "sleeper"]
"""Where to sit, or to lie."""


@dataclass(frozen=True)
class Passenger:
    """Who travels.

    Attributes:
        name: As it stands in the passport.
        age: Age in years on the day of travel.
    """

    name: str
    age: int


@tool
def book_train(
    origin: Station,
    destination: Station,
    day: date,
    passengers: list[Passenger],
    cabin: Cabin = "standard",
    bicycles: PositiveInt | None = None,
) -> dict[str, object]:
    """Book seats on one train.

    Args:
        day: Day of departure, in the time zone of the origin.
        passengers: Everybody who travels on this ticket.
        bicycles: How many bicycles to take along.
    """
    names = ", ".join(passenger.name for passenger in passengers)
    return {"ticket": f"{origin}-{destination} {day:%d %b %Y}", "for": names, "cabin": cabin}


@tool
def complain(
    train: str,
    ticket,
    details: dict,
    wagons: PositiveInt = 0,
) -> None:
    """Send a complaint about a train."""
