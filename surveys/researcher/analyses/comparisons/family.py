"""All comparisons of a page, corrected for multiple testing (M33)."""

import itertools
from dataclasses import dataclass
from functools import cached_property

from ldp.inference import intervals
from ldp.inference.intervals import Interval
from ldp.inference.reading import apart, pairs, significance
from ldp.inference.reading.unasked import Deciders
from ldp.mechanisms.ranking import SAMPLE_MIN
from ldp.planning.candidates import size_of
from surveys.researcher.analyses.comparisons.selection import ComparisonSelection
from surveys.researcher.analyses.frame.comparison import (
    INEXACT,
    SHARED,
    Comparison,
    Test,
    among_reached,
    between,
    compared,
)
from surveys.researcher.results.reached import deciders, fillers, share_among
from surveys.researcher.results.released import ReleasedQuestion, of_release

# The most options that one option is compared with: each pair takes some milliseconds.
WITH_MOST = 40


@dataclass(frozen=True)
class Family:
    """The comparisons of a page, part by part. `there` is the question of the other survey; None without one."""

    released: ReleasedQuestion
    chosen: ComparisonSelection
    there: ReleasedQuestion | None

    @cached_property
    def places(self) -> list[tuple[int, int]]:
        d, fixed = len(self.released.options), self.chosen.against
        if fixed is None:
            return list(itertools.combinations(range(d), 2))
        if d - 1 <= WITH_MOST:
            return [(fixed, j) for j in range(d) if j != fixed]
        # The next options in order, starting again after the last. The estimates must not affect which ones.
        return [(fixed, (fixed + k) % d) for k in range(1, WITH_MOST + 1)]

    @cached_property
    def deciding(self) -> Deciders | None:
        """The questions by which people who were not asked are taken out; None if everyone was."""
        return deciders(self.released)

    @property
    def is_narrowed(self) -> bool:
        """Return whether all numbers are about people who were asked alone, and not everyone was."""
        return self.deciding is not None

    @property
    def values(self) -> int:
        return 0 if self.chosen.value is None else 1

    @cached_property
    def matched(self) -> list[tuple[int, int]]:
        """Return the places, here and there, of each option that reports of both surveys are about."""
        if self.there is None:
            return []
        there = {option: place for place, option in enumerate(self.there.options)}
        return [(place, there[name]) for place, name in enumerate(self.released.options) if name in there]

    @property
    def shared(self) -> list[tuple[int, int]]:
        """Return the matched options to compare. Of two mirrored options the first is enough."""
        mirrored = self.there is not None and self.released.mirrored and self.there.mirrored
        return self.matched[:1] if mirrored else self.matched

    @property
    def together(self) -> int:
        """Return how many comparisons the page shows."""
        return len(self.places) + self.values + len(self.shared)

    @property
    def level(self) -> float:
        """Return the chance of error of each comparison, by Bonferroni."""
        return (1 - self.chosen.confidence) / max(self.together, 1)

    @property
    def at_once(self) -> float:
        return intervals.bonferroni(self.chosen.confidence, max(self.together, 1))

    @property
    def tests(self) -> int:
        return sum(one.corrected is not None for one in self.all)

    @cached_property
    def all(self) -> list[Comparison]:
        tried = [*map(self._pair, self.places), *self._value(), *map(self._between, self.shared)]
        return compared(tried, self.chosen.confidence, self.watched)

    @property
    def pairs(self) -> list[Comparison]:
        return self.all[: len(self.places)]

    @property
    def value(self) -> Comparison | None:
        return self.all[len(self.places)] if self.values else None

    @property
    def between(self) -> list[Comparison]:
        return self.all[len(self.places) + self.values :]

    @property
    def watched(self) -> bool:
        """Return whether the comparisons hold at every release."""
        return self.released.watched or (self.there is not None and self.there.watched)

    def _pair(self, places: tuple[int, int]) -> Test:
        i, j = places
        test, own = self._pair_of_all(i, j), self.released.shared_totals
        if self.deciding is None:
            return test

        def at(confidence: float) -> Interval:
            if own is not None:
                return pairs.interval(own, i, j, confidence)
            return apart.interval(self.released.rows[i], self.released.rows[j], confidence, one_drawn(self.released))

        parts = fillers(self.released)
        return among_reached(test, at, parts[i] - parts[j], self.deciding, self.at_once)

    def _pair_of_all(self, i: int, j: int) -> Test:
        own = self.released.shared_totals
        if own is None:
            rows, independent = (self.released.rows[i], self.released.rows[j]), one_drawn(self.released)
            interval = apart.interval(*rows, self.at_once, independent)
            p_value = apart.p_value(*rows, self.at_once, independent)
            return Test(i, j, apart.estimate(*rows), interval, p_value, INEXACT if independent else SHARED)
        interval = pairs.interval(own, i, j, self.at_once)
        return Test(i, j, pairs.estimate(own, i, j), interval, pairs.p_value(own, i, j))

    def _value(self) -> list[Test]:
        if self.chosen.value is None:
            return []
        value, (own, j) = float(self.chosen.value) / 100, self.released.rows[self.chosen.option]
        if self.deciding is not None:
            estimate, interval = share_among(self.released, self.chosen.option, self.at_once)
            span = Interval(interval.low - value, interval.high - value)
            return [Test(self.chosen.option, None, estimate - value, span, None, INEXACT)]
        interval = own.interval(j, self.at_once, "population")
        span = Interval(interval.low - value, interval.high - value)
        sides = [significance.p_value(own, j, value, side, "population") for side in ("greater", "less")]
        known = [p for p in sides if p is not None]
        p_value = min(1.0, 2 * min(known)) if known else None
        return [Test(self.chosen.option, None, float(own.shares[j]) - value, span, p_value, INEXACT)]

    def _between(self, places: tuple[int, int]) -> Test:
        assert self.there is not None
        if self.is_narrowed:
            level = 1 - (1 - self.at_once) / 2
            (one, here), (other, there) = (
                share_among(released, place, level)
                for released, place in zip((self.released, self.there), places, strict=True)
            )
            return Test(*places, one - other, Interval(here.low - there.high, here.high - there.low), None, INEXACT)
        return between(self.released.rows[places[0]], self.there.rows[places[1]], places, self.at_once)


def one_drawn(released: ReleasedQuestion) -> bool:
    """Return whether each report is about only one option of a multiple choice, or one pair of a ranking."""
    return size_of(released.question).sample == (SAMPLE_MIN if "ranked" in released.question else 1)


def family(slug: str, number: int, chosen: ComparisonSelection) -> Family:
    there = None if chosen.other is None else of_release(*chosen.other)
    return Family(of_release(slug, number, chosen.question), chosen, there)
