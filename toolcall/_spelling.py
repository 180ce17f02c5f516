"""A syntax tree as text that every Python version writes alike, and the names in it.

`ast.dump` differs between versions, and tokens differ where f-strings are concerned. This
leaves out whatever is empty, so that the fields newer Pythons add to nodes do not show,
and writes constants by type and value.
"""

from __future__ import annotations

import ast
from keyword import iskeyword

_LEFT_OUT = ("ctx", "type_comment", "kind")

_MAX_QUOTED = 1000
"""The longest string that is tried as a postponed annotation."""


def spelling(node: ast.AST) -> str:
    """A syntax tree as text that every Python version writes alike."""
    return Speller().spell(node)


class Speller:
    """Spells trees, and gathers the names that they use as it goes.

    `names` holds those in string annotations too; the strings of a Literal are only strings.
    """

    __slots__ = ("names",)

    def __init__(self) -> None:
        self.names: set[str] = set()

    def spell(self, node: ast.AST) -> str:
        """The text of a tree."""
        if isinstance(node, ast.Name):
            self.names.add(node.id)
            return node.id
        if isinstance(node, ast.Constant):
            if type(node.value) is str:
                self._quoted(node.value)
            return _constant(node.value)
        if isinstance(node, ast.JoinedStr):
            return f"JoinedStr({self._joined(node.values)})"
        if isinstance(node, ast.Subscript) and _last_name(node.value) == "Literal":
            return f"Subscript(value={self.spell(node.value)}, slice={self._members(node.slice)})"
        kind = type(node)
        parts = []
        for name in _FIELDS.get(kind) or _fields(kind):
            value = getattr(node, name, None)
            if value is None or value == []:
                continue
            parts.append(f"{name}={self._field(value)}")
        return f"{kind.__name__}({', '.join(parts)})"

    def _field(self, value: object) -> str:
        if isinstance(value, ast.AST):
            return self.spell(value)
        if isinstance(value, list):
            items = ["-" if item is None else self._field(item) for item in value]
            return f"[{', '.join(items)}]"
        return _constant(value)

    def _joined(self, values: list[ast.expr]) -> str:
        """An f-string's parts; versions differ in how many pieces the plain text comes in."""
        parts: list[str] = []
        text = ""
        for value in values:
            if isinstance(value, ast.Constant):
                text += str(value.value)
                continue
            parts += [ascii(text), self.spell(value)]
            text = ""
        return ", ".join([*parts, ascii(text)])

    def _members(self, node: ast.expr) -> str:
        """What stands in the brackets of a Literal."""
        if isinstance(node, ast.Constant):
            return _constant(node.value)
        if isinstance(node, ast.Tuple) and node.elts:
            return f"Tuple(elts=[{', '.join(map(self._members, node.elts))}])"
        return self.spell(node)

    def _quoted(self, text: str) -> None:
        """The names of the expression that a string holds, where it may be an annotation."""
        if not text or len(text) > _MAX_QUOTED:
            return
        if text.isascii() and text.isidentifier():
            if not iskeyword(text):
                self.names.add(text)
            return
        try:
            self.spell(ast.parse(text.strip(), mode="eval").body)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return


_FIELDS: dict[type[ast.AST], list[str]] = {}
"""The fields that count, by class: asking each time what is left out takes longer."""


def _fields(kind: type[ast.AST]) -> list[str]:
    _FIELDS[kind] = kept = [name for name in kind._fields if name not in _LEFT_OUT]
    return kept


def _constant(value: object) -> str:
    """A constant by type and value; integers in hexadecimal, which has no length limit."""
    if type(value) is int:
        return hex(value)
    return ascii(value)


def _last_name(node: ast.AST) -> str:
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")
