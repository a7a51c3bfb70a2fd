"""The weights of a design's forms (M46).

A form's column has one report's information about each question and each pair to cross, times the variance without
privacy. With weights w the survey's information is M = sum of w_f column_f. The weights minimize the sum of c_j/M_j,
which is convex. Titterington's multiplicative rule, w_f <- w_f sqrt(sum of c_j column_fj/M_j^2), lowers it at every
step (Yu 2010 proves this for every power up to 1). With the square root, forms that share nothing need one step.
"""

import math
from collections.abc import Callable, Sequence

import numpy as np

from ldp.arrays import Booleans, Values
from ldp.forms.lot import WEIGHT_MAX

# The largest sum of whole weights that is tried. The first whole weights with at most this loss are taken.
WHOLE_MAX = 1000
WHOLE_LOSS = 1.001

# A form is left out if the others alone have at most this loss.
SPARSE_LOSS = 1.001
# Less than any information, so that slopes are finite where there is none.
_NOTHING = 1e-100
_STEPS, _FEW_STEPS, _CONVERGED = 2000, 40, 1e-7


def value(columns: Values, importance: Values, weights: Values) -> float:
    """Return the sum of c_j/M_j; infinite if no column has information about something with importance."""
    information = weights @ columns
    if (information[importance > 0] <= 0).any():
        return math.inf
    return float(np.divide(importance, information, out=np.zeros_like(information), where=importance > 0).sum())


def slopes(columns: Values, importance: Values, weights: Values) -> Values:
    """Return the slope at which the sum falls with each column's weight. At the best weights none exceeds the sum."""
    return np.asarray(columns @ (importance / np.maximum(weights @ columns, _NOTHING) ** 2))


def best(columns: Values, importance: Values, start: Values, steps: int = _STEPS, total: float = 1.0) -> Values:
    """Return the weights of least sum, by the multiplicative rule from `start`, with this total."""
    weights: Values = np.asarray(start * (total / float(start.sum())))
    for _ in range(steps):
        rise = slopes(columns, importance, weights)
        weights = weights * np.sqrt(rise)
        weights = weights * (total / float(weights.sum()))
        if rise.max() * total <= (1 + _CONVERGED) * float(weights @ rise):
            break
    return weights


def at_least(columns: Values, importance: Values, start: Values, least: float, steps: int = _STEPS) -> Values:
    """Return the best weights of at least `least` each. ValueError if these would add up to more than 1."""
    count = len(columns)
    if count * least > 1 + 1e-12:
        raise ValueError("must leave enough reports to each form")
    raised = np.zeros(count, dtype=bool)
    weights = best(columns, importance, start, steps)
    while (below := (weights < least - 1e-12) & ~raised).any():
        raised |= below
        left = 1 - least * raised.sum()
        if raised.all() or left <= 0:
            return np.full(count, 1 / count)
        weights = _beside(columns, importance, weights, raised, least, left, steps)
    return weights


def _beside(
    columns: Values, importance: Values, weights: Values, raised: Booleans, least: float, left: float, steps: int
) -> Values:
    """Return the best weights if the `raised` columns have the least weight and the others share the rest."""
    weights = np.where(raised, least, weights)
    weights[~raised] *= left / weights[~raised].sum()
    for _ in range(steps):
        rise = slopes(columns, importance, weights)[~raised]
        free = weights[~raised]
        changed = free * np.sqrt(rise)
        weights[~raised] = changed * (left / changed.sum())
        if rise.max() * left <= (1 + _CONVERGED) * float(free @ rise):
            break
    return weights


def pruned(columns: Values, importance: Values, weights: Values, least: float, most: int) -> list[int]:
    """Return the columns to keep, at most `most` if possible, each with at least the least weight. The smallest weights
    go first, then columns that add almost nothing, but never the only one with information about a question or pair."""
    left = [int(k) for k in np.flatnonzero(weights > 1e-9)]
    limit = min(most, math.floor(1 / least + 1e-9)) if least > 0 else most
    kept = weights[left]
    needed = importance > 0
    while len(left) > 1 and (len(left) > limit or kept.min() < least):
        order = np.argsort(kept, kind="stable")
        chosen = next((int(k) for k in order if _covered(columns, needed, left, int(k))), None)
        if chosen is None or (kept[chosen] >= least and len(left) <= limit):
            break
        del left[chosen]
        kept = best(columns[left], importance, np.delete(kept, chosen) + 1e-6, _FEW_STEPS)
    return _sparse(columns, importance, left, kept)


def _covered(columns: Values, needed: Booleans, left: Sequence[int], without: int) -> bool:
    others = [k for place, k in enumerate(left) if place != without]
    return bool((columns[others].max(axis=0)[needed] > 0).all())


def _sparse(columns: Values, importance: Values, left: list[int], weights: Values) -> list[int]:
    weights = best(columns[left], importance, weights + 1e-9, 10 * _FEW_STEPS)
    least, needed = value(columns[left], importance, weights), importance > 0
    tried = set[int]()
    while len(left) > 1:
        order = [place for place in np.argsort(weights, kind="stable") if left[place] not in tried]
        if not order:
            return left
        place = int(order[0])
        tried.add(left[place])
        if not _covered(columns, needed, left, place):
            continue
        others = [k for k in left if k != left[place]]
        fewer = best(columns[others], importance, np.delete(weights, place) + 1e-6, 3 * _FEW_STEPS)
        if value(columns[others], importance, fewer) <= SPARSE_LOSS * least:
            left, weights = others, fewer
    return left


def whole_weights(columns: Values, importance: Values, weights: Values, least: float) -> tuple[int, ...]:
    """Return small whole weights, each at least the fraction `least` of all, that lose at most WHOLE_LOSS against
    `weights`; empty if there are none."""
    if len(weights) == 1:
        return (1,)
    limit = WHOLE_LOSS * value(columns, importance, weights)
    return _first_whole(weights, least, lambda parts: value(columns, importance, parts) <= limit)


def _first_whole(ideal: Values, least: float, enough: Callable[[Values], bool]) -> tuple[int, ...]:
    for total in range(len(ideal), max(WHOLE_MAX, 10 * len(ideal)) + 1):
        numbers = _apportioned(ideal, total)
        parts = numbers / numbers.sum()
        if parts.min() >= least - 1e-9 and enough(parts):
            return _reduced(numbers)
    numbers = 1 + np.floor((WEIGHT_MAX - 1) * ideal).astype(int)
    return _reduced(numbers) if numbers.min() / numbers.sum() >= least - 1e-9 else ()


def _apportioned(ideal: Values, total: int) -> Values:
    """Return whole weights of at least 1. The rest of the total goes to the largest remainders, first in ties."""
    numbers = np.maximum(1, np.floor(ideal * total + 1e-9)).astype(int)
    order = np.argsort(numbers - ideal * total, kind="stable")
    numbers[order[: max(total - int(numbers.sum()), 0)]] += 1
    return numbers


def _reduced(numbers: Values) -> tuple[int, ...]:
    divisor = math.gcd(*(int(number) for number in numbers))
    return tuple(int(number) // divisor for number in numbers)
