"""Scores of the questions of one joint draw, for lists of any size (M44).

A report lists a of the d options of a question. Let w be 1 for a listed option and -(a-1)/(d-a) for any other. With g =
(d-a)/(d-1), w is (1{listed} - a/d)/g + 1/d. If the answers were kept, its mean is 1 for the answer and 0 for other
options; if they were replaced, 1/d for each. Lists of different questions are independent in both cases. With the
chance lambda to keep and D combinations,

    w_1 w_2 ... w_s / lambda  -  (1 - lambda)/(lambda D)

is an unbiased score of a combination of options. For one question it is M12's score. With a = 1 for every question it
is the score of randomized response on the combinations (M34b). All w of a question add up to 1, so numbers v of its
options with sum 0 have the unbiased score v'w/lambda.

For two questions this score takes four values, by which of the two options are listed, and the counts of pairs of
options give their frequencies. Its interval is the unseen respondent's (M30), which keeps its coverage. With a = 1 for
both questions a cell is a share like any other, with the exact binomial interval.
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
from ldp.inference.tallied import Tallied
from ldp.inference.variables import Variable
from ldp.mechanisms import randomized_response
from ldp.scores import EXCLUSIVE, indicator

# Below this number, in simulations, tests of independence at .05 rejected up to 20% of independent questions.
KNOWN_MIN = 50.0
# The group's interval takes this part of the error chance of a share within the group.
SPENT = 1 / 5


def keep(variable: Variable) -> Fraction:
    """Return the chance that the variable's draw keeps its answers."""
    return Fraction(variable.question["table"]["keep"], exact.RESOLUTION)


def shift(lam: Fraction, combinations: int) -> float:
    """Return (1 - lambda)/(lambda D), which scores subtract."""
    return float((1 - lam) / lam / combinations)


@dataclass(frozen=True)
class Listing:
    """A question with d options. A report lists a of them."""

    d: int
    a: int

    @property
    def gap(self) -> Fraction:
        """g = (d - a)/(d - 1)."""
        return Fraction(self.d - self.a, self.d - 1)

    @property
    def variance(self) -> Fraction:
        """The variance of an option's w in a random list."""
        share = Fraction(self.a, self.d)
        return share * (1 - share) / self.gap**2

    @property
    def absent(self) -> float:
        """The w of an option that is not listed."""
        return -(self.a - 1) / (self.d - self.a)

    @cached_property
    def weights(self) -> Values:
        """The matrix, (d, 1 + d), that turns 1 and the symbols Z (1 for listed options) into the w of all options."""
        return np.hstack((np.full((self.d, 1), self.absent), (1 - self.absent) * np.eye(self.d)))

    @cached_property
    def random(self) -> Values:
        """The mean of (1, Z)(1, Z)' for a random list, (1 + d, 1 + d)."""
        one, two = self.a / self.d, self.a * (self.a - 1) / (self.d * (self.d - 1))
        moments = np.full((1 + self.d, 1 + self.d), two)
        moments[0] = moments[:, 0] = one
        np.fill_diagonal(moments, one)
        moments[0, 0] = 1
        return moments

    @cached_property
    def containing(self) -> Values:
        """The mean of (1, Z)(1, Z)' for a list that contains the answer, for each answer, (d, 1 + d, 1 + d)."""
        beside = (self.a - 1) / (self.d - 1)
        two = beside * (self.a - 2) / (self.d - 2) if self.d > 2 else 0.0
        moments = np.full((self.d, 1 + self.d, 1 + self.d), two)
        for x, own in enumerate(moments):
            own[0] = own[:, 0] = own[1 + x] = own[:, 1 + x] = beside
            np.fill_diagonal(own, beside)
            own[np.ix_([0, 1 + x], [0, 1 + x])] = 1
        return moments


