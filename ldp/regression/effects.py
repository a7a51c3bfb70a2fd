"""Predicted shares of a fit, and marginal effects of a covariate, over all respondents (M40).

A predicted share of an outcome at a covariate's option is the model's chance if everyone had chosen that option,
averaged over all people's other covariates. A marginal effect is the difference of two predicted shares (average
marginal effects; Bartus 2005). Both are sums over combinations with the shares t_c, so their variance has the noise of
the coefficients and of the shares, and the covariance. They are curved functions of the coefficients, most of all where
the slope is small, as often for a middle option. So intervals follow the curve (Curve).
"""

import math
from dataclasses import dataclass

import numpy as np
import scipy

from ldp.arrays import Values
from ldp.regression.fitting import Fit, spread
from ldp.regression.truncation import Borders, pushed, reach_of

_STEP = 1e-2  # of a standard error, for differences


# Curved functions of normal errors, and their intervals (M40) ---------------------------------------------------------
#
# The interval has all values that errors within the normal quantile lead to. Errors across the steepest direction move
# the number to one side on average. An end is moved back by this distance if that makes the interval longer.

_NEAR = 1e-12


@dataclass(frozen=True)
class Curve:
    """The change of a number by independent standard normals z: slope @ z + bend @ z**2 / 2."""

    slope: Values
    bend: Values

    @property
    def standard_error(self) -> float:
        """The root of the mean square: variance plus squared bias."""
        first, second, bias = self.slope @ self.slope, self.bend @ self.bend / 2, self.bend.sum() / 2
        return float(np.sqrt(first + second + bias**2))

    def ends(self, reach: float) -> tuple[float, float]:
        """Return the ends of the range of changes by errors of at most `reach` standard errors."""
        low, high = -_most(-self.slope, -self.bend, reach), _most(self.slope, self.bend, reach)
        across = self._across / 2
        return low - max(across, 0.0), high - min(across, 0.0)

    @property
    def _across(self) -> float:
        """The bend in all directions but the steepest."""
        square = float(self.slope @ self.slope)
        steepest = self.slope**2 @ self.bend / square if square else 0.0
        return float(self.bend.sum() - steepest)


def _most(slope: Values, bend: Values, reach: float) -> float:
    """Return the largest slope @ z + bend @ z**2 / 2 for |z| <= reach: the minimum of the dual, which is convex in one
    variable (Conn, Gould and Toint 2000)."""
    least, size = max(float(bend.max()), 0.0), float(np.linalg.norm(slope))
    start = least + _NEAR * (size + least)
    end = start + size / reach

    def too_far(force: float) -> float:
        return float(((slope / (force - bend)) ** 2).sum()) - reach**2

    if size == 0:
        return least * reach**2 / 2
    force = scipy.optimize.brentq(too_far, start, end, xtol=_NEAR * (size + least)) if too_far(start) > 0 else start
    return float(force * reach**2 + (slope**2 / (force - bend)).sum()) / 2


def curves(slopes: Values, rests: Values, bends: Values) -> list[Curve]:
    """Return a curve for each of J slopes, (J, m), and second derivatives, (J, m, m), with a further independent error
    of size `rests`, (J,)."""
    made = []
    for slope, rest, bend in zip(slopes, rests, bends, strict=True):
        values, ways = np.linalg.eigh((bend + bend.T) / 2)
        made.append(Curve(np.append(ways.T @ slope, rest), np.append(values, 0.0)))
    return made


# Shares and effects ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Combination:
    """A sum of coefficients, `errors` standard errors above 0 or (negative) below."""

    errors: float
    borders: Borders

    def vanishes(self, reach: float) -> bool:
        """Return whether the interval of the sum contains 0."""
        low, high = self.borders.widening(reach)
        return -reach - high <= self.errors <= reach + low


@dataclass(frozen=True)
class Effect:
    """A share, a mean score or a difference of two, for an option of a covariate and an option of the outcome;
    `outcome` and `reference` may be None. `contrast` is the only contrast of coefficients that is 0 exactly if the
    effect is; None if there is none. `shares` are the predicted shares of the option and the reference, with standard
    errors; empty for a mean score."""

    key: str
    option: int
    reference: int | None
    outcome: int | None
    estimate: float
    curve: Curve
    contrast: Combination | None = None
    shares: tuple[tuple[float, float], ...] = ()

    @property
    def standard_error(self) -> float:
        return self.curve.standard_error

    def interval(self, confidence: float) -> tuple[float, float]:
        """Return the interval. A predicted share's is within 0..1. An effect's contains 0 if the interval of its
        contrast does."""
        reach = reach_of(confidence)
        low, high = (self.estimate + end for end in self.curve.ends(reach))
        if self.contrast and self.contrast.vanishes(reach):
            low, high = min(low, 0.0), max(high, 0.0)
        too_high, too_low = self._pushed(reach)
        low, high = low - too_high, high + too_low
        if self.outcome is None or self.reference is not None:
            return low, high
        return max(low, 0.0), min(high, 1.0)

    def _pushed(self, reach: float) -> tuple[float, float]:
        """Return how far beyond the interval the number may have been pushed up, and down (truncation.py)."""
        each = [
            (error * pushed(share / error, reach), error * pushed((1 - share) / error, reach))
            for share, error in self.shares
        ]
        ways = zip(*(way[::-1] if place else way for place, way in enumerate(each)), strict=True)
        too_high, too_low = map(sum, ways) if each else (0.0, 0.0)
        return too_high, too_low


