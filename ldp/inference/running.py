"""The interval of a survey that may end at any release: it holds at all of them together (M15, M29).

Whole scores have the sequences of sequences.py. Scores of a channel (M7, M8) have real values and a law that depends on
the unknown answers. For one answer x let M_x(t) = E e^{t phi} over row x of the channel. Whatever law of answers gives
the share or mean theta, E e^{t phi} is at most H_t(theta), the upper hull of the points (position of x, M_x(t)) at
theta: a share has the positions 1 for its own category and 0 for the others, a mean those of the grid. So

    exp(t S - n log H_t(theta))

is a supermartingale, for answers drawn from a population, and by Jensen's inequality for given ones whose mean is
theta; the mixture over fixed t > 0, and that over t < 0, bound theta like the tilted sequence.
"""

import math
from functools import cached_property

import numpy as np
import numpy.typing as npt

from ldp.arrays import Values
from ldp.inference import convolution, intervals, sequences
from ldp.inference.estimates import Target
from ldp.inference.intervals import Interval
from ldp.scores import ChannelMoments, ScoreMoments, SumMoments

METHOD = "sequence"


class Whole:
    """Scores that are whole numbers, 0 and 1 among them."""

    def __init__(self, moments: ScoreMoments, n: int) -> None:
        self._moments, self._n = moments, n

    def method(self, target: Target) -> str:
        return METHOD

    def interval(self, totals: list[int], j: int, confidence: float, target: Target) -> Interval:
        return sequences.interval(totals[j], self._n, self._moments, self._law, confidence, target)

    @cached_property
    def _law(self) -> convolution.LatticeLaw:
        if isinstance(self._moments, SumMoments):
            return convolution.lattice(self._moments)
        return convolution.binary(self._moments)


class Channel:
    """Scores of a channel. The totals count its outputs; both targets have the same interval."""

    def __init__(self, moments: ChannelMoments, n: int) -> None:
        self.n, self._moments = n, moments
        self._rows = np.array(moments.weights, dtype=np.float64) / sum(moments.weights[0])
        self._scores = np.array(moments.phi())

    def method(self, target: Target) -> str:
        return METHOD

    def interval(self, totals: list[int], j: int, confidence: float, target: Target) -> Interval:
        total, delta = self.total(j, totals), (1 - confidence) / 2

        def at(one: float) -> Interval:
            above, below = (Evidence(self, j, one, delta, sign) for sign in (1, -1))
            return sequences.between(above.excess, below.excess)

        # Of an impossible estimate also that of the nearest possible one (M37).
        return intervals.union(map(at, {total, intervals.clamp(total, 0.0, self.n)}))

    def total(self, j: int, totals: npt.ArrayLike) -> float:
        """S, the sum of the scores of target j."""
        return float(self._scores[:, j] @ np.asarray(totals))

    def positions(self, j: int) -> Values:
        """The place where each answer lies on the scale of target j."""
        inputs = len(self._rows)
        return np.arange(inputs) / (inputs - 1) if self._moments.targets == 1 else np.eye(inputs)[j]

    def powers(self, j: int, t: Values) -> Values:
        """M_x(t), shape (tilts, inputs); infinite where a float holds no more, and such a tilt says nothing."""
        with np.errstate(over="ignore"):
            return np.asarray(np.exp(np.outer(t, self._scores[:, j])) @ self._rows.T)

    def spread(self, j: int) -> float:
        """The largest variance of a score, given the answer."""
        return float(max(row[j] for row in self._moments.variances))


class Evidence:
    """log(mixture over tilts) - log(1/delta) as a function of theta: falling for sign +1, rising for -1."""

    def __init__(self, channel: Channel, j: int, total: float, delta: float, sign: int) -> None:
        t, self._log_weights = sequences.grid(channel.spread(j), delta, sign)
        self._exponents, self._n, self._log_delta = t * total, channel.n, math.log(delta)
        positions = channel.positions(j)
        self._hulls = [upper_hull(positions, powers) for powers in channel.powers(j, t)]

    def excess(self, theta: float) -> float:
        cumulants = np.log([np.interp(theta, *hull) for hull in self._hulls])
        mixed = sequences.log_total(self._log_weights + self._exponents - self._n * cumulants)
        return mixed + self._log_delta


def upper_hull(positions: Values, heights: Values) -> tuple[Values, Values]:
    """The corners, from left to right, of the least concave function above the points."""
    corners: list[tuple[float, float]] = []
    for x, y in sorted(zip(positions.tolist(), heights.tolist(), strict=True)):
        while corners and (corners[-1][0] == x or (len(corners) > 1 and _below(corners[-2], corners[-1], (x, y)))):
            corners.pop()
        corners.append((x, y))
    xs, ys = zip(*corners, strict=True)
    return np.array(xs), np.array(ys)


def _below(left: tuple[float, float], middle: tuple[float, float], right: tuple[float, float]) -> bool:
    """Whether the middle point is not above the line between the others."""
    (x0, y0), (x1, y1), (x2, y2) = left, middle, right
    return (y1 - y0) * (x2 - x0) <= (y2 - y0) * (x1 - x0)
