"""The declarations of one module, and their fingerprints.

A declaration is what a reader of a schema could notice: of a function its decorators,
signature and docstring; of a class its header, docstring, fields and the signatures that
construct it; of an assignment all of it, with the string literal beneath; of each the `#:`
comments that describe it; of an import the one name it binds. Everything that these name
and the same module defines belongs to it, however far that goes.

1. Both sides of a condition count, with the condition: which one applies depends on
   the interpreter, and a committed sidecar must not.
2. What is hashed is a spelling of the syntax tree (`toolcall._spelling`), which knows
   nothing of spacing, quotes, brackets for grouping or trailing commas.
3. A docstring counts where its function is named, not where a decorator or a default
   only uses it: such a function says nothing to a model.
4. Names are resolved from the inside out, as a checker does for annotations. Where
   that is uncertain, more is included: at worst the checker has to be run again.
5. A call that marks a tool (`tool(partial(f, unit="C"))`) has no name. It goes by the
   fingerprint of its own spelling (`call_name`): it is there word for word, or gone.

This loads `ast`, so the runtime comes here only when a file has changed.
"""

from __future__ import annotations

import ast

from toolcall._fingerprint import blake2
from toolcall._spelling import Speller, spelling

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import TypeAlias, Union

    Function: TypeAlias = Union[ast.FunctionDef, ast.AsyncFunctionDef]
    Conditions: TypeAlias = tuple[Union[ast.AST, str], ...]

_CONSTRUCTORS = ("__init__", "__new__", "__post_init__", "__call__")
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_LOCALS = "<locals>"
_CALL = "call "
_UNDOCUMENTED = "()"
_BUILTINS = frozenset(dir(__import__("builtins")))


def call_name(call: ast.Call) -> str:
    """The name of a call among the declarations of its module."""
    return f"{_CALL}{_digest(spelling(call))}"


def undocumented(name: str) -> str:
    """The name of a declaration of which the docstring does not count."""
    return f"{name}{_UNDOCUMENTED}"


class Binding:
    """One statement that binds a name: its scope, and the conditions it stands under.

    `text` and `reached` (the bindings of the names in it) are found when first asked for.
    """

    __slots__ = ("conditions", "following", "node", "reached", "scope", "text")

    def __init__(self, node: ast.stmt, scope: Scope, conditions: Conditions) -> None:
        self.node = node
        self.scope = scope
        self.conditions = conditions
        self.following: ast.stmt | None = None
        self.text = ""
        self.reached: list[Binding] | None = None


class Scope:
    """The names that a module, class or function body binds. Its inner scopes are made late."""

    __slots__ = ("bindings", "inner", "outer", "path", "stars")

    def __init__(self, path: str, outer: Scope | None) -> None:
        self.path = path
        self.outer = outer
        self.bindings: dict[str, list[Binding]] = {}
        self.inner: dict[int, Scope] = {}
        self.stars: list[Binding] = []


