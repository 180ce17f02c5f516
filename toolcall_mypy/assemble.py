"""Joins the two witnesses, parameter by parameter, into a tool.

mypy says what a type is, the source what was written beside it. This is the only place
that has both. One precedence holds for every description, of parameters and fields
alike: metadata (`Param`, `Annotated`) → docstring → documentation of the alias or class
→ none; None passes on to the next, `""` ends the search.

Each tool is assembled by itself, with a table of named types of its own, so that a tool
that cannot be derived leaves nothing half-made behind for the others.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, cast

from toolcall._bind import _snake_case as snake_case
from toolcall._verify import verify_definition
from toolcall_mypy import declared, descriptions, field_defaults, mark_sources, variants
from toolcall_mypy.annotate import Misplaced, annotate, restored
from toolcall_mypy.contributions import Contributions
from toolcall_mypy.derive.signature import Signature, Skeleton, signature
from toolcall_mypy.derive.table import Table
from toolcall_mypy.derive.types import Deriver
from toolcall_mypy.derive.unions import discriminate
from toolcall_mypy.descriptions import Described
from toolcall_mypy.inherited import documented
from toolcall_mypy.lints.facts import ParameterFacts, Problem, ToolFacts, WrongDefault
from toolcall_mypy.lints.finding import Place
from toolcall_mypy.objects import ObjectReader
from toolcall_mypy.places import expression_place, name_place, place_of
from toolcall_mypy.records import record, replace
from toolcall_mypy.refusals import refusal, shown
from toolcall_mypy.session import SourceLookup
from toolcall_mypy.shelf import Keeper
from toolcall_mypy.sites import HINTS, Option
from toolcall_mypy.source import defaults, docstrings
from toolcall_mypy.source.annotations import read_value
from toolcall_mypy.source.metadata import NOTHING, Metadata
from toolcall_mypy.source.prose import prose
from toolcall_mypy.source.resolve import Trail, stub_function
from toolcall_mypy.wire import Misfit, NoForm, encode

if TYPE_CHECKING:
    import ast
    from collections.abc import Generator, Mapping, Sequence

    from toolcall import ir
    from toolcall_mypy.descriptions import Origin
    from toolcall_mypy.session import Session
    from toolcall_mypy.sites import Site
    from toolcall_mypy.source.docstrings import DocParam, Docstring
    from toolcall_mypy.source.index import FunctionSource, ModuleIndex, ParameterSource

NO_DOCSTRING: Final = docstrings.Docstring("", {}, {}, None)


@record
class Assembled:
    """One tool, the named types it needs, the modules it was read from, and its facts."""

    tool: ir.Tool
    types: dict[str, ir.Type]
    modules: tuple[str, ...]
    facts: ToolFacts

    @property
    def is_usable(self) -> bool:
        """Whether it is a tool at all; a finding says why, where it is not."""
        return all(one.code != "unsupported-function" for one in self.facts.problems)


def assemble(site: Site, session: Session) -> Assembled:
    """The tool that is marked at this place."""
    one = Assembling(site, session)
    while one.step():
        pass
    return one.result()


class Assembling:
    """One tool's assembly, step by step: many tools are made sooner when they go in step."""

    def __init__(self, site: Site, session: Session) -> None:
        self._steps = _steps(site, session)
        self._ended: Assembled | Exception | None = None

    def step(self) -> bool:
        """Takes the next step. False when that was the last one, or went wrong."""
        try:
            next(self._steps)
        except StopIteration as end:
            self._ended = cast("Assembled", end.value)
        except Exception as error:  # raised again by whoever asks for the result
            self._ended = error
        return self._ended is None

    def result(self) -> Assembled:
        """The tool, after the last step. Raises what went wrong."""
        assert self._ended is not None, "there are steps left"
        if isinstance(self._ended, Exception):
            raise self._ended
        return self._ended


def _steps(site: Site, session: Session) -> Generator[None, None, Assembled]:
    one = _Assembly(site, session)
    yield
    one.derive()
    yield
    one.declare()
    yield
    return one.assembled()


