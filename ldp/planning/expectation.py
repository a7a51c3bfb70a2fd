"""The expected crossing of very many reports about two questions, from the joint shares of answers, (d1, d2)."""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from ldp import exact
from ldp.arrays import Integers, Values
from ldp.forms.crossed import Crossed, of_counts
from ldp.forms.joint_crossing import JointCrossing
from ldp.forms.pooled_cells import OneChannel, PooledCells
from ldp.inference.crossed import Crossing
from ldp.inference.product_subsets import PairTally
from ldp.inference.variables import Variable, are_together
from ldp.regression.expectation import MANY


class Way(NamedTuple):
    """Two variables with the channels of forms that ask them in one way, and the number of people in any unit."""

    people: float
    first: Variable
    second: Variable


def crossing(ways: Sequence[Way], law: Values) -> Crossed:
    """Return the expected crossing of two questions over the forms of all ways."""
    whole = sum(way.people for way in ways)
    parts = tuple(_of_way(way, way.people / whole, law) for way in ways)
    return parts[0] if len(parts) == 1 else PooledCells(ways[0].first, ways[0].second, parts)


def _of_way(way: Way, share: float, law: Values) -> OneChannel:
    first, second = way.first, way.second
    if are_together(first, second):
        whole: OneChannel = together(first, second, law, first.question["table"]["keep"])
    else:
        whole = apart(first, second, law)
    return of_counts(first, second, np.rint(share * whole.counts).astype(np.int64))


def apart(first: Variable, second: Variable, law: Values) -> Crossing:
    """Return the crossing of questions with separate draws."""
    blank = Crossing(first, second, np.zeros((1, 1), dtype=np.int64))
    return replace(blank, counts=_many(blank.means(law)))


def together(first: Variable, second: Variable, law: Values, keep: int) -> JointCrossing:
    """Return the crossing of two questions of one draw with this chance to keep, times 2^53."""
    blank = np.zeros((1 + law.shape[0], 1 + law.shape[1]), dtype=np.int64)
    pair = PairTally(Fraction(keep, exact.RESOLUTION), (first.listed, second.listed), blank)
    return JointCrossing(first, second, replace(pair, counts=_many(pair.means(law))))


def _many(means: Values) -> Integers:
    return np.rint(MANY * means).astype(np.int64)
