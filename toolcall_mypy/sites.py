"""Where a function is marked as a tool: what the hooks of mypy say about it.

From a hook's context to a `Site`, by mypy's nodes alone. The decorator's own options are
read here as well, because only literal ones count and mypy has the call at hand.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from mypy.nodes import (
    Block,
    CallExpr,
    ClassDef,
    ComplexExpr,
    Context,
    Decorator,
    Expression,
    ExpressionStmt,
    ForStmt,
    FuncDef,
    IfStmt,
    Import,
    ImportAll,
    ImportBase,
    ImportFrom,
    IntExpr,
    ListExpr,
    MemberExpr,
    MypyFile,
    NameExpr,
    OverloadedFuncDef,
    RefExpr,
    Statement,
    StrExpr,
    TryStmt,
    TupleExpr,
    TypeInfo,
    Var,
    WhileStmt,
    WithStmt,
)
from mypy.types import (
    AnyType,
    CallableType,
    Instance,
    LiteralType,
    NoneType,
    ProperType,
    TupleType,
    Type,
    TypedDictType,
    TypeOfAny,
    UninhabitedType,
    UnionType,
    get_proper_type,
)

from toolcall_mypy import fullnames
from toolcall_mypy.derive.callables import behind, binding_of, single
from toolcall_mypy.records import field, record
from toolcall_mypy.variants import implementation

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator

    from toolcall_mypy.derive.callables import Binding
    from toolcall_mypy.reached import Reached

SHOWN: Final = ("name", "title", "description")
Shape: TypeAlias = Literal["function", "partial", "object"]

HINTS: Final = ("read_only", "destructive", "idempotent", "open_world")


@record
class Option:
    """One argument of the decorator that the model sees; `unread` where it is no literal."""

    value: object
    node: Context
    unread: bool = False


@record
class Site:
    """One mark.

    `line` orders the tools of a module. `definition` is the function as written, where
    mypy has parsed it in this run; `home` is the module it stands in, `owner` the class
    around it (of an object that can be called, its class). `given` are the names of
    arguments that a partial has bound already, `providers` the type providers that the
    mark names, as (module, qualified name), `untimed` a timeout that stands beside
    `thread=False`. `around` is the function in which a call stands, by qualified name.
    """

    module: str
    home: str
    line: int
    node: Context
    outer: ProperType | None
    definition: FuncDef | None
    owner: TypeInfo | None
    binding: Binding
    options: dict[str, Option] = field(default_factory=dict)
    argument: Expression | None = None
    shape: Shape = "function"
    given: frozenset[str] = frozenset()
    providers: tuple[tuple[str, str], ...] = ()
    untimed: Context | None = None
    around: str = ""

    @property
    def key(self) -> tuple[int, int]:
        """Tells the marks of one module apart."""
        return _key(self.node)


def _key(node: Context) -> tuple[int, int]:
    return (node.line, node.column)


def decorated(node: Decorator, outer: Type | None, module: str) -> Site:
    """The site of `@tool` or `@tool(...)` on a function in this module."""
    call = next(filter(None, map(_tool_call, node.original_decorators)), None)
    return Site(
        module=module,
        home=module,
        line=node.line,
        node=node,
        outer=None if outer is None else get_proper_type(outer),
        definition=node.func,
        owner=node.func.info or None,
        binding=binding_of(node.func),
        options=options_of(call),
        providers=providers_of(call),
        untimed=untimed(call),
    )


def called(
    node: CallExpr,
    outer: Type,
    module: str,
    behind_names: Callable[[Expression], Reached | None],
    around: str,
    *,
    is_settled: bool,
) -> Site | None:
    """The site of `tool(f)` or `tool(...)(f)`; None where mypy says itself that f is none.

    `behind_names` follows names to a function whose type has forgotten it; `is_settled` says
    that the argument stands for one function alone.
    """
    argument = node.args[0]
    proper = get_proper_type(outer)
    target = _target(argument, proper, behind_names, is_settled=is_settled)
    if target.definition is None and _is_refused(proper):
        return None
    definition = target.definition
    return Site(
        module=module,
        home=_home(target) or module,
        line=node.line,
        node=node,
        outer=proper,
        definition=definition,
        owner=target.owner,
        binding=target.binding,
        options=options_of(_tool_call(node.callee)),
        providers=providers_of(_tool_call(node.callee)),
        untimed=untimed(_tool_call(node.callee)),
        argument=argument,
        shape=target.shape,
        given=_given(argument) if target.shape == "partial" else frozenset(),
        around=around,
    )


@record
class _Target:
    """What a call marks: the function behind it, and how that is reached."""

    definition: FuncDef | None
    binding: Binding = "function"
    shape: Shape = "function"
    owner: TypeInfo | None = None


def _is_refused(outer: ProperType) -> bool:
    """Whether mypy has an error of its own at what is marked."""
    match outer:
        case AnyType(type_of_any=kind):
            return kind == TypeOfAny.from_error
        case Instance(type=cls):
            return cls.get("__call__") is None and cls.fullname != "builtins.function"
        case UnionType(items=items):
            return any(_is_refused(get_proper_type(item)) for item in items)
        case NoneType() | TupleType() | TypedDictType() | LiteralType() | UninhabitedType():
            return True
    return False


def _target(
    argument: Expression,
    outer: ProperType,
    behind_names: Callable[[Expression], Reached | None],
    *,
    is_settled: bool,
) -> _Target:
    if isinstance(outer, Instance) and outer.type.fullname == "functools.partial":
        return _Target(_partial_function(argument, outer, behind_names), "static", "partial")
    definition, is_bound = _function(argument, outer), _is_bound(argument)
    if not is_settled:
        definition = None
    elif definition is None:
        found = behind_names(argument)
        if found is not None:
            definition, is_bound = found.definition, found.is_bound
    if definition is None and isinstance(outer, Instance):
        symbol = outer.type.get("__call__")
        if symbol is not None:
            return _Target(implementation(symbol.node), "static", "object", outer.type)
    if definition is None or not definition.info:
        return _Target(definition)
    is_given = is_bound and isinstance(outer, CallableType)
    binding = "static" if is_given else binding_of(definition)
    return _Target(definition, binding, owner=definition.info)


def _partial_function(
    argument: Expression, outer: Instance, behind_names: Callable[[Expression], Reached | None]
) -> FuncDef | None:
    """The function inside a partial, as far as it can be seen from here."""
    if isinstance(argument, CallExpr) and argument.args:
        found = behind_names(argument.args[0])
        if found is not None:
            return found.definition
    rest = single(outer)
    return behind(rest) if rest is not None else None


def _given(argument: Expression) -> frozenset[str]:
    names = argument.arg_names if isinstance(argument, CallExpr) else ()
    return frozenset(name for name in names if name is not None)


def _home(target: _Target) -> str | None:
    if target.shape == "object" and target.owner is not None:
        return target.owner.module_name
    return module_of(target.definition) if target.definition is not None else None


def _decorators(block: Iterable[Statement | None]) -> Iterator[Decorator]:
    """Decorated functions at any depth of statements. (mypy's own visitors cannot be extended.)"""
    for node in block:
        match node:
            case Decorator():
                yield node
                yield from _decorators(node.func.body.body)
            case FuncDef():
                yield from _decorators(node.body.body)
            case OverloadedFuncDef():
                yield from _decorators([node.impl])
            case ClassDef():
                yield from _decorators(node.defs.body)
            case IfStmt():
                yield from _decorators([*node.body, node.else_body])
            case Block():
                yield from _decorators(() if node.is_unreachable else node.body)
            case WhileStmt() | ForStmt():
                yield from _decorators([node.body, node.else_body])
            case WithStmt():
                yield from _decorators([node.body])
            case TryStmt():
                parts = [node.body, *node.handlers, node.else_body, node.finally_body]
                yield from _decorators(parts)


def _is_mark(decorator: Expression) -> bool:
    callee = decorator.callee if isinstance(decorator, CallExpr) else decorator
    return isinstance(callee, RefExpr) and callee.fullname == fullnames.TOOL


def unchecked(tree: MypyFile, known: Collection[tuple[int, int]]) -> list[Site]:
    """Marks inside functions that mypy does not check, because they have no annotations."""
    return [
        decorated(node, None, tree.fullname)
        for node in _decorators(tree.defs)
        if _key(node) not in known and any(map(_is_mark, node.original_decorators))
    ]


def may_mark(tree: MypyFile) -> bool:
    """Whether a module imports anything of ours, and is none of our own."""
    return tree.fullname.partition(".")[0] != "toolcall" and any(map(_imports_us, tree.imports))


def _imports_us(node: ImportBase) -> bool:
    match node:
        case Import():
            return any(name.partition(".")[0] == "toolcall" for name, _ in node.ids)
        case ImportFrom() | ImportAll():
            return node.id.partition(".")[0] == "toolcall"
    return False


def options_of(call: CallExpr | None) -> dict[str, Option]:
    """The options that the model sees, as far as they are literal."""
    found: dict[str, Option] = {}
    if call is None:
        return found
    for name, value in zip(call.arg_names, call.args, strict=True):
        wanted = str if name in SHOWN else bool
        if name in SHOWN or name in HINTS:
            literal = literal_of(value)
            found[name] = Option(literal, value, unread=not isinstance(literal, wanted))
    return found


def untimed(call: CallExpr | None) -> Context | None:
    """The timeout of `tool(thread=False, timeout=…)`, which only async functions can keep."""
    if call is None:
        return None
    given = dict(zip(call.arg_names, call.args, strict=True))
    thread, timeout = given.get("thread"), given.get("timeout")
    if thread is None or timeout is None or literal_of(thread) is not False:
        return None
    is_none = isinstance(timeout, NameExpr) and timeout.fullname == "builtins.None"
    return None if is_none else timeout


def providers_of(call: CallExpr | None) -> tuple[tuple[str, str], ...]:
    """The classes in `types=[…]` of `tool(...)` or `use(...)`."""
    if call is None or "types" not in call.arg_names:
        return ()
    listed = call.args[call.arg_names.index("types")]
    items = listed.items if isinstance(listed, (ListExpr, TupleExpr)) else []
    callees = [item.callee if isinstance(item, CallExpr) else item for item in items]
    return tuple(
        (item.node.module_name, item.node.fullname.removeprefix(f"{item.node.module_name}."))
        for item in callees
        if isinstance(item, RefExpr) and isinstance(item.node, TypeInfo)
    )


def used_providers(tree: MypyFile) -> tuple[tuple[str, str], ...]:
    """The type providers of `use(__name__, types=[…])` in a module."""
    for statement in tree.defs:
        expr = statement.expr if isinstance(statement, ExpressionStmt) else None
        call = expr if isinstance(expr, CallExpr) else None
        callee = call.callee if call is not None else None
        if isinstance(callee, RefExpr) and callee.fullname == fullnames.USE:
            return providers_of(call)
    return ()


def literal_of(node: Expression) -> object:
    """The value of a literal expression; `...` for anything else."""
    match node:
        case StrExpr() | IntExpr() | ComplexExpr():
            return node.value
        case NameExpr(fullname="builtins.True"):
            return True
        case NameExpr(fullname="builtins.False"):
            return False
        case NameExpr(fullname="builtins.None"):
            return None
        case RefExpr(node=Var() as var) if var.is_final and var.final_value is not None:
            return var.final_value
    return ...


def module_functions(tree: MypyFile) -> Iterator[FuncDef | Decorator]:
    """Functions of a module's top level, the implementation of overloaded ones."""
    for symbol in tree.names.values():
        node = symbol.node
        if isinstance(node, OverloadedFuncDef):
            node = node.impl
        if (
            isinstance(node, (FuncDef, Decorator))
            and node.fullname.rpartition(".")[0] == tree.fullname
        ):
            yield node


def of_module(function: FuncDef | Decorator, module: str) -> Site:
    """The site of a function that `use(__name__)` makes a tool."""
    if isinstance(function, Decorator):
        return decorated(function, function.var.type if function.var.is_ready else None, module)
    return Site(
        module=module,
        home=module,
        line=function.line,
        node=function,
        outer=None,
        definition=function,
        owner=None,
        binding="function",
    )


def used(tree: MypyFile) -> Iterator[FuncDef | Decorator]:
    """The functions that `use(__name__)` makes tools: public, not hidden, not marked."""
    for function in module_functions(tree):
        if not function.name.startswith("_") and not (
            isinstance(function, Decorator) and any(map(_opts_out, function.original_decorators))
        ):
            yield function


def is_annotated(function: FuncDef | Decorator) -> bool:
    """Whether any parameter or the result has an annotation."""
    definition = function.func if isinstance(function, Decorator) else function
    return definition.unanalyzed_type is not None


def _opts_out(decorator: Expression) -> bool:
    callee = decorator.callee if isinstance(decorator, CallExpr) else decorator
    return isinstance(callee, RefExpr) and callee.fullname in (fullnames.TOOL, fullnames.HIDDEN)


def _tool_call(node: Expression) -> CallExpr | None:
    if isinstance(node, CallExpr) and isinstance(node.callee, RefExpr):
        return node if node.callee.fullname == fullnames.TOOL else None
    return None


def _function(argument: Expression, outer: ProperType) -> FuncDef | None:
    """The function that is marked by a call."""
    node: object = getattr(outer, "definition", None)
    if node is None and isinstance(argument, RefExpr):
        node = argument.node
    return implementation(node)


def module_of(function: FuncDef) -> str:
    """The module of a function by its full name; that of a method goes by its class."""
    if function.info:
        return function.info.module_name
    return function.fullname.rpartition(".")[0]


def _is_bound(argument: Expression) -> bool:
    """Whether `a.f` is a method of a value rather than a function of a module or class."""
    if not isinstance(argument, MemberExpr):
        return False
    owner = argument.expr
    return not (isinstance(owner, RefExpr) and isinstance(owner.node, (MypyFile, TypeInfo)))
