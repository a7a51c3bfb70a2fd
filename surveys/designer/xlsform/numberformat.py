"""The displayed text of a cell's value, by the number formats of spreadsheets in English.

It runs in reader.py's process, and imports only site modules that run there too.
"""

import re
from decimal import ROUND_HALF_UP, Context, Decimal
from fractions import Fraction
from typing import NamedTuple

from surveys.designer.xlsform import serialdate
from surveys.designer.xlsform.formatcode import FormatSection, FormatToken, UnknownFormat, literal, sections

GENERAL = "General"
_WIDTH = 11  # characters of a number in the format General
_EXACT = 15  # digits that a spreadsheet keeps
# Formats that depend on the computer: the short date, and the dates of East Asian languages.
OF_THE_COMPUTER = {14, 22, *range(27, 37), *range(50, 59)}
CURRENCIES_OF_THE_COMPUTER = {5, 6, 7, 8, 42, 44}


class Display(NamedTuple):
    """A displayed text. `alike`: programs in all languages show this text."""

    text: str
    alike: bool = True


def of_text(text: str, code: str) -> str:
    """Return the displayed text of a text cell. Raise UnknownFormat if its format is unknown or shows nothing."""
    *others, last = sections(code)
    tokens = last.tokens if len(others) == 3 or ("sign", "@") in last.tokens else [FormatToken("sign", "@")]
    shown = "".join(text if token == ("sign", "@") else literal(token) for token in tokens)
    if not shown.strip():
        raise UnknownFormat
    return shown.strip()


def of_number(value: float, code: str, since_1904: bool = False) -> Display:
    """Return the displayed text of a number, a date or a time. Raise UnknownFormat if it is unknown or empty."""
    number = Decimal(f"{value:.{_EXACT}g}")
    if not number.is_finite():
        raise UnknownFormat
    section, negative = _section_for(number, _of_numbers(sections(code)))
    if section.has("unit", "elapsed"):
        shown = _date(number, section, since_1904)
    else:
        sign = "-" if number < 0 and not negative else ""
        shown = _number(abs(number), section)
        shown = shown._replace(text=sign + shown.text.strip())
    text = shown.text.strip()
    if not text:
        raise UnknownFormat
    return shown._replace(text=text)


def general(number: Decimal) -> str:
    """Return a number as a wide cell without a format shows it: in up to eleven characters."""
    size = abs(number)
    if size and not Decimal("0.0001") <= size < Decimal(10) ** _WIDTH:
        return _with_exponent(number, 5)
    whole = len(str(int(size)))
    rounded = _rounded(number, max(0, _WIDTH - 1 - whole))
    return _short(rounded)


def is_cut(number: Decimal) -> bool:
    """Return whether a cell without a format shows less than it holds."""
    return not number.is_finite() or Decimal(general(number)) != number


def plain(value: float) -> str:
    """Return all digits of a number."""
    return _short(Decimal(f"{value:.{_EXACT}g}"))


# Sections -------------------------------------------------------------------------------------------------------------


def _of_numbers(parts: list[FormatSection]) -> list[FormatSection]:
    """Return the sections for numbers. A last section for texts is left out."""
    return parts[:-1][:3] if len(parts) > 1 and ("sign", "@") in parts[-1].tokens else parts[:3]


def _section_for(number: Decimal, parts: list[FormatSection]) -> tuple[FormatSection, bool]:
    """Return the section for this number, and whether the section itself shows that the number is negative."""
    if not any(section.condition for section in parts):
        place = 1 if number < 0 and len(parts) > 1 else 2 if not number and len(parts) > 2 else 0
        return parts[place], place == 1
    for place, each in enumerate(parts):
        comparison = each.condition or (("<", Decimal(0)) if place == 1 and len(parts) > 2 else None)
        if comparison is None or _holds(number, *comparison):
            return each, comparison is not None and comparison[0][0] == "<" and comparison[1] <= 0
    raise UnknownFormat  # the cell shows ####


