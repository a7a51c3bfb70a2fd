"""The expected results of a design for a brief, by the rules of publication (M46)."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, NamedTuple

import numpy as np

from ldp.arrays import Values
from ldp.forms import efficiency
from ldp.forms.efficiency import Efficiency
from ldp.kinds import KINDS
from ldp.planning.design import Brief, BriefQuestion, Design, DesignDraw, KeyPair
from ldp.planning.design_columns import Columns, question_prices
from ldp.planning.design_widths import Widths
from ldp.planning.draw_prices import CONFIDENCE
from ldp.planning.outlook import HOPELESS, quantile

# When a question first has results: before the survey's end, at its end, or never.
When = Literal["before", "end", "never"]

# Pairs of a form's fraction of all reports and its draws.
Published = Sequence[tuple[float, tuple[DesignDraw, ...]]]

# The chance that a form has enough reports.
SURE = 0.99

# Importance of all pairs relative to all shares: 1% more people for the shares is worth 10% fewer people for the pairs.
CROSSING = 0.1

# The half-width that counts for a question without an interval.
_WIDEST = 1000.0


class Merit(NamedTuple):
    """The order of designs: the first number that differs decides.

    `without_result` counts questions that are not published or whose interval spans more than half of all values.
    `uncrossed` counts named pairs in no report, or is 1 if all pairs are wished and some are missing. `missed` counts
    missed wishes. `loss` is the importance-weighted mean of (half-width/half-width without privacy)^2, each times the
    square of its ratio to a missed wish. It is multiplied by the crossing error to the power CROSSING.
    """

    without_result: int
    uncrossed: int
    missed: int
    loss: float

    def is_no_worse_than(self, other: "Merit") -> bool:
        return self <= other or (self[:3] == other[:3] and math.isclose(self.loss, other.loss, rel_tol=1e-9))


@dataclass(frozen=True)
class Outcome:
    """The expected results. `half_widths` are those of simultaneous intervals by question, infinite if nothing is
    published. `error` is the loss without wishes and pairs. `reached` has the fraction of people asked, for questions
    whose half-widths are only about them."""

    half_widths: Mapping[str, float]
    publishes: Mapping[str, When]
    uncrossed: tuple[KeyPair, ...]
    error: float
    merit: Merit
    reached: Mapping[str, float]

    @property
    def nothing(self) -> bool:
        """Return whether no question will ever have a result."""
        return self.merit.without_result == len(self.half_widths)


def outcome(columns: Columns, design: Design) -> Outcome:
    """Return the design's expected results with the brief's n people."""
    brief = columns.brief
    published = [(part, draws) for part, draws in design.parts if when(brief, design, part) != "never"]
    own = Widths(brief, design, published)
    widths = {each.key: own.at(each.key, brief.n) if each.key in own.prices else math.inf for each in brief.questions}
    publishes = {each.key: _when(brief, design, each.key) for each in brief.questions}
    together = Design((), ()).pairs.union(*(_pairs(draws) for _, draws in published))
    uncrossed = tuple(_sorted(pair) for pair in sorted(brief.pairs - together, key=sorted))
    return _judged(columns, published, widths, publishes, uncrossed, own.reached)


def _judged(
    columns: Columns,
    published: Published,
    widths: Mapping[str, float],
    publishes: Mapping[str, When],
    uncrossed: tuple[KeyPair, ...],
    reached: Mapping[str, float],
) -> Outcome:
    brief = columns.brief
    widest = {each.key: min(widths[each.key], _WIDEST) for each in brief.questions}
    missed = {each.key: max(1.0, widest[each.key] / each.wished) if each.wished else 1.0 for each in brief.questions}
    whole = math.fsum(each.importance for each in brief.questions)
    errors = {
        each.key: each.importance / whole * (widest[each.key] / plain(each, brief.n)) ** 2 for each in brief.questions
    }
    loss = math.fsum(error * missed[key] ** 2 for key, error in errors.items())
    merit = Merit(
        sum(width > HOPELESS for width in widths.values()),
        min(len(uncrossed), 1) if brief.crossed == "all" else len(uncrossed),
        sum(times > 1 + 1e-9 for times in missed.values()),
        loss if uncrossed else loss * crossing_error(columns, published) ** CROSSING,
    )
    return Outcome(widths, publishes, uncrossed, math.fsum(errors.values()), merit, reached)


def crossing_error(columns: Columns, published: Published) -> float:
    """Return the variance of the interaction over that without privacy, averaged over the pairs to be crossed that are
    in one report; 1 without any.

    Designs are ordered as if everyone were asked both. If conditions ask only a part P of the people (M34g), the
    variance is up to E g^2/P^2 times as large, where g is the score of who is asked, and 1/P times without privacy. So
    this ratio lacks a factor of up to E g^2/P, which depends on how each form randomizes the deciding questions.
    """
    information = _informed(columns, published)[len(columns.free) :]
    return float((1 / information[information > 0]).mean()) if (information > 0).any() else 1.0


def _informed(columns: Columns, published: Published) -> Values:
    everyone = {key for key, _ in columns.brief.everyone}
    information = np.zeros(len(columns.free) + len(columns.pairs))
    for part, draws in published:
        information += part * columns.column([draw for draw in draws if not everyone & set(draw.keys)]).information
    return information


def _pairs(draws: Sequence[DesignDraw]) -> set[frozenset[str]]:
    return Design(tuple(draws)).pairs


def _sorted(pair: frozenset[str]) -> KeyPair:
    first, second = sorted(pair)
    return first, second


def plain(question: BriefQuestion, n: float) -> float:
    """Return the half-width without privacy if everyone answers."""
    planned = question.asked
    kind = KINDS[planned.kind]
    z = quantile(CONFIDENCE, kind.together(planned.size, planned.size.d == 2))
    return z * math.sqrt(kind.without_privacy(planned.size).expected / n)


# Publication ----------------------------------------------------------------------------------------------------------


def _when(brief: Brief, design: Design, key: str) -> When:
    """Return the earliest time that one of the question's forms has results."""
    collected = {when(brief, design, part) for part, draws in design.parts if any(key in draw.keys for draw in draws)}
    return next((time for time in _TIMES if time in collected), "never")


