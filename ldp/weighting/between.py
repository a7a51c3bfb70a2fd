"""By how much a share differs between two strata (M31b): a weighted share (M41) with the weights 1 and -1, so that

    u = (phi(s, j) - r_sj phi(s))/t(s) - (phi(z, j) - r_zj phi(z))/t(z)

is what a report adds to the difference of the strata s and z, r their shares of j and t their own.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ldp.arrays import Values
from ldp.forms.crossed import JointCrossing
from ldp.inference.crossed import Crossing
from ldp.inference.intervals import Interval
from ldp.weighting import interval, scores
from ldp.weighting.scores import Law

Pair = tuple[int, int]


class Difference(NamedTuple):
    """The difference of two strata in one category of the second variable, over n reports."""

    estimate: float
    law: Law
    n: int

    def interval(self, confidence: float) -> Interval:
        return interval.of_sum(self.law, self.estimate, self.n, confidence, (-1.0, 1.0))


def differences(
    crossing: Crossing | JointCrossing, pairs: Sequence[Pair], categories: Sequence[int]
) -> list[list[Difference]]:
    """For each pair of the first variable's categories, none of which is too small, the difference in each of these
    categories of the second."""
    if not pairs:
        return []
    strata, within = crossing.margins[0][0], crossing.within_first()
    sums = np.eye(within.shape[1])[:, list(categories)]
    made = [
        scores.weights(crossing, sums, _factors(pair, strata), np.where(np.isfinite(within), within, 0.0), 0.0)
        for pair in pairs
    ]
    laws = iter(scores.of_weights(crossing, np.concatenate(made)))
    return [
        [Difference(float(within[s, k] - within[z, k]), next(laws), crossing.n) for k in categories] for s, z in pairs
    ]


def _factors(pair: Pair, strata: Values) -> Values:
    factors = np.zeros(len(strata))
    factors[list(pair)] = 1 / strata[pair[0]], -1 / strata[pair[1]]
    return factors
