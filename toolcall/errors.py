"""What can go wrong, sorted by whose fault it is.

1. The model's fault: a `Problem`, a record of one thing that is wrong with one call. It is
   data, never raised by itself. `run` hands problems over in an `Err`; `caller` raises
   them together in one `CallError`.
2. The program's fault: a `ToolcallError`, whose text names the next step.
3. Inside a tool, `ToolError` is how its author answers the model with an error text.

A `Problem` holds text for the model, and only that: values are shortened when it is made,
and there is no class name, path of a file or line of a traceback in it. The one exception
is `exception`, which the program may look at and which no text shows.

`CallError` works out its problems when somebody reads them, because a refused call in a
hot loop is most often only counted. Nothing that costs is imported here, so that
`import toolcall` stays free.
"""

from __future__ import annotations

from _operator import attrgetter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any, NoReturn

MAX_RECORDS = 100
"""How many problems of one call are kept as records."""

MAX_LISTED = 20
"""How many of them the text for the model lists."""


class ToolcallError(Exception):
    """Something is wrong with the program that uses this library."""


class SchemaNotBuilt(ToolcallError):
    """There is no sidecar for a module, or no entry for a tool. The text names the command."""


class StaleSchema(ToolcallError):
    """A tool's declaration changed after its sidecar was written."""


class SidecarError(ToolcallError):
    """A sidecar cannot be read, or what it says is not a well-formed IR."""


class ClassNotFound(ToolcallError):
    """A class that a tool's arguments are built of is nowhere to be found, or is none we build."""


class DuplicateTool(ToolcallError):
    """Two tools of one source have the same name; the text names both owners."""


class UnknownFormat(ToolcallError, ValueError):
    """No such vendor format."""


class StrictError(ToolcallError):
    """`strict="require"` was asked for a tool that strict mode cannot express."""


class ToolDefinitionError(ToolcallError):
    """A tool that is built at run time is not well-formed.

    `errors` has the reasons by the part they are about; the text joins them all.
    """

    def __init__(self, errors: Mapping[str, Sequence[str]] | str) -> None:
        super().__init__(errors)
        self.errors: dict[str, tuple[str, ...]] = (
            {"": (errors,)}
            if isinstance(errors, str)
            else {part: tuple(reasons) for part, reasons in errors.items()}
        )

    def __str__(self) -> str:
        joined = [(part, ", ".join(reasons)) for part, reasons in self.errors.items()]
        return "; ".join(f"{part}: {text}" if part else text for part, text in joined)


class Misuse(ToolcallError, TypeError):
    """The library was called in a way that cannot work."""


class UnencodableResult(ToolcallError):
    """A value that cannot become JSON. `path` is a JSON Pointer to it inside the result."""

    def __init__(self, message: str, path: str = "") -> None:
        super().__init__(message, path)
        self.path = path

    def __str__(self) -> str:
        return str(self.args[0])


class ToolError(Exception):
    """Raised by a tool to answer the model with an error. The message is what it reads."""


class ToolcallWarning(UserWarning):
    """What this library warns about."""


def _frozen(problem: Problem, value: object = None) -> NoReturn:
    raise AttributeError("a Problem is frozen")


