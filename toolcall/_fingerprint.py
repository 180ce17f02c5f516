"""Fingerprints: of a file's bytes, and of the declarations a schema was read from.

The first is the fast answer to "has anything changed". The second is asked when it
has: an edit of a body, a comment or the layout must not make a schema stale, and an
edit of anything that the schema says must.

A declaration is what a reader of the schema could notice: of a function its
decorators, signature and docstring; of a class its header, docstring, fields and the
signatures that construct it; of an assignment all of it, with the string literal
beneath and `#:` comments; of an import the one name it binds. Everything that these
name and the same module defines belongs to it, however far that goes.

1. Both sides of a condition count, with the condition: which one applies depends on
   the interpreter, and a committed sidecar must not.
2. The form that is hashed is a spelling of the syntax tree which leaves out whatever
   is empty, so that the fields newer Pythons add to nodes do not show. It knows
   nothing of spacing, quotes, brackets for grouping or trailing commas.
3. Names are resolved from the inside out, as a checker does for annotations. Where
   that is uncertain, more is included: at worst the checker has to be run again.
"""

from __future__ import annotations

import ast

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import TypeAlias, Union

    Function: TypeAlias = Union[ast.FunctionDef, ast.AsyncFunctionDef]

_CONSTRUCTORS = ("__init__", "__new__", "__post_init__", "__call__")
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_LOCALS = "<locals>"


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
    is not Python.
    """
    return Declarations(source_text).hash(names)


class Binding:
    """One statement that binds a name: its scope, and the conditions it stands under."""

    __slots__ = ("conditions", "following", "node", "scope", "text")

    def __init__(self, node: ast.stmt, scope: Scope, conditions: tuple[ast.AST | str, ...]) -> None:
        self.node = node
        self.scope = scope
        self.conditions = conditions
        self.following: ast.stmt | None = None
        self.text: tuple[str, list[ast.AST]] | None = None


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

    __slots__ = ("_lines", "_module", "_text")

    def __init__(self, source_text: str, tree: ast.Module | None = None) -> None:
        self._text = source_text
        self._lines: list[str] | None = None
        self._module = Scope("", None)
        _collect((tree or _parse(source_text)).body, self._module, ())

    def has(self, name: str) -> bool:
        """Whether the module defines this name or dotted qualname."""
        return bool(self._find(name))

    def hash(self, names: Iterable[str]) -> str:
        """The fingerprint of these declarations and of what they reach."""
        return blake2("\n".join(sorted(self._spelled(names))).encode("utf-8", "surrogatepass"))

    def _spelled(self, names: Iterable[str]) -> set[str]:
        spelled: set[str] = set()
        seen: set[int] = set()
        waiting: list[Binding] = []
        for name in names:
            found = self._find(name)
            waiting += found
            spelled |= {f"{name} documents itself: {self._doc(b)!a}" for b in found}
            if not found:
                spelled.add(f"{name} is not here")
        while waiting:
            binding = waiting.pop()
            if id(binding) in seen:
                continue
            seen.add(id(binding))
            if binding.text is None:
                binding.text = self._spell(binding)
            text, nodes = binding.text
            spelled.add(text)
            scope = self._names_scope(binding)
            for name in _names(nodes):
                waiting += _lookup(scope, name)
        return spelled

    def _doc(self, binding: Binding) -> str:
        """A function's docstring, which counts only where the function itself is named."""
        return (_docstring(binding.node.body) or "") if isinstance(binding.node, _FUNCTIONS) else ""

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

    def _spell(self, binding: Binding) -> tuple[str, list[ast.AST]]:
        """A binding's text, and the nodes whose names it reaches."""
        nodes: list[ast.AST] = [c for c in binding.conditions if isinstance(c, ast.AST)]
        where = [c if isinstance(c, str) else _spelling(c) for c in binding.conditions]
        node = binding.node
        if isinstance(node, _FUNCTIONS):
            parts = _signature(node)
        elif isinstance(node, ast.ClassDef):
            parts = self._class(node)
        else:
            parts = [node, self._comments(node), _beneath(binding.following)]
        nodes += [part for part in parts if isinstance(part, ast.AST)]
        spelled = [part if isinstance(part, str) else _spelling(part) for part in parts]
        return f"{binding.scope.path}{where} {spelled}", nodes

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

    def _comments(self, node: ast.stmt) -> str:
        """The `#:` comments right above a statement or at the end of its last line."""
        if "#:" not in self._text:
            return ""
        if self._lines is None:
            self._lines = ["", *self._text.replace("\r\n", "\n").split("\n")]
        lines, found = self._lines, list[str]()
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


