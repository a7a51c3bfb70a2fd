"""Shares and cross-tables of a joint form (M34b): unbiased to the last digit, and their intervals hold."""

import random
from fractions import Fraction
from itertools import product
from math import prod

import numpy as np
import pytest
from scipy import stats

from ldp import exact, kinds
from ldp.forms import marginals
from ldp.forms.marginals import JointTally
from ldp.forms.report import Joint
from ldp.inference import intervals
from ldp.mechanisms import joint, randomized_response

SIZES = (2, 3, 4)
CONFIDENCE = 0.95


def expected(theta, table, sizes):
    """The chances of the D reports."""
    q = table["other"] / exact.RESOLUTION
    return q + (1 - prod(sizes) * q) * np.asarray(theta)


def law(seed=3, sizes=SIZES):
    return np.random.default_rng(seed).dirichlet(np.ones(prod(sizes)))


@pytest.mark.parametrize("questions", [(0,), (1,), (2,), (0, 1), (0, 2), (1, 2), (0, 1, 2)])
def test_shares_are_unbiased_for_each_question_and_each_table(questions):
    """Totals in the ratio of the exact chances give the exact shares."""
    table, theta = joint.table(Fraction(2), SIZES), law()
    scale = 10**15
    tally = JointTally(table, SIZES, tuple(int(scale * p) for p in expected(theta, table, SIZES)))
    others = tuple(k for k in range(3) if k not in questions)
    truth = theta.reshape(SIZES).sum(axis=others).ravel()
    assert tally.tallied(*questions).shares == pytest.approx(truth, abs=1e-11)


def test_totals_of_questions_are_those_of_their_reports():
    chance = random.Random(5)
    reports = [[chance.randrange(d) for d in SIZES] for _ in range(500)]
    counts = [0] * prod(SIZES)
    for report in reports:
        counts[np.ravel_multi_index(report, SIZES)] += 1
    tally = JointTally({"other": 1}, SIZES, tuple(counts))
    assert tally.n == 500
    for questions in [(0,), (1,), (2,), (0, 2), (1, 2)]:
        sizes = [SIZES[k] for k in questions]
        found = [0] * prod(sizes)
        for report in reports:
            found[np.ravel_multi_index([report[k] for k in questions], sizes)] += 1
        assert tally.totals(questions) == found
    with pytest.raises(ValueError):
        tally.totals((2, 0))


@pytest.mark.parametrize("alpha", ["0.5", "2", "8"])
@pytest.mark.parametrize("n", [1, 20, 120])
def test_the_interval_of_a_cell_holds_exactly_as_often_as_promised_or_more(alpha, n):
    """Of every share of a grid, the binomial law of the cell's total is summed."""
    tally = JointTally(joint.table(Fraction(alpha), SIZES), SIZES, tuple([n] + [0] * 23))
    for questions in [(1,), (0, 1), (0, 1, 2)]:
        moments = tally.tallied(*questions).moments
        spans = np.array([intervals.exact(s, n, moments, CONFIDENCE, "population") for s in range(n + 1)])
        for share in np.linspace(0, 1, 41):
            pi = float(moments.b) + float(moments.gap) * share
            holds = (spans[:, 0] <= share + 1e-12) & (share - 1e-12 <= spans[:, 1])
            assert stats.binom.pmf(np.arange(n + 1), n, pi) @ holds >= CONFIDENCE - 1e-9


def test_cells_stand_as_the_table_does_and_hold_together():
    table, theta = joint.table(Fraction(4), SIZES), law()
    counts = np.random.default_rng(1).multinomial(4000, expected(theta, table, SIZES))
    tally = JointTally(table, SIZES, tuple(int(count) for count in counts))
    rows = marginals.crossed(tally, 0, 2, CONFIDENCE, "population")
    truth = theta.reshape(SIZES).sum(axis=1)
    assert (len(rows), {len(row) for row in rows}) == (2, {4})
    for j, k in product(range(2), range(4)):
        cell = rows[j][k]
        assert cell.simultaneous.low <= cell.interval.low <= cell.interval.high <= cell.simultaneous.high
        assert cell.simultaneous.low <= truth[j, k] <= cell.simultaneous.high
        assert cell.estimate == pytest.approx(tally.tallied(0, 2).shares[4 * j + k])


