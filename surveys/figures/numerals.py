"""Numbers as people read them, in their language. Shares go in as fractions (0.5) and come out as text, in percent;
means as is."""

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
LEFT_TO_RIGHT, RIGHT_TO_LEFT = "\N{LEFT-TO-RIGHT MARK}", "\N{RIGHT-TO-LEFT MARK}"
DECIMALS_MAX = 12
PERCENT_SIGNS = {"de": "\N{NO-BREAK SPACE}%"}  # where it is not right behind the number
SUPERSCRIPT = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")

register = template.Library()


def decimals_for(standard_error: float) -> int:
    """Return the decimals of a percentage, 0 to 6, so that its standard error has two significant ones (GUM 7.2.6)."""
    return min(6, max(0, places(100 * standard_error)))


def places(standard_error: float) -> int:
    """Return the decimals of a number on its own scale by that rule, at most 12; below 0 if rounded to tens or more."""
    return min(DECIMALS_MAX, 1 - math.floor(math.log10(standard_error))) if standard_error > 0 else 1


def error_of(precision: Precision, alone: bool = True) -> float:
    """Return the error that decides how a number is rounded: its standard error or a quarter of its interval, whichever
    is larger. At the ends of a scale the quarter is. `alone` chooses the interval for this number alone, else the
    simultaneous one."""
    low, high = precision["interval" if alone else "simultaneous"]
    return max(precision["standard_error"], (high - low) / 4)


def decimals_of(method: Method) -> int:
    """Return one number of decimals for all categories of a method, so that a column lines up."""
    return decimals_for(max(error_of(targeted(category)) for category in method["categories"]))


def local(text: str) -> str:
    """Return a number that Python wrote, as the page's language does: 1,234.5 in German as 1.234,5, and with a true
    minus sign. Beside text from right to left a mark keeps that sign before its number."""
    separators = {",": get_format("THOUSAND_SEPARATOR"), ".": get_format("DECIMAL_SEPARATOR")}
    minus = LEFT_TO_RIGHT + MINUS if get_language_bidi() else MINUS
    return text.translate(str.maketrans({**separators, "-": minus}))


@register.filter
def plus_minus(text: object) -> str:
    """Return a margin with its sign, which a mark keeps before the number beside text from right to left."""
    return f"{LEFT_TO_RIGHT * get_language_bidi()}±{text}"


def integer(value: int) -> str:
    """Return how many there are exactly: 6,366."""
    return local(f"{value:,}")


def number(value: float, decimals: int) -> str:
    """`value` with its thousands apart and a true minus sign; what rounds to zero has no sign."""
    text = f"{value:,.{decimals}f}" if decimals >= 0 else f"{round(value, decimals):,.0f}"
    return local(text if text.strip("-0.,") else text.lstrip("-"))


def outward(low: float, high: float, decimals: int, apart: float | None = None) -> tuple[str, str]:
    """Return two ends rounded outward to this many decimals; to more where rounding would make the interval contain the
    value `apart`."""
    scale = 10.0**decimals
    down, up = math.floor(round(low * scale, 6)) / scale, math.ceil(round(high * scale, 6)) / scale
    if apart is not None and decimals < DECIMALS_MAX and not low <= apart <= high and down <= apart <= up:
        return outward(low, high, decimals + 1, apart)
    return number(down, decimals), number(up, decimals)


def decimal(text: str) -> str:
    """Return a decimal string unchanged but for separated thousands from five digits on and a true minus sign."""
    before, point, rest = text.partition(".")
    digits = before.lstrip("-")
    grouped = f"{int(digits):,}" if len(digits) > 4 else digits
    return local("-" * text.startswith("-") + grouped + point + rest)


@register.filter
def localized(text: str) -> str:
    """Return a text, such as an alpha or several, with its decimal strings as the page's language writes them."""
    return re.sub(r"\d+\.\d+", lambda number: decimal(number[0]), text)


def tick(value: float) -> str:
    """Return a round number on an axis."""
    plain = f"{value:.10f}".rstrip("0").rstrip(".")
    return decimal(plain if plain != "-0" else "0")


def with_unit(text: str, unit: str) -> str:
    return f"{text} {unit}".rstrip()


def share(value: float, decimals: int) -> str:
    """Return a share in percent without the unit, which is in the column's heading: 0.1234 with one decimal is
    "12.3"."""
    return number(100 * value, decimals)


