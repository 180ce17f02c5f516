"""The user's own mypy configuration, with our plugin added to it.

mypy has no option that adds a plugin, only a configuration that lists it. So the
configuration is looked up as mypy does and, where the plugin is not in it yet, copied to
a temporary file that differs in this one line. A user who lists the plugin himself gets
his own file, untouched.

What is written relative to the file must mean the same from elsewhere: plugins given as
`.py` files become absolute, `$MYPY_CONFIG_FILE_DIR` becomes the folder it stood for.
Everything else in mypy's configuration is relative to the working directory. The plugin's
own settings come from the same file, or from a pyproject.toml beside it, so they come along.
"""

from __future__ import annotations

import configparser
import contextlib
import io
import json
import os
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

if sys.version_info >= (3, 11):
    import tomllib
else:  # mypy needs and brings it there
    import tomli as tomllib

PLUGIN = "toolcall_mypy"
OWN_NAMES = ("mypy.ini", ".mypy.ini")
SHARED_NAMES = ("pyproject.toml", "setup.cfg")


def find(start: Path) -> Path | None:
    """The configuration mypy would read when started in `start`, or None."""
    for folder in (start, *start.parents):
        for name in OWN_NAMES + SHARED_NAMES:
            if _is_configuration(folder / name):
                return folder / name
        if (folder / ".git").exists() or (folder / ".hg").exists():
            break
    return next((path for path in _personal() if path.is_file()), None)


def lists_plugin(path: Path) -> bool:
    """Whether this configuration has our plugin already."""
    return any(_is_ours(plugin) for plugin in _plugins(_section(path)))


def with_plugin(path: Path | None) -> str:
    """The text of this configuration with our plugin in it (TOML if `path` is, else INI)."""
    if path is None:
        return f"[mypy]\nplugins = {PLUGIN}\n"
    return _toml_with_plugin(path) if _is_toml(path) else _ini_with_plugin(path)


@contextlib.contextmanager
def options(start: Path, given: Path | None = None) -> Iterator[list[str]]:
    """mypy's options for a configuration with the plugin, valid inside the `with`.

    Args:
        start: The folder in which mypy will be started.
        given: A configuration that the user named.
    """
    path = start / given if given else find(start)
    if path is not None and (not _is_readable(path) or lists_plugin(path)):
        yield ["--config-file", str(given)] if given else []
        return
    with tempfile.TemporaryDirectory(prefix="toolcall-") as folder:
        copy = Path(folder, "mypy.toml" if path is not None and _is_toml(path) else "mypy.ini")
        copy.write_text(with_plugin(path), encoding="utf-8")
        beside = _settings(path.parent if path else start)
        Path(folder, "pyproject.toml").write_text(beside, encoding="utf-8")
        yield ["--config-file", str(copy)]


def _personal() -> list[Path]:
    xdg = os.environ.get("XDG_CONFIG_HOME")
    first = [Path(xdg, "mypy", "config")] if xdg else []
    return [*first, Path.home() / ".config" / "mypy" / "config", Path.home() / ".mypy.ini"]


def _is_toml(path: Path) -> bool:
    return path.suffix.lower() == ".toml"


def _is_configuration(path: Path) -> bool:
    """Shared files count only with a section of mypy's, and broken ones not at all."""
    if not _is_readable(path):
        return False
    return path.name in OWN_NAMES or _section(path) is not None


def _is_readable(path: Path) -> bool:
    """Whether it can be parsed; mypy itself says what is wrong with one that cannot."""
    try:
        _section(path)
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError, configparser.Error):
        return False
    return path.is_file()


def _section(path: Path) -> Mapping[str, Any] | None:
    if _is_toml(path):
        section: Mapping[str, Any] | None = _toml(path).get("mypy")
        return section
    parser = _ini(path)
    return parser["mypy"] if parser.has_section("mypy") else None


def _toml(path: Path) -> dict[str, Any]:
    tool: dict[str, Any] = tomllib.loads(path.read_text(encoding="utf-8")).get("tool", {})
    return tool


