"""What is expected of very many reports about two questions, before anybody answers: their crossing, by the law of the
answers, shares of all pairs of them (d1, d2)."""

from dataclasses import replace
from fractions import Fraction

import numpy as np

from ldp import exact
from ldp.arrays import Values
from ldp.forms.crossed import JointCrossing
from ldp.inference.crossed import Crossing
from ldp.inference.estimates import channel_rows
from ldp.inference.product_subsets import PairTally
from ldp.inference.variables import Variable
from ldp.regression.expectation import MANY
from ldp.scores import ChannelMoments


def apart(first: Variable, second: Variable, law: Values) -> Crossing:
    """The crossing of questions with draws of their own."""
    return Crossing(first, second, np.rint(MANY * (_means(first).T @ law @ _means(second))).astype(np.int64))


def together(first: Variable, second: Variable, law: Values, keep: int) -> JointCrossing:
    """The crossing of two questions of one draw with this chance to keep, times 2^53."""
    blank = np.zeros((1 + law.shape[0], 1 + law.shape[1]), dtype=np.int64)
    pair = PairTally(Fraction(keep, exact.RESOLUTION), (first.listed, second.listed), blank)
    return JointCrossing(first, second, replace(pair, counts=np.rint(MANY * pair.means(law)).astype(np.int64)))


def _means(variable: Variable) -> Values:
    """The mean of 1 and of each symbol, for each answer: (d, 1 + k)."""
    d = len(variable.options)
    if variable.phi is not None:
        assert isinstance(variable.moments, ChannelMoments)
        means = channel_rows(variable.moments)
    else:
        means = np.where(np.eye(d) > 0, float(variable.moments.a), float(variable.moments.b))
    return np.column_stack((np.ones(d), means))
