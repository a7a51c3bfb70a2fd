"""How wide the intervals of a ranking's mean ranks will be (M32e), which hold at once for all items.

A report is about one pair, drawn by lot. Of the k - 1 pairs of an item the one with the fewest reports counts for all,
at half of the chance of error, since their numbers are seldom the same (ldp/inference/reading/ranks.py).
"""

import math

from ldp import mechanisms, numeric
from ldp.planning.outlook import quantile
from ldp.planning.thirds import CONFIDENCE
from ldp.question import Question
from ldp.scores import ScoreMoments

# By how many standard deviations the least of j independent normal numbers is expected below their mean, from j = 2.
LEAST = (0.564, 0.846, 1.029, 1.163, 1.267, 1.352)


def half_width(question: Question, n: float, confidence: float = CONFIDENCE) -> float:
    """In ranks, for n reports of people half of whom put an item before any other one."""
    k, (_name, moments) = len(question["ranked"]), mechanisms.of(question).default()
    assert isinstance(moments, ScoreMoments)
    others, mean, gap = k - 1, n / math.comb(k, 2), float(moments.gap)
    # The variance of a number of reports about a pair is that of one of C(k, 2) equal cells.
    spread = math.sqrt(mean * (1 - 1 / math.comb(k, 2)))
    reports = others * max(mean - LEAST[others - 2] * spread, 1.0)
    bit = float(moments.b) + gap / 2
    z = quantile(confidence, 2 * k)
    # Half a report by Clopper and Pearson's limits, and on average another half since the number of bits is rounded.
    return others * (z * math.sqrt(bit * (1 - bit) / reports) / gap + 2 * numeric.addition(moments) / reports)
