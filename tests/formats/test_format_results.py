"""Results in the vendors' shapes: text, parts, errors, structured values, options."""

from __future__ import annotations

import base64
from typing import Any

import pytest

from tests.formats.tool_definitions import (
    ANY,
    INTEGER,
    LEVEL,
    NULL,
    PRIORITY,
    STRING,
    TREE,
    array,
    field,
    literal,
    mapping,
    nullable,
    obj,
    ref,
    stdlib,
    tool,
    union,
)
from toolcall import formats
from toolcall._values import (
    AudioPart,
    FilePart,
    ImagePart,
    ResourcePart,
    TextPart,
    ToolResult,
)

PNG = b"\x89PNG"
PNG64 = base64.b64encode(PNG).decode()
TEXT = ToolResult("18 degrees", id="c1", name="f")
FAILED = ToolResult("no such city", id="c2", name="g", is_error=True)
EMPTY = ToolResult("", id="c3", name="h")
STRUCTURED = ToolResult('{"a": 1}', id="c4", name="s", structured={"a": 1})
LISTED = ToolResult("[1]", id="c5", name="l", structured=[1])
PARTS = ToolResult(
    [
        TextPart("See:"),
        ImagePart(PNG, "image/png"),
        ImagePart(url="https://x.test/a.png"),
        AudioPart(b"RIFF", "audio/wav"),
        FilePart(b"%PDF", "application/pdf", name="a b.pdf"),
        FilePart(b"hi", "text/plain", name="note.txt"),
        FilePart(b"\x00", "application/zip"),
        FilePart(url="https://x.test/a.pdf"),
        ResourcePart("app://doc", text="body", name="Doc"),
        ResourcePart("app://blob", data=b"\x00\x01", media_type="application/pdf"),
        ResourcePart("app://link", media_type="text/plain"),
        TextPart(""),
    ],
    id="c6",
    name="p",
)


def rendered(name: str, *results: ToolResult) -> Any:
    return formats.get(name).render_results(results)


def test_openai() -> None:
    """One tool message per result; an error is told by its text."""
    assert rendered("openai", TEXT, FAILED, EMPTY) == [
        {"role": "tool", "tool_call_id": "c1", "content": "18 degrees"},
        {"role": "tool", "tool_call_id": "c2", "content": "no such city"},
        {"role": "tool", "tool_call_id": "c3", "content": ""},
    ]


def test_openai_parts_are_text() -> None:
    """A tool message takes only text, so every other part is told in words."""
    (message,) = rendered("openai", PARTS)
    assert message["content"] == [
        {"type": "text", "text": text}
        for text in (
            "See:",
            "[image: image/png, 4 bytes]",
            "[image: https://x.test/a.png]",
            "[audio: audio/wav, 4 bytes]",
            "[file: a b.pdf, application/pdf, 4 bytes]",
            "[file: note.txt, text/plain, 2 bytes]",
            "[file: application/zip, 1 bytes]",
            "[file: https://x.test/a.pdf]",
            "body",
            "[resource: application/pdf, app://blob, 2 bytes]",
            "[resource: text/plain, app://link]",
        )
    ]


def test_openai_responses() -> None:
    """One item per result; images and files have a place."""
    text, failed, empty, parts = rendered("openai_responses", TEXT, FAILED, EMPTY, PARTS)
    assert text == {"type": "function_call_output", "call_id": "c1", "output": "18 degrees"}
    assert failed["output"] == "no such city"
    assert empty["output"] == ""
    assert parts["output"][:3] == [
        {"type": "input_text", "text": "See:"},
        {
            "type": "input_image",
            "image_url": f"data:image/png;base64,{PNG64}",
            "detail": "auto",
        },
        {"type": "input_image", "image_url": "https://x.test/a.png", "detail": "auto"},
    ]
    files = [part for part in parts["output"] if part["type"] == "input_file"]
    assert files[0] == {
        "type": "input_file",
        "file_data": "data:application/pdf;base64,JVBERg==",
        "filename": "a b.pdf",
    }
    assert files[2]["filename"] == "file"
    assert files[3] == {"type": "input_file", "file_url": "https://x.test/a.pdf"}
    assert len(parts["output"]) == 11


