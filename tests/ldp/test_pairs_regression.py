"""Least squares of questions that no one was asked all at once (M47)."""

import math
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from benchmarks.designs_coverage import listed
from ldp.forms.marginals import JointTally
from ldp.inference.product_subsets import Listing
from ldp.regression import effects as of_reports
from ldp.regression import fitting
from ldp.regression.draw_scores import DrawScores
from ldp.regression.pairs import Pairs, PairsMissing, TooFewPairs, fit
from ldp.regression.sample import JointSample
from ldp.regression.specification import Covariate, Specification
from tests.support.product_subsets import reports

KEYS, OPTIONS = ("class", "member", "steps"), (3, 2, 4)
LAW = np.random.default_rng(47).dirichlet(np.ones(24), size=1).reshape(OPTIONS)
MODEL = Specification("linear", "steps", (Covariate("class"), Covariate("member", (0.0, 1.0))))
# The questions that a form draws, the chance to keep, and the number of listed options of each.
FORMS = (
    ((0, 1), Fraction(3, 4), (1, 1)),
    ((0, 2), Fraction(3, 5), (1, 2)),
    ((1, 2), Fraction(2, 3), (1, 3)),
    ((0, 1, 2), Fraction(1, 2), (2, 1, 1)),
)


def columns():
    """Return the model's columns over all combinations of answers, and the outcome."""
    first, second, outcome = np.indices(OPTIONS).reshape(3, -1)
    return np.column_stack([np.ones(24), first == 1, first == 2, second]).astype(float), outcome.astype(float)


def true_parameters():
    x, y = columns()
    weights = LAW.ravel()
    return np.linalg.solve((x.T * weights) @ x, (x.T * weights) @ y)


def tally(form, counts):
    places, keep, sizes = form
    table = {"keep": round(keep * 2**53), "sizes": [*sizes]}
    keys = tuple(KEYS[place] for place in places)
    return DrawScores(JointTally(table, counts.shape, tuple(counts.ravel().tolist()), keys))


def survey(rng, numbers, forms=FORMS):
    tallies = []
    for form, n in zip(forms, numbers, strict=True):
        places, keep, sizes = form
        answers = np.stack(np.unravel_index(rng.choice(24, n, p=LAW.ravel()), OPTIONS), axis=1)[:, places]
        lists = listed(float(keep), [OPTIONS[place] for place in places], sizes, answers, rng)
        letters = "uvw"[: len(places)]
        counts = np.einsum(f"{','.join('n' + each for each in letters)}->{letters}", *lists)
        tallies.append(tally(form, counts))
    return tallies


def expected(form, n):
    """Return the expected counts of n reports, rounded to a multiple of all sizes' products, as whole reports have."""
    places, keep, sizes = form
    others = tuple(place for place in range(3) if place not in places)
    law, shape = LAW.sum(axis=others), [OPTIONS[place] for place in places]
    counts = np.zeros(shape)
    for answers in product(*map(range, shape)):
        for lists, chance in reports(keep, shape, sizes, answers):
            for cell in product(*lists):
                counts[cell] += float(chance) * law[answers] * n
    return 6 * np.rint(counts / 6).astype(np.int64)


def test_of_the_expected_reports_the_coefficients_are_those_of_the_population():
    found = fit(MODEL, [tally(form, expected(form, 10**9)) for form in FORMS])
    assert found.terms == [None, ("class", 1), ("class", 2), ("member", None)]
    assert found.parameters == pytest.approx(true_parameters(), abs=1e-6)


def test_joint_shares_of_a_draw_are_unbiased_whatever_a_report_lists():
    form = FORMS[3]
    assert tally(form, expected(form, 10**10)).joint == pytest.approx(LAW, abs=1e-8)
    assert tally(form, expected(form, 10**6)).n == pytest.approx(10**6, rel=1e-5)


