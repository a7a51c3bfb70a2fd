"""Shares and cross-tables of a draw of several questions (M44) are exactly unbiased, and their intervals hold."""

import random
from fractions import Fraction
from itertools import combinations, product
from math import prod

import numpy as np
import pytest
from scipy import stats

from ldp import kinds
from ldp.forms import marginals
from ldp.forms.marginals import JointTally
from ldp.inference import intervals
from ldp.inference.product_subsets import PairTally
from ldp.mechanisms import randomized_response
from tests.support.together import as_expected, cells, counted, dirichlet, drawn, expected, outcomes, table

SHAPE = (2, 3, 4)
CONFIDENCE = 0.95
QUESTIONS = [(0,), (1,), (2,), (0, 1), (0, 2), (1, 2), (0, 1, 2)]


@pytest.mark.parametrize("questions", QUESTIONS)
def test_shares_are_unbiased_for_each_question_and_each_table(questions):
    """Totals in the ratio of the exact chances give the exact shares."""
    made, theta = table("2", SHAPE), dirichlet(SHAPE)
    tally = as_expected(SHAPE, made, theta)
    others = tuple(k for k in range(3) if k not in questions)
    assert tally.tallied(*questions).shares == pytest.approx(theta.sum(axis=others).ravel(), abs=1e-11)


@pytest.mark.parametrize("sizes", [(1, 2, 3), (1, 1, 2), (1, 2, 1)])
def test_shares_are_unbiased_where_more_than_one_option_is_listed(sizes):
    made, theta = table("2", SHAPE, sizes), dirichlet(SHAPE)
    tally = as_expected(SHAPE, made, theta)
    for place in range(3):
        others = tuple(k for k in range(3) if k != place)
        assert tally.tallied(place).shares == pytest.approx(theta.sum(axis=others), abs=1e-10)
    for first, second in combinations(range(3), 2):
        [third] = {0, 1, 2} - {first, second}
        for one, other, truth in ((first, second, theta.sum(axis=third)), (second, first, theta.sum(axis=third).T)):
            assert tally.pair(one, other).joint == pytest.approx(truth, abs=1e-10)


def test_counts_that_do_not_add_up_are_refused():
    """Each report lists half of the second question's options, so these counts belong to no number of reports."""
    made = table("2", (2, 4), (1, 2))
    for counts in ((2, 2, 2, 1, 2, 2, 2, 2), (2, 2, 2, 1, 2, 2, 2, 1)):
        tally = JointTally(made, (2, 4), counts)
        with pytest.raises(ValueError, match="do not add up"):
            tally.totals((0,))
    with pytest.raises(ValueError, match="do not add up"):
        _ = JointTally(made, (2, 4), (2, 2, 2, 1, 2, 2, 2, 2)).n


def test_no_cell_of_several_listed_options_is_called_a_category():
    tally = JointTally(table("2", (2, 3), (1, 2)), (2, 3), (2,) * 6)
    assert tally.n == 6 and tally.one_listed(0) and not tally.one_listed(0, 1)
    with pytest.raises(ValueError):
        tally.tallied(0, 1)


@pytest.mark.parametrize("sizes", [(1, 1, 1), (1, 2, 3)])
def test_totals_of_questions_are_those_of_their_reports(sizes):
    chance, made = random.Random(5), table("2", SHAPE, sizes)
    reports = [
        randomized_response.draw([chance.randrange(d) for d in SHAPE], made, SHAPE, lambda: chance.getrandbits(53))
        for _ in range(300)
    ]
    tally = JointTally(made, SHAPE, tuple(np.sum([cells(SHAPE, each) for each in reports], axis=0).tolist()))
    assert tally.n == 300
    for questions in QUESTIONS:
        own = [SHAPE[k] for k in questions]
        found = np.sum([cells(own, [each[k] for k in questions]) for each in reports], axis=0)
        assert tally.totals(questions) == found.tolist()
    with pytest.raises(ValueError):
        tally.totals((2, 0))


