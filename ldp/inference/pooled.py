"""One share from several forms with different channels (M45).

Given the numbers n_f of reports every form is a random sample of the same people. In form f a report scores a true
option 1 with chance p_f, another option with q_f, and X_f reports score 1. The pooled score counts each of them c_f
times, a whole number from the tables alone:

    T = sum of c_f X_f,    estimate = (T - sum of n_f c_f q_f) / sum of n_f c_f (p_f - q_f)

c_f is proportional to (p_f - q_f)/(pi_f (1 - pi_f)), pi_f the chance of a 1 at equal shares, to within a twentieth,
which costs a 400th of the variance at most. Then a form's weight is n_f times its information at equal shares. At all
shares the estimate is unbiased. A report's score in T does not depend on the number of reports, so one sequence of
scores serves all releases. Forms with the same chances are one: their totals add.

The law of T is exact for both targets. Population: X_f are independent and binomial with pi_f = q_f + (p_f - q_f) s.
Respondents: m of the n people asked have the answer, and a lot assigns their forms. The law is the population's law of
(T, M) given M = m, at any s, with M the number of people with the answer. Both rise with s, or m, since one more person
with the answer can only add to T, so intervals invert them (M15).
"""

import math
from collections.abc import Callable, Sequence
from functools import lru_cache

import numpy as np
import scipy

from ldp.arrays import Complexes, Integers, Values
from ldp.inference import intervals, sequences
from ldp.inference.intervals import Interval
from ldp.scores import Part, PooledMoments, Target

# A total of n scores lies this far from its mean with a chance of e^-LOST at most; transforms leave out values below
# e^-NEGLIGIBLE. So chances are right to about 1e-10.
_LOST, _NEGLIGIBLE = 26.0, 28.0
_ROUNDS = 4
# Of an exponent, so that e to it is a float.
_LARGEST = 700.0


def total(counts: Sequence[int], scores: Sequence[int]) -> int:
    """T, from each form's number of reports with a 1."""
    return sum(count * score for count, score in zip(counts, scores, strict=True))


# Intervals ------------------------------------------------------------------------------------------------------------


class Pooled:
    """The intervals of pooled scores, for one look or for every one, as published.Published."""

    def __init__(self, moments: PooledMoments, every_look: bool = False) -> None:
        self._moments, self._every_look = moments, every_look

    def method(self, target: Target) -> str:
        return sequences.METHOD if self._every_look else "exact"

    def interval(self, totals: Sequence[int], j: int, confidence: float, target: Target) -> Interval:
        if self._every_look:
            return sequence(totals[j], self._moments, confidence)
        return law_of(self._moments.parts).interval(totals[j], confidence, target)


@lru_cache(maxsize=64)
def law_of(parts: tuple[Part, ...]) -> "PooledLaw":
    return PooledLaw(parts)