def predicted(fit: Fit, key: str) -> list[Effect]:
    """Return the shares of all options of the outcome, at every option of the covariate with this key."""
    place = fit.design.specification.keys.index(key)
    return [effect for option in range(fit.design.shape[place]) for effect in _effects(fit, key, option, None)]


def marginal(fit: Fit, key: str, reference: int) -> list[Effect]:
    """Return the effects of each option of the covariate, against the reference, on all options of the outcome."""
    place = fit.design.specification.keys.index(key)
    others = (option for option in range(fit.design.shape[place]) if option != reference)
    return [effect for option in others for effect in _effects(fit, key, option, reference)]


def _effects(fit: Fit, key: str, option: int, reference: int | None) -> list[Effect]:
    place = fit.design.specification.keys.index(key)
    means, gradient = (
        _moved(fit, each, place, option, reference)
        for each in (fit.model.means(fit.parameters), fit.model.means_gradient(fit.parameters))
    )
    estimates, each = fit.sample.shares @ means, _curves(fit, means, gradient, _bends(fit, place, option, reference))
    named = [None] if fit.design.specification.model == "linear" else list(range(len(estimates)))
    contrast = None if reference is None else _combination(fit, place, option, reference)
    last = len(estimates) - 1
    own = [(float(one), curve.standard_error) for one, curve in zip(estimates, each, strict=True)]
    shares = [(one,) for one in own] if reference is None else _both(fit, key, (option, reference))
    return [
        Effect(
            key, option, reference, outcome, float(estimate), curve,
            contrast if outcome in (0, last) else None,
            () if outcome is None else both,
        )
        for outcome, estimate, curve, both in zip(named, estimates, each, shares, strict=True)
    ]  # fmt: skip


def _both(fit: Fit, key: str, options: tuple[int, int]) -> list[tuple[tuple[float, float], ...]]:
    """Return the predicted shares of both options of the covariate, for each of the outcome's options."""
    each = ([one.shares for one in _effects(fit, key, option, None)] for option in options)
    return [first + second for first, second in zip(*each, strict=True)]


def _moved(fit: Fit, each: Values, place: int, option: int, reference: int | None) -> Values:
    """Return the combinations' numbers, (K, ...), with the covariate's option moved to `option`. With a `reference` the
    numbers with the option moved there are subtracted."""
    there = each[fit.design.with_option(place, option)]
    return there if reference is None else there - each[fit.design.with_option(place, reference)]


def _curves(fit: Fit, values: Values, gradient: Values, bends: Values) -> list[Curve]:
    """Return the curves, (J,), of means over the people. The `values`, (K, J), depend on the parameters, whose errors
    are independent normals; the rest is the shares' noise."""
    m, slope = len(fit.parameters), np.tensordot(fit.sample.shares, gradient, 1)  # (J, m)
    influence = fit.sample.weighted(values) + fit.influence @ slope.T
    normal = fit.influence @ np.linalg.pinv(fit.ways)
    together = spread(fit.sample.counts, np.hstack([normal, influence]), m)
    slopes = together[m:, :m]
    rests = np.sqrt(np.maximum(np.diag(together)[m:] - (slopes**2).sum(axis=1), 0.0))
    return curves(slopes, rests, bends)


def _bends(fit: Fit, place: int, option: int, reference: int | None) -> Values:
    """Return second derivatives of the means by independent normals that move the parameters, (J, m, m)."""
    if fit.design.specification.model == "linear":
        return np.zeros((1, *fit.ways.shape))

    def slope(parameters: Values) -> Values:
        gradient = _moved(fit, fit.model.means_gradient(parameters), place, option, reference)
        return np.asarray(np.tensordot(fit.sample.shares, gradient, 1))

    along = _STEP * fit.ways
    changes = [(slope(fit.parameters + way) - slope(fit.parameters - way)) @ fit.ways.T for way in along]
    return np.stack(changes, axis=1) / (2 * _STEP)


def _combination(fit: Fit, place: int, option: int, reference: int) -> Combination | None:
    """Return the contrast of coefficients whose sign decides the effect's sign on the first and on the last option;
    None if there is a product, or more than one logit."""
    ordered = fit.design.specification.model == "ordered"
    rows = np.unique(_moved(fit, fit.design.x, place, option, reference)[:, int(ordered) :], axis=0)
    if len(rows) > 1 or fit.design.specification.model == "multinomial":
        return None
    weights = np.zeros(len(fit.parameters))
    weights[: rows.shape[1]] = rows[0]
    error = math.sqrt(weights @ fit.covariance @ weights)
    return Combination(float(weights @ fit.parameters) / error if error else 0.0, fit.borders(weights))
