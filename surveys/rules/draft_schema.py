"""The parts of the JSON Schema of drafts."""

from typing import Any

from surveys.rules.limits import CATEGORIES_MAX

Schema = dict[str, Any]

# No code point below 32 except the line end, and no noncharacter. At least one character that is no space in Python's
# list or ECMAScript's.
_PRINTABLE = r"^[^\u0000-\u0009\u000b-\u001f\ufdd0-\ufdef\ufffe\uffff]*$"
_SHOWS = (
    r"[^\s\u0085\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f"
    r"\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb]"
)


def says(description: str) -> Schema:
    return {"description": description}


def text(limit: int, empty: bool = False) -> Schema:
    made: Schema = {"type": "string", "maxLength": limit, "pattern": _PRINTABLE}
    return made if empty else made | {"minLength": 1, "allOf": [{"pattern": _SHOWS}]}


def matching(pattern: str) -> Schema:
    return {"type": "string", "pattern": f"^{pattern}$"}


def listed(items: Schema, least: int, most: int | None = None) -> Schema:
    return {"type": "array", "items": items, "minItems": least} | ({"maxItems": most} if most else {})


def different(items: Schema, most: int, least: int = 2) -> Schema:
    return listed(items, least, most) | {"uniqueItems": True}


def number() -> Schema:
    """Return the schema of a number, or its text, with up to twelve digits before the point and six after."""
    number = {"type": "number", "exclusiveMinimum": -(10**12), "exclusiveMaximum": 10**12}
    return {"anyOf": [number, {"type": "string", "pattern": r"^-?(0|[1-9][0-9]{0,11})(\.[0-9]{1,6})?$"}]}


def position() -> Schema:
    return {"type": "integer", "minimum": 0, "maximum": CATEGORIES_MAX}


def positions() -> Schema:
    return listed(position(), 0)


def fields(properties: Schema) -> Schema:
    """Return the schema of an object with these fields and no others."""
    return {"type": "object", "additionalProperties": False, "properties": properties}
