"""Validation of documents by the schemas of the API's description."""

from typing import Any

from jsonschema import Draft202012Validator


def validate(document: Any, schema: dict[str, Any]) -> None:
    """Validate the document, without checking the schema. The check takes nearly all of jsonschema's time, so
    tests/api/test_page.py checks each schema once. Raises jsonschema.ValidationError."""
    Draft202012Validator(schema).validate(document)
