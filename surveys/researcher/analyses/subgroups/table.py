"""The document of subgroups as rows of a page, with numbers as text."""

from collections.abc import Sequence
from typing import NamedTuple

from django.utils.translation import gettext as _

from ldp.subgroup_comparisons import Between
from ldp.subgroups import ByStratum, Share, Stratum, SubgroupsDocument, Within
from surveys.figures import numerals
from surveys.researcher.analyses.frame.inputs import option_texts

# If there are more pairs of groups, only pairs that differ are shown.
PAIRS_MAX = 3


class StratumRow(NamedTuple):
    """A stratum's percentages or means as text, and their places on a line from 0 to 100. If the stratum is too small
    for an estimate, `needed` is the number of reports that would be enough."""

    stratum: str
    estimate: str
    interval: str
    needed: str
    low: str
    high: str
    point: str


class StratifiedAnswer(NamedTuple):
    """An answer with its share among all who were asked both questions, as text and on the line. An impossible share
    has no text, since no interval is beside it."""

    name: str
    of_all: str
    mark: str
    rows: list[StratumRow]
    differences: list["ComparisonRow"]


class ComparisonRow(NamedTuple):
    """The difference in an answer's share between two groups, as texts."""

    of: str
    than: str
    estimate: str
    interval: str
    shows: bool


class StratifiedQuestion(NamedTuple):
    """A question, item or option. A mean has a unit. `ends` are the ends of the axis."""

    key: str
    text: str
    n: str
    is_mean: bool
    unit: str
    ends: tuple[str, str]
    answers: list[StratifiedAnswer]


class StratumUnit(NamedTuple):
    """The format of a question's numbers, and their places on a line. Shares are in percent, means in their unit."""

    scale: tuple[float, float] | None
    digits: int

    def number(self, value: float) -> str:
        return numerals.share(value, self.digits) if self.scale is None else numerals.number(value, self.digits)

    def span(self, ends: Sequence[float], apart: float | None = None) -> str:
        """Return the interval as text. Rounding never makes it contain `apart` if it does not."""
        if self.scale is None:
            return numerals.span((ends[0], ends[1]), self.digits, apart)
        return numerals.to(*numerals.outward(ends[0], ends[1], self.digits, apart))

    def possible(self, value: float) -> bool:
        low, high = self.scale or (0.0, 1.0)
        return low <= value <= high

    def at(self, value: float) -> str:
        """Return the value's place on a line from 0 to 100. A value outside is drawn at the end."""
        low, high = self.scale or (0.0, 1.0)
        return f"{100 * min(1.0, max(0.0, (value - low) / (high - low))):.2f}"

    @property
    def ends(self) -> tuple[str, str]:
        if self.scale is None:
            return "0", numerals.percentage(100)
        return numerals.tick(self.scale[0]), numerals.tick(self.scale[1])


def measure(question: ByStratum) -> StratumUnit:
    """Return the format of a question's numbers."""
    scale, error = question.get("scale"), max(share["standard_error"] for share in question["shares"])
    if not scale:
        return StratumUnit(None, min(1, numerals.decimals_for(error)))
    return StratumUnit((scale[0], scale[1]), max(0, numerals.places(error)))


def parts(document: SubgroupsDocument, place: int) -> list[StratifiedQuestion]:
    """Return the tables of all questions. `place` is the index of the confidence in `levels`."""
    strata = option_texts(document["stratum"]["options"])
    return [_part(question, strata, place) for question in document["questions"]]


def _part(question: ByStratum, strata: list[str], place: int) -> StratifiedQuestion:
    shares, its = question["shares"], measure(question)
    is_mean = its.scale is not None
    names = [_("Mean")] if is_mean else option_texts([share["option"] for share in shares])
    answers = [_answer(question, share, name, strata, place, its) for share, name in zip(shares, names, strict=True)]
    n, unit = numerals.count(question["n_about"]), question.get("unit") or ""
    return StratifiedQuestion(question["key"], question["text"], n, is_mean, unit, its.ends, answers)


def _answer(
    question: ByStratum, share: Share, name: str, strata: list[str], place: int, its: StratumUnit
) -> StratifiedAnswer:
    rows = [
        _row(stratum, own, within, place, its)
        for stratum, own, within in zip(strata, question["strata"], share["within"], strict=True)
    ]
    of_all = its.number(share["estimate"]) if its.possible(share["estimate"]) else ""
    return StratifiedAnswer(name, of_all, its.at(share["estimate"]), rows, _differences(share, strata, place, its))


def _differences(share: Share, strata: list[str], place: int, its: StratumUnit) -> list[ComparisonRow]:
    """Return all pairs of groups if they are few, else only pairs that differ."""
    every = [(one, one["simultaneous"][place]) for one in share["differences"]]
    rows = [_difference(one, strata, low, high, its) for one, (low, high) in every]
    return [row for row in rows if len(rows) <= PAIRS_MAX or row.shows]


def _difference(one: Between, strata: list[str], low: float, high: float, its: StratumUnit) -> ComparisonRow:
    first, second = (strata[s] for s in one["strata"])
    return ComparisonRow(first, second, its.number(one["estimate"]), its.span((low, high), 0), not low <= 0 <= high)


def _row(name: str, stratum: Stratum, within: Within | None, place: int, its: StratumUnit) -> StratumRow:
    if within is None:
        return StratumRow(name, "", "", numerals.integer(stratum["needed"] or 0), "", "", "")
    low, high = within["simultaneous"][place]
    texts = its.number(within["estimate"]), its.span((low, high))
    return StratumRow(name, *texts, "", its.at(low), its.at(high), its.at(within["estimate"]))
