"""How far the total of n scores of a mean by Laplace (M8) gets from the respondents' own numbers, in steps of the grid.

A report is a grid point with noise, and its score is the output y, with a correction at the ends of the grid. What is
exceeded with at most the tail's chance, whatever the n numbers are, comes from three bounds:

    noise        of one report, less its grid point, is largest at the low end: there it is cut off least from above
                 and most from below. So the noise of n is at most N, n draws of row 0.
    rounding     A number f of the way between two points adds [up] - f. Of numbers with the sum F of such ways the
                 chance that N and this exceed t is largest where all are equal (Hoeffding 1956, P(N >= j - s) being
                 convex in s where it is small): N + Binomial(n, F/n) >= j, j the first whole number above t + F. It
                 rises with F up to F = j - t, so j allows no t below j - n a_j, where a_j is the F/n that has just the
                 tail's chance. The largest of these is at the a_j next to a half, where most is left to chance.
    correction   c to a score at one point at most, which is hit with a known chance: c times a limit of how often.

`tests/ldp/test_respondents.py` tries every number of rounded answers and every F.
"""

import math

import numpy as np

from ldp.arrays import Values
from ldp.inference.convolution import LatticeLaw, TotalLaw
from ldp.inference.intervals import Interval

# Of a tail's chance, the part that the corrections may take; and what is no correction but a rounding error.
SPENT = 1e-3
_NONE = 1e-9


def limits(rows: Values, scores: Values, n: int, tail: float) -> Interval:
    """Two numbers of steps, each passed with at most the tail's chance. `rows` (G+1, outputs) are the channel's,
    `scores` (outputs,) those of the range 0..1."""
    return Interval(-_highest(rows[::-1, ::-1], 1 - scores[::-1], n, tail), _highest(rows, scores, n, tail))


def _highest(rows: Values, scores: Values, n: int, tail: float) -> float:
    steps = len(rows) - 1
    lowest = -((rows.shape[1] - 1 - steps) // 2)
    corrections = scores * steps - (lowest + np.arange(len(scores)))
    return _noise(rows[0], lowest, n, tail * (1 - SPENT)) + _corrected(rows, corrections, n, tail * SPENT)


def _noise(row: Values, lowest: int, n: int, tail: float) -> float:
    """Noise and rounding."""
    law = TotalLaw(n, LatticeLaw(lowest, np.append(0.0, row), np.append(row, 0.0)))
    half = law.first(0.5, tail)
    return max(j - n * law.limits(j, tail, "population").low for j in (half - 1, half))


def _corrected(rows: Values, corrections: Values, n: int, error: float) -> float:
    """The largest correction as often as by Bernstein's inequality, for numbers that lie where it comes most often."""
    expected = n * float(rows[:, corrections > _NONE].sum(axis=1).max())
    logarithm = -math.log(error)
    more = logarithm / 3 + math.sqrt(logarithm**2 / 9 + 2 * logarithm * expected)
    return float(corrections.max()) * min(n, expected + more) if expected else 0.0
