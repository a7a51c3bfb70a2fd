"""Comparisons of shares or means: tests and intervals corrected for multiple testing (M33), and their texts."""

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
    """A difference of two shares.

    `first` and `second` are indices of two options, of an option in both surveys, or of one option and None.
    `corrected` is `p_value` corrected for the page's other comparisons. If both are None, `untested` says why.
    """

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
    """Return the test of two shares, or of two means as fractions of their scales, from separate reports."""
    interval, p_value = apart.interval(here, there, confidence), apart.p_value(here, there, confidence)
    return Test(*places, apart.estimate(here, there), interval, p_value, INEXACT)


def among_reached(
    test: Test, at: Callable[[float], Interval], filler: float, deciding: Deciders, confidence: float
) -> Test:
    """Return the comparison among people who were asked (M34d). `test` and its interval `at(confidence)` describe
    everyone. `filler` is the filler's part in the first share minus its part in the second."""
    estimate, span = number_among(test.estimate, at, filler, deciding, confidence, -1.0)
    if filler:
        return Test(test.first, test.second, estimate, span, None, INEXACT)
    # If shares are equal among people who were asked, they are equal among all. The raised p-value decides at the error
    # of the interval in M34d.
    p_value = None if test.p_value is None else min(test.p_value / (1 - SPENT), 1.0)
    return Test(test.first, test.second, estimate, span, p_value, test.untested)


def compared(tried: Sequence[Test], confidence: float, watched: bool) -> list[Comparison]:
    """Return the tests corrected for each other. If `watched`, no p-value holds at every release."""
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
    """Return the comparison's columns by name, its numbers times `scale`. `reason` is a key of UNTESTED."""
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
    """Return the row with a sentence in place of the key of UNTESTED."""
    with override(language):
        return row | {"reason": str(UNTESTED[row["reason"]]) if row["reason"] else None}


def guarantee(released: ReleasedQuestion, option: str, confidence: float) -> str:
    """Return the guarantee of an answer's published interval for the population: "proved" or "checked"."""
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
    """Return the decimals of a table's numbers: at most 2, enough to show a sixth of the widest interval."""
    return min(2, numerals.decimals_for(spacing(every)))


def spacing(every: Sequence[Comparison], scale: float = 1.0) -> float:
    """Return a sixth of the widest interval, times `scale`: the smallest difference that a table shows."""
    return scale * max((one.interval.high - one.interval.low for one in every), default=1.0) / 6 or 1.0
