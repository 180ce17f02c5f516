"""A JSON Schema that the user gave, cut to one dialect's subset.

Where the subset is the whole language it is passed on as it is, but for a root that the
vendor refuses (`_given_root`). Elsewhere keywords that the dialect does not take move into
the description when they constrain, are dropped when they only annotate, and under strict
are a `Loss` when leaving them out would change the shape; so is a reference that cannot be
followed. Under strict, objects that do not say otherwise are closed, as their authors nearly
always mean.

The user's schema is never changed: everything is built anew.
"""

from __future__ import annotations

from toolcall.formats._given_root import plain_root, target
from toolcall.formats._rendering import CONSTRAINTS, JSON_TYPES, Loss, copied, pointer
from toolcall.formats._sharing import INLINING_BUDGET

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypeAlias

    from toolcall.formats._dialect import Subset

    Schema: TypeAlias = dict[str, Any]

# Written for every dialect.
_KEPT = frozenset({"$ref", "description", "enum", "required", "type"})

# Of no consequence for what is valid.
_ANNOTATIONS = frozenset(
    {"$anchor", "$comment", "$id", "$schema", "deprecated", "discriminator", "examples"}
    | {"readOnly", "title", "writeOnly", "default"}
)

# Left out, they change which shapes are allowed.
_SHAPES = frozenset(
    {"allOf", "dependentRequired", "dependentSchemas", "else", "if", "not", "then"}
    | {"patternProperties", "unevaluatedItems", "unevaluatedProperties"}
)


def fit(schema: Schema, subset: Subset) -> tuple[Schema, list[Loss]]:
    """The schema under a subset, and what it could not say."""
    root, notes = plain_root(copied(schema), subset.root_refuses)
    if _is_everything(subset):
        _describe(root, notes)
        return root, []
    fitting = _Fitting(subset, root)
    fitted = fitting.node(root)
    fitted.setdefault("type", "object")
    _describe(fitted, notes)
    for keyword, _ in notes:
        fitting.lose("strict-keyword", f"{keyword} of the whole moves into the description")
        if not fitted.get("properties") and not subset.open:
            fitting.lose("strict-open-object", f"of {keyword} no property is known")
    return fitted, fitting.losses


def _is_everything(subset: Subset) -> bool:
    return subset.ref_siblings and subset.untyped and subset.null == "type"


