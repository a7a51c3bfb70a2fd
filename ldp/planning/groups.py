"""The number of people that shows an answer to be more common in one group than in another (M31b).

Groups are the answers to one randomized stratum. A difference shows if both groups are large enough and its interval
excludes 0. All intervals on the page of subgroups hold at once. Let t_g be the share of group g, and s_g the share of
answer k within it. A report's score of s_g is

    u_g = (phi(g, k) - s_g phi(g))/t_g,

and the expected crossing of very many people gives the variance of u_g - u_h (expectation.py).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import scipy

from ldp import search
from ldp.arrays import Values
from ldp.forms.crossed import Crossed
from ldp.inference.crossed import SUBGROUP_ERRORS_MIN
from ldp.planning.associations import Expected
from ldp.search import LEVEL, POWER
from ldp.subgroup_comparisons import differences

STEP = 0.005  # of groups' sizes


def sizes(groups: int, first: float) -> Values:
    """Return the shares of the groups, (groups,): `first`, and equal shares for the others."""
    return np.array([first, *[(1 - first) / (groups - 1)] * (groups - 1)])


def law(sizes: Sequence[float] | Values, answers: int, difference: float) -> Values:
    """Return joint shares, (groups, answers). The first answer is more common by `difference` in the first group than
    in the second, and all answers are equally common in other groups. ValueError unless 0 < difference <= 1."""
    middle = min(max(1 / answers, difference / 2), 1 - difference / 2)
    if not 0 < difference <= 1:
        raise ValueError("a difference of shares must be above 0, and at most 1")
    first = np.full(len(sizes), 1 / answers)
    first[:2] = middle + difference / 2, middle - difference / 2
    within = np.column_stack((first, np.repeat(((1 - first) / (answers - 1))[:, None], answers - 1, axis=1)))
    return np.asarray(np.asarray(sizes, dtype=np.float64)[:, None] * within)


@dataclass(frozen=True)
class Planned:
    """The expected difference of the first answer between the first two groups, for people with this law. `together`
    differences are compared at once."""

    expected: Expected
    law: Values
    together: int
    error: float = LEVEL

    @cached_property
    def _crossing(self) -> Crossed:
        return self.expected(self.law)

    @cached_property
    def deviation(self) -> float:
        """sqrt(n) times the standard deviation of the difference's estimate."""
        [[difference]] = differences(self._crossing, [(0, 1)], [0])
        return math.sqrt(difference.law.variance)

    @cached_property
    def sizes(self) -> Values:
        """The shares of the two groups over sqrt(n) times their standard deviations."""
        shares, errors = self._crossing.margins[0]
        return np.asarray(shares[:2] / errors[:2] / math.sqrt(self._crossing.n))

    @property
    def difference(self) -> float:
        within = self.law[:2, 0] / self.law[:2].sum(axis=1)
        return float(within[0] - within[1])

    def chance(self, n: int) -> float:
        """Return the chance that n people show the difference."""
        large = scipy.special.ndtr(math.sqrt(n) * self.sizes - SUBGROUP_ERRORS_MIN).min()
        z = -scipy.special.ndtri(self.error / self.together / 2)
        return float(large * scipy.special.ndtr(self.difference / self.deviation * math.sqrt(n) - z))

    def needed(self, wanted: float = POWER) -> int | None:
        """Return about how many people show the difference with this chance, in two digits; None if no number does."""
        return search.fewest(self.chance, wanted)


def smallest_group(
    expected: Expected, shape: tuple[int, int], difference: float, n: int, together: int, wanted: float = POWER
) -> float | None:
    """Return the least share of n people, in STEPs, at which the first group's difference from another group shows with
    this chance, if other groups are equally large; None if not even an equal share is enough. `shape`: the numbers of
    groups and of answers."""
    groups, answers = shape

    def chance(first: float) -> float:
        return Planned(expected, law(sizes(groups, first), answers, difference), together).chance(n)

    return search.smallest(chance, wanted, STEP, int(1 / groups / STEP))