def _holds(number: Decimal, sign: str, other: Decimal) -> bool:
    is_less, is_equal = number < other, number == other
    return {"<": is_less, "=": is_equal, "<=": is_less or is_equal, ">=": not is_less, "<>": not is_equal}.get(
        sign, not is_less and not is_equal
    )


# Numbers --------------------------------------------------------------------------------------------------------------


def _number(number: Decimal, section: FormatSection) -> Display:
    """Return the display of a number of at least 0."""
    tokens = section.tokens
    if section.has("general") or ("sign", "@") in tokens:
        shown = general(number)
        text = "".join(shown if each.kind == "general" or each == ("sign", "@") else literal(each) for each in tokens)
        return Display(text, "." not in shown)
    if not section.has("digit"):
        return Display("".join("%" if token == ("sign", "%") else literal(token) for token in tokens))
    number *= 100 ** tokens.count(FormatToken("sign", "%"))
    if ("sign", "/") in tokens:
        return _fraction(number, tokens)
    if section.has("power"):
        return _scientific(number, tokens)
    return _with_digits(number, tokens)


def _with_digits(number: Decimal, tokens: list[FormatToken]) -> Display:
    point = tokens.index(FormatToken("sign", ".")) if ("sign", ".") in tokens else len(tokens)
    before, after = tokens[:point], tokens[point + 1 :]
    number /= Decimal(1000) ** (_commas_after(before) + _commas_after(after))
    digit_places = [i for i, token in enumerate(before) if token.kind == "digit"] or [0]
    grouped = ("sign", ",") in before[digit_places[0] : digit_places[-1]]
    places = sum(token.kind == "digit" for token in after)
    digits = f"{_rounded(number, places):f}".partition(".")
    whole = _integer_digits(digits[0].lstrip("0"), before, grouped)
    if point == len(tokens):
        return Display(whole, "," not in whole or not grouped)
    return Display(f"{whole}.{_decimals(digits[2], after)}", alike=False)


def _commas_after(tokens: list[FormatToken]) -> int:
    """Return the number of commas right after the last digit. Each divides by a thousand."""
    last = max((i for i, token in enumerate(tokens) if token.kind == "digit"), default=len(tokens))
    return next((i for i, token in enumerate(tokens[last + 1 :]) if token != ("sign", ",")), len(tokens[last + 1 :]))


def _integer_digits(digits: str, tokens: list[FormatToken], grouped: bool) -> str:
    """Return the digits in their places, filled from the right. Surplus digits go before the first place."""
    made: list[str] = []
    left, count, places = list(digits), 0, sum(token.kind == "digit" for token in tokens)

    def put(digit: str) -> None:
        nonlocal count
        if grouped and count and count % 3 == 0 and digit != " ":
            made.append(",")
        made.append(digit)
        count += 1

    for token in reversed(tokens):
        if token.kind != "digit":
            made.append("%" if token == ("sign", "%") else literal(token))
            continue
        places -= 1
        if left or token.text != "#":
            put(left.pop() if left else "0" if token.text == "0" else " ")
        while left and not places:
            put(left.pop())
    if not places and left:
        made += reversed(left)
    # Each piece was added whole, so reversing keeps the letters of a literal in order.
    return "".join(reversed(made))


def _decimals(digits: str, tokens: list[FormatToken]) -> str:
    made, place, needed = [], 0, len(digits.rstrip("0"))
    for token in tokens:
        if token.kind == "digit":
            is_shown = place < needed or token.text == "0"
            made.append(digits[place] if is_shown else " " if token.text == "?" else "")
            place += 1
        else:
            made.append("%" if token == ("sign", "%") else literal(token))
    return "".join(made)


