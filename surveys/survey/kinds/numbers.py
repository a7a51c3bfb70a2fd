"""The answer of whoever is not asked, where it is a number that is typed."""

from decimal import Decimal

from django.utils.translation import gettext_noop as _

from surveys.rules.refusals import DraftRefused, number, refuse
from surveys.rules.texts import decimal


def read(given: object, where: str) -> str:
    return decimal(Decimal(number(given, where)))


def not_between(low: str, high: str, where: str) -> DraftRefused:
    rule = _("must be an answer to this question: a number from %(low)s to %(high)s is needed")
    return refuse(where, "filler_range", rule, low=low, high=high)
