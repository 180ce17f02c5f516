"""Ready-made aliases for bounded numbers: write `PositiveInt`, get the bound in the schema.

Plain `Annotated` types: at run time they are the number, to a type checker too. The bound
is read from here by the checker plugin, like from any alias, and enforced in calls.
"""

from __future__ import annotations

from typing import Annotated, TypeAlias

from toolcall._values import Param

PositiveInt: TypeAlias = Annotated[int, Param(gt=0)]
"""An integer above 0."""

NonNegativeInt: TypeAlias = Annotated[int, Param(ge=0)]
"""An integer of at least 0."""

NegativeInt: TypeAlias = Annotated[int, Param(lt=0)]
"""An integer below 0."""

NonPositiveInt: TypeAlias = Annotated[int, Param(le=0)]
"""An integer of at most 0."""

PositiveFloat: TypeAlias = Annotated[float, Param(gt=0)]
"""A number above 0."""

NonNegativeFloat: TypeAlias = Annotated[float, Param(ge=0)]
"""A number of at least 0."""

NegativeFloat: TypeAlias = Annotated[float, Param(lt=0)]
"""A number below 0."""

NonPositiveFloat: TypeAlias = Annotated[float, Param(le=0)]
"""A number of at most 0."""
