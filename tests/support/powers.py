"""The exact power of a test of one share: the twin of planning's computation for pairs and values."""

import scipy

from ldp.inference import intervals
from ldp.inference.hypotheses import Alternative, _chance
from ldp.scores import ScoreMoments


def power(
    n: int, moments: ScoreMoments, hypothesis: float, share: float, level: float, alternative: Alternative = "greater"
) -> float:
    """Return the chance that `share_test` of `hypothesis` has a p-value of at most `level` if the true share is
    `share`.

    The power is exact, for the population: the critical totals are computed, not simulated.
    """
    pi, truth = _chance(moments, hypothesis), _chance(moments, share)
    tail = level / 2 if alternative == "two-sided" else level
    result = 0.0
    # The least critical total c has P(S >= c) <= tail under the hypothesis: isf is the least s with sf(s) <= tail. No
    # total beyond the expected one at a share of 1 is significant (M37).
    if alternative != "less" and (s := scipy.stats.binom.isf(tail, n, pi)) < intervals.nearest(n, n, moments):
        result += scipy.stats.binom.sf(s, n, truth)
    # From below, the same holds for the n - S reports that do not support the category.
    if alternative != "greater" and (s := scipy.stats.binom.isf(tail, n, 1 - pi)) < n - intervals.nearest(
        0, n, moments
    ):
        result += scipy.stats.binom.sf(s, n, 1 - truth)
    return float(result)
