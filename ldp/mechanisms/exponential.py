"""The exponential mechanism on an ordered scale (M7; McSherry and Talwar 2007): nearer categories are likelier.

Q[x, z] is proportional to r^|x - z|. In theory r = e^{-alpha/(2 (d-1))}, because the totals of rows differ. On a line
the ends' totals are equal and the rows between change nothing, so the largest rate that keeps alpha is
ln(1/r) = alpha/(d-1), minus rounding. Estimates invert the channel.

Table: {"rows": [[c_1, ..., c_{d-1}], ...]}. Report: the index of a category.
"""

import math
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING

from ldp.exact import ListTable
from ldp.scores import PairMoments, ScoreMoments, Totals, Weights, inverted
from ldp.tables import channel

if TYPE_CHECKING:
    from ldp.tally import Field

EXTRAS: tuple[str, ...] = ()

# The exact inverse has integers as long as determinants: beyond this it takes too long, and tables are too large.
CATEGORIES_MAX = 32


def table(alpha: Fraction, d: int) -> ListTable:
    """Return the table. ValueError for more than CATEGORIES_MAX categories."""
    if d > CATEGORIES_MAX:
        raise ValueError(f"takes at most {CATEGORIES_MAX} options")
    return {"rows": [list(row) for row in _table(alpha, d)]}


@lru_cache(maxsize=64)
def _table(alpha: Fraction, d: int) -> Weights:
    def law(rate: float) -> list[list[float]]:
        return [[math.exp(-rate * abs(x - z)) for z in range(d)] for x in range(d)]

    rows = channel.steepest(float(alpha) / (d - 1), alpha, law)["rows"]
    return tuple(tuple(row) for row in rows)


certified = channel.certified
realized_alpha = channel.realized_alpha
randomize = channel.randomize


def moments(table: ListTable, d: int) -> dict[str, ScoreMoments]:
    """Return the moments of `inverse`: output z adds row z of the inverse channel to the categories' scores."""
    return {"inverse": _moments(channel.weights(table))}


@lru_cache(maxsize=64)
def _moments(weights: Weights) -> ScoreMoments:
    return inverted(weights)


def pairs(table: ListTable, d: int) -> dict[str, PairMoments]:
    """Return nothing: mean products depend on which category is the truth, and the moments hold the whole channel."""
    return {}


packing = channel.packing


def tally(field: "Field", table: ListTable, d: int) -> Totals:
    """Return how often each output came."""
    return {"inverse": field.counts()[:d].tolist()}
