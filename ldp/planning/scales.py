"""The precision of a scale's mean, from its shares or by the mean's own mechanisms (M43).

The mean of a scale of d steps needs no shares: a step is a number, and a mean has its own mechanisms (M8). At small
alpha the best is one bit, which rounds the step to an end at random. From shares the mean is the sum of v_j theta_j,
with the covariances of M13.
"""

import math
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from ldp import kinds, mechanisms
from ldp.arrays import Values
from ldp.inference.estimates import channel_covariance, channel_rows, covariance
from ldp.kinds.protocol import Size
from ldp.mechanisms.pooled import PooledRandomizer
from ldp.mechanisms.protocol import Randomizer
from ldp.planning import routed
from ldp.planning.candidates import PlannedQuestion, candidate, of_question
from ldp.planning.outlook import quantile
from ldp.planning.routed import Reach
from ldp.question import Drawn
from ldp.scores import ChannelMoments


class Means(NamedTuple):
    """n times the variance of the mean of a scale from 0 to 1, for equally common steps or numbers spread evenly."""

    by_shares: float
    by_number: float


def means(alpha: Fraction, d: int) -> Means:
    """Return both variances for a scale of d steps, by the default mechanisms."""
    mechanism = mechanisms.MECHANISMS[kinds.best("ordered", alpha, d)]
    spread = _by_shares(Randomizer(mechanism, mechanism.table(alpha, d), d, alpha))
    return Means(spread, candidate(PlannedQuestion("mean", Size(0)), alpha).spread.expected)


def by_shares(question: Drawn) -> float:
    """Return n times the variance of the mean of a definition's scale, by its tables."""
    return _by_shares(mechanisms.of(question))


def half_width(question: Drawn, n: float, whom: Reach | None, confidence: float) -> float:
    """Return the half-width of the mean of a definition's scale from its shares, with n reports."""
    if whom is None:
        return quantile(confidence) * math.sqrt(by_shares(question) / n)
    scores = of_question(question).scores._replace(together=1)
    shares = scores.shares(whom.part)
    error = (_by_shares(mechanisms.of(question), shares) / n) ** 0.5
    mean = np.linspace(0, 1, len(shares)) @ shares
    return routed.among(scores, whom, n, confidence, (np.array([mean]), np.array([error]), 0.0), np.ones(1))


def _by_shares(randomizer: Randomizer | PooledRandomizer, shares: Values | None = None) -> float:
    method, moments = randomizer.default()
    equal, steps = np.full(randomizer.d, 1 / randomizer.d), np.linspace(0, 1, randomizer.d)
    equal = equal if shares is None else shares
    if isinstance(moments, ChannelMoments):
        cov = channel_covariance(equal, 1, channel_rows(moments), np.array(moments.phi()), "population")
    else:
        cov = covariance(equal, 1, moments, randomizer.pairs()[method], "population")
    return float(steps @ cov @ steps)
