"""Words for how near a survey comes to the optimum under its alpha (M48)."""

from django.utils.translation import gettext as _

from ldp.forms.efficiency import Efficiency
from surveys.figures import numerals


def means(efficiency: Efficiency) -> str:
    """Return what the efficiency means, and how it is known."""
    texts = {
        "enumerated": _(
            "No survey with the same α per report can be as precise over all questions with fewer than %(share)s as "
            "many reports: all ways to ask were compared (equal shares, many reports)."
        ),
        "searched": _(
            "The best survey that a search found with the same α per report needs %(share)s as many reports for the "
            "same precision over all questions, and it is proved that none needs less than %(least)s (equal shares, "
            "many reports)."
        ),
        "proved": _(
            "It is proved that no survey with the same α per report can be as precise over all questions with fewer "
            "than %(least)s as many reports (equal shares, many reports)."
        ),
    }
    values = {"share": numerals.percent(efficiency.value), "least": numerals.percent(efficiency.at_least)}
    return texts[efficiency.how] % values


def nearness(efficiency: Efficiency | None) -> str:
    """Return the efficiency and its meaning, in one or two sentences; empty if it is unknown."""
    if efficiency is None:
        return ""
    share = numerals.percent(efficiency.value)
    return _("Efficiency of the whole survey: %(share)s.") % {"share": share} + " " + means(efficiency)
