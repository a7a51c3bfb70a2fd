"""Numbers on the grid of their range (M8): randomized rounding, and what all mechanisms for a mean share.

The range low..high is cut into G steps. A number between two grid points is rounded up with a chance equal to its part
of the way, so the mean of the grid point is the number. A number outside counts as the nearest end.
"""

import math
import re
from fractions import Fraction
from statistics import NormalDist
from typing import Any

from ldp import exact
from ldp.scores import ChannelMoments, PooledMoments, ScoreMoments
from ldp.words import Uniform

# A grid has about 4 alpha steps. Below alpha 2 the interval of a mean by Laplace assumes all answers at the ends, which
# costs little beside the noise. From alpha 2 the unseen respondent's interval (M30) is narrower and holds.
COARSE = 7

_NUMBER = re.compile(r"-?[0-9]{1,15}(?:\.[0-9]{1,15})?", re.ASCII)


def parse(text: object) -> Fraction:
    """Return a decimal string as an exact fraction. ValueError names the rule, never the text."""
    if not isinstance(text, str) or not _NUMBER.fullmatch(text):
        raise ValueError("a decimal string with at most 15 digits on each side of the point is needed")
    return Fraction(text)


def rounded(answer: object, low: str, high: str, steps: int, uniform: Uniform) -> int:
    """Return the grid point 0..steps of a number, rounded by one uniform integer."""
    x, bottom, top = parse(answer), Fraction(low), Fraction(high)
    position = (min(max(x, bottom), top) - bottom) / (top - bottom) * steps
    whole = position.numerator // position.denominator
    part = (position - whole) * exact.RESOLUTION
    return whole + (uniform() < part.numerator // part.denominator)


def steps(table: dict[str, Any]) -> int:
    """Return G. A table with rows has a row for each grid point; without rows the grid is the two ends."""
    return len(table["rows"]) - 1 if "rows" in table else 1


def noise(moments: ScoreMoments) -> list[Fraction]:
    """Return the variance of one report's estimate of the mean at each grid point, (G+1,), for the range 0..1."""
    if isinstance(moments, ChannelMoments):
        return [row[0] for row in moments.variances]
    return [moments.v_b / moments.gap**2, moments.v_a / moments.gap**2]


def risk(moments: ScoreMoments) -> float:
    """Return n times the squared error of the mean, for answers spread evenly over a range of length 1."""
    variances = noise(moments)
    g = len(variances) - 1
    squares = [variance + Fraction(k, g) ** 2 for k, variance in enumerate(variances)]
    # Rounding gives an end half as many answers as an inner point, because an end has one neighbour.
    own = float((sum(squares) - (squares[0] + squares[-1]) / 2) / g) - 0.25
    return own + (moments.sampling("population") - 1) / 4


def addition(moments: ScoreMoments) -> float:
    """Return n times the length that the published interval adds to each side of a normal one.

    It is half the range of one more report's score: 1/(2 (a-b)) for 0/1 and pooled scores, 1/2 for a mean by Laplace,
    half the scores' range for an inverted channel. It is 0 for sums of known law, which add almost nothing.
    """
    if isinstance(moments, ChannelMoments):
        if moments.targets == 1:
            return 0.5
        spans: list[float] = [max(scores) - min(scores) for scores in zip(*moments.phi(), strict=True)]
        return sum(spans) / (2 * moments.targets)
    whole = moments.binary or isinstance(moments, PooledMoments)
    return 1 / (2 * abs(float(moments.gap))) if whole else 0.0


# The number of reports at which two mechanisms for a mean are compared.
TYPICAL_N = 1000


def half_width(moments: ScoreMoments, n: int = TYPICAL_N, confidence: float = 0.95) -> float:
    """Return the planned half-width of the published interval, for answers spread evenly over a range of length 1."""
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    return z * math.sqrt(planned_variance(moments) / n) + addition(moments) / n


def planned_variance(moments: ScoreMoments) -> float:
    """Return n times the variance that plans the interval, for answers spread evenly over the range.

    A mean by Laplace on a coarse grid has one interval for all answers: that of answers at the ends.
    """
    if isinstance(moments, ChannelMoments) and len(moments.variances) <= COARSE + 1:
        return float(max(moments.variances[0][0], moments.variances[-1][0])) + 0.25
    return risk(moments)
