"""Parameters whose default is said by pydantic's `Field`, beside them or in their metadata.

Python sees `x: int = Field(default=1)` as a parameter with a default, but that object is
a description of one; and `x: Annotated[int, Field(default=1)]` as one without. What was
meant is `1`, so both are marked to be filled in by the caller. `Field(description=…)`
says nothing of a default, so the parameter must be given.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolcall_mypy.source.defaults import Known

if TYPE_CHECKING:
    from toolcall import ir
    from toolcall_mypy.source.index import ParameterSource
    from toolcall_mypy.source.metadata import Metadata


def apply(
    parameter: ir.Parameter, metadata: Metadata, source: ParameterSource | None, *, described: bool
) -> None:
    """Say whether the parameter must be given, and whether its default is filled in.

    `described` says that what stands where its default stands is a description.
    """
    if source is None or parameter["kind"] in {"var_positional", "var_keyword"}:
        return
    if source.default is None:
        # A factory in metadata cannot be asked for its value: nobody holds the object.
        is_filled = isinstance(metadata.default, Known)
    elif described:
        is_filled = metadata.default is not None
        parameter["required"] = not is_filled
    else:
        return
    if is_filled:
        parameter["required"] = False
        parameter["fill"] = True