class Problem:
    """One thing that is wrong with a call.

    `code` is one of the documented codes, `path` a JSON Pointer into the arguments (`""`
    for the call itself), `expected` and `got` short texts, `message` one sentence with all
    of it, `suggestion` the name that was probably meant, `accepted` the names that would
    have been taken (with ` (required)` behind those that must be there), `exception` what
    a tool raised. Whatever is not known is None.
    """

    # A refused call makes some of them: see `Ok` for why the slots are private.
    __slots__ = (
        "_accepted",
        "_code",
        "_exception",
        "_expected",
        "_got",
        "_message",
        "_path",
        "_suggestion",
    )
    __match_args__ = ("code", "path", "expected", "got", "message", "suggestion")

    if TYPE_CHECKING:

        @property
        def code(self) -> str: ...
        @property
        def path(self) -> str: ...
        @property
        def expected(self) -> str | None: ...
        @property
        def got(self) -> str | None: ...
        @property
        def message(self) -> str: ...
        @property
        def suggestion(self) -> str | None: ...
        @property
        def accepted(self) -> tuple[str, ...]: ...
        @property
        def exception(self) -> BaseException | None: ...

    else:
        code = property(attrgetter("_code"), _frozen, _frozen)
        path = property(attrgetter("_path"), _frozen, _frozen)
        expected = property(attrgetter("_expected"), _frozen, _frozen)
        got = property(attrgetter("_got"), _frozen, _frozen)
        message = property(attrgetter("_message"), _frozen, _frozen)
        suggestion = property(attrgetter("_suggestion"), _frozen, _frozen)
        accepted = property(attrgetter("_accepted"), _frozen, _frozen)
        exception = property(attrgetter("_exception"), _frozen, _frozen)

    def __init__(
        self,
        code: str,
        path: str = "",
        expected: str | None = None,
        got: str | None = None,
        message: str = "",
        suggestion: str | None = None,
        *,
        accepted: Sequence[str] = (),
        exception: BaseException | None = None,
    ) -> None:
        self._code = code
        self._path = path
        self._expected = expected
        self._got = got
        self._message = message or code.replace("_", " ")
        self._suggestion = suggestion
        self._accepted = tuple(accepted)
        self._exception = exception

    def _facts(self) -> tuple[object, ...]:
        return (*(getattr(self, name) for name in self.__match_args__), self.accepted)

    def __eq__(self, other: object) -> bool:
        return self._facts() == other._facts() if isinstance(other, Problem) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._facts())

    def __reduce__(self) -> tuple[Any, ...]:
        # Exceptions often cannot travel between processes; the records must.
        return _restored_problem, self._facts()

    def __repr__(self) -> str:
        return f"Problem({self.code!r}, {self.path!r}, {self.message!r})"

    def __str__(self) -> str:
        return self.message


def _restored_problem(*facts: Any) -> Problem:
    return Problem(*facts[:-1], accepted=facts[-1])


def text_of(problems: Sequence[Problem]) -> str:
    """The one text that a model reads: every problem on a line, then the accepted names.

    A single problem without names to choose from is its message alone.
    """
    if len(problems) == 1 and not problems[0].accepted:
        return problems[0].message
    lines = [f"The call was not run: {_count(len(problems))}."]
    lines += [f"- {problem.message}" for problem in problems[:MAX_LISTED]]
    if len(problems) > MAX_LISTED:
        lines.append(f"- and {len(problems) - MAX_LISTED} more.")
    lines += _accepted_lines(problems[:MAX_LISTED])
    return "\n".join(lines)


def _count(number: int) -> str:
    return "1 problem" if number == 1 else f"{number} problems"


def _accepted_lines(problems: Iterable[Problem]) -> list[str]:
    """One line for each object whose names were got wrong, in order of appearance."""
    named: dict[tuple[str, str, tuple[str, ...]], None] = {}
    for problem in problems:
        if problem.accepted or problem.code == "unknown_argument":
            kind = "tools" if problem.code == "unknown_tool" else "names"
            named[kind, problem.path.rpartition("/")[0], problem.accepted] = None
    return [
        f"Known tools: {', '.join(names)}."
        if kind == "tools"
        else f"Accepted {_arguments_of(where)}: {', '.join(names) or 'none'}."
        for kind, where, names in named
    ]


def _arguments_of(pointer: str) -> str:
    if not pointer:
        return "arguments"
    keys = pointer[1:].replace("~1", "/").replace("~0", "~").split("/")
    place = "".join(f"[{key}]" if key.isdigit() else f".{key}" for key in keys)
    return f"keys of {place.removeprefix('.')}"


class CallError(Exception):
    """A call was refused or failed. `problems` says why; the text is the one for the model."""

    # args is (problems,), or (explain, arguments) until somebody asks.

    @property
    def problems(self) -> tuple[Problem, ...]:
        """What was wrong, as records."""
        if len(self.args) == 2:
            explain, arguments = self.args
            self.args = (tuple(explain(arguments)),)
        return tuple(self.args[0])

    def __str__(self) -> str:
        return text_of(self.problems)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.problems,)
