"""When a `Function` is well-formed: one small rule a part, and its reason in words.

Owns the rules that concern the parts of a tool built at run time; those of its parameters
are with `FunctionParam`. Nothing is raised here, so that all broken rules are told together.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolcall._callables import is_async, positional_fault
from toolcall._function_param import FunctionParam, repeated

if TYPE_CHECKING:
    from toolcall._function import Function

MAX_NAME = 64
"""Characters that every vendor takes in a tool's name."""

_NAME_CHARACTERS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-")


def errors_of(function: Function) -> dict[str, list[str]]:
    """What is wrong with a definition, by part: all of it at once."""
    found = {
        "name": _name_errors(function.name),
        "description": _text_errors(function.description),
        "params": _params_errors(function),
        "schema": _schema_errors(function.schema),
        "call": positional_fault(function.call, (1, 2), "(arguments) or (arguments, context)"),
        "parse_args": _parser_errors(function.parse_args),
        "title": _text_errors(function.title),
        "display_text": _text_errors(function.display_text),
        "timeout": _timeout_errors(function.timeout),
        "options": _options_errors(function.options),
    }
    return {part: reasons for part, reasons in found.items() if reasons}


def _name_errors(name: object) -> list[str]:
    if not isinstance(name, str) or not name.strip():
        return ["can't be blank"]
    reasons = []
    if len(name) > MAX_NAME:
        reasons.append(f"should be at most {MAX_NAME} characters, has {len(name)}")
    if not set(name) <= _NAME_CHARACTERS:
        reasons.append("may have letters, digits, _ and - only (name= gives another)")
    return reasons


def _text_errors(text: object) -> list[str]:
    return [] if text is None or isinstance(text, str) else ["must be text"]


def _params_errors(function: Function) -> list[str]:
    params = function.params
    if not isinstance(params, tuple) or not all(isinstance(p, FunctionParam) for p in params):
        return ["must be a list of FunctionParam"]
    if params and function.schema is not None:
        return ["cannot be given together with schema"]
    return repeated(params)


def _schema_errors(schema: object) -> list[str]:
    if schema is None:
        return []
    if not isinstance(schema, dict):
        return ["must be a JSON Schema as a dict"]
    if schema.get("type", "object") != "object":
        return [f"must describe an object, not {schema['type']!r}"]
    import json

    try:
        json.dumps(schema, allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        return [f"must be JSON: {error}"]
    return []


def _parser_errors(parser: object) -> list[str]:
    if parser is None:
        return []
    if is_async(parser):
        return ["must not be async"]
    return positional_fault(parser, (1,), "(arguments)")


def _timeout_errors(timeout: object) -> list[str]:
    if timeout is None or (
        isinstance(timeout, (int, float)) and not isinstance(timeout, bool) and timeout > 0
    ):
        return []
    return ["must be a positive number of seconds"]


def _options_errors(options: object) -> list[str]:
    from collections.abc import Mapping

    if not isinstance(options, Mapping) or not all(isinstance(key, str) for key in options):
        return ["must be a mapping with text keys"]
    return []
