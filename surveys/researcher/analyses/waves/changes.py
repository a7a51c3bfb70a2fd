"""The shares of each answer in each wave, and the changes since the wave before and since the first (M38b).

All intervals are simultaneous. The same people may answer several waves: a change's interval holds either way
(ldp/inference/reading/moved.py).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import NamedTuple

from django.http import Http404

from ldp.inference import intervals
from ldp.inference.intervals import Interval
from ldp.inference.reading import moved
from ldp.routing import alike
from surveys.access import Visitor, visible_release
from surveys.life.chain import waves
from surveys.models import Release
from surveys.researcher.analyses.comparisons.comparison import fits
from surveys.researcher.analyses.frame.derived import WaveNames
from surveys.researcher.results import reached
from surveys.researcher.results.released import ReleasedQuestion, of_grid, of_release
from surveys.survey import kinds
from surveys.survey.definition.wording import Wording, wording

KEPT = 32

# An answer in one wave, or a mean in its unit.
Share = moved.PublishedShare


class WaveChange(NamedTuple):
    """A change between two waves, which are places in the answer's list. `shows` is whether its interval excludes 0."""

    earlier: int
    later: int
    estimate: float
    interval: Interval

    @property
    def shows(self) -> bool:
        return not self.interval.low <= 0 <= self.interval.high


class WavesAnswer(NamedTuple):
    """`shares` are those of the waves that asked, in order, with simultaneous intervals. The changes lead to the last
    wave, from the wave before it and from the first."""

    option: str
    shares: tuple[Share, ...]

    @property
    def changes(self) -> list[WaveChange]:
        last = len(self.shares) - 1
        return [self.change(earlier, last) for earlier in dict.fromkeys((last - 1, 0))]

    def change(self, earlier: int, later: int) -> WaveChange:
        before, after = self.shares[earlier], self.shares[later]
        return WaveChange(earlier, later, after.estimate - before.estimate, moved.interval(before, after))


@dataclass(frozen=True)
class WavesQuestion:
    """A question, or an item of a grid, in the waves that asked it alike.

    `places` are the places of these waves among all waves; the last is the newest wave's. If `of_asked`, the numbers
    describe only people who were asked the question.
    """

    places: tuple[int, ...]
    of_asked: bool
    asked: tuple[ReleasedQuestion, ...]
    answers: tuple[WavesAnswer, ...]
    wordings: tuple[Wording, ...]

    @property
    def now(self) -> ReleasedQuestion:
        return self.asked[-1]

    @property
    def is_reworded(self) -> bool:
        """Return whether the question, or a text read with it, differed in an earlier wave."""
        return any(self.wordings[-1].is_reworded(one) for one in self.wordings)

    @property
    def has_other_pictures(self) -> bool:
        return any(self.wordings[-1].pictures != one.pictures for one in self.wordings)