def test_of_draws_that_leave_answers_alone_it_is_least_squares():
    """Without noise, and with one form that asks everything, it is numpy's solution with the robust covariance."""
    rng = np.random.default_rng(1)
    form = ((0, 1, 2), Fraction(10**9 - 1, 10**9), (1, 1, 1))
    answers = np.stack(np.unravel_index(rng.choice(24, 600, p=LAW.ravel()), OPTIONS), axis=1)
    counts = np.zeros(OPTIONS, dtype=np.int64)
    np.add.at(counts, tuple(answers.T), 1)
    x = np.column_stack([np.ones(600), answers[:, 0] == 1, answers[:, 0] == 2, answers[:, 1]]).astype(float)
    y = answers[:, 2].astype(float)
    found, best = fit(MODEL, [tally(form, counts)]), np.linalg.lstsq(x, y)[0]
    assert found.parameters == pytest.approx(best, abs=1e-6)
    inverse, scores = np.linalg.inv(x.T @ x), x * (y - x @ best)[:, None]
    assert found.covariance == pytest.approx(inverse @ scores.T @ scores @ inverse, abs=1e-6)


def test_the_variance_of_a_reports_scores_is_that_of_every_report():
    form = FORMS[3]
    found = Pairs(MODEL, [tally(form, expected(form, 10**9))])
    linear = np.random.default_rng(2).normal(size=(2, 5, 5))
    values = [column.values for column in found.columns]
    places = [None if column.key is None else KEYS.index(column.key) for column in found.columns]
    second, mean, (_, keep, sizes) = 0.0, 0.0, form
    for answers in product(*map(range, OPTIONS)):
        for lists, chance in reports(keep, OPTIONS, sizes, answers):
            w = [
                Listing(d, a).weights @ np.append(1, np.isin(np.arange(d), each)) / float(keep)
                for d, a, each in zip(OPTIONS, sizes, lists, strict=True)
            ]
            score = np.zeros(2)
            for (a, one), (b, other) in product(enumerate(places), enumerate(places)):
                if one is None and other is None:
                    continue
                if one == other:
                    both = values[a] * values[b]
                    product_of = (both - both.mean()) @ w[one] + both.mean()
                elif None in (one, other):
                    product_of = values[b] @ w[other] if one is None else values[a] @ w[one]
                else:
                    product_of = (values[a] @ w[one]) * (values[b] @ w[other]) * float(keep)
                score = score + linear[:, a, b] * product_of
            weight = float(chance) * LAW[answers]
            mean, second = mean + weight * score, second + weight * np.outer(score, score)
    own = found.sources[0].covariance(found.columns, linear)
    assert own == pytest.approx(second - np.outer(mean, mean), rel=1e-6, abs=1e-6)


def test_intervals_hold_and_coefficients_are_unbiased():
    """Of 150 surveys with unequal forms that each miss with a chance of .05, more than 19 miss once in 10,000 runs.
    `benchmarks.designs` has more surveys."""
    rng, truth, missed, errors = np.random.default_rng(3), true_parameters(), np.zeros(4), []
    for _ in range(150):
        found = fit(MODEL, survey(rng, (900, 1500, 1200, 600)))
        errors.append((found.parameters - truth) / found.standard_errors)
        missed += abs(errors[-1]) > 1.96
    assert missed.max() <= 19
    assert abs(np.mean(errors, axis=0)).max() < 0.4


def test_a_pair_that_no_one_was_asked_is_named():
    with pytest.raises(PairsMissing, match="class and member") as refused:
        fit(MODEL, survey(np.random.default_rng(4), (500, 500), FORMS[1:3]))
    assert refused.value.pairs == (("class", "member"),)


def test_too_few_reports_are_refused_with_the_number_that_would_do():
    with pytest.raises(TooFewPairs) as refused:
        fit(MODEL, survey(np.random.default_rng(5), (20, 20, 20, 20)))
    assert refused.value.n == 80 and refused.value.needed > 80
    enough = np.full(4, 4 * refused.value.needed)
    assert fit(MODEL, survey(np.random.default_rng(6), enough)).n == enough.sum()


