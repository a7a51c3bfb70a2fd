"""The exact law of a total of integer scores, and the interval that inverts it (M15).

The plain sum of bins with Laplace (M5) or other noise (M6) is a total of n independent integers. Its law is an n-fold
convolution, a power of the discrete Fourier transform of one score's law:

    population    (share * inside + (1 - share) * outside)^n        respondents    inside^m * outside^(n-m)

The transform wraps around, so its length must hold all relevant totals. Chernoff's bound gives a window that leaves out
less than 2e-15 of any law. An interval concerns only shares near its total, so a window around the total is enough. The
n-th powers of most frequencies are below 1e-18 and left out. A few dozen remain for any large n, and a tail is a sum
over them. So the law stays exact for any number of reports: tails are right to about 1e-12 for n up to 10^4, to 1e-16 n
beyond.
"""

import math
from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import scipy

from ldp.arrays import Complexes, Integers, Values
from ldp.inference import few, intervals
from ldp.inference.intervals import Interval
from ldp.scores import ScoreMoments, SumMoments, Target

_LOST = 1e-15
_NEGLIGIBLE = math.log(1e-18)
_SHARES = (0.0, 0.05, 0.2, 0.5, 0.8, 0.95, 1.0)

# Up to this length the whole transform is computed, beyond it only the frequencies that remain.
_WHOLE = 1 << 18


@dataclass(frozen=True, eq=False)
class LatticeLaw:
    """The law of one integer score: chances of low, low+1, ..., `inside` if the category is the truth, `outside` if
    not.

    Both have the same length and sum 1. `inside` is stochastically larger.
    """

    low: int
    inside: Values
    outside: Values


def binary(moments: ScoreMoments) -> LatticeLaw:
    """Return a 0/1 score's law."""
    p, q = float(moments.a), float(moments.b)
    return LatticeLaw(0, np.array([1 - p, p]), np.array([1 - q, q]))


def lattice(moments: SumMoments) -> LatticeLaw:
    """Return an integer score's law."""
    return LatticeLaw(moments.low, np.array(moments.inside), np.array(moments.outside))


