"""A test of whether a form's questions make people leave (M35): each form's number of reports against its weight.

The form is drawn before the first question. If no form loses more people than another, the number n_f of n reports is
Binomial(n, w_f/W) for any answers; leaving all forms alike changes nothing. Each form has the exact two-sided test at
level/F, so a survey without unequal leaving is rejected with a chance of at most `level`. If results may end a survey,
n depends on them, and the confidence sequence of w_f/W (M29) replaces the test. If some reports of a form are unseen,
the test rejects only if it does for every possible number of them.

Missing people. Let r_f be the fraction of people with form f who sent a report, and r the same for people with other
forms. n_f is Binomial(n, pi) with pi/(1-pi) = (w_f r_f)/((W - w_f) r), so Clopper and Pearson's limits of pi give
limits of r_f/r. Suppose that of the people who report with another form the fraction m = 1 - r_f/r is gone here, and
that all who report here would report elsewhere. Whatever the missing people would have answered, the share s' of all
these people is between (1-m) s and (1-m) s + m, s the share in the form's reports (worst case bounds, Manski 1989).

Several forms may ask a question, and people may leave all of them. Then a form's missing fraction is relative to people
who report with a form that does not ask the question; if all forms ask it, to the form that people leave least. With m
the largest of these fractions, every form's share is at most s'/(1-m). Totals rise with each form's share. So the lower
limit of the pooled share is above s'/(1-m) no more often than if all forms had that share; likewise the upper limit.
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

import scipy

from ldp.forms import lot
from ldp.inference import published
from ldp.inference.intervals import Interval, clopper_pearson
from ldp.scores import indicator

# The test's chance of rejecting although no form loses more people than another.
LEVEL = 0.001

_NO_NOISE = indicator(Fraction(1), Fraction(0))


class FormRetention(NamedTuple):
    """One form's retention. `direction` is -1 for fewer reports than chance allows, 1 for more, else 0. `ratio` is the
    interval of r_f/r; its end may be infinite. All forms' intervals hold at once. `p_value` is None if results may end
    the survey."""

    n: int
    expected: float
    p_value: float | None
    direction: int
    ratio: Interval

    @property
    def missing(self) -> float:
        """The largest missing fraction, relative to the people who report with another form."""
        return max(0.0, 1.0 - self.ratio.low)


def of_forms(
    counts: Sequence[int],
    weights: lot.FormWeights,
    level: float = LEVEL,
    unseen: Sequence[int] = (),
    every_look: bool = False,
) -> list[FormRetention]:
    """Return the retention of two or more forms with at least one report in all. `unseen` has each form's largest
    number of unseen reports. `every_look`: results may have ended the survey."""
    lot.check(weights)
    unseen = unseen or [0] * len(counts)
    if not len(counts) == len(weights) == len(unseen) >= 2 or sum(counts) < 1:
        raise ValueError("must be the numbers of reports of two forms or more")
    total, hidden, whole, each = sum(counts), sum(unseen), sum(weights), level / len(weights)
    return [
        _of_form(_Range(n, n + more, total - n, total - n + hidden - more), weight / whole, each, every_look)
        for n, more, weight in zip(counts, unseen, weights, strict=True)
    ]


class _Range(NamedTuple):
    """The least and largest numbers of reports of the form and of the other forms."""

    own: int
    own_most: int
    others: int
    others_most: int


def _of_form(seen: _Range, chance: float, level: float, every_look: bool) -> FormRetention:
    n, expected, ratio = seen.own, (seen.own + seen.others) * chance, _ratio(seen, chance, level, every_look)
    if every_look:
        return FormRetention(n, expected, None, -1 if ratio.high < 1 else 1 if ratio.low > 1 else 0, ratio)
    at_most = float(scipy.stats.binom.cdf(seen.own_most, seen.own_most + seen.others, chance))
    at_least = float(scipy.stats.binom.sf(seen.own - 1, seen.own + seen.others_most, chance))
    p_value = min(1.0, 2 * min(at_most, at_least))
    return FormRetention(n, expected, p_value, 0 if p_value > level else -1 if at_most < at_least else 1, ratio)


def _ratio(seen: _Range, chance: float, level: float, every_look: bool) -> Interval:
    odds = chance / (1 - chance)
    low = _chance(seen.own, seen.own + seen.others_most, level, every_look).low
    high = _chance(seen.own_most, seen.own_most + seen.others, level, every_look).high
    return Interval(
        low / (1 - low) / odds if low < 1 else float("inf"), high / (1 - high) / odds if high < 1 else float("inf")
    )


def _chance(n: int, total: int, level: float, every_look: bool) -> Interval:
    """Return the interval of the chance that a report has the form: Clopper and Pearson's, or a sequence's."""
    if every_look:
        return published.of(_NO_NOISE, total, every_look=True).interval([n], 0, 1 - level, "population")
    return clopper_pearson(n, total, level / 2)


def most_missing(asking: Sequence[int], weights: lot.FormWeights, ratios: Sequence[Interval]) -> float:
    """Return the largest missing fraction in any form that asks a question. It is relative to people who report with a
    form that does not ask it; if all ask it, to the form that people leave least. It holds if the ratios hold."""
    chances = [
        Interval(*(_of_odds(end * weight / (sum(weights) - weight)) for end in ratio))
        for weight, ratio in zip(weights, ratios, strict=True)
    ]
    others = [form for form in range(len(weights)) if form not in asking]
    parts = []
    for reference in [others] if others else [[form] for form in asking]:
        rest = [form for form in range(len(weights)) if form not in reference]
        most = min(sum(chances[form].high for form in reference), 1 - sum(chances[form].low for form in rest))
        stayed = most / sum(weights[form] for form in reference)
        parts += [1 - chances[form].low / weights[form] / stayed for form in asking if form in rest]
    return max(0.0, *parts)


def _of_odds(odds: float) -> float:
    return 1.0 if odds == float("inf") else odds / (1 + odds)


def bounds(share: Interval, missing: float) -> Interval:
    """Return the range of everyone's share if this fraction is missing, from the interval of the people who reported.
    Its confidence is the interval's minus `level`, the chance that `missing` is too small."""
    return Interval((1 - missing) * share.low, (1 - missing) * share.high + missing)
