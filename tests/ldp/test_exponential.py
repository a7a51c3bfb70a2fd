"""The exponential mechanism on a scale (M7): the largest rate, and scores that invert the channel exactly."""

import math
from fractions import Fraction

import numpy as np
import pytest

from ldp import bounds, scores
from ldp.mechanisms import exponential, randomized_response
from ldp.tables import channel
from tests.support.channels import SMALL


@pytest.mark.parametrize("d", [2, 5, 11])
@pytest.mark.parametrize("alpha", ["0.1", "1", "4"])
def test_the_inverse_is_exact(alpha, d):
    table = exponential.table(Fraction(alpha), d)
    weights, moments = channel.weights(table), exponential.moments(table, d)["inverse"]
    for x in range(d):
        for j in range(d):
            total = sum(weights[x][z] * moments.numerators[z][j] for z in range(d))
            assert total == (x == j) * 2**53 * moments.denominator


def test_means_and_variances_are_the_exact_moments_of_the_channel(monkeypatch):
    d, table, resolution, _, rows, _ = SMALL["exponential"]
    monkeypatch.setattr("ldp.exact.RESOLUTION", resolution)
    moments = exponential.moments(table, d)["inverse"]
    score = [[Fraction(n, moments.denominator) for n in row] for row in moments.numerators]
    for x in range(d):
        for j in range(d):
            assert sum(p * score[z][j] for z, p in rows[x].items()) == (x == j)
            square = sum(p * score[z][j] ** 2 for z, p in rows[x].items())
            assert moments.variances[x][j] == square - (x == j)
    shares = [Fraction(1, 6), Fraction(2, 6), Fraction(3, 6)]
    for j in range(d):
        mean = sum(shares[x] * p * score[z][j] for x in range(d) for z, p in rows[x].items())
        assert mean == shares[j], "unbiased whatever the shares are"


def test_the_variance_knows_which_other_category_is_the_truth(monkeypatch):
    d, table, resolution, _, rows, _ = SMALL["exponential"]
    monkeypatch.setattr("ldp.exact.RESOLUTION", resolution)
    moments = exponential.moments(table, d)["inverse"]
    shares = np.array([0.5, 0.1, 0.4])
    score = np.array([[float(Fraction(n, moments.denominator)) for n in row] for row in moments.numerators])
    q = np.array([[float(row[z]) for z in range(d)] for row in rows])
    squares = shares @ q @ score**2
    assert bounds.risk(moments, shares.tolist()) == pytest.approx(squares.sum() - shares @ shares)
    assert bounds.uniform_risk(moments, d) == pytest.approx(((q @ score**2).sum() / d) - 1 / d)


def test_scores_add_up_from_counts():
    table = exponential.table(Fraction(2), 4)
    moments = exponential.moments(table, 4)["inverse"]
    counts = [50, 20, 20, 10]
    q = np.array(channel.weights(table), dtype=float) / 2**53
    assert moments.scores(counts) == pytest.approx(np.linalg.solve(q.T, counts))
    assert sum(moments.scores(counts)) == pytest.approx(100)


@pytest.mark.parametrize("d", [2, 3, 7, 32])
@pytest.mark.parametrize("alpha", ["0.01", "1", "10"])
def test_the_rate_is_twice_that_of_the_general_theory_and_none_is_larger(alpha, d):
    weights = channel.weights(exponential.table(Fraction(alpha), d))
    assert math.log(weights[0][0] / weights[0][1]) == pytest.approx(float(alpha) / (d - 1), rel=1e-6)

    def law(rate):
        return [[math.exp(-rate * abs(x - z)) for z in range(d)] for x in range(d)]

    rate = float(alpha) / (d - 1) * (1 + 1e-6)
    q = np.array(law(rate)) / np.array(law(rate)).sum(axis=1, keepdims=True)
    assert math.log((q.max(axis=0) / q.min(axis=0)).max()) > float(alpha)


def test_two_categories_are_randomized_response():
    """The chance of the other option is equal up to half a unit, because a report that is not kept is random."""
    [[own], [other]] = exponential.table(Fraction(1), 2)["rows"]
    _, chance = randomized_response.chances(randomized_response.table(Fraction(1), 2), 2)
    assert own + other == 2**53 and abs(other - chance * 2**53) <= Fraction(1, 2)


def test_certificate_refuses_every_table_that_tells_too_much():
    table = exponential.table(Fraction(1), 4)
    assert channel.certified(table, 4, Fraction(1))
    rows = table["rows"]
    worse = [row[:] for row in rows]
    worse[0][0] += 2**40
    for wrong in (worse, [[0, *rows[0][1:]], *rows[1:]], [rows[0][::-1], *rows[1:]], [rows[0][:-1], *rows[1:]]):
        assert not channel.certified({"rows": wrong}, 4, Fraction(1))
    assert not channel.certified({"rows": [*rows[:-1], [*rows[-1][:-1], 2**53]]}, 4, Fraction(1))


def test_scales_too_long_for_an_exact_inverse_are_refused():
    with pytest.raises(ValueError, match="at most 32"):
        exponential.table(Fraction(1), 33)


def test_integer_equations_are_solved_exactly():
    a = [[0, 2, 1], [3, 0, 0], [1, 1, 7]]
    solution, denominator = scores.solve(a, [[1], [2], [3]])
    assert denominator > 0
    for row, b in zip(a, [1, 2, 3], strict=True):
        assert sum(c * x[0] for c, x in zip(row, solution, strict=True)) == b * denominator
    with pytest.raises(ZeroDivisionError):
        scores.solve([[1, 2], [2, 4]], [[1], [1]])
