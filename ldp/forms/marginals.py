"""What the D counts of a joint form say of each of its questions, and of several of them crossed (M34b).

Any questions of a joint form are one category whose channel is randomized response, so their totals are sums over the
D counts and everything that takes totals (M12, M13, M15, M16, M26, M37) holds for them as it does for a question that
was asked alone, with the form's n. A cell of a cross-table has the exact binomial interval of a share.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from ldp import exact
from ldp.arrays import Integers
from ldp.inference import intervals
from ldp.inference.intervals import Interval
from ldp.inference.reading.tallied import Tallied
from ldp.mechanisms import joint
from ldp.question import Question
from ldp.scores import EXCLUSIVE, Target, Totals

# Of the chance of error of a share within a group, the part that the group's own interval takes.
SPENT = 1 / 5


@dataclass(frozen=True)
class JointTally:
    """`counts` of the D tuples, in the order of their numbers."""

    table: exact.Table
    sizes: tuple[int, ...]
    counts: tuple[int, ...]

    @property
    def n(self) -> int:
        """The form's number of reports."""
        return sum(self.counts)

    @cached_property
    def _cube(self) -> Integers:
        return np.array(self.counts, dtype=np.int64).reshape(self.sizes)

    def totals(self, questions: Sequence[int]) -> list[int]:
        """How many reports have each combination of values of these questions, given in increasing order."""
        if list(questions) != sorted(set(questions)):
            raise ValueError("must be different questions in the order of the form")
        others = tuple(k for k in range(len(self.sizes)) if k not in questions)
        return [int(count) for count in self._cube.sum(axis=others).ravel()]

    def tallied(self, *questions: int, every_look: bool = False) -> Tallied:
        """For one question its categories; for several crossed the cells, the last question's changing fastest."""
        d = math.prod(self.sizes[k] for k in questions)
        own = joint.marginal(self.table, self.sizes, questions)
        moments = joint.moments(own, (d,))["support"]
        return Tallied(moments, EXCLUSIVE, self.totals(questions), self.n, every_look=every_look)


def totals(alone: Question, tally: JointTally, place: int) -> Totals:
    """The totals of the question at this place of the form, as if it had been asked alone (report.alone)."""
    counts = tally.totals((place,))
    # A mean's score is its upper end.
    return {"mean": counts[1:]} if alone["mechanism"] == "one_bit" else {"support": counts}


class JointCell(NamedTuple):
    """The share of people with both answers; `simultaneous` is the interval that all cells have at once."""

    estimate: float
    interval: Interval
    simultaneous: Interval


def crossed(tally: JointTally, first: int, second: int, confidence: float, target: Target) -> list[list[JointCell]]:
    """A row for each category of the first question, which stands before the second in the form."""
    table, columns = tally.tallied(first, second), tally.sizes[second]
    together = intervals.bonferroni(confidence, table.d)

    def cell(j: int) -> JointCell:
        alone, at_once = (table.interval(j, level, target) for level in (confidence, together))
        return JointCell(float(table.shares[j]), alone, at_once)

    return [[cell(row * columns + column) for column in range(columns)] for row in range(tally.sizes[first])]


def within(tally: JointTally, group: tuple[int, int], other: tuple[int, int], confidence: float) -> Interval | None:
    """The share, in a population, of the second (question, category) among those with the first; None where the group
    may be empty.

    Given the reports with the group's value, those that have the other one too are binomial with the chance r =
    pi_both / pi_group. With keep lambda, theta the group's share, and c, c' the chances (1-lambda)/(d d') and
    (1-lambda)/d of both and of the group by replacement, the share is r + (r c' - c)/(lambda theta): it grows with r,
    and is monotone in theta for each r. So over Clopper and Pearson's interval of r and the group's of theta it is
    extreme at their ends. The two share the chance of error, so it is proved; where the quotient is impossible it is
    united with itself moved to the nearest possible one (M37).
    """
    (first, row), error = group, 1 - confidence
    theta = tally.tallied(first).interval(row, 1 - error * SPENT, "population")
    if theta.low <= 0:
        return None
    lam = float(joint.keep(tally.table, tally.sizes))
    alone = (1 - lam) / tally.sizes[first]
    both = alone / tally.sizes[other[0]]

    def share(r: float, of: float) -> float:
        return r + (r * alone - both) / (lam * of)

    successes, trials = _counts(tally, group, other)
    tail = (1 - (1 - error * (1 - SPENT))) / 2
    ends = [share(r, of) for r in intervals.clopper_pearson(successes, trials, tail) for of in theta]
    estimate = share(successes / trials, float(tally.tallied(first).shares[row]))
    return intervals.clipped(Interval(min(ends), max(ends)), estimate)


def _counts(tally: JointTally, group: tuple[int, int], other: tuple[int, int]) -> tuple[int, int]:
    """Reports with both values, and with the group's."""
    places: list[int | slice] = [slice(None)] * len(tally.sizes)
    places[group[0]] = group[1]
    whole = int(tally._cube[tuple(places)].sum())
    places[other[0]] = other[1]
    return int(tally._cube[tuple(places)].sum()), whole
