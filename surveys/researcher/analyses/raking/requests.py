"""Asking for a question weighted by several margins: what is refused, and the row of what is not."""

from itertools import combinations

from django.contrib.auth.models import User
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from ldp.inference.variables import NotCrossed, Variable, pair_of, with_means
from ldp.question import Question
from ldp.weighting import margins
from ldp.weighting.margins import Margins, NotWeighted
from surveys.models import Raking, Release
from surveys.researcher.analyses.crossings.requests import REFUSALS as NOT_CROSSED
from surveys.researcher.analyses.frame import requests
from surveys.researcher.analyses.frame.requests import Refused
from surveys.researcher.analyses.raking.selection import digest

REFUSALS: dict[str, Promise] = NOT_CROSSED | {
    "question": _("Choose the question whose shares are to be weighted."),
    "margins": _(
        "Type the known shares of at least two questions, or of one to weight a mean. To weight shares by "
        "one question, use a cross-table."
    ),
    "repeated": _("Each question can be chosen only once, as the weighted one or with known shares."),
    "shares": _("Known shares must be one for each answer, none below 0, and add up to 100%."),
    "too large": _("These questions have more than 1,024 combinations of answers: choose fewer of them."),
    "some asked": _("One of these questions was asked of some people only, and what the others sent is made up."),
    "kept": _("This release already has as many weighted questions as the site keeps."),
    "waiting": _("Several weighted questions of this survey are being counted. Ask again when they are ready."),
}


def eligible(questions: list[Question]) -> list[Variable]:
    """What can be weighted, or weighted by: by all but means."""
    return [each for each in with_means(questions) if "asked_if" not in each.question]


def without_place(questions: list[Question]) -> list[Question]:
    """Means that cannot be weighted: noise that is added to a number tells nothing together with other answers."""
    weighted = {each.question["key"] for each in with_means(questions)}
    return [each for each in questions if "asked_if" not in each and each["key"] not in weighted]


def checked(release: Release, chosen: Margins) -> list[Variable]:
    """The variables of its keys. Refused where nothing is weighted."""
    questions = release.survey.questions
    try:
        own = margins.variables(chosen, questions)
        margins.check(chosen, own)
        for first, second in combinations(chosen.keys, 2):
            pair_of(questions, first, second, means=second == chosen.question)
    except (NotCrossed, NotWeighted) as refused:
        raise Refused(refused.reason) from None
    return own


def reports(release: Release, chosen: Margins) -> int:
    """How many reports there are of those who were asked all of its questions."""
    return requests.reports_about(release, chosen.keys)


def ask(user: User | None, release: Release, chosen: Margins) -> Raking:
    """The weighted question, asked for unless it was; one that failed is tried again. Refused where it is not
    possible."""
    checked(release, chosen)
    return requests.ask(Raking, user, release, digest=digest(chosen), margins=margins.as_json(chosen))
