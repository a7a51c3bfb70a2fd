"""The published estimates and the definition in the OpenAPI description, from the types of the documents
(ldp/document.py, surveys/definition/document.py)."""

from types import NoneType, UnionType
from typing import Annotated, Any, NotRequired, get_args, get_origin, get_type_hints, is_typeddict

from ldp.document import Document
from surveys.definition.document import Definition

Schema = dict[str, Any]

CSV = (
    "One row per question, method, option, target and confidence. An estimate stands in as many rows as it has targets "
    "and confidences: keep one of each before adding anything up, and the rows with default_method, since other "
    "methods repeat the same reports. n is the number of reports of the survey, n_about that of the reports that the "
    "row is about. Where quantity is share, estimates are fractions of 1; where it is mean, they are numbers in the "
    "unit, on the scale from scale_low to scale_high. Cells that do not apply are empty. columns.csv among the "
    "downloads says what each column holds."
)

_NAMES = {str: "string", float: "number", int: "integer", bool: "boolean", NoneType: "null"}


def schema(kind: Any) -> Schema:
    """The JSON Schema of a type: a TypedDict, a list, a union, a plain one; annotations add to it."""
    origin, arguments = get_origin(kind), get_args(kind)
    if origin is Annotated:
        plain, *notes = arguments
        described = schema(plain)
        for note in notes:
            described |= {"description": note} if isinstance(note, str) else note
        return described
    if origin is dict:
        return {"type": "object"}
    if is_typeddict(kind):
        return _object(kind)
    if origin is list:
        return {"type": "array", "items": schema(arguments[0])}
    if origin is UnionType:
        if not all(each in _NAMES for each in arguments):
            return {"anyOf": [schema(each) for each in arguments]}
        return {"type": [_NAMES[each] for each in arguments]}
    return {"type": _NAMES[kind]}


def _object(kind: Any) -> Schema:
    fields = get_type_hints(kind, include_extras=True)
    plain = {name: get_args(field)[0] if get_origin(field) is NotRequired else field for name, field in fields.items()}
    return {
        "type": "object",
        "required": [name for name in fields if name in kind.__required_keys__],
        "properties": {name: schema(field) for name, field in plain.items()},
    }


ESTIMATES = schema(Document)
DEFINITION = schema(Definition)
