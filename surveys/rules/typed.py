"""A check that JSON data has a type: a TypedDict, a list, a union, literal values or a plain type."""

from types import NoneType, UnionType
from typing import Any, Literal, get_args, get_origin, get_type_hints, is_typeddict


def fits(value: object, hint: Any, others: bool = False) -> bool:
    """Return whether the value has the type `hint`. `others`: an object may have further fields of any type."""
    origin, arguments = get_origin(hint), get_args(hint)
    if hint is Any:
        return True
    if origin is UnionType:
        return any(fits(value, each, others) for each in arguments)
    if origin is Literal:
        return value in arguments
    if origin is list:
        return isinstance(value, list) and all(fits(each, arguments[0], others) for each in value)
    if origin is dict:
        return isinstance(value, dict) and all(fits(each, arguments[1], others) for each in value.values())
    if is_typeddict(hint):
        return _fits_object(value, hint, others)
    if hint is NoneType:
        return value is None
    return type(value) in ((int, float) if hint is float else (hint,))


def _fits_object(value: object, kind: Any, others: bool) -> bool:
    fields = get_type_hints(kind)
    if not isinstance(value, dict) or not kind.__required_keys__ <= value.keys():
        return False
    known = value.keys() & fields.keys()
    return (others or known == value.keys()) and all(fits(value[name], fields[name], others) for name in known)
