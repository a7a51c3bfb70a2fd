"""One share from several forms with different channels (M45).

Given the numbers n_f of reports, every form is a random sample of the same people. In form f a report scores 1 with
chance p_f for a true option, and with chance q_f for another; X_f reports score 1. The pooled score counts each of them
c_f times, where c_f is a whole number that follows from the tables alone:

    T = sum of c_f X_f,    estimate = (T - sum of n_f c_f q_f) / sum of n_f c_f (p_f - q_f)

Let pi_f be the chance of a 1 at equal shares. c_f is proportional to (p_f - q_f)/(pi_f (1 - pi_f)) to within a
twentieth. This costs at most a 400th of the variance and gives a form the weight n_f times its information at equal
shares. The estimate is unbiased at all shares. A report's score in T does not depend on the number of reports, so one
sequence of scores serves all releases. Forms with the same chances count as one: their totals add.

The law of T is exact for both targets. Population: X_f are independent and binomial with pi_f = q_f + (p_f - q_f) s.
Respondents: m of the n people asked have the answer, and forms are assigned by lot. Let M be the number of people with
the answer. The law is that of T given M = m in a population, at any s. T rises with s and m, because one more person
with the answer can only add to T. So intervals invert both laws (M15).
"""

import math
from collections.abc import Callable, Sequence
from functools import cached_property, lru_cache

import numpy as np
import scipy

from ldp.arrays import Complexes, Integers, Values
from ldp.inference import intervals, sequences
from ldp.inference.intervals import Interval
from ldp.inference.windows import Cells, Frame, Lot
from ldp.scores import Part, PooledMoments, Target

# A total of n scores is this far from its mean with a chance of at most e^-LOST. Transforms leave out values below
# e^-NEGLIGIBLE. So chances are right to about 1e-10.
_LOST, _NEGLIGIBLE = 26.0, 28.0
# Intervals leave out shares at which a total has a chance below e^-NEAR, unless their tails are smaller.
_NEAR = 10.0
# A window is _WINDOW such distances wide: two around the mean, and room for starts that are 1/_APART of the width
# apart.
_WINDOW, _APART = 2.2, 20
# The number of ranges of a frame's shares, each with a Lot.
_RANGES = 4
# One law of M, at the middle share of a cell, serves all m of the cell. In units of n^(-1/2) the angles of their shares
# are at most _HALF apart, so P(M = m) is at least e^-_OFF times its value at the share m/n. The factor is e^(-n KL) of
# m/n = sin^2 a and the share sin^2 b. With x = a - b > 0, KL is the integral over t in 0..x of 4 (sin t cos t + sin^2 t
# cot(2a - 2t)). The cell lies in 0..pi/2 and b is its middle, so a >= 2x; with cot y <= 1/y and sin t <= t, KL <= 4 x^2
# (1/2 + integral over u in 0..1 of u^2/(4 - 2u)) = (4 ln 4 - 3) x^2 < 2.6 x^2. x < 0 is its mirror image.
_HALF = 0.75
_OFF = 2.6 * _HALF**2
_ROUNDS = 4
_EXPECTED_MOST = 4096
# The largest x for which e^x is a float.
_LARGEST = 700.0


def total(counts: Sequence[int], scores: Sequence[int]) -> int:
    """Return T from each form's number of reports with a 1."""
    return sum(count * score for count, score in zip(counts, scores, strict=True))


# Intervals ------------------------------------------------------------------------------------------------------------


class Pooled:
    """Intervals of pooled scores, for one look or for every look: a published.Published."""

    def __init__(self, moments: PooledMoments, every_look: bool = False) -> None:
        self._moments, self._every_look = moments, every_look

    @cached_property
    def _law(self) -> "PooledLaw":
        return law_of(self._moments.parts)

    def method(self, target: Target) -> str:
        return sequences.METHOD if self._every_look else "exact"

    def expect(self, total: int, confidences: Sequence[float]) -> None:
        """Find the limits of this total at all of these confidences in one search, for one look."""
        if not self._every_look:
            self._law.expect(total, confidences)

    def interval(self, totals: Sequence[int], j: int, confidence: float, target: Target) -> Interval:
        if self._every_look:
            return self._law.sequence(totals[j], confidence)
        return self._law.interval(totals[j], confidence, target)


@lru_cache(maxsize=64)
def law_of(parts: tuple[Part, ...]) -> "PooledLaw":
    return PooledLaw(parts)