class TotalLaw:
    """The law of a total of n scores. Its transforms are kept for many shares and totals."""

    def __init__(self, n: int, scores: LatticeLaw) -> None:
        self.n, self._scores = n, scores
        width = len(scores.inside) - 1
        self._few = few.holds(n, width)
        start, stop = (0, n * width) if self._few else _window(n, scores)
        self._start, self._whole = start, max(stop - start + 1, len(scores.inside)) | 1
        self.low, self.high = n * scores.low + start, n * scores.low + stop
        values = scores.low + np.arange(len(scores.inside))
        self._means = float(scores.inside @ values), float(scores.outside @ values)
        if self._few:
            return
        # A total is at most about 9 standard deviations from its mean. A window around it takes four times as much.
        wide = self._whole > 40 * _deviation(np.arange(len(values)), scores) * math.sqrt(n)
        self._span = _span(n, scores) if wide else self._whole
        # In an odd length no frequency is its own mirror image.
        self._size = min(self._whole, max(4 * self._span, len(scores.inside)) | 1)
        self._frequency, self._inside, self._outside = _transforms(n, scores, self._size)

    def population(self, share: float) -> Values:
        """Return the chances of the totals low, low+1, ... if each truth is the category with the chance `share`."""
        inside, outside = self._whole_transforms
        return self._chances((share * inside + (1 - share) * outside) ** self.n)

    def respondents(self, m: int) -> Values:
        """Return the chances of the totals low, low+1, ... if the category is the truth of m of the n."""
        inside, outside = self._whole_transforms
        return self._chances(inside**m * outside ** (self.n - m))

    def interval(self, total: int, confidence: float, target: Target) -> Interval:
        """Return the shares that neither tail of the law rejects at (1 - confidence)/2, united with those of the
        nearest expected total (M37)."""
        tail = (1 - confidence) / 2
        return intervals.union(self.limits(one, tail, target) for one in {total, self.nearest(total)})

    def nearest(self, total: int) -> int:
        """Return the nearest total that some share expects, rounded (M37)."""
        inside, outside = self._means
        return intervals.clamped(total, self.n * outside, self.n * inside)

    def limits(self, total: int, tail: float, target: Target) -> Interval:
        """Return the shares that neither tail rejects; an end point if all are rejected."""
        n = self.n
        if self._few:
            return self._laid_out(total, tail, target)
        at_least, more = self._above(total, total), self._above(total + 1, total)
        least, most = self._near(total)
        if target == "population":
            low = intervals.root(lambda share: at_least(self._mixed(share)) - tail, least, most)
            high = intervals.root(lambda share: tail - 1 + more(self._mixed(share)), least, most)
            return Interval(low, high)
        first, last = math.floor(n * least), math.ceil(n * most)
        beyond = intervals.first(
            lambda m: m > last or (m >= first and at_least(self._fixed(m)) > tail), n, (first + last) // 2
        )
        kept = intervals.first(lambda m: m > last or (m >= first and more(self._fixed(m)) >= 1 - tail), n, beyond)
        return Interval(min(beyond, n) / n, max(kept - 1, 0) / n)

    def _laid_out(self, total: int, tail: float, target: Target) -> Interval:
        """Return `limits` from a table of all tails."""
        n, tails = self.n, self._tails
        at_least, more = tails.of(total), tails.of(total + 1)
        if target == "population":
            low = intervals.root(lambda share: tails.mixed(at_least, share) - tail, 0.0, 1.0)
            return Interval(low, intervals.root(lambda share: tail - 1 + tails.mixed(more, share), 0.0, 1.0))
        # Both chances rise with m.
        first, beyond = int((at_least <= tail).sum()), int((more < 1 - tail).sum())
        return Interval(min(first, n) / n, max(beyond - 1, 0) / n)

    @cached_property
    def _tails(self) -> few.Tails:
        scores = self._scores
        return few.tails(self.n, scores.low, tuple(scores.inside.tolist()), tuple(scores.outside.tolist()))

    def at_least(self, total: int, share: float, target: Target) -> float:
        """Return P(sum >= total) at this share of the category. For respondents the share is a multiple of 1/n."""
        if self._few:
            tails = self._tails.of(total)
            return self._tails.mixed(tails, share) if target == "population" else float(tails[round(self.n * share)])
        least, most = self._near(total)
        if not least <= share <= most:
            return float(share > most)
        transform = self._mixed(share) if target == "population" else self._fixed(round(self.n * share))
        return self._above(total, total)(transform)

    def first(self, share: float, tail: float) -> int:
        """Return the least total t for which P(sum >= t) in the population is at most `tail`."""
        totals = range(self.low, self.high + 2)
        return self.low + bisect_left(totals, True, key=lambda total: self.at_least(total, share, "population") <= tail)

    def _near(self, total: int) -> tuple[float, float]:
        """Return a range of shares. From outside it, totals cross this one with a chance of at most 1e-15."""
        if self._size == self._whole:
            return 0.0, 1.0
        inside, outside = self._means
        middle, width = (total / self.n - outside) / (inside - outside), self._span / self.n / (inside - outside)
        return min(max(middle - width, 0.0), 1.0), min(max(middle + width, 0.0), 1.0)

    def _mixed(self, share: float) -> Complexes:
        return np.asarray((share * self._inside + (1 - share) * self._outside) ** self.n)

    def _fixed(self, m: int) -> Complexes:
        return np.asarray(self._inside**m * self._outside ** (self.n - m))

    def _above(self, total: int, near: int) -> Callable[[Complexes], float]:
        """Return P(sum >= total) as a function of a transform X. The total is number i of a window of N = size totals.
        With w_k = e^(2 pi i k/N), and the window's start counted from n times the lowest score, the chance is a
        geometric series:

            (1/N) sum over k of X_k w_k^start (w_k^i + ... + w_k^(N-1)).
        """
        size, k = self._size, self._frequency[1:]
        start = self._start if size == self._whole else near - self.n * self._scores.low - size // 2
        index = min(max(total - self.n * self._scores.low - start, 0), size)
        turn = 2j * np.pi / size
        unit, phase = np.exp(turn * k), np.exp(turn * (k * (start % size) % size))
        series = phase * (1 - np.exp(turn * (k * index % size))) / (unit - 1)

        def chance(transform: Complexes) -> float:
            rest = 2 * float((transform[1:] @ series).real)
            return (float(transform[0].real) * (size - index) + rest) / size

        return chance

    @cached_property
    def _whole_transforms(self) -> tuple[Complexes, Complexes]:
        rows = self._scores.inside, self._scores.outside
        return scipy.fft.rfft(rows[0], self._whole), scipy.fft.rfft(rows[1], self._whole)

    def _chances(self, transform: Complexes) -> Values:
        wrapped = np.maximum(scipy.fft.irfft(transform, self._whole), 0.0)
        return np.roll(wrapped, -self._start % self._whole)