def _scientific(number: Decimal, tokens: list[FormatToken]) -> Display:
    power = next(i for i, token in enumerate(tokens) if token.kind == "power")
    mantissa, exponent = tokens[:power], tokens[power + 1 :]
    point = mantissa.index(FormatToken("sign", ".")) if ("sign", ".") in mantissa else power
    step = max(1, sum(token.kind == "digit" for token in mantissa[:point]))
    places = sum(token.kind == "digit" for token in mantissa[point:])
    by = number.adjusted() // step * step if number else 0
    if _rounded(number.scaleb(-by), places) >= Decimal(10) ** step:
        by += step
    shown = _with_digits(number.scaleb(-by), mantissa)
    sign = "-" if by < 0 else "+" if tokens[power].text[1] == "+" else ""
    return shown._replace(text=f"{shown.text}E{sign}{_integer_digits(str(abs(by)).lstrip('0'), exponent, False)}")


def _fraction(number: Decimal, tokens: list[FormatToken]) -> Display:
    slash = tokens.index(FormatToken("sign", "/"))
    numerator = slash
    while numerator and tokens[numerator - 1].kind == "digit":
        numerator -= 1
    end = slash + 1
    while end < len(tokens) and (tokens[end].kind == "digit" or re.fullmatch("[0-9]", tokens[end].text)):
        end += 1
    below = "".join(token.text for token in tokens[slash + 1 : end])
    if numerator == slash or not below:
        raise UnknownFormat
    before, after = tokens[:numerator], tokens[end:]
    has_whole = any(token.kind == "digit" for token in before)
    whole = int(number) if has_whole else 0
    part = _nearest(Fraction(number) - whole, below)
    whole, part = (whole + 1, (0, part[1])) if has_whole and part[0] == part[1] else (whole, part)
    ratio = f"{part[0]}/{part[1]}" if part[0] or not has_whole else ""
    shown = _integer_digits(str(whole).lstrip("0"), before, False) if has_whole else "".join(map(literal, before))
    text = f"{shown}{ratio}{''.join(map(literal, after))}"
    return Display(" ".join(text.split()) or "0")


def _nearest(part: Fraction, below: str) -> tuple[int, int]:
    """Return the fraction with the number `below` as denominator, or with at most as many digits."""
    if below.isdecimal() and int(below):
        return int(part * int(below) + Fraction(1, 2)), int(below)
    near = part.limit_denominator(10 ** min(len(below), 5) - 1)
    return near.numerator, near.denominator


# Dates ----------------------------------------------------------------------------------------------------------------


def _date(number: Decimal, section: FormatSection, since_1904: bool) -> Display:
    named = any(token.kind == "noon" or (token.kind == "unit" and _is_name(token.text)) for token in section.tokens)
    if (named and not section.english) or section.has("power", "general"):
        raise UnknownFormat
    try:
        text = serialdate.text(number, [*_dated(section.tokens)], since_1904)
    except (ValueError, ArithmeticError):
        raise UnknownFormat from None
    return Display(text, not named and ("sign", "/") not in section.tokens and not section.has("digit"))


def _is_name(text: str) -> bool:
    return len(text) > 2 and text[0] in "mMdD"


def _dated(tokens: list[FormatToken]) -> list[tuple[str, str]]:
    """Return the tokens for serialdate.text."""
    made: list[tuple[str, str]] = []
    for token in tokens:
        if token.kind in ("unit", "elapsed", "noon"):
            made.append((token.kind, token.text if token.kind == "noon" else token.text.lower()))
        elif token.kind == "digit" and token.text == "0":
            made.append(("fraction", "0"))
        elif token.kind == "digit" or token in (("sign", "%"), ("sign", "@")):
            raise UnknownFormat
        else:
            made.append(("literal", token.text if token.kind == "sign" else literal(token)))
    return made


# Decimals -------------------------------------------------------------------------------------------------------------

_CONTEXT = Context(prec=400)


def _rounded(number: Decimal, places: int) -> Decimal:
    return number.quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP, _CONTEXT)


def _short(number: Decimal) -> str:
    text = f"{number:f}"
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return "0" if text == "-0" else text


def _with_exponent(number: Decimal, places: int) -> str:
    by = number.adjusted()
    mantissa = _rounded(number.scaleb(-by), places)
    if abs(mantissa) >= 10:
        by, mantissa = by + 1, mantissa / 10
    return f"{_short(mantissa)}E{'-' if by < 0 else '+'}{abs(by):02}"