def test_anthropic() -> None:
    """All results in one user message; the error flag only where there is an error."""
    cached = ToolResult("x", id="c", options={"cache_control": {"type": "ephemeral"}, "other": 1})
    (message,) = rendered("anthropic", TEXT, FAILED, EMPTY, cached)
    assert message == {
        "role": "user",
        "content": [
            {"type": "tool_result", "tool_use_id": "c1", "content": "18 degrees"},
            {
                "type": "tool_result",
                "tool_use_id": "c2",
                "content": "no such city",
                "is_error": True,
            },
            {"type": "tool_result", "tool_use_id": "c3"},
            {
                "type": "tool_result",
                "tool_use_id": "c",
                "content": "x",
                "cache_control": {"type": "ephemeral"},
            },
        ],
    }


def test_anthropic_error_without_text() -> None:
    """The API refuses an error without content."""
    (message,) = rendered("anthropic", ToolResult("", id="c", is_error=True))
    assert message["content"][0]["content"] == "error"


def test_anthropic_parts() -> None:
    """Images, PDF, text files and resources have a place; the rest is text."""
    (message,) = rendered("anthropic", PARTS)
    content = message["content"][0]["content"]
    assert [part["type"] for part in content] == [
        "text",
        "image",
        "image",
        "text",
        "document",
        "document",
        "text",
        "document",
        "document",
        "text",
        "text",
    ]
    assert content[1]["source"] == {"type": "base64", "media_type": "image/png", "data": PNG64}
    assert content[2]["source"] == {"type": "url", "url": "https://x.test/a.png"}
    assert content[5] == {
        "type": "document",
        "source": {"type": "text", "media_type": "text/plain", "data": "hi"},
        "title": "note.txt",
    }
    assert content[8]["title"] == "Doc"
    (message,) = rendered("anthropic", ToolResult(ImagePart(url="u", media_type="image/tiff")))
    assert message["content"][0]["content"] == "[image: image/tiff, u]"


def test_bedrock() -> None:
    """All results in one user message, each with a status; objects travel as JSON."""
    (message,) = rendered("bedrock", TEXT, FAILED, STRUCTURED, LISTED)
    assert message == {
        "role": "user",
        "content": [
            {"toolResult": {"toolUseId": "c1", "content": [{"text": "18 degrees"}],
                            "status": "success"}},
            {"toolResult": {"toolUseId": "c2", "content": [{"text": "no such city"}],
                            "status": "error"}},
            {"toolResult": {"toolUseId": "c4", "content": [{"json": {"a": 1}}],
                            "status": "success"}},
            {"toolResult": {"toolUseId": "c5", "content": [{"text": "[1]"}],
                            "status": "success"}},
        ],
    }  # fmt: skip


def test_bedrock_parts() -> None:
    """Documents have plain unique names; bytes stay bytes for boto3."""
    twice = FilePart(b"%PDF", "application/pdf", name="a_b.pdf")
    (message,) = rendered("bedrock", ToolResult([*PARTS.content, twice], id="c"))
    content = message["content"][0]["toolResult"]["content"]
    assert content[1] == {"image": {"format": "png", "source": {"bytes": PNG}}}
    assert content[2] == {"text": "[image: https://x.test/a.png]"}
    pictured = ToolResult([TextPart("x"), ImagePart(PNG, "image/png")], structured={"a": 1})
    (with_image,) = rendered("bedrock", pictured)
    assert with_image["content"][0]["toolResult"]["content"][0] == {"text": "x"}
    documents = [part["document"] for part in content if "document" in part]
    assert [d["name"] for d in documents] == ["a b pdf", "note txt", "document", "a b pdf 2"]
    assert documents[0]["source"] == {"bytes": b"%PDF"}


