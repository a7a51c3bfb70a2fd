"""What drawn reports prove about alpha: a lower bound, as the respondents' page computes it (static/respond/audit.js).

Reports of two fixed answers are drawn, n of each in each half. On the first half an event is chosen that tells the two
apart; on the second half it is counted. If every report keeps (alpha, delta), then P(E | one) <= e^alpha P(E | other) +
delta for every event E, so alpha is at least log((P(E | one) - delta) / P(E | other)), and each of the two chances lies
beyond its Clopper-Pearson bound with half of what is left of the confidence (Clopper and Pearson 1934). The event does
not depend on the second half, so the confidence holds whatever it is.
"""

import math
from collections.abc import Mapping
from typing import NamedTuple

from scipy.stats import beta

Counts = Mapping[str, tuple[int, int]]


class Event(NamedTuple):
    """A set of values, and under which of the two answers (0 or 1) it is likelier."""

    values: frozenset[str]
    likelier: int


def lower_chance(k: int, n: int, miss: float) -> float:
    """The Clopper-Pearson lower bound of a chance that showed k times in n; too high with a chance up to `miss`."""
    return float(beta.ppf(miss, k, n - k + 1)) if k else 0.0


def upper_chance(k: int, n: int, miss: float) -> float:
    return 1 - lower_chance(n - k, n, miss)


def alpha_bound(hits: tuple[int, int], n: int, delta: float = 0.0, confidence: float = 0.95) -> float:
    """The least alpha, never below 0, for an event that `hits` of n reports showed under either answer, the likelier
    first."""
    miss = (1 - confidence) / 2
    beyond = lower_chance(hits[0], n, miss) - delta
    return max(0.0, math.log(beyond / upper_chance(hits[1], n, miss))) if beyond > 0 else 0.0


def chosen_event(counts: Counts, n: int, delta: float = 0.0) -> Event:
    """Of the values that were seen so often under either answer, those that distinguish them best: the best beginning
    of their order by ratio, where "best" need only be a good guess."""
    best, event = -math.inf, Event(frozenset(), 0)
    for likelier in (0, 1):
        order = sorted(counts, key=lambda value: (-_ratio(counts[value], likelier), value))
        hits = misses = 0
        for end, value in enumerate(order, start=1):
            hits += counts[value][likelier]
            misses += counts[value][1 - likelier]
            score = _score(hits, misses, n, delta)
            if score > best:
                best, event = score, Event(frozenset(order[:end]), likelier)
    return event


def _ratio(count: tuple[int, int], likelier: int) -> float:
    """Rare values have to show more than chance to come first."""
    return (count[likelier] + 5) / (count[1 - likelier] + 5)


def _score(hits: int, misses: int, n: int, delta: float) -> float:
    """About the bound: two standard deviations from either count."""
    beyond = hits - 2 * math.sqrt(hits) - delta * n
    return math.log(beyond / (misses + 2 * math.sqrt(misses) + 4)) if beyond > 0 else -math.inf
