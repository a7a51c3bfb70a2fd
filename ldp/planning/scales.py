"""A scale asked for its shares, or for its mean alone (M43).

The mean of a scale of d steps needs no shares: the step is a number, and its mean has its own mechanisms (M8), at small
alpha one bit that rounds it to an end at random. From shares the mean is the sum of v_j theta_j with the covariances of
M13.
"""

from fractions import Fraction
from typing import NamedTuple

import numpy as np

from ldp import kinds, mechanisms
from ldp.inference.estimates import channel_covariance, channel_rows, covariance
from ldp.kinds.protocol import Size
from ldp.mechanisms.pooled import PooledRandomizer
from ldp.mechanisms.protocol import Randomizer
from ldp.planning.candidates import PlannedQuestion, candidate
from ldp.question import Drawn
from ldp.scores import ChannelMoments


class Means(NamedTuple):
    """n times the variance of the mean of a scale from 0 to 1, where all steps are equally common; of a number as
    planned, spread evenly."""

    by_shares: float
    by_number: float


def means(alpha: Fraction, d: int) -> Means:
    """By the mechanisms that questions have unless others are named."""
    mechanism = mechanisms.MECHANISMS[kinds.best("ordered", alpha, d)]
    spread = _by_shares(Randomizer(mechanism, mechanism.table(alpha, d), d, alpha))
    return Means(spread, candidate(PlannedQuestion("mean", Size(0)), alpha).spread.expected)


def by_shares(question: Drawn) -> float:
    """n times the variance of the mean of a definition's scale, by its tables."""
    return _by_shares(mechanisms.of(question))


def _by_shares(randomizer: Randomizer | PooledRandomizer) -> float:
    method, moments = randomizer.default()
    equal, steps = np.full(randomizer.d, 1 / randomizer.d), np.linspace(0, 1, randomizer.d)
    if isinstance(moments, ChannelMoments):
        cov = channel_covariance(equal, 1, channel_rows(moments), np.array(moments.phi()), "population")
    else:
        cov = covariance(equal, 1, moments, randomizer.pairs()[method], "population")
    return float(steps @ cov @ steps)
