"""How wide a corrected share will be, before anybody answers (M42): that of what is expected of so many reports."""

import math
from collections.abc import Sequence

import numpy as np

from ldp.arrays import Values
from ldp.forms.crossed import JointCrossing
from ldp.honesty.attention import Corrected, TooInattentive
from ldp.inference.crossed import SUBGROUP_ERRORS_MIN, Crossing
from ldp.inference.variables import Variable
from ldp.planning.outlook import quantile
from ldp.weighting.margin import needed

# The share of people who pay attention, where nobody says another.
USUAL = 0.85


def law(anchor: Variable, shares: Sequence[float], attentive: float) -> Values:
    """Shares of the combinations of answers, (d_a, d), where those who pay attention have these shares of the other
    question's answers, and the rest give each answer equally often."""
    d = len(anchor.options)
    chances = np.full((d, len(shares)), (1 - attentive) / (d * len(shares)))
    chances[anchor.question["right"]] += attentive * np.asarray(shares)
    return chances


def half_width(crossing: Crossing | JointCrossing, n: int, confidence: float, j: int = 0) -> float:
    """Half the width of the corrected share of a category alone, by normal approximation and cut nowhere, of n reports
    like these. TooInattentive where so few would tell nothing."""
    of = Corrected(crossing)
    share, error = of.attention
    fewer = math.sqrt(crossing.n / n)
    if not share > SUBGROUP_ERRORS_MIN * error * fewer:
        raise TooInattentive(needed(share, error, crossing.n))
    return float(quantile(confidence) * of.standard_errors[j] * fewer)


def uncorrected_half_width(crossing: Crossing | JointCrossing, n: int, confidence: float, j: int = 0) -> float:
    """Half the width of the share as it is, of n reports like these."""
    return float(quantile(confidence) * crossing.margins[1][1][j] * math.sqrt(crossing.n / n))
