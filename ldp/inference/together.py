"""What a report of one draw says of two or more of its questions at once, whatever their sizes (M44).

A report lists a of the d options of a question. Let w be 1 for an option that is listed and -(a-1)/(d-a) for one that
is not. Where the answers were kept its mean is 1 for the answer and 0 for other options; where they were replaced, 1/d
for each. Lists of different questions are independent in both cases. So with the chance lambda to keep and D
combinations

    w_1 w_2 ... w_s / lambda  -  (1 - lambda)/(lambda D)

is an unbiased score of a combination of options. For one question it is that of M12, and where a = 1 for all of them it
is that of randomized response on the combinations (M34b).

Of two questions this score takes four values, by which of the two options are listed, and how often each came follows
from how often options were listed together: its interval is that of the unseen respondent (M30), never below its
promise. Where a = 1 for both, a cell is a share like any other, with the exact binomial interval.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np

from ldp import exact
from ldp.arrays import Integers, Values
from ldp.inference import estimates, intervals, unseen_batch
from ldp.inference.intervals import Interval
from ldp.inference.reading.tallied import Tallied
from ldp.inference.variables import Variable
from ldp.mechanisms import randomized_response
from ldp.scores import EXCLUSIVE, indicator

# By simulation: tests of independence at .05 refused up to 20% of independent questions below.
KNOWN_MIN = 50.0
# Of the chance of error of a share within a group, the part that the group's own interval takes.
SPENT = 1 / 5


def keep(variable: Variable) -> Fraction:
    """The chance with which the answers of its draw were kept."""
    return Fraction(variable.question["table"]["keep"], exact.RESOLUTION)


def weights(a: int, d: int) -> Values:
    """w of all options by 1 and the d symbols, (d, 1 + d)."""
    absent = -(a - 1) / (d - a)
    return np.hstack((np.full((d, 1), absent), (1 - absent) * np.eye(d)))


def shift(lam: Fraction, combinations: int) -> float:
    """What is taken off the product over lambda."""
    return float((1 - lam) / lam / combinations)


@dataclass(frozen=True)
class PairTally:
    """Two questions of a draw, or two items that a report draws. `sizes` are how many options of each it lists."""

    lam: Fraction
    sizes: tuple[int, int]
    counts: Integers  # as crossed.joint_counts: (1 + d1, 1 + d2)

    @property
    def n(self) -> int:
        return int(self.counts[0, 0])

    @property
    def shape(self) -> tuple[int, int]:
        return self.counts.shape[0] - 1, self.counts.shape[1] - 1

    @property
    def one_listed(self) -> bool:
        """Whether a report lists one option of each, so that cells are categories of which it has one."""
        return self.sizes == (1, 1)

    @property
    def gap(self) -> float:
        """The factor by which the deviation of a cell from its margins is seen, lambda g_1 g_2."""
        gains = (Fraction(d - a, d - 1) for a, d in zip(self.sizes, self.shape, strict=True))
        return float(self.lam * math.prod(gains))

    def turned(self) -> "PairTally":
        return PairTally(self.lam, (self.sizes[1], self.sizes[0]), self.counts.T)

    @cached_property
    def cells(self) -> Tallied:
        """The cells as categories, where `one_listed`, the second question's options changing fastest."""
        other = (1 - self.lam) / math.prod(self.shape)
        totals = [int(count) for count in self.counts[1:, 1:].ravel()]
        return Tallied(indicator(self.lam + other, other), EXCLUSIVE, totals, self.n)

    def margin(self, side: int) -> Tallied:
        """The options of the first question, or of the second."""
        a, d = self.sizes[side], self.shape[side]
        totals = [int(count) for count in (self.counts[1:, 0], self.counts[0, 1:])[side]]
        chances = randomized_response.listed_chances(self.lam, a, d)
        return Tallied(indicator(*chances), randomized_response.pair_moments(self.lam, a, d), totals, self.n)

    # Cells by their scores -------------------------------------------------------------------------------------------

    @cached_property
    def came(self) -> Values:
        """For each cell how many reports list both options, the first alone, the second alone, and neither."""
        both = self.counts[1:, 1:]
        first, second = self.counts[1:, :1] - both, self.counts[:1, 1:] - both
        neither = self.n - both - first - second
        return np.stack([both, first, second, neither], axis=-1).reshape(-1, 4).astype(np.float64)

    @cached_property
    def values(self) -> tuple[Values, Values]:
        """The score of a cell in these four cases, and that of its first option, (4,) each."""
        one, other = (np.array([1, -(a - 1) / (d - a)]) for a, d in zip(self.sizes, self.shape, strict=True))
        lam = float(self.lam)
        cell = np.outer(one, other) / lam - shift(self.lam, math.prod(self.shape))
        return cell.ravel(), np.repeat(one / lam - shift(self.lam, self.shape[0]), 2)

    @cached_property
    def joint(self) -> Values:
        """The unbiased shares of all cells, (d1, d2)."""
        if self.one_listed:
            return self.cells.shares.reshape(self.shape)
        return np.asarray((self.came @ self.values[0]).reshape(self.shape) / self.n)

    @cached_property
    def standard_errors(self) -> tuple[Values, Values]:
        """For a population and for the respondents: by the moments of a share, or by the observed second moments."""
        if self.one_listed:
            shares, moments = self.cells.shares, self.cells.moments
            each = (estimates.standard_errors(shares, self.n, moments, target) for target in estimates.TARGETS)
            population, respondents = (errors.reshape(self.shape) for errors in each)
            return population, respondents
        second = (self.came @ self.values[0] ** 2).reshape(self.shape) / self.n
        variances = second - self.joint**2, second - np.clip(self.joint, 0, 1)
        population, respondents = (np.sqrt(np.maximum(each, 0) / self.n) for each in variances)
        return population, respondents

    def intervals(self, confidence: float) -> Values:
        """Of all cells one by one, for a population, (d1, d2, 2)."""
        if self.one_listed:
            each = [self.cells.interval(j, confidence, "population") for j in range(self.cells.d)]
            return np.array(each).reshape(*self.shape, 2)
        values = np.broadcast_to(self.values[0], self.came.shape)
        tails = np.full(len(values), (1 - confidence) / 2)
        high = unseen_batch.upper_limits(values, self.came, tails)
        low = -unseen_batch.upper_limits(-values, self.came, tails)
        return intervals.clipped_each(low, high, self.joint.ravel()).reshape(*self.shape, 2)

    def within_first(self, rows: Sequence[int], confidence: float) -> Values:
        """Intervals of the shares within these options of the first question, one by one, (rows, d2, 2)."""
        d = self.shape[1]
        if self.one_listed:
            each = [self.quotient(row, column, confidence) or (0.0, 1.0) for row in rows for column in range(d)]
            return np.array(each).reshape(len(rows), d, 2)
        cells = (np.array(rows, dtype=np.intp)[:, None] * d + np.arange(d)).ravel()
        over, under = (np.broadcast_to(each, (len(cells), 4)) for each in self.values)
        ends = unseen_batch.quotients(over, under, self.came[cells], (1 - confidence) / 2)
        return intervals.clipped_each(*ends).reshape(len(rows), d, 2)

    def quotient(self, row: int, column: int, confidence: float) -> Interval | None:
        """The share, in a population, of an option of the second question among those with one of the first, where
        `one_listed`; None where the group may be empty.

        Given the reports with the group's value, those that have the other one too are binomial with the chance r =
        pi_both / pi_group. With theta the group's share, and c, c' the chances (1-lambda)/(d d') and (1-lambda)/d of
        both and of the group by replacement, the share is r + (r c' - c)/(lambda theta): it grows with r, and is
        monotone in theta for each r. So over Clopper and Pearson's interval of r and the group's of theta it is extreme
        at their ends. The two share the chance of error, so it is proved; where the quotient is impossible it is united
        with itself moved to the nearest possible one (M37).
        """
        error, group = 1 - confidence, self.margin(0)
        theta = group.interval(row, 1 - error * SPENT, "population")
        if theta.low <= 0:
            return None
        lam = float(self.lam)
        alone = (1 - lam) / self.shape[0]
        both = alone / self.shape[1]

        def share(r: float, of: float) -> float:
            return r + (r * alone - both) / (lam * of)

        successes, trials = int(self.counts[1 + row, 1 + column]), int(self.counts[1 + row, 0])
        tail = (1 - (1 - error * (1 - SPENT))) / 2
        ends = [share(r, of) for r in intervals.clopper_pearson(successes, trials, tail) for of in theta]
        return intervals.clipped(Interval(min(ends), max(ends)), share(successes / trials, float(group.shares[row])))

    # Their law --------------------------------------------------------------------------------------------------------

    def means(self, law: Values) -> Values:
        """The means of the counts of one report of people in whose population these are the shares of the cells."""
        kept, anyhow = self._moments
        true = np.einsum("xy,xa,yc->ac", law, *(each[:, 0] for each in kept))
        lam = float(self.lam)
        return np.asarray(lam * true + (1 - lam) * np.outer(*(each[0] for each in anyhow)))

    def covariance(self, law: Values) -> Values:
        """Of the estimated shares of all cells for such a population, (d1 d2, d1 d2).

        With a constant and the symbols of each question in one vector, z1 and z2, every score is linear in their outer
        product, whose second moments are those of both questions multiplied: where the answers are kept given each
        answer, and else anyhow.
        """
        kept, anyhow = self._moments
        lam, (d1, d2) = float(self.lam), self.shape
        true = np.einsum("xy,xab,ycd->acbd", law, *kept).reshape((1 + d1) * (1 + d2), -1)
        second = lam * true + (1 - lam) * np.kron(*anyhow)
        scores = np.kron(*(weights(a, d) for a, d in zip(self.sizes, self.shape, strict=True))) / lam
        scores[:, 0] -= shift(self.lam, d1 * d2)
        return np.asarray((scores @ second @ scores.T - np.outer(law.ravel(), law.ravel())) / self.n)

    @cached_property
    def _moments(self) -> tuple[tuple[Values, ...], tuple[Values, ...]]:
        each = [second_moments(a, d) for a, d in zip(self.sizes, self.shape, strict=True)]
        return tuple(kept for kept, _ in each), tuple(anyhow for _, anyhow in each)


def second_moments(a: int, d: int) -> tuple[Values, Values]:
    """The mean outer product of (1, Z_1 ... Z_d) where a of d options are listed: for each answer that is among them,
    (d, 1 + d, 1 + d), and where they are any, (1 + d, 1 + d)."""
    anyhow = np.full((1 + d, 1 + d), a * (a - 1) / (d * (d - 1)))
    anyhow[0] = anyhow[:, 0] = a / d
    anyhow[np.arange(1, 1 + d), np.arange(1, 1 + d)], anyhow[0, 0] = a / d, 1
    beside = (a - 1) / (d - 1)
    kept = np.full((d, 1 + d, 1 + d), beside * (a - 2) / (d - 2) if d > 2 else 0.0)
    for x in range(d):
        kept[x, 0] = kept[x, :, 0] = beside
        kept[x, np.arange(1 + d), np.arange(1 + d)] = beside
        kept[x, 1 + x] = kept[x, :, 1 + x] = beside
        kept[x, [0, 1 + x, 0, 1 + x], [0, 1 + x, 1 + x, 0]] = 1
    return kept, anyhow
