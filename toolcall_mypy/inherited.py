"""The docstring of an overriding method that has none: that of the method it overrides.

Python's own `inspect.getdoc` has the same rule. The nearest class that documents the method
counts, in the order in which mypy looks methods up.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mypy.nodes import Decorator, FuncDef, OverloadedFuncDef

if TYPE_CHECKING:
    from mypy.nodes import TypeInfo

    from toolcall_mypy.source.files import SourceFiles
    from toolcall_mypy.source.index import FunctionSource, ModuleIndex


def documented(
    definition: FuncDef | None, files: SourceFiles
) -> tuple[ModuleIndex, FunctionSource] | None:
    """The overridden method whose docstring serves, with the module it stands in."""
    if definition is None or not definition.info:
        return None
    for base in definition.info.mro[1:]:
        found = _method(base, definition.name, files)
        if found is not None and found[1].docstring is not None:
            return found
    return None


def _method(
    cls: TypeInfo, name: str, files: SourceFiles
) -> tuple[ModuleIndex, FunctionSource] | None:
    symbol = cls.names.get(name)
    if symbol is None or not isinstance(symbol.node, (FuncDef, Decorator, OverloadedFuncDef)):
        return None
    index = files.index(cls.module_name)
    if index is None:
        return None
    qualname = f"{cls.fullname.removeprefix(f'{cls.module_name}.')}.{name}"
    source = index.functions.get(qualname)
    return None if source is None else (index, source)
