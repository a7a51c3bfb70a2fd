"""Models of an outcome given covariates: each combination's terms in the equations of a fit (M40).

A model has m parameters. Each of K combinations c adds the gradient of its log likelihood l_c (in a linear model, minus
half the squared residual) and the curvature of minus l_c.
"""

from typing import Protocol

import numpy as np

from ldp.arrays import Values
from ldp.regression.design import Design, TermLevel, steps

# A chance that no number of reports can distinguish from 0.
CERTAIN = 1e-8

# The outcome's option, if each option has separate parameters, and a column's levels.
Term = tuple[int | None, tuple[TermLevel, ...]]


class Model(Protocol):
    @property
    def terms(self) -> list[Term]:
        """Each parameter's outcome and levels."""

    def start(self, shares: Values) -> Values:
        """Return the parameters without effects of covariates, (m,), from the outcome's shares on the simplex."""

    def gradient(self, parameters: Values) -> Values:
        """Return the gradients of the l_c, (K, m)."""

    def curvature(self, parameters: Values) -> Values:
        """Return the curvatures of minus the l_c, (K, m, m)."""

    def means(self, parameters: Values) -> Values:
        """Return the chance of each of the outcome's options given the combination's covariates, (K, J); in a linear
        model the mean score, (K, 1)."""

    def means_gradient(self, parameters: Values) -> Values:
        """Return the gradients of the means, (K, J, m)."""

    def certain(self, parameters: Values) -> bool:
        """Return whether some covariates determine the outcome."""


class LinearModel:
    def __init__(self, design: Design) -> None:
        self._design, scores = design, design.specification.scores or steps(design.shape[0])
        self._y = np.array(scores, dtype=np.float64)

    @property
    def terms(self) -> list[Term]:
        return [(None, column) for column in self._design.terms]

    def start(self, shares: Values) -> Values:
        return np.concatenate([[self._y @ shares], np.zeros(self._design.x.shape[1] - 1)])

    def certain(self, parameters: Values) -> bool:
        return False

    def gradient(self, parameters: Values) -> Values:
        x = self._design.x
        return np.asarray(x * (self._y[self._design.options[:, 0]] - x @ parameters)[:, None])

    def curvature(self, parameters: Values) -> Values:
        return np.asarray(self._design.x[:, :, None] * self._design.x[:, None])

    def means(self, parameters: Values) -> Values:
        return np.asarray(self._design.x @ parameters)[:, None]

    def means_gradient(self, parameters: Values) -> Values:
        return self._design.x[:, None]


class MultinomialModel:
    """Logits against the outcome's first option; in a logistic model against its second, so that the odds are those of
    the first, such as "yes" in "yes" and "no"."""

    def __init__(self, design: Design) -> None:
        self._design, d = design, design.shape[0]
        self._base = 1 if design.specification.model == "logistic" else 0
        self._own = [option for option in range(d) if option != self._base]

    @property
    def terms(self) -> list[Term]:
        return [(option, column) for option in self._own for column in self._design.terms]

    def start(self, shares: Values) -> Values:
        logits = np.log(np.maximum(shares, 1e-3))
        columns = np.zeros((len(self._own), self._design.x.shape[1]))
        columns[:, 0] = logits[self._own] - logits[self._base]
        return columns.ravel()

    def means(self, parameters: Values) -> Values:
        logits = np.zeros((len(self._design.x), self._design.shape[0]))
        logits[:, self._own] = self._design.x @ parameters.reshape(len(self._own), -1).T
        odds = np.exp(logits - logits.max(axis=1, keepdims=True))
        return np.asarray(odds / odds.sum(axis=1, keepdims=True))

    def certain(self, parameters: Values) -> bool:
        return bool(self.means(parameters).min() < CERTAIN)

    def gradient(self, parameters: Values) -> Values:
        came = self._design.options[:, 0, None] == self._own
        residuals = came - self.means(parameters)[:, self._own]
        return np.asarray((residuals[:, :, None] * self._design.x[:, None]).reshape(len(came), -1))

    def curvature(self, parameters: Values) -> Values:
        mu, x = self.means(parameters)[:, self._own], self._design.x
        spread = mu[:, :, None] * np.eye(len(self._own)) - mu[:, :, None] * mu[:, None]
        blocks = np.einsum("kab,ki,kj->kaibj", spread, x, x, optimize=True)
        return np.asarray(blocks.reshape(len(x), len(parameters), len(parameters)))

    def means_gradient(self, parameters: Values) -> Values:
        mu, x = self.means(parameters), self._design.x
        own = np.eye(mu.shape[1])[self._own]
        changes = mu[:, None] * (own - mu[:, self._own, None])  # (K, own, J)
        return np.asarray(np.einsum("kaj,ki->kjai", changes, x).reshape(*mu.shape, len(parameters)))


