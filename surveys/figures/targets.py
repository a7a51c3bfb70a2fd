"""Whom a survey's numbers describe, for every page, file and program.

For a survey by invitation, the default target is the respondents, because they are a closed group. For an open link, or
if the designer declared the invited people a sample, it is the population. A reader can select the other target in a
URL. surveys/researcher/results/selection.py puts `shown` beside the document's numbers, and `target`, `level` (the
confidence) and `ended` into the result.
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
    """Return the default target of a survey's numbers. `definition` can be a draft."""
    invited = definition.get("invitations")
    in_definition = isinstance(invited, Mapping) and "sample" in invited
    return "respondents" if invited and not in_definition and definition.get("sample") is not True else "population"


def other(target: Target) -> Target:
    return "respondents" if target == "population" else "population"


def target_of_query(query: Mapping[str, str], definition: Mapping[str, Any]) -> Target:
    """Return the target in a page's URL, by default the usual one."""
    return next((each for each in get_args(Target) if each == query.get("target")), usual_target(definition))


def people(definition: Mapping[str, Any], target: Target) -> str:
    """Return the line below a page's title that says whom the numbers describe."""
    if target == "respondents" and "forms" in definition:
        return _("about exactly those who were asked")
    if target == "respondents":
        return _("about exactly those who took part")
    return _("about the population") if definition.get("invitations") else _("about people like those who took part")


def planned_about(target: Target, in_forms: bool) -> str:
    """Return whom planned widths describe and when they hold, in two sentences."""
    larger = _("Widths are larger where results can decide when the survey ends.")
    return f"{planned_for(target, in_forms)} {larger}"


def planned_for(target: Target, in_forms: bool) -> str:
    """Return whom planned widths describe."""
    text = _("All widths are about exactly the people who take part.")
    if target == "population":
        text = _("All widths are about a population, if the people who take part are a random sample of it.")
    elif in_forms:
        text = _("Each width is about exactly the people who take part and whose form has the question.")
    return text


def instead(target: Target) -> str:
    """Return the text of the switch from this target to the other one."""
    if target == "population":
        return _("Show them about exactly the people who take part")
    return _("Show them about a population")


def targeted(category: Category) -> Precision:
    """Return standard error and intervals for the selected target and confidence."""
    return category.get("shown") or category["population"]


def holds_at_every_release(method: Method) -> bool:
    """Return whether the intervals hold at every release. They are then wider than the standard errors suggest."""
    return any(targeted(category)["interval_method"] == "sequence" for category in method["categories"])


def target(result: Result) -> str:
    """Return the target of the numbers."""
    return str(result.get("target", "population"))


def about_reached(result: Result) -> bool:
    """Return whether the numbers describe only people who were asked the question."""
    return result.get("of_asked", False) or (target(result) == "respondents" and asked_in(result) is not None)


def ended(result: Result) -> bool:
    """Return whether no more reports come."""
    return bool(result.get("ended", False))


def width(result: Result, category: Category) -> float:
    """Return the width of the simultaneous interval, without clipping. An interval that is clipped at an end of the
    scale, or lies beyond it, is not more precise (M37)."""
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
