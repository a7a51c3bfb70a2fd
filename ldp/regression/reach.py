"""The effect, the number of reports, or the alpha that would show each coefficient of a fit (M40).

Reports at other alphas are expected to have the fit's shares and parameters, and scores with those alphas' noise
(expectation.py). A coefficient's standard error is multiplied by the ratio of expected standard errors at the other and
the present alphas.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TypedDict

import numpy as np
import scipy

from ldp.arrays import Values
from ldp.inference.estimates import onto_simplex
from ldp.inference.variables import Variable, scaled, scaled_keep
from ldp.regression import expectation
from ldp.regression.factors import draws
from ldp.regression.fitting import Fit
from ldp.regression.sample import Sample
from ldp.search import LEVEL, POWER, least_alpha

EFFECT = math.log(2)  # an odds ratio of two
# With more expected reports no alpha is computed, because it would take minutes.
REPORTS_MAX = 1 << 17


class Reach(TypedDict):
    """`smallest` is the effect that the present number of reports would show with the power and at the level of
    search.py. `reports` would show an odds ratio of 2. `alpha` is the total of all questions of the model, or of their
    form, at which the present number of reports would. Both are None for a linear model; `alpha` also if none is large
    enough, or it is unknown."""

    smallest: float
    reports: int | None
    alpha: float | None


def reaches(solution: Fit, variables: Sequence[Variable]) -> list[Reach]:
    """Return the reach of each parameter. `variables` are the outcome and the covariates."""
    errors = solution.standard_errors.tolist()
    if solution.design.specification.model == "linear":
        return linear_reaches(errors)
    other = _Other(solution, tuple(variables))
    return [
        {
            "smallest": least_effect(error),
            "reports": reports_needed(solution.n, error, EFFECT),
            "alpha": other.needed(place, error),
        }
        for place, error in enumerate(errors)
    ]


def linear_reaches(errors: Sequence[float]) -> list[Reach]:
    """Return the reach of each parameter of a linear model, from its standard error."""
    return [{"smallest": least_effect(error), "reports": None, "alpha": None} for error in errors]


@dataclass(frozen=True, eq=False)
class _Other:
    """A fit at other alphas."""

    solution: Fit
    variables: tuple[Variable, ...]

    @property
    def total(self) -> float:
        return sum({each.draw: float(each.question["alpha"]) for each in self.variables}.values())

    def needed(self, place: int, error: float) -> float | None:
        """Return the least total alpha that shows an odds ratio of 2, by the present reports' errors."""

        def chance(alpha: float) -> float:
            part = self._errors(alpha)[place] / self._errors(self.total)[place]
            return power(error * float(part), EFFECT)

        return least_alpha(self.total, chance, POWER)

    @lru_cache(maxsize=256)  # noqa: B019 - it lives as long as one call of reaches
    def _errors(self, alpha: float) -> Values:
        """Return the standard errors of the parameters. ValueError if the tables do not follow from alpha."""
        expected = replace(self.solution, sample=self._expected(alpha / self.total))
        return np.asarray(expected.standard_errors)

    def _expected(self, factor: float) -> Sample:
        sample = self.solution.sample
        law = onto_simplex(sample.shares).reshape(sample.shape)
        if len(each := draws(self.variables)) == 1 and len(self.variables) > 1:
            keep = scaled_keep(self.variables[0].question, factor)
            return expectation.together(law, keep, [variable.listed for variable in self.variables])
        if len(each) < len(self.variables):
            raise ValueError("some are randomized together, and others apart")
        if math.prod(2 * d * d for d in sample.shape) > REPORTS_MAX:
            raise ValueError("too many reports are expected")
        return expectation.apart(law, [scaled(each, factor) for each in self.variables])


# Number of reports that would show an effect --------------------------------------------------------------------------
#
# Standard errors are a fit's or, before a survey opens, expected ones (ldp/planning/regressions.py).
#
# An estimate with standard error s, which falls as 1/sqrt(n), shows an effect e at a level if it is beyond the normal
# quantile z: with the chance F(|e|/s - z) + F(-|e|/s - z).


def power(error: float, effect: float, level: float = LEVEL) -> float:
    """Return the chance that an interval with the confidence 1 - level excludes 0."""
    z, ratio = -scipy.special.ndtri(level / 2), abs(effect) / error
    return float(scipy.special.ndtr(ratio - z) + scipy.special.ndtr(-ratio - z))


def least_effect(error: float, chance: float = POWER, level: float = LEVEL) -> float:
    """Return the effect that is shown with this chance, ignoring the other tail."""
    return float(scipy.special.ndtri(chance) - scipy.special.ndtri(level / 2)) * error


def reports_needed(n: int, error: float, effect: float, chance: float = POWER, level: float = LEVEL) -> int:
    """Return how many reports show the effect with this chance, if n reports have this standard error."""
    return math.ceil(n * (least_effect(error, chance, level) / effect) ** 2)
