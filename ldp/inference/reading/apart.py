"""The difference theta_1 - theta_2 of two shares in the population: of two surveys, or of two options with different
reports (M33c, M38).

If no report is about both and both scores are 0 or 1, the interval inverts the exact test of the difference (below), so
p-value and interval never contradict each other. Otherwise (reports may be about both, intervals hold at every look, or
scores are sums of noise or invert a channel) each of two published intervals gets half of the error chance, and the
interval has all differences between them. It is proved if the intervals of the shares are.
"""

import math
from collections.abc import Callable
from functools import cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import scipy

from ldp.arrays import Integers, Values
from ldp.inference import intervals
from ldp.inference.intervals import Interval, clamp, nearest, union
from ldp.inference.tallied import TalliedShare
from ldp.scores import ScoreMoments


def estimate(one: TalliedShare, other: TalliedShare) -> float:
    (first, i), (second, j) = one, other
    return float(first.shares[i] - second.shares[j])


def exact(one: TalliedShare, other: TalliedShare, independent: bool) -> bool:
    """Return whether both totals are independent binomials, so that their difference has an exact test."""
    return independent and all(tallied.moments.binary and not tallied.every_look for tallied, _ in (one, other))


def interval(one: TalliedShare, other: TalliedShare, confidence: float, independent: bool = True) -> Interval:
    """Return the interval of theta_1 - theta_2, in -1..1. `independent`: no report is about both."""
    if exact(one, other, independent):
        sides = [(tallied.totals[j], tallied.n, tallied.moments) for tallied, j in (one, other)]
        return exact_interval(sides[0], sides[1], confidence)
    first, second = (tallied.interval(j, (1 + confidence) / 2, "population") for tallied, j in (one, other))
    return Interval(first.low - second.high, first.high - second.low)


def p_value(one: TalliedShare, other: TalliedShare, confidence: float, independent: bool = True) -> float | None:
    """Return the two-sided p-value of equal shares, by the test that the interval at this confidence inverts; None if
    no exact test is known."""
    if not exact(one, other, independent):
        return None
    sides = [(tallied.totals[j], tallied.n, tallied.moments) for tallied, j in (one, other)]
    return exact_p_value(sides[0], sides[1], confidence)


# Exact tests of the difference of two shares with separate reports and 0/1 scores (M38) ------------------------------
#
# For each share S of n reports is Binomial(n, q + (p - q) theta). T is the first (S/n - q)/(p - q) less the second. A
# difference D is rejected from below if P(T >= observed) is at most the tail for every pair of shares (t + D, t) with t
# in an interval of the second share; the interval's error chance is added to the tail (Berger and Boos 1994). The
# chance grows with the first share and falls with the second. So on a cell from t_k to t_{k+1} it is at most that at
# (t_{k+1} + D, t_k). The largest of these bounds over all cells bounds it for every t, without a search that could miss
# the worst t: proved. The upper limit is minus the lower limit of theta_2 - theta_1.
#
# Outcomes of a wide binomial law are taken in blocks, each as if it were all at the end that adds most, so the bound
# remains a bound. If laws of one n differ too much for common blocks, each has separate blocks.

CountedBits = tuple[int, int, ScoreMoments]

# Part of a limit's error chance for the second share's interval, and its maximum.
SPENT, MOST_SPENT = 0.02, 1e-5

CELLS = 64
BLOCKS = 512
FINE = 8  # blocks in a standard deviation, if they hold more than one outcome
# A binomial law's window extends this many standard deviations, plus this many outcomes, to each side. It leaves out
# less than 1e-18.
DEVIATIONS, MORE = 9.5, 40

_TOLERANCE = 1e-4  # of the standard error, added to a limit's distance


class BinomialTotal(NamedTuple):
    total: int
    n: int
    p: float
    q: float

    @classmethod
    def of(cls, total: int, n: int, moments: ScoreMoments) -> "BinomialTotal":
        return cls(total, n, float(moments.a), float(moments.b))

    @property
    def estimate(self) -> float:
        return (self.total / self.n - self.q) / (self.p - self.q)

    @property
    def step(self) -> float:
        """The amount that one more report adds to the estimate."""
        return 1 / (self.n * (self.p - self.q))

    def chance(self, share: npt.ArrayLike) -> Values:
        return self.q + (self.p - self.q) * np.clip(np.asarray(share, dtype=np.float64), 0.0, 1.0)

    def deviation(self) -> float:
        chance = float(self.chance(self.estimate))
        return self.step * math.sqrt(self.n * chance * (1 - chance))


def exact_interval(one: CountedBits, other: CountedBits, confidence: float) -> Interval:
    """Return the interval of theta_1 - theta_2 from each side's total, number of reports and moments. If an estimate is
    impossible, it is united with the interval of the nearest possible ones (M37)."""
    error = (1 - confidence) / 2
    return union(
        Interval(lower(first, second, error), -lower(second, first, error))
        for first, second in _observed_and_possible(one, other)
    )


def exact_p_value(one: CountedBits, other: CountedBits, confidence: float) -> float:
    """Return the two-sided p-value of theta_1 = theta_2. It is at most 1 - confidence if and only if the interval omits
    0."""
    spent = _spent((1 - confidence) / 2)
    return max(
        min(1.0, 2 * min(_tested(*sides, spent).chance(0.0) + spent for sides in ((first, second), (second, first))))
        for first, second in _observed_and_possible(one, other)
    )


