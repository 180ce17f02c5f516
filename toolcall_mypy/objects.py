"""What the sources say about the classes that a tool takes.

For every named type that mypy gave: the class's documentation and, per field, its
metadata, name on the wire, description (`descriptions`) and literal default.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any, cast

from toolcall_mypy import class_options, declared, descriptions, extra_items
from toolcall_mypy.annotate import annotate, as_sent, restored
from toolcall_mypy.lints.facts import FieldFacts, Problem, WrongDefault
from toolcall_mypy.lints.finding import Place
from toolcall_mypy.places import expression_place
from toolcall_mypy.shelf import ReadEntry
from toolcall_mypy.source import defaults
from toolcall_mypy.source.metadata import NOTHING
from toolcall_mypy.source.resolve import dotted_name, resolve
from toolcall_mypy.wire import Misfit, NoForm, encode

if TYPE_CHECKING:
    from toolcall import ir
    from toolcall_mypy.class_options import ClassOptions
    from toolcall_mypy.declared import Declared, Written
    from toolcall_mypy.derive.table import Entry, FieldOrigin, Origin, Table
    from toolcall_mypy.descriptions import Described
    from toolcall_mypy.extra_items import Extra
    from toolcall_mypy.session import Session
    from toolcall_mypy.shelf import Shelf
    from toolcall_mypy.source.metadata import Metadata
    from toolcall_mypy.source.resolve import Trail


class ObjectReader:
    """Reads the named types of one tool."""

    def __init__(
        self, table: Table, session: Session, trail: Trail, module: str, shelf: Shelf | None
    ) -> None:
        self.table = table
        self.shelf = shelf
        self.session = session
        self.files = session.files
        self.trail = trail
        self.module = module
        self.types: dict[str, ir.Type] = {}
        self.facts: list[FieldFacts] = []
        self.problems: list[Problem] = []
        self.restored: set[tuple[str, ...]] = set()
        """Places of losses that metadata makes good, by entry and field."""

    def read(self) -> tuple[dict[str, ir.Type], list[FieldFacts]]:
        """The named types with what the sources add, and the facts of their fields."""
        known: dict[str, ReadEntry] = {}
        for name, entry in self.table.entries.items():
            kept = self.shelf.read(entry) if self.shelf is not None else None
            if kept is not None:
                known[name] = kept
            self.types[name] = kept.type if kept is not None else self._described(entry)
        for name, entry in self.table.entries.items():
            if name in known:
                self._take(known[name])
            else:
                self._read(name, entry)
        return self.types, self.facts

    def _read(self, name: str, entry: Entry) -> None:
        """One named type; what it comes to is kept for the other tools of the module."""
        node = self.types[name]
        before = self.trail.parted(), self.facts, self.problems, self.restored
        self.facts, self.problems, self.restored = [], [], set()
        if node["kind"] == "object":
            self.types[name] = node = self._object(entry, node)
        elif node["kind"] == "root":
            self.types[name] = node = self._root(entry, node)
        read = ReadEntry(
            node,
            tuple(self.facts),
            tuple(self.problems),
            frozenset(self.restored),
            self.trail.parted(),
        )
        outer, self.facts, self.problems, self.restored = before
        self.trail.join(outer)
        self._take(read)
        if self.shelf is not None:
            self.shelf.keep(entry, read)

    def _take(self, read: ReadEntry) -> None:
        self.facts += read.facts
        self.problems += read.problems
        self.restored |= read.restored
        self.trail.join(read.trail)

    def key_of(self, typeddict: str, name: str) -> tuple[Metadata, Described | None]:
        """What is said of one key of a TypedDict, by full name: metadata, description."""
        module, qualname = self.session.split(typeddict)
        start = declared.find(self.files, module, qualname)
        if start is None:
            return NOTHING, None
        self.trail.add(start.index, qualname)
        classes = list(declared.lineage(start, self.files, self.trail))
        found = [declared.field(cls, name) for cls in classes]
        written = next((one for one in found if one is not None), None)
        metadata = self._metadata(written)
        read = self.session.docstring
        return metadata, descriptions.of_field((name,), written, metadata, classes, read)

    def _described(self, entry: Entry) -> ir.Type:
        cls = self._find(entry.origin) if entry.cls is not None and entry.mro else None
        if cls is None or cls.cls.docstring is None:
            return entry.type  # of a framework's own class, its documentation is for people
        description = self.session.docstring(cls.cls.docstring).description
        node = cast("dict[str, Any]", entry.type)
        return cast("ir.Type", {**node, "doc": description}) if description else entry.type

    def _find(self, origin: Origin) -> Declared | None:
        return declared.find(self.files, origin.module, origin.qualname, origin.line)

    def _object(self, entry: Entry, node: ir.Object) -> ir.Object:
        classes = self._lineage(entry)
        options = class_options.options_of(classes, node["style"], self.files, self.trail)
        self._unread(options, classes)
        origins = {origin.name: origin for origin in entry.fields}
        laid: ir.Object = {
            **node,
            "fields": [
                self._field(one, origins.get(one["name"]), entry, classes, options)
                for one in node["fields"]
            ],
        }
        if options.tag is not None:
            laid["fields"].insert(0, _tag_field(*options.tag))
        if options.is_open:
            laid.setdefault("extra", {"kind": "any"})
        if node["style"] == "typeddict" and (extra := self._extra(entry, node, classes)):
            laid["extra"] = extra.type
        return laid

    def _root(self, entry: Entry, node: ir.Root) -> ir.Root:
        """A RootModel, with what its class says of the one value that it holds."""
        classes = self._lineage(entry) if entry.mro else []
        found = (declared.field(one, "root") for one in classes)
        written = next((one for one in found if one is not None), None)
        metadata = self._metadata(written)
        if written is None:
            argument = declared.argument(classes, "pydantic.RootModel", self.files, self.trail)
            metadata = argument or metadata
        inner, misplaced = annotate(node["inner"], metadata, described=False)
        doc = descriptions.of_field(("root",), written, metadata, [], self.session.docstring)
        self.facts.append(
            FieldFacts(
                name="root",
                owner=entry.name,
                place=self._place(written),
                metadata=metadata,
                misplaced=misplaced,
                documented=True,
                is_validated=True,
            )
        )
        laid: ir.Root = {**node, "inner": inner}
        if doc is not None and doc.text:
            laid.setdefault("doc", doc.text)
        return laid

    def extra_of(self, typeddict: str) -> ir.Type | None:
        """The type of what a TypedDict, by full name, takes beside its keys."""
        module, qualname = self.session.split(typeddict)
        start = declared.find(self.files, module, qualname)
        if start is None:
            return None
        found = self._extra_of_classes(list(declared.lineage(start, self.files, self.trail)))
        return None if found is None else found.type

    def _extra(self, entry: Entry, node: ir.Object, classes: list[Declared]) -> Extra | None:
        if classes:
            return self._extra_of_classes(classes)
        index = self.files.index(entry.origin.module)
        if index is None:
            return None
        return extra_items.of_call(
            entry.origin.qualname,
            index,
            is_known=bool(node["fields"]),
            files=self.files,
            trail=self.trail,
        )

    def _extra_of_classes(self, classes: list[Declared]) -> Extra | None:
        found = extra_items.of_classes(classes, self.files, self.trail)
        here = [one for one in classes if one.index.module == self.module]
        if found is not None and found.unread is not None and here:
            text = here[0].index.segment(found.unread)
            self.problems.append(
                Problem(
                    "unreadable-metadata",
                    expression_place(found.unread),
                    f"extra_items={text} is not read, so further keys take any value",
                    "Of builtins, their unions and lists it can be read",
                )
            )
        return found

    def _lineage(self, entry: Entry) -> list[Declared]:
        """The class statements of an entry: as mypy knows the bases, else as sources do."""
        found = [self._find(origin) for origin in entry.mro or (entry.origin,)]
        classes = [one for one in found if one is not None]
        if len(classes) == 1:
            return list(declared.lineage(classes[0], self.files, self.trail))
        return classes

    def _field(
        self,
        field: ir.Field,
        origin: FieldOrigin | None,
        entry: Entry,
        classes: list[Declared],
        options: ClassOptions,
    ) -> ir.Field:
        written = self._written(origin, classes) if origin is not None else None
        metadata = self._metadata(written)
        node, misplaced = annotate(field["type"], metadata, described=False)
        is_model = entry.type["kind"] == "object" and entry.type["style"] == "pydantic"
        if is_model:
            node = as_sent(node, metadata)
        laid: ir.Field = {**field, "type": node}
        laid["wire"] = _property(laid, origin, metadata, options)
        if metadata.default is not None:
            laid["required"] = False  # mypy does not know a default given by position
        elif _is_open(entry, written):
            laid["required"] = True
        names = (field["name"],) if origin is None else (origin.attribute, field["name"])
        doc = descriptions.of_field(names, written, metadata, classes, self.session.docstring)
        if doc is not None and doc.text:
            laid["doc"] = doc.text
        wrong = self._default(laid, written, metadata)
        known = set(restored(metadata, (field["name"],)))
        self.restored |= {(entry.name, *where) for where in known}
        self.facts.append(
            FieldFacts(
                name=field["name"],
                owner=entry.name,
                place=self._place(written),
                losses=tuple(
                    loss
                    for loss in entry.losses
                    if loss.where[:1] == (field["name"],) and loss.where not in known
                ),
                metadata=metadata,
                misplaced=misplaced,
                wrong_default=wrong,
                documented="doc" in laid,
                is_validated=is_model or (metadata is not NOTHING and self._is_validated(written)),
            )
        )
        return laid

    def _written(self, origin: FieldOrigin, classes: list[Declared]) -> Written | None:
        owner = self._find(origin.owner)
        candidates = [owner, *classes] if owner is not None else classes
        found = [declared.field(one, origin.attribute, origin.line) for one in candidates]
        return next((one for one in found if one is not None), None)

    def _is_validated(self, written: Written | None) -> bool:
        """Whether the field stands in a dataclass of pydantic's."""
        if written is None:
            return False
        owner = written.owner
        calls = (one.func if isinstance(one, ast.Call) else one for one in owner.cls.decorators)
        names = [name for name in map(dotted_name, calls) if name is not None]
        found = (resolve(name, owner.index, owner.cls.scope, self.files) for name in names)
        return any(
            meant is not None and meant.fullname == "pydantic.dataclasses.dataclass"
            for meant in found
        )

    def _metadata(self, written: Written | None) -> Metadata:
        if written is None:
            return NOTHING
        return declared.metadata_of(written, self.files, self.trail)

    def _default(
        self, field: ir.Field, written: Written | None, metadata: Metadata
    ) -> WrongDefault | None:
        if written is None or field["required"]:
            return None
        # `Annotated[T, Field(default=…)]` has no value.
        said_inside = written.source.annotation if metadata.default is not None else None
        expr, index = written.source.value or said_inside, written.owner.index
        if expr is None:
            return None
        known = metadata.default or defaults.evaluate(
            expr, index, written.owner.cls.qualname, self.files, self.trail
        )
        if not isinstance(known, defaults.Known) or known.value is None:
            return None
        try:
            field["default"] = encode(known.value, field["type"], self.types)
        except NoForm:
            return None
        except Misfit as misfit:
            if misfit.by_type or index.module != self.module:
                return None
            place = expression_place(expr)
            return WrongDefault(index.segment(expr), str(misfit), place)
        return None

    def _place(self, written: Written | None) -> Place | None:
        """Where the field is declared, if that is in the file being checked."""
        if written is None or written.owner.index.module != self.module:
            return None
        return Place(written.source.line, written.source.col)

    def _unread(self, options: ClassOptions, classes: list[Declared]) -> None:
        here = [one for one in classes if one.index.module == self.module]
        for expr in options.unread if here else ():
            text = here[0].index.segment(expr)
            self.problems.append(
                Problem(
                    "unreadable-metadata",
                    expression_place(expr),
                    f"{text} cannot be read without running it, so it is not applied",
                    "Write a literal",
                )
            )


def _is_open(entry: Entry, written: Written | None) -> bool:
    """Whether a pydantic field's default is `...`, which is none; mypy takes it for one."""
    if written is None or entry.type["kind"] != "object" or entry.type["style"] != "pydantic":
        return False
    match written.source.value:
        case ast.Call(keywords=keywords):
            said = [keyword.value for keyword in keywords if keyword.arg == "default"]
        case value:
            said = [value] if value is not None else []
    return any(isinstance(expr, ast.Constant) and expr.value is Ellipsis for expr in said)


def _tag_field(wire: str, value: str | int) -> ir.Field:
    return {
        "name": wire,
        "wire": wire,
        "type": {"kind": "literal", "values": [{"value": value}]},
        "required": True,
        "tag": True,
    }


def _property(
    field: ir.Field, origin: FieldOrigin | None, metadata: Metadata, options: ClassOptions
) -> str:
    """The property that stands for a field: its own name for it, else its class's rule."""
    if metadata.name is not None:
        return metadata.name
    if options.rename is not None and field["wire"] == field["name"]:
        return options.rename(origin.attribute if origin is not None else field["name"])
    return field["wire"]
