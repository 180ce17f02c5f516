"""`[tool.toolcall]` of pyproject.toml, or `[toolcall]` of mypy's own ini file.

The file is the one that mypy reads its configuration from; a pyproject.toml beside it
serves when that one says nothing of us. A key or value that does not exist stops the
run as mypy's own configuration errors of plugins do: everything after it would answer
for settings that nobody asked for.
"""

from __future__ import annotations

import configparser
import difflib
import os
import sys
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

from toolcall_mypy.codes import USUAL
from toolcall_mypy.records import field, record

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from toolcall_mypy.codes import Severity

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

Description: TypeAlias = Literal["whole", "first-paragraph"]

SEVERITIES: Final = ("error", "note", "off")
DESCRIPTIONS: Final = ("whole", "first-paragraph")


class ConfigError(Exception):
    """A fault of the configuration: the message names the key and the nearest valid one."""

    def __init__(self, path: str, key: str, message: str) -> None:
        super().__init__(message)
        self.path = path
        self.key = key

    def line(self) -> int:
        """The first line that mentions the key, or 1."""
        with open(self.path, encoding="utf-8") as file:
            for number, text in enumerate(file, start=1):
                if text.lstrip().lstrip("\"'").startswith(self.key):
                    return number
        return 1


@record
class Config:
    """What the project asks of the plugin.

    `formats` are the vendors whose rules count as errors, `strict` says that tools are
    emitted strictly, `types` are type providers by full name, `cache_dir` is where the
    sidecars lie (beside the sources when None), `severity` overrides a finding's own.
    """

    formats: tuple[str, ...] = ()
    strict: bool = False
    types: tuple[str, ...] = ()
    cache_dir: str | None = None
    description: Description = "whole"
    severity: Mapping[str, Severity] = field(default_factory=dict)

    def key(self) -> list[Any] | None:
        """What mypy's cache must remember of it; None is the default configuration."""
        if self == Config():
            return None
        severities = sorted(self.severity.items())
        return [
            *(list(self.formats), self.strict, list(self.types), self.cache_dir),
            *(self.description, [list(item) for item in severities]),
        ]


def load(config_file: str | None) -> Config:
    """Reads the configuration of a mypy run.

    Args:
        config_file: the file that mypy's options came from, None without one.

    Raises:
        ConfigError: a key or a value is not one of ours.
    """
    for path in _candidates(config_file):
        section = _section(path)
        if section is not None:
            return _build(path, section)
    return Config()


def unknown_type(config_file: str | None, name: str, known: Sequence[str]) -> ConfigError:
    """The fault of a type provider that does not exist."""
    paths = [path for path in _candidates(config_file) if _section(path) is not None]
    near = difflib.get_close_matches(name, known, n=1, cutoff=0.4)
    hint = f'did you mean "{near[0]}"?' if near else "it must be a full name, module.Class"
    return ConfigError(
        paths[0], "types", f'[tool.toolcall] "types": there is no type provider "{name}"; {hint}'
    )


def _candidates(config_file: str | None) -> list[str]:
    folder = os.path.dirname(config_file) if config_file else ""
    paths = [config_file] if config_file else []
    beside = os.path.join(folder, "pyproject.toml")
    return [path for path in [*paths, beside] if os.path.isfile(path)]


def _section(path: str) -> dict[str, Any] | None:
    try:
        if path.endswith(".toml"):
            with open(path, "rb") as file:
                found = tomllib.load(file).get("tool", {}).get("toolcall")
            return found if isinstance(found, dict) else None
        return _ini_section(path)
    except (OSError, ValueError, configparser.Error):
        return None  # mypy itself says what is wrong with the file


def _ini_section(path: str) -> dict[str, Any] | None:
    parser = configparser.RawConfigParser()
    parser.read(path, encoding="utf-8")
    if not parser.has_section("toolcall"):
        return None
    section: dict[str, Any] = {}
    for key, value in parser.items("toolcall"):
        if key.startswith("severity."):
            section.setdefault("severity", {})[key.removeprefix("severity.")] = value.strip()
        else:
            section[key] = _ini_value(key, value)
    return section


def _ini_value(key: str, value: str) -> object:
    if key in ("formats", "types"):
        return [item.strip() for item in value.replace("\n", ",").split(",") if item.strip()]
    if key == "strict":
        return {"true": True, "1": True, "false": False, "0": False}.get(value.lower(), value)
    return value.strip()


def _build(path: str, section: Mapping[str, Any]) -> Config:
    values: dict[str, Any] = {}
    for key, value in section.items():
        read = _READERS.get(key)
        if read is None:
            raise _unknown(path, key, "key", key, list(_READERS))
        values[key] = read(path, key, value)
    if values.get("cache_dir") is not None:
        values["cache_dir"] = os.path.join(os.path.dirname(path), values["cache_dir"])
    return Config(**values)


def _unknown(path: str, key: str, what: str, got: object, known: Sequence[str]) -> ConfigError:
    near = difflib.get_close_matches(str(got), known, n=1)
    suggestion = f'did you mean "{near[0]}"?' if near else f"one of {', '.join(sorted(known))}"
    where = "" if what == "key" else f' of "{key}"'
    return ConfigError(
        path, key, f'[tool.toolcall] does not know the {what} "{got}"{where}; {suggestion}'
    )


def _texts(path: str, key: str, value: object) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise ConfigError(path, key, f'[tool.toolcall] "{key}" must be a list of strings')
    return tuple(value)


def _formats(path: str, key: str, value: object) -> tuple[str, ...]:
    from toolcall.formats import NAMES as FORMATS  # with it, all of the formats' package

    formats = _texts(path, key, value)
    for name in formats:
        if name not in FORMATS:
            raise _unknown(path, key, "format", name, FORMATS)
    return formats


def _boolean(path: str, key: str, value: object) -> bool:
    if not isinstance(value, bool):
        raise ConfigError(path, key, f'[tool.toolcall] "{key}" must be true or false')
    return value


def _text(path: str, key: str, value: object) -> str:
    if not isinstance(value, str):
        raise ConfigError(path, key, f'[tool.toolcall] "{key}" must be a string')
    return value


def _description(path: str, key: str, value: object) -> str:
    if value not in DESCRIPTIONS:
        raise _unknown(path, key, "value", value, DESCRIPTIONS)
    return str(value)


def _severity(path: str, key: str, value: object) -> dict[str, str]:
    if not isinstance(value, dict):
        raise ConfigError(path, key, f'[tool.toolcall] "{key}" must be a table of code = severity')
    for code, severity in value.items():
        if code not in USUAL:
            raise _unknown(path, code, "code", code, sorted(USUAL))
        if severity not in SEVERITIES:
            raise _unknown(path, code, "severity", severity, SEVERITIES)
    return dict(value)


_READERS: Final[Mapping[str, Callable[[str, str, object], Any]]] = {
    "formats": _formats,
    "strict": _boolean,
    "types": _texts,
    "cache_dir": _text,
    "description": _description,
    "severity": _severity,
}