def test_gemini() -> None:
    """All results in one content, under output or error; every one has a name."""
    nameless = ToolResult("x")
    (content,) = rendered("gemini", TEXT, FAILED, STRUCTURED, nameless)
    assert content == {
        "role": "user",
        "parts": [
            {"functionResponse": {"id": "c1", "name": "f", "response": {"output": "18 degrees"}}},
            {"functionResponse": {"id": "c2", "name": "g", "response": {"error": "no such city"}}},
            {"functionResponse": {"id": "c4", "name": "s", "response": {"output": {"a": 1}}}},
            {"functionResponse": {"name": "unknown", "response": {"output": "x"}}},
        ],
    }


def test_gemini_parts() -> None:
    """Media that Gemini reads are parts of the response; the rest is text."""
    (content,) = rendered("gemini", PARTS)
    response = content["parts"][0]["functionResponse"]
    assert response["parts"] == [
        {"inlineData": {"mimeType": "image/png", "data": PNG64}},
        {"inlineData": {"mimeType": "application/pdf", "data": "JVBERg=="}},
        {"inlineData": {"mimeType": "text/plain", "data": "aGk="}},
    ]
    assert response["response"]["output"].startswith("See:\n[image: https://x.test/a.png]\n")
    linked = ToolResult(FilePart(url="gs://b/x.pdf", media_type="application/pdf"), name="f")
    (content,) = rendered("gemini", linked)
    assert content["parts"][0]["functionResponse"]["parts"] == [
        {"fileData": {"mimeType": "application/pdf", "fileUri": "gs://b/x.pdf"}}
    ]


def test_gemini_values_with_references_are_text() -> None:
    """The API reads $ref in a result as a reference of its own, so such a value is text."""
    value = {"schema": [{"$ref": "#/x"}]}
    (content,) = rendered("gemini", ToolResult("as text", name="f", structured=value))
    assert content["parts"][0]["functionResponse"]["response"] == {"output": "as text"}


@pytest.mark.parametrize("name", ["mcp-2025-06-18", "mcp-2025-11-25", "mcp"])
def test_mcp(name: str) -> None:
    """Content, the structured value where there is one, and the error flag."""
    newest = {"resultType": "complete"} if name == "mcp" else {}
    text, failed, structured, listed = rendered(name, TEXT, FAILED, STRUCTURED, LISTED)
    assert text == {"content": [{"type": "text", "text": "18 degrees"}], **newest}
    assert failed == {
        "content": [{"type": "text", "text": "no such city"}],
        "isError": True,
        **newest,
    }
    assert structured["structuredContent"] == {"a": 1}
    assert listed["structuredContent"] == ([1] if name == "mcp" else {"result": [1]})


def test_mcp_error_keeps_no_promise() -> None:
    """An error has no structured content, and meta data is passed on."""
    result = ToolResult("x", is_error=True, structured={"error": 1}, options={"_meta": {"a": 1}})
    (message,) = rendered("mcp", result)
    assert "structuredContent" not in message
    assert message["_meta"] == {"a": 1}


def test_mcp_parts() -> None:
    """Every kind of part has its own kind of content."""
    (message,) = rendered("mcp", PARTS)
    kinds = [part["type"] for part in message["content"]]
    assert kinds == [
        "text",
        "image",
        "resource_link",
        "audio",
        "resource",
        "resource",
        "resource",
        "resource_link",
        "resource",
        "resource",
        "resource_link",
        "text",
    ]
    assert message["content"][1] == {"type": "image", "data": PNG64, "mimeType": "image/png"}
    assert message["content"][4]["resource"] == {
        "uri": "file:///a_b.pdf",
        "mimeType": "application/pdf",
        "blob": "JVBERg==",
    }
    assert message["content"][8]["resource"] == {"uri": "app://doc", "text": "body"}


POINT = obj("Point", field("x", INTEGER, required=False, default=0), doc="P.")
POINT_SCHEMA = {
    "type": "object",
    "description": "P.",
    "properties": {"x": {"type": "integer"}},
}


