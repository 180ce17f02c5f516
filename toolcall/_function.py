"""Tools that are built at run time: from a database, an MCP server, a configuration file.

Owns `Function`: what makes a definition well-formed, the IR it stands for, and the steps
of a call that only such a tool has (presence of required names, `parse_args`, a body that
takes the arguments as one mapping). It must not know decoders' insides, vendors or threads:
`_dispatch` runs the body like that of any tool, through `__toolcall_call__`.

1. Construct valid or raise, with all reasons at once.
2. A given JSON Schema is shown as it is given. With `validate=True` a translation of it is
   enforced beside it, and what the translation cannot say is in `unchecked`.
3. Without `validate`, only the presence of required names is checked, and unknown names
   reach the body: the program that has no types has its own ideas of what is allowed.
4. `parse_args` replaces the presence check, because it may rename what it gets.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from toolcall import _argument_names as argument_names
from toolcall._callables import is_async, takes_context
from toolcall._function_param import FunctionParam, parameter
from toolcall._function_rules import errors_of
from toolcall._parse import parsed
from toolcall._values import Err
from toolcall.errors import ToolcallWarning, ToolDefinitionError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from toolcall import ir
    from toolcall._bind import BoundTool
    from toolcall._values import Context

__all__ = ["Function", "FunctionParam"]


@dataclass(frozen=True, slots=True, eq=False)
class Function:
    """A tool that is built at run time. It is a source like a module with tools.

    Args:
        name: 1 to 64 of the characters `A-Z a-z 0-9 _ -`.
        description: what the model reads about the tool.
        params: its parameters; or
        schema: the JSON Schema of its arguments, shown to the model as it is.
        call: the body. It gets the arguments as a dict, and as a second argument the
            `Context` of the call if it takes two. It may be async, and answers like any
            tool: a value, `Ok`, `Err`, `ToolResult`, or `ToolError` raised.
        parse_args: turns the arguments into what the body gets instead. It returns that
            object (None: the arguments stay as they are), or an `Err`, or raises a
            `ValueError` or `ToolError` whose text the model reads.
        validate: whether values are checked against `params` or `schema`, through the same
            decoders as those of every tool.
        title: a name for people.
        display_text: what a user interface shows while the tool runs.
        strict: whether this tool is offered in strict mode where the vendor has one.
        concurrent: whether calls of one message may overlap.
        timeout: seconds for one call.
        thread: whether a sync body runs in a thread under `arun`.
        hints: promises about the tool's effects.
        options: whatever one vendor reads beside the tool (`{"cache_control": …}`).

    Raises:
        ToolDefinitionError: the parts do not go together; `errors` has all reasons.
    """

    name: str
    description: str | None = None
    params: Sequence[FunctionParam] = ()
    schema: Mapping[str, Any] | None = None
    call: Callable[..., Any] | None = None
    parse_args: Callable[[dict[str, Any]], Any] | None = None
    validate: bool = False
    title: str | None = None
    display_text: str | None = None
    strict: bool = False
    concurrent: bool = False
    timeout: float | None = None
    thread: bool | None = None
    hints: ir.Hints | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    unchecked: tuple[str, ...] = field(init=False, default=())
    names: argument_names.Names = field(init=False, repr=False)
    _decoder: BoundTool | None = field(init=False, repr=False, default=None)
    _is_async: bool = field(init=False, repr=False)
    _takes_context: bool = field(init=False, repr=False)

    def __post_init__(self) -> None:
        put = object.__setattr__
        if isinstance(self.params, (list, tuple)):
            put(self, "params", tuple(self.params))
        errors = errors_of(self)
        if errors:
            raise ToolDefinitionError(errors)
        if self.schema is not None:
            put(self, "schema", _copied(self.schema))
        put(self, "names", _names(self))
        put(self, "_is_async", is_async(self.call))
        put(self, "_takes_context", takes_context(self.call))
        if self.validate:
            self._prepare_decoder()

    def _prepare_decoder(self) -> None:
        """Translate what is to be enforced, and tell once what cannot be."""
        from toolcall._bind import BoundTool
        from toolcall._schema_ir import parameters

        types: dict[str, ir.Type] = {}
        if self.schema is None:
            listed = [parameter(param) for param in self.params]
        else:
            listed, found = parameters(self.schema)
            types = found.types
            object.__setattr__(self, "unchecked", found.unchecked)
        tool: ir.Tool = {**_tool(self), "parameters": listed}
        tool.pop("schema", None)
        object.__setattr__(self, "_decoder", BoundTool(tool, types, None, "", ""))
        if self.unchecked:
            import warnings

            warnings.warn(
                f"{self.name}: not enforced from its schema: {', '.join(self.unchecked)}",
                ToolcallWarning,
                stacklevel=4,
            )

    @classmethod
    def from_json_schema(
        cls,
        schema: Mapping[str, Any],
        *,
        name: str | None = None,
        description: str | None = None,
        **parts: Any,
    ) -> Function:
        """A tool for a JSON Schema; its `title` and `description` name it if nothing else does.

        Args:
            schema: the JSON Schema of the arguments.
            name: the tool's name.
            description: the tool's description.
            parts: every other part of a `Function`; `call` must be among them.
        """
        return cls(
            name=schema.get("title", "") if name is None else name,
            description=schema.get("description") if description is None else description,
            schema=schema,
            **parts,
        )

    @classmethod
    def from_mcp(cls, tool: Any, **parts: Any) -> Function:
        """A tool that an MCP server lists, as the SDK's `Tool` or as the dict that travelled.

        Args:
            tool: the listed tool.
            parts: other parts of a `Function`, which win over what the server says; `call`
                must be among them, since only the program can reach the server.
        """
        said = _mcp_parts(tool)
        return cls(**{**said, **parts})

    def __toolcall_definition__(self) -> ir.Definition:
        """The tool as IR."""
        definition: ir.Definition = {"tool": _tool(self), "types": {}}
        options = {**self.options, **({"strict": True} if self.strict else {})}
        if options:
            definition["options"] = options
        return definition

    @property
    def __toolcall_options__(self) -> dict[str, Any]:
        """What the dispatcher needs to know, as of a decorator."""
        names = ("concurrent", "timeout", "thread", "display_text")
        given = {name: getattr(self, name) for name in names}
        return {name: value for name, value in given.items() if value is not None}

    @property
    def __toolcall_call__(self) -> Callable[..., Any]:
        """The body for the dispatcher: `(arguments, context, lenient=False)`."""
        return self._acall if self._is_async else self._call

    def _call(
        self, arguments: Mapping[str, Any], context: Context[Any], *, lenient: bool = False
    ) -> Any:
        given, taken = self._taken(arguments, lenient)
        if isinstance(taken, Err):
            return taken
        try:
            return self._answer(taken, context)
        except argument_names.MissingKey as error:
            return self._explained(error, given)

    async def _acall(
        self, arguments: Mapping[str, Any], context: Context[Any], *, lenient: bool = False
    ) -> Any:
        given, taken = self._taken(arguments, lenient)
        if isinstance(taken, Err):
            return taken
        try:
            return await self._answer(taken, context)
        except argument_names.MissingKey as error:
            return self._explained(error, given)

    def _answer(self, taken: Any, context: Context[Any]) -> Any:
        call = self.call
        assert call is not None  # _errors refuses a Function without a body
        return call(taken, context) if self._takes_context else call(taken)

    def _taken(
        self, arguments: Mapping[str, Any], lenient: bool
    ) -> tuple[argument_names.Arguments, Any]:
        """The arguments that the body may misread, and what it gets: those, or something parsed."""
        given = argument_names.Arguments(arguments)
        if self.parse_args is None:
            refused = argument_names.missing(self.names, given)
            if refused is not None:
                return given, refused
        if self._decoder is not None:
            decoded = _decoded(self._decoder, given, lenient)
            if isinstance(decoded, Err):
                return given, decoded
            given = argument_names.Arguments(decoded)
        return given, given if self.parse_args is None else parsed(
            self.parse_args, given, self.name
        )

    def _explained(self, error: argument_names.MissingKey, given: argument_names.Arguments) -> Err:
        """The answer to a body that asked for a name that is not there, or the error itself."""
        answer = None
        if self.parse_args is None:
            answer = argument_names.misread(error, self.names, given)
        if answer is None:
            raise error
        return answer


def _decoded(decoder: BoundTool, given: Mapping[str, Any], lenient: bool) -> dict[str, Any] | Err:
    from toolcall._coerce import decode

    found = decode(decoder, dict(given), lenient=lenient)
    # Everything goes by keyword: the parameters were made so.
    return Err(found) if isinstance(found, list) else found[1]


def _copied(schema: Mapping[str, Any]) -> dict[str, Any]:
    """A copy of its own: what the model was shown must not change behind our back."""
    from copy import deepcopy

    return deepcopy(dict(schema))


# To the IR


def _names(function: Function) -> argument_names.Names:
    if function.schema is not None:
        return argument_names.names_of(function.schema)
    return argument_names.Names(
        tuple(param.name for param in function.params if param.required),
        tuple(param.name for param in function.params) or None,
    )


def _tool(function: Function) -> ir.Tool:
    made: ir.Tool = {
        "key": function.name,
        "line": 0,
        "name": function.name,
        "parameters": [parameter(param) for param in function.params],
        "is_async": is_async(function.call),
        "binding": "function",
    }
    if function.schema is not None:
        made["schema"] = dict(function.schema)
    if function.title:
        made["title"] = function.title
    if function.description:
        made["doc"] = function.description
    if function.hints:
        made["hints"] = function.hints
    return made


# What others call a tool

_HINTS = (
    ("readOnlyHint", "read_only"),
    ("destructiveHint", "destructive"),
    ("idempotentHint", "idempotent"),
    ("openWorldHint", "open_world"),
)


def _mcp_parts(tool: Any) -> dict[str, Any]:
    """The parts of a Function in an MCP tool; `annotations` become hints."""
    from toolcall._deltas import plain

    listed = plain(tool)
    said = listed.get("annotations") or {}
    hints = {ours: said[theirs] for theirs, ours in _HINTS if isinstance(said.get(theirs), bool)}
    schema = listed.get("inputSchema", listed.get("input_schema"))
    return {
        "name": listed.get("name", ""),
        "description": listed.get("description"),
        "title": listed.get("title") or said.get("title"),
        "schema": {"type": "object"} if schema is None else schema,
        "hints": hints or None,
    }
