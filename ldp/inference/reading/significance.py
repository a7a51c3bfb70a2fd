"""Tests of one share against a value by the exact law of the total (M16), and corrections for many tests (M33)."""

import math
from collections.abc import Sequence
from typing import Literal

import numpy as np

from ldp.inference import convolution, hypotheses
from ldp.inference.association import holm
from ldp.inference.convolution import TotalLaw
from ldp.inference.intervals import Interval
from ldp.inference.pooled import PooledLaw, law_of
from ldp.inference.tallied import Tallied
from ldp.scores import ChannelMoments, PooledMoments, SumMoments, Target

OneSided = Literal["greater", "less"]


def p_value(tallied: Tallied, j: int, value: float, alternative: OneSided, target: Target) -> float | None:
    """Return the p-value of the hypothesis that category j's share is at most `value` against "greater", or at least
    `value` against "less"; None if no exact law is known, as for a channel's outputs, and while a survey is watched."""
    moments, its = tallied.moments, tallied.target(target)
    if tallied.every_look or isinstance(moments, ChannelMoments):
        return None
    total, n = tallied.totals[j], tallied.n
    if not isinstance(moments, PooledMoments | SumMoments):
        return hypotheses.share_test(total, n, moments, value, alternative, its)
    law = law_of(moments.parts) if isinstance(moments, PooledMoments) else TotalLaw(n, convolution.lattice(moments))
    # An impossible estimate has at least the p-value of the nearest possible one (M37).
    return max(_tail(law, each, value, alternative, its) for each in {total, law.nearest(total)})


def _tail(law: PooledLaw | TotalLaw, total: int, value: float, alternative: OneSided, target: Target) -> float:
    n = law.n
    if alternative == "greater":
        return law.at_least(total, math.floor(n * value + 1e-9) / n if target == "respondents" else value, target)
    share = math.ceil(n * value - 1e-9) / n if target == "respondents" else value
    return 1 - law.at_least(total + 1, share, target)


# Several comparisons at once (Holm 1979; "Multiplicity" under M33c) ---------------------------------------------------


def corrected(p_values: Sequence[float | None]) -> list[float | None]:
    """Return Holm's p-values among m comparisons. If k of them have p-values, these share k/m of the error chance. Each
    other comparison has 1/m, by its interval at Bonferroni's level. So a false claim has at most the whole chance."""
    given = [p for p in p_values if p is not None]
    if not given:
        return list(p_values)
    adjusted = iter(np.minimum(holm(np.array(given)) * len(p_values) / len(given), 1.0).tolist())
    return [None if p is None else next(adjusted) for p in p_values]


def shows(corrected: float | None, interval: Interval, confidence: float, value: float = 0.0) -> bool:
    """Return whether a comparison shows a difference from the value. `interval` is at Bonferroni's level."""
    if corrected is not None:
        return corrected <= 1 - confidence
    return not interval.low <= value <= interval.high


def agreeing(shown: bool, interval: Interval, value: float = 0.0) -> Interval:
    """Return the interval, united with the value if no difference is shown. So intervals and tests agree. The union
    never covers less."""
    return interval if shown else Interval(min(interval.low, value), max(interval.high, value))
