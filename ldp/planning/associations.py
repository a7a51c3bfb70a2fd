"""How many reports show that two questions depend on each other, and how much they must (M31, M34b).

The power is that of what a cross-table says: by a test of the whole table, by one of every cell, or by both with half
of the level each. For many reports the statistic of the whole table is chi-square with a noncentrality that grows with
n, and Fisher's test of a cell is a normal one with a correction for continuity. Where there are both, they look at the
same deviations of the cells from independence, which are drawn some thousand times from their normal law.
"""

from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import TypedDict

import numpy as np
import numpy.typing as npt
import scipy

from ldp.forms import dependence
from ldp.forms.crossed import JointCrossing
from ldp.inference import association
from ldp.inference.crossed import Crossing
from ldp.inference.hypotheses import helmert
from ldp.inference.projected import onto_simplex
from ldp.inference.scaled import least_alpha, scaled, scaled_alpha
from ldp.inference.variables import Variable
from ldp.mechanisms import joint
from ldp.planning import expectation, search

Values = npt.NDArray[np.float64]

POWER, LEVEL = 0.8, 0.05
DIFFERENCE = 0.1  # that most readers would care for
DRAWS_MOST, DRAWS_LEAST, NUMBERS = 4000, 500, 1 << 19
# Differences of shares are told apart by so much.
STEP = 0.001


@dataclass(frozen=True)
class Dependence:
    """Answer k to the second question is commoner, by a difference of shares, among those with answer j to the first
    than among all others; the other answers keep their proportions. Margins (d1,) and (d2,), below 1 each."""

    rows: Values
    columns: Values
    j: int
    k: int

    @cached_property
    def _slope(self) -> Values:
        one, other = -self.rows / (1 - self.rows[self.j]), -self.columns / (1 - self.columns[self.k])
        one[self.j] = other[self.k] = 1.0
        return np.asarray(self.rows[self.j] * (1 - self.rows[self.j]) * np.outer(one, other))

    @property
    def most(self) -> float:
        """The largest difference that people with these margins can have."""
        falling = self._slope < 0
        return float((np.outer(self.rows, self.columns)[falling] / -self._slope[falling]).min())

    def law(self, difference: float) -> Values:
        """The joint shares, (d1, d2)."""
        return np.asarray(np.maximum(np.outer(self.rows, self.columns) + difference * self._slope, 0.0))


# What is expected -----------------------------------------------------------------------------------------------------


Expected = Callable[[Values], Crossing | JointCrossing]  # by the joint shares of the answers


def apart(first: Variable, second: Variable) -> Expected:
    return lambda law: expectation.apart(first, second, law)


def together(crossing: JointCrossing) -> Expected:
    """Its counts are not looked at."""
    table = joint.marginal(crossing.tally.table, crossing.tally.sizes, crossing.places)
    return lambda law: expectation.together(crossing.first, crossing.second, law, table)


def expected(crossing: Crossing | JointCrossing) -> Expected:
    """What is expected of the questions of a crossing, whose counts are not looked at."""
    if isinstance(crossing, JointCrossing):
        return together(crossing)
    return apart(crossing.first, crossing.second)


def with_alpha(crossing: Crossing | JointCrossing, factor: float) -> Expected:
    """What is expected where the alphas are so many times what they are. ValueError for an item of a grid, an option of
    a multiple choice, one question of a joint form or a mechanism that takes more than alpha: their tables do not
    follow from it."""
    if isinstance(crossing, JointCrossing):
        table = joint.table(scaled_alpha(crossing.first.question["alpha"], factor), crossing.tally.sizes)
        return together(replace(crossing, tally=replace(crossing.tally, table=table)))
    return apart(scaled(crossing.first, factor), scaled(crossing.second, factor))


def alpha_total(crossing: Crossing | JointCrossing) -> float:
    """That of both answers."""
    own = [float(each.question["alpha"]) for each in (crossing.first, crossing.second)]
    return own[0] if isinstance(crossing, JointCrossing) else sum(own)


# Power ----------------------------------------------------------------------------------------------------------------


def power(expected: Crossing | JointCrossing, n: int, level: float = LEVEL) -> float:
    """The chance that so many reports, where these are expected of very many, show dependence. 0 where they are too few
    for any test."""
    is_whole = n >= tested_from(expected)
    if isinstance(expected, JointCrossing) or not association.are_cells_tested(expected):
        return _whole(expected, n, level) if is_whole else 0.0
    return _cells(expected, n, level / 2 if is_whole else level, is_whole)


def tested_from(expected: Crossing | JointCrossing) -> float:
    """The number of reports from which the whole table is tested."""
    if isinstance(expected, JointCrossing):
        return dependence.tested_from(expected.tally, *sorted(expected.places))
    return association.EXPECTED_MIN * expected.n / association.least_expected(expected)


def _whole(expected: Crossing | JointCrossing, n: int, level: float) -> float:
    joint = isinstance(expected, JointCrossing)
    test = expected.independence() if joint else association.whole(expected)  # type: ignore[union-attr, arg-type]
    assert test is not None
    limit = scipy.stats.chi2.isf(level, test.degrees)
    return float(scipy.stats.ncx2.sf(limit, test.degrees, test.statistic * n / expected.n))


