"""The exact law of a total of integer scores, and the interval that inverts it (M15).

The plain sum of Laplace bins (M5), or of bins with other noise (M6), is a total of n independent integers. Its law is
an n-fold convolution, a power of the discrete Fourier transform of one score's law:

    population    (share * inside + (1 - share) * outside)^n        respondents    inside^m * outside^(n-m)

The transform wraps around, so its length must hold all totals that matter: Chernoff's bound gives a window outside of
which less than 2e-15 of any such law lies. The n-th powers of most frequencies are below 1e-18 and left out: a few
dozen remain for any large n, and a tail is a sum over them, so that the law stays exact for any number of reports. The
tails are right to about 1e-12 for n up to 10^4, to 1e-16 n beyond.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import fft, optimize, special

from ldp.inference import intervals
from ldp.inference.estimates import Target
from ldp.inference.intervals import Interval
from ldp.scores import ScoreLaw, SumLaw

Chances = npt.NDArray[np.float64]
Transform = npt.NDArray[np.complex128]

_LOST = 1e-15
_NEGLIGIBLE = math.log(1e-18)

# Up to this length a transform is made whole; beyond it only the frequencies that remain are.
_WHOLE = 1 << 18


@dataclass(frozen=True)
class LatticeLaw:
    """The law of one integer score: chances of low, low+1, ... where the category is the truth, and where it is not.

    `inside` and `outside` have the same length and sum 1; inside is stochastically the larger.
    """

    low: int
    inside: Chances
    outside: Chances


def binary(law: ScoreLaw) -> LatticeLaw:
    """A 0/1 score."""
    p, q = float(law.a), float(law.b)
    return LatticeLaw(0, np.array([1 - p, p]), np.array([1 - q, q]))


def lattice(law: SumLaw) -> LatticeLaw:
    """An integer score."""
    return LatticeLaw(law.low, np.array(law.inside), np.array(law.outside))


class TotalLaw:
    """The law of a total of n scores, ready to be asked for many shares and many totals."""

    def __init__(self, n: int, scores: LatticeLaw) -> None:
        start, stop = _window(n, scores)
        # An odd length has no frequency that is its own mirror image.
        self._size = max(stop - start + 1, len(scores.inside)) | 1
        self.n, self._start = n, start
        self.low = n * scores.low + start
        self._frequency, self._inside, self._outside = _transforms(n, scores, self._size)
        values = scores.low + np.arange(len(scores.inside))
        self._means = float(scores.inside @ values), float(scores.outside @ values)

    def population(self, share: float) -> Chances:
        """Chances of the totals low, low+1, ... where each truth is the category with this chance."""
        return self._chances(self._mixed(share))

    def respondents(self, m: int) -> Chances:
        """Chances of the totals low, low+1, ... where the category is the truth of m of the n."""
        return self._chances(self._fixed(m))

    def interval(self, total: int, confidence: float, target: Target) -> Interval:
        """The shares that neither tail of the law refuses at (1 - confidence)/2; an end point where all are refused."""
        tail = (1 - confidence) / 2
        at_least, more = self._above(total), self._above(total + 1)
        if target == "population":
            low = _root(lambda share: at_least(self._mixed(share)) - tail)
            high = _root(lambda share: tail - 1 + more(self._mixed(share)))
            return Interval(low, high)
        n = self.n
        low = intervals.first(lambda m: at_least(self._fixed(m)) > tail, n, self._guess(total))
        high = intervals.first(lambda m: more(self._fixed(m)) >= 1 - tail, n, low) - 1
        return Interval(min(low, n) / n, max(high, 0) / n)

    def _mixed(self, share: float) -> Transform:
        return np.asarray((share * self._inside + (1 - share) * self._outside) ** self.n)

    def _fixed(self, m: int) -> Transform:
        return np.asarray(self._inside**m * self._outside ** (self.n - m))

    def _guess(self, total: int) -> int:
        return min(max(round((total - self.n * self._means[1]) / (self._means[0] - self._means[1])), 0), self.n)

    def _above(self, total: int) -> Callable[[Transform], float]:
        """P(sum >= total) as a function of a transform X: with N = size, w_k = e^(2 pi i k/N) and total = low + i it is

            (1/N) sum over k of X_k w_k^start (1 + w_k + ... until index N-1, from i),    a geometric series.
        """
        index = min(max(total - self.low, 0), self._size)
        k = self._frequency[1:]
        unit = np.exp(2j * np.pi * k / self._size)
        phase = np.exp(2j * np.pi * (k * (self._start % self._size) % self._size) / self._size)
        series = phase * (1 - np.exp(2j * np.pi * (k * index % self._size) / self._size)) / (unit - 1)

        def chance(transform: Transform) -> float:
            rest = 2 * float((transform[1:] @ series).real)
            return (float(transform[0].real) * (self._size - index) + rest) / self._size

        return chance

    def _chances(self, transform: Transform) -> Chances:
        whole = np.zeros(self._size // 2 + 1, dtype=np.complex128)
        whole[self._frequency] = transform
        wrapped = np.maximum(fft.irfft(whole, self._size), 0.0)
        return np.roll(wrapped, -self._start % self._size)


def _transforms(n: int, scores: LatticeLaw, size: int) -> tuple[npt.NDArray[np.int64], Transform, Transform]:
    """The frequencies at which an n-th power can matter, 0 first, and both transforms of one score there."""
    length = size if size <= _WHOLE else int(fft.next_fast_len(8 * len(scores.inside), real=True))
    inside, outside = fft.rfft(scores.inside, length), fft.rfft(scores.outside, length)
    with np.errstate(divide="ignore"):
        kept = np.nonzero(n * np.log(np.maximum(np.abs(inside), np.abs(outside))) > _NEGLIGIBLE)[0]
    if length == size:
        return kept, inside[kept], outside[kept]
    # These were coarse frequencies; the fine ones go one coarse step beyond the last that matters.
    fine = np.arange(min(size // 2, math.ceil((kept[-1] + 1) * size / length)) + 1)
    waves = np.exp(-2j * np.pi * (np.multiply.outer(fine, np.arange(len(scores.inside))) % size) / size)
    return fine, waves @ scores.inside, waves @ scores.outside


def total_draws(scores: LatticeLaw, n: int, size: int, generator: np.random.Generator) -> npt.NDArray[np.int64]:
    """Draws of the total of n scores of an untrue category, shape (size,): for additive noise, of the noise total."""
    law = TotalLaw(n, scores)
    cumulated = np.cumsum(law.respondents(0))
    return np.asarray(law.low + np.searchsorted(cumulated, generator.random(size) * cumulated[-1], side="right"))


def _root(rising: Any) -> float:
    """Where a rising function of the share in [0, 1] changes sign; the end point where it does not."""
    if rising(0.0) >= 0:
        return 0.0
    if rising(1.0) <= 0:
        return 1.0
    return float(optimize.brentq(rising, 0.0, 1.0, xtol=1e-14))


def _window(n: int, scores: LatticeLaw) -> tuple[int, int]:
    """Indices (score - low, summed) between which all but _LOST on each side lies: the least of inf over t of Chernoff.

    P(sum >= s) <= exp(n K(t) - t s), K(t) = log E e^{t score}; the larger law bounds above, the smaller below.
    """
    width = len(scores.inside) - 1
    index = np.arange(width + 1)
    deviation = math.sqrt(max(float(row @ index**2 - (row @ index) ** 2) for row in (scores.inside, scores.outside)))
    tilts = np.geomspace(1e-2, 1e2, 81) / max(deviation * math.sqrt(n), 1.0)

    def reach(row: Chances) -> int:
        cumulants = special.logsumexp(np.outer(tilts, index), axis=1, b=row)
        return math.ceil(float(np.min((n * cumulants - math.log(_LOST)) / tilts)))

    upper = min(reach(scores.inside), n * width)
    lower = max(n * width - reach(scores.outside[::-1]), 0)
    return lower, upper
