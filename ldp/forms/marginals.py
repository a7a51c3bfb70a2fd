"""Counts of single questions and of crossings, from the counts of a joint draw (M44).

A cell is a combination of options; its count is the number of reports that list all of them. Summing over other
questions' options and dividing by the product of those questions' sizes gives the count for fewer questions. One
question's counts have the law of a question asked alone with the same chance to keep, so all statements about totals
hold (M12, M13, M15, M16, M26, M37).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np

from ldp import subsets
from ldp.arrays import Integers
from ldp.exact import ListTable
from ldp.inference.product_subsets import Listing, PairTally
from ldp.inference.tallied import Tallied
from ldp.mechanisms import SAMPLING_OPTIONS, randomized_response
from ldp.question import Drawn
from ldp.scores import EXCLUSIVE, Totals, indicator
from ldp.subsets import Items, Options


@dataclass(frozen=True)
class JointTally:
    """`counts` has all cells; the last question's options change fastest. `options` has each question's number of
    options, `keys` their keys where needed. A list or grid has the options of all its items (M9c)."""

    table: ListTable
    options: tuple[Options, ...]
    counts: tuple[int, ...]
    keys: tuple[str, ...] = ()

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(map(subsets.symbols, self.options))

    @property
    def sizes(self) -> list[int]:
        """The number of options that a report lists for each question."""
        return list(map(subsets.listed, self.table["sizes"]))

    @property
    def lam(self) -> Fraction:
        """Lambda, the chance to keep the answers."""
        return randomized_response.keep(self.table)

    @property
    def n(self) -> int:
        """The number of reports. ValueError if the counts do not add up: every report lists the same number of
        cells."""
        return int(_shared(np.array(sum(self.counts)), math.prod(self.sizes)))

    @property
    def listings(self) -> tuple[Listing, ...]:
        return tuple(map(Listing, self.shape, self.sizes))

    @cached_property
    def cube(self) -> Integers:
        """The counts of cells, in the tally's shape."""
        return np.array(self.counts, dtype=np.int64).reshape(self.shape)

    def totals(self, questions: Sequence[int]) -> list[int]:
        """Return the number of reports that list each combination of these questions' options, for questions in
        increasing order. ValueError if no reports that list the right number of options have these counts."""
        if list(questions) != sorted(set(questions)):
            raise ValueError("must be different questions in the order of the draw")
        others = tuple(k for k in range(len(self.shape)) if k not in questions)
        counts = _shared(self.cube.sum(axis=others), math.prod(self.sizes[k] for k in others))
        return [int(count) for count in counts.ravel()]

    def of(self, keys: tuple[str, ...]) -> "JointTally":
        """Return the tally of some of the draw's questions, in the draw's order."""
        places = [self.keys.index(key) for key in keys]
        sizes = [self.table["sizes"][place] for place in places]
        options = tuple(self.options[place] for place in places)
        return JointTally({"keep": self.table["keep"], "sizes": sizes}, options, tuple(self.totals(places)), keys)

    def __add__(self, other: "JointTally") -> "JointTally":
        """Return the tally of both sets of reports. ValueError unless both have one channel."""
        if (self.keys, self.table) != (other.keys, other.table):
            raise ValueError("must be draws of the same questions with the same chances")
        counts = (one + two for one, two in zip(self.counts, other.counts, strict=True))
        return JointTally(self.table, self.options, tuple(counts), self.keys)

    def one_listed(self, *questions: int) -> bool:
        """Return whether a report lists one option of each of these questions, so that their cells are categories."""
        return all(self.sizes[k] == 1 for k in questions)

    def tallied(self, *questions: int, every_look: bool = False) -> Tallied:
        """Return the counts of one question's categories, or of several questions' cells, the last question changing
        fastest. ValueError for several questions unless `one_listed`, because their cells are not categories."""
        totals = self.totals(questions)
        if len(questions) == 1:
            [place], d = questions, self.shape[questions[0]]
            chances = randomized_response.listed_chances(self.lam, self.sizes[place], d)
            pair = randomized_response.pair_moments(self.lam, self.sizes[place], d)
            return Tallied(indicator(*chances), pair, totals, self.n, every_look=every_look)
        if not self.one_listed(*questions):
            raise ValueError("must be questions with one option listed in a report each")
        other = (1 - self.lam) / len(totals)
        return Tallied(indicator(self.lam + other, other), EXCLUSIVE, totals, self.n, every_look=every_look)

    def pair(self, first: int, second: int, items: tuple[int | None, int | None] = (None, None)) -> PairTally:
        """Return the tally of two questions, in any order; for a list or grid, of this item, from reports that drew
        it."""
        if first > second:
            return self.pair(second, first, items[::-1]).turned()
        cube = np.array(self.totals((first, second))).reshape(self.shape[first], self.shape[second])
        own, sizes = [], []
        for place, item in zip((first, second), items, strict=True):
            options, size = self.options[place], self.table["sizes"][place]
            if isinstance(options, Items):
                assert item is not None, "a list or grid is crossed item by item"
                own.append(slice(item * options.d, (item + 1) * options.d))
                sizes.append(size[1])
            else:
                own.append(slice(options))
                sizes.append(size)
        both = cube[tuple(own)]
        whole = np.zeros((1 + both.shape[0], 1 + both.shape[1]), dtype=np.int64)
        whole[1:, 1:] = both
        whole[1:, 0], whole[0, 1:] = _shared(both.sum(axis=1), sizes[1]), _shared(both.sum(axis=0), sizes[0])
        whole[0, 0] = int(_shared(whole[1:, 0].sum(), sizes[0]))
        return PairTally(self.lam, (sizes[0], sizes[1]), whole)


def _shared(counts: Integers, each: int) -> Integers:
    """Return the counts divided by `each`, how often every report was counted. ValueError at a remainder."""
    shares, rest = np.divmod(counts, each)
    if np.any(rest):
        raise ValueError("the counts do not add up: reports must list the same number of options of each question")
    return np.asarray(shares)


def totals(alone: Drawn, tally: JointTally, place: int) -> Totals:
    """Return the totals of the draw's question at this place, as if it had been asked alone (report.alone)."""
    counts = tally.totals((place,))
    if alone["mechanism"] in SAMPLING_OPTIONS:
        return {"support": counts[1::2], "drawn": [sum(counts[k : k + 2]) for k in range(0, len(counts), 2)]}
    # A mean's score is its upper end.
    return {"mean": counts[1:]} if alone["mechanism"] == "one_bit" else {"support": counts}
