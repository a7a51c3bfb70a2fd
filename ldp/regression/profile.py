"""Intervals by the profile likelihood (M40): all values of a parameter at which the likelihood, maximized over the
other parameters and the covariates' joint shares, is not too far below the maximum.

Given the model, the law of a draw's counts is fully known. So these intervals assume the model, unlike a fit's robust
intervals. But they need no normal estimate, and keep their level for skew estimates.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import scipy

from ldp import likelihood
from ldp.arrays import Values
from ldp.regression.fitting import Fit

# A limit this many standard errors away counts as infinite.
_FAR = 40.0
_LEAST = 1e-300
_ROUNDS_MAX = 200
# Tolerances of a log likelihood and of a step, in standard errors and logarithms of shares; and the longest step.
_CLOSE, _TINY, _LONG = 1e-10, 1e-9, 3.0
# A share of covariates' answers that counts as 0. A few steps lead back from it.
_NO_ONE = 1e-11


@dataclass(frozen=True)
class Profile:
    """The likelihood of a fit. The model must give the outcome's probabilities, so it cannot be linear."""

    fit: Fit

    @property
    def _others(self) -> int:
        """The number of combinations of the covariates' answers."""
        return int(np.prod(self.fit.design.shape[1:]))

    @cached_property
    def best(self) -> tuple[Values, float]:
        """The parameters of greatest likelihood, and its logarithm up to a constant."""
        return self._greatest(self._start(), None, 0.0)

    def _start(self) -> Values:
        """Return the fit's parameters and the logarithms of the covariates' shares."""
        marginal = self.fit.sample.shares.reshape(self.fit.design.shape[0], -1).sum(axis=0)
        return np.concatenate([self.fit.parameters, np.log(np.maximum(marginal, 1e-3))])

    def intervals(self, confidence: float) -> Values:
        """Return intervals of the parameters one by one, (m, 2). An end without a limit is infinite."""
        drop = float(scipy.stats.chi2.ppf(confidence, 1)) / 2
        limits = [[self._limit(j, sign, drop) for sign in (-1, 1)] for j in range(len(self.fit.parameters))]
        return np.array(limits) + self.fit.widening(confidence)

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
        return float(at[j] + sign * error * scipy.optimize.brentq(above, 0.0, reach, xtol=1e-9))

    @cached_property
    def _units(self) -> Values:
        """Units in which all parameters move similarly."""
        return np.concatenate([self.fit.standard_errors, np.ones(self._others)])

    def _greatest(self, start: Values, j: int | None, value: float) -> tuple[Values, float]:
        """Return the parameters of greatest likelihood and its logarithm, with parameter j held at `value`: by Fisher's
        scoring from a start, with steps cut until the likelihood rises."""
        at = start.copy()
        if j is not None:
            at[j] = value
        worth, score, information = self._likelihood(at)
        for _ in range(_ROUNDS_MAX):
            step = self._step(at, score, information, j)
            if score @ step <= _CLOSE:
                break
            further = self._likelihood(at + step)
            while not further[0] > worth and np.abs(step / self._units).max() > _TINY:
                step = step / 2
                further = self._likelihood(at + step)
            if not further[0] > worth:
                break
            at, (worth, score, information) = at + step, further
        return at, worth

    def _step(self, at: Values, score: Values, information: Values, j: int | None) -> Values:
        """Return the step to where the slope would be 0, without held parameters. A parameter that would go too far
        takes the longest step, and the others adapt. So shares that would fall below 0 fall by a part, and finally
        stay."""
        step, held = np.zeros(len(score)), np.arange(len(score)) == (-1 if j is None else j)
        shares = at[len(self.fit.parameters) :]
        held[len(self.fit.parameters) :] |= (shares < shares.max() + np.log(_NO_ONE)) & (score[-len(shares) :] <= 0)
        farthest = _LONG * self._units
        while not held.all():
            free = ~held
            scale = np.sqrt(np.maximum(np.diag(information), _LEAST))[free]
            own, left = information[np.ix_(free, free)], score[free] - information[np.ix_(free, held)] @ step[held]
            step[free] = np.linalg.lstsq(own / np.outer(scale, scale), left / scale, rcond=1e-12)[0] / scale
            beyond = free & (np.abs(step) > farthest)
            if not beyond.any():
                break
            step[beyond] = np.sign(step[beyond]) * farthest[beyond]
            held |= beyond
        return step

    def _likelihood(self, parameters: Values) -> tuple[float, Values, Values]:
        """Return the log likelihood of the counts, its slope and its information: that of the outcome given the
        covariates, times that of the covariates."""
        m, model, sample = len(self.fit.parameters), self.fit.model, self.fit.sample
        logits = parameters[m:] - parameters[m:].max()
        marginal = np.exp(logits) / np.exp(logits).sum()
        place = np.arange(len(sample.shares)) % self._others
        outcome = np.arange(len(place)), self.fit.design.options[:, 0]
        chance = model.means(parameters[:m])[outcome]
        if not (chance >= 0).all():
            return -np.inf, np.zeros(len(parameters)), np.zeros((len(parameters), len(parameters)))
        shares = np.maximum(chance, _LEAST) * marginal[place]
        own = marginal[place, None] * model.means_gradient(parameters[:m])[outcome]
        others = shares[:, None] * (np.eye(self._others)[place] - marginal)
        came = sample.likelihoods(shares)
        slopes = np.stack([sample.likelihoods(each) for each in np.hstack([own, others]).T], axis=1) / came[:, None]
        information = (slopes.T * (sample.counts.sum() * came / came.sum())) @ slopes
        return likelihood.log_likelihood(sample, shares), sample.counts @ slopes, information
