"""The error for data that breaks a rule, and the rules for every row."""

import math
from typing import Any

from django.core.exceptions import ValidationError
from django.db import models

from surveys.web.nul import NUL


class BrokenField(ValueError):
    """Raised for a field that breaks a rule."""

    def __init__(self, field: str, rule: str) -> None:
        super().__init__(f"{field} {rule}")


def must(holds: object, field: str, rule: str) -> None:
    if not holds:
        raise BrokenField(field, rule)


def check_row(row: models.Model) -> None:
    """Raise BrokenField if a value does not fit its field: missing, too long, too large, or not one of its choices."""
    for field in row._meta.concrete_fields:
        if field.is_relation or field.primary_key:
            continue
        name, value = f"{row._meta.model_name}.{field.name}", getattr(row, field.attname)
        if value is None:
            must(field.null, name, "is missing")
            continue
        must(_is_sound(value), name, "must hold finite numbers and texts without NUL")
        if field.choices and not (field.blank and value == ""):
            must(value in dict(field.flatchoices), name, "must be one of its choices")
        try:
            field.run_validators(value)
        except ValidationError as wrong:
            raise BrokenField(name, f"is refused: {' '.join(wrong.messages)}") from None


def _is_sound(value: Any) -> bool:
    """Return whether every database, and every later reader, accepts the value."""
    if isinstance(value, dict):
        return all(_is_sound(key) and _is_sound(each) for key, each in value.items())
    if isinstance(value, list):
        return all(map(_is_sound, value))
    if isinstance(value, str):
        return NUL not in value and not any("\ud800" <= letter <= "\udfff" for letter in value)
    return not isinstance(value, float) or math.isfinite(value)
