"""Intervals by the profile likelihood (M40): every value of a parameter at which the likelihood, made as great as it
can be by all others and by the covariates' joint shares, is not too far below the greatest of all.

The law of a joint form's counts is known wholly, so this takes the model for granted, where the robust intervals of a
fit do not; but it needs no normal estimate, and keeps its level where those are skew.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt
import scipy

from ldp import likelihood
from ldp.regression.fitting import Fit

Values = npt.NDArray[np.float64]

# So many standard errors away a limit is no limit any more.
_FAR = 40.0
_LEAST = 1e-300


@dataclass(frozen=True)
class Profile:
    """The likelihood of a fit whose model gives the outcome's chances: no linear one."""

    fit: Fit

    @property
    def _others(self) -> int:
        """How many combinations of the covariates' answers there are."""
        return int(np.prod(self.fit.design.shape[1:]))

    @cached_property
    def best(self) -> tuple[Values, float]:
        """The parameters of greatest likelihood and its logarithm, which is 0 at no particular place."""
        return self._greatest(self._start(), None, 0.0)

    def _start(self) -> Values:
        """The fit's parameters, and the logarithms of the covariates' shares."""
        marginal = self.fit.sample.shares.reshape(self.fit.design.shape[0], -1).sum(axis=0)
        return np.concatenate([self.fit.parameters, np.log(np.maximum(marginal, 1e-3))])

    def intervals(self, confidence: float) -> Values:
        """Intervals of the parameters one by one, (m, 2); infinite where nothing limits one."""
        drop = float(scipy.stats.chi2.ppf(confidence, 1)) / 2
        return np.array([[self._limit(j, sign, drop) for sign in (-1, 1)] for j in range(len(self.fit.parameters))])

    def _limit(self, j: int, sign: int, drop: float) -> float:
        (at, most), error = self.best, float(self.fit.standard_errors[j])
        known: dict[float, tuple[Values, float]] = {0.0: self.best}

        def above(errors: float) -> float:
            if errors not in known:
                nearest = min(known, key=lambda other: abs(other - errors))
                known[errors] = self._greatest(known[nearest][0], j, at[j] + sign * errors * error)
            return known[errors][1] - most + drop

        reach = 1.2 * float(np.sqrt(2 * drop))
        while above(reach) > 0:
            reach *= 1.5
            if reach > _FAR:
                return sign * np.inf
        return float(at[j] + sign * error * scipy.optimize.brentq(above, 0.0, reach, xtol=1e-4))

    @cached_property
    def _units(self) -> Values:
        """In which all that is changed moves alike."""
        return np.concatenate([self.fit.standard_errors, np.ones(self._others)])

    def _greatest(self, start: Values, j: int | None, value: float) -> tuple[Values, float]:
        """The greatest likelihood from a start on, with one parameter held at a value."""
        free = np.arange(len(start)) != (-1 if j is None else j)
        whole, units = start.copy(), self._units[free]
        if j is not None:
            whole[j] = value

        def lost(some: Values) -> tuple[float, Values]:
            whole[free] = some * units
            worth, slope = self._likelihood(whole)
            return -worth, -slope[free] * units

        optimum = scipy.optimize.minimize(lost, whole[free] / units, jac=True, method="BFGS", options={"gtol": 1e-6})
        whole[free] = optimum.x * units
        return whole, -float(optimum.fun)

    def _likelihood(self, parameters: Values) -> tuple[float, Values]:
        """The mean log likelihood of a report times n, and its slope: outcome given covariates, times these."""
        m, model, sample = len(self.fit.parameters), self.fit.model, self.fit.sample
        logits = parameters[m:] - parameters[m:].max()
        marginal = np.exp(logits) / np.exp(logits).sum()
        place = np.arange(len(sample.shares)) % self._others
        outcome = np.arange(len(place)), self.fit.design.options[:, 0]
        chance = np.maximum(model.means(parameters[:m])[outcome], _LEAST)
        shares = chance * marginal[place]
        each = likelihood.slope(sample, shares)
        own, by_share = (each * marginal[place]) @ model.means_gradient(parameters[:m])[outcome], each * shares
        others = np.bincount(place, by_share, self._others)
        return likelihood.log_likelihood(sample, shares), np.concatenate([own, others - marginal * by_share.sum()])
