"""How many people show that an answer is commoner in one group than in another, before anybody answers (M31b).

Groups are the answers to one randomized stratum. A difference shows where the two groups are not too small, and its
interval, which holds at once with those of all differences of the page of subgroups, leaves out 0. With s_g the share
of the answer k in the group g, which is t_g of the people, a report's score of it is

    u_g = (phi(g, k) - s_g phi(g))/t_g,

and the variance of u_g - u_h follows from the scores' means and covariance at each answer: from expected reports
(ldp/regression/expectation.py).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import scipy

from ldp import search
from ldp.arrays import Values
from ldp.inference.crossed import SUBGROUP_ERRORS_MIN
from ldp.inference.variables import Variable
from ldp.planning.regressions import Randomized
from ldp.regression.sample import Sample
from ldp.search import LEVEL, POWER
from ldp.weighting.raking import StrataReports
from ldp.weighting.scores import adds_up

# Sizes of groups are told apart by so much, and differences.
STEP = 0.005


def sizes(groups: int, first: float) -> Values:
    """Shares of the groups where the first one's is this and the others are as common as each other."""
    return np.array([first, *[(1 - first) / (groups - 1)] * (groups - 1)])


def law(sizes: Sequence[float] | Values, answers: int, difference: float) -> Values:
    """Joint shares (groups, answers), where the first answer is so much commoner in the first group than in the second,
    and all answers are equally common in the others. ValueError where no shares are so far apart."""
    middle = min(max(1 / answers, difference / 2), 1 - difference / 2)
    if not 0 < difference <= 1:
        raise ValueError("a difference of shares must be above 0, and at most 1")
    first = np.full(len(sizes), 1 / answers)
    first[:2] = middle + difference / 2, middle - difference / 2
    within = np.column_stack((first, np.repeat(((1 - first) / (answers - 1))[:, None], answers - 1, axis=1)))
    return np.asarray(np.asarray(sizes, dtype=np.float64)[:, None] * within)


@dataclass(frozen=True)
class Planned:
    """The first answer in the first two groups, as it is expected of people with this law. `pair` randomizes the
    stratum and the question, in this order; `together` differences are compared at once."""

    pair: Randomized
    question: Variable
    law: Values
    together: int
    error: float = LEVEL

    @cached_property
    def deviation(self) -> float:
        """sqrt(n) times the standard deviation of the difference's estimate."""
        (first, one), (second, other) = (self._score(group) for group in (0, 1))
        [law] = self._reports.laws((first - second)[..., None], (one - other)[..., None])
        return math.sqrt(law.variance)

    @cached_property
    def sizes(self) -> Values:
        """The shares of the two groups over sqrt(n) times their standard deviations."""
        strata = np.eye(len(self.law))[:, :2]
        laws = self._reports.laws(np.zeros((*self.law.shape, 2)), strata)
        return np.asarray(self.law.sum(axis=1)[:2] / np.sqrt([law.variance for law in laws]))

    @cached_property
    def _expected(self) -> Sample:
        return self.pair.expected(self.law)

    @property
    def _reports(self) -> StrataReports:
        return StrataReports(self._expected, adds_up(self.question))

    def _score(self, group: int) -> tuple[Values, Values]:
        size, both, strata = float(self.law[group].sum()), np.zeros(self.law.shape), np.zeros(len(self.law))
        both[group, 0], strata[group] = 1 / size, -self.law[group, 0] / size**2
        return both, strata

    @property
    def difference(self) -> float:
        within = self.law[:2, 0] / self.law[:2].sum(axis=1)
        return float(within[0] - within[1])

    def chance(self, n: int) -> float:
        """That n people show it."""
        large = scipy.special.ndtr(math.sqrt(n) * self.sizes - SUBGROUP_ERRORS_MIN).min()
        z = -scipy.special.ndtri(self.error / self.together / 2)
        return float(large * scipy.special.ndtr(self.difference / self.deviation * math.sqrt(n) - z))

    def needed(self, wanted: float = POWER) -> int | None:
        """About how many people show it with this chance, in two digits; None where no number does."""
        return search.fewest(self.chance, wanted)


def smallest_group(
    pair: Randomized, question: Variable, groups: int, difference: float, n: int, together: int, wanted: float = POWER
) -> float | None:
    """The least share of n people that the first group may have, to STEP, so that the difference from another one shows
    with this chance, the others being as common as each other; None where not even one as large as theirs does."""

    def chance(first: float) -> float:
        return Planned(pair, question, law(sizes(groups, first), len(question.options), difference), together).chance(n)

    return search.smallest(chance, wanted, STEP, int(1 / groups / STEP))
