"""Numbers as people type them, which is as the page's language writes them: with their thousands apart, by a comma, a
point, a space or an apostrophe, and with a comma or a point before the decimals."""

import re
from typing import Any

from django import forms
from django.utils.formats import get_format

ARABIC = str.maketrans("٫٬", ".'")
_GROUPED = re.compile(r"([+-]?\d{1,3})(?:([\s'’.,])\d{3})(?:\2\d{3})*([.,]\d*)?")


def plain(text: str, whole: bool = False) -> str:
    """As Python reads it; what can be read in no one way stays as it was. In a whole number every mark is one between
    thousands."""
    text = text.strip().translate(ARABIC)
    grouped = _GROUPED.fullmatch(text)
    if grouped and _are_thousands(text, grouped, whole):
        text = "".join(text.split(grouped[2]))
    return text.replace(",", ".") if text.count(",") == 1 and "." not in text else text


def _are_thousands(text: str, grouped: re.Match[str], whole: bool) -> bool:
    """1.500 is one and a half where a point stands before decimals, and 0,125 is an eighth everywhere."""
    first, mark, decimals = grouped.groups()
    if decimals:
        return bool(decimals[0] != mark)
    if whole or mark not in ".," or text.count(mark) > 1:
        return True
    return mark == get_format("THOUSAND_SEPARATOR") and first.strip("+-0") != ""


class WholeNumber(forms.IntegerField):
    widget = forms.TextInput

    def to_python(self, value: Any) -> Any:
        return super().to_python(plain(value, whole=True) if isinstance(value, str) else value)


class Number(forms.DecimalField):
    widget = forms.TextInput

    def to_python(self, value: Any) -> Any:
        return super().to_python(plain(value) if isinstance(value, str) else value)
