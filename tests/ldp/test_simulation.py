"""Simulated reports follow the exact channels, and estimates from them are unbiased with the covariance of M13."""

from fractions import Fraction

import numpy as np
import pytest

from benchmarks import simulation
from ldp.inference import estimates
from ldp.mechanisms import bitwise, laplace, randomized_response
from ldp.mechanisms.randomized_response import listed_chances, pair_moments
from ldp.scores import EXCLUSIVE, independent, indicator
from tests.support.channel_algebra import channel_scores, channel_shares

SURVEYS, N = 4000, 200
TRUE = np.array([0.4, 0.3, 0.2, 0.1, 0.0])
D = len(TRUE)

# Every mean and covariance is compared with the exact one at 5.5 standard errors: 3.8e-8 each, some 200 of them.
ERRORS = 5.5


def _subset_law(m):
    """Return p and q of M44 with a chance of one half to keep, as fractions."""
    return indicator(*listed_chances(Fraction(1, 2), m, D))


def _mechanisms():
    table = laplace.table(Fraction(1), D)
    rr = randomized_response.moments(randomized_response.table(Fraction(1), D, 1), D)["support"]
    bit = bitwise.moments(bitwise.table(Fraction(1), D), D)["support"]
    total = laplace.moments(table, D)["sum"]
    yield "randomized response", rr, EXCLUSIVE, lambda x, g: simulation.randomized_response(x, D, rr, g)
    yield "bits", bit, independent(bit), lambda x, g: simulation.bits(x, D, bit, g)
    yield "laplace sums", total, independent(total), lambda x, g: simulation.laplace(x, D, table, g)
    for m in (1, 2, 4):
        moments = _subset_law(m)
        pair = pair_moments(Fraction(1, 2), m, D)
        yield (
            f"subset of {m}",
            moments,
            pair,
            lambda x, g, m=m, moments=moments: simulation.subsets(x, D, m, moments, g),
        )


MECHANISMS = {name: rest for name, *rest in _mechanisms()}


def _agree(found, expected, n, moments, pair, target, shares):
    """Assert that means and covariances of estimates, (surveys, d), are within ERRORS of their standard errors."""
    cov = estimates.covariance(shares, n, moments, pair, target)
    variances = np.diag(cov)
    assert np.all(np.abs(found.mean(axis=0) - expected) <= ERRORS * np.sqrt(variances / len(found)))
    # Of normal estimates the covariance has the variance (C_jj C_kk + C_jk^2)/surveys; these are close to normal.
    spread = np.sqrt((np.outer(variances, variances) + cov**2) / len(found))
    assert np.all(np.abs(np.cov(found.T) - cov) <= ERRORS * spread)


@pytest.mark.parametrize("target", estimates.TARGETS)
@pytest.mark.parametrize("name", MECHANISMS)
def test_estimates_are_unbiased_with_the_covariance_of_m13(name, target):
    moments, pair, draw = MECHANISMS[name]
    generator = np.random.default_rng(12)
    if target == "population":
        people = simulation.answers(TRUE, SURVEYS * N, generator)
    else:
        people = np.tile(np.repeat(np.arange(D), np.round(TRUE * N).astype(int)), SURVEYS)
    totals = draw(people, generator).reshape(SURVEYS, N, D).sum(axis=1)
    _agree(estimates.shares(totals, N, moments), TRUE, N, moments, pair, target, TRUE)


@pytest.mark.parametrize("name", ["randomized response", "bits"])
def test_totals_without_reports_have_the_same_law(name):
    moments, pair, _ = MECHANISMS[name]
    generator = np.random.default_rng(13)
    draw = simulation.randomized_response_totals if name == "randomized response" else simulation.bit_totals
    for target in estimates.TARGETS:
        if target == "population":
            counts = simulation.population_counts(TRUE, N, SURVEYS, generator)
        else:
            counts = np.tile(np.round(TRUE * N).astype(int), (SURVEYS, 1))
        found = estimates.shares(draw(counts, moments, generator), N, moments)
        _agree(found, TRUE, N, moments, pair, target, TRUE)


@pytest.mark.parametrize("name", MECHANISMS)
def test_scores_of_each_truth_have_the_moments_of_the_law(name):
    moments, _, draw = MECHANISMS[name]
    generator, n = np.random.default_rng(14), 60_000
    for x in (0, D - 1):
        scores = draw(np.full(n, x), generator).astype(float)
        for j in range(D):
            mean, variance = (moments.a, moments.v_a) if x == j else (moments.b, moments.v_b)
            error = (float(variance) / n) ** 0.5
            assert abs(scores[:, j].mean() - float(mean)) <= ERRORS * error
            fourth = np.mean((scores[:, j] - float(mean)) ** 4)
            assert abs(scores[:, j].var() - float(variance)) <= ERRORS * ((fourth - float(variance) ** 2) / n) ** 0.5


def test_every_subset_has_its_size_and_reports_of_one_choice_have_one():
    generator = np.random.default_rng(15)
    people = simulation.answers(TRUE, 500, generator)
    for m in (1, 2, 4):
        assert set(simulation.subsets(people, D, m, _subset_law(m), generator).sum(axis=1)) == {m}
    _, _, draw = MECHANISMS["randomized response"]
    assert set(draw(people, generator).sum(axis=1)) == {1}


def test_outputs_of_a_channel_come_as_often_as_it_says():
    generator, n = np.random.default_rng(16), 60_000
    channel = np.exp(-0.5 * np.abs(np.arange(D)[:, None] - np.arange(D)))
    channel /= channel.sum(axis=1, keepdims=True)
    people = simulation.answers(TRUE, n, generator)
    counts = np.bincount(simulation.outputs(people, channel, generator), minlength=D)
    expected = TRUE @ channel
    assert np.all(np.abs(counts / n - expected) <= ERRORS * np.sqrt(expected * (1 - expected) / n))
    shares = channel_shares(counts, channel_scores(channel))
    cov = estimates.channel_covariance(TRUE, n, channel, channel_scores(channel), "population")
    assert np.all(np.abs(shares - TRUE) <= ERRORS * np.sqrt(np.diag(cov)))


def test_the_same_generator_gives_the_same_respondents():
    _, _, draw = MECHANISMS["bits"]
    twice = [draw(np.arange(D), np.random.default_rng(3)) for _ in range(2)]
    assert np.array_equal(*twice)
