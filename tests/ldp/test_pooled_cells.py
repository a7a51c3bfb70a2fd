"""Cells of two questions that draws of several forms ask together (M44, M45)."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from scipy import stats

from benchmarks.designs_coverage import listed
from ldp.forms.joint_crossing import JointCrossing
from ldp.forms.pooled_cells import PooledCells, information, outcome_chances
from ldp.inference import estimates, intervals
from ldp.inference.hypotheses import helmert
from ldp.inference.product_subsets import PairTally
from tests.support.product_subsets import reports, together

CONFIDENCE = 0.95
DRAWS = [((2, 2), (1, 1)), ((3, 4), (1, 3)), ((5, 3), (2, 2)), ((4, 2), (3, 1)), ((5, 5), (4, 1))]
KEEP = Fraction(3, 7)


def tally(keep, counts, sizes, table):
    return JointCrossing(None, None, PairTally(keep, sizes, table))


def empty(keep, counts, sizes):
    return tally(keep, counts, sizes, np.zeros((1 + counts[0], 1 + counts[1]), dtype=np.int64))


@pytest.mark.parametrize(("counts", "sizes"), DRAWS)
def test_products_of_lists_tell_pairs_of_answers_exactly(counts, sizes):
    """M44 is checked over every report, in fractions."""
    (d, e), (one, other) = counts, sizes
    gaps, in_one, in_other = Fraction(d - one, d - 1) * Fraction(e - other, e - 1), Fraction(one, d), Fraction(other, e)
    for answers in product(*map(range, counts)):
        every = list(reports(KEEP, counts, sizes, answers))
        assert sum(chance for _, chance in every) == 1
        for k, m in product(*map(range, counts)):
            mean = sum(chance * ((k in a) - in_one) * ((m in b) - in_other) for (a, b), chance in every)
            expected = ((answers[0] == k) - Fraction(1, d)) * ((answers[1] == m) - Fraction(1, e))
            assert mean == KEEP * gaps * expected


@pytest.mark.parametrize(("counts", "sizes"), DRAWS)
def test_the_score_of_a_cell_is_unbiased_and_its_information_is_that_of_every_outcome(counts, sizes):
    own, square = empty(KEEP, counts, sizes), 0.0
    [scores, _] = own.pair.values
    for answers in product(*map(range, counts)):
        every = list(reports(KEEP, counts, sizes, answers))
        for k, m in ((0, 0), (1, 1)):
            found = [(scores[3 - 2 * (k in a) - (m in b)], float(chance)) for (a, b), chance in every]
            assert sum(u * p for u, p in found) == pytest.approx(float(answers == (k, m)), abs=1e-12)
        square += sum(scores[3 - 2 * (0 in a) - (0 in b)] ** 2 * float(chance) for (a, b), chance in every)
    cells = counts[0] * counts[1]
    assert float(information(own)) == pytest.approx(1 / (square / cells - 1 / cells**2), rel=1e-12)


def test_where_a_report_lists_one_option_of_each_a_cell_is_a_share_of_a_channel():
    own = empty(KEEP, (3, 4), (1, 1))
    assert own.pair.values[0][1:] == pytest.approx(own.pair.values[0][3])
    gap = float(own.pair.cells.moments.gap)
    assert own.pair.values[0][[3, 0]] == pytest.approx(
        np.array([-1, 1 / float(own.pair.cells.moments.b) - 1]) * float(own.pair.cells.moments.b) / gap
    )
    variance = float(estimates.unit_variances(np.array(1 / 12), own.pair.cells.moments, "population"))
    assert float(information(own)) == pytest.approx(1 / variance, rel=1e-12)


@pytest.mark.parametrize(("counts", "sizes"), DRAWS)
def test_what_the_test_of_independence_supposes_is_what_every_report_says(counts, sizes):
    rows, columns = (np.arange(1, d + 1) / (d * (d + 1) / 2) for d in counts)
    own = empty(KEEP, counts, sizes)
    left, right = (helmert(d) for d in counts)
    contrasts = left @ rows, right @ columns
    mean, second, outcomes = 0.0, 0.0, np.zeros((4, *counts))
    for x, y in product(*map(range, counts)):
        for (a, b), chance in reports(KEEP, counts, sizes, (x, y)):
            weight = float(chance) * rows[x] * columns[y]
            one, other = (np.isin(np.arange(d), each).astype(float) for d, each in zip(counts, (a, b), strict=True))
            v, w = (
                each.weights @ np.append(1, lists) for each, lists in zip(own.pair.listings, (one, other), strict=True)
            )
            value = (np.outer(left @ v - contrasts[0], right @ w - contrasts[1]) / float(KEEP)).ravel()
            mean, second = mean + weight * value, second + weight * np.outer(value, value)
            outcomes += weight * np.stack([np.outer(u, v) for u, v in product((one, 1 - one), (other, 1 - other))])
    found = own.null_covariance(rows, columns)
    assert found == pytest.approx(second - np.outer(mean, mean), abs=1e-10)
    assert outcome_chances(own, np.outer(rows, columns)) == pytest.approx(outcomes, abs=1e-12)


# Simulated surveys ----------------------------------------------------------------------------------------------------

JOINT = np.array([[0.5, 0.08, 0.02], [0.2, 0.19, 0.01]])
FORMS = [(Fraction(1, 3), (1, 2)), (Fraction(1, 2), (1, 1))]


def survey(rng, joint, numbers, forms=FORMS):
    """Return the tallies of forms with these numbers of reports, from people with these joint shares."""
    tallies, answers = [], []
    for n, (keep, sizes) in zip(numbers, forms, strict=True):
        places = rng.choice(joint.size, n, p=joint.ravel())
        people = np.stack(np.divmod(places, joint.shape[1]), axis=1)
        lists = listed(float(keep), joint.shape, sizes, people, rng)
        tallies.append(tally(keep, joint.shape, sizes, together(*lists)))
        answers.append(places)
    asked = np.bincount(np.concatenate(answers), minlength=joint.size).reshape(joint.shape) / sum(numbers)
    return PooledCells(None, None, tuple(tallies)), asked


@pytest.mark.parametrize("sizes", [((1, 2), (1, 1)), ((1, 1), (1, 1))])
def test_pooled_cells_are_unbiased_and_err_as_their_standard_errors_say(sizes):
    """In 500 surveys luck moves a mean by more than 5 of its own standard errors once in a million runs."""
    rng = np.random.default_rng(44)
    forms = [(keep, each) for (keep, _), each in zip(FORMS, sizes, strict=True)]
    found = [survey(rng, JOINT, (150, 400), forms) for _ in range(500)]
    for target, truths in enumerate((np.broadcast_to(JOINT, (500, 2, 3)), np.array([asked for _, asked in found]))):
        errors = np.array([cells.joint for cells, _ in found]) - truths
        squares = np.array([cells.standard_errors[target] ** 2 for cells, _ in found])
        assert (abs(errors.mean(axis=0)) < 5 * errors.std(axis=0) / 500**0.5).all()
        assert (errors**2).mean(axis=0) / squares.mean(axis=0) == pytest.approx(np.ones((2, 3)), abs=0.35)
    cells, _ = found[0]
    shares, errors = cells.margins[0]
    assert shares == pytest.approx(cells.joint.sum(axis=1)) and errors.shape == (2,)


def test_a_cell_that_no_report_lists_has_the_error_of_a_share_that_is_0():
    """The squares of the cell's scores are those of one number for each form."""
    counts = np.array([[30, 15, 15], [15, 0, 15], [15, 15, 0]])
    cells = PooledCells(None, None, tuple(tally(keep, (2, 2), (1, 1), counts) for keep in (KEEP, Fraction(1, 2))))
    [_, scores] = cells.exact
    forms = [(score, part.pair.cells.moments) for score, part in zip(scores, cells.parts, strict=True)]
    expected = sum(30 * score**2 * moments.v_b for score, moments in forms) ** 0.5
    expected /= float(sum(30 * score * moments.gap for score, moments in forms))
    assert cells.joint[0, 0] < 0 and cells.standard_errors[0][0, 0] == pytest.approx(expected)


