"""Tools as a Model Context Protocol server of the official SDK (extra `serve`).

`server(source)` is an `mcp.server.Server`, to run over any transport that the SDK has or to
mount into an application of one's own; the command `toolcall serve` does just that.

1. What a client sees is what the vendor format of its protocol revision says: this file
   writes no schema and encodes no result.
2. A source with a stale tool, or with one that could not be called here, has no server.
3. Everything that a model can do wrong is an error result, an unknown name too. What the
   program did wrong goes to the log, and the client learns only that there was something.
4. Each call of a tool that is not async has a thread of its own, a daemon: one that hangs
   takes no place from the others, and does not keep the server from ending.
5. A result keeps the promise of its output schema, or it is an error result: a client that
   was promised a structure must not be given another one as a success.
"""

from __future__ import annotations

import asyncio
import logging
import threading
from collections import deque
from typing import TYPE_CHECKING, Any

try:
    import mcp_types
    from mcp.server import Server
except ImportError as error:
    raise ImportError(
        f"serving needs the MCP SDK ({error}): pip install 'toolcall-static[serve]'"
    ) from error

from toolcall import formats
from toolcall._dispatch import arun, run
from toolcall._emit import emit
from toolcall._function import Function
from toolcall._results import result_of
from toolcall._source import resolve
from toolcall._values import Err, ToolCall, ToolResult
from toolcall.errors import Misuse, Problem, ToolcallError
from toolcall.formats._mcp import output_schema
from toolcall.formats._names import original
from toolcall.progress import listening

if TYPE_CHECKING:
    from mcp.server.context import ServerRequestContext

    from toolcall._bind import BoundTool
    from toolcall._source import Source

__all__ = ["server"]

NEWEST = "mcp"
OLDEST = "mcp-2025-06-18"
"""Answers older revisions as well: what they do not know yet, their clients ignore."""

MAX_WAITING = 100
"""How many reports of a call wait for a slow client; the oldest ones are dropped."""

log = logging.getLogger("toolcall.serving")


def server(
    source: Source,
    *,
    name: str = "toolcall",
    version: str = "",
    instructions: str | None = None,
    context: object = None,
    lenient: bool | None = None,
    timeout: float | None = None,
) -> Server[Any]:
    """A server of the tools of a source.

    Args:
        source: as for `run`.
        name: what the server calls itself.
        version: of that, if it has one.
        instructions: a text for the model on how to use the tools.
        context: what injected parameters are given, in every call.
        lenient: as for `run`.
        timeout: seconds for each call of a tool that has no timeout of its own.

    Raises:
        SchemaNotBuilt, StaleSchema, SidecarError: naming every tool that cannot be served.
        Misuse: a tool without code, or one that needs a value which the context has not.
    """
    tools = resolve(source).whole()
    for tool in tools.values():
        _can_be_called(tool, context)
    options = {"context": context, "lenient": lenient}
    served = _Served(source, options, timeout)
    return Server(
        name,
        version=version,
        instructions=instructions,
        on_list_tools=served.list_tools,
        on_call_tool=served.call_tool,
    )


def _can_be_called(tool: BoundTool, context: object) -> None:
    from toolcall._request import injected

    if tool.fn is None:
        raise Misuse(f"the tool {tool.tool['name']!r} was loaded without its code and cannot run")
    injected(tool, context, None)


