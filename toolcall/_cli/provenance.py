"""The lines that the descriptions of fields stand on, looked up in the sources.

A sidecar has the lines of what a tool itself says, but not those of the fields of classes:
several tools share them, and every program that loads the sidecar would pay for them. So the
plugin's own reader of sources is asked once more, and a line is told only where the text
that stands there is the one that the sidecar has.
"""

from __future__ import annotations

from collections.abc import Iterator

from toolcall import _sidecar, ir
from toolcall_mypy import declared, descriptions
from toolcall_mypy.source import docstrings
from toolcall_mypy.source.declarations import Text
from toolcall_mypy.source.files import SourceFiles
from toolcall_mypy.source.metadata import NOTHING
from toolcall_mypy.source.resolve import Trail


class FieldLines:
    """Where the descriptions of fields come from, for the types of one sidecar."""

    def __init__(self, loaded: _sidecar.Loaded) -> None:
        self._own = loaded.sidecar["module"]
        self._files = SourceFiles(loaded.freshness.path_of)
        self._classes: dict[str, list[declared.Declared]] = {}

    def of(self, node: ir.Object, field: ir.Field) -> str:
        """In the words of a tool's provenance, `field app.types:12`.

        Only the class where no line is known, and nothing without a description.
        """
        if "doc" not in field:
            return ""
        for found in self._candidates(self._lineage(node["cls"]), field["name"]):
            if found is not None and found.text == field["doc"] and found.line:
                return self._place(found.origin, found.module, found.line)
        return _owner(node["cls"])

    def of_class(self, cls: str, doc: str) -> str:
        """The same for what a class says of itself."""
        for one in self._lineage(cls)[:1]:
            text = one.cls.docstring
            if text is not None and _read(text).description == doc:
                return self._place("class", one.index.module, text.line)
        return _owner(cls)

    def _place(self, origin: descriptions.Origin, module: str, line: int) -> str:
        return f"{origin} {line}" if module == self._own else f"{origin} {module}:{line}"

    def _lineage(self, cls: str) -> list[declared.Declared]:
        if cls not in self._classes:
            module, _, qualname = cls.partition(":")
            start = declared.find(self._files, module, qualname)
            found = () if start is None else declared.lineage(start, self._files, Trail())
            self._classes[cls] = list(found)
        return self._classes[cls]

    def _candidates(
        self, classes: list[declared.Declared], name: str
    ) -> Iterator[descriptions.Described | None]:
        """What is said of the field, which attrs calls without its leading underscore."""
        for attribute in (name, f"_{name}"):
            found = [declared.field(one, attribute) for one in classes]
            written = next((one for one in found if one is not None), None)
            metadata = NOTHING
            if written is not None:
                metadata = declared.metadata_of(written, self._files, Trail())
            names = (attribute, name)
            yield descriptions.of_field(names, written, metadata, classes, _read)


def _owner(cls: str) -> str:
    return f"class {cls.replace(':', '.')}"


def _read(text: Text) -> docstrings.Docstring:
    return docstrings.parse(text.text, line=text.line)