@pytest.mark.parametrize(
    ("returns", "old", "new"),
    [
        (ref("Point"), POINT_SCHEMA, POINT_SCHEMA),
        (
            mapping(STRING, INTEGER),
            {"type": "object", "additionalProperties": {"type": "integer"}},
            {"type": "object", "additionalProperties": {"type": "integer"}},
        ),
        (
            array(INTEGER),
            {
                "type": "object",
                "properties": {"result": {"type": "array", "items": {"type": "integer"}}},
                "required": ["result"],
            },
            {"type": "array", "items": {"type": "integer"}},
        ),
        (
            union(ref("Point"), INTEGER),
            {
                "type": "object",
                "anyOf": [
                    POINT_SCHEMA,
                    {
                        "type": "object",
                        "properties": {"result": {"type": "integer"}},
                        "required": ["result"],
                    },
                ],
            },
            {"anyOf": [POINT_SCHEMA, {"type": "integer"}]},
        ),
        ({"kind": "root", "cls": "m:R", "inner": ref("Point")}, POINT_SCHEMA, POINT_SCHEMA),
        (union(ref("Point"), POINT), POINT_SCHEMA, POINT_SCHEMA),
        (
            LEVEL,
            {
                "type": "object",
                "properties": {"result": {"type": "integer", "enum": [1, 2]}},
                "required": ["result"],
            },
            {"type": "integer", "enum": [1, 2]},
        ),
        (STRING, None, None),
        (stdlib("date"), None, None),
        (PRIORITY, None, None),
        (literal("a", 1), None, None),
        (NULL, None, None),
        (ANY, None, None),
        (nullable(ref("Point")), None, None),
        (union(ref("Point"), STRING), None, None),
        (
            {"kind": "custom", "cls": "m:C", "provider": "m:P", "wire": STRING},
            None,
            None,
        ),
        (ref("Loop"), None, None),
    ],
)
def test_mcp_output_schemas(returns: Any, old: Any, new: Any) -> None:
    """The output schema promises what results keep, before 2026 with a wrapper around values."""
    types = {"Point": POINT, "Loop": union(ref("Loop"), INTEGER)}
    definition = tool("f", returns=returns, types=types)
    for name, expected in (("mcp-2025-06-18", old), ("mcp-2025-11-25", old), ("mcp", new)):
        (rendered_tool,) = formats.get(name).render_tools([definition])
        assert rendered_tool.get("outputSchema") == expected


def test_mcp_recursive_output() -> None:
    """A recursive result is a reference into the schema's own definitions."""
    definition = tool("f", returns=ref("Tree"), types={"Tree": TREE})
    (rendered_tool,) = formats.get("mcp-2025-06-18").render_tools([definition])
    assert rendered_tool["outputSchema"]["type"] == "object"
    assert rendered_tool["outputSchema"]["$ref"] == "#/$defs/Tree"
    assert list(rendered_tool["outputSchema"]["$defs"]) == ["Tree"]


def test_mcp_options_by_revision() -> None:
    """Icons and execution exist only in the revisions that know them."""
    options = {"icons": [{"src": "a"}], "execution": {"taskSupport": "optional"}, "_meta": {"k": 1}}
    definition = tool("f", options=options)
    seen = {
        name: set(formats.get(name).render_tools([definition])[0]) & set(options)
        for name in ("mcp-2025-06-18", "mcp-2025-11-25", "mcp")
    }
    assert seen == {
        "mcp-2025-06-18": {"_meta"},
        "mcp-2025-11-25": {"_meta", "icons", "execution"},
        "mcp": {"_meta", "icons"},
    }


def test_responses_options() -> None:
    """What only Responses reads is passed on by it."""
    definition = tool("f", options={"defer_loading": True, "cache_control": {}})
    (rendered_tool,) = formats.get("openai_responses").render_tools([definition])
    assert rendered_tool["defer_loading"] is True
    assert "cache_control" not in rendered_tool
