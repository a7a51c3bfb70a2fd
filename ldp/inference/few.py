"""A table of P(sum >= total) for few scores, for every total and every m of the n in the category.

If each truth is the category with chance s, the binomial law of m mixes the rows, a polynomial in s. So one table
serves all categories, all confidences and both targets.
"""

from functools import lru_cache

import numpy as np
import scipy

from ldp.arrays import Complexes, Values

MOST = 1 << 20
"""Most numbers in a table."""


def holds(n: int, width: int) -> bool:
    """Return whether a table of n scores, each with width + 1 values, is small enough."""
    return 0 < n <= 500 and (n + 1) * (n * width + 2) <= MOST


class Tails:
    """Tails of n scores with values `low`, low+1, ... and the chances `inside` or `outside`."""

    def __init__(self, n: int, low: int, inside: Values, outside: Values) -> None:
        size = n * (len(inside) - 1) + 1
        one, other = (_powers(scipy.fft.rfft(law, size), n) for law in (inside, outside))
        laws = scipy.fft.irfft(one * other[::-1], size)
        above = np.zeros((n + 1, size + 1))
        np.cumsum(np.maximum(laws, 0.0)[:, ::-1], axis=1, out=above[:, -2::-1])
        self._n, self._low = n, n * low
        self._above = np.minimum(above, 1.0)
        self._m = np.arange(n + 1)
        self._ways = scipy.special.comb(n, self._m)

    def of(self, total: int) -> Values:
        """Return P(sum >= total) with m of the n in the category, for m = 0..n, (n + 1,)."""
        place = min(max(total - self._low, 0), self._above.shape[1] - 1)
        return np.asarray(self._above[:, place])

    def mixed(self, tails: Values, share: float) -> float:
        """Return P(sum >= total) if each truth is the category with the chance `share`, from `of(total)`."""
        return float((self._ways * share**self._m * (1 - share) ** (self._n - self._m)) @ tails)


@lru_cache(maxsize=4)  # at most 8 MB each
def tails(n: int, low: int, inside: tuple[float, ...], outside: tuple[float, ...]) -> Tails:
    """Return the cached table of these scores. One serves all options of a question, another all pairs of options."""
    return Tails(n, low, np.array(inside), np.array(outside))


def _powers(transform: Complexes, n: int) -> Complexes:
    """Return the powers 0..n, a row each, by repeated multiplication. The error grows with n and is below 500
    roundings."""
    rows = np.vstack([np.ones_like(transform), np.tile(transform, (n, 1))])
    return np.asarray(np.cumprod(rows, axis=0), dtype=np.complex128)
