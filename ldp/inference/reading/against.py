"""One share or mean against a value (M16): the exact p-value, where the law of the total is known.

For outputs of a channel no exact one is known, and while a survey is watched none is one for one look: None there.
"""

import math
from typing import Literal

from ldp.inference import convolution, hypotheses
from ldp.inference.convolution import TotalLaw
from ldp.inference.estimates import Target
from ldp.inference.reading.tallied import Tallied
from ldp.scores import ChannelMoments, SumMoments

Side = Literal["greater", "less"]


def p_value(tallied: Tallied, j: int, value: float, alternative: Side, target: Target) -> float | None:
    """The p-value of the hypothesis that the share of category j is at most `value` ("greater" speaks against it), or
    at least."""
    moments, its = tallied.moments, tallied.target(target)
    if tallied.every_look or isinstance(moments, ChannelMoments):
        return None
    total, n = tallied.totals[j], tallied.n
    if not isinstance(moments, SumMoments):
        return hypotheses.share_test(total, n, moments, value, alternative, its)
    law = TotalLaw(n, convolution.lattice(moments))
    # Of an impossible estimate no less than that of the nearest possible one (M37).
    return max(_of_sum(law, each, value, alternative, its) for each in {total, law.nearest(total)})


def _of_sum(law: TotalLaw, total: int, value: float, alternative: Side, target: Target) -> float:
    n = law.n
    if alternative == "greater":
        return law.at_least(total, math.floor(n * value + 1e-9) / n if target == "respondents" else value, target)
    share = math.ceil(n * value - 1e-9) / n if target == "respondents" else value
    return 1 - law.at_least(total + 1, share, target)
