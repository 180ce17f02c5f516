"""The command `toolcall serve`: modules in, a running MCP server out.

It is taken apart with argparse and started before the rest of the command line, because a
server is what runs in production: it needs the extra `serve` and neither mypy nor what the
other commands print with.

Over stdio the protocol owns standard output. What modules print while they are imported
therefore goes to standard error; afterwards the SDK sees to it. Over HTTP it binds to
this machine alone unless told otherwise, and answers only requests that name it by a
name it knows, so that a page in somebody's browser cannot reach it by a detour.
"""

from __future__ import annotations

import argparse
import logging
import os
import socket
import sys
from contextlib import redirect_stdout
from typing import TYPE_CHECKING, Any, NoReturn

from toolcall._named import named, sources
from toolcall._source import Toolset
from toolcall.errors import ToolcallError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mcp.server import Server


LOOPBACK = ("127.0.0.1", "localhost", "::1")
EVERYWHERE = ("", "0.0.0.0", "::")
MAX_BODY = 16 * 1024 * 1024
"""Bytes of the largest request over HTTP: the largest arguments that are read, and more."""
MAX_PORT = 65_535
GRACE = 2
"""Seconds that running calls have when the server is told to end."""


class _CannotServe(Exception):
    """The command line or what it names is wrong; the text says how."""


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the command; leaves through SystemExit, with 1 if there is nothing to serve."""
    options = _parser().parse_args(arguments)
    logging.basicConfig(
        stream=sys.stderr, level=logging.WARNING, format="%(levelname)s %(message)s"
    )
    try:
        made = _server(options)
        if options.http:
            _over_http(made, options)
        else:
            _over_stdio(made)
    except (_CannotServe, ToolcallError, ImportError) as error:
        sys.exit(f"toolcall serve: {error}")
    except KeyboardInterrupt:
        sys.exit(130)
    sys.exit(0)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="toolcall serve",
        description="Serve tools over the Model Context Protocol: on standard input and "
        "output, or with --http at http://HOST:PORT/mcp.",
    )
    add = parser.add_argument
    add(
        "modules",
        nargs="+",
        metavar="MODULE",
        help="A module, a package with all modules below "
        "it, a file, or MODULE:NAME for a Toolset, an object with tools, or a list of these.",
    )
    add("--http", action="store_true", help="Serve over HTTP instead of stdio.")
    add("--host", default=LOOPBACK[0], help="The address to listen at (%(default)s).")
    add("--port", type=_port, default=8000, help="The port; 0 takes a free one (%(default)s).")
    add(
        "--allow-host",
        action="append",
        default=[],
        metavar="NAME",
        help="A further name that requests may call this server by, as behind a proxy.",
    )
    add("--name", help="What the server calls itself; the first module's name by default.")
    add("--instructions", help="A text for the model on how to use the tools.")
    add(
        "--context",
        metavar="MODULE:NAME",
        help="The object that injected parameters get their values from.",
    )
    add(
        "--timeout",
        type=_seconds,
        metavar="SECONDS",
        help="How long a call may take if its tool does not say; no limit by default.",
    )
    add("--lenient", action="store_true", help="Repair what models often get wrong in arguments.")
    return parser  # fmt: skip


def _port(text: str) -> int:
    if not text.isdecimal() or int(text) > MAX_PORT:
        raise argparse.ArgumentTypeError(f"{text} is no port: a number up to {MAX_PORT}")
    return int(text)


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0
    if not 0 < seconds < float("inf"):
        raise argparse.ArgumentTypeError(f"{text} is no number of seconds")
    return seconds


def _server(options: argparse.Namespace) -> Server[Any]:
    from toolcall.serving import server

    sys.path.insert(0, os.getcwd())
    with redirect_stdout(sys.stderr):
        found = [source for text in options.modules for source in sources(text)]
        context = named(options.context) if options.context else None
    tools = Toolset(found)
    if not tools.resolved().whole():
        names = " and ".join(options.modules)
        raise _CannotServe(f"there are no tools in {names}: nothing there is under @tool")
    return server(
        tools,
        name=options.name or options.modules[0].partition(":")[0],
        instructions=options.instructions,
        context=context,
        lenient=options.lenient,
        timeout=options.timeout,
    )


# How it is served


def _over_stdio(made: Server[Any]) -> None:
    import anyio
    from mcp.server.stdio import stdio_server

    async def run() -> None:
        async with stdio_server() as (incoming, outgoing):
            await made.run(incoming, outgoing, made.create_initialization_options())

    anyio.run(run)


def _over_http(made: Server[Any], options: argparse.Namespace) -> None:
    import uvicorn

    if options.host in EVERYWHERE and not options.allow_host:
        raise _CannotServe(
            f"{options.host} is no name to call a server by: say with --allow-host by which "
            f"names requests will"
        )
    bound = _bound(options.host, options.port)
    port = bound.getsockname()[1]
    if options.host not in LOOPBACK:
        logging.getLogger("toolcall").warning(
            "whoever can reach %s can call these tools: put something that asks for "
            "credentials in front",
            options.host,
        )
    app = made.streamable_http_app(
        host=options.host,
        max_request_body_size=MAX_BODY,
        transport_security=_security(options.host, options.allow_host),
    )
    host = f"[{options.host}]" if ":" in options.host else options.host
    print(f"serving at http://{host}:{port}/mcp", file=sys.stderr, flush=True)
    config = uvicorn.Config(
        app, log_level="warning", access_log=False, timeout_graceful_shutdown=GRACE
    )
    uvicorn.Server(config).run(sockets=[bound])


def _bound(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family)
    except OSError as error:
        raise _CannotServe(f"cannot listen at {host}, port {port}: {error}") from error


def _security(host: str, allowed: Sequence[str]) -> Any:
    """Which names requests may call the server by: its own, and those that were given."""
    from mcp.server.transport_security import TransportSecuritySettings

    names = [*(LOOPBACK if host in LOOPBACK else (host,)), *allowed]
    hosts = [f"[{name}]" if ":" in name else name for name in names]
    return TransportSecuritySettings(
        enable_dns_rebinding_protection=True,
        allowed_hosts=[form for name in hosts for form in (name, f"{name}:*")],
        allowed_origins=[
            f"{scheme}://{name}{port}"
            for name in hosts
            for scheme in ("http", "https")
            for port in ("", ":*")
        ],
    )
