"""Defaults that a description states, and classes that are built from one text."""

from __future__ import annotations

from typing import Any

import pytest

from tests.runtime.calling import bound, parameter
from toolcall import run

pydantic = pytest.importorskip("pydantic")

INTEGER = {"kind": "integer"}


def test_what_is_left_out_gets_the_value_that_was_meant() -> None:
    """The default, what the factory makes, or None: never the description itself."""

    def f(
        a: int = pydantic.Field(default=7),
        b: list[int] = pydantic.Field(default_factory=list),  # noqa: B008 - what this is about
        c: int | None = pydantic.Field(default=None),
    ) -> Any:
        return a, b, c

    fill: dict[str, Any] = {"required": False, "fill": True}
    bound(
        f,
        parameter("a", INTEGER, default=7, **fill),
        parameter("b", {"kind": "array", "items": INTEGER, "cls": "list"}, **fill),
        parameter("c", {"kind": "nullable", "inner": INTEGER}, **fill),
    )
    assert run(f, "f", {}).value == (7, [], None)
    assert run(f, "f", {"a": 1, "b": [2], "c": 3}).value == (1, [2], 3)


def test_a_default_in_metadata_is_passed_for_a_parameter_without_one() -> None:
    """Python itself would miss the argument."""

    def f(a: int, b: int) -> Any:
        return a, b

    bound(
        f,
        parameter("a", INTEGER, required=False, default=1, fill=True),
        parameter("b", INTEGER),
    )
    assert run(f, "f", {"b": 2}).value == (1, 2)


def test_texts_become_urls_and_secrets() -> None:
    """The class itself checks the text; its message reaches the model."""

    def f(url: Any, secret: Any) -> Any:
        return url, secret

    url_class, text = pydantic.HttpUrl, {"kind": "string"}
    assert pydantic.SecretStr
    bound(
        f,
        parameter("url", {"kind": "root", "cls": "pydantic.networks:HttpUrl", "inner": text}),
        parameter("secret", {"kind": "root", "cls": "pydantic.types:SecretStr", "inner": text}),
    )
    url, secret = run(f, "f", {"url": "http://a.b", "secret": "c"}).value
    assert url == url_class("http://a.b")
    assert secret.get_secret_value() == "c"
    [problem] = run(f, "f", {"url": "no", "secret": "c"}).problems
    assert (problem.code, problem.path) == ("construction_failed", "/url")
