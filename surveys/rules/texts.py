"""Texts and decimal strings, as drafts and definitions may hold them."""

import re
from decimal import Decimal

PREFER_NOT_TO_SAY = "Prefer not to say"

_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]{0,11})(?:\.[0-9]{1,6})?", re.ASCII)


def is_text(value: object, limit: int, empty: bool = False) -> bool:
    """Whether it is a text of at most `limit` characters that shows something, or may be empty."""
    if not isinstance(value, str) or len(value) > limit or has_control_characters(value):
        return False
    return empty or any(not c.isspace() and c != "\ufeff" for c in value)


def has_control_characters(value: str) -> bool:
    """Or halves of characters; the end of a line is none of them."""
    return any((ord(c) < 32 and c != "\n") or 0xD800 <= ord(c) < 0xE000 for c in value)


def is_number(value: object) -> bool:
    """Whether it is a decimal string such as "17.5"."""
    return isinstance(value, str) and _NUMBER.fullmatch(value) is not None


def decimal(number: Decimal | int) -> str:
    """The shortest decimal notation: 1.50 is 1.5, never an exponent, and no zero has a sign."""
    text = f"{Decimal(number):f}" if number else "0"
    return text.rstrip("0").rstrip(".") if "." in text else text
