"""Which of a category's numbers are shown: those that a reader chose, else those of the population.

surveys/researcher/results/selection.py puts `shown` beside the document's own numbers, and `target`, the `level` of
confidence and whether the survey has `ended` into the result.
"""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from ldp.document import Precision
from ldp.planning.stopping import normal
from ldp.planning.thirds import CONFIDENCE
from ldp.question import asked_in
from ldp.scores import Target
from surveys.figures.display import Category, Method, Result


def usual_target(definition: Mapping[str, Any]) -> Target:
    """Whom a page is about unless its reader chooses: where anybody with the link may answer, whoever did, since
    nothing makes them a sample of others. `definition`: or a draft."""
    return "population" if definition.get("invitations") else "respondents"


def planned_about(target: Target, in_forms: bool) -> str:
    """Whom planned widths are about, as a sentence."""
    if target == "respondents" and in_forms:
        return _(
            "Each width is about exactly the people whose form has the question, as the results are at first. The "
            "results also have intervals about a population of which these people are a random sample: chance in who "
            "took part counts there as well."
        )
    if target == "respondents":
        return _(
            "All widths are about exactly the people who take part, as the results are at first. The results also have "
            "intervals about a population of which these people are a random sample: chance in who took part counts "
            "there as well."
        )
    return _(
        "All widths are about a population of which the people who take part are a random sample, as the results are "
        "at first. The results also have intervals about exactly these people: chance in who took part does not count "
        "there."
    )


def targeted(category: Category) -> Precision:
    """Standard error and intervals for the chosen target, at the chosen confidence."""
    return category.get("shown") or category["population"]


def holds_at_every_release(method: Method) -> bool:
    """Whether its intervals do, which are then wider than their standard errors make those of one look."""
    return any(targeted(category)["interval_method"] == "sequence" for category in method["categories"])


def target(result: Result) -> str:
    """Whom the numbers are about."""
    return str(result.get("target", "population"))


def about_one_form(result: Result) -> bool:
    """Whether the numbers are about those who drew the question's form, and about nobody else."""
    return target(result) == "respondents" and asked_in(result) is not None


def ended(result: Result) -> bool:
    """Whether no more reports come."""
    return bool(result.get("ended", False))


def width(result: Result, category: Category) -> float:
    """The width of the interval that holds at once with the others, as if it were cut nowhere: one that is cut at an
    end of the scale, or lies beyond it, says nothing more precisely for that (M37)."""
    low, high = targeted(category)["simultaneous"]
    error = targeted(category)["standard_error"]
    return float(max(high - low, 2 * normal(error, result.get("level", CONFIDENCE), result["together"])))


def whose_share(result: Result) -> str:
    if about_one_form(result):
        return _("Share of those who were asked")
    return _("Share of the respondents") if target(result) == "respondents" else _("Share of the population")


def whose_mean(result: Result) -> str:
    if about_one_form(result):
        return _("Mean of those who were asked")
    return _("Mean of the respondents") if target(result) == "respondents" else _("Mean of the population")
