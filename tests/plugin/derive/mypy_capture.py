"""A mypy plugin for tests: derives, at hook time, whatever `mark` is applied to.

It is its own module so that mypy can load it by name; the test helper reads what it left.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mypy.nodes import Decorator, FuncDef
from mypy.plugin import FunctionContext, Plugin
from mypy.types import get_proper_type

from toolcall_mypy.derive.signature import signature
from toolcall_mypy.derive.table import NoLookup, Table
from toolcall_mypy.derive.types import Deriver

if TYPE_CHECKING:
    from collections.abc import Callable

    from mypy.types import Type

    from toolcall_mypy.derive.signature import Signature
    from toolcall_mypy.derive.table import Lookup


class Capture:
    """What one run derived; `lookup` is set before it."""

    lookup: Lookup = NoLookup()
    deriver: Deriver
    signatures: dict[str, Signature]

    def start(self, lookup: Lookup) -> None:
        self.deriver = Deriver(Table(), lookup)
        self.signatures = {}


CAPTURE = Capture()


class CapturePlugin(Plugin):
    def get_function_hook(self, fullname: str) -> Callable[[FunctionContext], Type] | None:
        return _captured if fullname == "sample.mark" else None


def _captured(ctx: FunctionContext) -> Type:
    outer = get_proper_type(ctx.arg_types[0][0])
    function = ctx.context.func if isinstance(ctx.context, Decorator) else None
    name = function.name if function is not None else f"line {ctx.context.line}"
    CAPTURE.signatures[name] = signature(outer, function, _binding(function), CAPTURE.deriver)
    return ctx.default_return_type


def _binding(function: FuncDef | None) -> str:
    if function is None or not function.info:
        return "function"
    if function.is_static:
        return "static"
    return "class" if function.is_class else "instance"


def plugin(version: str) -> type[Plugin]:
    return CapturePlugin