class _Fitting:
    __slots__ = ("inlined", "losses", "open", "path", "root", "subset")

    def __init__(self, subset: Subset, root: Schema) -> None:
        self.subset = subset
        self.root = root
        self.path: list[str] = []
        # References that are being followed, and how many were, where none can be written.
        self.open: list[str] = []
        self.inlined = 0
        self.losses: list[Loss] = []

    def lose(self, code: str, reason: str) -> None:
        self.losses.append(Loss(pointer(self.path), code, reason))

    def node(self, schema: Any) -> Schema:
        if not isinstance(schema, dict) or not schema:
            if not self.subset.untyped:
                self.lose("strict-untyped", "a value of any type cannot be said")
            return {}
        if "$ref" in schema and self.subset.refs == "never":
            return self._inlined(schema)
        schema = self._rewritten(schema)
        fitted: Schema = {}
        notes: list[tuple[str, Any]] = []
        for keyword, value in schema.items():
            self._keyword(fitted, notes, keyword, value)
        self._closed(schema, fitted)
        self._typed(fitted)
        _describe(fitted, notes)
        return self._apart(fitted)

    def _inlined(self, schema: Schema) -> Schema:
        """What a reference names, written where it is used."""
        reference = schema["$ref"]
        named = target(self.root, reference)
        self.inlined += 1
        if named is None or reference in self.open or self.inlined > INLINING_BUDGET:
            self.lose("recursive-type", f"the $ref {reference} cannot be said")
            return {k: v for k, v in schema.items() if k == "description"}
        if not isinstance(named, dict):
            return self.node(named)
        self.open.append(reference)
        beside = {k: v for k, v in schema.items() if k != "$ref"}
        fitted = self.node({**named, **beside})
        self.open.pop()
        return fitted

    def _rewritten(self, schema: Schema) -> Schema:
        """The same meaning in fewer words: one choice is an enum, oneOf is anyOf."""
        schema = dict(schema)
        if "const" in schema:
            schema["enum"] = [schema.pop("const")]
        if "oneOf" in schema and "anyOf" not in schema:
            schema["anyOf"] = schema.pop("oneOf")
        whole = schema.get("allOf")
        if isinstance(whole, list) and len(whole) == 1 and isinstance(whole[0], dict):
            schema = {**whole[0], **{k: v for k, v in schema.items() if k != "allOf"}}
        return schema

    def _keyword(
        self, fitted: Schema, notes: list[tuple[str, Any]], keyword: str, value: Any
    ) -> None:
        subset = self.subset
        if keyword == "properties" and isinstance(value, dict):
            fitted[keyword] = {name: self._property(name, inner) for name, inner in value.items()}
        elif keyword == "anyOf" and isinstance(value, list):
            self._branches(fitted, value)
        elif keyword == "items" and isinstance(value, dict):
            fitted[keyword] = self.node(value)
        elif keyword == "prefixItems" and isinstance(value, list) and value:
            self._prefix(fitted, value, notes)
        elif keyword in {"$defs", "definitions"} and isinstance(value, dict):
            if subset.refs != "never":
                fitted[keyword] = {name: self.node(inner) for name, inner in value.items()}
        elif keyword == "additionalProperties":
            self._unknown_keys(fitted, value, notes)
        elif keyword == "$ref":
            fitted[keyword] = value
            if not subset.recursion and _leads_back(value, self.root):
                self.lose("recursive-type", f"what {value} names contains itself")
        elif keyword == "format":
            fits = subset.formats is None or value in subset.formats
            _keep(fitted, notes, keyword, value, fits=fits)
        elif keyword in _KEPT or keyword in subset.keywords:
            fitted[keyword] = value
        elif keyword in _SHAPES and not subset.untyped:
            self.lose("strict-keyword", f"{keyword} cannot be said")
            self.lose("strict-untyped", f"{keyword} would be lost")
        elif keyword not in _ANNOTATIONS:
            notes.append((keyword, value))

    def _property(self, name: str, schema: Any) -> Schema:
        self.path.append(name)
        fitted = self.node(schema)
        self.path.pop()
        return fitted

    def _branches(self, fitted: Schema, value: list[Any]) -> None:
        if self.subset.null == "keyword" and {"type": "null"} in value:
            fitted["nullable"] = True
            value = [branch for branch in value if branch != {"type": "null"}]
        branches = [self.node(branch) for branch in value]
        if len(branches) == 1 and "anyOf" not in branches[0]:
            fitted.update({k: v for k, v in branches[0].items() if k not in fitted})
        else:
            fitted["anyOf"] = branches

    def _prefix(self, fitted: Schema, value: list[Any], notes: list[tuple[str, Any]]) -> None:
        items = [self.node(item) for item in value]
        if "prefixItems" in self.subset.keywords:
            fitted["prefixItems"] = items
            return
        fitted.setdefault("items", {"anyOf": items} if len(items) > 1 else items[0])
        notes.append(("prefixItems", [item.get("type") for item in items]))

    def _unknown_keys(self, fitted: Schema, value: Any, notes: list[tuple[str, Any]]) -> None:
        if value is not False and not self.subset.open:
            self.lose("strict-open-object", "an object with unknown keys cannot be said")
        elif "additionalProperties" in self.subset.keywords:
            fitted["additionalProperties"] = self.node(value) if isinstance(value, dict) else value
        elif isinstance(value, dict):
            notes.append(("additionalProperties", value))

    def _closed(self, schema: Schema, fitted: Schema) -> None:
        if self.subset.open or schema.get("type") != "object":
            return
        if "properties" not in schema and "additionalProperties" not in schema and self.path:
            self.lose("strict-open-object", "an object with unknown keys cannot be said")
            return
        properties = fitted.setdefault("properties", {})
        fitted.setdefault("additionalProperties", False)
        if self.subset.optional == "null":
            required = schema.get("required")
            required = required if isinstance(required, list) else []
            for name, inner in properties.items():
                if name not in required:
                    properties[name] = _or_null(inner)
            fitted["required"] = list(properties)

    def _typed(self, fitted: Schema) -> None:
        if "enum" in fitted:
            kinds = fitted.pop("type", None) or _kinds(fitted["enum"])
            if self.subset.enum_type:
                fitted["type"] = kinds
        if fitted.get("type") == "array" and "items" not in fitted and self.subset.typed_items:
            self.lose("strict-untyped", "an array without items cannot be said")
        if not self.subset.untyped and not fitted.keys() & {"$ref", "anyOf", "enum", "type"}:
            self.lose("strict-untyped", "a value of any type cannot be said")

    def _apart(self, fitted: Schema) -> Schema:
        """A list of types as the dialect writes it; siblings of $ref around it."""
        if "$ref" in fitted and len(fitted) > 1 and not self.subset.ref_siblings:
            described = {k: v for k, v in fitted.items() if k == "description"}
            fitted = {**described, "anyOf": [{"$ref": fitted["$ref"]}]}
        kinds = fitted.get("type")
        if not isinstance(kinds, list) or self.subset.null == "type":
            return fitted
        return self._types_apart(fitted, kinds)

    def _types_apart(self, fitted: Schema, kinds: list[str]) -> Schema:
        rest = {k: v for k, v in fitted.items() if k not in {"type", "description"}}
        described = {k: v for k, v in fitted.items() if k == "description"}
        named = [kind for kind in kinds if kind != "null"]
        nullable = len(named) < len(kinds)
        if self.subset.null == "keyword":
            nulls = {"nullable": True} if nullable else {}
            if len(named) == 1:
                return {"type": named[0], **described, **rest, **nulls}
            return {**described, "anyOf": [{"type": kind, **rest} for kind in named], **nulls}
        branches: list[Schema] = [{"type": kind, **rest} for kind in named]
        if nullable:
            branches.append({"type": "null"})
        return {**described, "anyOf": branches}