class OrderedModel:
    """Cumulative logits: the chance of an option or an earlier one is F(threshold - x b), F the logistic curve
    (McCullagh 1980). A positive b makes later options likelier. Parameters: b, then the J - 1 thresholds."""

    def __init__(self, design: Design) -> None:
        self._design, self._thresholds = design, design.shape[0] - 1

    @property
    def terms(self) -> list[Term]:
        slopes: list[Term] = [(None, column) for column in self._design.terms[1:]]
        return slopes + [(option, ()) for option in range(self._thresholds)]

    def start(self, shares: Values) -> Values:
        below = np.clip(np.cumsum(shares)[:-1], 1e-3, 1 - 1e-3)
        rising = np.maximum.accumulate(np.log(below / (1 - below)) + 1e-3 * np.arange(len(below)))
        return np.concatenate([np.zeros(self._design.x.shape[1] - 1), rising])

    def _ends(self, parameters: Values) -> Values:
        """Return the ends of each option's interval of the logistic variable, (K, J + 1); outer ones infinite."""
        *_, p = self._design.x[:, 1:].shape
        inner = parameters[p:] - (self._design.x[:, 1:] @ parameters[:p])[:, None]
        infinite = np.full((len(inner), 1), np.inf)
        return np.hstack([-infinite, inner, infinite])

    def _ends_gradient(self) -> Values:
        """Return the gradients of the ends, (K, J + 1, m)."""
        slopes = self._design.x[:, 1:]
        gradient = np.zeros((len(slopes), self._thresholds + 2, slopes.shape[1] + self._thresholds))
        gradient[:, 1:-1, : slopes.shape[1]] = -slopes[:, None]
        gradient[:, 1:-1, slopes.shape[1] :] = np.eye(self._thresholds)
        return gradient

    def means(self, parameters: Values) -> Values:
        return np.diff(_logistic(self._ends(parameters)), axis=1)

    def means_gradient(self, parameters: Values) -> Values:
        slope = _slope(self._ends(parameters))[:, :, None] * self._ends_gradient()
        return np.diff(slope, axis=1)

    def _of_outcome(self, each: Values) -> Values:
        """Return the value for the combination's outcome, from the values of all options."""
        return each[np.arange(len(each)), self._design.options[:, 0]]

    def certain(self, parameters: Values) -> bool:
        return bool(self.means(parameters).min() < CERTAIN)

    def gradient(self, parameters: Values) -> Values:
        return np.asarray(self._of_outcome(self.means_gradient(parameters)) / self._chance(parameters)[:, None])

    def _chance(self, parameters: Values) -> Values:
        """Return the chance of each combination's outcome; NaN if disordered thresholds give none."""
        chance = self._of_outcome(self.means(parameters))
        return np.where(chance > 0, chance, np.nan)

    def curvature(self, parameters: Values) -> Values:
        """Return minus the second derivatives of log(F(high) - F(low)). Both ends are linear in the parameters."""
        ends, chance = self._ends(parameters), self._chance(parameters)[:, None, None]
        bend, directions = _bend(ends)[:, :, None], self._ends_gradient()
        second = np.diff(bend[..., None] * directions[..., None] * directions[:, :, None], axis=1)
        first = self.gradient(parameters)
        return np.asarray(first[:, :, None] * first[:, None] - self._of_outcome(second) / chance)


def _logistic(x: Values) -> Values:
    return np.asarray(0.5 * (1 + np.tanh(x / 2)))


def _slope(x: Values) -> Values:
    return np.asarray(_logistic(x) * _logistic(-x))


def _bend(x: Values) -> Values:
    return np.asarray(_slope(x) * -np.tanh(x / 2))


def of(design: Design) -> Model:
    """Return the model of a design's specification."""
    if design.specification.model == "linear":
        return LinearModel(design)
    return OrderedModel(design) if design.specification.model == "ordered" else MultinomialModel(design)
