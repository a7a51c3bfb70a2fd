"""Two shares that are counted in reports of their own: of two surveys, or of two options that different reports are
about (M33c, M38). theta_1 - theta_2 in the population.

Where no report tells of both and both scores are 0 or 1, the exact test of their difference is inverted (binomials.py).
Where reports may tell of both, intervals hold at every look, or scores are sums of noise or invert a channel, each of
two published intervals gets half of the chance of error and all differences between them are kept. Both are proved
where the intervals of the shares are.

Where the difference has an exact test its p-value is that of the interval, so that the two never contradict each other.
"""

from ldp.inference.intervals import Interval
from ldp.inference.reading import binomials
from ldp.inference.reading.tallied import Tallied

Share = tuple[Tallied, int]


def estimate(one: Share, other: Share) -> float:
    (first, i), (second, j) = one, other
    return float(first.shares[i] - second.shares[j])


def exact(one: Share, other: Share, independent: bool) -> bool:
    """Whether the difference of both totals has a known law: that of two independent binomials."""
    return independent and all(tallied.moments.binary and not tallied.every_look for tallied, _ in (one, other))


def interval(one: Share, other: Share, confidence: float, independent: bool = True) -> Interval:
    """In -1..1."""
    if exact(one, other, independent):
        sides = [(tallied.totals[j], tallied.n, tallied.moments) for tallied, j in (one, other)]
        return binomials.interval(sides[0], sides[1], confidence)
    first, second = (tallied.interval(j, (1 + confidence) / 2, "population") for tallied, j in (one, other))
    return Interval(first.low - second.high, first.high - second.low)


def p_value(one: Share, other: Share, confidence: float, independent: bool = True) -> float | None:
    """Two-sided, of the hypothesis that both shares are equal, by the test that the interval with this confidence
    inverts; None where no exact one is known."""
    if not exact(one, other, independent):
        return None
    sides = [(tallied.totals[j], tallied.n, tallied.moments) for tallied, j in (one, other)]
    return binomials.p_value(sides[0], sides[1], confidence)
