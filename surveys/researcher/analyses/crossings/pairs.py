"""The two variables of a cross-table, in the definition's order, and the variables that can be crossed."""

from typing import Any, NamedTuple

import numpy as np
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from ldp.arrays import Integers
from ldp.crossing import CrossingDocument
from ldp.forms import lot, results
from ldp.forms.crossed import Crossed
from ldp.forms.definition import questionnaire
from ldp.inference.variables import CELLS_MAX, NotCrossed, Variable, common_forms, items_drawn, pair_of, variables
from ldp.question import Drawn, asked_in
from ldp.regression.reached_pairs import ReportPair, StatePair, is_routed, reached_pair
from surveys.models import Release
from surveys.researcher.analyses.frame.inputs import AnalysisRefused, Choices, grouped

REFUSALS: dict[str, Promise] = {
    "unknown": _("There is no such question, item or option."),
    "mean": _("A mean has no options to cross."),
    "noise": _(
        "Reports about this mean are numbers with Laplace noise, which this site can neither explain nor show by "
        "group. It can for a mean whose reports are one bit each."
    ),
    "parts": _("A grid is crossed item by item, and a multiple choice option by option: choose one of them."),
    "alone": _("There is no other question to cross it with."),
    "same": _("Choose two different questions: a question cannot be crossed with itself."),
    "one drawn": _(
        "Each report is about only one item of this question, drawn by chance, so no report is about two of them."
    ),
    "few drawn": _(
        "No report is about all of these items: each is about fewer items of this question, drawn by chance."
    ),
    "ranking": _("Choose one pair of each ranking: two pairs of one ranking cannot be crossed."),
    "forms": _("No form asks these questions together, so no one was asked all of them."),
    "channels": _(
        "The forms that ask these questions randomize them in different ways: some together and some alone, or with "
        "different chances. This site does not compute that."
    ),
    "asked": _(
        "Not everyone was asked both of these questions, and this site cannot leave those who were not asked out of "
        "their table."
    ),
    "one leads on": _(
        "Everyone who was asked both questions gave the same answer to one of them: the results of the other one "
        "already describe these people."
    ),
    "too large": _("A table with this many cells would say nothing about any of them."),
    "kept": _("This release already has as many cross-tables as the site keeps."),
    "waiting": _("Several cross-tables of this survey are being counted. Ask again when they are ready."),
    "old": _(
        "Only the newest release can be counted: reports of older releases are no longer kept apart from later ones."
    ),
}

SOME_ASKED = _(
    "A question that only some people were asked cannot be used here: the reports of the others hold a filler in place "
    "of an answer. A cross-table describes the people who were asked."
)


class CrossedQuestions(NamedTuple):
    """The keys of two variables. The key of an item or option is the question's, a dot, and its place."""

    first: str
    second: str

    @property
    def keys(self) -> tuple[str, str]:
        return self.first, self.second

    @classmethod
    def from_json(cls, data: Any) -> "CrossedQuestions":
        if not isinstance(data, dict) or data.keys() != {"first", "second"}:
            raise ValueError("a pair has first and second")
        if not all(isinstance(key, str) for key in data.values()):
            raise ValueError("both are keys")
        return cls(**data)


def ordered(release: Release, first: str, second: str) -> tuple[Variable, Variable]:
    """Return both variables in the definition's order. Raise AnalysisRefused if they cannot be crossed."""
    questions = release.survey.questions
    try:
        pair = pair_of(questions, first, second)
        reached(questions, pair)
    except NotCrossed as refused:
        raise AnalysisRefused(refused.reason) from None
    places = {question["key"]: place for place, question in enumerate(questions)}
    one, other = sorted(pair, key=lambda variable: (places[variable.question["key"]], variable.place or 0))
    return one, other


def reached(questions: list[Drawn], pair: tuple[Variable, Variable]) -> StatePair | ReportPair | None:
    """Return the pair for counting among people who were asked both; None if everyone was. Raise NotCrossed if reports
    do not show who was asked both."""
    return reached_pair(questions, *pair) if is_routed(*pair) else None


class Partners(NamedTuple):
    """The variables that can be crossed with a variable, and the questions that cannot.

    `apart` has the texts of questions that no form asks together with it. `refused` has the texts of questions that
    only some people were asked, and why they have no table.
    """

    choices: Choices
    apart: list[str]
    refused: list[tuple[str, str]]


def partners(release: Release, first: str) -> Partners:
    questions = release.counted_questions
    one = next((variable for variable in variables(questions) if variable.key == first), None)
    if one is None:
        return Partners([], [], [])
    apart = [question for question in questions if is_apart(one.forms, question)]
    choices = grouped([question for question in questions if question not in apart])
    sizes = {variable.key: len(variable.options) for variable in variables(questions)}
    drawn = max(most for _form, most in items_drawn(one.question))
    alike = one.question["key"] if drawn < 2 else first
    fits = CELLS_MAX // len(one.options)
    kept = [
        (text, [each for each in members if sizes[each[0]] <= fits and alike not in (each[0], _question(each[0]))])
        for text, members in choices
    ]
    shown = [(text, [each for each in members if not _reason(questions, first, each[0])]) for text, members in kept]
    every = zip(kept, shown, strict=True)
    refused = [
        (text, str(REFUSALS[_reason(questions, first, members[0][0])]))
        for (text, members), (_text, left) in every
        if members and not left
    ]
    return Partners([each for each in shown if each[1]], [each["text"] for each in apart], refused)


def _reason(questions: list[Drawn], first: str, second: str) -> str:
    """Return why two variables cannot be crossed if not everyone was asked one; empty if they can."""
    own = [each for each in questions if each["key"] in (_question(first), _question(second))]
    if not any("asked_if" in each for each in own):
        return ""
    try:
        reached(questions, pair_of(questions, first, second))
    except NotCrossed as refused:
        return refused.reason
    return ""


def _question(key: str) -> str:
    return key.partition(".")[0]


def is_apart(forms: frozenset[int] | None, question: Drawn) -> bool:
    """Return whether none of these forms asks the question."""
    own = asked_in(question)
    return forms is not None and own is not None and not forms & set(own)


def share(release: Release, pair: tuple[Variable, Variable], about: int, reports: int) -> float:
    """Return the fraction of all people who report about both variables. `about` of `reports` reports are about both,
    among reports of the forms that ask both."""
    whole = questionnaire(release.survey.definition)
    chances = lot.chances([form.weight for form in whole.forms])
    forms = whole.reports_about(*(variable.question["key"] for variable in pair))
    return float(sum(chances[form] for form in forms)) * about / reports


def rebuilt(release: Release, pair: tuple[Variable, Variable], document: CrossingDocument) -> Crossed:
    """Return the crossing, rebuilt from its stored document."""

    def read(first: Variable, second: Variable) -> Integers:
        forms = sorted(common_forms((first, second)) or ())
        channels = (each["counts"] for each in document.get("channels", ()) if each["forms"] == forms)
        return np.array(next(channels, [[0]]) if "channels" in document else document["counts"])

    crossing = results.crossing(release.survey.definition, release.form_tallies, *pair, read)
    assert crossing is not None, "a document is of reports"
    return crossing
