"""JSON Schemas generated from types, so that the API's description always matches the code."""

from types import NoneType, UnionType
from typing import Annotated, Any, Literal, NotRequired, get_args, get_origin, get_type_hints, is_typeddict

Schema = dict[str, Any]

_NAMES = {str: "string", float: "number", int: "integer", bool: "boolean", NoneType: "null"}


def schema(kind: Any) -> Schema:
    """Return the JSON Schema of a type: a TypedDict, a list, a union, literals or a plain type, with annotations."""
    origin, arguments = get_origin(kind), get_args(kind)
    if origin is Annotated:
        plain, *notes = arguments
        described = schema(plain)
        for note in notes:
            described |= {"description": note} if isinstance(note, str) else note
        return described
    if kind is Any:
        return {}
    if origin is dict:
        return {"type": "object"} if arguments[1] is Any else values_of(arguments[1])
    if is_typeddict(kind):
        return _object(kind)
    if origin is list:
        return {"type": "array", "items": schema(arguments[0])}
    if origin is Literal:
        return {"type": _NAMES[type(arguments[0])], "enum": list(arguments)}
    if origin is UnionType:
        if all(each in _NAMES for each in arguments):
            return {"type": [_NAMES[each] for each in arguments]}
        return {"anyOf": [schema(each) for each in arguments]}
    return {"type": _NAMES[kind]}


def values_of(kind: Any) -> Schema:
    """Return the schema of an object with any names and values of this type."""
    return {"type": "object", "additionalProperties": schema(kind)}


def _object(kind: Any) -> Schema:
    fields = get_type_hints(kind, include_extras=True)
    plain = {name: get_args(field)[0] if get_origin(field) is NotRequired else field for name, field in fields.items()}
    return {
        "type": "object",
        "required": [name for name in fields if name in kind.__required_keys__],
        "properties": {name: schema(field) for name, field in plain.items()},
    }
