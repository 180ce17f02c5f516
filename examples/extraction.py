"""Structured extraction: what is wanted is a value, and a wrong one is asked for again.

The model fills in the arguments of one tool. They arrive as the declared classes, or the
model is told exactly what was wrong and tries again, three times at most. The tool keeps
the finished value for the program; it never goes back to the model.

    mypy examples/extraction.py
    OPENAI_API_KEY=… python examples/extraction.py < letter.txt
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Annotated, Any, Literal

from toolcall import Ok, Param, ToolError, tool
from toolcall.loop import Conversation, Limits, until_success

MODEL = "gpt-4.1-mini"


@dataclass(frozen=True)
class Line:
    """One position of an invoice."""

    text: str
    quantity: Annotated[int, Param(ge=1)]
    price: Decimal
    """Price of one piece."""


@dataclass(frozen=True)
class Invoice:
    """An invoice as it was found in a text."""

    number: str
    issued: date
    currency: Literal["EUR", "NOK", "USD"]
    lines: list[Line]
    total: Decimal


@tool
def record_invoice(invoice: Invoice) -> Ok[str]:
    """Record the invoice that the text is about.

    Args:
        invoice: Exactly what the text says; nothing is to be guessed.
    """
    total = sum((line.quantity * line.price for line in invoice.lines), Decimal(0))
    if total != invoice.total:
        raise ToolError(f"the lines sum up to {total}, not to {invoice.total}")
    return Ok("Recorded.", processed=invoice)


def extract(client: Any, text: str) -> Invoice | None:
    """The invoice in a text, or None if the model finds none.

    Raises:
        LimitExceeded: three answers in a row were wrong.
    """

    def model(messages: list[Any], tools: list[dict[str, Any]]) -> Any:
        response = client.chat.completions.create(model=MODEL, messages=messages, tools=tools)
        return response.choices[0].message.model_dump(exclude_none=True)

    conversation = Conversation(record_invoice, "openai").say(
        {"role": "system", "content": "Record the invoice, or say that there is none."},
        {"role": "user", "content": text},
    )
    invoice: Invoice | None = until_success(conversation, model, limits=Limits(failures=3)).value
    return invoice


if __name__ == "__main__":
    from openai import OpenAI

    print(extract(OpenAI(), sys.stdin.read()))