def span(interval: Sequence[float], decimals: int, apart: float | None = None) -> str:
    """Return an interval of shares, in percent and rounded outward: what is shown holds as often as it says. `apart` is
    the share that one which leaves it out must not seem to hold."""
    low, high = interval
    return to(*outward(100 * low, 100 * high, decimals, None if apart is None else 100 * apart))


def to(low: str, high: str) -> str:
    """Return a range from one number to another, or the one that both are. Where text runs from right to left, a mark
    keeps a negative number before it from drawing the first one to its side."""
    mark = RIGHT_TO_LEFT * get_language_bidi()
    return mark + (low if low == high else _("%(low)s to %(high)s") % {"low": low, "high": high})


def percent_sign() -> str:
    """Return what follows the number of a percentage."""
    return PERCENT_SIGNS.get(get_language() or "", "%")


@register.filter
def percentage(number: object) -> str:
    """Return a number in percent with its sign, as the page's language does: "95%", in German with a space."""
    return f"{number}{percent_sign()}"


def percent(value: float) -> str:
    """Return a proportion without noise of its own, such as a confidence or an efficiency: "95%", "99.9%"."""
    return percentage(local(f"{round(100 * value, 1):g}"))


def level(confidence: float) -> str:
    """Return the confidence of intervals, before that word: "95%", in German "95-%" of "95-%-Intervall"."""
    return percent(confidence).replace("\N{NO-BREAK SPACE}", "-")


def chance_percent(value: float) -> str:
    """Return a chance between 0 and 1, never written as one of these: "62%", "0.3%", "99.98%"."""
    decimals = max(0, -math.floor(math.log10(100 * min(value, 1 - value))))
    return percentage(local(f"{100 * value:.{decimals}f}"))


def corrected(confidence: float) -> str:
    """Return a confidence corrected for many comparisons, with three digits of what it lacks: "98.33%", "99.9975%"."""
    decimals = 2 - math.floor(math.log10(100 * (1 - confidence)))
    return percentage(local(f"{round(100 * confidence, decimals):.{decimals}f}".rstrip("0").rstrip(".")))


def count(value: float | None) -> str:
    """Return how many, to the nearest one, and to a tenth below ten unless whole; a dash where it is not known."""
    if value is None:
        return "–"
    return number(value, 0 if value >= 10 or value == round(value) else 1)


def counts(values: Sequence[float | None]) -> list[str]:
    """Such numbers in a column, which lines up: all of them have a tenth where one of them needs it."""
    tenths = any(value is not None and value < 10 and value != round(value) for value in values)
    return ["–" if value is None else number(value, 1 if tenths else 0) for value in values]


def count_up(value: int) -> str:
    """Return how many are enough, with two significant digits, never fewer."""
    return rounded_up(float(value)) if value >= 10 else f"{value}"


def chance(delta: Fraction) -> str:
    """Return a small chance as "1 in 100,000", never a smaller one than it is."""
    return _("1 in %(many)s") % {"many": integer(math.floor(1 / delta))}


def rounded_up(value: float, digits: int = 2) -> str:
    """`value` with so many significant digits, never below it: a claim of "at most" stays true."""
    if value <= 0:
        return "0"
    scale = digits - 1 - math.floor(math.log10(value))
    up = math.ceil(round(value * 10.0**scale, 9)) / 10.0**scale
    return local(f"{up:,.{max(0, scale)}f}")


def small(value: float, digits: int = 3) -> str:
    """`value` with so many significant digits; below a thousandth as a multiple of a power of ten."""
    if value == 0 or abs(value) >= 1e-3:
        return number(value, max(0, digits - 1 - math.floor(math.log10(abs(value)))) if value else 0)
    digit, _, exponent = f"{value:.{digits - 1}e}".partition("e")
    isolated = LEFT_TO_RIGHT if get_language_bidi() else ""
    return f"{isolated}{local(digit)} · 10" + str(int(exponent)).replace("-", "⁻").translate(SUPERSCRIPT)


def odds_factor(alpha: str) -> str:
    """e^alpha, rounded up as on the respondent page: the most a report can change odds."""
    exponent = float(alpha)
    if exponent > 20:
        return "10" + str(math.ceil(exponent / math.log(10))).translate(SUPERSCRIPT)
    tenths = math.ceil(10 * math.exp(exponent))
    return number(tenths / 10, 1) if tenths < 1000 else number(math.ceil(tenths / 10), 0)
