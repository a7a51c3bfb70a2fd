"""A mean by discrete Laplace noise (M8): the number's grid point 0..G plus integer noise of scale G/alpha.

P(y) is proportional to r^|y - x|, r = e^{-alpha/G}; outputs beyond -B or G+B count there. An answer changes every
probability by a factor of at most r^-G = e^alpha, also at -B and G+B. G is about 4 alpha and B ten scales, so rounding
and clamping add little noise. phi(y) = (y + c_y)/G removes clamping's effect on the mean exactly: c_y is 0 outside 0..G
and solves E[phi | x] = x/G at every grid point x.

Table: {"rows": [[c_1, ..., c_{G+2B}], ...]}, G+1 rows. Report: an integer from -B to G+B.
"""

import math
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING

from ldp import scores
from ldp.exact import ListTable
from ldp.packing import Packing
from ldp.scores import PairMoments, ScoreMoments, Totals, Weights, channel_moments
from ldp.tables import channel
from ldp.words import Uniform

if TYPE_CHECKING:
    from ldp.tally import Field

EXTRAS: tuple[str, ...] = ()

SCALES = 10


def table(alpha: Fraction, d: int) -> ListTable:
    return {"rows": [list(row) for row in _table(alpha)]}


@lru_cache(maxsize=64)
def _table(alpha: Fraction) -> Weights:
    steps = max(1, math.ceil(4 * alpha))
    beyond = math.ceil(SCALES * steps / alpha)

    def law(rate: float) -> list[list[float]]:
        return [_clamped(rate, x + beyond, steps + beyond - x) for x in range(steps + 1)]

    rows = channel.steepest(float(alpha) / steps, alpha, law)["rows"]
    return tuple(tuple(row) for row in rows)


def _clamped(rate: float, below: int, above: int) -> list[float]:
    """Return weights of the noise -below..above: r^|k| inside, and the whole tail r^|k|/(1-r) at both ends."""
    inside = [math.exp(-rate * abs(k)) for k in range(1 - below, above)]
    tail = -1 / math.expm1(-rate)
    return [math.exp(-rate * below) * tail, *inside, math.exp(-rate * above) * tail]


certified = channel.certified
realized_alpha = channel.realized_alpha


def beyond(table: ListTable) -> int:
    """Return B, from the table's G+2B+1 outputs and G+1 grid points."""
    return (len(table["rows"][0]) + 1 - len(table["rows"])) // 2


def randomize(answer: int, table: ListTable, d: int, uniform: Uniform) -> int:
    """Return the report. `answer` is the grid point to which the number was rounded."""
    return channel.randomize(answer, table, d, uniform) - beyond(table)


def moments(table: ListTable, d: int) -> dict[str, ScoreMoments]:
    """Return the moments of `mean` for the range 0..1: output y adds phi(y) to the total."""
    return {"mean": _moments(channel.weights(table))}


@lru_cache(maxsize=64)
def _moments(weights: Weights) -> ScoreMoments:
    steps, outputs = len(weights) - 1, len(weights[0])
    beyond = (outputs - 1 - steps) // 2
    total = sum(weights[0])
    bias = [x * total - sum(w * (z - beyond) for z, w in enumerate(row)) for x, row in enumerate(weights)]
    middle = [list(row[beyond : beyond + steps + 1]) for row in weights]
    correction, denominator = scores.solve(middle, [[b] for b in bias])
    numerators = [(z - beyond) * denominator for z in range(outputs)]
    for m in range(steps + 1):
        numerators[beyond + m] += correction[m][0]
    return channel_moments(weights, tuple((n,) for n in numerators), steps * denominator)


def pairs(table: ListTable, d: int) -> dict[str, PairMoments]:
    """Return nothing: there is one score."""
    return {}


def packing(table: ListTable, d: int) -> Packing:
    return channel.packing(table, d, lowest=-beyond(table))


def tally(field: "Field", table: ListTable, d: int) -> Totals:
    """Return how often each output came."""
    return {"mean": field.counts()[: len(table["rows"][0]) + 1].tolist()}