def _inner(binding: Binding) -> Scope:
    """The scope that a function's or class's body makes."""
    node, scope = binding.node, binding.scope
    assert isinstance(node, (*_FUNCTIONS, ast.ClassDef))
    if id(node) not in scope.inner:
        step = "." if isinstance(node, ast.ClassDef) else f".{_LOCALS}."
        scope.inner[id(node)] = inner = Scope(f"{scope.path}{node.name}{step}", scope)
        _collect(node.body, inner, ())
    return scope.inner[id(node)]


def _collect(body: list[ast.stmt], scope: Scope, conditions: tuple[ast.AST | str, ...]) -> None:
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
    body: list[ast.stmt], conditions: tuple[ast.AST | str, ...]
) -> Iterator[tuple[ast.stmt, ast.stmt | None, tuple[ast.AST | str, ...]]]:
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


_BUILTINS = frozenset(dir(__import__("builtins")))


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
    """The string literal that stands right under an assignment."""
    return "" if following is None else f"doc {_docstring([following])!a}"


def _names(nodes: Iterable[ast.AST]) -> set[str]:
    """Every name that these nodes use, those in string annotations included."""
    found: set[str] = set()
    waiting = list(nodes)
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Name):
            found.add(node.id)
        elif isinstance(node, ast.Constant):
            waiting += _quoted(node.value)
        elif isinstance(node, ast.Subscript) and _last_name(node.value) == "Literal":
            waiting += [node.value, *_not_text(node.slice)]
        else:
            waiting += ast.iter_child_nodes(node)
    return found


def _quoted(value: object) -> list[ast.AST]:
    """The expression that a string holds where it may be a postponed annotation."""
    if not isinstance(value, str) or len(value) > 1000:
        return []
    try:
        return [ast.parse(value.strip(), mode="eval").body]
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []


def _last_name(node: ast.AST) -> str:
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


def _not_text(node: ast.expr) -> list[ast.expr]:
    """The members of a Literal that can name something; its strings are only strings."""
    members = node.elts if isinstance(node, ast.Tuple) else [node]
    return [member for member in members if not isinstance(member, ast.Constant)]


def _spelling(node: ast.AST) -> str:
    """A syntax tree as text that every Python version writes alike."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Constant):
        return _constant(node.value)
    if isinstance(node, ast.JoinedStr):
        return f"JoinedStr({_joined(node.values)})"
    parts = []
    for name in node._fields:
        value = getattr(node, name, None)
        if value is None or value == [] or name in ("ctx", "type_comment", "kind"):
            continue
        parts.append(f"{name}={_spelled_field(value)}")
    return f"{type(node).__name__}({', '.join(parts)})"


def _spelled_field(value: object) -> str:
    if isinstance(value, ast.AST):
        return _spelling(value)
    if isinstance(value, list):
        return f"[{', '.join('-' if item is None else _spelled_field(item) for item in value)}]"
    return _constant(value)


def _constant(value: object) -> str:
    """A constant by type and value; integers in hexadecimal, which has no length limit."""
    if type(value) is int:
        return hex(value)
    return ascii(value)


def _joined(values: list[ast.expr]) -> str:
    """An f-string's parts; versions differ in how many pieces the plain text comes in."""
    parts: list[str] = []
    text = ""
    for value in values:
        if isinstance(value, ast.Constant):
            text += str(value.value)
            continue
        parts += [ascii(text), _spelling(value)]
        text = ""
    return ", ".join([*parts, ascii(text)])
