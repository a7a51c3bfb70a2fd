"""Several comparisons that one reader sees at once: which of them show a difference (Holm 1979, M33)."""

from collections.abc import Sequence

import numpy as np

from ldp.inference.association import holm
from ldp.inference.intervals import Interval


def corrected(p_values: Sequence[float | None]) -> list[float | None]:
    """Holm's p-values among m comparisons of which k have one. The k share k/m of the chance of error, and each of the
    others, judged by its interval at Bonferroni's level, has 1/m: so any false claim at all has at most the whole."""
    given = [p for p in p_values if p is not None]
    if not given:
        return list(p_values)
    adjusted = iter(np.minimum(holm(np.array(given)) * len(p_values) / len(given), 1.0).tolist())
    return [None if p is None else next(adjusted) for p in p_values]


def shows(corrected: float | None, interval: Interval, confidence: float, value: float = 0.0) -> bool:
    """Whether a comparison shows a difference from the value; `interval` is the one at Bonferroni's level."""
    if corrected is not None:
        return corrected <= 1 - confidence
    return not interval.low <= value <= interval.high


def agreeing(shown: bool, interval: Interval, value: float = 0.0) -> Interval:
    """The interval, and the value with it where no difference from it is shown: so that no interval speaks against what
    is said. It holds the former, hence never covers less."""
    return interval if shown else Interval(min(interval.low, value), max(interval.high, value))
