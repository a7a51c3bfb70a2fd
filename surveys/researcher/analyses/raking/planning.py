"""The cost of weighting by known shares, for planned numbers of people: design effect, effective sample size (M41)."""

from collections.abc import Sequence
from math import prod
from typing import NamedTuple

import numpy as np
from django.forms import BoundField
from django.http import QueryDict
from django.utils.translation import gettext as _

from ldp.arrays import Values
from ldp.inference.variables import Variable
from ldp.planning import expectation
from ldp.planning.regressions import CELLS_MAX
from ldp.regression.expectation import apart, together
from ldp.regression.sample import Sample
from ldp.weighting import margin, raking
from ldp.weighting.margin import Weighted
from surveys.figures import numerals
from surveys.researcher.analyses.frame import planning
from surveys.researcher.analyses.frame.planning import QuestionOption, QuestionPlan
from surveys.researcher.analyses.weighting.inputs import KnownSharesInput

CONFIDENCE = 0.95
STRATA = ("stratum", "second_stratum")


class Margin(NamedTuple):
    """A question with known shares, and its form. `strata` are the rows of weighting/shares.html."""

    by: Variable
    form: KnownSharesInput
    strata: list[dict[str, BoundField]]


class RakingOutlook(NamedTuple):
    """The form with its choice, and the results: none before a choice."""

    questions: list[QuestionOption]
    strata: list[tuple[str, list[QuestionOption]]]
    margins: list[Margin]
    sentences: list[str]


def outlook(questions: Sequence[QuestionPlan], data: QueryDict, n: int) -> RakingOutlook | None:
    """Return the form of weighting with its results; None without two questions for everyone with their form."""
    able = planning.for_everyone(questions)
    if len(able) < 2:
        return None
    names = {question.name: question for question in able}
    question = names.get(data.get("weighted", ""))
    strata = list({each.name: each for name in STRATA if (each := names.get(data.get(name, "")))}.values())
    lists = [(name, planning.choices(able, names.get(data.get(name, "")))) for name in STRATA]
    hindering = _hindrance(question, strata) if question and strata else ""
    margins = [_margin(each, data) for each in strata] if question and not hindering else []
    texts = [hindering] if hindering else []
    valid = [margin.form.is_valid() for margin in margins]
    if question and margins and all(valid):
        texts = _sentences(question, strata, [margin.form.shares() for margin in margins], n)
    return RakingOutlook(planning.choices(able, question or able[0]), lists, margins, texts)


def _margin(question: QuestionPlan, data: QueryDict) -> Margin:
    by = planning.variable(question)
    form = KnownSharesInput(data, by.options, prefix=question.name)
    return Margin(by, form, [{"box": box} for box in form.boxes()])


def _hindrance(question: QuestionPlan, strata: Sequence[QuestionPlan]) -> str:
    every = [*strata, question]
    if question in strata:
        return _("Choose different questions.")
    if planning.in_two_forms(every):
        return _("They are in different forms: no one is asked all of them.")
    (_people, own), *others = planning.ways(every)
    if others and len(strata) > 1:
        return _(
            "Several forms ask all of these and randomize them in different ways. To weight by two questions at once, "
            "all three must be in a single form."
        )
    if 1 < len({each.draw for each in own}) < len(every):
        return _("Some of them are randomized together and others are not: this page cannot say what would show.")
    if prod(len(planning.variable(each).options) for each in every) > CELLS_MAX:
        return _("Together they have too many answers to say here what would show.")
    return ""


def _sentences(question: QuestionPlan, strata: Sequence[QuestionPlan], known: list[list[float]], n: int) -> list[str]:
    every = [*strata, question]
    about = max(1, round(n * planning.share(every)))
    words = {"n": numerals.integer(about), "question": planning.variable(question).text}
    try:
        made = _expected(every, known, about)
    except raking.NotRaked as refused:
        texts = _("%(n)s people are too few to weight “%(question)s” by these answers.")
        if refused.needed is not None:
            words["needed"] = numerals.integer(refused.needed)
            texts += " " + _("About %(needed)s people who are asked all of them would be enough.")
        return [texts % words]
    return [sentence % (words | _figures(made)) for sentence in _texts()]


def _figures(made: Weighted) -> dict[str, str]:
    """Return the figures of the share with the largest cost of weighting."""
    effect, low_high = max(made.design_effects), made.intervals(CONFIDENCE)
    return {
        "effect": numerals.small(effect, 2),
        "effective": numerals.count(min(made.effective_n)),
        "width": numerals.rounded_up(100 * float((low_high[:, 1] - low_high[:, 0]).max() / 2)),
    }


def _texts() -> list[str]:
    return [
        _(
            "Weighted like this, the variance of a share of “%(question)s” is %(effect)s times what it is unweighted "
            "(the design effect)."
        ),
        _(
            "%(n)s people who are asked all of these then show it as precisely as %(effective)s answers without "
            "privacy, from people drawn from the population: ±%(width)s points at most."
        ),
    ]


def _expected(every: Sequence[QuestionPlan], known: list[list[float]], n: int) -> Weighted:
    """Return the last question weighted by the others, for `n` people spread evenly over the answers. Raise NotRaked if
    they are too few."""

    [(_people, own), *_others] = planning.ways(every)
    sizes = [len(each.options) for each in own]
    law = np.full(sizes, 1 / prod(sizes))
    if len(own) > 2:
        return raking.raked(_reports(law, own), own, known, n)
    try:
        return margin.weighted(expectation.crossing(planning.ways_of_two(every), law), known[0], n)
    except margin.TooFewStrata as refused:
        raise raking.NotRaked(max(refused.needed.values())) from None


def _reports(law: Values, own: Sequence[Variable]) -> Sample:
    if len({each.draw for each in own}) > 1:
        return apart(law, own)
    return together(law, own[0].question["table"]["keep"], [each.listed for each in own])
