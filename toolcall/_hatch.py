"""A build hook for hatchling: ships sidecars, and refuses to build with wrong ones.

    [build-system]
    requires = ["hatchling", "toolcall-static"]

    [tool.hatch.build.hooks.toolcall]

It looks at the modules that the distribution takes in, and at no others. Sidecars go
along wherever they lie and although version control may ignore them. An editable install
is not checked: there the next run of the checker may still come.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.plugin import hookimpl

from toolcall._cli.faults import faults_of

if TYPE_CHECKING:
    from collections.abc import Iterator

PATTERN = "**/__toolcall__/*.json"


class SidecarHook(BuildHookInterface[Any]):
    """What hatchling calls before it builds."""

    PLUGIN_NAME = "toolcall"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add the sidecars, and end the build unless all of them are there and fresh."""
        build_data["artifacts"].append(PATTERN)
        if version != "editable" and (faults := list(self._faults())):
            for fault in faults:
                self.app.display_error(f"{fault.path}: {fault.kind}: {fault.message}")
            count = "1 fault" if len(faults) == 1 else f"{len(faults)} faults"
            self.app.abort(f"toolcall: {count} of sidecars, nothing was built")

    def _faults(self) -> Iterator[Any]:
        files = (Path(each.path) for each in self.build_config.builder.recurse_included_files())
        return faults_of([path for path in files if path.suffix == ".py"])


@hookimpl
def hatch_register_build_hook() -> type[SidecarHook]:
    """What the entry point of the group `hatch` is asked for."""
    return SidecarHook
