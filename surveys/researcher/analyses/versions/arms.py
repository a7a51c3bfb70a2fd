"""The differences between versions of one question in a release, corrected for each other (M38, M42b).

Every two versions are compared answer by answer, and in a grid item by item. Reports of different forms are
independent, given the number of each. If only some people were asked, the differences are among them (M34d). Nothing is
compared if reports do not show how many they are.
"""

import itertools
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial
from typing import NamedTuple

from ldp.forms.definition import arms_of
from ldp.inference import intervals
from ldp.inference.reading import apart
from ldp.inference.reading.unasked import Deciders
from surveys.models import Release
from surveys.researcher.analyses.frame.comparison import (
    Comparison,
    Test,
    among_reached,
    between,
    compared,
    guarantee,
)
from surveys.researcher.results import reached
from surveys.researcher.results.released import ReleasedQuestion, TalliedOption, of_grid, of_release
from surveys.survey import kinds

FAMILIES_KEPT = 64


class VersionPair(NamedTuple):
    """Two versions; an item from 1, or 0 without items; and an answer."""

    one: int
    other: int
    item: int
    option: int


class VersionComparison(NamedTuple):
    place: VersionPair
    comparison: Comparison

    @property
    def is_sure(self) -> bool:
        """Return whether the difference's simultaneous interval excludes 0."""
        low, high = self.comparison.interval
        return self.comparison.shows and not low <= 0 <= high


@dataclass(frozen=True)
class Arms:
    """`versions` are the versions with reports, the first one first. Each is a question, or its items in order."""

    versions: tuple[tuple[ReleasedQuestion, ...], ...]
    confidence: float

    @property
    def watched(self) -> bool:
        return any(part.watched for parts in self.versions for part in parts)

    @property
    def is_mean(self) -> bool:
        return self.versions[0][0].is_mean

    @property
    def scale(self) -> float:
        """Return 1 for shares, and the length of the scale for a mean."""
        question = self.versions[0][0].question
        return float(question["high"]) - float(question["low"]) if self.is_mean else 1.0

    @property
    def is_routed(self) -> bool:
        """Return whether only some people were asked the question. Every version has the same condition."""
        return "asked_if" in self.versions[0][0].question

    @cached_property
    def deciding(self) -> Deciders | None:
        """The questions by which people who were not asked are taken out; None if everyone was asked. The forms are
        drawn by lot, so the share is the same for all versions."""
        return reached.deciders(self.versions[0][0])

    @property
    def is_refused(self) -> bool:
        """Return whether reports of a version only bound how many people were asked."""
        return not all(reached.shows_who(parts[0]) for parts in self.versions)

    def part(self, version: int, item: int) -> ReleasedQuestion:
        return next(part for part in self.versions[version] if part.place == item)

    def guarantee(self, place: VersionPair) -> str:
        """Return "proved" if the difference's interval is proved, else "checked".

        An exact interval is proved. Another is proved if the intervals of both shares are. If only some people were
        asked, the interval of their number must be proved too.
        """
        if self.is_routed:
            parts = (self.part(version, place.item) for version in (place.one, place.other))
            return "proved" if all(reached.proved(part, "population") for part in parts) else "checked"
        if apart.exact(self._row(place, place.one), self._row(place, place.other), True):
            return "proved"
        both = {self._published(place, version) for version in (place.one, place.other)}
        return "proved" if both == {"proved"} else "checked"

    def _published(self, place: VersionPair, version: int) -> str:
        part = self.part(version, place.item)
        option = part.question["options"][place.option] if not self.is_mean else "mean"
        return guarantee(part, option, self.confidence)

    def _row(self, place: VersionPair, version: int) -> TalliedOption:
        return self.rows[version][place.item, place.option]

    @cached_property
    def rows(self) -> list[dict[tuple[int, int], TalliedOption]]:
        """Return the totals of each version by item and answer. Of two mirrored answers the first is enough."""
        mirrored = all(part.mirrored for parts in self.versions for part in parts)
        every = [{key: row for part in parts for key, row in _rows(part)} for parts in self.versions]
        return [{key: row for key, row in rows.items() if not (mirrored and key[1])} for rows in every]

    @property
    def places(self) -> list[VersionPair]:
        if self.is_refused:
            return []
        pairs = itertools.combinations(range(len(self.versions)), 2)
        return [
            VersionPair(one, other, *key) for one, other in pairs for key in self.rows[one] if key in self.rows[other]
        ]

    @property
    def at_once(self) -> float:
        return intervals.bonferroni(self.confidence, max(len(self.places), 1))

    @cached_property
    def differences(self) -> list[VersionComparison]:
        comparisons = compared(list(map(self._test, self.places)), self.confidence, self.watched)
        return list(map(VersionComparison, self.places, comparisons))

    def _test(self, place: VersionPair) -> Test:
        here, there = self._row(place, place.one), self._row(place, place.other)
        test = between(here, there, (place.option, place.option), self.at_once)
        if self.deciding is None:
            return test
        # All versions have the same filler, so it cancels in the difference.
        return among_reached(test, partial(apart.interval, here, there), 0.0, self.deciding, self.at_once)


def _rows(released: ReleasedQuestion) -> list[tuple[tuple[int, int], TalliedOption]]:
    """Return the tallied options, each with its item and its place among the question's options. Options without
    reports can be missing in a multiple choice."""
    if released.is_mean:
        return [((0, 0), released.rows[0])]
    options = released.question["options"]
    named = zip(released.options, released.rows, strict=True)
    return [((released.place, options.index(option)), row) for option, row in named]


@lru_cache(maxsize=FAMILIES_KEPT)
def arms(slug: str, number: int, key: str, confidence: float) -> Arms | None:
    """Return the versions of the question with this key; None if fewer than two have released reports."""
    release = Release.objects.select_related("survey").get(survey__slug=slug, number=number)
    known = [each for each in arms_of(release.survey.questions, key) if each in release.counted]
    versions = tuple(own for each in known if (own := _parts(release, each)))
    return Arms(versions, confidence) if len(versions) > 1 else None


def _parts(release: Release, key: str) -> tuple[ReleasedQuestion, ...]:
    slug, question = release.survey.slug or "", release.counted[key][0]
    if kinds.of(question).items(question):
        return of_grid(slug, release.number, key)
    return (of_release(slug, release.number, key),)
