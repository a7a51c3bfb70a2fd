"""A question of a release with its totals, from which every figure of its page is computed."""

from dataclasses import dataclass
from functools import lru_cache
from typing import cast

from django.http import Http404

from ldp import results
from ldp.document import ConditionTally, QuestionResult
from ldp.forms import results as in_forms
from ldp.inference import intervals, tallied
from ldp.inference.tallied import Tallied
from ldp.question import Drawn, asked_in
from ldp.results import Counted
from ldp.scores import Target, Totals
from surveys.figures.display import Method, Result
from surveys.figures.layout import aside
from surveys.models import Release
from surveys.researcher.results import forms, response_cache
from surveys.researcher.results.selection import by_estimate, named
from surveys.researcher.results.widths import at_every_release
from surveys.survey import kinds
from surveys.survey.kinds.date import in_words

TalliedOption = tuple[Tallied, int]
RELEASES_KEPT = 4


@dataclass(frozen=True)
class ReleasedQuestion:
    """A question, or an item of a grid. `rows` are its categories with their totals. `place` is the item's from 1, and
    0 without items. If `watched`, intervals hold at every release (M29). If `final`, no more reports come."""

    slug: str
    number: int
    key: str
    place: int
    question: Drawn
    totals: Totals
    n: int
    watched: bool
    final: bool
    rows: tuple[TalliedOption, ...]
    options: tuple[str, ...]
    group: int | None = None  # the place of a group of invited people; None for everyone

    @property
    def kind(self) -> str:
        return str(self.question["kind"])

    @property
    def is_mean(self) -> bool:
        """Return whether the estimate is a mean in a unit, instead of shares."""
        return kinds.of(self.question).averaged

    @property
    def scale(self) -> tuple[float, float]:
        """Return the lowest value and the length of a mean's scale; 0 and 1 for shares."""
        if not self.is_mean:
            return 0.0, 1.0
        low = float(self.question["low"])
        return low, float(self.question["high"]) - low

    @property
    def is_routed(self) -> bool:
        """Return whether only some people were asked it, by their answers."""
        return "asked_if" in self.question

    @property
    def is_several(self) -> bool:
        """Return whether several options can apply at once, so that each has separate totals."""
        return kinds.of(self.question).several

    @property
    def forms(self) -> list[int]:
        """Return the forms whose people were asked; none if everyone was."""
        return asked_in(self.question) or []

    @property
    def alpha(self) -> str:
        """Return the alpha as pages show it. If forms differ, each form's."""
        return forms.alpha(self.question)

    @property
    def is_joint(self) -> bool:
        """Return whether the question was randomized together with others."""
        return bool(self.question.get("joint"))

    @property
    def names(self) -> list[str]:
        """Return the options as a page names them. Files keep the original texts."""
        return in_words(self.options)

    def named(self, option: str) -> str:
        """Return an option as a page names it."""
        return dict(zip(self.options, self.names, strict=True)).get(option, option)

    @property
    def item(self) -> str:
        return str(self.question["items"][self.place - 1]) if self.place else ""

    @property
    def shared_totals(self) -> Tallied | None:
        """Return the totals if all categories share them, else None."""
        return None if self.is_several else self.rows[0][0]

    @property
    def n_about(self) -> int:
        return self.n if self.shared_totals is None else self.shared_totals.n

    @property
    def answers(self) -> int:
        """Return how many categories are answers. "Prefer not to say" is not."""
        refusing = (
            aside({"options": list(self.options), "prefer_not_to_say": self.question["prefer_not_to_say"]})
            if not self.is_mean
            else None
        )
        return len(self.options) if refusing is None else refusing

    @property
    def together(self) -> int:
        """Return the number of simultaneous intervals."""
        return (1 if self.mirrored else len(self.question.get("options", [""]))) * self.items

    @property
    def mirrored(self) -> bool:
        """Return whether there are two answers, so that each sentence about one describes both."""
        return self.shared_totals is not None and self.shared_totals.mirrored

    @property
    def items(self) -> int:
        return len(self.question["items"]) if self.place else 1

    @property
    def condition(self) -> ConditionTally | None:
        """Return the scores of single reports that show who was asked (M34e); None where there are none."""
        if self.group is not None:
            return None
        return response_cache.document_of(self.slug, self.number).get("conditions", {}).get(self.question["key"])

    def beside(self, key: str) -> "ReleasedQuestion | None":
        """Return another question of the release, or group; None where no report is about it."""
        try:
            return of_release(self.slug, self.number, key, self.group)
        except Http404:
            return None

    def at_once(self, confidence: float) -> float:
        return intervals.bonferroni(confidence, self.together)

    def result(self, confidence: float) -> QuestionResult:
        """Return the document's result at this confidence."""
        every = _results(self.slug, self.number, self.question["key"], confidence, self.group)
        return next(result for result in every if result["key"] == self.key)

    def sums_proved(self, target: Target) -> bool:
        """Return whether intervals of sums of shares are proved: if the intervals of single shares are (M32)."""
        precision = self.result(0.95)["methods"][0]["categories"][0][target]
        return bool(precision["guarantee"] == "proved")

    def displayed(self, confidence: float, target: Target) -> Result:
        """Return the result as on the results page: for the selected target, in the page's order of options."""
        result = self.result(confidence)
        methods: list[Method] = [
            {
                **method,
                "categories": [
                    {**category, "shown": category[target], "estimated": True} for category in method["categories"]
                ],
            }
            for method in result["methods"]
        ]
        about = {"target": target, "level": confidence, "ended": self.final}
        return named(by_estimate(cast(Result, {**result, **about, "methods": methods})))