class _Assembly:
    """The state of one tool's assembly. Made, it has read the function as it is written."""

    def __init__(self, site: Site, session: Session) -> None:
        self.site = site
        self.session = session
        self.files = session.files
        self.contributions = Contributions()
        self.trail = Trail()
        module_wide = session.providers_of(site.module)
        self.lookup = SourceLookup(session, self.trail, (*site.providers, *module_wide))
        self.shelf = session.shelf(site.module, site.providers)
        keeper = None if self.shelf is None else Keeper(self.shelf, self.trail, self.lookup.used)
        self.table = Table(keeper)
        self.provenance: ir.Provenance = {}
        self.problems: list[Problem] = []
        self.index = session.files.index(site.home)
        self.source = self._find_source()
        self.docstring = self._docstring()
        self.options = {name: self._read(name, one) for name, one in site.options.items()}

    def derive(self) -> None:
        """The types, and what the sources say of them."""
        site = self.site
        deriver = Deriver(self.table, self.lookup)
        self.signed = signature(site.outer, site.definition, site.binding, deriver)
        self.objects = ObjectReader(self.table, self.session, self.trail, site.module, self.shelf)
        self.types, self.fields = self.objects.read()
        self.problems += self.objects.problems
        self.parameters = self._parameters(self.signed, self.types)
        given = [one.parameter["type"] for one in self.parameters if one.parameter is not None]
        discriminate([*given, *self.types.values()], self.types)
        self.tool = self._tool(self.signed, self.parameters)

    def declare(self) -> None:
        """What all of it was read from."""
        self.modules = self._contribute()
        declared = self.contributions.declarations(self.files, self.session.fingerprints)
        if declared:
            self.tool["declarations"] = declared
        if self.provenance:
            self.tool["provenance"] = self.provenance

    def assembled(self) -> Assembled:
        """The tool, verified, and the facts that lints look at."""
        verify_definition({"tool": self.tool, "types": self.types})
        self._meet_problems()
        return Assembled(self.tool, self.types, tuple(self.modules), self._facts())

    def _meet_problems(self) -> None:
        unsupported = self._unsupported(self.signed)
        if unsupported is not None:
            self.problems.append(unsupported)
        self.problems += self._unread_options() + self._unread_providers()
        if self.site.untimed is not None and not self.signed.is_async:
            self.problems.append(self._untimed(place_of(self.site.untimed)))

    def _facts(self) -> ToolFacts:
        site = self.site
        return ToolFacts(
            module=site.module,
            tool=self.tool,
            place=self._place(),
            named_at=self._named_at(),
            config=self.session.config,
            signature=self.signed,
            parameters=tuple(self.parameters),
            exposed=tuple(one for one in self.parameters if one.parameter is not None),
            types=self.types,
            fields=tuple(self.fields),
            source=self.source,
            docstring=self.docstring if self.documented is self.source else None,
            is_local=site.home == site.module and site.argument is None,
            overloads=self._is_overloaded(),
            problems=tuple(self.problems),
            text=self.index.text if self.index is not None else "",
        )

    # The function as written

    def _find_source(self) -> FunctionSource | None:
        definition, index = self.site.definition, self.index
        if index is None or definition is None:
            return None
        if not index.is_stub:
            name = definition.fullname.removeprefix(f"{self.site.home}.")
            # mypy's cache keeps no lines; what it keeps is of the module's top level
            return index.functions.on(definition.line) or index.functions.get(name)
        found = stub_function(definition.fullname, self.files, self.trail)
        if found is None:
            return None
        source, self.index = found
        variant = variants.position(definition, self.session.modules)
        written = self.index.functions.all(source.qualname)
        return written[variant[0]] if variant and variant[1] == len(written) else source

    def _docstring(self) -> Docstring:
        """That of the function, or of the method that it overrides without one of its own."""
        self.documented, self.doc_home = self.source, self.site.home
        if self.source is None or self.source.docstring is None:
            found = documented(self.site.definition, self.files)
            if found is not None:
                self.doc_home, self.documented = found[0].module, found[1]
                self.contributions.add(self.doc_home, [found[1].qualname])
        text = self.documented.docstring if self.documented is not None else None
        return NO_DOCSTRING if text is None else docstrings.parse(text.text, line=text.line)

    @property
    def qualname(self) -> str:
        if self.source is not None:
            return self.source.qualname
        definition = self.site.definition
        if definition is None:
            return shown(self.site.argument)
        return definition.fullname.removeprefix(f"{self.site.home}.")

    def _place(self) -> Place:
        definition = self.site.definition
        if definition is None or self.site.argument is not None:
            return place_of(self.site.node)
        return name_place(definition)

    def _named_at(self) -> Place:
        """Where its name for the model is written."""
        option = self.options.get("name")
        return self._place() if option is None or option.unread else place_of(option.node)

    # The tool

    def _tool(self, signed: Signature, parameters: Sequence[ParameterFacts]) -> ir.Tool:
        tool: ir.Tool = {
            "key": self._key(),
            "line": self.source.line if self.source is not None else self.site.line,
            "name": self._name(),
            "parameters": [one.parameter for one in parameters if one.parameter is not None],
            "is_async": signed.is_async,
            "binding": "function" if self.site.argument is not None else self.site.binding,
        }
        title, doc = self._option("title"), self._description()
        if title is not None:
            tool["title"] = title
        if doc is not None:
            tool["doc"] = doc
        injected = [one for one in map(_injected, parameters) if one is not None]
        if injected:
            tool["injected"] = injected
        if signed.returns is not None:
            tool["returns"] = signed.returns
        hints = self._hints()
        if hints:
            tool["hints"] = hints
        return tool

    def _key(self) -> str:
        """How the runtime finds the tool: by what it can see of the object that is marked."""
        site = self.site
        named = self._class_name() if site.shape == "object" else self.qualname
        key = named if site.home == site.module else f"{site.home}:{named}"
        return key if site.shape == "function" else f"{key}#{self._name()}"

    def _class_name(self) -> str:
        owner = self.site.owner
        assert owner is not None, "an object that can be called has a class"
        return owner.fullname.removeprefix(f"{owner.module_name}.")

    def _name(self) -> str:
        return self._option("name") or self._own_name()

    def _own_name(self) -> str:
        if self.site.shape == "object":
            return snake_case(self._class_name().rpartition(".")[2])
        return self.qualname.rpartition(".")[2]

    def _read(self, name: str, option: Option) -> Option:
        """An option, also where it is the constant of a module and no literal of its own."""
        index = self.files.index(self.site.module) if option.unread else None
        expr = None if index is None else mark_sources.option(self.site, self.source, index, name)
        if index is None or expr is None:
            return option
        scope = self.source.scope if self.source is not None and self.site.argument is None else ""
        known = defaults.evaluate(expr, index, scope, self.files, self.trail)
        wanted = bool if name in HINTS else str
        if isinstance(known, defaults.Known) and isinstance(known.value, wanted):
            return Option(known.value, option.node)
        return option

    def _option(self, name: str) -> str | None:
        option = self.options.get(name)
        if option is None or option.unread:
            return None
        return cast("str", option.value)

    def _hints(self) -> ir.Hints:
        hints = {
            name: option.value
            for name, option in self.options.items()
            if isinstance(option.value, bool)
        }
        return cast("ir.Hints", hints)

    def _description(self) -> str | None:
        given = self._option("description")
        if given is not None:
            self._from("/doc", "decorator", self.site.module, self.site.line)
            return prose(given) or None
        text = self.docstring.description
        if self.session.config.description == "first-paragraph":
            text = text.split("\n\n", 1)[0]
        if text and self.documented is not None and self.documented.docstring is not None:
            self._from("/doc", "docstring", self.doc_home, self.documented.docstring.line)
        return text or None

    def _from(self, at: str, origin: Origin, module: str, line: int) -> None:
        place = f"{line}" if module == self.site.module else f"{module}:{line}"
        self.provenance[at] = f"{origin} {place}"

    def _unsupported(self, signed: Signature) -> Problem | None:
        """Why it is no tool at all, and left out."""
        found = refusal(self.site, signed, self._name())
        if found is None:
            return None
        message = f'"{found.name}" {found.why}'
        return Problem("unsupported-function", self._place(), message, found.hint)

    def _untimed(self, place: Place) -> Problem:
        return Problem(
            "conflicting-metadata",
            place,
            f'Tool "{self._name()}" cannot keep its timeout, because thread=False keeps it '
            "where nothing can take over from it",
            "Leave out one of them, or make the function async",
        )

    def _is_overloaded(self) -> bool:
        if self.index is None or self.source is None:
            return False
        return any(one.is_overload for one in self.index.functions.all(self.source.qualname))

    def _unread_providers(self) -> list[Problem]:
        return [
            Problem(
                "unreadable-metadata",
                self._place(),
                f'The schema of type provider "{provider.name.rpartition(":")[2]}" '
                f"{provider.problem}",
                "Write the JSON Schema out in the class body",
            )
            for provider in self.lookup.used
            if provider.problem is not None
        ]

    def _unread_options(self) -> list[Problem]:
        return [
            Problem(
                "unreadable-metadata",
                place_of(option.node),
                f'Option "{name}" of tool "{self._name()}" is no literal, so it is not used',
                "The model sees it, so write a literal or a module constant",
            )
            for name, option in self.options.items()
            if option.unread
        ]

    # Parameters

    def _parameters(self, signed: Signature, types: dict[str, ir.Type]) -> list[ParameterFacts]:
        written = _by_name(self.source)
        ordered = _without_self(self.source, self.site)
        taken: set[str] = set()
        facts: list[ParameterFacts] = []
        exposed = 0
        for skeleton in self._with_extra_items(signed.parameters):
            source = self._source_of(skeleton, written, ordered)
            one = self._parameter(skeleton, source, types, taken, exposed)
            if one is not None:
                exposed += one.parameter is not None
                facts.append(one)
        return facts

    def _with_extra_items(self, skeletons: Sequence[Skeleton]) -> Sequence[Skeleton]:
        """And what `**kw: Unpack[TD]` takes beside the keys of its TypedDict."""
        last = skeletons[-1] if skeletons else None
        extra = self.objects.extra_of(last.unpacked) if last and last.unpacked else None
        if last is None or extra is None:
            return skeletons
        more = replace(
            last,
            name=last.source,
            kind="var_keyword",
            type=extra,
            required=False,
            losses=(),
            unpacked=None,
        )
        return [*skeletons, more]

    def _source_of(
        self,
        skeleton: Skeleton,
        written: Mapping[str, ParameterSource],
        ordered: Sequence[ParameterSource],
    ) -> ParameterSource | None:
        name = skeleton.source or skeleton.name
        if name is not None:
            return written.get(name)
        return ordered[skeleton.position] if skeleton.position < len(ordered) else None

    def _parameter(
        self,
        skeleton: Skeleton,
        source: ParameterSource | None,
        types: dict[str, ir.Type],
        taken: set[str],
        exposed: int,
    ) -> ParameterFacts | None:
        name = skeleton.name or (
            source.name if source is not None else f"arg{skeleton.position + 1}"
        )
        metadata, key_doc = self._said(name, skeleton, source)
        wanted = metadata.name or (f"arg{skeleton.position + 1}" if name == "_" else name)
        place = self._parameter_place(skeleton, source)
        if skeleton.injected is not None or metadata.inject is not None:
            return ParameterFacts(name, wanted, place, skeleton, metadata, source)
        if name in self.site.given:
            return None
        skeleton = self._made_good(self._provided(skeleton, metadata), metadata)
        node, misplaced = _laid(skeleton, metadata)
        wire = _free(wanted, taken)
        parameter: ir.Parameter = {
            "name": name,
            "wire": wire,
            "kind": skeleton.kind,
            "type": node,
            "required": skeleton.required,
        }
        described = source is not None and self._is_described(source)
        field_defaults.apply(parameter, metadata, source, described=described)
        doc = self._described(name, metadata, key_doc or self._comment(source))
        if doc is not None:
            parameter["doc"] = doc.text
            self._from(f"/parameters/{exposed}/doc", doc.origin, doc.module, doc.line)
        wrong = self._default(parameter, source, metadata, types)
        if wrong is not None and not described and "fill" in parameter:
            parameter["required"] = parameter.pop("fill")
        return ParameterFacts(
            name, wanted, place, skeleton, metadata, source, parameter, misplaced, wrong
        )

    def _provided(self, skeleton: Skeleton, metadata: Metadata) -> Skeleton:
        """The parameter with the type of the provider that its annotation names, if any."""
        if metadata.provider is None:
            return skeleton
        custom = self.lookup.named_provider(metadata.provider)
        if custom is None:
            return skeleton
        if skeleton.type["kind"] == "nullable":
            custom = {"kind": "nullable", "inner": custom}
        return replace(skeleton, type=custom, losses=())

    def _made_good(self, skeleton: Skeleton, metadata: Metadata) -> Skeleton:
        """Without the losses of types that mypy does not know and metadata does."""
        if not skeleton.losses:
            return skeleton
        known = {*restored(metadata), *self.objects.restored}
        losses = tuple(loss for loss in skeleton.losses if loss.where not in known)
        return replace(skeleton, losses=losses)

    def _metadata(self, source: ParameterSource | None) -> Metadata:
        if source is None or self.index is None:
            return NOTHING
        assert self.source is not None
        where = (self.index, self.source.scope, self.files, self.trail)
        return declared.joined(source.annotation, source.default, *where)

    def _is_described(self, source: ParameterSource) -> bool:
        """Whether `Field(…)` stands where its default stands."""
        if source.default is None or self.index is None or self.source is None:
            return False
        where = (self.index, self.source.scope, self.files, self.trail)
        return read_value(source.default, *where) is not None

    def _parameter_place(self, skeleton: Skeleton, source: ParameterSource | None) -> Place:
        if skeleton.node is not None and self.site.argument is None:
            return place_of(skeleton.node)
        if source is not None and self.site.argument is None:
            return Place(source.line, source.col)
        return place_of(self.site.node)

    def _said(
        self, name: str, skeleton: Skeleton, source: ParameterSource | None
    ) -> tuple[Metadata, Described | None]:
        """Metadata, and the description of a key of `**kw: Unpack[TD]` in its TypedDict."""
        if skeleton.unpacked is not None:
            return self.objects.key_of(skeleton.unpacked, name)
        return self._metadata(source), None

    def _described(
        self, name: str, metadata: Metadata, key_doc: Described | None
    ) -> Described | None:
        if metadata.description is not None:
            return _some(descriptions.of_metadata(metadata.description, metadata, self.site.home))
        entry = self._entry(name)
        if entry is not None and entry.text:
            return Described(entry.text, "docstring", self.doc_home, entry.line)
        return _some(key_doc or descriptions.of_alias(metadata))

    def _comment(self, source: ParameterSource | None) -> Described | None:
        """The `#:` comment beside or above a parameter."""
        if source is None or source.doc is None:
            return None
        return Described(prose(source.doc.text), "metadata", self.site.home, source.doc.line)

    def _entry(self, name: str) -> DocParam | None:
        return self.docstring.params.get(name)

    def _default(
        self,
        parameter: ir.Parameter,
        source: ParameterSource | None,
        metadata: Metadata,
        types: dict[str, ir.Type],
    ) -> WrongDefault | None:
        """Enters a literal default in its wire form; what is wrong with it, else."""
        if source is None or self.index is None or parameter["required"]:
            return None
        assert self.source is not None
        known = metadata.default if "fill" in parameter else None
        written = source.default or (source.annotation if known is not None else None)
        if written is None:
            return None
        if known is None:
            known = defaults.evaluate(
                written, self.index, self.source.scope, self.files, self.trail
            )
        if not isinstance(known, defaults.Known) or known.value is None:
            return None
        try:
            parameter["default"] = encode(known.value, parameter["type"], types)
        except NoForm:
            return None
        except Misfit as misfit:
            if misfit.by_type:
                return None
            return wrong_default(written, self.index, misfit, self.site.module)
        return None

    # What the schema was read from

    def _contribute(self) -> list[str]:
        if self.index is not None:
            self.contributions.add(self.site.home, [self.qualname] if self.source else [])
        for module, _, names in self.trail:
            self.contributions.add(module, names)
        for entry in self.table.entries.values():
            for origin in (entry.origin, *entry.mro):
                self.contributions.add(origin.module, [origin.qualname])
        mark_sources.contribute(self.site, self.source, self.files, self.contributions)
        return self.contributions.modules


