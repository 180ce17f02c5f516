"""What happens at a mark: the tool is assembled, collected and reported.

All marks of a module wait for its end and are then taken in step, which costs a fifth less
than taking each in between mypy's own work; a mark that mypy looks at several times is taken
as it was seen last. The daemon gives no sign when it checks a single function
again, so there each mark is taken at once.

Everything here does its work in `_guarded`: a fault of our own becomes a finding that
names the tool, and the run goes on. The file is imported when the first mark is met, since
most runs of mypy take every module from the cache and meet none.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from mypy.checker import TypeChecker
from mypy.errors import CompileError
from mypy.nodes import ARG_POS, CallExpr, Decorator
from mypy.types import Instance, get_proper_type

from toolcall._fingerprint import file_hash
from toolcall_mypy import calls, codes, lints, mark_sources, sites
from toolcall_mypy.assemble import Assembled, Assembling, assemble
from toolcall_mypy.collector import Collector, Entry, Unwritten, earlier, exposed
from toolcall_mypy.config import ConfigError
from toolcall_mypy.lints.finding import Place
from toolcall_mypy.lints.project import unwritten
from toolcall_mypy.lints.types import unannotated_function, unchecked_mark
from toolcall_mypy.places import name_place, place_of
from toolcall_mypy.reached import is_settled, reached
from toolcall_mypy.records import record
from toolcall_mypy.report import report
from toolcall_mypy.session import Session

if TYPE_CHECKING:
    from collections.abc import Callable

    from mypy.nodes import Expression, FuncDef, MypyFile
    from mypy.options import Options
    from mypy.plugin import FunctionContext, MethodContext
    from mypy.types import Type

    from toolcall_mypy.config import Config
    from toolcall_mypy.footprint import Footprints
    from toolcall_mypy.lints.finding import Finding
    from toolcall_mypy.reached import Reached
    from toolcall_mypy.sites import Site


@record
class Draft:
    """What one mark came to."""

    site: Site
    assembled: Assembled | None
    findings: list[Finding]


class Marking:
    """The marks of all modules that one plugin instance sees."""

    def __init__(
        self,
        options: Options,
        config: Config,
        footprints: Footprints,
        modules: dict[str, MypyFile],
        *,
        has_done: bool,
    ) -> None:
        self._daemon = options.fine_grained_incremental
        self._waits = has_done and not self._daemon
        self._config = config
        self._session = Session(options, config, modules)
        self._draft: Draft | None = None
        self._waiting: dict[str, dict[tuple[int, int], Site]] = {}
        self._unreported: dict[str, list[Finding]] = {}
        self._texts: dict[str, str] = {}
        self._apis: dict[str, TypeChecker] = {}
        self._collector = Collector(
            self._session,
            footprints,
            write_through=not has_done,
            keep=not has_done or self._daemon,
        )

    # Modules

    def modules(self, modules: dict[str, MypyFile]) -> None:
        """mypy has a new table of modules."""
        self._session.modules = modules

    def configured(self) -> None:
        """Reads what the configuration names. ConfigError where that does not exist."""
        self._session.configured()

    def begin(self, module: str) -> None:
        """The module was parsed anew."""
        self._session.refresh()
        self._collector.begin(module)

    def finish(self, file: MypyFile) -> None:
        """The module was checked to its end."""
        self._take_waiting(file.fullname, file.path)
        findings = self._unreported.pop(file.fullname, [])
        if sites.may_mark(file):
            findings += self._unchecked(file)
        self._report_late(file, findings)
        try:
            self._collector.done(file.fullname, file.path)
        except Exception as error:
            if _wants_traceback():
                raise
            if file.fullname not in self._apis:
                raise CompileError([f"{file.path}:1: error: {_one_line(error)}"]) from None
            self._report_late(file, self._unfinished(file, error))
        self._apis.pop(file.fullname, None)
        if self._daemon and self._has_new_text(file):
            self._renew_users(file)

    def _unchecked(self, file: MypyFile) -> list[Finding]:
        """Takes in what mypy does not look at; the findings of that."""
        known = self._collector.known(file.fullname)
        findings: list[Finding] = []
        for site in sites.unchecked(file, known):
            draft = self._at_once(site, file.path)
            self._collector.add(file.path, site, draft.assembled)
            findings += draft.findings
        index = self._session.files.index(file.fullname)
        unseen = () if index is None else mark_sources.unseen(index, self._session.files, known)
        faults = [
            unchecked_mark(
                Place(call.lineno, call.col_offset, call.end_lineno, call.end_col_offset), name
            )
            for call, name in unseen
        ]
        code = "missing-annotation"
        return findings + lints.graded(lints.LINTS[code], self._config.severity.get(code), faults)

    def _report_late(self, file: MypyFile, findings: list[Finding]) -> None:
        """Reports at the end of a module; mypy offers no way to where it met no mark in it."""
        api = self._apis.get(file.fullname)
        if api is not None and findings:
            api.errors.set_file(api.path, file.fullname, api.options)
            report(api, findings)

    def _unfinished(self, file: MypyFile, error: Exception) -> list[Finding]:
        if isinstance(error, Unwritten):
            fault = unwritten(Place(1), str(error))
            code = "invalid-config"
            return lints.graded(lints.LINTS[code], self._config.severity.get(code), [fault])
        lint = lints.LINTS["internal-error"]
        chosen = self._config.severity.get("internal-error")
        return lints.run(lint, chosen, Place(1), file.fullname, error)

    def _has_new_text(self, file: MypyFile) -> bool:
        """Whether the module was done before with another text, as only the daemon sees.

        Whoever used it in the same run has read the text that is there; assembling all users
        again after each module would take a large project hours.
        """
        try:
            with open(file.path, "rb") as opened:
                now = file_hash(opened.read())
        except OSError:
            return False
        before = self._texts.get(file.fullname, now)
        self._texts[file.fullname] = now
        return before != now

    def _renew_users(self, file: MypyFile) -> None:
        """Documentation may have changed here that tools of other modules show."""
        for buffer in self._collector.users(file.fullname):
            if not buffer.done:
                continue
            for entry in list(buffer.entries.values()):
                try:
                    again = assemble(entry.site, self._session)
                except Exception:
                    if _wants_traceback():
                        raise
                    again = None
                buffer.put(Entry(entry.site, again))
            self._collector.rewrite(buffer)

    # Tools

    def marked(self, ctx: FunctionContext | MethodContext) -> Type:
        """`@tool`, `@tool(...)` or `tool(f)` was checked."""
        if ctx.arg_types and ctx.arg_types[0]:
            site = self._site(ctx)
            if site is not None:
                self._tool(ctx, site)
            else:  # of a union, mypy has tried one member after the other before
                place = (ctx.context.line, ctx.context.column)
                self._waiting.get(_tree(ctx).fullname, {}).pop(place, None)
        return ctx.default_return_type

    def _site(self, ctx: FunctionContext | MethodContext) -> Site | None:
        module, outer = _tree(ctx).fullname, ctx.arg_types[0][0]
        if isinstance(ctx.context, Decorator):
            return sites.decorated(ctx.context, outer, module)
        if isinstance(ctx.context, CallExpr) and ctx.context.arg_kinds[0] == ARG_POS:
            assert isinstance(ctx.api, TypeChecker)
            type_of = ctx.api.lookup_type_or_none

            def behind_names(argument: Expression) -> Reached | None:
                return reached(argument, self._session, type_of)

            function = ctx.api.scope.top_level_function()
            around = function.fullname.removeprefix(f"{module}.") if function is not None else ""
            settled = is_settled(ctx.context.args[0], self._session, module, around)
            return sites.called(
                ctx.context, outer, module, behind_names, around, is_settled=settled
            )
        return None  # `tool(name=…)`: the call of its result is the mark

    def used(self, ctx: FunctionContext) -> Type:
        """`use(__name__)` was checked."""
        tree = _tree(ctx)
        if isinstance(ctx.context, CallExpr):
            for function in sites.used(tree):
                if sites.is_annotated(function):
                    self._tool(ctx, sites.of_module(function, tree.fullname))
                else:
                    report(ctx.api, self._not_used(function))
        return ctx.default_return_type

    def ran(self, ctx: FunctionContext) -> Type:
        """`run(...)` or `arun(...)` was checked."""
        self._call(ctx, has_args=True)
        return ctx.default_return_type

    def bound(self, ctx: FunctionContext) -> Type:
        """`caller(...)` was checked."""
        self._call(ctx, has_args=False)
        return ctx.default_return_type

    def built(self, ctx: FunctionContext) -> Type:
        """`Function(...)` or `FunctionParam(...)` was checked."""
        lint = lints.LINTS["invalid-function"]

        def check() -> list[Finding]:
            from toolcall_mypy.built import facts_of

            facts = facts_of(ctx, _made(ctx))
            chosen = self._config.severity.get(lint.code)
            return [] if facts is None else lints.run(lint, chosen, facts)

        self._reported(ctx, check)
        return ctx.default_return_type

    def gathered(self, ctx: FunctionContext) -> Type:
        """`Toolset(...)` was checked."""
        lint = lints.LINTS["duplicate-name"]

        def check() -> list[Finding]:
            from toolcall_mypy.toolsets import repeated

            faults = repeated(ctx.context, self._session, *self._own(ctx))
            return lints.graded(lint, self._config.severity.get(lint.code), faults)

        self._reported(ctx, check)
        return ctx.default_return_type

    def _call(self, ctx: FunctionContext, *, has_args: bool) -> None:
        def check() -> list[Finding]:
            call = ctx.context
            if not isinstance(call, CallExpr):
                return []
            facts = calls.facts_of(call, self._session, *self._own(ctx), has_args=has_args)
            return [] if facts is None else lints.check_call(facts, self._config)

        self._reported(ctx, check)

    def _own(self, ctx: FunctionContext) -> tuple[str, list[Assembled]]:
        """The module being checked, and its tools as far as they are known."""
        module = _tree(ctx).fullname
        self._take_waiting(module, ctx.api.path)
        return module, exposed(self._collector.buffer(module, ctx.api.path))

    def _reported(self, ctx: FunctionContext, check: Callable[[], list[Finding]]) -> None:
        """Reports what a check finds; a fault of its own is a finding too."""
        try:
            findings = check()
        except Exception as error:
            if _wants_traceback():
                raise
            lint = lints.LINTS["internal-error"]
            chosen = self._config.severity.get("internal-error")
            findings = lints.run(lint, chosen, place_of(ctx.context), "<call>", error)
        report(ctx.api, findings)

    def _tool(self, ctx: FunctionContext | MethodContext, site: Site) -> None:
        """One mark."""
        assert isinstance(ctx.api, TypeChecker)
        self._apis[site.module] = ctx.api
        if self._waits:
            self._waiting.setdefault(site.module, {})[site.key] = site
        else:
            self._tool_at_once(ctx, site)

    def _take_waiting(self, module: str, path: str) -> None:
        """Takes the marks that were met so far; what is found is reported at the module's end.

        Here mypy may be trying something, and hold back whatever is reported.
        """
        sites = [site for _, site in sorted(self._waiting.pop(module, {}).items())]
        known = self._collector.known(module)
        if any(site.key in known for site in sites):
            self._session.forget_classes(module)  # mypy has looked again, and knows more
        tools = [Assembling(site, self._session) for site in sites]
        going = tools
        while going:
            going = [one for one in going if one.step()]
        for site, one in zip(sites, tools, strict=True):
            draft = self._guarded(site, path, one.result)
            self._collector.add(path, site, draft.assembled)
            self._unreported.setdefault(module, []).extend(draft.findings)

    def _tool_at_once(self, ctx: FunctionContext | MethodContext, site: Site) -> None:
        """One mark while mypy checks it.

        mypy tries the variants of an overloaded decorator with errors held back. What we
        report then makes it try once more, this time in earnest; the tool is the same.
        """
        draft, self._draft = self._draft, None
        if draft is None or _is_tried(ctx) or draft.site.node is not site.node:
            draft = self._at_once(site, ctx.api.path)
            self._collector.add(ctx.api.path, site, draft.assembled)
        if _is_tried(ctx):
            self._draft = draft
        report(ctx.api, draft.findings)

    def _at_once(self, site: Site, path: str) -> Draft:
        return self._guarded(site, path, lambda: assemble(site, self._session))

    def _guarded(self, site: Site, path: str, make: Callable[[], Assembled]) -> Draft:
        try:
            assembled = make()
            buffer = self._collector.buffer(site.module, path)
            assembled.facts.earlier = earlier(buffer, site, assembled)
            findings = lints.check(assembled.facts)
            if not assembled.is_usable:
                findings = [one for one in findings if one.code == "unsupported-function"]
            return Draft(site, assembled, findings)
        except Exception as error:
            if _wants_traceback():
                raise
            return Draft(site, None, self._own_fault(site, error))

    def _not_used(self, function: FuncDef | Decorator) -> list[Finding]:
        definition = function.func if isinstance(function, Decorator) else function
        fault = unannotated_function(name_place(definition), definition.name)
        code = "missing-annotation"
        return lints.graded(lints.LINTS[code], self._config.severity.get(code), [fault])

    def _own_fault(self, site: Site, error: Exception) -> list[Finding]:
        if isinstance(error, ConfigError):  # in the daemon, where a provider may vanish
            return lints.run(lints.LINTS["invalid-config"], None, place_of(site.node), str(error))
        lint = lints.LINTS["internal-error"]
        chosen = self._config.severity.get("internal-error")
        name = site.definition.name if site.definition is not None else "<unknown>"
        return lints.run(lint, chosen, place_of(site.node), name, error)


def _made(ctx: FunctionContext) -> str:
    """The class whose constructor is called, by its name."""
    made = get_proper_type(ctx.default_return_type)
    assert isinstance(made, Instance)
    return made.type.name


def _tree(ctx: FunctionContext | MethodContext) -> MypyFile:
    # the plugin's interface does not name the module; the checker behind it does
    assert isinstance(ctx.api, TypeChecker)
    return ctx.api.tree


def _is_tried(ctx: FunctionContext | MethodContext) -> bool:
    """Whether mypy holds back what is reported now."""
    return bool(ctx.api.msg.errors._watchers)  # its reader is newer than the oldest mypy


def _one_line(error: Exception) -> str:
    said = (
        f"The sidecar cannot be written: {error}" if isinstance(error, Unwritten) else repr(error)
    )
    return f"{said}  [{codes.PREFIX}invalid-config]"


def _wants_traceback() -> bool:
    return bool(os.environ.get("TOOLCALL_TRACEBACK"))
