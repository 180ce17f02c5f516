"""Fingerprints: of a file's bytes, and of the declarations a schema was read from.

The first is the fast answer to "has anything changed", and all that most programs ever
load. The second is asked when something has: an edit of a body, a comment or the layout
must not make a schema stale, and an edit of anything that the schema says must.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


def blake2(data: bytes) -> str:
    """Sixteen hexadecimal digits of BLAKE2b; `hashlib` would load OpenSSL for it."""
    try:
        from _blake2 import blake2b
    except ImportError:  # pragma: no cover - interpreters built without it
        from hashlib import blake2b
    return str(blake2b(data, digest_size=8).hexdigest())


def file_hash(data: bytes) -> str:
    """The fingerprint of a file's bytes."""
    return blake2(data)


def declaration_hash(source_text: str, names: Sequence[str]) -> str:
    """The fingerprint of the named declarations of a module and of what they reach.

    `names` are module-level names or dotted qualnames (`C.m`, `make.<locals>.f`). A
    name that the module does not define counts as that. SyntaxError where the text
    is not Python. For several fingerprints of one module see `toolcall._declarations`.
    """
    from toolcall._declarations import Declarations

    return Declarations(source_text).hash(names)