@pytest.mark.parametrize("model", ["logistic", "multinomial", "ordered"])
def test_other_models_are_not_told_by_pairs(model):
    with pytest.raises(ValueError, match="linear"):
        fit(Specification(model, "steps", MODEL.covariates), [])


# What the model predicts ----------------------------------------------------------------------------------------------


def true_effects():
    """Return the mean scores with everyone in each class, or a member or not, and their differences."""
    b, shares = true_parameters(), LAW.sum(axis=2)
    classes, members = np.array([0, b[1], b[2]]), b[3] * np.arange(2)
    predicted = [*(b[0] + classes + shares.sum(axis=0) @ members), *(b[0] + members + shares.sum(axis=1) @ classes)]
    return predicted, [b[1], b[2], b[3]]


def effects(fitted):
    covariates = fitted.specification.covariates
    return [[each for one in covariates for each in of(one)] for of in (fitted.predicted, fitted.marginal)]


def test_of_the_expected_reports_predicted_means_and_effects_are_those_of_the_population():
    predicted, marginal = effects(fit(MODEL, [tally(form, expected(form, 10**9)) for form in FORMS]))
    truth = true_effects()
    assert [each.estimate for each in predicted] == pytest.approx(truth[0], abs=1e-6)
    assert [each.estimate for each in marginal] == pytest.approx(truth[1], abs=1e-6)
    assert [(each.key, each.option, each.reference) for each in marginal] == [
        ("class", 1, 0),
        ("class", 2, 0),
        ("member", 1, 0),
    ]


def test_from_one_draw_of_everything_the_effects_are_those_of_its_reports():
    """The model of all reports at once (M40) gives the same numbers, with errors from the reports, whose squares are
    divided by n minus the number of parameters."""
    form = ((0, 1, 2), Fraction(1, 2), (1, 1, 1))
    counts = survey(np.random.default_rng(9), (6000,), (form,))[0].tally.cube
    table = {"keep": 2**52, "sizes": [1, 1, 1]}
    fitted = fit(MODEL, [tally(form, counts)])
    predicted, marginal = effects(fitted)
    sample = JointSample(JointTally(table, OPTIONS, tuple(counts.ravel().tolist()), KEYS), (2, 0, 1))
    other = fitting.fit(MODEL, sample)
    assert fitted.parameters == pytest.approx(other.parameters, abs=1e-9)
    part = 5996 / 6000
    assert fitted.covariance == pytest.approx(part * other.covariance, rel=1e-9)
    whole = (
        [each for one in MODEL.covariates for each in of_reports.predicted(other, one.key)],
        [each for one in MODEL.covariates for each in of_reports.marginal(other, one.key, one.reference)],
    )
    for own, each in zip((predicted, marginal), whole, strict=True):
        assert [(one.key, one.option, one.reference) for one in own] == [
            (one.key, one.option, one.reference) for one in each
        ]
        assert [one.estimate for one in own] == pytest.approx([one.estimate for one in each], abs=1e-9)
        errors = [math.sqrt(part) * one.standard_error for one in each]
        assert [one.standard_error for one in own] == pytest.approx(errors, rel=1e-9)
        halves = [np.diff(one.interval(0.95))[0] / 2 for one in own]
        assert halves == pytest.approx([1.959963984540054 * error for error in errors], rel=1e-9)


def test_intervals_of_predicted_means_and_effects_hold():
    """More than 19 of 150 surveys miss one number once in 10,000 runs, and one of eight numbers once in 1,250."""
    rng, truth, missed = np.random.default_rng(11), np.concatenate(true_effects()), np.zeros(8)
    for _ in range(150):
        each = [one for own in effects(fit(MODEL, survey(rng, (900, 1500, 1200, 600)))) for one in own]
        ends = np.array([one.interval(0.95) for one in each])
        missed += (truth < ends[:, 0]) | (ends[:, 1] < truth)
    assert missed.max() <= 19
