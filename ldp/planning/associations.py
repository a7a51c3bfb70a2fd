"""The number of reports that shows dependence of two questions, and the least dependence that n reports show (M31).

A cross-table is tested as a whole, in every cell, or both with half of the level each. For many reports the statistic
of the whole table is chi-square with a noncentrality that grows with n, and Fisher's test of a cell is a normal test
with continuity correction. Both tests use the deviations of cells from independence, which are drawn some thousand
times from their normal law.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypedDict

import numpy as np
import scipy

from ldp import search
from ldp.arrays import Values
from ldp.forms import joint_crossing
from ldp.forms.crossed import Crossed
from ldp.forms.joint_crossing import JointCrossing
from ldp.forms.pooled_cells import OneChannel, PooledCells
from ldp.inference import association, hypotheses
from ldp.inference.crossed import Crossing
from ldp.inference.estimates import onto_simplex
from ldp.inference.variables import scaled, scaled_keep
from ldp.planning import expectation
from ldp.planning.cells import CellNoise, Drawn, drawn, noise_of
from ldp.planning.expectation import Way
from ldp.search import LEVEL, POWER, least_alpha

DIFFERENCE = 0.1  # a difference that most readers find relevant
STEP = 0.001  # of differences


@dataclass(frozen=True)
class Dependence:
    """Dependence of two questions: answer k to the second is more common, by a difference of shares, among people with
    answer j to the first than among all others. Other answers keep their proportions. Margins are (d1,) and (d2,), each
    share below 1."""

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
        """The largest possible difference with these margins."""
        falling = self._slope < 0
        return float((np.outer(self.rows, self.columns)[falling] / -self._slope[falling]).min())

    def law(self, difference: float) -> Values:
        """Return the joint shares with this difference, (d1, d2)."""
        return np.asarray(np.maximum(np.outer(self.rows, self.columns) + difference * self._slope, 0.0))


# Expected crossings ---------------------------------------------------------------------------------------------------


Expected = Callable[[Values], Crossed]  # from the joint shares of the answers


def of_ways(ways: Sequence[Way]) -> Expected:
    return lambda law: expectation.crossing(ways, law)


def expected(crossing: Crossed) -> Expected:
    """Return the expected crossing of the same questions, with the present numbers of reports of each channel."""
    parts = crossing.parts if isinstance(crossing, PooledCells) else (crossing,)
    return of_ways([Way(part.n, part.first, part.second) for part in parts])


def with_alpha(crossing: OneChannel, factor: float) -> Expected:
    """Return the expected crossing with alphas times `factor`. ValueError for a mechanism with a delta, whose table
    alpha does not determine."""
    first, second = crossing.first, crossing.second
    if isinstance(crossing, JointCrossing):
        keep = scaled_keep(first.question, factor)
        return lambda law: expectation.together(first, second, law, keep)
    return of_ways([Way(1, scaled(first, factor), scaled(second, factor))])


def alpha_total(crossing: OneChannel) -> float:
    """Return the alpha of both answers together."""
    own = [float(each.question["alpha"]) for each in (crossing.first, crossing.second)]
    return own[0] if isinstance(crossing, JointCrossing) else sum(own)


# Power ----------------------------------------------------------------------------------------------------------------


def power(expected: Crossed, n: int, level: float = LEVEL) -> float:
    """Return the chance that n reports show dependence; 0 if n is too small for any test. `expected` is the crossing of
    very many reports."""
    return _Look(expected, n, None).power(level)


def tested_from(expected: Crossed) -> float:
    """Return the number of reports that the test of the whole table needs."""
    if isinstance(expected, PooledCells):
        return expected.tested_from
    if isinstance(expected, JointCrossing):
        return joint_crossing.tested_from(expected.pair)
    return hypotheses.EXPECTED_MIN * expected.n / association.least_expected(expected)


class _Look:
    """The power of n reports at any level, from the expected crossing of very many reports. Noise is drawn if it is
    None."""

    def __init__(self, expected: Crossed, n: int, noise: CellNoise | None) -> None:
        self._expected, self._n, self._noise = expected, n, noise
        self._is_tested = n >= tested_from(expected)

    def power(self, level: float) -> float:
        if not are_cells_tested(self._expected):
            return self._statistic_power(level) if self._is_tested else 0.0
        return self._drawn.power(level / 2 if self._is_tested else level)

    def _statistic_power(self, level: float) -> float:
        statistic, degrees = self._test
        return float(scipy.stats.ncx2.sf(scipy.stats.chi2.isf(level, degrees), degrees, statistic))

    @cached_property
    def _test(self) -> tuple[float, int]:
        of = self._expected
        test = association.whole_table(of) if isinstance(of, Crossing) else of.independence()
        assert test is not None
        return test.statistic * self._n / of.n, test.degrees

    @cached_property
    def _drawn(self) -> Drawn:
        assert isinstance(self._expected, Crossing)
        noise = self._noise or noise_of(self._expected)
        return drawn(self._expected, noise, self._n, self._is_tested)


def are_cells_tested(expected: Crossed) -> bool:
    return isinstance(expected, Crossing) and association.are_cells_tested(expected)


# Prospects ------------------------------------------------------------------------------------------------------------


class Prospect:
    """The power of reports about two questions, by their dependence. The questions' shares stay the same, and so does
    the noise, which is drawn once. The draws do not depend on the level."""

    def __init__(self, expected: Expected, effect: Dependence) -> None:
        self._expected, self.effect = expected, effect
        self._looks: dict[tuple[float, int], _Look] = {}

    @cached_property
    def _noise(self) -> CellNoise | None:
        independent = self._expected(self.effect.law(0))
        return noise_of(independent) if are_cells_tested(independent) else None  # type: ignore[arg-type]

    def power(self, difference: float, n: int, level: float) -> float:
        if (difference, n) not in self._looks:
            self._looks[difference, n] = _Look(self._expected(self.effect.law(difference)), n, self._noise)
        return self._looks[difference, n].power(level)

    def smallest(self, n: int, level: float = LEVEL, wanted: float = POWER) -> float | None:
        """Return the least difference, in STEPs, that n reports show with this power; None if there is none."""
        return search.smallest(lambda d: self.power(d, n, level), wanted, STEP, int(self.effect.most / STEP))

    def needed(self, difference: float, level: float = LEVEL, wanted: float = POWER) -> int | None:
        """Return about how many reports show the difference with this power, two digits; None if more than N_MOST."""
        return search.fewest(lambda n: self.power(difference, n, level), wanted)


class Alphas:
    """Prospects at other alphas, by the total of both questions."""

    def __init__(self, crossing: OneChannel, effect: Dependence) -> None:
        self._crossing, self._effect = crossing, effect
        self._prospects: dict[float, Prospect] = {}

    def power(self, alpha: float, difference: float, level: float) -> float:
        if alpha not in self._prospects:
            expected = with_alpha(self._crossing, alpha / alpha_total(self._crossing))
            self._prospects[alpha] = Prospect(expected, self._effect)
        return self._prospects[alpha].power(difference, self._crossing.n, level)

    def needed(self, difference: float, level: float = LEVEL, wanted: float = POWER) -> float | None:
        """Return the least total alpha, in ALPHA_STEPs up to ALPHA_MOST, at which equally many reports show the
        difference with this power; None if there is none, or it is unknown."""
        total = alpha_total(self._crossing)
        return least_alpha(total, lambda alpha: self.power(alpha, difference, level), wanted)


class Outlook(TypedDict):
    """Ways to show dependence. `smallest` is the least difference that the present number of reports shows with POWER:
    how much more common answer `column` is among people with answer `row` than among others. `reports`, or the total
    `alpha` of both questions, would show DIFFERENCE. They are None if nothing would, if DIFFERENCE shows already, or if
    these shares cannot differ that much; `alpha` also if it is unknown or forms have several."""

    confidence: float
    row: int
    column: int
    smallest: float | None
    reports: int | None
    alpha: float | None


def outlooks(crossing: Crossed, confidences: Sequence[float]) -> list[Outlook]:
    """Return the outlook for the most common answer to each question, by both tests together, at each confidence; empty
    if everyone seems to give one answer."""
    rows, columns = (onto_simplex(shares) for shares, _ in crossing.margins)
    if max(rows.max(), columns.max()) >= 1:
        return []
    effect = Dependence(rows, columns, int(rows.argmax()), int(columns.argmax()))
    prospect = Prospect(expected(crossing), effect)
    alphas = None if isinstance(crossing, PooledCells) else Alphas(crossing, effect)
    return [_outlook(prospect, alphas, crossing.n, confidence) for confidence in confidences]


def _outlook(prospect: Prospect, alphas: Alphas | None, n: int, confidence: float) -> Outlook:
    effect, level = prospect.effect, 1 - confidence
    least = prospect.smallest(n, level)
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
    made["reports"] = prospect.needed(DIFFERENCE, level)
    return {**made, "alpha": alphas.needed(DIFFERENCE, level) if alphas else None}