def _observed_and_possible(one: CountedBits, other: CountedBits) -> set[tuple[BinomialTotal, BinomialTotal]]:
    possible = (nearest(*one), *one[1:]), (nearest(*other), *other[1:])
    return {(BinomialTotal.of(*first), BinomialTotal.of(*second)) for first, second in ((one, other), possible)}


def lower(one: BinomialTotal, other: BinomialTotal, error: float) -> float:
    """Return the lower limit, in -1..1, which exceeds theta_1 - theta_2 with a chance of at most `error`."""
    spent = _spent(error)
    tail, tested = error - spent, _tested(one, other, spent)

    @cache  # the bracket's ends are evaluated again
    def excess(difference: float) -> float:
        return float(intervals.excess(tested.chance(difference), tail))

    deviation = math.hypot(one.deviation(), other.deviation())
    guess = one.estimate - other.estimate + float(scipy.special.ndtri(tail)) * deviation
    low, high = _bracket(excess, clamp(guess, -1.0, 1.0), deviation / 4)
    if low == high:
        return low
    tolerance = max(_TOLERANCE * deviation, 1e-13)
    return max(float(scipy.optimize.brentq(excess, low, high, xtol=tolerance)) - tolerance, -1.0)


def _bracket(excess: Callable[[float], float], guess: float, margin: float) -> tuple[float, float]:
    """Return two differences between which the chance passes the tail; an end of -1..1 twice if it never does."""
    low, high = max(guess - margin, -1.0), min(guess + margin, 1.0)
    while excess(low) > 0:
        if low == -1.0:
            return low, low
        low, high, margin = max(low - 2 * margin, -1.0), low, 2 * margin
    while excess(high) <= 0:
        if high == 1.0:
            return high, high
        low, high, margin = high, min(high + 2 * margin, 1.0), 2 * margin
    return low, high


def _spent(error: float) -> float:
    """Return the error chance of the second share's interval. A p-value is at least twice this."""
    return min(SPENT * error, MOST_SPENT)


def _tested(one: BinomialTotal, other: BinomialTotal, spent: float) -> "_Tested":
    ends = intervals.clopper_pearson(other.total, other.n, spent / 2)
    low, high = (clamp((end - other.q) / (other.p - other.q)) for end in ends)
    return _Tested(one, other, np.linspace(low, high, CELLS + 1))


class _Tested:
    """P(T >= observed), bounded on every cell of the second share."""

    def __init__(self, one: BinomialTotal, other: BinomialTotal, ends: Values) -> None:
        self._one, self._other, self._last = one, other, ends[1:]
        law = _Blocks.of(other.n, other.chance(ends[:-1]))
        before = np.zeros((len(law.masses), 1))
        self._law, self._at_most = law, np.concatenate((before, law.masses.cumsum(axis=1)), axis=1)

    def chance(self, difference: float) -> float:
        """Return the bound over all cells that have a pair of shares with this difference."""
        first = difference + self._last
        law = _Blocks.of(self._one.n, self._one.chance(first))
        most = self._other.total + (law.last - self._one.total) * (self._one.step / self._other.step)
        below = np.take_along_axis(self._at_most, self._law.until(np.floor(most + 1e-9)), axis=1)
        return float(np.where(first >= 0, (law.masses * below).sum(axis=1), 0.0).max())


class _Blocks(NamedTuple):
    """The relevant outcomes of binomial laws of n, `size` in each block. `first` has one row for all laws, or a row for
    each if a law is too narrow for common blocks. `masses` has the shape (laws, blocks)."""

    first: Values
    size: Values
    masses: Values

    @classmethod
    def of(cls, n: int, chances: Values) -> "_Blocks":
        pi = chances[:, None]
        deviations = np.sqrt(n * pi * (1 - pi))
        reach = DEVIATIONS * deviations + MORE
        low, high = np.maximum(np.floor(n * pi - reach), 0.0), np.minimum(np.ceil(n * pi + reach), n)
        size = _size(low.min(), high.max())
        if size == 1 or size <= deviations.min() / FINE:
            low, high = low.min(keepdims=True), high.max(keepdims=True)
        size = _size(low, high)
        first = low + size * np.arange(math.ceil(((high + 1 - low) / size).max()))
        return cls(first, size, _masses(n, pi, first, size))

    @property
    def last(self) -> Values:
        return self.first + (self.size - 1)

    def until(self, most: Values) -> Integers:
        """Return how many blocks hold outcomes up to `most`."""
        blocks = np.floor((most - self.first[:, :1]) / self.size).astype(np.int64) + 1
        return np.asarray(np.clip(blocks, 0, self.first.shape[1]))


def _size(low: Values, high: Values) -> Values:
    return np.asarray(np.ceil((high + 1 - low) / BLOCKS))


def _masses(n: int, pi: Values, first: Values, size: Values) -> Values:
    """Return the blocks' chances: `size` times the chance in the middle. In a block much narrower than the law's
    standard deviation this is as good as the sum."""
    k = np.minimum(first + (size - 1) / 2, n)
    ways = scipy.special.gammaln(n + 1) - scipy.special.gammaln(k + 1) - scipy.special.gammaln(n - k + 1)
    return np.asarray(np.where(first <= n, size * np.exp(ways + k * np.log(pi) + (n - k) * np.log1p(-pi)), 0.0))
