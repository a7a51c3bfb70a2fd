"""Covariances are exactly those of the channels. Estimates through any channel are those of its scores (M12, M13)."""

from fractions import Fraction
from itertools import combinations, product
from math import comb

import numpy as np
import pytest

from ldp.inference import estimates
from ldp.mechanisms.randomized_response import listed_chances, pair_moments
from ldp.scores import EXCLUSIVE, independent, indicator
from tests.support.channel_algebra import channel_scores, channel_shares

SHARES = [Fraction(1, 2), Fraction(1, 3), Fraction(1, 6), Fraction(0)]
P, Q = Fraction(3, 4), Fraction(1, 5)


def randomized_response(d):
    """Return every report's scores with their chances, by truth; the scores' law; and M13's mean products."""
    q = Fraction(1, d + 3)
    p = 1 - (d - 1) * q
    rows = [{tuple(int(j == z) for j in range(d)): p if z == x else q for z in range(d)} for x in range(d)]
    return rows, indicator(p, q), EXCLUSIVE


def bits(d):
    moments = indicator(P, Q)
    rows = []
    for x in range(d):
        row = {}
        for report in product((0, 1), repeat=d):
            chance = Fraction(1)
            for j, bit in enumerate(report):
                one = P if j == x else Q
                chance *= one if bit else 1 - one
            row[report] = chance
        rows.append(row)
    return rows, moments, independent(moments)


def subset(d, m):
    lam = Fraction(1, d + 1)
    p, q = listed_chances(lam, m, d)
    rows = []
    for x in range(d):
        row = {}
        for members in combinations(range(d), m):
            chance = p / comb(d - 1, m - 1) if x in members else (1 - p) / comb(d - 1, m)
            row[tuple(int(j in members) for j in range(d))] = chance
        rows.append(row)
    return rows, indicator(p, q), pair_moments(lam, m, d)


CHANNELS = {
    "randomized response": randomized_response(4),
    "bits": bits(4),
    "subset 1 of 4": subset(4, 1),
    "subset 2 of 4": subset(4, 2),
    "subset 3 of 4": subset(4, 3),
}


def mean(row, score):
    return sum(chance * score(report) for report, chance in row.items())


@pytest.mark.parametrize(
    "channel", [*CHANNELS.values(), subset(2, 1), subset(3, 2), subset(5, 2), subset(5, 3), randomized_response(2)]
)
def test_pair_laws_are_the_exact_mean_products_of_the_channel(channel):
    rows, moments, pair = channel
    d = len(rows)
    for x, j, k in product(range(d), repeat=3):
        if j != k:
            found = mean(rows[x], lambda z, j=j, k=k: z[j] * z[k])
            assert found == (pair.among if x in (j, k) else pair.neither)
    for x, j in product(range(d), repeat=2):
        assert mean(rows[x], lambda z, j=j: z[j]) == (moments.a if x == j else moments.b)


def exact_covariance(rows, moments, target):
    """Return n times the covariance of the estimates, from every report with its chance, in fractions."""
    d = len(rows)

    def cov(chances, j, k):
        both = mean(chances, lambda z: z[j] * z[k])
        return (both - mean(chances, lambda z: z[j]) * mean(chances, lambda z: z[k])) / moments.gap**2

    if target == "respondents":
        return [[sum(s * cov(r, j, k) for s, r in zip(SHARES, rows, strict=True)) for k in range(d)] for j in range(d)]
    mixture = {z: sum(s * row[z] for s, row in zip(SHARES, rows, strict=True)) for z in rows[0]}
    return [[cov(mixture, j, k) for k in range(d)] for j in range(d)]


@pytest.mark.parametrize("target", estimates.TARGETS)
@pytest.mark.parametrize("name", CHANNELS)
def test_covariance_is_that_of_the_enumerated_channel(name, target):
    rows, moments, pair = CHANNELS[name]
    shares = np.array(SHARES, dtype=float)
    expected = np.array(exact_covariance(rows, moments, target), dtype=float) / 7
    assert estimates.covariance(shares, 7, moments, pair, target) == pytest.approx(expected, abs=1e-13)
    q = np.array([list(row.values()) for row in rows], dtype=float)
    scores = (np.array(list(rows[0])) - float(moments.b)) / float(moments.gap)
    assert estimates.channel_covariance(shares, 7, q, scores, target) == pytest.approx(expected, abs=1e-13)


@pytest.mark.parametrize("target", estimates.TARGETS)
@pytest.mark.parametrize("name", CHANNELS)
def test_diagonal_is_the_square_of_the_standard_errors(name, target):
    _, moments, pair = CHANNELS[name]
    shares = np.array(SHARES, dtype=float)
    cov = estimates.covariance(shares, 90, moments, pair, target)
    assert np.diag(cov) == pytest.approx(estimates.standard_errors(shares, 90, moments, target) ** 2)


@pytest.mark.parametrize("name", CHANNELS)
def test_covariance_is_never_negative_and_knows_fixed_sums(name):
    """With M2 and M4 the estimates always add up to 1, so their sum has no variance."""
    _, moments, pair = CHANNELS[name]
    for target in estimates.TARGETS:
        cov = estimates.covariance(np.array(SHARES, dtype=float), 1, moments, pair, target)
        assert np.linalg.eigvalsh(cov).min() > -1e-12
        assert (abs(cov.sum()) < 1e-12) == (name != "bits")


def test_independent_bits_have_the_covariance_of_the_sample_alone():
    """M13: Cov(j, k) = -theta_j theta_k / n in the population, 0 among the respondents."""
    moments = indicator(P, Q)
    shares = np.array(SHARES, dtype=float)
    off = ~np.eye(4, dtype=bool)
    population = estimates.covariance(shares, 10, moments, independent(moments), "population")
    assert population[off] == pytest.approx(-np.outer(shares, shares)[off] / 10)
    respondents = estimates.covariance(shares, 10, moments, independent(moments), "respondents")
    assert np.abs(respondents[off]).max() < 1e-15


@pytest.mark.parametrize("name", ["randomized response", "subset 2 of 4", "subset 3 of 4"])
def test_scores_of_a_channel_are_those_of_the_mechanism(name):
    """Over all reports, the right inverse of least variance is the score of M12."""
    rows, moments, _ = CHANNELS[name]
    q = np.array([list(row.values()) for row in rows], dtype=float)
    expected = (np.array(list(rows[0])) - float(moments.b)) / float(moments.gap)
    assert channel_scores(q) == pytest.approx(expected, abs=1e-12)


def test_scores_of_any_channel_are_unbiased():
    """The exponential channel of M7 has scores that are neither 0/1 nor symmetric."""
    distance = np.abs(np.arange(5)[:, None] - np.arange(5))
    q = np.exp(-0.4 * distance)
    q /= q.sum(axis=1, keepdims=True)
    scores = channel_scores(q)
    assert q @ scores == pytest.approx(np.eye(5), abs=1e-12)
    shares = np.array([0.1, 0.2, 0.4, 0.3, 0.0])
    assert channel_shares(1000 * shares @ q, scores) == pytest.approx(shares, abs=1e-12)
