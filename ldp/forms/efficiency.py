"""The least error of a whole survey under one alpha, for questions with options (M48).

A channel's information about each question, over the best possible alone, adds up to at most

    B = max over columns f of the sum of I_j(f)/best_j        (ldp.forms.columns).

By Cauchy's inequality the mean over Q questions of (variance)/(variance if everyone were asked the question alone) is
at least Q/B. B is reached where f is 0 or 1, because it is the root of a sum of squares over an affine function.
Weights mu_j on the questions' information sharpen the bound if questions differ (`least_mean`).

`how` says how a bound is known. "enumerated" is the largest of all f. "searched" is the largest found among all product
subsets (M44) and by steps from other columns. "proved" always holds: the W_j add up to at most gamma (1 - gamma)
(Parseval), each is at most that of an f that depends on its question alone, and those of yes/no questions add up to at
most 2 g^2 ln(1/g), g = min(gamma, 1 - gamma) (the level-1 inequality; M36b).
"""

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from ldp.arrays import Values
from ldp.forms.columns import How, Kind, SurveyColumns, best_alone
from ldp.kinds.protocol import Size

# Relative error of the least mean, largest number of columns, largest number of steps.
_GAP, _COLUMNS, _STEPS = 1e-4, 40, 400


class Bound(NamedTuple):
    """`value` is the largest known value of B, `at_most` a proved upper bound on B."""

    value: float
    how: How
    at_most: float


class LeastMean(NamedTuple):
    """The least mean over questions, by importance, of (variance)/(variance if everyone were asked the question alone).
    `value` is the best known one, `at_least` a proved bound."""

    value: float
    how: How
    at_least: float


class Efficiency(NamedTuple):
    """The least mean over the survey's mean: `value` by the least known mean, `at_least` by the proved one."""

    value: float
    how: How
    at_least: float


def efficiency(
    alpha: float, sizes: Sequence[int], variances: Sequence[float], importance: Sequence[float] = ()
) -> Efficiency:
    """Return how near a survey comes to the best possible one (M48). 1 is the best.

    `sizes` are the questions' numbers of options. `variances` are n times the variances of their shares at equal
    shares, n the number of all reports, each within alpha. `importance` is 1 for each by default.
    """
    weights = importance or [1.0] * len(sizes)
    least = least_mean(alpha, tuple(sorted(zip(sizes, weights, strict=True))))
    worth = [variance * best_alone(alpha, d) for d, variance in zip(sizes, variances, strict=True)]
    mean = math.fsum(c * each for c, each in zip(weights, worth, strict=True)) / math.fsum(weights)
    return Efficiency(least.value / mean, least.how, least.at_least / mean)


def parts(kind: str, size: Size) -> list[int]:
    """Return the number of options of each answer to a question of this kind: one answer for each item of a list or
    grid. Means and rankings have none, because no bound is known."""
    if kind in ("mean", "ranking"):
        return []
    if kind == "multiple_choice":
        return [2] * size.d
    return [size.d] * (size.items if kind == "grid" else 1)


@lru_cache(maxsize=1 << 10)
def bound(alpha: float, sizes: tuple[int, ...]) -> Bound:
    """Return B for questions with these numbers of options."""
    survey = SurveyColumns(alpha, tuple((d, 1.0) for d in sorted(sizes)))
    weights = np.ones(len(survey.kinds))
    value = float(survey.best(weights) @ weights)
    return Bound(value, survey.how, value if survey.enumerable else max(value, survey.at_most(weights)))


@lru_cache(maxsize=1 << 10)
def least_mean(alpha: float, questions: tuple[Kind, ...]) -> LeastMean:
    """Return the least mean that columns together can have.

    For importance c_j and any mu_j >= 0 the mean is at least (sum of sqrt(c_j mu_j))^2/(B_mu sum of c_j), where B_mu is
    the largest sum of mu_j I_j/best_j of one column. This is Q/B if all are 1. It is the least mean itself if mu_j is
    c_j/x_j^2, where x_j is the best columns' information about j. So columns are added until both agree.
    """
    survey = SurveyColumns(alpha, questions)
    counts, importance = np.array(survey.counts, dtype=float), np.array([c for _, c in survey.kinds])
    whole, value, at_least = float(counts @ importance), 0.0, 0.0
    columns, information = np.zeros((0, len(counts))), np.ones(len(counts))
    for _ in range(_COLUMNS):
        weights = importance / information**2
        column = survey.best(weights)
        roots = float(counts @ np.sqrt(importance * weights)) ** 2 / whole
        value = max(value, roots / float(column @ weights))
        at_least = max(at_least, roots / survey.at_most(weights))
        if len(columns) and float(counts @ (importance / information)) / whole <= value * (1 + _GAP):
            break
        columns = np.vstack((columns, column))
        information = _informed(columns / counts, counts * importance)
    return LeastMean(value, survey.how, value if survey.enumerable else at_least)


def _informed(columns: Values, importance: Values) -> Values:
    """Return the information about a question of each kind, (kinds,), by the column weights with the least sum of
    importance over information."""
    weights = np.full(len(columns), 1 / len(columns))
    for _ in range(_STEPS):
        weights = weights * np.sqrt(columns @ (importance / np.maximum(weights @ columns, _NOTHING) ** 2))
        weights /= weights.sum()
    return np.asarray(np.maximum(weights @ columns, _NOTHING))


_NOTHING = 1e-9
