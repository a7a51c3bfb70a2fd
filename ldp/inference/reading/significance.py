"""One share or mean against a value (M16): the exact p-value, where the law of the total is known.

For outputs of a channel no exact one is known, and while a survey is watched none is one for one look: None there.
"""

import math
from collections.abc import Sequence
from typing import Literal

import numpy as np

from ldp.inference import convolution, hypotheses, intervals
from ldp.inference.association import holm
from ldp.inference.convolution import TotalLaw
from ldp.inference.intervals import Interval
from ldp.inference.pooled import PooledLaw, law_of
from ldp.inference.tallied import Tallied
from ldp.scores import ChannelMoments, PooledMoments, SumMoments, Target

OneSided = Literal["greater", "less"]


def p_value(tallied: Tallied, j: int, value: float, alternative: OneSided, target: Target) -> float | None:
    """The p-value of the hypothesis that the share of category j is at most `value` ("greater" speaks against it), or
    at least."""
    moments, its = tallied.moments, tallied.target(target)
    if tallied.every_look or isinstance(moments, ChannelMoments):
        return None
    total, n = tallied.totals[j], tallied.n
    if isinstance(moments, PooledMoments):
        pooled_law = law_of(moments.parts)
        each = {total, round(intervals.clamped(total, *pooled_law.ends))}
        return max(_of_pooled(pooled_law, one, value, alternative, its) for one in each)
    if not isinstance(moments, SumMoments):
        return hypotheses.share_test(total, n, moments, value, alternative, its)
    law = TotalLaw(n, convolution.lattice(moments))
    # An impossible estimate has at least the p-value of the nearest possible one (M37).
    return max(_of_sum(law, each, value, alternative, its) for each in {total, law.nearest(total)})


def _of_pooled(law: PooledLaw, total: int, value: float, alternative: OneSided, target: Target) -> float:
    n = law.n
    if alternative == "greater":
        return law.at_least(total, math.floor(n * value + 1e-9) / n if target == "respondents" else value, target)
    share = math.ceil(n * value - 1e-9) / n if target == "respondents" else value
    return 1 - law.at_least(total + 1, share, target)


def _of_sum(law: TotalLaw, total: int, value: float, alternative: OneSided, target: Target) -> float:
    n = law.n
    if alternative == "greater":
        return law.at_least(total, math.floor(n * value + 1e-9) / n if target == "respondents" else value, target)
    share = math.ceil(n * value - 1e-9) / n if target == "respondents" else value
    return 1 - law.at_least(total + 1, share, target)


# Several comparisons at once (M33) ------------------------------------------------------------------------------------
#
# Several comparisons that one reader sees at once: which of them show a difference (Holm 1979, M33).


def corrected(p_values: Sequence[float | None]) -> list[float | None]:
    """Holm's p-values among m comparisons; k of them have one. These share k/m of the chance of error; each other
    comparison has 1/m, by its interval at Bonferroni's level. So the chance of any false claim is at most the whole."""
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
