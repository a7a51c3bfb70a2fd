"""Known shares as a pasted table: a line for each answer, with its text and its share in percent."""

import csv
from collections.abc import Sequence
from decimal import Decimal, InvalidOperation

from django.utils.translation import gettext as _

from surveys.figures import numerals

# Signs of percent and of decimals that people type, beside the point.
_SIGNS = str.maketrans({"%": "", "٪": "", "٫": ".", "\N{NO-BREAK SPACE}": "", "\N{NARROW NO-BREAK SPACE}": ""})
DIGITS_MOST = 20


class Unfit(ValueError):
    """What is wrong with what was typed."""


def percent(text: str) -> Decimal:
    """A share from 0 to 100, with the digits and the decimal sign of any language that the site speaks."""
    plain = text.translate(_SIGNS).strip()
    try:
        value = Decimal(plain.replace(",", ".")) if len(plain) <= DIGITS_MOST else Decimal("nan")
    except InvalidOperation:
        value = Decimal("nan")
    if not value.is_finite() or not 0 <= value <= 100:
        raise Unfit(_("Type a number from 0 to 100, such as 12.5."))
    return value


def read(text: str, options: Sequence[str]) -> list[Decimal]:
    """The share of each option, in their order. Unfit where a line is not one of them with its share, or one of them is
    missing or there twice."""
    places, shares = {_folded(option): place for place, option in enumerate(options)}, dict[int, Decimal]()
    for number, cells in enumerate(_lines(text), 1):
        if number == 1 and len(cells) > 1 and _folded(cells[0]) not in places and not _is_percent(cells[1]):
            continue  # a heading
        place, share = _line(number, cells, places)
        if place in shares:
            raise Unfit(_("Line %(line)s: “%(answer)s” is there twice.") % {"line": number, "answer": options[place]})
        shares[place] = share
    for place, option in enumerate(options):
        if place not in shares:
            raise Unfit(_("“%(answer)s” has no line: each answer needs one.") % {"answer": option})
    return [shares[place] for place in range(len(options))]


def _line(number: int, cells: list[str], places: dict[str, int]) -> tuple[int, Decimal]:
    if len(cells) != 2:
        rule = _("Line %(line)s: it must be an answer and its share, such as “Yes;12.5”.")
        raise Unfit(rule % {"line": numerals.whole(number)})
    if _folded(cells[0]) not in places:
        rule = _("Line %(line)s: “%(answer)s” is not one of the answers.")
        raise Unfit(rule % {"line": numerals.whole(number), "answer": cells[0].strip()[:80]})
    try:
        return places[_folded(cells[0])], percent(cells[1])
    except Unfit as unfit:
        rule = _("Line %(line)s: %(rule)s")
        raise Unfit(rule % {"line": numerals.whole(number), "rule": unfit}) from None


def _lines(text: str) -> list[list[str]]:
    """Cells of the lines that hold anything, parted by the first of tab, semicolon and comma that is there."""
    lines = [line for line in text.splitlines() if line.strip()]
    sign = next((sign for sign in "\t;" if any(sign in line for line in lines)), ",")
    return list(csv.reader(lines, delimiter=sign, skipinitialspace=True))


def _folded(text: str) -> str:
    return " ".join(text.lstrip("\N{ZERO WIDTH NO-BREAK SPACE}").split()).casefold()


def _is_percent(text: str) -> bool:
    try:
        percent(text)
    except Unfit:
        return False
    return True