@pytest.mark.parametrize("alpha", ["1", "4"])
@pytest.mark.parametrize("theta", [(0.1, 0.2, 0.3, 0.4), (0.0, 0.5, 0.25, 0.25), (0.02, 0.0, 0.9, 0.08)])
def test_a_share_within_a_group_holds_as_often_as_promised(alpha, theta):
    """Every outcome of 30 reports of two yes/no questions, with its chance."""
    sizes, n, confidence = (2, 2), 30, 0.8
    table = joint.table(Fraction(alpha), sizes)
    chances = expected(theta, table, sizes)
    truth = theta[3] / (theta[2] + theta[3])
    held = shown = 0.0
    # Given the group's total its split is binomial; how the rest splits does not matter.
    for group in range(n + 1):
        weight = stats.binom.pmf(group, n, chances[2] + chances[3])
        for both in range(group + 1):
            chance = weight * stats.binom.pmf(both, group, chances[3] / (chances[2] + chances[3]))
            tally = JointTally(table, sizes, (n - group, 0, group - both, both))
            span = marginals.within(tally, (0, 1), (1, 1), confidence)
            shown += chance * (span is not None)
            held += chance * (span is None or span.low - 1e-9 <= truth <= span.high + 1e-9)
    assert held >= confidence and shown > 0.05


def test_no_share_is_given_within_a_group_that_may_be_empty():
    tally = JointTally(joint.table(Fraction(1), (2, 2)), (2, 2), (25, 25, 25, 25))
    assert marginals.within(tally, (0, 1), (1, 1), 0.95) is not None
    rare = JointTally(tally.table, (2, 2), (40, 35, 13, 12))
    assert marginals.within(rare, (0, 1), (1, 1), 0.95) is None


def test_a_share_within_a_group_is_never_a_point():
    """Where the quotient is impossible it says no more than where it is just possible."""
    table = joint.table(Fraction(2), (2, 2))
    for both in (0, 2, 60):
        span = marginals.within(JointTally(table, (2, 2), (20, 20, 60 - both, both)), (0, 1), (1, 1), 0.95)
        assert span is not None and span.high - span.low > 0.05


QUESTIONS = {
    "yes_no": {"kind": "yes_no", "options": ["No", "Yes"]},
    "ordered": {"kind": "ordered", "options": ["a", "b", "c"]},
    "mean": {"kind": "mean", "low": "0", "high": "10"},
}


@pytest.mark.parametrize("kind", QUESTIONS)
def test_results_of_a_joint_forms_question_are_those_of_one_asked_alone_with_its_channel(kind):
    sizes = (2, 3, 2)
    place = list(QUESTIONS).index(kind) if kind != "mean" else 2
    tally = JointTally(joint.table(Fraction(2), sizes), sizes, tuple(range(20, 32)))
    part = Joint(tuple({**one, "key": key, "text": key} for key, one in QUESTIONS.items()), tally.table, sizes, "2")
    question = part.alone(place)
    [result] = kinds.of(question).results(question, marginals.totals(question, tally, place), tally.n, CONFIDENCE)
    own = randomized_response.moments(joint.marginal(tally.table, sizes, (place,)), sizes[place])["support"]
    totals = tally.totals((place,))
    assert result["n_about"] == tally.n == sum(totals)
    for category, total in zip(
        result["methods"][0]["categories"], totals[1:] if kind == "mean" else totals, strict=True
    ):
        span = intervals.exact(total, tally.n, own, CONFIDENCE, "population")
        share = (total / tally.n - float(own.b)) / float(own.gap)
        scale = 10 if kind == "mean" else 1
        assert category["estimate"] == pytest.approx(scale * share)
        assert category["population"]["interval"] == pytest.approx([scale * end for end in span])
