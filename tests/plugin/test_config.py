"""The configuration is read from where mypy reads its own, and faults name key and cure."""

from __future__ import annotations

from pathlib import Path

import pytest
from mypy.errors import CompileError

from toolcall_mypy.config import Config, ConfigError, load

from .project import Project


def written(folder: Path, name: str, text: str) -> str:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_nothing_configured(tmp_path: Path) -> None:
    """Without a section everything has its default, and mypy's cache has nothing to remember."""
    assert load(written(tmp_path, "mypy.ini", "[mypy]\n")) == Config()
    assert load(None).key() is None or Path("pyproject.toml").exists()
    assert Config().key() is None


def test_pyproject(tmp_path: Path) -> None:
    """All keys, as TOML."""
    path = written(
        tmp_path,
        "pyproject.toml",
        """
        [tool.toolcall]
        formats = ["openai", "anthropic"]
        strict = true
        types = ["app.MoneyProvider"]
        cache_dir = "build/tools"
        description = "first-paragraph"

        [tool.toolcall.severity]
        stringly-enum = "off"
        """,
    )
    assert load(path) == Config(
        formats=("openai", "anthropic"),
        strict=True,
        types=("app.MoneyProvider",),
        cache_dir=str(tmp_path / "build/tools"),
        description="first-paragraph",
        severity={"stringly-enum": "off"},
    )


def test_ini(tmp_path: Path) -> None:
    """The same keys in mypy's own file."""
    path = written(
        tmp_path,
        "mypy.ini",
        "[mypy]\n[toolcall]\nformats = openai, mcp\nstrict = True\nseverity.bare-enum = note\n",
    )
    assert load(path) == Config(
        formats=("openai", "mcp"), strict=True, severity={"bare-enum": "note"}
    )


def test_pyproject_beside_mypy_ini(tmp_path: Path) -> None:
    """pyproject.toml serves where mypy's own file has no section for us."""
    written(tmp_path, "pyproject.toml", "[tool.toolcall]\nstrict = true\n")
    assert load(written(tmp_path, "mypy.ini", "[mypy]\n")).strict


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('formts = ["openai"]', ['"formts"', 'did you mean "formats"']),
        ('formats = ["opnai"]', ['"opnai"', '"formats"', 'did you mean "openai"']),
        ('formats = "openai"', ['"formats" must be a list']),
        ('strict = "yes"', ['"strict" must be true or false']),
        ('description = "short"', ['"short"', "first-paragraph"]),
        ('severity = {bare-enun = "note"}', ['"bare-enun"', 'did you mean "bare-enum"']),
        ('severity = {bare-enum = "warn"}', ['"warn"', "error, note, off"]),
        ("severity = 1", ['"severity" must be a table']),
        ("types = [1]", ['"types" must be a list of strings']),
        ("cache_dir = 1", ['"cache_dir" must be a string']),
    ],
)
def test_faults(tmp_path: Path, text: str, words: list[str]) -> None:
    """A wrong key or value is an error that names the key, the line and the nearest valid one."""
    path = written(tmp_path, "pyproject.toml", f"[tool.toolcall]\n{text}\n")
    with pytest.raises(ConfigError) as raised:
        load(path)
    assert all(word in str(raised.value) for word in words), str(raised.value)
    assert raised.value.line() == 2 or "severity" in text


def test_a_fault_stops_the_run(tmp_path: Path, warm_cache: Path) -> None:
    """mypy prints the fault where it stands, with its code, and checks nothing."""
    project = Project(tmp_path, "[toolcall]\nstrct = true\n", cache=warm_cache)
    project.write("m.py", "x = 1\n")
    with pytest.raises(CompileError) as raised:
        project.check()
    (message,) = raised.value.messages
    assert message.startswith("mypy.ini:4: error: ")
    assert message.endswith("[toolcall-invalid-config]")
    assert 'did you mean "strict"' in message


def test_a_change_checks_again(tmp_path: Path, warm_cache: Path) -> None:
    """Findings follow the configuration in a warm run."""
    project = Project(tmp_path, cache=warm_cache)
    project.write("m.py", "from toolcall import tool\n\n@tool\ndef f(a: int, b) -> None: ...\n")
    assert "error" in project.check().messages[0]
    written(
        tmp_path,
        "mypy.ini",
        "[mypy]\nplugins = toolcall_mypy\n[toolcall]\nseverity.missing-annotation = off\n",
    )
    assert project.check().messages == []


MONEY = """
    from toolcall import TypeProvider, tool

    class Money: ...

    class MoneyProvider(TypeProvider[Money]):
        schema = {"type": "string"}
    """
PAY = """
    from toolcall import tool
    from pkg.money import Money

    @tool
    def pay(a: Money) -> None: ...
    """


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("pkg.money.MoneyProvidr", 'did you mean "pkg.money.MoneyProvider"?'),
        ("pkg.money.Money", 'did you mean "pkg.money.MoneyProvider"?'),
        ("pkg.mony.MoneyProvider", "it must be a full name"),
        ("MoneyProvider", "it must be a full name"),
    ],
)
def test_a_type_provider_that_does_not_exist(
    tmp_path: Path, warm_cache: Path, name: str, said: str
) -> None:
    """The run stops at the key, with the nearest provider that there is."""
    project = Project(tmp_path, f"[toolcall]\ntypes = {name}\n", cache=warm_cache)
    project.write("pkg/__init__.py", "")
    project.write("pkg/money.py", MONEY)
    project.write("m.py", PAY)
    with pytest.raises(CompileError) as raised:
        project.check()
    (message,) = raised.value.messages
    assert message.startswith("mypy.ini:4: error: ")
    assert f'there is no type provider "{name}"; {said}' in message
    assert message.endswith("[toolcall-invalid-config]")


def test_a_type_provider_that_no_module_imports(tmp_path: Path, warm_cache: Path) -> None:
    """It is found where mypy would find it."""
    project = Project(tmp_path, "[toolcall]\ntypes = pkg.more.Other\n", cache=warm_cache)
    project.write("pkg/__init__.py", "")
    project.write("pkg/money.py", MONEY)
    project.write(
        "pkg/more.py",
        """
        from toolcall import TypeProvider
        from pkg.money import Money

        class Other(TypeProvider[Money]):
            schema = {"type": "integer"}
        """,
    )
    project.write("m.py", PAY)
    assert project.check("m.py").messages == []
    (parameter,) = project.tools("m")["pay"]["parameters"]
    assert parameter["type"]["provider"] == "pkg.more:Other"
    assert parameter["type"]["wire"] == {"kind": "integer"}
