"""Several private quantiles at once: the dynamic program agrees with the enumeration of every outcome (M24)."""

import math
import random
from fractions import Fraction
from itertools import combinations_with_replacement

import numpy as np
import pytest
from scipy import stats

from ldp import exact
from ldp.central import quantiles

QUARTERS = [Fraction(1, 4), Fraction(1, 2), Fraction(3, 4)]
DATA = [([2, 3, 3, 6], 8), ([0, 0, 0, 0], 5), ([1, 4, 4, 5, 7], 7), ([5], 6), ([0, 3, 6], 6)]


def _uniform(seed):
    chance = random.Random(seed)
    return lambda: chance.getrandbits(53)


def _gaps(answers, cells, levels):
    """Return |n_j - e_j| of an outcome by counting. Cell c lies between c and c + 1."""
    n = len(answers)
    below = [0, *(sum(a <= cell for a in answers) for cell in cells), n]
    asked = [n * (high - low) for low, high in zip([0, *levels], [*levels, 1], strict=True)]
    return [abs(below[j + 1] - below[j] - e) for j, e in enumerate(asked)]


def _enumerated(answers, size, levels, alpha):
    """Return the weights of all outcomes in whole numbers, from the mechanism's table."""
    unit = math.lcm(*(Fraction(len(answers) * q).denominator for q in levels))
    unit = math.lcm(unit, *(gap.denominator for gap in map(Fraction, _gaps(answers, [0] * len(levels), levels))))
    weights = quantiles.weights(alpha, len(answers), unit)
    return {
        cells: math.prod(weights[int(unit * gap)] for gap in _gaps(answers, cells, levels))
        for cells in combinations_with_replacement(range(size), len(levels))
    }


@pytest.mark.parametrize(("answers", "size"), DATA)
@pytest.mark.parametrize("levels", [QUARTERS[1:2], QUARTERS, [Fraction(1, 10), Fraction(1, 3)]])
def test_the_program_gives_exactly_the_enumerated_totals(answers, size, levels):
    alpha = Fraction(1)
    law = _enumerated(answers, size, levels, alpha)
    whole = quantiles.joint(answers, size, levels, alpha)
    assert sum(whole.ends) == sum(law.values())
    by_interval = [0] * (len(answers) + 1)
    for cells, weight in law.items():
        by_interval[sum(a <= cells[-1] for a in answers)] += weight
    assert list(whole.ends) == by_interval


@pytest.mark.parametrize(("answers", "size"), DATA)
@pytest.mark.parametrize("levels", [QUARTERS[1:2], QUARTERS])
def test_the_chances_of_every_level_are_the_enumerated_ones(answers, size, levels):
    law = _enumerated(answers, size, levels, Fraction(2))
    total = sum(law.values())
    found = quantiles.law(answers, size, levels, 2.0).chances
    for j, chances in enumerate(found):
        expected = np.zeros(len(answers) + 1)
        for cells, weight in law.items():
            expected[sum(a <= cells[j] for a in answers)] += weight / total
        assert chances == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("alpha", [Fraction(1, 5), Fraction(1), Fraction(3)])
@pytest.mark.parametrize("levels", [QUARTERS[1:2], QUARTERS])
def test_alpha_is_kept_exactly_between_all_neighbours(alpha, levels):
    """Every outcome's chance is compared in fractions with a lower bound of e^alpha."""
    answers, size, bound = [1, 3, 3, 4], 5, exact.exp_below(alpha)
    first = _enumerated(answers, size, levels, alpha)
    for place in range(4):
        for changed in range(size + 1):
            second = _enumerated([*answers[:place], changed, *answers[place + 1 :]], size, levels, alpha)
            totals = sum(first.values()), sum(second.values())
            for cells, weight in first.items():
                p, q = weight * totals[1], second[cells] * totals[0]
                assert p <= bound * q and q <= bound * p


