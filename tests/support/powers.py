"""The exact power of a test of one share: the twin of what planning computes for pairs and values."""

import scipy

from ldp.inference import intervals
from ldp.inference.hypotheses import Alternative, _chance
from ldp.scores import ScoreMoments


def power(
    n: int, moments: ScoreMoments, hypothesis: float, share: float, level: float, alternative: Alternative = "greater"
) -> float:
    """The chance that `share_test` of `hypothesis` has a p-value of at most `level` where the true share is `share`.

    Exact, for the population: the critical totals are found, not simulated.
    """
    pi, truth = _chance(moments, hypothesis), _chance(moments, share)
    tail = level / 2 if alternative == "two-sided" else level
    result = 0.0
    # The least critical total c has P(S >= c) <= tail under the hypothesis: isf is the least s with sf(s) <= tail. None
    # beyond what is expected at a share of 1 shows anything (M37).
    if alternative != "less" and (s := scipy.stats.binom.isf(tail, n, pi)) < intervals.nearest(n, n, moments):
        result += scipy.stats.binom.sf(s, n, truth)
    # The same from below, for the n - S reports that do not support the category.
    if alternative != "greater" and (s := scipy.stats.binom.isf(tail, n, 1 - pi)) < n - intervals.nearest(
        0, n, moments
    ):
        result += scipy.stats.binom.sf(s, n, 1 - truth)
    return float(result)
