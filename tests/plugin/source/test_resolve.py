"""From a dotted name to the statement that defines it."""

from __future__ import annotations

import os
import site
from typing import TYPE_CHECKING

import pytest

from toolcall_mypy.source.files import SourceFiles
from toolcall_mypy.source.index import AssignmentSource, ClassSource
from toolcall_mypy.source.resolve import Trail, resolve, scopes, stub_function

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from toolcall_mypy.source.resolve import Definition


def find(files: SourceFiles, name: str, module: str = "m", scope: str = "") -> Definition | None:
    index = files.index(module)
    assert index is not None
    return resolve(name, index, scope, files)


def fullname(files: SourceFiles, name: str, module: str = "m", scope: str = "") -> str | None:
    found = find(files, name, module, scope)
    return found.fullname if found is not None else None


@pytest.mark.parametrize(
    ("text", "name", "meant"),
    [
        ("from typing import Annotated as A\n", "A", "typing.Annotated"),
        ("import typing as t\n", "t.Annotated", "typing.Annotated"),
        ("import typing_extensions as te\n", "te.Doc", "typing_extensions.Doc"),
        ("import annotated_types\n", "annotated_types.Ge", "annotated_types.Ge"),
        ("import collections.abc\n", "collections.abc.Sequence", "collections.abc.Sequence"),
        ("from pydantic import Field\n", "Field", "pydantic.Field"),
        ("from toolcall import Param\n", "Param", "toolcall.Param"),
        ("from toolcall._values import Inject\n", "Inject", "toolcall.Inject"),
        ("", "list", "builtins.list"),
        ("", "nowhere", None),
        ("from nowhere import thing\n", "thing.part", "nowhere.thing.part"),
    ],
)
def test_well_known_and_unknown_names_get_their_full_name(
    modules: Callable[..., SourceFiles], text: str, name: str, meant: str | None
) -> None:
    """Libraries known by name alone are not opened; what is not found keeps its name."""
    assert fullname(modules(m=text), name) == meant


def test_imports_re_exports_and_stars_are_followed(modules: Callable[..., SourceFiles]) -> None:
    """Through renames, packages and `import *`, to the module that defines the name."""
    files = modules(
        m="from pkg import City, Town as T\nimport pkg.deep as d\nimport pkg\nfrom .pkg import x\n",
        pkg="from ._impl import City\nfrom .deep import *\nfrom . import deep\n",
        pkg___impl="City = str\n",
        pkg__deep="__all__ = ['Town']\nTown = str\nHidden = str\n",
    )
    assert fullname(files, "City") == "pkg._impl.City"
    assert fullname(files, "T") == "pkg.deep.Town"
    assert fullname(files, "d.Hidden") == "pkg.deep.Hidden"
    assert fullname(files, "pkg.deep.Town") == "pkg.deep.Town"
    assert fullname(files, "pkg.Hidden") is None


def test_the_innermost_scope_wins_and_class_bodies_are_not_seen_from_methods(
    modules: Callable[..., SourceFiles],
) -> None:
    """Python's own rule of scopes."""
    files = modules(
        m="X = int\nclass C:\n    X = str\n    def f(self):\n        Y = X\n        class L: ...\n"
    )
    assert fullname(files, "X", scope="C") == "m.C.X"
    assert fullname(files, "X", scope="C.f.<locals>") == "m.X"
    assert fullname(files, "Y", scope="C.f.<locals>.L") == "m.C.f.<locals>.Y"
    assert list(scopes("C.f.<locals>.L")) == ["C.f.<locals>.L", "C.f.<locals>", ""]


def test_attributes_of_classes_are_found_in_their_bases(
    modules: Callable[..., SourceFiles],
) -> None:
    """Also where the class is reached through a plain assignment, and across modules."""
    files = modules(
        m="from n import Base\nclass C(Base): ...\nShort = C\n", n="class Base:\n    LIMIT = 3\n"
    )
    assert fullname(files, "C.LIMIT") == "n.Base.LIMIT"
    assert fullname(files, "Short.LIMIT") == "n.Base.LIMIT"