class Declarations:
    """The declarations of one module's text, for any number of fingerprints."""

    __slots__ = ("_calls", "_lines", "_marks_comments", "_module", "_offered", "_text", "_tree")

    def __init__(self, source_text: str, tree: ast.Module | None = None) -> None:
        self._text = source_text
        self._marks_comments = "#:" in source_text
        self._tree = tree or _parse(source_text)
        self._lines: list[str] | None = None
        self._calls: dict[str, list[Binding]] | None = None
        self._module = Scope("", None)
        _collect(self._tree.body, self._module, ())
        self._offered = [Binding(node, self._module, ()) for node in _offers(self._tree.body)]

    def clear(self) -> None:
        """Let go of the tree. Scopes and bindings know one another, and would keep it alive."""
        self._module.bindings.clear()
        self._module.inner.clear()
        self._offered.clear()

    def has(self, name: str) -> bool:
        """Whether the module defines this name or dotted qualname."""
        return bool(self._find(name))

    def lines(self, name: str) -> list[int]:
        """Where the definitions of this name start, their decorators included."""
        return sorted(_first_line(binding.node) for binding in self._find(name))

    def hash(self, names: Iterable[str]) -> str:
        """The fingerprint of these declarations and of what they reach."""
        return _digest("\n".join(sorted(self._spelled(names))))

    def _spelled(self, names: Iterable[str]) -> set[str]:
        spelled: set[str] = set()
        seen: set[int] = set()
        waiting = self._offered.copy()
        for name in names:
            found = self._named(name)
            waiting += found
            if not name.endswith(_UNDOCUMENTED):
                spelled |= {f"{name} documents itself: {self._doc(b)!a}" for b in found}
            if not found:
                spelled.add(f"{name} is not here")
        while waiting:
            binding = waiting.pop()
            if id(binding) in seen:
                continue
            seen.add(id(binding))
            if binding.reached is None:
                speller = Speller()
                binding.text = self._spell(binding, speller)
                scope = self._names_scope(binding)
                binding.reached = [b for name in speller.names for b in _lookup(scope, name)]
            spelled.add(binding.text)
            waiting += binding.reached
        return spelled

    def _doc(self, binding: Binding) -> str:
        """A function's docstring, which counts only where the function itself is named."""
        return (_docstring(binding.node.body) or "") if isinstance(binding.node, _FUNCTIONS) else ""

    def _named(self, name: str) -> list[Binding]:
        """What a name stands for among those that are hashed."""
        if name.startswith(_CALL):
            return self._called().get(name, [])
        name = name.removesuffix(_UNDOCUMENTED)
        return self._find(name) or ([] if "." in name else self._module.stars)

    def _called(self) -> dict[str, list[Binding]]:
        """All calls of the module by their names."""
        if self._calls is None:
            self._calls = {}
            for call, scope in _calls(self._tree, self._module):
                binding = Binding(ast.Expr(call), scope, ())
                self._calls.setdefault(call_name(call), []).append(binding)
        return self._calls

    def _find(self, qualname: str) -> list[Binding]:
        scopes, found = [self._module], list[Binding]()
        parts = [part for part in qualname.split(".") if part != _LOCALS]
        for at, part in enumerate(parts):
            found = [b for scope in scopes for b in scope.bindings.get(part, ())]
            if at + 1 < len(parts):
                scopes = [
                    _inner(b) for b in found if isinstance(b.node, (*_FUNCTIONS, ast.ClassDef))
                ]
        return found

    def _names_scope(self, binding: Binding) -> Scope:
        """Where the names in a declaration are looked up first: a class sees its own body."""
        return _inner(binding) if isinstance(binding.node, ast.ClassDef) else binding.scope

    def _spell(self, binding: Binding, speller: Speller) -> str:
        """A binding's text; the speller gets the names that it reaches."""
        spell = speller.spell
        where = [c if isinstance(c, str) else spell(c) for c in binding.conditions]
        node = binding.node
        if isinstance(node, _FUNCTIONS):
            parts = [*_signature(node), *self._header_comments(node)]
        elif isinstance(node, ast.ClassDef):
            parts = self._class(node)
        elif isinstance(node, (ast.Import, ast.ImportFrom, ast.Expr)):
            parts = [node]
        else:
            parts = [node, self._comments(node), _beneath(binding.following)]
        spelled = [part if isinstance(part, str) else spell(part) for part in parts]
        return f"{binding.scope.path}{where} {spelled}"

    def _class(self, node: ast.ClassDef) -> list[ast.AST | str]:
        parts: list[ast.AST | str] = [f"class {node.name}", *node.decorator_list, *node.bases]
        parts += [*node.keywords, *getattr(node, "type_params", ())]
        parts.append(f"doc {_docstring(node.body)!a}")
        for statement, following, _ in _statements(node.body, ()):
            if isinstance(statement, (ast.Assign, ast.AnnAssign)):
                parts += [statement, self._comments(statement), _beneath(following)]
            elif isinstance(statement, _FUNCTIONS) and statement.name in _CONSTRUCTORS:
                parts += _signature(statement)
        return parts

    def _numbered(self) -> list[str]:
        """The module's lines, counted from 1."""
        if self._lines is None:
            self._lines = ["", *self._text.replace("\r\n", "\n").split("\n")]
        return self._lines

    def _header_comments(self, node: Function) -> list[ast.AST | str]:
        """The `#:` comments among the parameters of a function."""
        if not self._marks_comments:
            return []
        header = self._numbered()[node.lineno : node.body[0].lineno]
        return [line[line.index("#:") :].rstrip() for line in header if "#:" in line]

    def _comments(self, node: ast.stmt) -> str:
        """The `#:` comments right above a statement or at the end of its last line."""
        if not self._marks_comments:
            return ""
        lines, found = self._numbered(), list[str]()
        above = node.lineno - 1
        while above > 0 and lines[above].lstrip().startswith("#:"):
            found.insert(0, lines[above].strip())
            above -= 1
        end = node.end_lineno or node.lineno
        rest = lines[end].encode()[node.end_col_offset or 0 :].decode(errors="replace")
        if rest.lstrip().startswith("#:"):
            found.append(rest.strip())
        return "\n".join(found)


def _parse(text: str) -> ast.Module:
    try:
        return ast.parse(text)
    except (ValueError, RecursionError, MemoryError) as error:
        raise SyntaxError(str(error) or "nested too deeply") from None


def _first_line(node: ast.stmt) -> int:
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    return decorators[0].lineno if decorators else node.lineno


def _digest(text: str) -> str:
    return blake2(text.encode("utf-8", "surrogatepass"))


