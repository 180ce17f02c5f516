"""The `toolcall` command: what to do when its extra is not installed, and nothing else.

The library itself needs no third-party package, so whoever installed it alone still
has this command on the path. It must then say what to install instead of failing with
a traceback; everything behind it lives in `app` and one module for each command.
"""

from __future__ import annotations

import sys
from importlib.util import find_spec

NEEDED = ("typer", "rich", "mypy", "docstring_parser", "typeshed_client")
"""The import names that the extra `cli` brings."""


def main() -> None:
    """Run the command line; leaves through `SystemExit` with the command's exit code."""
    if sys.argv[1:2] == ["serve"]:  # what runs in production needs neither mypy nor colours
        from toolcall._serve import main as serve

        serve(sys.argv[2:])
    missing = [name for name in NEEDED if find_spec(name) is None]
    if missing:
        sys.exit(
            f"toolcall: the command line needs {', '.join(missing)}. Install its extra:\n"
            f"    {sys.executable} -m pip install 'toolcall-static[cli]'"
        )
    from .app import app

    app(prog_name="toolcall")
