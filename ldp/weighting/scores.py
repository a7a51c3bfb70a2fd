"""What a report adds to a weighted share, as a law: its mean, variance and ends, from the counts of a crossing (M41).

With a factor f_s for each stratum and a fitted share h_s of category j in it, a report's score of the weighted share is

    u = phi(j) + sum of (f_s - 1) phi(s, j) - f_s h_s phi(s)

over all strata s. Where the scores of the strata add up to 1 that is the sum of f_s (phi(s, j) - h_s phi(s)). With bits
for each stratum they do so on average only; then u has less noise, and with all factors 1 the mean is the unweighted
share. With independent noise phi(s, j) = phi1_s phi2_j, so u = sum of w[a, v] B_a, with B_0 = 1 and the symbols B_a of
the stratum, where the other question's score has its value v. How often two of these symbols came together with v was
not counted: where a report can have two, that has the mean that M13 says, whatever the answers are.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ldp.forms.crossed import JointCrossing
from ldp.inference import crossed
from ldp.inference.crossed import Crossing
from ldp.inference.variables import Variable
from ldp.scores import EXCLUSIVE, independent

Values = npt.NDArray[np.float64]


class Law(NamedTuple):
    """A report's score: `least` and `largest` are the ends of what any report can add."""

    mean: float
    variance: float
    least: float
    largest: float


def law(crossing: Crossing | JointCrossing, j: int, factors: Values, fitted: Values) -> Law:
    """The score of the second variable's category j; `factors` (d1,), `fitted` (d1,)."""
    of = _of_joint if isinstance(crossing, JointCrossing) else _of_products
    return of(crossing, j, factors, fitted)  # type: ignore[arg-type]


def _of_products(crossing: Crossing, j: int, factors: Values, fitted: Values) -> Law:
    values, makes = crossed.atoms(crossing.second)
    came = (crossing.counts @ makes[j].T).astype(np.float64)
    by_stratum = np.outer(factors - 1, values[j]) - (factors * fitted)[:, None]
    weights = _by_symbols(crossing.first).T @ by_stratum
    weights[0] += values[j]
    return _law(weights, came, _together(crossing.first, came), _sizes(crossing.first))


def _of_joint(crossing: JointCrossing, j: int, factors: Values, fitted: Values) -> Law:
    """One symbol of the stratum comes, and the other question's values are its categories."""
    cell, stratum = crossing.tally.tallied(*sorted(crossing.places)), crossing.tally.tallied(crossing.places[0])
    gap, b, c = (float(part) for part in (cell.moments.gap, cell.moments.b, stratum.moments.b))
    same = np.arange(crossing.shape[1]) == j
    constant = (factors * (b - fitted * c)).sum()
    weights = np.vstack((0 * same, factors[:, None] * (same - fitted[:, None]) - constant)) / gap
    came = np.vstack((crossing.counts[0, 1:], crossing.counts[1:, 1:])).astype(np.float64)
    return _law(weights, came, _alone(came), (1, 1))


def _law(weights: Values, came: Values, together: Values, sizes: tuple[int, int]) -> Law:
    """From (1 + k, v) each, and how often two symbols came with a value, (1 + k, 1 + k, v)."""
    n = came[0].sum()
    mean = (weights * came).sum() / n
    second = np.einsum("av,bv,abv->", weights, weights, together) / n
    rising = np.pad(np.cumsum(np.sort(weights[1:], axis=0), axis=0), ((1, 0), (0, 0)))
    k, least, largest = len(rising) - 1, np.inf, -np.inf
    for size in range(sizes[0], sizes[1] + 1):
        least = min(least, float((weights[0] + rising[size]).min()))
        largest = max(largest, float((weights[0] + rising[k] - rising[k - size]).max()))
    return Law(float(mean), max(0.0, float(second - mean**2)), least, largest)


def _by_symbols(variable: Variable) -> Values:
    """The scores of all categories as sums of 1 and symbols, (d, 1 + k)."""
    if variable.phi is not None:
        return np.pad(variable.phi.T, ((0, 0), (1, 0)))
    gap, b = float(variable.moments.gap), float(variable.moments.b)
    own = np.eye(len(variable.options)) / gap
    return np.pad(own, ((0, 0), (1, 0)), constant_values=-b / gap)


def one_sent(variable: Variable) -> bool:
    """Whether exactly one symbol of it comes with a report."""
    return variable.phi is not None or variable.pair == EXCLUSIVE


def adds_up(variable: Variable) -> bool:
    """Whether the scores of its categories add up to 1 in every report."""
    least, most = _sizes(variable)
    return least == most


def _sizes(variable: Variable) -> tuple[int, int]:
    """How many symbols come at once, at least and at most."""
    d = len(variable.options)
    if one_sent(variable):
        return 1, 1
    if variable.pair == independent(variable.moments):
        return 0, d
    m = round(float(variable.moments.a + (d - 1) * variable.moments.b))
    return m, m


def _alone(came: Values) -> Values:
    """How often two symbols came together where a report never has two: one with itself, and each with the constant."""
    together = np.zeros((len(came), *came.shape))
    each = np.arange(len(came))
    together[each, each], together[0], together[:, 0] = came, came, came
    return together


def _together(variable: Variable, came: Values) -> Values:
    """How often two symbols of any variable came together, with the mean that M13 says where both can."""
    if one_sent(variable):
        return _alone(came)
    among, neither = float(variable.pair.among), float(variable.pair.neither)
    shares = _by_symbols(variable) @ came
    together = _alone(came)
    two = neither * came[0] + (among - neither) * (shares[:, None] + shares)
    apart = ~np.eye(len(shares), dtype=bool)
    together[1:, 1:][apart] = two[apart]
    return together