def _cells(expected: Crossing, n: int, level: float, is_whole: bool) -> float:
    """The chance that a cell stands out by Holm, which is by Bonferroni for the first; or that the whole does."""
    deviations, variances = _deviations(expected)
    (one, first), (other, second) = _spread(expected), _spread(expected.turned())
    draws = min(max(NUMBERS // deviations.size, DRAWS_LEAST), DRAWS_MOST)
    noise = one @ _normal(draws, *deviations.shape) @ other
    unrelated = np.outer(np.diag(one @ one), np.diag(other @ other))
    drawn = deviations + np.sqrt(variances / unrelated / n) * noise
    far = (np.abs(drawn) - 0.5 / n) / np.sqrt(unrelated / n)
    shown = far.max(axis=(1, 2)) >= -scipy.special.ndtri(level / deviations.size / 2)
    if is_whole:
        statistic = n * ((first @ drawn @ second.T) ** 2).sum(axis=(1, 2))
        shown |= statistic >= scipy.stats.chi2.isf(level, len(first) * len(second))
    return float(shown.mean())


@lru_cache(maxsize=2)
def _normal(draws: int, rows: int, columns: int) -> Values:
    """One draw for all tables of a shape: a search asks for the power of dozens, and drawing takes longest."""
    drawn = np.random.default_rng(0).standard_normal((draws, rows, columns))
    drawn.flags.writeable = False
    return drawn


def _deviations(expected: Crossing) -> tuple[Values, Values]:
    """How much commoner two symbols are together than if they were independent, and n times the variance of that."""
    frequencies = expected.counts / expected.n
    both, one, other = frequencies[1:, 1:], frequencies[1:, :1], frequencies[:1, 1:]
    second = both * ((1 - one) * (1 - other)) ** 2 + (one - both) * ((1 - one) * other) ** 2
    second += (other - both) * (one * (1 - other)) ** 2 + (1 - one - other + both) * (one * other) ** 2
    deviations = both - one * other
    return deviations, second - deviations**2


def _spread(expected: Crossing) -> tuple[Values, Values]:
    """The symmetric root of the covariance of the first variable's symbols, (d, d), and what makes contrasts of its
    shares uncorrelated, of variance 1, of them, (d - 1, d)."""
    gap = float(expected.first.moments.gap)
    estimates = association.covariance_of(expected.first, expected.margins[0][0], expected.counts[:, 0])
    values, vectors = np.linalg.eigh(gap**2 * estimates)
    root = vectors * np.sqrt(np.maximum(values, 0)) @ vectors.T
    contrasts = helmert(len(root))
    lower = np.linalg.cholesky(contrasts @ estimates @ contrasts.T)
    return root, np.linalg.solve(lower, contrasts) / gap


# What would do --------------------------------------------------------------------------------------------------------


def needed(expected: Crossing | JointCrossing, level: float = LEVEL, wanted: float = POWER) -> int | None:
    """About how many reports show it with this power, in two digits; None where N_MOST are too few."""
    return search.fewest(lambda n: power(expected, n, level), wanted)


def smallest(
    expected: Expected, effect: Dependence, n: int, level: float = LEVEL, wanted: float = POWER
) -> float | None:
    """The least difference that n reports show with this power, to STEP; None where they show none."""
    steps = range(1, int(effect.most / STEP) + 1)
    place = bisect_left(steps, wanted, key=lambda step: power(expected(effect.law(step * STEP)), n, level))
    return steps[place] * STEP if place < len(steps) else None


def alpha_needed(
    crossing: Crossing | JointCrossing, law: Values, level: float = LEVEL, wanted: float = POWER
) -> float | None:
    """The least total alpha, to ALPHA_STEP and no more than ALPHA_MOST, at which as many reports show it with this
    power; None where none does, or it cannot be told."""
    total = alpha_total(crossing)
    return least_alpha(total, lambda alpha: power(with_alpha(crossing, alpha / total)(law), crossing.n, level), wanted)


class Outlook(TypedDict):
    """What would show dependence: `smallest` is the least difference that as many reports show with POWER, where answer
    `column` is commoner among those with answer `row` than among the others; `reports` or the total `alpha` of both
    questions would show DIFFERENCE, None where none does, where it shows already, or where people with these shares
    cannot differ so much. Of an alpha also where it cannot be told."""

    confidence: float
    row: int
    column: int
    smallest: float | None
    reports: int | None
    alpha: float | None


def outlook(crossing: Crossing | JointCrossing, confidence: float) -> Outlook | None:
    """The outlook for the commonest answer to each question, by both tests together at this confidence. None where
    everybody seems to give one answer: nothing depends on it."""
    rows, columns = (onto_simplex(shares) for shares, _ in crossing.margins)
    if max(rows.max(), columns.max()) >= 1:
        return None
    effect, level = Dependence(rows, columns, int(rows.argmax()), int(columns.argmax())), 1 - confidence
    least = smallest(expected(crossing), effect, crossing.n, level)
    made: Outlook = {
        "confidence": confidence,
        "row": effect.j,
        "column": effect.k,
        "smallest": least,
        "reports": None,
        "alpha": None,
    }
    if effect.most < DIFFERENCE or (least is not None and least <= DIFFERENCE):
        return made
    law = effect.law(DIFFERENCE)
    return {
        **made,
        "reports": needed(expected(crossing)(law), level),
        "alpha": alpha_needed(crossing, law, level),
    }
