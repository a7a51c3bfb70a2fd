"""Deviations of a table's cells from independence, drawn some thousand times from their normal law, with the results of
Fisher's tests and of the whole table's test in each draw (M31)."""

from functools import lru_cache
from typing import NamedTuple

import numpy as np
import scipy

from ldp.arrays import Values
from ldp.inference import association
from ldp.inference.crossed import Crossing
from ldp.inference.hypotheses import helmert

DRAWS_MOST, DRAWS_LEAST, NUMBERS = 4000, 500, 1 << 19


class CellNoise(NamedTuple):
    """`draws` of all cells, each of variance 1. `unrelated` is n times a deviation's variance under independence.
    `contrasts` turn each variable's shares into uncorrelated contrasts of variance 1."""

    draws: Values
    unrelated: Values
    contrasts: tuple[Values, Values]


class Drawn(NamedTuple):
    """The farthest cell of each draw in standard errors, and the whole table's statistic, None if not tested. `cells`
    is the number of cells, `degrees` the table's degrees of freedom."""

    farthest: Values
    statistic: Values | None
    cells: int
    degrees: int

    def power(self, level: float) -> float:
        """Return the chance that a cell (by Holm, whose first step is Bonferroni's) or the table is significant."""
        shown = self.farthest >= -scipy.special.ndtri(level / self.cells / 2)
        if self.statistic is not None:
            shown = shown | (self.statistic >= scipy.stats.chi2.isf(level, self.degrees))
        return float(shown.mean())


def noise_of(expected: Crossing) -> CellNoise:
    """Return the noise, which depends only on each variable's shares."""
    (one, first), (other, second) = _spread(expected), _spread(expected.turned())
    draws = min(max(NUMBERS // (len(one) * len(other)), DRAWS_LEAST), DRAWS_MOST)
    noise = one @ _normal(draws, len(one), len(other)) @ other
    unrelated = np.outer(np.diag(one @ one), np.diag(other @ other))
    return CellNoise(noise / np.sqrt(unrelated), unrelated, (first, second))


@lru_cache(maxsize=2)
def _normal(draws: int, rows: int, columns: int) -> Values:
    """Return one draw for all tables of a shape. A search over alphas needs the noise dozens of times."""
    values = np.random.default_rng(0).standard_normal((draws, rows, columns))
    values.flags.writeable = False
    return values


def drawn(expected: Crossing, noise: CellNoise, n: int, is_whole: bool) -> Drawn:
    """Return the tests' statistics in each draw of the noise, for n reports."""
    deviations, variances = _deviations(expected)
    cells = np.sqrt(variances / n) * noise.draws
    cells += deviations
    farthest = np.abs(cells)  # in place: a search draws hundreds of these
    farthest -= 0.5 / n
    farthest /= np.sqrt(noise.unrelated / n)
    first, second = noise.contrasts
    statistic = n * ((first @ cells @ second.T) ** 2).sum(axis=(1, 2)) if is_whole else None
    return Drawn(farthest.max(axis=(1, 2)), statistic, deviations.size, len(first) * len(second))


def _deviations(expected: Crossing) -> tuple[Values, Values]:
    """Return the deviations of pairs of symbols from independence, and n times their variances."""
    frequencies = expected.counts / expected.n
    both, one, other = frequencies[1:, 1:], frequencies[1:, :1], frequencies[:1, 1:]
    second = both * ((1 - one) * (1 - other)) ** 2 + (one - both) * ((1 - one) * other) ** 2
    second += (other - both) * (one * (1 - other)) ** 2 + (1 - one - other + both) * (one * other) ** 2
    deviations = both - one * other
    return deviations, second - deviations**2


def _spread(expected: Crossing) -> tuple[Values, Values]:
    """Return the symmetric root of the covariance of the first variable's symbols, (d, d), and the matrix that turns
    its shares into uncorrelated contrasts of variance 1, (d - 1, d)."""
    gap = float(expected.first.moments.gap)
    estimates = association.covariance_of(expected.first, expected.margins[0][0], expected.counts[:, 0])
    values, vectors = np.linalg.eigh(gap**2 * estimates)
    root = vectors * np.sqrt(np.maximum(values, 0)) @ vectors.T
    contrasts = helmert(len(root))
    lower = np.linalg.cholesky(contrasts @ estimates @ contrasts.T)
    return root, np.linalg.solve(lower, contrasts) / gap
