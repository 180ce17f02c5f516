"""A chat with tools: the model asks for the weather as often as it needs to.

Calls of one message run side by side, because the tools say that they may. The conversation
is a value: a turn makes a new one out of the last.

    mypy examples/weather_chat.py
    ANTHROPIC_API_KEY=… python examples/weather_chat.py
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from toolcall import Param, ToolCall, ToolError, display_text, tool
from toolcall.loop import Conversation, while_needs_response

MODEL = "claude-haiku-4-5"

# Degrees Celsius now, and how many more each day brings.
PLACES = {"Oslo": (4.5, 0.5), "Bergen": (7.0, -1.0), "Lima": (19.0, 0.0)}


@tool(concurrent=True, timeout=10, read_only=True)
def get_forecast(
    city: str,
    days: Annotated[int, Param(ge=0, le=7)] = 0,
    unit: Literal["celsius", "fahrenheit"] = "celsius",
) -> dict[str, object]:
    """Get the forecast for a city.

    Args:
        city: City name, for example "Oslo".
        days: How many days ahead.
        unit: The unit of the temperature.
    """
    if city not in PLACES:
        raise ToolError(f"no forecast for {city}; there are: {', '.join(PLACES)}")
    now, change = PLACES[city]
    celsius = now + days * change
    temperature = celsius if unit == "celsius" else celsius * 9 / 5 + 32
    return {"city": city, "days": days, "temperature": temperature, "unit": unit}


class Progress:
    """Shows what is going on while the user waits."""

    def on_tool_execution_started(self, call: ToolCall, tool: dict[str, Any]) -> None:
        """The model has called a tool."""
        print(f"… {display_text(get_forecast, call.name)} {call.arguments!r}")


def turn(client: Any, conversation: Conversation, text: str) -> tuple[Conversation, str]:
    """What the user says, and what the model answers when it needs no tool any more."""

    def model(messages: list[Any], tools: list[dict[str, Any]]) -> Any:
        response = client.messages.create(
            model=MODEL, max_tokens=1_000, messages=messages, tools=tools
        )
        content = [block.model_dump(exclude_none=True) for block in response.content]
        return {"role": "assistant", "content": content}

    asked = conversation.say({"role": "user", "content": text})
    outcome = while_needs_response(asked, model, handlers=[Progress()])
    blocks = outcome.conversation.messages[-1]["content"]
    return outcome.conversation, "".join(b["text"] for b in blocks if b["type"] == "text")


def start() -> Conversation:
    """A conversation in which nothing was said yet."""
    return Conversation(get_forecast, "anthropic")


if __name__ == "__main__":
    from anthropic import Anthropic

    conversation = start()
    while text := input("> "):
        conversation, answer = turn(Anthropic(), conversation, text)
        print(answer)
