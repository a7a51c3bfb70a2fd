"""Counts of single questions, and of some of them crossed, from the counts of a joint draw (M44).

The count of a cell, a combination of options, is how many reports list all of them. Summed over the options of the
other questions, and divided by the product of their sizes, it is the count of fewer questions. One question's counts
have the law of a question asked alone with the same chance to keep, so that every statement about totals (M12, M13,
M15, M16, M26, M37) holds.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np

from ldp.arrays import Integers
from ldp.exact import ListTable
from ldp.inference.product_subsets import PairTally
from ldp.inference.tallied import Tallied
from ldp.mechanisms import randomized_response
from ldp.question import Drawn
from ldp.scores import EXCLUSIVE, Totals, indicator


@dataclass(frozen=True)
class JointTally:
    """`counts` of all cells, the last question's options changing fastest; `shape` is how many options each question
    has, `keys` are theirs where they matter."""

    table: ListTable
    shape: tuple[int, ...]
    counts: tuple[int, ...]
    keys: tuple[str, ...] = ()

    @property
    def sizes(self) -> list[int]:
        """The number of each question's options that a report lists."""
        return list(self.table["sizes"])

    @property
    def lam(self) -> Fraction:
        """The chance to keep."""
        return randomized_response.keep(self.table)

    @property
    def n(self) -> int:
        """The number of reports. ValueError where no number fits, since each report lists as many cells as any
        other."""
        return int(_shared(np.array(sum(self.counts)), math.prod(self.sizes)))

    @cached_property
    def _cube(self) -> Integers:
        return np.array(self.counts, dtype=np.int64).reshape(self.shape)

    def totals(self, questions: Sequence[int]) -> list[int]:
        """Return the number of reports that list each combination of these questions' options. Questions come in
        increasing order. ValueError where no reports that list the right number of options have such counts."""
        if list(questions) != sorted(set(questions)):
            raise ValueError("must be different questions in the order of the draw")
        others = tuple(k for k in range(len(self.shape)) if k not in questions)
        counts = _shared(self._cube.sum(axis=others), math.prod(self.sizes[k] for k in others))
        return [int(count) for count in counts.ravel()]

    def of(self, keys: tuple[str, ...]) -> "JointTally":
        """The tally of some of its questions, in its order."""
        places = [self.keys.index(key) for key in keys]
        sizes = [self.sizes[place] for place in places]
        shape = tuple(self.shape[place] for place in places)
        return JointTally({"keep": self.table["keep"], "sizes": sizes}, shape, tuple(self.totals(places)), keys)

    def __add__(self, other: "JointTally") -> "JointTally":
        """The tally of all reports, of one channel."""
        if (self.keys, self.table) != (other.keys, other.table):
            raise ValueError("must be draws of the same questions with the same chances")
        counts = (one + two for one, two in zip(self.counts, other.counts, strict=True))
        return JointTally(self.table, self.shape, tuple(counts), self.keys)

    def one_listed(self, *questions: int) -> bool:
        """Return whether a report lists one option of each of these questions, so that their cells are categories."""
        return all(self.sizes[k] == 1 for k in questions)

    def tallied(self, *questions: int, every_look: bool = False) -> Tallied:
        """For one question its categories; for several, where `one_listed`, the cells, the last question's changing
        fastest. ValueError elsewhere: there a report says more of a cell than whether it is listed."""
        totals = self.totals(questions)
        if len(questions) == 1:
            [place], d = questions, self.shape[questions[0]]
            chances = randomized_response.listed_chances(self.lam, self.sizes[place], d)
            pair = randomized_response.pair_moments(self.lam, self.sizes[place], d)
            return Tallied(indicator(*chances), pair, totals, self.n, every_look=every_look)
        if not self.one_listed(*questions):
            raise ValueError("must be questions of which a report lists one option each")
        other = (1 - self.lam) / len(totals)
        return Tallied(indicator(self.lam + other, other), EXCLUSIVE, totals, self.n, every_look=every_look)

    def pair(self, first: int, second: int) -> PairTally:
        """Two of the questions, in any order."""
        places = sorted((first, second))
        one, other = ([self.n, *self.totals([place])] for place in places)
        whole = np.zeros((len(one), len(other)), dtype=np.int64)
        whole[:, 0], whole[0] = one, other
        whole[1:, 1:] = np.array(self.totals(places)).reshape([self.shape[k] for k in places])
        pair = PairTally(self.lam, (self.sizes[places[0]], self.sizes[places[1]]), whole)
        return pair if first < second else pair.turned()


def _shared(counts: Integers, each: int) -> Integers:
    """Divide counts of reports that were each counted `each` times."""
    shares, rest = np.divmod(counts, each)
    if np.any(rest):
        raise ValueError("the counts do not add up: reports must list the same number of options of each question")
    return np.asarray(shares)


def totals(alone: Drawn, tally: JointTally, place: int) -> Totals:
    """The totals of the question at this place of the draw, as if it had been asked alone (report.alone)."""
    counts = tally.totals((place,))
    # A mean's score is its upper end.
    return {"mean": counts[1:]} if alone["mechanism"] == "one_bit" else {"support": counts}