@lru_cache(maxsize=RELEASES_KEPT)
def _release(slug: str, number: int) -> Release:
    """Return a release. It is cached: each of its questions needs its counts."""
    return Release.objects.select_related("survey").defer("document").get(survey__slug=slug, number=number)


@lru_cache(maxsize=256)
def of_release(slug: str, number: int, key: str, group: int | None = None) -> ReleasedQuestion:
    """Return the question. Raise Http404 if the release lacks the question, or the item has no reports."""
    release, counted = _release(slug, number), _counted(slug, number, group)
    main, _, place = key.partition(".")
    if main not in counted or (place and not (place.isascii() and place.isdecimal())):
        raise Http404
    question, totals, n = counted[main]
    if bool(place) != bool(kinds.of(question).items(question)):
        raise Http404
    watched = not release.final or at_every_release(response_cache.document(release))
    parts = dict(tallied.of_question(question, totals, n, watched))
    rows, options = rows_of(question, parts, key)
    item = int(place) if place else 0
    return ReleasedQuestion(slug, number, key, item, question, totals, n, watched, release.final, rows, options, group)


@lru_cache(maxsize=64)
def _counted(slug: str, number: int, group: int | None) -> dict[str, Counted]:
    """Return the counted questions of everyone, or of a group."""
    release = _release(slug, number)
    if group is None:
        return release.counted
    return {one[0]["key"]: one for one in in_forms.of_group(release.survey.definition, release.form_tallies, group)}


def rows_of(question: Drawn, parts: dict[str, Tallied], key: str) -> tuple[tuple[TalliedOption, ...], tuple[str, ...]]:
    options = tuple(question.get("options", ["mean"]))
    if kinds.of(question).several:
        pairs = [(parts[f"{key}.{i}"], option) for i, option in enumerate(options, 1) if f"{key}.{i}" in parts]
        return tuple((own, 0) for own, _ in pairs), tuple(option for _, option in pairs)
    if key not in parts:
        raise Http404
    own = parts[key]
    return tuple((own, j) for j in range(own.d)), options


@lru_cache(maxsize=256)
def of_grid(slug: str, number: int, key: str) -> tuple[ReleasedQuestion, ...]:
    """Return the items of a grid that have reports. Raise Http404 if the release lacks the grid."""
    release = _release(slug, number)
    question = next((one for one in release.survey.questions if one["key"] == key), None)
    if question is None or not kinds.of(question).items(question):
        raise Http404
    items = []
    for place in range(1, len(question["items"]) + 1):
        try:
            items.append(of_release(slug, number, f"{key}.{place}"))
        except Http404:
            continue  # the item has no reports
    return tuple(items)


@lru_cache(maxsize=128)
def _results(slug: str, number: int, key: str, confidence: float, group: int | None) -> list[QuestionResult]:
    """Return all results of a question at one confidence."""
    release = _release(slug, number)
    question, totals, n = _counted(slug, number, group)[key]
    watched = not release.final or at_every_release(response_cache.document(release))
    return results.results(question, totals, n, confidence, watched)
