"""The demo's forms cross all pairs of its questions. Its shares are nearly as precise as without any crossing."""

import math
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, product

import numpy as np
import pytest

from ldp.forms import report
from ldp.forms.marginals import JointTally
from ldp.inference.product_subsets import Listing
from ldp.inference.variables import variables
from ldp.planning.design import Brief, BriefQuestion
from ldp.planning.design_columns import Columns, question_prices
from ldp.planning.design_outcomes import outcome
from ldp.planning.design_proposals import propose
from ldp.regression.draw_scores import DrawScores
from ldp.regression.pairs import ERRORS_MIN, Pairs
from ldp.regression.specification import Covariate
from surveys.designer.privacy.questions import planned_questions
from surveys.designer.privacy.standing import standing
from surveys.drafts.normalize import normalized
from surveys.management.commands.demo import MISSED_MAX
from surveys.models import Release
from surveys.public.demo.drafts import draft
from surveys.public.demo.respondents import EXPLAINED, answers
from surveys.researcher.analyses.crossings.analysis import CROSSINGS
from surveys.researcher.analyses.crossings.pairs import CrossedQuestions
from surveys.researcher.analyses.frame import requests
from surveys.survey.definition import build
from tests.support.analyses import made
from tests.support.evidence import demonstration

PEOPLE = 6366
WIDER = 1.05  # the forms were proposed for intervals at most this much wider

# One pair together and the other questions alone: the most precise design if no other pair is crossed.
UNCROSSED: list[dict[str, object]] = [
    {"weight": 2, "draws": [{"questions": ["affair", "marriage"], "alpha": "2"}]},
    *({"weight": 1, "draws": [{"questions": [key], "alpha": "2"}]} for key in ("religious", "occupation", "age")),
]


@pytest.fixture(scope="module")
def brief():
    asked = planned_questions(normalized(draft()))
    questions = tuple(BriefQuestion(each.key, each.without_form.variant.plan) for each in asked)
    return Brief(questions, Fraction(2), PEOPLE, first=200, crossed="all")


def design(brief, **changes):
    found = standing(planned_questions(normalized(draft() | changes)), brief)
    assert found
    return found


def test_all_ten_pairs_are_asked_together_under_one_total(brief):
    keys = [each.key for each in brief.questions]
    together = {frozenset(draw.keys) for form in design(brief).forms for draw in form.draws if len(draw.keys) > 1}
    assert together == {frozenset(pair) for pair in combinations(keys, 2)} and len(together) == 10
    assert all(form.alpha == 2 for form in design(brief).forms)


def test_no_standard_error_is_larger_by_a_twentieth_than_without_crossing(brief):
    crossed, uncrossed = (
        question_prices(brief, each.parts) for each in (design(brief), design(brief, forms=UNCROSSED))
    )
    for key in crossed:
        assert (crossed[key].variance / uncrossed[key].variance) ** 0.5 <= WIDER, key


def test_the_forms_are_as_good_as_those_that_are_proposed_for_this_wish(brief):
    """Occupation and age have equally many options, so two designs are equally good."""
    widths = outcome(Columns(brief), design(brief, forms=UNCROSSED)).half_widths
    wished = tuple(each._replace(wished=WIDER * widths[each.key]) for each in brief.questions)
    wishing = replace(brief, questions=wished)
    proposed = propose(wishing)
    assert (
        proposed.outcome.merit == outcome(Columns(wishing), design(brief)).merit and not proposed.outcome.merit.missed
    )


def least(definition, people, covariates):
    """Return how many of its standard errors the least variance of a model's columns is above 0, in the expectation of
    the demo's reports: below 5 no model is computed (M47)."""
    model = replace(EXPLAINED["fair"], covariates=covariates)
    options = {each.key: len(each.options) for each in variables(report.alone(definition))}
    whole, sources = sum(form["weight"] for form in definition["forms"]), []
    for form in definition["forms"]:
        [draw] = form["draws"]
        if own := [key for key in draw["questions"] if key in model.keys]:
            size = dict(zip(draw["questions"], draw["table"]["sizes"], strict=True))
            lists = [Listing(options[key], size[key]) for key in own]
            law = np.zeros([each.d for each in lists])
            np.add.at(law, tuple(np.array([each[key] for each in people]) for key in own), 1 / len(people))
            keep, random = Fraction(draw["table"]["keep"], 2**53), math.prod(each.a / each.d for each in lists)
            for place, each in enumerate(lists):
                law = np.moveaxis(np.tensordot(each.containing[:, 0, 1:], law, (0, place)), 0, place)
            counts = 10**9 * form["weight"] / whole * (float(keep) * law + float(1 - keep) * random)
            # A multiple of the product of all sizes, so that whole reports can have these counts.
            cells = tuple((5040 * np.rint(counts / 5040).astype(np.int64)).ravel().tolist())
            table = {"keep": draw["table"]["keep"], "sizes": [each.a for each in lists]}
            sources.append(DrawScores(JointTally(table, counts.shape, cells, tuple(own))))
    pairs = Pairs(model, sources)
    means = pairs.products[0, 1:-1]
    covariance = pairs.products[1:-1, 1:-1] - np.outer(means, means)
    scale = np.sqrt(np.diag(covariance))
    directions = np.vstack([np.eye(len(means)), np.linalg.eigh(covariance / np.outer(scale, scale))[1].T / scale])
    linear = np.zeros((len(directions), *pairs.products.shape))
    linear[:, 1:-1, 1:-1] = directions[:, :, None] * directions[:, None]
    linear[:, 0, 1:-1] = -2 * (directions @ means)[:, None] * directions
    errors = np.sqrt(np.diag(pairs.covariance(linear)) * 10**9 / PEOPLE)
    return (((directions @ covariance) * directions).sum(axis=1) / errors).min()


def test_a_linear_model_on_one_question_is_computed_and_on_all_others_takes_27_times_the_people():
    definition = build(draft())
    people, [one] = list(answers(definition)), EXPLAINED["fair"].covariates
    steps = {"marriage": 5, "religious": 4, "occupation": 6, "age": 6}
    every = tuple(Covariate(key, tuple(map(float, range(count)))) for key, count in steps.items())
    assert least(definition, people, (one,)) > 2 * ERRORS_MIN
    times = (ERRORS_MIN / least(definition, people, every)) ** 2
    assert 165_000 < times * PEOPLE < 175_000


@pytest.mark.django_db
def test_all_ten_pairs_are_crossed_at_the_end_and_their_intervals_hold_the_truth():
    survey, people = demonstration(), list(answers(build(draft())))
    release, missed, cells = Release.objects.get(survey=survey, final=True), 0, 0
    counts = {question["key"]: len(question["options"]) for question in survey.questions}
    for first, second in combinations(counts, 2):
        run = made(requests.ask(CROSSINGS, None, release, CrossedQuestions(first, second)))
        assert run.state == run.State.READY, (first, second)
        true = Counter((own[first], own[second]) for own in people)
        level = run.document["confidences"].index(0.95)
        both = product(range(counts[first]), range(counts[second]))
        for cell, symbols in zip(run.document["cells"], both, strict=True):
            low, high = cell["joint"]["levels"][level]["simultaneous"]
            cells, missed = cells + 1, missed + (not low <= true[symbols] / len(people) <= high)
    assert cells == 2 * 21 + 5 * 16 + 4 * 12 + 6 * 6 and missed <= MISSED_MAX * cells
