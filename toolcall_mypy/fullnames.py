"""Every full name that the plugin asks mypy about.

Only names of our own package stand here; those of foreign types belong to `derive`,
those of metadata to `source`. A name that moves in `toolcall` is changed in this file
and nowhere else.
"""

from __future__ import annotations

from typing import Final

TOOL: Final = "toolcall._tool.tool"
PUBLIC_TOOL: Final = "toolcall.tool"
"""The same under the name that users import."""

CONFIGURED_CALL: Final = "toolcall._tool.Configured.__call__"
USE: Final = "toolcall._tool.use"
HIDDEN: Final = "toolcall._tool.hidden"

RUN: Final = frozenset({"toolcall._dispatch.run", "toolcall._dispatch.arun"})
CALLER: Final = "toolcall._dispatch.caller"
FUNCTION_PARAM: Final = "toolcall._function_param.FunctionParam"
BUILT: Final = {FUNCTION_PARAM: "FunctionParam", "toolcall._function.Function": "Function"}
TOOLSET: Final = "toolcall._source.Toolset"
