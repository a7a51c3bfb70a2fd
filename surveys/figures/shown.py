"""Which of a category's numbers are shown: those that a reader chose, else those of the population.

surveys/results/choices.py puts `shown` beside the document's own numbers, and `target` into the result.
"""

from typing import Any

from django.utils.translation import gettext as _

Category = dict[str, Any]
Result = dict[str, Any]


def shown(category: Category) -> dict[str, Any]:
    """Standard error and intervals for the chosen target, at the chosen confidence."""
    numbers: dict[str, Any] = category.get("shown") or category["population"]
    return numbers


def target(result: Result) -> str:
    """Whom the numbers are about."""
    return str(result.get("target", "population"))


def whose_share(result: Result) -> str:
    return _("Share of the respondents") if target(result) == "respondents" else _("Share of the population")


def whose_mean(result: Result) -> str:
    return _("Mean of the respondents") if target(result) == "respondents" else _("Mean of the population")