class PooledLaw:
    """The law of T for many shares and totals. It computes the transform where it is relevant: as many standard
    deviations about a total as e^-26 allows (Bernstein), at frequencies with a modulus above e^-28."""

    def __init__(self, parts: tuple[Part, ...]) -> None:
        # Of forms without reports too: tilts are the same at every release.
        ends = [(part.score, float(end)) for part in parts for end in (part.moments.a, part.moments.b)]
        self._given_answers = max(score**2 * chance * (1 - chance) for score, chance in ends)
        parts = tuple(part for part in parts if part.n)
        self.n = sum(part.n for part in parts)
        self._counts = np.array([part.n for part in parts], dtype=np.float64)
        self._scores = np.array([part.score for part in parts])
        self._p, self._q = (np.array([float(getattr(part.moments, end)) for part in parts]) for end in "ab")
        self._weights = self._counts * self._scores
        self.top = int(sum(part.n * part.score for part in parts))
        self._frame = lru_cache(maxsize=256)(self._framed)
        self._lot = lru_cache(maxsize=16)(self._lots)
        self.interval = lru_cache(maxsize=1024)(self._interval)

    @property
    def ends(self) -> tuple[float, float]:
        """The expected totals where no one and where everyone has the answer."""
        return float(self._weights @ self._q), float(self._weights @ self._p)

    def _interval(self, total: int, confidence: float, target: Target) -> Interval:
        """The shares that neither tail rejects at (1 - confidence)/2, also where the total is beyond every expected
        total (M37)."""
        if not 0 <= total <= self.top:
            raise ValueError("a total is at least 0 and at most that of all reports")
        tail = (1 - confidence) / 2
        return intervals.union(
            self.limits(each, tail, target) for each in {total, intervals.clamped(total, *self.ends)}
        )

    def limits(self, total: int, tail: float, target: Target) -> Interval:
        """The shares that neither tail refuses; an end point where all are refused."""
        # Every law rejects shares beyond these.
        lost = min(-math.log(tail / 2), _LOST)
        least, most = self._frame(total, lost).shares
        if target == "population":
            low = _root(lambda share: self.at_least(total, share, target, lost) - tail, least, most)
            high = _root(lambda share: tail - 1 + self.at_least(total + 1, share, target, lost), least, most)
            return Interval(low, high)
        n = self.n
        start, stop = math.floor(n * least), math.ceil(n * most)

        def passes(m: int, beyond: int, level: float) -> bool:
            return m > stop or (m >= start and self.at_least(beyond, m / n, target, lost) > level)

        near = self.limits(total, tail, "population")
        low_m = intervals.first(lambda m: passes(m, total, tail), n, round(n * near.low))
        high_m = intervals.first(lambda m: passes(m, total + 1, 1 - tail), n, round(n * near.high)) - 1
        return Interval(min(low_m, n) / n, max(high_m, 0) / n)

    def at_least(self, total: int, share: float, target: Target, lost: float = _LOST) -> float:
        """P(T >= total) where the answer has this share, but 0 or 1 where it is as near to that as e^-lost; of the
        respondents the share is a multiple of 1/n."""
        if total <= 0 or total > self.top:
            return float(total <= 0)
        frame = self._frame(total, lost)
        least, most = frame.shares
        if not least <= share <= most:
            return float(share > most)
        if target == "population" or share in (0.0, 1.0):
            return frame.chance(np.exp(self._exponents(frame.turns, share)))
        return frame.chance(self._conditional(frame, self._lot(total, lost), round(share * self.n)))

    def _exponents(self, turns: Values, share: float) -> Complexes:
        """The logarithm of E e^(-i turn T), shape of the turns (k,)."""
        pi = self._q + (self._p - self._q) * share
        waves = np.exp(-1j * np.multiply.outer(turns, self._scores))
        return np.asarray(_log(1 + pi * (waves - 1)) @ self._counts)

    def _conditional(self, frame: "Frame", lot: tuple[Integers, Integers, int], m: int) -> Complexes:
        """E e^(-i turn T) given M = m: the mean over turns of M, over P(M = m)."""
        share, (rows, columns, length) = m / self.n, lot
        waves = np.exp(-1j * np.multiply.outer(self._scores, frame.turns))
        spins = np.exp(-2j * np.pi * np.arange(length) / length)[columns]
        logs, angles = np.zeros(len(rows)), 2 * np.pi * (m * columns % length) / length
        for n, p, q, wave in zip(self._counts, self._p, self._q, waves, strict=True):
            each = spins * (share * (1 + p * (wave - 1)))[rows] + ((1 - share) * (1 + q * (wave - 1)))[rows]
            # A tenth of the time of a complex logarithm.
            logs += n / 2 * np.log(np.maximum(each.real**2 + each.imag**2, 1e-300))
            angles += n * np.arctan2(each.imag, each.real)
        size, chances = len(frame.turns), np.exp(logs)
        real, imaginary = (np.bincount(rows, chances * turned(angles), size) for turned in (np.cos, np.sin))
        return np.asarray((real + 1j * imaginary) / length / scipy.stats.binom.pmf(m, self.n, share))

    def _lots(self, total: int, lost: float) -> tuple[Integers, Integers, int]:
        """The relevant pairs of turns of T and of M, as two lists of places, and the number of turns of M. A report has
        one of four pairs of M and a 1; the squared modulus of such a law is 1 less a sum over pairs of points."""
        frame = self._frame(total, lost)
        middle = intervals.clamp(0.5, *frame.shares)
        reach = _reach(self.n * middle * (1 - middle), 1.0)
        length = min(self.n + 1, math.ceil(reach) + 1) | 1
        turns_of_m = 2 * np.pi * np.arange(length) / length
        ends = [self._four(share) for share in frame.shares]
        logs = np.zeros((len(frame.turns), length))
        for f, n in enumerate(self._counts):
            turned = frame.turns[:, None] * self._scores[f]
            m = turns_of_m[None, :]
            pairs = {(0, 1): turned, (0, 2): m, (0, 3): turned + m, (1, 2): turned - m, (1, 3): m, (2, 3): turned}
            gone = sum(
                4 * min(four[f, i] * four[f, k] for four in ends) * np.sin(angle / 2) ** 2
                for (i, k), angle in pairs.items()
            )
            logs += n / 2 * np.log1p(-np.minimum(gone, 1 - 1e-15))
        kept = np.nonzero(logs > -_NEGLIGIBLE)
        return np.asarray(kept[0]), np.asarray(kept[1]), length

    def evidence(self, total: int, delta: float, sign: int) -> Callable[[float], float]:
        """The logarithm of the mixture over tilts of this sign, less log(1/delta), as a function of the share."""
        t, log_weights = sequences.grid(self._given_answers, delta, sign)
        # log(1 + pi (e^x - 1)) is x + log(pi) where x is so large.
        exponents = np.multiply.outer(t, self._scores)
        powers, beyond = np.expm1(np.minimum(exponents, _LARGEST)), np.maximum(exponents - _LARGEST, 0.0)

        def excess(share: float) -> float:
            pi = self._q + (self._p - self._q) * share
            cumulants = (np.log1p(pi * powers) + beyond) @ self._counts
            return sequences.log_total(log_weights + t * total - cumulants) + math.log(delta)

        return excess

    def _four(self, share: float) -> Values:
        """Chances of no answer and 0, no answer and 1, the answer and 0, the answer and 1, shape (forms, 4)."""
        p, q = self._p, self._q
        return np.stack([(1 - share) * (1 - q), (1 - share) * q, share * (1 - p), share * p], axis=1)

    def _framed(self, total: int, lost: float) -> "Frame":
        """Shares beyond these have their totals on one side of this one, but for a chance of e^-lost; the window holds
        all totals of the others."""
        least, most, far = 0.0, 1.0, 0.0
        bottom, top = self.ends
        for _ in range(_ROUNDS):
            variance, largest = self._variance(least, most), float(self._scores.max())
            near, far = _reach(variance, largest, lost), _reach(variance, largest)
            least, most = (intervals.clamp((end - bottom) / (top - bottom)) for end in (total - near, total + near))
        size = math.ceil(4 * far) | 1
        if size >= self.top + 1:
            size, start = self.top + 1, 0
        else:
            start = total - size // 2
        return Frame(total, start, size, (least, most), self._frequencies(size, least, most))

    def _variance(self, least: float, most: float) -> float:
        """The largest variance of T between these shares, or a little more."""
        low, high = (self._q + (self._p - self._q) * share for share in (least, most))
        pi = np.clip(0.5, low, high)
        return float((self._weights * self._scores) @ (pi * (1 - pi)))

    def _frequencies(self, size: int, least: float, most: float) -> Integers:
        """The frequencies, of 0 to size // 2, with a relevant modulus at one of these shares."""
        # |E e^(-i turn c X)| is at most the mean of both answers' moduli, which is linear in the share.
        every = np.arange(size // 2 + 1)
        logs = np.zeros((2, len(every)))
        for f, n in enumerate(self._counts):
            squares = 4 * np.sin(np.pi * every / size * self._scores[f]) ** 2
            inside, outside = (
                np.sqrt(np.maximum(1 - chance * (1 - chance) * squares, 0)) for chance in (self._p[f], self._q[f])
            )
            for place, share in enumerate((least, most)):
                with np.errstate(divide="ignore"):
                    logs[place] += n * np.log(share * inside + (1 - share) * outside)
        return np.nonzero(logs.max(axis=0) > -_NEGLIGIBLE)[0]


class Frame:
    """A window of `size` totals from `start` on, its relevant frequencies, and the shares that it serves. P(T >= total)
    of a transform X is, with w_k = e^(2 pi i k/N) and i the total's place in the window,

    (1/N) sum over k of X_k w_k^start (w_k^i + ... + w_k^(N-1)),    a geometric series.
    """

    def __init__(self, total: int, start: int, size: int, shares: tuple[float, float], kept: Integers) -> None:
        self.shares, self._size, self._index = shares, size, total - start
        self.turns = 2 * np.pi * kept / size
        k, turn = kept[1:], 2j * np.pi / size
        phase = np.exp(turn * (k * (start % size) % size))
        self._series = phase * (1 - np.exp(turn * (k * self._index % size))) / (np.exp(turn * k) - 1)
        # An even length has a frequency that is its channel mirror image.
        self._twice = np.where(2 * k == size, 1.0, 2.0)

    def chance(self, transform: Complexes) -> float:
        rest = float((transform[1:] * self._series).real @ self._twice)
        whole = float(transform[0].real) * (self._size - self._index)
        return intervals.clamp((whole + rest) / self._size)


def _reach(variance: float, largest: float, lost: float = _LOST) -> float:
    """How far from its mean a sum with this variance, of terms no further than `largest` from theirs, lies with a
    chance of e^-lost at most (Bernstein): x with x^2/2 = lost (variance + largest x/3)."""
    half = lost * largest / 3
    return half + math.sqrt(half**2 + 2 * lost * variance)


def _log(values: Complexes) -> Complexes:
    """The logarithm, large and below 0 where there is none."""
    return np.asarray(np.log(np.where(values == 0, 1e-300, values)))


def _root(rising: Callable[[float], float], low: float, high: float) -> float:
    """The point where a rising function changes sign; the end point where it does not."""
    if rising(low) >= 0:
        return low
    if rising(high) <= 0:
        return high
    return float(scipy.optimize.brentq(rising, low, high, xtol=1e-14))


# At every release (M29) -----------------------------------------------------------------------------------------------


def sequence(total: int, moments: PooledMoments, confidence: float) -> Interval:
    """The interval after these reports with this total, one of a sequence that holds at every look; the population's
    share.

    A report's weight depends on its form alone, so for each t the product of e^(t score)/E e^(t score) over the reports
    is a martingale given their forms, in any order; so is a fixed mixture over t > 0, and one over t < 0, with half of
    the error each. Where the estimate is impossible it is united with the interval of the nearest possible one (M37).
    """
    delta = (1 - confidence) / 2
    law = law_of(moments.parts)

    def at(one: int) -> Interval:
        return sequences.between(*(law.evidence(one, delta, sign) for sign in (1, -1)))

    return intervals.union(at(each) for each in {total, intervals.clamped(total, *law.ends)})
