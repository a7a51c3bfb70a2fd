"""How a draft is refused, and the readers of its fields that refuse."""

import re
from decimal import Decimal
from typing import Any

_DECIMAL = re.compile(r"-?(?:0|[1-9][0-9]{0,11})(?:\.[0-9]{1,6})?", re.ASCII)


class DraftRefused(ValueError):
    """The designer's draft breaks a rule. `field` says where, `rule` what is needed."""

    def __init__(self, field: str, rule: str):
        super().__init__(f"{field}: {rule}")
        self.field, self.rule = field, rule


def fields(value: object, where: str, required: set[str], allowed: set[str]) -> dict[str, Any]:
    """An object with all of the required and none but the allowed fields."""
    if not isinstance(value, dict):
        raise DraftRefused(where, "must be an object")
    for field in sorted(required - value.keys()):
        raise DraftRefused(f"{where}.{field}", "is missing")
    for field in sorted(value.keys() - allowed):
        raise DraftRefused(f"{where}.{field}", f"is not known here; known are {', '.join(sorted(allowed))}")
    return value


def text(value: object, where: str, limit: int, empty: bool = False) -> str:
    if not isinstance(value, str) or len(value) > limit or not (empty or value.strip()):
        raise DraftRefused(where, f"must be a text of {0 if empty else 1} to {limit} characters")
    if any((ord(c) < 32 and c != "\n") or 0xD800 <= ord(c) < 0xE000 for c in value):
        raise DraftRefused(where, "must not hold control characters")
    return value.strip()


def different_texts(value: object, where: str, limit: int, most: int) -> list[str]:
    """A list of 2 to `most` texts, no two the same."""
    if not isinstance(value, list) or not 2 <= len(value) <= most:
        raise DraftRefused(where, f"must be a list of 2 to {most} texts")
    texts = [text(one, f"{where}[{i}]", limit) for i, one in enumerate(value)]
    if len(set(texts)) != len(texts):
        raise DraftRefused(where, "must differ from each other")
    return texts


def number(value: object, where: str) -> str:
    if not isinstance(value, str) or not _DECIMAL.fullmatch(value):
        raise DraftRefused(where, 'must be a decimal string, such as "17.5"')
    return value


def decimal(number: Decimal | int) -> str:
    """The shortest decimal notation: 1.50 is 1.5, and never an exponent."""
    text = f"{Decimal(number) + 0:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text
