"""Whether people leave where a question hurts (M35): each form's number of reports against its weight.

The form is drawn before anything is asked, so if people leave no form more than another, n_f of n reports is
Binomial(n, w_f/W) whatever they answer, and whoever leaves all forms alike changes nothing. Each form has the exact
two-sided test at level/F, so that a survey in which nobody leaves for the form's sake is accused with a chance of at
most `level`.

What may be missing. Let r_f be the part of those who drew form f that sent a report, and r the same of all who drew
another form. n_f is Binomial(n, pi) with pi/(1-pi) = (w_f r_f)/((W - w_f) r), so Clopper and Pearson's limits of pi are
limits of r_f/r. Of the people who report when they draw another form, suppose that the part m = 1 - r_f/r is gone here,
and that nobody reports here who would not elsewhere. Whatever those gone would have answered, their share s' is
between (1-m) s and (1-m) s + m, s that of the form's own reports (worst case bounds, Manski 1989).
"""

from collections.abc import Sequence
from typing import NamedTuple

import scipy

from ldp.forms import lot
from ldp.inference.intervals import Interval

# The chance with which a survey is accused though people leave no form more than another.
LEVEL = 0.001


class Retention(NamedTuple):
    """The retention of one form. `direction` is -1 where fewer reports came than chance allows, 1 where more, else 0;
    `ratio` the interval of r_f/r, which may reach to infinity. The intervals of all forms hold at once."""

    n: int
    expected: float
    p_value: float
    direction: int
    ratio: Interval

    @property
    def missing(self) -> float:
        """The part that may be gone at most, of those who report when they draw another form."""
        return max(0.0, 1.0 - self.ratio.low)


def of_forms(counts: Sequence[int], weights: lot.Weights, level: float = LEVEL) -> list[Retention]:
    """The retention of two forms or more and at least one report."""
    lot.check(weights)
    if len(counts) != len(weights) or len(weights) < 2 or sum(counts) < 1:
        raise ValueError("must be the numbers of reports of two forms or more")
    total, whole, each = sum(counts), sum(weights), level / len(weights)
    return [_of_form(n, total, weight / whole, each) for n, weight in zip(counts, weights, strict=True)]


def _of_form(n: int, total: int, chance: float, level: float) -> Retention:
    law = scipy.stats.binom(total, chance)
    at_most, at_least = float(law.cdf(n)), float(law.sf(n - 1))
    p_value = min(1.0, 2 * min(at_most, at_least))
    direction = 0 if p_value > level else -1 if at_most < at_least else 1
    return Retention(n, total * chance, p_value, direction, _ratio(n, total, chance, level))


def _ratio(n: int, total: int, chance: float, level: float) -> Interval:
    tail, odds = level / 2, chance / (1 - chance)
    low = float(scipy.special.betaincinv(n, total - n + 1, tail)) if n else 0.0
    high = float(scipy.special.betaincinv(n + 1, total - n, 1 - tail)) if n < total else 1.0
    return Interval(low / (1 - low) / odds, high / (1 - high) / odds if high < 1 else float("inf"))


def bounds(share: Interval, missing: float) -> Interval:
    """The range of everybody's share if such a part is gone, from the interval of those who reported. It holds with
    the share's confidence less `level`, the chance that `missing` falls short."""
    return Interval((1 - missing) * share.low, (1 - missing) * share.high + missing)
