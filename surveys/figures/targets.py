"""Whom a survey's numbers are about: decided here, for every page, file and program.

By invitation that is the people who took part: they are a closed group. By an open link it is the population that they
come from. Whoever wants the other one chooses it, by `target` in an address. surveys/researcher/results/selection.py
puts `shown` beside the document's own numbers, and `target`, the `level` of confidence and whether the survey has
`ended` into the result.
"""

from collections.abc import Mapping
from typing import Any, get_args

from django.utils.translation import gettext as _

from ldp.document import Precision
from ldp.planning.stopping import normal
from ldp.planning.thirds import CONFIDENCE
from ldp.question import asked_in
from ldp.scores import Target
from surveys.figures.display import Category, Method, Result


def usual_target(definition: Mapping[str, Any]) -> Target:
    """Return whom all numbers of a survey are about unless a reader chooses. `definition`: or a draft."""
    return "respondents" if definition.get("invitations") else "population"


def other(target: Target) -> Target:
    return "respondents" if target == "population" else "population"


def target_of_query(query: Mapping[str, str], definition: Mapping[str, Any]) -> Target:
    """Return whom the numbers of a page are about: as its address says, else the usual target."""
    return next((each for each in get_args(Target) if each == query.get("target")), usual_target(definition))


def people(definition: Mapping[str, Any], target: Target) -> str:
    """Return whom the numbers of a page are about, for the line below its title."""
    if target == "respondents" and "forms" in definition:
        return _("about exactly those who were asked")
    if target == "respondents":
        return _("about exactly those who took part")
    return _("about the population") if definition.get("invitations") else _("about people like those who took part")


def planned_about(target: Target, in_forms: bool) -> str:
    """Return whom planned widths are about, as a sentence."""
    if target == "population":
        return _("All widths are about a population of which the people who take part are a random sample.")
    if in_forms:
        return _("Each width is about exactly the people who take part and whose form has the question.")
    return _("All widths are about exactly the people who take part.")


def instead(target: Target) -> str:
    """Return the words of the switch that leads from this target to the other one."""
    if target == "population":
        return _("Show them about exactly the people who take part")
    return _("Show them about a population")


def targeted(category: Category) -> Precision:
    """Standard error and intervals for the chosen target, at the chosen confidence."""
    return category.get("shown") or category["population"]


def holds_at_every_release(method: Method) -> bool:
    """Whether its intervals do, which are then wider than their standard errors make those of one look."""
    return any(targeted(category)["interval_method"] == "sequence" for category in method["categories"])


def target(result: Result) -> str:
    """Whom the numbers are about."""
    return str(result.get("target", "population"))


def about_reached(result: Result) -> bool:
    """Whether the numbers are about those who were asked the question, and about nobody else."""
    return result.get("of_asked", False) or (target(result) == "respondents" and asked_in(result) is not None)


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
    if about_reached(result):
        return _("Share of those who were asked")
    return _("Share of the respondents") if target(result) == "respondents" else _("Share of the population")


def whose_mean(result: Result) -> str:
    if about_reached(result):
        return _("Mean of those who were asked")
    return _("Mean of the respondents") if target(result) == "respondents" else _("Mean of the population")
