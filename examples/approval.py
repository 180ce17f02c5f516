"""Human approval: nothing that a model asks for happens before a person has looked at it.

The tools come from a configuration file, so they are built at run time. Each call of a
message is approved, edited or rejected; the model is told of a rejection and why.

    OPENAI_API_KEY=… python examples/approval.py "Give order 17 its money back"
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from typing import Any

from toolcall import Approve, Edit, Function, Reject, ToolCall, emit, formats, respond

MODEL = "gpt-4.1-mini"

# As it may stand in a configuration file: only the bodies are code.
CONFIGURED = [
    {
        "name": "refund_order",
        "description": "Give a customer their money back.",
        "schema": {
            "type": "object",
            "properties": {
                "order": {"type": "integer", "description": "The number of the order."},
                "cents": {"type": "integer", "minimum": 1},
            },
            "required": ["order", "cents"],
            "additionalProperties": False,
        },
    },
    {
        "name": "close_ticket",
        "description": "Close the customer's ticket.",
        "schema": {"type": "object", "properties": {"note": {"type": "string"}}},
    },
]

Review = Callable[[ToolCall], Approve | Edit | Reject]


def configured(bodies: dict[str, Callable[..., Any]]) -> list[Function]:
    """The configured tools in front of their bodies; arguments are checked by the schema."""
    return [
        Function(call=bodies[str(parts["name"])], validate=True, **parts)  # type: ignore[arg-type]
        for parts in CONFIGURED
    ]


def converse(client: Any, tools: list[Function], request: str, review: Review) -> str:
    """The model's answer to a request, after everything it did was reviewed."""
    messages: list[Any] = [{"role": "user", "content": request}]
    while True:
        response = client.chat.completions.create(
            model=MODEL, messages=messages, tools=emit(tools, "openai")
        )
        message = response.choices[0].message.model_dump(exclude_none=True)
        messages.append(message)
        calls = formats.get("openai").parse_calls(message)
        if not calls:
            return str(message.get("content", ""))
        decisions = [review(call) for call in calls]
        messages += respond(tools, message, "openai", decisions=decisions)


def ask_on_the_terminal(call: ToolCall) -> Approve | Edit | Reject:
    """One question for one call."""
    print(f"{call.name} {call.arguments!r}")
    answer = input("[y]es, other arguments as JSON, or a reason against it: ").strip()
    if answer in ("y", "yes"):
        return Approve()
    return Edit(json.loads(answer)) if answer.startswith("{") else Reject(answer or None)


if __name__ == "__main__":
    from openai import OpenAI

    def pretend(arguments: dict[str, Any]) -> str:
        return f"done with {arguments}"

    tools = configured({str(parts["name"]): pretend for parts in CONFIGURED})
    print(converse(OpenAI(), tools, sys.argv[1], ask_on_the_terminal))
