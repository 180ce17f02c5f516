"""From a class's name in the IR to the class, and never to anything else.

A sidecar is a file and may be hostile, so a name in it buys very little:

1. Found are only classes that the program has anyway: in the tool function's own globals,
   for a local class in the frame that decorated the tool, in `sys.modules`. A module is
   imported only where the tool module's own source says so (most often under
   TYPE_CHECKING), because then its author asked for it.
2. Built are only dataclasses, enums, named tuples, attrs, msgspec and pydantic classes,
   which the live class must show itself to be. A TypedDict is a dict and needs no class.
3. Everything else is one error, `ClassNotFound`, naming class and module.

A class is known by its own `__module__` and `__qualname__`, not by the name it was found
under; `__main__` is the module that runs as a script. Sources are read with `ast` and only
in the last resort.
"""

from __future__ import annotations

import sys
from types import FunctionType, ModuleType

from toolcall.errors import ClassNotFound

TYPE_CHECKING = False
if TYPE_CHECKING:
    import ast
    from collections.abc import Callable, Iterator
    from typing import Any, Protocol

    from toolcall import ir

    class Declared(Protocol):
        """What a class is looked up for: a tool bound to its function."""

        fn: Callable[..., Any] | None
        module: str
        locals: dict[str, type]


def find(bound: Declared, name: ir.ClassName, style: str) -> type[Any]:
    """The class of that name, checked to be of that style (`enum` for the Enum family)."""
    module, _, qualname = name.partition(":")
    for candidate in _candidates(bound, module, qualname):
        if _is(candidate, module, qualname):
            if not _SHOWS[style](candidate):
                raise ClassNotFound(f"{qualname} of module {module} is not a class of kind {style}")
            found: type[Any] = candidate
            return found
    raise ClassNotFound(
        f"{qualname} of module {module} is needed to call a tool of {bound.module} and is not "
        f"to be found: import it in {bound.module}, or import {module} before the call"
    )


def function_of(callable_: Any) -> FunctionType | None:
    """The plain function inside wrappers, bound methods and partials."""
    for _ in range(100):
        if isinstance(callable_, FunctionType):
            inner = getattr(callable_, "__wrapped__", None)
            if inner is None:
                return callable_
            callable_ = inner
        else:
            inner = getattr(callable_, "__wrapped__", None) or getattr(callable_, "func", None)
            inner = inner or getattr(callable_, "__func__", None)
            if inner is None:
                call = vars(type(callable_)).get("__call__")
                return call if isinstance(call, FunctionType) else None
            callable_ = inner
    return None


def _candidates(bound: Declared, module: str, qualname: str) -> Iterator[Any]:
    _, local, inner = qualname.rpartition("<locals>.")
    function = function_of(bound.fn)
    if local:
        yield _attribute(bound.locals, inner)
        return
    if function is not None:
        yield _attribute(function.__globals__, qualname)
        # Known under another name: `from shop import Order as Purchase`.
        yield from list(function.__globals__.values())
    yield _in_module(module, qualname)
    if _is_script(module):
        yield _in_module("__main__", qualname)
    for imported in _imports(bound.module, module, qualname):
        yield from imported


def _attribute(scope: Any, qualname: str) -> Any:
    first, *rest = qualname.split(".")
    found = scope.get(first)
    for name in rest:
        found = getattr(found, "__dict__", {}).get(name)
    return found


def _in_module(module: str, qualname: str) -> Any:
    found = sys.modules.get(module)
    return None if found is None else _attribute(vars(found), qualname)


def _is(candidate: Any, module: str, qualname: str) -> bool:
    return (
        isinstance(candidate, type)
        and candidate.__qualname__ == qualname
        and (
            candidate.__module__ == module
            or (candidate.__module__ == "__main__" and _is_script(module))
        )
    )


