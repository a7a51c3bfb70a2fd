"""The totals of one result by its default method. The statistics in `reading` follow from them."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ldp.arrays import Values
from ldp.inference import estimates, items, published, summaries
from ldp.inference.intervals import Interval
from ldp.inference.published import Published
from ldp.mechanisms import of
from ldp.question import Drawn
from ldp.scores import (
    EXCLUSIVE,
    ChannelMoments,
    Counts,
    PairMoments,
    PooledMoments,
    PooledPairs,
    ScoreMoments,
    Target,
    Totals,
    mirrored,
)


@dataclass(frozen=True)
class Tallied:
    """`totals` are those of n >= 1 reports. `pair` is None if categories have separate reports or a law that depends on
    more. `part`: the n reports are a random part of all, so the population's interval serves for the respondents.
    `every_look`: intervals hold at all looks together (M29)."""

    moments: ScoreMoments
    pair: PairMoments | PooledPairs | None
    totals: Counts
    n: int
    part: bool = False
    every_look: bool = False

    @property
    def d(self) -> int:
        """The number of categories; 1 for a mean."""
        return self.moments.targets if isinstance(self.moments, ChannelMoments) else len(self.totals)

    @cached_property
    def shares(self) -> Values:
        """The unbiased estimates, (d,)."""
        return estimates.shares(self.moments.scores(self.totals), self.n, self.moments)

    @cached_property
    def spans(self) -> Published:
        return published.of(self.moments, self.n, self.every_look)

    def target(self, target: Target) -> Target:
        return "population" if self.part else target

    def interval(self, j: int, confidence: float, target: Target) -> Interval:
        """Return the published interval of category j."""
        return self.spans.interval(self.totals, j, confidence, self.target(target))

    def standard_error(self, j: int, target: Target) -> float:
        """Return the published standard error of category j."""
        return summaries.standard_errors(self.moments, self.totals, j, self.n, self.part)[target]

    @property
    def counted(self) -> bool:
        """Return whether the totals count outputs, which holds for an inverted channel and if a report names one
        category."""
        return isinstance(self.moments, ChannelMoments) or self.exclusive

    @property
    def exclusive(self) -> bool:
        """Return whether every report supports exactly one category (M2)."""
        whole = self.moments.a + (self.d - 1) * self.moments.b
        return self.pair == EXCLUSIVE and self.moments.binary and whole == 1

    @property
    def pooled(self) -> bool:
        """Return whether the scores are pooled over forms (M45)."""
        return isinstance(self.moments, PooledMoments)

    @property
    def mirrored(self) -> bool:
        """Return whether each report supports one of two categories, so that a statement about one is about both."""
        return mirrored(self.moments, self.pair, self.d)

    def outputs(self) -> tuple[Values, Values]:
        """Return phi, (outputs, d), and the channel's rows, (inputs, outputs), for `counted` totals."""
        if isinstance(self.moments, ChannelMoments):
            return np.array(self.moments.phi()), estimates.channel_rows(self.moments)
        a, b = float(self.moments.a), float(self.moments.b)
        own = np.eye(self.d)
        return (own - b) / (a - b), own * (a - b) + b

    def effective_n(self, share: float) -> float | None:
        """Return the number of answers without privacy with the same error (M21) in a population with this share: n
        times an answer's variance over a report's. None if the noise depends on the other answers."""
        if isinstance(self.moments, ChannelMoments):
            return None
        variance = float(estimates.unit_variances(np.array(share), self.moments, "population"))
        return self.n * share * (1 - share) / variance


TalliedShare = tuple[Tallied, int]  # with a category's position


def of_question(question: Drawn, totals: Totals, n: int, every_look: bool = False) -> Iterator[tuple[str, Tallied]]:
    """Yield the key and totals of each result with reports. An option of a multiple choice or item of a grid has the
    question's key, a dot and its position from 1."""
    key = question["key"]
    if "drawn" in totals or "items" in question:
        own, drawn = totals[of(question).method], items.drawn(question, totals)
        d = len(own) // len(drawn)
        for place, n_about in enumerate(drawn):
            if n_about:
                moments, pair = items.law(question, place)
                counts = own[place * d : (place + 1) * d]
                yield f"{key}.{place + 1}", Tallied(moments, pair, counts, n_about, n_about < n, every_look)
        return
    randomizer = of(question)
    name, moments = randomizer.default()
    # Chance rounds fixed respondents' numbers to an end, so the population's interval serves (M8).
    by_one_bit = "low" in question and not isinstance(moments, ChannelMoments)
    yield key, Tallied(moments, randomizer.pairs().get(name), totals[name], n, by_one_bit, every_look)
