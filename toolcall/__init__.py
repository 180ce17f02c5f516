"""Typed Python functions as tools for language models.

Mark a function with `@tool`, let mypy check the module with the plugin, and `emit` and
`run` do the rest. This file holds names and no logic: only `tool`, `use` and `hidden`
are loaded by `import toolcall`, everything else by its first use.
"""

from __future__ import annotations

from toolcall._tool import hidden as hidden
from toolcall._tool import tool as tool
from toolcall._tool import use as use

TYPE_CHECKING = False
if TYPE_CHECKING:
    from toolcall._accumulate import ToolCallAccumulator as ToolCallAccumulator
    from toolcall._batch import display_text as display_text
    from toolcall._dispatch import arun as arun
    from toolcall._dispatch import caller as caller
    from toolcall._dispatch import run as run
    from toolcall._dispatch import run_many as run_many
    from toolcall._emit import describe as describe
    from toolcall._emit import emit as emit
    from toolcall._emit import tool_names as tool_names
    from toolcall._function import Function as Function
    from toolcall._function_param import FunctionParam as FunctionParam
    from toolcall._package import load as load
    from toolcall._respond import Approve as Approve
    from toolcall._respond import Edit as Edit
    from toolcall._respond import Reject as Reject
    from toolcall._respond import arespond as arespond
    from toolcall._respond import respond as respond
    from toolcall._source import Toolset as Toolset
    from toolcall._values import AudioPart as AudioPart
    from toolcall._values import Context as Context
    from toolcall._values import Err as Err
    from toolcall._values import FilePart as FilePart
    from toolcall._values import ImagePart as ImagePart
    from toolcall._values import Inject as Inject
    from toolcall._values import Ok as Ok
    from toolcall._values import Param as Param
    from toolcall._values import ResourcePart as ResourcePart
    from toolcall._values import TextPart as TextPart
    from toolcall._values import ToolCall as ToolCall
    from toolcall._values import ToolResult as ToolResult
    from toolcall.aliases import NegativeFloat as NegativeFloat
    from toolcall.aliases import NegativeInt as NegativeInt
    from toolcall.aliases import NonNegativeFloat as NonNegativeFloat
    from toolcall.aliases import NonNegativeInt as NonNegativeInt
    from toolcall.aliases import NonPositiveFloat as NonPositiveFloat
    from toolcall.aliases import NonPositiveInt as NonPositiveInt
    from toolcall.aliases import PositiveFloat as PositiveFloat
    from toolcall.aliases import PositiveInt as PositiveInt
    from toolcall.errors import CallError as CallError
    from toolcall.errors import Problem as Problem
    from toolcall.errors import ToolcallError as ToolcallError
    from toolcall.errors import ToolcallWarning as ToolcallWarning
    from toolcall.errors import ToolError as ToolError
    from toolcall.typeproviders import TypeProvider as TypeProvider

__version__ = "0.1.0"

__all__ = [
    "Approve",
    "AudioPart",
    "CallError",
    "Context",
    "Edit",
    "Err",
    "FilePart",
    "Function",
    "FunctionParam",
    "ImagePart",
    "Inject",
    "NegativeFloat",
    "NegativeInt",
    "NonNegativeFloat",
    "NonNegativeInt",
    "NonPositiveFloat",
    "NonPositiveInt",
    "Ok",
    "Param",
    "PositiveFloat",
    "PositiveInt",
    "Problem",
    "Reject",
    "ResourcePart",
    "TextPart",
    "ToolCall",
    "ToolCallAccumulator",
    "ToolError",
    "ToolResult",
    "ToolcallError",
    "ToolcallWarning",
    "Toolset",
    "TypeProvider",
    "arespond",
    "arun",
    "caller",
    "describe",
    "display_text",
    "emit",
    "hidden",
    "load",
    "respond",
    "run",
    "run_many",
    "tool",
    "tool_names",
    "use",
]

_HOMES = {
    "Approve": "_respond",
    "AudioPart": "_values",
    "CallError": "errors",
    "Context": "_values",
    "Edit": "_respond",
    "Err": "_values",
    "FilePart": "_values",
    "Function": "_function",
    "FunctionParam": "_function_param",
    "ImagePart": "_values",
    "Inject": "_values",
    "NegativeFloat": "aliases",
    "NegativeInt": "aliases",
    "NonNegativeFloat": "aliases",
    "NonNegativeInt": "aliases",
    "NonPositiveFloat": "aliases",
    "NonPositiveInt": "aliases",
    "Ok": "_values",
    "Param": "_values",
    "PositiveFloat": "aliases",
    "PositiveInt": "aliases",
    "Problem": "errors",
    "Reject": "_respond",
    "ResourcePart": "_values",
    "TextPart": "_values",
    "ToolCall": "_values",
    "ToolCallAccumulator": "_accumulate",
    "ToolError": "errors",
    "ToolResult": "_values",
    "ToolcallError": "errors",
    "ToolcallWarning": "errors",
    "Toolset": "_source",
    "TypeProvider": "typeproviders",
    "arespond": "_respond",
    "arun": "_dispatch",
    "caller": "_dispatch",
    "describe": "_emit",
    "display_text": "_batch",
    "emit": "_emit",
    "load": "_package",
    "respond": "_respond",
    "run": "_dispatch",
    "run_many": "_dispatch",
    "tool_names": "_emit",
}


def __getattr__(name: str) -> object:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'toolcall' has no attribute {name!r}")
    value: object = getattr(__import__(f"toolcall.{home}", fromlist=[name]), name)
    globals()[name] = value
    return value
