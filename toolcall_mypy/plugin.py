"""The plugin class: which hooks there are and whom they call. No analysis.

It imports next to nothing: mypy loads it in every run, and most runs take every module
from the cache and meet no mark at all.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from mypy.errors import CompileError
from mypy.plugin import FunctionContext, MethodContext, Plugin, ReportConfigContext

from toolcall_mypy import codes, fullnames
from toolcall_mypy.config import Config, ConfigError, load
from toolcall_mypy.footprint import Footprints

if TYPE_CHECKING:
    from collections.abc import Callable

    from mypy.nodes import MypyFile
    from mypy.options import Options
    from mypy.types import Type

    from toolcall_mypy.marking import Marking

Result = TypeVar("Result")

HAS_DONE = hasattr(Plugin, "get_additional_indirect_deps")
"""Whether this mypy says when a module is done (2.4 and newer)."""


def plugin(version: str) -> type[Plugin]:
    """The entry point that mypy calls with its own version."""
    return ToolcallPlugin


class ToolcallPlugin(Plugin):
    """Derives tools while mypy checks the modules that mark them."""

    def __init__(self, options: Options) -> None:
        super().__init__(options)
        self._config = _load(options.config_file)
        codes.enable(self._config.severity)
        codes.show_on_notes(self._config.severity)
        self._footprints = Footprints(options)
        self._made: Marking | None = None

    def _marking(self) -> Marking:
        if self._made is None:
            from toolcall_mypy.marking import Marking

            self._made = Marking(
                self.options,
                self._config,
                self._footprints,
                self._modules or {},
                has_done=HAS_DONE,
            )
            _checked(self._made.configured)
        return self._made

    # Modules

    def set_modules(self, modules: dict[str, MypyFile]) -> None:
        super().set_modules(modules)
        if self._made is not None:
            self._made.modules(modules)

    def report_config_data(self, ctx: ReportConfigContext) -> Any:
        if ctx.path.endswith(".pyi"):
            return None
        if ctx.is_check and not self._footprints.holds(ctx.id):
            return "outdated"
        if not HAS_DONE and not ctx.is_check and self._modules is not None:
            self._marking().finish(self._modules[ctx.id])  # bodies are checked by now
        return self._config.key()

    def get_additional_deps(self, file: MypyFile) -> list[tuple[int, str, int]]:
        if self._made is not None:
            self._made.begin(file.fullname)
        return []

    def get_additional_indirect_deps(self, file: MypyFile) -> set[str]:
        if not file.is_stub:
            self._marking().finish(file)
        return set()

    # Tools

    def get_function_hook(self, fullname: str) -> Callable[[FunctionContext], Type] | None:
        if fullname == fullnames.TOOL:
            return self._marking().marked
        if fullname == fullnames.USE:
            return self._marking().used
        if fullname in fullnames.RUN:
            return self._marking().ran
        if fullname == fullnames.CALLER:
            return self._marking().bound
        if fullname in fullnames.BUILT:
            return self._marking().built
        if fullname == fullnames.TOOLSET:
            return self._marking().gathered
        return None

    def get_method_hook(self, fullname: str) -> Callable[[MethodContext], Type] | None:
        return self._marking().marked if fullname == fullnames.CONFIGURED_CALL else None


def _load(config_file: str | None) -> Config:
    return _checked(lambda: load(config_file))


def _checked(read: Callable[[], Result]) -> Result:
    """What is read of the configuration; a fault of it stops the run."""
    try:
        return read()
    except ConfigError as error:
        where = f"{error.path}:{error.line()}"
        code = f"{codes.PREFIX}invalid-config"
        raise CompileError([f"{where}: error: {error}  [{code}]"]) from None