def _transforms(n: int, scores: LatticeLaw, size: int) -> tuple[Integers, Complexes, Complexes]:
    """Return the frequencies whose n-th power is relevant, 0 first, and both transforms of one score there."""
    length = size if size <= _WHOLE else int(scipy.fft.next_fast_len(8 * len(scores.inside), real=True))
    inside, outside = scipy.fft.rfft(scores.inside, length), scipy.fft.rfft(scores.outside, length)
    with np.errstate(divide="ignore"):
        kept = np.nonzero(n * np.log(np.maximum(np.abs(inside), np.abs(outside))) > _NEGLIGIBLE)[0]
    if length == size:
        return kept, inside[kept], outside[kept]
    # The fine frequencies end one coarse step beyond the last relevant coarse frequency.
    fine = np.arange(min(size // 2, math.ceil((kept[-1] + 1) * size / length)) + 1)
    waves = np.exp(-2j * np.pi * (np.multiply.outer(fine, np.arange(len(scores.inside))) % size) / size)
    return fine, np.asarray(waves @ scores.inside), np.asarray(waves @ scores.outside)


def _span(n: int, scores: LatticeLaw) -> int:
    """Return a distance from the mean that a total of n scores exceeds with a chance of at most _LOST at any share, and
    a tenth more."""
    mixed = [share * scores.inside + (1 - share) * scores.outside for share in _SHARES]
    index = np.arange(len(scores.inside))
    spans = [
        _upper(n, index, row, _deviation(index, scores)) - n * float(row @ index)
        for half in mixed
        for row in (half, half[::-1])
    ]
    return math.ceil(1.1 * max(spans)) + 1


def _window(n: int, scores: LatticeLaw) -> tuple[int, int]:
    """Return two limits of the sum of (score - low). Below the first, and above the second, any law has at most the
    chance _LOST, by Chernoff's bound.

    P(sum >= s) <= exp(n K(t) - t s), K(t) = log E e^{t score}. The larger law bounds above, the smaller below.
    """
    width = len(scores.inside) - 1
    index = np.arange(width + 1)
    deviation = _deviation(index, scores)
    upper = min(_upper(n, index, scores.inside, deviation), n * width)
    lower = max(n * width - _upper(n, index, scores.outside[::-1], deviation), 0)
    return lower, upper


def _upper(n: int, index: Integers, row: Values, deviation: float) -> int:
    tilts = np.geomspace(1e-2, 1e2, 81) / max(deviation * math.sqrt(n), 1.0)
    cumulants = scipy.special.logsumexp(np.outer(tilts, index), axis=1, b=row)
    return math.ceil(float(np.min((n * cumulants - math.log(_LOST)) / tilts)))


def _deviation(index: Integers, scores: LatticeLaw) -> float:
    return math.sqrt(max(float(row @ index**2 - (row @ index) ** 2) for row in (scores.inside, scores.outside)))
