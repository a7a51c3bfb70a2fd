"""What the counts of a draw of several questions say of each of its questions, and of two of them crossed (M44).

The count of a cell, a combination of options, is how many reports list all of them. Summed over the options of the
other questions, and over the product of their sizes, it is the count of fewer questions. What one question's counts
say (M12, M13, M15, M16, M26, M37) is what they would say had it been asked alone, with the same chance to keep, so
everything that takes totals holds. Of questions of which a report lists one option each, a cell is a share like any
other, with the exact binomial interval. Where it lists more, a cell has a score for every report (`PairTally`).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple

import numpy as np

from ldp.arrays import Integers, Values
from ldp.exact import ListTable
from ldp.inference import intervals, unseen_batch
from ldp.inference.intervals import Interval
from ldp.inference.reading.tallied import Tallied
from ldp.mechanisms import randomized_response
from ldp.question import Drawn
from ldp.scores import EXCLUSIVE, Target, Totals, indicator

# Of the chance of error of a share within a group, the part that the group's own interval takes.
SPENT = 1 / 5


@dataclass(frozen=True)
class JointTally:
    """`counts` of all cells, the last question's options changing fastest; `shape` is how many options each question
    has."""

    table: ListTable
    shape: tuple[int, ...]
    counts: tuple[int, ...]

    @property
    def sizes(self) -> list[int]:
        """How many options of each question a report lists."""
        return list(self.table["sizes"])

    @property
    def n(self) -> int:
        """The number of reports, each of which lists as many cells as any other."""
        return sum(self.counts) // math.prod(self.sizes)

    @cached_property
    def _cube(self) -> Integers:
        return np.array(self.counts, dtype=np.int64).reshape(self.shape)

    def totals(self, questions: Sequence[int]) -> list[int]:
        """How many reports list each combination of options of these questions, given in increasing order."""
        if list(questions) != sorted(set(questions)):
            raise ValueError("must be different questions in the order of the draw")
        others = tuple(k for k in range(len(self.shape)) if k not in questions)
        counts = self._cube.sum(axis=others) // math.prod(self.sizes[k] for k in others)
        return [int(count) for count in counts.ravel()]

    def one_listed(self, *questions: int) -> bool:
        """Whether a report lists one option of each of these questions, so that a cell of theirs is a category."""
        return all(self.sizes[k] == 1 for k in questions)

    def tallied(self, *questions: int, every_look: bool = False) -> Tallied:
        """For one question its categories; for several, where `one_listed`, the cells, the last question's changing
        fastest. ValueError elsewhere: a report says more of a cell than whether it is listed."""
        totals = self.totals(questions)
        if len(questions) == 1:
            [place], d = questions, self.shape[questions[0]]
            lam, moments = randomized_response.keep(self.table), randomized_response.chances(self.table, d, place)
            pair = randomized_response.pair_moments(lam, self.sizes[place], d)
            return Tallied(indicator(*moments), pair, totals, self.n, every_look=every_look)
        if not self.one_listed(*questions):
            raise ValueError("must be questions of which a report lists one option each")
        return Tallied(indicator(*self.cell_chances(*questions)), EXCLUSIVE, totals, self.n, every_look=every_look)

    def cell_chances(self, *questions: int) -> tuple[Fraction, Fraction]:
        """With which chance the true cell of these questions is reported, and another one; where `one_listed`."""
        lam = randomized_response.keep(self.table)
        other = (1 - lam) / math.prod(self.shape[k] for k in questions)
        return lam + other, other

    def pair(self, first: int, second: int) -> "PairTally":
        """Of two questions in the order of the draw."""
        cells = np.array(self.totals((first, second))).reshape(self.shape[first], self.shape[second])
        sizes = self.sizes[first], self.sizes[second]
        return PairTally(randomized_response.keep(self.table), sizes, bordered(self, first, second, cells))


def bordered(tally: JointTally, first: int, second: int, cells: Integers) -> Integers:
    """How many reports, how many of them list each option of two questions, and how many each two, (1 + d1, 1 + d2)."""
    one, other = ([tally.n, *tally.totals([place])] for place in (first, second))
    whole = np.zeros((len(one), len(other)), dtype=np.int64)
    whole[:, 0], whole[0], whole[1:, 1:] = one, other, cells
    return whole


@dataclass(frozen=True)
class PairTally:
    """Two questions of a draw, crossed by a score for every report, whatever their sizes (M44).

    With Z_j whether option j of the first question is listed, s and g as in M44 and lambda the chance to keep, the
    mean of (Z_j - s_1)(Z_k - s_2) is lambda g_1 g_2 (t_jk - r_j/d_2 - c_k/d_1 + 1/(d_1 d_2)), for the share t_jk of a
    cell and the margins r_j, c_k, whose own scores are (Z_j - q_1)/(p_1 - q_1). So

        (Z_j - s_1)(Z_k - s_2)/(lambda g_1 g_2) + (Z_j - q_1)/(d_2 (p_1 - q_1)) + (Z_k - q_2)/(d_1 (p_2 - q_2)) - 1/(d_1 d_2)

    is an unbiased score of the cell. It takes four values, by which of the two options are listed, and how often each
    of these came follows from the counts: the interval is that of the unseen respondent (M30), never below its promise.
    """

    lam: Fraction
    sizes: tuple[int, int]
    counts: Integers  # `bordered`

    @property
    def n(self) -> int:
        return int(self.counts[0, 0])

    @property
    def shape(self) -> tuple[int, int]:
        return self.counts.shape[0] - 1, self.counts.shape[1] - 1

    @property
    def gap(self) -> float:
        """The factor by which the deviation of a cell from its margins is seen, lambda g_1 g_2."""
        gains = (Fraction(d - a, d - 1) for a, d in zip(self.sizes, self.shape, strict=True))
        return float(self.lam * math.prod(gains))

    def least_chance(self, share: float) -> float:
        """The chance of a report to list both options of a cell that at least such a share of the people are in."""
        by_chance = math.prod(Fraction(a, d) for a, d in zip(self.sizes, self.shape, strict=True))
        beside = math.prod(Fraction(a - 1, d - 1) for a, d in zip(self.sizes, self.shape, strict=True))
        return float((1 - self.lam) * by_chance + self.lam * beside) + self.gap * share

    @cached_property
    def _came(self) -> Values:
        """For each cell how many reports list both options, the first alone, the second alone, and neither."""
        both = self.counts[1:, 1:]
        first, second = self.counts[1:, :1] - both, self.counts[:1, 1:] - both
        neither = self.n - both - first - second
        return np.stack([both, first, second, neither], axis=-1).reshape(-1, 4).astype(np.float64)

    @cached_property
    def _values(self) -> tuple[Values, Values]:
        """The score of a cell in these four cases, and that of its first option, (4,) each."""
        return of_cases(
            [scores_of_option(self.lam, a, d) for a, d in zip(self.sizes, self.shape, strict=True)], self.lam
        )

    @cached_property
    def joint(self) -> Values:
        """The unbiased shares of all cells, (d1, d2)."""
        return np.asarray((self._came @ self._values[0]).reshape(self.shape) / self.n)

    @cached_property
    def standard_errors(self) -> tuple[Values, Values]:
        """For a population and for the respondents, by the observed second moments."""
        second = (self._came @ self._values[0] ** 2).reshape(self.shape) / self.n
        variances = second - self.joint**2, second - np.clip(self.joint, 0, 1)
        population, respondents = (np.sqrt(np.maximum(each, 0) / self.n) for each in variances)
        return population, respondents

    def intervals(self, confidence: float) -> Values:
        """Of all cells one by one, for a population and for the respondents, (d1, d2, 2)."""
        values = np.broadcast_to(self._values[0], self._came.shape)
        tails = np.full(len(values), (1 - confidence) / 2)
        high = unseen_batch.upper_limits(values, self._came, tails)
        low = -unseen_batch.upper_limits(-values, self._came, tails)
        return intervals.clipped_each(low, high, self.joint.ravel()).reshape(*self.shape, 2)

    def covariance(self, joint: Values) -> Values:
        """Of the estimated shares of all cells for a population in which these are the shares, (d1 d2, d1 d2).

        With a constant and the Z of both questions in one vector each, z1 and z2, every score is linear in their outer
        product, whose second moments are those of both questions multiplied: where the answers are kept given each
        answer, and else anyhow.
        """
        kept, anyhow = zip(*(_second_moments(a, d) for a, d in zip(self.sizes, self.shape, strict=True)), strict=True)
        lam, (d1, d2) = float(self.lam), self.shape
        true = np.einsum("xy,xab,ycd->acbd", joint, *kept).reshape((1 + d1) * (1 + d2), -1)
        second = lam * true + (1 - lam) * np.kron(*anyhow)
        scores = self._coefficients()
        return np.asarray((scores @ second @ scores.T - np.outer(joint.ravel(), joint.ravel())) / self.n)

    def _coefficients(self) -> Values:
        """The scores of all cells as linear forms in the outer product of z1 and z2, (d1 d2, (1 + d1)(1 + d2))."""
        both, first, second, neither = self._values[0]
        (d1, d2) = self.shape
        cells = np.zeros((d1, d2, 1 + d1, 1 + d2))
        cells[:, :, 0, 0] = neither
        for j, k in np.ndindex(d1, d2):
            cells[j, k, 1 + j, 0], cells[j, k, 0, 1 + k] = first - neither, second - neither
            cells[j, k, 1 + j, 1 + k] = both - first - second + neither
        return cells.reshape(d1 * d2, -1)

    def within_first(self, rows: Sequence[int], confidence: float) -> Values:
        """Intervals of the shares within these options of the first question, one by one, (rows, d2, 2), as M31."""
        cells = (np.array(rows, dtype=np.intp)[:, None] * self.shape[1] + np.arange(self.shape[1])).ravel()
        over, under = (np.broadcast_to(each, (len(cells), 4)) for each in self._values)
        ends = unseen_batch.quotients(over, under, self._came[cells], (1 - confidence) / 2)
        return intervals.clipped_each(*ends).reshape(len(rows), self.shape[1], 2)


def _second_moments(a: int, d: int) -> tuple[Values, Values]:
    """The mean outer product of (1, Z_1 ... Z_d) where a of d options are listed: for each answer that is among them,
    (d, 1 + d, 1 + d), and where they are any, (1 + d, 1 + d)."""
    anyhow = np.full((1 + d, 1 + d), a * (a - 1) / (d * (d - 1)))
    anyhow[0], anyhow[:, 0] = a / d, a / d
    anyhow[np.arange(1, 1 + d), np.arange(1, 1 + d)], anyhow[0, 0] = a / d, 1
    beside = (a - 1) / (d - 1)
    kept = np.full((d, 1 + d, 1 + d), beside * (a - 2) / (d - 2) if d > 2 else 0.0)
    for x in range(d):
        kept[x, 0], kept[x, :, 0] = beside, beside
        kept[x, np.arange(1 + d), np.arange(1 + d)] = beside
        kept[x, 1 + x], kept[x, :, 1 + x] = beside, beside
        kept[x, [0, 1 + x, 0, 1 + x], [0, 1 + x, 1 + x, 0]] = 1
    return kept, anyhow


class OptionScores(NamedTuple):
    """Of an option of a question whose report lists a of d: what the score of its share is where it is listed and where
    not, (2,), and its deviation from what comes by chance, over g, (2,)."""

    share: Values
    deviation: Values
    d: int


def scores_of_option(lam: Fraction, a: int, d: int) -> OptionScores:
    gain, hits = Fraction(d - a, d - 1), Fraction(a, d)
    q = lam * Fraction(a - 1, d - 1) + (1 - lam) * hits
    share = [float((listed - q) / (lam * gain)) for listed in (1, 0)]
    return OptionScores(np.array(share), np.array([float((listed - hits) / gain) for listed in (1, 0)]), d)


def of_cases(each: Sequence[OptionScores], lam: Fraction) -> tuple[Values, Values]:
    """The scores of a cell and of its first option by which of the two options are listed: both, the first alone, the
    second alone, neither."""
    one, other = each
    product = np.outer(one.deviation, other.deviation) / float(lam)
    cell = product + one.share[:, None] / other.d + other.share[None] / one.d - 1 / (one.d * other.d)
    return cell.ravel(), np.repeat(one.share, 2)


def totals(alone: Drawn, tally: JointTally, place: int) -> Totals:
    """The totals of the question at this place of the draw, as if it had been asked alone (report.alone)."""
    counts = tally.totals((place,))
    # A mean's score is its upper end.
    return {"mean": counts[1:]} if alone["mechanism"] == "one_bit" else {"support": counts}


class JointCell(NamedTuple):
    """The share of people with both answers; `simultaneous` is the interval that all cells have at once."""

    estimate: float
    interval: Interval
    simultaneous: Interval


def crossed(tally: JointTally, first: int, second: int, confidence: float, target: Target) -> list[list[JointCell]]:
    """A row for each category of the first question, which stands before the second in the draw; of two of which a
    report lists one option each."""
    table, columns = tally.tallied(first, second), tally.shape[second]
    together = intervals.bonferroni(confidence, table.d)

    def cell(j: int) -> JointCell:
        alone, at_once = (table.interval(j, level, target) for level in (confidence, together))
        return JointCell(float(table.shares[j]), alone, at_once)

    return [[cell(row * columns + column) for column in range(columns)] for row in range(tally.shape[first])]


def within(tally: JointTally, group: tuple[int, int], other: tuple[int, int], confidence: float) -> Interval | None:
    """The share, in a population, of the second (question, category) among those with the first; None where the group
    may be empty.

    Given the reports with the group's value, those that have the other one too are binomial with the chance r =
    pi_both / pi_group. With keep lambda, theta the group's share, and c, c' the chances (1-lambda)/(d d') and
    (1-lambda)/d of both and of the group by replacement, of two questions of which a report lists one option each, the share is r + (r c' - c)/(lambda theta): it grows with r,
    and is monotone in theta for each r. So over Clopper and Pearson's interval of r and the group's of theta it is
    extreme at their ends. The two share the chance of error, so it is proved; where the quotient is impossible it is
    united with itself moved to the nearest possible one (M37).
    """
    (first, row), error = group, 1 - confidence
    theta = tally.tallied(first).interval(row, 1 - error * SPENT, "population")
    if theta.low <= 0:
        return None
    lam = float(randomized_response.keep(tally.table))
    alone = (1 - lam) / tally.shape[first]
    both = alone / tally.shape[other[0]]

    def share(r: float, of: float) -> float:
        return r + (r * alone - both) / (lam * of)

    successes, trials = _counts(tally, group, other)
    tail = (1 - (1 - error * (1 - SPENT))) / 2
    ends = [share(r, of) for r in intervals.clopper_pearson(successes, trials, tail) for of in theta]
    estimate = share(successes / trials, float(tally.tallied(first).shares[row]))
    return intervals.clipped(Interval(min(ends), max(ends)), estimate)


def _counts(tally: JointTally, group: tuple[int, int], other: tuple[int, int]) -> tuple[int, int]:
    """Reports with both values, and with the group's."""
    (first, row), (second, column) = group, other
    places = sorted((first, second))
    cells = np.array(tally.totals(places)).reshape([tally.shape[k] for k in places])
    both = cells[(row, column) if first < second else (column, row)]
    return int(both), tally.totals([first])[row]