@dataclass(frozen=True)
class PairTally:
    """The tally of two questions of a draw, or of two drawn items. A report lists `sizes` options of each."""

    lam: Fraction
    sizes: tuple[int, int]
    counts: Integers  # (1 + d1, 1 + d2), as crossed.joint_counts

    @property
    def n(self) -> int:
        return int(self.counts[0, 0])

    @property
    def shape(self) -> tuple[int, int]:
        return self.counts.shape[0] - 1, self.counts.shape[1] - 1

    @property
    def one_listed(self) -> bool:
        """Return whether a report lists one option of each question, and so names one cell."""
        return self.sizes == (1, 1)

    @property
    def listings(self) -> tuple[Listing, Listing]:
        (d, e), (a, b) = self.shape, self.sizes
        return Listing(d, a), Listing(e, b)

    @property
    def gap(self) -> float:
        """The factor lambda g_1 g_2 by which reports shrink a cell's deviation from its margins."""
        return float(self.lam * math.prod(listing.gap for listing in self.listings))

    def turned(self) -> "PairTally":
        return PairTally(self.lam, (self.sizes[1], self.sizes[0]), self.counts.T)

    @cached_property
    def cells(self) -> Tallied:
        """The cells as categories if `one_listed`. The second question's options change fastest."""
        other = (1 - self.lam) / math.prod(self.shape)
        totals = [int(count) for count in self.counts[1:, 1:].ravel()]
        return Tallied(indicator(self.lam + other, other), EXCLUSIVE, totals, self.n)

    def margin(self, side: int) -> Tallied:
        """Return the tally of the first question's options (side 0) or the second's (side 1)."""
        a, d = self.sizes[side], self.shape[side]
        totals = [int(count) for count in (self.counts[1:, 0], self.counts[0, 1:])[side]]
        chances = randomized_response.listed_chances(self.lam, a, d)
        return Tallied(indicator(*chances), randomized_response.pair_moments(self.lam, a, d), totals, self.n)

    # Cells by their scores -------------------------------------------------------------------------------------------

    @cached_property
    def came(self) -> Values:
        """The numbers of reports that list both options of a cell, only the first, only the second, and neither, (d1
        d2, 4)."""
        both = self.counts[1:, 1:]
        first, second = self.counts[1:, :1] - both, self.counts[:1, 1:] - both
        neither = self.n - both - first - second
        return np.stack([both, first, second, neither], axis=-1).reshape(-1, 4).astype(np.float64)

    @cached_property
    def values(self) -> tuple[Values, Values]:
        """The scores of a cell and of its first option in these four cases, (4,) each."""
        one, other = (np.array([1, listing.absent]) for listing in self.listings)
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
        """Standard errors for a population and the respondents, (d1, d2) each. If every question lists one option, they
        are those of a share; else they use observed second moments."""
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
        """Return the interval of every cell alone, for a population, (d1, d2, 2)."""
        if self.one_listed:
            each = [self.cells.interval(j, confidence, "population") for j in range(self.cells.d)]
            return np.array(each).reshape(*self.shape, 2)
        values = np.broadcast_to(self.values[0], self.came.shape)
        tails = np.full(len(values), (1 - confidence) / 2)
        high = unseen_batch.upper_limits(values, self.came, tails)
        low = -unseen_batch.upper_limits(-values, self.came, tails)
        return intervals.clipped_each(low, high, self.joint.ravel()).reshape(*self.shape, 2)

    def within_first(self, rows: Sequence[int], confidence: float) -> Values:
        """Return intervals of the shares within these options of the first question, one by one, (rows, d2, 2)."""
        d = self.shape[1]
        if self.one_listed:
            each = [self.quotient(row, column, confidence) or (0.0, 1.0) for row in rows for column in range(d)]
            return np.array(each).reshape(len(rows), d, 2)
        cells = (np.array(rows, dtype=np.intp)[:, None] * d + np.arange(d)).ravel()
        over, under = (np.broadcast_to(each, (len(cells), 4)) for each in self.values)
        ends = unseen_batch.quotients(over, under, self.came[cells], (1 - confidence) / 2)
        return intervals.clipped_each(*ends).reshape(len(rows), d, 2)

    def quotient(self, row: int, column: int, confidence: float) -> Interval | None:
        """Return the population's interval of the share of a second option within a first option, the group, if
        `one_listed` (M34b); None if the group may be empty.

        Among the reports with the group's value, the number with both values is binomial with the chance r =
        pi_both/pi_group. Let theta be the group's share. A replaced answer has both values with the chance c =
        (1-lambda)/(d d') and the group's with c' = (1-lambda)/d. The share is r + (r c' - c)/(lambda theta). It grows
        with r and is monotone in theta, so it is extreme at the ends of Clopper and Pearson's interval of r and of the
        group's interval of theta. The two intervals share the error chance, which proves the result. An impossible
        quotient's interval is united with itself moved to the nearest possible quotient (M37).
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

    # Law of the cells ------------------------------------------------------------------------------------------------

    def means(self, law: Values) -> Values:
        """Return the mean counts of one report if the population's cells have the shares `law`, (d1, d2)."""
        one, other = self.listings
        true = np.einsum("xy,xa,yc->ac", law, one.containing[:, 0], other.containing[:, 0])
        lam = float(self.lam)
        return np.asarray(lam * true + (1 - lam) * np.outer(one.random[0], other.random[0]))

    def covariance(self, law: Values) -> Values:
        """Return the covariance of all cells' estimated shares in a population with this law, (d1 d2, d1 d2).

        Let z1 and z2 hold a constant and a question's symbols. Every score is linear in their outer product. Its second
        moments are products of both questions' second moments: given each answer if answers are kept, otherwise
        unconditional.
        """
        one, other = self.listings
        lam, (d1, d2) = float(self.lam), self.shape
        true = np.einsum("xy,xab,ycd->acbd", law, one.containing, other.containing)
        second = lam * true.reshape((1 + d1) * (1 + d2), -1) + (1 - lam) * np.kron(one.random, other.random)
        scores = np.kron(one.weights, other.weights) / lam
        scores[:, 0] -= shift(self.lam, d1 * d2)
        return np.asarray((scores @ second @ scores.T - np.outer(law.ravel(), law.ravel())) / self.n)