def _leads_back(reference: Any, root: Schema) -> bool:
    """Whether a reference comes back to itself through whatever it names."""
    seen: set[str] = set()
    waiting = [target(root, reference)]
    while waiting:
        node = waiting.pop()
        if isinstance(node, dict):
            named = node.get("$ref")
            if named == reference:
                return True
            if isinstance(named, str) and named not in seen:
                seen.add(named)
                waiting.append(target(root, named))
            waiting += node.values()
        elif isinstance(node, list):
            waiting += node
    return False


def _keep(
    fitted: Schema, notes: list[tuple[str, Any]], keyword: str, value: Any, *, fits: bool
) -> None:
    if fits:
        fitted[keyword] = value
    else:
        notes.append((keyword, value))


def _describe(fitted: Schema, notes: list[tuple[str, Any]]) -> None:
    if not notes:
        return
    from json import dumps

    said = ", ".join(f"{name}={dumps(value, ensure_ascii=False)}" for name, value in notes)
    doc = fitted.get("description")
    fitted["description"] = f"{doc}\n{CONSTRAINTS}{said}" if doc else CONSTRAINTS + said


def _kinds(values: list[Any]) -> str | list[str]:
    """The type of an enum's values, or the list of their types."""
    kinds = list(dict.fromkeys(JSON_TYPES.get(type(value), "object") for value in values))
    return kinds[0] if len(kinds) == 1 else kinds


def _or_null(schema: Schema) -> Schema:
    """Nullable, once."""
    kind = schema.get("type")
    if "anyOf" in schema:
        if {"type": "null"} in schema["anyOf"]:
            return schema
        return {**schema, "anyOf": [*schema["anyOf"], {"type": "null"}]}
    if kind == "null" or (isinstance(kind, list) and "null" in kind):
        return schema
    if isinstance(kind, str) and kind not in {"object", "array"}:
        widened = {**schema, "type": [kind, "null"]}
        if "enum" in schema and None not in schema["enum"]:
            widened["enum"] = [*schema["enum"], None]
        return widened
    return {"anyOf": [schema, {"type": "null"}]}