class PooledLaw:
    """The law of T for many shares and totals. Its transform is computed only in a window around the mean that leaves
    out at most e^-26 (Bernstein), and at frequencies with a modulus above e^-28."""

    def __init__(self, parts: tuple[Part, ...]) -> None:
        # Forms without reports count too, so that tilts are the same at every release.
        ends = [(part.score, float(end)) for part in parts for end in (part.moments.a, part.moments.b)]
        self._given_answers = max(score**2 * chance * (1 - chance) for score, chance in ends)
        parts = tuple(part for part in parts if part.n)
        self.n = sum(part.n for part in parts)
        self._numbers = [part.n for part in parts]
        self._counts = np.array(self._numbers, dtype=np.float64)
        self._scores = np.array([part.score for part in parts])
        self._p, self._q = (np.array([float(getattr(part.moments, end)) for part in parts]) for end in "ab")
        self._weights = self._counts * self._scores
        squares, gaps = self._weights * self._scores, self._p - self._q
        # The variance of T is quadratic in the share.
        terms = self._q * (1 - self._q), gaps * (1 - 2 * self._q), -(gaps**2)
        self._variances = [float(squares @ term) for term in terms]
        self.top = int(sum(part.n * part.score for part in parts))
        self.ends = float(self._weights @ self._q), float(self._weights @ self._p)
        self._frame = lru_cache(maxsize=64)(self._framed)
        self._lot = lru_cache(maxsize=_RANGES)(self._lots)
        self._cell = lru_cache(maxsize=64)(self._celled)
        self.limits = lru_cache(maxsize=1024)(self._limits)
        self._expected: dict[tuple[int, float], Interval] = {}
        self.sequence = lru_cache(maxsize=1024)(self._sequence)

    def nearest(self, total: int) -> int:
        """Return the nearest total that some share expects, rounded (M37)."""
        return intervals.clamped(total, *self.ends)

    def interval(self, total: int, confidence: float, target: Target) -> Interval:
        """Return the shares that neither tail rejects at (1 - confidence)/2, united with those of the nearest expected
        total (M37). ValueError for a total outside 0..top."""
        if not 0 <= total <= self.top:
            raise ValueError("a total is at least 0 and at most that of all reports")
        tail = (1 - confidence) / 2
        return intervals.union(self.limits(each, tail, target) for each in {total, self.nearest(total)})

    def expect(self, total: int, confidences: Sequence[float]) -> None:
        """Find the population's limits at these confidences in one search, for later calls of `interval`, unless they
        are known. They equal those of single searches to about 1e-11."""
        if len(self._expected) > _EXPECTED_MOST:
            self._expected.clear()
        wished = {(1 - confidence) / 2 for confidence in confidences}
        for each in {total, self.nearest(total)}:
            tails = sorted(tail for tail in wished if (each, tail) not in self._expected)
            for lost in {_lost(tail) for tail in tails}:
                alike = [tail for tail in tails if _lost(tail) == lost]
                ends = self._shares_at(self._frame(each, lost), each, alike).tolist()
                self._expected |= {(each, tail): Interval(*own) for tail, own in zip(alike, ends, strict=True)}

    def _limits(self, total: int, tail: float, target: Target) -> Interval:
        """Return the shares that neither tail rejects; an end point if all are rejected."""
        lost = _lost(tail)
        if target == "population":
            if span := self._expected.get((total, tail)):
                return span
            return Interval(*self._shares_at(self._frame(total, lost), total, [tail])[0].tolist())
        near, bounds = self.limits(total, tail, "population"), ((total, tail), (total + 1, 1 - tail))
        low, high = (self._first_at(total, lost, *bound, share) for bound, share in zip(bounds, near, strict=True))
        return Interval(min(low, self.n) / self.n, max(high - 1, 0) / self.n)

    def _shares_at(self, frame: Frame, total: int, tails: Sequence[float]) -> Values:
        """Return for each tail the population's shares at which P(T >= total) = tail and P(T > total) = 1 - tail,
        (tails, 2); an end point of the frame if there is none."""
        beyond = [total, total + 1] * len(tails)
        wished = scipy.special.ndtri([level for tail in tails for level in (tail, 1 - tail)])
        guesses = [self._normal_share(frame, *each) for each in zip(beyond, wished.tolist(), strict=True)]

        def excess(shares: Values) -> tuple[Values, Values]:
            quantiles, slopes = self._quantiles(frame, beyond, shares)
            return quantiles - wished, slopes

        return intervals.roots_near(excess, np.array(guesses), *frame.shares).reshape(len(tails), 2)

    def _normal_share(self, frame: Frame, beyond: int, wished: float) -> float:
        """Return the frame's share at which P(T >= beyond) is about that of this normal quantile."""
        bottom, top = self.ends
        share = intervals.clamp((beyond - bottom) / (top - bottom))
        for _ in range(_ROUNDS):
            share = intervals.clamp((beyond + wished * self._deviation(share) - bottom) / (top - bottom), *frame.shares)
        return share

    def _quantiles(self, frame: Frame, beyond: Sequence[int], shares: Values) -> tuple[Values, Values]:
        """Return the normal quantiles of P(T >= beyond), each at one share of the population, and their slopes."""
        factors, squares = self._factors(frame, shares)
        transforms = self._product(factors, squares)
        rises = transforms * (self._counts * (self._p - self._q) @ (frame.steps * factors.conj() / squares))
        starts = [self._start(frame, share) for share in shares.tolist()]
        series = np.stack([frame.series(*each) for each in zip(beyond, starts, strict=True)])
        chances, densities = ((each * series).sum(axis=1).real / frame.size for each in (transforms, rises))
        quantiles = scipy.special.ndtri(np.clip(chances, intervals.LEAST, intervals.MOST))
        # If a chance is 0 or 1 up to rounding errors, its slope is unknown.
        slopes = densities * math.sqrt(2 * math.pi) * np.exp(quantiles**2 / 2)
        return quantiles, np.where((chances > intervals.LEAST) & (chances < intervals.MOST), slopes, 0.0)

    def _first_at(self, total: int, lost: float, beyond: int, level: float, near: float) -> int:
        """Return the least number of respondents with the answer at which P(T >= beyond) is above `level`; n + 1 if
        there is none. `near` is the population's share at this level."""
        frame, (bottom, top), n = self._frame(total, lost), self.ends, self.n
        least, most = math.floor(n * frame.shares[0]), math.ceil(n * frame.shares[1])
        # Given the answers, a total varies less than in the population: sampling is missing.
        deviation = self._deviation(near)
        noise = math.sqrt(max(deviation**2 - (top - bottom) ** 2 * near * (1 - near) / n, 0.0))
        middle = (total - bottom) / (top - bottom)
        guess = round(n * intervals.clamp(middle + (near - middle) * noise / deviation, *frame.shares))

        def chance(m: int) -> float:
            return self._chance_of(total, lost, beyond, m)

        missing = float(scipy.special.ndtri(level)) - _quantile(chance(guess))
        guess = math.ceil(n * intervals.clamp((guess + n * missing * noise / (top - bottom)) / n, *frame.shares))
        return intervals.first(lambda m: m > most or (m >= least and chance(m) > level), n, guess, 1)

    def at_least(self, total: int, share: float, target: Target) -> float:
        """Return P(T >= total) at this share, or 0 or 1 if the chance is within e^-26 of it. The respondents' share is
        a multiple of 1/n."""
        if total <= 0 or total > self.top:
            return float(total <= 0)
        frame = self._frame(total, _LOST)
        least, most = frame.shares
        if not least <= share <= most:
            return float(share > most)
        if target == "respondents":
            return self._chance_of(total, _LOST, total, round(share * self.n))
        return self._at_share(frame, total, share)

    def _chance_of(self, total: int, lost: float, beyond: int, m: int) -> float:
        """Return P(T >= beyond) if m respondents have the answer; `beyond` is the total or the next."""
        frame = self._frame(total, lost)
        if m in (0, self.n):
            return self._at_share(frame, beyond, m / self.n)
        first, chances = self._cell(total, lost, frame.cells.place(m / self.n))
        return intervals.clamp(float(chances[beyond - total, m - first]))

    def _celled(self, total: int, lost: float, place: int) -> tuple[int, Values]:
        """Return the least m of a cell, and P(T >= total) and P(T > total) for each of its m, (2, numbers)."""
        frame, (bottom, top) = self._frame(total, lost), self.ends
        low, middle, high = (frame.cells.share(place + part) for part in (0, 0.5, 1))
        first = math.floor(self.n * low)
        numbers = np.arange(first, min(math.ceil(self.n * high), self.n) + 1)
        start = 0 if frame.size > self.top else round(bottom + (top - bottom) * middle) - frame.size // 2
        series = np.stack([frame.series(beyond, start) for beyond in (total, total + 1)])
        lot = self._lot(total, lost, place * _RANGES // frame.cells.number)
        return first, lot.sums(series, middle, numbers) / frame.size

    def _start(self, frame: Frame, share: float) -> int:
        """Return the first total of a window nearly around the mean at this share. Neighbouring shares have the same
        window."""
        if frame.size > self.top:
            return 0
        (bottom, top), apart = self.ends, max(frame.size // _APART, 1)
        return round((bottom + (top - bottom) * share) / apart) * apart - frame.size // 2

    def _deviation(self, share: float) -> float:
        constant, linear, square = self._variances
        return math.sqrt(max(constant + share * (linear + share * square), 1e-300))

    def _at_share(self, frame: Frame, beyond: int, share: float) -> float:
        """Return P(T >= beyond) at this share of the population."""
        [transform] = self._product(*self._factors(frame, np.array([share])))
        return frame.chance(transform, beyond, self._start(frame, share))

    def _factors(self, frame: Frame, shares: Values) -> tuple[Complexes, Values]:
        """Return E e^(-i turn score) in each form, (shares, forms, turns), and the squared moduli."""
        chances = self._q + np.multiply.outer(shares, self._p - self._q)
        factors = 1 + chances[:, :, None] * frame.steps
        return factors, np.maximum(factors.real**2 + factors.imag**2, 1e-300)

    def _product(self, factors: Complexes, squares: Values) -> Complexes:
        """Return E e^(-i turn T), (shares, turns)."""
        # A tenth of the time of a complex logarithm.
        logs, angles = self._counts / 2 @ np.log(squares), self._counts @ np.arctan2(factors.imag, factors.real)
        return np.asarray(np.exp(logs + 1j * angles))

    def _lots(self, total: int, lost: float, place: int) -> Lot:
        """Return the relevant pairs of turns of T and of M in one of _RANGES ranges of the frame's cells. A report has
        one of four values of (answer, score). The squared modulus of its law is 1 minus the sum over pairs of values of
        4 P(i) P(k) sin^2(half their angle), so its logarithm is at most minus that sum."""
        frame = self._frame(total, lost)
        cells, turns = frame.cells, frame.turns
        least, most = (cells.share(cells.number * end // _RANGES) for end in (place, place + 1))
        middle = intervals.clamp(0.5, least, most)
        deviation = math.sqrt(self.n * middle * (1 - middle))
        # An m is this far from the middle of its cell.
        off = math.sqrt(self.n) * cells.width * deviation + 1
        length = min(self.n, math.ceil(_reach(deviation**2, 1.0, _LOST + _OFF) + off)) + 1
        m, t = 2 * np.pi * np.arange(length) / length, np.multiply.outer(self._scores, turns)
        of_t, of_m, of_sum, of_difference = self._counts / 2 * self._least_pairs(least, most)
        cosines = np.cos(t)
        by_t = (
            of_t @ (1 - cosines) + sum(of_sum + of_difference),
            np.full(len(turns), sum(of_m)),
            -(of_sum + of_difference) @ cosines,
            (of_sum - of_difference) @ np.sin(t),
        )
        by_m = np.ones(length), 1 - np.cos(m), np.cos(m), np.sin(m)
        columns, rows = np.nonzero(np.stack(by_m, axis=1) @ np.stack(by_t) < _NEGLIGIBLE + _OFF)
        inside, outside = (1 + chance[:, None] * frame.steps[:, rows] for chance in (self._p, self._q))
        return Lot(self._numbers, length, (rows, columns), np.exp(-1j * m)[columns] * inside, outside)

    def _least_pairs(self, least: float, most: float) -> Values:
        """Return lower bounds, between these shares, of the sum of 2 P(i) P(k) over pairs of values that differ in the
        score, in the answer, in both the same way, and in both the opposite way, (4, forms)."""
        shares, p, q = np.array([[least], [most]]), self._p, self._q
        laws = (1 - shares) * (1 - q), (1 - shares) * q, shares * (1 - p), shares * p

        def pair(i: int, k: int) -> Values:
            return np.asarray(2 * np.min(laws[i] * laws[k], axis=0))

        return np.stack([pair(0, 1) + pair(2, 3), pair(0, 2) + pair(1, 3), pair(0, 3), pair(1, 2)])

    # At every release (M29)

    def _sequence(self, total: int, confidence: float) -> Interval:
        """Return the population's interval after these reports, one of a sequence that holds at every look (M29).

        A report's weight depends only on its form. So for each t the product of e^(t score)/E e^(t score) over the
        reports is a martingale given their forms, in any order. A fixed mixture over t > 0 is one too, and one over t <
        0; each has half of the error. An impossible estimate's interval is united with that of the nearest possible one
        (M37).
        """
        delta = (1 - confidence) / 2

        def at(one: int) -> Interval:
            return sequences.between(*(self.evidence(one, delta, sign) for sign in (1, -1)))

        return intervals.union(at(each) for each in {total, self.nearest(total)})

    def evidence(self, total: int, delta: float, sign: int) -> Callable[[float], float]:
        """Return log(mixture over tilts of this sign) - log(1/delta) as a function of the share."""
        t, log_weights = sequences.grid(self._given_answers, delta, sign)
        # At a large x, log(1 + pi (e^x - 1)) is x + log(pi).
        exponents = np.multiply.outer(t, self._scores)
        powers, beyond = np.expm1(np.minimum(exponents, _LARGEST)), np.maximum(exponents - _LARGEST, 0.0)
        logs, offset = log_weights + t * total - beyond @ self._counts, math.log(delta)
        at_none, gaps = self._q * powers, (self._p - self._q) * powers

        def excess(share: float) -> float:
            return sequences.log_total(logs - np.log1p(at_none + gaps * share) @ self._counts) + offset

        return excess

    def _framed(self, total: int, lost: float) -> Frame:
        """Return the frame about a total. At shares outside it, totals cross this one with a chance of at most e^-lost.
        A window about a share's mean holds that share's totals."""
        least, most, far = 0.0, 1.0, 0.0
        bottom, top = self.ends
        for _ in range(_ROUNDS):
            variance, largest = self._variance(least, most), float(self._scores.max())
            near, far = _reach(variance, largest, lost), _reach(variance, largest)
            least, most = (intervals.clamp((end - bottom) / (top - bottom)) for end in (total - near, total + near))
        size = min(math.ceil(_WINDOW * far) | 1, self.top + 1)
        room = (size / 2 - far - 1) / (top - bottom)
        width = 2 * _HALF / math.sqrt(self.n)
        ends = math.floor(self.n * least) / self.n, math.ceil(self.n * most) / self.n
        cells = Cells.of(*ends, width if size > self.top else min(width, 2 * room), _RANGES)
        return Frame(size, (least, most), self._frequencies(size, least, most), self._scores, cells)

    def _variance(self, least: float, most: float) -> float:
        """Return the largest variance of T between these shares, or a little more."""
        low, high = (self._q + (self._p - self._q) * share for share in (least, most))
        pi = np.minimum(np.maximum(0.5, low), high)
        return float((self._weights * self._scores) @ (pi * (1 - pi)))

    def _frequencies(self, size: int, least: float, most: float) -> Integers:
        """Return the frequencies 0..size // 2 whose modulus is relevant at one of these shares."""
        # |E e^(-i turn c X)|^2 is at most the mean of both answers' squared moduli, which is linear in the share.
        inside, outside = (chance * (1 - chance) for chance in (self._p, self._q))
        least_given = np.minimum(*(share * inside + (1 - share) * outside for share in (least, most)))
        angles = np.multiply.outer(self._scores, np.pi / size * np.arange(size // 2 + 1))
        squares = 4 * least_given[:, None] * np.sin(angles) ** 2
        logs = self._counts / 2 @ np.log1p(-np.minimum(squares, 1 - 1e-15))
        return np.nonzero(logs > -_NEGLIGIBLE)[0]


def _lost(tail: float) -> float:
    """Return a tail's `lost` (`_framed`), so large that every law rejects the shares outside the frame."""
    return _NEAR if tail > 2 * math.exp(-_NEAR) else _LOST


def _quantile(chance: float) -> float:
    return float(scipy.special.ndtri(min(max(chance, intervals.LEAST), intervals.MOST)))


def _reach(variance: float, largest: float, lost: float = _LOST) -> float:
    """Return the distance from its mean that a sum exceeds with a chance of at most e^-lost (Bernstein). Its terms are
    within `largest` of their means. The distance x has x^2/2 = lost (variance + largest x/3)."""
    half = lost * largest / 3
    return half + math.sqrt(half**2 + 2 * lost * variance)
