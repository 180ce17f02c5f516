"""Reading vendors' messages, whether plain dicts or an SDK's objects.

Nothing here raises for a message that is not as it should be: what is missing is None
or empty, and the call that comes out says as much as there was. The decoder then tells
the model what is wrong, so every call is still answered.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from toolcall._values import ToolCall


# Their attributes are methods, never parts of a message.
_LEAVES = (str, bytes, int, float, list, tuple)


def get(value: Any, *names: str) -> Any:
    """The first of these keys or attributes that is there and not None."""
    if isinstance(value, _LEAVES):
        return None
    for name in names:
        found = value.get(name) if isinstance(value, dict) else getattr(value, name, None)
        if found is not None:
            return found
    return None


def items(value: Any) -> list[Any]:
    """The elements of a list or tuple; nothing for anything else."""
    return list(value) if isinstance(value, (list, tuple)) else []


def call(call_id: Any, name: Any, arguments: Any, index: int | None = None) -> ToolCall:
    """A call from parts of any type. Arguments of SDK types become plain dicts."""
    from toolcall._values import ToolCall

    if arguments is not None and not isinstance(arguments, (str, bytes, dict, list)):
        arguments = _plain(arguments)
    return ToolCall(
        _text(call_id), _text(name) or "", arguments, index if isinstance(index, int) else None
    )


def _text(value: Any) -> str | None:
    return value if value is None or isinstance(value, str) else str(value)


def _plain(value: Any) -> Any:
    for method in ("model_dump", "to_dict"):
        if hasattr(value, method):
            return getattr(value, method)()
    return dict(value) if hasattr(value, "keys") and hasattr(value, "__getitem__") else value