def test_an_option_that_no_report_lists_has_the_error_of_a_share_that_is_0():
    counts = np.array([[30, 15, 15], [0, 0, 0], [30, 15, 15]])
    cells = PooledCells(None, None, tuple(tally(keep, (2, 2), (1, 1), counts) for keep in (KEEP, Fraction(1, 2))))
    (shares, errors), _ = cells.margins
    assert shares[0] < 0 and errors[0] > 0.05


@pytest.mark.parametrize("sizes", [((1, 2), (1, 1)), ((1, 1), (1, 1))])
@pytest.mark.parametrize("numbers", [(60, 140), (700, 300)])
def test_intervals_of_cells_hold_as_often_as_promised(sizes, numbers):
    """If each of 80 surveys misses with a chance of at most .05, more than 13 miss once in 10,000 runs; the same holds
    for all cells at once. `benchmarks.designs` has more surveys."""
    rng, surveys = np.random.default_rng(30), 80
    forms = [(keep, each) for (keep, _), each in zip(FORMS, sizes, strict=True)]
    alone, at_once = np.zeros((2, 3)), 0
    for _ in range(surveys):
        cells, asked = survey(rng, JOINT, numbers, forms)
        ends = cells.intervals(CONFIDENCE)
        alone += (ends[..., 0] > JOINT + 1e-12) | (ends[..., 1] < JOINT - 1e-12)
        together_ends = cells.intervals(intervals.bonferroni(CONFIDENCE, 6))
        at_once += bool(((together_ends[..., 0] > asked + 1e-12) | (together_ends[..., 1] < asked - 1e-12)).any())
    assert alone.max() <= 13 and at_once <= 13


def test_shares_within_answers_hold_as_often_as_promised():
    rng, within, missed = np.random.default_rng(31), JOINT / JOINT.sum(axis=1, keepdims=True), np.zeros((2, 3))
    for _ in range(60):
        cells, _ = survey(rng, JOINT, (1500, 800))
        ends = cells.within_first_intervals(CONFIDENCE)
        missed += (ends[..., 0] > within) | (ends[..., 1] < within)
        assert cells.turned().joint == pytest.approx(cells.joint.T)
    # If .05 miss, more than 11 of 60 do once in 10,000 runs.
    assert missed.max() <= 11


def test_independent_questions_are_named_as_often_as_the_level_says():
    """The forms are unequal. Of 300 surveys a number outside these has a chance below 1 in 1,000."""
    rng, joint = np.random.default_rng(17), np.outer([0.7, 0.3], [0.6, 0.3, 0.1])
    tests = [survey(rng, joint, (500, 900))[0].independence() for _ in range(300)]
    assert all(each is not None and each.degrees == 2 for each in tests)
    found = np.array([each.p_value for each in tests])
    low, high = stats.binom.ppf([0.0005, 0.9995], 300, 0.05)
    assert low <= (found < 0.05).sum() <= high


def test_dependence_is_found_and_too_few_reports_have_no_test():
    rng = np.random.default_rng(18)
    dependent = np.array([[0.45, 0.05], [0.1, 0.4]])
    forms = [(Fraction(1, 3), (1, 1)), (Fraction(1, 2), (1, 1))]
    assert survey(rng, dependent, (700, 700), forms)[0].independence().p_value < 1e-6
    assert survey(rng, dependent, (60, 60), forms)[0].independence() is None
