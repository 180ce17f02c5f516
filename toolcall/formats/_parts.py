"""Content parts where a vendor has no place for them: as text, and as base64.

The text fallback keeps what a model can use, a URL or a resource's text, and otherwise
names what was left out.

The classes of the parts load when a part is written: who emits tools needs none.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from toolcall._values import AudioPart, FilePart, ImagePart, Part, ResourcePart


def as_text(part: Part) -> str:
    """A part as text."""
    from toolcall._values import AudioPart, ImagePart, ResourcePart, TextPart

    if isinstance(part, TextPart):
        return part.text
    if isinstance(part, ResourcePart):
        return part.text if part.text is not None else _left_out(part, "resource", part.uri)
    if isinstance(part, ImagePart):
        return _left_out(part, "image", part.url)
    if isinstance(part, AudioPart):
        return _left_out(part, "audio", part.url)
    return _left_out(part, "file", part.url)


def _left_out(
    part: ImagePart | AudioPart | FilePart | ResourcePart, what: str, where: str | None
) -> str:
    facts = [getattr(part, "name", None), part.media_type, where]
    if part.data is not None:
        facts.append(f"{len(part.data)} bytes")
    return f"[{what}: {', '.join(fact for fact in facts if fact)}]"


def texts(parts: Iterable[Part]) -> list[str]:
    """Every part as text, empty texts left out."""
    return [text for text in map(as_text, parts) if text]


def base64(data: bytes) -> str:
    """Standard base64 without line breaks."""
    from binascii import b2a_base64

    return b2a_base64(data, newline=False).decode("ascii")


def data_url(data: bytes, media_type: str) -> str:
    """Bytes as a `data:` URL."""
    return f"data:{media_type};base64,{base64(data)}"
