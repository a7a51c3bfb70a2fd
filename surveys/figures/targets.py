"""Whom a survey's numbers are about: decided here, for every page, file and program.

By invitation: the people who took part, because they are a closed group, unless the designer says that the invited
people are a sample. Then, and by an open link: the population that they come from. A reader can choose the other one
with `target` in a URL. surveys/researcher/results/selection.py puts `shown` beside the document's own numbers, and
`target`, the `level` of confidence and whether the survey has `ended` into the result.
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
    invited = definition.get("invitations")
    in_definition = isinstance(invited, Mapping) and "sample" in invited
    return "respondents" if invited and not in_definition and definition.get("sample") is not True else "population"


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
    """Return whom planned widths are about and when they hold, in two sentences."""
    larger = _("Widths are larger where results can decide when the survey ends.")
    return f"{planned_for(target, in_forms)} {larger}"


def planned_for(target: Target, in_forms: bool) -> str:
    """Return whom planned widths are about."""
    text = _("All widths are about exactly the people who take part.")
    if target == "population":
        text = _("All widths are about a population, if the people who take part are a random sample of it.")
    elif in_forms:
        text = _("Each width is about exactly the people who take part and whose form has the question.")
    return text


def instead(target: Target) -> str:
    """Return the words of the switch that leads from this target to the other one."""
    if target == "population":
        return _("Show them about exactly the people who take part")
    return _("Show them about a population")


def targeted(category: Category) -> Precision:
    """Standard error and intervals for the chosen target, at the chosen confidence."""
    return category.get("shown") or category["population"]


def holds_at_every_release(method: Method) -> bool:
    """Return whether its intervals do, which are then wider than their standard errors make those of one look."""
    return any(targeted(category)["interval_method"] == "sequence" for category in method["categories"])


def target(result: Result) -> str:
    """Return whom the numbers are about."""
    return str(result.get("target", "population"))


def about_reached(result: Result) -> bool:
    """Return whether the numbers are only about those who were asked the question."""
    return result.get("of_asked", False) or (target(result) == "respondents" and asked_in(result) is not None)


def ended(result: Result) -> bool:
    """Return whether no more reports come."""
    return bool(result.get("ended", False))


def width(result: Result, category: Category) -> float:
    """Return the width of the interval that holds at once with the others, as if it were cut nowhere: one that is cut
    at an end of the scale, or lies beyond it, says nothing more precisely for that (M37)."""
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
