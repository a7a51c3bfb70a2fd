"""Numbers as text, in the reader's language. Shares are fractions (0.5) and become percent; means keep their unit."""

import math
import re
from collections.abc import Sequence
from fractions import Fraction

from django import template
from django.utils.formats import get_format
from django.utils.translation import get_language, get_language_bidi
from django.utils.translation import gettext as _

from ldp.document import Precision
from surveys.figures.display import Method
from surveys.figures.targets import targeted

MINUS = "\N{MINUS SIGN}"
NONE = "–"  # where a number is not known
LEFT_TO_RIGHT, RIGHT_TO_LEFT = "\N{LEFT-TO-RIGHT MARK}", "\N{RIGHT-TO-LEFT MARK}"
DECIMALS_MAX = 12
PERCENT_SIGNS = {"de": "\N{NO-BREAK SPACE}%"}  # languages that put a space before it
SUPERSCRIPT = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")

register = template.Library()


def decimals_for(standard_error: float) -> int:
    """Return the decimals of a percentage, 0 to 6, that give its standard error two significant digits (GUM 7.2.6)."""
    return min(6, max(0, places(100 * standard_error)))


def places(standard_error: float) -> int:
    """Return the decimals of a number by the same rule, at most 12. Below 0 the number is rounded to tens or more."""
    return min(DECIMALS_MAX, 1 - math.floor(math.log10(standard_error))) if standard_error > 0 else 1


def error_of(precision: Precision, alone: bool = True) -> float:
    """Return the error that decides the rounding: the standard error, or a quarter of the interval if larger.

    At the ends of a scale the quarter is larger. `alone` selects the interval for this number alone, else the
    simultaneous one.
    """
    low, high = precision["interval" if alone else "simultaneous"]
    return max(precision["standard_error"], (high - low) / 4)


def decimals_of(method: Method) -> int:
    """Return the decimals for all categories of a method, so that a column lines up."""
    return decimals_for(max(error_of(targeted(category)) for category in method["categories"]))


def local(text: str) -> str:
    """Return a Python number in the notation of the page's language: 1,234.5 is 1.234,5 in German. The minus sign is
    typographic. In text from right to left, a mark keeps it before its number."""
    separators = {",": get_format("THOUSAND_SEPARATOR"), ".": get_format("DECIMAL_SEPARATOR")}
    minus = LEFT_TO_RIGHT + MINUS if get_language_bidi() else MINUS
    return text.translate(str.maketrans({**separators, "-": minus}))


@register.filter
def plus_minus(text: object) -> str:
    """Return a margin with ±. In text from right to left, a mark keeps the sign before the number."""
    return f"{LEFT_TO_RIGHT * get_language_bidi()}±{text}"


def integer(value: int) -> str:
    """Return an exact count: 6,366."""
    return local(f"{value:,}")


def number(value: float, decimals: int) -> str:
    """Return `value` with separated thousands and a typographic minus sign. Zero after rounding has no sign."""
    text = f"{value:,.{decimals}f}" if decimals >= 0 else f"{round(value, decimals):,.0f}"
    return local(text if text.strip("-0.,") else text.lstrip("-"))


def outward(low: float, high: float, decimals: int, apart: float | None = None) -> tuple[str, str]:
    """Return two ends, rounded outward to `decimals`. They have more decimals if rounding would make the interval
    contain `apart`."""
    scale = 10.0**decimals
    down, up = math.floor(round(low * scale, 6)) / scale, math.ceil(round(high * scale, 6)) / scale
    if apart is not None and decimals < DECIMALS_MAX and not low <= apart <= high and down <= apart <= up:
        return outward(low, high, decimals + 1, apart)
    return number(down, decimals), number(up, decimals)


def decimal(text: str) -> str:
    """Return a decimal string with separated thousands from five digits on and a typographic minus sign."""
    before, point, rest = text.partition(".")
    digits = before.lstrip("-")
    grouped = f"{int(digits):,}" if len(digits) > 4 else digits
    return local("-" * text.startswith("-") + grouped + point + rest)


@register.filter
def localized(text: str) -> str:
    """Return a text, such as an alpha or several, with its decimal strings as the page's language writes them."""
    return re.sub(r"\d+\.\d+", lambda number: decimal(number[0]), text)


def tick(value: float) -> str:
    """Return a round number for an axis."""
    plain = f"{value:.10f}".rstrip("0").rstrip(".")
    return decimal(plain if plain != "-0" else "0")


def with_unit(text: str, unit: str) -> str:
    return f"{text} {unit}".rstrip()


