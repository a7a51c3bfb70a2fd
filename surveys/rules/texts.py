"""Texts and decimal strings of drafts and definitions. The page has the same rules (rules.js)."""

import re
from decimal import Decimal
from fractions import Fraction

PREFER_NOT_TO_SAY = "Prefer not to say"

_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]{0,11})(?:\.[0-9]{1,6})?", re.ASCII)

# Invisible characters: Unicode's Default_Ignorable_Code_Point, marks of annotations, and the empty Braille pattern. The
# list is fixed, because the page must call the same texts empty in every browser.
INVISIBLE = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u2800\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
_CONTROL = re.compile("[\x00-\x09\x0b-\x1f\ud800-\udfff]")
_LAST = "".join(chr(plane | last) for plane in range(0, 0x110000, 0x10000) for last in (0xFFFE, 0xFFFF))
_NONCHARACTER = re.compile(f"[\ufdd0-\ufdef{_LAST}]")
_SHOWN = re.compile(rf"[^\s\u0085{INVISIBLE}]")


def is_text(value: object, limit: int, empty: bool = False) -> bool:
    """Return whether it is a text of at most `limit` characters that is visible, or may be empty."""
    if not isinstance(value, str) or len(value) > limit or has_control_characters(value) or has_noncharacters(value):
        return False
    return empty or is_visible(value)


def is_visible(value: str) -> bool:
    """Return whether the text has a visible character."""
    return _SHOWN.search(value) is not None


def has_control_characters(value: str) -> bool:
    """Return whether the text has control characters, except line ends, or halves of surrogate pairs."""
    return _CONTROL.search(value) is not None


def has_noncharacters(value: str) -> bool:
    """Return whether the text has noncharacters. No XML, and so no spreadsheet, may hold U+FFFE."""
    return _NONCHARACTER.search(value) is not None


def is_number(value: object) -> bool:
    """Return whether it is a decimal string such as "17.5"."""
    return isinstance(value, str) and _NUMBER.fullmatch(value) is not None


def integer(text: str, digits: int = 18) -> int | None:
    """Return the whole number in a form's field or a URL, of at most this many digits; None for any other text."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= digits else None


def decimal(number: Decimal | Fraction | int) -> str:
    """Return the shortest decimal notation: 1.50 is 1.5. It has no exponent, and zero has no sign. A fraction must be
    decimal."""
    if isinstance(number, Fraction):
        number = Decimal(number.numerator) / number.denominator
    text = f"{Decimal(number):f}" if number else "0"
    return text.rstrip("0").rstrip(".") if "." in text else text