def test_cycles_end(modules: Callable[..., SourceFiles]) -> None:
    """Modules that import from each other, star-import each other, classes of themselves."""
    files = modules(
        m="from n import A\nfrom n import *\nclass C(C): ...\nD = E\nE = D\n",
        n="from m import A\nfrom m import *\n",
    )
    for name in ("A", "B", "C.x", "D.x"):
        assert find(files, name) is None


def test_the_import_counts_unless_its_module_is_missing(
    modules: Callable[..., SourceFiles],
) -> None:
    """`try: import / except ImportError: define`."""
    text = "try:\n    from {} import X\nexcept ImportError:\n    X = str\n"
    files = modules(m=text.format("n"), other=text.format("nowhere"), n="X = int\n")
    assert fullname(files, "X") == "n.X"
    assert fullname(files, "X", module="other") == "other.X"


def test_a_submodule_of_a_package(modules: Callable[..., SourceFiles]) -> None:
    """`from pkg import sub` where the package itself says nothing of it."""
    files = modules(m="from pkg import sub\n", pkg="", pkg__sub="X = int\n")
    assert fullname(files, "sub.X") == "pkg.sub.X"


def test_the_trail_names_every_module_on_the_way(modules: Callable[..., SourceFiles]) -> None:
    """The use, the re-exports and the definition, each by top-level name."""
    files = modules(
        m="from pkg import City\n",
        pkg="from pkg.impl import *\n",
        pkg__impl="__all__ = ['City']\nclass City:\n    x = 1\n",
    )
    trail = Trail()
    index = files.index("m")
    assert index is not None
    assert resolve("City.x", index, "", files, trail) is not None
    assert [(module, names) for module, _, names in trail] == [
        ("m", ("City",)),
        ("pkg", ("City",)),
        ("pkg.impl", ("City", "__all__")),
    ]
    assert all(path.endswith(".py") for _, path, _ in trail)


def test_what_the_checker_has_not_loaded_is_found_by_typeshed_client() -> None:
    """Private aliases of typeshed, and typed packages on the search path."""
    files = SourceFiles(lambda module: None, search_path=site.getsitepackages())
    index = files.index("subprocess")
    assert index is not None
    assert index.is_stub
    found = resolve("StrOrBytesPath", index, "", files)
    assert found is not None
    assert found.fullname == "_typeshed.StrOrBytesPath"
    assert isinstance(found.node, AssignmentSource)
    package = files.index("typeshed_client.finder")
    assert package is not None
    assert isinstance(package.declaration("SearchContext"), ClassSource)
    assert files.path("no-such module") is None
    assert files.path("") is None


@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        ("statistics.fmean", ["data", "weights"]),
        ("builtins.str.zfill", ["self", "width"]),
        ("os.path.basename", ["p"]),
        ("statistics.nothing", None),
        ("nowhere.f", None),
        ("decimal.Decimal", None),
    ],
)
def test_functions_known_only_from_stubs(name: str, parameters: list[str] | None) -> None:
    """Names come from typeshed, through its own re-exports."""
    found = stub_function(name, SourceFiles(lambda module: None, python_version=(3, 12)))
    assert (found and [p.name for p in found[0].parameters]) == parameters


def test_files_are_read_once_and_again_when_changed(tmp_path: Path) -> None:
    """After `refresh()` an edited file is read again, an untouched one is not."""
    path = tmp_path / "m.py"
    path.write_text("A = 1\n")
    files = SourceFiles({"m": str(path)}.get)
    first = files.index("m")
    files.refresh()
    assert files.index("m") is first
    path.write_text("B = 1\n")
    os.utime(path, ns=(1, 1))
    assert files.index("m") is first
    files.refresh()
    again = files.index("m")
    assert again is not None
    assert "B" in again.assigned


def test_an_index_can_be_handed_in() -> None:
    """Text that is at hand stands for its module."""
    from toolcall_mypy.source.index import ModuleIndex

    files = SourceFiles(lambda module: None)
    index = ModuleIndex("m", "m.py", "A = 1\n")
    files.add(index)
    assert files.index("m") is index
