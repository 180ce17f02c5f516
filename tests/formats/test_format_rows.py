"""Every row of the page on types in every format, plain and strict.

`type_rows.py` has a tool for each row; `type_rows.json` is what the plugin makes of it.
The one is compared with the other where the plugin is installed, and what every format
makes of that where nothing is.
"""

from __future__ import annotations

import copy
import json
import shutil
import subprocess
import sys
import warnings
from pathlib import Path
from typing import Any

import pytest

from toolcall import formats
from toolcall.errors import StrictError, ToolcallWarning

HERE = Path(__file__).parent
IR = HERE / "type_rows.json"
GOLDENS = HERE / "goldens" / "rows"
FORMATS = [name for name in formats.NAMES if name != "mcp-2026-07-28"]

# What changes with every edit of the source, and says nothing of a type.
_PASSING = ("declarations", "line")


def definitions() -> list[Any]:
    """The tools of the rows."""
    sidecar = json.loads(IR.read_text(encoding="utf-8"))
    return [{"tool": tool, "types": sidecar["types"]} for tool in sidecar["tools"]]


def each(name: str, strict: Any) -> dict[str, Any]:
    """Every tool as a request of its own; one that cannot be strict is the reason why."""
    rendered: dict[str, Any] = {}
    for definition in definitions():
        try:
            (tool,) = formats.get(name).render_tools([definition], strict=strict)
        except StrictError as error:
            tool = str(error)
        rendered[definition["tool"]["name"]] = tool
    return rendered


def schemas(name: str) -> list[Any]:
    """The input schemas that are strict."""
    strict = [tool for tool in each(name, "require").values() if isinstance(tool, dict)]
    found = [tool.get("function", tool) for tool in strict]
    return [tool.get("parameters") or tool["input_schema"] for tool in found]


def test_the_plugin_makes_these_definitions_of_the_rows(
    tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    """The definitions that the others render are those of the source beside them."""
    for needed in ("mypy", "attrs", "msgspec", "pydantic", "typing_extensions"):
        pytest.importorskip(needed)
    shutil.copy(HERE / "type_rows.py", tmp_path)
    (tmp_path / "mypy.ini").write_text("[mypy]\nplugins = toolcall_mypy\n", encoding="utf-8")
    command = [sys.executable, "-m", "mypy", "type_rows.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    sidecar = tmp_path / "__toolcall__" / "type_rows.json"
    assert sidecar.exists(), done.stdout + done.stderr
    made = json.loads(sidecar.read_text(encoding="utf-8"))
    kept = {
        "tools": [
            {key: value for key, value in tool.items() if key not in _PASSING}
            for tool in made["tools"]
        ],
        "types": made["types"],
    }
    text = json.dumps(kept, indent=1, ensure_ascii=False) + "\n"
    if request.config.getoption("--update-goldens"):
        IR.write_text(text, encoding="utf-8", newline="\n")
    assert text == IR.read_text(encoding="utf-8")


@pytest.mark.parametrize("strict", [False, True], ids=["plain", "strict"])
@pytest.mark.parametrize("name", FORMATS)
def test_rows_in_formats(name: str, strict: bool, request: pytest.FixtureRequest) -> None:
    """A format renders every row as the golden file says, byte for byte."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        rendered = each(name, "require" if strict else False)
    text = json.dumps(rendered, indent=1, ensure_ascii=False) + "\n"
    path = GOLDENS / f"{name}{'-strict' if strict else ''}.json"
    if request.config.getoption("--update-goldens"):
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")
    assert text == path.read_text(encoding="utf-8")


@pytest.mark.parametrize("strict", [False, True], ids=["plain", "strict"])
@pytest.mark.parametrize("name", [n for n in FORMATS if n != "gemini_parameters"])
def test_rows_are_json_schema(name: str, strict: bool) -> None:
    """Every schema, of arguments and of results, is valid against its meta-schema."""
    validator = pytest.importorskip("jsonschema").Draft202012Validator
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ToolcallWarning)
        rendered = each(name, strict)
    checked = 0
    for schema in _schemas_inside(rendered):
        validator.check_schema(schema)
        checked += 1
    assert checked >= len(rendered) - 1  # Gemini writes none where there are no parameters


_KEYS = ("parameters", "parametersJsonSchema", "input_schema", "inputSchema", "outputSchema")


def _schemas_inside(value: Any) -> list[Any]:
    """The schemas in any vendor's envelopes."""
    if isinstance(value, list):
        return [schema for one in value for schema in _schemas_inside(one)]
    if not isinstance(value, dict):
        return []
    found = [value[key] for key in _KEYS if key in value]
    if found:
        return [schema.get("json", schema) for schema in found]
    return [schema for one in value.values() for schema in _schemas_inside(one)]


@pytest.mark.parametrize("name", ["openai", "openai_responses"])
def test_openai_leaves_strict_rows_alone(name: str) -> None:
    """The SDK's own rewriting for strict mode finds nothing to do."""
    rewrite = pytest.importorskip("openai.lib._pydantic")._ensure_strict_json_schema
    found = schemas(name)
    assert len(found) > 20
    for schema in found:
        again = copy.deepcopy(schema)
        assert rewrite(again, path=(), root=again) == schema


def test_anthropic_leaves_strict_rows_alone() -> None:
    """`transform_schema` finds nothing to do."""
    transform = pytest.importorskip("anthropic").transform_schema
    found = schemas("anthropic")
    assert len(found) > 20
    for schema in found:
        assert transform(copy.deepcopy(schema)) == schema
