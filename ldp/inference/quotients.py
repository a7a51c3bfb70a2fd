"""Quotients of two means of scores, and their intervals (M31; compare Fieller 1954).

With scores u ("over") and v ("under") of a report the quotient s of their means is the one for which the mean of
u - s v is 0, and its interval holds every s at which the interval of M30 for that mean holds 0.
"""

import numpy as np
import scipy

from ldp.arrays import Indices, Values
from ldp.inference import unseen_batch


def quotients(over: Values, under: Values, came: Values, tail: float) -> tuple[Values, Values, Values]:
    """Both limits of s and its estimate, uncut, (rows,) each, from scores and how often they came together, (rows, v).
    Where the mean of `under` is known to be positive, that of any weighting is negative with a chance far below
    the tail, and the tests' chances fall and rise with s."""
    n, tails = came.sum(axis=1), np.full(len(came), tail)
    below = (under * came).sum(axis=1) / n
    s = (over * came).sum(axis=1) / n / below
    ends = np.minimum(s, 0) - 1, np.maximum(s, 1) + 1
    error = np.sqrt(((over - s[:, None] * under) ** 2 * came).sum(axis=1)) / n / below
    reach = -float(scipy.special.ndtri(tail)) * error

    def too_low(s: Values, rows: Indices) -> Values:
        scores = s[:, None] * under[rows] - over[rows]
        return unseen_batch.chances_above(scores, came[rows], scores.max(axis=1))

    def too_high(s: Values, rows: Indices) -> Values:
        scores = over[rows] - s[:, None] * under[rows]
        return unseen_batch.chances_above(scores, came[rows], scores.max(axis=1))

    high = unseen_batch.falling_roots(too_high, tails, (s + reach / 2, s + 2 * reach), ends)
    low = -unseen_batch.falling_roots(
        lambda s, rows: too_low(-s, rows), tails, (reach / 2 - s, 2 * reach - s), (-ends[1], -ends[0])
    )
    return low, high, s
