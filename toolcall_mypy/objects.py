"""What the sources say about the classes that a tool takes.

For every named type that mypy gave: the class's documentation and, per field, its
metadata, description and literal default. A field's own documentation wins over the one
in its class: `Annotated` and `Field(...)` → the string beneath → the class docstring →
the alias that it is declared as.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from toolcall_mypy.annotate import annotate
from toolcall_mypy.lints.facts import FieldFacts, WrongDefault
from toolcall_mypy.lints.finding import Place
from toolcall_mypy.source import defaults, docstrings
from toolcall_mypy.source.annotations import read, read_value
from toolcall_mypy.source.metadata import NOTHING, Metadata
from toolcall_mypy.source.statements import Statements
from toolcall_mypy.wire import Misfit, NoForm, encode

if TYPE_CHECKING:
    import ast

    from toolcall import ir
    from toolcall_mypy.derive.table import Entry, FieldOrigin, Loss, Origin, Table
    from toolcall_mypy.session import Session
    from toolcall_mypy.source.defaults import Computed, Known
    from toolcall_mypy.source.docstrings import Docstring
    from toolcall_mypy.source.index import ClassSource, FieldSource, ModuleIndex
    from toolcall_mypy.source.resolve import Trail


@dataclass(frozen=True, slots=True)
class Written:
    """A field as written, with the class and module that declare it."""

    index: ModuleIndex
    cls: ClassSource
    source: FieldSource | None


class ObjectReader:
    """Reads the named types of one tool."""

    def __init__(self, table: Table, session: Session, trail: Trail, module: str) -> None:
        self.table = table
        self.session = session
        self.files = session.files
        self.trail = trail
        self.module = module
        self.types: dict[str, ir.Type] = {}
        self.facts: list[FieldFacts] = []

    def read(self) -> tuple[dict[str, ir.Type], list[FieldFacts]]:
        """The named types with what the sources add, and the facts of their fields."""
        for name, entry in self.table.entries.items():
            self.types[name] = self._described(entry)
        for name, entry in self.table.entries.items():
            node = self.types[name]
            if node["kind"] == "object":
                self.types[name] = {**node, "fields": self._fields(entry, node)}
        return self.types, self.facts

    def _described(self, entry: Entry) -> ir.Type:
        docstring = self._class_docstring(entry.origin)
        if docstring is None or not docstring.description or entry.cls is None:
            return entry.type
        node = cast("dict[str, Any]", entry.type)
        return cast("ir.Type", {**node, "doc": docstring.description})

    def _class(self, origin: Origin) -> tuple[ModuleIndex, ClassSource] | None:
        index = self.files.index(origin.module)
        if index is None:
            return None
        cls = index.classes.at(origin.qualname, origin.line)
        return None if cls is None else (index, cls)

    def _class_docstring(self, origin: Origin) -> Docstring | None:
        found = self._class(origin)
        if found is None or found[1].docstring is None:
            return None
        return self.session.docstring(found[1].docstring)

    def _fields(self, entry: Entry, node: ir.Object) -> list[ir.Field]:
        origins = {origin.name: origin for origin in entry.fields}
        return [self._field(field, origins.get(field["name"]), entry) for field in node["fields"]]

    def _field(self, field: ir.Field, origin: FieldOrigin | None, entry: Entry) -> ir.Field:
        written = self._written(origin) if origin is not None else None
        metadata = self._metadata(written)
        node, misplaced = annotate(field["type"], metadata, described=False)
        laid: ir.Field = {**field, "type": node}
        doc = self._doc(field["name"], origin, written, metadata, entry)
        if doc:
            laid["doc"] = doc
        wrong = self._default(laid, written, metadata)
        losses = tuple(loss for loss in entry.losses if loss.where[:1] == (field["name"],))
        self.facts.append(
            FieldFacts(
                name=field["name"],
                owner=entry.name,
                place=self._place(origin, written),
                losses=losses,
                metadata=metadata,
                misplaced=misplaced,
                wrong_default=wrong,
                documented=bool(doc),
            )
        )
        return laid

    def _written(self, origin: FieldOrigin) -> Written | None:
        found = self._class(origin.owner)
        if found is None:
            return None
        index, cls = found
        same = [one for one in cls.fields if one.name == origin.attribute]
        exact = [one for one in same if one.line == origin.line] or same
        return Written(index, cls, exact[-1] if exact else None)

    def _metadata(self, written: Written | None) -> Metadata:
        """What the annotation says and, over it, what `Field(...)` or `field(...)` says."""
        if written is None or written.source is None:
            return NOTHING
        where = (written.index, written.cls.qualname, self.files, self.trail)
        annotation, value = written.source.annotation, written.source.value
        said = NOTHING if annotation is None else read(annotation, *where)
        call = None if value is None else read_value(value, *where)
        if call is None:
            return said
        joined = Statements.of(said)
        joined.add(call)
        return joined.metadata(said.children, said.alias)

    def _doc(
        self,
        name: str,
        origin: FieldOrigin | None,
        written: Written | None,
        metadata: Metadata,
        entry: Entry,
    ) -> str | None:
        if metadata.description is not None:
            return metadata.description
        if written is not None and written.source is not None and written.source.doc is not None:
            return docstrings.prose(written.source.doc.text)
        for cls in (entry.origin, *entry.mro):
            docstring = self._class_docstring(cls)
            found = _entry(docstring, name, origin) if docstring is not None else None
            if found:
                return found
        return metadata.alias.text if metadata.alias is not None else None

    def _default(
        self, field: ir.Field, written: Written | None, metadata: Metadata
    ) -> WrongDefault | None:
        if written is None or written.source is None or field["required"]:
            return None
        expr = written.source.value
        known = metadata.default or (None if expr is None else self._value(expr, written))
        if not isinstance(known, defaults.Known) or known.value is None or expr is None:
            return None
        try:
            field["default"] = encode(known.value, field["type"], self.types)
        except NoForm:
            return None
        except Misfit as misfit:
            if misfit.by_type or written.index.module != self.module:
                return None
            place = Place(expr.lineno, expr.col_offset, expr.end_lineno, expr.end_col_offset)
            return WrongDefault(written.index.segment(expr), str(misfit), place)
        return None

    def _value(self, expr: ast.expr, written: Written) -> Known | Computed:
        return defaults.evaluate(expr, written.index, written.cls.qualname, self.files, self.trail)

    def _place(self, origin: FieldOrigin | None, written: Written | None) -> Place | None:
        """Where the field is declared, if that is in the file being checked."""
        if written is None or written.source is None or written.index.module != self.module:
            return None
        return Place(written.source.line, written.source.col)


def _entry(docstring: Docstring, name: str, origin: FieldOrigin | None) -> str | None:
    attribute = origin.attribute if origin is not None else name
    for table in (docstring.attributes, docstring.params):
        for key in (attribute, name):
            if key in table:
                return table[key].text
    return None


def losses_of(entry: Entry) -> tuple[Loss, ...]:
    """The losses of a class that are not those of one of its fields."""
    names = {field.name for field in entry.fields}
    return tuple(loss for loss in entry.losses if not loss.where or loss.where[0] not in names)