@pytest.mark.parametrize(("shape", "sizes"), [((2, 3), (1, 1)), ((2, 4), (1, 2)), ((4, 3), (3, 2))])
def test_means_and_covariances_of_the_scores_are_exact(shape, sizes):
    """Every report is enumerated with its chance."""
    made, theta = table("1.5", shape, sizes), dirichlet(shape, 5)
    every, chances = outcomes(shape, made, theta)
    pair = JointTally(made, shape, tuple(cells(shape, every[0]).tolist())).pair(0, 1)
    scores = [JointTally(made, shape, tuple(cells(shape, z).tolist())).pair(0, 1).joint.ravel() for z in every]
    assert chances @ scores == pytest.approx(theta.ravel(), abs=1e-12)
    second = np.einsum("z,zi,zj->ij", chances, scores, scores) - np.outer(theta, theta)
    assert pair.covariance(theta) == pytest.approx(second, abs=1e-9)
    assert pair.means(theta)[1:, 1:].ravel() == pytest.approx(expected(shape, made, theta), abs=1e-12)
    if pair.one_listed:
        other = PairTally(pair.lam, (1, 1), pair.counts)
        assert other.joint.ravel() == pytest.approx(other.came @ other.values[0], abs=1e-12)


@pytest.mark.parametrize("alpha", ["0.5", "2", "8"])
@pytest.mark.parametrize("n", [1, 20, 120])
def test_the_interval_of_a_cell_holds_exactly_as_often_as_promised_or_more(alpha, n):
    """The binomial law of a cell's total is summed for every share of a grid."""
    tally = JointTally(table(alpha, SHAPE), SHAPE, tuple([n] + [0] * 23))
    for questions in [(1,), (0, 1), (0, 1, 2)]:
        moments = tally.tallied(*questions).moments
        spans = np.array([intervals.exact(s, n, moments, CONFIDENCE, "population") for s in range(n + 1)])
        for share in np.linspace(0, 1, 41):
            pi = float(moments.b) + float(moments.gap) * share
            holds = (spans[:, 0] <= share + 1e-12) & (share - 1e-12 <= spans[:, 1])
            assert stats.binom.pmf(np.arange(n + 1), n, pi) @ holds >= CONFIDENCE - 1e-9


RARE = np.array([[0.02, 0.30, 0.08, 0.05], [0.25, 0.00, 0.10, 0.20]])


@pytest.mark.parametrize(
    ("shape", "sizes", "alpha", "n"), [((2, 4), (1, 2), "2", 60), ((2, 4), (1, 3), "4", 400), ((2, 4), (1, 2), "6", 25)]
)
def test_cells_of_several_listed_options_hold_as_often_as_promised(shape, sizes, alpha, n):
    """One of eight cells is below .8 in 150 surveys once in 4,000 runs, if each cell is at .9."""
    made, rng = table(alpha, shape, sizes), np.random.default_rng(4)
    held, within = np.zeros(shape), np.zeros(shape)
    for _ in range(150):
        pair = counted(shape, made, RARE, n, rng).pair(0, 1)
        ends = pair.intervals(0.9)
        held += (ends[..., 0] <= RARE + 1e-12) & (ends[..., 1] >= RARE - 1e-12)
        rows = [row for row in (0, 1) if pair.margin(0).shares[row] > 0.2]
        inner = RARE / RARE.sum(axis=1, keepdims=True)
        spans = np.tile([0.0, 1.0], (*shape, 1))
        spans[rows] = pair.within_first(rows, 0.9) if rows else spans[rows]
        within += (spans[..., 0] <= inner + 1e-12) & (inner - 1e-12 <= spans[..., 1])
    assert held.min() / 150 >= 0.8 and within.min() / 150 >= 0.8


