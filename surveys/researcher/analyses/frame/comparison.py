"""Comparisons of shares or means: tests and intervals corrected for one another (M33), and how they are written."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from django.utils.translation import gettext_lazy as _
from django.utils.translation import override

from ldp.inference.intervals import Interval
from ldp.inference.reading import apart, significance
from ldp.inference.reading.quantiles import SPENT
from ldp.inference.reading.unasked import Deciders, number_among
from ldp.tidy import Row
from surveys.figures import numerals
from surveys.researcher.results.question import value_comparison
from surveys.researcher.results.question.parts import span
from surveys.researcher.results.released import ReleasedQuestion, TalliedOption
from surveys.researcher.sheets.column import Column

NAMED_MAX = 12  # differences that sentences name
LEAST_P = 0.0001

# Why there is no p-value.
WATCHED, SHARED, INEXACT = "watched", "shared", "inexact"
UNTESTED = {
    WATCHED: value_comparison.WATCHED,
    SHARED: _("One report may be about both answers: no exact p-value of their difference is known."),
    INEXACT: value_comparison.INEXACT,
}


class Comparison(NamedTuple):
    """Two options' indices, or an option's of both surveys, or an option's and None. Differences are of shares.
    `corrected` is `p_value` corrected for the others of the page; where both are None `untested` says why."""

    first: int
    second: int | None
    estimate: float
    interval: Interval
    p_value: float | None
    corrected: float | None
    shows: bool
    untested: str

    @property
    def more(self) -> bool:
        return self.estimate > 0


class Test(NamedTuple):
    first: int
    second: int | None
    estimate: float
    interval: Interval
    p_value: float | None
    untested: str = ""


def between(here: TalliedOption, there: TalliedOption, places: tuple[int, int], confidence: float) -> Test:
    """Return two shares, or means as parts of their scales, in reports of their own."""
    interval, p_value = apart.interval(here, there, confidence), apart.p_value(here, there, confidence)
    return Test(*places, apart.estimate(here, there), interval, p_value, INEXACT)


def among_reached(
    test: Test, at: Callable[[float], Interval], filler: float, deciding: Deciders, confidence: float
) -> Test:
    """Return the comparison of people who were asked alone (M34d). `test` and `at(confidence)`, its interval, are those
    of everyone, and `filler` is the filler's part in the first share less that in the second."""
    estimate, span = number_among(test.estimate, at, filler, deciding, confidence, -1.0)
    if filler:
        return Test(test.first, test.second, estimate, span, None, INEXACT)
    # Equal shares among those who were asked are equal shares of all. The p-value is raised so that it decides at the
    # error that the interval of all has in M34d.
    p_value = None if test.p_value is None else min(test.p_value / (1 - SPENT), 1.0)
    return Test(test.first, test.second, estimate, span, p_value, test.untested)


def compared(tried: Sequence[Test], confidence: float, watched: bool) -> list[Comparison]:
    """Corrected for one another; `watched`: no p-value holds at every look."""
    corrected = significance.corrected([one.p_value for one in tried])
    return [_compared(one, p, confidence, watched) for one, p in zip(tried, corrected, strict=True)]


def _compared(one: Test, corrected: float | None, confidence: float, watched: bool) -> Comparison:
    shows = significance.shows(corrected, one.interval, confidence)
    interval = significance.agreeing(shows, one.interval)
    untested = "" if one.p_value is not None else WATCHED if watched else one.untested
    return Comparison(one.first, one.second, one.estimate, interval, one.p_value, corrected, shows, untested)


# In tables ----------------------------------------------------------------------------------------------------------

TOLD_APART = Column(
    "told_apart", "true or false", _("Significant"), "Whether the difference is shown, all pairs taken together."
)


def row(one: Comparison, scale: float = 1.0) -> Row:
    """Return its numbers by the names of columns, a share of 1 being as much as the scale; `reason` is a key of
    UNTESTED."""
    return {
        "difference": scale * one.estimate,
        "simultaneous_low": scale * one.interval.low,
        "simultaneous_high": scale * one.interval.high,
        "told_apart": one.shows,
        "p_value": one.p_value,
        "corrected_p_value": one.corrected,
        "reason": one.untested,
    }


def with_reason(row: Row, language: str = "en") -> Row:
    """Return the row with the sentence of why there is no p-value."""
    with override(language):
        return row | {"reason": str(UNTESTED[row["reason"]]) if row["reason"] else None}


def guarantee(released: ReleasedQuestion, option: str, confidence: float) -> str:
    """Return whether the published interval of an answer for the population is proved."""
    categories = released.result(confidence)["methods"][0]["categories"]
    return next(str(each["population"]["guarantee"]) for each in categories if each["option"] == option)


# In words -----------------------------------------------------------------------------------------------------------


def numbers(one: Comparison, places: int) -> list[str]:
    return [numerals.share(one.estimate, places), span(one.interval, places, 0), p_value(one)]


def p_value(one: Comparison) -> str:
    if one.corrected is None:
        return "–"
    text = "1" if one.corrected == 1 else numerals.rounded_up(one.corrected)
    return text if one.corrected >= LEAST_P else numerals.local(f"< {LEAST_P}")


def decimals(every: Sequence[Comparison]) -> int:
    """Return the decimals of all numbers in a table, at most 2: enough to show a sixth of its widest interval."""
    return min(2, numerals.decimals_for(spacing(every)))


def spacing(every: Sequence[Comparison], scale: float = 1.0) -> float:
    """Return a sixth of the widest interval, times `scale`: the smallest difference that a table shows."""
    return scale * max((one.interval.high - one.interval.low for one in every), default=1.0) / 6 or 1.0
