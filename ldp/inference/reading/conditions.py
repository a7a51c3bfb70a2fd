"""The share of people whom several rules ask together, from single reports' scores (M34e)."""

import numpy as np

from ldp.document import ConditionTally
from ldp.inference import unseen
from ldp.inference.intervals import Interval
from ldp.inference.unseen import Unseen


def estimate(tally: ConditionTally) -> float:
    """Return the unbiased share of people who are asked. It may be below 0 or above 1."""
    return float(np.average(tally["scores"], weights=tally["counts"]))


def interval(tally: ConditionTally, confidence: float) -> Interval:
    """Return the interval of the unseen respondent (M30), not cut, for a population and for the respondents."""
    low, high = tally["ends"]
    ends = min(low, tally["scores"][0]), max(high, tally["scores"][-1])  # scores are rounded
    return unseen.interval(tally["scores"], tally["counts"], Unseen.at(ends[0]), Unseen.at(ends[1]), confidence)
