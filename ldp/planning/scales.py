"""A scale asked for its shares, or for its mean alone (M43).

Whoever wants the mean of a scale of d steps needs no shares: the step is a number, and its mean has mechanisms of its
own (M8), for small alpha one bit, an end to which it is rounded at random. From shares the mean is the sum of v_j
theta_j with the covariances of M13.
"""

from fractions import Fraction
from typing import NamedTuple

import numpy as np

from ldp import kinds, mechanisms
from ldp.inference.covariance import channel_covariance, covariance
from ldp.kinds.protocol import Size
from ldp.planning.candidates import PlannedQuestion, candidate
from ldp.scores import ChannelMoments


class Means(NamedTuple):
    """n times the variance of the mean of a scale from 0 to 1, where all steps are equally common; of a number as
    planned, spread evenly."""

    by_shares: float
    by_number: float


def means(alpha: Fraction, d: int) -> Means:
    return Means(_by_shares(alpha, d), candidate(PlannedQuestion("mean", Size(0)), alpha).spread.expected)


def _by_shares(alpha: Fraction, d: int) -> float:
    """By the mechanism that a scale has unless another is named."""
    mechanism = mechanisms.MECHANISMS[kinds.best("ordered", alpha, d)]
    table = mechanism.table(alpha, d)
    method, moments = next(iter(mechanism.moments(table, d).items()))
    equal, steps = np.full(d, 1 / d), np.linspace(0, 1, d)
    if isinstance(moments, ChannelMoments):
        rows = np.array(moments.weights, dtype=np.float64) / sum(moments.weights[0])
        cov = channel_covariance(equal, 1, rows, np.array(moments.phi()), "population")
    else:
        cov = covariance(equal, 1, moments, mechanism.pairs(table, d)[method], "population")
    return float(steps @ cov @ steps)
