"""The exact law of a total of integer scores, and the interval that inverts it (M15).

The plain sum of Laplace bins (M5), or of bins with other noise (M6), is a total of n independent integers. Its law is
an n-fold convolution, a power of the discrete Fourier transform of one score's law:

    population    (share * inside + (1 - share) * outside)^n        respondents    inside^m * outside^(n-m)

The transform wraps around, so its length must hold all totals that matter: Chernoff's bound gives a window outside of
which less than 2e-15 of any such law lies. Together with rounding the tails are right to about 1e-12.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import fft, optimize, special

from ldp import exact
from ldp.inference import intervals
from ldp.inference.estimates import Target
from ldp.inference.intervals import Interval
from ldp.scores import ScoreLaw

Chances = npt.NDArray[np.float64]

# Above this many reports `interval` answers with the score interval: the normal approximation is then far better than
# anything else in a survey, and a transform takes milliseconds for each of some thirty evaluations.
EXACT_UP_TO = 2000

_LOST = 1e-15


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


def laplace(table: Mapping[str, Any]) -> LatticeLaw:
    """One bin of M5: 1 + j where the bit is 1, else -j, with independent binary digits of j."""
    magnitude = np.ones(1)
    for k, threshold in enumerate(table["magnitude"]):
        chance = threshold / exact.RESOLUTION
        digit = np.zeros(2**k + 1)
        digit[0], digit[-1] = 1 - chance, chance
        magnitude = np.convolve(magnitude, digit)
    q = table["flip"] / exact.RESOLUTION
    inside = np.concatenate((q * magnitude[::-1], (1 - q) * magnitude))
    outside = np.concatenate(((1 - q) * magnitude[::-1], q * magnitude))
    return LatticeLaw(1 - len(magnitude), inside, outside)


def additive(low: int, noise: npt.ArrayLike) -> LatticeLaw:
    """The answer's 0 or 1 plus noise with these chances of low, low+1, ... (M6)."""
    chances = np.asarray(noise, dtype=np.float64)
    return LatticeLaw(low, np.append(0.0, chances), np.append(chances, 0.0))


def noise(table: Mapping[str, Any]) -> LatticeLaw:
    """One bin with the noise -J..J of a published table of 2J cumulated thresholds (M6)."""
    thresholds = np.array([0, *table["noise"], exact.RESOLUTION])
    return additive(-(len(table["noise"]) // 2), np.diff(thresholds) / exact.RESOLUTION)


def method(n: int) -> str:
    """What `interval` uses for n reports."""
    return "exact" if n <= EXACT_UP_TO else "score"


def interval(total: int, n: int, law: ScoreLaw, scores: LatticeLaw, confidence: float, target: Target) -> Interval:
    """The exact equal-tailed interval, or the score interval above EXACT_UP_TO. `law` has the moments of `scores`."""
    if n > EXACT_UP_TO:
        return intervals.score(total, n, law, confidence, target)
    return TotalLaw(n, scores).interval(total, confidence, target)


class TotalLaw:
    """The law of a total of n scores, ready to be asked for many shares and many totals."""

    def __init__(self, n: int, scores: LatticeLaw) -> None:
        start, stop = _window(n, scores)
        size = int(fft.next_fast_len(max(stop - start + 1, len(scores.inside)), real=True))
        self.n = n
        self.low = n * scores.low + start
        self._size, self._shift = size, -start % size
        self._inside = fft.rfft(scores.inside, size)
        self._outside = fft.rfft(scores.outside, size)

    def population(self, share: float) -> Chances:
        """Chances of the totals low, low+1, ... where each truth is the category with this chance."""
        return self._chances((share * self._inside + (1 - share) * self._outside) ** self.n)

    def respondents(self, m: int) -> Chances:
        """Chances of the totals low, low+1, ... where the category is the truth of m of the n."""
        return self._chances(self._inside**m * self._outside ** (self.n - m))

    def interval(self, total: int, confidence: float, target: Target) -> Interval:
        """The shares that neither tail of the law refuses at (1 - confidence)/2; an end point where all are refused."""
        tail = (1 - confidence) / 2
        if target == "population":
            low = _root(lambda share: self._at_least(total, self.population(share)) - tail)
            high = _root(lambda share: tail - self._at_most(total, self.population(share)))
            return Interval(low, high)
        n = self.n
        low = intervals.first(lambda m: self._at_least(total, self.respondents(m)) > tail, n, 0)
        high = intervals.first(lambda m: self._at_most(total, self.respondents(m)) <= tail, n, low) - 1
        return Interval(min(low, n) / n, max(high, 0) / n)

    def _chances(self, transform: npt.NDArray[np.complex128]) -> Chances:
        wrapped = np.maximum(fft.irfft(transform, self._size), 0.0)
        return np.roll(wrapped, self._shift)

    def _at_most(self, total: int, chances: Chances) -> float:
        return float(chances[: max(total - self.low + 1, 0)].sum())

    def _at_least(self, total: int, chances: Chances) -> float:
        return float(chances[max(total - self.low, 0) :].sum())


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
    return float(optimize.brentq(rising, 0.0, 1.0, xtol=1e-10))


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
