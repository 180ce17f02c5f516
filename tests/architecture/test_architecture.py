"""The design's rules that a machine can check: who imports whom, and who handles what."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
RUNTIME = ROOT / "toolcall"
PLUGIN = ROOT / "toolcall_mypy"
EXTRAS = {"typer", "click", "rich", "opentelemetry"}
"""What `_cli` and the telemetry's own hook may import, when used."""
SPECIAL = {
    "toolcall.serving": {"mcp", "mcp_types"},
    "toolcall._serve": {"anyio", "mcp", "uvicorn"},
    "toolcall._cli.provenance": {"toolcall_mypy"},
    "toolcall._hatch": {"hatchling"},
    "toolcall._pytest": {"pytest"},
    "toolcall.adapters.langchain": {"langchain_core"},
    "toolcall.adapters.openai_agents": {"agents"},
    "toolcall.adapters.pydantic_ai": {"pydantic_ai"},
}
"""What exists for one other package, and that package."""


def modules(package: Path) -> list[Path]:
    return [path for path in sorted(package.rglob("*.py")) if "demo" not in path.parts]


def imports(path: Path, *, at_import: bool = False) -> set[str]:
    """The modules that a file imports; with `at_import` only those loaded with it."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    found: set[str] = set()
    waiting: list[ast.AST] = list(tree.body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found.add(node.module)
        elif isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test):
            waiting.extend(node.orelse)
            continue
        if not (at_import and isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))):
            waiting.extend(ast.iter_child_nodes(node))
    return found


def name_of(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts)


@pytest.mark.parametrize("path", modules(RUNTIME), ids=name_of)
def test_runtime_imports_the_standard_library_only(path: Path) -> None:
    """The runtime needs nothing but Python, and never the plugin."""
    # tomllib came with 3.11; a branch for it stands in files that 3.10 reads as well
    allowed = set(sys.stdlib_module_names) | {"tomllib", "toolcall", "_typeshed"}
    foreign = {name.partition(".")[0] for name in imports(path)} - allowed
    if path.is_relative_to(RUNTIME / "_cli") or path.stem in ("_otel", "__main__"):
        foreign -= EXTRAS | {"tomli", "mypy"}
    assert foreign - SPECIAL.get(name_of(path), set()) == set()


@pytest.mark.parametrize("path", modules(RUNTIME), ids=name_of)
def test_ir_is_never_loaded_by_the_runtime(path: Path) -> None:
    """The IR's names are for checkers and writers."""
    if not path.is_relative_to(RUNTIME / "_cli"):
        assert "toolcall.ir" not in imports(path, at_import=True)


ARROWS = [
    ("source", ("mypy", "toolcall_mypy.derive", "toolcall_mypy.assemble", "toolcall_mypy.lints")),
    ("derive", ("toolcall_mypy.source", "toolcall_mypy.assemble", "toolcall_mypy.lints", "ast")),
    ("lints", ("mypy", "toolcall_mypy.derive", "toolcall_mypy.assemble", "toolcall_mypy.plugin")),
]


@pytest.mark.parametrize(("folder", "forbidden"), ARROWS, ids=[arrow[0] for arrow in ARROWS])
def test_arrows_of_the_plugin(folder: str, forbidden: tuple[str, ...]) -> None:
    """Sources know no mypy, derivation knows no sources, lints know neither's inside."""
    for path in modules(PLUGIN / folder):
        for name in imports(path):
            assert not name.startswith(tuple(f"{one}." for one in forbidden)), (path, name)
            assert name not in forbidden, (path, name)


def test_formats_know_values_and_ir_and_nothing_else() -> None:
    """A vendor's format can be read by itself."""
    allowed = ("toolcall.formats", "toolcall._values", "toolcall.ir", "toolcall.errors")
    for path in modules(RUNTIME / "formats"):
        for name in imports(path):
            if name.startswith("toolcall."):
                assert name.startswith((*allowed, "toolcall._encode")), (path, name)


def kinds() -> set[str]:
    """The tags of all type nodes of the IR."""
    tree = ast.parse((RUNTIME / "ir.py").read_text(encoding="utf-8"))
    found: set[str] = set()
    for node in ast.walk(tree):
        match node:
            case ast.AnnAssign(
                target=ast.Name(id="kind"),
                annotation=ast.Subscript(slice=ast.Constant(value=str(tag))),
            ):
                found.add(tag)
    return found - {"positional_only"}


CONSUMERS = {
    "wire": PLUGIN / "wire.py",
    "walk": PLUGIN / "lints" / "walk.py",
    "grammar": RUNTIME / "_grammar.py",
    "jsonschema": RUNTIME / "formats",
    "coerce": RUNTIME,
}


@pytest.mark.parametrize("consumer", CONSUMERS)
def test_every_kind_has_its_place_in_every_consumer(consumer: str) -> None:
    """A new kind of type cannot be forgotten by anybody who walks the IR."""
    path = CONSUMERS[consumer]
    files = (
        [path] if path.is_file() else path.glob("_coerce*.py" if consumer == "coerce" else "*.py")
    )
    text = "".join(file.read_text(encoding="utf-8") for file in files)
    missing = {kind for kind in kinds() if f'"{kind}"' not in text}
    assert missing == set()


def test_there_are_kinds() -> None:
    """The test above looks at something."""
    assert len(kinds()) == 19


@pytest.mark.parametrize("path", [*modules(RUNTIME), *modules(PLUGIN)], ids=name_of)
def test_every_file_says_what_it_owns(path: Path) -> None:
    """Every module has a docstring."""
    assert ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))
