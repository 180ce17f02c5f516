"""Tools like those of people who reported that other libraries answer them wrongly."""

from __future__ import annotations

import asyncio
import contextvars
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, Literal, TypedDict, Union

from typing_extensions import NotRequired, Unpack
from typing_extensions import TypedDict as NewTypedDict

from toolcall import Inject, Param, ToolError, tool


@dataclass
class Query:
    first: str
    tags: list[Literal["a", "b"]]


class Num(TypedDict):
    n: int


class Options(TypedDict):
    name: str
    depth: NotRequired[int]


class Counts(NewTypedDict, extra_items=int):  # type: ignore[call-arg]
    name: str


@tool
def find(queries: list[Query]) -> list[str]:
    assert all(isinstance(query, Query) for query in queries)
    return [query.first for query in queries]


@tool
def mine(q: str, user_id: Annotated[str, Inject]) -> str:
    return f"{q} of {user_id}"


@tool
def info(cid: str | None) -> str | None:
    return cid


@tool
def echo(content: str) -> str:
    return content


@tool
def assign(ids: list[str]) -> list[str]:
    return ids


@tool
def assign_either(ids: Union[str, list[str]]) -> Union[str, list[str]]:
    return ids


@tool
def message(id: int) -> int:
    return id


@tool
def message_of_text(id: Annotated[int, Param(wire="string_integer")]) -> int:
    return id


@tool
def walk(depth: int) -> int:
    return depth


@tool
def search(query: str, kind: str = "all") -> str:
    return query + kind


@tool
def rdf(topology_id: str) -> str:
    return topology_id


@tool
def remove(cmd: str) -> None:
    raise AssertionError("a call that is cut off must not run")


@tool
def read(path: str, range: list[int]) -> str:
    return f"{path} {range}"


@tool
def power(base: int, exponent: int = 2, /, *, mod: int | None = None) -> int:
    return int(pow(base, exponent, mod))


@tool
def configured(a: int, **kw: Unpack[Options]) -> dict[str, Any]:
    return {"a": a, **kw}


@tool
def counted(counts: Counts, **kw: Unpack[Counts]) -> list[Any]:
    return [counts, kw]


@tool
def reserved(model_config: int, _x: int, args: list[str], kwargs: dict[str, int]) -> list[Any]:
    return [model_config, _x, args, kwargs]


@tool
def optional_keys(options: Options, at: int = 3) -> list[Any]:
    return [options, at]


@tool
def bad() -> Num:
    return {"wrong": 1}  # type: ignore[typeddict-item,typeddict-unknown-key]


@tool
def good() -> Num:
    return {"n": 1}


@tool
def failing() -> Num:
    raise ToolError("x")


CANCELLED: list[str] = []
NAME: contextvars.ContextVar[str] = contextvars.ContextVar("NAME", default="nobody")
BOTH = threading.Barrier(2, timeout=10)


@tool(timeout=0.05)
async def slow() -> str:
    try:
        await asyncio.sleep(60)
    except asyncio.CancelledError:
        CANCELLED.append("slow")
        raise
    return "late"


@tool(concurrent=True)
def busy(n: int) -> str:
    BOTH.wait()
    return f"{n} for {NAME.get()}"


@tool(thread=False)
def ui() -> int:
    return threading.get_ident()


def local() -> Callable[..., str]:
    @dataclass
    class Loc:
        z: int

    @tool
    def where(a: Loc) -> str:
        assert type(a) is Loc
        return str(a.z)

    return where