@pytest.mark.parametrize("alpha", ["1", "4"])
@pytest.mark.parametrize("theta", [(0.1, 0.2, 0.3, 0.4), (0.0, 0.5, 0.25, 0.25), (0.02, 0.0, 0.9, 0.08)])
def test_a_share_within_a_group_holds_as_often_as_promised(alpha, theta):
    """Every outcome of 30 reports of two yes/no questions is enumerated with its chance."""
    n, confidence, made = 30, 0.8, table(alpha, (2, 2))
    chances = expected((2, 2), made, theta)
    truth = theta[3] / (theta[2] + theta[3])
    held = shown = 0.0
    # Given the group's total, its split is binomial; the split of the rest does not matter.
    for group in range(n + 1):
        weight = stats.binom.pmf(group, n, chances[2] + chances[3])
        for both in range(group + 1):
            chance = weight * stats.binom.pmf(both, group, chances[3] / (chances[2] + chances[3]))
            pair = JointTally(made, (2, 2), (n - group, 0, group - both, both)).pair(0, 1)
            span = pair.quotient(1, 1, confidence)
            shown += chance * (span is not None)
            held += chance * (span is None or span.low - 1e-9 <= truth <= span.high + 1e-9)
    assert held >= confidence and shown > 0.05


def quotient(alpha, counts):
    return JointTally(table(alpha, (2, 2)), (2, 2), counts).pair(0, 1).quotient(1, 1, 0.95)


def test_no_share_is_given_within_a_group_that_may_be_empty():
    assert quotient("1", (25, 25, 25, 25)) is not None
    assert quotient("1", (40, 35, 13, 12)) is None


def test_a_share_within_a_group_is_never_a_point():
    """An impossible quotient has an interval as long as a barely possible one."""
    for both in (0, 2, 60):
        span = quotient("2", (20, 20, 60 - both, both))
        assert span is not None and span.high - span.low > 0.05


def test_the_shares_within_groups_are_those_of_the_pair():
    pair = JointTally(table("2", (2, 3)), (2, 3), (300, 160, 150, 90, 110, 80)).pair(0, 1)
    ends = pair.within_first([0, 1], 0.95)
    for j, k in product(range(2), range(3)):
        assert tuple(ends[j, k]) == pair.quotient(j, k, 0.95)


ASKED = {
    "yes_no": {"kind": "yes_no", "options": ["No", "Yes"]},
    "ordered": {"kind": "ordered", "options": ["a", "b", "c"]},
    "mean": {"kind": "mean", "low": "0", "high": "10"},
}


@pytest.mark.parametrize("kind", ASKED)
@pytest.mark.parametrize("sizes", [(1, 1, 1), (1, 2, 1)])
def test_results_of_a_draws_question_are_those_of_one_asked_alone_with_its_channel(kind, sizes):
    shape, place = (2, 3, 2), list(ASKED).index(kind)
    tally = JointTally(table("2", shape, sizes), shape, tuple(n * prod(sizes) for n in range(20, 32)))
    part = drawn([{**one, "key": key, "text": key} for key, one in ASKED.items()], tally.table, "2")
    question = part.drawn[place]
    assert question["joint"] and question["together"] == list(ASKED) and "form" not in question
    [result] = kinds.of(question).results(question, marginals.totals(question, tally, place), tally.n, [CONFIDENCE])
    p, q = randomized_response.listed_chances(tally.lam, sizes[place], shape[place])
    own = randomized_response.moments({"keep": tally.table["keep"], "sizes": [sizes[place]]}, shape[place])["support"]
    assert (own.a, own.b) == (p, q) and isinstance(p, Fraction)
    totals = tally.totals((place,))
    assert result["n_about"] == tally.n == sum(totals) // sizes[place]
    for category, total in zip(
        result["methods"][0]["categories"], totals[1:] if kind == "mean" else totals, strict=True
    ):
        span = intervals.exact(total, tally.n, own, CONFIDENCE, "population")
        share = (total / tally.n - float(own.b)) / float(own.gap)
        scale = 10 if kind == "mean" else 1
        assert category["estimate"] == pytest.approx(scale * share)
        assert category["population"]["interval"] == pytest.approx([scale * end for end in span])
