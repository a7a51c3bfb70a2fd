"""A lower bound of alpha from drawn reports, computed as the respondents' page computes it (static/respond/audit.js).

Two fixed answers are reported n times each in each of two halves. The first half chooses an event that distinguishes
the two answers. The second half counts the event. If every report keeps (alpha, delta), then P(E | one) <= e^alpha P(E
| other) + delta for every event E. So alpha is at least log((P(E | one) - delta) / P(E | other)). Each of the two
chances has a Clopper-Pearson bound with half of the error 1 - confidence (Clopper and Pearson 1934). The event does not
depend on the second half, so the confidence holds for every chosen event.
"""

import math
from collections.abc import Mapping
from typing import NamedTuple

from scipy.stats import beta

Counts = Mapping[str, tuple[int, int]]


class Event(NamedTuple):
    """A set of values, and the answer (0 or 1) under which the set is likelier."""

    values: frozenset[str]
    likelier: int


def lower_chance(k: int, n: int, miss: float) -> float:
    """Return the Clopper-Pearson lower bound of a chance from k hits in n. It is too high with a chance of at most
    `miss`."""
    return float(beta.ppf(miss, k, n - k + 1)) if k else 0.0


def upper_chance(k: int, n: int, miss: float) -> float:
    return 1 - lower_chance(n - k, n, miss)


def alpha_bound(hits: tuple[int, int], n: int, delta: float = 0.0, confidence: float = 0.95) -> float:
    """Return the lower bound of alpha, at least 0, from an event's hits in n reports of either answer; the likelier
    answer comes first."""
    miss = (1 - confidence) / 2
    beyond = lower_chance(hits[0], n, miss) - delta
    return max(0.0, math.log(beyond / upper_chance(hits[1], n, miss))) if beyond > 0 else 0.0


def chosen_event(counts: Counts, n: int, delta: float = 0.0) -> Event:
    """Return a set of values that distinguishes the answers well. The values are sorted by ratio, and the best first
    part of this order is taken. "Best" need only be a good guess. `counts` has each value's count under either answer,
    of n reports."""
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
    """Return the smoothed ratio of the two counts. Smoothing keeps rare values from coming first by chance."""
    return (count[likelier] + 5) / (count[1 - likelier] + 5)


def _score(hits: int, misses: int, n: int, delta: float) -> float:
    """Return an approximation of the bound: either count moved by two standard deviations."""
    beyond = hits - 2 * math.sqrt(hits) - delta * n
    return math.log(beyond / (misses + 2 * math.sqrt(misses) + 4)) if beyond > 0 else -math.inf
