"""Histograms as densities, distribution functions and quantiles (M18).

The first K = len(edges) - 1 categories are the bins [edge_k, edge_k+1); what follows them ("prefer not to say") is no
number, and quantiles are among those who have one. Nothing is known of the shape inside a bin: an interval in whole
bins assumes nothing, an interpolated one that the numbers lie evenly in each bin.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy import optimize

from ldp.inference.estimates import Matrix, Shares
from ldp.inference.intervals import Interval, z

# A bin with this share of all numbers is an atom: at least one quartile lies inside it or on its edge, and what the
# survey can say of it ends at the edges.
ATOM = 0.25


class Quantile(NamedTuple):
    """`interval` ends at edges and assumes nothing of the shape in a bin, `interpolated` that it is even.

    `atom` says that the bin of `value` is an atom: the value is somewhere in it, more is not known.
    """

    value: float
    bin: int
    atom: bool
    interval: Interval
    interpolated: Interval


def heights(estimates: npt.ArrayLike, edges: npt.ArrayLike) -> Shares:
    """Shares over widths of the K bins, shape (K,): the unbiased density, which may be negative."""
    widths = np.diff(np.asarray(edges, dtype=np.float64))
    return np.asarray(np.asarray(estimates, dtype=np.float64)[: len(widths)] / widths)


def cumulated(estimates: npt.ArrayLike, edges: npt.ArrayLike) -> Shares:
    """The distribution function at the K+1 edges among those with a number: from 0 to 1 and never falling (biased).

    The cumulated shares over the share with a number, then the monotone function nearest to them (isotonic
    regression), cut to [0, 1].
    """
    inner = len(np.asarray(edges)) - 2
    values = np.asarray(estimates, dtype=np.float64)
    raw = np.cumsum(values[:inner]) / _answered(values, inner + 1)
    monotone = optimize.isotonic_regression(raw).x if inner else raw
    return np.concatenate(([0.0], np.clip(monotone, 0, 1), [1.0]))


def atoms(estimates: npt.ArrayLike, edges: npt.ArrayLike) -> list[int]:
    """The bins that hold at least ATOM of all numbers."""
    return [int(k) for k in np.nonzero(np.diff(cumulated(estimates, edges)) >= ATOM)[0]]


def quantile(
    estimates: npt.ArrayLike, covariance: Matrix, edges: npt.ArrayLike, level: float, confidence: float
) -> Quantile:
    """The number below which the fraction `level` (in (0, 1)) of all numbers lies, from d >= K estimates (M12).

    `covariance` (d, d) is theirs at projected shares (M13), for the target that is meant. At each inner edge,

        G_k = share of numbers below edge k - level * share with a number

    is a weighted sum of the estimates; its band G_k +- z standard error refuses a bin where even the upper limit at its
    right edge is below 0, or the lower limit at its left edge above 0. The bin of the quantile is refused with
    probability at most 1 - confidence, whatever the others do, so that no simultaneous band is needed.
    """
    if not 0 < level < 1:
        raise ValueError("the level of a quantile must lie between 0 and 1")
    borders = np.asarray(edges, dtype=np.float64)
    function = cumulated(estimates, borders)
    value = _crossing(function - level, borders)
    k = int(np.searchsorted(function, level)) - 1
    lower, upper = _band(np.asarray(estimates, dtype=np.float64), covariance, len(borders) - 1, level, confidence)
    # Made monotone outwards, so that the kept bins have no gap: none that the band keeps is lost.
    upper, lower = np.maximum.accumulate(upper), np.minimum.accumulate(lower[::-1])[::-1]
    first = int(np.argmax(upper[1:] >= 0))
    last = len(borders) - 2 - int(np.argmax(lower[:-1][::-1] <= 0))
    whole = Interval(float(borders[first]), float(borders[last + 1]))
    even = Interval(_crossing(upper, borders), _crossing(lower, borders))
    return Quantile(value, k, k in atoms(estimates, borders), whole, even)


def _band(values: Shares, covariance: Matrix, bins: int, level: float, confidence: float) -> tuple[Shares, Shares]:
    """The band of G at the K+1 edges; at the outer ones it is known: below 0 on the left, above 0 on the right."""
    weights = np.tril(np.ones((bins - 1, len(values))))
    # The share with a number is 1 - the others, so that a needless sum of K noisy estimates stays out.
    weights[:, bins:] = level
    centre = weights @ values - level
    half_widths = z(confidence) * np.sqrt(np.einsum("ij,jk,ik->i", weights, covariance, weights))
    left, right = [-level], [1 - level]
    return np.concatenate((left, centre - half_widths, right)), np.concatenate((left, centre + half_widths, right))


def _crossing(values: Shares, borders: Shares) -> float:
    """Where the rising, linearly interpolated values reach 0; the middle where they stay at 0."""
    below, above = int(np.searchsorted(values, 0, side="left")), int(np.searchsorted(values, 0, side="right"))
    if above > below:
        return float((borders[below] + borders[above - 1]) / 2)
    step = -values[below - 1] / (values[below] - values[below - 1])
    return float(borders[below - 1] + step * (borders[below] - borders[below - 1]))


def _answered(values: Shares, bins: int) -> float:
    """The share with a number, 1 - the others; never below 1/1000, so that a quotient stays finite."""
    return max(1 - float(values[bins:].sum()), 1e-3)
