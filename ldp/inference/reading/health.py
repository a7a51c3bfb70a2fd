"""Whether the totals look like the mechanism's, as far as totals can say (M15b).

What a report holds whatever its answer is can be checked: of bits and of noise per bin the sum over all categories,
whose law is the same for every answer; of drawn items how often each was drawn. It finds broken clients and crude
forgeries, never all: who draws from the mechanism for an invented answer looks like everybody else.
"""

from functools import reduce

import numpy as np
import numpy.typing as npt
import scipy

from ldp.inference import convolution
from ldp.inference.convolution import LatticeLaw, TotalLaw
from ldp.inference.hypotheses import EXPECTED_MIN
from ldp.inference.reading.tallied import Tallied
from ldp.scores import SumMoments, independent

LEVEL = 0.001  # p-values below it are said to be odd


def of_sum(tallied: Tallied) -> float | None:
    """The two-sided p-value of the sum of all totals; None where that is fixed, or its law depends on the answers."""
    if tallied.pair is None or tallied.pair != independent(tallied.moments):
        return None
    law = _of_report(tallied)
    total, spread = sum(tallied.totals), TotalLaw(tallied.n, law)
    above = spread.at_least(total, 0.0, "population")
    below = 1 - spread.at_least(total + 1, 0.0, "population")
    return float(min(1.0, 2 * max(min(above, below), 0.0)))


def _of_report(tallied: Tallied) -> LatticeLaw:
    """The health of one report's sum: one category is the truth, d - 1 are not."""
    moments = tallied.moments
    one = convolution.lattice(moments) if isinstance(moments, SumMoments) else convolution.binary(moments)
    row = reduce(np.convolve, [one.outside] * (tallied.d - 1), one.inside)
    return LatticeLaw(tallied.d * one.low, row, row)


def of_drawing(drawn: npt.ArrayLike, n: int, sample: int) -> float | None:
    """The p-value of how often each of the items was drawn, where each of n reports drew `sample` of them, all alike;
    None where each drew all, and where too few were drawn for the chi-square law.

    The numbers are those of n draws without replacement, each of variance n f (1-f) with f = sample/items.
    """
    counts = np.asarray(drawn, dtype=np.float64)
    items = len(counts)
    rate = sample / items
    if sample >= items or n * min(rate, 1 - rate) < EXPECTED_MIN:
        return None
    statistic = float(((counts - n * rate) ** 2).sum()) / (n * rate * (1 - rate)) * (items - 1) / items
    return float(scipy.stats.chi2.sf(statistic, items - 1))
