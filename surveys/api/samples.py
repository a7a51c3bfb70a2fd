"""Examples of answers, and their fields in words, both generated from the JSON Schema."""

from collections.abc import Iterator
from typing import Any, NamedTuple

Schema = dict[str, Any]

_PLAIN: dict[str, Any] = {"string": "…", "integer": 1, "number": 0.25, "boolean": True, "null": None}


def sample(schema: Schema) -> Any:
    """Return an example of this schema, the schema's first one if any."""
    for keyword in ("examples", "enum"):
        if keyword in schema:
            return schema[keyword][0]
    for keyword in ("const", "example", "default"):
        if keyword in schema:
            return schema[keyword]
    if "anyOf" in schema:
        return sample(schema["anyOf"][0])
    kind = _kinds(schema)[0]
    if kind == "object":
        return {name: sample(field) for name, field in schema.get("properties", {}).items()}
    if kind == "array":
        return [sample(schema["items"])] * schema.get("minItems", 1) if "items" in schema else []
    return _PLAIN[kind]


class SchemaField(NamedTuple):
    """`name` begins with the names of the enclosing fields, with [] after lists."""

    name: str
    kind: str
    description: str


def fields(schema: Schema, above: str = "") -> Iterator[SchemaField]:
    """Yield the fields of an object, or of the objects in a list, with nested fields."""
    schema = _inner(schema)
    for name, field in schema.get("properties", {}).items():
        required = name in schema.get("required", ())
        kind = words(field) + ("" if required else ", or absent")
        yield SchemaField(above + name, kind, field.get("description", ""))
        inner = _inner(field)
        yield from fields(inner, f"{above}{name}{'[]' if inner is not field and 'items' in _some(field) else ''}.")


def words(schema: Schema) -> str:
    """Return the kind of value in words."""
    if "enum" in schema:
        return ", ".join("null" if value is None else str(value) for value in schema["enum"])
    if "anyOf" in schema:
        return " or ".join(words(each) for each in schema["anyOf"])
    kinds = _kinds(schema)
    if kinds == ["array"]:
        return f"list of {words(schema['items'])}" if "items" in schema else "list"
    plain = {"integer": "whole number", "string": "text", "boolean": "true or false"}
    text = " or ".join(plain.get(kind, kind) for kind in kinds)
    if "minimum" in schema and "maximum" in schema:
        text += f" from {schema['minimum']} to {schema['maximum']}"
    return text + (" (a day)" if schema.get("format") == "date" else "")


def _kinds(schema: Schema) -> list[str]:
    kinds = schema.get("type", "object")
    return kinds if isinstance(kinds, list) else [kinds]


def _some(schema: Schema) -> Schema:
    """Return an example; for a union an example of the first type that is not plain."""
    return next((each for each in schema.get("anyOf", []) if "properties" in each or "items" in each), schema)


def _inner(schema: Schema) -> Schema:
    """Return the schema inside a list or a union."""
    schema = _some(schema)
    while "items" in schema:
        schema = schema["items"]
    return schema