def share(value: float, decimals: int) -> str:
    """Return a share in percent without the sign, for a column with it in the heading: 0.1234 as "12.3" or "12"."""
    return number(100 * value, decimals)


def span(interval: Sequence[float], decimals: int, apart: float | None = None) -> str:
    """Return an interval of shares, in percent and rounded outward, so that its confidence holds. Rounding never makes
    it contain `apart` if it does not."""
    low, high = interval
    return to(*outward(100 * low, 100 * high, decimals, None if apart is None else 100 * apart))


def to(low: str, high: str) -> str:
    """Return a range from one number to another; a single number if both are equal. In text from right to left, a mark
    prevents a negative number before the range from attracting the first number."""
    mark = RIGHT_TO_LEFT * get_language_bidi()
    return mark + (low if low == high else _("%(low)s to %(high)s") % {"low": low, "high": high})


def percent_sign() -> str:
    """Return the percent sign with the language's space before it, if any."""
    return PERCENT_SIGNS.get(get_language() or "", "%")


@register.filter
def percentage(number: object) -> str:
    """Return a number in percent with the sign as in the page's language: "95%", in German with a space."""
    return f"{number}{percent_sign()}"


def percent(value: float) -> str:
    """Return an exact proportion, such as a confidence or an efficiency: "95%", "99.9%"."""
    return percentage(local(f"{round(100 * value, 1):g}"))


def level(confidence: float) -> str:
    """Return a confidence for use before the word for interval: "95%", in German "95-%" of "95-%-Intervall"."""
    return percent(confidence).replace("\N{NO-BREAK SPACE}", "-")


def chance_percent(value: float) -> str:
    """Return a chance between 0 and 1. It is never rounded to 0 or 100%: "62%", "0.3%", "99.98%"."""
    decimals = max(0, -math.floor(math.log10(100 * min(value, 1 - value))))
    return percentage(local(f"{100 * value:.{decimals}f}"))


def corrected(confidence: float) -> str:
    """Return a confidence corrected for many comparisons: the difference from 100% has three digits: "98.33%",
    "99.9975%"."""
    decimals = 2 - math.floor(math.log10(100 * (1 - confidence)))
    return percentage(local(f"{round(100 * confidence, decimals):.{decimals}f}".rstrip("0").rstrip(".")))


def count(value: float | None) -> str:
    """Return a count as an integer, or with a tenth below ten unless it is whole; a dash for None."""
    if value is None:
        return NONE
    return number(value, 0 if value >= 10 or value == round(value) else 1)


def counts(values: Sequence[float | None]) -> list[str]:
    """Return counts for a column. If one of them needs a tenth, all have one."""
    tenths = any(value is not None and value < 10 and value != round(value) for value in values)
    return [NONE if value is None else number(value, 1 if tenths else 0) for value in values]


def count_up(value: int) -> str:
    """Return a sufficient count, rounded up to two significant digits."""
    return rounded_up(float(value)) if value >= 10 else f"{value}"


def chance(delta: Fraction) -> str:
    """Return a small chance as "1 in 100,000", rounded up."""
    return _("1 in %(many)s") % {"many": integer(math.floor(1 / delta))}


def rounded_up(value: float, digits: int = 2) -> str:
    """Return `value` with `digits` significant digits, rounded up, so that a claim of "at most" stays true."""
    if value <= 0:
        return "0"
    scale = digits - 1 - math.floor(math.log10(value))
    up = math.ceil(round(value * 10.0**scale, 9)) / 10.0**scale
    return local(f"{up:,.{max(0, scale)}f}")


def small(value: float, digits: int = 3) -> str:
    """Return `value` with `digits` significant digits; below a thousandth as a multiple of a power of ten."""
    if value == 0 or abs(value) >= 1e-3:
        return number(value, max(0, digits - 1 - math.floor(math.log10(abs(value)))) if value else 0)
    digit, _, exponent = f"{value:.{digits - 1}e}".partition("e")
    isolated = LEFT_TO_RIGHT if get_language_bidi() else ""
    return f"{isolated}{local(digit)} · 10" + str(int(exponent)).replace("-", "⁻").translate(SUPERSCRIPT)


def odds_factor(alpha: str) -> str:
    """Return e^alpha, rounded up as on the respondents' page: the most that a report can change odds."""
    exponent = float(alpha)
    if exponent > 20:
        return "10" + str(math.ceil(exponent / math.log(10))).translate(SUPERSCRIPT)
    tenths = math.ceil(10 * math.exp(exponent))
    return number(tenths / 10, 1) if tenths < 1000 else number(math.ceil(tenths / 10), 0)
