"""The configuration that mypy gets is the user's own, and our plugin is in it."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("typer")
pytest.importorskip("mypy")

from mypy.config_parser import parse_config_file
from mypy.options import Options

from toolcall._cli import configuration
from toolcall_mypy.config import load

INI = """\
[mypy]
strict_optional = False
mypy_path = $MYPY_CONFIG_FILE_DIR/stubs
plugins = theirs.py, other_plugin
exclude = (?x)(
    ^one\\.py$
    | ^two\\.py$
  )
[mypy-foo.*,bar]
ignore_missing_imports = True
"""
TOML = """\
[project]
name = "theirs"
[tool.mypy]
python_version = "3.11"
mypy_path = "$MYPY_CONFIG_FILE_DIR/stubs"
plugins = ["theirs.py:entry", "other_plugin"]
exclude = ['^one\\.py$', "quote\\"d"]
warn_unused_ignores = true
[[tool.mypy.overrides]]
module = ["foo.*", "bar"]
ignore_missing_imports = true
[tool.toolcall]
formats = ["openai"]
cache_dir = "cache"
severity = { bare-enum = "off" }
"""


def understood(path: Path, folder: Path) -> dict[str, Any]:
    """What mypy makes of a configuration, without what must differ."""
    options = Options()
    parse_config_file(options, lambda: None, str(path), sys.stdout, sys.stderr)
    facts = dict(options.snapshot())
    facts.pop("config_file", None)
    facts["plugins"] = [
        os.path.join(folder, plugin) if plugin.partition(":")[0].endswith(".py") else plugin
        for plugin in options.plugins
    ]
    return facts


@pytest.mark.parametrize(
    ("name", "text"), [("mypy.ini", INI), ("setup.cfg", INI), ("pyproject.toml", TOML)]
)
def test_nothing_but_the_plugin_changes(
    name: str, text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """mypy understands the copy as it understands the original, with one plugin more."""
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    before = understood(path, tmp_path)
    with configuration.options(tmp_path) as options:
        after = understood(Path(options[1]), tmp_path)
    assert capsys.readouterr() == ("", "")
    assert after.pop("plugins") == [*before.pop("plugins"), "toolcall_mypy"]
    assert after == before
    assert before["mypy_path"] == [f"{tmp_path}/stubs"]
    assert before["per_module_options"]


def test_our_own_settings_come_along(tmp_path: Path) -> None:
    """`[tool.toolcall]` of a merged file is read as it was written."""
    path = tmp_path / "pyproject.toml"
    path.write_text(TOML, encoding="utf-8")
    copy = configuration.tomllib.loads(configuration.with_plugin(path))
    assert copy["tool"]["toolcall"] == {
        "formats": ["openai"],
        "cache_dir": str(tmp_path / "cache"),
        "severity": {"bare-enum": "off"},
    }


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("mypy.ini", "[mypy]\n"),
        ("mypy.ini", "[mypy]\n[toolcall]\ncache_dir = cache\nformats = openai\n"),
        ("pyproject.toml", TOML),
    ],
)
def test_the_plugin_reads_the_same_settings(name: str, text: str, tmp_path: Path) -> None:
    """Settings in the file, or in the pyproject.toml beside it, mean the same in the copy."""
    (tmp_path / "pyproject.toml").write_text(TOML, encoding="utf-8")
    (tmp_path / name).write_text(text, encoding="utf-8")
    with configuration.options(tmp_path) as options:
        assert load(options[1]) == load(str(tmp_path / name))
    assert load(str(tmp_path / name)).cache_dir == str(tmp_path / "cache")


def test_the_plugin_reads_settings_that_stand_alone(tmp_path: Path) -> None:
    """A pyproject.toml that says nothing of mypy still has settings for the plugin."""
    (tmp_path / ".git").mkdir()
    settings = TOML[TOML.index("[tool.toolcall]") :]
    (tmp_path / "pyproject.toml").write_text(settings, encoding="utf-8")
    with configuration.options(tmp_path) as options:
        assert load(options[1]).formats == ("openai",)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("mypy.ini", "[mypy]\nplugins = a, toolcall_mypy\n"),
        ("pyproject.toml", '[tool.mypy]\nplugins = "toolcall_mypy"\n'),
        ("pyproject.toml", '[tool.mypy]\nplugins = ["toolcall_mypy.plugin:plugin"]\n'),
    ],
)
def test_a_configuration_with_the_plugin_is_used_as_it_is(
    name: str, text: str, tmp_path: Path
) -> None:
    """Whoever lists the plugin gets no copy, and mypy finds the file by itself."""
    (tmp_path / name).write_text(text, encoding="utf-8")
    with configuration.options(tmp_path) as options:
        assert options == []
    with configuration.options(tmp_path, Path(name)) as options:
        assert options == ["--config-file", name]


def test_no_configuration_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without any configuration mypy gets one with the plugin alone, gone afterwards."""
    (tmp_path / ".git").mkdir()
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    with configuration.options(tmp_path) as options:
        copy = Path(options[1])
        assert copy.read_text(encoding="utf-8") == "[mypy]\nplugins = toolcall_mypy\n"
    assert not copy.exists()


def test_the_search_goes_up_to_the_repository(tmp_path: Path) -> None:
    """The nearest configuration wins, mypy's own files before shared ones, up to `.git`."""
    inner = tmp_path / "repository" / "package"
    inner.mkdir(parents=True)
    (tmp_path / "mypy.ini").write_text("[mypy]\n", encoding="utf-8")
    assert configuration.find(inner) == tmp_path / "mypy.ini"
    shared = inner.parent / "pyproject.toml"
    shared.write_text("[tool.ruff]\n", encoding="utf-8")
    assert configuration.find(inner) == tmp_path / "mypy.ini"
    shared.write_text("[tool.mypy]\n", encoding="utf-8")
    assert configuration.find(inner) == shared
    (inner.parent / ".mypy.ini").write_text("[mypy]\n", encoding="utf-8")
    assert configuration.find(inner) == inner.parent / ".mypy.ini"


def test_a_personal_configuration_is_the_last_resort(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The user's personal file counts where the project has none."""
    project = tmp_path / "project"
    (project / ".git").mkdir(parents=True)
    personal = tmp_path / "config" / "mypy" / "config"
    personal.parent.mkdir(parents=True)
    personal.write_text("[mypy]\n", encoding="utf-8")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    assert configuration.find(project) == personal


@pytest.mark.parametrize(
    ("name", "text"), [("pyproject.toml", "[tool.mypy\n"), ("mypy.ini", "strict = True\n")]
)
def test_a_broken_configuration_is_for_mypy_to_report(name: str, text: str, tmp_path: Path) -> None:
    """A file that cannot be parsed is passed over, or handed to mypy when it was named."""
    (tmp_path / ".git").mkdir()
    (tmp_path / name).write_text(text, encoding="utf-8")
    assert configuration.find(tmp_path) != tmp_path / name
    with configuration.options(tmp_path, Path(name)) as options:
        assert options == ["--config-file", name]
