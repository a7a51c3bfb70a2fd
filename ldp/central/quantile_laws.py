"""The law of several private quantiles at once, in floating point: what the mechanism of quantiles.py may give.

The same dynamic program in logarithms, since where many answers are equal every outcome has a weight that no
floating-point number holds. For looking and planning: nothing that is released is drawn from it.
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

import numpy as np
import scipy

from ldp.arrays import Integers, Values
from ldp.central import quantiles


class Law(NamedTuple):
    """`lengths` are the cells of the n+1 intervals; `chances[j]` says in which of them quantile j lies. Within one
    every cell is as likely.
    """

    lengths: Integers
    chances: list[Values]


def of(answers: Sequence[int], size: int, levels: Sequence[Fraction], alpha: float) -> Law:
    """Shapes (n+1,). Levels are increasing fractions in (0, 1); work and memory grow with m n^2 and n^2."""
    lengths = np.array(quantiles.gaps(answers, size))
    program = _Program(lengths, [float(fraction) for fraction in quantiles.wanted(len(answers), levels)], alpha)
    return Law(lengths, program.chances())


class _Program:
    """All arrays hold logarithms. reach[j] and entered[j] are as in quantiles.py."""

    def __init__(self, lengths: Integers, fractions: list[float], alpha: float) -> None:
        self.m, self.n = len(fractions) - 1, len(lengths) - 1
        counts = np.arange(self.n + 1)
        self.weights = [-alpha / 4 * np.abs(counts - each) for each in fractions]
        self.ways = self._ways(lengths)
        # later[i, i'] = i - i' for an interval i' before i.
        self.later = counts[:, None] - counts[None, :]
        self.reach: list[Values] = [np.zeros(0)]
        self.entered = [self.weights[0]]
        for j in range(1, self.m + 1):
            self.reach.append(np.asarray(scipy.special.logsumexp(self._parts(j), axis=0)))
            self.entered.append(np.asarray(scipy.special.logsumexp(self._steps(j), axis=1)))

    def _ways(self, lengths: Integers) -> list[Values]:
        """l (l+1) ... (l+k-1)/k! for k = 1, 2, ..., m."""
        with np.errstate(divide="ignore"):
            factors = [np.log(lengths + k) - np.log(k + 1) for k in range(self.m)]
        return list(np.cumsum(factors, axis=0))

    def _steps(self, j: int) -> Values:
        """Quantile j in interval i', the next one in a later interval i."""
        weights = self.weights[j][np.maximum(self.later, 0)]
        return np.where(self.later > 0, self.reach[j][None, :] + weights, -np.inf)

    def _parts(self, j: int) -> Values:
        """k quantiles in interval i up to number j, and the j-k others before it, for k = 1..j."""
        parts, inside = [], 0.0
        for k in range(1, j + 1):
            parts.append(self.ways[k - 1] + self.entered[j - k] + inside)
            inside += float(self.weights[j - k][0])
        return np.array(parts)

    def chances(self) -> list[Values]:
        """Going back from the last quantile."""
        later = [np.zeros(self.n + 1) for _ in range(self.m + 1)]
        together = [np.zeros(self.n + 1) for _ in range(self.m + 1)]
        later[self.m] = scipy.special.softmax(self.reach[self.m] + self.weights[self.m][::-1])
        for j in range(self.m, 0, -1):
            with np.errstate(invalid="ignore"):
                shares = np.nan_to_num(np.exp(self._parts(j) - self.reach[j]))
            for k, share in enumerate(shares, start=1):
                block = later[j] * share
                for inner in range(j - k + 1, j + 1):
                    together[inner] += block
                if j > k:
                    later[j - k] += self._back(j - k, block)
        return together[1:]

    def _back(self, before: int, block: Values) -> Values:
        """The chance of each interval of quantile `before`, given those of the next block."""
        with np.errstate(invalid="ignore"):
            steps = np.nan_to_num(np.exp(self._steps(before) - self.entered[before][:, None]))
        return np.asarray(block @ steps)
