"""The numbers of a question's page before they become text. The files have the same numbers."""

import math
from collections.abc import Iterator, Sequence
from decimal import Decimal
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

from ldp.inference import intervals
from ldp.inference.reading import among, quantiles, several, weighted
from ldp.inference.reading.quantiles import Quantile
from ldp.inference.reading.ranks import Ranks
from ldp.inference.tallied import Tallied
from ldp.kinds.histogram import bin_ends
from ldp.scores import Target
from surveys.researcher.results.released import ReleasedQuestion
from surveys.survey import kinds

# The quantiles on every histogram's page, in percent.
LEVELS = (Decimal(10), Decimal(25), Decimal(50), Decimal(75), Decimal(90))
MEDIAN = Decimal(50)

TOO_FEW = gettext_lazy("Too few people may have given an answer for a meaningful estimate. The intervals hold.")
NOT_WHILE_OPEN = gettext_lazy(
    "A quantile of only these respondents moves with every report, and no interval is known that holds at all "
    "releases. For the population there is one."
)

NOT_DRAWN = gettext_lazy("No report is about this entry.")

Ends = tuple[float, float]


class Reading(NamedTuple):
    """A number with its intervals.

    `option` is its subject, for a quantile the estimated category. If only bounds are known, they are `estimate` and
    `estimate_high`. `simultaneous` holds at once for `together` readings. `places` are a quantile's categories: the
    estimate, and the ends of its interval. An open end is infinite. `reason` says why a number is missing.
    """

    quantity: str
    option: str = ""
    level: Decimal | None = None
    unit: str = ""
    estimate: float | None = None
    estimate_high: float | None = None
    standard_error: float | None = None
    interval: Ends | None = None
    simultaneous: Ends | None = None
    together: int | None = None
    places: Quantile | None = None
    proved: bool = False
    reason: Promise | str = ""


def of_question(released: ReleasedQuestion, confidence: float, target: Target) -> Iterator[Reading]:
    """Yield all readings of a question's page, for one confidence and target."""
    by_name = {"scale": _of_scale, "bins": _of_histogram, "dates": _of_dates, "ranks": mean_ranks}
    if name := kinds.of(released.question).reading:
        yield from by_name[name](released, confidence, target)
    if leaves_out(released):
        yield from among_answers(released, confidence, target)
        yield from bounds(released, confidence, target)


def _of_scale(released: ReleasedQuestion, confidence: float, target: Target) -> Iterator[Reading]:
    yield from cumulated(released, confidence, target)
    yield median(released, confidence, target)
    yield mean_rank(released, confidence, target)


def _of_dates(released: ReleasedQuestion, confidence: float, target: Target) -> Iterator[Reading]:
    yield from cumulated(released, confidence, target)
    yield median(released, confidence, target)


def _of_histogram(released: ReleasedQuestion, confidence: float, target: Target) -> Iterator[Reading]:
    yield from of_levels(released, LEVELS, confidence, target)
    yield mean_of_bins(released, confidence, target)
    yield from density(released, confidence, target)


def leaves_out(released: ReleasedQuestion) -> bool:
    """Return whether some category is not an answer. Then shares among people who gave an answer differ."""
    return released.shared_totals is not None and released.answers not in (0, len(released.options))


# Scales ---------------------------------------------------------------------------------------------------------------


def cumulated(released: ReleasedQuestion, confidence: float, target: Target) -> Iterator[Reading]:
    """Yield the share of all people up to each step. People who prefer not to say are up to no step. If no one can, the
    last step is left out: its share is 1."""
    own = _shared_totals(released)
    steps = released.answers if released.answers < len(released.options) else released.answers - 1
    at_once = intervals.bonferroni(confidence, max(steps, 1))
    for k in range(1, steps + 1):
        alone, together = (several.interval(own, range(k), each, target) for each in (confidence, at_once))
        estimate = several.estimate(own, range(k))
        yield Reading(
            "cumulative_share", released.options[k - 1], estimate=estimate, interval=alone, simultaneous=together,
            together=steps, proved=released.sums_proved(target),
        )  # fmt: skip


def mean_rank(released: ReleasedQuestion, confidence: float, target: Target) -> Reading:
    """Return the mean rank among people who chose a step. The first step has rank 1."""
    ranks = np.arange(1.0, released.answers + 1)
    shown, interval = among.mean(_shared_totals(released), ranks, ranks, confidence, target)
    about = Reading(
        "mean_rank", unit="rank", interval=interval, proved=weighted.proved(_shared_totals(released), target)
    )
    return about._replace(estimate=shown[0]) if shown else about._replace(reason=TOO_FEW)


def median(released: ReleasedQuestion, confidence: float, target: Target) -> Reading:
    """Return the median, in ranks like the mean rank."""
    rows = _quantiles(released, [MEDIAN], confidence, target)
    if rows is None:
        return Reading("quantile", level=MEDIAN, unit="rank", reason=NOT_WHILE_OPEN)
    [one] = rows
    ends = (one.first + 1.0, one.last + 1.0)
    about = _of_categories(released, MEDIAN, one, target)
    return about._replace(unit="rank", estimate=one.estimate + 1.0, interval=ends)


# Rankings -------------------------------------------------------------------------------------------------------------