@dataclass(frozen=True)
class WaveChanges:
    """The comparable waves of a release, by slug and number, the newest last."""

    names: WaveNames
    confidence: float

    @cached_property
    def releases(self) -> list[Release]:
        every = Release.objects.select_related("survey")
        return [every.get(survey__slug=slug, number=number) for slug, number in self.names]

    @cached_property
    def _questions(self) -> list[tuple[ReleasedQuestion, dict[int, ReleasedQuestion]]]:
        """Return each question or item of the newest wave, with its earlier versions by their wave's place."""
        *before, newest = self.releases
        earlier = [
            [part for key in release.counted if key in same_people for part in _parts(release, key)]
            for release in before
            for same_people in [alike(newest.survey.questions, release.survey.questions)]
        ]
        questions = []
        for now in (each for key in newest.counted for each in _parts(newest, key)):
            same = {place: one for place, parts in enumerate(earlier) for one in parts if _is_same(now, one)}
            questions.append((now, same))
        return questions

    @property
    def unmatched(self) -> list[ReleasedQuestion]:
        return [now for now, same in self._questions if not same]

    @property
    def together(self) -> int:
        """Return the number of simultaneous intervals of shares."""
        return sum(len(_options(now)) * (1 + len(same)) for now, same in self._questions if same)

    @property
    def compared(self) -> int:
        """Return the number of simultaneous intervals of changes. Each wave is compared with the last wave before it
        that asked the question, and with the first."""
        return sum(len(_options(now)) * (2 * len(same) - 1) for now, same in self._questions if same)

    @property
    def parts_of_error(self) -> int:
        """Return the number of intervals that share the chance of error: of shares or of changes, the larger."""
        return max(self.together, self.compared, 1)

    @property
    def at_once(self) -> float:
        """Return the confidence of each interval. All shares hold together at `confidence`, and so do all changes."""
        return intervals.bonferroni(self.confidence, self.parts_of_error)

    @property
    def parts(self) -> list[WavesQuestion]:
        return [part for part in self._matched if part.answers]

    @property
    def unshown(self) -> list[ReleasedQuestion]:
        """Return the questions that only some people were asked, if reports do not show who."""
        return [part.now for part in self._matched if not part.answers]

    @cached_property
    def _matched(self) -> list[WavesQuestion]:
        return [self._part(now, same) for now, same in self._questions if same]

    def _part(self, now: ReleasedQuestion, same: dict[int, ReleasedQuestion]) -> WavesQuestion:
        parts = (*same.values(), now)
        # In any wave, an option of a multiple choice can lack reports.
        routed = "asked_if" in now.question
        shown = _options(now) if all(map(reached.shows_who, parts)) else ()
        shared = [option for option in shown if all(option in one.options for one in parts)]
        answers = tuple(
            WavesAnswer(option, tuple(self._share(one, option, routed) for one in parts)) for option in shared
        )
        places = (*same, len(self.names) - 1)
        definitions = [self.releases[place].survey.definition for place in places]
        return WavesQuestion(
            places,
            routed,
            parts,
            answers,
            tuple(wording(definition, now.question["key"]) for definition in definitions),
        )

    def _share(self, released: ReleasedQuestion, option: str, of_asked: bool) -> Share:
        own, j = released.rows[released.options.index(option)]
        low, scale = released.scale
        if of_asked:
            # A change is wrong only if one of its two intervals is, so each gets half of the error.
            level = intervals.bonferroni(self.at_once, 2)
            share, span = reached.share_among(released, released.options.index(option), level)
            limits = Interval(low + scale * span.low, low + scale * span.high)
            return Share(low + scale * share, limits, 1.0, (low, low + scale))
        interval = own.interval(j, self.at_once, "population")
        return Share(
            low + scale * float(own.shares[j]),
            Interval(low + scale * interval.low, low + scale * interval.high),
            moved.sampled(own, j, interval),
            (low, low + scale),
        )

    @property
    def watched(self) -> bool:
        return any(one.watched for part in self.parts for one in part.asked)


def _options(released: ReleasedQuestion) -> tuple[str, ...]:
    """Return the answers to show. Of two mirrored answers the first is enough."""
    return released.options[:1] if released.mirrored else released.options


def _parts(release: Release, key: str) -> Sequence[ReleasedQuestion]:
    slug = release.survey.slug or ""
    try:
        if kinds.of(release.counted[key][0]).items(release.counted[key][0]):
            return of_grid(slug, release.number, key)
        return (of_release(slug, release.number, key),)
    except Http404:
        return ()  # the item has no reports


def _is_same(now: ReleasedQuestion, earlier: ReleasedQuestion) -> bool:
    """Return whether both questions have the same key, kind, and answers or scale."""
    other = earlier.question
    return now.question["key"] == other["key"] and fits(now, other) and now.item == earlier.item


@lru_cache(maxsize=KEPT)
def changes(names: WaveNames, confidence: float) -> WaveChanges:
    return WaveChanges(names, confidence)


def visible(visitor: Callable[[str], Visitor], release: Release) -> tuple[WaveNames, list[str]]:
    """Return the visible waves up to this release, each with its newest release, and the titles of the hidden ones.
    `visitor` returns the user for a slug."""
    names, hidden = [], []
    for survey in waves(release.survey)[:-1]:
        try:
            newest = visible_release(visitor(survey.slug or ""), survey.slug or "", None)[1]
        except Http404:
            newest = None
        if newest is None:
            hidden.append(survey.title)
        else:
            names.append((survey.slug or "", newest.number))
    return (*names, (release.survey.slug or "", release.number)), hidden
