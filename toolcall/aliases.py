"""Ready-made aliases for bounded numbers: write `PositiveInt`, get the bound in the schema.

Plain `Annotated` types: at run time they are the number, and to a type checker too. The
bound is read from this file by the checker plugin, as from any alias, and enforced in calls.

Integers have inclusive bounds (at least 1, not above 0), which more vendors take. There is
no documentation under the names on purpose: it would become the description of every
parameter that has none, and say no more than the bound does.
"""

from __future__ import annotations

from typing import Annotated, TypeAlias

from toolcall._values import Param

PositiveInt: TypeAlias = Annotated[int, Param(ge=1)]
NonNegativeInt: TypeAlias = Annotated[int, Param(ge=0)]
NegativeInt: TypeAlias = Annotated[int, Param(le=-1)]
NonPositiveInt: TypeAlias = Annotated[int, Param(le=0)]
PositiveFloat: TypeAlias = Annotated[float, Param(gt=0)]
NonNegativeFloat: TypeAlias = Annotated[float, Param(ge=0)]
NegativeFloat: TypeAlias = Annotated[float, Param(lt=0)]
NonPositiveFloat: TypeAlias = Annotated[float, Param(le=0)]
