"""What a partition into forms is worth, and with which weights (M36).

A form costs g. Wanted is either the least weighted sum of risks, of g_f^2/w_f with g_f the root of the form's own sum,
or the least of the widest intervals over their wishes, of the largest g_f/w_f with g_f the form's largest ratio. Both
are least where w_f, a part of all, is proportional to g_f; and where no form may have less than a least part, where it
is the larger of that and of c g_f (the first by convexity; the second because the largest ratio can be less nowhere).
"""

import math
from collections.abc import Sequence
from typing import Protocol

from ldp.forms.lot import WEIGHT_MAX
from ldp.kinds import KINDS
from ldp.planning.form_prices import CONFIDENCE, Wanted, Way
from ldp.planning.outlook import quantile

# A sum of whole weights is taken up to here, the first that costs no more than this beyond the best weights.
WHOLE_MAX = 1000
WHOLE_LOSS = 1.001

# Of questions without a wish, where others have one: "precise to 5 points".
WISHED = 0.05


class Objective(Protocol):
    def cost(self, way: Way, questions: Sequence[Wanted]) -> float:
        """g of a form."""

    def value(self, costs: Sequence[float], parts: Sequence[float]) -> float:
        """What is to be least, at these parts of all reports."""


class WeightedSum:
    """By how much more people are needed than if everybody answered everything without privacy, on average over the
    questions by their importance. `scale` is the sum of what is important."""

    def __init__(self, wanted: Sequence[Wanted]) -> None:
        self._scale = math.fsum(each.importance for each in wanted)

    def cost(self, way: Way, questions: Sequence[Wanted]) -> float:
        return math.sqrt(
            math.fsum(
                each.importance * price.variance / _plain(each) / self._scale
                for each, price in zip(questions, way.prices, strict=True)
            )
        )

    def value(self, costs: Sequence[float], parts: Sequence[float]) -> float:
        return math.fsum(cost**2 / part for cost, part in zip(costs, parts, strict=True))


class Widest:
    """How many people are needed until every interval is as narrow as wished, by normal intervals."""

    def cost(self, way: Way, questions: Sequence[Wanted]) -> float:
        return max(
            (quantile(CONFIDENCE, price.together) / (each.wished or WISHED)) ** 2 * price.variance
            for each, price in zip(questions, way.prices, strict=True)
        )

    def value(self, costs: Sequence[float], parts: Sequence[float]) -> float:
        return max(cost / part for cost, part in zip(costs, parts, strict=True))


def objective(wanted: Sequence[Wanted]) -> Objective:
    """ValueError where a question matters nothing, or is wished to be without error."""
    if any(each.importance <= 0 or (each.wished is not None and each.wished <= 0) for each in wanted):
        raise ValueError("must have an importance and a wished half-width above 0")
    return Widest() if any(each.wished for each in wanted) else WeightedSum(wanted)


def _plain(wanted: Wanted) -> float:
    return KINDS[wanted.asked.kind].without_privacy(wanted.asked.size).expected


def parts(costs: Sequence[float], least: float) -> list[float]:
    """The best parts of all reports, none below the least. ValueError where these are more than all."""
    if len(costs) * least > 1 + 1e-12:
        raise ValueError("must leave at least a batch of reports to each form")
    raised: set[int] = set()
    while True:
        scale = (1 - least * len(raised)) / math.fsum(cost for k, cost in enumerate(costs) if k not in raised)
        below = {k for k, cost in enumerate(costs) if k not in raised and scale * cost < least - 1e-15}
        if not below or len(raised | below) == len(costs):
            break
        raised |= below
    shares = [least if k in raised else scale * cost for k, cost in enumerate(costs)]
    whole = math.fsum(shares)
    return [part / whole for part in shares]


def whole_weights(costs: Sequence[float], least: float, goal: Objective) -> tuple[int, ...]:
    """Small whole weights that cost next to nothing beyond the best parts, and keep the least."""
    ideal = parts(costs, least)
    best = goal.value(costs, ideal)
    for total in range(len(costs), max(WHOLE_MAX, len(costs)) + 1):
        weights = _apportioned(ideal, total)
        own = [weight / sum(weights) for weight in weights]  # more than the total where many are raised to 1
        if min(own) < least - 1e-9:
            continue
        if goal.value(costs, own) <= WHOLE_LOSS * best:
            return _reduced(weights)
    return _reduced([1 + math.floor((WEIGHT_MAX - 1) * part) for part in ideal])


def _apportioned(ideal: Sequence[float], total: int) -> list[int]:
    """At least one each; what is left goes to the largest remainders, of equals to the first."""
    weights = [max(1, math.floor(part * total + 1e-9)) for part in ideal]
    by_remainder = sorted(range(len(ideal)), key=lambda k: (weights[k] - ideal[k] * total, k))
    for k in by_remainder[: max(total - sum(weights), 0)]:
        weights[k] += 1
    return weights


def _reduced(weights: Sequence[int]) -> tuple[int, ...]:
    divisor = math.gcd(*weights)
    return tuple(weight // divisor for weight in weights)
