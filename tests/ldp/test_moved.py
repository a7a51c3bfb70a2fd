"""Changes between surveys that the same people may answer (M38b), exactly enumerated for every dependence."""

from fractions import Fraction

import numpy as np
import pytest
import scipy

from ldp.inference import intervals
from ldp.inference.reading import moved
from ldp.inference.reading.moved import PublishedShare
from ldp.inference.tallied import Tallied
from ldp.scores import EXCLUSIVE, indicator


def published(alpha, d, n, level):
    """Return the published share at every total of a category of randomized response."""
    rest = np.exp(alpha) + d - 1
    moments = indicator(Fraction(float(np.exp(alpha) / rest)), Fraction(float(1 / rest)))
    made = []
    for total in range(n + 1):
        own = Tallied(moments, EXCLUSIVE, [total, n - total], n)
        span = own.interval(0, level, "population")
        made.append(PublishedShare(float(own.shares[0]), span, moved.sampled(own, 0, span)))
    return made, float(moments.a), float(moments.b)


def law(shares, both, p, q, n):
    """Return the chances of the totals of both surveys, (n + 1, n + 1). The same n people answer both; `both` says in
    which surveys each gives the answer."""
    one, other = shares
    people = np.array([[1 - one - other + both, other - both], [one - both, both]])
    channel = np.array([[1 - q, q], [1 - p, p]])
    cells = np.zeros((n + 1, n + 1))
    cells[:2, :2] = channel.T @ people @ channel
    return np.maximum(scipy.fft.ifft2(scipy.fft.fft2(cells) ** n).real, 0)


@pytest.mark.parametrize("level", [0.9, 0.95, 0.9992])
@pytest.mark.parametrize(("alpha", "d", "n"), [(1, 2, 60), (2, 6, 40), (4, 3, 30), (8, 2, 25)])
def test_no_change_is_missed_more_often_than_is_said_no_matter_who_answers_both(alpha, d, n, level):
    made, p, q = published(alpha, d, n, level)
    spans = np.array([[moved.interval(one, other) for other in made] for one in made])
    for one in (0, 0.03, 0.3, 0.5, 0.97):
        for other in (0, 0.1, 0.5, 1):
            for both in {max(0, one + other - 1), one * other, min(one, other)}:
                chances = law((one, other), both, p, q, n)
                missed = (spans[..., 0] > other - one + 1e-12) | (spans[..., 1] < other - one - 1e-12)
                assert chances[missed].sum() <= 1 - level


def test_surveys_of_other_people_and_of_another_size_are_held_too():
    (few, p, q), (many, r, s) = published(2, 3, 20, 0.95), published(1, 2, 70, 0.95)
    spans = np.array([[moved.interval(one, other) for other in many] for one in few])
    for one in (0, 0.2, 0.5, 0.95):
        for other in (0.05, 0.5, 1):
            before = scipy.stats.binom.pmf(np.arange(21), 20, q + (p - q) * one)
            after = scipy.stats.binom.pmf(np.arange(71), 70, s + (r - s) * other)
            missed = (spans[..., 0] > other - one + 1e-12) | (spans[..., 1] < other - one - 1e-12)
            assert np.outer(before, after)[missed].sum() <= 0.05


@pytest.mark.parametrize(("alpha", "d", "people"), [(1, 2, 1.6), (2, 2, 1.25), (2, 6, 1.3)])
def test_it_takes_fewer_people_than_two_intervals(alpha, d, people):
    """The length is z sqrt((sd1 + sd2)^2 + nu1^2 + nu2^2) instead of the sum of both half-widths."""
    n, level = 400, 0.95
    made, p, q = published(alpha, d, n, level)
    own = made[round(n * (q + 0.4 * (p - q)))]
    low, high = moved.interval(own, own)
    wide = 2 * (own.interval.high - own.interval.low)
    assert (wide / (high - low)) ** 2 > people
    share, noise = own.estimate, own.estimate * p * (1 - p) + (1 - own.estimate) * q * (1 - q)
    variance = 4 * share * (1 - share) + 2 * noise / (p - q) ** 2
    assert high == pytest.approx(intervals.z(level) * (variance / n) ** 0.5, rel=0.06)


def test_where_an_interval_holds_at_every_look_or_is_cut_both_limits_are_taken():
    one, other = (
        PublishedShare(0.02, intervals.Interval(0.0, 0.2), 0.1),
        PublishedShare(0.5, intervals.Interval(0.4, 0.6), 0.1),
    )
    change = moved.interval(one, other)
    assert change.high == pytest.approx(0.6)
    assert change.low == pytest.approx(0.48 - (0.1**2 + 0.18**2 + 0.02 * 0.1 * 0.18) ** 0.5)
    assert moved.interval(other, other._replace(sampled=1.0)).low > -0.2
    every = PublishedShare(0.5, intervals.Interval(0.4, 0.6))
    assert moved.interval(every, every) == pytest.approx((-0.2, 0.2))