def _ini(path: Path) -> configparser.RawConfigParser:
    parser = configparser.RawConfigParser()
    parser.read(path, encoding="utf-8")
    return parser


def _plugins(section: Mapping[str, Any] | None) -> list[str]:
    listed = (section or {}).get("plugins", [])
    parts: Sequence[str] = listed.split(",") if isinstance(listed, str) else listed
    return [part.strip() for part in parts if part.strip()]


def _is_ours(plugin: str) -> bool:
    return plugin.partition(":")[0].partition(".")[0] == PLUGIN


def _elsewhere(value: Any, folder: Path) -> Any:
    """The same value as seen from another folder."""
    match value:
        case str():
            for name in ("$MYPY_CONFIG_FILE_DIR", "${MYPY_CONFIG_FILE_DIR}"):
                value = value.replace(name, str(folder))
            return value
        case list():
            return [_elsewhere(item, folder) for item in value]
        case dict():
            return {key: _elsewhere(item, folder) for key, item in value.items()}
        case _:
            return value


def _listed(section: Mapping[str, Any] | None, folder: Path) -> list[str]:
    """All plugins: the user's, found from anywhere, and ours."""
    theirs = [
        str(folder / plugin) if plugin.partition(":")[0].endswith(".py") else plugin
        for plugin in _plugins(section)
    ]
    return [*theirs, PLUGIN]


def _settings(folder: Path) -> str:
    """Our own settings from the pyproject.toml of a folder, as TOML; empty without any."""
    path = folder / "pyproject.toml"
    settings = _toml(path).get("toolcall") if _is_readable(path) else None
    return "\n".join(["[tool.toolcall]", *_pairs(_absolute(settings, folder))]) if settings else ""


def _absolute(settings: dict[str, Any], folder: Path) -> dict[str, Any]:
    """Our settings with the one path among them made absolute."""
    if isinstance(settings.get("cache_dir"), str):
        return {**settings, "cache_dir": str(folder.resolve() / settings["cache_dir"])}
    return settings


def _ini_with_plugin(path: Path) -> str:
    folder = path.resolve().parent
    parser = _ini(path)
    if not parser.has_section("mypy"):
        parser.add_section("mypy")
    for section in parser.sections():
        for key, value in parser.items(section):
            parser.set(section, key, _elsewhere(value, folder))
    parser.set("mypy", "plugins", ", ".join(_listed(parser["mypy"], folder)))
    if parser.has_option("toolcall", "cache_dir"):
        parser.set("toolcall", "cache_dir", str(folder / parser.get("toolcall", "cache_dir")))
    text = io.StringIO()
    parser.write(text)
    return text.getvalue()


def _toml_with_plugin(path: Path) -> str:
    folder = path.resolve().parent
    tool = _toml(path)
    mypy = _elsewhere(tool.get("mypy", {}), folder)
    overrides = mypy.pop("overrides", [])
    mypy["plugins"] = _listed(mypy, folder)
    lines = ["[tool.mypy]", *_pairs(mypy)]
    for override in overrides:
        lines += ["[[tool.mypy.overrides]]", *_pairs(override)]
    if "toolcall" in tool:
        lines += ["[tool.toolcall]", *_pairs(_absolute(tool["toolcall"], folder))]
    return "\n".join(lines) + "\n"


def _pairs(table: Mapping[str, Any]) -> Iterator[str]:
    return (f"{_quoted(key)} = {_value(value)}" for key, value in table.items())


def _value(value: Any) -> str:
    match value:
        case bool():
            return str(value).lower()
        case str():
            return _quoted(value)
        case list():
            return f"[{', '.join(map(_value, value))}]"
        case dict():
            return f"{{{', '.join(_pairs(value))}}}"
        case _:
            return str(value)  # numbers and dates are written in TOML as Python prints them


def _quoted(text: str) -> str:
    """A TOML basic string: JSON's, but for DEL, which TOML wants escaped."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
