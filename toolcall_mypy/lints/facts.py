"""What lints look at: the facts of one tool, joined from both witnesses.

Plain records, filled by `assemble`. A lint reads them and nothing else; it never opens a
file and never asks mypy.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolcall_mypy.records import changing, record
from toolcall_mypy.source.metadata import NOTHING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from toolcall import ir
    from toolcall_mypy.annotate import Misplaced
    from toolcall_mypy.config import Config
    from toolcall_mypy.derive.signature import Signature, Skeleton
    from toolcall_mypy.derive.table import Loss
    from toolcall_mypy.lints.finding import Place, Subject
    from toolcall_mypy.source.docstrings import Docstring
    from toolcall_mypy.source.index import FunctionSource, ParameterSource
    from toolcall_mypy.source.metadata import Metadata


@record
class WrongDefault:
    """A literal default that was not emitted: what is written, and why it does not fit."""

    text: str
    reason: str
    place: Place


@record
class ParameterFacts:
    """One parameter. `parameter` is None where it is injected.

    `wanted` is the property that it asked for, which another one may have taken.
    """

    name: str
    wanted: str
    place: Place
    skeleton: Skeleton
    metadata: Metadata
    source: ParameterSource | None = None
    parameter: ir.Parameter | None = None
    misplaced: tuple[Misplaced, ...] = ()
    wrong_default: WrongDefault | None = None


@record
class FieldFacts:
    """One field of a class that the tool takes. `owner` is the class as it is shown.

    `place` is None for a field that another file declares. `is_validated` says that the class's
    library applies all of the metadata itself, also what is not known here.
    """

    name: str
    owner: str
    place: Place | None
    losses: tuple[Loss, ...] = ()
    metadata: Metadata | None = None
    misplaced: tuple[Misplaced, ...] = ()
    wrong_default: WrongDefault | None = None
    documented: bool = False
    is_validated: bool = False


@record
class Problem:
    """A fault that assembling met by itself, under the code it belongs to."""

    code: str
    place: Place
    message: str
    hint: str | None = None


@changing
class ToolFacts:
    """One tool. `place` is that of its name or, without a `def` here, of the call.

    `named_at` is where the name for the model stands: the same, or the decorator's option.
    `module` is the one being checked; `is_local` says that the function stands in it.
    `types` are the named types that it needs, `earlier` the tools before it in the same
    module or class under the same name, `exposed` the parameters that the model may give,
    `text` the source of the file that the function stands in.
    """

    module: str
    tool: ir.Tool
    place: Place
    named_at: Place
    config: Config
    signature: Signature
    parameters: tuple[ParameterFacts, ...]
    types: dict[str, ir.Type]
    fields: tuple[FieldFacts, ...] = ()
    source: FunctionSource | None = None
    docstring: Docstring | None = None
    is_local: bool = True
    overloads: bool = False
    problems: tuple[Problem, ...] = ()
    earlier: Sequence[str] = ()
    exposed: tuple[ParameterFacts, ...] = ()
    text: str = ""

    __eq__ = object.__eq__
    __hash__ = object.__hash__

    @property
    def name(self) -> str:
        return self.tool["name"]

    @property
    def subjects(self) -> set[Subject]:
        """What there is of those things that most tools have nothing of."""
        described: tuple[ParameterFacts | FieldFacts, ...] = (*self.exposed, *self.fields)
        found: set[Subject] = set()
        if self.problems:
            found.add("problems")
        if any(one.metadata is not NOTHING or one.misplaced for one in described):
            found.add("metadata")
        if (
            self.signature.result_losses
            or any(one.skeleton.losses for one in self.parameters)
            or any(one.losses for one in self.fields)
        ):
            found.add("losses")
        return found
