"""TOOLCALL_AUTOBUILD=1: a tool that is missing or stale is built when it is asked for.

For development, so that a first edit does not end in an exception: `toolcall build` runs
in a subprocess on the one module and the question is asked again. Where that does not
help, the error says as before what is wrong, and behind it what the checker said. Errors
that it found besides go to the log `toolcall`.

A module is not built twice for the same text of it and of what contributed to it. What
was imported before an edit stays the code that it was; that is for a restart to cure.
"""

from __future__ import annotations

import os

from toolcall import _sidecar
from toolcall.errors import SchemaNotBuilt, SidecarError, StaleSchema

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, TypeVar

    T = TypeVar("T")

VARIABLE = "TOOLCALL_AUTOBUILD"

_said: dict[tuple[object, ...], tuple[str, bool]] = {}
"""What the checker said of a module in one state of its files, and whether that is fine."""


def is_on() -> bool:
    """Whether the environment asks for it."""
    return os.environ.get(VARIABLE, "0") not in ("", "0")


def again(scope: Mapping[str, Any], error: Exception, ask: Callable[[], T]) -> T:
    """Build the module with this namespace and ask again; the error it ended in, if it must."""
    path = scope.get("__file__")
    if not isinstance(error, (SchemaNotBuilt, StaleSchema)) or not _is_source(path):
        raise error
    state = _state(str(path), scope)
    is_new = state not in _said
    if is_new:
        _said[state] = _build(str(path))
        _sidecar.forget(scope)
    said, is_fine = _said[state]
    try:
        answer = ask()
    except (SchemaNotBuilt, StaleSchema) as still:
        raise type(still)(
            f"{still}\n{VARIABLE} had it built, and the checker said:\n{said}"
        ) from None
    if is_new and not is_fine:
        _tell(str(path), said)
    return answer


def _is_source(path: object) -> bool:
    return isinstance(path, str) and path.endswith(".py") and os.path.isfile(path)


def _state(path: str, scope: Mapping[str, Any]) -> tuple[object, ...]:
    """The module's files and when each was changed."""
    try:
        paths = sorted({path, *_sidecar.load(scope).freshness.paths()})
    except (SchemaNotBuilt, SidecarError):
        paths = [path]
    return tuple((each, os.stat(each).st_mtime_ns) for each in paths if os.path.exists(each))


def _build(path: str) -> tuple[str, bool]:
    """Run the checker on one file; what it printed, and whether it found no error."""
    import subprocess
    import sys

    environment = {key: value for key, value in os.environ.items() if key != VARIABLE}
    done = subprocess.run(
        [sys.executable, "-m", "toolcall", "build", path],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
        env=environment,
    )
    return done.stdout.decode(errors="replace").strip(), done.returncode == 0


def _tell(path: str, said: str) -> None:
    import logging

    logging.getLogger("toolcall").warning("%s had %s built:\n%s", VARIABLE, path, said)
