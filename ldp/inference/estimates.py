"""Unbiased shares and their standard errors from score totals (M12), and from the counts of a channel's outputs."""

from typing import Literal

import numpy as np
import numpy.typing as npt

from ldp.arrays import Values
from ldp.scores import ScoreMoments

Target = Literal["population", "respondents"]
# Whom an estimate is about; each has errors and intervals of its own.
TARGETS: tuple[Target, ...] = ("population", "respondents")


def shares(totals: npt.ArrayLike, n: int, moments: ScoreMoments) -> Values:
    """The unbiased estimates (S_j/n - b)/(a - b), shape (d,). They may be negative or above one."""
    return (np.asarray(totals, dtype=np.float64) / n - float(moments.b)) / float(moments.gap)


def standard_errors(estimates: Values, n: int, moments: ScoreMoments, target: Target) -> Values:
    """Estimated standard errors, shape (d,): the variance of M12 at the estimates cut to [0, 1].

    For the target "population" sampling and randomization count, for "respondents" the randomization alone.
    """
    return np.sqrt(unit_variances(np.clip(estimates, 0.0, 1.0), moments, target) / n)


def unit_variances(share: Values, moments: ScoreMoments, target: Target) -> Values:
    """n times the variances of the estimates where the true shares are these (M12), same shape, shares in [0, 1]."""
    noise = (share * float(moments.v_a) + (1 - share) * float(moments.v_b)) / float(moments.gap) ** 2
    return noise + share * (1 - share) if target == "population" else noise
