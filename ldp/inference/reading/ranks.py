"""The mean rank of one of k items that people put in order (M32e), from the reports that drew the item.

A report is about s items, drawn evenly and without regard to the answer. Let Y be the fraction of the s - 1 other drawn
items that the report puts before the item. In a population the Y of the reports that drew the item are independent,
with one law and E Y = b + (a - b) theta. theta = (rank - 1)/(k - 1) is the average fraction of the other items that
people put before the item; a and b are those of a pair's bit. So a mean rank is the mean of bounded scores. Its
interval is the unseen respondent's (M30), Gaffke's bound: checked. For s = 2 it is Clopper and Pearson's interval,
exact for any answers.

At every look the beta mixture of bits serves (sequences.beta_binomial). It is proved: the likelihood ratio of two
chances is convex in a score from 0 to 1, so its mean is at most that of a bit with the same mean.
"""

import math
from functools import lru_cache

import numpy as np

from ldp.arrays import Values
from ldp.inference import intervals, sequences, unseen
from ldp.inference.intervals import Interval
from ldp.inference.unseen import Unseen
from ldp.mechanisms import of
from ldp.mechanisms.ranking import SAMPLE_MIN
from ldp.question import Drawn
from ldp.scores import Totals


class Ranks:
    """The mean ranks of a ranking, from its totals. `every_look` as in a Tallied."""

    def __init__(self, question: Drawn, totals: Totals, every_look: bool = False) -> None:
        self._moments, self._every_look = of(question).default()[1], every_look
        self.k, sample = len(question["ranked"]), question["table"]["sample"]
        self._counts = np.array(totals["places"]).reshape(self.k, sample)
        self._scores: Values = np.arange(sample) / (sample - 1)
        self.is_exact = every_look or sample == SAMPLE_MIN

    def _theta(self, score: float) -> float:
        return (score - float(self._moments.b)) / float(self._moments.gap)

    def _rank(self, theta: float) -> float:
        return 1 + (self.k - 1) * theta

    def n_about(self, item: int) -> int:
        """Return the number of reports that drew the item."""
        return int(self._counts[item].sum())

    def _mean(self, item: int) -> float:
        return float(self._scores @ self._counts[item]) / self.n_about(item)

    def estimate(self, item: int) -> float | None:
        """Return the unbiased mean rank, which noise can move outside 1..k; None if no report drew the item."""
        return self._rank(self._theta(self._mean(item))) if self.n_about(item) else None

    def standard_error(self, item: int) -> float | None:
        """Return the standard error for a population; None if no report drew the item."""
        if not (n := self.n_about(item)):
            return None
        variance = float((self._scores - self._mean(item)) ** 2 @ self._counts[item]) / n
        return (self.k - 1) * math.sqrt(variance / n) / float(self._moments.gap)

    def interval(self, item: int, confidence: float) -> Interval | None:
        """Return the interval cut to 1..k; None if no report drew the item. An impossible estimate's interval is united
        with that of the nearest possible one (M37)."""
        if not self.n_about(item):
            return None
        span = self._at_every_look(item, confidence) if self._every_look else self._of_one_look(item, confidence)
        return Interval(self._rank(span.low), self._rank(span.high))

    def _of_one_look(self, item: int, confidence: float) -> Interval:
        if self.is_exact:
            return intervals.exact(
                int(self._counts[item, 1]), self.n_about(item), self._moments, confidence, "population"
            )
        low, high = _of_mean_score(tuple(self._counts[item].tolist()), confidence)
        return intervals.clipped(Interval(self._theta(low), self._theta(high)), self._theta(self._mean(item)))

    def _at_every_look(self, item: int, confidence: float) -> Interval:
        n, total = self.n_about(item), float(self._scores @ self._counts[item])
        least, most = n * float(self._moments.b), n * float(self._moments.a)
        each = {total, intervals.clamp(total, least, most)}
        return intervals.union(sequences.beta_binomial(one, n, self._moments, confidence) for one in each)


# Both targets have the same interval, and a page needs it for each of its figures.
@lru_cache(maxsize=1024)
def _of_mean_score(counts: tuple[int, ...], confidence: float) -> Interval:
    """Return the interval of the mean of scores 0..1 in equal steps, which came `counts` times."""
    scores = np.arange(len(counts)) / (len(counts) - 1)
    return unseen.interval(scores, counts, Unseen.at(0.0), Unseen.at(1.0), confidence)
