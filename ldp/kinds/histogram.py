"""A number, counted in bins."""

import math
from bisect import bisect_right
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise

from ldp.kinds.options import OptionKind
from ldp.kinds.protocol import Kind, Numbers
from ldp.mechanisms import bitwise
from ldp.question import Question
from ldp.scores import ScoreMoments


class Histogram(OptionKind):
    """An answer is the index of a bin, or of "prefer not to say" after the bins."""

    def numbers(self, question: Question) -> Numbers:
        """Return the ends of each bin."""
        lows, highs = zip(*((float(low), float(high)) for low, high in bin_ends(question)), strict=True)
        return Numbers("mean", question["unit"], lows, highs)

    def bins(self, n: int, alpha: Fraction) -> dict[str, int]:
        """Return the best numbers of bins for bits, whose noise does not depend on the number of bins."""
        moments = bitwise.moments(bitwise.table(alpha, 2), 2)["support"]
        return {"advised": best_bins(n, bin_noise(moments)), "without_privacy": best_bins(n, 0.0)}


def bin_ends(question: Question) -> list[tuple[Decimal, Decimal]]:
    """Return the lowest and highest number of each bin. The highest is the next edge, or the whole number before it."""
    before = 1 if question.get("limits") == "whole" else 0
    return [(low, high - before) for low, high in pairwise(map(Decimal, question["edges"]))]


def category(question: Question, number: Decimal) -> int:
    """Return the bin of a number, [edge_i, edge_{i+1}). Numbers beyond the outer edges are in the outer bins."""
    inner = [Decimal(edge) for edge in question["edges"][1:-1]]
    return bisect_right(inner, number)


KIND: Kind = Histogram()


# The best number of bins of a histogram (M22) ------------------------------------------------------------------------
#
# Bins are fixed before the first answer, so n is the expected number of reports.
#
# For a density f on [0, 1] with |f(x) - f(y)| <= L |x - y|^beta, 0 < beta <= 1, K equal bins and n reports,
#
#     E of the integral of (estimate - f)^2  <=  L^2 K^{-2 beta} + K/n + v K^2/n.
#
# The terms are the flatness of bins, sampling and randomization. v is n times the variance that randomization adds to
# one share: 0 without privacy, r/(1-r)^2 with r = e^{-alpha/2} for bits and thresholds, twice this for sums.

# A triangle over the range [0, 1] has slopes of 4 and -4.
SMOOTHNESS, STEEPNESS = 1.0, 4.0


def bin_noise(moments: ScoreMoments) -> float:
    """Return v: n times the variance that randomization adds to the share of an almost empty bin."""
    return float(moments.v_b) / float(moments.gap) ** 2


def bin_error(bins: float, n: int, v: float, smoothness: float = SMOOTHNESS, steepness: float = STEEPNESS) -> float:
    """Return the bound on the mean integrated squared error, for a range scaled to [0, 1]."""
    flatness = steepness**2 * math.pow(bins, -2 * smoothness)
    return flatness + bins / n + v * bins**2 / n


def best_bins(
    n: int,
    v: float,
    smoothness: float = SMOOTHNESS,
    steepness: float = STEEPNESS,
    most: int = 256,
) -> int:
    """Return the number of bins from 2 to `most` with the least bound, by bisection: the bound is convex in K."""
    low, high = 2, most
    while low < high:
        middle = (low + high) // 2
        rising = bin_error(middle + 1, n, v, smoothness, steepness) >= bin_error(middle, n, v, smoothness, steepness)
        low, high = (low, middle) if rising else (middle + 1, high)
    return low