_TIMES: tuple[When, ...] = ("before", "end", "never")


def when(brief: Brief, design: Design, part: float) -> When:
    """Return when a form with this fraction of all reports has results. Forms are drawn by lot, so the expected number
    of reports must make enough reports likely (SURE)."""
    numbers = brief.first, brief.fewest
    needed = [expected_for(number) if design.forms else number for number in numbers]
    return next(
        (time for time, least in zip(_TIMES, needed, strict=False) if brief.n * part >= least * (1 - 1e-6)), "never"
    )


@lru_cache(maxsize=64)
def expected_for(fewest: int) -> float:
    """Return the expected number of reports at which a form has at least `fewest` with the chance SURE.

    A lot draws the form, so its reports are binomial. Their tail below the mean is at most Poisson's (Anderson and
    Samuels 1967).
    """
    if fewest < 1:
        return 0.0
    low, high = float(fewest), 2.0 * fewest + 10
    while high - low > 1e-6 * high:
        middle = (low + high) / 2
        fewer = math.fsum(math.exp(k * math.log(middle) - middle - math.lgamma(k + 1)) for k in range(fewest))
        low, high = (low, middle) if fewer <= 1 - SURE else (middle, high)
    return high


# Efficiency (M48) -----------------------------------------------------------------------------------------------------


def design_efficiency(columns: Columns, design: Design) -> Efficiency | None:
    """Return how near the design comes to the bound, with all its forms; None if no bound is known: for means and
    rankings, and if a mechanism has a delta. The items of a list or grid share its importance."""
    prices, sizes = question_prices(columns.brief, design.parts), list[int]()
    variances, importance = list[float](), list[float]()
    for each in columns.brief.questions:
        items = efficiency.parts(each.asked.kind, each.asked.size)
        if not items or each.asked.delta or each.key not in prices:
            return None
        sizes += items
        variances += [prices[each.key].variance] * len(items)
        importance += [each.importance / len(items)] * len(items)
    alpha = max(design.alpha, columns.brief.total)
    return efficiency.efficiency(float(alpha), sizes, variances, importance)