def mean_ranks(released: ReleasedQuestion, confidence: float, target: Target) -> Iterator[Reading]:
    """Yield each item's mean rank. It is 1 if everyone puts the item first."""
    ranks = Ranks(released.question, released.totals, released.watched)
    at_once = intervals.bonferroni(confidence, ranks.k)
    for place, item in enumerate(released.question["ranked"]):
        estimate = ranks.estimate(place)
        yield Reading(
            "mean_rank", item, unit="rank", estimate=estimate, standard_error=ranks.standard_error(place),
            interval=ranks.interval(place, confidence), simultaneous=ranks.interval(place, at_once), together=ranks.k,
            proved=ranks.is_exact and target == "population", reason=NOT_DRAWN if estimate is None else "",
        )  # fmt: skip


# Bins -----------------------------------------------------------------------------------------------------------------


def of_levels(
    released: ReleasedQuestion, levels: Sequence[Decimal], confidence: float, target: Target
) -> list[Reading]:
    """Return quantiles as whole bins. The outer bins are open."""
    rows = _quantiles(released, levels, confidence, target)
    unit = released.question["unit"]
    if rows is None:
        return [Reading("quantile", level=level, unit=unit, reason=NOT_WHILE_OPEN) for level in levels]
    made = []
    for level, one in zip(levels, rows, strict=True):
        low, high = range_of_bins(released, one.estimate, one.estimate)
        about = _of_categories(released, level, one, target)._replace(unit=unit, estimate=low, estimate_high=high)
        made.append(about._replace(interval=range_of_bins(released, one.first, one.last)))
    return made


def range_of_bins(released: ReleasedQuestion, first: int, last: int) -> Ends:
    """Return the lowest number of the first bin and the highest of the last. The end of an open bin is infinite."""
    ends = bin_ends(released.question)
    low = -math.inf if first == 0 else float(ends[first][0])
    return low, math.inf if last == len(ends) - 1 else float(ends[last][1])


def mean_of_bins(released: ReleasedQuestion, confidence: float, target: Target) -> Reading:
    """Return the bounds of the mean that the bins allow, and the interval that holds both."""
    lows, highs = np.array(bin_ends(released.question), dtype=float).T
    shown, interval = among.mean(_shared_totals(released), lows, highs, confidence, target)
    unit, proved = released.question["unit"], weighted.proved(_shared_totals(released), target)
    about = Reading("mean", unit=unit, interval=interval, proved=proved)
    if shown is None:
        return about._replace(reason=TOO_FEW)
    return about._replace(estimate=shown[0], estimate_high=shown[1])


def density(released: ReleasedQuestion, confidence: float, target: Target) -> Iterator[Reading]:
    """Yield shares divided by the width of their bins."""
    result = released.result(confidence)
    widths = [high - low for low, high in pairwise(float(edge) for edge in released.question["edges"])]
    for category, width in zip(result["methods"][0]["categories"], widths, strict=False):
        about = category[target]
        alone, together = ((about[name][0] / width, about[name][1] / width) for name in ("interval", "simultaneous"))
        yield Reading(
            "density", category["option"], unit=released.question["unit"], estimate=category["estimate"] / width,
            standard_error=about["standard_error"] / width, interval=alone, simultaneous=together,
            together=result["together"], proved=about["guarantee"] == "proved",
        )  # fmt: skip


# Among those who answered ---------------------------------------------------------------------------------------------


def among_answers(released: ReleasedQuestion, confidence: float, target: Target) -> Iterator[Reading]:
    """Yield the shares without “Prefer not to say”."""
    ratios = among.shares(_shared_totals(released), released.answers, confidence, target, released.items)
    for option, ratio in zip(released.options, ratios, strict=False):
        yield Reading(
            "share_among_answers", option, estimate=ratio.estimate, interval=ratio.interval,
            simultaneous=ratio.simultaneous, together=released.answers * released.items,
            proved=released.sums_proved(target), reason=TOO_FEW if ratio.estimate is None else "",
        )  # fmt: skip


def bounds(released: ReleasedQuestion, confidence: float, target: Target) -> Iterator[Reading]:
    """Yield bounds of the shares, whatever people who preferred not to say would have said."""
    every = among.bounds(_shared_totals(released), released.answers, confidence, target, released.items)
    for option, one in zip(released.options, every, strict=False):
        yield Reading(
            "share_if_all_had_said", option, estimate=one.low, estimate_high=one.high, interval=one.interval,
            simultaneous=one.simultaneous, together=released.answers * released.items,
            proved=released.sums_proved(target),
        )  # fmt: skip


def _shared_totals(released: ReleasedQuestion) -> Tallied:
    assert released.shared_totals is not None, "all categories share their reports"
    return released.shared_totals


def _quantiles(
    released: ReleasedQuestion, levels: Sequence[Decimal], confidence: float, target: Target
) -> list[Quantile] | None:
    fractions = [float(level) / 100 for level in levels]
    return quantiles.quantiles(_shared_totals(released), released.answers, fractions, confidence, target)


def _of_categories(released: ReleasedQuestion, level: Decimal, quantile: Quantile, target: Target) -> Reading:
    """Return a quantile's categories, without numbers yet."""
    proved = released.sums_proved(target)
    return Reading("quantile", released.options[quantile.estimate], level, places=quantile, proved=proved)
