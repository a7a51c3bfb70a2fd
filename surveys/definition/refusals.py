"""How a draft is refused, and the readers of its fields that refuse."""

from typing import Any

from surveys.definition.texts import has_control_characters, is_number, is_text


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
    if isinstance(value, str) and has_control_characters(value):
        raise DraftRefused(where, "must not hold control characters")
    if not isinstance(value, str) or not is_text(value, limit, empty):
        raise DraftRefused(where, f"must be a text of {0 if empty else 1} to {limit} characters")
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
    if not isinstance(value, str) or not is_number(value):
        raise DraftRefused(where, 'must be a decimal string, such as "17.5"')
    return value
