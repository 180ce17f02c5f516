"""A syntax tree as text that every Python version writes alike, and the names in it.

`ast.dump` differs between versions, and tokens differ where f-strings are concerned. This
leaves out whatever is empty, so that the fields newer Pythons add to nodes do not show,
and writes constants by type and value.
"""

from __future__ import annotations

import ast
from keyword import iskeyword

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

_LEFT_OUT = ("ctx", "type_comment", "kind")

_MAX_QUOTED = 1000
"""The longest string that is tried as a postponed annotation."""


def spelling(node: ast.AST) -> str:
    """A syntax tree as text that every Python version writes alike."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Constant):
        return _constant(node.value)
    if isinstance(node, ast.JoinedStr):
        return f"JoinedStr({_joined(node.values)})"
    kind = type(node)
    parts = []
    for name in _FIELDS.get(kind) or _fields(kind):
        value = getattr(node, name, None)
        if value is None or value == []:
            continue
        parts.append(f"{name}={_spelled_field(value)}")
    return f"{kind.__name__}({', '.join(parts)})"


_FIELDS: dict[type[ast.AST], list[str]] = {}
"""The fields that count, by class: asking each time what is left out takes longer."""


def _fields(kind: type[ast.AST]) -> list[str]:
    _FIELDS[kind] = kept = [name for name in kind._fields if name not in _LEFT_OUT]
    return kept


def _spelled_field(value: object) -> str:
    if isinstance(value, ast.AST):
        return spelling(value)
    if isinstance(value, list):
        items = ["-" if item is None else _spelled_field(item) for item in value]
        return f"[{', '.join(items)}]"
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
        parts += [ascii(text), spelling(value)]
        text = ""
    return ", ".join([*parts, ascii(text)])


def names_in(nodes: Iterable[ast.AST]) -> set[str]:
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
            _children(node, waiting)
    return found


def _children(node: ast.AST, found: list[ast.AST]) -> None:
    """The nodes right below one; `ast.iter_child_nodes` is three times as slow."""
    kind = type(node)
    for name in _FIELDS.get(kind) or _fields(kind):
        value = getattr(node, name, None)
        if type(value) is list:
            found += [item for item in value if isinstance(item, ast.AST)]
        elif isinstance(value, ast.AST):
            found.append(value)


def _quoted(value: object) -> list[ast.AST]:
    """The expression that a string holds where it may be a postponed annotation."""
    if not isinstance(value, str) or not value or len(value) > _MAX_QUOTED:
        return []
    if value.isascii() and value.isidentifier():
        return [] if iskeyword(value) else [ast.Name(value)]
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