def _calls(tree: ast.Module, module: Scope) -> Iterator[tuple[ast.Call, Scope]]:
    """Every call of a module, with the scope around it."""
    waiting: list[tuple[ast.AST, Scope]] = [(tree, module)]
    while waiting:
        node, scope = waiting.pop()
        if isinstance(node, ast.Call):
            yield node, scope
        if isinstance(node, (*_FUNCTIONS, ast.ClassDef)):
            scope = _inner(Binding(node, scope, ()))
        waiting += [(child, scope) for child in ast.iter_child_nodes(node)]


def _offers(body: list[ast.stmt]) -> Iterator[ast.Expr]:
    """The statements `use(__name__, types=[…])`, which change what every tool takes."""
    for statement in body:
        if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
            call = statement.value
            named = getattr(call.func, "id", getattr(call.func, "attr", None)) == "use"
            if named and any(keyword.arg == "types" for keyword in call.keywords):
                yield statement


def _inner(binding: Binding) -> Scope:
    """The scope that a function's or class's body makes."""
    node, scope = binding.node, binding.scope
    assert isinstance(node, (*_FUNCTIONS, ast.ClassDef))
    if id(node) not in scope.inner:
        step = "." if isinstance(node, ast.ClassDef) else f".{_LOCALS}."
        scope.inner[id(node)] = inner = Scope(f"{scope.path}{node.name}{step}", scope)
        _collect(node.body, inner, ())
    return scope.inner[id(node)]


def _collect(body: list[ast.stmt], scope: Scope, conditions: Conditions) -> None:
    for statement, following, under in _statements(body, conditions):
        bound = list(_bound(statement))
        if not bound:
            continue
        for name, node in bound:
            binding = Binding(node, scope, under)
            binding.following = following
            if name == "*":
                scope.stars.append(binding)
            else:
                scope.bindings.setdefault(name, []).append(binding)


def _statements(
    body: list[ast.stmt], conditions: Conditions
) -> Iterator[tuple[ast.stmt, ast.stmt | None, Conditions]]:
    """Every simple statement or definition of a body, with its successor and its conditions."""
    for at, statement in enumerate(body):
        yield statement, body[at + 1] if at + 1 < len(body) else None, conditions
        test = getattr(statement, "test", None)
        under = (*conditions, test) if isinstance(test, ast.AST) else conditions
        if isinstance(statement, (*_FUNCTIONS, ast.ClassDef)):
            continue
        for part in ("body", "orelse", "finalbody"):
            block = getattr(statement, part, None)
            if block:
                yield from _statements(block, (*under, part))
        for inner in (*getattr(statement, "handlers", ()), *getattr(statement, "cases", ())):
            yield from _statements(inner.body, (*under, type(inner).__name__))


def _bound(statement: ast.stmt) -> Iterator[tuple[str, ast.stmt]]:
    """The names a statement binds, each with the part of it that does so."""
    if isinstance(statement, (*_FUNCTIONS, ast.ClassDef)):
        yield statement.name, statement
    elif isinstance(statement, ast.Assign):
        for target in statement.targets:
            for node in ast.walk(target):
                if isinstance(node, ast.Name):
                    yield node.id, statement
    elif isinstance(statement, (ast.AnnAssign, ast.AugAssign)):
        if isinstance(statement.target, ast.Name):
            yield statement.target.id, statement
    elif isinstance(statement, ast.Import):
        for alias in statement.names:
            yield alias.asname or alias.name.split(".")[0], ast.Import(names=[alias])
    elif isinstance(statement, ast.ImportFrom):
        for alias in statement.names:
            one = ast.ImportFrom(statement.module, [alias], statement.level)
            yield alias.asname or alias.name, one
    elif type(statement).__name__ == "TypeAlias":
        yield statement.name.id, statement  # type: ignore[attr-defined]


def _lookup(scope: Scope | None, name: str) -> list[Binding]:
    """What a name may stand for: the innermost scope's bindings, else the star imports."""
    stars: list[Binding] = []
    while scope is not None:
        if name in scope.bindings:
            return scope.bindings[name]
        stars += scope.stars
        scope = scope.outer
    return [] if name in _BUILTINS else stars


def _signature(node: Function) -> list[ast.AST | str]:
    kind = "async def" if isinstance(node, ast.AsyncFunctionDef) else "def"
    parts: list[ast.AST | str] = [f"{kind} {node.name}", *node.decorator_list, node.args]
    parts += [*getattr(node, "type_params", ()), "->"]
    return parts if node.returns is None else [*parts, node.returns]


def _docstring(body: list[ast.stmt]) -> str | None:
    first = body[0] if body else None
    if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
        text = first.value.value
        return text if isinstance(text, str) else None
    return None


def _beneath(following: ast.stmt | None) -> str:
    """The string literal that stands right under an assignment; any other statement is none."""
    text = None if following is None else _docstring([following])
    return "" if text is None else f"doc {text!a}"
