"""Documents held against the schemas of the API's description."""

from typing import Any

from jsonschema import Draft202012Validator


def validate(document: Any, schema: dict[str, Any]) -> None:
    """As jsonschema's own, without its look at the schema itself, which takes nearly all of its time: for that each is
    looked at once in tests/api/test_page.py. Raises jsonschema.ValidationError."""
    Draft202012Validator(schema).validate(document)
