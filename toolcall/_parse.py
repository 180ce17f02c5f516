"""The contract of `parse_args`: what a user's parser may answer, and what becomes of it.

Owns nothing else. A parser knows more than we do (a pydantic model, a msgspec Struct, an
attrs class through cattrs), so its word is final: what it returns goes to the body, what it
refuses goes to the model in its own words.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from toolcall._values import Err, Ok
from toolcall.errors import Problem, ToolError

if TYPE_CHECKING:
    from collections.abc import Callable

    from toolcall._argument_names import Arguments

_NOT_PARSED = (str, bytes, bytearray, bool, int, float, complex, list, set, frozenset)


def parsed(parser: Callable[[dict[str, Any]], Any], given: Arguments, tool: str) -> Any:
    """What the body gets, or an `Err`.

    Anything but plain scalars and collections counts as parsed arguments; those are most
    likely a parser that returns a flag or a message, and the body is not run on them.
    """
    try:
        answer = parser(given)
    except (ValueError, ToolError) as error:
        return _refused(str(error) or type(error).__name__, error)
    except Exception as error:
        if _is_validation(error):
            return _refused(str(error), error)
        return _failed(error, tool)
    match answer:
        case None | Ok(value=None):
            return given
        case Err():
            return answer
        case Ok(value=value):
            return _accepted(value, tool)
        case value:
            return _accepted(value, tool)


def _accepted(value: Any, tool: str) -> Any:
    if isinstance(value, _NOT_PARSED) or (
        isinstance(value, tuple) and not hasattr(value, "_fields")
    ):
        import logging

        from toolcall._words import shown

        logging.getLogger("toolcall").warning(
            "%s: parse_args returned a bare %s", tool, type(value).__name__
        )
        return Err(
            [Problem("raised", message=f"parse_args returned an unexpected value: {shown(value)}")]
        )
    return value


def _refused(text: str, error: Exception) -> Err:
    return Err([Problem("construction_failed", message=text, exception=error)])


def _failed(error: Exception, tool: str) -> Err:
    """A bug in the parser: logged with its traceback, of which the model sees nothing."""
    import logging

    logging.getLogger("toolcall").warning("%s: parse_args failed", tool, exc_info=error)
    text = f"parse_args failed ({type(error).__name__}): {error}"
    return Err([Problem("raised", message=text, exception=error)])


def _is_validation(error: Exception) -> bool:
    """Groups of refusals, as structuring libraries raise them: every leaf must be one."""
    leaves = getattr(error, "exceptions", None)
    if not isinstance(leaves, tuple) or not leaves:
        return False
    return all(
        _is_validation(leaf)
        if hasattr(leaf, "exceptions")
        else isinstance(leaf, (ValueError, TypeError, KeyError))
        for leaf in leaves
    )
