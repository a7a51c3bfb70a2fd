"""The widths of intervals, and the number of people that a width needs, from variances (M12, M15).

An outlook has two values, `expected` and `at_most`. Shares are in 0..1, a mean in units of its range.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from statistics import NormalDist

from ldp.kinds.protocol import Spread
from ldp.search import least_people

# A half-width of a quarter: the interval spans half of all possible values.
HOPELESS = 1 / 4


@lru_cache(maxsize=1024)
def quantile(confidence: float, together: int = 1) -> float:
    """Return the half-width, in standard errors, of `together` normal intervals that hold at once (Bonferroni)."""
    return NormalDist().inv_cdf(1 - (1 - confidence) / (2 * together))


@dataclass(frozen=True)
class PlannedPrecision:
    """The precision with n people, and the number of people that the wished half-width needs; None if nothing is wished
    or N_MOST are too few. Half-widths are those of default intervals, not cut at 0 or 1."""

    standard_error: float
    half_width: float
    simultaneous_half_width: float
    n_needed: int | None
    n_needed_simultaneous: int | None


@dataclass(frozen=True)
class Outlook:
    expected: PlannedPrecision
    at_most: PlannedPrecision


@dataclass(frozen=True)
class Planner:
    n: int
    wished: float | None
    confidence: float
    together: int

    def outlook(self, spread: Spread, variance: Callable[[float, int], float], addition: float = 0.0) -> Outlook:
        """Return the outlook of an estimate with `variance(spread, n)` and half-width addition `addition`/n."""
        return Outlook(
            self._precision(lambda m: variance(spread.expected, m), addition),
            self._precision(lambda m: variance(spread.at_most, m), addition),
        )

    def _precision(self, variance: Callable[[int], float], addition: float) -> PlannedPrecision:
        def half(quantile: float, m: int) -> float:
            return quantile * math.sqrt(variance(m)) + addition / m

        def needed(quantile: float) -> int | None:
            return None if self.wished is None else least_people(lambda m: half(quantile, m), self.wished)

        one, all_of_them = quantile(self.confidence), quantile(self.confidence, self.together)
        return PlannedPrecision(
            math.sqrt(variance(self.n)),
            half(one, self.n),
            half(all_of_them, self.n),
            needed(one),
            needed(all_of_them),
        )