def _is_script(module: str) -> bool:
    """Whether the program that runs is this module, which then calls itself `__main__`."""
    main = sys.modules.get("__main__")
    spec = getattr(main, "__spec__", None)
    if spec is not None:
        return bool(spec.name == module)
    path = str(getattr(main, "__file__", None) or "").replace("\\", "/")
    stem = path.rpartition("/")[2].rpartition(".")[0]
    return bool(stem) and module.rpartition(".")[2] == stem


# The last resort: what the tool module's source imports


def _imports(tool_module: str, module: str, qualname: str) -> Iterator[list[Any]]:
    """What is found after each import of the tool module's own source that may give the class.

    First those that name the class or its module; then those that only checkers follow,
    since a class may be reached through an alias in one of them.
    """
    first = qualname.partition(".")[0]
    named, others = [], []
    for target, names, guarded in _written_imports(tool_module):
        if target == module or module.startswith(target + ".") or first in names:
            named.append(target)
        elif guarded:
            others.append(target)
    for target in dict.fromkeys([*named, *others]):
        if _import(target):
            yield [_in_module(target, qualname), _in_module(module, qualname)]


def _import(name: str) -> bool:
    from importlib import import_module

    try:
        import_module(name)
    except ImportError:  # a stub-only package, or a branch for another platform
        return False
    return True


def _written_imports(tool_module: str) -> Iterator[tuple[str, set[str], bool]]:
    """Module, names bound from it, and whether it stands under TYPE_CHECKING."""
    import ast

    module = sys.modules.get(tool_module)
    source = _source(module) if module is not None else None
    if module is None or source is None:
        return
    package = getattr(module, "__package__", None) or ""
    for node, guarded in _statements(ast.parse(source), False):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield alias.name, set(), guarded
        elif isinstance(node, ast.ImportFrom):
            target = _absolute(node, package)
            names = {alias.name for alias in node.names}
            yield target, names, guarded
            # `from package import module` may name a module as well as a class.
            for name in names - {"*"}:
                yield f"{target}.{name}", set(), guarded


def _statements(node: ast.AST, guarded: bool) -> Iterator[tuple[ast.stmt, bool]]:
    import ast

    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.stmt):
            yield child, guarded
            under = isinstance(child, ast.If) and "TYPE_CHECKING" in ast.unparse(child.test)
            yield from _statements(child, guarded or under)


def _absolute(node: ast.ImportFrom, package: str) -> str:
    if not node.level:
        return node.module or ""
    base = package.rsplit(".", node.level - 1)[0] if node.level > 1 else package
    return f"{base}.{node.module}" if node.module else base


def _source(module: ModuleType) -> str | None:
    loader = getattr(module, "__loader__", None)
    get_source = getattr(loader, "get_source", None)
    try:
        text = get_source(module.__name__) if get_source is not None else None
    except (ImportError, OSError):
        return None
    return text if isinstance(text, str) else None


# What a live class shows itself to be


def _enum(cls: type) -> bool:
    from enum import Enum

    return issubclass(cls, Enum)


def _pydantic(cls: type) -> bool:
    fields = hasattr(cls, "__pydantic_fields__") or hasattr(cls, "model_fields")
    return fields and hasattr(cls, "__pydantic_validator__")


def _pydantic_text(cls: type) -> bool:
    """Pydantic's own URLs and secrets."""
    return cls.__module__.startswith("pydantic.") and hasattr(cls, "__get_pydantic_core_schema__")


_SHOWS: dict[str, Callable[[type], bool]] = {
    "enum": _enum,
    "flag": _enum,
    "dataclass": lambda cls: hasattr(cls, "__dataclass_fields__"),
    "namedtuple": lambda cls: issubclass(cls, tuple) and hasattr(cls, "_fields"),
    "attrs": lambda cls: hasattr(cls, "__attrs_attrs__"),
    "msgspec": lambda cls: hasattr(cls, "__struct_fields__"),
    "pydantic": _pydantic,
    "root": lambda cls: _pydantic(cls) or _pydantic_text(cls),
    "custom": lambda cls: True,
}