class _Served:
    """The two requests that a server of tools answers."""

    def __init__(self, source: Source, options: dict[str, Any], timeout: float | None) -> None:
        self.source = source
        self.options = options
        self.timeout = timeout
        self.listed: dict[str, mcp_types.ListToolsResult] = {}
        self.promises: dict[str, Function | None] = {}

    async def list_tools(
        self, request: ServerRequestContext[Any, Any], params: object
    ) -> mcp_types.ListToolsResult:
        """All tools on one page, in declaration order."""
        format_ = _format(request.protocol_version)
        if format_ not in self.listed:
            tools = [mcp_types.Tool.model_validate(tool) for tool in emit(self.source, format_)]
            self.listed[format_] = mcp_types.ListToolsResult(tools=tools)
        return self.listed[format_]

    async def call_tool(
        self, request: ServerRequestContext[Any, Any], params: mcp_types.CallToolRequestParams
    ) -> mcp_types.CallToolResult:
        """The answer of a call, whatever became of it."""
        id_ = None if request.request_id is None else str(request.request_id)
        call = ToolCall(id_, params.name, params.arguments)
        reports = _Reports(request.session.report_progress)
        try:
            with listening(reports.add):
                result = await self._result(call)
        finally:
            await reports.end()
        rendered = formats.get(_format(request.protocol_version)).render_results([result])[0]
        return mcp_types.CallToolResult.model_validate(rendered)

    async def _result(self, call: ToolCall) -> ToolResult:
        tools = resolve(self.source).tools
        name = original(call.name, tools)
        bound = None if name is None else tools[name]
        try:
            answer = await arun(
                self.source,
                name or call.name,
                call.arguments,
                call_id=call.id,
                timeout=self._time(bound),
                **self.options,
            )
            providers = () if bound is None else bound.options.get("types", ())
            result = result_of(call, answer, providers=providers)
            return result if bound is None else self._as_promised(bound, result)
        except ToolcallError:
            log.exception("the tool %s cannot be served", call.name)
            problem = Problem("raised", message=f"the tool {call.name!r} is out of order")
            return result_of(call, Err((problem,)))

    def _as_promised(self, bound: BoundTool, result: ToolResult) -> ToolResult:
        """The result, or an error where it is not what the tool's output schema says."""
        name = bound.tool["name"]
        if name not in self.promises:
            self.promises[name] = _promise(bound)
        promise = self.promises[name]
        if promise is None or result.is_error:
            return result
        kept = run(promise, promise.name, {"result": result.structured})
        if not isinstance(kept, Err):
            return result
        log.error("the tool %s returned something else than it declares: %s", name, kept)
        text = f"the tool {name!r} returned something else than it declares"
        return ToolResult(text, id=result.id, name=result.name, is_error=True)

    def _time(self, bound: BoundTool | None) -> float | None:
        """How long a call may take; None leaves it to the tool.

        A time makes the dispatcher give a call a thread of its own instead of one of the
        few that the event loop keeps, so there is always one.
        """
        if bound is None or bound.options.get("timeout") is not None:
            return None
        if bound.tool["is_async"]:
            return self.timeout
        if bound.options.get("thread") is False:
            return None
        return threading.TIMEOUT_MAX if self.timeout is None else self.timeout


def _promise(bound: BoundTool) -> Function | None:
    """What checks the results of a tool against its output schema; None without one."""
    output = output_schema(bound.definition(), any_output=True)
    if output is None:
        return None
    defs = output.pop("$defs", {})
    schema = {
        "type": "object",
        "properties": {"result": output},
        "required": ["result"],
        "$defs": defs,
    }
    return Function("promise", schema=schema, call=lambda arguments: None, validate=True)


def _format(revision: str) -> Any:
    """The format of a protocol revision, as negotiated."""
    known = f"mcp-{revision}"
    if known in formats.NAMES:
        return known
    return NEWEST if revision > "2026" else OLDEST


class _Reports:
    """What one call reports of its progress, sent in order and before its result.

    Reports come from any thread. They are taken into the event loop one by one and sent by
    a task, which `end` waits for.
    """

    def __init__(self, send: Any) -> None:
        self._send = send
        self._loop = asyncio.get_running_loop()
        self._waiting: deque[tuple[float, float | None, str | None]] = deque(maxlen=MAX_WAITING)
        self._sending: asyncio.Task[None] | None = None
        self._is_over = False

    def add(self, done: float, total: float | None, message: str | None) -> None:
        """Take a report. CancelledError when the call is over."""
        if self._is_over:
            raise asyncio.CancelledError("the call was cancelled")
        self._waiting.append((done, total, message))
        self._loop.call_soon_threadsafe(self._wake)

    def _wake(self) -> None:
        if self._sending is None and self._waiting and not self._is_over:
            self._sending = self._loop.create_task(self._send_all())

    async def _send_all(self) -> None:
        while self._waiting:
            await self._send(*self._waiting.popleft())
        self._sending = None

    async def end(self) -> None:
        """Send what is left, unless the call itself was cancelled."""
        self._is_over = True
        if self._sending is not None:
            await self._sending
        else:
            await self._send_all()
