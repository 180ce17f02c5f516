"""Parameters of tools that are built at run time, and the IR they become.

Owns `FunctionParam` and the rules for which of its parts go together. It must not know
`Function`, dispatch or vendors.

1. Every rule is checked when a parameter is made, and all that are broken are told at
   once: a definition that comes out of a database is corrected in one round.
2. What these few types cannot say (null, defaults, bounds, unions, arrays of arrays) is
   left to a JSON Schema: `Function(schema=…)`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, cast

from toolcall.errors import ToolDefinitionError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from toolcall import ir

    ParamType = Literal["string", "integer", "number", "boolean", "array", "object"]

TYPES = ("string", "integer", "number", "boolean", "array", "object")
_WITH_ENUM = ("string", "integer", "number")
_PYTHON_TYPES: dict[str, tuple[type, ...]] = {
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
}


@dataclass(frozen=True, slots=True)
class FunctionParam:
    """One parameter of a `Function`, or one property of an object parameter.

    Args:
        name: the property on the wire.
        type: one of `string`, `integer`, `number`, `boolean`, `array`, `object`.
        description: what the model reads about it.
        required: whether a call without it is refused.
        enum: the allowed values of a string, integer or number.
        item_type: the type of an array's elements; without it they may be anything.
        properties: the properties of an object, or of the objects in an array.

    Raises:
        ToolDefinitionError: the parts do not go together; `errors` has all reasons.
    """

    name: str
    type: ParamType
    description: str | None = None
    required: bool = False
    enum: Sequence[str | int | float] = ()
    item_type: ParamType | None = None
    properties: Sequence[FunctionParam] = ()

    def __post_init__(self) -> None:
        for part in ("enum", "properties"):
            given = getattr(self, part)
            if isinstance(given, (list, tuple)):
                object.__setattr__(self, part, tuple(given))
        errors = _errors(self)
        if errors:
            raise ToolDefinitionError(errors)

    def to_schema(self) -> dict[str, ir.Json]:
        """The JSON Schema of one value of this parameter."""
        return schema_of(self)


def _errors(param: FunctionParam) -> dict[str, list[str]]:
    """What is wrong, by part. A part of the wrong shape is not looked into further."""
    found = {
        "name": _name_errors(param.name),
        "type": _type_errors(param.type),
        "description": []
        if param.description is None or isinstance(param.description, str)
        else ["must be text"],
        "enum": _enum_errors(param),
        "item_type": _item_type_errors(param),
        "properties": _property_errors(param),
    }
    return {part: reasons for part, reasons in found.items() if reasons}


def _name_errors(name: object) -> list[str]:
    return [] if isinstance(name, str) and name.strip() else ["can't be blank"]


def _type_errors(type_: object) -> list[str]:
    return [] if type_ in TYPES else [f"must be one of {', '.join(TYPES)}, not {type_!r}"]


def _enum_errors(param: FunctionParam) -> list[str]:
    if not isinstance(param.enum, tuple):
        return ["must be a list of values"]
    if not param.enum:
        return []
    if param.type not in _WITH_ENUM:
        return [f"is not allowed for type {param.type!r}, only for {', '.join(_WITH_ENUM)}"]
    allowed = _PYTHON_TYPES[param.type]
    wrong = [v for v in param.enum if isinstance(v, bool) or not isinstance(v, allowed)]
    return [f"has values that are not of type {param.type!r}: {wrong!r}"] if wrong else []


def _item_type_errors(param: FunctionParam) -> list[str]:
    if param.item_type is None:
        return []
    if param.type != "array":
        return [f"is only allowed for arrays, not for type {param.type!r}"]
    return _type_errors(param.item_type)


def _property_errors(param: FunctionParam) -> list[str]:
    listed = param.properties
    if not isinstance(listed, tuple) or not all(isinstance(p, FunctionParam) for p in listed):
        return ["must be a list of FunctionParam"]
    if param.type == "object" and not listed:
        return ["is required for an object"]
    if param.type == "array" and param.item_type == "object" and not listed:
        return ["is required for an array of objects"]
    if listed and param.type != "object" and param.item_type != "object":
        return [f"is not allowed for type {param.type!r}"]
    return repeated(listed)


def repeated(params: Sequence[FunctionParam]) -> list[str]:
    """One reason for each name that is used more than once."""
    names = [param.name for param in params]
    return [
        f"{name!r} is given more than once"
        for name in dict.fromkeys(names)
        if names.count(name) > 1
    ]


# To the IR


def parameter(param: FunctionParam) -> ir.Parameter:
    """The parameter in the IR."""
    made: ir.Parameter = {
        "name": param.name,
        "wire": param.name,
        "kind": "keyword_only",
        "type": _type(param),
        "required": param.required,
    }
    if param.description:
        made["doc"] = param.description
    return made


def _type(param: FunctionParam) -> ir.Type:
    if param.enum:
        # One kind of number in JSON: 1.0 and 1 are the same choice.
        values = [int(v) if isinstance(v, float) and v.is_integer() else v for v in param.enum]
        return {"kind": "literal", "values": [{"value": value} for value in dict.fromkeys(values)]}
    if param.type == "array":
        return {"kind": "array", "items": _items(param), "cls": "list"}
    return _object(param) if param.type == "object" else _scalar(param.type)


def _scalar(type_: str) -> ir.Type:
    return cast("ir.Type", {"kind": type_})


def _items(param: FunctionParam) -> ir.Type:
    match param.item_type:
        case None:
            return {"kind": "any"}
        case "object":
            return _object(param)
        case "array":
            return {"kind": "array", "items": {"kind": "any"}, "cls": "list"}
        case scalar:
            return _scalar(scalar)


def _object(param: FunctionParam) -> ir.Type:
    return {
        "kind": "object",
        "style": "typeddict",
        "cls": "builtins:dict",
        "fields": [_field(property_) for property_ in param.properties],
    }


def _field(param: FunctionParam) -> ir.Field:
    made: ir.Field = {
        "name": param.name,
        "wire": param.name,
        "type": _type(param),
        "required": param.required,
    }
    if param.description:
        made["doc"] = param.description
    return made


# To JSON Schema


def schema_of(param: FunctionParam) -> dict[str, ir.Json]:
    """The schema of one parameter, with its description."""
    made: dict[str, ir.Json]
    made = object_schema(param.properties) if param.type == "object" else {"type": param.type}
    if param.enum:
        made["enum"] = list(param.enum)
    if param.item_type == "object":
        made["items"] = object_schema(param.properties)
    elif param.item_type is not None:
        made["items"] = {"type": param.item_type}
    if param.description:
        made["description"] = param.description
    return made


def object_schema(params: Sequence[FunctionParam]) -> dict[str, ir.Json]:
    """A closed object; `required` is always there, in declaration order."""
    return {
        "type": "object",
        "properties": {param.name: schema_of(param) for param in params},
        "required": [param.name for param in params if param.required],
        "additionalProperties": False,
    }