def test_the_weights_are_those_of_the_exponential_mechanism():
    """With the one level 1/2 it is Smith's private median: chances are proportional to e^{-alpha/2 |below - n/2|}."""
    answers, size = [1, 3, 3, 4, 9], 12
    found = quantiles.law(answers, size, QUARTERS[1:2], 1.0).chances[0]
    lengths = np.diff([0, *answers, size])
    weights = lengths * np.exp(-0.5 * np.abs(np.arange(6) - 2.5))
    assert found == pytest.approx(weights / weights.sum(), rel=1e-12)


def test_drawn_quantiles_have_the_enumerated_law():
    """Chi-square of 4,000 draws over 120 outcomes, the rare ones together: it rejects the truth once in 10,000 runs."""
    answers, size = DATA[0]
    law = _enumerated(answers, size, QUARTERS, Fraction(1))
    total = sum(law.values())
    program, uniform = quantiles.joint(answers, size, QUARTERS, Fraction(1)), _uniform(8)
    drawn = [tuple(quantiles.draw(program, uniform)) for _ in range(4000)]
    common = [cells for cells, weight in law.items() if 4000 * weight / total > 5]
    expected = [float(4000 * law[cells] / total) for cells in common]
    observed = [drawn.count(cells) for cells in common]
    if len(common) < len(law):  # the rare ones together
        expected.append(4000 - sum(expected))
        observed.append(4000 - sum(observed))
    assert sum(observed) == 4000 and stats.chisquare(observed, expected).pvalue > 1e-4
    assert len(common) > 40


def test_quantiles_of_spread_answers_are_found():
    """All three are within 40 places of 2,000 at alpha 1 with a chance of 99%, which is computed, not simulated."""
    answers = list(range(0, 4000, 2))
    law = quantiles.law(answers, 4000, QUARTERS, 1.0)
    for level, chances in zip(QUARTERS, law.chances, strict=True):
        centre = int(level * 2000)
        assert chances[centre - 40 : centre + 41].sum() > 0.99
        assert chances.sum() == pytest.approx(1)


def test_an_atom_is_missed_until_answers_are_smoothed():
    """Equal answers leave no room. With all answers at 500 the median is lost until answers are moved."""
    answers = [500] * 600
    lost = quantiles.law(answers, 1000, QUARTERS, 1.0).chances[1]
    assert lost[1:-1].sum() == 0, "no outcome lies between equal answers"
    moved = quantiles.smoothed(answers, 1000, 5, _uniform(1))
    assert set(moved) <= set(range(495, 506)) and len(set(moved)) > 8
    assert quantiles.law(moved, 1000, QUARTERS, 1.0).chances[1][1:-1].sum() > 0.999
    program = quantiles.joint(moved, 1000, QUARTERS, Fraction(1))
    cells = quantiles.draw(program, _uniform(2))
    assert cells == sorted(cells) and 494 <= cells[0] <= cells[-1] <= 506


def test_smoothing_keeps_neighbours_neighbours_and_the_range():
    first = quantiles.smoothed([0, 3, 9, 10], 10, 2, _uniform(5))
    second = quantiles.smoothed([0, 7, 9, 10], 10, 2, _uniform(5))
    assert sum(a != b for a, b in zip(first, second, strict=True)) == 1
    assert all(0 <= answer <= 10 for answer in first)


@pytest.mark.parametrize("alpha", [Fraction(1), Fraction(16)])
def test_far_outcomes_are_still_told_apart(alpha):
    """If 90% of answers are equal, every outcome is far off. The law in logarithms equals that in whole numbers."""
    answers, size = sorted([50] * 90 + list(range(0, 100, 10))), 100
    whole = quantiles.joint(answers, size, QUARTERS, alpha)
    total = sum(whole.ends)
    last = [float(Fraction(int(weight), int(total))) for weight in whole.ends]
    found = quantiles.law(answers, size, QUARTERS, float(alpha)).chances
    assert found[-1] == pytest.approx(last, abs=1e-10)
    # The nearest of the outcomes, by trying all.
    best = min(_distance(answers, cells) for cells in combinations_with_replacement(range(0, size, 5), 3))
    cells = [quantiles.draw(whole, _uniform(k)) for k in range(5)]
    assert all(_distance(answers, drawn) <= best + 40 / alpha for drawn in cells)


def _distance(answers, cells):
    return sum(_gaps(answers, cells, QUARTERS))
