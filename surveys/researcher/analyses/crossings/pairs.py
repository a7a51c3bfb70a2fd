"""Two variables of a survey as a cross-table has them: in the definition's order, of those whom both were asked."""

from typing import Any, NamedTuple

import numpy as np
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from ldp import kinds
from ldp.arrays import Integers
from ldp.crossing import CrossingDocument
from ldp.forms import lot, results
from ldp.forms.crossed import Crossed
from ldp.forms.definition import questionnaire
from ldp.inference.variables import CELLS_MAX, NotCrossed, Variable, common_forms, pair_of, variables
from ldp.mechanisms import SAMPLING_OPTIONS
from ldp.question import Drawn, asked_in
from surveys.models import Release
from surveys.researcher.analyses.frame.inputs import AnalysisRefused, Choices, grouped

REFUSALS: dict[str, Promise] = {
    "unknown": _("There is no such question, item or option."),
    "mean": _("A mean has no options to cross."),
    "noise": _(
        "Reports about this mean hold numbers with Laplace noise, and nothing explains or groups those here. It can be "
        "done where each report is one bit."
    ),
    "parts": _("A grid is crossed item by item, and a multiple choice option by option: choose one of them."),
    "alone": _("There is no other question to cross it with."),
    "same": _("Choose two different questions: a question cannot be crossed with itself."),
    "one drawn": _(
        "Each report is about only one item of this question, drawn by chance, so no report is about two of them."
    ),
    "ranking": _("Choose one pair of each ranking: two pairs of one ranking cannot be crossed."),
    "forms": _("No form asks these questions together, so nobody was asked all of them."),
    "channels": _(
        "The forms that ask these questions randomize them in different ways, some together and some alone, or with "
        "other chances. That is not computed."
    ),
    "too large": _("A table with this many cells would say nothing about any of them."),
    "kept": _("This release already has as many cross-tables as the site keeps."),
    "waiting": _("Several cross-tables of this survey are being counted. Ask again when they are ready."),
    "old": _(
        "Only the newest release can be counted: the reports of older releases can no longer be told from later ones."
    ),
}


class CrossedQuestions(NamedTuple):
    """The keys of two variables: a question's, for an item or option with a dot and its place."""

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
    """Both in the order of the definition. AnalysisRefused where they cannot be crossed."""
    questions = release.survey.questions
    try:
        pair = pair_of(questions, first, second)
    except NotCrossed as refused:
        raise AnalysisRefused(refused.reason) from None
    places = {question["key"]: place for place, question in enumerate(questions)}
    one, other = sorted(pair, key=lambda variable: (places[variable.question["key"]], variable.place or 0))
    return one, other


def partners(release: Release, first: str) -> tuple[Choices, list[str]]:
    """What can be crossed with a variable, and the texts of the questions that nobody was asked beside it."""
    questions = release.counted_questions
    one = next((variable for variable in variables(questions) if variable.key == first), None)
    if one is None:
        return [], []
    apart = [question for question in questions if is_apart(one.forms, question)]
    choices = grouped([question for question in questions if question not in apart])
    sizes = {variable.key: len(variable.options) for variable in variables(questions)}
    alike = one.question["key"] if one.question.get("table", {}).get("sample", 1) < 2 else first
    fits = CELLS_MAX // len(one.options)
    kept = [
        (text, [each for each in members if sizes[each[0]] <= fits and alike not in (each[0], _question(each[0]))])
        for text, members in choices
    ]
    return [(text, members) for text, members in kept if members], [each["text"] for each in apart]


def _question(key: str) -> str:
    return key.partition(".")[0]


def is_apart(forms: frozenset[int] | None, question: Drawn) -> bool:
    """Whether none of these forms asks it."""
    own = asked_in(question)
    return forms is not None and own is not None and not forms & set(own)


def share(release: Release, pair: tuple[Variable, Variable], about: int, reports: int) -> float:
    """The part of all people who report about both, where so many of these reports do."""
    whole = questionnaire(release.survey.definition)
    chances = lot.chances([form.weight for form in whole.forms])
    forms = whole.reports_about(*(variable.question["key"] for variable in pair))
    return float(sum(chances[form] for form in forms)) * about / reports


def rebuilt(release: Release, pair: tuple[Variable, Variable], document: CrossingDocument) -> Crossed:
    """A crossing, made anew from what is stored of it."""

    def read(first: Variable, second: Variable) -> Integers:
        forms = sorted(common_forms((first, second)) or ())
        channels = (each["counts"] for each in document.get("channels", ()) if each["forms"] == forms)
        return np.array(next(channels, [[0]]) if "channels" in document else document["counts"])

    crossing = results.crossing(release.survey.definition, release.form_tallies, *pair, read)
    assert crossing is not None, "a document is of reports"
    return crossing


def filler(variable: Variable) -> str | None:
    """Return the option that respondents who were not asked the variable's question count as (M34); None where
    everybody was asked."""
    question = variable.question
    if "asked_if" not in question:
        return None
    kind = kinds.of(question)
    answer = kind.answer(question, kind.filler(question), lambda: 0)
    part = answer if variable.place is None else answer[variable.place]
    place = 1 - part if question["mechanism"] in SAMPLING_OPTIONS else part
    return variable.options[int(place)]
