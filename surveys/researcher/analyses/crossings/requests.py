"""What can be crossed of a release, what was, and asking for more."""

from django.contrib.auth.models import User
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from ldp.forms import lot
from ldp.forms.definition import questionnaire
from ldp.inference.variables import NotCrossed, Variable, pair_of, variables
from ldp.question import Question
from surveys.models import Crossing, Release
from surveys.researcher.analyses.frame import requests
from surveys.researcher.analyses.frame.requests import Refused

REFUSALS: dict[str, Promise] = {
    "unknown": _("There is no such question, item or option."),
    "mean": _("A mean has no options to cross."),
    "noise": _(
        "Reports about this mean hold numbers with Laplace noise, and nothing explains or groups those here. It can be "
        "done where each report is one bit."
    ),
    "parts": _("A grid is crossed item by item, and a multiple choice option by option: choose one of them."),
    "same": _("Choose two different questions: a question cannot be crossed with itself."),
    "one drawn": _(
        "Each report is about only one item of this question, drawn by chance, so no report is about two of them."
    ),
    "forms": _("These questions are in different forms, so nobody was asked both."),
    "too large": _("A table with this many cells would say nothing about any of them."),
    "kept": _("This release already has as many cross-tables as the site keeps."),
    "waiting": _("Several cross-tables of this survey are being counted. Ask again when they are ready."),
    "old": _(
        "Only the newest release can be counted: the reports of older releases can no longer be told from later ones."
    ),
}


def ordered(release: Release, first: str, second: str) -> tuple[Variable, Variable]:
    """Both in the order of the definition. Refused where they cannot be crossed."""
    questions = release.survey.questions
    try:
        pair = pair_of(questions, first, second)
    except NotCrossed as refused:
        raise Refused(refused.reason) from None
    places = {question["key"]: place for place, question in enumerate(questions)}
    one, other = sorted(pair, key=lambda variable: (places[variable.question["key"]], variable.place or 0))
    return one, other


def ask(user: User, release: Release, first: str, second: str) -> Crossing:
    """The crossing of two variables, in the definition's order, asked for unless it was; one that failed is tried
    again. Refused where it is not possible."""
    one, other = ordered(release, first, second)
    return requests.ask(Crossing, user, release, first=one.key, second=other.key)


Choices = list[tuple[str, list[tuple[str, str]]]]


def choices(release: Release) -> Choices:
    """For a list to choose from: the questions that reports are about."""
    return grouped([question for question, _, _ in release.counted.values()])


def partners(release: Release, first: str) -> tuple[Choices, list[str]]:
    """What can be chosen beside a variable, and the texts of the questions that nobody was asked beside it."""
    questions = [question for question, _, _ in release.counted.values()]
    one = next((variable for variable in variables(questions) if variable.key == first), None)
    form = None if one is None else one.form
    apart = [question for question in questions if form is not None and question.get("form", form) != form]
    return grouped([question for question in questions if question not in apart]), [each["text"] for each in apart]


def reports(release: Release, pair: tuple[Variable, Variable]) -> int:
    """How many reports there are of those who were asked both."""
    forms = questionnaire(release.survey.definition).reports_about(*(each.question["key"] for each in pair))
    return sum(release.tallies[form]["n"] for form in forms)


def share(release: Release, pair: tuple[Variable, Variable], about: int) -> float:
    """The part of all people who report about both, where so many reports of the release do."""
    whole = questionnaire(release.survey.definition)
    chances = lot.chances([form.weight for form in whole.forms])
    forms = whole.reports_about(*(each.question["key"] for each in pair))
    return float(sum(chances[form] for form in forms)) * about / reports(release, pair)


def grouped(questions: list[Question]) -> Choices:
    """The text of each question with the keys and texts of its variables."""
    grouped: dict[str, list[tuple[str, str]]] = {}
    texts: dict[str, str] = {}
    for variable in variables(questions):
        key = variable.question["key"]
        texts[key] = variable.question["text"]
        part = variable.text.removeprefix(f"{texts[key]} — ")
        grouped.setdefault(key, []).append((variable.key, part))
    return [(texts[key], members) for key, members in grouped.items()]
