"""How many reports a form must be expected to have for its results to be published at the end of a survey (P11)."""

import math
from functools import lru_cache

# The chance that a form has enough.
SURE = 0.99


@lru_cache(maxsize=64)
def expected_for(fewest: int) -> float:
    """The expected number of reports with which a form has `fewest` of them almost surely.

    A form is drawn by lot, so its reports are binomial, and have a lower tail below a mean no larger than that of
    Poisson's law (Anderson and Samuels 1967).
    """
    if fewest < 1:
        return 0.0
    low, high = float(fewest), 2.0 * fewest + 10
    while high - low > 1e-6 * high:
        middle = (low + high) / 2
        low, high = (low, middle) if _fewer_than(fewest, middle) <= 1 - SURE else (middle, high)
    return high


def _fewer_than(fewest: int, mean: float) -> float:
    """The chance of fewer than so many by Poisson's law."""
    return math.fsum(math.exp(k * math.log(mean) - mean - math.lgamma(k + 1)) for k in range(fewest))
