"""A typed number and its limits."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from surveys.figures import numerals
from surveys.rules.refusals import number, refuse
from surveys.rules.shapes import must
from surveys.survey.kinds.fields import DECIMAL, LIMITS, WHOLE


def limits(draft: Mapping[str, Any], where: str) -> dict[str, str]:
    """Return the definition's limits; {} if any number can be entered."""
    given = draft.get(LIMITS.name)
    if given is None or given == "":
        return {}
    if given not in (WHOLE, DECIMAL):
        rule, known = gettext_noop("must be one of %(known)s"), f"{WHOLE}, {DECIMAL}"
        raise refuse(f"{where}.{LIMITS.name}", "unknown_limits", rule, known=known)
    return {LIMITS.name: given}


def end(given: object, where: str, question: Mapping[str, Any]) -> str:
    """Return an end of the range, or an edge of a bin, as text. Raise DraftRefused, also for a fraction if only whole
    numbers can be entered."""
    read = number(given, where)
    if question.get(LIMITS.name) == WHOLE and not is_integer(read):
        raise refuse(where, "whole_numbers", gettext_noop("must be a whole number"))
    return read


def is_integer(number: str) -> bool:
    return Decimal(number) == Decimal(number).to_integral_value()


def check(question: Mapping[str, Any], ends: list[str]) -> None:
    """Raise Misshapen unless the limits of a definition's question fit these ends."""
    if LIMITS.name in question:
        must(question[LIMITS.name] in (WHOLE, DECIMAL))
        must(question[LIMITS.name] == DECIMAL or all(map(is_integer, ends)))


def ends(question: Mapping[str, Any]) -> tuple[str, str]:
    """Return the lowest and the highest number. The last edge of bins of whole numbers is beyond the highest number."""
    if "edges" not in question:
        return question["low"], question["high"]
    low, *_inner, high = question["edges"]
    return low, str(int(Decimal(high)) - 1) if question.get(LIMITS.name) == WHOLE else high


def limits_in_words(question: Mapping[str, Any]) -> str:
    """Return a sentence on the numbers that can be entered; "" if all can."""
    if LIMITS.name not in question:
        return ""
    low, high = map(numerals.decimal, ends(question))
    if question[LIMITS.name] == WHOLE:
        return _("Only whole numbers from %(low)s to %(high)s can be entered.") % {"low": low, "high": high}
    return _("Only numbers from %(low)s to %(high)s can be entered.") % {"low": low, "high": high}
