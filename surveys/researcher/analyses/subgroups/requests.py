"""Asking for a release's subgroups: what can be a stratum, what is refused, and the row of what is not."""

from django.contrib.auth.models import User
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from ldp import subgroups
from ldp.forms.definition import questionnaire
from ldp.inference.variables import NotCrossed, Variable
from ldp.subgroups import NoSubgroups
from surveys.models import Release, Subgroups
from surveys.researcher.analyses.crossings.requests import REFUSALS as NOT_CROSSED
from surveys.researcher.analyses.crossings.requests import Choices, grouped
from surveys.researcher.analyses.frame import requests
from surveys.researcher.analyses.frame.requests import Refused

REFUSALS: dict[str, Promise] = NOT_CROSSED | {
    "some asked": _("This question was asked of some people only, and what the others sent is made up."),
    "nothing": _("No other question can be crossed with this one."),
    "many shares": _("There are more than 2,048 shares within its answers: together they would say nothing."),
    "kept": _("This release already has as many pages of subgroups as the site keeps."),
    "waiting": _("Several pages of subgroups of this survey are being counted. Ask again when they are ready."),
}


def checked(release: Release, key: str) -> tuple[Variable, list[Variable]]:
    """The stratum and what is shown by it. Refused where it can be none."""
    try:
        return subgroups.partners(release.survey.questions, key)
    except (NotCrossed, NoSubgroups) as refused:
        raise Refused(refused.reason) from None


def ask(user: User | None, release: Release, key: str) -> Subgroups:
    """The subgroups by a stratum, asked for unless they were; those that failed are tried again. Refused where it is
    not possible."""
    checked(release, key)
    return requests.ask(Subgroups, user, release, stratum=key)


def choices(release: Release) -> Choices:
    """For a list to choose the stratum from."""
    about = [question for question, _, _ in release.counted.values() if "asked_if" not in question]
    return grouped(about)


def reports(release: Release, stratum: Variable, others: list[Variable]) -> int:
    """How many reports are about the stratum and another question."""
    whole, own = questionnaire(release.survey.definition), stratum.question["key"]
    forms = {form for other in others for form in whole.reports_about(own, other.question["key"])}
    return sum(release.tallies[form]["n"] for form in forms)