def _laid(skeleton: Skeleton, metadata: Metadata) -> tuple[ir.Type, tuple[Misplaced, ...]]:
    """The parameter's type with its metadata; that of `*args: T` is said of one element."""
    node = skeleton.type
    if skeleton.kind == "var_positional" and node["kind"] == "array":
        items, misplaced = annotate(node["items"], metadata, described=False)
        return {**node, "items": items}, misplaced
    return annotate(node, metadata, described=False)


def _injected(facts: ParameterFacts) -> ir.Injected | None:
    if facts.parameter is not None:
        return None
    skeleton = facts.skeleton
    return {
        "name": facts.name,
        "how": skeleton.injected or facts.metadata.inject or "value",
        "kind": skeleton.kind,
        "position": skeleton.position,
        "required": skeleton.required,
    }


def _by_name(source: FunctionSource | None) -> dict[str, ParameterSource]:
    return {one.name: one for one in source.parameters} if source is not None else {}


def _without_self(source: FunctionSource | None, site: Site) -> Sequence[ParameterSource]:
    if source is None:
        return ()
    drop = site.definition is not None and bool(site.definition.info)
    static = site.definition is not None and site.definition.is_static
    return source.parameters[1:] if drop and not static else source.parameters


def _free(wire: str, taken: set[str]) -> str:
    """The name, or the first of `name_2`, `name_3`, … that is not taken."""
    free, number = wire, 2
    while free in taken:
        free, number = f"{wire}_{number}", number + 1
    taken.add(free)
    return free


def _some(found: Described | None) -> Described | None:
    return found if found is not None and found.text else None


def wrong_default(expr: ast.expr, index: ModuleIndex, misfit: Misfit, module: str) -> WrongDefault:
    """A default that does not fit, with the place where it is written."""
    place = expression_place(expr) if index.module == module else Place(1)
    return WrongDefault(index.segment(expr), str(misfit), place)
