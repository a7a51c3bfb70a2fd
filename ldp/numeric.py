"""A number on the grid of its range (M8): randomized rounding, and what the mechanisms for a mean have in common.

The range low..high is cut into G steps. A number between two grid points goes to the upper one with a chance equal to
how far it has come, so the mean of the grid point is the number itself. Numbers outside count as the nearest end.
"""

import math
import re
from fractions import Fraction
from statistics import NormalDist
from typing import Any

from ldp import exact
from ldp.scores import ChannelMoments, PooledMoments, ScoreMoments
from ldp.words import Uniform

# A grid has about 4 alpha steps. Below alpha 2 the interval of a mean by Laplace takes all answers to be at the ends,
# which vary little more than others next to the noise; from there on the unseen respondent (M30) is narrower and holds.
COARSE = 7

_NUMBER = re.compile(r"-?[0-9]{1,15}(?:\.[0-9]{1,15})?", re.ASCII)


def parse(text: object) -> Fraction:
    """A decimal string as an exact fraction. ValueError names the rule, never the text."""
    if not isinstance(text, str) or not _NUMBER.fullmatch(text):
        raise ValueError("a decimal string with at most 15 digits on each side of the point is needed")
    return Fraction(text)


def within(number: object, low: str, high: str) -> str:
    """The decimal string, if it lies from low to high. ValueError otherwise."""
    if not Fraction(low) <= parse(number) <= Fraction(high):
        raise ValueError(f"a number from {low} to {high} is needed")
    return str(number)


def rounded(answer: object, low: str, high: str, steps: int, uniform: Uniform) -> int:
    """The grid point 0..steps of a number, by one uniform integer."""
    x, bottom, top = parse(answer), Fraction(low), Fraction(high)
    position = (min(max(x, bottom), top) - bottom) / (top - bottom) * steps
    whole = position.numerator // position.denominator
    part = (position - whole) * exact.RESOLUTION
    return whole + (uniform() < part.numerator // part.denominator)


def steps(table: dict[str, Any]) -> int:
    """G: a table with rows has one for each grid point, one without knows the two ends only."""
    return len(table["rows"]) - 1 if "rows" in table else 1


def noise(moments: ScoreMoments) -> list[Fraction]:
    """The variance of one report's estimate of the mean at each grid point, the range being 0..1."""
    if isinstance(moments, ChannelMoments):
        return [row[0] for row in moments.variances]
    return [moments.v_b / moments.gap**2, moments.v_a / moments.gap**2]


def risk(moments: ScoreMoments) -> float:
    """n times the squared error of the mean where the answers are spread evenly over the range, of length 1."""
    variances = noise(moments)
    g = len(variances) - 1
    squares = [variance + Fraction(k, g) ** 2 for k, variance in enumerate(variances)]
    # Rounding sends half as many to an end as to a point that has neighbours on both sides.
    own = float((sum(squares) - (squares[0] + squares[-1]) / 2) / g) - 0.25
    return own + (moments.sampling("population") - 1) / 4


def addition(moments: ScoreMoments) -> float:
    """n times what the published interval adds to each side of a normal one: half of what one more report could span.

    1/(2 (a-b)) for 0/1 scores and pooled ones, 1/2 for a mean by Laplace, half the scores' range where a channel is
    inverted; sums of known law add nothing that matters.
    """
    if isinstance(moments, ChannelMoments):
        if moments.targets == 1:
            return 0.5
        spans: list[float] = [max(scores) - min(scores) for scores in zip(*moments.phi(), strict=True)]
        return sum(spans) / (2 * moments.targets)
    whole = moments.binary or isinstance(moments, PooledMoments)
    return 1 / (2 * abs(float(moments.gap))) if whole else 0.0


# The number of reports at which two mechanisms for a mean are compared: that of a survey of some size.
TYPICAL_N = 1000


def half_width(moments: ScoreMoments, n: int = TYPICAL_N, confidence: float = 0.95) -> float:
    """The half-width of the published interval, as planned, where the answers are spread evenly over the range."""
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    return z * math.sqrt(planned_variance(moments) / n) + addition(moments) / n


def planned_variance(moments: ScoreMoments) -> float:
    """n times the variance that the interval pays for where the answers are spread evenly over the range.

    On a coarse grid a mean by Laplace pays for answers at the two ends, whatever the answers are.
    """
    if isinstance(moments, ChannelMoments) and len(moments.variances) <= COARSE + 1:
        return float(max(moments.variances[0][0], moments.variances[-1][0])) + 0.25
    return risk(moments)
