"""What a fit says in shares: predicted shares, and the marginal effect of a covariate, over the people there are (M40).

The predicted share of an outcome at an option of a covariate is the mean, over everybody's other covariates as they
are, of the model's chance had everybody chosen that option; a marginal effect is the difference of two such shares
(average marginal effects, as of Bartus 2005). Both are sums over combinations with the shares t_c, so their variance
has the noise of the coefficients and of the shares, and what both have in common. Where an effect hardly changes with
the coefficients, as often that on a middle option, its second order counts: its variance and the square of its bias are
added.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ldp.regression.fitting import Fit, around, spread

Values = npt.NDArray[np.float64]

_STEP = 1e-2  # of a standard error, for differences


@dataclass(frozen=True)
class Effect:
    """A share, a mean score or a difference of two, for an option of a covariate and one of the outcome; `outcome` and
    `reference` are None where there is none."""

    key: str
    option: int
    reference: int | None
    outcome: int | None
    estimate: float
    standard_error: float

    def interval(self, confidence: float) -> tuple[float, float]:
        """A predicted share's stays within 0 and 1."""
        low, high = around(np.array(self.estimate), np.array(self.standard_error), confidence).tolist()
        if self.outcome is None or self.reference is not None:
            return low, high
        return max(low, 0.0), min(high, 1.0)


def predicted(fit: Fit, key: str) -> list[Effect]:
    """The shares of all options of the outcome, at every option of the covariate with this key."""
    place = fit.design.specification.keys.index(key)
    return [effect for option in range(fit.design.shape[place]) for effect in _effects(fit, key, option, None)]


def marginal(fit: Fit, key: str, reference: int) -> list[Effect]:
    """The effects of every option of the covariate against one of them, on all options of the outcome."""
    place = fit.design.specification.keys.index(key)
    others = (option for option in range(fit.design.shape[place]) if option != reference)
    return [effect for option in others for effect in _effects(fit, key, option, reference)]


def _effects(fit: Fit, key: str, option: int, reference: int | None) -> list[Effect]:
    place = fit.design.specification.keys.index(key)
    means, gradient = (
        _moved(fit, each, place, option, reference)
        for each in (fit.model.means(fit.parameters), fit.model.means_gradient(fit.parameters))
    )
    estimates, errors = _averages(fit, means, gradient)
    errors = np.hypot(errors, _bend(fit, place, option, reference))
    named = [None] if fit.design.specification.model == "linear" else list(range(len(estimates)))
    return [
        Effect(key, option, reference, outcome, float(estimate), float(error))
        for outcome, estimate, error in zip(named, estimates, errors, strict=True)
    ]


def _moved(fit: Fit, each: Values, place: int, option: int, reference: int | None) -> Values:
    """Numbers of combinations, (K, ...), had the covariate the option, less had it the reference."""
    there = each[fit.design.with_option(place, option)]
    return there if reference is None else there - each[fit.design.with_option(place, reference)]


def _averages(fit: Fit, values: Values, gradient: Values) -> tuple[Values, Values]:
    """Means over the people, (J,), of values (K, J) that depend on the parameters, and their standard errors."""
    shares = fit.sample.shares
    slope = np.tensordot(shares, gradient, 1)  # (J, m)
    influence = fit.sample.weighted(values) + fit.influence @ slope.T
    return shares @ values, np.sqrt(np.diag(spread(fit.sample.counts, influence, len(fit.parameters))))


def _bend(fit: Fit, place: int, option: int, reference: int | None) -> Values:
    """How far normal parameters move the means by their second order, (J,): the root of its mean square, which with
    the second derivatives S by independent standard normals is tr(S S)/2 + (tr(S)/2)^2."""
    if fit.design.specification.model == "linear":
        return np.zeros(1)
    scale = fit.standard_errors
    values, vectors = np.linalg.eigh(fit.covariance / np.outer(scale, scale))
    ways = (scale[:, None] * vectors * np.sqrt(np.maximum(values, 0))).T

    def slope(parameters: Values) -> Values:
        gradient = _moved(fit, fit.model.means_gradient(parameters), place, option, reference)
        return np.asarray(np.tensordot(fit.sample.shares, gradient, 1))

    along = _STEP * ways
    changes = [(slope(fit.parameters + way) - slope(fit.parameters - way)) @ ways.T for way in along]
    second = np.stack(changes, axis=1) / (2 * _STEP)  # (J, m, m)
    bias = np.trace(second, axis1=1, axis2=2) / 2
    return np.asarray(np.sqrt((second**2).sum(axis=(1, 2)) / 2 + bias**2))
